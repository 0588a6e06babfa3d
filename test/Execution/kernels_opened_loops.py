"""`prange` around what has all threads to itself or stands in order: sorts, lists, generators, whole arrays that all iterations add to; classes,
lists, dicts and stencils of Numba's."""
import numpy as np
from numba import float64, get_num_threads, get_thread_id, guvectorize, int64, literal_unroll, njit, prange, stencil, types
from numba.experimental import jitclass
from numba.typed import Dict, List

TARGETS = ("cpu", "emulated", "checked")
SIZES = (0, 1, 7, 65)


@njit(parallel=True)
def medians(a):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        out[i] = np.median(a[i]) + np.percentile(a[i], 30.0)
    return out


@njit(parallel=True)
def trimmed(a, k):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        ordered = np.sort(a[i])
        s = 0.0
        for j in range(k, ordered.size - k):
            s += ordered[j]
        out[i] = s / (ordered.size - 2 * k)
    return out


@njit(parallel=True)
def nearest(x, y, k):
    out = np.empty((y.shape[0], k), dtype=np.int64)
    for i in prange(y.shape[0]):
        d = np.zeros(x.shape[0])
        for j in range(x.shape[0]):
            for c in range(x.shape[1]):
                d[j] += (x[j, c] - y[i, c]) ** 2
        out[i, :] = np.argsort(d, kind="stable")[:k]
    return out


#appyc: def sorted_in_prange(a: f64[N, 5], y: f64[M, 5])
def sorted_in_prange(a, y):
    near = nearest(a, y, 2) if a.shape[0] > 1 else np.zeros((y.shape[0], 2), dtype=np.int64)
    return medians(a), trimmed(a, 1), near


def inputs_sorted_in_prange(n, rng):
    return rng.random((n, 5)), rng.random((n + 2, 5))


@guvectorize(["(f8[:], f8[:])"], "(n)->(n)")
def sorted_row(x, out):
    out[:] = np.sort(x)


@guvectorize(["(f8[:], i8, f8[:], f8[:])", "(f4[:], i8, f4[:], f4[:])"], "(n),()->(),()")
def middle(x, k, low, mid):
    order = np.argsort(x, kind="stable")
    low[0] = x[order[k]]
    mid[0] = np.median(x)


#appyc: def sorted_by_ufuncs(a: f64[N, 5], b: f32[3, 5])
def sorted_by_ufuncs(a, b):
    low, mid = middle(a, 1)
    lower, _ = middle(b, np.arange(3))
    return sorted_row(a), low, mid, lower


def inputs_sorted_by_ufuncs(n, rng):
    return rng.random((n, 5)), rng.random((3, 5)).astype(np.float32)


@njit(parallel=True)
def gradient(x, w):
    g = np.zeros(w.shape[0])
    h = np.ones((2, w.shape[0]))
    for i in prange(x.shape[0]):
        g += x[i] * (x[i] @ w)
        h[:] *= 1 + x[i]
    return g, h


@njit(parallel=True)
def by_threads(x):
    parts = np.zeros(get_num_threads())
    for i in prange(x.shape[0]):
        parts[get_thread_id()] += x[i, 0]
    return parts.sum()


@njit(parallel=True)
def listed(x):
    lengths = np.zeros(x.shape[0], dtype=np.int64)
    found = [0]
    for i in prange(x.shape[0]):
        own = []
        for j in range(x.shape[1]):
            if x[i, j] > 0.5:
                own.append(j)
        for k in own:
            lengths[i] += k
        if len(own) > 2:
            found.append(i)
    return lengths, np.array(found)


#appyc: def folded_in_prange(x: f64[N, 4], w: f64[4])
def folded_in_prange(x, w):
    return gradient(x, w), by_threads(x), listed(x)


def inputs_folded_in_prange(n, rng):
    return rng.random((n, 4)), rng.random(4)


@njit(parallel=True)
def inside(n, seed):
    rng = np.random.Generator(np.random.PCG64(seed))
    count = 0
    for i in prange(n):
        x = rng.random()
        y = rng.random()
        if x * x + y * y < 1:
            count += 1
    return count


#appyc: def drawn_in_prange(n: i64, seed: i64)
def drawn_in_prange(n, seed):
    return inside(n, seed)


def inputs_drawn_in_prange(n, rng):
    return n, n + 3


