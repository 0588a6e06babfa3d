"""Random loops over elements: nested, triangular, strided, in time, with annotations that are right by construction."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from expressions import FLOATS, INTEGERS, NUMPY_NAME, Dim, Ex, sample_of
from masks import MaskStatements
from names import Scalar
from rows import RowStatements
from statements import ArrayStatements


@dataclass
class Loop:
    """index runs inside [low, length - high) of axis length `dim`."""

    index: str
    dim: Dim
    low: int = 0
    high: int = 0


@dataclass
class Worker:
    """What an iteration of an annotated loop may touch besides what nobody writes."""

    loop: Loop
    own: dict = field(default_factory=dict)  # array: axis and index text of the elements that belong to the iteration
    updated: set = field(default_factory=set)  # arrays updated indivisibly: not read
    read: set = field(default_factory=set)  # arrays that are read: not updated
    inner: Worker = None


class LoopStatements(MaskStatements, RowStatements, ArrayStatements):
    # --- headers

    def a_loop(self):
        """A loop over an axis: forward, backward, strided, or triangular to the loop around."""
        rng = self.rng
        index = "ijklm"[len(self.loops)]
        sizes = [s for s in self.sizes]
        around = [l for l in self.loops if not l.dim.size.isdigit()]
        if around and rng.random() < 0.35:
            outer = rng.choice(around)
            if rng.random() < 0.5:
                return f"range({outer.index})", Loop(index, outer.dim, 0, outer.high + 1)
            return f"range({outer.index} + 1, {outer.dim.size})", Loop(index, outer.dim, outer.low + 1, 0)
        if rng.random() < 0.08:
            count = rng.choice((1, 2, 3, 4))
            return f"range({count})", Loop(index, Dim(str(count)))
        size = rng.choice(sizes)
        low, high = rng.choice(((0, 0), (0, 0), (0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (0, 2)))
        stop = f"{size} - {high}" if high else size
        loop = Loop(index, Dim(size), low, high)
        form = rng.random()
        if form < 0.12:
            return f"range({size} - {high + 1}, {low - 1}, -1)", loop
        if form < 0.24:
            return f"range({low}, {stop}, {rng.choice((2, 3))})", loop
        if low:
            return f"range({low}, {stop})", loop
        return f"range({stop})", loop

    def inside(self, body):
        """The lines that `body()` emits one level deeper; the arrays and scalars that it makes end with it."""
        saved_lines, saved_indent = self.lines, self.indent
        arrays, scalars = dict(self.arrays), dict(self.scalars)
        self.lines, self.indent = [], self.indent + "    "
        body()
        lines, self.lines, self.indent = self.lines, saved_lines, saved_indent
        self.arrays, self.scalars = arrays, scalars
        return lines

    def block(self, header, body, pragmas=()):
        lines = self.inside(body)
        self.finish([*(self.indent + line for line in (*pragmas, header)), *lines] if lines else [])

    # --- elements

    def index_text(self, dim):
        """An index that is in range whenever the loops around run; None where there is none."""
        rng = self.rng
        if dim == 1:
            return "0"
        options = []
        for loop in self.loops:
            if loop.dim != dim:
                continue
            i = loop.index
            options += [i] * 4
            options += [f"{i} + {k}" for k in range(1, loop.high + 1)] * 2
            options += [f"{i} - {k}" for k in range(1, loop.low + 2)]
            options += [f"-{i} - 1", f"{i} // 2"]
            if dim.constant is None:
                options += [f"{dim.size} - 1 - {i}", f"({i} * 2 + 1) % {dim.size}"]
            if self.index_array and self.index_array[0].shape == (dim,):
                options.append(f"at[{i}]")
        if dim.constant is not None:
            if dim.constant < 1:
                return None
            options += [str(rng.randrange(-dim.constant, dim.constant))] * 2
            options += [f"{l.index} % {dim.size}" for l in self.loops]
        if not options:
            if not self.need(dim):
                return None
            options = ["0", "-1"]
        return rng.choice(options)

    def element(self, array):
        """Text of a random element that is in range, or None."""
        if any(d != 1 and (d.strides or d.cut) for d in array.shape):
            return None
        parts = [self.index_text(d) for d in array.shape]
        return None if None in parts else f"{array.name}[{', '.join(parts)}]"

    def element_leaf(self, worker=None):
        def leaf(family):
            rng = self.rng
            scalars = [s for s in self.scalars.values() if s.family == family and not s.small]
            if scalars and rng.random() < 0.25:
                return rng.choice(scalars).ex()
            if family == "int" and self.loops and rng.random() < 0.2:
                return self.index_value()
            arrays = [a for a in self.arrays.values() if a.family == family and a.shape]
            rng.shuffle(arrays)
            for array in arrays[:3]:
                text = self.readable(array, worker)
                if text:
                    exact = array.exact and array.dtype.kind != "c"
                    return Ex(text, sample_of(array.dtype, 0), (), exact, atom=True)
            others = {"int": "biu", "float": "biuf", "complex": "biuf", "bool": "b"}[family]
            for array in [a for a in self.arrays.values() if a.dtype.kind in others and a.shape][:2]:
                text = self.readable(array, worker)
                if text:
                    ex = Ex(text, sample_of(array.dtype, 0), (), array.exact, atom=True)
                    short = {
                        "int": rng.choice(INTEGERS),
                        "float": rng.choice(FLOATS),
                        "complex": "c128",
                        "bool": "bool",
                    }[family]
                    made = self.expressions.cast(ex, short)
                    if made:
                        return made
            return self.expressions.literal(family)

        return leaf

    def index_value(self):
        loop = self.rng.choice(self.loops)
        form = self.rng.choice(("small", "int64", "float"))
        if form == "small":
            return Ex(f"{loop.index} % 7", 1, (), True, 0, 6)
        return Ex(f"np.int64({loop.index})", np.int64(1), atom=True)

    def element_expression(self, family, worker=None):
        return self.expressions.random(self.element_leaf(worker), family, self.style.depth)

    # --- plain loops

    def loop_statement(self):
        if len(self.loops) > 2:
            return
        if not self.loops and self.rng.random() < 0.55:
            return self.worker_loop()
        header, loop = self.a_loop()
        self.loops.append(loop)
        self.nesting = max(self.nesting, len(self.loops))

        def body():
            for _ in range(self.rng.choice((1, 1, 2, 3))):
                self.element_statement()

        pragmas = ["#pragma sequential for"] if not self.loops[1:] and self.rng.random() < 0.12 else []
        self.block(f"for {loop.index} in {header}:", body, pragmas)
        self.loops.pop()

    def element_statement(self):
        rng = self.rng
        what = rng.random()
        if what < 0.25 and len(self.loops) < 3:
            return self.loop_statement()
        if what < 0.4:
            return self.element_branch()
        if what < 0.5:
            return self.row_statement()
        if what < 0.65:
            return self.collect()
        array = self.writable()
        if not array:
            return
        place = self.element(array)
        if place:
            self.store_element(array, place, None)

    def store_element(self, array, place, worker):
        """place = e, or place op= e."""
        rng = self.rng
        value = self.element_expression(array.family, worker)
        uses_all = all(l.index in place for l in self.loops)
        augmented = (
            rng.random() < 0.4
            and array.family != "bool"
            and (uses_all or not self.style.exact or array.family == "int")
        )
        if augmented:
            ops = ("+", "-", "*", "&", "^", "//") if array.family == "int" else ("+", "-", "*")
            op = rng.choice(ops)
            target = Ex(place, sample_of(array.dtype, 0), (), array.exact, atom=True)
            result = self.expressions.binary(op, target, value)
            if result is None or result.dtype != array.dtype:
                return
            self.emit(f"{place} {op}= {self.expressions.fits(value, target).text}")
        else:
            value = self.narrowed(value, array)
            if not self.storable(value, array):
                return
            also = self.another_place(array, value) if not worker and rng.random() < 0.1 else ""
            self.emit(f"{place} = {also}{value.text}")
        self.wrote(array)

    def another_place(self, array, value):
        """`b[...] = `, for a value that goes into two arrays."""
        others = [a for a in self.arrays.values() if a.writable and a.family == array.family and self.storable(value, a)]
        other = self.rng.choice(others) if others else array
        place = self.element(other)
        if not place:
            return ""
        self.wrote(other)
        return f"{place} = "

    def element_branch(self, worker=None):
        cond = self.element_expression("bool", worker)
        if cond.weak:
            loop = self.rng.choice(self.loops)
            cond = Ex(self.rng.choice((f"{loop.index} % 2 == 0", f"{loop.index} < 3", f"{loop.index} > 0")), True)

        def body():
            array, place = self.target(worker)
            if place:
                self.store_element(array, place, worker)

        self.branches([cond.text], body)

    def target(self, worker):
        if worker:
            return self.own_place(worker)
        array = self.writable()
        return array, array and self.element(array)

    def collect(self, worker=None):
        """s += e over the loops around; only where its order does not matter to the comparison."""
        rng = self.rng
        family = rng.choice([f for f in self.style.families if f in ("int", "float")])
        if self.style.exact and family == "float":
            return
        name, short = self.fresh("c"), rng.choice(("i64", "i32", "u16") if family == "int" else ("f64", "f32"))
        dtype = np.dtype(getattr(np, NUMPY_NAME[short]))
        value = self.element_expression(family, worker)
        op = rng.choice(("+", "+", "-", "^") if family == "int" and not worker else ("+", "+", "-"))
        place = Ex(name, sample_of(dtype, 0), atom=True)
        result = self.expressions.binary(op, place, value)
        if result is None or result.dtype != dtype:
            return
        self.before.append(f"{name} = np.{dtype.name}(0)")
        self.emit(f"{name} {op}= {self.expressions.fits(value, place).text}")
        self.after.append(Scalar(name, sample_of(dtype, 0), family == "int", made=True))

    # --- annotated loops

    def worker_loop(self):
        """A parallel loop: right because each iteration writes only what is its own."""
        rng = self.rng
        header, loop = self.a_loop()
        if loop.dim.size.isdigit():
            return
        worker = Worker(loop)
        self.loops.append(loop)
        self.nesting = max(self.nesting, len(self.loops))
        self.choose_owned(worker)

        def body():
            for _ in range(rng.choice((1, 2, 2, 3))):
                self.worker_statement(worker, len(self.loops) < 3)

        if worker.own:
            pragma = rng.choice(
                (
                    "parallel for",
                    "parallel for",
                    "parallel for simd",
                    "parallel for simd(64)",
                    "parallel for num_warps(2)",
                    "parallel for block(32)",
                )
            )
            self.block(f"for {loop.index} in {header}:", body, [f"#pragma {pragma}"])
        self.loops.pop()

    def is_plain(self, array):
        return array.shape and all(d == 1 or not d.cut and not d.strides for d in array.shape)

    def choose_owned(self, worker):
        """Arrays whose elements at one index of one axis belong to an iteration; nothing else shares their memory."""
        rng, loop = self.rng, worker.loop
        shared = {a.view_of for a in self.arrays.values()} | {a.name for a in self.arrays.values() if a.view_of}
        for array in self.arrays.values():
            axes = [k for k, d in enumerate(array.shape) if d == loop.dim]
            if (
                not array.writable
                or array.name in shared
                or not axes
                or not self.is_plain(array)
                or rng.random() < 0.3
            ):
                continue
            i = loop.index
            forms = [i] * 5 + [f"{loop.dim.size} - 1 - {i}", f"-{i} - 1"]
            forms += [f"{i} + {k}" for k in range(1, loop.high + 1)] + [f"{i} - {k}" for k in range(1, loop.low + 1)]
            if self.index_array and self.index_array[1] and self.index_array[0].shape == (loop.dim,):
                forms.append(f"at[{i}]")
            worker.own[array.name] = (rng.choice(axes), rng.choice(forms))

    def readable(self, array, worker):
        """An element that an iteration may read."""
        if worker is None:
            return self.element(array)
        base = array.view_of or array.name
        if base in worker.updated:
            return None
        if array.name in worker.own:
            return self.own_element(array, worker)
        if base in worker.own:
            return None
        worker.read.add(base)
        return self.element(array)

    def own_element(self, array, worker):
        axis, text = worker.own[array.name]
        parts = [text if k == axis else self.index_text(d) for k, d in enumerate(array.shape)]
        if worker.inner and array.name in worker.inner.own:  # lanes have elements of their own, too
            inner_axis, inner_text = worker.inner.own[array.name]
            if inner_axis == axis:
                return None
            parts[inner_axis] = inner_text
        elif worker.inner:
            return None
        return None if None in parts else f"{array.name}[{', '.join(parts)}]"

    def own_place(self, worker):
        owners = [self.arrays[n] for n in (worker.inner.own if worker.inner else worker.own)]
        if not owners:
            return None, None
        array = self.rng.choice(owners)
        return array, self.own_element(array, worker)

    def worker_statement(self, worker, nested):
        rng = self.rng
        what = rng.random()
        if what < 0.25 and nested and not worker.inner:
            return self.lane_loop(worker)
        if what < 0.4:
            return self.element_branch(worker)
        if what < 0.6 and not worker.inner:
            return self.private_scalar(worker)
        if what < 0.7 and not worker.inner:
            return self.update(worker)
        if what < 0.78:
            return self.collect(worker)
        if what < 0.88 and not worker.inner:
            return self.row_statement(worker)
        array, place = self.own_place(worker)
        if place:
            self.store_element(array, place, worker)

    def private_scalar(self, worker):
        family = self.rng.choice([f for f in self.style.families if f != "complex"])
        value = self.element_expression(family, worker)
        if value.weak:
            return
        name = self.fresh("y")
        self.emit(f"{name} = {value.text}")
        self.scalars[name] = Scalar(name, value.sample, value.exact)

    def update(self, worker):
        """`#pragma atomic` above an update of an element that other iterations update, too."""
        rng = self.rng
        shared = {a.view_of for a in self.arrays.values()}
        arrays = [
            a
            for a in self.arrays.values()
            if a.writable
            and not a.view_of
            and a.name not in shared
            and a.name not in worker.own
            and self.is_plain(a)
            and a.dtype.itemsize >= 4
            and a.family in ("int", "float")
            and not a.written
        ]
        arrays = [a for a in arrays if not (self.style.exact and a.family == "float")]
        arrays = [a for a in arrays if a.name not in worker.read]
        if not arrays:
            return
        array = rng.choice(arrays)
        worker.updated.add(array.name)
        place = self.element(array)
        value = self.element_expression(array.family, worker)
        target = Ex(place, sample_of(array.dtype, 0), (), array.exact, atom=True)
        if not place or value.exact is False and array.exact:
            return
        value = self.expressions.fits(value, target)
        result = self.expressions.binary("+", target, value)
        if result is None or result.dtype != array.dtype:
            return
        forms = [
            f"{place} += {value.text}",
            f"{place} -= {value.text}",
            f"{place} = max({place}, {value.text})",
            f"{place} = min({place}, {value.text})",
        ]
        if array.family == "float" or value.weak:
            forms = forms[:2]
        self.emit("#pragma atomic")
        self.emit(rng.choice(forms))
        self.wrote(array)

    def lane_loop(self, worker):
        """An inner loop of a worker: serial, or with lanes that own elements of their own."""
        rng = self.rng
        header, loop = self.a_loop()
        marked = rng.random() < 0.6 and not loop.dim.size.isdigit()
        inner = Worker(loop)
        if marked:
            for name, (axis, _) in worker.own.items():
                array = self.arrays[name]
                axes = [k for k, d in enumerate(array.shape) if d == loop.dim and k != axis]
                if axes:
                    inner.own[name] = (rng.choice(axes), loop.index)
            if not inner.own:
                marked = False
        self.loops.append(loop)
        self.nesting = max(self.nesting, len(self.loops))
        if marked:
            worker.inner = inner

        def body():
            for _ in range(rng.choice((1, 1, 2))):
                self.worker_statement(worker, False)

        pragma = rng.choice(("#pragma simd", "#pragma simd", "#pragma parallel for", "#pragma simd(32)"))
        self.block(f"for {loop.index} in {header}:", body, [pragma] if marked else [])
        worker.inner = None
        self.loops.pop()

    # --- control flow around array statements

    def time_loop(self):
        if self.loops or self.indent:
            return
        count = "T" if "T" in self.scalars else self.rng.choice("1234")
        around = list(self.arrays)

        def body():
            for _ in range(self.rng.choice((1, 2, 2, 3))):
                self.rng.choice((self.array_statement, self.array_statement, self.loop_statement))()
            if self.rng.random() < 0.3:
                self.exchange(around)

        self.block(f"for t in range({count}):", body)

    def condition(self):
        scalars = [s for s in self.scalars.values() if not s.small and s.exact and s.family in ("int", "float")]
        if scalars and self.rng.random() < 0.6:
            made = self.expressions.binary(
                self.rng.choice(("<", ">", "==", "!=")),
                self.rng.choice(scalars).ex(),
                self.expressions.literal("int"),
            )
            if made is not None:
                return made.text
        size = self.rng.choice(self.sizes)
        return self.rng.choice((f"{size} > 3", f"{size} % 2 == 0", f"{size} == 1", f"{size} < 8 or {size} > 20"))

    def branch_statement(self):
        def body():
            for _ in range(self.rng.choice((1, 2))):
                self.rng.choice((self.store_slice, self.augmented, self.loop_statement, self.masked))()

        self.branches([self.condition() for _ in range(self.rng.choice((1, 1, 2)))], body)

    def branches(self, conditions, body):
        """if, elif, else; an empty one is left out."""
        made = []
        for condition in conditions:
            lines = self.inside(body)
            if lines:
                made += [f"{self.indent}{'elif' if made else 'if'} {condition}:", *lines]
        if made and self.rng.random() < 0.5:
            lines = self.inside(body)
            made += [f"{self.indent}else:", *lines] if lines else []
        self.finish(made)

    def finish(self, lines):
        """Emits a statement that may have loops inside, behind what those want set before."""
        if not self.indent:
            self.lines += self.before
            self.before = []
        self.lines += lines
        if not self.indent:
            self.scalars.update((s.name, s) for s in self.after)
            self.after = []

    def while_statement(self):
        if self.indent:
            return
        name = self.fresh("w")
        scale = self.rng.choice((self.sizes[0], "3", f"({self.sizes[-1]} // 2)"))
        around = list(self.arrays)

        def body():
            for _ in range(self.rng.choice((1, 2))):
                self.rng.choice((self.store_slice, self.augmented, self.array_statement))()
            if self.rng.random() < 0.2:
                self.exchange(around)

        lines = self.inside(body)
        if lines:
            self.finish([f"{name} = 0", f"while {name} < min({scale}, 4):", *lines, f"    {name} += 1"])
