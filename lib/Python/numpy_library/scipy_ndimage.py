"""scipy.ndimage: filters of arrays of one to three axes. They compute in float64, and give what has the array's type."""
import numpy as np

from ._common import _axis, _is_sequence


def _image(input, output):
    if output is not None:
        raise NotImplementedError("`output=` of functions of scipy.ndimage is not translated; assign the result")
    a = np.asarray(input)
    if np.issubdtype(a.dtype, np.complexfloating) or a.dtype == np.bool_:
        raise NotImplementedError("functions of scipy.ndimage are translated for real numbers; convert booleans, filter `.real` and `.imag`")
    if a.ndim < 1 or a.ndim > 3:
        raise NotImplementedError("functions of scipy.ndimage are translated of one to three axes")
    return a


def _known_mode(mode):
    if _is_sequence(mode):
        raise NotImplementedError("`mode=` of functions of scipy.ndimage is one for all axes")
    if mode not in ("reflect", "grid-mirror", "constant", "grid-constant", "nearest", "mirror", "wrap", "grid-wrap"):
        raise RuntimeError("boundary mode not supported")


def _place_of(at, n, mode):
    """Where the element is that stands at this place of a line that goes on; of constants it is inside."""
    if mode == "reflect" or mode == "grid-mirror":
        m = at % (2 * n)
        return min(m, 2 * n - 1 - m)
    if mode == "mirror":
        most = max(2 * n - 2, 1)
        m = at % most
        return min(m, most - m) if n > 1 else 0
    if mode == "nearest":
        return min(max(at, 0), n - 1)
    return at % n


def _element(a, i, n, mode, cval):
    """The element of a line that goes on."""
    if mode == "constant" or mode == "grid-constant":
        value = np.float64(cval)
        if i >= 0 and i < n:
            value = np.float64(a[i])
        return value
    return np.float64(a[_place_of(i, n, mode)])


def _converted(value, kind):
    """As C converts it."""
    return np.int64(value).astype(kind) if np.issubdtype(kind, np.integer) else np.float64(value).astype(kind)


def _lines(a, axis):
    """The array as lines along the axis."""
    moved = np.moveaxis(a, axis, -1)
    return np.reshape(moved, (-1, moved.shape[-1])) if a.ndim > 1 else a[None]


def _as_lines_of(made, a, axis):
    """Lines as the array that they were of."""
    if a.ndim == 1:
        return made[0]
    return np.copy(np.moveaxis(np.reshape(made, np.moveaxis(a, axis, -1).shape), -1, axis))


