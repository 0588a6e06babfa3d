"""A grey image blurred by a separable kernel, its histogram, and the image equalised by it."""
from __future__ import annotations

import numpy as np


def blur_histogram(image: u8[H, W], weights: f32[K]):
    radius = len(weights) // 2
    padded = np.pad(image.astype(np.float32), radius, mode="edge")
    height, width = image.shape
    rows = np.zeros((height + 2 * radius, width), dtype=np.float32)
    for k in range(len(weights)):
        rows += weights[k] * padded[:, k:k + width]
    blurred = np.zeros((height, width), dtype=np.float32)
    for k in range(len(weights)):
        blurred += weights[k] * rows[k:k + height]
    levels = np.clip(np.rint(blurred), 0, 255).astype(np.uint8)
    counts = np.bincount(levels.ravel(), minlength=256)
    cumulative = np.cumsum(counts)
    table = np.round(255 * cumulative / levels.size).astype(np.uint8)
    return table[levels], counts


def make_inputs(rng, height, width, taps):
    weights = np.exp(-0.5 * ((np.arange(taps) - taps // 2) / (taps / 6)) ** 2)
    return rng.integers(0, 256, (height, width)).astype(np.uint8), (weights / weights.sum()).astype(np.float32)


SIZES = {"tiny": (19, 23, 5), "small": (1080, 1920, 9), "large": (8640, 15360, 9)}
ENTRIES = ("blur_histogram",)
UPDATES = {}
