"""np.testing: what raises AssertionError unless arrays are equal, nearly equal, or in order."""
import numpy as np


def _require_shapes(actual, desired, strict):
    if strict and actual.dtype != desired.dtype:
        raise AssertionError("Arrays are not equal (dtypes mismatch)")
    if actual.ndim != desired.ndim and (strict or (actual.ndim > 0 and desired.ndim > 0)):
        raise AssertionError("Arrays are not equal (shapes mismatch)")
    if actual.ndim == desired.ndim:
        if actual.shape != desired.shape:
            raise AssertionError("Arrays are not equal (shapes mismatch)")


def _both_nan(a, b):
    return np.isnan(a) & np.isnan(b)


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    actual = np.asarray(actual)
    desired = np.asarray(desired)
    _require_shapes(actual, desired, strict)
    if not np.allclose(actual, desired, rtol, atol, equal_nan):
        raise AssertionError("Not equal to the tolerance asked for")


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    actual = np.asarray(actual)
    desired = np.asarray(desired)
    _require_shapes(actual, desired, strict)
    if not np.all((actual == desired) | _both_nan(actual, desired)):
        raise AssertionError("Arrays are not equal")


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    np.testing.assert_array_equal(actual, desired, strict=strict)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    actual = np.asarray(actual)
    desired = np.asarray(desired)
    _require_shapes(actual, desired, False)
    near = abs(actual - desired) < 1.5 * 10.0 ** -decimal
    if not np.all(near | (actual == desired) | _both_nan(actual, desired)):
        raise AssertionError("Arrays are not almost equal")


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    np.testing.assert_array_almost_equal(actual, desired, decimal)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    x = np.asarray(x)
    y = np.asarray(y)
    _require_shapes(x, y, strict)
    if not np.all((x < y) | _both_nan(x, y)):
        raise AssertionError("Arrays are not strictly ordered `x < y`")
