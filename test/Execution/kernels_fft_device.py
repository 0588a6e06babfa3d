"""np.fft as CUDA: cuFFT's plans, one for each number and length of rows, of which some are kept. kernels_fft.py has the rest."""
from __future__ import annotations

import numpy as np

TARGETS = ("emulated", "cuda")
SIZES = (1, 2, 7, 64, 97)


def transforms(z: c128[M, N], f: c64[M, N]):
    return np.fft.fft(z), np.fft.ifft(f, axis=0, norm="ortho"), np.fft.fft2(z)


def real(a: f64[N], n: int):
    return np.fft.irfft(np.fft.rfft(a, n), len(a))


def of_many_lengths(z: c128[N], steps: int):
    """More plans than are kept."""
    total = 0.0
    for n in range(1, steps):
        total += np.abs(np.fft.fft(z, n)).sum()
    z[:] = np.fft.ifft(z)
    return total


def inputs_transforms(size, rng):
    z = rng.standard_normal((size // 3 + 1, size)) + 1j * rng.standard_normal((size // 3 + 1, size))
    return z, (z * 0.5).astype(np.complex64)


def inputs_real(size, rng):
    return rng.standard_normal(size), size + 2


def inputs_of_many_lengths(size, rng):
    return rng.standard_normal(size) + 1j * rng.standard_normal(size), 22
