"""What ParPy's compiler knows by itself, in the later spelling."""
import itertools

import numpy as np
from numpy import inf, maximum, minimum  # noqa: F401


def convert(e, kind):
    return kind(e)


def inline(call):
    return call


def alloc_shared(shape, kind):
    """An array of a worker's."""
    return np.zeros(shape, kind)


def ranges(*given):
    """Of numbers or of bounds: what one `range` gives, or all tuples of several."""
    each = [range(*r) if isinstance(r, tuple) else range(r) for r in given]
    return each[0] if len(each) == 1 else itertools.product(*each)
