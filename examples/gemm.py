"""C = alpha A B + beta C."""
import numpy as np
import appy


#appyc: def gemm(alpha: f64, beta: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N])
@appy.jit(auto_simd=True)
def gemm(alpha, beta, C, A, B):
    """The product in tiles of 64 by 64, then the sum."""
    M, N = C.shape
    K = A.shape[1]
    product = np.empty_like(C)
    #pragma :M=>parallel,block(64) :N=>parallel,block(64) :K=>block(32),reduce(sum:product)
    product[:M, :N] = A[:M, :K] @ B[:K, :N]
    #pragma :M=>parallel :N=>parallel
    C[:M, :N] = alpha * product[:M, :N] + beta * C[:M, :N]


#appyc: def gemm_plain(alpha: f64, beta: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N])
def gemm_plain(alpha, beta, C, A, B):
    """Plain NumPy: one statement."""
    C[:] = alpha * A @ B + beta * C


#appyc: def gemm_loop(alpha: f64, beta: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N])
def gemm_loop(alpha, beta, C, A, B):
    """Plain loops: the outer two are found to be parallel, the inner one to be a sum."""
    M, N = C.shape
    for i in range(M):
        for j in range(N):
            C[i, j] *= beta
            for k in range(A.shape[1]):
                C[i, j] += alpha * A[i, k] * B[k, j]


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 65)


def make_inputs(size, rng):
    M, N, K = size, size // 2 + 1, size + 2
    return 1.5, 1.2, rng.random((M, N)), rng.random((M, K)), rng.random((K, N))


def reference(alpha, beta, C, A, B):
    return alpha * np.einsum("ik,kj->ij", A, B) + beta * C


if __name__ == "__main__":
    for function in (gemm, gemm_plain, gemm_loop):
        inputs = make_inputs(40, np.random.default_rng(0))
        expected = reference(*inputs)
        function(*inputs)
        np.testing.assert_allclose(inputs[2], expected)
    print("gemm: ok")
