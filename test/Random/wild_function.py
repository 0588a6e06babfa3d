"""A function that grows statement by statement: CPython runs each proposal on all inputs, and one that raises on all of them is dropped."""

from __future__ import annotations

import ast
import dataclasses
import math
import pickle
import random
import signal
import warnings
from collections import namedtuple
from typing import NamedTuple, TypedDict

import numpy as np
from wild_expressions import EXOTIC
from wild_nodes import DTYPES, NUMPY_NAME, load
from wild_statements import Statements

EXTENTS = ({"N": 4, "M": 3}, {"N": 1, "M": 1}, {"N": 0, "M": 2})
SCOPE = {
    "np": np, "math": math, "dataclass": dataclasses.dataclass, "replace": dataclasses.replace, "namedtuple": namedtuple,
    "NamedTuple": NamedTuple, "TypedDict": TypedDict,
}  # fmt: skip

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


class Function(Statements):
    """One function that grows."""

    extents = EXTENTS

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
        self.cases = list(range(len(self.extents)))

    # --- parameters

    def a_parameter(self, name):
        if self.rng.random() < 0.5:
            return self.array_parameter(name)
        python = self.rng.random() < 0.45
        dtype = self.rng.choice(("int", "int", "int", "float") if python else DTYPES)
        values = [self.a_value(dtype) for _ in self.extents]
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
        for extents in self.extents:
            shape = tuple(extents[d] for d in dims)
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
        scope = SCOPE | {"__checked__": checked}
        seen = {}
        scope["__probe__"] = lambda values: seen.setdefault("env", dict(values))
        exec(compile(tree, "<wild>", "exec"), scope)
        outcomes = {}
        for case in self.cases:
            arguments = [eval(values[case], scope) for _, _, values in self.parameters]
            try:
                outcomes[case] = scope[self.name](*arguments), None
            except Exception as error:  # whatever it is
                outcomes[case] = None, error
        return outcomes, seen.get("env")

    def attempt(self, body):
        """The cases in which CPython gives a comparable value, and the sample; none where it does not end or compile."""
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)
            with np.errstate(all="ignore", invalid="warn"), warnings.catch_warnings():
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
        for case in range(len(self.extents)):
            lines.append("        [" + ", ".join(values[case] for _, _, values in self.parameters) + "],\n")
        inputs = f"def inputs_{self.name}(size, rng):\n    return [\n{''.join(lines)}    ][size]\n"
        helpers = "".join(h[0] for h in self.helpers)
        return f"{helpers}{self.text()}\n\n{inputs}\n\nsizes_{self.name} = {tuple(self.cases)}\n\n\n"


def alarm(signum, frame):
    """Ends what Function.run runs; anywhere else nobody would catch it."""
    while frame is not None:
        if frame.f_code is Function.run.__code__:
            raise Endless
        frame = frame.f_back
