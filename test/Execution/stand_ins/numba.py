"""What the tests use of Numba's names, with which functions run as CPython has them: Numba is no part of the tests."""
import builtins
import types as _types


class _Type:
    """A type: subscripts make arrays of it, a call a signature."""

    def __getitem__(self, dimensions):
        return self

    def __call__(self, *arguments):
        return self


def jit(*given, **options):
    if given and callable(given[0]) and not isinstance(given[0], _Type):
        return given[0]
    return lambda function: function


njit = jit
prange = builtins.range
void = none = boolean = float32 = float64 = int32 = int64 = f4 = f8 = i4 = i8 = _Type()
types = _types.SimpleNamespace(void=void, float64=float64, int64=int64, Array=lambda *_: float64)
