"""np.fft: discrete Fourier transforms, which stand upon complex transforms of rows; frequencies, and halves in each other's place."""
import numpy as np

from ._common import _axes, _axis, _is_sequence, _swapped, _transform_rows


def _refuse_out(out, name):
    if out is not None:
        raise NotImplementedError("`out=` of `np.fft.%s` is not translated; assign the result to a slice" % name)


def _factor(norm, n, forward):
    """What a transform of n points is multiplied by, or None."""
    if norm is not None and norm not in ("backward", "ortho", "forward"):
        raise ValueError('Invalid norm value %s; should be "backward", "ortho" or "forward".' % norm)
    if norm == "ortho":
        return float(1.0 / np.sqrt(n))
    if (norm == "forward") == forward:
        return float(1.0 / np.float64(n))
    return None


def _check_points(n):
    if n < 1:
        raise ValueError("Invalid number of FFT data points (%d) specified." % n)


def _spectral_type(a):
    """The complex type that NumPy computes in."""
    return np.result_type(a.dtype, np.complex64) if np.issubdtype(a.dtype, np.inexact) else np.complex128


def _spread(a, n, type):
    """A copy with n elements in each row: cut off, or with zeros behind."""
    rows = np.zeros(a.shape[:-1] + (n,), type)
    count = min(n, a.shape[-1])
    rows[..., :count] = a[..., :count]
    return rows


def _by_factor(a, factor):
    return a if factor is None else a * factor


def _complex(a, n, axis, norm, forward):
    a = np.asarray(a)
    points = a.shape[axis] if n is None else n
    _check_points(points)
    factor = _factor(norm, points, forward)
    d = _axis(axis, a.ndim)
    rows = _swapped(a, d, a.ndim - 1)
    spectrum = rows.astype(_spectral_type(a)) if n is None else _spread(rows, n, _spectral_type(a))
    _transform_rows(spectrum, -1 if forward else 1)
    if d < a.ndim - 1:
        return np.ascontiguousarray(_swapped(_by_factor(spectrum, factor), d, a.ndim - 1))
    if factor is not None:
        spectrum *= factor
    return spectrum


def fft(a, n=None, axis=-1, norm=None, out=None):
    _refuse_out(out, "fft")
    return _complex(a, n, axis, norm, True)


def ifft(a, n=None, axis=-1, norm=None, out=None):
    _refuse_out(out, "ifft")
    return _complex(a, n, axis, norm, False)


