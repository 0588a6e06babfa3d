"""Ranks of pages; the links that lead to a page are a row of a sparse matrix (CSR)."""
from __future__ import annotations

import numpy as np


def pagerank(start: i32[N1], sources: i32[E], degrees: i32[N], damping: f64, tolerance: f64):
    n = len(degrees)
    ranks = np.full(n, 1.0 / n)
    rounds = 0
    while rounds < 100:
        share = ranks / np.maximum(degrees, 1)
        new = np.empty(n)
        for page in range(n):
            total = 0.0
            for k in range(start[page], start[page + 1]):
                total += share[sources[k]]
            new[page] = (1 - damping) / n + damping * total
        change = np.abs(new - ranks).sum()
        ranks = new
        rounds += 1
        if change < tolerance:
            break
    return ranks, rounds


def make_inputs(rng, n, links):
    counts = np.minimum(rng.zipf(1.8, n), n)
    counts = np.maximum(counts * links // max(int(counts.mean()), 1), 1)
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    sources = rng.integers(0, n, start[-1]).astype(np.int32)
    return start, sources, np.bincount(sources, minlength=n).astype(np.int32), 0.85, 1e-8


SIZES = {"tiny": (23, 2), "small": (100_000, 8), "large": (2_000_000, 16)}
ENTRIES = ("pagerank",)
UPDATES = {}
