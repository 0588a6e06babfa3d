"""The best local alignment of two sequences: scores by dynamic programming."""
from __future__ import annotations

import numpy as np


def smith_waterman(a: u8[M], b: u8[N], match: i32, mismatch: i32, gap: i32):
    m, n = len(a), len(b)
    h = np.zeros((m + 1, n + 1), dtype=np.int32)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            score = match if a[i - 1] == b[j - 1] else mismatch
            h[i, j] = max(0, h[i - 1, j - 1] + score, h[i - 1, j] - gap, h[i, j - 1] - gap)
    return h.max(), h


def make_inputs(rng, m, n):
    return rng.integers(0, 4, m).astype(np.uint8), rng.integers(0, 4, n).astype(np.uint8), np.int32(3), np.int32(-3), np.int32(2)


SIZES = {"tiny": (21, 34), "small": (1000, 1200), "large": (10_000, 12_000)}
ENTRIES = ("smith_waterman",)
UPDATES = {}
