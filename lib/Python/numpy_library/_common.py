"""What functions of the library share. `_is_sequence`, `_is_function`, `_is_constant`, `_are_apart`, `_shares`, `_sorted_rows`, `_order_of_rows`, `_first_of_runs`, `_scaled`, `_exponent`,
`_transform_rows`, `_eigen_rows`, `_singular_rows`, `_general_eigen_rows`, `_solve_columns`, `_cholesky_rows`, `_has_all_threads`, `_erf` and what follows it, and random.py's `_bit_generator` and `_generator`, are the compiler's
own; the rest is Python to it, too."""
import fractions
import math

import numpy as np


def _is_sequence(x):
    return isinstance(x, (tuple, list))


def _is_function(x):
    return callable(x)


def _is_constant(n):
    """Is the number known at translation? Here all are."""
    return True


def _are_apart(written, values):
    """Do all the values have other memory? Known at translation, where False may be said of what is."""
    for one in values:
        if np.may_share_memory(written, one):
            return False
    return True


def _shares(computed, a):
    """Elements that NumPy would show in a view of `a`."""
    return computed


def _sorted_rows(a):
    return np.sort(a, axis=-1, kind="stable")


def _in_order(a):
    """Rows, sorted; a row of few elements by the thread that has them."""
    if a.ndim == 1 and _is_constant(a.shape[0]) and a.shape[0] <= 16 and not np.issubdtype(a.dtype, np.complexfloating):
        few = np.copy(a)
        for i in range(a.shape[0] - 1):
            for k in range(a.shape[0] - 1 - i):
                x, y = few[k], few[k + 1]
                if y < x or (x != x and y == y):
                    few[k], few[k + 1] = y, x
        return few
    return _sorted_rows(a)


def _order_of_rows(a):
    return np.argsort(a, axis=-1, kind="stable")


def _first_of_runs(ascending):
    """Of a sorted vector, of which all NaN are one."""
    return np.unique(ascending)


def _transform_rows(rows, sign):
    """In place, and not scaled."""
    rows[...] = np.fft.fft(rows) if sign < 0 else np.fft.ifft(rows, norm="forward")


def _eigen_rows(has_vectors, rows, values):
    """Of Hermitian matrices in ascending order; the rows become the conjugates of the eigenvectors."""
    values[...], vectors = np.linalg.eigh(rows)
    rows[...] = np.conj(np.swapaxes(vectors, 1, 2))


def _singular_rows(has_vectors, rows, values, turned):
    """u in `turned`, s, and in `rows` vh of the matrices that are the first rows, no more than columns."""
    u, values[...], vh = np.linalg.svd(rows[:, : values.shape[1]], full_matrices=rows.shape[1] > values.shape[1])
    if has_vectors:
        rows[...] = vh
        turned[...] = u


def _has_all_threads():
    """Does the call stand outside of parallel loops?"""
    return True


def _solve_columns(columns, x):
    """In the place of the rows of x."""
    x[...] = np.linalg.solve(columns.T, x.T).T


def _cholesky_rows(rows):
    rows[...] = np.linalg.cholesky(rows)


def _general_eigen_rows(has_vectors, rows, values):
    """The rows become the eigenvectors."""
    values[...], vectors = np.linalg.eig(rows)
    rows[...] = np.swapaxes(vectors, 1, 2)


def _scaled(x, exponent):
    return np.ldexp(x, exponent.astype(np.int64))


def _exponent(x):
    return np.frexp(x)[1].astype(x.dtype)


def _axis(axis, ndim):
    """A number of an axis, counted from the front."""
    if axis < -ndim or axis >= ndim:
        raise np.exceptions.AxisError("axis %d is out of bounds for array of dimension %d" % (axis, ndim))
    return axis + ndim if axis < 0 else axis


def _axes(axis, ndim):
    """The axes that None, a number or a tuple names."""
    found = ()
    if axis is None:
        for d in range(ndim):
            found = found + (d,)
    elif _is_sequence(axis):
        for one in axis:
            if _axis(one, ndim) in found:
                raise ValueError("repeated axis")
            found = found + (_axis(one, ndim),)
    else:
        found = (_axis(axis, ndim),)
    return found


def _swapped(a, i, j):
    """The view with two axes in each other's place."""
    axes = ()
    for d in range(a.ndim):
        axes = axes + (j if d == i else i if d == j else d,)
    return np.transpose(a, axes)


def _front(a, axis):
    """The view with one axis before the others."""
    axes = (axis,)
    for d in range(a.ndim):
        if d != axis:
            axes = axes + (d,)
    return np.transpose(a, axes)


