"""Random statements over whole arrays: slices, views, broadcasting, reductions, masks, branches, calls."""

from __future__ import annotations

import numpy as np

from expressions import FLOATS, INTEGERS, NUMPY_NAME, SHORT_NAME, Dim, Ex, broadcast, sample_of
from names import Array, Scalar
from reductions import ReductionStatements


class ArrayStatements(ReductionStatements):
    def __init__(self, expressions):
        self.expressions, self.style = expressions, expressions.style
        self.arrays, self.scalars, self.lines = {}, {}, []
        self.indent, self.count, self.nesting = "", 0, 0
        self.index_array = None
        self.before, self.after = [], []  # what a loop wants set before it; the scalars that it leaves
        self.loops = []

    def emit(self, line):
        self.lines.append(self.indent + line)

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def need(self, dim, least=1):
        """Called sizes make `dim` at least so long."""
        if dim == 1 or dim.constant is not None:
            return dim == 1 or dim.constant >= least
        if dim.strides or dim.size not in self.minimum:
            return False
        self.minimum[dim.size] = max(self.minimum[dim.size], least + dim.cut)
        return True

    # --- slices

    def sliced(self, dim):
        """A slice text of one axis and the length that it gives."""
        rng = self.rng
        what = rng.choice(("all", "all", "all", "head", "tail", "middle", "step", "reverse", "reversed tail", "one"))
        if dim == 1 or what == "all":
            return ":", dim
        if what == "one" and self.need(dim):
            return rng.choice(("0:1", ":1")), 1
        if what == "step":
            start = rng.choice((0, 0, 1))
            return f"{start or ''}::2", Dim(dim.size, dim.cut, dim.strides + (start,))
        if what == "reverse":
            return "::-1", dim
        if dim.strides:
            return ":", dim
        k = rng.choice((1, 1, 2, 3))
        cut = Dim(dim.size, dim.cut + k)
        if dim.constant is not None and dim.constant < k + 2:
            return ":", dim
        if what == "head":
            return f":-{k}", cut
        if what == "tail":
            return f"{k}:", cut
        if what == "reversed tail":
            return f"-{k + 1}::-1", cut
        j = rng.randrange(0, k + 1)
        return (f"{j}:{j - k}" if j < k else f"{j}:"), cut

    def slice_of(self, array):
        """Text and shape of a random part of the array; its own name for all of it."""
        if self.rng.random() < 0.4 or not array.shape:
            return array.name, array.shape
        parts = [self.sliced(dim) for dim in array.shape]
        if self.rng.random() < 0.12 and len(parts) > 1:
            axis = self.rng.randrange(len(parts))
            if self.need(array.shape[axis]):
                parts[axis] = (self.rng.choice(("0", "-1")), None)
        text = ", ".join(p for p, _ in parts)
        return f"{array.name}[{text}]", tuple(d for _, d in parts if d is not None)

    def fitted(self, array, shape):
        """The array, or a part of it, or it with new axes, so that it broadcasts to `shape`; None if it cannot."""
        options = [array.name]
        if len(array.shape) == 2:
            options.append(f"{array.name}.T")
        results = []
        for text in options:
            dims = array.shape[::-1] if text.endswith(".T") else array.shape
            results += self.placements(text, dims, shape)
        return self.rng.choice(results) if results else None

    def placements(self, text, dims, shape):
        results = []
        if broadcast(dims, shape) == shape:
            results.append((text, dims))
        if dims and broadcast(dims[::-1][:1], shape[::-1][:1]) and len(dims) <= len(shape):
            parts, out = [], []
            for have, want in zip(dims, shape[len(shape) - len(dims) :]):
                part = self.slice_to(have, want)
                if part is None:
                    break
                parts.append(part[0])
                out.append(part[1])
            else:
                results.append((f"{text}[{', '.join(parts)}]", tuple(out)))
        if len(dims) == 1 and len(shape) == 2:
            part = self.slice_to(dims[0], shape[0])
            if part:
                results.append((f"{text}[{part[0]}, {self.rng.choice(('None', 'np.newaxis'))}]", (part[1], 1)))
        if len(dims) == 2 and len(shape) == 1:
            for axis in (0, 1):
                part = self.slice_to(dims[1 - axis], shape[0])
                if part and self.need(dims[axis]):
                    index = self.rng.choice(("0", "-1"))
                    pair = (index, part[0]) if axis == 0 else (part[0], index)
                    results.append((f"{text}[{', '.join(pair)}]", (part[1],)))
        return results

    def slice_to(self, have, want):
        """A slice of an axis of length `have` that broadcasts to `want`."""
        rng = self.rng
        if have == want:
            return (rng.choice((":", ":", "::-1")), have)
        if have == 1:
            return (":", 1)
        if want == 1 or isinstance(want, Dim) and rng.random() < 0.05:
            return ("0:1", 1) if self.need(have) else None
        if have.size != want.size or have.constant is not None and have.constant < want.cut - have.cut + 2:
            return None
        if want.strides and not have.strides and have.cut == want.cut and len(want.strides) == 1:
            return (f"{want.strides[0] or ''}::2", want)
        if have.strides or want.strides or want.cut < have.cut:
            return None
        k = want.cut - have.cut
        j = rng.randrange(0, k + 1)
        return ((f"{j}:{j - k}" if j < k else f"{j}:"), want)

    # --- expressions over arrays

    def array_leaf(self, shape, reserved=()):
        def leaf(family):
            rng = self.rng
            arrays = [a for a in self.arrays.values() if a.family == family and a.name not in reserved]
            rng.shuffle(arrays)
            for array in arrays[:3]:
                fitted = self.fitted(array, shape)
                if fitted:
                    exact = array.exact and array.dtype.kind != "c"
                    return Ex(fitted[0], sample_of(array.dtype, len(fitted[1])), fitted[1], exact, atom=True)
            scalars = [s for s in self.scalars.values() if s.family == family and not s.small]
            if scalars and rng.random() < 0.7:
                return rng.choice(scalars).ex()
            converted = self.converted_leaf(family, shape, reserved)
            return converted or self.expressions.literal(family)

        return leaf

    def converted_leaf(self, family, shape, reserved):
        """An array of another family, converted: where the function has none of this family that fits."""
        rng = self.rng
        source = {"int": "biu", "float": "biuf", "complex": "biufc", "bool": "b"}[family]
        arrays = [a for a in self.arrays.values() if a.dtype.kind in source and a.name not in reserved]
        rng.shuffle(arrays)
        for array in arrays[:2]:
            fitted = self.fitted(array, shape)
            if fitted:
                ex = Ex(fitted[0], sample_of(array.dtype, len(fitted[1])), fitted[1], array.exact, atom=True)
                short = {"int": rng.choice(INTEGERS), "float": rng.choice(FLOATS), "complex": "c128", "bool": "bool"}[
                    family
                ]
                return self.expressions.cast(ex, short)
        return None

    def array_expression(self, shape, family, reserved=()):
        return self.expressions.random(self.array_leaf(shape, reserved), family, self.style.depth)

    def writable(self):
        arrays = [a for a in self.arrays.values() if a.writable]
        return self.rng.choice(arrays) if arrays else None

    def value_for(self, array, shape):
        """An expression for a store into the array; NumPy wants integers that may not fit to be converted."""
        value = self.array_expression(shape, array.family)
        return value if value.shape else self.narrowed(value, array)

    def narrowed(self, value, array):
        if not value.weak and value.kind in "iu" and array.dtype.kind in "iu" and not self.storable(value, array):
            return self.expressions.cast(value, SHORT_NAME[array.dtype])
        return value

    def wrote(self, array):
        array.written = True
        if array.view_of:
            self.arrays[array.view_of].written = True

    # --- statements

    def array_statement(self):
        rng = self.rng
        makers = (
            [self.store_slice] * 4
            + [self.chained]
            + [self.augmented] * 2
            + [self.new_array] * 3
            + [
                self.new_view,
                self.masked,
                self.masked_bins,
                self.reduce_statement,
                self.reduce_statement,
                self.product,
                self.call_helper,
                self.gather,
                self.pragma_store,
                self.pragma_reduce,
            ]
        )
        rng.choice(makers)()

    def storable(self, ex, array):
        """Can the value be stored? NumPy would also turn floats into integers, which has no meaning for large ones, and
        raises for NumPy integers that are no arrays and do not fit."""
        if not ex.shape and not ex.weak and ex.kind in "iu" and not np.can_cast(ex.dtype, array.dtype, "safe"):
            return False
        return (
            (np.can_cast(ex.dtype, array.dtype, "same_kind") or ex.kind in "iu" and array.dtype.kind in "iu")
            and (ex.exact or array.dtype.kind == "c" or not array.exact)
            and (
                not (ex.weak and ex.kind == "i" and array.dtype.kind in "iu")
                or self.expressions.fits(ex, Ex("", sample_of(array.dtype, 0))) is ex
            )
        )

    def store_slice(self):
        array = self.writable()
        if not array:
            return
        text, shape = self.slice_of(array)
        value = self.value_for(array, shape)
        if not self.storable(value, array) or broadcast(value.shape, shape) != shape:
            return
        if text == array.name:
            text = f"{text}[:]"
        self.emit(f"{text} = {value.text}")
        self.wrote(array)

    def chained(self):
        """`a[part] = b[part] = e`: one value, stored from left to right, each time as that array's type."""
        first = self.writable()
        if not first:
            return
        text, shape = self.slice_of(first)
        text = text if "[" in text else f"{text}[:]"
        others = [a for a in self.arrays.values() if a.writable and a.shape == first.shape and a.family == first.family]
        others += [a for a in self.arrays.values() if a.writable and a.shape == shape != first.shape and a.family == first.family]
        second = self.rng.choice(others)
        place = text.replace(first.name, second.name, 1) if second.shape == first.shape else f"{second.name}[:]"
        value = self.value_for(first, shape)
        if place == text or broadcast(value.shape, shape) != shape:
            return
        if self.storable(value, first) and self.storable(value, second):
            self.emit(f"{text} = {place} = {value.text}")
            self.wrote(first)
            self.wrote(second)

    def exchange(self, names):
        """`a, b = b, a` of two of the names, where no other name shows the difference."""
        viewed = {a.view_of for a in self.arrays.values()}
        free = [self.arrays[n] for n in names if n not in viewed]
        free = [a for a in free if a.writable and not a.view_of]
        pairs = [
            (a, b)
            for a in free
            for b in free
            if a is not b and (a.dtype, a.shape, a.exact, a.given) == (b.dtype, b.shape, b.exact, b.given)
        ]
        if not pairs:
            return
        a, b = self.rng.choice(pairs)
        self.emit(f"{a.name}, {b.name} = {b.name}, {a.name}")
        self.wrote(a)
        self.wrote(b)

    def augmented(self):
        rng = self.rng
        array = self.writable()
        if not array or array.family == "bool":
            return
        text, shape = self.slice_of(array)
        value = self.array_expression(shape, array.family)
        ops = {
            "int": ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"),
            "float": ("+", "-", "*", "/"),
            "complex": ("+", "-", "*"),
        }[array.family]
        op = rng.choice(ops)
        if op == "/" and not self.style.exact:
            value = Ex(f"1.5 + {value.inner()} * {value.inner()}", value.sample, value.shape, value.exact)
        place = Ex(text, sample_of(array.dtype, len(shape)), shape, array.exact, atom=True)
        result = self.expressions.binary(op, place, value)
        if result is None or broadcast(value.shape, shape) != shape or not self.storable(result, array):
            return
        if not np.can_cast(result.dtype, array.dtype, "same_kind"):
            return
        fitted = self.expressions.fits(value, place)
        self.emit(f"{text} {op}= {fitted.text}")
        self.wrote(array)

    def a_shape(self):
        """The shape of some array or of a part of one."""
        arrays = [a for a in self.arrays.values() if a.shape]
        return self.slice_of(self.rng.choice(arrays))[1]

    def dim_text(self, dim):
        """The length as Python has it, or None where it has no simple one."""
        if dim == 1:
            return "1"
        if dim.strides:
            return None
        if dim.size.isdigit():
            return str(max(int(dim.size) - dim.cut, 0))
        return dim.size if not dim.cut else f"max({dim.size} - {dim.cut}, 0)"

    def add_local(self, name, dtype, shape, exact, view_of="", writable=True):
        exact = exact and dtype.kind != "c" and (self.style.exact or not writable or dtype.kind in "iub")
        self.arrays[name] = Array(name, dtype, tuple(shape), writable, exact, view_of)

    def new_array(self):
        rng = self.rng
        shape = self.a_shape()
        if not shape:
            return
        name = self.fresh("t")
        family = rng.choice(self.style.families)
        texts = [self.dim_text(d) for d in shape]
        form = rng.choice(("expression", "expression", "zeros", "like", "empty", "copy", "full", "arange"))
        dtype = np.dtype(getattr(np, NUMPY_NAME[self.a_dtype(family)]))
        if form in ("zeros", "empty", "full") and None not in texts:
            joined = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
            if form == "full":
                fill = self.expressions.fits(self.expressions.literal(family), Ex("", sample_of(dtype, 0)))
                self.emit(
                    f"{name} = np.full({joined}, {fill.text}, dtype=np.{dtype.name if dtype.kind != 'b' else 'bool_'})"
                )
            else:
                kind = "empty" if form == "empty" else rng.choice(("zeros", "ones"))
                self.emit(f"{name} = np.{kind}({joined}, dtype=np.{dtype.name if dtype.kind != 'b' else 'bool_'})")
            self.add_local(name, dtype, shape, True)
            if form == "empty":
                self.fill_empty(self.arrays[name])
            return
        if form == "arange" and len(shape) == 1 and texts[0]:
            self.emit(f"{name} = np.arange({texts[0]})")
            return self.add_local(name, np.dtype(np.int64), shape, True)
        if form in ("like", "copy"):
            source = rng.choice([a for a in self.arrays.values() if a.shape])
            self.emit(
                f"{name} = np.zeros_like({source.name})" if form == "like" else f"{name} = {source.name}.copy()"
            )
            return self.add_local(name, source.dtype, source.shape, form == "like" or source.exact)
        value = self.array_expression(shape, family)
        if value.shape and not value.weak and value.text not in self.arrays and not value.text.endswith((".T", "]")):
            self.emit(f"{name} = {value.text}")
            self.add_local(name, value.dtype, value.shape, value.exact, writable=value.exact or not self.style.exact)

    def fill_empty(self, array):
        """np.empty has no values yet: store some at once, so that no statement reads them before."""
        value = self.array_expression(array.shape, array.family, reserved=(array.name,))
        if not self.storable(value, array) or broadcast(value.shape, array.shape) != array.shape:
            value = Ex("1", 1)
        self.emit(f"{array.name}[:] = {value.text}")

    def new_view(self):
        sources = [a for a in self.arrays.values() if a.shape]
        source = self.rng.choice(sources)
        if len(source.shape) == 2 and self.rng.random() < 0.25:
            text, shape = f"{source.name}.T", source.shape[::-1]
        else:
            text, shape = self.slice_of(source)
        if not shape or text == source.name:
            return
        name = self.fresh("v")
        self.emit(f"{name} = {text}")
        self.arrays[name] = Array(
            name, source.dtype, shape, source.writable, source.exact, source.view_of or source.name
        )

    def masked(self):
        array = self.writable()
        if not array or not array.shape:
            return
        mask = self.array_expression(array.shape, "bool")
        if mask.weak or mask.shape != array.shape or mask.atom and array.family == "bool":
            return  # NumPy reads a mask that is a part of the array while it writes
        value = self.expressions.fits(self.expressions.literal(array.family), Ex("", sample_of(array.dtype, 0)))
        if array.family == "float":
            value = Ex(self.rng.choice(("0.5", "-2.0", "0.0")), 1.0)
        self.emit(f"{array.name}[{mask.text}] = {value.text}")
        self.wrote(array)

    def scalar_statement(self):
        """A scalar made of scalars and whole reductions, kept in a variable."""
        family = self.rng.choice([f for f in self.style.families if f != "complex"])

        def leaf(wanted):
            scalars = [s for s in self.scalars.values() if s.family == wanted and not s.small]
            if scalars and self.rng.random() < 0.7:
                return self.rng.choice(scalars).ex()
            made = self.reduction()
            if (
                made is not None
                and made.exact
                and not made.shape
                and made.kind in {"int": "iu", "float": "f", "bool": "b"}.get(wanted, "")
            ):
                return made
            return self.expressions.literal(wanted)

        value = self.expressions.random(leaf, family, self.style.depth)
        if value.weak or value.shape:
            return
        name = self.fresh("x")
        self.emit(f"{name} = {value.text}")
        self.scalars[name] = Scalar(name, value.sample, value.exact, made=not self.indent)

    # --- calls, gathers, pragmas on statements

    def call_helper(self):
        """A function of the file, which appyc inlines; it may write through its first parameter."""
        rng = self.rng
        if self.indent or len(self.helpers) > 1:
            return
        arrays = [a for a in self.arrays.values() if a.family == "int" and a.shape]
        if not arrays:
            return
        array = rng.choice(arrays)
        helper = f"{self.name}_h{len(self.helpers)}"
        op = rng.choice(("x * k + x[::-1]", "x - k", "np.maximum(x, k)", "x[::-1] * x"))
        if rng.random() < 0.5 and array.writable:
            self.helpers.append(f"def {helper}(x, k):\n    y = {op}\n    x[:] = y - x\n    return y")
            self.wrote(array)
        else:
            self.helpers.append(f"def {helper}(x, k):\n    y = {op}\n    return y + k")
        name = self.fresh("t")
        self.emit(f"{name} = {helper}({array.name}, {rng.choice((1, 2, 3))})")
        self.add_local(name, array.dtype, array.shape, True)

    def gather(self):
        """a[at] and a[at] = ... with an index array that names each place at most once."""
        if not self.index_array:
            return
        at, unique = self.index_array
        arrays = [a for a in self.arrays.values() if a.shape == at.shape]
        if not arrays:
            return
        array = self.rng.choice(arrays)
        if unique and array.writable and self.rng.random() < 0.4:
            value = self.value_for(array, array.shape)
            if not self.storable(value, array) or broadcast(value.shape, array.shape) != array.shape:
                return
            self.emit(f"{array.name}[at] = {value.text}")
            return self.wrote(array)
        name = self.fresh("t")
        self.emit(f"{name} = {array.name}[at]")
        self.add_local(name, array.dtype, array.shape, array.exact)

    def pragma_store(self):
        """`#pragma :N=>parallel` above a store into a whole array."""
        rng = self.rng
        arrays = [
            a
            for a in self.arrays.values()
            if a.writable
            and not a.view_of
            and a.shape
            and all(isinstance(d, Dim) and not d.cut and not d.strides and not d.size.isdigit() for d in a.shape)
            and len(set(a.shape)) == len(a.shape)
        ]
        if not arrays or self.indent:
            return
        array = rng.choice(arrays)
        value = self.value_for(array, array.shape)
        if not self.storable(value, array) or broadcast(value.shape, array.shape) != array.shape:
            return
        properties = [
            rng.choice(("parallel", "parallel", "parallel,block(64)", "simd", "simd(32)", "block(16)"))
            for _ in array.shape
        ]
        properties[0] = "parallel"
        self.emit("#pragma " + " ".join(f":{d.size}=>{p}" for d, p in zip(array.shape, properties)))
        self.emit(f"{array.name}[{', '.join(':' + d.size for d in array.shape)}] = {value.text}")
        self.wrote(array)

    def pragma_reduce(self):
        """`#pragma :M=>parallel :N=>reduce(sum)` above a reduction of a whole matrix."""
        rng = self.rng
        arrays = [
            a
            for a in self.arrays.values()
            if len(a.shape) == 2
            and a.shape[0] != a.shape[1]
            and a.family in ("int", "float")
            and all(isinstance(d, Dim) and not d.cut and not d.strides and not d.size.isdigit() for d in a.shape)
        ]
        if not arrays or self.indent:
            return
        array = rng.choice(arrays)
        op = rng.choice(("sum", "max", "min"))
        if array.family == "float" and op == "sum" and self.style.exact:
            return
        axis = rng.randrange(2)
        if op != "sum" and not self.need(array.shape[axis]):
            return
        keep = array.shape[1 - axis]
        name = self.fresh("r")
        sample = getattr(np, op)(sample_of(array.dtype, 2))
        self.emit(f"{name} = np.zeros({keep.size}, dtype=np.{np.asarray(sample).dtype.name})")
        terms = {axis: f":{array.shape[axis].size}=>reduce({op})", 1 - axis: f":{keep.size}=>parallel"}
        self.emit(f"#pragma {terms[0]} {terms[1]}")
        whole = ", ".join(":" + d.size for d in array.shape)
        self.emit(f"{name}[:{keep.size}] = np.{op}({array.name}[{whole}], axis={axis})")
        self.add_local(name, np.asarray(sample).dtype, (keep,), op != "sum" or array.family == "int")
