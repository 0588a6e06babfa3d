"""Random functions whose numbers are Python's on some paths and NumPy's on others (NEP 50).

NumPy is the interpreter of types: a function is run by CPython for every input, and what comes out, value and dtype, is
what the compiled function has to give; or appyc refuses it at one of its lines. Where CPython's dtype depends on the input,
the compiled function's, which is one, has to hold the values.
"""
from __future__ import annotations

import random

import numpy as np

SCALARS = ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "int", "float"]
ARRAYS = ["i8", "i32", "i64", "u8", "u32", "f32", "f64"]
NUMPY = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
         "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f32": np.float32, "f64": np.float64, "int": int,
         "float": float}
# Small, and near the ends where narrow types wrap and f32 rounds.
VALUES = {"bool": [True, False, True], "i8": [100, -3, 7], "i16": [300, -5, 3], "i32": [70000, 2, -9],
          "i64": [2**40, -7, 3], "u8": [200, 3, 90], "u16": [60000, 1, 5], "u32": [4000000000, 2, 9],
          "u64": [2**40, 5, 1], "f32": [0.1, -2.5, 3.0], "f64": [0.1, 1.5, -7.25], "int": [300, 2, -4],
          "float": [0.1, 0.5, -3.0]}
LITERALS = ["0", "1", "3", "100", "0.5", "2.0", "0.1", "0.0", "True"]
BINARY = ["+", "+", "+", "-", "-", "*", "*", "*", "//", "%", "/", "&"]
FUNCTIONS = ["np.abs({})", "np.sign({})", "np.square({})", "np.floor({})", "np.negative({})", "abs({})", "int({})",
             "float({})", "-({})", "np.float32({})", "np.int64({})", "math.floor({})", "math.trunc({})", "math.fabs({})",
             "np.sum({})", "round({})", "bool({})", "(not {})"]
PAIRED = ["np.maximum({}, {})", "np.minimum({}, {})", "np.add({}, {})", "np.multiply({}, {})", "max({}, {})",
          "min({}, {})", "({} if {} else {})", "({} if {} else {})", "({} and {})", "({} or {})", "({} < {})", "({} == {})"]


class Writer:
    """One function's text."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick = self.random.choice
        two = [pick(SCALARS), pick(SCALARS)]  # of three types few joins are one that appyc takes
        self.scalars = [pick(two) for _ in range(3)]
        self.array = pick(ARRAYS)
        self.names = ["s", "t"]
        self.index = None

    def leaf(self):
        choices = ["p", "q", "r", *self.names, *self.names, "a[0]", "a[1]", self.random.choice(LITERALS)]
        if self.index:
            choices += [self.index, f"a[{self.index}]", f"a[{self.index}]"]
        return self.random.choice(choices)

    def expression(self, depth):
        roll = self.random.random()
        if depth == 0 or roll < 0.25:
            return self.leaf()
        inner = lambda: self.expression(depth - 1)
        if roll < 0.65:
            return f"({inner()} {self.random.choice(BINARY)} {inner()})"
        if roll < 0.8:
            return self.random.choice(FUNCTIONS).format(inner())
        form = self.random.choice(PAIRED)
        return form.format(*(self.condition() if k == 1 and form.count("{}") == 3 else inner()
                             for k in range(form.count("{}"))))

    def condition(self):
        return self.random.choice(["c > 0", "c > 1", "p > 2", "c == 0", *([f"a[{self.index}] > 5"] if self.index else [])])

    def update(self, indent):
        name = self.random.choice(self.names)
        if self.random.random() < 0.5:
            return [f"{indent}{name} {self.random.choice(['+', '+', '*', '-'])}= {self.expression(1)}"]
        return [f"{indent}{name} = {self.expression(2)}"]

    def block(self, indent, depth):
        roll = self.random.random()
        if depth == 0 or roll < 0.3:
            return self.update(indent)
        if roll < 0.7:
            lines = [f"{indent}if {self.condition()}:", *self.block(indent + "    ", depth - 1)]
            if self.random.random() < 0.6:
                lines += [f"{indent}else:", *self.block(indent + "    ", depth - 1)]
            return lines
        if self.index:
            return self.update(indent) + self.update(indent)
        self.index = "i"
        lines = [f"{indent}for i in range(n):", *self.block(indent + "    ", depth - 1)]
        self.index = None
        return lines

    def function(self, name):
        parameters = ", ".join(f"{p}: {t}" for p, t in zip("pqr", self.scalars))
        lines = [f"def {name}({parameters}, c: int, n: int, a: {self.array}[N]):"]
        for variable in self.names:
            start = self.random.choice(LITERALS[:3] + LITERALS[4:] if self.random.random() < 0.6 else ["p", "q", "a[0]"])
            lines.append(f"    {variable} = {start}")
        for _ in range(self.random.randint(1, 2)):
            lines += self.block("    ", 2)
        array = self.random.choice(["a * s", "t + a", "np.maximum(a, s)", "a", "np.where(a > 1, a, t)"])
        lines.append(f"    return s, t, {self.expression(1)}, {array}")
        return "\n".join(lines)

    def inputs(self):
        for number, (c, n) in enumerate([(0, 0), (0, 2), (1, 1), (2, 3), (1, 0), (2, 2)]):
            scalars = [NUMPY[t](VALUES[t][number % 3]) for t in self.scalars]
            yield *scalars, c, n, np.array((VALUES[self.array] * 2)[number % 3:][:3], NUMPY[self.array])


def functions(first, count):
    """{name: (text, inputs)}"""
    made = {}
    for seed in range(first, first + count):
        writer = Writer(seed)
        text = writer.function(f"f{seed}")
        made[f"f{seed}"] = (text, list(writer.inputs()))
    return made


def is_python(value):
    return type(value) in (bool, int, float)


def is_held(value):
    return not isinstance(value, int) or -2**63 <= value < 2**63


def is_equal(got, want):
    """One value, whatever types hold it; sums and products of a loop may be taken in another order."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return False
    if got.dtype.kind in "biu" and want.dtype.kind in "biu":
        return got.astype(object).tolist() == want.astype(object).tolist()
    near = 4e-7 if np.float32 in (got.dtype, want.dtype) and got.dtype == want.dtype else 1e-14
    return np.allclose(got.astype(np.float64), want.astype(np.float64), rtol=near, atol=0, equal_nan=True)


def differences(results):
    """What is wrong with a function: `results` are (inputs, CPython's tuple, ours) of each call where CPython raises not."""
    wrong = []
    for position in range(len(results[0][1]) if results else 0):
        dtypes = {np.asarray(want[position]).dtype for _, want, _ in results}
        for inputs, want, got in results:
            w, g = want[position], got[position]
            exact = np.asarray(g).dtype == np.asarray(w).dtype
            if not isinstance(w, np.ndarray):  # of two types on two paths the wider one is returned, with the value;
                exact = np.can_cast(np.asarray(w).dtype, np.asarray(g).dtype)  # a constant in that of the other path
                exact |= is_python(w) and g == w
            elif np.asarray(g).dtype.kind == w.dtype.kind == "f":  # a sum that nothing was added to: 0, but of more digits
                exact = np.can_cast(w.dtype, g.dtype)
            if len(dtypes) > 1 and not exact:  # paths disagree: a constant's type gives way to the other path's
                w = w.astype(g.dtype) if isinstance(w, np.ndarray) else np.float32(w) if np.asarray(g).dtype == np.float32 else w
                exact = True
            if not (exact and is_equal(g, w)):
                wrong.append(f"result {position}: {g!r} instead of {want[position]!r} of {inputs}")
    return wrong
