"""The kernels of scripts/bench: the project's own examples at three sizes, their inputs and the work they cannot avoid.

`plain` names the function of `path` (default: examples/NAME.py) that is plain NumPy: CuPy and Numba run it as it stands.
`outputs` are the positions of arguments that the function updates. `bytes` counts each array that must be read or written once
(time loops: once a step), `flops` the arithmetic of the plain algorithm, where they are known.
"""
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

@dataclass(frozen=True)
class Kernel:
    name: str
    make: Callable        # (rng, *size) -> arguments
    sizes: tuple          # tiny, small, large
    bytes: Callable = None  # (*size)
    flops: Callable = None  # (*size)
    outputs: tuple = ()
    returns: bool = True
    plain: str = ""
    path: Path = None

    @property
    def source(self):
        return self.path or EXAMPLES / f"{self.name}.py"

    @property
    def plain_name(self):
        return self.plain or f"{self.name}_plain"

    def inputs(self, preset, seed=0):
        return tuple(self.make(np.random.default_rng(seed), *self.sizes[preset]))

    def results(self, value, arguments):
        """What a call yields: what it returns, then what it updates."""
        returned = value if isinstance(value, tuple) else (value,) if self.returns and value is not None else ()
        return (*returned, *(arguments[i] for i in self.outputs))


PRESETS = {"tiny": 0, "small": 1, "large": 2}


def azimint(rng, n, bins):
    return rng.random(n), rng.random(n), bins


def cholesky(rng, n):
    g = rng.random((n, n))
    return (np.tril(g @ g.T + n * np.eye(n)) + np.triu(rng.random((n, n)), 1),)


def fdtd(rng, nx, ny, steps):
    return *(rng.random((nx, ny)) for _ in range(3)), rng.random(steps)


def floyd(rng, n):
    path = rng.integers(1, 1000, (n, n), dtype=np.int32)
    path[rng.random((n, n)) < 0.4] = 1 << 20
    return (path,)


def gramschmidt(rng, m, n):
    return (rng.random((m, n)) + np.eye(m, n),)


def hdiff(rng, i, j, k):
    return rng.random((i + 4, j + 4, k)), rng.random((i, j, k)), rng.random((i, j, k))


def spmv(rng, rows, per_row):
    lengths = rng.integers(0, 2 * per_row + 1, rows)
    start = np.concatenate(([0], np.cumsum(lengths))).astype(np.uint32)
    nnz = int(lengths.sum())
    return start, rng.integers(0, rows, nnz).astype(np.uint32), rng.random(nnz), rng.random(rows)


def softmax(rng, m, n):
    x = (rng.random((m, n)) - 9.0).astype(np.float32)
    return x, np.zeros_like(x)


def symmetric(rng, m, n):
    return 1.5, 1.2, rng.random((m, n)), np.tril(rng.random((m, m))), rng.random((m, n))


def trisolv(rng, n):
    return np.tril(rng.random((n, n)) + n * np.eye(n)), np.zeros(n), rng.random(n)


