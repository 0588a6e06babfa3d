"""Names of a kernel that stand for one memory or another from step to step, numbers of two kinds that lanes exchange, and rows that a thread
stores element by element."""
import numpy as np
from numba import cuda, float32, float64, int32
from numba.cuda import libdevice

TARGETS = ("cpu", "emulated", "checked")
SIZES = (1, 2, 31, 33, 64)


@cuda.jit
def scan_k(x, y):
    a = cuda.shared.array(64, dtype=float32)
    b = cuda.shared.array(64, dtype=float32)
    t = cuda.threadIdx.x
    a[t] = x[t] if t < x.size else float32(0)
    src = a
    dst = b
    cuda.syncthreads()
    d = 1
    while d < 64:
        dst[t] = src[t] + (src[t - d] if t >= d else float32(0))
        cuda.syncthreads()
        src, dst = dst, src
        d <<= 1
    if t < x.size:
        y[t] = src[t] + 1000 * dst[t]


#appyc: def scanned(x: f32[N]) -> f32[N]
def scanned(x):
    y = np.zeros_like(x)
    scan_k[1, 64](x, y)
    return y


@cuda.jit
def heat_k(u, v, steps, out):
    rows = cuda.shared.array((2, 64), dtype=float32)
    t = cuda.threadIdx.x
    n = u.shape[0]
    now, then = rows[0], rows[1]
    now[t] = u[t] if t < n else float32(0)
    cuda.syncthreads()
    for step in range(steps):
        for half in range(2):
            then[t] = now[t]
            if 0 < t < n - 1:
                then[t] = now[t - 1] + now[t + 1] - now[t]
            cuda.syncthreads()
            if half == 0 or step % 3 < 2:
                kept = now
                now = then
                then = kept
    if t < n:
        out[t] = now[t]
        v[t] = then[t] + len(now)


#appyc: def heated(u: f32[N], steps: i64)
def heated(u, steps):
    v, out = np.zeros_like(u), np.zeros_like(u)
    heat_k[1, 64](u, v, steps, out)
    return v, out


