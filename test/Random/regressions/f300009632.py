"""Functions drawn from Python's grammar."""
from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass, replace
from typing import NamedTuple, TypedDict

import numpy as np

SIZES = (0, 1, 2)


def f300009632(p0: c128[:, :]):
    p0 -= p0 @ p0
    p0[:] = p0 / -1.5
    p0 *= -2
    v1 = p0[0, -1:-1] = p0.var(where=p0 > 0)
    return v1


def inputs_f300009632(size, rng):
    return [
        [np.array([(1+0j), 1j, (0.5+0j), 0j, (1+1j), (0.5+0j), (1+0j), (1+0j), (-2+0j), -1.5j, (-2-1.5j), (-2+0j)], "complex128").reshape((4, 3))],
        [np.array([(1-1.5j)], "complex128").reshape((1, 1))],
        [np.array([], "complex128").reshape((0, 2))],
    ][size]


sizes_f300009632 = (1,)


