"""Array statements as loops over elements, and the other way round. What comes out may be wrong: the caller runs it."""
from __future__ import annotations

import ast
import itertools

from .kernel import NotApplicable, add, axes_of, blocks, element, expression, is_mark, is_plain_range, number, range_of, subtract

ELEMENTWISE = {"minimum", "maximum", "exp", "sqrt", "abs", "log", "sin", "cos", "tanh", "fabs", "power", "where", "absolute"}
OUTER = {"add.outer": ast.Add, "multiply.outer": ast.Mult, "outer": ast.Mult, "subtract.outer": ast.Sub}
NO_INDEX = ast.Constant(None)


def name(text, ctx=None):
    return ast.Name(text, ctx or ast.Load())


def call_of(node):
    """`minimum` for np.minimum(...), `x.sum` for a method; an empty text for others."""
    if not isinstance(node, ast.Call):
        return ""
    text = ast.unparse(node.func)
    return text[3:] if text.startswith("np.") else text


def loop(index, lower, upper, body):
    args = [upper] if number(lower) == 0 else [lower, upper]
    return ast.For(name(index, ast.Store()), ast.Call(name("range"), args, []), body, [])


class Elements:
    """What an array expression has at a place, with the loops that this takes in front of it."""

    def __init__(self, ranks, names):
        self.ranks, self.names, self.before = ranks, names, []

    def rank(self, e):
        if isinstance(e, ast.Name):
            return self.ranks.get(e.id, 0)
        if isinstance(e, ast.Subscript):
            if not isinstance(e.value, ast.Name) or e.value.id not in self.ranks:
                return 0
            axes = axes_of(e)
            taken = sum(not is_new(a) for a in axes)
            return self.ranks[e.value.id] - taken + sum(isinstance(a, ast.Slice) or is_new(a) for a in axes)
        if isinstance(e, ast.BinOp) and isinstance(e.op, ast.MatMult):
            return self.rank_of_product(e.left, e.right)
        if isinstance(e, ast.Attribute) and e.attr == "T":
            return self.rank(e.value)
        if isinstance(e, ast.Call):
            return self.rank_of_call(e)
        if isinstance(e, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            return max(self.rank(c) for c in ast.iter_child_nodes(e) if isinstance(c, ast.expr))
        return 0

    def rank_of_product(self, a, b):
        return max(self.rank(a) + self.rank(b) - 2, 0)

    def rank_of_call(self, e):
        what = call_of(e)
        if what in ELEMENTWISE:
            return max(self.rank(a) for a in e.args)
        if what in OUTER:
            return 2
        if what == "dot":
            return self.rank_of_product(*e.args)
        source = self.reduced(e)
        if source is not None:
            return self.rank(source) - 1 if self.axis_of(e) is not None else 0
        if any(self.rank(a) for a in e.args):
            raise NotApplicable(f"{what} has no elements here")
        return 0

    @staticmethod
    def reduced(e):
        """What np.sum(x) and x.sum() sum."""
        if call_of(e) == "sum" and e.args:
            return e.args[0]
        if isinstance(e.func, ast.Attribute) and e.func.attr == "sum":
            return e.func.value
        return None

    @staticmethod
    def axis_of(e):
        values = [k.value for k in e.keywords if k.arg == "axis"]
        if len(values) != len(e.keywords):
            raise NotApplicable("a sum with more than an axis")
        return number(values[0]) if values else None

    def extents(self, e):
        """How long an expression's axes are."""
        if isinstance(e, ast.Name):
            return [expression(f"{e.id}.shape[{d}]") for d in range(self.ranks.get(e.id, 0))]
        if isinstance(e, ast.Subscript) and self.rank(e):
            return [upper if number(lower) == 0 else subtract(upper, lower) for lower, upper in self.slices(e)]
        if isinstance(e, ast.Attribute):
            return self.extents(e.value)[::-1]
        if isinstance(e, ast.Call) and call_of(e) in OUTER:
            return self.extents(e.args[0]) + self.extents(e.args[1])
        if isinstance(e, ast.BinOp) and isinstance(e.op, ast.MatMult) or isinstance(e, ast.Call) and call_of(e) == "dot":
            a, b = (e.left, e.right) if isinstance(e, ast.BinOp) else e.args
            return self.extents(a)[:-1] + (self.extents(b)[1:] if self.rank(b) == 2 else [])
        if isinstance(e, ast.Call) and self.reduced(e) is not None:
            whole = self.extents(self.reduced(e))
            del whole[self.axis_of(e)]
            return whole
        parts = [c for c in ast.iter_child_nodes(e) if isinstance(c, ast.expr)]
        return self.extents(max(parts, key=self.rank)) if self.rank(e) else []

    def slices(self, e):
        """(lower, upper) for each slice of a subscript, missing ones too."""
        axes, all_slices, axis = axes_of(e), [], 0
        whole = self.ranks[e.value.id] - sum(not is_new(a) for a in axes)
        for a in [*axes, *[ast.Slice()] * whole]:
            if isinstance(a, ast.Slice):
                all_slices.append(self.bounds(a, expression(f"{e.value.id}.shape[{axis}]")))
            elif is_new(a):
                all_slices.append((ast.Constant(0), ast.Constant(1)))
            axis += not is_new(a)
        return all_slices

    @staticmethod
    def bounds(a, extent):
        if a.step is not None:
            raise NotApplicable("a slice with a step")

        def bound(e, otherwise):
            if e is None:
                return otherwise
            return add(extent, e) if (number(e) or 0) < 0 else e
        return bound(a.lower, ast.Constant(0)), bound(a.upper, extent)

    def at(self, e, places):
        """The element of `e` at places (index, first): `index - first` counts from 0."""
        rank = self.rank(e)
        if rank == 0 and not self.has_inner(e):
            return e
        places = places[len(places) - rank:] if rank else []
        if isinstance(e, ast.Name):
            return element(e.id, [subtract(i, first) for i, first in places])
        if isinstance(e, ast.Subscript):
            return self.of_subscript(e, list(places))
        if isinstance(e, ast.Attribute):
            return self.at(e.value, places[::-1])
        if isinstance(e, ast.BinOp) and isinstance(e.op, ast.MatMult):
            return self.product(e.left, e.right, places)
        if isinstance(e, ast.BinOp):
            return ast.BinOp(self.at(e.left, places), e.op, self.at(e.right, places))
        if isinstance(e, ast.UnaryOp):
            return ast.UnaryOp(e.op, self.at(e.operand, places))
        if isinstance(e, ast.Compare) and len(e.ops) == 1:
            return ast.Compare(self.at(e.left, places), e.ops, [self.at(e.comparators[0], places)])
        if isinstance(e, ast.Call):
            return self.of_call(e, places)
        raise NotApplicable("an expression without elements")

    def has_inner(self, e):
        return any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.MatMult)
                   or isinstance(n, ast.Call) and (call_of(n) == "dot" or self.reduced(n) is not None) for n in ast.walk(e))

    def of_subscript(self, e, places):
        axes = axes_of(e)
        whole = self.ranks[e.value.id] - sum(not is_new(a) for a in axes)
        index, slices = [], iter(self.slices(e))
        for a in [*axes, *[ast.Slice()] * whole]:
            if is_new(a):
                next(slices), places.pop(0)
            elif isinstance(a, ast.Slice):
                (i, first), (lower, _) = places.pop(0), next(slices)
                index.append(add(i, subtract(lower, first)) if number(subtract(lower, first)) is not None
                             else ast.BinOp(i, ast.Add(), subtract(lower, first)))
            else:
                index.append(a)
        return element(e.value.id, index)

    def of_call(self, e, places):
        what = call_of(e)
        if what == "where":
            test, a, b = (self.at(x, places) for x in e.args)
            return ast.IfExp(test, a, b)
        if what in ELEMENTWISE:
            return ast.Call(e.func, [self.at(a, places) for a in e.args], [])
        if what in OUTER:
            return ast.BinOp(self.at(e.args[0], places[:1]), OUTER[what](), self.at(e.args[1], places[1:]))
        if what == "dot":
            return self.product(*e.args, places)
        source, axis = self.reduced(e), self.axis_of(e)
        extents = self.extents(source)
        inner = [axis % len(extents)] if axis is not None else range(len(extents))
        free = iter(places)
        names = [next(self.names) for _ in inner]
        by_axis = dict(zip(inner, names))
        all_places = [(name(by_axis[d]), ast.Constant(0)) if d in by_axis else next(free) for d in range(len(extents))]
        return self.sum_of(self.at(source, all_places), [(by_axis[d], extents[d]) for d in inner])

    def product(self, a, b, places):
        k = next(self.names)
        of_a = places[:1] if self.rank(a) == 2 else []
        of_b = places[len(of_a):]
        inner = (name(k), ast.Constant(0))
        value = ast.BinOp(self.at(a, [*of_a, inner]), ast.Mult(), self.at(b, [inner, *of_b]))
        return self.sum_of(value, [(k, self.extents(a)[-1])])

    def sum_of(self, value, axes):
        total = next(self.names)
        nest = [ast.AugAssign(name(total, ast.Store()), ast.Add(), value)]
        for index, extent in reversed(axes):
            nest = [loop(index, ast.Constant(0), extent, nest)]
        self.before += [ast.Assign([name(total, ast.Store())], ast.Constant(0.0)), *nest]
        return name(total)


