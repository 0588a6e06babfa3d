"""Nine rewrites of kernels that preserve what they compute: each gives a Variant, or says why there is none."""
from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, field

import numpy as np

from . import forms
from .kernel import (NotApplicable, Renamed, add, axes_of, blocks, copied, effects, element, expression, is_mark, number, range_of,
                     statements, subtract, type_name)

BATCHES, REPETITIONS, ROOM = 2, 2, 64


def flat(value):
    if value is None:
        return []
    if isinstance(value, (tuple, list)):
        return [v for part in value for v in flat(part)]
    return [value]


@dataclass
class Variant:
    """A rewritten function, and how a call of it compares with calls of the original."""

    function: ast.FunctionDef
    lifted: bool = False  # results are stored to parameters
    more: list = field(default_factory=list)  # arguments behind all others
    repetitions: int = 1
    batches: int = 0
    padded: bool = False

    def expected(self, original, inputs):
        """What calls of the original leave: results, then arguments."""
        outcomes = []
        for seed in range(max(self.batches, 1)):
            arguments = self._of_batch(inputs, seed)
            for _ in range(self.repetitions):
                results = flat(original(*arguments))
            outcomes.append([copy.deepcopy(v) for v in results] + arguments)
        return [np.stack(parts) if self.batches else parts[0] for parts in zip(*outcomes)]

    def observed(self, rewritten, inputs, expected):
        arguments = inputs(0)
        if self.batches:
            batches = [self._of_batch(inputs, seed) for seed in range(self.batches)]
            arguments = [np.stack(a) if isinstance(a[0], np.ndarray) else a[0] for a in zip(*batches)]
        count = len(expected) - len(arguments)
        passed = [self._padded(a) for a in arguments] if self.padded else arguments
        results = [np.zeros_like(np.atleast_1d(v)) for v in expected[:count]] if self.lifted else []
        returned = flat(rewritten(*passed, *results, *self.more))
        if self.padded:
            passed = [a[(slice(1, None),) * min(a.ndim, 1)] if isinstance(a, np.ndarray) else a for a in passed]
        elif self.batches:
            passed = [a if isinstance(a, np.ndarray) else np.stack([np.asarray(a)] * self.batches) for a in passed]
        return (results or returned) + list(passed)

    def _of_batch(self, inputs, seed):
        """Each batch has arrays of its own; scalars are the same for all."""
        return [b if isinstance(b, np.ndarray) else a for a, b in zip(inputs(0), inputs(seed))]

    @staticmethod
    def _padded(argument):
        return np.concatenate([argument[:1], argument]) if isinstance(argument, np.ndarray) and argument.ndim else argument


def parameters(function, *more):
    """The function with (name, type as an expression) as parameters behind its own."""
    for name, annotation in more:
        function.args.args.append(ast.arg(name, annotation))
    return function


def fresh(function, name):
    used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} | {a.arg for a in function.args.args}
    while name in used:
        name += "_"
    return name


def lifted(kernel, trace, batch=None):
    """The function with its results stored to parameters, so that its statements can stand inside others."""
    function = copied(kernel.function)
    returns = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
    if not returns:
        return function
    if len(returns) > 1 or function.body[-1] is not returns[0]:
        raise NotApplicable("returns from more than one place")
    if any(getattr(v, "dtype", None) is None and not isinstance(v, (int, float, complex)) for v in trace.results):
        raise NotApplicable("results are no arrays or numbers")
    value = returns[0].value
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    if len(values) != len(trace.results):
        raise NotApplicable("results are no plain tuple")
    function.body.pop()
    for k, (one, result) in enumerate(zip(values, trace.results)):
        name, rank = fresh(function, f"result{k}"), np.ndim(result)
        parameters(function, (name, result_type(kernel, result, len(values), batch)))
        index = ([ast.Name(batch, ast.Load())] if batch else []) + [ast.Slice()] * rank
        function.body.append(ast.Assign([element(name, index or [ast.Constant(0)], ast.Store())], one))
    function.returns = None
    return function


def result_type(kernel, result, count, batch):
    extents = [":"] * np.ndim(result)
    declared = kernel.function.returns
    if count == 1 and isinstance(declared, ast.Subscript):
        extents = [ast.unparse(a) for a in axes_of(declared)]
    extents = (["BATCH"] if batch else []) + extents
    return expression(f"{type_name(np.asarray(result).dtype)}[{', '.join(extents or ['1'])}]")


def inside_if(kernel, trace):
    function = lifted(kernel, trace)
    go = fresh(function, "go")
    function.body = [ast.If(expression(f"{go} > 0"), function.body, [])]
    return Variant(parameters(function, (go, expression("i64"))), True, [1])


def inside_host_loop(kernel, trace):
    function = lifted(kernel, trace)
    rep, reps = fresh(function, "rep"), fresh(function, "reps")
    function.body = [ast.For(ast.Name(rep, ast.Store()), expression(f"range({reps})"), function.body, [])]
    return Variant(parameters(function, (reps, expression("i64"))), True, [REPETITIONS], REPETITIONS)


