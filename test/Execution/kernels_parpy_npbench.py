"""Programs of NPBench in ParPy's notation: kernels with labels, and callers that make the arrays and give the schedule."""
import numpy as np
import parpy

SIZES = (1, 7, 33, 130)


@parpy.jit
def relu(x):
    return parpy.max(x, 0.0)


@parpy.jit
def softmax(x, out, N, M):
    parpy.label('i')
    for i in range(N):
        parpy.label('jr')
        m = parpy.max(x[i, :])
        parpy.label('j')
        out[i, :] = parpy.exp(x[i, :] - m)
        parpy.label('jr')
        s = parpy.sum(out[i, :])
        parpy.label('j')
        out[i, :] = out[i, :] / s


@parpy.jit
def go_fast(a, out, N):
    with parpy.gpu:
        trace = 0.0
        parpy.label('r')
        for i in range(N):
            trace += parpy.tanh(a[i, i])
        parpy.label('i')
        parpy.label('j')
        out[:, :] = a[:, :] + trace


@parpy.jit
def gemver(A, u1, v1, x, y, alpha, N):
    parpy.label('i')
    for i in range(N):
        parpy.label('j')
        for j in range(N):
            A[i, j] = A[i, j] + u1[i] * v1[j]
    parpy.label('i')
    for i in range(N):
        parpy.label('jr')
        for j in range(N):
            x[i] += alpha * A[j, i] * y[j]


def run_gemver(A: "f64[N, N]", u1: "f64[N]", v1: "f64[N]", x: "f64[N]", y: "f64[N]"):
    N = A.shape[0]
    p = {'i': parpy.threads(N), 'j': parpy.threads(64), 'jr': parpy.threads(64).par_reduction()}
    gemver(A, u1, v1, x, y, 1.5, N, opts=parpy.par(p))


def run_softmax(x: "f64[N, M]"):
    out = np.empty_like(x)
    N, M = x.shape
    p = {'i': parpy.threads(N), 'j': parpy.threads(128), 'jr': parpy.threads(128).reduce()}
    softmax(x, out, N, M, opts=parpy.par(p))
    return out


def run_go_fast(a: "f64[N, N]"):
    out = np.zeros_like(a)
    N = a.shape[0]
    go_fast(a, out, N, opts=parpy.par({'r': parpy.threads(256).reduce(), 'i': parpy.threads(N), 'j': parpy.threads(256)}))
    return out


@parpy.jit
def azimint(data, radius, res, rmax, K, N):
    parpy.label('k')
    for i in range(K):
        r1 = rmax * parpy.float64(i) / parpy.float64(K)
        r2 = rmax * parpy.float64(i + 1) / parpy.float64(K)
        c = 0.0
        parpy.label('n')
        for j in range(N):
            c = c + (1.0 if r1 <= radius[j] and radius[j] < r2 else 0.0)
        s = 0.0
        parpy.label('n')
        for j in range(N):
            s = s + (data[j] if r1 <= radius[j] and radius[j] < r2 else 0.0)
        res[i] = s / c if c > 0.0 else 0.0


def run_azimint(data: "f64[N]", radius: "f64[N]", K: "i64"):
    rmax = radius.max()
    res = np.zeros(K)
    opts = parpy.par({'k': parpy.threads(K), 'n': parpy.threads(1024).reduce()})
    azimint(data, radius, res, rmax, K, len(data), opts=opts)
    return res


@parpy.jit
def heat(A, B, T, N):
    for t in range(T):
        parpy.label('i')
        B[1:N-1] = 0.33 * (A[0:N-2] + A[1:N-1] + A[2:N])
        parpy.label('i')
        A[1:N-1] = 0.33 * (B[0:N-2] + B[1:N-1] + B[2:N])


def run_heat(A: "f64[N]", T: "i64"):
    B = A.copy()
    heat(A, B, T, A.shape[0], opts=parpy.par({'i': parpy.threads(1024).tpb(256)}))
    return B


@parpy.jit
def floor_ops(x, y, q, r, f, N):
    parpy.label('i')
    for i in range(N):
        q[i] = x[i] // y[i]
        r[i] = x[i] % y[i]
        f[i] = x[i] / y[i]


def run_floor_ops(x: "i32[N]", y: "i32[N]"):
    q, r, f = np.zeros_like(x), np.zeros_like(x), np.zeros(len(x))
    floor_ops(x, y, q, r, f, len(x), opts=parpy.par({'i': parpy.threads(64)}))
    return q, r, f


def run_cluster(x: "f64[N, M]"):
    N, M = x.shape
    y = np.zeros(N)
    p = {'i': parpy.threads(N), 'j': parpy.threads(4096).tpb(512).reduce()}
    opts = parpy.par(p)
    opts.use_cuda_thread_block_clusters = True
    opts.max_thread_blocks_per_cluster = 8
    rows(x, y, N, M, opts=opts)
    return y


@parpy.jit
def rows(x, y, N, M):
    parpy.label('i')
    for i in range(N):
        y[i] = 0.0
        parpy.label('j')
        for j in range(M):
            y[i] = y[i] + relu(x[i, j])




def inputs_run_gemver(n, rng):
    return rng.random((n, n)), rng.random(n), rng.random(n), rng.random(n), rng.random(n)


sizes_run_softmax = (1, 7, 33, 130)


def inputs_run_softmax(n, rng):
    return (rng.random((n, n + 2)),)


def inputs_run_go_fast(n, rng):
    return (rng.random((n, n)),)


sizes_run_azimint = (1, 7, 130)


def inputs_run_azimint(n, rng):
    return rng.random(n), rng.random(n), 5


sizes_run_heat = (2, 7, 130)


def inputs_run_heat(n, rng):
    return rng.random(n), 3


def inputs_run_floor_ops(n, rng):
    return rng.integers(-50, 50, n).astype(np.int32), (rng.integers(1, 9, n) * rng.choice([-1, 1], n)).astype(np.int32)


def inputs_run_cluster(n, rng):
    return (rng.random((n, 5000)) - 0.5,)


sizes_run_cluster = (1, 3)
