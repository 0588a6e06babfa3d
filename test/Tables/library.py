"""Calls of the functions that are written in Python (lib/Python/numpy_library), by function.

`v`, `w` are vectors of one size, `s` a square matrix, `m` a matrix with three columns, `c` an array of three axes, `x` a sorted vector.
"""
from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import sys
from pathlib import Path

import numpy as np

from values import DTYPES, kind

FOREIGN = {"math": "math", "cmath": "cmath", "heapq": "heapq", "bisect": "bisect", "operator": "operator", "itertools": "itertools", "special": "scipy.special", "scipy_fft": "scipy.fft", "scipy_linalg": "scipy.linalg",
           "scipy_integrate": "scipy.integrate", "scipy_interpolate": "scipy.interpolate", "scipy_spatial_distance": "scipy.spatial.distance", "scipy_stats": "scipy.stats", "scipy_stats_norm": "scipy.stats.norm", "scipy_stats_t": "scipy.stats.t", "scipy_stats_chi2": "scipy.stats.chi2", "scipy_optimize": "scipy.optimize",
           "scipy_signal": "scipy.signal", "scipy_ndimage": "scipy.ndimage", "polynomial": "numpy.polynomial.polynomial", "legendre": "numpy.polynomial.legendre", "chebyshev": "numpy.polynomial.chebyshev", "scipy_sparse": "scipy.sparse", "stride_tricks": "numpy.lib.stride_tricks",
           "python_random": "random", "python_statistics": "statistics", "copying": "copy", "testing": "numpy.testing"}
FOLDER = Path(__file__).resolve().parents[2] / "lib/Python"
PARAMETERS = {"v": "[N]", "w": "[N]", "s": "[N, N]", "m": "[N, 3]", "c": "[2, N, 3]", "x": "[N]"}
SIZES = (0, 1, 2, 7)
TYPES = ["f64", "i32", "c128", "f32", "bool", "u8"]

# Matrices whose diagonals are large: one, and a batch.
R = "(s + 20 * np.eye(len(s), dtype=s.dtype))"
B = f"np.stack(({R}, {R}.T + 3))"

