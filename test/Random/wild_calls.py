"""Calls of wild programs: NumPy's functions and methods by their own signatures, builtins, math, and the file's helpers."""

from __future__ import annotations

import ast
import functools
import inspect
import math

import numpy as np
from wild_nodes import DTYPES, NUMPY_NAME, attribute, constant, load

BUILTINS = "abs all any bool complex divmod enumerate float int len list max min pow range reversed round set sorted sum tuple zip".split()
# Their result depends on memory that nobody wrote, on chance, on files, or is no number.
UNUSABLE = {"empty", "empty_like", "test", "info", "show_config", "show_runtime", "printoptions", "get_printoptions", "lookfor",
            "partition", "argpartition"}  # where the other elements stand is open


@functools.cache
def numpy_functions():
    """NumPy's public functions and ufuncs by name."""
    names = [n for n in sorted(vars(np)) if not n.startswith("_") and n not in UNUSABLE and "print" not in n and "file" not in n]
    return [
        n
        for n in names
        if callable(getattr(np, n)) and not inspect.isclass(getattr(np, n)) and not n.startswith(("set", "get", "save", "load", "from"))
    ]


# What programs use most, in half of the calls: a name drawn from all of NumPy is mostly one that nobody uses.
USUAL = """abs add all any arange argmax argmin array asarray ceil clip cos divide dot equal exp floor full greater less
log logical_and logical_not logical_or matmul max maximum mean min minimum mod multiply negative ones ones_like outer power
prod sign sin sqrt square std subtract sum tanh transpose var where zeros zeros_like full_like isnan count_nonzero linspace
floor_divide copy ascontiguousarray bitwise_and bitwise_or bitwise_xor left_shift right_shift invert arctan2 hypot
float32 float64 int32 int64 uint8 int8""".split()
METHODS = [n for n in dir(np.ndarray) if not n.startswith("_") and callable(getattr(np.ndarray, n, None)) and not n.startswith(("to", "dump", "set", "get", "partition", "argpart"))]
USUAL += """ravel reshape swapaxes moveaxis rollaxis squeeze expand_dims broadcast_to atleast_1d atleast_2d cumsum cumprod take
take_along_axis""".split()
USUAL_METHODS = """sum mean max min any all astype copy prod std var argmax argmin dot transpose item fill conj reshape ravel flatten
swapaxes squeeze take put cumsum cumprod""".split()
MATH = [n for n in dir(math) if not n.startswith("_")]


def in_order(name, positional, keywords):
    """The arguments; equal elements stand in no order by themselves."""
    if name != "argsort":
        return positional, keywords
    return positional[:1], [k for k in keywords if k.arg in ("a", "axis")] + [ast.keyword("kind", ast.Constant("stable"))]