class OnArrays(ast.NodeTransformer):
    """Names of arrays that have become others: what a subscript, an extent, the whole of one is now."""

    def __init__(self, names, subscript, extent):
        self.names, self.subscript, self.extent = set(names), subscript, extent

    def visit_Subscript(self, node):
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and getattr(node.value.value, "id", "") in self.names:
            return self.extent(node.value.value.id, number(node.slice))
        if getattr(node.value, "id", "") in self.names:
            axes = [self.visit(a) for a in axes_of(node)]
            return element(node.value.id, self.subscript(axes), node.ctx)
        return self.generic_visit(node)

    def visit_Attribute(self, node):
        if node.attr == "shape" and getattr(node.value, "id", "") in self.names:
            raise NotApplicable("a whole shape is used")
        return self.generic_visit(node)

    def visit_Call(self, node):
        if getattr(node.func, "id", "") == "len" and getattr(node.args[0], "id", "") in self.names:
            return self.extent(node.args[0].id, 0)
        return self.generic_visit(node)

    def visit_Name(self, node):
        return element(node.id, self.subscript([]), node.ctx) if node.id in self.names else node

    def visit_Assign(self, node):
        if any(getattr(n, "id", "") in self.names for target in node.targets for n in ast.walk(target)
               if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)):
            raise NotApplicable("a parameter's name gets another array")
        return self.generic_visit(node)


def batch_axis(kernel, trace):
    b = fresh(kernel.function, "batch")
    if not kernel.arrays:
        raise NotApplicable("no arrays")
    function = lifted(kernel, trace, b)
    own = {a.arg: a for a in function.args.args}
    for name in kernel.arrays:
        own[name].annotation = kernel.types[name].node(["BATCH", *kernel.types[name].extents])

    def extent(name, axis):
        if axis is None:
            raise NotApplicable("an extent of an axis that is computed")
        return expression(f"{name}.shape[{axis + 1 if axis >= 0 else axis}]")

    change = OnArrays(kernel.arrays, lambda axes: [ast.Name(b, ast.Load()), *axes], extent)
    body = [change.visit(s) for s in function.body]
    function.body = [ast.For(ast.Name(b, ast.Store()), expression(f"range({kernel.arrays[0]}.shape[0])"), body, [])]
    return Variant(function, True, batches=BATCHES)


def swapped(kernel, trace):
    """In each list of statements, neighbours that share nothing that either writes change places."""
    function = copied(kernel.function)
    found = False
    for block in blocks(function):
        k = 0
        while k + 1 < len(block):
            marked = k > 0 and is_mark(block[k - 1])
            if not marked and independent(block[k], block[k + 1]):
                block[k], block[k + 1] = block[k + 1], block[k]
                found, k = True, k + 1
            k += 1
    if not found:
        raise NotApplicable("no neighbours are independent")
    return Variant(function)


def independent(a, b):
    of_a, of_b = effects(a), effects(b)
    if of_a is None or of_b is None:
        return False
    return not (of_a[1] & (of_b[0] | of_b[1]) or of_b[1] & of_a[0])


def split_updates(kernel, trace):
    """`x += a * b` as `t = a * b; x += t`, `x = a + b + c` as `t = a + b; x = t + c`."""
    function = copied(kernel.function)
    found = 0
    for block in blocks(function):
        k = 0
        while k < len(block):
            parts = split(block[k], fresh(function, f"part{found}")) if not (k and is_mark(block[k - 1])) else None
            if parts:
                block[k:k + 1], found, k = parts, found + 1, k + 1
            k += 1
    if not found:
        raise NotApplicable("no update to split")
    return Variant(function)


def split(s, name):
    part, value = ast.Name(name, ast.Load()), getattr(s, "value", None)
    compound = (ast.BinOp, ast.Call)
    if isinstance(s, ast.AugAssign) and isinstance(value, compound):
        return [ast.Assign([ast.Name(name, ast.Store())], value), ast.AugAssign(s.target, s.op, part)]
    if not isinstance(s, ast.Assign) or not isinstance(value, ast.BinOp):
        return None
    if isinstance(value.left, compound):
        return [ast.Assign([ast.Name(name, ast.Store())], value.left), ast.Assign(s.targets, ast.BinOp(part, value.op, value.right))]
    if isinstance(value.right, compound):
        return [ast.Assign([ast.Name(name, ast.Store())], value.right), ast.Assign(s.targets, ast.BinOp(value.left, value.op, part))]
    return None


def other_first_index(kernel, trace):
    """Loops count from one more, and take one off where they use it; without loops, arrays have one row more in front."""
    function = copied(kernel.function)
    loops = [n for n in ast.walk(function) if isinstance(n, ast.For) and range_of(n)]
    if not loops:
        return padded(kernel, function)
    for loop in reversed(loops):
        lower, upper, step = range_of(loop)
        one = ast.Constant(1)
        loop.iter.args = [add(lower, one), add(upper, one)] + ([] if number(step) == 1 else [step])
        name = loop.target.id
        change = Renamed({name: ast.BinOp(ast.Name(name, ast.Load()), ast.Sub(), one)})
        loop.body = [folded(change.visit(s)) for s in loop.body]
    return Variant(function)


