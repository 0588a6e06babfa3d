"""Python's own round(x, n) and pow(a, b, m), and what `math` and `cmath` share."""
import numpy as np

from ._bits import _high_product


def _rounded_float(x, digits):
    """The float nearest to the decimal fraction of so many digits that is nearest to x, of two the one whose last digit is even."""
    if not -18 <= digits <= 22:
        raise NotImplementedError("round(x, n) of a float takes an n from -18 to 22 here")
    size = abs(x)
    rounded = size
    if digits >= 0:
        scale = (1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
                 1e21, 1e22)[digits]
        if size * scale < 2.0**53:  # else floats lie no closer than decimal fractions of so many digits
            rounded = _whole_part(size, digits) / scale
    elif size < 2.0**53:
        rounded = float(_rounded_integer_half(int(size), -digits, size != int(size)))
    elif size < np.inf:
        raise NotImplementedError("round(x, n) with n < 0 takes floats below 2**53 here")
    return -rounded if x < 0 or (x == 0 and np.signbit(x)) else rounded


def _whole_part(size, digits):
    """size * 10**digits as an integer, by its exact value: size = mantissa * 2**exponent, times 5**digits, times 2**digits."""
    fraction, exponent = np.frexp(size)
    mantissa = np.uint64(fraction * 2.0**53)
    power = np.uint64((1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625,
                        1220703125, 6103515625, 30517578125, 152587890625, 762939453125,
                        3814697265625, 19073486328125, 95367431640625, 476837158203125,
                        2384185791015625)[digits])
    high = _high_product(mantissa, power)
    low = mantissa * power
    shift = 53 - int(exponent) - digits
    far = shift > 64  # all of the lower word is behind the point
    upper = high * np.uint64(not far)
    lower = high if far else low
    by = np.uint64(min(max(shift - 64 if far else shift, 1), 64))
    half = np.uint64(1) << (by - np.uint64(1))
    rest = lower & (half + (half - np.uint64(1)))
    whole = (upper << (np.uint64(64) - by)) | (lower >> by)
    is_more = far and low > 0
    is_up = rest > half or (rest == half and (is_more or whole % np.uint64(2) == 1))
    rounded = float(whole + np.uint64(is_up))
    if shift <= 0:
        rounded = float(low << np.uint64(max(-shift, 0)))
    return 0.0 if shift > 126 else rounded


def _rounded_integer_half(number, zeros, is_more):
    """A number >= 0, or a little more, as a multiple of 10**zeros."""
    unit = (1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
            1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000,
            100000000000000000, 1000000000000000000)[zeros]
    whole = number // unit
    rest = number % unit
    is_up = rest > unit // 2 or (rest == unit // 2 and (is_more or whole % 2 == 1))
    return (whole + is_up) * unit


def _rounded_integer(number, digits):
    if digits >= 0:
        return number
    if digits < -17:
        raise NotImplementedError("round(x, n) of an integer takes an n from -17 on here")
    size = _rounded_integer_half(abs(number), -digits, False)
    return -size if number < 0 else size


def _power_modulo(base, exponent, modulus):
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    result = 1 % modulus
    factor = base % modulus
    left = exponent
    if exponent < 0:
        factor = _inverse_modulo(factor, modulus)
        left = -exponent
    if not -3037000499 <= modulus <= 3037000499:
        return _power_modulo_long(factor, left, modulus)
    while left > 0:
        if left % 2 == 1:
            result = result * factor % modulus
        factor = factor * factor % modulus
        left //= 2
    return result


def _inverse_modulo(a, m):
    """1 / a, by the steps that find the greatest common divisor."""
    size = abs(m)
    x, y = 0, 1
    r, s = size, a % size
    while s != 0:
        q = r // s
        x, y = y, x - q * y
        r, s = s, r - q * s
    if r != 1:
        raise ValueError("base is not invertible for the given modulus")
    return x % m


def _times_modulo(a, b, m):
    """Of numbers from 0 to m - 1, whose product 64 bits do not hold."""
    result = 0
    factor = a
    left = b
    while left > 0:
        if left % 2 == 1:
            result = result - (m - factor) if result >= m - factor else result + factor
        factor = factor - (m - factor) if factor >= m - factor else factor + factor
        left //= 2
    return result


def _power_modulo_long(base, exponent, modulus):
    size = abs(modulus)
    result = 1
    factor = base % size
    left = exponent
    while left > 0:
        if left % 2 == 1:
            result = _times_modulo(result, factor, size)
        factor = _times_modulo(factor, factor, size)
        left //= 2
    return result + modulus if modulus < 0 and result > 0 else result


def _are_close(x, y, rel_tol, abs_tol):
    """Of two floats, or two complex numbers."""
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if np.isinf(x) or np.isinf(y):
        return bool(x == y)
    return bool(x == y or abs(x - y) <= max(rel_tol * max(abs(x), abs(y)), abs_tol))
