"""ParPy's names, with which files written for it run under CPython, in order, and compute what appyc's code computes.

Labels and schedules speak to the compiler: `label` does nothing, `opts` is taken and left, `with parpy.gpu:` runs what is in it.
"""
import contextlib
import functools

import numpy as np
from numpy import (abs, arctan2 as atan2, bool_, cos, exp, float16, float32, float64, inf, int8, int16, int32, int64, log, maximum, minimum, prod, sin, sqrt,
                   sum, tanh, uint8, uint16, uint32, uint64)

__all__ = ["abs", "atan2", "bool_", "cos", "exp", "float16", "float32", "float64", "gpu", "inf", "int8", "int16", "int32", "int64", "jit",
           "label", "log", "max", "maximum", "min", "minimum", "par", "prod", "reduce", "sin", "sqrt", "sum", "tanh", "threads", "uint8", "uint16", "uint32",
           "uint64"]


def jit(function):
    """`@parpy.jit`: the function, which takes the schedule of a call and has no use for it."""
    @functools.wraps(function)
    def called(*arguments, opts=None):
        return function(*arguments)
    return called


def label(name):
    """A name for the loop or the assignment below."""
    if not isinstance(name, str):
        raise TypeError("a label is a text")


gpu = contextlib.nullcontext()


class LoopPar:
    """How a loop is run: `threads(128).reduce().tpb(64)`."""

    def __init__(self, count=None):
        self.count, self.reduces, self.block = count, False, None

    def threads(self, count):
        if self.count is not None or count < 1:
            raise ValueError("a loop has one positive count of threads")
        self.count = count
        return self

    def reduce(self):
        self.reduces = True
        return self

    par_reduction = reduce

    def tpb(self, count):
        if count < 32 or count > 1024 or count % 32:
            raise ValueError("threads of a block are a multiple of 32 up to 1024")
        self.block = count
        return self

    def is_parallel(self):
        return self.count is not None or self.reduces


def threads(count):
    return LoopPar().threads(count)


def reduce():
    return LoopPar().reduce()


def par(schedule):
    """The schedules of labels, for `opts`."""
    if not all(isinstance(name, str) for name in schedule):
        raise TypeError("a label is a text")
    return dict(schedule)


def min(x, y=None, axis=None):
    return np.min(x, axis=axis) if y is None else np.minimum(x, y)


def max(x, y=None, axis=None):
    return np.max(x, axis=axis) if y is None else np.maximum(x, y)