class Calls:
    """Makers of calls, for a class that makes the other expressions."""

    def Call(self, want, depth):
        which = self.rng.choices(("numpy", "method", "builtin", "helper", "math", "type"), (10, 5, 4, 5 if self.helpers else 0, 1.5, 2))[0]
        return getattr(self, "call_" + which)(want, depth)

    def call_numpy(self, want, depth):
        name = self.rng.choice(numpy_functions() if self.all_of_numpy and self.rng.random() < 0.5 else USUAL)
        function = getattr(np, name)
        if isinstance(function, np.ufunc):
            if self.rng.random() < 0.05:
                method = self.rng.choice(("reduce", "outer", "accumulate", "at"))
                return ast.Call(attribute("np", name, method), [self.expression("array", depth)] * (2 if method == "outer" else 1), [])
            positional = [self.expression(self.rng.choice(("array", "array", "float", "int")), depth) for _ in range(function.nin)]
            keywords = self.keywords(("out", "where", "dtype", "casting"), depth, 0.07)
            if not any(k.arg == "out" for k in keywords):  # elements that are left out would hold anything
                keywords = [k for k in keywords if k.arg != "where"]
            return ast.Call(attribute("np", name), positional, keywords)
        positional, keywords = self.arguments(function, depth)
        return ast.Call(attribute("np", name), *in_order(name, positional, keywords))

    def call_method(self, want, depth):
        name = self.rng.choice(METHODS if self.all_of_numpy and self.rng.random() < 0.5 else USUAL_METHODS)
        positional, keywords = self.arguments(getattr(np, name, None), depth)
        if name in ("astype", "view"):
            positional = [None, self.value_named("dtype", depth)]
        if name in ("fill", "dot"):
            positional = [None, self.leaf("int" if name == "fill" else "array")]
        base = self.leaf("array") if self.rng.random() < 0.8 else self.expression("array", depth)
        return ast.Call(ast.Attribute(base, name, ast.Load()), *in_order(name, positional[1:], keywords))

    def call_builtin(self, want, depth):
        name = self.rng.choice(BUILTINS)
        count = {"pow": 2, "divmod": 2}.get(name, self.rng.choice((1, 1, 2)) if name in ("max", "min", "range", "round", "sum") else 1)
        kinds = ("array", "array", "int") if name in ("all", "any", "len", "list", "sorted", "sum", "tuple", "max", "min") else ("int", "float", "int", "array")
        return ast.Call(load(name), [self.expression(self.rng.choice(kinds), depth) for _ in range(count)], [])

    def call_math(self, want, depth):
        function = self.rng.choice(MATH)
        if not callable(getattr(math, function)):
            return attribute("math", function)
        count = 2 if function in ("atan2", "pow", "fmod", "hypot", "copysign", "gcd", "ldexp") else 1
        return ast.Call(attribute("math", function), [self.expression("float", depth) for _ in range(count)], [])

    def call_type(self, want, depth):
        name = self.rng.choice(DTYPES)
        return ast.Call(attribute("np", NUMPY_NAME[name]), [self.expression(self.rng.choice(("int", "float", "array")), depth)], [])

    def call_helper(self, want, depth):
        _, name, signature = self.rng.choice(self.helpers)
        if signature == "a, i":
            base = self.leaf("array") if self.rng.random() < 0.8 else self.expression("array", depth)
            return ast.Call(load(name), [base, self.rng.choice((self.small(), self.leaf("int")))], [])
        values = [self.expression(want if want != "any" else "number", depth) for _ in range(2)]
        if signature == "x, k=2":
            values = values[: self.rng.choice((1, 2))]
            if len(values) == 2 and self.rng.random() < 0.3:
                return ast.Call(load(name), values[:1], [ast.keyword("k", values[1])])
        return ast.Call(load(name), values, [])

    def arguments(self, function, depth):
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return [self.expression("array", depth)], self.keywords(("axis", "dtype", "out"), depth, 0.1)
        positional, keywords, gap = [], [], False
        for p in parameters:
            if p.kind is p.VAR_KEYWORD:
                continue
            if p.kind is p.VAR_POSITIONAL:
                positional += [] if gap else [self.value_named(p.name, depth)]
            elif p.default is p.empty and not gap and p.kind is not p.KEYWORD_ONLY:
                positional.append(self.value_named(p.name, depth))
            elif self.rng.random() < 0.13:
                value = self.value_named(p.name, depth)
                if gap or p.kind is p.KEYWORD_ONLY or self.rng.random() < 0.6:
                    gap = True
                    keywords.append(ast.keyword(p.name, value))
                else:
                    positional.append(value)
            else:
                gap = True
        return positional, keywords

    def keywords(self, names, depth, chance):
        return [ast.keyword(n, self.value_named(n, depth)) for n in names if self.rng.random() < chance]

    def value_named(self, name, depth):
        """A value for the parameter of that name."""
        rng = self.rng
        if name in ("axis", "axes", "axis1", "axis2"):
            return rng.choice((constant(0), constant(-1), constant(1), ast.Constant(None), ast.Tuple([constant(0)], ast.Load())))
        if name == "dtype":
            dtype = rng.choice(DTYPES)
            return rng.choice((attribute("np", NUMPY_NAME[dtype]), ast.Constant(NUMPY_NAME[dtype]), load("float"), load("int")))
        if name in ("keepdims", "copy", "subok", "endpoint", "retstep", "equal_nan", "invert"):
            return ast.Constant(rng.random() < 0.5)
        if name == "where":
            return ast.Compare(self.leaf("array"), [ast.Gt()], [self.small()])
        if name == "casting":
            return ast.Constant(rng.choice(("same_kind", "unsafe", "safe")))
        if name == "order":
            return ast.Constant(rng.choice("CKF"))
        if name in ("shape", "newshape"):
            name = self.a_name("array")
            return rng.choice((self.small(), ast.Tuple([self.small(), self.small()], ast.Load()), attribute(name, "shape") if name else self.small()))
        if name in ("n", "k", "N", "M", "num", "repeats", "shift", "decimals", "ddof", "correction", "ndmin", "ndim", "m", "offset"):
            return self.small()
        if name in ("start", "stop", "step", "initial", "fill_value", "condition", "a_min", "a_max", "min", "max"):
            return self.expression(rng.choice(("int", "float")), depth)
        if name in ("indices", "ind"):
            return rng.choice((ast.List([self.small(), constant(0)], ast.Load()), self.leaf("array"), self.small()))
        if name in ("source", "destination"):
            return rng.choice((constant(0), constant(-1)))
        if name in ("arrays", "tup", "seq"):
            return ast.Tuple([self.leaf("array"), self.leaf("array")], ast.Load())
        return self.expression(rng.choice(("array", "array", "array", "float")), depth)
