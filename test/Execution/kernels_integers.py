"""Integer arithmetic: wrap-around, floor division and modulo of all signs, shifts, bit operations, promotion."""
from __future__ import annotations

import numpy as np

TABLE = (-9, -8, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 9)
SIZES = (0, 1, 33, 257)


def pairs(dtype):
    """All pairs of the table and the type's ends."""
    info = np.iinfo(dtype)
    values = [v for v in TABLE if v >= info.min] + [info.min, info.min + 1, info.max - 1, info.max]
    a, b = np.meshgrid(np.array(values, dtype=dtype), np.array(values, dtype=dtype))
    return a.ravel(), b.ravel()


def wrap_i32(a: i32[N], b: i32[N]):
    return a + b, a - b, a * b, -a, np.abs(a)


def wrap_i64(a: i64[N], b: i64[N]):
    return a + b, a - b, a * b, -a, a * a * a


def wrap_i8(a: i8[N], b: i8[N]):
    return a + b, a - b, a * b, -a


def wrap_u8(a: u8[N], b: u8[N]):
    return a + b, a - b, a * b, a + 1


def wrap_u32(a: u32[N], b: u32[N]):
    return a + b, a - b, a * b


def divide_i32(a: i32[N], b: i32[N]):
    """Floors; x // 0 and x % 0 are 0."""
    return a // b, a % b


def divide_i64(a: i64[N], b: i64[N]):
    return a // b, a % b


def divide_i8(a: i8[N], b: i8[N]):
    return a // b, a % b


def divide_u32(a: u32[N], b: u32[N]):
    return a // b, a % b


def divide_by_constants(a: i64[N]):
    return a // 4, a % 4, a // -3, a % -3, a // 7, a % 7


def true_division(a: i32[N], b: i32[N]):
    return a / b


def compare_i32(a: i32[N], b: i32[N]):
    return a < b, a == b, np.maximum(a, b), np.minimum(a, b)


def bits_i32(a: i32[N], b: i32[N]):
    return a & b, a | b, a ^ b, ~a


def shifts(a: i64[N], s: i64[N]):
    return a << s, a >> s


def shifts_u32(a: u32[N], s: u32[N]):
    return a << s, a >> s


def inputs_shifts(size, rng):
    a, s = np.meshgrid(np.array([-9, -1, 0, 1, 7, 2**40, -2**62], dtype=np.int64), np.arange(0, 63, dtype=np.int64))
    return a.ravel(), s.ravel()


def inputs_shifts_u32(size, rng):
    a, s = np.meshgrid(np.array([0, 1, 7, 2**31, 2**32 - 1], dtype=np.uint32), np.arange(0, 32, dtype=np.uint32))
    return a.ravel(), s.ravel()


def powers(a: i64[N]):
    return a ** 2, a ** 3, a ** 0


def mixed_widths(a: i32[N], b: i8[N]):
    return a + b, b * a


def inputs_mixed_widths(size, rng):
    return rng.integers(-2**31, 2**31, size).astype(np.int32), rng.integers(-128, 128, size).astype(np.int8)


def signed_and_unsigned(a: i32[N], b: u32[N]):
    """Meet in int64."""
    return a + b, a < b


def inputs_signed_and_unsigned(size, rng):
    return rng.integers(-2**31, 2**31, size).astype(np.int32), rng.integers(0, 2**32, size).astype(np.uint32)


def python_integers_are_weak(a: i8[N], b: u16[N]):
    return a * 2 + 1, b - 3, a + True


def inputs_python_integers_are_weak(size, rng):
    return rng.integers(-128, 128, size).astype(np.int8), rng.integers(0, 2**16, size).astype(np.uint16)


def booleans(p: bool[N], q: bool[N]):
    return p & q, p | q, p ^ q, ~p, p + q, p * 3, np.logical_not(p)


def inputs_booleans(size, rng):
    return rng.random(size) < 0.5, rng.random(size) < 0.5


def narrow_accumulator(a: i8[N]):
    """An element keeps its type: the running sum wraps."""
    total = np.zeros(1, dtype=np.int8)
    for i in range(len(a)):
        total[0] += a[i]
    return total


def inputs_narrow_accumulator(size, rng):
    return (rng.integers(-128, 128, size).astype(np.int8),)


def scalar_arithmetic(a: i64, b: i64):
    return a // b, a % b, a + b, a - b, a * b, -a, a / b


def inputs_scalar_arithmetic(size, rng):
    return int(rng.integers(-50, 50)), int(rng.choice((-7, -3, -1, 1, 2, 5)))


sizes_scalar_arithmetic = tuple(range(12))


def crc(data: u8[N]) -> u32:
    """Shifts, masks and a loop-carried state."""
    state = np.uint32(0xffffffff)
    for i in range(len(data)):
        state = state ^ np.uint32(data[i])
        for bit in range(8):
            if state & 1:
                state = (state >> 1) ^ np.uint32(0xedb88320)
            else:
                state = state >> 1
    return ~state


def inputs_crc(size, rng):
    return (rng.integers(0, 256, size).astype(np.uint8),)


def _table(dtype):
    return lambda size, rng: pairs(dtype)


sizes_wrap_i32 = sizes_wrap_i64 = sizes_wrap_i8 = sizes_wrap_u8 = sizes_wrap_u32 = (1,)
sizes_divide_i32 = sizes_divide_i64 = sizes_divide_i8 = sizes_divide_u32 = (1,)
sizes_true_division = sizes_compare_i32 = sizes_bits_i32 = sizes_shifts = sizes_shifts_u32 = (1,)
sizes_divide_by_constants = sizes_powers = (1,)
inputs_wrap_i32 = inputs_divide_i32 = inputs_true_division = inputs_compare_i32 = inputs_bits_i32 = _table(np.int32)
inputs_wrap_i64 = inputs_divide_i64 = _table(np.int64)
inputs_wrap_i8 = inputs_divide_i8 = _table(np.int8)
inputs_wrap_u8 = _table(np.uint8)
inputs_wrap_u32 = inputs_divide_u32 = _table(np.uint32)


def inputs_divide_by_constants(size, rng):
    return (pairs(np.int64)[0],)


def inputs_powers(size, rng):
    return (pairs(np.int64)[0],)
