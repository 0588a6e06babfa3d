"""np.fft on the CPU: lengths that are small, prime, products of many factors; all norms, axes and numbers of points."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (1, 2, 3, 4, 5, 30, 49, 64, 97, 121, 128, 211)


def there_and_back(z: c128[N], a: f64[N], k: i32[N]):
    return np.fft.fft(z), np.fft.ifft(z), np.fft.fft(a, norm="ortho"), np.fft.ifft(k, norm="forward"), np.fft.ifft(np.fft.fft(z))


def single(z: c64[M, N], a: f32[M, N]):
    return np.fft.fft(z), np.fft.ifft(a, axis=0, norm="ortho"), np.fft.rfft(a, norm="forward"), np.fft.irfft(z, 9), np.fft.fft2(z)


def rows_and_columns(z: c128[M, N], c: c128[3, N, 4]):
    return np.fft.fft(z), np.fft.fft(z, axis=0), np.fft.ifft(c, axis=1), np.fft.ifft(z.T, axis=-1), np.fft.fft(z[::-1, ::2])


def halves(a: f64[M, N], z: c128[M, N]):
    return np.fft.rfft(a), np.fft.rfft(a, axis=0), np.fft.irfft(z, a.shape[1]), np.fft.irfft(z, a.shape[0], axis=0), np.fft.irfft(np.fft.rfft(a), a.shape[1])


def hermitian(a: f64[N], z: c128[N], n: int):
    return np.fft.hfft(z, n), np.fft.ihfft(a), np.fft.ihfft(a, n, norm="ortho"), np.fft.irfft(z, n, norm="forward")


def cut_and_padded(z: c128[N], a: f64[N], n: int):
    x = np.fft.fft(z, n)
    y = np.fft.rfft(a, n, norm="ortho")
    z[:] = np.fft.fft(z)[::-1] * 0.5
    return x, y, np.fft.ifft(a, 2 * n + 1), np.fft.fft(z, 3)


def several_axes(m: f64[M, N], c: c128[3, N, 4], n: int):
    return (np.fft.fft2(m), np.fft.ifft2(c, s=(n, 6)), np.fft.fftn(c), np.fft.ifftn(c, axes=(1, 0), norm="ortho"), np.fft.rfft2(m, axes=(1, 0)),
            np.fft.rfftn(c.real, s=(4, -1), axes=(0, 1)), np.fft.irfft2(c, norm="forward"), np.fft.irfftn(c, (2, n, 5), (0, 1, 2)))


def filtered(a: f64[N], d: float):
    """As a program uses them: a low pass, whose frequencies are known."""
    spectrum = np.fft.rfft(a)
    spectrum[np.fft.rfftfreq(len(a), d) > 0.2] = 0
    low = np.fft.irfft(spectrum, len(a))
    return low, np.fft.fftshift(np.fft.fft(a) * (np.abs(np.fft.fftfreq(len(a), d)) < 0.1))


def in_steps(z: c128[M, N], steps: int):
    """Loops of the host, rows one by one."""
    total = np.zeros(z.shape[1])
    for i in range(z.shape[0]):
        total += np.abs(np.fft.fft(z[i])) ** 2
    for step in range(steps):
        z[...] = np.fft.ifft(np.fft.fft(z, axis=0) * np.exp(-0.1 * step), axis=0)
    return total


def raised(a: f64[N], n: int):
    if n < 4:
        return np.fft.fft(a, n - 3)
    return np.fft.fft(a, n)


def _complex(shape, rng, type=np.complex128):
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(type)


def inputs_there_and_back(size, rng):
    return _complex(size, rng), rng.standard_normal(size), rng.integers(-9, 9, size).astype(np.int32)


def inputs_single(size, rng):
    shape = size // 3 + 1, size
    return _complex(shape, rng, np.complex64), rng.standard_normal(shape).astype(np.float32)


def inputs_rows_and_columns(size, rng):
    return _complex((size // 3 + 1, size), rng), _complex((3, size, 4), rng)


def inputs_halves(size, rng):
    shape = size // 3 + 1, size
    return rng.standard_normal(shape), _complex(shape, rng)


def inputs_hermitian(size, rng):
    return rng.standard_normal(size), _complex(size, rng), size + size % 4


def inputs_cut_and_padded(size, rng):
    return _complex(size, rng), rng.standard_normal(size), size // 2 + 1


def inputs_several_axes(size, rng):
    return rng.standard_normal((size // 3 + 1, size)), _complex((3, size, 4), rng), size // 2 + 2


def inputs_filtered(size, rng):
    return rng.standard_normal(size), 0.25


def inputs_in_steps(size, rng):
    return _complex((size // 3 + 1, size), rng), 3


def inputs_raised(size, rng):
    return rng.standard_normal(size), size
