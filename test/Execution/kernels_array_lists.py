"""Lists that grow and hold arrays of one shape: appended to, popped, sliced, joined, run over, made arrays."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 7)


def kalman(z: f64[T, M], F: f64[N, N], H: f64[M, N], Q: f64[N, N], R: f64[M, M]):
    n = F.shape[0]
    x = np.zeros(n)
    P = np.eye(n)
    xs = []
    for k in range(len(z)):
        x = F @ x
        P = F @ P @ F.T + Q
        y = z[k] - H @ x
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ y
        P = (np.eye(n) - K @ H) @ P
        xs.append(x)
    return np.array(xs)


def inputs_kalman(size, rng):
    return (rng.standard_normal((size, 2)), np.eye(3) + rng.random((3, 3)) * 0.1, rng.random((2, 3)), np.eye(3) * 0.1,
            np.eye(2))


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def hull(points: f64[N, 2]):
    pts = points[np.lexsort((points[:, 1], points[:, 0]))]
    lower = []
    for p in pts:
        while len(lower) >= 2 and cross(lower[-2], lower[-1], p) <= 0:
            lower.pop()
        lower.append(p)
    upper = []
    for p in pts[::-1]:
        while len(upper) >= 2 and cross(upper[-2], upper[-1], p) <= 0:
            upper.pop()
        upper.append(p)
    return np.array(lower[:-1] + upper[:-1])


def inputs_hull(size, rng):
    return (rng.random((size * 3, 2)),)


def trajectory(x: f64[N], v: f64[N], steps: int):
    xs, vs = [x.copy()], []
    for _ in range(steps):
        v = v - 0.1 * x
        x = x + 0.1 * v
        xs.append(x)
        vs.append(v * 2)
    total = 0.0
    for k, (a, b) in enumerate(zip(xs, vs)):
        total += (k + 1) * (a @ b)
    every = xs[::2]
    every.append(v)
    return np.array(xs), np.stack(vs), np.vstack(every), len(xs), total, xs[-1], sum(xs)


def inputs_trajectory(size, rng):
    return rng.random(4 + size // 4), rng.random(4 + size // 4), size


sizes_trajectory = (1, 2, 7, 258)  # the last has chunks of two steps, and rows for more than one warp


def taken_and_put(a: f64[M, N], b: i64[M]):
    stack = []
    out = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        if b[i] % 3 == 0 and stack:
            last = stack.pop()
            stack.append(a[i] + last)
            out += last
        else:
            stack.append(a[i])
    first, last = stack[0], stack[-1]
    stack.pop()
    stack.append(first * 2)
    rows = []
    for s in stack:
        rows.append(s.max())
    stack += [out, last]
    return rows, first * 2, np.array(stack), last + out


def inputs_taken_and_put(size, rng):
    return rng.random((size, 3)), rng.integers(0, 9, size)


def matrices(a: f64[N, N], n: int):
    powers = [np.eye(a.shape[0])]
    for k in range(n):
        powers.append(powers[-1] @ a / (k + 1))
    return powers, np.array(powers), np.concatenate(powers), np.sum(powers, axis=0), np.mean(powers, axis=0)


def inputs_matrices(size, rng):
    return rng.random((2, 2)), size


def changed_inside(acc, p):
    for i in range(len(acc)):
        acc[i] += p[i]
    acc[-1][:1] *= 3


def in_place(p: f64[M, N], k: int):
    """Arrays in a list that nothing else has change there."""
    acc = [np.zeros(p.shape[1]) for _ in range(len(p))]
    changed_inside(acc, p)
    acc[0][0] = acc[-1][-1] + 0.5
    hist = [np.zeros(4, dtype=int) for _ in range(k)]
    rows = []
    for i in range(len(p)):
        rows.append(p[i] * 2)
        rows[i // 2] -= 0.25
        for j in range(p.shape[1]):
            hist[j % k][int(p[i, j] * 4)] += 1
    total = np.zeros(p.shape[1])
    for a in acc:
        total += a
    return total, np.stack(acc), rows, np.array(hist)


def inputs_in_place(size, rng):
    return rng.random((size, size + 1)), 2


def gates(x: f64[T, D], W: f64[G, D]):
    """Sizes that broadcasting makes are those of the arrays in a list."""
    H = W.shape[1]
    h = np.zeros(H)
    hs = []
    for t in range(x.shape[0]):
        z = W @ x[t]
        i, f, o, g = z[:H], z[H:2 * H], z[2 * H:3 * H], z[3 * H:]
        h = f * h + i * g + o
        hs.append(h)
    return np.array(hs)


def inputs_gates(size, rng):
    return rng.random((size, 3)), rng.random((12, 3))


def folded_parts(x: i64[N], k: int):
    """What is put into lists is known when it is known what the lists are of which it is made."""
    out = []
    for f in np.split(x, k):
        out.append(f.sum())
    ends = []
    for f in np.array_split(x, k + 1):
        ends += [f.max(), f[0]]
    parts = []
    for i in range(k):
        parts.append(np.arange(i + 1))
    least = []
    for p in parts:
        least.append(p.min() + 1)
    rows, sums = [], []
    for i in range(k):
        row = []
        for j in range(i):
            row.append(j)
        rows.append(row)
    for row in rows:
        sums.append(np.array(row).sum() if len(row) else np.int64(0))
    return out, ends, least, sums


def inputs_folded_parts(size, rng):
    k = 1 + size % 3
    return rng.integers(-9, 9, k * (size + 2)), k
