"""Random reductions and matrix products."""

from __future__ import annotations

import numpy as np

from expressions import Ex, sample_of
from names import Scalar


class ReductionStatements:
    def reduction(self, axis=False):
        """A reduction over everything (a scalar) or over one axis."""
        rng = self.rng
        arrays = [a for a in self.arrays.values() if a.shape and (not axis or len(a.shape) > 1)]
        if not arrays:
            return None
        array = rng.choice(arrays)
        text, shape = (array.name, array.shape) if axis else self.slice_of(array)
        source = Ex(text, sample_of(array.dtype, len(shape)), shape, array.exact, atom=True)
        if not shape:
            return None
        if rng.random() < 0.4 and array.family != "complex":
            source = self.array_expression(shape, array.family)
            if source.shape != shape or source.weak:
                return None
        return self.reduced(source, rng.randrange(len(shape)) if axis else None)

    def reduced(self, source, axis, filled=None):
        rng = self.rng
        names = {"b": ["any", "all", "sum"], "c": ["sum"], "f": ["max", "min"]}.get(
            source.kind, ["sum", "prod", "max", "min"]
        )
        if source.kind in "iu" and not self.style.exact and source.dtype.itemsize < 8:
            names = names + ["mean"]
        if source.kind == "f" and not self.style.exact:
            names = names + ["sum", "sum", "mean"]
        if source.exact and source.kind in "fiu":
            names = names + ["argmax", "argmin"]
        name = rng.choice(names)
        kept = range(len(source.shape)) if axis is None else [axis]
        if name in ("max", "min", "argmax", "argmin", "mean") and not (
            all(self.need(source.shape[k]) for k in kept) if filled is None else filled
        ):
            return None
        options = "" if axis is None else f", axis={rng.choice((axis, axis - len(source.shape)))}"
        keep = axis is not None and name not in ("argmax", "argmin") and rng.random() < 0.3
        options += ", keepdims=True" if keep else ""
        shape = (
            ()
            if axis is None
            else tuple(1 if k == axis else d for k, d in enumerate(source.shape) if keep or k != axis)
        )
        sample = getattr(np, name)(source.sample)
        exact = (
            source.exact and (source.kind in "iub" or name in ("max", "min", "argmax", "argmin")) and name != "mean"
        )
        if source.kind == "f" and name in ("sum", "mean"):
            exact = False
        sample = sample_of(np.asarray(sample).dtype, len(shape))
        if rng.random() < 0.25 and source.atom:
            return Ex(f"{source.text}.{name}({options[2:]})", sample, shape, exact, atom=True)
        return Ex(f"np.{name}({source.text}{options})", sample, shape, exact, atom=True)

    def reduce_statement(self):
        value = self.reduction(axis=self.rng.random() < 0.5)
        if value is None or self.style.exact and not value.exact:
            return
        if value.shape:
            name = self.fresh("r")
            self.emit(f"{name} = {value.text}")
            self.add_local(name, value.dtype, value.shape, value.exact)
        else:
            name = self.fresh("x")
            self.emit(f"{name} = {value.text}")
            self.scalars[name] = Scalar(name, value.sample, value.exact, made=not self.indent)

    def product(self):
        """a @ b or np.dot(a, b)."""
        rng = self.rng
        pairs = [
            (a, b)
            for a in self.arrays.values()
            for b in self.arrays.values()
            if 0 < len(a.shape) < 3
            and 0 < len(b.shape) < 3
            and a.shape[-1] == b.shape[0] != 1
            and a.dtype.kind != "b"
            and b.dtype.kind != "b"
            and not (self.style.exact and (a.family != "int" or b.family != "int"))
        ]
        if not pairs:
            return
        a, b = rng.choice(pairs)
        sample = np.matmul(sample_of(a.dtype, len(a.shape)), sample_of(b.dtype, len(b.shape)))
        if self.style.exact and np.asarray(sample).dtype.kind not in "iu":
            return
        shape = a.shape[:-1] + b.shape[1:]
        text = f"{a.name} @ {b.name}" if rng.random() < 0.6 else f"np.dot({a.name}, {b.name})"
        name = self.fresh("p")
        self.emit(f"{name} = {text}")
        if shape:
            self.add_local(name, np.asarray(sample).dtype, shape, False)
        else:
            self.scalars[name] = Scalar(name, sample, np.asarray(sample).dtype.kind in "iu", made=not self.indent)
