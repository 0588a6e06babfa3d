"""Kernels in Numba's notation; by_hand.cu has the same ones."""
from numba import cuda, float32


@cuda.jit("void(f4[::1], f4[::1], f4)")
def axpy(x, y, a):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]


@cuda.jit("void(f4[:, ::1], f4[:, ::1], f4[:, ::1])")
def product(A, B, C):
    """Of square matrices whose order is a multiple of 16."""
    a = cuda.shared.array((16, 16), float32)
    b = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    for tile in range(A.shape[1] // 16):
        a[ty, tx] = A[y, tile * 16 + tx]
        b[ty, tx] = B[tile * 16 + ty, x]
        cuda.syncthreads()
        for k in range(16):
            total += a[ty, k] * b[k, tx]
        cuda.syncthreads()
    C[y, x] = total


@cuda.jit("void(f4[::1], f4[::1])")
def total(x, out):
    s = float32(0)
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        s += x[i]
    step = 16
    while step > 0:
        s += cuda.shfl_down_sync(0xFFFFFFFF, s, step)
        step //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, s)
