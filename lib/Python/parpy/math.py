"""Functions of numbers in ParPy's later spelling."""
from numpy import abs, arctan2 as atan2, ceil, cos, exp, floor, log, sin, sqrt, tanh  # noqa: F401
