"""Heat in a solid: each inner point moves towards its six neighbours, back and forth between two arrays."""
import numpy as np
import appy


#appyc: def heat_3d(steps: i64, A: f64[M, N, K], B: f64[M, N, K])
@appy.jit(dim_info={"A": ("M", "N", "K"), "B": ("M", "N", "K")}, auto_simd=True)
def heat_3d(steps, A, B):
    M, N, K = A.shape
    for t in range(steps):
        #pragma 1:M-1=>parallel 1:N-1=>parallel 1:K-1=>parallel
        B[1:-1, 1:-1, 1:-1] = 0.25 * A[1:-1, 1:-1, 1:-1] + 0.125 * (
            A[2:, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1] + A[1:-1, 2:, 1:-1]
            + A[1:-1, :-2, 1:-1] + A[1:-1, 1:-1, 2:] + A[1:-1, 1:-1, :-2])
        #pragma 1:M-1=>parallel 1:N-1=>parallel 1:K-1=>parallel
        A[1:-1, 1:-1, 1:-1] = 0.25 * B[1:-1, 1:-1, 1:-1] + 0.125 * (
            B[2:, 1:-1, 1:-1] + B[:-2, 1:-1, 1:-1] + B[1:-1, 2:, 1:-1]
            + B[1:-1, :-2, 1:-1] + B[1:-1, 1:-1, 2:] + B[1:-1, 1:-1, :-2])


def second_difference(f):
    """The sum over the three axes, at the inner points."""
    middle = 2.0 * f[1:-1, 1:-1, 1:-1]
    return (f[2:, 1:-1, 1:-1] - middle + f[:-2, 1:-1, 1:-1] + f[1:-1, 2:, 1:-1] - middle + f[1:-1, :-2, 1:-1]
            + f[1:-1, 1:-1, 2:] - middle + f[1:-1, 1:-1, :-2])


#appyc: def heat_3d_plain(steps: i64, A: f64[M, N, K], B: f64[M, N, K])
def heat_3d_plain(steps, A, B):
    """Plain NumPy; the function it calls is inlined."""
    for t in range(steps):
        B[1:-1, 1:-1, 1:-1] = A[1:-1, 1:-1, 1:-1] + 0.125 * second_difference(A)
        A[1:-1, 1:-1, 1:-1] = B[1:-1, 1:-1, 1:-1] + 0.125 * second_difference(B)


SIZES = (0, 1, 2, 3, 4, 7, 17, 33)


def make_inputs(size, rng):
    shape = (size, size // 2 + 2, size + 1)
    return 2, rng.random(shape), rng.random(shape)


def reference(steps, A, B):
    """Neighbours by rolling the array; what that does at the faces is thrown away."""
    def half_step(source, target):
        around = sum(np.roll(source, shift, axis) for axis in range(3) for shift in (1, -1))
        target[1:-1, 1:-1, 1:-1] = (0.25 * source + 0.125 * around)[1:-1, 1:-1, 1:-1]

    A, B = A.copy(), B.copy()
    for _ in range(steps):
        half_step(A, B)
        half_step(B, A)
    return A, B


if __name__ == "__main__":
    for function in (heat_3d, heat_3d_plain):
        steps, A, B = make_inputs(12, np.random.default_rng(0))
        expected = reference(steps, A, B)
        function(steps, A, B)
        np.testing.assert_allclose(A, expected[0])
        np.testing.assert_allclose(B, expected[1])
    print("heat_3d: ok")
