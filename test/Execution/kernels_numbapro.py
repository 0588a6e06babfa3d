"""The listings of NumbaPro's slides, completed to programs; its ufuncs are ufuncs_program.py, sparse PCA kernels_sparse_pca.py."""
import numpy as np
from numbapro import cuda, float32, jit, void

SIZES = (1, 2, 7, 17)
EXPORTED = ("sum2d",)


@jit("f8(f8[:, :])")
def sum2d(arr):
    M, N = arr.shape
    result = 0.0
    for i in range(M):
        for j in range(N):
            result += arr[i, j]
    return result


def inputs_sum2d(size, rng):
    return (rng.random((size, size + 1)),)


@cuda.jit(void(float32[:, :], float32[:, :], float32[:, :]))
def square_matrix_mult(A, B, C):
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    bx = cuda.blockIdx.x
    by = cuda.blockIdx.y
    bw = cuda.blockDim.x
    bh = cuda.blockDim.y
    x = tx + bx * bw
    y = ty + by * bh
    n = C.shape[0]
    if x >= n or y >= n:
        return
    cs = float32(0)
    for i in range(n):
        cs += A[y, i] * B[i, x]
    C[y, x] = cs


#appyc: def multiplied(A: f32[:, :], B: f32[:, :])
def multiplied(A, B):
    n = A.shape[0]
    stream = cuda.stream()
    dA = cuda.to_device(A, stream)
    dB = cuda.to_device(B, stream)
    dC = cuda.device_array((n, n), np.float32)
    bpg = (n + 7) // 8
    square_matrix_mult[(bpg, bpg), (8, 8), stream](dA, dB, dC)
    C = dC.copy_to_host(stream=stream)
    stream.synchronize()
    return C


def inputs_multiplied(size, rng):
    return rng.random((size, size), dtype=np.float32), rng.random((size, size), dtype=np.float32)


#appyc: def fft_filter(image: c128[:, :], response: c128[:, :])
def fft_filter(image, response):
    return np.fft.ifft2(np.fft.fft2(image) * response).real


def inputs_fft_filter(size, rng):
    return rng.random((size, size)) + 0j, np.fft.fft2(rng.random((size, size)))


#appyc: def scattered(values: f64[:], index: i64[:], n: i64)
def scattered(values, index, n):
    out = np.zeros(n)
    out[index] = values
    return out, np.cumsum(values), np.sort(values), np.partition(values, 0)[0]


def inputs_scattered(size, rng):
    return rng.random(size), rng.permutation(size), size
