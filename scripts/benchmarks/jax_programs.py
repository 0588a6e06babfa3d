"""The programs of scripts/bench programs in JAX, as its users write them. They return what the program returns, then what it
updates. Loops over elements that carry nothing are whole arrays here, as JAX has no other way."""
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.special import erf

jax.config.update("jax_enable_x64", True)


def inner_step(u):
    around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
    return u.at[1:-1, 1:-1].add(0.2 * (around - 4 * u[1:-1, 1:-1]))


@partial(jax.jit, static_argnums=2)
def heat_arrays(u, hole, steps):
    return (lax.fori_loop(0, steps, lambda _, u: jnp.where(hole, 0.0, inner_step(u)), u),)


heat_in_place = heat_loops = heat_arrays


def accelerations(positions, masses, softening):
    d = positions[None, :, :] - positions[:, None, :]
    distance2 = (d ** 2).sum(axis=2) + softening ** 2
    return (d * (masses[None, :] * distance2 ** -1.5)[:, :, None]).sum(axis=1)


@partial(jax.jit, static_argnums=4)
def nbody(positions, velocities, masses, dt, steps):
    def step(_, state):
        x, v, a = state
        v = v + 0.5 * dt * a
        x = x + dt * v
        a = accelerations(x, masses, 0.1)
        return x, v + 0.5 * dt * a, a

    x, v, _ = lax.fori_loop(0, steps, step, (positions, velocities, accelerations(positions, masses, 0.1)))
    return 0.5 * jnp.sum(masses * jnp.sum(v ** 2, axis=1)), x, v


def cdf(x):
    return 0.5 * (1.0 + erf(x / jnp.sqrt(2.0)))


@jax.jit
def black_scholes(price, strike, years, rate, volatility):
    root = volatility * jnp.sqrt(years)
    d1 = (jnp.log(price / strike) + (rate + 0.5 * volatility ** 2) * years) / root
    discounted = strike * jnp.exp(-rate * years)
    call = price * cdf(d1) - discounted * cdf(d1 - root)
    return call, call + discounted - price


@partial(jax.jit, static_argnums=2)
def kmeans(points, centres, rounds):
    k = centres.shape[0]

    def step(_, state):
        centres, _ = state
        distances = jnp.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
        labels = jnp.argmin(distances, axis=1)
        counts = jax.ops.segment_sum(jnp.ones(len(points)), labels, k)
        sums = jax.ops.segment_sum(points, labels, k)
        return jnp.where(counts[:, None] > 0, sums / jnp.maximum(counts, 1)[:, None], centres), labels

    return lax.fori_loop(0, rounds, step, (centres, jnp.zeros(len(points), jnp.int64)))


@jax.jit
def convolution(images, weights, bias):
    out = lax.conv_general_dilated(images, weights, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                   precision=lax.Precision.HIGHEST)
    return (jnp.maximum(out + bias, 0),)


@partial(jax.jit, static_argnums=(0, 1))
def ray_marcher(height, width):
    i, j = jnp.mgrid[:height, :width]
    dx, dy = (j + 0.5) / width * 2 - 1, 1 - (i + 0.5) / height * 2
    length = jnp.sqrt(dx * dx + dy * dy + 1.0)
    dx, dy, dz = dx / length, dy / length, 1.0 / length

    def step(k, state):
        t, image, left = state
        x, y, z = t * dx, t * dy, t * dz
        d = y + 1.0
        for ball in range(3):
            d = jnp.minimum(d, jnp.sqrt((x - 1.5 * (ball - 1)) ** 2 + y ** 2 + (z - 4.0) ** 2) - 0.8)
        hit = left & (d < 1e-3)
        image = jnp.where(hit, 1.0 - k / 128, image)
        left = left & ~hit
        t = jnp.where(left, t + d, t)
        return t, image, left & (t <= 20.0)

    zeros = jnp.zeros((height, width))
    return (lax.fori_loop(0, 128, step, (zeros, zeros, zeros == 0))[1],)


CX, CY = (0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1)
OPPOSITE = (0, 3, 4, 1, 2, 7, 8, 5, 6)
WEIGHTS = (4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36)


@partial(jax.jit, static_argnums=2)
def by_roll(f, solid, steps):
    def step(_, f):
        f = [jnp.roll(f[k], (CY[k], CX[k]), axis=(0, 1)) for k in range(9)]
        rho = sum(f)
        ux, uy = sum(CX[k] * f[k] for k in range(9)) / rho, sum(CY[k] * f[k] for k in range(9)) / rho
        new = []
        for k in range(9):
            cu = 3 * (CX[k] * ux + CY[k] * uy)
            equilibrium = rho * WEIGHTS[k] * (1 + cu + 0.5 * cu ** 2 - 1.5 * (ux ** 2 + uy ** 2))
            new.append(jnp.where(solid, f[OPPOSITE[k]], f[k] + (equilibrium - f[k]) / 0.6))
        return jnp.stack(new)

    return (lax.fori_loop(0, steps, step, f),)


by_loops = by_roll


