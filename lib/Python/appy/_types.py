"""The names of types, for annotations that Python evaluates and that editors know: `f64`, `f64[M, N]`, `f64[:, :]`.

They only say what appyc reads in the text; nothing is checked here.
"""


class ArrayType:
    """An array of a type, `f64[M, N]`."""

    def __init__(self, scalar, extents):
        self.scalar, self.extents = scalar, extents

    def __repr__(self):
        extents = self.extents if isinstance(self.extents, tuple) else (self.extents,)
        return f"{self.scalar!r}[{', '.join(':' if e == slice(None) else repr(e) for e in extents)}]"


class ScalarType:
    """A type of numbers; subscripts make it one of arrays."""

    def __init__(self, name):
        self.name = name

    def __getitem__(self, extents):
        return ArrayType(self, extents)

    def __repr__(self):
        return self.name


class Dim:
    """A size's name, or an expression of such names: `N`, `2 * N + 1`."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def _operator(symbol):
    def left(self, other):
        return Dim(f"({self!r} {symbol} {other!r})")

    def right(self, other):
        return Dim(f"({other!r} {symbol} {self!r})")

    return left, right


for _name, _symbol in (("add", "+"), ("sub", "-"), ("mul", "*"), ("floordiv", "//"), ("mod", "%"), ("pow", "**")):
    _left, _right = _operator(_symbol)
    setattr(Dim, f"__{_name}__", _left)
    setattr(Dim, f"__r{_name}__", _right)


def dim(name):
    """The size that is called `name`: `K = dim("K")`; `from appy.dims import K` is the same."""
    return Dim(name)


f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool, c64, c128 = map(ScalarType, (
    "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "c64", "c128"))
