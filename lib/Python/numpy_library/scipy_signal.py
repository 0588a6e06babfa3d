"""scipy.signal: sums of products with a shift, and filters."""
import numpy as np

from ._common import _axis


def _joined(a, b, mode, name):
    if mode not in ("full", "same", "valid"):
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    kind = np.result_type(a, b)
    if kind == np.bool_:
        raise NotImplementedError("`scipy.signal.%s` of booleans is not translated; convert them" % name)
    return kind


def _convolved(a, b, mode, boundary, fillvalue, kind):
    """sum over k, l of b[k, l] * a[i - k, j - l], of matrices; `a` goes on as the boundary says."""
    rows = a.shape[0]
    columns = a.shape[1]
    down = b.shape[0]
    right = b.shape[1]
    first = 0
    second = 0
    height = rows + down - 1
    width = columns + right - 1
    if mode == "same":
        first = (down - 1) // 2
        second = (right - 1) // 2
        height = rows
        width = columns
    elif mode == "valid":
        first = down - 1
        second = right - 1
        height = rows - down + 1
        width = columns - right + 1
    made = np.zeros((height, width), kind)
    for i in range(height):
        for j in range(width):
            total = np.zeros((), kind)[()]
            for k in range(down):
                for l in range(right):
                    y = i + first - k
                    x = j + second - l
                    if boundary == "wrap":
                        total = total + b[k, l].astype(kind) * a[y % rows, x % columns].astype(kind)
                    elif boundary == "symm":
                        y = y % (2 * rows)
                        x = x % (2 * columns)
                        y = min(y, 2 * rows - 1 - y)
                        x = min(x, 2 * columns - 1 - x)
                        total = total + b[k, l].astype(kind) * a[y, x].astype(kind)
                    elif y >= 0 and y < rows and x >= 0 and x < columns:
                        total = total + b[k, l].astype(kind) * a[y, x].astype(kind)
                    elif fillvalue is not None:
                        total = total + b[k, l].astype(kind) * fillvalue
            made[i, j] = total
    return made


def _signal_convolved(in1, in2, mode="full", method="auto"):
    a = np.asarray(in1)
    b = np.asarray(in2)
    if method not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    if a.ndim != b.ndim:
        raise ValueError("volume and kernel should have the same dimensionality")
    if a.ndim != 1 and a.ndim != 2:
        raise NotImplementedError("`scipy.signal.convolve` is translated of vectors and matrices")
    kind = _joined(a, b, mode, "convolve")
    if mode == "valid":
        if a.ndim == 1:
            if len(a) < len(b):
                raise NotImplementedError("`mode='valid'` is translated where the second array is not the larger one")
        elif a.shape[0] < b.shape[0] or a.shape[1] < b.shape[1]:
            raise NotImplementedError("`mode='valid'` is translated where the second array is not the larger one")
    if a.ndim == 1:
        return _convolved(a[None], b[None], mode, "fill", None, kind)[0]
    return _convolved(a, b, mode, "fill", None, kind)


def convolve(in1, in2, mode="full", method="auto"):
    return _signal_convolved(in1, in2, mode, method)


def fftconvolve(in1, in2, mode="full", axes=None):
    if axes is not None:
        raise NotImplementedError("`axes=` of `scipy.signal.fftconvolve` is not translated")
    kind = np.result_type(in1, in2, np.float32)
    return _signal_convolved(np.asarray(in1).astype(kind), np.asarray(in2).astype(kind), mode)


def _turned(b):
    found = np.conj(b) if np.issubdtype(b.dtype, np.complexfloating) else b
    return found[::-1] if b.ndim == 1 else found[::-1, ::-1]


def correlate(in1, in2, mode="full", method="auto"):
    b = np.asarray(in2)
    if b.ndim != 1 and b.ndim != 2:
        raise NotImplementedError("`scipy.signal.correlate` is translated of vectors and matrices")
    return _signal_convolved(in1, _turned(b), mode, method)


def _checked_2d(a, b, mode, boundary):
    if a.ndim != 2 or b.ndim != 2:
        raise ValueError("convolve2d inputs must both be 2-D arrays")
    if boundary not in ("fill", "wrap", "symm"):
        raise ValueError("Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm').")
    if mode == "valid":
        if a.shape[0] < b.shape[0] or a.shape[1] < b.shape[1]:
            raise NotImplementedError("`mode='valid'` is translated where the second array is not the larger one")


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    a = np.asarray(in1)
    b = np.asarray(in2)
    around = "wrap" if boundary == "circular" else "symm" if boundary == "symmetric" else boundary
    _checked_2d(a, b, mode, around)
    return _convolved(a, b, mode, around, fillvalue, _joined(a, b, mode, "convolve2d"))


