"""The kernels in JAX, as its users write them: pure functions under jit. Each gives what the kernel returns, then what it
updates. Arguments that are no arrays are constants of the compiled function where they say how often something is done."""
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)


@partial(jax.jit, static_argnums=2)
def azimint_naive(data, radius, bins):
    largest = radius.max()

    def mean(b):
        inside = (largest * b / bins <= radius) & (radius < largest * (b + 1) / bins)
        return jnp.where(inside, data, 0.0).sum() / inside.sum()

    return lax.map(mean, jnp.arange(bins)),


@jax.jit
def cholesky(A):
    lower = jnp.tril(A)
    return jnp.tril(jnp.linalg.cholesky(lower + jnp.tril(A, -1).T, symmetrize_input=False)) + jnp.triu(A, 1),


@jax.jit
def covariance(data):
    data = data - data.mean(axis=0)
    return data.T @ data / (data.shape[0] - 1.0), data


@jax.jit
def fdtd_2d(ex, ey, hz, pulse):
    def step(t, fields):
        ex, ey, hz = fields
        ey = ey.at[0].set(pulse[t])
        ey = ey.at[1:].add(-0.5 * (hz[1:] - hz[:-1]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        hz = hz.at[:-1, :-1].add(-0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]))
        return ex, ey, hz

    return lax.fori_loop(0, pulse.shape[0], step, (ex, ey, hz))


@jax.jit
def floyd_warshall(path):
    return lax.fori_loop(0, path.shape[0], lambda k, p: jnp.minimum(p, p[:, k][:, None] + p[k][None, :]), path),


@jax.jit
def gemm(alpha, beta, C, A, B):
    return alpha * A @ B + beta * C,


@jax.jit
def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A = A + jnp.outer(u1, v1) + jnp.outer(u2, v2)
    x = x + beta * (y @ A) + z
    return A, w + alpha * (A @ x), x


@jax.jit
def gesummv(alpha, beta, A, B, x):
    return alpha * (A @ x) + beta * (B @ x),


@jax.jit
def go_fast(a):
    return a + jnp.tanh(jnp.diagonal(a)).sum(),


@jax.jit
def gramschmidt(A):
    m, n = A.shape

    def column(k, state):
        A, Q, R = state
        norm = jnp.sqrt(A[:, k] @ A[:, k])
        q = A[:, k] / norm
        row = jnp.where(jnp.arange(n) > k, q @ A, 0.0)
        return A - q[:, None] * row, Q.at[:, k].set(q), R.at[k].set(row.at[k].set(norm))

    _, Q, R = lax.fori_loop(0, n, column, (A, jnp.zeros_like(A), jnp.zeros((n, n))))
    return Q, R


@jax.jit
def hdiff(field, result, coefficient):
    lap = 4.0 * field[1:-1, 1:-1] - (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2])
    step = lap[1:, 1:-1] - lap[:-1, 1:-1]
    i = jnp.where(step * (field[2:-1, 2:-2] - field[1:-2, 2:-2]) > 0.0, 0.0, step)
    step = lap[1:-1, 1:] - lap[1:-1, :-1]
    j = jnp.where(step * (field[2:-2, 2:-1] - field[2:-2, 1:-2]) > 0.0, 0.0, step)
    return field[2:-2, 2:-2] - coefficient * (i[1:] - i[:-1] + j[:, 1:] - j[:, :-1]),


def inner_sum(f):
    middle = 2.0 * f[1:-1, 1:-1, 1:-1]
    return (f[2:, 1:-1, 1:-1] - middle + f[:-2, 1:-1, 1:-1] + f[1:-1, 2:, 1:-1] - middle + f[1:-1, :-2, 1:-1]
            + f[1:-1, 1:-1, 2:] - middle + f[1:-1, 1:-1, :-2])


@jax.jit
def heat_3d(steps, A, B):
    def step(_, arrays):
        A, B = arrays
        B = B.at[1:-1, 1:-1, 1:-1].set(A[1:-1, 1:-1, 1:-1] + 0.125 * inner_sum(A))
        return A.at[1:-1, 1:-1, 1:-1].set(B[1:-1, 1:-1, 1:-1] + 0.125 * inner_sum(B)), B

    return lax.fori_loop(0, steps, step, (A, B))


@jax.jit
def jacobi_1d(steps, A, B):
    def third(x):
        return 0.33333 * (x[:-2] + x[1:-1] + x[2:])

    def step(_, arrays):
        A, B = arrays
        B = B.at[1:-1].set(third(A))
        return A.at[1:-1].set(third(B)), B

    return lax.fori_loop(0, steps, step, (A, B))


@jax.jit
def jacobi_2d(steps, A, B):
    def fifth(x):
        return 0.2 * (x[1:-1, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] + x[2:, 1:-1] + x[:-2, 1:-1])

    def step(_, arrays):
        A, B = arrays
        B = B.at[1:-1, 1:-1].set(fifth(A))
        return A.at[1:-1, 1:-1].set(fifth(B)), B

    return lax.fori_loop(0, steps, step, (A, B))


@jax.jit
def softmax(x, y):
    return jax.nn.softmax(x, axis=1),


@jax.jit
def spmv(row_start, columns, values, x):
    rows = jnp.searchsorted(row_start, jnp.arange(values.shape[0], dtype=row_start.dtype), side="right") - 1
    return jnp.zeros(row_start.shape[0] - 1).at[rows].add(values * x[columns]),


@jax.jit
def symm(alpha, beta, C, A, B):
    return alpha * (jnp.tril(A) + jnp.tril(A, -1).T) @ B + beta * C,


def triangle(alpha, beta, C, product):
    return jnp.tril(alpha * product + beta * C) + jnp.triu(C, 1),


@jax.jit
def syr2k(alpha, beta, C, A, B):
    return triangle(alpha, beta, C, A @ B.T + B @ A.T)


@jax.jit
def syrk(alpha, beta, C, A):
    return triangle(alpha, beta, C, A @ A.T)


@jax.jit
def trisolv(L, x, b):
    return jax.scipy.linalg.solve_triangular(L, b, lower=True),


@jax.jit
def trmm(alpha, A, B):
    return alpha * (jnp.tril(A, -1).T @ B + B),
