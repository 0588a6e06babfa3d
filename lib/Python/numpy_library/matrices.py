"""Matrices by their diagonals, and products of matrices."""
import numpy as np

from ._common import _axis, _front, _is_constant, _is_sequence, _shares, _swapped


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    if like is not None:
        raise NotImplementedError("`like=` of `np.eye` is not translated")
    if order != "C":
        raise NotImplementedError("`order=` of `np.eye` is not translated but for 'C'")
    columns = N if M is None else M
    return (np.arange(columns) - k == np.arange(N)[:, None]).astype(dtype)


def identity(n, dtype=None, *, like=None):
    if like is not None:
        raise NotImplementedError("`like=` of `np.identity` is not translated")
    return np.eye(n, dtype=float if dtype is None else dtype)


def tri(N, M=None, k=0, dtype=float, *, like=None):
    if like is not None:
        raise NotImplementedError("`like=` of `np.tri` is not translated")
    columns = N if M is None else M
    return (np.arange(columns) - k <= np.arange(N)[:, None]).astype(dtype)


def tril(m, k=0):
    m = np.asarray(m)
    if m.ndim == 0:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    mask = np.tri(m.shape[0] if m.ndim == 1 else m.shape[-2], m.shape[-1], k, dtype=bool)
    return np.where(mask, m, np.zeros(1, m.dtype))


def triu(m, k=0):
    m = np.asarray(m)
    if m.ndim == 0:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    mask = np.tri(m.shape[0] if m.ndim == 1 else m.shape[-2], m.shape[-1], k - 1, dtype=bool)
    return np.where(mask, np.zeros(1, m.dtype), m)


def _on_diagonal(a, offset, axis1, axis2):
    """The diagonal's elements, computed: the last axis of the result."""
    axis1 = _axis(axis1, a.ndim)
    axis2 = _axis(axis2, a.ndim)
    if axis1 == axis2:
        raise ValueError("axis1 and axis2 cannot be the same")
    order = ()
    for d in range(a.ndim):
        if d != axis1 and d != axis2:
            order = order + (d,)
    a = np.transpose(a, order + (axis1, axis2))
    rows = a.shape[-2]
    columns = a.shape[-1]
    if offset >= 0:
        n = max(min(rows, columns - offset), 0)
        return a[..., np.arange(n), np.arange(n) + offset]
    n = max(min(rows + offset, columns), 0)
    return a[..., np.arange(n) - offset, np.arange(n)]


def diagonal(a, offset=0, axis1=0, axis2=1):
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return _shares(_on_diagonal(a, offset, axis1, axis2), a)


def diag(v, k=0):
    v = np.asarray(v)
    if v.ndim == 2:
        return np.diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    n = v.shape[0] + abs(k)
    made = np.zeros((n, n), v.dtype)
    at = np.arange(v.shape[0])
    if k >= 0:
        made[at, at + k] = v
    else:
        made[at - k, at] = v
    return made


