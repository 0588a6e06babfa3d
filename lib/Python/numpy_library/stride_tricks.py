"""np.lib.stride_tricks: windows of an array."""
import numpy as np

from ._common import _axes, _axis, _is_sequence, _shares


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    x = np.asarray(x)
    if writeable:
        raise NotImplementedError("`writeable=True` of `sliding_window_view` is not translated; write to the array itself")
    window = window_shape if _is_sequence(window_shape) else (window_shape,)
    axes = ()
    for one in _axes(None, x.ndim) if axis is None else axis if _is_sequence(axis) else (axis,):
        axes = axes + (_axis(one, x.ndim),)
    if len(window) != len(axes):
        raise ValueError("Must provide matching length window_shape and axis")
    rank = x.ndim + len(axes)
    places = ()
    for d in range(x.ndim):
        count = x.shape[d]
        for k in range(len(axes)):
            if axes[k] == d:
                if window[k] < 0:
                    raise ValueError("`window_shape` cannot contain negative values")
                if window[k] > count:
                    raise ValueError("window shape cannot be larger than input array shape")
                count = count - window[k] + 1
        place = _along_axis(np.arange(count), d, rank)
        for k in range(len(axes)):
            if axes[k] == d:
                place = place + _along_axis(np.arange(window[k]), x.ndim + k, rank)
        places = places + (place,)
    return _shares(x[places], x)


def _along_axis(vector, axis, rank):
    """The vector as an array of so many axes, of one element along the others."""
    shape = ()
    for d in range(rank):
        shape = shape + (len(vector) if d == axis else 1,)
    return np.reshape(vector, shape)
