"""The streams of 64-bit numbers of np.random's Philox and PCG64, from anywhere on, and what seeds become. The state is a small array, of
which the last two numbers say whether half of a number is left, and which: Philox's others are the key and how many numbers were drawn,
PCG64's the halves of its state and of its increment."""
import os

import numpy as np


def _fresh_bits():
    """What the compiler has for it: bits that are new at each call."""
    return np.uint64(int.from_bytes(os.urandom(8), "little"))


def _next_bits(state):
    """Others at each call of one function, of those that it was called with."""
    bits = state[0] + np.uint64(0x9E3779B97F4A7C15)
    state[0] = bits
    return bits


def _as_word(number):
    if np.ndim(number) != 0:
        raise NotImplementedError("np.random takes a number as its seed or key; sequences of them are for the caller")
    if not np.issubdtype(np.asarray(number).dtype, np.integer):
        raise TypeError("SeedSequence expects int or sequence of ints for entropy")
    if number < 0:
        raise ValueError("expected non-negative integer")
    return np.uint64(number)


def _hashed(value, factor, multiplier):
    """A word of 32 bits, and the next factor."""
    value = value ^ factor
    factor = (factor * multiplier) & np.uint64(0xFFFFFFFF)
    value = (value * factor) & np.uint64(0xFFFFFFFF)
    return value ^ (value >> 16), factor


def _seeded(seed, count):
    """`np.random.SeedSequence(seed).generate_state(count, np.uint64)`, as a tuple."""
    word = _fresh_bits() if seed is None else _as_word(seed)
    zero = word & np.uint64(0)
    factor = np.uint64(0x43B0D7E5)
    multiplier = np.uint64(0x931E8875)
    pool = ()
    for given in (word & np.uint64(0xFFFFFFFF), word >> 32, zero, zero):
        mixed, factor = _hashed(given, factor, multiplier)
        pool = pool + (mixed,)
    for source in range(4):
        for target in range(4):
            if source != target:
                mixed, factor = _hashed(pool[source], factor, multiplier)
                left = (pool[target] * np.uint64(0xCA01F9DD)) & np.uint64(0xFFFFFFFF)
                right = (mixed * np.uint64(0x100000000 - 0x4973F715)) & np.uint64(0xFFFFFFFF)
                mixed = (left + right) & np.uint64(0xFFFFFFFF)
                pool = pool[:target] + (mixed ^ (mixed >> 16),) + pool[target + 1:]
    factor = np.uint64(0x8B51F9DD)
    made = ()
    for k in range(count):
        low, factor = _hashed(pool[2 * k % 4], factor, np.uint64(0x58F38DED))
        high, factor = _hashed(pool[(2 * k + 1) % 4], factor, np.uint64(0x58F38DED))
        made = made + (low | (high << 32),)
    return made


def _high_product(a, b):
    """The upper half of the product of two words."""
    a_low = a & np.uint64(0xFFFFFFFF)
    b_low = b & np.uint64(0xFFFFFFFF)
    low = a_low * b_low
    one = (a >> 32) * b_low + (low >> 32)
    other = a_low * (b >> 32) + (one & np.uint64(0xFFFFFFFF))
    return (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32)


def _sum128(a_high, a_low, b_high, b_low):
    low = a_low + b_low
    return a_high + b_high + (1 if low < b_low else 0), low


def _product128(a_high, a_low, b_high, b_low):
    return _high_product(a_low, b_low) + a_high * b_low + a_low * b_high, a_low * b_low


def _pcg_step(high, low, plus_high, plus_low):
    high, low = _product128(high, low, np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645))
    return _sum128(high, low, plus_high, plus_low)


def _pcg_after(state, steps):
    """PCG64's state as it is some steps later (Brown, Random number generation with arbitrary strides, 1994)."""
    high = state[0]
    low = state[1]
    factor_high = np.uint64(0x2360ED051FC65DA4)
    factor_low = np.uint64(0x4385DF649FCCF645)
    plus_high = state[2]
    plus_low = state[3]
    left = steps
    while left > 0:
        if left % 2 == 1:
            high, low = _product128(high, low, factor_high, factor_low)
            high, low = _sum128(high, low, plus_high, plus_low)
        more_high, more_low = _sum128(factor_high, factor_low, np.uint64(0), np.uint64(1))
        plus_high, plus_low = _product128(more_high, more_low, plus_high, plus_low)
        factor_high, factor_low = _product128(factor_high, factor_low, factor_high, factor_low)
        left = left // 2
    return high, low


def _pcg_words(state, count):
    """The stream's next numbers: each part of it begins where the state is that many steps later."""
    part = 256
    made = np.empty(count, np.uint64)
    for begin in range(0, count, part):
        high, low = _pcg_after(state, begin)
        for k in range(begin, min(begin + part, count)):
            high, low = _pcg_step(high, low, state[2], state[3])
            turned = high >> 58
            word = high ^ low
            made[k] = (word >> turned) | (word << ((64 - turned) & np.uint64(63)))
    high, low = _pcg_after(state, count)
    state[0] = high
    state[1] = low
    return made


def _philox_block(key_low, key_high, counter):
    """Four numbers (Salmon and others, Parallel random numbers: as easy as 1, 2, 3, 2011)."""
    a = counter
    b = counter & np.uint64(0)
    c = b
    d = b
    left = 10
    while left > 0:  # a loop in what is generated, too
        left = left - 1
        high_a = _high_product(a, np.uint64(0xD2E7470EE14C6C93))
        high_c = _high_product(c, np.uint64(0xCA5A826395121157))
        low_a = a * np.uint64(0xD2E7470EE14C6C93)
        low_c = c * np.uint64(0xCA5A826395121157)
        a = high_c ^ b ^ key_low
        b = low_c
        c = high_a ^ d ^ key_high
        d = low_a
        key_low = key_low + np.uint64(0x9E3779B97F4A7C15)
        key_high = key_high + np.uint64(0xBB67AE8584CAA73B)
    return a, b, c, d


def _philox_words(state, count):
    """The stream's next numbers: four of each counter."""
    first = int(state[2])
    made = np.empty(count, np.uint64)
    for block in range(first // 4, (first + count + 3) // 4):
        words = _philox_block(state[0], state[1], np.uint64(np.int64(block + 1)))
        for k in range(4):
            if 4 * block + k >= first and 4 * block + k < first + count:
                made[4 * block + k - first] = words[k]
    state[2] += count
    return made


def _words(state, count):
    return _philox_words(state, count) if len(state) == 5 else _pcg_words(state, count)


def _half_words(state, count):
    """The next numbers of 32 bits: the lower half of a word comes first, and what is left is for the next call."""
    kept = int(state[-2])
    words = _words(state, (count - kept + 1) // 2)
    made = np.empty(count, np.uint64)
    for k in range(count):
        if k < kept:
            made[k] = state[-1]
        elif (k - kept) % 2 == 0:
            made[k] = words[(k - kept) // 2] & np.uint64(0xFFFFFFFF)
        else:
            made[k] = words[(k - kept) // 2] >> 32
    if count > 0:
        state[-2] = (count - kept) % 2
        if len(words) > 0:
            state[-1] = words[-1] >> 32
    return made
