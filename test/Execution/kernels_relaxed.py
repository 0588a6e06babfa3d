"""Loops that update all elements by one of them, which they update as well: before its own turn it is what it was."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 33, 70)


def dijkstra(w: f64[N, N], source: int):
    n = len(w)
    dist = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    parent = np.full(n, -1)
    if n == 0:
        return dist, parent
    dist[source] = 0.0
    for _ in range(n):
        u = -1
        best = np.inf
        for v in range(n):
            if dist[v] < best and not done[v]:
                best = dist[v]
                u = v
        if u == -1:
            break
        done[u] = True
        for v in range(n):
            if w[u, v] > 0 and dist[u] + w[u, v] < dist[v]:
                dist[v] = dist[u] + w[u, v]
                parent[v] = u
    return dist, parent


def pulled(d: f64[N], e: f64[N], k: i64[M], out: f64[N]):
    """Its own turn changes it, in the middle, at an end, from behind, not at all."""
    n = len(d)
    for t in range(len(k)):
        u = k[t]
        for v in range(n):
            d[v] += 0.5 * d[u] + 1.0
        for v in range(1, n):
            step = e[v] - e[u]
            if step > 0.25:
                e[v] -= step * 0.5
                out[v] = e[u]
    for v in range(n):
        out[v] = out[v] * 0.5 + out[n // 2]
        d[v] = d[v] - d[-1]


def inputs_dijkstra(size, rng):
    w = rng.random((size, size))
    return np.where(w < 0.8, 0.0, w), size // 3


def inputs_pulled(size, rng):
    return rng.random(size), rng.random(size), rng.integers(-size, max(size, 1), 4 if size else 0), rng.random(size)
