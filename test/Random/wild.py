"""Random functions drawn from Python's own grammar, which know nothing of what appyc models.

    program(first, count)    a file of the functions of `count` seeds: f7, its inputs_f7 and sizes_f7 for the seed 7

Each node class of CPython's `ast` has a maker (or a reason in LEFT_OUT), NumPy's functions, methods and their parameters
come from NumPy's own signatures. A function grows statement by statement: CPython runs each proposal on all inputs, and one
that raises on all of them is dropped. What is left is valid Python; appyc must compute the same or refuse.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import pickle
import random
import signal
import warnings

import numpy as np

HEADER = '''"""Functions drawn from Python's grammar."""
from __future__ import annotations

import math

import numpy as np

SIZES = (0, 1, 2)


'''
CASES = (0, 1, 2)
EXTENTS = ({"N": 4, "M": 3}, {"N": 1, "M": 1}, {"N": 0, "M": 2})
DTYPES = "i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f32 f64 f64 i64 i32 bool c128".split()
NUMPY_NAME = {"bool": "bool", "c128": "complex128"} | {
    letter + bits: word + bits for letter, word in (("i", "int"), ("u", "uint"), ("f", "float")) for bits in "8 16 32 64".split()
}

# Node classes that cannot stand in a function that returns numbers, each with its reason.
LEFT_OUT = {
    "Await": "asynchronous", "AsyncFor": "asynchronous", "AsyncWith": "asynchronous", "AsyncFunctionDef": "asynchronous",
    "Yield": "makes a generator of the function", "YieldFrom": "makes a generator of the function",
    "ClassDef": "gives no number", "TryStar": "needs exception groups", "FormattedValue": "stands in JoinedStr only",
    "Slice": "stands in Subscript only", "Import": "made with ImportFrom", "TypeAlias": "gives no number",
    "Interpolation": "gives no number", "TemplateStr": "gives no number",
}  # fmt: skip

BUILTINS = "abs all any bool complex divmod enumerate float int len list max min pow range reversed round set sorted sum tuple zip".split()
# Their result depends on memory that nobody wrote, on chance, on files, or is no number.
UNUSABLE = {"empty", "empty_like", "test", "info", "show_config", "show_runtime", "printoptions", "get_printoptions", "lookfor"}


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
METHODS = [n for n in dir(np.ndarray) if not n.startswith("_") and callable(getattr(np.ndarray, n, None)) and not n.startswith(("to", "dump", "set", "get"))]
USUAL_METHODS = "sum mean max min any all astype copy prod std var argmax argmin dot transpose item fill conj reshape ravel".split()
ATTRIBUTES = "shape size ndim T dtype real imag nbytes itemsize".split()
MATH = [n for n in dir(math) if not n.startswith("_")]

# Seldom in programs of numbers and mostly refused: each function has few of them, or nothing else would be tried.
EXOTIC = set("""ListComp GeneratorExp Lambda Dict Set SetComp DictComp JoinedStr Starred NamedExpr List Tuple Assert Delete Raise
FunctionDef With Try Match ImportFrom Global Nonlocal Break Continue AnnAssign""".split())
LOOPS = ("extent", "constant", "int")

OPERATORS = {
    "arith": [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult],
    "bits": [ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift],
}


class Endless(BaseException):
    """A proposal that does not end; no `except Exception` of its own may catch this."""


class Dropped(BaseException):
    """A proposal that means nothing for the comparison: an integer past 64 bits, a conversion without a value."""


def checked(value):
    """Integers of Python's that leave 64 bits are a documented difference."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise Dropped
    if isinstance(value, (tuple, list)):
        for item in value:
            checked(item)
    return value


class Checks(ast.NodeTransformer):
    """Wraps what computes into `__checked__(...)`."""

    def wrap(self, node):
        self.generic_visit(node)
        return ast.Call(ast.Name("__checked__", ast.Load()), [node], [])

    visit_BinOp = visit_UnaryOp = visit_Call = visit_IfExp = wrap

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        check = ast.Expr(ast.Call(ast.Name("__checked__", ast.Load()), [ast.Name(node.target.id, ast.Load())], []))
        return [node, check]


def clone(tree):
    """A copy of its own; several times as fast as copy.deepcopy."""
    return pickle.loads(pickle.dumps(tree, -1))


def load(name):
    return ast.Name(name, ast.Load())


def store(name):
    return ast.Name(name, ast.Store())


def constant(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool) and (value < 0 or (value == 0 and math.copysign(1, value) < 0)):
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def attribute(*path):
    node = load(path[0])
    for name in path[1:]:
        node = ast.Attribute(node, name, ast.Load())
    return node


def kind_of(value):
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    if isinstance(value, (int, np.integer)):
        return "int"
    if isinstance(value, (float, np.floating)):
        return "float"
    if isinstance(value, (complex, np.complexfloating)):
        return "complex"
    if isinstance(value, np.ndarray):
        return "array" if value.ndim else "float"
    return {tuple: "tuple", list: "list", type(None): "none", str: "str"}.get(type(value), "other")


class Function:
    """One function that grows."""

    def __init__(self, name, seed):
        self.name, self.rng = name, random.Random(seed)
        self.new = 0
        self.exotic = {n for n in EXOTIC if self.rng.random() < 0.03}
        self.all_of_numpy = self.rng.random() < 0.25
        self.helpers = []
        self.env = {}  # sample values at the place where a statement is to go
        self.parameters = [self.a_parameter(f"p{k}") for k in range(self.rng.choice((1, 2, 2, 3, 3, 4)))]
        if not any(a.endswith("]") for _, a, _ in self.parameters):
            self.parameters.append(self.array_parameter("q"))
        for k in range(self.rng.choice((0, 0, 0, 1, 1, 2))):
            self.helpers.append(self.a_helper(f"{name}_h{k}"))
        self.body = []
        self.cases = list(CASES)

    # --- parameters

    def a_parameter(self, name):
        if self.rng.random() < 0.5:
            return self.array_parameter(name)
        python = self.rng.random() < 0.45
        dtype = self.rng.choice(("int", "int", "int", "float") if python else DTYPES)
        values = [self.a_value(dtype) for _ in CASES]
        if python:
            values = [repr(v) for v in values]
        else:
            values = [f"np.{NUMPY_NAME[dtype]}({v!r})" for v in values]
        return name, dtype, values

    def array_parameter(self, name):
        rng = self.rng
        dtype = rng.choice(DTYPES)
        dims = [rng.choice("NNM") for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
        spelled = [":" for _ in dims] if rng.random() < 0.35 else dims
        values = []
        for case in CASES:
            shape = tuple(EXTENTS[case][d] for d in dims)
            items = [self.a_value(dtype, element=True) for _ in range(math.prod(shape))]
            values.append(f'np.array({items!r}, "{NUMPY_NAME[dtype]}").reshape({shape})')
        return name, f"{dtype}[{', '.join(spelled)}]", values

    def a_value(self, dtype, element=False):
        """Floats are small and dyadic, so that sums are exact in any order; integers are small or extreme."""
        rng = self.rng
        if dtype == "bool":
            return rng.random() < 0.5
        if dtype == "int":
            return rng.choice((0, 1, 2, 3, -1, -2, 5, 7, 100, 300, -129))
        if dtype in ("float", "f32", "f64"):
            return rng.choice((0.0, 1.0, -1.0, 0.5, 2.0, 3.25, -2.5, 8.0, -0.75, 1.5))
        if dtype == "c128":
            return complex(rng.choice((0.0, 1.0, -2.0, 0.5)), rng.choice((0.0, 1.0, -1.5)))
        info = np.iinfo(NUMPY_NAME[dtype])
        if rng.random() < 0.12:
            return int(rng.choice((info.min, info.max, info.max - 1)))
        return rng.randint(0 if info.min == 0 else -3, 6)

    # --- helpers: what a file's small functions look like, some of which change their argument

    def a_helper(self, name):
        rng = self.rng
        operator = rng.choice("+ - * // % & | ^".split())
        bodies = {
            "a, i": [
                f"    a[i] {rng.choice('+ - *'.split())}= {rng.randint(1, 3)}\n    return a[i]",
                f"    a[i] = a[i] + {rng.randint(1, 3)}\n    return i",
                f"    if a[i] > {rng.randint(0, 2)}:\n        return a[i] {operator} 2\n    return {rng.choice(('0', '1', 'a[0]', 'i'))}",
                f"    if a[i] > {rng.randint(0, 2)}:\n        a[i] = {rng.randint(0, 4)}\n        return a[i]",
            ],
            "x, k=2": [
                f"    if x > {rng.randint(0, 2)}:\n        return x {operator} k\n    {rng.choice(('return k', 'return x', 'return 0', 'pass'))}",
                f"    y = x {operator} k\n    return y, x",
                f"    return x {operator} k",
            ],
            "x, y": [f"    return x {operator} y {rng.choice('+ - *'.split())} x", "    x[...] = y\n    return x", "    x += y\n    return x"],
        }
        signature = rng.choice(list(bodies))
        return f"def {name}({signature}):\n{rng.choice(bodies[signature])}\n\n\n", name, signature

    # --- names

    def fresh(self):
        self.new += 1
        return f"v{self.new}"

    def names(self, *kinds):
        return [n for n, v in self.env.items() if (not kinds or kind_of(v) in kinds) and not n.startswith("__")]

    def a_name(self, *kinds):
        found = self.names(*kinds)
        return self.rng.choice(found) if found else None

    # --- expressions

    def expression(self, want, depth):
        """`want`: int, float, bool, number, array, any."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return self.leaf(want)
        makers = {
            "BinOp": 30, "UnaryOp": 7, "Compare": 8, "BoolOp": 6, "IfExp": 5, "Call": 26, "Attribute": 5, "Subscript": 20,
            "Tuple": 1, "List": 2, "NamedExpr": 1, "ListComp": 1, "GeneratorExp": 1, "Lambda": 1, "Dict": 0.3, "Set": 0.3,
            "SetComp": 0.2, "DictComp": 0.2, "JoinedStr": 0.2, "Starred": 0.7, "Constant": 2, "Name": 4,
        }  # fmt: skip
        if want == "bool":
            makers |= {"Compare": 30, "BoolOp": 14}
        return getattr(self, self.chosen(makers))(want, depth - 1)

    def chosen(self, makers):
        may = {n: (w if n not in EXOTIC else max(w, 5)) for n, w in makers.items() if n not in EXOTIC or n in self.exotic}
        return self.rng.choices(list(may), list(may.values()))[0]

    def leaf(self, want):
        kinds = {"int": ("int", "bool"), "float": ("float", "int"), "bool": ("bool",), "array": ("array",)}
        kinds = kinds.get(want, ("int", "float", "array", "bool", "complex"))
        name = self.a_name(*kinds)
        if name and (want == "array" or self.rng.random() < 0.7):
            return load(name)
        return self.Constant(want, 0)

    def Name(self, want, depth):
        return self.leaf(want)

    def Constant(self, want, depth):
        rng = self.rng
        if want == "bool" and rng.random() < 0.5:
            return ast.Constant(rng.random() < 0.5)
        if want == "float" or (want not in ("int", "bool") and rng.random() < 0.4):
            return constant(rng.choice((0.5, 1.0, 2.0, -1.5, 0.0, 3.0, 0.25)))
        if want not in ("int", "bool") and rng.random() < 0.03:
            return ast.Constant(1j)
        return constant(rng.choice((0, 1, 2, 3, -1, -2, 4, 7, 300) if rng.random() < 0.95 else (2**31, 2**40, -(2**33))))

    def numeric(self, want):
        if want in ("int", "float", "array"):
            return want if self.rng.random() < 0.75 else self.rng.choice(("int", "float", "array", "bool"))
        return self.rng.choice(("int", "int", "float", "array", "array", "bool"))

    def BinOp(self, want, depth):
        group = "bits" if want in ("int", "bool", "array") and self.rng.random() < 0.25 else "arith"
        return ast.BinOp(
            self.expression(self.numeric(want), depth), self.rng.choice(OPERATORS[group])(), self.expression(self.numeric(want), depth)
        )

    def UnaryOp(self, want, depth):
        return ast.UnaryOp(self.rng.choice(ast.unaryop.__subclasses__())(), self.expression(want, depth))

    def Compare(self, want, depth):
        count = self.rng.choice((1, 1, 1, 1, 2))
        usual = [ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE]
        operators = [self.rng.choice(usual if self.rng.random() < 0.96 else ast.cmpop.__subclasses__())() for _ in range(count)]
        kind = self.rng.choice(("int", "int", "float", "array"))
        return ast.Compare(self.expression(kind, depth), operators, [self.expression(kind, depth) for _ in operators])

    def BoolOp(self, want, depth):
        values = [self.expression(self.rng.choice(("bool", "bool", "int")), depth) for _ in range(self.rng.choice((2, 2, 3)))]
        return ast.BoolOp(self.rng.choice(ast.boolop.__subclasses__())(), values)

    def IfExp(self, want, depth):
        return ast.IfExp(self.expression("bool", depth), self.expression(want, depth), self.expression(want, depth))

    def Attribute(self, want, depth):
        name = self.a_name("array", "int", "float")
        if not name or self.rng.random() < 0.1:
            return attribute(self.rng.choice(("np", "math")), self.rng.choice(("pi", "e", "inf", "nan", "newaxis", "tau")))
        node = ast.Attribute(load(name), self.rng.choice(ATTRIBUTES), ast.Load())
        if node.attr == "shape" and self.rng.random() < 0.85:
            return ast.Subscript(node, constant(self.rng.choice((0, 0, 1, -1))), ast.Load())
        return node

    def an_index(self, extent, depth, storing=False):
        rng = self.rng
        what = rng.choices(("constant", "name", "slice", "expression", "none", "ellipsis", "array", "mask"), (8, 8, 8, 3, 0.5, 0.7, 1, 1.5))[0]
        if what == "slice":
            parts = [rng.choice((None, None, self.small(), self.leaf("int"))) for _ in range(2)]
            step = rng.choice((None, None, None, constant(-1), constant(2), constant(-2)))
            return ast.Slice(*parts, step)
        if what == "none":
            return rng.choice((attribute("np", "newaxis"), ast.Constant(None)))
        if what == "ellipsis":
            return ast.Constant(...)
        if what == "array" and (name := self.a_name("array")):
            return load(name)
        if what == "mask" and (name := self.a_name("array")):
            return ast.Compare(load(name), [ast.Gt()], [self.small()])
        if what == "expression":
            return ast.BinOp(self.expression("int", depth), ast.Mod(), constant(max(extent, 1)))
        if what == "name" and (name := self.a_name("int")):
            return load(name)
        return constant(rng.choice((0, 0, 1, -1, extent - 1 if extent else 0)))

    def small(self):
        return constant(self.rng.choice((0, 1, 2, -1, -2, 3)))

    def place(self, depth, context):
        name = self.a_name("array")
        if not name:
            return None
        array = self.env[name]
        count = self.rng.choice([array.ndim] * 3 + [1])
        items = [self.an_index(array.shape[min(k, array.ndim - 1)], depth) for k in range(count)]
        return ast.Subscript(load(name), items[0] if count == 1 else ast.Tuple(items, ast.Load()), context)

    def Subscript(self, want, depth):
        tuple_name = self.a_name("tuple", "list")
        if tuple_name and self.rng.random() < 0.1:
            return ast.Subscript(load(tuple_name), self.rng.choice((self.small(), self.leaf("int"))), ast.Load())
        if self.rng.random() < 0.06:
            return ast.Subscript(self.expression("array", depth), self.an_index(2, depth), ast.Load())
        return self.place(depth, ast.Load()) or self.leaf(want)

    def Tuple(self, want, depth):
        return ast.Tuple([self.expression("any", depth) for _ in range(self.rng.choice((1, 2, 2, 3)))], ast.Load())

    def List(self, want, depth):
        return ast.List([self.expression("float", depth) for _ in range(self.rng.choice((1, 2, 3)))], ast.Load())

    def Set(self, want, depth):
        return ast.Call(load("len"), [ast.Set([self.expression("int", depth) for _ in range(2)])], [])

    def Dict(self, want, depth):
        node = ast.Dict([constant(k) for k in range(2)], [self.expression("any", depth) for _ in range(2)])
        return ast.Subscript(node, constant(self.rng.randint(0, 1)), ast.Load())

    def comprehension(self, depth):
        name = self.fresh()
        iterable = self.rng.choice((ast.Call(load("range"), [self.leaf("int")], []), self.leaf("array")))
        saved, self.env = self.env, self.env | {name: 1}
        element = self.expression("int", depth)
        tests = [self.expression("bool", 0)] if self.rng.random() < 0.2 else []
        self.env = saved
        return element, [ast.comprehension(store(name), iterable, tests, 0)]

    def ListComp(self, want, depth):
        return ast.Call(self.rng.choice((load("sum"), load("len"), attribute("np", "array"))), [ast.ListComp(*self.comprehension(depth))], [])

    def GeneratorExp(self, want, depth):
        return ast.Call(load(self.rng.choice(("sum", "any", "all", "max"))), [ast.GeneratorExp(*self.comprehension(depth))], [])

    def SetComp(self, want, depth):
        return ast.Call(load("len"), [ast.SetComp(*self.comprehension(depth))], [])

    def DictComp(self, want, depth):
        element, generators = self.comprehension(depth)
        return ast.Call(load("len"), [ast.DictComp(element, element, generators)], [])

    def JoinedStr(self, want, depth):
        return ast.Call(load("len"), [ast.JoinedStr([ast.FormattedValue(self.leaf("int"), -1, None)])], [])

    def NamedExpr(self, want, depth):
        return ast.NamedExpr(store(self.rng.choice((self.fresh(), self.a_name("int", "float") or "w"))), self.expression(want, depth))

    def Lambda(self, want, depth):
        name = self.fresh()
        saved, self.env = self.env, self.env | {name: 1}
        arguments = ast.arguments([], [ast.arg(name)], None, [], [], None, [])
        node = ast.Call(ast.Lambda(arguments, self.expression(want, depth)), [], [])
        self.env = saved
        node.args = [self.expression(want, 0)]
        return node

    def Starred(self, want, depth):
        name = self.a_name("tuple", "list")
        value = load(name) if name else ast.Tuple([self.leaf(want), self.leaf(want)], ast.Load())
        return ast.Call(load(self.rng.choice(("max", "min"))), [ast.Starred(value, ast.Load()), self.leaf(want)], [])

    # --- calls

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
        return ast.Call(attribute("np", name), *self.arguments(function, depth))

    def call_method(self, want, depth):
        name = self.rng.choice(METHODS if self.all_of_numpy and self.rng.random() < 0.5 else USUAL_METHODS)
        positional, keywords = self.arguments(getattr(np, name, None), depth)
        if name in ("astype", "view"):
            positional = [None, self.value_named("dtype", depth)]
        if name in ("fill", "dot"):
            positional = [None, self.leaf("int" if name == "fill" else "array")]
        base = self.leaf("array") if self.rng.random() < 0.8 else self.expression("array", depth)
        return ast.Call(ast.Attribute(base, name, ast.Load()), positional[1:], keywords)

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
        if name in ("arrays", "tup", "seq"):
            return ast.Tuple([self.leaf("array"), self.leaf("array")], ast.Load())
        return self.expression(rng.choice(("array", "array", "array", "float")), depth)

    # --- statements

    def statement(self, depth, in_loop=False):
        makers = {
            "Assign": 30, "AugAssign": 14, "For": 9, "If": 9, "While": 2.5, "Expr": 3, "AnnAssign": 0.7, "Return": 1.5,
            "Assert": 0.5, "Delete": 0.3, "Pass": 0.3, "Raise": 0.5, "FunctionDef": 0.5, "With": 0.3, "Try": 0.3, "Match": 0.2,
            "ImportFrom": 0.2, "Global": 0.1, "Nonlocal": 0.05,
        }  # fmt: skip
        if in_loop:
            makers |= {"Break": 1, "Continue": 1}
        if depth <= 0:
            for compound in ("For", "While", "If", "With", "Try", "FunctionDef", "Match"):
                makers.pop(compound)
        return getattr(self, "make_" + self.chosen(makers))(depth - 1, in_loop)

    def value(self):
        return self.expression(self.rng.choice(("int", "float", "array", "array", "bool", "number")), self.rng.choice((1, 2, 2, 3)))

    def target(self):
        old = self.a_name()
        return store(old if old and self.rng.random() < 0.4 else self.fresh())

    def make_Assign(self, depth, in_loop):
        what = self.rng.choices(("name", "place", "tuple", "chain", "starred"), (12, 8, 2, 1.5, 0.3))[0]
        if what == "place" and (place := self.place(1, ast.Store())):
            return ast.Assign([place], self.value())
        if what == "tuple":
            targets = [self.place(0, ast.Store()) if self.rng.random() < 0.3 else self.target() for _ in range(2)]
            if all(targets):
                return ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple([self.value(), self.value()], ast.Load()))
        if what == "chain":
            return ast.Assign([self.target(), self.rng.choice((self.target(), self.place(0, ast.Store()) or self.target()))], self.value())
        if what == "starred":
            targets = [self.target(), ast.Starred(self.target(), ast.Store())]
            return ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple([self.value() for _ in range(3)], ast.Load()))
        return ast.Assign([self.target()], self.value())

    def make_AugAssign(self, depth, in_loop):
        target = self.place(1, ast.Store()) if self.rng.random() < 0.5 else None
        if not target:
            name = self.a_name("int", "float", "array", "bool")
            if not name:
                return ast.Pass()
            target = store(name)
        group = "bits" if self.rng.random() < 0.15 else "arith"
        return ast.AugAssign(target, self.rng.choice(OPERATORS[group][:7])(), self.value())

    def make_AnnAssign(self, depth, in_loop):
        return ast.AnnAssign(self.target(), load(self.rng.choice(("int", "float"))), self.value(), 1)

    def block(self, depth, in_loop):
        return [self.statement(depth, in_loop) for _ in range(self.rng.choice((1, 1, 2)))]

    def make_For(self, depth, in_loop):
        rng, name = self.rng, self.rng.choice(("i", "j", self.fresh()))
        array = self.a_name("array")
        what = rng.choices(("extent", "constant", "int", "array", "enumerate", "zip"), (8, 4, 3, 1, 0.6, 0.4))[0]
        saved, target = self.env, store(name)
        self.env = self.env | {name: 1}
        if what == "extent" and array:
            iterable = ast.Call(load("range"), [attribute(array, "shape")], [])
            iterable.args[0] = ast.Subscript(iterable.args[0], constant(0), ast.Load())
            if rng.random() < 0.3:
                iterable.args = [self.small(), iterable.args[0], *([constant(rng.choice((1, 2, -1)))] if rng.random() < 0.3 else [])]
        elif what in ("array", "enumerate", "zip") and array:
            iterable = load(array)
            self.env[name] = 1.0
            if what != "array":
                other = self.fresh()
                target = ast.Tuple([target, store(other)], ast.Store())
                self.env[other] = 1.0
                iterable = ast.Call(load(what), [iterable] * (2 if what == "zip" else 1), [])
        else:
            iterable = ast.Call(load("range"), [self.leaf("int") if what == "int" else constant(rng.choice((0, 1, 2, 3, 5)))], [])
        body = self.block(depth, True)
        self.env = saved
        return ast.For(target, iterable, body, self.block(0, False) if rng.random() < 0.03 else [])

    def make_While(self, depth, in_loop):
        name = self.a_name("int") or "w"
        step = ast.AugAssign(store(name), self.rng.choice((ast.Add(), ast.Sub())), constant(self.rng.choice((1, 2))))
        test = ast.Compare(load(name), [self.rng.choice((ast.Lt(), ast.Gt()))], [self.expression("int", 1)])
        if self.rng.random() < 0.35:
            test = ast.BoolOp(self.rng.choice((ast.And(), ast.Or())), [test, self.expression("bool", 2)])
        return ast.While(test, [*self.block(depth, True), step], [])

    def make_If(self, depth, in_loop):
        return ast.If(self.expression("bool", 2), self.block(depth, in_loop), self.block(depth, in_loop) if self.rng.random() < 0.5 else [])

    def make_Expr(self, depth, in_loop):
        return ast.Expr(self.Call("any", 1))

    def make_Return(self, depth, in_loop):
        value = self.rng.choices((self.value(), ast.Tuple([self.value(), self.value()], ast.Load()), None), (6, 2, 0.5))[0]
        statement = ast.Return(value)
        return statement if in_loop or depth < 1 else ast.If(self.expression("bool", 2), [statement], [])

    def make_Assert(self, depth, in_loop):
        return ast.Assert(self.expression("bool", 2), None)

    def make_Raise(self, depth, in_loop):
        return ast.If(self.expression("bool", 2), [ast.Raise(ast.Call(load("ValueError"), [], []), None)], [])

    def make_Delete(self, depth, in_loop):
        return ast.Delete([ast.Name(self.a_name() or "w", ast.Del())])

    def make_Pass(self, depth, in_loop):
        return ast.Pass()

    def make_Break(self, depth, in_loop):
        return ast.If(self.expression("bool", 1), [ast.Break()], [])

    def make_Continue(self, depth, in_loop):
        return ast.If(self.expression("bool", 1), [ast.Continue()], [])

    def make_FunctionDef(self, depth, in_loop):
        arguments = ast.arguments([], [ast.arg("x")], None, [], [], None, [])
        saved, self.env = self.env, self.env | {"x": 1}
        node = ast.FunctionDef(self.fresh(), arguments, [ast.Return(self.expression("number", 2))], [])
        self.env = saved
        return node

    def make_With(self, depth, in_loop):
        call = ast.Call(attribute("np", "errstate"), [], [ast.keyword("all", ast.Constant("ignore"))])
        return ast.With([ast.withitem(call)], self.block(depth, in_loop))

    def make_Try(self, depth, in_loop):
        return ast.Try(self.block(depth, in_loop), [ast.ExceptHandler(load("Exception"), None, self.block(0, in_loop))], [], [])

    def make_Match(self, depth, in_loop):
        cases = [ast.match_case(ast.MatchValue(ast.Constant(1)), None, self.block(0, in_loop)), ast.match_case(ast.MatchAs(), None, self.block(0, in_loop))]
        return ast.Match(self.leaf("int"), cases)

    def make_ImportFrom(self, depth, in_loop):
        return self.rng.choice((ast.ImportFrom("math", [ast.alias("sqrt")], 0), ast.Import([ast.alias("math")])))

    def make_Global(self, depth, in_loop):
        return ast.Global([self.fresh()])

    def make_Nonlocal(self, depth, in_loop):
        inner = ast.FunctionDef("g", ast.arguments([], [], None, [], [], None, []), [ast.Nonlocal([self.a_name() or "w"]), ast.Pass()], [])
        return inner

    # --- growing

    def text(self, body=None):
        arguments = ", ".join(f"{name}: {annotation}" for name, annotation, _ in self.parameters)
        module = ast.Module(body if body is not None else self.body, [])
        lines = ast.unparse(ast.fix_missing_locations(clone(module))).splitlines() or ["pass"]
        return f"def {self.name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines)

    def run(self, body):
        """{case: (result or None, the exception or None)} of all cases in CPython; the sample of `__probe__`."""
        names = [ast.arg(name) for name, _, _ in self.parameters]
        function = ast.FunctionDef(self.name, ast.arguments([], names, None, [], [], None, []), clone(body), [])
        tree = ast.Module([*ast.parse("".join(h[0] for h in self.helpers)).body, function], [])
        tree = ast.fix_missing_locations(Checks().visit(tree))
        scope = {"np": np, "math": math, "__checked__": checked}
        seen = {}
        scope["__probe__"] = lambda values: seen.setdefault("env", dict(values))
        exec(compile(tree, "<wild>", "exec"), scope)
        outcomes = {}
        for case in self.cases:
            arguments = [eval(values[case], {"np": np}) for _, _, values in self.parameters]
            try:
                outcomes[case] = scope[self.name](*arguments), None
            except Exception as error:  # whatever it is
                outcomes[case] = None, error
        return outcomes, seen.get("env")

    def attempt(self, body):
        """The cases in which CPython gives a comparable value, and the sample; none where it does not end or compile."""
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.filterwarnings("error", message=".*encountered in cast.*")  # no value that NumPy promises
                warnings.filterwarnings("error", category=DeprecationWarning)
                warnings.filterwarnings("error", category=SyntaxWarning)
                outcomes, env = self.run(body)
        except (SyntaxError, Dropped, RecursionError, Endless, ValueError, TypeError, OverflowError, MemoryError):
            return [], None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if any(isinstance(e, (MemoryError, RuntimeWarning)) for _, e in outcomes.values()):
            return [], None
        return [case for case, (_, error) in outcomes.items() if error is None], env

    def blocks(self, node_list, depth=0, in_loop=False):
        """All lists of statements of the body with their depth, outermost first."""
        yield node_list, depth, in_loop
        for s in node_list:
            loops = in_loop or isinstance(s, (ast.For, ast.While))
            for part in ("body", "orelse"):
                inner = getattr(s, part, None)
                if isinstance(inner, list) and inner and isinstance(s, (ast.For, ast.While, ast.If)):
                    yield from self.blocks(inner, depth + 1, loops)

    def grow(self):
        for _ in range(self.rng.choice((2, 3, 3, 4, 5, 6))):
            for _ in range(4):
                if self.propose():
                    break
        return self.finish()

    def propose(self):
        body = clone(self.body)
        block, depth, in_loop = self.rng.choice(list(self.blocks(body)))
        at = len(block) if self.rng.random() < 0.6 else self.rng.randint(0, len(block))
        block.insert(at, ast.Expr(ast.Call(load("__probe__"), [ast.Call(load("locals"), [], [])], [])))
        good, env = self.attempt(body)
        if env is None:
            return False
        self.env = env
        block[at] = self.statement(2 - depth, in_loop)
        return self.accept(body)

    def accept(self, body):
        good, _ = self.attempt(body)
        if not good or (len(good) < len(self.cases) and self.rng.random() < 0.7):
            return False
        self.body, self.cases = body, good
        return True

    def finish(self):
        """Returns what the names hold in the end."""
        good, env = self.attempt([*self.body, ast.Expr(ast.Call(load("__probe__"), [ast.Call(load("locals"), [], [])], []))])
        self.env = env or {}
        names = self.names("int", "float", "bool", "complex", "array")
        made = [n for n in names if n.startswith(("v", "i", "j"))] or names
        self.rng.shuffle(made)
        for count in (3, 2, 1):
            items = [load(n) for n in made[:count]]
            if items and self.rng.random() < 0.3:
                items[0] = self.expression("number", 2)
            if items and self.accept([*self.body, ast.Return(items[0] if len(items) == 1 else ast.Tuple(items, ast.Load()))]):
                return True
        return bool(self.body)

    def whole_text(self):
        lines = []
        for case in CASES:
            lines.append("        [" + ", ".join(values[case] for _, _, values in self.parameters) + "],\n")
        inputs = f"def inputs_{self.name}(size, rng):\n    return [\n{''.join(lines)}    ][size]\n"
        helpers = "".join(h[0] for h in self.helpers)
        return f"{helpers}{self.text()}\n\n{inputs}\n\nsizes_{self.name} = {tuple(self.cases)}\n\n\n"


def alarm(signum, frame):
    raise Endless


def program(first, count):
    """The text of a file; a seed that gives no function is left out."""
    signal.signal(signal.SIGALRM, alarm)
    texts = []
    for seed in range(first, first + count):
        made = Function(f"f{seed}", seed)
        if made.grow():
            texts.append(made.whole_text())
    return HEADER + "".join(texts)


def covered():
    """Node classes of expressions and statements without a maker and without a reason."""
    classes = [c.__name__ for base in (ast.expr, ast.stmt) for c in base.__subclasses__()]
    makers = set(dir(Function)) | {n.removeprefix("make_") for n in dir(Function)}
    return [c for c in classes if c not in makers and c not in LEFT_OUT]


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1]), int(sys.argv[2])))
