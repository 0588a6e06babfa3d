"""What the functions of a program call, where ParPy 0.1.3 has them: `parpy.operators.sum`, `from parpy.operators import exp, inf`."""
from . import (abs, atan2, cos, exp, float16, float32, float64, gpu, inf, int8, int16, int32, int64, label, log, max, min, prod, sin, sqrt, sum,  # noqa: F401
               tanh, uint8, uint16, uint32, uint64)