def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    a = np.asarray(in1)
    b = np.asarray(in2)
    around = "wrap" if boundary == "circular" else "symm" if boundary == "symmetric" else boundary
    _checked_2d(a, b, mode, around)
    if mode == "same" and (b.shape[0] % 2 == 0 or b.shape[1] % 2 == 0):
        raise NotImplementedError("`mode='same'` of `scipy.signal.correlate2d` takes kernels of odd sizes")
    return _convolved(a, _turned(b), mode, around, fillvalue, _joined(a, b, mode, "correlate2d"))


def lfilter(b, a, x, axis=-1, zi=None):
    if zi is not None:
        raise NotImplementedError("`zi=` of `scipy.signal.lfilter` is not translated")
    up = np.atleast_1d(b)
    down = np.atleast_1d(a)
    x = np.asarray(x)
    if up.ndim != 1 or down.ndim != 1:
        raise ValueError("object of too small depth for desired array")
    kind = np.result_type(up, down, x, np.float32)
    moved = np.moveaxis(x, _axis(axis, x.ndim), -1)
    n = moved.shape[-1]
    rows = np.reshape(moved, (-1, n)) if x.ndim > 1 else moved[None]
    if down[0] == 0:
        raise ValueError("The first element of a must be nonzero.")
    made = np.empty(rows.shape, kind)
    for i in range(rows.shape[0]):
        for j in range(n):
            total = np.zeros((), kind)[()]
            for k in range(min(len(up), j + 1)):
                total = total + up[k].astype(kind) / down[0].astype(kind) * rows[i, j - k].astype(kind)
            for k in range(1, min(len(down), j + 1)):
                total = total - down[k].astype(kind) / down[0].astype(kind) * made[i, j - k]
            made[i, j] = total
    if x.ndim == 1:
        return made[0]
    return np.moveaxis(np.reshape(made, moved.shape), -1, axis)


def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    data = np.asarray(data)
    if type == "constant" or type == "c":
        return data - np.mean(data, axis, keepdims=True)
    if np.ndim(bp) != 0 or overwrite_data:
        raise NotImplementedError("`bp=` and `overwrite_data=` of `scipy.signal.detrend` are not translated")
    if bp != 0:
        raise NotImplementedError("`bp=` and `overwrite_data=` of `scipy.signal.detrend` are not translated")
    moved = np.moveaxis(data if np.issubdtype(data.dtype, np.inexact) else data.astype(np.float64), axis, -1)
    n = moved.shape[-1]
    t = np.arange(n) - (n - 1) / 2.0
    t = t.astype(moved.real.dtype)
    slope = np.sum(moved * t, axis=-1, keepdims=True) / np.maximum(np.sum(t * t), 1e-300).astype(t.dtype)
    level = np.mean(moved, axis=-1, keepdims=True)
    return np.moveaxis(moved - level - slope * t, -1, axis)


def medfilt(volume, kernel_size=3):
    a = np.asarray(volume)
    if np.ndim(kernel_size) != 0:
        raise NotImplementedError("`kernel_size=` of `scipy.signal.medfilt` is a number")
    if kernel_size % 2 != 1:
        raise ValueError("Each element of kernel_size should be odd.")
    if a.ndim != 1 or not np.issubdtype(a.dtype, np.floating):
        raise NotImplementedError("`scipy.signal.medfilt` is translated of vectors of floats")
    half = kernel_size // 2
    made = np.zeros(len(a), a.dtype)
    for i in range(len(a)):
        middle = np.zeros((), a.dtype)[()]
        for k in range(-half, half + 1):
            v = np.zeros((), a.dtype)[()]
            if i + k >= 0 and i + k < len(a):
                v = a[i + k]
            below = 0
            equal = 0
            for l in range(-half, half + 1):
                other = np.zeros((), a.dtype)[()]
                if i + l >= 0 and i + l < len(a):
                    other = a[i + l]
                if other < v:
                    below += 1
                if other == v:
                    equal += 1
            if below <= half and half < below + equal:
                middle = v
        made[i] = middle
    return made


def sawtooth(t, width=1):
    if np.ndim(width) != 0:
        raise NotImplementedError("`width=` of `scipy.signal.sawtooth` is a number")
    kind = np.result_type(t, np.float64)
    w = np.float64(width)
    turned = np.mod(np.asarray(t).astype(kind), 2 * np.pi)
    rising = turned / (np.pi * np.where(w == 0, 1.0, w)) - 1
    falling = (np.pi * (w + 1) - turned) / (np.pi * np.where(w == 1, 1.0, 1 - w))
    return np.where((w > 1) | (w < 0), np.nan, np.where(turned < w * 2 * np.pi, rising, falling))


def square(t, duty=0.5):
    if np.ndim(duty) != 0:
        raise NotImplementedError("`duty=` of `scipy.signal.square` is a number")
    w = np.float64(duty)
    turned = np.mod(np.asarray(t).astype(np.float64), 2 * np.pi)
    return np.where((w > 1) | (w < 0), np.nan, np.where(turned < w * 2 * np.pi, 1.0, -1.0))
