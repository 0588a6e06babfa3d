"""a[mask]: folds of the selected elements, updates through the mask; and np functions that arrays and their folds meet in."""
from __future__ import annotations

import numpy as np


def selected_sum(a: f64[N], mask: bool[N]) -> f64:
    return np.sum(a[mask])


def kept_selections(a: f64[N], w: f64[N]) -> f64:
    """Two selections by one mask stay paired after their names have been bound, whatever happens to the arrays."""
    mask = a > 0.5
    values = a[mask]
    weights = w[mask]
    a[:] = 0.0
    w[:] = 0.0
    return np.sum(values * weights) + len(values) + (values - 1.0) @ weights + weights.size


def selected_means(a: f32[N], b: i32[N], mask: bool[N]) -> tuple[f32, f64]:
    """The mean of nothing is nan; of f32 it is f32, of integers f64."""
    return a[mask].mean(), b[~mask].mean()


def inputs_selected_means(size, rng):
    return rng.random(size, dtype=np.float32), rng.integers(-9, 9, size, dtype=np.int32), rng.random(size) < 0.3


def selected_integers(b: i8[N], mask: bool[N]) -> tuple[i64, i64, bool, bool]:
    """Sums widen to int64; and an empty product is 1, an empty `all` is true."""
    return b[mask].sum(), np.prod(b[mask] % 3 + 1), np.any(b[mask] > 5), np.all(b[mask] < 5)


def inputs_selected_integers(size, rng):
    return rng.integers(-9, 9, size, dtype=np.int8), rng.random(size) < 0.2


def selected_extremes(a: f64[N], mask: bool[N]) -> tuple[f64, f64]:
    """Raises ValueError where nothing is selected."""
    return a[mask].max(), np.min(-a[mask])


def selected_in_rows(a: f64[M, N]) -> tuple[f64[M], f64]:
    """A mask of one axis in a loop, one of both axes outside."""
    means = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        mask = a[i] > 0.5
        means[i] = a[i, mask].mean()
    return means, np.sum(np.sqrt(a[a < 0.25]))


def inputs_selected_in_rows(size, rng):
    return (rng.random((size, size + 1)),)


def update_selected(a: f64[N], b: i32[N], z: c128[N]):
    a[a > 0.5] *= 2.0
    a[a < 0.2] = a[a < 0.2] ** 2 + 1.0
    b[b < 0] = 7.9
    b[b == 7] -= 3
    small = np.abs(z) < 1.0
    z[small] = z[small] ** 2 + 0.5


def inputs_update_selected(size, rng):
    return (rng.random(size), rng.integers(-9, 9, size, dtype=np.int32),
            rng.standard_normal(size) + 1j * rng.standard_normal(size))


def update_selected_shifted(a: f64[N]):
    """All of the right side is read before anything is written."""
    mask = a > 0.5
    a[mask] = a[::-1][mask]


def update_by_transposed(a: f64[N], b: i32[N, N], masks: bool[N, N]):
    b[masks.T] += 1
    if len(a) > 0:
        a[masks.T[0]] = 0.5
        a[masks.T[-1, ::-1]] *= 2.0


def inputs_update_by_transposed(size, rng):
    return rng.random(size), rng.integers(-9, 9, (size, size)).astype(np.int32), rng.random((size, size)) < 0.5


sizes_update_by_transposed = (0, 1, 2, 3, 31, 33)


def outer_functions(a: f64[N], b: i32[N]) -> tuple[f64[N, N], i32[N, N], bool[N, N]]:
    return np.add.outer(a, b), np.maximum.outer(b, b[::-1]), np.less.outer(a, a)


def folds_of_functions(a: f64[M, N]) -> tuple[f64[N], f64[M], i64]:
    return np.add.reduce(a), np.multiply.reduce(a, axis=1), np.count_nonzero(a > 0.5)


inputs_folds_of_functions = inputs_selected_in_rows
sizes_selected_in_rows = sizes_outer_functions = (0, 1, 2, 3, 31, 32, 33)
sizes_folds_of_functions = (0, 1, 2, 3, 31, 32, 33)


def evenly_spaced(n: i64) -> tuple[f64[n], f64[n], f64]:
    return np.linspace(0.5, 3, n), np.linspace(2.0, -1.0, n, endpoint=False), np.sum(np.linspace(0, 1))


def inputs_evenly_spaced(size, rng):
    return (size,)


