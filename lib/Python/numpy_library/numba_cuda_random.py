"""Numba's random numbers on the device: xoroshiro128+ (Blackman and Vigna), a state for each thread. Its states have two fields of 64
bits; here they are the rows of an array of two columns."""
import math

import numpy as np


def rotl(x, k):
    word = np.uint64(x)
    return (word << np.uint64(k)) | (word >> np.uint64(64 - k))


def _xoroshiro_begin(states, index, seed):
    """Of a seed that may be small: splitmix64."""
    z = (np.uint64(seed) if seed >= 0 else ~np.uint64(-(seed + 1))) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    states[index, 0] = z
    states[index, 1] = z


def init_xoroshiro128p_state(states, index, seed):
    _xoroshiro_begin(states, index, seed)


def _xoroshiro_step(s0, s1):
    mixed = s1 ^ s0
    first = (s0 << np.uint64(55) | s0 >> np.uint64(9)) ^ mixed ^ (mixed << np.uint64(14))
    return first, mixed << np.uint64(36) | mixed >> np.uint64(28)


def _xoroshiro_next(states, index):
    s0 = states[index, 0]
    s1 = states[index, 1]
    first, second = _xoroshiro_step(s0, s1)
    states[index, 0] = first
    states[index, 1] = second
    return s0 + s1


def xoroshiro128p_next(states, index):
    return _xoroshiro_next(states, index)


def _xoroshiro_jump(s0, s1):
    """2**64 steps."""
    made0 = np.uint64(0)
    made1 = np.uint64(0)
    for b in range(128):
        word = np.uint64(0xBEAC0467EBA5FACB) if b < 64 else np.uint64(0xD86B048B86AA9922)
        if (word >> np.uint64(b % 64)) & np.uint64(1) == 1:
            made0 = made0 ^ s0
            made1 = made1 ^ s1
        s0, s1 = _xoroshiro_step(s0, s1)
    return made0, made1


def xoroshiro128p_jump(states, index):
    first, second = _xoroshiro_jump(states[index, 0], states[index, 1])
    states[index, 0] = first
    states[index, 1] = second


def _xoroshiro_columns():
    """What a jump makes of each single bit of a state: it is linear in them."""
    columns = np.zeros((128, 2), np.uint64)
    for b in range(128):
        bit = np.uint64(1) << np.uint64(b % 64)
        none = np.uint64(0)
        first, second = _xoroshiro_jump(bit if b < 64 else none, none if b < 64 else bit)
        columns[b, 0] = first
        columns[b, 1] = second
    return columns


def _xoroshiro_jumped(columns, states):
    """The states after the jumps that the columns tell."""
    made = np.zeros_like(states)
    for i in range(len(states)):
        s0 = np.uint64(0)
        s1 = np.uint64(0)
        for b in range(128):
            if (states[i, b // 64] >> np.uint64(b % 64)) & np.uint64(1) == 1:
                s0 = s0 ^ columns[b, 0]
                s1 = s1 ^ columns[b, 1]
        made[i, 0] = s0
        made[i, 1] = s1
    return made


def _xoroshiro_fill(states, seed, start):
    """Each state is 2**64 steps behind the one before: those there are tell as many others at once."""
    n = len(states)
    if n > 0:
        _xoroshiro_begin(states, 0, seed)
        jump = _xoroshiro_columns()
        columns = np.copy(jump)
        left = start
        while left > 0:
            if left % 2 == 1:
                states[0:1] = _xoroshiro_jumped(columns, states[0:1])
            columns = _xoroshiro_jumped(columns, columns)
            left = left // 2
        known = 1
        while known < n:
            more = min(known, n - known)
            states[known:known + more] = _xoroshiro_jumped(jump, states[0:more])
            jump = _xoroshiro_jumped(jump, jump)
            known = known + more


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    _xoroshiro_fill(states, seed, subsequence_start)


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    states = np.empty((n, 2), np.uint64)
    _xoroshiro_fill(states, seed, subsequence_start)
    return states


def _xoroshiro_unit(x):
    return (np.uint64(x) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def uint64_to_unit_float64(x):
    return _xoroshiro_unit(x)


def uint64_to_unit_float32(x):
    return np.float32(_xoroshiro_unit(x))


def _xoroshiro_uniform(states, index):
    return np.float32(_xoroshiro_unit(_xoroshiro_next(states, index)))


def xoroshiro128p_uniform_float32(states, index):
    return _xoroshiro_uniform(states, index)


def xoroshiro128p_uniform_float64(states, index):
    return _xoroshiro_unit(_xoroshiro_next(states, index))


def xoroshiro128p_normal_float32(states, index):
    """Box and Muller's, of which the second number is dropped."""
    u1 = _xoroshiro_uniform(states, index)
    u2 = _xoroshiro_uniform(states, index)
    return np.sqrt(np.float32(-2.0) * np.log(u1)) * np.cos(np.float32(2 * math.pi) * u2)


def xoroshiro128p_normal_float64(states, index):
    """Of two numbers of 32 bits, and the logarithm of 32, as Numba has it."""
    u1 = _xoroshiro_uniform(states, index)
    u2 = _xoroshiro_uniform(states, index)
    return np.sqrt(np.float64(-2.0) * np.log(u1)) * np.cos(np.float64(2 * math.pi) * u2)
