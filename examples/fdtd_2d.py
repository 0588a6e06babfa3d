"""Finite differences in time for Maxwell's equations in the plane: an electric field (ex, ey) and a magnetic field hz.

Each step the edge of ey is driven by `pulse`, both electric components follow from hz, and hz follows from them.
"""
import numpy as np
import appy


#appyc: def fdtd_2d(ex: f64[NX, NY], ey: f64[NX, NY], hz: f64[NX, NY], pulse: f64[steps])
@appy.jit(auto_simd=True)
def fdtd_2d(ex, ey, hz, pulse):
    NX, NY = ex.shape
    for t in range(pulse.shape[0]):
        #pragma :NY=>parallel
        ey[0, :NY] = pulse[t]
        #pragma 1:NX=>parallel :NY=>parallel
        ey[1:NX, :NY] -= 0.5 * (hz[1:NX, :NY] - hz[:NX-1, :NY])
        #pragma :NX=>parallel 1:NY=>parallel
        ex[:NX, 1:NY] -= 0.5 * (hz[:NX, 1:NY] - hz[:NX, :NY-1])
        #pragma :NX-1=>parallel :NY-1=>parallel
        hz[:NX-1, :NY-1] -= 0.7 * (ex[:NX-1, 1:NY] - ex[:NX-1, :NY-1] + ey[1:NX, :NY-1] - ey[:NX-1, :NY-1])


#appyc: def fdtd_2d_plain(ex: f64[NX, NY], ey: f64[NX, NY], hz: f64[NX, NY], pulse: f64[steps])
def fdtd_2d_plain(ex, ey, hz, pulse):
    """Plain NumPy, with ends counted from the back."""
    for t in range(pulse.shape[0]):
        ey[0] = pulse[t]
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


#appyc: def fdtd_2d_loop(ex: f64[NX, NY], ey: f64[NX, NY], hz: f64[NX, NY], pulse: f64[steps])
def fdtd_2d_loop(ex, ey, hz, pulse):
    """Plain loops; which of them are parallel is worked out."""
    NX, NY = ex.shape
    for t in range(pulse.shape[0]):
        for j in range(NY):
            ey[0, j] = pulse[t]
        for i in range(1, NX):
            for j in range(NY):
                ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(NX):
            for j in range(1, NY):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(NX - 1):
            for j in range(NY - 1):
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


SIZES = (1, 2, 3, 4, 7, 31, 32, 33, 129)  # without rows there is no edge to drive: NumPy raises


def make_inputs(size, rng):
    fields = (rng.random((size, size + 2)) for _ in range(3))
    return *fields, rng.random(3)


def reference(ex, ey, hz, pulse):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for value in pulse:
        ey[0] = value
        ey[1:] -= 0.5 * np.diff(hz, axis=0)
        ex[:, 1:] -= 0.5 * np.diff(hz, axis=1)
        hz[:-1, :-1] -= 0.7 * (np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1])
    return ex, ey, hz


if __name__ == "__main__":
    for function in (fdtd_2d, fdtd_2d_plain, fdtd_2d_loop):
        *fields, pulse = make_inputs(20, np.random.default_rng(0))
        expected = reference(*fields, pulse)
        function(*fields, pulse)
        for field, value in zip(fields, expected):
            np.testing.assert_allclose(field, value)
    print("fdtd_2d: ok")