class Folded(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Add) and number(node.right) is not None:
            return add(node.left, node.right)
        if isinstance(node.op, ast.Sub) and number(node.right) is not None:
            return subtract(node.left, node.right)
        return node


def folded(node):
    return Folded().visit(node)


def padded(kernel, function):
    if not kernel.arrays:
        raise NotApplicable("no loops, no arrays")

    def shifted(axes):
        first = axes[0] if axes else ast.Slice()
        one = ast.Constant(1)
        if isinstance(first, ast.Slice):
            if first.step is not None:
                raise NotApplicable("a slice with a step")
            bounds = [b if b is None or (number(b) or 0) < 0 else add(b, one) for b in (first.lower, first.upper)]
            first = ast.Slice(bounds[0] or one, bounds[1])
        elif isinstance(first, ast.Constant) and first.value in (None, ...):
            raise NotApplicable("a new axis in front")
        else:
            first = first if (number(first) or 0) < 0 else add(first, one)
        return [first, *axes[1:]]

    def extent(name, axis):
        node = expression(f"{name}.shape[{axis}]")
        return ast.BinOp(node, ast.Sub(), ast.Constant(1)) if axis == 0 else node

    change = OnArrays(kernel.arrays, shifted, extent)
    function.body = [change.visit(s) for s in function.body]
    for a in function.args.args:
        if a.arg in kernel.arrays:
            extents = kernel.types[a.arg].extents
            first = extents[0] if extents[0] == ":" else f"{extents[0]} + 1"
            a.annotation = kernel.types[a.arg].node([first, *extents[1:]])
    return Variant(function, padded=True)


def downward(kernel, trace):
    """Loops run down where that changes nothing; where none may, one counts down and goes through the same order.
    Loops that run down run up."""
    function = copied(kernel.function)
    loops = [k for k, n in enumerate(loops_of(function)) if range_of(n) and number(range_of(n)[2]) in (1, -1)]
    if not loops:
        raise NotApplicable("no loops")
    done = 0
    for k in loops:
        tried = reversed_loop(function, k)
        if trace.agrees(Variant(tried)):
            function, done = tried, done + 1
    return Variant(function if done else counted_down(function, loops[0]))


def loops_of(function):
    return [n for n in ast.walk(function) if isinstance(n, ast.For)]


def reversed_loop(function, k):
    function = copied(function)
    loop = loops_of(function)[k]
    first, end, step = range_of(loop)
    back = ast.Constant(-number(step))
    loop.iter.args = [add(end, back), add(first, back)] + ([back] if number(step) == 1 else [])
    return function


def counted_down(function, k):
    function = reversed_loop(function, k)
    loop = loops_of(function)[k]
    last, before_first, step = range_of(loop)
    name = loop.target.id
    whole = subtract(add(last, before_first), step)
    loop.body = [Renamed({name: ast.BinOp(whole, ast.Sub(), ast.Name(name, ast.Load()))}).visit(s) for s in loop.body]
    return function


def unrelated_statement(kernel, trace):
    """In the first loop, or between two statements, an array of its own is updated by a formula of its own."""
    function = copied(kernel.function)
    other = fresh(function, "other")
    loop = next((n for n in function.body if isinstance(n, ast.For) and range_of(n)), None)
    if loop is not None and effects(loop) is not None:
        i = loop.target.id
        loop.body += statements(f"{other}[{i}] = 0.5 * {other}[{i}] + 1.0")
    else:
        place = max(len(function.body) // 2, 1 if is_mark(function.body[0]) else 0)
        while place and is_mark(function.body[place - 1]):
            place += 1
        function.body[place:place] = statements(f"{other}[:] = 0.5 * {other} + 1.0")
    return Variant(parameters(function, (other, expression("f64[:]"))), more=[np.zeros(ROOM)])


def other_form(kernel, trace):
    """Statements on slices as loops over elements; where there are none, loops over elements as statements on slices. Of
    those, the ones that may be written so."""
    for form in (forms.to_loops, forms.to_slices):
        lines = form(copied(kernel.function), trace)
        for allowed in (lines, {line for line in lines if trace.agrees(Variant(in_form(form, kernel, trace, {line})))}):
            function = in_form(form, kernel, trace, allowed)
            if allowed and trace.agrees(Variant(function)):
                return Variant(function)
    raise NotApplicable("no statement that has another form")


def in_form(form, kernel, trace, lines):
    function = copied(kernel.function)
    form(function, trace, lines)
    return function


REWRITES = {"if": inside_if, "host loop": inside_host_loop, "batch": batch_axis, "swapped": swapped, "split": split_updates,
            "first index": other_first_index, "downward": downward, "unrelated": unrelated_statement, "form": other_form}
