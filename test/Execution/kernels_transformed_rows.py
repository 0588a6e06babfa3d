"""Loops that transform a row at a time: windows a step apart that only the call knows, sums of spectra, columns in place, rows of a
matrix; windows that the array's end cuts, and steps of nothing and back, run one by one."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 16, 37)


def make_inputs(size, rng):
    return rng.uniform(-1.0, 1.0, 3 * size), size, size // 3 + 1, rng.uniform(-1.0, 1.0, (size % 7 + 1, size))


def frames(x: f64[L], n: i64, hop: i64, a: f64[M, N]):
    count = 1 + (len(x) - n) // hop
    w = np.hanning(n)
    out = np.empty((n // 2 + 1, count))
    for t in range(count):
        out[:, t] = np.abs(np.fft.rfft(x[t * hop:t * hop + n] * w))
    return out


def welch(x: f64[L], n: i64, hop: i64, a: f64[M, N]):
    """What is added up waits for the row before; the means and the transforms do not."""
    power = np.zeros(n // 2 + 1)
    largest = 0.0
    count = 0
    for t in range((len(x) - n) // hop + 1):
        part = x[t * hop:t * hop + n]
        spectrum = np.fft.rfft(part - part.mean())
        power += spectrum.real ** 2 + spectrum.imag ** 2
        largest = max(largest, np.abs(spectrum).max())
        count += 1
    return power / count, largest


def cut(x: f64[L], n: i64, hop: i64, a: f64[M, N]):
    """The last windows are shorter."""
    out = np.zeros((len(x) // hop + 1, 3))
    for t in range(len(x) // hop):
        part = x[t * hop:t * hop + n]
        out[t, 0] = part.sum()
        out[t, 1] = np.abs(np.fft.fft(part)).max()
        out[t, 2] = len(part)
    return out


def no_step(x: f64[L], n: i64, hop: i64, a: f64[M, N]):
    """A step of nothing, and one that leads back, where negative numbers count from the end."""
    out = np.zeros((3, n // 2 + 1))
    back = np.zeros(4)
    step = hop - hop
    for t in range(3):
        out[t] = np.fft.rfft(x[t * step:t * step + n]).real
    for t in range(2):
        part = x[t * -hop:t * -hop + n]
        back[t] = len(part)
    return out, back


def of_rows(x: f64[L], n: i64, hop: i64, a: f64[M, N]):
    """Rows, then columns of the same array; one transform for the next."""
    z = np.zeros(a.shape, dtype=np.complex128)
    total = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        z[i, :] = np.fft.fft(a[i, :])
    for j in range(a.shape[1]):
        z[:, j] = np.fft.fft(z[:, j])
    for i in range(a.shape[0]):
        f = np.fft.fft(a[i] + total)
        total = np.fft.ifft(f).real * 0.5
    return z, total


def neighbours(x: f64[L], n: i64, hop: i64, a: f64[M, N]):
    """What is read behind a transform is of the rows so far: the next row's element is not there yet."""
    first = np.zeros(a.shape[0] + 1)
    seen = np.zeros(a.shape[0])
    power = np.zeros(a.shape[1] // 2 + 1)
    for i in range(a.shape[0]):
        first[i] = a[i, 0] + 1.0
        power += np.abs(np.fft.rfft(a[i]))
        seen[i] = first[i + 1] + power[0]
    return first, seen, power


def energies(x: f64[N], filters: f64[F, H], n: i64, hop: i64):
    """Each frame's spectrum by a matrix, whose shape is asked for in each iteration."""
    frames = (len(x) - n) // hop + 1
    out = np.zeros((frames, filters.shape[0]))
    for t in range(frames):
        power = np.abs(np.fft.rfft(x[t * hop:t * hop + n])) ** 2
        out[t] = np.log(filters @ power + 1.0)
    return out


def inputs_energies(size, rng):
    n = size // 3 + 1
    return rng.standard_normal(size + 1), rng.random((3, n // 2 + 1)), n, size // 5 + 1
