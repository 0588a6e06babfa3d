"""Functions of Python's `math` and `cmath` and of SciPy that are written in Python (lib/Python/numpy_library): under CPython and translated,
they give what those give."""
from __future__ import annotations

import bisect
import cmath
import heapq
import itertools
import math
import operator
import random
import statistics
import subprocess
import warnings

import harness
import library
import numpy as np
import pytest
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.spatial.distance
import scipy.special
import scipy.stats

MODULES = {"math": math, "cmath": cmath, "special": scipy.special, "scipy_fft": scipy.fft, "scipy_linalg": scipy.linalg, "scipy_integrate": scipy.integrate, "scipy_interpolate": scipy.interpolate,
           "scipy_spatial_distance": scipy.spatial.distance, "scipy_stats": scipy.stats, "scipy_stats_norm": scipy.stats.norm, "scipy_stats_t": scipy.stats.t, "scipy_stats_chi2": scipy.stats.chi2, "scipy_optimize": scipy.optimize, "scipy_signal": scipy.signal,
           "scipy_ndimage": scipy.ndimage, "polynomial": np.polynomial.polynomial, "legendre": np.polynomial.legendre, "chebyshev": np.polynomial.chebyshev, "scipy_sparse": scipy.sparse, "stride_tricks": np.lib.stride_tricks}
HEAD = """from __future__ import annotations
import cmath
import math
import numpy
import numpy as np
import scipy
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.spatial.distance
import scipy.special
import scipy.stats
"""

INTEGERS = [(n, k) for n in (0, 1, 2, 7, 12, 20, -3) for k in (0, 1, 3, 5, 12, -2)]
LARGE = [(2**52, 3), (2**62, 2**31), (3037000499**2, 2), (3037000499**2 + 5, 7), (60, 30), (61, 2)]
REALS = list(itertools.product((0.0, -0.0, 1.0, -2.5, 3.0, 0.3, -7.25, 170.5, 1e300, 5e-324, math.inf, -math.inf, math.nan), (1.0, -0.0, 2.0, -0.7, 3.5, math.inf, math.nan)))
VECTOR = np.array([0.0, -0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0, 1e-12, 1 - 1e-9, 1e-200, 2.0, 3.5, 7.0, 11.25, 25.0, 45.0, 100.0, 169.5, 700.0,
                   -0.5, -1.5, -3.75, -1.0, -6.0, -30.25, np.inf, -np.inf, np.nan])
POSITIVE = np.array([0.2, 0.5, 1.0, 1.5, 3.0, 10.25, 40.0, 120.0])

