"""numba.cuda.random as its documentation has it: xoroshiro128+ of Blackman and Vigna, in Python's integers."""
import math

import numpy as np

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
WORD = (1 << 64) - 1
JUMP = 0xD86B048B86AA9922BEAC0467EBA5FACB


def _next(s0, s1):
    mixed = s0 ^ s1
    return ((s0 << 55 | s0 >> 9) ^ mixed ^ mixed << 14) & WORD, (mixed << 36 | mixed >> 28) & WORD


def _after_jump(state):
    made = (0, 0)
    for bit in range(128):
        if JUMP >> bit & 1:
            made = made[0] ^ state[0], made[1] ^ state[1]
        state = _next(*state)
    return made


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    z = (int(seed) + 0x9E3779B97F4A7C15) & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    state = (z ^ z >> 31,) * 2
    states = np.empty(n, xoroshiro128p_dtype)
    for k in range(-subsequence_start, n):
        if k >= 0:
            states[k] = state
        state = _after_jump(state)
    return states


def xoroshiro128p_next(states, index):
    s0, s1 = (int(word) for word in states[index])
    states[index] = _next(s0, s1)
    return np.uint64(s0 + s1 & WORD)


def xoroshiro128p_jump(states, index):
    states[index] = _after_jump(tuple(int(word) for word in states[index]))


def xoroshiro128p_uniform_float64(states, index):
    return np.float64((int(xoroshiro128p_next(states, index)) >> 11) / 2**53)


def xoroshiro128p_uniform_float32(states, index):
    return np.float32(xoroshiro128p_uniform_float64(states, index))


def xoroshiro128p_normal_float32(states, index):
    u1, u2 = xoroshiro128p_uniform_float32(states, index), xoroshiro128p_uniform_float32(states, index)
    return np.sqrt(np.float32(-2) * np.log(u1)) * np.cos(np.float32(2 * math.pi) * u2)


def xoroshiro128p_normal_float64(states, index):
    u1, u2 = xoroshiro128p_uniform_float32(states, index), xoroshiro128p_uniform_float32(states, index)
    return np.sqrt(np.float64(-2) * np.log(u1)) * np.cos(np.float64(2 * math.pi) * u2)