def slices_from_data(rows: u32[R], a: f64[nnz], b: f64[:]) -> f64[R - 1]:
    """Slices of two arrays between bounds from the data meet."""
    y = np.empty(rows.shape[0] - 1)
    for i in range(rows.shape[0] - 1):
        y[i] = a[rows[i]:rows[i + 1]] @ b[rows[i]:rows[i + 1]]
    return y


def inputs_slices_from_data(size, rng):
    rows = np.concatenate(([0], np.cumsum(rng.integers(0, 5, size)))).astype(np.uint32)
    return rows, rng.random(int(rows[-1])), rng.random(int(rows[-1]))


def tuples_in_branches(a: f64[N], c: i64) -> f64:
    """A name for two numbers is bound anew in a branch."""
    t = (1.0, 2.0)
    if c > 3:
        t = (3.0, 4.0)
    return t[0] + 10.0 * t[1] + np.sum(a)


def inputs_tuples_in_branches(size, rng):
    return rng.random(size), size


def tuples_of_arrays(a: f64[N]) -> f64:
    """The tuple holds what was computed when it was made; an array in it is the array itself."""
    t = (a + 1.0, a)
    a[:] = 0.5
    computed = t[0]
    same = t[1]
    return np.sum(computed) + 100.0 * np.sum(same)


def inputs_selected_sum(size, rng):
    return rng.random(size), rng.random(size) < 0.4


inputs_selected_extremes = inputs_selected_sum
SIZES = (0, 1, 2, 3, 31, 33, 127, 129, 257)


def inputs_kept_selections(size, rng):
    return rng.random(size), rng.random(size)


def make_inputs(size, rng):
    return (rng.random(size),)


def inputs_outer_functions(size, rng):
    return rng.random(size), rng.integers(-9, 9, size, dtype=np.int32)


def one_selection_by_two_names(a: f64[N], m: bool[N], k: i64[N]):
    """What changes in place changes for both."""
    v = a[m]
    w = v
    t = (v, 2)
    v *= 2
    n = p = k[m]
    n //= 3
    return w, v, t[0], n, p


def inputs_one_selection_by_two_names(size, rng):
    return rng.random(size), rng.random(size) < 0.4, rng.integers(-9, 9, size)


def selected_with_a_beginning(a: f64[N], mask: bool[N]):
    """`initial=` is what there is of nothing."""
    return a[mask].max(initial=0.25), np.min(a[mask], initial=0.75), a[mask].sum(initial=2), a[a > 2].max(initial=-1), a[mask].prod(initial=2.0)


def selected_in_loops(m: f64[N, 4], mask: bool[N, 4]):
    best = np.zeros(len(m))
    for i in range(len(m)):
        best[i] = m[i][mask[i]].max(initial=0.0)
    return best


def inputs_selected_in_loops(size, rng):
    return rng.random((size, 4)) - 0.5, rng.random((size, 4)) < 0.3


def selections_as_arrays(a: f64[N], mask: bool[N]):
    """What asks where elements stand in the selection."""
    if mask.any():
        return a[mask].std(), a[mask].var(ddof=0), a[mask].argmax(), np.argmin(a[mask]), a[mask].sum(keepdims=True)
    return 0.0, 0.0, 0, 0, np.zeros(1)


def selected_beside_arrays(x: f64[N, 3], y: f64[N], mask: bool[N]):
    """What is selected beside an array of as many elements, and in products: an array, too."""
    rows, ends = x[mask], y[mask]
    fit = rows @ np.array([1.0, -2.0, 0.5])
    return (fit - y[mask]) ** 2, rows.T @ ends, ends @ rows


def inputs_selected_beside_arrays(size, rng):
    return rng.uniform(-1.0, 1.0, (size, 3)), rng.uniform(-1.0, 1.0, size), rng.random(size) < 0.6


def made_like_selections(x: f64[N], y: f64[N], mask: bool[N]):
    """Columns of a fit to those that a mask selects."""
    xs = x[mask]
    ys = y[mask]
    ones = np.ones_like(xs)
    room = np.zeros_like(ys)
    for i in range(len(room)):
        room[i] = i
    A = np.column_stack((np.ones_like(xs), xs, xs ** 2))
    gram = A.T @ A
    return ones.sum(), room.sum(), (np.full_like(xs, 2) * xs + ys).sum(), gram, np.ones_like(ys, dtype=np.int64).sum()


def inputs_made_like_selections(size, rng):
    x, y, mask = inputs_selected_beside_arrays(size, rng)
    return x[:, 0].copy(), y, mask
