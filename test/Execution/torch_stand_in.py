"""PyTorch's functions as its documentation has them, over NumPy's arrays: PyTorch itself is too large for the tests.

Tensors are arrays here; methods of theirs are reached by `Tensor`. Types: integers become float32 where a float is computed,
Python's floats alone are float32, sums of integers int64.
"""
import builtins
import math

import numpy as np

bool, uint8, int8, int16, int32, int64 = np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64
float32, float64, float, double, long, int, short = np.float32, np.float64, np.float32, np.float64, np.int64, np.int32, np.int16
pi, inf, nan = math.pi, math.inf, math.nan


class Tensor(np.ndarray):
    """An array with the methods that tensors have and arrays have not, or have otherwise."""

    device = "cuda"

    def to(self, *args, dtype=None, **_):
        types = [a.dtype if isinstance(a, np.ndarray) else a for a in args if not isinstance(a, str)]
        types += [dtype] * (dtype is not None)
        return self.astype(types[0]).view(Tensor) if types else self

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def __array_finalize__(self, _):
        pass


def tensor_of(x):
    return np.asarray(x).view(Tensor)


def call(numpy, *operands, **keywords):
    """NumPy's function of arrays, whose methods are NumPy's."""
    return tensor_of(numpy(*[np.asarray(x) if isinstance(x, np.ndarray) else x for x in operands], **keywords))


def standard(x):
    """Python's number as a tensor."""
    return np.asarray(x, {"f": float32, "i": int64, "b": bool}[np.asarray(x).dtype.kind])


def in_float(numpy):
    def function(*operands):
        if builtins.all(np.asarray(x).dtype.kind in "biu" for x in operands):
            operands = [np.asarray(x).astype(float32) for x in operands]
        return call(numpy, *operands)
    return function


def plain(numpy):
    return lambda *operands: call(numpy, *operands)


for _name in "exp exp2 expm1 log log2 log10 log1p sqrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh arctan2 copysign hypot".split():
    globals()[_name] = in_float(getattr(np, _name))
div = true_divide = divide = in_float(np.divide)
atan2, asin, acos, atan, asinh, acosh, atanh = arctan2, arcsin, arccos, arctan, arcsinh, arccosh, arctanh  # noqa: F821
for _name in ("negative sign square floor ceil trunc isnan isinf isfinite logical_not logical_and logical_or logical_xor maximum minimum fmax fmin "
              "subtract multiply floor_divide remainder power add bitwise_and bitwise_or bitwise_xor less less_equal greater "
              "greater_equal not_equal").split():
    globals()[_name] = plain(getattr(np, _name))
eq, ne, lt, le, gt, ge = map(plain, (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal))
abs, round, neg, mul, sub, pow = map(plain, (np.absolute, np.rint, np.negative, np.multiply, np.subtract, np.power))
bitwise_not, bitwise_left_shift, bitwise_right_shift = map(plain, (np.invert, np.left_shift, np.right_shift))
absolute, fix = abs, trunc  # noqa: F821
mm, mv, dot, matmul, outer, ger = map(plain, (np.matmul, np.matmul, np.dot, np.matmul, np.outer, np.outer))


def clamp(input, min=None, max=None):
    low = input if min is None else np.maximum(input, min)
    return tensor_of(low if max is None else np.minimum(low, max))


clip = clamp


def where(condition, input, other):
    if np.isscalar(input) and np.isscalar(other):
        input, other = standard(input), standard(other)
    return call(np.where, condition, input, other)


def summed(numpy):
    def function(input, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=False):
        dim, keepdim = (dim, keepdim) if axis is None else (axis, keepdims)
        if dtype is None and np.asarray(input).dtype.kind in "biu":
            dtype = int64
        return call(numpy, input, axis=dim, keepdims=keepdim, dtype=dtype)
    return function


sum, prod = summed(np.sum), summed(np.prod)


def mean(input, dim=None, keepdim=False, *, dtype=None):
    return call(np.mean, input, axis=dim, keepdims=keepdim, dtype=dtype)


def std(input, dim=None, *, correction=1, keepdim=False):
    return call(np.std, input, axis=dim, ddof=correction, keepdims=keepdim)


def var(input, dim=None, *, correction=1, keepdim=False):
    return call(np.var, input, axis=dim, ddof=correction, keepdims=keepdim)


def folded(numpy):
    return lambda input, dim=None, keepdim=False: call(numpy, input, axis=dim, keepdims=keepdim)


amax, amin, any, all, argmax, argmin = map(folded, (np.max, np.min, np.any, np.all, np.argmax, np.argmin))


def count_nonzero(input, dim=None):
    return call(np.count_nonzero, input, axis=dim)


def extreme(of_all, position, of_two):
    def function(input, dim=None, keepdim=False):
        if dim is None:
            return call(of_all, input)
        if isinstance(dim, np.ndarray):
            return call(of_two, input, dim)
        return call(of_all, input, axis=dim, keepdims=keepdim), call(position, input, axis=dim, keepdims=keepdim)
    return function


max, min = extreme(np.max, np.argmax, np.maximum), extreme(np.min, np.argmin, np.minimum)


def made(numpy):
    def function(*size, dtype=float32, device=None, requires_grad=False):
        return call(numpy, size[0] if isinstance(size[0], (tuple, list)) else size, dtype)
    return function


zeros, ones, empty = made(np.zeros), made(np.ones), made(np.zeros)


def full(size, fill_value, *, dtype=None, device=None):
    return call(np.full, size, fill_value, dtype or standard(fill_value).dtype)


def like(numpy):
    return lambda input, *more, dtype=None, device=None: call(numpy, input, *more, dtype=dtype or input.dtype)


zeros_like, ones_like, empty_like, full_like = map(like, (np.zeros_like, np.ones_like, np.zeros_like, np.full_like))


def arange(start=0, end=None, step=1, *, dtype=None, device=None):
    start, end = (0, start) if end is None else (start, end)
    if dtype is None:
        dtype = int64 if all_whole(start, end, step) else float32
    return tensor_of(call(np.arange, start, end, step).astype(dtype))


def all_whole(*numbers):
    return not [x for x in numbers if np.asarray(x).dtype.kind == "f"]


def linspace(start, end, steps, *, dtype=float32, device=None):
    return tensor_of(call(np.linspace, start, end, steps).astype(dtype))


def tensor(data, dtype=None, device=None):
    made = np.array(data)
    return tensor_of(made.astype(dtype or standard(made).dtype))


def t(input):
    return input.T


def transpose(input, dim0, dim1):
    return np.swapaxes(input, dim0, dim1)


def detach(input):
    return input


def clone(input):
    return call(np.array, input)


def _method(function):
    return lambda self, *args, **keywords: function(self, *args, **keywords)


for _name in ("exp sqrt abs sum mean amax max min std var any all argmax clamp logical_and logical_not maximum mm mv matmul t transpose "
              "clone where pow sub mul lt ge isnan count_nonzero").split():
    if _name != "where":
        setattr(Tensor, _name, _method(globals()[_name]))
for _name, _type in (("float", np.float32), ("double", np.float64), ("int", np.int32), ("long", np.int64), ("bool", np.bool_), ("byte", np.uint8), ("char", np.int8), ("short", np.int16)):
    setattr(Tensor, _name, (lambda type: lambda self: self.astype(type))(_type))
for _name in ("contiguous", "cpu", "cuda", "detach"):
    setattr(Tensor, _name, lambda self: self)
Tensor.numel = numel = lambda self: np.asarray(self).size
Tensor.dim = lambda self: self.ndim
Tensor.fill_ = np.ndarray.fill
