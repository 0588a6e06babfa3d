"""What a loop leaves in its index was taken for a value of the host's, which has none: appyc failed."""
from __future__ import annotations

SIZES = (1, 2, 33)


def last(a: i64[N]) -> tuple[i64, i64]:
    c = 0
    for i in range(a.shape[0]):
        c = c * 3 - a[i]
    y = a[i]
    return c, y


def inputs_last(size, rng):
    return (rng.integers(-9, 9, size),)
