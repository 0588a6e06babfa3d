"""Random whole-row statements inside loops: slices whose bounds are loop indices, row temporaries, row reductions."""

from __future__ import annotations

import numpy as np

from expressions import Dim, Ex, broadcast, sample_of
from names import Array, Scalar


class RowStatements:
    def row_statement(self, worker=None):
        """One statement over a part of an axis: all of it, or what is before or behind a loop's index."""
        loops = [l for l in self.loops if l.dim.constant is None]
        if not loops:
            return
        loop = self.rng.choice(loops)
        i = loop.index
        part = self.rng.choice((":", f":{i}", f":{i} + 1", f"{i}:", f"{i} + 1:", f":{i}:-1", f"{i}::-1"))
        makers = [self.store_part, self.store_part, self.reduce_part, self.reduce_part, self.keep_part]
        self.rng.choice(makers)(loop, part, worker)

    def part_shape(self, loop, part):
        return (loop.dim if part == ":" else Dim(f"{loop.dim.size}[{part}]"),)

    def part_of(self, array, loop, part, worker):
        """Text of that part of one row or column of the array, or None."""
        axes = [k for k, d in enumerate(array.shape) if d == loop.dim]
        own = None
        if worker:
            base = array.view_of or array.name
            if base in worker.updated or base in worker.own and base != array.name:
                return None
            own = worker.own.get(array.name)
            axes = [k for k in axes if own is None or k != own[0]]
        if not axes or len(array.shape) > 2 or not self.is_plain(array):
            return None
        if worker:
            worker.read.add(array.view_of or array.name)
        axis = self.rng.choice(axes)
        texts = [part if k == axis else own[1] if own else self.index_text(d) for k, d in enumerate(array.shape)]
        return None if None in texts else f"{array.name}[{', '.join(texts)}]"

    def part_leaf(self, loop, part, worker):
        shape = self.part_shape(loop, part)

        def leaf(family):
            rng = self.rng
            rows = [a for a in self.arrays.values() if a.family == family and a.shape == shape and a.name[0] == "o"]
            if rows and rng.random() < 0.5:
                row = rng.choice(rows)
                return Ex(row.name, sample_of(row.dtype, 1), shape, row.exact, atom=True)
            arrays = [a for a in self.arrays.values() if a.family == family]
            rng.shuffle(arrays)
            for array in arrays[:3]:
                text = self.part_of(array, loop, part, worker)
                if text:
                    exact = array.exact and array.dtype.kind != "c"
                    return Ex(text, sample_of(array.dtype, 1), shape, exact, atom=True)
            return self.element_leaf(worker)(family)

        return leaf

    def part_expression(self, loop, part, family, worker):
        return self.expressions.random(self.part_leaf(loop, part, worker), family, self.style.depth)

    def store_part(self, loop, part, worker):
        names = worker.own if worker else [a.name for a in self.arrays.values() if a.writable]
        arrays = [self.arrays[n] for n in names if n in self.arrays]
        if not arrays:
            return
        array = self.rng.choice(arrays)
        text = self.part_of(array, loop, part, worker)
        if not text:
            return
        shape = self.part_shape(loop, part)
        value = self.narrowed_to(self.part_expression(loop, part, array.family, worker), array)
        if value.atom and value.text.split("[")[0] == array.name:
            return  # NumPy 2.4 itself gets `a[1, :3] = a[:3, 2]` wrong where the two cross
        if self.storable(value, array) and broadcast(value.shape, shape) == shape:
            also = None
            if not worker and self.rng.random() < 0.15:  # a column and a row at once
                also = self.part_of(array, loop, part, worker)
            self.emit(f"{text} = {also} = {value.text}" if also and also != text else f"{text} = {value.text}")
            self.wrote(array)

    def narrowed_to(self, value, array):
        return value if value.shape else self.narrowed(value, array)

    def reduce_part(self, loop, part, worker):
        """A reduction of a part, or the product of two, kept in a scalar of the iteration."""
        rng, shape = self.rng, self.part_shape(loop, part)
        family = rng.choice([f for f in self.style.families if f != "complex"])
        value = self.part_expression(loop, part, family, worker)
        if value.shape != shape or value.weak:
            return
        if rng.random() < 0.3 and value.kind in "iuf" and not (self.style.exact and value.kind == "f"):
            other = self.part_leaf(loop, part, worker)(family)
            if other.shape == shape and other.kind in "iuf":
                sample = np.dot(value.sample, other.sample)
                return self.keep_scalar(
                    f"np.dot({value.text}, {other.text})", sample, np.asarray(sample).dtype.kind in "iu"
                )
        made = self.reduced(value, None, part in (":", f":{loop.index} + 1", f"{loop.index}:", f"{loop.index}::-1"))
        if made is not None and not (self.style.exact and not made.exact):
            self.keep_scalar(made.text, made.sample, made.exact)

    def keep_scalar(self, text, sample, exact):
        name = self.fresh("y")
        self.emit(f"{name} = {text}")
        self.scalars[name] = Scalar(name, np.asarray(sample).dtype.type(1), exact)

    def keep_part(self, loop, part, worker):
        """A row of the iteration's own, perhaps changed in place."""
        shape = self.part_shape(loop, part)
        family = self.rng.choice(self.style.families)
        value = self.part_expression(loop, part, family, worker)
        if value.shape != shape or value.weak or value.atom:
            return
        name = self.fresh("o")
        self.emit(f"{name} = {value.text}")
        exact = value.exact and (self.style.exact or value.kind in "iub")
        self.arrays[name] = Array(name, value.dtype, shape, False, exact)
        if self.rng.random() < 0.4 and family in ("int", "float"):
            self.emit(self.rng.choice((f"{name}[1:] += {name}[:-1]", f"{name} *= {name}[::-1]", f"{name}[::2] = 1")))
