"""Horizontal diffusion as weather models have it: a Laplacian, its limited differences along I and J, their divergence.

`field` has two more points on each side of I and J than `result`. A difference that points against the gradient is cut.
"""
import numpy as np
import appy


#appyc: def hdiff(field: f64[I + 4, J + 4, K], result: f64[I, J, K], coefficient: f64[I, J, K])
@appy.jit(auto_simd=True)
def hdiff(field, result, coefficient):
    I, J, K = result.shape
    lap = np.empty((I + 2, J + 2, K))
    along_i = np.empty((I + 1, J, K))
    along_j = np.empty((I, J + 1, K))
    #pragma :I+2=>parallel :J+2=>parallel :K=>parallel
    lap[:I+2, :J+2, :K] = 4.0 * field[1:I+3, 1:J+3, :K] - (
        field[2:I+4, 1:J+3, :K] + field[:I+2, 1:J+3, :K] + field[1:I+3, 2:J+4, :K] + field[1:I+3, :J+2, :K])
    #pragma :I+1=>parallel :J=>parallel :K=>parallel
    along_i[:I+1, :J, :K] = np.where(
        (lap[1:I+2, 1:J+1, :K] - lap[:I+1, 1:J+1, :K])
        * (field[2:I+3, 2:J+2, :K] - field[1:I+2, 2:J+2, :K]) > 0.0,
        0.0, lap[1:I+2, 1:J+1, :K] - lap[:I+1, 1:J+1, :K])
    #pragma :I=>parallel :J+1=>parallel :K=>parallel
    along_j[:I, :J+1, :K] = np.where(
        (lap[1:I+1, 1:J+2, :K] - lap[1:I+1, :J+1, :K])
        * (field[2:I+2, 2:J+3, :K] - field[2:I+2, 1:J+2, :K]) > 0.0,
        0.0, lap[1:I+1, 1:J+2, :K] - lap[1:I+1, :J+1, :K])
    #pragma :I=>parallel :J=>parallel :K=>parallel
    result[:I, :J, :K] = field[2:I+2, 2:J+2, :K] - coefficient[:I, :J, :K] * (
        along_i[1:I+1, :J, :K] - along_i[:I, :J, :K] + along_j[:I, 1:J+1, :K] - along_j[:I, :J, :K])


#appyc: def hdiff_plain(field: f64[I + 4, J + 4, K], result: f64[I, J, K], coefficient: f64[I, J, K])
def hdiff_plain(field, result, coefficient):
    """Plain NumPy, ends counted from the back."""
    lap = 4.0 * field[1:-1, 1:-1] - (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2])
    step = lap[1:, 1:-1] - lap[:-1, 1:-1]
    along_i = np.where(step * (field[2:-1, 2:-2] - field[1:-2, 2:-2]) > 0.0, 0.0, step)
    step = lap[1:-1, 1:] - lap[1:-1, :-1]
    along_j = np.where(step * (field[2:-2, 2:-1] - field[2:-2, 1:-2]) > 0.0, 0.0, step)
    result[:] = field[2:-2, 2:-2] - coefficient * (along_i[1:] - along_i[:-1] + along_j[:, 1:] - along_j[:, :-1])


SIZES = (0, 1, 2, 3, 7, 17, 33)


def make_inputs(size, rng):
    I, J, K = size, size + 1, size // 4 + 2
    return rng.random((I + 4, J + 4, K)), rng.random((I, J, K)), rng.random((I, J, K))


def reference(field, coefficient):
    """Point by point."""
    def laplacian(p):
        return 4.0 * field[p] - sum(field[p[0] + a, p[1] + b] for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)))

    def flux(p, q):
        step = laplacian(q) - laplacian(p)
        return np.where(step * (field[q] - field[p]) > 0.0, 0.0, step)

    expected = np.empty_like(coefficient)
    for i, j in np.ndindex(coefficient.shape[:2]):
        p, before_i, before_j = (i + 2, j + 2), (i + 1, j + 2), (i + 2, j + 1)
        after_i, after_j = (i + 3, j + 2), (i + 2, j + 3)
        outflow = flux(p, after_i) - flux(before_i, p) + flux(p, after_j) - flux(before_j, p)
        expected[i, j] = field[p] - coefficient[i, j] * outflow
    return expected


if __name__ == "__main__":
    for function in (hdiff, hdiff_plain):
        field, result, coefficient = make_inputs(9, np.random.default_rng(0))
        function(field, result, coefficient)
        np.testing.assert_allclose(result, reference(field, coefficient))
    print("hdiff: ok")
