"""C = alpha S B + beta C with a symmetric S, of which A holds the lower triangle; what A holds above is never read."""
import numpy as np
import appy


#appyc: def symm(alpha: f64, beta: f64, C: f64[M, N], A: f64[M, M], B: f64[M, N])
@appy.jit(auto_simd=True)
def symm(alpha, beta, C, A, B):
    """Row i of S adds to rows above i of C and to row i itself; the columns are independent."""
    M, N = C.shape
    #pragma :M=>parallel :N=>parallel
    C[:M, :N] *= beta
    for i in range(M):
        #pragma parallel for
        for j in range(N):
            #pragma :i=>simd
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            #pragma :i=>reduce(sum)
            left = np.dot(B[:i, j], A[i, :i])
            C[i, j] += alpha * B[i, j] * A[i, i] + alpha * left


#appyc: def symm_plain(alpha: f64, beta: f64, C: f64[M, N], A: f64[M, M], B: f64[M, N])
def symm_plain(alpha, beta, C, A, B):
    """Plain NumPy: whole rows at a time."""
    C *= beta
    for i in range(C.shape[0]):
        C[:i] += alpha * A[i, :i][:, None] * B[i]
        C[i] += alpha * (A[i, i] * B[i] + A[i, :i] @ B[:i])


SIZES = (0, 1, 2, 3, 7, 31, 33, 65, 129)


def make_inputs(size, rng):
    A = np.tril(rng.random((size, size))) + np.triu(np.full((size, size), np.nan), 1)
    return 1.5, 1.2, rng.random((size, size // 2 + 1)), A, rng.random((size, size // 2 + 1))


def reference(alpha, beta, C, A, B):
    symmetric = np.tril(A) + np.tril(A, -1).T
    return alpha * symmetric @ B + beta * C


if __name__ == "__main__":
    for function in (symm, symm_plain):
        inputs = make_inputs(30, np.random.default_rng(0))
        expected = reference(*inputs)
        function(*inputs)
        np.testing.assert_allclose(inputs[2], expected)
    print("symm: ok")
