"""Complex numbers in both widths."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 3, 33, 129, 257)


def arithmetic(z: c128[N], w: c128[N]):
    return z + w, z - w, z * w, z / w, -z


def arithmetic_c64(z: c64[N], w: c64[N]):
    return z + w, z * w, z / w, z * 2, z + 1j


def parts(z: c128[N], w: c128[N]):
    return z.real + 0.0, z.imag + 0.0, np.abs(z), np.conj(z) * w, np.real(w) - np.imag(w)


def with_reals(z: c128[N], w: c128[N]):
    return z * 2.5, 1.0 - z, z * z.real, w / 2


def comparisons(z: c128[N], w: c128[N]):
    return z == w, z != w


def functions(z: c128[N], w: c128[N]):
    return np.exp(z), np.sqrt(w)


def reductions(z: c128[N], w: c128[N]):
    return np.sum(z), np.sum(z * np.conj(z)), np.dot(z, w), np.mean(w[:1])


sizes_reductions = (1, 3, 33, 129)


def beside_poles(x: f64[N]):
    z = np.tanh(x * 1e-20 + 0.5j * np.pi)
    w = np.tan(np.float32(x) * np.complex64(1e-9j) + np.complex64(np.pi / 2))
    return z.real, z.imag, w.real, w.imag


def inputs_beside_poles(size, rng):
    return (rng.random(size) + 0.5,)


def from_reals(a: f64[N], b: f64[N]) -> c128[N]:
    return a + 1j * b


def inputs_from_reals(size, rng):
    return rng.random(size), rng.random(size)


def scalars(z: c128, x: f64):
    return z * z + x, abs(z), z.real, z.imag, z.conjugate()


def inputs_scalars(size, rng):
    return complex(rng.random(), rng.random()), float(rng.random())


def escape_times(c: c128[N], limit: i64) -> i64[N]:
    out = np.zeros(len(c), dtype=np.int64)
    for i in range(len(c)):
        z = 0j
        n = 0
        while n < limit and z.real * z.real + z.imag * z.imag <= 4.0:
            z = z * z + c[i]
            n += 1
        out[i] = n
    return out


def inputs_escape_times(size, rng):
    return rng.uniform(-2, 0.5, size).round(2) + 1j * rng.uniform(-1, 1, size).round(2), 12


def matrix_vector(m: c128[M, N], v: c128[N]) -> c128[M]:
    return m @ v


def inputs_matrix_vector(size, rng):
    return (rng.random((size, size + 1)) + 1j * rng.random((size, size + 1)),
            rng.random(size + 1) + 1j * rng.random(size + 1))


def inputs_arithmetic_c64(size, rng):
    z, w = make_inputs(size, rng)
    return z.astype(np.complex64), w.astype(np.complex64)


def make_inputs(size, rng):
    return rng.random(size) + 1j * rng.random(size), rng.random(size) - 1j * (0.5 + rng.random(size))


def infinite_powers(a: f64[N], b: c128[N]):
    return a**b


def inputs_infinite_powers(size, rng):
    a, b = np.array([3.0, 0.25, 3.0, 0.25]), np.full(4, complex(-np.inf, np.nan))
    b[2:].real = np.inf
    return np.tile(a, size), np.tile(b, size)


sizes_infinite_powers = (1,)


def scaled_update(a: c128[N, N], b: c64[N, N], x: complex):
    a -= a @ a
    a[:] = a / -1.5
    a *= -2
    b += x * (b @ b)
    return a


def inputs_scaled_update(size, rng):
    a = rng.standard_normal((size, size)) + 1j * rng.standard_normal((size, size))
    return a, a.astype(np.complex64), 0.5 - 2j


def stored_parts(z: c128[N], w: c64[N], k: i64[M]):
    """The other part stays; subscripts are evaluated once."""
    rng = np.random.default_rng(5)
    z.real[z.imag > 0.5] = -1.0
    z.imag[z.real < 0] -= 0.25
    z.real[k] = np.arange(len(k))
    w.imag = k.sum() + 16777217
    w.real *= z.imag
    w[::2].imag[1:] = [7]
    z.imag[1:] = z.real[:-1]
    if len(z) > 0:
        z.real[rng.integers(len(z))] += 2
    total = np.zeros((2, len(z)), complex)
    total.real, total[1].imag = z.real, w.real
    a = total.imag + 0
    a.real[0] = 3
    a.real += 0.5
    return total, a, rng.random()


def inputs_stored_parts(size, rng):
    z, w = make_inputs(size, rng)
    return z, w.astype(np.complex64), rng.integers(0, max(size, 1), size + 2 if size else 0)
