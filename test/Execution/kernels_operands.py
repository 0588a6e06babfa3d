"""Lists, tuples and ranges where NumPy takes arrays; `order='F'`; `out=` of scans and quantiles."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 7, 33)


def make_inputs(size, rng):
    return rng.standard_normal((size + 2, 3)).round(1), rng.integers(-3, 4, 3), size


def beside_arrays(a: f64[N, 3], k: i64[3], n: int):
    near = (a == [0, 1, 2]).sum() + (k != (0, 1, 2)).sum() + ([1, 2, 3] < k).sum()
    return a * [1, 2, 3] - (0.5, 1, 2), near, a[:2] @ [1, 2, 3], k >= range(3), np.dot([1, 2, 3], k), a.dot([1, 0, 1])


def of_lists(a: f64[N, 3], k: i64[3], n: int):
    compared = np.greater([4, 2], [2, 2]), np.equal([1, 2], [1, 3]), np.less_equal((1, 2), [2, 1]), np.not_equal([[1, 2], [3, 4]], [1, 4])
    return compared, np.bitwise_not is np.invert, np.sqrt([4, 9]), np.maximum(a, [0, 1, 0.5]), np.hypot((3, n, 5), 1), np.where(a > 0, [1, 2, 3], 0), np.outer([1, 2], a)


def of_lists_of_the_library(a: f64[N, 3], k: i64[3], n: int):
    joined = np.c_[[1, 2], [3, n]], np.r_[[1, 2], n], np.flip([1, n, 3]), np.roll([1, 2, 3], 1), np.trace([[1, 2], [3, n]])
    return joined, np.clip([1, 5, n], 2, 6), np.isneginf([-np.inf, 1.0]), np.array_split([1, 2, n], 2)[0], np.full((2, 3), [1, 2, n]), np.full((2, 3), k)


def of_ranges(a: f64[N, 3], k: i64[3], n: int):
    return np.array(range(5)), np.sum(range(n)), np.isin(k, range(2)), np.array([range(3), range(n, n + 3)]), np.cumsum(range(1, 9, 3)), np.mean(range(n))


def by_columns(a: f64[N, 3], k: i64[3], n: int):
    made = np.zeros((n, 4), order="F")
    made[1:, 0] = a[:n - 1, 0]
    made[:, 1:] += 2
    copied = np.array(a, order="F")
    copied += 1
    other = a.copy(order="F")
    other.T[0] = 5
    return made, copied, copied.reshape(-1), copied.ravel("F"), other, a.astype(np.float32, order="F"), np.full((2, 3), [1, 2, n], order="F"), np.asarray(a, order="F") * 2


def into_arrays(a: f64[N, 3], k: i64[3], n: int):
    kept = a.copy()
    np.cumsum(a, axis=0, out=a)
    np.maximum.accumulate(kept, axis=1, out=kept)
    place = np.add.reduceat(a, [0, 1], out=np.zeros((2, 3)))
    middle = np.zeros(3)
    np.median(kept, axis=0, out=middle)
    return kept, place, middle, np.quantile(kept.copy(), [0.2, 0.5], out=np.zeros(2), overwrite_input=True), np.nanmax(kept, axis=1, out=np.zeros(len(kept)))