CASES = {
    "roll": ["[1, 2, 3], 1", "m, 2", "v, 2", "v, -9", "m, 1, axis=0", "m, -1, axis=1", "c, (1, 2), axis=(0, -1)", "c, 1, (0, 1)"],
    "flip": ["[1, 2, 3]", "[[1, 2], [3, 4]], 1", "v", "m", "c, 1", "c, (0, -1)", "m, axis=-2"],
    "flipud": ["v", "m", "c"],
    "fliplr": ["m", "c"],
    "rot90": ["m", "m, 2", "m, -1", "m, 4", "c, 1, (1, 2)", "c, k=3, axes=(2, 0)"],
    "packbits": ["v", "m", "m, axis=0", "c, -1", "v > 0, bitorder='little'"],
    "unpackbits": ["v", "m, axis=0", "c, 2, bitorder='little'", "m, 1, 5", "m, 1, 40", "m, 1, -5", "v, count=-3"],
    "tile": ["2.5, 3", "1, (2, 2)", "[1, 2], (2, 2)", "v, 3", "v, (2, 2)", "m, 2", "m, (2, 1, 3)", "v, 0", "v, 1"],
    "repeat": ["3, 4", "v, 2.0", "m, 2", "v, 3", "m, 2, axis=0", "m, 2, axis=-1", "c, 0, 1"],
    "concatenate": ["(v, w)", "(m, m + 1), axis=1", "[v, w, v]", "(c, c), -2", "(m, s[:, :2]), 1", "(v, w), dtype=np.complex128",
                    "(v, np.zeros(3, np.float32))", "(v, w), out=np.zeros(2 * len(v), complex)", "(v, w), axis=None", "(m, v), axis=None"],
    "concat": ["(v, w)", "(m, m), axis=1"],
    "stack": ["(v, w)", "(v, w), 1", "(m, m * 2), axis=-1", "[c, c], 2", "(v, w), dtype=np.complex128", "(v[0:0], w[0:0])"],
    "vstack": ["(v, w)", "(m, m)", "(v, s)"],
    "hstack": ["(v, w)", "(m, m)", "(v, 3)"],
    "dstack": ["(v, w)", "(m, m)", "(c, c)"],
    "column_stack": ["(v, w)", "(v, m)", "(m, v, w)"],
    "append": ["m, v", "v, w", "m, m, axis=0", "m, m, 1", "v, 3"],
    "split": [],
    "array_split": [],
    "hsplit": [],
    "vsplit": [],
    "dsplit": [],
    "diff": ["v", "m", "m, axis=0", "v, 2", "c, axis=1", "v, n=0", "v, prepend=w", "v, append=3", "m, 1, -1, w[:, None]", "c, 3, 1"],
    "ediff1d": ["[[1, 2], [4, 8]]", "v", "m", "v, 3", "v, to_begin=w"],
    "trapezoid": ["v", "v[v > 0], x[v > 0]", "v, dx=m[:, :1]", "v[:1], dx=m[:1, :1]", "v, dx=0.5", "m", "m, axis=0", "v, x", "m, x, axis=0"],
    "gradient": ["v", "v, 2.0", "v, x", "m, axis=0", "c, 0.5, axis=(0, 2)", "m[:, :], axis=1, edge_order=2", "v, edge_order=2"],
    "eye": ["4", "3, 5", "3, 5, 1", "len(v), k=-1", "4, dtype=np.int32", "3, dtype=bool"],
    "identity": ["3", "len(v), np.float32"],
    "tri": ["3", "3, 5, 1", "len(v), k=-1, dtype=np.int8"],
    "tril": ["s", "m, 1", "c, -1", "v"],
    "triu": ["s", "m, -1", "c, 1", "v"],
    "diag": ["v", "v, 1", "w, k=-2"],
    "diagflat": ["m", "v", "v, 1"],
    "trace": ["[[1, 2], [3, 4]]", "s", "m, 1", "c", "c, 0, 1, 2", "s, offset=-1", "s, dtype=np.complex128"],
    "vander": ["v, 3", "v, N=4, increasing=True", "v"],
    "inner": ["v, w", "m, m", "m, m.sum(0)", "2, v", "c, c + 1", "c, m", "m.sum(0), c"],
    "vdot": ["v, w", "m, m", "c, c + 1", "v, m[:, 1]"],
    "kron": ["v, w", "m, s[:2]", "v, m", "2, v"],
    "cross": ["m[:, :2], m[::-1, :2]", "m[:, :2], m", "m, m[:, :2]", "m, m[::-1]", "m, c[1].sum(0)", "c[0].T, m, 0, 1", "m, m + 1, axis=-1", "c, c[::-1], axisc=0"],
    "tensordot": ["v, w, axes=1", "s, m, 1", "s, s", "v, w, 0", "c, s, ((1,), (0,))", "c, m, axes=([1, 2], [0, 1])", "c, c.transpose(1, 2, 0)", "m, c, (-1, 2)",
                  "c, c, 3", "m, v, (0, 0)"],
    "isclose": ["v, w", "v, v + 1e-9", "v, 1.0", "m, m.sum(0), rtol=0.5", "v, w, 0.1, 0.1, True"],
    "allclose": ["v, w", "v, v", "v, v + 1e-9, equal_nan=True"],
    "array_equal": ["v, w", "v, v", "v, m", "m, s", "v, v, equal_nan=True"],
    "isposinf": ["v", "m"],
    "isneginf": ["[1.0, -np.inf]", "v", "m"],
    "iscomplex": ["[1, 2j]", "v", "m"],
    "isreal": ["v", "m"],
    "iscomplexobj": ["v", "m"],
    "isrealobj": ["v"],
    "nan_to_num": ["v", "m, nan=1.5", "v, posinf=3.0, neginf=-3.0"],
    "ndim": ["v", "c", "3"],
    "shape": ["v", "c"],
    "size": ["v", "c", "c, 1", "3"],
    "clip": ["v, 1, 2", "v.astype(np.uint8), -300, 300", "v.astype(np.int16), -40000, None", "m, 0, None", "v, None, 2", "v, min=1", "v, max=1", "v, 1, w", "v, 0, 2, out=np.zeros(len(v), complex)", "v * 2, 0, 1"],
    "select": ["[v == w, v == 0], [[1], v], 2", "[v == w, v == 0], [v, w], 2", "[v == 1], [v]", "[len(v) > 2, True], [3.0, 1], 0"],
    "round": ["v", "v / 3, 2", "v * 10.0, -1", "m", "v / 3, decimals=1"],
    "around": ["v / 3, 2", "v"],
    "ptp": ["v", "m, 0", "m, axis=-1, keepdims=True"],
    "average": ["v", "m, 0", "v, weights=np.abs(w) + 1", "m, 1, np.abs(m) + 1", "v, 0, w * w + 1, True", "m, axis=1, weights=np.arange(3) + 1",
                "m, 0, keepdims=True", "m, 0, returned=True"],
    "cov": ["m[1:], fweights=np.array([1, 0, 3])", "v, w, aweights=np.arange(len(v)) + 1.0", "m.T, None, True, True, None, np.arange(len(v)) + 1, np.arange(len(v)) * 0.5 + 1", "m", "m, rowvar=False", "v, w", "v", "m.T, bias=True", "m, ddof=0"],
    "corrcoef": ["m.T", "v, w"],
    "nansum": ["v", "m, 0", "m, axis=1, keepdims=True"],
    "nanprod": ["v", "m, 0"],
    "nanmean": ["v", "m, 0", "m, axis=1, keepdims=True"],
    "nanvar": ["v", "m, 0", "m, axis=1, ddof=1"],
    "nanstd": ["v", "m, 0", "m, axis=1, ddof=1"],
    "nanmax": ["v", "m, 0", "m, axis=1, keepdims=True"],
    "nanmin": ["v", "m, 0", "m, axis=1, keepdims=True"],
    "convolve": ["v, w", "v, w[:2]", "v, w[:2], 'same'", "v, w[:3], mode='valid'", "v, w, 'same'", "v, np.array([1, -1])"],
    "polyval": ["(1, 2, 3), v", "[2.5, -1], m", "w, v", "w, 2"],
    "searchsorted": ["w, v, sorter=np.argsort(w, kind='stable')", "x * 1j + x, v + 2j", "[1, 3, 5], v, 'right'", "np.sort(v * (1 + 1j)), w, side='right'", "x, m", "x, v", "x, v, side='right'", "x, 2"],
    "logspace": ["0, 2, 5", "0, 2, num=len(v)", "1, 3, 4, False, 2.0"],
    "meshgrid": ["v, w", "v, w, indexing='ij'", "v, w, x[:2]", "v, w, sparse=True"],
    "indices": ["(2, 3)", "(len(v), 2), dtype=np.int32", "(2, 3), sparse=True"],
    "geomspace": ["1, 1000, 4", "2.0, 256, num=len(v) + 1", "-1, -8, 4, False"],
    "hanning": ["5", "1", "len(v)"],
    "hamming": ["5", "1", "len(v)"],
    "blackman": ["5", "1", "len(v)"],
    "bartlett": ["5", "1", "len(v)"],
    "diag_indices": ["4", "len(v), 3"],
    "correlate": ["v, w", "v, w[:2], 'full'", "v, w[:2], mode='same'", "v, w[:3]"],
    "digitize": ["v, x[::-1]", "v, x[::-1], right=True", "v, [5, 2, 0]", "v, x", "v, x, right=True"],
    "interp": ["v, x, w, period=100.0", "m, x, w, period=-70", "m, x, w", "v, x[:1], w[:1], 7.0, 8.0", "v, x, w", "v * 0.3, x, w, left=-1.0, right=5", "1.5, x, w"],
    "histogram": ["m[1:, :2], 3", "v, [0, 1, 2]", "v, np.array([-1.0, 0.0, 0.0, 2.0, 2.0])", "v, np.append(x, 99.0), weights=w.real * 0.5", "v, [-3.0, 0.0, 4.0], density=True", "v.real, 4", "v.real, 5, weights=w.real * 0.5", "v.real, 3, (-1, 2), None, w.real * 2.0",
                  "v.real, 6, density=True", "v.real * 2, bins=3, density=True, weights=w.real * 1.0", "v, 4, (-3, 3)", "v, bins=7, range=(0.0, 2.0)", "v, 3, (1, 1)", "v / 3, 4, (-1, 1), weights=w", "x, [0, 1, 3], None, True, v * v", "m / 7, [-0.5, 0.25, 0.5], weights=m", "v.real, 'auto'", "m.real / 3, bins='fd'", "x, 'sqrt', (0, 2)", "v.real * 5, 'sturges', density=True", "v.real, 'scott'"],
    "pad": ["v, (2, 3), 'linear_ramp'", "m, ((1, 2), (3, 0)), 'linear_ramp', end_values=((5, 1), (-4, 2))", "m, 2, 'median'", "v, (3, 1), 'mean', stat_length=2", "m, 1, 'maximum', stat_length=((1, 2),)", "v, 2", "m, (1, 2)", "m, ((1, 0), (0, 2)), constant_values=5", "m, 1, constant_values=((1, 2), (3, 4))", "v, 2, constant_values=(7, 8)", "m, (1, 2), 'maximum'", "v, 2, 'minimum'", "m, 1, 'mean'", "v, (2, 3), 'edge'", "m, 1, 'wrap'", "m, ((2, 2),), 'reflect'",
            "c, ((0, 0), (1, 1), (2, 0)), mode='symmetric'", "v, 9, 'reflect'", "v, 0"],
    "sinc": ["v", "v / 4"],
    "angle": ["v", "v, deg=True"],
    "fmod": ["v, w", "v, 3", "-7.5, w", "m, m.sum(0)"],
    "modf": ["v", "m / 3"],
    "divmod": ["v, w", "v, 2"],
    "frexp": ["v", "m * 1e-310", "m * 1e300"],
    "ldexp": ["v, np.arange(len(v))", "v, 3", "m * 1e-300, np.array([-60, -80, 7])", "v, np.int64(2**40)"],
    "spacing": ["v", "-0.0 * v", "m * 1e-310", "v * 1e308 * 2"],
    "logaddexp2": ["v, w", "v, 0.5", "m, m * 2"],
    "gcd": ["v, w", "v, 6", "m, m.sum(0).astype(m.dtype)", "np.int64(12), -18"],
    "lcm": ["v, w", "v, 6", "m, m.sum(0).astype(m.dtype)"],
    "bitwise_count": ["v", "m", "v << 4"],
    "insert": ["m, [0, 2, 0], w[:, None], axis=1", "m, [-1, 1], 5, 0", "c, [1, 0], w[:1], 2", "v, 1, 5", "v, -1, w", "m, 0, 9, axis=1", "m, 1, v[:3], 0", "m, 2, m[:2], axis=-2", "m, 3, 1", "v, [0, 2, 0], 7", "v, (1, -1), w[:2]",
               "c, 0, v[:3], 1"],
    "delete": ["m, slice(0, 2), 1", "v, np.s_[::-2]", "c, np.s_[1:], axis=1", "v, 1", "v, -2", "m, 0", "m, 1, 1", "c, -1, axis=-1", "np.append(v, w[:3])[:3], [0, 2, 2]", "m, (0, -1), axis=1", "m, v != w, 0", "v, np.arange(len(v) // 2)"],
    "resize": ["v, (3, 4)", "v, 2", "m, (2, 2)", "m, 5"],
    "copyto": [], "putmask": [], "place": [],
    "unravel_index": ["5, (3, 4)", "np.int64(3), 5"],
    "ravel_multi_index": ["np.array([[0, 1, 1], [2, 1, 0]]), (2, 3)", "(np.array([0, 1]), np.array([2, 1])), (2, 3)", "(1, 2), (2, 3)", "(np.arange(5), np.arange(5) - 7), (3, 4), mode='wrap'",
                          "(np.arange(4), np.arange(4) - 2), (2, 3), 'clip', 'F'"],
    "tril_indices": [], "triu_indices": [], "tril_indices_from": [], "triu_indices_from": [],
    "diag_indices_from": ["s"],
    "choose": ["[1, 0, 1], [[1, 2, 3], [4, 5, 6]]", "np.arange(len(v)) % 2, (v, w)", "np.arange(len(v)) - 2, [v, 3, w], mode='wrap'", "np.arange(3) * 4, (m, m + 1), mode='clip'"],
    "poly": ["v", "[1, 2, 3]", "x[:3]"], "roots": [],
    "vectorize": [],
    "polyadd": ["v, w[:2]", "(1, 2), m[:, 0]"],
    "polymul": ["np.array([0, 1.5, 2.0]), np.array([0, 0, 3])", "[1, 2], [1, 3, 0]", "np.zeros(3), np.ones(2)"],
    "polydiv": ["np.array([1.0, 5.0, 6.0, 2.5]), np.array([1.0, 2.0])", "np.array([1.0]), np.array([2.0, 1.0])"],
    "poly1d": [],
    "polysub": ["v, w[:2]", "(1, 2, 3), w[:1]"],
    "polyder": ["v", "v, 2", "v, m=0"],
    "polyint": ["v", "v, 2", "v, 1, 2.0"],
    "polyfit": ["x[:6], v[:6], 2", "x, v, 1", "x[:5], w[:5], 3, w=np.arange(5) + 1.0"],
    "i0": ["v", "m * 30", "v * 200.0"],
    "kaiser": ["5, 14.0", "1, 3.0", "len(v), 2"],
    "unwrap": ["v * 3.0", "m * 4.0, axis=0", "v * 2.0, 4.0", "m * 1.5, period=2.0"],
    "nanargmax": ["v", "m[:, :2], 0", "m[:, :2], axis=1, keepdims=True", "m"],
    "nanargmin": ["v", "m[:, :2], 0", "m[:, :2], axis=1"],
    "nancumsum": ["v", "m", "m, 0", "m, axis=1"],
    "nancumprod": ["v", "m, 0"],
    "nanquantile": ["v, 0.25", "m, 0.5, 0", "m, 0.3, axis=1", "v, [0.1, 0.75]", "m, [0.0, 0.5, 1.0], 0", "m, 0.4, 1, method='higher'", "m, 0.4, 0, method='lower'",
                    "m, 0.4, 1, method='nearest'", "m, 0.4, 0, method='midpoint'", "m, 0.1, method='hazen'", "c, 0.2, (0, 1), keepdims=True"],
    "nanpercentile": ["m, 25", "m, 50, 0", "m, [25, 75], axis=1"],
    "histogram2d": ["v.real, w.real, 4", "v, w, [2, 3]", "v, w, 3, [[0, 1], [-2, 2]]", "v.real, w.real, ([0.0, 1.0, 3.0], 3), density=True", "v, w, bins=2, weights=np.abs(w) * 0.5",
                    "v, w, np.array([-3.0, 0.0, 1.0, 4.0])", "v / 3, x, 3", "v, w * 0.5, (2, [0, 1, 2]), weights=v.real", "v / 3, w, 2, None, True, np.abs(w)"],
    "histogramdd": [],
    "fromiter": ["(i * 2.5 for i in range(len(v))), np.float64", "(i * i for i in range(9)), dtype=np.int32, count=4", "[float(i) for i in range(3) if i != 1], 'f4'", "range(5), np.int64, 5"],
    "histogram_bin_edges": ["v.real, 4", "m[1:, :2], 3, (0, 2)", "v, [0, 1, 2]"],
    "array_equiv": ["v, w", "v, v[None]", "m, m[:1]", "v, 3"],
    "asarray_chkfinite": [], "unstack": ["c", "m, axis=1"],
    "block": ["[v, w]", "[[m, m], [m, m + 1]]", "[[v, w]]"],
    "broadcast_shapes": ["(2, 1), (3,)", "(5, 1, 4), (1, 3, 1), 4"],
    "broadcast_arrays": [], "promote_types": [], "astype": ["v, np.complex64", "m, 'f4', copy=True"],
    "fromfunction": ["lambda i, j: i * 2 + j, (3, 4)", "lambda i: i * i, (len(v),), dtype=np.int64"],
    "apply_along_axis": ["lambda r: r.sum(), 1, m", "lambda r: r * 2, 0, m", "np.sort, -1, c", "lambda r, k: r[k], 1, m, 2"],
    "apply_over_axes": ["np.sum, c, (0, 2)", "np.max, m, 1"],
    "piecewise": ["v, [v < w, v == w], [0, 1]", "v, [v == 1], [lambda t: t * 2, lambda t: t + 1]", "m, [m == 1, m == 2], [1, lambda t: t * 3, 2]"],
    "cumulative_sum": ["v", "m, axis=1", "m, axis=0, include_initial=True"],
    "cumulative_prod": ["v", "m, axis=-1, include_initial=True"],
    "vecdot": ["v, w", "m, m + 1", "m, m, axis=0"],
    "vecmat": ["v, m"],
    "linalg.trace": ["s", "c, offset=1"],
    "linalg.outer": ["v, w"],
    "linalg.cross": ["m, m[::-1]", "c[0].T, m.T, axis=0"],
    "linalg.multi_dot": ["[s, m]", "(v, s, m)"],
    "linalg.diagonal": [],
    **dict.fromkeys(("random.RandomState", "random.Philox", "random.PCG64", "random.Generator", "random.default_rng", "Generator.random", "Generator.uniform", "Generator.integers", "Generator.permutation", "Generator.shuffle", "Generator.choice", "Generator.laplace", "Generator.logistic",
                     "Generator.gumbel", "Generator.triangular", "Generator.permuted"), []),
    "linalg.solve": [f"{R}, v", f"{R}, m", f"{R}, c", f"{B}, v", f"{B}, m.astype(np.float32)", f"{B}, {B}[::-1]"],
    "linalg.inv": [R, B, f"{R}.T"],
    "linalg.det": [R, B, "s", f"np.stack(({R}, s * 0))"],
    "linalg.slogdet": [f"-{R}", B, "s * 0"],
    "linalg.cholesky": ["np.eye(len(v)) * 9 + np.outer(v, np.conj(v))", "np.eye(len(v)) * 9 + np.outer(np.conj(w), w), upper=True"],
    "linalg.qr": ["m", R, "c", "m.T", "m, 'complete'", "c, mode='complete'", "c, 'r'", "m[:, :1] * 0"],
    "linalg.eigh": [],
    "linalg.eigvalsh": ["s", B, "s, 'U'", "s * 0 + 2", "np.outer(v, np.conj(v))"],
    "linalg.eig": [],
    "linalg.eigvals": [],
    "linalg.svd": ["c, compute_uv=False", "s, hermitian=True, compute_uv=False"],
    "linalg.svdvals": ["c", "s", "np.outer(v, w)"],
    "linalg.matrix_rank": ["s", "c, 0.5", "v", "np.outer(v, w)", "c, rtol=1e-3", "s, hermitian=True", "c, tol=np.array([0.5, 30.0])"],
    "linalg.pinv": ["c[1]", "c, 0.1", R, "np.outer(v, w), rtol=1e-6", "c, rcond=np.array([1e-9, 0.5])", f"{B}, rtol=None", "s, 1e-3, hermitian=True"],
    "linalg.lstsq": [],
    "linalg.cond": [R, f"{B}, 1", f"{R}, np.inf", f"{R}, p='fro'", f"np.stack((s * 0, {R})), -1", f"np.stack(({R}, s * 0))", f"{B}, -2", f"{R}, 'nuc'"],
    "linalg.matmul": ["s, m", "c, m.T", "m, c.transpose(0, 2, 1)"],
    "linalg.tensordot": ["c, c.transpose(1, 2, 0)", "c, s, axes=((1,), (1,))"],
    "linalg.matrix_transpose": [],
    "linalg.vecdot": ["v, w", "c, m", "m, m, axis=0"],
    "linalg.vector_norm": ["v", "m, axis=0", "m, ord=np.inf, keepdims=True", "c, axis=(0, 2), ord=1", "v, ord=3"],
    "linalg.matrix_norm": ["m", "c, ord=1", "c, keepdims=True, ord=-np.inf", "c, ord='nuc'", "c, keepdims=True, ord=2"],
    "signbit": ["v", "-0.0 * v", "m"],
    "degrees": ["v", "m, out=np.zeros(m.shape)"],
    "rad2deg": ["v"],
    "radians": ["v", "m"],
    "deg2rad": ["v"],
    "reciprocal": ["v", "m"],
    "heaviside": ["np.arange(len(v), dtype=np.int16), np.arange(len(v), dtype=np.uint16)", "v, 0.5", "m, 1.0", "v, w"],
    "logaddexp": ["v, w", "v, 0.5", "m, m * 2"],
    "float_power": ["v, 2", "np.abs(v), w"],
    "fill_diagonal": [],
    "diagonal": [],
    "fft.fft": ["v", "m, axis=0", "c, 5, 1, 'ortho'", "m, n=2, norm='forward'", "v[::-2], len(v) + 3"],
    "fft.ifft": ["v", "c, axis=1", "m, 4, norm='forward'"],
    "fft.rfft": ["v.real", "m.real, axis=0, norm='ortho'", "v.real, 6", "c.real, 2, -1"],
    "fft.irfft": ["v", "m, 5", "c, 7, 0, 'forward'", "c, axis=1"],
    "fft.hfft": ["v", "m, 3, norm='ortho'"],
    "fft.ihfft": ["v.real", "m.real, 4, 0, norm='forward'"],
    "fft.fft2": ["m", "c, norm='ortho'"],
    "fft.ifft2": ["m, axes=(1, 0)", "c, (2, 5), (0, -1)"],
    "fft.rfft2": ["m.real", "c.real, (4, 2)"],
    "fft.irfft2": ["m", "c, s=(5, 3), norm='forward'"],
    "fft.fftn": ["c", "c, s=(-1, 2), axes=(1, 2)", "c, axes=(2, 0, 2)"],
    "fft.ifftn": ["c, axes=(1,)"],
    "fft.rfftn": ["c.real", "c.real, axes=(1, 1)"],
    "fft.irfftn": ["c", "c, (7, 3), (1, 2)"],
    "fft.fftfreq": ["7", "8, 0.5", "len(v) + 1"],
    "fft.rfftfreq": ["7", "8, 0.5"],
    "fft.fftshift": ["v", "m", "m, 0", "c, axes=(0, 2)"],
    "fft.ifftshift": ["v", "m", "m, 0"],
    "linalg.matrix_power": ["s, 0", "s, 1", "s, 5", f"{R}, -2", f"{B}, 3", f"{B}, 0"],
    "linalg.norm": ["v", "v, 1", "v, np.inf", "v, 0", "m", "m, axis=0", "m, 'fro'", "m, 1", "m, np.inf, axis=(0, 1)", "m, ord=3, axis=1",
                    "m, axis=1, keepdims=True", "s, 2", f"{R}, -2", "c, 'nuc', (2, 0), keepdims=True"],
    "sort": ["v", "m", "m, 0", "c, axis=1", "m, None", "w, kind='stable'", "v, -1, stable=True", "m.T", "v[::-2]"],
    "argsort": ["v, kind='stable'", "m, stable=True", "m, 0, kind='mergesort'", "c, axis=1, stable=True", "m, None, stable=True",
                "v[::-2], stable=True"],
    "sort_complex": ["v", "m"],
    "partition": [],
    "argpartition": [],
    "lexsort": ["(v, w)", "(w, v[::-1], x)", "[v]"],
    "unique": ["(m + 9) % 2, True, True, True, 0", "c % 2, return_index=True, axis=1", "c, return_inverse=True, axis=0", "m, axis=0", "m % 2, axis=1", "s * 0, axis=-1", "v", "m", "v, return_counts=True", "v, True, True, True", "m, return_inverse=True", "v, axis=0", "m, equal_nan=False",
               "m, return_index=True, return_counts=True, equal_nan=False"],
    "union1d": ["v, w", "m, v"],
    "intersect1d": ["v, w", "x, v, True", "v, w, return_indices=True", "np.arange(9), v[:1], True, True"],
    "setxor1d": ["v, w", "m, v"],
    "setdiff1d": ["v, w", "m, v"],
    "isin": ["v, w", "m, v[:1]", "v, m, invert=True", "v, w, kind='sort'"],
    "median": ["m, axis=0, overwrite_input=True", "v", "m, 0", "m, axis=1", "c, (0, 2)", "m, keepdims=True", "c, axis=1, keepdims=True", "v, overwrite_input=False"],
    "nanmedian": ["v", "m, 0", "m, axis=1, keepdims=True", "m"],
    "quantile": ["v, 0.25", "m, 0.5, 0", "m, 0.3, axis=1", "v, [0.1, 0.75]", "m, [0.0, 0.5, 1.0], 0", "v, 1.0", "v, 0.4, method='lower'",
                 "m, 0.4, 1, method='higher'", "v, 0.4, method='nearest'", "v, 0.4, method='midpoint'", "v, 0.5, method='midpoint'",
                 "v, 0.1, method='hazen'", "v, [0.9, 0.2], method='weibull'", "v, 0.6, method='median_unbiased'",
                 "v, 0.6, method='normal_unbiased'", "v, 0.33, method='interpolated_inverted_cdf'", "c, 0.2, (0, 1), keepdims=True",
                 "v, [0.1, 0.75], method='lower'", "v, [0.1, 0.5], method='midpoint'"],
    "percentile": ["v, v[:0]", "v, np.array([10, 30], dtype=np.float32), method='midpoint'", "v.astype(np.float32), np.array([10, 30], dtype=np.float32)", "v, 25", "m, 50, 0", "m, [25, 75], axis=1", "v, (10, 90), keepdims=True", "v, 99.5"],
    "bincount": [],
    "trim_zeros": ["v", "v, 'f'", "w, trim='b'", "v * 0"],
    "ndarray.sort": [],
    "ndarray.argsort": ["v, kind='stable'", "m, 0, stable=True"],
    "ndarray.partition": [],
    "ndarray.argpartition": [],
    "ndarray.tolist": [],
    "ndarray.choose": [],
    "ndarray.clip": ["v, 1, 2", "m, max=1"],
    "ndarray.repeat": ["v, 2", "m, 2, axis=1"],
    "ndarray.round": ["v", "v, 1"],
    "ndarray.trace": ["s", "m, 1"],
    "ndarray.diagonal": [],
    "ndarray.searchsorted": ["x, v"],
}
# Functions whose numbers are not NumPy's, but as distributed: test_distributions.py.
OWN = [*(f"Generator.{name}" for name in (
    "standard_normal normal lognormal standard_exponential exponential rayleigh pareto power weibull standard_cauchy standard_gamma gamma "
    "chisquare beta f standard_t poisson negative_binomial binomial geometric wald logseries noncentral_chisquare noncentral_f hypergeometric "
    "multinomial dirichlet multivariate_normal vonmises zipf multivariate_hypergeometric").split()),
    *(f"random.{name}" for name in (
        "seed rand randn random random_sample ranf sample randint uniform normal standard_normal lognormal standard_exponential exponential rayleigh "
        "pareto power weibull standard_cauchy standard_gamma gamma chisquare beta f standard_t poisson negative_binomial binomial geometric laplace "
        "logistic gumbel triangular permutation shuffle choice wald logseries noncentral_chisquare noncentral_f hypergeometric multinomial dirichlet "
        "RandomState multivariate_normal vonmises zipf").split())]
