"""ParPy's programs: labels, with schedules at calls of the file and on the command line."""
import numpy as np
import parpy


@parpy.jit
def scale_max(a: "f64[R, C]", s: "f64[R]", m: "f64[R]", R: "i64", C: "i64"):
    parpy.label('rows')
    for r in range(R):
        m[r] = -parpy.inf
        parpy.label('scale')
        for c in range(C):
            a[r, c] = a[r, c] * s[r]
        parpy.label('top')
        for c in range(C):
            m[r] = parpy.max(m[r], a[r, c])


@parpy.jit
def with_gpu(x: "f64[N]", y: "f64[1]", N: "i64"):
    with parpy.gpu:
        y[0] = 0.0
        parpy.label('i')
        for i in range(N):
            y[0] += x[i]


@parpy.jit
def slices(x: "f64[N, M]", y: "f64[N]", z: "f64[N, M]"):
    parpy.label('N')
    y[:] = parpy.sum(x[:, :], axis=1)
    parpy.label('N')
    parpy.label('M')
    z[:, :] = parpy.exp(x[:, :]) * parpy.float64(2)


@parpy.jit
def squared(v):
    return v * v


@parpy.jit
def helpers(x: "f32[N]", out: "f32[1]", N: "i64"):
    out[0] = parpy.float32(0)
    parpy.label('a')
    parpy.label('b')
    for i in range(N):
        out[0] = out[0] + squared(parpy.tanh(x[i]))


@parpy.jit
def products(x: "f64[N]", out: "f64[3]", N: "i64"):
    out[0] = 1.0
    out[1] = parpy.inf
    parpy.label('p')
    for i in range(N):
        out[0] *= x[i]
    parpy.label('least')
    for i in range(N):
        out[1] = parpy.min(x[i], out[1])
    out[2] = parpy.atan2(out[0], out[1]) + parpy.sqrt(parpy.abs(out[0]))


@parpy.jit
def floors(k: "i64[N]", q: "i64[N]", N: "i64"):
    parpy.label('i')
    for i in range(N):
        q[i] = k[i] // 3 + k[i] % 4


@parpy.jit
def unlisted(x: "f64[N]", N: "i64"):
    parpy.label('none')
    for i in range(1, N):
        x[i] = x[i] + x[i - 1]


@parpy.jit
def broadcast(x: "f64[N, M]", y: "f64[M]", z: "f64[N, M]", t: "f64[M]"):
    parpy.label('N')
    parpy.label('M')
    z[:, :] = x[:, :] + y[:]
    parpy.label('M')
    t[:] = parpy.sum(x[:, :], axis=0)


def driver(a, s):
    m = np.empty(a.shape[0])
    p = {'rows': parpy.threads(a.shape[0]), 'scale': parpy.threads(256), 'top': parpy.threads(256).reduce().tpb(128)}
    scale_max(a, s, m, a.shape[0], a.shape[1], opts=parpy.par(p))
    y = np.empty(1)
    with_gpu(s, y, s.shape[0], opts=parpy.par({'i': parpy.threads(1024).reduce()}))
    return m, y


def with_options(x: "f64[N]"):
    opts = parpy.par({'twice': parpy.threads(64)})
    opts.max_unroll_count = 1
    opts.use_cuda_thread_block_clusters = True
    doubled(x, x.shape[0], opts=opts)


@parpy.jit
def doubled(x: "f64[N]", N: "i64"):
    parpy.label('twice')
    for i in range(N):
        x[i] = x[i] * 2.0


def inputs_with_options(size, rng):
    return (rng.random(size),)


def inputs_doubled(size, rng):
    return rng.random(size), size


def inputs_scale_max(size, rng):
    return rng.random((size, 7)), rng.random(size), np.zeros(size), size, 7


def inputs_with_gpu(size, rng):
    return rng.integers(-9, 9, size).astype(float), np.zeros(1), size


def inputs_slices(size, rng):
    return rng.random((size, 5)), np.zeros(size), np.zeros((size, 5))


def inputs_helpers(size, rng):
    return rng.random(size, dtype=np.float32), np.zeros(1, np.float32), size


def inputs_products(size, rng):
    return rng.random(size) + 0.6, np.zeros(3), size


def inputs_floors(size, rng):
    return rng.integers(-99, 99, size), np.zeros(size, np.int64), size


def inputs_unlisted(size, rng):
    return rng.random(size), size


def inputs_broadcast(size, rng):
    return rng.random((4, size)), rng.random(size), np.zeros((4, size)), np.zeros(size)



SIZES = (0, 1, 2, 3, 33, 129, 257)
TRANSLATE_OPTIONS = ("--par=products.p=threads(64).reduce(), least=reduce()", "--par=floors.i=threads(128).tpb(64)",
                     "--par=helpers.a=threads(512).reduce()", "--par=slices.N=threads(32)")
