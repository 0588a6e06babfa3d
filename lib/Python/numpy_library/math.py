"""Functions of Python's own `math` that are a few lines over others; the rest is the compiler's. Integers have 64 bits."""
import math

import numpy as np

from ._common import _erf, _erfc, _gamma, _log_gamma
from ._numbers import _are_close


def _whole(n):
    if not np.issubdtype(np.asarray(n).dtype, np.integer) and not np.issubdtype(np.asarray(n).dtype, np.bool_):
        raise TypeError("'float' object cannot be interpreted as an integer")
    return int(n)


def degrees(x, /):
    return float(x) * (180.0 / np.pi)


def radians(x, /):
    return float(x) * (np.pi / 180.0)


def fmod(x, y, /):
    u = float(x)
    v = float(y)
    if (np.isinf(u) and not np.isnan(v)) or (v == 0.0 and not np.isnan(u)):
        raise ValueError("math domain error")
    return float(np.fmod(u, v))


def remainder(x, y, /):
    u = float(x)
    v = float(y)
    if (np.isinf(u) and not np.isnan(v)) or (v == 0.0 and not np.isnan(u)):
        raise ValueError("math domain error")
    size = abs(u)
    by = abs(v)
    first = float(np.fmod(size, by))
    more = by - first
    rest = first
    if first > more:
        rest = -more
    elif first == more:  # of two the one whose quotient is even
        rest = first - 2.0 * float(np.fmod(0.5 * (size - first), by))
    if np.isinf(v) and not np.isnan(u):
        rest = size
    return math.copysign(1.0, u) * rest


def _common_divisor(a, b):
    x = abs(a)
    y = abs(b)
    while y != 0:
        rest = x % y
        x = y
        y = rest
    return x


def gcd(*integers):
    found = 0
    for n in integers:
        found = _common_divisor(found, _whole(n))
    return found


def lcm(*integers):
    found = 1
    for n in integers:
        divisor = _common_divisor(found, _whole(n))
        found = found // max(divisor, 1) * abs(_whole(n))
    return found


def factorial(n, /):
    count = _whole(n)
    if count < 0:
        raise ValueError("factorial() not defined for negative values")
    if count > 20:
        raise NotImplementedError("math.factorial of more than 20 has more than 64 bits; use floats, as math.gamma gives them")
    product = 1
    for k in range(2, count + 1):
        product *= k
    return product


def comb(n, k, /):
    count = _whole(n)
    chosen = _whole(k)
    if count < 0:
        raise ValueError("n must be a non-negative integer")
    if chosen < 0:
        raise ValueError("k must be a non-negative integer")
    fewer = max(min(chosen, count - chosen), 0)
    ways = 1 if chosen <= count else 0
    for j in range(1, fewer + 1):
        divisor = _common_divisor(ways, j)  # so that no product is larger than what it becomes
        ways = ways // max(divisor, 1) * ((count - fewer + j) // max(j // max(divisor, 1), 1))
    return ways


def perm(n, k=None, /):
    count = _whole(n)
    chosen = count if k is None else _whole(k)
    if count < 0:
        raise ValueError("n must be a non-negative integer")
    if chosen < 0:
        raise ValueError("k must be a non-negative integer")
    ways = 1 if chosen <= count else 0
    for j in range(min(chosen, count)):
        ways *= count - j
    return ways


def isqrt(n, /):
    whole = _whole(n)
    if whole < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = min(int(math.sqrt(float(whole))), 3037000499)
    if root * root > whole:
        root -= 1
    elif root < 3037000499 and (root + 1) * (root + 1) <= whole:
        root += 1
    return root


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return _are_close(float(a), float(b), rel_tol, abs_tol)


def ldexp(x, i, /):
    value = float(x)
    scaled = float(np.ldexp(value, _whole(i)))
    if np.isinf(scaled) and np.isfinite(value):
        raise OverflowError("math range error")
    return scaled


def frexp(x, /):
    fraction, exponent = np.frexp(float(x))
    return float(fraction), int(exponent)


def modf(x, /):
    value = float(x)
    fraction, whole = np.modf(value)
    return float(fraction), float(whole)


def prod(iterable, /, *, start=1):
    product = start
    for factor in list(iterable):
        product *= factor
    return product


def fsum(seq, /):
    """The exact sum, rounded once: it is kept as a sum of floats of which none shares a bit with another (Shewchuk)."""
    parts = np.empty(64)
    count = 0
    special = 0.0
    infinite = 0.0
    for item in list(seq):
        value = float(item)
        x = value
        kept = 0
        for k in range(count):
            y = parts[k]
            larger = x if abs(x) >= abs(y) else y
            smaller = y if abs(x) >= abs(y) else x
            x = larger + smaller
            rest = smaller - (x - larger)
            if rest != 0.0:
                parts[kept] = rest
                kept += 1
        count = kept
        if np.isfinite(x):
            if count == 64:
                raise NotImplementedError("the floats of math.fsum differ in more than it is written for; write `sum`")
            if x != 0.0:
                parts[count] = x
                count += 1
        else:
            if np.isfinite(value):
                raise OverflowError("intermediate overflow in fsum")
            if np.isinf(value):
                infinite += value
            special += value
            count = 0
    if special != 0.0:
        if np.isnan(infinite):
            raise ValueError("-inf + inf in fsum")
    return special if special != 0.0 else _rounded_once(parts, count)


def _rounded_once(parts, count):
    total = 0.0
    rest = 0.0
    k = count
    while k > 0 and rest == 0.0:
        k -= 1
        larger = total
        y = parts[k]
        total = larger + y
        rest = y - (total - larger)
    if k > 0 and ((rest < 0.0 and parts[k - 1] < 0.0) or (rest > 0.0 and parts[k - 1] > 0.0)):
        twice = rest * 2.0  # half of the last bit, and more behind it
        up = total + twice
        if up - total == twice:
            total = up
    return total


def dist(p, q, /):
    total = 0.0
    for x, y in zip(p, q):
        total = math.hypot(total, float(x) - float(y))
    return total


def erf(x, /):
    return float(_erf(float(x)))


def erfc(x, /):
    return float(_erfc(float(x)))


def gamma(x, /):
    value = float(x)
    if (value <= 0.0 and value == math.floor(max(value, -1e18))) or value == -np.inf:
        raise ValueError("math domain error")
    found = float(_gamma(value))
    if np.isinf(found) and np.isfinite(value):
        raise OverflowError("math range error")
    return found


def lgamma(x, /):
    value = float(x)
    if value <= 0.0 and value > -np.inf and value == math.floor(max(value, -1e18)):
        raise ValueError("math domain error")
    found = float(_log_gamma(value))
    if np.isinf(found) and np.isfinite(value):
        raise OverflowError("math range error")
    return found


def nextafter(x, y, /):
    return float(np.nextafter(float(x), float(y)))


def ulp(x, /):
    value = abs(float(x))
    return value if np.isinf(value) or np.isnan(value) else float(np.nextafter(value, np.inf) - value) if value < 1.7976931348623157e308 else 2.0**971
