"""Found by scripts/fuzz, seeds 3839 and 5408: `-=` under `atomic` negated the value in its own, narrower type."""

from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 33)
TRANSLATE_OPTIONS = ("--fmad=off",)


def unsigned_operand(k: u16[N], a: u64[2]):
    for i in range(k.shape[0]):
        #pragma atomic
        a[1] -= k[i]


def smallest_operand(k: i32[N], a: i64[2]):
    #pragma parallel for
    for i in range(k.shape[0]):
        #pragma atomic
        a[0] -= k[i]


def inputs_unsigned_operand(size, rng):
    return rng.choice(np.array([0, 1, 7, 65535], np.uint16), size), np.array([5, 6], np.uint64)


def inputs_smallest_operand(size, rng):
    return rng.choice(np.array([-2147483648, -1, 3], np.int32), size), np.array([5, 6])
