"""Softmax of each row, exp(x - max) / sum(exp(x - max)), in single precision: two reductions and a map a row."""
import numpy as np
import appy


#appyc: def softmax(x: f32[M, N], y: f32[M, N])
@appy.jit(auto_simd=True)
def softmax(x, y):
    """Tensor form: a worker for each row, each statement over the whole row."""
    M, N = x.shape
    #pragma parallel for
    for i in range(M):
        #pragma :N=>reduce(max)
        largest = np.max(x[i, :N])
        #pragma :N=>reduce(sum)
        total = np.sum(np.exp(x[i, :N] - largest))
        #pragma :N=>simd
        y[i, :N] = np.exp(x[i, :N] - largest) / total


#appyc: def softmax_loop(x: f32[M, N], y: f32[M, N])
@appy.jit
def softmax_loop(x, y):
    """Loop form of the same."""
    M, N = x.shape
    #pragma parallel for
    for i in range(M):
        largest = np.float32(-np.inf)
        #pragma simd
        for j in range(N):
            largest = np.maximum(largest, x[i, j])
        total = np.float32(0.0)
        #pragma simd
        for j in range(N):
            total += np.exp(x[i, j] - largest)
        #pragma simd
        for j in range(N):
            y[i, j] = np.exp(x[i, j] - largest) / total


#appyc: def softmax_plain(x: f32[M, N], y: f32[M, N])
def softmax_plain(x, y):
    """Plain NumPy over the whole matrix."""
    shifted = np.exp(x - np.max(x, axis=1, keepdims=True))
    y[:, :] = shifted / np.sum(shifted, axis=1, keepdims=True)


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 129)


def make_inputs(size, rng):
    # All values are negative: a masked-off lane that counted as 0 would show in the maximum and in the sum.
    x = (rng.random((size, size + 1)) - 9.0).astype(np.float32)
    return x, np.zeros_like(x)


def reference(x):
    exponentials = np.exp(x.astype(np.float64))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    for function in (softmax, softmax_loop, softmax_plain):
        x, y = make_inputs(50, np.random.default_rng(0))
        function(x, y)
        np.testing.assert_allclose(y, reference(x), rtol=1e-5)
    print("softmax: ok")