def is_new(axis):
    return isinstance(axis, ast.Constant) and axis.value is None or isinstance(axis, ast.Attribute) and axis.attr == "newaxis"


def to_loops(function, trace, lines=None):
    """Each statement on arrays, or those in `lines`, as loops over their elements, in place; in which lines there were some."""
    used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} | {a.arg for a in function.args.args}
    names = (f"e{k}" for k in itertools.count() if f"e{k}" not in used)
    changed = set()
    for block in blocks(function):
        k = 0
        while k < len(block):
            s = block[k]
            may = not (k and is_mark(block[k - 1])) and (lines is None or s.lineno in lines)
            made = by_elements(s, trace, names) if may else None
            if made:
                block[k:k + 1] = made
                changed.add(s.lineno)
            k += len(made) if made else 1
    return changed


def by_elements(s, trace, names):
    if isinstance(s, ast.Return) and s.value is not None and len(trace.results) == 1:
        result = name(next(names), ast.Store())
        made = by_elements(ast.Assign([result], s.value), trace, names)
        return made and [*made, ast.Return(name(result.id))]
    if not isinstance(s, (ast.Assign, ast.AugAssign)) or isinstance(s, ast.Assign) and len(s.targets) > 1:
        return None
    target = s.targets[0] if isinstance(s, ast.Assign) else s.target
    e = Elements(dict(trace.ranks), names)
    try:
        made = []
        if isinstance(s, ast.Assign) and isinstance(target, ast.Name) and e.rank(s.value):
            if isinstance(s.value, (ast.Name, ast.Subscript, ast.Attribute)):
                return None
            extents = ast.Tuple(e.extents(s.value), ast.Load())
            dtype = expression(f"np.{trace.dtypes.get(target.id) or trace.results[0].dtype.name}")
            made = [ast.Assign([target], ast.Call(expression("np.empty"), [extents], [ast.keyword("dtype", dtype)]))]
            target, e.ranks[target.id] = name(target.id), e.rank(s.value)
        rank = e.rank(target)
        if not rank and not e.has_inner(s.value) or not isinstance(target, (ast.Name, ast.Subscript)):
            return None
        bounds = e.slices(target) if isinstance(target, ast.Subscript) and rank else [(ast.Constant(0), x) for x in e.extents(target)]
        indices = [next(names) for _ in bounds]
        places = [(name(i), lower) for i, (lower, _) in zip(indices, bounds)]
        value = e.at(s.value, places)
        store = target if not rank else e.at(target, places)
    except (NotApplicable, IndexError, KeyError, ValueError):
        return None
    store = element(store.value.id, axes_of(store), ast.Store()) if isinstance(store, ast.Subscript) else store
    inner = ast.Assign([store], value) if isinstance(s, ast.Assign) else ast.AugAssign(store, s.op, value)
    nest = [*e.before, inner]
    for i, (lower, upper) in reversed(list(zip(indices, bounds))):
        nest = [loop(i, lower, upper, nest)]
    return made + nest