KERNELS = {k.name: k for k in (
    Kernel("azimint_naive", azimint, ((100, 7), (40_000, 100), (1_000_000, 1000)),
           lambda n, b: 16 * n, lambda n, b: 2 * n),
    Kernel("cholesky", cholesky, ((17,), (200,), (2000,)),
           lambda n: 8 * n * n, lambda n: n**3 / 3, (0,), False),
    Kernel("covariance", lambda rng, n, m: (rng.random((n, m)),), ((20, 17), (300, 250), (1400, 1200)),
           lambda n, m: 8 * (2 * n * m + m * m), lambda n, m: n * m * m, (0,)),
    Kernel("fdtd_2d", fdtd, ((11, 13, 3), (200, 240, 50), (1000, 1200, 500)),
           lambda x, y, t: 48 * x * y * t, lambda x, y, t: 11 * x * y * t, (0, 1, 2), False),
    Kernel("floyd_warshall", floyd, ((19,), (200,), (2800,)),
           lambda n: 8 * n * n, lambda n: 2 * n**3, (0,), False),
    Kernel("gemm", lambda rng, i, j, k: (1.5, 1.2, rng.random((i, j)), rng.random((i, k)), rng.random((k, j))),
           ((17, 19, 13), (300, 320, 280), (2000, 2300, 2600)),
           lambda i, j, k: 8 * (2 * i * j + i * k + k * j), lambda i, j, k: 2 * i * j * k, (2,), False),
    Kernel("gemver", lambda rng, n: (1.5, 1.2, rng.random((n, n)), *(rng.random(n) for _ in range(8))),
           ((33,), (1000,), (8000,)), lambda n: 24 * n * n, lambda n: 10 * n * n, (2, 7, 8), False),
    Kernel("gesummv", lambda rng, n: (1.5, 1.2, rng.random((n, n)), rng.random((n, n)), rng.random(n)),
           ((33,), (1400,), (11200,)), lambda n: 16 * n * n, lambda n: 4 * n * n),
    Kernel("go_fast", lambda rng, n: (rng.random((n, n)),), ((33,), (2000,), (12500,)),
           lambda n: 16 * n * n, lambda n: n * n),
    Kernel("gramschmidt", gramschmidt, ((19, 11), (120, 100), (240, 200)),
           lambda m, n: 8 * (3 * m * n + n * n), lambda m, n: 2 * m * n * n),
    Kernel("hdiff", hdiff, ((9, 10, 3), (64, 64, 60), (256, 256, 160)),
           lambda i, j, k: 24 * i * j * k, lambda i, j, k: 26 * i * j * k, (1,), False),
    Kernel("heat_3d", lambda rng, n, t: (t, rng.random((n, n, n)), rng.random((n, n, n))),
           ((9, 2), (40, 20), (120, 499)), lambda n, t: 32 * n**3 * t, lambda n, t: 30 * n**3 * t, (1, 2), False),
    Kernel("jacobi_1d", lambda rng, n, t: (t, rng.random(n), rng.random(n)), ((50, 4), (3000, 800), (32000, 3999)),
           lambda n, t: 32 * n * t, lambda n, t: 6 * n * t, (1, 2), False),
    Kernel("jacobi_2d", lambda rng, n, t: (t, rng.random((n, n)), rng.random((n, n))), ((17, 3), (300, 50), (2800, 999)),
           lambda n, t: 32 * n * n * t, lambda n, t: 10 * n * n * t, (1, 2), False),
    Kernel("softmax", softmax, ((17, 33), (4000, 128), (524_288, 512)),
           lambda m, n: 8 * m * n, lambda m, n: 5 * m * n, (1,), False),
    Kernel("spmv", spmv, ((50, 3), (4000, 10), (131_072, 2)),
           lambda r, p: 12 * r * p + 20 * r, lambda r, p: 2 * r * p),
    Kernel("symm", symmetric, ((17, 11), (200, 240), (1000, 1200)),
           lambda m, n: 8 * (3 * m * n + m * m), lambda m, n: 2 * m * m * n, (2,), False),
    Kernel("syr2k", lambda rng, n, m: (1.5, 1.2, rng.random((n, n)), rng.random((n, m)), rng.random((n, m))),
           ((17, 11), (240, 200), (1200, 1000)), lambda n, m: 8 * (n * n + 2 * n * m), lambda n, m: 2 * n * n * m, (2,), False),
    Kernel("syrk", lambda rng, n, m: (1.5, 1.2, rng.random((n, n)), rng.random((n, m))),
           ((17, 11), (240, 200), (1200, 1000)), lambda n, m: 8 * (n * n + n * m), lambda n, m: n * n * m, (2,), False),
    Kernel("trisolv", trisolv, ((33,), (1000,), (16000,)), lambda n: 4 * n * n, lambda n: n * n, (1,), False),
    Kernel("trmm", lambda rng, m, n: (1.5, rng.random((m, m)), rng.random((m, n))), ((17, 11), (200, 240), (1000, 1200)),
           lambda m, n: 8 * (2 * m * n + m * m / 2), lambda m, n: m * m * n, (2,), False),
)}