METRICS = ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "correlation", "minkowski", "canberra", "braycurtis", "hamming")
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-constant", "grid-mirror", "grid-wrap")
# Of those behind scipy_linalg: calls on v, w (vectors of one size), a (a matrix), k (a smaller one), c (three axes), f, u, i (matrices of float32, uint8, int32).
SAMPLES = {
    "scipy_interpolate": {  # what they return is called with the places
        "interp1d": ["v, w, bounds_error=False)(w", "v, w, 'nearest', fill_value='extrapolate')(a", "v, w, 'previous', bounds_error=False, fill_value=(0, 1))(w",
                     "v, w, kind='next', fill_value=2.5, bounds_error=False)(w[:2]", "v, w)(v[1:]", "v, w, fill_value='extrapolate')(w * 3"],
        "CubicSpline": ["np.sort(v), w)(w", "np.sort(v), w, bc_type='natural')(a", "np.sort(v), w, 0, 'clamped')(w[0]"],
    },
    "scipy_integrate": {
        "trapezoid": ["v", "a, axis=0", "v, np.sort(w)"],
        "cumulative_trapezoid": ["v", "a, initial=0", "a, axis=0, dx=0.5", "v, np.sort(w), initial=0", "f"],
        "solve_ivp": [f"{call}).{part} + (0" for part in ("y", "t") for call in (
            "lambda t, y: [y[1], -y[0]], (0, 3 + v[0]), [1.0, v[1]]", "lambda t, y: -0.5 * y * v[0], [0, 2], v[:3], t_eval=np.linspace(0, 2, 7)",
            "lambda t, y, k: -k * y + np.sin(t), (1, 0.2), [2], args=(1.5,), rtol=1e-6, atol=1e-9", "lambda t, y: (y[0] * (1 - y[1]), y[1] * (y[0] - 1)), (0.0, 4.0), (1.5, 1.0), 'RK45', [0.5, 1.0, 4.0], max_step=0.1",
            "lambda t, y: -y, (0, -1), np.array([1.0]), t_eval=[-0.25, -1.0], first_step=0.1")] + ["lambda t, y: -y, (0, 5), [1.0]).nfev + (0"],
        "odeint": [f"{call}).round(5) + (0" for call in (  # to fewer digits, as it is by other steps
            "lambda y, t: -y * v[0], [1.0, 2.0], np.linspace(0, 2, 7)", "lambda y, t, k: [y[1], -k * np.sin(y[0])], [0.5, 0], np.arange(0, 3, 0.4), args=(2,)", "lambda t, y: y[0] * np.cos(t), 1.0, v.cumsum(), tfirst=True",
            "lambda y, t: (-y[0] + 0.1 * y[1], y[0]), (1, 2), np.array([0.0, -0.5, -1.0]), rtol=1e-8", "lambda y, t: y, [1.0, 1.0], v[:1]")],
        "quad": [f"{call})[0] + (0" for call in (
            "lambda x: np.sin(x * v[0]), 0, 3", "lambda x: np.exp(-x * x), -np.inf, np.inf", "lambda x, k: k * np.exp(-k * x), 1, np.inf, args=(v[1] ** 2 + 1,)", "np.exp, -np.inf, v[0]",
            "lambda x: abs(x - 0.3), 1, 0, epsabs=1e-4, epsrel=1e-4, limit=20", "lambda x: np.sqrt(x), 0, 1", "np.cos, 2, 2")],
        "simpson": ["v", "v[:-1]", "v[:2]", "a", "a, axis=0", "v, np.sort(w)", "v[:-1], np.sort(w[:-1])", "v[:1]", "f", "i", "v, dx=0.5"],
    },
    "scipy_spatial_distance": {
        "cdist": [*(f"a, a[::-1][:3] + 0.1, '{m}'" for m in METRICS), "a, a", "f, f", "i, u", "a, a, 'minkowski', p=3"],
        "pdist": ["a", "a, 'cityblock'", "a[:1]"], "squareform": ["a[:, :4] + a[:, :4].T - np.diag(2 * np.diag(a[:, :4]))", "w[:6]", "v[:0]", "scipy.spatial.distance.pdist(a)", "w[:4]"],
        **{name: ["v, w", "f[0], f[1]", "i[0], i[1]"] for name in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "correlation")},
        "minkowski": ["v, w", "v, w, 3", "v, w, 1", "f[0], f[1], 2"],
    },
    "scipy_stats_norm": {
        "pdf": ["v", "v, 1, 2", "0.5", "f", "i", "v, 0, -1"], "logpdf": ["v", "v, loc=1, scale=0.5"], "cdf": ["v", "a, a + 1, 2.0", "2", "v / 0.0"],
        "sf": ["v, 0, 3"], "ppf": ["v", "v, 1, 2", "0.975", "np.array([0, 1, -0.1, 1.1, np.nan])"], "isf": ["v"],
    },
    "scipy_stats": {
        "zscore": ["v", "a", "a, axis=1, ddof=1", "a, axis=None", "f", "i"], "gmean": ["v", "a, axis=1", "f"], "hmean": ["v", "a", "u + 1"], "sem": ["v", "a, axis=None", "a, 1"],
        "skew": ["v", "a, axis=1", "f"], "kurtosis": ["v", "a, fisher=False", "i"], "entropy": ["v", "a", "v, w", "v, base=2"],
        # one number of each result, which SciPy has as named tuples of its own
        "ttest_ind": ["v, w).statistic + (0", "v, w[:5])[1] + (0", "v, w[1:] + 1, equal_var=False).pvalue + (0"], "ttest_1samp": ["v, 0.5)[0] + (0", "v, 0.25)[1] + (0"],
        "ttest_rel": ["v, w)[0] + (0", "v, w + 0.1).pvalue + (0"], "pearsonr": ["v, w)[0] + (0", "v, w)[1] + (0", "v, v * 2).pvalue + (0", "v, v * 0 + 1).statistic + (0"],
        "linregress": [f"v, w).{part} + (0" for part in ("slope", "intercept", "rvalue", "pvalue", "stderr")] + ["v, w)[0] + (0", "v * 0, w).slope + (0"],
    },
    "scipy_stats_t": {"cdf": ["v, 5", "a * 9 - 4, 3.5", "v, 4, 0.5, 2", "v / 0.0, 2"], "sf": ["v * 5, 7", "-2.5, 10"], "pdf": ["v, 3", "2.0, 5"], "ppf": ["0.975, 9", "v, 3", "np.array([0.0, 1.0, -1.0, 0.5]), 4"]},
    "scipy_stats_chi2": {"cdf": ["v * 9, 3", "-1.0, 2"], "sf": ["v * 9, 3", "4.5, 1", "a, 2"]},
    "scipy_optimize": {
        "brentq": ["lambda t: t ** 3 - 2 - v[0], 0, 2", "lambda t, c: math.exp(t) - c, -1, 3.0, args=(2 + v[1],)", "lambda t: t - v[0], v[0], 2", "lambda t: t + 5, 0, 1", "lambda t: np.cos(t) - t * v[0], 0, 2, xtol=1e-4"],
        "bisect": ["lambda t: t ** 3 - 2 - v[0], 0, 2", "lambda t: np.cos(t) - t, 0, 2, maxiter=3", "lambda t: t * t + 1, -1, 1"],
        "newton": ["lambda t: t ** 3 - 2 - v[0], 1", "lambda t: t ** 3 - 2 - v[0], 1.5, fprime=lambda t: 3 * t ** 2", "lambda t: t ** 2 - 2, 1, tol=1e-3", "lambda t: t ** 2 + 1, 1.0, maxiter=5",
                   "lambda t: t ** 2 - 2, 0.0, fprime=lambda t: 2 * t", "lambda t, c: t ** 2 - c, 1.0, args=(2 + v[0],), x1=2.0"],
        "minimize_scalar": [f"{call}).{part} + (0" for part in ("x", "fun") for call in (
            "lambda t: (t - v[0]) ** 2 + 1", "lambda t: t ** 4 - 3 * t + v[0], bounds=(0, 5), method='bounded'", "lambda t: -np.sin(t), bracket=(0.5, 1.0)", "lambda t: np.cos(t) + v[0], (2.0, 3.0, 4.0)",
            "lambda t: (t + 3) ** 2, bounds=(-10, 10)")] + ["lambda t, c: (t - c) ** 2, args=(v[0],), tol=1e-3).nfev + (0"],
        "minimize": [  # rounded, as differences and those of last bits end a little elsewhere
            *(f"{call}, method='nelder-mead').{part} + (0" for part in ("x", "fun", "nfev", "nit") for call in ("lambda p: np.sum((p - v[:2]) ** 2), [0.5, 0]", "lambda p, c: (p[0] - c) ** 2 + p[0] ** 4, v[1], args=v[0]")),
            *(f"{call}).{part}.round(4) + (0" for part in ("x", "fun") for call in (
                "lambda p: np.sum((p - v[:3]) ** 2), v[3:6]", "lambda p: 100 * (p[1] - p[0] ** 2) ** 2 + (1 - p[0]) ** 2, (-0.5, v[0]), method='BFGS', tol=1e-7, options={'maxiter': 100}",
                "lambda p, c: np.sum((p - c) ** 2), w[:3], (v[:3],), jac=lambda p, c: 2 * (p - c)", "lambda p: (p[0] - 2) ** 2 + (p[1] + 1) ** 2 + p[0] * p[1], [0, 0.5], bounds=[(0, 1), (None, 0.2)]",
                "lambda p: (p[0] - 2) ** 2 + (p[1] + 1) ** 2, [0.2, 0.5], method='Nelder-Mead', bounds=((0, 1), (0, None)), options={'xatol': 1e-6, 'fatol': 1e-9, 'disp': False}"))],
        "least_squares": [f"{call}).{part}.round(4) + (0" for part in ("x", "cost", "fun") for call in (
            "lambda p: p[0] * np.exp(-p[1] * np.arange(9)) - 2 * np.exp(-0.3 * np.arange(9)) - 0.1 * v[:9], [1.0, 0.5]", "lambda p, t, y: p[0] * t + p[1] - y, np.ones(2), bounds=(0, [0.4, 1]), args=(v, w)")],
        "leastsq": ["lambda p: p[0] * np.exp(-p[1] * np.arange(9)) - 2 * np.exp(-0.3 * np.arange(9)) - 0.1 * v[:9], [1.0, 0.5])[0].round(5) + (0", "lambda p, t, y: p[0] * t + p[1] - y, (0, 0), args=(v, w))[0].round(6) + (0",
                    "lambda p: v[0] * p - np.ones(1), [1.0, 2.0])[0] + (0"],
        "curve_fit": [f"lambda t, a, b: a * np.exp(-b * t), np.arange(len(v)), 2 * np.exp(-0.3 * np.arange(len(v))) + 0.1 * v{more})[{part}].round(4) + (0" for part in (0, 1) for more in (
            "", ", [1.5, 0.2]", ", sigma=0.1 + w, absolute_sigma=True", ", sigma=0.1 + w", ", bounds=(0, [1.9, 3]), method='trf'", ", (9.0, 1)")],
    },
    "scipy_signal": {
        "convolve": ["v, w[:4]", "v, w[:4], 'same'", "v, w[:4], mode='valid'", "w[:4], v", "w[:4], v, 'same'", "a, k", "a, k, 'same'", "a, k, 'valid'", "i, i", "u, u, 'same'", "f, f", "a * 1j, k"],
        "correlate": ["v, w[:4]", "v, w[:4], 'same'", "w[:4], v, 'same'", "v, w[:3] * 1j, 'valid'", "a, k, 'same'", "a, a"],
        "fftconvolve": ["v, w", "a, k, 'same'", "i, i", "f, f"],
        "convolve2d": [*(f"a, {x}, '{m}', '{b}'" for x in ("k", "a[:3, :3]") for m in ("full", "same", "valid") for b in ("fill", "wrap", "symm")), "a, k, fillvalue=2", "u, u, 'same'"],
        "correlate2d": [*(f"a, a[:3, :3], '{m}', '{b}'" for m in ("full", "same", "valid") for b in ("fill", "wrap", "symm")), "a, k"],
        "lfilter": ["[0.5, 0.25], [1.0, -0.5], v", "w[:3], w[3:6], a", "w[:3], w[3:6], a, axis=0", "[1, 2], 1, v", "[1.0, 2.0], [1], i", "w[:2] * 1j, w[1:3], v"],
        "detrend": ["v", "a", "a, 0", "a, type='constant'", "i", "f", "v[:1]"], "medfilt": ["v", "v, 5", "f[0]"],
        "sawtooth": ["v * 30", "v * 30 - 20, 0.25", "v, 0", "i"], "square": ["v * 30 - 9", "v * 30, 0.2"],
    },
    "scipy_ndimage": {
        "label": [f"{call})[{part}] + (0" for part in (0, 1) for call in ("a > 0.5", "c > 0.4", "v < 0.6", "u // 100, np.ones((3, 3))", "a > 0.3, [[0, 1, 1], [0, 1, 0], [1, 1, 0]]", "np.zeros((3, 0))")],
        "convolve": [*(f"{x}, {w}, mode='{m}'" for x, w in (("a", "k"), ("v", "w[:4]"), ("c", "c[:2, :2, :3]"), ("u", "a[:3, :3]")) for m in MODES), "a, k, origin=-1", "a, k, mode='constant', cval=1.5"],
        "correlate": [*(f"{x}, {w}, mode='{m}'" for (x, w), m in zip((("a", "a[:3, :3]"), ("v", "w[:3]"), ("c", "c[:2, :1, :3]"), ("i", "k"), ("f", "k")), MODES)), "a, a[:3, :3], origin=1"],
        "convolve1d": [f"a, w[:4], 0, mode='{m}'" for m in MODES] + ["v, w[:4], origin=-1"], "correlate1d": [f"a, w[:3], mode='{m}', cval=2.0" for m in MODES] + ["v, w[:5], origin=1"],
        "uniform_filter1d": ["a, 4", "a, 3, 0, origin=1"], "uniform_filter": [f"{x}, {n}, mode='{m}'" for x, n, m in zip("vacfiu" * 2, (2, 3, 3, 2, 3, 3, 4, 2, 2, 3, 3, 2), MODES * 2)] + ["a, (3, 2)", "a"],
        "gaussian_filter1d": ["a, 2.0", "v, 1.0, order=2"],
        "gaussian_filter": [f"{x}, {n}, mode='{m}'" for x, n, m in zip("vacfiu", (2, 1.5, 1, 2, 1, 3), MODES)] + ["a, (1.0, 2.0)", "a, 1.5, order=1", "a, 1, order=(0, 2)", "a, 1.0, truncate=2.0", "a, 1, radius=2"],
        "sobel": ["a", "a, 0", "u"], "prewitt": ["c, 1"], "laplace": ["a", "u", "c, mode='wrap'"],
        **{f"{which}_filter": [f"{x}, {n}, mode='{m}'" for x, n, m in zip("vacfiu", (2, 3, 3, 2, 3, 3), MODES)] + ["a, (2, 3)"] for which in ("maximum", "minimum")},
        "maximum_filter1d": ["a, 3"], "minimum_filter1d": ["a, 4, 0"],
    },
    "polynomial": {
        "polyval": ["v, w[:4]", "a, w", "2, [1, 2, 3]", "v, a[:3, :3]", "v[:2], k, tensor=False", "i, (1, 2)"], "polyval2d": ["v, w, k"], "polygrid2d": ["v, w, k"],
        "polyder": ["v", "v, 2", "v, 0", "[1, 2, 3]"], "polyint": ["v", "v, k=3", "v, 1, [2], lbnd=1", "v, scl=2"], "polyfromroots": ["v", "[1, 2]"], "polyvander": ["v, 3", "a, 2"],
        "polyfit": ["v, w, 3"],
    },
    "legendre": {"leggauss": ["1", "2", "5", "12", "len(v)"], "legval": ["v, w[:4]", "a, w", "2.0, [1, 2, 3]", "v, a[:3, :3]", "v, [2.0]"]},
    "chebyshev": {"chebval": ["v, w[:4]", "a, w", "2.0, [1, 2, 3]", "v, a[:3, :3]", "v, [2.0]"]},
    "scipy_sparse": {  # what is done with the matrix
        "csr_matrix": ["a * (a > 0.5)) @ (a[0]", "a.T * (a.T > 0.5)).dot(a[:, :3]", "f).toarray(", "i * (i > 0)).diagonal(",
                       "(v[:5], np.array([0, 3, 1, 0, 2]), np.array([0, 2, 2, 5])), shape=(3, 4)) @ (a", "(v[:3], np.array([0, 3, 1]), np.array([0, 2, 3]))) @ (w[:4]", "a * (a > 0.3)).nnz + (0"],
        "csr_array": ["a * (a > 0.5)) @ (a[0] + 1j"],
    },
    "stride_tricks": {
        "sliding_window_view": ["v, 3", "a, (2, 3)", "a, 2, axis=0", "a, 2, 1", "c, (2, 2), (0, 2)", "a, (2, 2), (1, 1)", "v, 1", "v, 100"],
    },
}
# By module and function: calls on x, y (floats), n, k (integers); v, w (vectors, of float64, float32, int8, int64), p (positive); a (a matrix).
CASES = {
    "math": {
        "degrees": ["x"], "radians": ["x"], "fmod": ["x, y"], "remainder": ["x, y"], "gcd": ["n, k", "n", "", "n, k, 6"],
        "lcm": ["n, k", "", "n, k, 4"], "factorial": ["n"], "comb": ["n, k"], "perm": ["n, k", "n"], "isqrt": ["n"],
        "isclose": ["x, y", "x, x + 1e-10", "x, y, rel_tol=0.5", "x, y, abs_tol=1.0"], "ldexp": ["x, k", "y, 2000"], "frexp": ["x"],
        "modf": ["x"], "prod": ["(n, k)", "(x, y), start=2"], "fsum": ["(x, y, 1e30, x, -1e30)", "(x * t for t in range(9))"], "dist": ["(x, y), (1.0, 2.0)"], "erf": ["x"], "erfc": ["x"], "gamma": ["x", "n"],
        "lgamma": ["x", "n"], "nextafter": ["x, y"], "ulp": ["x"],
    },
    "cmath": {
        **{name: ["complex(x, y)", "x"] for name in ("exp log10 sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh phase polar "
                                                     "isfinite isinf isnan").split()},
        "log": ["complex(x, y)", "complex(y, 1), 2"], "rect": ["x, y"], "isclose": ["complex(x, y), 1 + 2j", "x, x + 1e-10j", "x, y, rel_tol=0.5"],
    },
    "special": {
        **{name: ["v", "v[3]", "p"] for name in "erf erfc gamma gammaln i0 i1 j0 j1 expit logit log_expit ndtr ndtri erfinv erfcinv entr exp2 exp10 expm1 log1p cbrt".split()},
        "beta": ["p, p[::-1]", "p[:, None], 2"], "betaln": ["p, p[::-1]", "p[:, None], 2"], "xlogy": ["v, p[0]", "v, v", "0, p"],
        "xlog1py": ["v, p[0]", "v, v"], "rel_entr": ["v, v[::-1]", "v, p[1]"], "logsumexp": ["p", "p[:, None] - p, axis=0", "p[:, None] - p, 1, keepdims=True"], "softmax": ["p", "p[:, None] - p, axis=1"],
        "log_softmax": ["p", "p[:, None] - p, axis=0"],
        **{name: ["v", "v[3]", "p"] for name in ("digamma", "psi", "log_ndtr", "exprel")}, "factorial": ["v", "i", "5", "v[9]"],
        **{name: ["v, p[0]", "v, v", "p[:, None], p"] for name in ("gammainc", "gammaincc", "kl_div", "huber", "pseudo_huber", "boxcox")},
        "betainc": ["p, p[::-1], 0.3", "p, p[:4, None], 0.875", "2.0, p, 1 / p", "0.0, 2, p", "np.inf, 2.0, 0.5"], "comb": ["p, p[:4, None]", "i, 3", "10, i", "10, 4"], "perm": ["i, 3", "10, i", "10, 4"],
    },
    "scipy_fft": {
        **{name: ["v", "a", "v, 5", "a, 3, 0", "v, norm='ortho'"] for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
        **{name: ["a", "a, (2, 4)", "a, norm='forward'"] for name in "fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split()},
        "fftfreq": ["n", "n, 0.5"], "rfftfreq": ["n", "n, 0.5"], "fftshift": ["v", "a, 0"], "ifftshift": ["v", "a, 0"],
        **{name: ["v", "a, 3", "a, axis=0, norm='ortho'", "a, 2, norm='forward'"] for name in ("dct", "idct")}, "dctn": ["a", "a, axes=1"], "idctn": ["a, norm='ortho'"],
    },
    "scipy_linalg": {
        "norm": ["a", "v", "a, 1", "a, np.inf, axis=0"], "inv": ["a"], "det": ["a"], "solve": ["a, v", "a, a.T"], "lstsq": ["np.vstack((a, a + np.eye(len(a)))), np.concatenate((v, v + 1))", "a, a.T"], "svdvals": ["a"],
        "svd": ["a, compute_uv=False"], "eigvalsh": ["a + a.T"], "eigh": ["(a + a.T)[:1, :1]", "a + a.T, eigvals_only=True"], "lu_factor": ["a", "a.astype(np.float32)", "a * 1j"], "lu_solve": ["scipy.linalg.lu_factor(a), a[0]", "scipy.linalg.lu_factor(a), a"], "cholesky": ["a @ a.T + np.eye(len(a))", "a @ a.T + np.eye(len(a)), lower=True"], "pinv": ["a"],
        "toeplitz": ["v", "v, a[0]"], "block_diag": ["a, a[:2]", "v, a"],
        "solve_triangular": ["a, v", "a, a.T, lower=True", "a, v, trans=1", "a, v, 1, True", "a, v, unit_diagonal=True"],
        "circulant": ["v"], "hankel": ["v", "v, a[0]"], "hilbert": ["n"], "qr": ["a", "a[:, :3], mode='economic'", "a[:, :3], mode='r'"], "expm": ["a", "a * 20", "a * 1j", "a.astype(np.float32)"],
    },
    **SAMPLES,
}
ANY_NUMBER = {"phase", "polar", "rect", "isfinite", "isinf", "isnan", "isclose"}  # what takes infinities and NaN as CPython does, too
ALL = [(module, name, arguments) for module, names in CASES.items() for name, calls in names.items() for arguments in calls]


def code(module, name, arguments):
    return f"{library.FOREIGN[module]}.{name}({arguments})" + (" + 0" if module == "stride_tricks" else "")  # what is a view is not returned


def inputs(module, name):
    """The parameters' types and several values of all."""
    rng = np.random.default_rng(len(name))
    if module in ("math", "cmath"):
        numbers = INTEGERS + (LARGE[-2:] if name == "comb" else LARGE if name in ("isqrt", "gcd", "comb") else [])
        reals = REALS if module == "math" or name in ANY_NUMBER else [r for r in REALS if np.isfinite(r).all() and 5e-324 not in r]  # README says so
        pairs = itertools.islice(zip(itertools.cycle(reals), itertools.cycle(numbers)), max(len(numbers), len(reals)))
        return {"x": "float", "y": "float", "n": "int", "k": "int"}, [(*reals, *numbers) for reals, numbers in pairs]
    if module == "special":
        kinds = {"v": "f64[N]", "f": "f32[N]", "i": "i8[N]", "j": "i64[N]", "p": "f64[M]"}
        whole = np.arange(-5, len(VECTOR) - 5)
        return kinds, [(VECTOR, VECTOR.astype(np.float32), whole.astype(np.int8), whole, POSITIVE)]
    if module in SAMPLES:
        kinds = {"v": "f64[N]", "w": "f64[N]", "a": "f64[4, M]", "k": "f64[3, 2]", "c": "f64[3, 4, M]", "f": "f32[4, M]", "u": "u8[4, M]", "i": "i32[4, M]"}
        made = []
        for n, m in ((9, 6), (12, 5)):
            a = rng.random((4, m))
            made.append((rng.random(n), rng.random(n), a, rng.random((3, 2)), rng.random((3, 4, m)), a.astype(np.float32), (a * 255).astype(np.uint8), (a * 100 - 50).astype(np.int32)))
        return kinds, made
    a = rng.random((4, 4)) + np.eye(4)
    return {"v": "f64[4]", "a": "f64[4, 4]", "n": "int"}, [(rng.random(4), a, 5), (rng.random(4), a[::-1].copy(), 8)]


def variants(module, arguments, letters):
    """The same call on vectors of other types."""
    if module != "special" or "v" not in arguments:
        return [arguments]
    return [arguments.replace("v", letter) for letter in letters]


def function_of(scope, module, name, arguments):
    parameters = ", ".join(inputs(module, name)[0])
    return eval(f"lambda {parameters}: {code(module, name, arguments)}", scope)


def difference(got, want, module):
    if got.raised or want.raised:
        return "" if got.raised == want.raised or got.raised == "NotImplementedError" else f"raised {got.raised or 'nothing'}, not {want.raised or 'nothing'}: {got.message[-200:]}"
    for one, other in zip(*((x.value if isinstance(x.value, tuple) else (x.value,)) for x in (got, want))):
        one, other = np.asarray(one), np.asarray(other)
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"{one.dtype} {one.shape}, not {other.dtype} {other.shape}"
        near = {"f": 2e-4, "F": 2e-4}.get(other.dtype.char, 1e-10)
        with np.errstate(all="ignore"):
            if not np.allclose(one, other, rtol=near, atol=near if module != "math" else 0, equal_nan=True):
                return f"{one!r}, not {other!r}"
    return ""


def call(function, values):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return harness.call(function, values)


def originals(module, name, arguments):
    scope = {"math": math, "cmath": cmath, "scipy": scipy, "np": np, "numpy": np, "len": len}
    return [call(function_of(scope, module, name, arguments), values) for values in inputs(module, name)[1]]


@pytest.mark.parametrize("module", list(CASES))
def test_every_function_has_cases(module):
    assert set(library.foreign(module)) == set(CASES[module])
    assert all(hasattr(MODULES[module], name) for name in CASES[module])


@pytest.mark.parametrize("module", list(CASES))
def test_under_cpython(module):
    class Stand:
        pass

    scope, wrong = {"math": math, "cmath": cmath, "np": np, "len": len}, []
    target = Stand()
    for name, function in library.foreign(module).items():
        setattr(target, name, staticmethod(function))
    *outer, name = library.FOREIGN[module].split(".")
    for around in reversed(outer):
        stand = Stand()
        setattr(stand, name, target)
        target, name = stand, around
    scope[name] = target
    for name, calls in CASES[module].items():
        for arguments in itertools.chain(*(variants(module, c, "vfij") for c in calls)):
            for values, want in zip(inputs(module, name)[1], originals(module, name, arguments)):
                if found := difference(call(function_of(scope, module, name, arguments), values), want, module):
                    wrong.append(f"{code(module, name, arguments)} of {values if len(values) == 4 else ''}: {found}")
    assert not wrong, "\n" + "\n".join(wrong[:20])


@pytest.mark.parametrize("module", list(CASES))
def test_translated(module):
    folder = harness.work_folder() / f"other-{module}"
    folder.mkdir(exist_ok=True)
    lines, cases = [HEAD], []
    for name, calls in CASES[module].items():
        for arguments in itertools.chain(*(variants(module, c, "vfj"[number % 2:][:2]) for number, c in enumerate(calls))):
            kinds = ", ".join(f"{p}: {t}" for p, t in inputs(module, name)[0].items())
            lines.append(f"\ndef f{len(cases)}({kinds}):\n    return {code(module, name, arguments)}\n")
            cases.append((name, arguments))
    path = folder / f"other_{module}.py"
    path.write_text("\n".join(lines))
    generated = folder / f"other_{module}.cpp"
    harness.run_step([harness.APPYC, path, "--target=cpu", "-o", generated], folder)
    harness.run_step(harness.build_line(generated).replace("-O3", "-O0"), folder)

    def work():
        wrapper = harness.load_wrapper(folder, path)
        for number, (name, _) in enumerate(cases):
            yield [call(getattr(wrapper, f"f{number}"), values) for values in inputs(module, name)[1]]

    with open(folder / "log", "w+b") as log:
        outcomes, _ = harness.in_child(work, log)
    assert len(outcomes) == len(cases), (folder / "log").read_text()
    wrong = []
    for (name, arguments), outcome in zip(cases, outcomes):
        for values, got, want in zip(inputs(module, name)[1], outcome, originals(module, name, arguments)):
            if found := difference(got, want, module):
                wrong.append(f"{code(module, name, arguments)} of {values if len(values) == 4 else ''}: {found}")
    assert not wrong, "\n" + "\n".join(wrong[:20])


def test_heaps_under_cpython():
    """Where equals stand, too: 1 and 1.0 are told apart. Translated they are in kernels_list_methods.py."""
    own, rng = library.foreign("heapq"), random.Random(1)
    assert set(own) == {"heappush", "heappop", "heapify", "heapreplace", "heappushpop", "nlargest", "nsmallest"}
    for _ in range(300):
        mine = [rng.choice((int, float))(rng.randrange(6)) for _ in range(rng.randrange(12))]
        theirs = list(mine)
        for name in rng.choices(("heapify", "heappush", "heappop", "heapreplace", "heappushpop"), k=12):
            items = () if name in ("heapify", "heappop") else (rng.choice((int, float))(rng.randrange(6)),)
            if theirs or name not in ("heappop", "heapreplace"):
                assert repr(own[name](mine, *items)) == repr(getattr(heapq, name)(theirs, *items))
            assert repr(mine) == repr(theirs)
        for name, n in itertools.product(("nlargest", "nsmallest"), (-1, 0, 2, 20)):
            for key in (None, lambda x: x % 3):
                assert repr(own[name](n, mine, key=key)) == repr(getattr(heapq, name)(n, theirs, key=key))


def test_listed():
    listing = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    listed = {line.split()[0] for line in listing.splitlines()}
    assert {f"{library.FOREIGN[m]}.{n}".removeprefix("numpy.") for m, n, _ in ALL} <= listed


def test_places_under_cpython():
    """Translated they are in kernels_iteration.py, with itertools."""
    own, rng = library.foreign("bisect"), random.Random(2)
    assert set(own) == {"bisect_left", "bisect_right", "bisect", "insort_left", "insort_right", "insort"}
    for _ in range(300):
        items = [rng.randrange(6) for _ in range(rng.randrange(9))]
        x, lo, hi = rng.randrange(6), rng.randrange(3), rng.choice((None, 2, len(items)))
        bounds = rng.choice(((), (lo,), (min(lo, len(items)), min(hi or 9, len(items)))))
        for name, function in own.items():
            mine, theirs = list(items), list(items)
            assert function(mine, x, *bounds) == getattr(bisect, name)(theirs, x, *bounds) and mine == theirs


def test_random_numbers_under_cpython():
    """Translated they are in test_unseeded.py."""
    own = library.foreign("python_random")
    given = {"random": [()], "uniform": [(2, 5.5)], "randint": [(1, 6), (-2**62, 2**62 - 1)], "randrange": [(10,), (3, 50, 7), (50, 3, -7)], "getrandbits": [(5,), (40,), (63,), (0,)],
             "gauss": [(0.0, 1.0), (1, 2), ()], "normalvariate": [(0, 1), ()], "lognormvariate": [(0, 0.5)], "expovariate": [(2.0,)], "triangular": [(), (1, 4, 2), (1, 1, 1)],
             "paretovariate": [(3.0,)], "weibullvariate": [(1.0, 2.0)], "gammavariate": [(2.5, 1.5), (1.0, 2), (0.4, 2)], "betavariate": [(2, 3)], "choice": [([3, 1, 4],)],
             "sample": [(range(10), 3), (range(500), 7), (range(30), 30)], "choices": [([3, 1, 4],), ([3, 1, 4], [1, 2, 3])]}
    assert set(own) == {*given, "seed", "shuffle"}
    with np.errstate(over="ignore"):
        for seed in (0, 1, -7, 2**31, 2**40 + 3, 2**63 - 1):
            state, theirs = own["seed"](None, seed), random.Random(seed)
            for _ in range(40):
                for name, calls in given.items():
                    for values in calls:
                        want = getattr(theirs, name)(*values)
                        got = own[name](state, *values)
                        assert got == want or np.allclose(got, want, rtol=1e-15, atol=0), (name, values)
                items = list(range(20))
                mine = list(items)
                own["shuffle"](state, mine)
                theirs.shuffle(items)
                assert mine == items


def test_operators_under_cpython():
    own = library.foreign("operator")
    given = {"inv": [(5,)], "truth": [(0,), (2,)], "is_": [(None, None), (1, None)], "is_not": [(1, None)], "getitem": [([1, 2], 1)],
             "contains": [([1, 2], 2), ((), 1)], "concat": [([1], [2])]}
    assert set(own) == {*given, "setitem"}
    for name, calls in given.items():
        assert all(own[name](*values) == getattr(operator, name)(*values) for values in calls)
    items = [1, 2]
    own["setitem"](items, 0, 3)
    assert items == [3, 2]


def test_iterators_under_cpython():
    own = library.foreign("itertools")
    items = [3, 1, 2, 5, 1]
    given = {"accumulate": [(items,), (items, operator.mul), ([],)], "combinations": [(items, 2), (items, 3), ([], 2)],
             "combinations_with_replacement": [(items, 2), (items, 3)], "permutations": [(items, 2), (items, 3)],
             "zip_longest": [(items, [1, 2]), ([], [1])], "takewhile": [(lambda x: x < 5, items)], "dropwhile": [(lambda x: x != 2, items)],
             "filterfalse": [(lambda x: x > 2, items)], "compress": [(items, [1, 0, 1, 1, 0])], "starmap": [(pow, [(2, 3), (3, 2)])]}
    assert set(own) == {*given, "groupby"}
    for key in (None, lambda x: x > 2):
        assert own["groupby"](items, key) == [(k, list(group)) for k, group in itertools.groupby(items, key)] and own["groupby"]([], key) == []
    for name, calls in given.items():
        assert all(list(own[name](*values)) == list(getattr(itertools, name)(*values)) for values in calls), name
    assert own["accumulate"](items, max, initial=4) == list(itertools.accumulate(items, max, initial=4))


def test_statistics_and_copies_under_cpython():
    """Translated they are in kernels_small_spellings.py."""
    own, rng = library.foreign("python_statistics"), random.Random(3)
    for _ in range(100):
        x = [rng.random() for _ in range(rng.randrange(2, 9))]
        for name, function in own.items():
            given = (x, [v * v + i for i, v in enumerate(x)]) if name in ("covariance", "correlation") else (x,)
            got, want = function(*given), getattr(statistics, name)(*given)
            assert type(got) is type(want) and np.allclose(got, want, rtol=1e-12, atol=0), name
    for k in ([1, 2, 1, 3, 2], [4], [7, 3, 3, 7]):
        assert own["mode"](k) == statistics.mode(k) and own["multimode"](k) == statistics.multimode(k)
        assert len(k) < 2 or own["quantiles"](k, n=5, method="inclusive") == statistics.quantiles(k, n=5, method="inclusive")
    own = library.foreign("copying")
    rows = [[1, 2], [3]]
    first, second = own["copy"](rows), own["deepcopy"](rows)
    assert first == second == rows and first[0] is rows[0] and second[0] is not rows[0] and first is not rows


def test_testing_under_cpython():
    """Translated they are in kernels_closures.py."""
    def raises(function, *values, **named):
        try:
            function(*values, **named)
        except AssertionError:
            return True
        return False

    own, nan, inf = library.foreign("testing"), np.nan, np.inf
    numbers = [1.0, 1.0 + 1e-9, 1.0 + 1e-6, nan, inf, -inf, np.array([1.0, nan]), np.array([1.0, inf]), np.array([1.0, 1.0]), np.array([[1.0]]), np.zeros(0), np.array([1, 2])]
    names = {"assert_allclose", "assert_array_equal", "assert_equal", "assert_almost_equal", "assert_array_almost_equal", "assert_array_less"}
    assert {name for name in own if not name.startswith("_")} == names
    with np.errstate(invalid="ignore"):
        for name, (a, b) in itertools.product(names, itertools.product(numbers, repeat=2)):
            assert raises(own[name], a, b) == raises(getattr(np.testing, name), a, b), (name, a, b)
    assert raises(own["assert_allclose"], 1.0, 2.0) and not raises(own["assert_allclose"], 1.0, 2.0, atol=1) and not raises(own["assert_almost_equal"], 1.0, 1.4, 0)
