"""Atomic updates as calls: `appy.atomic_add(a, index, value)` is `a[index] += value` for concurrent workers.

`index` may be an index array; an index that occurs twice is updated twice. Each returns the value before the update.
"""
import numpy as np


def _updater(ufunc, name):
    def update(array, index, value):
        before = array[index].copy() if isinstance(index, np.ndarray) else array[index]
        ufunc.at(array, index, value)
        return before

    update.__name__ = update.__qualname__ = name
    update.__doc__ = f"Replaces array[index] by {ufunc.__name__}(array[index], value); returns the old value."
    return update


atomic_add = _updater(np.add, "atomic_add")
atomic_sub = _updater(np.subtract, "atomic_sub")
atomic_max = _updater(np.maximum, "atomic_max")
atomic_min = _updater(np.minimum, "atomic_min")
atomic_and = _updater(np.bitwise_and, "atomic_and")
atomic_or = _updater(np.bitwise_or, "atomic_or")
atomic_xor = _updater(np.bitwise_xor, "atomic_xor")