CASES |= dict.fromkeys(OWN, [])
# Statements, of which the last line is the value.
PROGRAMS = {
    "poly1d": ["np.poly1d([1, -2, 3])(x * 1.5)", "np.poly1d(np.array([0.5, 1.5]))(m * 1.0)"],
    "Generator.permutation": ["g = np.random.default_rng(3); g.permutation(40), g.permutation(m), g.permutation(m, axis=1), g.random()"],
    "Generator.permuted": ["g = np.random.default_rng(3); g.permuted(v), g.permuted(m), g.permuted(m, axis=1), g.permuted(c, axis=0), g.random()"],
    "Generator.shuffle": ["g = np.random.default_rng(4); t = v.copy(); g.shuffle(t); t", "g = np.random.default_rng(4); t = m.copy(); g.shuffle(t, axis=1); t, g.random()"],
    "Generator.choice": ["g = np.random.default_rng(2); g.choice(5, 9), g.choice(7), g.choice(40, (2, 3), replace=False), g.choice(9, 9, False, shuffle=False), g.random()",
                         "g = np.random.default_rng(2); g.choice(m, 4), g.choice(3, 6, p=[0.25, 0.5, 0.25]), g.choice(30000, 8000, replace=False)[::500].copy()"],
    "Generator.laplace": ["g = np.random.default_rng(6); g.laplace(1.0, 2.0, 50), g.laplace(), g.laplace([1.0, -1.0], [[2.0], [1.0]])"],
    "Generator.logistic": ["g = np.random.default_rng(6); g.logistic(1.0, 2.0, (5, 2)), g.logistic()"],
    "Generator.gumbel": ["g = np.random.default_rng(6); g.gumbel(0.5, 2.0, 50), g.gumbel()"],
    "Generator.triangular": ["g = np.random.default_rng(6); g.triangular(-1, 0.5, 3, 50), g.triangular(0, 0, 1)"],
    "unravel_index": ["a, b = np.unravel_index(np.arange(6), (2, 3)); a + 0, b + 0",
                      "a, b, d = np.unravel_index(np.array([[1, 7], [3, 0]]), (2, 2, 2), order='F'); a + 0, b + 0, d + 0",
                      "m[np.unravel_index(np.argmax(m), m.shape)] == np.max(m)"],
    "tril_indices": ["a, b = np.tril_indices(3); a + 0, b + 0", "a, b = np.tril_indices(len(v), 1); a + 0, b + 0", "a, b = np.tril_indices(3, -1, 5); a + 0, b + 0"],
    "triu_indices": ["a, b = np.triu_indices(3); a + 0, b + 0", "a, b = np.triu_indices(len(v), 1); a + 0, b + 0", "a, b = np.triu_indices(3, -1, 5); a + 0, b + 0"],
    "tril_indices_from": ["s[np.tril_indices_from(s)]", "m[np.tril_indices_from(m, -1)]"],
    "triu_indices_from": ["s[np.triu_indices_from(s)]", "a, b = np.triu_indices_from(m, k=1); a + 0, b + 0"],
    "copyto": ["t = m.copy(); np.copyto(t, [1, 2, 3]); t", "t = v.copy(); np.copyto(t, w); t", "t = m.copy(); np.copyto(t, 1); t", "t = m.copy(); np.copyto(t, v[:, None], where=m == w[:, None]); t",
               "t = v.copy(); np.copyto(t, w * 2.0, casting='unsafe'); t", "t = v.copy(); np.copyto(t, 2.5); t"],
    "putmask": ["t = v.copy(); np.putmask(t, v == w, w); t", "t = m.copy(); np.putmask(t, m == 1, [0, 1]); t", "t = m.copy(); np.putmask(t, m, 1); t",
                "t = v.copy(); np.putmask(t, v == 1, w[:0]); t"],
    "place": ["t = v.copy(); np.place(t, v == w, w); t", "t = m.copy(); np.place(t, m != 0, [0, 1]); t", "t = m.copy(); np.place(t, m > 3, np.ones(2)); t"],
    "asarray_chkfinite": ["np.asarray_chkfinite(v) + 0", "np.asarray_chkfinite(m)"],
    "broadcast_arrays": ["a, b = np.broadcast_arrays(v, m.T); a + b", "np.broadcast_arrays(v[:, None], w)[0] + 0"],
    "promote_types": ["np.zeros(2, np.promote_types(v.dtype, np.float32))", "np.zeros(2, np.promote_types('i4', 'u4'))"],
    "fill_diagonal": ["t = np.zeros((3, 3, 3, 3), v.dtype); np.fill_diagonal(t, 1); t", "t = np.zeros((2 * len(v), 3), v.dtype); np.fill_diagonal(t, [1, 0, 1], wrap=True); t", "t = s.copy(); np.fill_diagonal(t, 3); t", "t = m.copy(); np.fill_diagonal(t, 2); t", "t = s.copy(); np.fill_diagonal(t, v); t", "t = s.copy(); np.fill_diagonal(t, [1, 2]); t"],
    "nan_to_num": ["t = v.copy(); np.nan_to_num(t, copy=False); t"],
    "repeat": ["np.repeat(v, np.arange(len(v)) % 3).sum()", "len(np.repeat(m, np.arange(len(m)) % 2, axis=0))", "np.repeat(m, [2, 0, 1], axis=1).sum(0)[:3].copy()"],
    "ndarray.choose": ["k = np.arange(len(v)) % 2; k.choose((v, w))"],
    "vectorize": ["np.vectorize(lambda q: q * 2 if abs(q) > 1 else q)(v)", "np.vectorize(lambda q, r: max(q, r))(m.real, m.real[:, 1:2])", "f = np.vectorize(lambda q, r, t: q + r * t); f(v, 2, w)", "np.vectorize(abs, otypes=[float])(v)", "np.vectorize(lambda q, r: q > r, otypes=[int])(v, 1)"],
    "ndarray.tolist": ["l = v.tolist(); len(l), l", "l = m[:, 0].tolist(); l.append(l[0] if len(l) > 0 else 1); len(l)"],
    "diagonal": ["np.diagonal(s).copy()", "np.diagonal(m, 1) * 2", "np.diagonal(c, -1, 1, 2).sum(1)", "np.diagonal(c, axis1=0, axis2=2).copy()"],
    "linalg.eigh": ["e, q = np.linalg.eigh(s); e, (q * e) @ np.conj(q.T), np.conj(q.T) @ q", f"e, q = np.linalg.eigh({B}, UPLO='U'); (q * e[:, None, :]) @ np.conj(q.swapaxes(1, 2)), e",
                    "e, q = np.linalg.eigh(s * 0 + 1); e, (q * e) @ np.conj(q.T), np.conj(q.T) @ q",
                    # up to 25 rows the vectors have LAPACK's signs
                    "np.linalg.eigh(np.cos(np.outer(np.arange(12), np.arange(12)) * 0.7) + np.diag(np.arange(12.0)))[1]", "np.linalg.eigh(np.diag([3.0, 1.0, 2.0]) + np.diag([0.5, 0.0], 1) + np.diag([0.5, 0.0], -1))[1]",
                    "z = np.exp(np.outer(np.arange(25), np.arange(25) ** 2) * 0.3j); np.linalg.eigh(z + np.conj(z.T) - np.diag(np.arange(25.0)))[1]"],
    "linalg.eig": ["e, q = np.linalg.eig(s + np.conj(s.T)); np.sort(np.abs(e)), np.sum(np.abs(q) ** 2, axis=0), np.abs((s + np.conj(s.T)) @ q - q * e) < 1e-3", f"e, q = np.linalg.eig({R}.astype(complex)); np.sort(np.abs(e)), {R} @ q - q * e, np.sum(np.abs(q) ** 2, axis=0)",
                   f"e, q = np.linalg.eig({B}.astype(np.complex64)); np.sum(np.abs({B} @ q - q * e[:, None, :])) < 1e-2, np.sum(e, axis=1)"],
    "roots": ["np.sort(np.roots([1, -6, 11, -6]))", "np.sort(np.roots([0, 0, 2.0, -5, 2, 0]))", "np.sort(np.abs(np.roots(x[:4].astype(complex) + 1)))", "np.roots([3]), np.roots([0, 0])", "np.roots(np.array([2, -8], np.float32))"],
    "linalg.eigvals": [f"np.sort(np.abs(np.linalg.eigvals({B}.astype(complex) + np.diag(np.arange(len(s)) * 9.0))))", "np.sort(np.linalg.eigvals(np.triu(s)))"],
    "linalg.svd": ["u, d, vh = np.linalg.svd(c); k = min(c.shape[1:]); (u[:, :, :k] * d[:, None]) @ vh[:, :k], np.conj(u.swapaxes(1, 2)) @ u, vh @ np.conj(vh.swapaxes(1, 2)), d",
                   "u, d, vh = np.linalg.svd(c.swapaxes(1, 2), False); (u * d[:, None]) @ vh, np.conj(u.swapaxes(1, 2)) @ u, vh @ np.conj(vh.swapaxes(1, 2)), d",
                   "u, d, vh = np.linalg.svd(np.outer(v, w)); d, (u * d) @ vh, np.conj(u.T) @ u, vh @ np.conj(vh.T)",
                   "u, d, vh = np.linalg.svd(s, hermitian=True); (u * d) @ vh, d, np.conj(u.T) @ u"],
    "linalg.lstsq": ["x, r, k, d = np.linalg.lstsq(c[0], w); x, k, d, np.sum(r), len(r)", "np.linalg.lstsq(c[1], s, rcond=None)[0]", "x, _, k, _ = np.linalg.lstsq(np.outer(v, w), v); x, k",
                     "np.linalg.lstsq(c[0].T, np.ones(3), rcond=1e-3)[0]"],
    "linalg.matrix_transpose": ["np.linalg.matrix_transpose(c) + 0"],
    "linalg.diagonal": ["np.linalg.diagonal(m).copy()", "np.linalg.diagonal(c, offset=1) + 0"],
    "random.Philox": ["np.random.Generator(np.random.Philox(5)).random(4)", "np.random.Generator(np.random.Philox(key=2**40)).random(len(v))"],
    "random.PCG64": ["np.random.Generator(np.random.PCG64(5)).random((2, 3))"],
    "random.Generator": ["g = np.random.Generator(np.random.Philox(len(v))); g.random(3), g.random()"],
    "random.default_rng": ["np.random.default_rng(2**40 + 1).random(300)"],
    "Generator.random": ["g = np.random.default_rng(1); g.random(), g.random(dtype=np.float32), g.random(3, 'f4'), g.random((2, 2), np.float32)"],
    "Generator.uniform": ["g = np.random.default_rng(1); g.uniform(), g.uniform(2, 5, len(v)), g.uniform(high=3, size=(2, 1)), g.uniform(1), g.uniform(0, [1, 2.5]), g.uniform([[1.0], [2.0]], 3, (2, 4))"],
    "Generator.integers": ["g = np.random.default_rng(1); g.integers(5), g.integers(-3, 9, 7), g.integers(3 * 2**30, size=20), g.integers(1, 3 * 2**61, (2, 9)), g.integers(9, dtype=np.int32)",
                           "g = np.random.default_rng(1); g.integers(0, 2**32, 3), g.integers(-(2**63), 2**63 - 1, 2, endpoint=True), g.integers(4, 4, 3, endpoint=True)"],
    "diag": ["np.diag(s).copy()", "np.diag(m, 1) + 0"],
    "ndarray.diagonal": ["s.diagonal().copy()", "c.diagonal(0, 1, 2).copy()"],
    "shape": ["len(np.shape(3))"],
    "split": ["a, b, d = np.split(m, 3, axis=1); a, b, d", "a, b = np.split(c, [1], 0); a, b",
              "a, b, d = np.split(v, (1, 4)); a, b, d", "np.split(c, 2)[1]"],
    "array_split": ["a, b, d = np.array_split(v, 3); a, b, d", "a, b = np.array_split(m, 2, 1); a, b", "np.array_split(v, (2, 5))[-1]"],
    "hsplit": ["np.hsplit(m, 3)[1]", "np.hsplit(v, (2,))[1]"],
    "vsplit": ["np.vsplit(c, 2)[0]", "np.vsplit(m, (1, 3))[1]"],
    "dsplit": ["np.dsplit(c, 3)[2]"],
    "concatenate": ["a, b, c = np.split(m, 3, 1); np.concatenate((b, c, a), 1)"],
    "roll": ["t = v.copy(); t[:] = np.roll(t, 1); t"],
    "partition": ["np.partition(v, 1)[1:2].copy()", "np.partition(m, -2, 1)[:, -2].copy()", "np.partition(m, (0, 2), axis=None)[2:3].copy()"],
    "argpartition": ["v[np.argpartition(v, 1)[1:2]]", "np.sort(m[:, 0][np.argpartition(m, 1, 0)[:2, 0]])"],
    "histogramdd": ["h, e = np.histogramdd(m, 2); h, e[0], e[1], e[2]", "h, e = np.histogramdd(m, (2, 3, [0, 1, 2])); h, e[2]", "h, (e, f) = np.histogramdd((v, w), 3, weights=v.real); h, e, f",
                    "h, e = np.histogramdd([v, w], [2, 3], [(-1, 1), (0, 2)], True); h, e[1]", "h, e = np.histogramdd(m / 3, bins=2, density=True); h, e[1]", "np.histogramdd(v, [3])[0]"],
    "bincount": ["len(np.bincount(np.abs(v.astype(np.int64))))", "np.bincount((v != 0) * 3, minlength=6)[:6].copy()",
                 "np.bincount(np.arange(len(v)) % 3, np.ones(len(v)) * 0.5, 3)[:3].copy()"],
    "ndarray.sort": ["t = v.copy(); t.sort(); t", "t = m.copy(); t.sort(0); t", "t = m.copy(); t[:, 1].sort(); t",
                     "t = v.copy(); t[::-1].sort(kind='stable'); t"],
    "ndarray.partition": ["t = v.copy(); t.partition(1); t[1:2].copy()"],
    "ndarray.argpartition": ["v[v.argpartition(1)[1:2]]"],
}
# What NumPy refuses: each an error of the call.
WRONG = {
    "roll": ["v, 1, 1", "m, 1, axis=-3", "m, (1, 2), (0, 1, 0)"], "flip": ["v, 1", "m, (0, 0)"], "fliplr": ["v"], "flipud": ["v.sum()"],
    "rot90": ["m, 1, (0, 0)", "m, 1, (0, 2)"], "diff": ["v, -1", "v, axis=1", "v, 1, 2, 3, 4, 5"], "repeat": ["v, -1", "v, np.ones(len(v))"],
    "concatenate": ["(v, m)", "(v, w), 1", "()", "(3, v)"], "stack": ["(v, m)", "(v, w), 2"], "eye": ["3, nonsense=1"],
    "gradient": ["v, edge_order=3"], "tensordot": ["c, c, 4", "v, v, ((0,), (0, 0))"], "linalg.solve": ["v, v"], "linalg.inv": ["v", "np.zeros((2, 3))"],
    "linalg.eigh": ["v", "np.zeros((2, 3))", "s, 'X'"], "linalg.eigvals": ["v"], "linalg.svd": ["v"], "linalg.lstsq": ["m, c", "v, v"], "linalg.pinv": ["m, 0.1, rtol=0.1"],
    "linalg.matrix_rank": ["s, 0.1, rtol=0.1"], "linalg.cond": ["np.zeros((2, 3)), 1", "v"], "linalg.norm": ["s, 3", "s, 'no'"],
    "linalg.qr": ["v", "m, 'no'"], "clip": ["v, 1", "v, 1, 2, min=3"], "trace": ["v"], "diag": ["c"], "vander": ["m"],
    "sort": ["v, 1", "v, order='a'", "v, kind='stable', stable=True", "v.sum()"], "partition": ["v, 1, kind='no'"],
    "quantile": ["v, 1.5"], "bincount": ["v, minlength=-1"], "lexsort": ["(v, m)"],
    "argsort": ["v, 2"],
    "fft.fft": ["v, 0", "v, -2", "v, norm='no'", "v, axis=1", "v, 3, 1", "v.sum()"], "fft.rfft": ["v * 1j"], "fft.irfft": ["v, norm=2"],
    "fft.hfft": ["v, norm='no'"], "fft.fftn": ["c, (1, 2), (0,)", "c, axes=(0, 3)", "c, 3"], "fft.fftfreq": ["2.5"], "fft.rfftfreq": ["v.real"],
    "cov": ["c"], "searchsorted": ["x, v, 'middle'"], "meshgrid": ["v, w, indexing='no'"], "pad": ["m, -1", "m, ((1, 1), (1, 1), (1, 1))"], "convolve": ["m, v", "v, w, 'no'"], "select": ["[v == w], [v, w]"],
}
# Valid, and refused by name.
REFUSED = {
    "fft.ifft": ["v, out=np.zeros(len(v), complex)"], "fft.rfftn": ["c, out=np.zeros((2, 7, 2), complex)"],
    "unique": ["m * 1j, axis=0"], "linalg.qr": ["m, mode='raw'"], "isin": ["v.astype(np.int8), w.astype(np.int8), kind='table'"], "median": ["v, out=np.zeros((), np.float32)"],
    "sort": ["v, kind='q'"], "quantile": ["v, 0.5, method='inverted_cdf'", "v, 0.5, method='inverted_cdf', weights=w * w + 1", "v, s * 0 + 0.5"], "trim_zeros": ["m", "[0, 1, 0]"], "lexsort": ["m"],
    "repeat": [], "interp": ["v, x, w * 1j"], "histogram": ["v, 'stone'"], "degrees": ["v, where=m[:, 0] > 1"], "heaviside": ["v, 1.0, dtype=np.float64"], "pad": ["v, 1, 'empty'"], "tile": [],
    "split": ["v, np.array([1, 2])"], "ldexp": ["5, np.arange(4)"], "meshgrid": ["v, w, copy=False"],
}


