"""Floating point: special values, floor division and modulo, promotion, the elementwise functions."""
from __future__ import annotations

import numpy as np

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 3.0, -3.0, 7.25, 1e300, -1e-300, np.inf, -np.inf, np.nan)
SIZES = (0, 1, 33, 257)


def special_pairs(dtype):
    a, b = np.meshgrid(np.array(SPECIAL, dtype=dtype), np.array(SPECIAL, dtype=dtype))
    return a.ravel(), b.ravel()


def inputs_floor_division(size, rng):
    with np.errstate(all="ignore"):
        return special_pairs(np.float64)


def inputs_floor_division_f32(size, rng):
    with np.errstate(all="ignore"):
        return special_pairs(np.float32)


def floor_division(a: f64[N], b: f64[N]):
    return a // b, a % b, a / b


def floor_division_f32(a: f32[N], b: f32[N]):
    return a // b, a % b, a / b


def nan_in_extremes(a: f64[N], b: f64[N]):
    """maximum and minimum keep a nan, fmax and fmin drop it."""
    return np.maximum(a, b), np.minimum(a, b), np.fmax(a, b), np.fmin(a, b)


def comparisons_with_nan(a: f64[N], b: f64[N]):
    return a < b, a == b, a != b, a >= b


def classification(a: f64[N], b: f64[N]):
    return np.isnan(a), np.isinf(a), np.isfinite(b), np.sign(a), np.copysign(a, b), np.abs(b)


inputs_nan_in_extremes = inputs_comparisons_with_nan = inputs_classification = inputs_floor_division
sizes_floor_division = sizes_floor_division_f32 = sizes_nan_in_extremes = sizes_comparisons_with_nan = (1,)
sizes_classification = (1,)


def exponentials(a: f64[N]):
    return np.exp(a), np.exp2(a), np.expm1(a), np.log(a), np.log2(a), np.log10(a), np.log1p(a)


def roots_and_powers(a: f64[N], b: f64[N]):
    return np.sqrt(a), np.cbrt(a), np.square(a), a ** b, a ** 2, a ** 0.5, a ** 3, 2.0 ** a, np.power(a, b)


def inputs_roots_and_powers(size, rng):
    return rng.random(size) * 3.0, rng.random(size) * 4.0 - 2.0


def trigonometry(a: f64[N]):
    return np.sin(a), np.cos(a), np.tan(a), np.arcsin(a), np.arccos(a), np.arctan(a), np.arctan2(a, a - 0.5)


def hyperbolics(a: f64[N]):
    return np.sinh(a), np.cosh(a), np.tanh(a), np.arcsinh(a), np.arccosh(a + 1.0), np.arctanh(a * 0.9), np.hypot(a, 2.0)


def rounding(a: f64[N]):
    return np.floor(a), np.ceil(a), np.trunc(a), np.rint(a)


def inputs_rounding(size, rng):
    return ((rng.integers(-20, 20, size) / 4).astype(np.float64),)


def functions_of_integers(k: i32[N]):
    return np.sqrt(k), np.exp(k), np.sin(k)


def inputs_functions_of_integers(size, rng):
    return (rng.integers(0, 20, size).astype(np.int32),)


def single_precision_stays(x: f32[N], y: f32[N]):
    """Python's numbers do not widen a float32."""
    return x * 2 + 0.1, np.exp(x) / 3, x ** 2, np.sqrt(x) - y, np.maximum(x, 0.25)


def inputs_single_precision_stays(size, rng):
    return rng.random(size, dtype=np.float32), rng.random(size, dtype=np.float32)


def widening(x: f32[N], k: i32[N], h: i16[N], a: f64[N]):
    return x + k, x + h, x + a, k / h, x * np.float64(2.0)


def inputs_widening(size, rng):
    return (rng.random(size, dtype=np.float32), rng.integers(-9, 9, size).astype(np.int32),
            rng.integers(1, 9, size).astype(np.int16), rng.random(size))


def narrowing_assignment(a: f64[N], x: f32[N], k: i64[N]):
    """A slice assignment converts to the array's type."""
    x[:] = a * 3.0
    k[:] = a * 10.0


def inputs_narrowing_assignment(size, rng):
    return rng.random(size), np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.int64)


def scalar_floor_division(x: f64, y: f64):
    return x // y, x % y, x / y, x ** 2, -x


def inputs_scalar_floor_division(size, rng):
    return float(rng.normal()) * 5.0, float(rng.choice((-2.5, -1.0, 0.75, 3.0)))


sizes_scalar_floor_division = tuple(range(10))


def scalar_functions(x: f64):
    return np.exp(x), np.sqrt(x), abs(x), np.floor(x), min(x, 0.5), max(x, 0.5), int(x * 10.0), float(3)


def inputs_scalar_functions(size, rng):
    return (float(rng.random()),)


def polynomial(x: f64[N]) -> f64[N]:
    result = np.zeros_like(x)
    for k in range(6):
        result = result * x + 1.0 / (k + 1)
    return result


def make_inputs(size, rng):
    return (rng.random(size) * 0.9 + 0.05,)


def from_zero(k: i64[N], b: u8[N], x: f64[N]):
    """0 less 0 is no negative zero."""
    return 1.0 / (0.0 - k), 1.0 / (np.float32(0) - b), 1.0 / (0.0 - x), 1.0 / (-0.0 - k)


def inputs_from_zero(size, rng):
    return rng.integers(-1, 2, size), rng.integers(0, 2, size).astype(np.uint8), rng.integers(-1, 2, size) * 1.0