@jitclass([("mean", float64), ("n", int64), ("m2", float64)])
class Welford:
    def __init__(self):
        self.mean = 0.0
        self.n = 0
        self.m2 = 0.0

    def add(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self.m2 += d * (x - self.mean)

    @property
    def var(self):
        return self.m2 / self.n if self.n > 0 else 0.0


@jitclass
class Bins:
    n: int
    counts: float64[:]

    def __init__(self, n):
        self.n = n
        self.counts = np.zeros(n)

    def bump(self, k):
        self.counts[k % self.n] += 1


@njit
def kept(n):
    items = List()
    for i in range(n):
        items.append(i * 2)
    squares = Dict.empty(key_type=types.int64, value_type=types.int64)
    for x in items:
        squares[x % 5] = x * x
    others = List.empty_list(types.float64)
    others.append(0.5)
    total = 0
    for k, v in squares.items():
        total += k * v
    return total, others[0]


#appyc: def of_classes(a: f64[N])
def of_classes(a):
    w = Welford()
    bins = Bins(5)
    total = 0.0
    for k in range(a.size):
        w.add(a[k])
        bins.bump(k)
    for c in literal_unroll((1, 2.5)):
        total += c * w.mean
    return w.mean, w.var, bins.counts, total, kept(a.size)


def inputs_of_classes(n, rng):
    return (rng.random(n),)


@stencil
def cross(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


@njit(parallel=True)
def relaxed(a, n):
    for t in range(n):
        a = cross(a)
    return a


@stencil(neighborhood=((-5, 0),))
def moving(a):
    total = 0
    for i in range(-5, 1):
        total += a[i]
    return total / 6


@stencil(cval=1.5, standard_indexing=("w",))
def weighted(a, w, s):
    if a[0] > 0.5:
        return a[-1] * w[0] + a[2] * w[1]
    return a[0] * s


@stencil
def of_two(u, v):
    return u[0, 0, 0] * 2 - (u[1, 0, 0] + u[-1, 0, 0] + v[0, 1, 0] + v[0, 0, -1]) // 2


@stencil
def of_four(u):
    return u[0, 0, 0, 1] * 2 + u[0, -1, 0, 0] - u[1, 0, 0, 0]


#appyc: def stencils(a: f64[N, 5], x: f64[N], w: f64[2], u: i64[N, 4, 3])
def stencils(a, x, w, u):
    out = np.ones_like(x)
    moving(x, out=out)
    return cross(a), relaxed(a, 3), moving(x), out, weighted(x, w, 2.0), moving(u[:, 0, 0]), of_two(u, u + 1), of_four(u.reshape(-1, 2, 2, 3))


sizes_stencils = (0, 1, 2, 7, 33)


def inputs_stencils(n, rng):
    return rng.random((n, 5)), rng.random(n), rng.random(2), rng.integers(0, 9, (n, 4, 3))


@njit(parallel=True)
def distances(a, b):
    """Of texts, by the steps that make one of the other: two rows of each thread's change places."""
    out = np.empty(b.shape[0], np.int64)
    for k in prange(b.shape[0]):
        above = np.arange(b.shape[1] + 1)
        row = np.zeros(b.shape[1] + 1, np.int64)
        for i in range(a.size):
            row[0] = i + 1
            for j in range(b.shape[1]):
                row[j + 1] = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] != b[k, j]))
            above, row = row, above
        out[k] = above[-1] * 100 + row[0]
    return out


#appyc: def exchanged_in_prange(a: i64[N], b: i64[K, M])
def exchanged_in_prange(a, b):
    return distances(a, b)


def inputs_exchanged_in_prange(n, rng):
    return rng.integers(0, 4, n), rng.integers(0, 4, (5, 6))


@njit(parallel=True)
def in_turn(x):
    out = np.empty(x.shape[0])
    for i in prange(x.shape[0]):
        a = np.zeros(4)
        b = np.ones(4)
        c = np.full(4, 2.0)
        for s in range(5):
            for q in range(4):
                c[q] = a[q] * 0.5 + b[3 - q] + x[i]
            if s % 2 == 0:
                a, b = b, a
            a, b, c = b, c, a
        out[i] = a[0] + b[1] * 10 + c[2] * 100
    return out


#appyc: def turned_in_prange(x: f64[N])
def turned_in_prange(x):
    return in_turn(x)


def inputs_turned_in_prange(n, rng):
    return (rng.random(n),)