def diagflat(v, k=0):
    v = np.asarray(v)
    return np.diag(v if v.ndim == 1 else np.ravel(v), k)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    a = np.asarray(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return np.sum(_on_diagonal(a, offset, axis1, axis2), -1, dtype=dtype, out=out)


def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if np.ndim(val) > 1:
        raise NotImplementedError("`np.fill_diagonal` takes a number or a vector")
    if _is_sequence(val):
        val = np.asarray(val)
    n = a.shape[0]
    if a.ndim == 2 and wrap:
        columns = a.shape[1]
        for i in range((n * columns + columns) // (columns + 1)):
            place = i * (columns + 1)
            a[place // columns, place % columns] = val if np.ndim(val) == 0 else val[i % len(val)]
        return
    if a.ndim == 2:
        n = min(n, a.shape[1])
    else:
        for d in range(1, a.ndim):
            if a.shape[d] != n:
                raise ValueError("All dimensions of input must be of equal length")
    for i in range(n):
        a[(i,) * a.ndim] = val if np.ndim(val) == 0 else val[i % len(val)]


def vander(x, N=None, increasing=False):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = len(x) if N is None else N
    made = np.empty((len(x), count), np.result_type(x.dtype, int))
    powers = made if increasing else made[:, ::-1]
    if count > 0:
        powers[:, 0] = 1
    for k in range(1, count):
        powers[:, k] = powers[:, k - 1] * x
    return made


def inner(a, b, /):
    a = np.asarray(a)
    b = np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.shape[-1] != b.shape[-1]:
        raise ValueError("shapes not aligned")
    if b.ndim == 1:
        return np.dot(a, b)
    if a.ndim == 1:
        return np.dot(b, a)
    if a.ndim == 2 and b.ndim == 2:
        return a @ b.T
    return np.tensordot(a, b, (-1, -1))


def vdot(a, b, /):
    a = np.asarray(a)
    b = np.asarray(b)
    return np.dot(np.conj(a if a.ndim == 1 else np.ravel(a)) if np.issubdtype(a.dtype, np.complexfloating)
                  else a if a.ndim == 1 else np.ravel(a), b if b.ndim == 1 else np.ravel(b))


def kron(a, b):
    a = np.asarray(a)
    b = np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    for _ in range(b.ndim - a.ndim):
        a = a[None]
    for _ in range(a.ndim - b.ndim):
        b = b[None]
    x = a
    y = b
    for d in range(a.ndim):
        n = a.shape[d] * b.shape[d]
        x = _swapped(_swapped(x, 0, d)[np.arange(n) // b.shape[d]], 0, d)
        y = _swapped(_swapped(y, 0, d)[np.arange(n) % b.shape[d]], 0, d)
    return x * y


def _cross_of_planes(x, y, axisc):
    """`np.cross` where the vectors of one or both have two elements, the third of which is 0."""
    third = x[0] * y[1] - x[1] * y[0]
    if x.shape[0] == 2 and y.shape[0] == 2:
        return third
    if x.shape[0] != 3 and y.shape[0] != 3:
        raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
    if x.shape[0] == 2:
        return np.stack((x[1] * y[2], np.negative(x[0] * y[2]), third), _axis(axisc, np.ndim(third) + 1))
    return np.stack((np.negative(x[2] * y[1]), x[2] * y[0], third), _axis(axisc, np.ndim(third) + 1))


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a = np.asarray(a)
    b = np.asarray(b)
    if axis is not None:
        axisa = axis
        axisb = axis
        axisc = axis
    x = _front(a, _axis(axisa, a.ndim))
    y = _front(b, _axis(axisb, b.ndim))
    if not _is_constant(x.shape[0]) and not _is_constant(y.shape[0]):
        if x.shape[0] == 2 or y.shape[0] == 2:
            raise NotImplementedError("`np.cross` of vectors of two elements is translated where the types tell how many there are, as in `f64[2]`")
    elif x.shape[0] == 2 or y.shape[0] == 2:
        return _cross_of_planes(x, y, axisc)
    if x.shape[0] != 3 or y.shape[0] != 3:
        raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
    first = x[1] * y[2] - x[2] * y[1]
    second = x[2] * y[0] - x[0] * y[2]
    third = x[0] * y[1] - x[1] * y[0]
    return np.stack((first, second, third), _axis(axisc, np.ndim(first) + 1))


def _other_axes(a, taken):
    """The axes that are not taken, their extents, and the product of these."""
    axes = ()
    shape = ()
    count = 1
    for d in range(a.ndim):
        if d not in taken:
            axes = axes + (d,)
            shape = shape + (a.shape[d],)
            count = count * a.shape[d]
    return axes, shape, count


def tensordot(a, b, axes=2):
    a = np.asarray(a)
    b = np.asarray(b)
    first = ()
    second = ()
    if _is_sequence(axes):
        if len(axes) != 2:
            raise ValueError("`axes=` of `np.tensordot` has two parts: those of each array")
        for axis in axes[0] if _is_sequence(axes[0]) else (axes[0],):
            first = first + (_axis(axis, a.ndim),)
        for axis in axes[1] if _is_sequence(axes[1]) else (axes[1],):
            second = second + (_axis(axis, b.ndim),)
    else:
        if axes > a.ndim or axes > b.ndim:
            raise IndexError("tuple index out of range")
        if axes < 0:
            raise ValueError("shape-mismatch for sum")
        for d in range(axes):
            first = first + (a.ndim - axes + d,)
            second = second + (d,)
    if len(first) != len(second):
        raise ValueError("shape-mismatch for sum")
    count = 1
    for k in range(len(first)):
        if a.shape[first[k]] != b.shape[second[k]]:
            raise ValueError("shape-mismatch for sum")
        count = count * a.shape[first[k]]
    rows, high, left = _other_axes(a, first)
    columns, wide, right = _other_axes(b, second)
    shape = high + wide
    x = np.reshape(np.transpose(a, rows + first), (left, count))
    y = np.reshape(np.transpose(b, second + columns), (count, right))
    if len(shape) > 0:
        return np.reshape(x @ y, shape)
    return np.asarray((x @ y)[0, 0])


def _has_keywords(out, axes, axis, keepdims, casting, dtype, signature):
    return out is not None or axes is not np._NoValue or axis is not np._NoValue or keepdims or casting != "same_kind" or dtype is not None or signature is not None


def vecdot(x1, x2, /, out=None, *, axes=np._NoValue, axis=np._NoValue, keepdims=False, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    if _has_keywords(out, axes, np._NoValue, keepdims, casting, dtype, signature):
        raise NotImplementedError("only `axis=` of the keywords of `np.vecdot` is translated")
    return np.linalg.vecdot(x1, x2, axis=-1 if axis is np._NoValue else axis)


def vecmat(x1, x2, /, out=None, *, axes=np._NoValue, axis=np._NoValue, keepdims=False, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    if _has_keywords(out, axes, axis, keepdims, casting, dtype, signature):
        raise NotImplementedError("the keywords of `np.vecmat` are not translated")
    v = np.asarray(x1)
    if v.ndim != 1:
        raise NotImplementedError("`np.vecmat` takes one vector; write `(a[..., None, :] @ b)[..., 0, :]`")
    return (np.conj(v) if np.issubdtype(v.dtype, np.complexfloating) else v) @ np.asarray(x2)