def _columns(a, axis):
    """The view in which the named axes are one, the first."""
    axes = _axes(axis, a.ndim)
    order = axes
    shape = ()
    count = 1
    for d in axes:
        count = count * a.shape[d]
    for d in range(a.ndim):
        if d not in axes:
            order = order + (d,)
            shape = shape + (a.shape[d],)
            if len(axes) > 1 and a.shape[d] == 0:
                raise ValueError("cannot reshape array of size 0 into shape (0,newaxis)")
    return np.reshape(np.transpose(a, order), (count,) + shape)


def _kept(a, axis, keepdims, shape):
    """What is left of an array of the shape, behind `a`'s own axes, with axes of one element for those named if they are kept."""
    if not keepdims:
        return a
    axes = _axes(axis, len(shape))
    kept = a.shape[: a.ndim - (len(shape) - len(axes))]
    for d in range(len(shape)):
        kept = kept + (1 if d in axes else shape[d],)
    return np.reshape(a, kept)


def _given(value, out):
    """The result, in `out` where that is given, whose type and shape are the result's."""
    if out is None:
        return value
    if np.asarray(value).dtype != out.dtype or np.shape(value) != out.shape:
        raise NotImplementedError("`out=` has the type and shape of the result here; write `out[...] = ` for others")
    out[...] = value
    return out


def _part(a, axis, start, stop, step=1):
    """`a[..., start:stop:step, ...]`, at the axis."""
    return _swapped(_swapped(a, 0, axis)[start:stop:step], 0, axis)


def _part_within(a, axis, start, stop):
    """The same where both bounds are known to lie in it: nothing is asked of them."""
    return _swapped(_swapped(a, 0, axis)[start:stop], 0, axis)


def _taken(a, axis, index):
    """`a[..., index, ...]`, at the axis."""
    return _swapped(_swapped(a, 0, axis)[index], 0, axis)


def _arrays(values):
    """A tuple of arrays, of what a function takes as a sequence of them."""
    if not _is_sequence(values):
        raise NotImplementedError("the arrays to join are written as a tuple or list of them")
    if len(values) == 0:
        raise ValueError("need at least one array")
    found = ()
    for one in values:
        found = found + (np.asarray(one),)
    return found


def _same_size(a, b, axis):
    if a.shape[axis] != b.shape[axis]:
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")


def _of_each(function, x):
    """Of numbers one by one; infinite past the largest float, and NaN where there is none."""
    def found(v):
        try:
            return function(v)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan if v < 0 or function is not math.lgamma else math.inf

    x = np.asarray(x)
    kind = x.dtype if x.dtype.kind == "f" else np.float64
    return np.array([found(float(v)) for v in x.ravel()], kind).reshape(x.shape)[()]


def _fma(x, y, z):
    """Rounded once."""
    exact = fractions.Fraction(float(x)) * fractions.Fraction(float(y)) + fractions.Fraction(float(z))
    found = float(exact)
    if fractions.Fraction(found) != exact and not int(np.float64(found).view(np.int64)) & 1:
        found = math.nextafter(found, math.inf if fractions.Fraction(found) < exact else -math.inf)  # an odd one tells that it is not exact
    return np.result_type(x, y, z).type(found) if np.result_type(x, y, z) == np.float32 else float(exact)


def _word(x):
    """As a number without a sign, and of how many bits."""
    kind = np.asarray(x).dtype
    return int(x) & (1 << 8 * kind.itemsize) - 1, 8 * kind.itemsize, kind


def _ones(x):
    return _word(x)[0].bit_count()


def _leading_zeros(x):
    word, width, _ = _word(x)
    return width - word.bit_length()


def _reversed_bits(x):
    word, width, kind = _word(x)
    return np.array(int(f"{word:0{width}b}"[::-1], 2), f"u{width // 8}").astype(kind)[()]


def _match_any_sync(mask, value):
    """Of one thread."""
    return mask


def _erf(x):
    return _of_each(math.erf, x)


def _erfc(x):
    return _of_each(math.erfc, x)


def _gamma(x):
    return np.where(x == 0, np.copysign(np.inf, x), _of_each(math.gamma, x))[()]


def _log_gamma(x):
    return np.where((x <= 0) & (x == np.floor(x)), np.inf, _of_each(math.lgamma, x))[()]


def _bessel_j0(x):
    return _bessel_integral(x, 0)


def _bessel_j1(x):
    return _bessel_integral(x, 1)


def _bessel_integral(x, order):
    """(1/pi) times the integral of cos(order * t - x * sin(t)) from 0 to pi, by the trapezoidal rule, which is exact here."""
    t = (np.arange(2000) + 0.5) * (np.pi / 2000)
    return np.cos(order * t - np.multiply.outer(x, np.sin(t))).mean(-1).astype(np.asarray(x).dtype)[()]


def _rank(kind):
    """Of kinds of types: NumPy casts upwards where it asks for the same kind."""
    return 0 if kind == "b" else 1 if kind == "u" else 2 if kind == "i" else 3 if kind == "f" else 4
