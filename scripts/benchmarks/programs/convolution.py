"""A convolution layer with a bias and ReLU: images (batch, height, width, channels)."""
from __future__ import annotations

import numpy as np


def convolution(images: f32[B, H, W, C], weights: f32[K, K, C, F], bias: f32[F]) -> f32[B, H - K + 1, W - K + 1, F]:
    size = weights.shape[0]
    batch, height, width, _ = images.shape
    out = np.empty((batch, height - size + 1, width - size + 1, weights.shape[3]), dtype=np.float32)
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            window = images[:, i:i + size, j:j + size, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * weights[np.newaxis], axis=(1, 2, 3))
    return np.maximum(out + bias, 0)


def make_inputs(rng, batch, size, channels, kernel, features):
    return (rng.random((batch, size, size, channels), dtype=np.float32),
            (rng.random((kernel, kernel, channels, features), dtype=np.float32) - 0.5).astype(np.float32),
            rng.random(features, dtype=np.float32))


SIZES = {"tiny": (2, 9, 3, 3, 4), "small": (8, 64, 3, 5, 16), "large": (16, 256, 3, 5, 32)}
ENTRIES = ("convolution",)
UPDATES = {}
