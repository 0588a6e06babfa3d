"""Three-point average along a line, back and forth between two arrays: the shortest time loop there is."""
import numpy as np
import appy


#appyc: def jacobi_1d(steps: i64, A: f64[N], B: f64[N])
@appy.jit(auto_simd=True)
def jacobi_1d(steps, A, B):
    N = A.shape[0]
    for t in range(steps):
        #pragma 1:N-1=>parallel
        B[1:N-1] = 0.33333 * (A[:N-2] + A[1:N-1] + A[2:N])
        #pragma 1:N-1=>parallel
        A[1:N-1] = 0.33333 * (B[:N-2] + B[1:N-1] + B[2:N])


#appyc: def jacobi_1d_blocks(steps: i64, A: f64[N], B: f64[N])
@appy.jit
def jacobi_1d_blocks(steps, A, B, BLOCK=256):
    """Explicit vectors of indices: a worker for each block of points."""
    N = A.shape[0]
    for t in range(steps):
        #pragma parallel for
        for i in range(1, N - 1, BLOCK):
            left = appy.vidx(i - 1, BLOCK, N - 2)
            here = appy.vidx(i, BLOCK, N - 1)
            right = appy.vidx(i + 1, BLOCK, N)
            B[here] = 0.33333 * (A[left] + A[here] + A[right])
        #pragma parallel for
        for i in range(1, N - 1, BLOCK):
            left = appy.vidx(i - 1, BLOCK, N - 2)
            here = appy.vidx(i, BLOCK, N - 1)
            right = appy.vidx(i + 1, BLOCK, N)
            A[here] = 0.33333 * (B[left] + B[here] + B[right])


#appyc: def jacobi_1d_plain(steps: i64, A: f64[N], B: f64[N])
def jacobi_1d_plain(steps, A, B):
    """Plain NumPy, with ends counted from the back."""
    for t in range(steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


SIZES = (0, 1, 2, 3, 4, 7, 33, 129, 257, 259, 1000)


def make_inputs(size, rng):
    return 5, rng.random(size), rng.random(size)


def reference(steps, A, B):
    A, B = A.copy(), B.copy()
    for _ in range(steps):
        B[1:-1] = np.convolve(A, np.full(3, 0.33333), "valid")
        A[1:-1] = np.convolve(B, np.full(3, 0.33333), "valid")
    return A, B


if __name__ == "__main__":
    for function in (jacobi_1d, jacobi_1d_blocks, jacobi_1d_plain):
        steps, A, B = make_inputs(300, np.random.default_rng(0))
        expected = reference(steps, A, B)
        function(steps, A, B)
        np.testing.assert_allclose(A, expected[0])
        np.testing.assert_allclose(B, expected[1])
    print("jacobi_1d: ok")
