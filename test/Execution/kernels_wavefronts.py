"""Nests whose elements wait for their neighbours: by diagonals of tiles of 32 x 32."""
from __future__ import annotations

import numpy as np

SIZES = (1, 31, 33, 97)


def make_inputs(size, rng):
    return (rng.random((size, size + 3)),)


def alignment(a: u8[M], b: u8[N], match: i32, mismatch: i32, gap: i32):
    """Local alignment (Smith and Waterman, 1981)."""
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int32)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            score = match if a[i - 1] == b[j - 1] else mismatch
            h[i, j] = max(0, h[i - 1, j - 1] + score, h[i - 1, j] - gap, h[i, j - 1] - gap)
    return h.max(), h


def inputs_alignment(size, rng):
    return rng.integers(0, 4, size).astype(np.uint8), rng.integers(0, 4, 2 * size + 1).astype(np.uint8), 3, -3, 2


def edit_distance(a: i64[M], b: i64[N]):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                d[i, j] = d[i - 1, j - 1]
            else:
                d[i, j] = 1 + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[-1, -1]


def inputs_edit_distance(size, rng):
    return rng.integers(0, 3, size), rng.integers(0, 3, size + 40)


def seidel(A: f64[M, N]):
    """In place, in steps: an element waits for the one to the right in the row before."""
    for t in range(2):
        for i in range(1, A.shape[0] - 1):
            for j in range(1, A.shape[1] - 1):
                A[i, j] = (A[i - 1, j - 1] + A[i - 1, j] + A[i - 1, j + 1] + A[i, j - 1] + A[i, j]
                           + A[i, j + 1] + A[i + 1, j - 1] + A[i + 1, j] + A[i + 1, j + 1]) / 9.0


def two_to_the_right(A: f32[M, N]):
    for i in range(2, A.shape[0]):
        for j in range(A.shape[1] - 2):
            A[i, j] = np.float32(0.5) * (A[i - 1, j + 2] + A[i - 2, j + 1]) - A[i, j]
            if A[i, j] > 0.4:
                A[i, j + 1] += A[i, j]


def inputs_two_to_the_right(size, rng):
    return (rng.random((size, size + 3), dtype=np.float32),)


def from_below(A: f64[M, N]):
    """From the last row and column on."""
    for i in range(A.shape[0] - 2, -1, -1):
        for j in range(A.shape[1] - 2, -1, -1):
            A[i, j] += max(A[i + 1, j], A[i, j + 1]) * 0.5 - A[i + 1, j + 1]


def far_to_the_right(A: f64[M, N]):
    """Further than is tiled."""
    for i in range(1, A.shape[0]):
        for j in range(A.shape[1] - 5):
            A[i, j] = 0.5 * A[i - 1, j + 5] + 0.25 * A[i, j]


def best_so_far(A: f64[M, N]):
    """The best is carried from element to element."""
    best, at = 0.0, -1
    for i in range(1, A.shape[0]):
        for j in range(1, A.shape[1]):
            A[i, j] += 0.5 * max(A[i - 1, j], A[i, j - 1])
            if A[i, j] > best:
                best = A[i, j]
                at = i * A.shape[1] + j
    return best, at


def paths(free: bool[M, N]):
    ways = np.zeros(free.shape, dtype=np.int64)
    ways[0, 0] = 1
    for i in range(free.shape[0]):
        for j in range(free.shape[1]):
            if free[i, j]:
                if i > 0:
                    ways[i, j] += ways[i - 1, j] % 1000003
                if j > 0:
                    ways[i, j] += ways[i, j - 1] % 1000003
    return ways


def inputs_paths(size, rng):
    return (rng.random((size, size + 3)) < 0.9,)


def warped_in_band(a: f64[M], b: f64[N], w: i64):
    """Dynamic time warping (Sakoe and Chiba, 1978): of each row a band, which may be narrow, or go past the ends."""
    d = np.full((len(a) + 1, len(b) + 1), np.inf)
    d[0, 0] = 0
    for i in range(1, len(a) + 1):
        for j in range(max(1, i - w), min(len(b), i + w) + 1):
            d[i, j] = abs(a[i - 1] - b[j - 1]) + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d


def inputs_warped_in_band(size, rng):
    return rng.random(size), rng.random(size + size % 4), (0, 5, -2, 200)[size % 4]


def inputs_relaxed_until(size, rng):
    return rng.normal(size=(size, size + 2)), 1.3, 1e-2, 7


def relaxed_until(u: f64[N, M], omega: f64, tolerance: f64, most: i64):
    """Successive over-relaxation; the largest change is of what nobody stores."""
    it = 0
    while it < most:
        worst = 0.0
        total = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                r = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) / 4 - u[i, j]
                u[i, j] += omega * r
                if abs(r) > worst:
                    worst = abs(r)
                total += r * r
        it += 1
        if worst < tolerance:
            break
    return it, total
