"""Functions, loops and vector indices."""
import builtins

import numpy as np

MVL = 128
"""Maximum vector length of a worker. Results do not depend on it, except for the rounding of sums."""


def jit(function=None, **options):
    """`@appy.jit` or `@appy.jit(auto_simd=True, …)`: the function itself. Options matter to the compiler only."""
    if function is None:
        return lambda decorated: decorated
    return function


def shader(function):
    """`@appy.shader`: the outermost loop, and a loop directly in it, run in parallel without a pragma."""
    return function


cpu_shader = shader


def range(*bounds, parallel=False, simd=False):
    """Python's range. `parallel` and `simd` say how the compiler may run it."""
    return builtins.range(*bounds)


def prange(*bounds):
    """Python's range; for the compiler, a loop of independent iterations."""
    return builtins.range(*bounds)


def vidx(start, stepsize, bound=None):
    """The vector of indices start, start+1, … of length `stepsize`; indices at or past `bound` are left out.

    An index array: `a[vidx(i, n, N)]` reads those elements and `a[vidx(i, n, N)] = v` writes them. As in a masked
    vector register, what is left out takes part neither in stores nor in reductions.
    """
    stop = int(start) + int(stepsize)
    if bound is not None:
        stop = builtins.min(stop, int(bound))
    return np.arange(int(start), stop)


vindex = vidx
step = vidx


def buffer(shape, dtype=np.float64):
    """A worker's scratch: an uninitialised array of a constant shape, which the compiler keeps on chip."""
    return np.empty(shape, dtype)


def debug_barrier():
    """Waits for all lanes of a worker; nothing to wait for here."""
