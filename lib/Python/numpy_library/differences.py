"""Differences of neighbours, and what is summed up from them."""
import numpy as np

from ._common import _axes, _axis, _part


def _beside(value, a, axis):
    """What stands before or behind `a`: an array, or a number once along the axis."""
    value = np.asarray(value)
    if value.ndim == 0:
        return np.full(a.shape[:axis] + (1,) + a.shape[axis + 1:], value)
    return value


def diff(a, n=1, axis=-1, prepend=np._NoValue, append=np._NoValue):
    if n == 0:
        return a
    if n < 0:
        raise ValueError("order must be non-negative but got %d" % n)
    a = np.asarray(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = _axis(axis, a.ndim)
    parts = () if prepend is np._NoValue else (_beside(prepend, a, axis),)
    parts = parts + (a,)
    if append is not np._NoValue:
        parts = parts + (_beside(append, a, axis),)
    if len(parts) > 1:
        a = np.concatenate(parts, axis)
    for _ in range(n):
        if a.dtype == np.bool_:
            a = np.not_equal(_part(a, axis, 1, None), _part(a, axis, None, -1))
        else:
            a = _part(a, axis, 1, None) - _part(a, axis, None, -1)
    return a


def _end(value, kind):
    """What `ediff1d` puts beside the differences."""
    flat = np.ravel(np.asarray(value))
    lost = np.issubdtype(flat.dtype, np.complexfloating) and not np.issubdtype(kind, np.complexfloating)
    lost = lost or (np.issubdtype(flat.dtype, np.inexact) and not np.issubdtype(kind, np.inexact))
    lost = lost or (np.issubdtype(flat.dtype, np.signedinteger) and np.issubdtype(kind, np.unsignedinteger))
    lost = lost or (np.issubdtype(flat.dtype, np.integer) and kind == np.bool_)
    if lost:
        raise TypeError("dtype of `to_end` and `to_begin` must be compatible with input `ary` under the `same_kind` rule.")
    return flat.astype(kind)


def ediff1d(ary, to_end=None, to_begin=None):
    ary = np.asarray(ary)
    flat = ary if ary.ndim == 1 else np.ravel(ary)
    inner = flat[1:] - flat[:-1]
    if to_begin is None and to_end is None:
        return inner
    parts = (inner,) if to_begin is None else (_end(to_begin, flat.dtype), inner)
    if to_end is not None:
        parts = parts + (_end(to_end, flat.dtype),)
    return np.concatenate(parts)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = np.asarray(y)
    of = axis  # counted again in what is summed, which a `dx` of more dimensions stretches
    axis = _axis(axis, y.ndim)
    d = dx
    if x is not None:
        x = np.asarray(x)
        d = np.diff(x) if x.ndim == 1 else np.diff(x, axis=axis)
        if x.ndim == 1:
            for _ in range(y.ndim - 1 - axis):
                d = d[..., None]
    return (d * (_part(y, axis, 1, None) + _part(y, axis, None, -1)) / 2.0).sum(of)


def _even(out, f, axis, h, edge_order):
    """Stores the derivative along an axis of points at equal distances."""
    _part(out, axis, 1, -1)[...] = (_part(f, axis, 2, None) - _part(f, axis, None, -2)) / (2. * h)
    if edge_order == 1:
        _part(out, axis, None, 1)[...] = (_part(f, axis, 1, 2) - _part(f, axis, 0, 1)) / h
        _part(out, axis, -1, None)[...] = (_part(f, axis, -1, None) - _part(f, axis, -2, -1)) / h
    else:
        _part(out, axis, None, 1)[...] = (-1.5 / h * _part(f, axis, 0, 1) + 2. / h * _part(f, axis, 1, 2)
                                          + -0.5 / h * _part(f, axis, 2, 3))
        _part(out, axis, -1, None)[...] = (0.5 / h * _part(f, axis, -3, -2) + -2. / h * _part(f, axis, -2, -1)
                                           + 1.5 / h * _part(f, axis, -1, None))


def _uneven(out, f, axis, dx, edge_order):
    """The same of points at the distances `dx`."""
    left = dx[:-1]
    right = dx[1:]
    before = -right / (left * (left + right))  # weights of a parabola's slope, by Lagrange's form
    here = (right - left) / (left * right)
    behind = left / (right * (left + right))
    for _ in range(f.ndim - 1 - axis):
        before = before[..., None]
        here = here[..., None]
        behind = behind[..., None]
    _part(out, axis, 1, -1)[...] = (before * _part(f, axis, None, -2) + here * _part(f, axis, 1, -1)
                                    + behind * _part(f, axis, 2, None))
    if edge_order == 1:
        _part(out, axis, None, 1)[...] = (_part(f, axis, 1, 2) - _part(f, axis, 0, 1)) / dx[0]
        _part(out, axis, -1, None)[...] = (_part(f, axis, -1, None) - _part(f, axis, -2, -1)) / dx[-1]
    else:
        h1 = dx[0]
        h2 = dx[1]
        first = -(2. * h1 + h2) / (h1 * (h1 + h2))
        second = (h1 + h2) / (h1 * h2)
        third = -h1 / (h2 * (h1 + h2))
        _part(out, axis, None, 1)[...] = (first * _part(f, axis, 0, 1) + second * _part(f, axis, 1, 2)
                                          + third * _part(f, axis, 2, 3))
        g1 = dx[-2]
        g2 = dx[-1]
        last3 = g2 / (g1 * (g1 + g2))
        last2 = -(g2 + g1) / (g1 * g2)
        last = (2. * g2 + g1) / (g2 * (g1 + g2))
        _part(out, axis, -1, None)[...] = (last3 * _part(f, axis, -3, -2) + last2 * _part(f, axis, -2, -1)
                                           + last * _part(f, axis, -1, None))


def _along(f, axis, spacing, edge_order):
    """The derivative along an axis; `spacing` is a number or the coordinates."""
    n = f.shape[axis]
    if np.ndim(spacing) == 1:
        if n < 2:
            raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    if n < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    if f.dtype == np.bool_:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    kind = f.dtype if np.issubdtype(f.dtype, np.inexact) else np.float64
    if f.dtype != kind:
        f = f.astype(kind)
    out = np.empty(f.shape, kind)
    if np.ndim(spacing) == 0:
        _even(out, f, axis, spacing, edge_order)
    else:
        x = spacing.astype(np.float64) if np.issubdtype(spacing.dtype, np.integer) else spacing
        dx = x[1:] - x[:-1]
        if np.all(dx == dx[0]):
            _even(out, f, axis, dx[0], edge_order)
        else:
            _uneven(out, f, axis, dx, edge_order)
    return out


def gradient(f, *varargs, axis=None, edge_order=1):
    f = np.asarray(f)
    axes = _axes(axis, f.ndim)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if len(varargs) > 1 and len(varargs) != len(axes):
        raise TypeError("invalid number of arguments")
    found = ()
    for k in range(len(axes)):
        spacing = 1.0
        if len(varargs) > 0:
            spacing = varargs[0] if len(varargs) == 1 else varargs[k]
        if np.ndim(spacing) > 1 or (np.ndim(spacing) == 1 and len(varargs) == 1 and len(axes) > 1):
            raise ValueError("distances must be either scalars or 1d")
        if np.ndim(spacing) == 1:
            if len(spacing) != f.shape[axes[k]]:
                raise ValueError("when 1d, distances must match the length of the corresponding dimension")
        found = found + (_along(f, axes[k], spacing, edge_order),)
    return found[0] if len(axes) == 1 else found


def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    p = np.asarray(p)
    at = _axis(axis, p.ndim)
    step = np.diff(p, axis=at)
    kind = np.result_type(step, period)
    if np.issubdtype(kind, np.complexfloating):
        raise TypeError("ufunc 'remainder' not supported for the input types")
    if not np.issubdtype(kind, np.floating):
        raise NotImplementedError("`np.unwrap` of integers takes a period that is a float")
    half = period / 2
    least = half if discont is None else discont
    turned = np.mod(step + half, period) - half
    turned = np.where((turned == -half) & (step > 0), half, turned)
    correct = np.where(abs(step) < least, 0, turned - step)
    whole = p.astype(kind)
    _part(whole, at, 1, None)[...] = _part(p, at, 1, None) + np.cumsum(correct, at)
    return whole


def _cumulative(running, name, start, x, axis, dtype, out, include_initial):
    x = np.asarray(x)
    if out is not None:
        raise NotImplementedError("`out=` of `np.%s` is not translated; assign the result" % name)
    if axis is None and x.ndim != 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
    at = 0 if axis is None else _axis(axis, x.ndim)
    found = running(x, at, dtype=dtype)
    if not include_initial:
        return found
    first = x.shape[:at] + (1,) + x.shape[at + 1:]
    return np.concatenate((np.full(first, start, found.dtype), found), at)


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(np.cumsum, "cumulative_sum", 0, x, axis, dtype, out, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(np.cumprod, "cumulative_prod", 1, x, axis, dtype, out, include_initial)
