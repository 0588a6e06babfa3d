"""More programs of tutorials: bodies, rays, games, stencils, options, rows by warps."""
import math

import numpy as np
from numba import cuda, f4, float32, i4, int32, uint8, void

TARGETS = ("cpu", "emulated", "checked")
SIZES = (0, 1, 7, 33, 257)
BLOCK = 32
eps2 = 0.01


@cuda.jit(device=True, inline=True)
def body_body(xi, yi, zi, xj, yj, zj, mj, ax, ay, az):
    rx, ry, rz = xj - xi, yj - yi, zj - zi
    d = rx * rx + ry * ry + rz * rz + float32(eps2)
    inv = float32(1.0) / math.sqrt(d * d * d)
    s = mj * inv
    return ax + rx * s, ay + ry * s, az + rz * s


@cuda.jit("void(float32[:,:], float32[:,:])")
def calc_forces(pos, acc):
    sp = cuda.shared.array((BLOCK, 4), float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    n = pos.shape[0]
    ax = ay = az = float32(0.0)
    xi = pos[i, 0] if i < n else float32(0)
    yi = pos[i, 1] if i < n else float32(0)
    zi = pos[i, 2] if i < n else float32(0)
    tile = 0
    for start in range(0, n, BLOCK):
        k = tile * cuda.blockDim.x + t
        for c in range(4):
            sp[t, c] = pos[k, c] if k < n else float32(0)
        cuda.syncthreads()
        for j in range(BLOCK):
            ax, ay, az = body_body(xi, yi, zi, sp[j, 0], sp[j, 1], sp[j, 2], sp[j, 3], ax, ay, az)
        cuda.syncthreads()
        tile += 1
    if i < n:
        acc[i, 0] = ax
        acc[i, 1] = ay
        acc[i, 2] = az


#appyc: def nbody(pos: f32[N, 4])
def nbody(pos):
    acc = np.zeros((pos.shape[0], 3), np.float32)
    calc_forces[(pos.shape[0] + BLOCK - 1) // BLOCK, BLOCK](pos, acc)
    return acc


sizes_nbody = (0, 1, 7, 33)


def inputs_nbody(n, rng):
    return (rng.random((n, 4), dtype=np.float32),)


@cuda.jit(device=True)
def hit_sphere(ox, oy, oz, dx, dy, dz, cx, cy, cz, r):
    lx = cx - ox
    ly = cy - oy
    lz = cz - oz
    tca = lx * dx + ly * dy + lz * dz
    if tca < 0:
        return False, 0.0
    d2 = lx * lx + ly * ly + lz * lz - tca * tca
    if d2 > r * r:
        return False, 0.0
    thc = math.sqrt(r * r - d2)
    return True, tca - thc


@cuda.jit
def trace(spheres, colors, image):
    x, y = cuda.grid(2)
    h, w, _ = image.shape
    if x >= w or y >= h:
        return
    dx = (x + 0.5) / w - 0.5
    dy = (y + 0.5) / h - 0.5
    dz = 1.0
    norm = math.sqrt(dx * dx + dy * dy + dz * dz)
    dx /= norm
    dy /= norm
    dz /= norm
    best = math.inf
    hit = -1
    for s in range(spheres.shape[0]):
        found, t = hit_sphere(0.0, 0.0, 0.0, dx, dy, dz, spheres[s, 0], spheres[s, 1], spheres[s, 2], spheres[s, 3])
        if found and t < best:
            best = t
            hit = s
    if hit >= 0:
        px, py, pz = dx * best, dy * best, dz * best
        nx = (px - spheres[hit, 0]) / spheres[hit, 3]
        ny = (py - spheres[hit, 1]) / spheres[hit, 3]
        nz = (pz - spheres[hit, 2]) / spheres[hit, 3]
        light = max(0.0, nx * 0.5 - ny * 0.7 - nz * 0.5)
        for c in range(3):
            image[y, x, c] = uint8(min(255.0, 255.0 * colors[hit, c] * light))
    else:
        image[y, x, 0] = 10
        image[y, x, 1] = 20
        image[y, x, 2] = 30


#appyc: def ray_trace(spheres: f64[S, 4], colors: f64[S, 3], h: i64, w: i64)
def ray_trace(spheres, colors, h, w):
    image = np.zeros((h, w, 3), dtype=np.uint8)
    d = cuda.to_device(image)
    threads = (8, 8)
    blocks = (math.ceil(w / threads[0]), math.ceil(h / threads[1]))
    trace[blocks, threads](spheres, colors, d)
    d.copy_to_host(image)
    return image


def inputs_ray_trace(n, rng):
    k = n % 9
    s = rng.random((k, 4))
    s[:, :2] -= 0.5
    s[:, 2] += 2
    s[:, 3] *= 0.4
    return s, rng.random((k, 3)), n % 23, n % 23 + 1


@cuda.jit
def game_of_life(board, new_board):
    r, c = cuda.grid(2)
    rows, cols = board.shape
    if r < rows and c < cols:
        total = 0
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if dr == 0 and dc == 0:
                    continue
                total += board[(r + dr) % rows, (c + dc) % cols]
        if board[r, c] == 1 and (total == 2 or total == 3):
            new_board[r, c] = 1
        elif board[r, c] == 0 and total == 3:
            new_board[r, c] = 1
        else:
            new_board[r, c] = 0


#appyc: def life(board: i8[M, N], steps: i64)
def life(board, steps):
    a = cuda.to_device(board)
    b = cuda.device_array_like(board)
    for _ in range(steps):
        game_of_life[((board.shape[0] + 7) // 8, (board.shape[1] + 7) // 8), (8, 8)](a, b)
        a, b = b, a
    return a.copy_to_host()


sizes_life = (0, 1, 7, 20)


def inputs_life(n, rng):
    return rng.integers(0, 2, (n, n + 1)).astype(np.int8), 3


@cuda.jit
def sum_reduction(data):
    tid = cuda.threadIdx.x
    size = len(data)
    if tid < size:
        i = cuda.grid(1)
        shr = cuda.shared.array(256, int32)
        shr[tid] = data[i]
        cuda.syncthreads()
        s = 1
        while s < cuda.blockDim.x:
            if tid % (2 * s) == 0:
                if tid + s < size:
                    shr[tid] += shr[tid + s]
            s *= 2
            cuda.syncthreads()
        if tid == 0:
            data[tid] = shr[tid]


#appyc: def sum_docs(a: i32[N])
def sum_docs(a):
    d = cuda.to_device(a)
    if a.size > 0:
        sum_reduction[1, a.size](d)
    return d[0] if a.size > 0 else np.int32(0)


sizes_sum_docs = (1, 7, 33, 200)


def inputs_sum_docs(n, rng):
    return (rng.integers(0, 100, n).astype(np.int32),)


@cuda.jit(void(f4[:, :], f4[:, :], i4), fastmath=True)
def blur(src, dst, radius):
    x, y = cuda.grid(2)
    if x >= src.shape[0] or y >= src.shape[1]:
        return
    acc = float32(0)
    cnt = 0
    for dx in range(-radius, radius + 1):
        for dy in range(-radius, radius + 1):
            xx = min(max(x + dx, 0), src.shape[0] - 1)
            yy = min(max(y + dy, 0), src.shape[1] - 1)
            acc += src[xx, yy]
            cnt += 1
    dst[x, y] = acc / cnt


#appyc: def blurred(a: f32[M, N])
def blurred(a):
    out = np.empty_like(a)
    blur[((a.shape[0] + 7) // 8, (a.shape[1] + 7) // 8), (8, 8)](a, out, 1)
    return out


sizes_blurred = (0, 1, 7, 20)


def inputs_blurred(n, rng):
    return (rng.random((n, n + 1), dtype=np.float32),)


@cuda.jit
def black_scholes_kernel(call, put, S, X, T, R, V):
    i = cuda.grid(1)
    if i >= S.shape[0]:
        return
    sqrtT = math.sqrt(T[i])
    d1 = (math.log(S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cndd1 = cnd(d1)
    cndd2 = cnd(d2)
    expRT = math.exp((-1. * R) * T[i])
    call[i] = (S[i] * cndd1 - X[i] * expRT * cndd2)
    put[i] = (X[i] * expRT * (1.0 - cndd2) - S[i] * (1.0 - cndd1))


@cuda.jit(device=True)
def cnd(d):
    A1 = 0.31938153
    A2 = -0.356563782
    A3 = 1.781477937
    A4 = -1.821255978
    A5 = 1.330274429
    RSQRT2PI = 0.39894228040143267793994605993438
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret_val = (RSQRT2PI * math.exp(-0.5 * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5))))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


#appyc: def black_scholes(S: f64[N], X: f64[N], T: f64[N])
def black_scholes(S, X, T):
    call = np.zeros_like(S)
    put = np.zeros_like(S)
    griddim = int(math.ceil(float(S.shape[0]) / 64)), 1
    blockdim = 64, 1, 1
    stream = cuda.stream()
    d_call = cuda.to_device(call, stream)
    d_put = cuda.to_device(put, stream)
    d_S = cuda.to_device(S, stream)
    for i in range(3):
        black_scholes_kernel[griddim, blockdim, stream](d_call, d_put, d_S, X, T, 0.02, 0.30)
    d_call.copy_to_host(call, stream)
    d_put.copy_to_host(put, stream)
    stream.synchronize()
    return call, put


def inputs_black_scholes(n, rng):
    return rng.uniform(5, 30, n), rng.uniform(1, 100, n), rng.uniform(0.25, 10, n)


@cuda.jit
def csr_kernel(data, indices, indptr, x, y):
    """a warp a row"""
    warp = cuda.grid(1) // 32
    lane = cuda.threadIdx.x & 31
    if warp < y.shape[0]:
        acc = 0.0
        for p in range(indptr[warp] + lane, indptr[warp + 1], 32):
            acc += data[p] * x[indices[p]]
        for k in (16, 8, 4, 2, 1):
            acc += cuda.shfl_xor_sync(0xffffffff, acc, k)
        if lane == 0:
            y[warp] = acc


#appyc: def csr_by_warps(data: f64[K], indices: i32[K], indptr: i32[R], x: f64[C])
def csr_by_warps(data, indices, indptr, x):
    y = np.zeros(indptr.shape[0] - 1)
    csr_kernel[(y.shape[0] * 32 + 63) // 64, 64](data, indices, indptr, x, y)
    return y


def inputs_csr_by_warps(n, rng):
    lens = rng.integers(0, 40, n)
    ptr = np.concatenate(([0], np.cumsum(lens))).astype(np.int32)
    return rng.random(ptr[-1]), rng.integers(0, n + 1, ptr[-1]).astype(np.int32), ptr, rng.random(n + 1)


sizes_csr_by_warps = (0, 1, 7, 33)


def stencil_of(weights, by):
    """A kernel for constant weights, as factories make them."""
    @cuda.jit
    def kernel(a, out, bias=1.0):
        i = cuda.grid(1)
        if i < a.size:
            s = 0.0
            for k in range(len(weights)):
                if 0 <= i + (k - 1) * by < a.size:
                    s += weights[k] * a[i + (k - 1) * by]
            out[i] = s + bias
    return kernel


smooth, far = stencil_of((0.25, 0.5, 0.25), 1), stencil_of((1.0, -1.0, 2.0), 3)
doubled = cuda.jit(device=True)(lambda x: 2 * x)


def doubles(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = doubled(a[i])


doubling = cuda.jit(doubles)


#appyc: def made_kernels(a: f64[N], n: i64)
def made_kernels(a, n):
    k = 1

    @cuda.jit
    def shifted(x, more=k):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = x[i] * k + n + more
    blocks = a.size // 32 + 1
    out = np.zeros_like(a)
    for step in range(n):
        smooth[blocks, 32](a, out)
        far[blocks, 32](out, a, 0.5)
        k += step
        shifted[blocks, 32](a)
    shape = blocks, 32
    doubling[shape](a)
    return a, out


def inputs_made_kernels(n, rng):
    return rng.random(n), 3


@cuda.jit
def rows_kernel(a, b, c):
    tile = cuda.shared.array((8, 5), float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    if i < a.shape[0]:
        tile[t, :] = a[i, :]
    else:
        tile[t] = 0
    cuda.syncthreads()
    if i < a.shape[0]:
        a[i, :] = b[i, ::-1]
        a[i, 1:-1] += c[0]
        b[i, 0:2] = (1.0, 2.0)
        b[i, 2:] = np.sqrt(tile[t, 2:]) + a[i, :3]
        a[i] *= 2


#appyc: def rows_at_once(a: f64[N, 5], b: f64[N, 5], c: f64[3])
def rows_at_once(a, b, c):
    rows_kernel[(a.shape[0] + 7) // 8, 8](a, b, c[1:])


def inputs_rows_at_once(n, rng):
    return rng.random((n, 5)), rng.random((n, 5)), rng.random(3)


def pipeline(*stages):
    """A kernel that applies device functions one after the other."""
    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.size:
            v = x[i]
            for stage in stages:
                v = stage(v)
            x[i] = v
    return kernel


next_one = cuda.jit(device=True)(lambda v: v + 1)
PIPELINES = {"long": pipeline(next_one, doubled, next_one), "short": pipeline(doubled)}


#appyc: def through_pipelines(x: f64[N])
def through_pipelines(x):
    for name in ("long", "short"):
        PIPELINES[name].forall(x.size)(x)


def inputs_through_pipelines(n, rng):
    return (rng.random(n),)


sizes_through_pipelines = (1, 7, 33)


on_device = cuda.to_device(np.arange(64) * 2)
ELEMENTS = len(on_device)


@cuda.jit
def folded_kernel(data):
    tid = cuda.threadIdx.x
    shared = cuda.shared.array(ELEMENTS, int32)
    shared[tid] = data[cuda.grid(1)] + on_device[tid]
    cuda.syncthreads()
    s = 1
    while s < cuda.blockDim.x:
        if tid % (2 * s) == 0:
            shared[tid] += shared[tid + s]
        s *= 2
        cuda.syncthreads()
    if tid == 0:
        data[tid] = shared[tid]


#appyc: def folded(data: i64[64])
def folded(data):
    folded_kernel[1, ELEMENTS](data)


def inputs_folded(n, rng):
    return (rng.integers(-9, 9, 64),)


sizes_folded = (1,)
