"""Arrays whose size another step of a loop, or data on a path, decides."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 9)
TARGETS = ("cpu", "emulated", "cuda")  # checks of its many scans take minutes; kernels_compaction has such with them


def sieved(z: f64[N], t: int):
    k = 0.0
    for i in range(t):
        if not len(z):
            break
        z = z[z > i / 8]
        k += len(z) + z.sum()
    return z, k


def inputs_sieved(size, rng):
    return rng.random(size), 6


def pairs(z: f64[N], y: f32[N], t: int):
    y = y + 1
    for i in range(t):
        kept = z > i / 8
        z, y = z[kept], y[kept]
        z -= 0.01
        w = y * 2
        y = w + 1
    return z, y


def inputs_pairs(size, rng):
    return rng.random(size), rng.random(size).astype(np.float32), size % 4


def peeled(z: f64[N]):
    total = 0.0
    while len(z):
        total = total / 2 + z.sum()
        z = z[1:].copy()
    return total, z


def inputs_peeled(size, rng):
    return (rng.random(size),)


def appended(z: f64[N], t: int):
    for i in range(t):
        if z.sum() > i / 2:
            z = np.append(z, i)
    return z


def inputs_appended(size, rng):
    return rng.random(size), size + 2


def by_rows(m: f64[M, N], t: int):
    for i in range(t):
        m = m[m[:, 0] > i / 8, ::-1] * 1.5
    return m


def inputs_by_rows(size, rng):
    return rng.random((size, 3)), 3


def nested(z: f64[N], t: int):
    w = z * 2
    count = 0
    for i in range(t):
        for j in range(2):
            w = w[w > (i + j) / 16]
            count += len(w)
        w = np.concatenate((w, z[:2])) - 0.01
    return w, count


def inputs_nested(size, rng):
    return rng.random(size), 3


def on_a_path(z: f64[N], c: f64):
    y = z[z > c]
    if y.sum() > 2:
        y = y[1:] * 2
    return y, len(y)


def inputs_on_a_path(size, rng):
    return rng.random(size), 0.25


def written_first(n: int, t: int):
    z = np.arange(n) + 1.0
    for i in range(t):
        z *= 1.5
        z = z[z % 2 < 1.5]
    return z


def inputs_written_first(size, rng):
    return size, 4


def escaping(n: int, steps: int):
    x, y = np.mgrid[0:n, 0:n]
    c = x / 4 + y * 1j
    z = np.zeros(c.shape, np.complex128)
    found = np.zeros((n, n), np.int64)
    x.shape = y.shape = c.shape = z.shape = n * n
    for i in range(steps):
        if not len(z):
            break
        np.multiply(z, z, z)
        np.add(z, c, z)
        out = abs(z) > 2
        found[x[out], y[out]] = i + 1
        np.logical_not(out, out)
        z = z[out]
        x, y = x[out], y[out]
        c = c[out]
    return found, len(z)


def inputs_escaping(size, rng):
    return size, 5


def parts_of_kept(z: f64[N]):
    kept = z[z > 0.25]
    total = 0.0
    for i in range(len(kept)):
        total = total / 2 + kept[i]
    high = kept > 0.5
    first = kept[high]
    first[:1] = 2
    return total, first, kept[kept < 0.75]


def inputs_parts_of_kept(size, rng):
    return (rng.random(size),)


def kept_again(z: f64[N], t: int):
    z = z[z > 0.125]
    total = 0.0
    for i in range(t):
        total += z.sum()
        z += 0.01
        z = z[z > i / 4]
        w = z[::-1].copy()
        w[:1] = i
        total += (w * z).sum()
    return z, total


def inputs_kept_again(size, rng):
    return rng.random(size), 4


def sifted(a: f64[N], n: int):
    high = np.array([x for x in a if x > 0.5])
    places = [i for i in range(n) if i % 3 == 1]
    pairs = [x * y for x in a for y in a if x > 0.25 if y > x]
    rows = np.array([a * i for i in range(n + 2) if i % 2])
    return high, len(places), sum(places), np.array([a[i] for i in places]), len(pairs), np.array(pairs).sum(), rows


def inputs_sifted(size, rng):
    return rng.random(size), size


def sifted_in_steps(a: f64[N], t: int):
    total = 0.0
    for i in range(t):
        b = np.array([x + 0.25 for x in a if x > i / 8])
        total += b.sum()
        a = b
    return total, a


def inputs_sifted_in_steps(size, rng):
    return rng.random(size), 3


def halved_and_sifted(y: f64[N]):
    """Of a size for which the caller knows no room: checks alone hold what the loops add."""
    for j in range(3):
        y = y[len(y) // 2:].copy()
        for i in range(3):
            y = np.append(y, 1.0 + j)
            y = y[y < 0.75]
    return y


def inputs_halved_and_sifted(size, rng):
    return (rng.random(size),)


def system(size, rng):
    return rng.random((size, size)) + np.eye(size) * (size + 1), rng.random(size)


def jacobi(a: f64[N, N], b: f64[N]):
    """What a loop makes and returns outlives it."""
    x = np.zeros_like(b)
    d = np.diag(a)
    r = a - np.diag(d)
    for it in range(50):
        x_new = (b - r @ x) / d
        if np.max(np.abs(x_new - x), initial=0.0) < 1e-6:
            return x_new, it
        x = x_new
    return x, -1


def jacobi_by_rows(a: f64[N, N], b: f64[N]):
    n = b.shape[0]
    x = np.zeros(n)
    for it in range(50):
        x_new = np.zeros(n)
        for i in range(n):
            s = 0.0
            for j in range(n):
                if j != i:
                    s += a[i, j] * x[j]
            x_new[i] = (b[i] - s) / a[i, i]
        if np.linalg.norm(x_new - x) < 1e-6:
            return {"x": x_new, "steps": it}
        x = x_new
    return {"x": x, "steps": 50}


def first_of_rows(a: f64[N, N], b: f64[N]):
    for i in range(a.shape[0]):
        for j in range(3):
            row = a[i] * j
            if row.sum() > 2.5:
                return row
    return None


def halved_until(a: f64[N, N], b: f64[N]):
    x = b.copy()
    k = 0
    while True:
        y = 0.5 * x
        k += 1
        if y.sum() < 0.1 or k > 100:
            return y
        x = y


def of_each_length(a: f64[N, N], b: f64[N]):
    """In a loop, of the size that the step at hand has."""
    for i in range(1, a.shape[0]):
        t = a[:i, 0] * 2
        if t.sum() > 2.5:
            return t
    return b * 0


def best_of_rows(a: f64[N, N], b: f64[N]):
    best, best_row = -1.0, b
    for i in range(a.shape[0]):
        row = a[i] * b[i]
        if row.sum() > best:
            best = row.sum()
            best_row = row
        last = best_row * 2
    return best_row * 1.0, last if a.shape[0] > 0 else b + 1.0


def behind_loops(a: f64[N, N], b: f64[N]):
    u = b
    for i in range(a.shape[0]):
        t = b * i
        u = t
        t[:1] = 7.0
    for k in range(40):
        mid = 0.5 * (b + k)
        if k % 7 == 6:
            break
    return u + 1.0, mid


def behind_branches(a: f64[N, N], b: f64[N]):
    n = b.shape[0]
    if n > 2:
        t = b * 2
        k = np.zeros(n - 2)
        k[:] = t[2:]
    else:
        k = b * 3
    if n > 2:
        return k + t[2:]
    return k


def shorter_in_each(a: f64[N, N], b: f64[N]):
    """What a step takes the size of is known only when the loop inside is read for the last time."""
    out = np.zeros(len(b))
    for k in range(len(b)):
        v = np.maximum(b[k] - a[k].sum() * 2.0 ** np.arange(4, -5, -2), 0.0)
        for i in range(3, -1, -1):
            v = 0.4 * v[:-1] + 0.5 * v[1:]
            v = np.maximum(v, b[k] - 2.0 ** np.arange(i, -i - 1, -2))
        out[k] = v[0]
    return out


inputs_shorter_in_each = inputs_jacobi = inputs_jacobi_by_rows = inputs_first_of_rows = inputs_halved_until = system
inputs_of_each_length = inputs_best_of_rows = inputs_behind_loops = inputs_behind_branches = system
