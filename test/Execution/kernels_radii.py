"""Loops whose bounds keep a radius from the ends: parallel where it is not negative, in turn else; what raises in a nest."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 5, 9, 17, 33)


def boxes(img: f64[N, M], r: int):
    h, w = img.shape
    out = np.zeros((h, w))
    for y in range(r, h - r):
        for x in range(r, w - r):
            out[y, x] = img[y - r:y + r + 1, x - r:x + r + 1].sum()
    return out


def inputs_boxes(size, rng):
    return rng.random((size, size + 3)), int(rng.integers(-1, 4))


def edges(img: f32[N, M], out: f32[N, M], top: int, left: int):
    """Into the caller's array, with margins of two names."""
    for t in range(2):
        for y in range(top, img.shape[0] - top):
            for x in range(left, img.shape[1] - left):
                out[y, x] += img[y - top, x] - img[y, x - left] * (t + 1)


def inputs_edges(size, rng):
    shape = size, size + 1
    return rng.random(shape).astype(np.float32), rng.random(shape).astype(np.float32), int(rng.integers(0, 3)), 1


def matched(left: f64[:, :], right: f64[:, :], most: int, r: int):
    """Whose windows have one shape is known only in the loops, where the arrays' sizes differ."""
    h, w = left.shape
    found = np.zeros((h, w), dtype=np.int64)
    for y in range(r, h - r):
        for x in range(r + most, w - r):
            best, at = 1e30, 0
            for d in range(most):
                cost = np.abs(left[y - r:y + r + 1, x - r:x + r + 1] - right[y - r:y + r + 1, x - d - r:x - d + r + 1]).sum()
                if cost < best:
                    best, at = cost, d
            found[y, x] = at
    return found


def inputs_matched(size, rng):
    return rng.random((size, size + 4)), rng.random((size, size + 4 + size % 2)), 3, size % 3


def weighted(img: f64[N, M], pr: int, sr: int):
    """Windows of a padded picture: no check fails with radii that are not negative."""
    pad = pr + sr
    p = np.pad(img, pad, mode="wrap")
    out = np.zeros_like(img)
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            ci, cj = i + pad, j + pad
            patch = p[ci - pr:ci + pr + 1, cj - pr:cj + pr + 1]
            total = 0.0
            for di in range(-sr, sr + 1):
                for dj in range(-sr, sr + 1):
                    other = p[ci + di - pr:ci + di + pr + 1, cj + dj - pr:cj + dj + pr + 1]
                    weight = np.exp(-np.mean((patch - other) ** 2))
                    total += weight
                    out[i, j] += weight * p[ci + di, cj + dj]
            out[i, j] /= total
    return out


def inputs_weighted(size, rng):
    return rng.random((size + 1, size + 2)), size % 3, 1


def shifted(x: f64[:], y: f64[:], k: int, most: int):
    """By a negative number, too; what an inner loop asks for holds in it alone; what the step before has set."""
    out = np.zeros(len(x))
    before = 0
    for i in range(2, len(x) - 5):
        if before == most:
            raise ValueError("too many")
        before = i
        for _ in range(most - 20):
            out[i] += (x[i:i + 3] * y[i + k:i + k + 3]).sum()
        out[i + k] += len(y[i + k:i + k + 3])
    return out


def inputs_shifted(size, rng):
    return rng.random(size), rng.random(size + 2 - size % 4), [-2, -1, 0, 1][size % 4], int(rng.integers(18, 26))


def rooted(x: f64[N, M], least: float):
    """The first in the text's order is raised, with its place."""
    out = np.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < least:
                raise ValueError(f"{x[i, j]} is too small at {i}, {j + 1}")
            if x[i, j] > 0.999:
                raise ArithmeticError(f"row {i} of {x.shape[0]}")
            out[i, j] = np.sqrt(x[i, j])
    return out


def inputs_rooted(size, rng):
    return rng.random((size, 31)), 0.01 if size % 2 else -1.0


def rooted_back(x: f64[N], least: float):
    out = np.zeros_like(x)
    for i in range(len(x) - 1, -1, -2):
        s = 0.0
        for j in range(i):
            if x[j] * x[i] < least:
                raise ValueError(f"at {i} and 100%")
            s += x[j]
        out[i] = s
    return out


def inputs_rooted_back(size, rng):
    return rng.random(size), 0.005 if size % 2 else -1.0