class Slices:
    """Expressions on elements, of a nest over indices, as expressions on slices."""

    def __init__(self, bounds):
        self.bounds = bounds  # by index, in the nest's order
        self.order = list(bounds)

    def mentions(self, e):
        return [i for i in self.order if any(isinstance(n, ast.Name) and n.id == i for n in ast.walk(e))]

    def of(self, e):
        used = self.mentions(e)
        if not used:
            return e
        if isinstance(e, ast.Subscript) and isinstance(e.value, ast.Name):
            return self.of_subscript(e)
        if isinstance(e, ast.BinOp):
            return ast.BinOp(self.of(e.left), e.op, self.of(e.right))
        if isinstance(e, ast.UnaryOp) and not isinstance(e.op, ast.Not):
            return ast.UnaryOp(e.op, self.of(e.operand))
        if isinstance(e, ast.Compare) and len(e.ops) == 1:
            return ast.Compare(self.of(e.left), e.ops, [self.of(e.comparators[0])])
        if isinstance(e, ast.IfExp):
            return ast.Call(expression("np.where"), [self.of(e.test), self.of(e.body), self.of(e.orelse)], [])
        if isinstance(e, ast.Call):
            what = call_of(e)
            whole = {"min": "np.minimum", "max": "np.maximum", "abs": "np.abs"}.get(what)
            if what in ELEMENTWISE or whole:
                return ast.Call(expression(whole) if whole else e.func, [self.of(a) for a in e.args], [])
        raise NotApplicable("an index that is used as a number, or what has no form on slices")

    def of_subscript(self, e):
        axes, seen = [], []
        for a in axes_of(e):
            used = self.mentions(a)
            if not used:
                axes.append(a)
                continue
            shift = self.shift(a, used[0])
            lower, upper = self.bounds[used[0]]
            axes.append(ast.Slice(add(lower, shift), add(upper, shift)))
            seen.append(used[0])
        if len(set(seen)) != len(seen):
            raise NotApplicable("a diagonal")
        if seen != sorted(seen, key=self.order.index):
            if len(seen) != 2 or len(self.order) != 2:
                raise NotApplicable("axes in another order")
            return ast.Attribute(element(e.value.id, axes), "T", ast.Load())
        missing = [i for i in self.order[self.order.index(seen[0]):] if i not in seen]
        places = [k for k, a in enumerate(axes) if isinstance(a, ast.Slice)]
        for i in reversed(missing):
            behind = [s for s in seen if self.order.index(s) < self.order.index(i)]
            axes.insert(places[len(behind) - 1] + 1, NO_INDEX)
        return element(e.value.id, axes)

    def shift(self, a, index):
        if isinstance(a, ast.Name):
            return ast.Constant(0)
        if isinstance(a, ast.BinOp) and isinstance(a.left, ast.Name) and a.left.id == index and not self.mentions(a.right):
            if isinstance(a.op, ast.Add):
                return a.right
            if isinstance(a.op, ast.Sub):
                return ast.UnaryOp(ast.USub(), a.right) if number(a.right) is None else expression(str(-number(a.right)))
        raise NotApplicable("a subscript that is not an index and a constant")


