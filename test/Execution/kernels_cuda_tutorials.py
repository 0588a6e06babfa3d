"""Programs of Numba's documentation of CUDA, and of tutorials: products in tiles, scans, histograms, heat, warps, sorting, pictures."""
import math

import numpy as np
from numba import cuda, float32, float64, int32

TARGETS = ("cpu", "emulated", "checked")
SIZES = (0, 1, 7, 33, 257)
TPB = 8
BINS = 16


@cuda.jit
def fast_matmul(A, B, C):
    """Matrix multiplication using CUDA shared memory (docs)."""
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    bpg = cuda.gridDim.x
    tmp = float32(0.)
    for i in range(bpg):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and (tx + i * TPB) < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        if x < B.shape[1] and (ty + i * TPB) < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        cuda.syncthreads()
        for j in range(TPB):
            tmp += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = tmp


#appyc: def matmul_docs(x_h: f32[M, K], y_h: f32[K, N])
def matmul_docs(x_h, y_h):
    z_h = np.zeros((x_h.shape[0], y_h.shape[1]), dtype=np.float32)
    x_d = cuda.to_device(x_h)
    y_d = cuda.to_device(y_h)
    z_d = cuda.to_device(z_h)
    threadsperblock = (TPB, TPB)
    grid_y_max = max(x_h.shape[0], y_h.shape[0])
    grid_x_max = max(x_h.shape[1], y_h.shape[1])
    blockspergrid_x = math.ceil(grid_x_max / threadsperblock[0])
    blockspergrid_y = math.ceil(grid_y_max / threadsperblock[1])
    blockspergrid = (blockspergrid_x, blockspergrid_y)
    fast_matmul[blockspergrid, threadsperblock](x_d, y_d, z_d)
    z_h = z_d.copy_to_host()
    return z_h


sizes_matmul_docs = (0, 1, 7, 13)


def inputs_matmul_docs(n, rng):
    return rng.random((n, n + 3), dtype=np.float32), rng.random((n + 3, n + 1), dtype=np.float32)


@cuda.jit
def inclusive_scan_kernel(x, out, sums):
    tile = cuda.shared.array(64, dtype=float64)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    step = 1
    while step < 64:
        v = 0.0
        if t >= step:
            v = tile[t - step]
        cuda.syncthreads()
        tile[t] += v
        cuda.syncthreads()
        step *= 2
    if i < x.size:
        out[i] = tile[t]
    if t == cuda.blockDim.x - 1:
        sums[cuda.blockIdx.x] = tile[t]


@cuda.jit
def add_offsets(out, sums):
    i = cuda.grid(1)
    if i < out.size:
        acc = 0.0
        for b in range(cuda.blockIdx.x):
            acc += sums[b]
        out[i] += acc


#appyc: def prefix_sum(x: f64[N])
def prefix_sum(x):
    nb = (x.size + 63) // 64
    out = cuda.device_array_like(x)
    sums = cuda.device_array(nb, dtype=np.float64)
    inclusive_scan_kernel[nb, 64](x, out, sums)
    add_offsets[nb, 64](out, sums)
    return out.copy_to_host()


def inputs_prefix_sum(n, rng):
    return (rng.random(n),)


@cuda.jit
def hist_kernel(x, xmin, xmax, histogram_out):
    nbins = histogram_out.shape[0]
    bin_width = (xmax - xmin) / nbins
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, x.shape[0], stride):
        bin_number = int((x[i] - xmin) / bin_width)
        if bin_number >= 0 and bin_number < histogram_out.shape[0]:
            cuda.atomic.add(histogram_out, bin_number, 1)


