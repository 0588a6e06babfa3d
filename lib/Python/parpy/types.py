"""Types of parameters in ParPy's later spelling."""
import operator

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

    __hash__ = object.__hash__


def _as_number(operation, is_reflected):
    def compute(size, other):
        return operation(other, int(size)) if is_reflected else operation(int(size), other)
    return compute


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge"):
    setattr(ShapeVar, f"__{_name}__", _as_number(getattr(operator, _name), False))
    if _name not in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(ShapeVar, f"__r{_name}__", _as_number(getattr(operator, _name), True))


class TypeVar:
    """float64 or float32, which the arguments of a call decide."""

    def __init__(self, name=None):
        self.name, self.kind = name, None

    def __call__(self, number):
        return self.kind(number)


class Buffer:
    """The type of an array."""

    def __init__(self, element, extents):
        self.element, self.extents = element, list(extents)


shape_var, type_var, buffer = ShapeVar, TypeVar, Buffer
