"""scipy.fft, whose transforms are NumPy's."""
import numpy as np


def fft(x, n=None, axis=-1, norm=None):
    return np.fft.fft(x, n, axis, norm)


def ifft(x, n=None, axis=-1, norm=None):
    return np.fft.ifft(x, n, axis, norm)


def rfft(x, n=None, axis=-1, norm=None):
    return np.fft.rfft(x, n, axis, norm)


def irfft(x, n=None, axis=-1, norm=None):
    return np.fft.irfft(x, n, axis, norm)


def hfft(x, n=None, axis=-1, norm=None):
    return np.fft.hfft(x, n, axis, norm)


def ihfft(x, n=None, axis=-1, norm=None):
    return np.fft.ihfft(x, n, axis, norm)


def fft2(x, s=None, axes=(-2, -1), norm=None):
    return np.fft.fft2(x, s, axes, norm)


def ifft2(x, s=None, axes=(-2, -1), norm=None):
    return np.fft.ifft2(x, s, axes, norm)


def rfft2(x, s=None, axes=(-2, -1), norm=None):
    return np.fft.rfft2(x, s, axes, norm)


def irfft2(x, s=None, axes=(-2, -1), norm=None):
    return np.fft.irfft2(x, s, axes, norm)


def fftn(x, s=None, axes=None, norm=None):
    return np.fft.fftn(x, s, axes, norm)


def ifftn(x, s=None, axes=None, norm=None):
    return np.fft.ifftn(x, s, axes, norm)


def rfftn(x, s=None, axes=None, norm=None):
    return np.fft.rfftn(x, s, axes, norm)


def irfftn(x, s=None, axes=None, norm=None):
    return np.fft.irfftn(x, s, axes, norm)


def fftfreq(n, d=1.0):
    return np.fft.fftfreq(n, d)


def rfftfreq(n, d=1.0):
    return np.fft.rfftfreq(n, d)


def fftshift(x, axes=None):
    return np.fft.fftshift(x, axes)


def ifftshift(x, axes=None):
    return np.fft.ifftshift(x, axes)


def _angles(n):
    return np.arange(n) * (np.pi / (2 * n))


def _cosines(x):
    """2 * sum(x[j] * cos(pi * k * (2 * j + 1) / (2 * n))) along the last axis."""
    n = x.shape[-1]
    folded = np.fft.fft(np.concatenate((x[..., ::2], np.flip(x[..., 1::2], -1)), -1))
    t = _angles(n)
    return 2 * (folded.real * np.cos(t) + folded.imag * np.sin(t))


def _of_cosines(y):
    """What _cosines() gives that of."""
    n = y.shape[-1]
    back = np.concatenate((np.zeros_like(y[..., :1]), np.flip(y[..., 1:], -1)), -1)
    t = _angles(n)
    folded = np.fft.ifft(0.5 * (np.cos(t) + 1j * np.sin(t)) * (y - 1j * back)).real
    x = np.zeros(y.shape)
    x[..., ::2] = folded[..., :(n + 1) // 2]
    x[..., 1::2] = np.flip(folded[..., (n + 1) // 2:], -1)
    return x


def _cosine_scales(n, norm):
    """What _cosines() is multiplied by."""
    if norm == "ortho":
        return np.where(np.arange(n) == 0, np.sqrt(1 / (4 * n)), np.sqrt(1 / (2 * n)))
    return np.full(n, 1 / (2 * n) if norm == "forward" else 1.0)


def _cosine_transform(x, type, n, axis, norm, inverse):
    a = np.asarray(x)
    if n is not None or type not in (2, 3) or np.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError("cosine transforms are translated of real arrays, of types 2 and 3, without `n=`; cut or pad the array")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError("Invalid norm value")
    kind = a.dtype if np.issubdtype(a.dtype, np.floating) else np.float64
    rows = np.moveaxis(a.astype(np.float64), axis, -1)
    size = rows.shape[-1]
    if size == 0:
        raise ValueError("invalid number of data points (0) specified")
    if (type == 2) != inverse:
        other = norm if type == 2 or norm == "ortho" else ("backward" if norm == "forward" else "forward")
        found = _cosines(rows) * _cosine_scales(size, other)
    else:
        other = norm if type == 2 or norm == "ortho" else ("backward" if norm == "forward" else "forward")
        found = _of_cosines(rows / _cosine_scales(size, other))
    return np.moveaxis(found, -1, axis).astype(kind)


def dct(x, type=2, n=None, axis=-1, norm=None):
    return _cosine_transform(x, type, n, axis, norm, False)


def idct(x, type=2, n=None, axis=-1, norm=None):
    return _cosine_transform(x, type, n, axis, norm, True)


def _all_axes(x, type, s, axes, norm, inverse):
    found = np.asarray(x)
    if s is not None:
        raise NotImplementedError("cosine transforms are translated without `s=`; cut or pad the array")
    for axis in range(found.ndim) if axes is None else (axes if isinstance(axes, (tuple, list)) else (axes,)):
        found = _cosine_transform(found, type, None, axis, norm, inverse)
    return found


def dctn(x, type=2, s=None, axes=None, norm=None):
    return _all_axes(x, type, s, axes, norm, False)


def idctn(x, type=2, s=None, axes=None, norm=None):
    return _all_axes(x, type, s, axes, norm, True)
