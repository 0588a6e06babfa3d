"""Five-point average over a grid, back and forth between two arrays: a time loop around two stencils."""
import numpy as np
import appy


#appyc: def jacobi_2d(steps: i64, A: f64[M, N], B: f64[M, N])
@appy.jit(auto_simd=True)
def jacobi_2d(steps, A, B):
    """The inner grid points of one half step are independent; the steps are not."""
    M, N = A.shape
    for t in range(steps):
        #pragma 1:M-1=>parallel 1:N-1=>parallel
        B[1:M-1, 1:N-1] = 0.2 * (A[1:M-1, 1:N-1] + A[1:M-1, :N-2] + A[1:M-1, 2:N] + A[2:M, 1:N-1] + A[:M-2, 1:N-1])
        #pragma 1:M-1=>parallel 1:N-1=>parallel
        A[1:M-1, 1:N-1] = 0.2 * (B[1:M-1, 1:N-1] + B[1:M-1, :N-2] + B[1:M-1, 2:N] + B[2:M, 1:N-1] + B[:M-2, 1:N-1])


#appyc: def jacobi_2d_plain(steps: i64, A: f64[M, N], B: f64[M, N])
def jacobi_2d_plain(steps, A, B):
    """Plain NumPy, with ends counted from the back."""
    for t in range(steps):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


#appyc: def jacobi_2d_loop(steps: i64, A: f64[M, N], B: f64[M, N])
def jacobi_2d_loop(steps, A, B):
    """Plain loops: that both grid loops are parallel and the time loop is not is worked out by appyc."""
    M, N = A.shape
    for t in range(steps):
        for i in range(1, M - 1):
            for j in range(1, N - 1):
                B[i, j] = 0.2 * (A[i, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j] + A[i - 1, j])
        for i in range(1, M - 1):
            for j in range(1, N - 1):
                A[i, j] = 0.2 * (B[i, j] + B[i, j - 1] + B[i, j + 1] + B[i + 1, j] + B[i - 1, j])


SIZES = (0, 1, 2, 3, 4, 7, 31, 32, 33, 129)


def make_inputs(size, rng):
    return 4, rng.random((size, size + 2)), rng.random((size, size + 2))


def reference(steps, A, B):
    """The average as a convolution along each axis."""
    def half_step(source, target):
        rows = np.apply_along_axis(lambda r: np.convolve(r, (1.0, 1.0, 1.0), "valid"), 1, source[1:-1])
        columns = np.apply_along_axis(lambda c: np.convolve(c, (1.0, 0.0, 1.0), "valid"), 0, source[:, 1:-1])
        target[1:-1, 1:-1] = 0.2 * (rows + columns)

    A, B = A.copy(), B.copy()
    for _ in range(steps):
        half_step(A, B)
        half_step(B, A)
    return A, B


if __name__ == "__main__":
    for function in (jacobi_2d, jacobi_2d_plain, jacobi_2d_loop):
        steps, A, B = make_inputs(20, np.random.default_rng(0))
        expected = reference(steps, A, B)
        function(steps, A, B)
        np.testing.assert_allclose(A, expected[0])
        np.testing.assert_allclose(B, expected[1])
    print("jacobi_2d: ok")
