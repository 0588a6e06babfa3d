"""Types of parameters in ParPy's later spelling."""
from numpy import (bool_ as Bool, float32 as F32, float64 as F64, int8 as I8, int16 as I16, int32 as I32, int64 as I64,  # noqa: F401
                   uint8 as U8, uint16 as U16, uint32 as U32, uint64 as U64)


class ShapeVar:
    """A size, which the arrays of a call decide."""

    def __init__(self, name=None):
        self.name, self.size = name, None

    def __index__(self):
        if self.size is None:
            raise ValueError("no array of a call has had this size yet")
        return self.size

    __int__ = __index__

    def __add__(self, other):
        return self.__index__() + other

    def __sub__(self, other):
        return self.__index__() - other

    def __mul__(self, other):
        return self.__index__() * other

    def __truediv__(self, other):
        return self.__index__() / other

    def __floordiv__(self, other):
        return self.__index__() // other

    def __rsub__(self, other):
        return other - self.__index__()

    def __rtruediv__(self, other):
        return other / self.__index__()

    __radd__, __rmul__ = __add__, __mul__


class TypeVar:
    """float64 or float32, which the arguments of a call decide."""

    def __init__(self, name=None):
        self.name = name


class Buffer:
    """The type of an array."""

    def __init__(self, element, extents):
        self.element, self.extents = element, list(extents)


shape_var, type_var, buffer = ShapeVar, TypeVar, Buffer
