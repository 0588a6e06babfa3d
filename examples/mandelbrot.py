"""The Mandelbrot set: how many steps of z = z*z + c stay within |z| <= 2, for each point c of a grid.

Neighbouring points can take very different numbers of steps, so whole-array code does much work in vain. The loop form
stops each point when it is done. Counts near the edge of the set are sensitive to the last bit: `--fmad=off` makes
them equal to CPython's everywhere.
"""
from __future__ import annotations

import numpy as np


def mandelbrot(x: f64[W], y: f64[H], limit: i64) -> i32[H, W]:
    """Escape time of every point x[j] + i y[k], one point after the other."""
    height, width = y.shape[0], x.shape[0]
    counts = np.zeros((height, width), dtype=np.int32)
    #pragma parallel for
    for k in range(height):
        #pragma simd
        for j in range(width):
            re = 0.0
            im = 0.0
            steps = 0
            while steps < limit and re * re + im * im <= 4.0:
                next_re = re * re - im * im + x[j]
                im = 2.0 * re * im + y[k]
                re = next_re
                steps += 1
            counts[k, j] = steps
    return counts


def mandelbrot_arrays(x: f64[W], y: f64[H], limit: i64) -> i32[H, W]:
    """The same in whole-array NumPy: points that have escaped are frozen, not left out."""
    height, width = y.shape[0], x.shape[0]
    re = np.zeros((height, width))
    im = np.zeros((height, width))
    counts = np.zeros((height, width), dtype=np.int32)
    for step in range(limit):
        inside = re * re + im * im <= 4.0
        counts += inside
        next_re = np.where(inside, re * re - im * im + x[None, :], re)
        im = np.where(inside, 2.0 * re * im + y[:, None], im)
        re = next_re
    return counts


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 65)
TRANSLATE_OPTIONS = ("--fmad=off",)


def make_inputs(size, rng):
    return np.linspace(-2.0, 0.5, size + 5), np.linspace(-1.25, 1.25, size), 40


def reference(x, y, limit):
    """Python's own complex numbers."""
    def escape_time(c):
        z = 0j
        for step in range(limit):
            if abs(z) > 2.0:
                return step
            z = z * z + c
        return limit

    return np.array([[escape_time(complex(re, im)) for re in x] for im in y], dtype=np.int32)


if __name__ == "__main__":
    inputs = make_inputs(40, np.random.default_rng(0))
    np.testing.assert_array_equal(mandelbrot(*inputs), mandelbrot_arrays(*inputs))
    assert np.mean(mandelbrot(*inputs) != reference(*inputs)) < 0.01
    print("mandelbrot: ok")