def _half(a, n, axis, norm):
    """The first half of what real numbers give, which says the other."""
    a = np.asarray(a)
    points = a.shape[axis] if n is None else n
    _check_points(points)
    factor = _factor(norm, points, True)
    d = _axis(axis, a.ndim)
    if np.issubdtype(a.dtype, np.complexfloating):
        raise TypeError("a transform of real numbers takes no complex ones; np.fft.fft does")
    rows = _swapped(a, d, a.ndim - 1)
    spectrum = rows.astype(_spectral_type(a)) if n is None else _spread(rows, n, _spectral_type(a))
    _transform_rows(spectrum, -1)
    return _swapped(_by_factor(spectrum[..., : points // 2 + 1], factor), d, a.ndim - 1).copy()


def _from_half(a, n, axis, norm):
    """The real numbers of which that is a half: the other half's part is the conjugate of this one's."""
    a = np.asarray(a)
    points = 2 * (a.shape[axis] - 1) if n is None else n
    _check_points(points)
    factor = _factor(norm, points, False)
    d = _axis(axis, a.ndim)
    rows = _swapped(a, d, a.ndim - 1)
    count = rows.shape[-1] if n is None else min(n // 2 + 1, rows.shape[-1])
    k = np.arange(count)
    half = rows[..., :count].astype(_spectral_type(a))
    spectrum = np.zeros(rows.shape[:-1] + (points,), half.dtype)
    spectrum[..., :count] = np.where((k == 0) | (2 * k == points), np.real(half), 2 * half)
    _transform_rows(spectrum, 1)
    return _swapped(_by_factor(np.real(spectrum), factor), d, a.ndim - 1).copy()


def _other(norm):
    """The norm by which the way back is scaled as the way forth is by this one."""
    return "forward" if norm is None or norm == "backward" else "backward" if norm == "forward" else norm


def rfft(a, n=None, axis=-1, norm=None, out=None):
    _refuse_out(out, "rfft")
    return _half(a, n, axis, norm)


def irfft(a, n=None, axis=-1, norm=None, out=None):
    _refuse_out(out, "irfft")
    return _from_half(a, n, axis, norm)


def hfft(a, n=None, axis=-1, norm=None, out=None):
    _refuse_out(out, "hfft")
    return _from_half(np.conj(a), n, axis, _other(norm))


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    _refuse_out(out, "ihfft")
    return np.conj(_half(a, n, axis, _other(norm)))


def _points_and_axes(a, s, axes):
    """How many points each axis gets, None for as many as it has, and the axes."""
    if (s is not None and not _is_sequence(s)) or (axes is not None and not _is_sequence(axes)):
        raise TypeError("`s` and `axes` are tuples")
    if a.ndim == 0 or (axes is not None and len(axes) == 0):
        raise NotImplementedError("a transform along no axis is not translated")
    count = len(axes) if axes is not None else a.ndim if s is None else len(s)
    if s is not None and len(s) != count:
        raise ValueError("Shape and axes have different lengths.")
    points = ()
    found = ()
    for i in range(count):
        axis = i - count if axes is None else axes[i]
        n = None
        if s is not None:
            n = s[i] if s[i] is None or s[i] != -1 else a.shape[axis]
        elif _is_twice(axes, a.ndim):
            n = a.shape[axis]  # as it is before the first of both
        points = points + (n,)
        found = found + (axis,)
    return points, found


def _is_twice(axes, ndim):
    found = ()
    twice = False
    for axis in () if axes is None else axes:
        twice = twice or axis % ndim in found
        found = found + (axis % ndim,)
    return twice


def _each(a, points, axes, norm, forward):
    """Along the axes from the last one to the first one."""
    for i in range(len(axes)):
        a = _complex(a, points[-1 - i], axes[-1 - i], norm, forward)
    return a


def fftn(a, s=None, axes=None, norm=None, out=None):
    _refuse_out(out, "fftn")
    a = np.asarray(a)
    points, axes = _points_and_axes(a, s, axes)
    return _each(a, points, axes, norm, True)


def ifftn(a, s=None, axes=None, norm=None, out=None):
    _refuse_out(out, "ifftn")
    a = np.asarray(a)
    points, axes = _points_and_axes(a, s, axes)
    return _each(a, points, axes, norm, False)


def rfftn(a, s=None, axes=None, norm=None, out=None):
    _refuse_out(out, "rfftn")
    a = np.asarray(a)
    points, axes = _points_and_axes(a, s, axes)
    return _each(_half(a, points[-1], axes[-1], norm), points[:-1], axes[:-1], norm, True)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    _refuse_out(out, "irfftn")
    a = np.asarray(a)
    points, axes = _points_and_axes(a, s, axes)
    last = 2 * (a.shape[axes[-1]] - 1) if s is None else points[-1]
    for i in range(len(axes) - 1):
        a = _complex(a, points[i], axes[i], norm, False)
    return _from_half(a, last, axes[-1], norm)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    _refuse_out(out, "fft2")
    return np.fft.fftn(a, s, axes, norm)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    _refuse_out(out, "ifft2")
    return np.fft.ifftn(a, s, axes, norm)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    _refuse_out(out, "rfft2")
    return np.fft.rfftn(a, s, axes, norm)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    _refuse_out(out, "irfft2")
    return np.fft.irfftn(a, s, axes, norm)


def _check_count(n):
    if np.ndim(n) != 0 or np.issubdtype(np.result_type(n), np.inexact):
        raise ValueError("n should be an integer")


def fftfreq(n, d=1.0, device=None):
    _check_count(n)
    k = np.arange(n)
    return np.where(k < (n - 1) // 2 + 1, k, k - n) * (1.0 / (n * d))


def rfftfreq(n, d=1.0, device=None):
    _check_count(n)
    return np.arange(n // 2 + 1) * (1.0 / (n * d))


def fftshift(x, axes=None):
    x = np.asarray(x)
    for axis in _axes(axes, x.ndim):
        x = np.roll(x, x.shape[axis] // 2, axis)
    return x


def ifftshift(x, axes=None):
    x = np.asarray(x)
    for axis in _axes(axes, x.ndim):
        x = np.roll(x, -(x.shape[axis] // 2), axis)
    return x