@cuda.jit
def longer_k(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        one, other = a, b
        total = 0.0
        for k in range(i + 1):
            total += one[k % len(one)]
            if one[k % one.size] > 0.5:
                one, other = other, one
            elif k % 5 == 4:
                one = b
                other = a
            if total > 9.0:
                break
        out[i] = total + len(one) * 100 + other.shape[0]


#appyc: def longer(a: f64[N], b: f64[M]) -> f64[N]
def longer(a, b):
    out = np.zeros_like(a)
    longer_k[(a.size + 31) // 32, 32](a, b, out)
    return out


@cuda.jit
def last_k(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        best = a
        for k in range(out.size):
            if b[k] > a[k] and k <= i:
                best = b
        for k in range(3):
            if best[i] < k:
                best = a
        out[i] = best[i]


#appyc: def last(a: f64[N], b: f64[N]) -> f64[N]
def last(a, b):
    out = np.zeros_like(a)
    last_k[(a.size + 31) // 32, 32](a, b, out)
    return out


@cuda.jit
def warp_scan_k(x, y):
    i = cuda.grid(1)
    v = x[i] if i < x.size else 0
    d = 1
    while d < 32:
        n = cuda.shfl_up_sync(-1, v, d)
        if cuda.laneid >= d:
            v += n
        d *= 2
    if i < x.size:
        y[i] = v


#appyc: def warp_scanned(x: i32[N]) -> i32[N]
def warp_scanned(x):
    y = np.zeros_like(x)
    warp_scan_k[(x.size + 63) // 64, 64](x, y)
    return y


@cuda.jit
def compact_k(x, out, count):
    i = cuda.grid(1)
    p = i < x.size and x[i] > 0
    mask = cuda.ballot_sync(0xffffffff, p)
    rank = cuda.popc(mask & ((1 << cuda.laneid) - 1))
    base = 0
    if cuda.laneid == 0:
        base = cuda.atomic.add(count, 0, cuda.popc(mask))
    base = cuda.shfl_sync(0xffffffff, base, 0)
    if p:
        out[base + rank] = x[i]


#appyc: def compacted(x: i32[N])
def compacted(x):
    out, count = np.zeros_like(x), np.zeros(1, np.int32)
    compact_k[1, 32](x, out, count)
    return out, count


@cuda.jit
def rows_k(x, out):
    i = cuda.grid(1)
    acc = cuda.local.array(4, float64)
    two = cuda.local.array((2, 3), int32)
    acc[:] = 0
    two[:, :] = 7
    two[1, 1:] = 5
    if i < x.shape[0]:
        acc[:] = x[i, :]
        acc[1:] += 1.0
        acc[::2] *= 2.0
        out[i, :] = acc[::-1]
        out[i] += two[1, 2] * two[0, 0]
        out[i, :2] = acc[2:] + out[i, :2]


#appyc: def of_rows(x: f64[N, 4]) -> f64[N, 4]
def of_rows(x):
    out = np.zeros_like(x)
    rows_k[(x.shape[0] + 31) // 32, 32](x, out)
    return out


@cuda.jit
def shared_rows_k(out):
    s = cuda.shared.array((4, 8), float32)
    t = cuda.threadIdx.x
    s[t, :] = t
    cuda.syncthreads()
    out[t, :] = s[3 - t] + 1


#appyc: def shared_rows() -> f32[4, 8]
def shared_rows():
    out = np.zeros((4, 8), np.float32)
    shared_rows_k[1, 4](out)
    return out


@cuda.jit
def numbers_k(x, n, out, whole):
    i = cuda.grid(1)
    if i < x.size:
        s, c = libdevice.sincospi(x[i])
        out[i, 0] = libdevice.sinpi(x[i]) + 2 * libdevice.cospi(x[i]) + 4 * s + 8 * c
        out[i, 1] = libdevice.rcbrt(x[i] + 9.0) + libdevice.scalbn(x[i], n[i] % 5) + libdevice.dmul_rn(x[i], 3.0)
        out[i, 2] = libdevice.nearbyint(x[i] * 4) + libdevice.ll2double_rn(n[i]) + libdevice.sinpif(x[i]) + libdevice.cospif(x[i])
        whole[i, 0] = libdevice.double2int_rd(x[i]) + 10 * libdevice.double2int_ru(x[i]) + 100 * libdevice.float2ll_rn(x[i]) + libdevice.llrint(x[i])
        whole[i, 1] = libdevice.hadd(n[i], 5) + 10 * libdevice.rhadd(n[i], -4) + libdevice.uhadd(abs(n[i]), 3) + libdevice.sad(n[i], 7, 2) + libdevice.usad(abs(n[i]), 7, 2)


#appyc: def numbers(x: f64[N], n: i32[N])
def numbers(x, n):
    out, whole = np.zeros((x.size, 3)), np.zeros((x.size, 2), np.int64)
    numbers_k[(x.size + 31) // 32, 32](x, n, out, whole)
    return out, whole


def inputs_numbers(n, rng):
    return rng.integers(-8, 9, n) / 4 + rng.random(n) * (rng.random(n) < 0.5), rng.integers(-9, 9, n).astype(np.int32)


sizes_shared_rows = (1,)
sizes_compacted = (1, 7, 31, 32)


def inputs_of_rows(n, rng):
    return (rng.random((n, 4)),)


def inputs_shared_rows(n, rng):
    return ()


def inputs_scanned(n, rng):
    return (rng.integers(0, 9, n).astype(np.float32),)


def inputs_heated(n, rng):
    return rng.integers(-9, 9, n).astype(np.float32), 4


def inputs_longer(n, rng):
    return rng.random(n), rng.random(n + 3)


def inputs_last(n, rng):
    return rng.random(n) * 3, rng.random(n) * 3


def inputs_warp_scanned(n, rng):
    return (rng.integers(0, 99, n).astype(np.int32),)


def inputs_compacted(n, rng):
    return (rng.integers(-9, 9, n).astype(np.int32),)


@cuda.jit(device=True)
def mixed(a, b, n, i):
    total = 0.0
    for k in range(n):
        total = total * 0.5 + a[(i + k) % len(a)]
        if k % 3 == 1:
            a, b = b, a
            continue
        if k % 5 == 4:
            a = b
        elif k % 7 == 6:
            b = a
            total += 1
    return total + b[0] * 10 + a[0]


@cuda.jit
def continues_k(x, y, z, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    out[i] = mixed(x, y, i % 11, i) + mixed(y, x, 4, i)
    first, second = x, x
    for k in range(5):
        out[i] += first[k % first.size]
        first, second = second, first
        if k == 2:
            first = z
    out[i] += first[0] * 3 + second[0]


#appyc: def continues(x: f64[N], y: f64[M], z: f64[N]) -> f64[N]
def continues(x, y, z):
    out = np.zeros_like(x)
    continues_k[(x.size + 31) // 32, 32](x, y, z, out)
    return out


def inputs_continues(n, rng):
    return rng.random(n), rng.random(n + 2), rng.random(n)


@cuda.jit
def nested_k(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        w = cuda.local.array(3, float64)
        v = cuda.local.array(3, float64)
        w[:] = x[i]
        v[:] = y[i]
        now, nxt = w, v
        for s in range(3):
            for q in range(s + 1):
                for c in range(3):
                    nxt[c] = now[(c + 1) % 3] + nxt[c] * 0.5 + s
                now, nxt = nxt, now
                while now[0] > 4:
                    now[0] -= 3
                    if now[1] > 2:
                        now, nxt = nxt, now
                        break
            if s == 1:
                nxt = now
        out[i] = now[0] + 2 * nxt[1] + 4 * w[2] + 8 * v[0]


#appyc: def nested(x: f64[N], y: f64[N]) -> f64[N]
def nested(x, y):
    out = np.zeros_like(x)
    nested_k[(x.size + 31) // 32, 32](x, y, out)
    return out


def inputs_nested(n, rng):
    return rng.random(n) * 3, rng.random(n) * 3


@cuda.jit
def cw_k(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        a, b = x, y
        n = 0
        while a[i] < b[i] + n and n < 6:
            a, b = b, a
            n += 1
        else:
            a = b
        out[i] = n * 10 + a[i]


#appyc: def cond_while(x: f64[N], y: f64[N]) -> f64[N]
def cond_while(x, y):
    out = np.zeros_like(x)
    cw_k[(x.size + 31) // 32, 32](x, y, out)
    return out


def inputs_cond_while(n, rng):
    return rng.random(n) * 4, rng.random(n) * 4


@cuda.jit(device=True)
def spread(row):
    return np.max(row) - row.min()


@cuda.jit
def folds_k(a, w, out):
    i = cuda.grid(1)
    tile = cuda.shared.array(32, dtype=float64)
    own = cuda.local.array(4, dtype=float64)
    t = cuda.threadIdx.x
    tile[t] = a[i, 0] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    if i < a.shape[0]:
        for k in range(4):
            own[k] = a[i, k] * k
        out[i, 0] = np.sum(own) + own[1:3].max() + a[i].sum() * np.dot(a[i], w)
        out[i, 1] = spread(a[i, 1:]) + np.mean(a[i]) + np.std(own)
        out[i, 2] = tile[: t + 1].sum() + np.linalg.norm(w)
        out[i, 3] = np.any(a[i] > 0.9) + np.all(own < 2) + np.count_nonzero(w > a[i])


@cuda.jit("void(f8[:,:], f8[:])")
def folds_with_types(a, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = a[i].sum() / (np.prod(a[i]) + 1)


#appyc: def folded_rows(a: f64[N, 4], w: f64[4])
def folded_rows(a, w):
    out = np.zeros((a.shape[0], 5))
    folds_k[(a.shape[0] + 31) // 32, 32](a, w, out)
    folds_with_types[1, 32](a, out[:, 4])
    return out


def inputs_folded_rows(n, rng):
    return rng.random((n, 4)), rng.random(4)
