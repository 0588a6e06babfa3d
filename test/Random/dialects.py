"""Random programs in other systems' notations: kernels in Numba's (threads.py), labels in ParPy's (labelled.py) and ufuncs in Numba's
(ufunc_calls.py), in turn."""

from __future__ import annotations

import random

from labelled import Labelled
from threads import Kernels
from ufunc_calls import UfuncCalls

HEADER = '''"""Random functions in other notations."""
from __future__ import annotations

import numpy as np
import parpy
from numba import cuda, float32, float64, guvectorize, int32, int64, vectorize

SIZES = (0, 1, 2)
'''


def function(seed):
    return (Kernels, Labelled, UfuncCalls)[seed % 3](f"f{seed}", random.Random(f"dialects {seed}")).text()


def program(first, count):
    return HEADER + "".join(f"\n\n{function(seed)}" for seed in range(first, first + count))


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5), end="")
