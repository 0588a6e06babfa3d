"""NumPy's functions under the names that annotated programs use."""
from numpy import (abs, arccos, arcsin, arctan, ceil, cos, dot, exp, flip, floor, log, matmul, max, maximum,
                   mean, min, minimum, sin, sqrt, sum, tanh, where)

acos, asin, atan, mv = arccos, arcsin, arctan, matmul