def _symmetry(weights):
    """1 if they are the same from both ends, -1 if they change the sign, else 0."""
    size = len(weights)
    same = size % 2 == 1
    other = size % 2 == 1
    for k in range(size // 2):
        if abs(weights[k] - weights[size - 1 - k]) > 2.220446049250313e-16:
            same = False
        if abs(weights[k] + weights[size - 1 - k]) > 2.220446049250313e-16:
            other = False
    return 1.0 if same else -1.0 if other else 0.0


def _correlated_along(a, weights, axis, mode, cval, origin):
    rows = _lines(a, axis)
    n = rows.shape[1]
    size = len(weights)
    half = size // 2
    symmetry = _symmetry(weights)
    made = np.empty(rows.shape, a.dtype)
    for i in range(rows.shape[0]):
        for j in range(n):
            total = 0.0
            if symmetry != 0:
                total = weights[half] * _element(rows[i], j - origin, n, mode, cval)
                for k in range(half):
                    before = _element(rows[i], j - origin + k - half, n, mode, cval)
                    total = total + (before + symmetry * _element(rows[i], j - origin + half - k, n, mode, cval)) * weights[k]
            else:
                for k in range(size):
                    total = total + weights[k] * _element(rows[i], j - origin + k - half, n, mode, cval)
            made[i, j] = _converted(total, a.dtype)
    return _as_lines_of(made, a, axis)


def _weighted_along(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    a = _image(input, output)
    _known_mode(mode)
    w = np.asarray(weights)
    if np.issubdtype(w.dtype, np.complexfloating):
        raise NotImplementedError("weights of functions of scipy.ndimage are real numbers here")
    if w.ndim != 1:
        raise RuntimeError("no filter weights given")
    if len(w) < 1:
        raise RuntimeError("no filter weights given")
    if origin < -(len(w) // 2) or origin > (len(w) - 1) // 2:
        raise ValueError("Invalid origin; origin must satisfy -(len(weights) // 2) <= origin <= (len(weights)-1) // 2")
    return _correlated_along(a, w.astype(np.float64), _axis(axis, a.ndim), mode, cval, origin)


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    return _weighted_along(input, weights, axis, output, mode, cval, origin)


def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    w = np.asarray(weights)
    return _weighted_along(input, w[::-1], axis, output, mode, cval, -origin - (1 if w.shape[0] % 2 == 0 else 0))


def _correlated_all(a, w, mode, cval, origins):
    """Of three axes; the sums go over the weights in order."""
    made = np.empty(a.shape, a.dtype)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                total = 0.0
                for p in range(w.shape[0]):
                    for q in range(w.shape[1]):
                        for r in range(w.shape[2]):
                            x = i + p - w.shape[0] // 2 - origins[0]
                            y = j + q - w.shape[1] // 2 - origins[1]
                            z = k + r - w.shape[2] // 2 - origins[2]
                            if mode == "constant" or mode == "grid-constant":
                                value = np.float64(cval)
                                if x >= 0 and x < a.shape[0] and y >= 0 and y < a.shape[1] and z >= 0 and z < a.shape[2]:
                                    value = np.float64(a[x, y, z])
                                total = total + w[p, q, r] * value
                            else:
                                value = np.float64(a[_place_of(x, a.shape[0], mode), _place_of(y, a.shape[1], mode), _place_of(z, a.shape[2], mode)])
                                total = total + w[p, q, r] * value
                made[i, j, k] = _converted(total, a.dtype)
    return made


def _with_three_axes(a):
    return a[None, None] if a.ndim == 1 else a[None] if a.ndim == 2 else a


def _with_axes_of(made, a):
    return made[0, 0] if a.ndim == 1 else made[0] if a.ndim == 2 else made


def _filtered(input, weights, output, mode, cval, origin, axes, is_convolution):
    a = _image(input, output)
    _known_mode(mode)
    w = np.asarray(weights)
    if axes is not None or np.ndim(origin) != 0:
        raise NotImplementedError("`axes=`, and an origin for each axis, of functions of scipy.ndimage are not translated")
    if np.issubdtype(w.dtype, np.complexfloating):
        raise NotImplementedError("weights of functions of scipy.ndimage are real numbers here")
    if w.ndim != a.ndim:
        raise RuntimeError("weights.ndim (%d) must match len(axes) (%d)" % (w.ndim, a.ndim))
    weighted = _with_three_axes(w.astype(np.float64))
    image = _with_three_axes(a)
    origins = ()
    for d in range(3):
        shift = -origin - (1 if weighted.shape[d] % 2 == 0 else 0) if is_convolution else origin
        if d < 3 - a.ndim:
            shift = 0
        elif shift < -(weighted.shape[d] // 2) or shift > (weighted.shape[d] - 1) // 2:
            raise ValueError("Invalid origin; origin must satisfy -(weights.shape[k] // 2) <= origin[k] <= (weights.shape[k]-1) // 2")
        origins = origins + (shift,)
    return _with_axes_of(_correlated_all(image, weighted[::-1, ::-1, ::-1] if is_convolution else weighted, mode, cval, origins), a)


def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _filtered(input, weights, output, mode, cval, origin, axes, False)


def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _filtered(input, weights, output, mode, cval, origin, axes, True)


def _uniform_along(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    a = _image(input, output)
    _known_mode(mode)
    if size < 1:
        raise RuntimeError("incorrect filter size")
    if size // 2 + origin < 0 or size // 2 + origin >= size:
        raise ValueError("invalid origin")
    at = _axis(axis, a.ndim)
    rows = _lines(a, at)
    n = rows.shape[1]
    made = np.empty(rows.shape, a.dtype)
    for i in range(rows.shape[0]):
        for j in range(n):
            total = 0.0
            for k in range(size):
                total = total + _element(rows[i], j - origin + k - size // 2, n, mode, cval)
            made[i, j] = _converted(total / size, a.dtype)
    return _as_lines_of(made, a, at)


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    return _uniform_along(input, size, axis, output, mode, cval, origin)


def _of_axis(value, d):
    return value[d] if _is_sequence(value) else value


def _for_axes(value, ndim):
    if _is_sequence(value):
        if len(value) != ndim:
            raise RuntimeError("sequence argument must have length equal to input rank")


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    a = _image(input, output)
    if axes is not None or np.ndim(origin) != 0:
        raise NotImplementedError("`axes=`, and an origin for each axis, of functions of scipy.ndimage are not translated")
    _for_axes(size, a.ndim)
    for d in range(a.ndim):
        a = _uniform_along(a, _of_axis(size, d), d, None, mode, cval, origin)
    return a


def _gaussian_weights(sigma, order, radius):
    x = np.arange(-radius, radius + 1)
    bell = np.exp(-0.5 / (sigma * sigma) * x ** 2)
    bell = bell / np.sum(bell)
    if order == 0:
        return bell
    if order == 1:
        return bell * (x / -(sigma * sigma))
    if order == 2:
        return bell * (x ** 2 / (sigma * sigma * sigma * sigma) - 1 / (sigma * sigma))
    raise NotImplementedError("`order=` of Gaussian filters is 0, 1 or 2")


def _gaussian_along(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    if order < 0:
        raise ValueError("order must be non-negative")
    width = float(sigma)
    reach = int(truncate * width + 0.5) if radius is None else radius
    if reach < 0:
        raise ValueError("Radius must be a nonnegative integer.")
    return _weighted_along(input, _gaussian_weights(width, order, reach)[::-1], axis, output, mode, cval, 0)


def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    return _gaussian_along(input, sigma, axis, order, output, mode, cval, truncate, radius=radius)


def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
    a = _image(input, output)
    if axes is not None:
        raise NotImplementedError("`axes=` of functions of scipy.ndimage is not translated")
    _for_axes(sigma, a.ndim)
    for d in range(a.ndim):
        a = _gaussian_along(a, _of_axis(sigma, d), d, _of_axis(order, d), None, mode, cval, truncate, radius=radius)
    return a


def _sloped(input, axis, output, mode, cval, side):
    a = _image(input, output)
    at = _axis(axis, a.ndim)
    made = _weighted_along(a, np.array([-1, 0, 1]), at, None, mode, cval)
    for d in range(a.ndim):
        if d != at:
            made = _weighted_along(made, np.array(side), d, None, mode, cval)
    return made


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return _sloped(input, axis, output, mode, cval, (1, 2, 1))


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return _sloped(input, axis, output, mode, cval, (1, 1, 1))


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    a = _image(input, output)
    if axes is not None:
        raise NotImplementedError("`axes=` of functions of scipy.ndimage is not translated")
    made = _weighted_along(a, np.array([1, -2, 1]), 0, None, mode, cval)
    for d in range(1, a.ndim):
        made = made + _weighted_along(a, np.array([1, -2, 1]), d, None, mode, cval)
    return made


def _extreme_along(a, size, axis, mode, cval, origin, is_least):
    _known_mode(mode)
    if size < 1:
        raise RuntimeError("incorrect filter size")
    if size // 2 + origin < 0 or size // 2 + origin >= size:
        raise ValueError("invalid origin")
    rows = _lines(a, axis)
    n = rows.shape[1]
    made = np.empty(rows.shape, a.dtype)
    for i in range(rows.shape[0]):
        for j in range(n):
            found = _element(rows[i], j - origin - size // 2, n, mode, cval)
            for k in range(1, size):
                other = _element(rows[i], j - origin + k - size // 2, n, mode, cval)
                found = min(found, other) if is_least else max(found, other)
            made[i, j] = _converted(found, a.dtype)
    return _as_lines_of(made, a, axis)


def _extremes(input, size, footprint, output, mode, cval, origin, axes, is_least):
    a = _image(input, output)
    if footprint is not None or axes is not None or np.ndim(origin) != 0:
        raise NotImplementedError("`footprint=`, `axes=`, and an origin for each axis, of functions of scipy.ndimage are not translated")
    if size is None:
        raise RuntimeError("no footprint provided")
    _for_axes(size, a.ndim)
    for d in range(a.ndim):
        a = _extreme_along(a, _of_axis(size, d), d, mode, cval, origin, is_least)
    return a


def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _extremes(input, size, footprint, output, mode, cval, origin, axes, True)


def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    return _extremes(input, size, footprint, output, mode, cval, origin, axes, False)


def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    a = _image(input, output)
    return _extreme_along(a, size, _axis(axis, a.ndim), mode, cval, origin, True)


def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    a = _image(input, output)
    return _extreme_along(a, size, _axis(axis, a.ndim), mode, cval, origin, False)


def _earlier_neighbours(structure, shape):
    """How far before an element of an array of this shape those lie that the structure joins with it."""
    n = len(shape)
    sizes = np.ones(n + 1, dtype=np.int64)
    for d in range(n):
        sizes[n - 1 - d] = sizes[n - d] * shape[n - 1 - d]
    joined = (np.sum(np.abs(np.indices((3,) * n) - 1), axis=0) <= 1) if structure is None else np.asarray(structure) != 0
    if joined.ndim != n or joined.size != 3 ** n:
        raise ValueError("structure dimensions must be equal to 3")
    flat = joined.ravel()
    if np.any(flat != flat[::-1]):
        raise ValueError("structuring element is not symmetric")
    half = 3 ** n // 2
    offsets = np.zeros(half, dtype=np.int64)
    for k in range(half):
        if flat[k]:
            rest = k
            for d in range(n):
                offsets[k] += (1 - rest % 3) * sizes[n - d]
                rest = rest // 3
    return offsets


def label(input, structure=None, output=None):
    if output is not None:
        raise NotImplementedError("`output=` of `scipy.ndimage.label` is not translated")
    a = np.asarray(input)
    if a.ndim == 0 or a.ndim > 3:
        raise NotImplementedError("`scipy.ndimage.label` is translated of arrays of one axis to three")
    inner = np.pad(a != 0, 1)
    offsets = _earlier_neighbours(structure, inner.shape)
    isIn = inner.ravel()
    marks = np.zeros(len(isIn), dtype=np.int64)
    parents = np.zeros(len(isIn) + 1, dtype=np.int64)
    made = 0
    for p in range(len(isIn)):
        if isIn[p]:
            own = 0
            for k in range(len(offsets)):
                root = marks[p - offsets[k]] if offsets[k] != 0 else 0
                if root != 0:
                    while parents[root] != root:
                        root = parents[root]
                    if own == 0:
                        own = root
                    elif own != root:
                        parents[max(own, root)] = min(own, root)
                        own = min(own, root)
            if own == 0:
                made = made + 1
                own = made
                parents[own] = own
            marks[p] = own
    count = 0
    for k in range(1, made + 1):
        if parents[k] == k:
            count = count + 1
            parents[k] = count
        else:  # the number of one before it, which has its own by now
            parents[k] = parents[parents[k]]
    numbered = parents[marks].astype(np.int32).reshape(inner.shape)
    if a.ndim == 1:
        return numbered[1:-1].copy(), int(count)
    if a.ndim == 2:
        return numbered[1:-1, 1:-1].copy(), int(count)
    return numbered[1:-1, 1:-1, 1:-1].copy(), int(count)