@cuda.jit
def hist_private_kernel(x, xmin, xmax, histogram_out):
    local = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        local[t] = 0
    cuda.syncthreads()
    width = (xmax - xmin) / np.float32(BINS)
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        b = int32((x[i] - xmin) / width)
        if 0 <= b < BINS:
            cuda.atomic.add(local, b, 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(histogram_out, t, local[t])


@cuda.jit
def min_max(x, min_max_array):
    nelements = x.shape[0]
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    local_min = x[0]
    local_max = x[0]
    for i in range(start, nelements, stride):
        element = x[i]
        local_min = min(element, local_min)
        local_max = max(element, local_max)
    cuda.atomic.min(min_max_array, 0, local_min)
    cuda.atomic.max(min_max_array, 1, local_max)


#appyc: def histogram_docs(a: f32[N])
def histogram_docs(a):
    bins = BINS
    x_min_max = cuda.to_device(np.array([np.inf, -np.inf], dtype=np.float32))
    if len(a) == 0:
        return np.zeros(bins, dtype=np.int32), np.zeros(bins, dtype=np.int32)
    min_max[64, 64](a, x_min_max)
    x_min, x_max = x_min_max.copy_to_host()
    h = np.zeros(shape=(bins,), dtype=np.int32)
    g = np.zeros(shape=(bins,), dtype=np.int32)
    hist_kernel[64, 64](a, x_min, x_max, h)
    hist_private_kernel[4, 32](a, x_min, x_max, g)
    return h, g


sizes_histogram_docs = (0, 7, 33, 257)


def inputs_histogram_docs(n, rng):
    return (rng.normal(size=n).astype(np.float32),)


@cuda.jit
def warp_reduce_kernel(x, out):
    i = cuda.grid(1)
    v = x[i] if i < x.shape[0] else 0.0
    offset = 16
    while offset > 0:
        v += cuda.shfl_down_sync(0xffffffff, v, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, v)


#appyc: def warp_reduce(x: f64[N])
def warp_reduce(x):
    out = np.zeros(1)
    warp_reduce_kernel[(x.shape[0] + 63) // 64, 64](x, out)
    return out[0]


def inputs_warp_reduce(n, rng):
    return (rng.random(n),)


@cuda.jit
def bitonic_step(arr, j, k):
    i = cuda.grid(1)
    ixj = i ^ j
    if ixj > i:
        if (i & k) == 0 and arr[i] > arr[ixj]:
            arr[i], arr[ixj] = arr[ixj], arr[i]
        if (i & k) != 0 and arr[i] < arr[ixj]:
            arr[i], arr[ixj] = arr[ixj], arr[i]


#appyc: def bitonic(x: f32[N]) -> f32[N]
def bitonic(x):
    n = 1
    while n < x.shape[0]:
        n *= 2
    padded = np.full(n, np.inf, dtype=np.float32)
    padded[:x.shape[0]] = x
    d = cuda.to_device(padded)
    threads = min(n, 32)
    k = 2
    while k <= n:
        j = k >> 1
        while j > 0:
            bitonic_step[n // threads, threads](d, j, k)
            j >>= 1
        k <<= 1
    return d.copy_to_host()[:x.shape[0]]


def inputs_bitonic(n, rng):
    return (rng.random(n, dtype=np.float32),)


@cuda.jit(device=True)
def mandel(x, y, max_iters):
    c = complex(x, y)
    z = 0.0j
    for i in range(max_iters):
        z = z * z + c
        if (z.real * z.real + z.imag * z.imag) >= 4:
            return i
    return max_iters


@cuda.jit
def mandel_kernel(min_x, max_x, min_y, max_y, image, iters):
    height = image.shape[0]
    width = image.shape[1]
    pixel_size_x = (max_x - min_x) / width
    pixel_size_y = (max_y - min_y) / height
    startX, startY = cuda.grid(2)
    gridX = cuda.gridDim.x * cuda.blockDim.x
    gridY = cuda.gridDim.y * cuda.blockDim.y
    for x in range(startX, width, gridX):
        real = min_x + x * pixel_size_x
        for y in range(startY, height, gridY):
            imag = min_y + y * pixel_size_y
            image[y, x] = mandel(real, imag, iters)


#appyc: def mandelbrot(h: i64, w: i64)
def mandelbrot(h, w):
    gimage = np.zeros((h, w), dtype=np.uint8)
    blockdim = (8, 4)
    griddim = (2, 4)
    d_image = cuda.to_device(gimage)
    mandel_kernel[griddim, blockdim](-2.0, 1.0, -1.0, 1.0, d_image, 20)
    d_image.copy_to_host(gimage)
    return gimage


def inputs_mandelbrot(n, rng):
    return n % 20 + 1, n % 20 + 2


@cuda.jit
def transpose_kernel(a, b):
    tile = cuda.shared.array((16, 17), float64)
    x = cuda.blockIdx.x * 16 + cuda.threadIdx.x
    y = cuda.blockIdx.y * 16 + cuda.threadIdx.y
    if x < a.shape[1] and y < a.shape[0]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * 16 + cuda.threadIdx.x
    y = cuda.blockIdx.x * 16 + cuda.threadIdx.y
    if y < b.shape[0] and x < b.shape[1]:
        b[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


#appyc: def transpose(a: f64[M, N])
def transpose(a):
    b = cuda.device_array((a.shape[1], a.shape[0]), dtype=np.float64)
    transpose_kernel[((a.shape[1] + 15) // 16, (a.shape[0] + 15) // 16), (16, 16)](a, b)
    return b.copy_to_host()


sizes_transpose = (0, 1, 7, 33)


def inputs_transpose(n, rng):
    return (rng.random((n, n + 2)),)


@cuda.jit
def heat_step(buf_0, buf_1, timesteps, k):
    i = cuda.grid(1)
    grid = cuda.cg.this_grid()
    for step in range(timesteps):
        if step % 2 == 0:
            data, next_data = buf_0, buf_1
        else:
            data, next_data = buf_1, buf_0
        if i < data.shape[0]:
            curr_temp = data[i]
            if i == 0:
                next_temp = curr_temp + k * (data[i + 1] - (2 * curr_temp))
            elif i == data.size - 1:
                next_temp = curr_temp + k * (data[i - 1] - (2 * curr_temp))
            else:
                next_temp = curr_temp + k * (data[i - 1] - (2 * curr_temp) + data[i + 1])
            next_data[i] = next_temp
        grid.sync()


#appyc: def heat_docs(data: f64[N], niter: i64)
def heat_docs(data, niter):
    buf_0 = cuda.to_device(data)
    buf_1 = cuda.device_array_like(buf_0)
    heat_step[(data.size + 31) // 32, 32](buf_0, buf_1, niter, 0.25)
    return buf_0.copy_to_host() if niter % 2 == 0 else buf_1.copy_to_host()


sizes_heat_docs = (2, 7, 33)


def inputs_heat_docs(n, rng):
    return rng.random(n), 5


@cuda.jit
def chosen_kernel(a, b, out, by):
    i = cuda.grid(1)
    if i >= out.shape[0]:
        return
    if (i + by) % 3 == 0:
        row = a
    elif (i + by) % 3 == 1:
        row = b
    else:
        row = out[::-1]
    row[i] += 1.0
    near = row[i:]
    near[0] *= 2.0


#appyc: def chosen(a: f64[N], b: f64[N], by: i64)
def chosen(a, b, by):
    out = np.zeros_like(a)
    chosen_kernel[(a.shape[0] + 31) // 32, 32](a, b, out, by)
    return out


def inputs_chosen(n, rng):
    return rng.random(n), rng.random(n), n % 5
