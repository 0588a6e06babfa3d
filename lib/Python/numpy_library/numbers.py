"""Methods of Python's own numbers and of NumPy's."""
import numpy as np


def is_integer(self, /):
    return bool(np.isfinite(self)) and bool(np.floor(self) == self)


def bit_length(self, /):
    if not np.issubdtype(np.asarray(self).dtype, np.integer):
        raise AttributeError("'float' object has no attribute 'bit_length'")
    rest = abs(self)
    bits = 0
    while rest > 0:
        rest //= 2
        bits += 1
    return bits


def bit_count(self, /):
    return int(np.bitwise_count(self))
