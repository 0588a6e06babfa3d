"""ParPy's names, with which files written for it run under CPython, in order, and compute what appyc's code computes.

Labels and schedules speak to the compiler: `label` does nothing, `opts` is taken and left, `with parpy.gpu:` runs what is in it.
The later spelling is there as well: `parpy.types`, `parpy.builtin`, `parpy.math`, `parpy.reduce.sum` and the like.
"""
import contextlib
import enum
import functools
import inspect

import numpy as np
from numpy import (abs, arctan2 as atan2, bool_, cos, exp, float16, float32, float64, inf, int8, int16, int32, int64, log, maximum, minimum, prod, sin, sqrt,
                   sum, tanh, uint8, uint16, uint32, uint64)

from . import builtin, math, types
from .types import Buffer, ShapeVar, TypeVar

__all__ = ["CompileBackend", "Target", "abs", "atan2", "bool_", "cos", "exp", "external", "float16", "float32", "float64", "gpu", "inf", "int8", "int16", "int32", "int64", "jit",
           "builtin", "label", "log", "math", "max", "maximum", "min", "minimum", "operators", "par", "prod", "reduce", "sin", "sqrt", "sum", "tanh", "threads", "types", "uint8", "uint16", "uint32",
           "uint64"]


def _type_of(parameter, function):
    """What the annotation is, which is a text with `from __future__ import annotations`."""
    if not isinstance(parameter.annotation, str):
        return parameter.annotation
    try:
        return eval(parameter.annotation, function.__globals__)
    except Exception:  # a text of appyc's own, `f64[N]`
        return None


def jit(function):
    """`@parpy.jit`: the function, which takes the schedule of a call, `seq` and `debug`, and has no use for them. Its arguments say what sizes are."""
    types = [_type_of(p, function) for p in inspect.signature(function).parameters.values()]
    buffers = [(k, t.extents, t.element) for k, t in enumerate(types) if isinstance(t, Buffer)]

    @functools.wraps(function)
    def called(*arguments, opts=None, seq=False, debug=False):
        for k, extents, element in buffers:
            if isinstance(element, TypeVar):
                element.kind = np.asarray(arguments[k]).dtype.type
            for extent, size in zip(extents, np.shape(arguments[k])):
                if isinstance(extent, ShapeVar):
                    extent.size = size
        return function(*arguments)
    return called


class CompileBackend(enum.Enum):
    """What ParPy makes code for. appyc asks its own options."""
    Auto, Cuda, Metal = range(3)


class Target(enum.Enum):
    """Where a function of a header runs."""
    Device, Host = range(2)


def external(name, backend=CompileBackend.Auto, target=Target.Device, header=None, parallelize=None):
    """`@parpy.external("add", ...)`: a function of a C or CUDA header; under CPython the `def` itself is called."""
    if not isinstance(name, str):
        raise TypeError("the name of a function is a text")
    return lambda function: function


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

    def unroll(self):
        return self

    def is_parallel(self):
        return self.count is not None or self.reduces

    def __str__(self):
        """As wrappers of appyc compare it."""
        words = [f"threads({self.count})"] if self.count is not None else []
        words += [f"tpb({self.block})"] if self.block else []
        return ".".join(words + ["reduce()"] * self.reduces)


def threads(count):
    return LoopPar().threads(count)


def reduce():
    return LoopPar().reduce()


class CompileOptions(dict):
    """Schedules of labels. What else ParPy may be told, as attributes, changes nothing here."""


def par(schedule):
    """The schedules of labels, for `opts`."""
    if not all(isinstance(name, str) for name in schedule):
        raise TypeError("a label is a text")
    return CompileOptions(schedule)


def min(x, y=None, axis=None):
    return np.min(x, axis=axis) if y is None else np.minimum(x, y)


def max(x, y=None, axis=None):
    return np.max(x, axis=axis) if y is None else np.maximum(x, y)


reduce.sum, reduce.prod, reduce.min, reduce.max = sum, prod, min, max

from . import operators  # noqa: E402, which has the names above
