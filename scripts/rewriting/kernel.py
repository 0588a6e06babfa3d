"""Python text as a tree that keeps its pragmas, and what rewrites of kernels need: types of parameters, names read and written."""
from __future__ import annotations

import ast
import re

import numpy as np

DTYPES = {"f64": "float64", "f32": "float32", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8",
          "u16": "uint16", "u32": "uint32", "u64": "uint64", "bool": "bool", "c128": "complex128", "c64": "complex64"}
MARK = "__pragma__"


class NotApplicable(Exception):
    """The rewrite has nothing to do in this kernel, or cannot be done; the text says why."""


def read(text):
    """The tree of a file. Pragmas are calls of MARK in it; types of an `#appyc: def` comment are on the function."""
    types = {}
    for comment in re.findall(r"^#appyc:\s*(def .*)$", text, flags=re.M):
        function = ast.parse(comment.rstrip(": ") + ": pass").body[0]
        types[function.name] = function
    marked = re.sub(r"^([ \t]*)#[ \t]*(pragma .*)$", lambda m: f"{m[1]}{MARK}({m[2]!r})", text, flags=re.M)
    tree = ast.parse(marked)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in types:
            node.args, node.returns = types[node.name].args, types[node.name].returns
    return tree


def written(tree):
    """The text of a tree, with its pragmas as comments."""
    text = ast.unparse(ast.fix_missing_locations(tree))
    return re.sub(rf"^([ ]*){MARK}\((['\"].*['\"])\)$", lambda m: f"{m[1]}#{ast.literal_eval(m[2])}", text, flags=re.M) + "\n"


def is_mark(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == MARK


def expression(text):
    return ast.parse(text, mode="eval").body


def statements(text):
    return ast.parse(text).body


class Type:
    """`f64[N, M]`: a scalar's or an array's type, its extents as texts."""

    def __init__(self, annotation):
        node = annotation
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = expression(node.value)
        self.extents = None
        if isinstance(node, ast.Subscript):
            axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            self.extents = [":" if isinstance(a, ast.Slice) else ast.unparse(a) for a in axes]
            node = node.value
        name = getattr(node, "id", "")
        name = {"int": "i64", "float": "f64"}.get(name, name)
        if name not in DTYPES:
            raise NotApplicable("no inputs of such types are made")
        self.name, self.dtype = name, np.dtype(DTYPES[name])

    def node(self, extents=None):
        extents = self.extents if extents is None else extents
        text = self.name if extents is None else f"{self.name}[{', '.join(extents)}]"
        return expression(text)


def type_name(dtype):
    return next(name for name, numpy_name in DTYPES.items() if np.dtype(numpy_name) == dtype)


class Kernel:
    """A function with types, and what it needs of its file."""

    def __init__(self, tree, function):
        self.rest = [n for n in tree.body if n is not function and not self._is_other_kernel(n, function)]
        self.function = function
        self.types = {a.arg: Type(a.annotation) for a in function.args.args}

    @staticmethod
    def _is_other_kernel(node, function):
        called = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
        typed = isinstance(node, ast.FunctionDef) and all(a.annotation for a in node.args.args) and node.args.args
        return typed and node.name not in called

    @property
    def arrays(self):
        return [name for name, t in self.types.items() if t.extents is not None]

    def text(self, function=None):
        return written(ast.Module(self.rest + [function or self.function], []))

    def callable(self, function=None):
        """The function as CPython runs it, without its annotations, which only appyc knows."""
        tree = read(self.text(function))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.returns = None
                for a in node.args.args:
                    a.annotation = None
        namespace = {MARK: lambda text: None, "__name__": "kernel"}
        exec(compile(tree, "<kernel>", "exec"), namespace)
        return namespace[self.function.name]


def copied(node):
    """A copy of a tree of its own."""
    return read(written(ast.Module([node], []))).body[0]


def base_name(node):
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def effects(node):
    """(names read, names written) of a statement; an array is one name. None where it leaves its place or calls a method."""
    reads, writes = set(), set()
    for n in ast.walk(node):
        if isinstance(n, (ast.Return, ast.Break, ast.Continue, ast.Raise, ast.Assert)) or is_mark(n):
            return None
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and base_name(n.func) not in ("np", "math"):
            if n.func.attr not in ("sum", "max", "min", "mean", "copy", "astype"):
                return None
        if isinstance(n, ast.Name):
            (reads if isinstance(n.ctx, ast.Load) else writes).add(n.id)
        if isinstance(n, (ast.Assign, ast.AugAssign)):
            for target in n.targets if isinstance(n, ast.Assign) else [n.target]:
                for part in ast.walk(target):
                    if isinstance(part, (ast.Subscript, ast.Name)) and not isinstance(getattr(part, "ctx", None), ast.Load):
                        writes.add(base_name(part))
        if isinstance(n, ast.AugAssign):
            reads.add(base_name(n.target))
    return reads, writes


def blocks(function):
    """All lists of statements in a function, inner ones first."""
    for child in ast.iter_child_nodes(function):
        if isinstance(child, ast.stmt):
            yield from blocks(child)
    for field in ("body", "orelse"):
        if isinstance(getattr(function, field, None), list):
            yield getattr(function, field)


def range_of(loop):
    """(lower, upper, step) of a loop over a range, as expressions; None for other loops."""
    call = getattr(loop, "iter", None)
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or loop.orelse:
        return None
    if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "range" or call.keywords:
        return None
    if len(call.args) == 1:
        return ast.Constant(0), call.args[0], ast.Constant(1)
    return (*call.args, ast.Constant(1))[:3]


def is_plain_range(loop):
    bounds = range_of(loop)
    return bounds is not None and isinstance(bounds[2], ast.Constant) and bounds[2].value == 1


def number(node):
    """The value of an integer constant, negative ones too; None for others."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and number(node.operand) is not None:
        return -number(node.operand)
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def add(a, b):
    """a + b, constants folded."""
    if number(a) is not None and number(b) is not None:
        return expression(str(number(a) + number(b)))
    if number(b) == 0:
        return a
    if number(a) == 0:
        return b
    if isinstance(a, ast.BinOp) and isinstance(a.op, (ast.Add, ast.Sub)) and number(a.right) is not None and number(b) is not None:
        return add(a.left, expression(str(number(a.right) * (1 if isinstance(a.op, ast.Add) else -1) + number(b))))
    if number(b) is not None and number(b) < 0:
        return ast.BinOp(a, ast.Sub(), ast.Constant(-number(b)))
    return ast.BinOp(a, ast.Add(), b)


def subtract(a, b):
    if number(b) is not None:
        return add(a, expression(str(-number(b))))
    if ast.dump(a) == ast.dump(b):
        return ast.Constant(0)
    return ast.BinOp(a, ast.Sub(), b)


class Renamed(ast.NodeTransformer):
    """Expressions in the place of names that are read."""

    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return self.names.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def axes_of(subscript):
    return list(subscript.slice.elts) if isinstance(subscript.slice, ast.Tuple) else [subscript.slice]


def element(name, axes, ctx=None):
    return ast.Subscript(ast.Name(name, ast.Load()), axes[0] if len(axes) == 1 else ast.Tuple(list(axes), ast.Load()),
                         ctx or ast.Load())