def to_slices(function, trace, lines=None):
    """Nests of loops over elements, or those in `lines`, as statements on slices, in place; in which lines there were some."""
    changed = set()
    for outer in [function, *[n for n in ast.walk(function) if isinstance(n, (ast.For, ast.If, ast.While))]]:
        for block in (outer.body, getattr(outer, "orelse", [])):
            for k in reversed(range(len(block))):
                s = block[k]
                may = not (k and is_mark(block[k - 1])) and (lines is None or s.lineno in lines)
                made = on_slices(s) if may else None
                if made:
                    block[k:k + 1] = made
                    changed.add(s.lineno)
    return changed


def on_slices(s):
    bounds, body = {}, [s]
    while len(body) == 1 and isinstance(body[0], ast.For) and is_plain_range(body[0]):
        lower, upper, _ = range_of(body[0])
        if Slices(bounds).mentions(lower) or Slices(bounds).mentions(upper):
            return None
        bounds[body[0].target.id] = (lower, upper)
        body = body[0].body
    if not bounds:
        return None
    try:
        return [statement_on_slices(one, Slices(bounds)) for one in body]
    except NotApplicable:
        return None


def statement_on_slices(s, slices):
    if not isinstance(s, (ast.Assign, ast.AugAssign)) or isinstance(s, ast.Assign) and len(s.targets) > 1:
        raise NotApplicable("a statement of another kind")
    target = s.targets[0] if isinstance(s, ast.Assign) else s.target
    value = slices.of(s.value)
    used = slices.mentions(target)
    if used == slices.order:
        store = slices.of(target)
        if not isinstance(store, ast.Subscript):
            raise NotApplicable("a transposed target")
        store = element(store.value.id, axes_of(store), ast.Store())
        return ast.Assign([store], value) if isinstance(s, ast.Assign) else ast.AugAssign(store, s.op, value)
    sums = isinstance(s, ast.AugAssign) and isinstance(s.op, ast.Add)
    if not sums or slices.mentions(s.value) != slices.order or used != slices.order[:len(used)]:
        raise NotApplicable("neither a sum nor a store to all elements")
    axis = [] if not used else [ast.keyword("axis", expression("-1"))]
    if used and len(slices.order) - len(used) != 1:
        raise NotApplicable("a sum over two axes of three")
    store = target
    if used:
        store = Slices({i: slices.bounds[i] for i in used}).of(target)
        store = element(store.value.id, axes_of(store), ast.Store())
    return ast.AugAssign(store, s.op, ast.Call(expression("np.sum"), [value], axis))
