"""NumbaPro's names, which are Numba's."""
import sys

import numba

sys.modules[__name__] = numba