@jax.jit
def pagerank(start, sources, degrees, damping, tolerance):
    n = degrees.shape[0]
    page = jnp.searchsorted(start, jnp.arange(sources.shape[0]), side="right") - 1

    def goes_on(state):
        return (state[1] < 100) & (state[2] >= tolerance)

    def step(state):
        ranks, rounds, _ = state
        share = ranks / jnp.maximum(degrees, 1)
        new = (1 - damping) / n + damping * jax.ops.segment_sum(share[sources], page, n, indices_are_sorted=True)
        return new, rounds + 1, jnp.abs(new - ranks).sum()

    ranks, rounds, _ = lax.while_loop(goes_on, step, (jnp.full(n, 1.0 / n), 0, jnp.inf))
    return ranks, rounds


@jax.jit
def blur_histogram(image, weights):
    taps, (height, width) = weights.shape[0], image.shape
    padded = jnp.pad(image.astype(jnp.float32), taps // 2, mode="edge")
    rows = sum(weights[k] * padded[:, k:k + width] for k in range(taps))
    blurred = sum(weights[k] * rows[k:k + height] for k in range(taps))
    levels = jnp.clip(jnp.rint(blurred), 0, 255).astype(jnp.uint8)
    counts = jnp.bincount(levels.ravel(), length=256)
    table = jnp.round(255 * jnp.cumsum(counts) / levels.size).astype(jnp.uint8)
    return table[levels], counts


@partial(jax.jit, static_argnums=(2, 3, 5))
def particle_in_cell(x, v, cells, length, dt, steps):
    dx = length / cells
    k = (2 * jnp.pi * jnp.fft.rfftfreq(cells, dx)).at[0].set(1)

    def step(i, state):
        x, v, energy = state
        left = jnp.floor(x / dx).astype(jnp.int64)
        weight = x / dx - left
        left %= cells
        right = (left + 1) % cells
        density = jnp.zeros(cells).at[left].add(1 - weight).at[right].add(weight) * (cells / len(x))
        rho = jnp.fft.rfft(1.0 - density).at[0].set(0)
        field = jnp.fft.irfft(-1j * rho / k, cells)
        v = v - dt * (field[left] * (1 - weight) + field[right] * weight)
        return (x + dt * v) % length, v, energy.at[i].set(0.5 * jnp.sum(field ** 2) * dx)

    x, v, energy = lax.fori_loop(0, steps, step, (x, v, jnp.zeros(steps)))
    return energy, x, v


@jax.jit
def smith_waterman(a, b, match, mismatch, gap):
    """Row by row: what a gap in the row brings is a running maximum."""
    columns = jnp.arange(b.shape[0] + 1, dtype=jnp.int32) * gap

    def row(above, letter):
        score = jnp.where(letter == b, match, mismatch)
        best = jnp.maximum(0, jnp.maximum(above[:-1] + score, above[1:] - gap))
        best = jnp.concatenate((jnp.zeros(1, jnp.int32), best.astype(jnp.int32)))
        best = lax.cummax(best + columns) - columns
        return best, best

    first = jnp.zeros(b.shape[0] + 1, jnp.int32)
    h = jnp.concatenate((first[None], lax.scan(row, first, a)[1]))
    return h.max(), h


def laplacian(p):
    q = jnp.pad(p, 1)
    return 4.0 * p - q[:-2, 1:-1] - q[2:, 1:-1] - q[1:-1, :-2] - q[1:-1, 2:]


@jax.jit
def poisson(b, tolerance, limit):
    def goes_on(state):
        return (state[4] < limit) & (state[3] > tolerance ** 2)

    def step(state):
        x, r, p, rr, steps = state
        ap = laplacian(p)
        alpha = rr / jnp.sum(p * ap)
        x, r = x + alpha * p, r - alpha * ap
        new = jnp.sum(r * r)
        return x, r, r + (new / rr) * p, new, steps + 1

    x, _, _, _, steps = lax.while_loop(goes_on, step, (jnp.zeros_like(b), b, b, jnp.sum(b * b), 0))
    return x, steps


@jax.jit
def lu(a):
    factors, _, order = lax.linalg.lu(a)
    return order, factors


@jax.jit
def kalman(measured, dt, noise, drift):
    F = jnp.eye(4).at[0, 2].set(dt).at[1, 3].set(dt)
    H = jnp.zeros((2, 4)).at[0, 0].set(1.0).at[1, 1].set(1.0)
    Q, R = drift * jnp.eye(4), noise * jnp.eye(2)

    def track(z):
        def step(state, zt):
            x, P = state
            x, P = F @ x, F @ P @ F.T + Q
            K = P @ H.T @ jnp.linalg.inv(H @ P @ H.T + R)
            x = x + K @ (zt - H @ x)
            return (x, (jnp.eye(4) - K @ H) @ P), x

        return lax.scan(step, (jnp.zeros(4), jnp.eye(4)), z)[1]

    return (jax.vmap(track, in_axes=1, out_axes=1)(measured),)


@partial(jax.jit, static_argnums=1)
def game_of_life(cells, generations):
    def step(_, cells):
        around = sum(jnp.roll(cells, (dy, dx), axis=(0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0))
        return ((around == 3) | ((cells == 1) & (around == 2))).astype(jnp.uint8)

    return (lax.fori_loop(0, generations, step, cells),)
