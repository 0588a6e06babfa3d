"""np.fft: frequencies, and halves in each other's place."""
import numpy as np

from ._common import _axes


def fftfreq(n, d=1.0, device=None):
    k = np.arange(n)
    return np.where(k < (n - 1) // 2 + 1, k, k - n) * (1.0 / (n * d))


def rfftfreq(n, d=1.0, device=None):
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
