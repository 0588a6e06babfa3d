"""Random NumPy expressions whose dtype and shape are known while they are written.

The dtype comes from NumPy itself: each expression carries a tiny value of its type, and operators are applied to those.
Expressions that CPython would refuse (out-of-range Python integers, `-` on booleans, float16 results) are not made.
"""

from __future__ import annotations

import operator
import warnings
from dataclasses import dataclass, field, replace

import numpy as np

INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOATS = ("f32", "f64")
COMPLEX = ("c64", "c128")
NUMPY_NAME = {
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
    "bool": "bool_",
}
SHORT_NAME = {np.dtype(getattr(np, long)): short for short, long in NUMPY_NAME.items()}


@dataclass(frozen=True)
class Dim:
    """A length: max(size - cut, 0), then halved by `a[start::step]` for each of `strides`. A size may be a number."""

    size: str
    cut: int = 0
    strides: tuple = ()

    @property
    def constant(self):
        return int(self.size) - self.cut if self.size.isdigit() and not self.strides else None


@dataclass
class Ex:
    """Text of an expression, a value of its type, and its shape (Dims, or 1 for a stretched axis)."""

    text: str
    sample: object
    shape: tuple = ()
    exact: bool = True  # the same bits however sums are ordered
    low: int = 0  # bounds of a Python integer
    high: int = 0
    atom: bool = False  # needs no parentheses

    @property
    def weak(self):
        return type(self.sample) in (int, float, bool, complex)

    @property
    def dtype(self):
        return np.asarray(self.sample).dtype

    @property
    def kind(self):
        return self.dtype.kind  # b i u f c

    def inner(self):
        return self.text if self.atom else f"({self.text})"


def sample_of(dtype, rank):
    """Values on which no operator warns."""
    return np.ones((1,) * rank, dtype) if rank else np.dtype(dtype).type(1)


def apply(function, *samples):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*samples)


def broadcast(*shapes):
    """The common shape; None when the shapes do not fit whatever the sizes are."""
    rank = max(map(len, shapes))
    result = []
    for axis in range(rank):
        dims = {s[axis - rank + len(s)] for s in shapes if axis - rank + len(s) >= 0}
        dims.discard(1)
        if len(dims) > 1:
            return None
        result.append(dims.pop() if dims else 1)
    return tuple(result)


ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}
DIVISION = {"//": operator.floordiv, "%": operator.mod}
BITWISE = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
SHIFTS = {"<<": operator.lshift, ">>": operator.rshift}
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
OPERATORS = {**ARITHMETIC, **DIVISION, **BITWISE, **SHIFTS, **COMPARISONS, "/": operator.truediv}


@dataclass
class Style:
    """What one function may use. In exact style floats are neither summed nor passed to transcendental functions, so
    that comparisons, floors and casts cannot fall to the other side of a step by rounding."""

    exact: bool = True
    families: tuple = ("int", "float", "bool")
    depth: int = 3
    features: set = field(default_factory=set)


