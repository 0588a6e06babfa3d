"""Numba's random numbers for threads, each of which has a state; `test/Tables/test_cuda_random.py` has numbers that Numba gives."""
import numpy as np
from numba import cuda
from numba.cuda.random import (create_xoroshiro128p_states, xoroshiro128p_jump, xoroshiro128p_next, xoroshiro128p_normal_float32,
                               xoroshiro128p_normal_float64, xoroshiro128p_uniform_float32, xoroshiro128p_uniform_float64)

TARGETS = ("cpu", "emulated", "checked")
SIZES = (1, 2, 3, 31, 33, 129)


@cuda.jit
def estimate_kernel(states, steps, out):
    """Numba's first example: how many points of a square are in the circle."""
    t = cuda.grid(1)
    if t >= out.shape[0]:
        return
    inside = 0
    for _ in range(steps):
        x = xoroshiro128p_uniform_float32(states, t)
        y = xoroshiro128p_uniform_float32(states, t)
        if x * x + y * y <= 1.0:
            inside += 1
    out[t] = 4.0 * inside / steps


#appyc: def estimate(n: i64, seed: i64, steps: i64)
def estimate(n, seed, steps):
    states = create_xoroshiro128p_states(n, seed=seed)
    out = np.zeros(n, np.float32)
    estimate_kernel[(n + 31) // 32, 32](states, steps, out)
    return out


def inputs_estimate(size, rng):
    return size, 1, 7


@cuda.jit
def drawn_kernel(states, bits, wide, narrow):
    for t in range(cuda.grid(1), bits.shape[0], cuda.gridsize(1)):
        wide[t] = xoroshiro128p_uniform_float64(states, t)
        narrow[t, 0] = xoroshiro128p_normal_float32(states, t)
        narrow[t, 2] = xoroshiro128p_normal_float64(states, t)  # whose logarithm is of 32 bits
        narrow[t, 1] = xoroshiro128p_uniform_float32(states, t)
        xoroshiro128p_jump(states, t)
        bits[t] = xoroshiro128p_next(states, t)


#appyc: def drawn(n: i64, seed: i64, start: i64)
def drawn(n, seed, start):
    states = cuda.random.create_xoroshiro128p_states(n, seed, subsequence_start=start, stream=cuda.stream())
    bits, wide, narrow = np.zeros(n, np.uint64), np.zeros(n), np.zeros((n, 3), np.float32)
    drawn_kernel[2, 32](states, bits, wide, narrow)
    return bits, wide, narrow


def inputs_drawn(size, rng):
    return size, int(rng.integers(-2**62, 2**62)), size % 5


@cuda.jit
def random_3d(arr, states):
    """Numba's second example."""
    x, y, z = cuda.grid(3)
    across, down, deep = cuda.gridsize(3)
    t = z * down * across + y * across + x
    for i in range(z, arr.shape[0], deep):
        for j in range(y, arr.shape[1], down):
            for k in range(x, arr.shape[2], across):
                arr[i, j, k] = xoroshiro128p_uniform_float32(states, t)


#appyc: def filled(n: i64)
def filled(n):
    states = create_xoroshiro128p_states(64, seed=3)
    arr = cuda.device_array((n, 7, n + 1), dtype=np.float32)
    random_3d[(1, 1, 1), (4, 4, 4)](arr, states)
    return arr.copy_to_host()


sizes_filled = (1, 3, 9)


def inputs_filled(size, rng):
    return (size,)
