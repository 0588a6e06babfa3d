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
