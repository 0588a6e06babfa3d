"""Statements of wild programs: a maker for each class of statements in CPython's `ast`."""

from __future__ import annotations

import ast

from wild_expressions import OPERATORS, Expressions
from wild_nodes import attribute, constant, load, store


class Statements(Expressions):
    """make_X makes a statement of the node class X; `depth` says how many blocks may stand in it."""

    def statement(self, depth, in_loop=False):
        makers = {
            "Assign": 30, "AugAssign": 14, "For": 9, "If": 9, "While": 2.5, "Expr": 3, "AnnAssign": 0.7, "Return": 1.5,
            "Assert": 1, "Delete": 0.3, "Pass": 0.3, "Raise": 1, "FunctionDef": 0.5, "With": 0.3, "Try": 0.3, "Match": 0.2,
            "ImportFrom": 0.2, "Global": 0.1, "Nonlocal": 0.05,
        }  # fmt: skip
        if in_loop:
            makers |= {"Break": 4, "Continue": 4, "Return": 3}
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
        ways = {"extent": 8, "constant": 4, "int": 3, "array": 2, "enumerate": 2, "zip": 1.5, "reversed": 1, "tuple": 1.5}
        what = self.chosen(ways)
        saved, target = self.env, store(name)
        self.env = self.env | {name: 1}
        if what == "extent" and array:
            iterable = ast.Call(load("range"), [attribute(array, "shape")], [])
            iterable.args[0] = ast.Subscript(iterable.args[0], constant(0), ast.Load())
            if rng.random() < 0.3:
                iterable.args = [self.small(), iterable.args[0], *([constant(rng.choice((1, 2, -1)))] if rng.random() < 0.3 else [])]
        elif what == "tuple":
            iterable = ast.Tuple([self.value() for _ in range(rng.choice((1, 2, 3)))], ast.Load())
        elif what in ("array", "enumerate", "zip", "reversed") and array:
            iterable = load(array) if rng.random() < 0.7 else self.expression("array", 1)
            self.env[name] = 1.0
            if what == "reversed":
                iterable = ast.Call(load(what), [iterable], [])
            elif what != "array":
                other = self.fresh()
                target = ast.Tuple([target, store(other)], ast.Store())
                self.env[other] = 1.0
                more = [load(self.a_name("array"))] if what == "zip" else [constant(1)] if rng.random() < 0.2 else []
                iterable = ast.Call(load(what), [iterable, *more], [])
        else:
            iterable = ast.Call(load("range"), [self.leaf("int") if what == "int" else constant(rng.choice((0, 1, 2, 3, 5)))], [])
        body = self.block(depth, True)
        self.env = saved
        return ast.For(target, iterable, body, self.block(0, in_loop) if rng.random() < 0.15 else [])

    def make_While(self, depth, in_loop):
        name = self.a_name("int") or "w"
        step = ast.AugAssign(store(name), self.rng.choice((ast.Add(), ast.Sub())), constant(self.rng.choice((1, 2))))
        test = ast.Compare(load(name), [self.rng.choice((ast.Lt(), ast.Gt()))], [self.expression("int", 1)])
        if self.rng.random() < 0.35:
            test = ast.BoolOp(self.rng.choice((ast.And(), ast.Or())), [test, self.expression("bool", 2)])
        body = self.block(depth, True)
        body.insert(self.rng.choice((0, len(body))), step)
        return ast.While(test, body, self.block(0, in_loop) if self.rng.random() < 0.15 else [])

    def make_If(self, depth, in_loop):
        return ast.If(self.expression("bool", 2), self.block(depth, in_loop), self.block(depth, in_loop) if self.rng.random() < 0.5 else [])

    def make_Expr(self, depth, in_loop):
        name = self.a_name("array")
        if not name or self.rng.random() < 0.8:
            return ast.Expr(self.Call("any", 1))
        # Updates of elements one by one.
        function = attribute("np", self.rng.choice(("add", "subtract", "maximum", "multiply")), "at")
        indices = self.rng.choice((self.small(), self.leaf("int"), ast.List([constant(0), self.small(), constant(0)], ast.Load())))
        return ast.Expr(ast.Call(function, [load(name), indices, self.expression("number", depth)], []))

    def make_Return(self, depth, in_loop):
        value = self.rng.choices((self.value(), ast.Tuple([self.value(), self.value()], ast.Load()), None), (6, 2, 0.5))[0]
        statement = ast.Return(value)
        return statement if depth < 1 and self.rng.random() < 0.3 else ast.If(self.expression("bool", 2), [statement], [])

    def make_Assert(self, depth, in_loop):
        return ast.Assert(self.expression("bool", 2), self.rng.choice((None, ast.Constant("no"))))

    def make_Raise(self, depth, in_loop):
        return ast.If(self.expression("bool", 2), [ast.Raise(ast.Call(load(self.rng.choice(("ValueError", "KeyError"))), self.rng.choice(([], [ast.Constant("no")])), []), None)], [])

    def make_Delete(self, depth, in_loop):
        return ast.Delete([ast.Name(self.a_name() or "w", ast.Del())])

    def make_Pass(self, depth, in_loop):
        return ast.Pass()

    def make_Break(self, depth, in_loop):
        return ast.If(self.expression("bool", 1), [*self.before_leaving(depth), ast.Break()], [])

    def before_leaving(self, depth):
        return self.block(0, True) if self.rng.random() < 0.3 else []

    def make_Continue(self, depth, in_loop):
        return ast.If(self.expression("bool", 1), [*self.before_leaving(depth), ast.Continue()], self.before_leaving(depth))

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
