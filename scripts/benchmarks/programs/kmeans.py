"""Lloyd's k-means, as a textbook has it."""
from __future__ import annotations

import numpy as np


def kmeans(points: f64[N, D], centres: f64[K, D], rounds: i64):
    k = len(centres)
    centres = centres.copy()
    labels = np.zeros(len(points), dtype=np.int64)
    for _ in range(rounds):
        distances = np.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
        labels = np.argmin(distances, axis=1)
        for c in range(k):
            members = points[labels == c]
            if len(members) > 0:
                centres[c] = members.mean(axis=0)
    return centres, labels


def make_inputs(rng, n, d, k, rounds):
    points = rng.normal(size=(n, d)) + 4 * rng.integers(0, k, (n, 1))
    return points, points[:k].copy(), rounds


SIZES = {"tiny": (40, 3, 4, 2), "small": (20_000, 8, 16, 10), "large": (1_000_000, 16, 32, 10)}
ENTRIES = ("kmeans",)
UPDATES = {}
