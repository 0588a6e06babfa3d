"""Python's own `cmath`."""
import numpy as np

from ._numbers import _are_close


def _complex_result(z, w, is_range):
    """Raises where CPython does: a result that is not finite of a number that is."""
    is_lost = np.isfinite(z) and not np.isfinite(w)
    if is_range:
        if is_lost:
            raise OverflowError("math range error")
    else:
        if is_lost:
            raise ValueError("math domain error")
    return complex(w)


def exp(z, /):
    return _complex_result(complex(z), np.exp(complex(z)), True)


def log(z, base=None, /):
    if complex(z) == 0:
        raise ValueError("math domain error")
    found = np.log(complex(z))
    if base is None:
        return complex(found)
    return complex(found) / complex(np.log(complex(base)))


def log10(z, /):
    if complex(z) == 0:
        raise ValueError("math domain error")
    return complex(np.log10(complex(z)))


def sqrt(z, /):
    return complex(np.sqrt(complex(z)))


def sin(z, /):
    return _complex_result(complex(z), np.sin(complex(z)), True)


def cos(z, /):
    return _complex_result(complex(z), np.cos(complex(z)), True)


def tan(z, /):
    return _complex_result(complex(z), np.tan(complex(z)), True)


def sinh(z, /):
    return _complex_result(complex(z), np.sinh(complex(z)), True)


def cosh(z, /):
    return _complex_result(complex(z), np.cosh(complex(z)), True)


def tanh(z, /):
    return _complex_result(complex(z), np.tanh(complex(z)), True)


def asin(z, /):
    return complex(np.arcsin(complex(z)))


def acos(z, /):
    return complex(np.arccos(complex(z)))


def atan(z, /):
    return _complex_result(complex(z), np.arctan(complex(z)), False)


def asinh(z, /):
    return complex(np.arcsinh(complex(z)))


def acosh(z, /):
    return complex(np.arccosh(complex(z)))


def atanh(z, /):
    return _complex_result(complex(z), np.arctanh(complex(z)), False)


def phase(z, /):
    w = complex(z)
    return float(np.arctan2(w.imag, w.real))


def polar(z, /):
    w = complex(z)
    return float(np.hypot(w.real, w.imag)), float(np.arctan2(w.imag, w.real))


def rect(r, phi, /):
    size = float(r)
    angle = float(phi)
    if np.isinf(angle) and size != 0.0 and not np.isnan(size):
        raise ValueError("math domain error")
    across = size * float(np.cos(angle))
    up = size * float(np.sin(angle))
    if size == 0.0 and not np.isfinite(angle):
        across = 0.0
        up = 0.0
    if np.isinf(size) and angle == 0.0:
        up = float(np.copysign(1.0, size)) * angle
    return complex(across, up)


def isfinite(z, /):
    return bool(np.isfinite(complex(z)))


def isinf(z, /):
    return bool(np.isinf(complex(z)))


def isnan(z, /):
    return bool(np.isnan(complex(z)))


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return _are_close(complex(a), complex(b), rel_tol, abs_tol)