class Expressions:
    """Makes expressions from leaves; `leaf(family)` gives an array or an element."""

    def __init__(self, rng, style):
        self.rng, self.style = rng, style

    # --- combining

    def fits(self, weak, other):
        """A Python integer must fit the type that it meets."""
        if not (weak.weak and weak.kind in "iu" and not other.weak and other.kind in "iu"):
            return weak
        info = np.iinfo(other.dtype)
        if info.min <= weak.low and weak.high <= info.max:
            return weak
        return Ex(f"np.int64({weak.text})", np.int64(1), (), True, atom=True)

    def binary(self, op, a, b):
        """`a op b`, or None where NumPy has none or the result is not wanted."""
        if op not in COMPARISONS:
            a, b = self.fits(a, b), self.fits(b, a)
        if a.weak and b.weak and (op in DIVISION or op in SHIFTS or op == "/" or a.kind == "b" or b.kind == "b"):
            return None
        shape = broadcast(a.shape, b.shape)
        if shape is None:
            return None
        if (op in DIVISION or op == "/") and "f" in a.kind + b.kind and "imum(" in b.text:
            return None  # which of two zeros is the larger one is open
        if op in COMPARISONS or op in DIVISION:
            floats = [x for x in (a, b) if x.kind in "fc"]
            if any(not x.exact for x in floats) or any(x.kind == "c" for x in floats):
                return None
        try:
            sample = apply(OPERATORS[op], a.sample, b.sample)
        except (TypeError, OverflowError):
            return None
        result = Ex(f"{a.inner()} {op} {b.inner()}", sample, shape, a.exact and b.exact)
        if result.dtype == np.float16:
            return None
        if result.kind == "c":
            result.exact = False
        if result.weak and result.kind == "i":
            corners = [OPERATORS[op](x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
            result.low, result.high = min(corners + [0]), max(corners + [0])
            if op in BITWISE or abs(result.low) > 10**6 or result.high > 10**6:
                return None
        return result

    def call(self, function, *args, text=None):
        shape = broadcast(*(a.shape for a in args))
        if shape is None:
            return None
        try:
            sample = apply(getattr(np, function), *(a.sample for a in args))
        except (TypeError, OverflowError):
            return None
        if np.asarray(sample).dtype == np.float16 or any(a.kind == "O" for a in args):
            return None
        exact = all(a.exact for a in args) and np.asarray(sample).dtype.kind != "c"
        return Ex(f"np.{function}({', '.join(a.text for a in args)})", sample, shape, exact, atom=True)

    def cast(self, a, short):
        """a.astype(...), where every value has a meaning: floats become integers only when they are small."""
        target = np.dtype(getattr(np, NUMPY_NAME[short]))
        if a.weak or a.kind == "c" and target.kind != "c":
            return None
        text = a.inner()
        if a.kind == "f" and target.kind in "iu":
            if not a.exact:
                return None
            low = 0 if target.kind == "u" else -100
            inside = f"(({a.text}) > {low}) & (({a.text}) < 100)" if a.shape else None
            if inside is None or len(a.text) > 60:
                return None
            text = f"np.where({inside}, {a.text}, 1)"
        sample = sample_of(target, len(a.shape))
        name = f"np.{NUMPY_NAME[short]}"
        if a.shape:
            return Ex(f"{text}.astype({name})", sample, a.shape, a.exact, atom=True)
        return Ex(f"{name}({a.text})", sample, (), a.exact, atom=True)

    # --- literals

    def literal(self, family):
        rng = self.rng
        if family == "int":
            value = rng.choice((0, 1, 2, 3, 5, 7, -1, -2, -3, 100))
            return Ex(str(value), 1, (), True, value, value, atom=value >= 0)
        if family == "bool":
            return Ex(rng.choice(("True", "False")), True, atom=True)
        if family == "complex":
            return Ex(f"{rng.randrange(1, 5) / 2}j", 1j, (), False, atom=True)
        value = rng.choice((0.5, 1.0, 1.5, 0.25, -0.5, 2.0, -1.25, 3.0))
        return Ex(str(value), 1.0, atom=value >= 0)

    # --- random expressions

    def random(self, leaf, family, depth):
        """An expression of the family, broadcast from what `leaf(family)` gives."""
        for _ in range(20):
            made = self.attempt(leaf, family, depth)
            if made is not None:
                return made
        return leaf(family)

    def attempt(self, leaf, family, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return leaf(family) if rng.random() < 0.85 else self.literal(family)
        make = getattr(self, f"attempt_{family}")
        return make(leaf, depth - 1)

    def sub(self, leaf, family, depth):
        return self.attempt(leaf, family, depth) or leaf(family)

    def common(self, leaf, family, depth):
        """What every family has: min/max, where, conditional expressions, helper casts."""
        rng = self.rng
        what = rng.choice(("where", "minmax", "where"))
        a, b = self.sub(leaf, family, depth), self.sub(leaf, family, depth)
        if what == "minmax" and family != "complex":
            if not (a.exact and b.exact) and family == "float":
                pass  # continuous: rounding moves the result by rounding only
            if a.weak and b.weak:
                return None
            a, b = self.fits(a, b), self.fits(b, a)
            return self.call(rng.choice(("minimum", "maximum")), a, b)
        cond = self.sub(leaf, "bool", depth)
        if cond.weak or a.weak and b.weak:
            return None
        a, b = self.fits(a, b), self.fits(b, a)
        if not (cond.shape or a.shape or b.shape):
            if np.result_type(a.sample, b.sample) != a.dtype or a.dtype != b.dtype or a.weak or b.weak:
                return None
            return Ex(f"{a.inner()} if {cond.inner()} else {b.inner()}", a.sample, (), a.exact and b.exact)
        return self.call("where", cond, a, b)

    def attempt_int(self, leaf, depth):
        rng = self.rng
        what = rng.choice(
            (
                "+",
                "-",
                "*",
                "+",
                "-",
                "*",
                "//",
                "%",
                "&",
                "|",
                "^",
                "<<",
                ">>",
                "unary",
                "common",
                "cast",
                "abs",
                "power",
            )
        )
        a = self.sub(leaf, "int", depth)
        if what == "common":
            return self.common(leaf, "int", depth)
        if what == "unary":
            if a.weak:
                return None
            op = rng.choice("-~")
            sample = apply(operator.neg if op == "-" else operator.invert, a.sample)
            return Ex(f"{op}{a.inner()}", sample, a.shape, a.exact)
        if what == "cast":
            family = rng.choice(("int", "int", "bool", "float"))
            if family not in self.style.families:
                return None
            return self.cast(self.sub(leaf, family, depth), rng.choice(INTEGERS))
        if what == "abs":
            return None if a.weak else self.call(rng.choice(("abs", "sign", "square")), a)
        if what == "power":
            return None if a.weak else replace(a, text=f"{a.inner()} ** {rng.choice((0, 1, 2, 3))}", atom=False)
        b = self.sub(leaf, "int", depth)
        made = self.binary(what, a, b)
        return made if made is not None and made.kind in "iu" else None

    def attempt_bool(self, leaf, depth):
        rng = self.rng
        what = rng.choice(("compare", "compare", "compare", "logic", "not", "call", "common", "isnan"))
        if what == "compare":
            families = [f for f in self.style.families if f in ("int", "float")]
            a, b = (self.sub(leaf, rng.choice(families), depth) for _ in range(2))
            if a.weak and b.weak:
                return None
            return self.binary(rng.choice(list(COMPARISONS)), a, b)
        if what == "isnan":
            a = self.sub(leaf, "float", depth) if "float" in self.style.families else None
            return (
                self.call(rng.choice(("isnan", "isfinite")), a) if a is not None and a.exact and not a.weak else None
            )
        a = self.sub(leaf, "bool", depth)
        if a.weak:
            return None
        if what == "common":
            return self.common(leaf, "bool", depth)
        if what == "not":
            return Ex(f"~{a.inner()}", a.sample, a.shape)
        b = self.sub(leaf, "bool", depth)
        if b.weak:
            return None
        if what == "logic":
            return self.binary(rng.choice(("&", "|", "^", "==", "!=")), a, b)
        return self.call(rng.choice(("logical_and", "logical_or", "logical_xor")), a, b)

    def attempt_float(self, leaf, depth):
        rng, exact = self.rng, self.style.exact
        what = rng.choice(
            ("+", "-", "*", "+", "-", "*", "/", "//", "%", "neg", "call", "common", "cast", "mixed", "power")
        )
        a = self.sub(leaf, "float", depth)
        if what == "common":
            return self.common(leaf, "float", depth)
        if what == "neg":
            return None if a.weak else Ex(f"-{a.inner()}", a.sample, a.shape, a.exact)
        if what == "cast":
            family = rng.choice(("int", "bool", "float"))
            return (
                self.cast(self.sub(leaf, family, depth), rng.choice(FLOATS))
                if family in self.style.families
                else None
            )
        if what == "power":
            return None if a.weak else replace(a, text=f"{a.inner()} ** 2", atom=False)
        if what == "call":
            return self.float_call(a)
        other = "int" if what == "mixed" and "int" in self.style.families else "float"
        b = self.sub(leaf, other, depth)
        if what == "mixed":
            what = rng.choice("+-*")
            a, b = rng.choice(((a, b), (b, a)))
        if what == "/" and not exact:
            b = Ex(f"1.5 + {b.inner()} * {b.inner()}", b.sample, b.shape, b.exact)  # away from 0
        made = self.binary(what, a, b)
        return made if made is not None and made.kind == "f" else None

    def float_call(self, a):
        if a.weak:
            return None
        rng = self.rng
        steps = ("floor", "ceil", "trunc", "rint", "sign")
        smooth = ("abs", "square", "fabs")
        inexact = ("sin", "cos", "tanh", "arctan", "exp2")
        if self.style.exact:
            return self.call(rng.choice(steps + smooth), a) if a.exact else None
        name = rng.choice(inexact + smooth + ("sqrt", "exp", "log1p"))
        if name in ("sqrt", "log1p"):
            inside = f"np.abs({a.text})"
        else:
            inside = f"-np.abs({a.text})" if name in ("exp", "exp2") else a.text
        sample = apply(getattr(np, name), a.sample)
        return Ex(f"np.{name}({inside})", sample, a.shape, name in smooth and a.exact, atom=True)

    def attempt_complex(self, leaf, depth):
        rng = self.rng
        what = rng.choice(("+", "-", "*", "*", "neg", "conj", "mixed", "where"))
        a = self.sub(leaf, "complex", depth)
        if what == "where":
            return self.common(leaf, "complex", depth)
        if what == "neg":
            return None if a.weak else Ex(f"-{a.inner()}", a.sample, a.shape, False)
        if what == "conj":
            return None if a.weak else self.call("conj", a)
        b = self.sub(leaf, "float" if what == "mixed" and "float" in self.style.families else "complex", depth)
        made = self.binary(rng.choice("+-*") if what == "mixed" else what, a, b)
        return made if made is not None and made.kind == "c" else None
