"""Expressions of wild programs: a maker for each class of expressions in CPython's `ast`."""

from __future__ import annotations

import ast

from wild_calls import Calls
from wild_nodes import attribute, constant, kind_of, load, store

# Seldom in programs of numbers and mostly refused: each function has few of them, or nothing else would be tried.
EXOTIC = """ListComp GeneratorExp Lambda Dict Set SetComp DictComp JoinedStr Starred NamedExpr List Tuple Assert Delete Raise
FunctionDef With Try Match ImportFrom Global Nonlocal Break Continue AnnAssign""".split()

OPERATORS = {
    "arith": [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult],
    "bits": [ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift],
}

# Attributes of arrays and of NumPy's numbers.
ATTRIBUTES = "shape size ndim T dtype real imag nbytes itemsize".split()


class Expressions(Calls):
    """Makers by the names of the node classes. `env` has sample values of the names at hand."""

    def fresh(self):
        self.new += 1
        return f"v{self.new}"

    def names(self, *kinds):
        return [n for n, v in self.env.items() if (not kinds or kind_of(v) in kinds) and not n.startswith("__")]

    def a_name(self, *kinds):
        found = self.names(*kinds)
        return self.rng.choice(found) if found else None

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
        if what == "array" and rng.random() < 0.5:
            return ast.List([constant(rng.randrange(-extent, extent)) for _ in range(3)] if extent else [constant(0)], ast.Load())
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

    def joined(self, array):
        how, arguments = self.rng.choice((("reshape", [constant(-1)]), ("ravel", []), ("reshape", [constant(-1), constant(2)]), ("swapaxes", [constant(0), constant(-1)])))
        return ast.Call(ast.Attribute(array, how, ast.Load()), arguments, [])

    def place(self, depth, context):
        name = self.a_name("array")
        if not name:
            return None
        array = self.env[name]
        if self.rng.random() < 0.08:  # the same elements under other axes
            base = self.rng.choice((ast.Attribute(load(name), "flat", ast.Load()), self.joined(load(name)), ast.Attribute(load(name), "T", ast.Load())))
            return ast.Subscript(base, self.an_index(array.size, depth), context)
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