PREFIXES = {"linalg": "linalg.", "fft": "fft.", "random": "random.", "legacy": "random.", "generator": "Generator.", "distributions": "Generator.", "mixtures": "Generator.", "ndarray": "ndarray."}


@functools.cache
def functions():
    """{name as in CASES: the library's own} of all that users call."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    found = {}
    for info in pkgutil.iter_modules([FOLDER / "numpy_library"]):
        if info.name in FOREIGN or info.name in ("primitives", "parpy", "numbers") or info.name.startswith("numba"):  # test/Execution
            continue
        module = importlib.import_module(f"numpy_library.{info.name}")
        prefix = PREFIXES.get(info.name, "")
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
                found[prefix + name] = function
    return found


def foreign(module):
    """{name: the library's own} of the functions of another library than NumPy (test_other_libraries.py)."""
    functions()  # where they are found
    found = importlib.import_module(f"numpy_library.{module}")
    return {n: f for n, f in vars(found).items() if inspect.isfunction(f) and f.__module__ == found.__name__ and not n.startswith("_")}


@functools.cache
def foreign_names():
    return {f"{path}.{name}".removeprefix("numpy.") for module, path in FOREIGN.items() for name in foreign(module)}


def original(name):
    module, _, own = name.rpartition(".")
    return getattr({"": np, "linalg": np.linalg, "fft": np.fft, "random": np.random, "Generator": np.random.Generator, "ndarray": np.ndarray}[module], own)


def code(name, arguments):
    """The call as users write it."""
    if name.startswith("ndarray."):
        first, _, rest = arguments.partition(", ")
        return f"{first}.{name[8:]}({rest})"
    return f"np.{name}({arguments})"


class Stand:
    """NumPy with the library's functions in place of its own."""

    def __init__(self, prefix=""):
        self.prefix = prefix

    def __getattr__(self, name):
        if name in ("linalg", "fft", "random") and not self.prefix:
            return Stand(f"{name}.")
        return functions().get(self.prefix + name) or getattr(getattr(np, self.prefix[:-1]) if self.prefix else np, name)


def inputs(type, size):
    """The parameters' values; floats have a NaN and an infinity where there is room."""
    rng = np.random.default_rng(size)
    made = {}
    for name, extents in PARAMETERS.items():
        shape = tuple({"N": size}.get(e) if e == "N" else int(e) for e in extents[1:-1].split(", "))
        low, high = (0, 2) if kind(type) == "b" else (0, 9) if kind(type) == "u" else (-4, 5)
        values = rng.integers(low, high, shape)
        if kind(type) in "fc":
            values = values * 0.75 + (rng.integers(-3, 4, shape) * 1j if kind(type) == "c" else 0)
        made[name] = values.astype(DTYPES[type])
    made["x"] = np.sort(made["x"] + (np.arange(size) * 3).astype(DTYPES[type]) if kind(type) != "b" else made["x"])
    if kind(type) == "f" and size > 3:
        made["m"][1, 2] = np.nan
    return made


def used(text):
    return [p for p in PARAMETERS if re.search(rf"(?<![\w.]){p}\b", text)] or ["v"]


def body(text):
    """The lines of a function with this value."""
    *before, value = text.split("; ")
    return [*before, f"return {value}"]
