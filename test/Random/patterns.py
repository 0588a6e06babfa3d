"""Nests that single passes are made for, with random pieces: squares that their own rows and columns update, rows that
sum over earlier rows, steps of stencils, triangular products, sums of bins, sums and vectors for the loop behind them, columns that are updated on the way,
loops of small steps, steps that hand something on or share elements, rows of neighbouring elements, matrices that are set and then stored in pieces, slices that change by
what the step's own one has become, loops that keep what they fold.

A pattern is a method that makes parameters and returns what emits the statements. Values stay small by construction, so
that sums in another order agree. About a tenth of each kind is just beside what the pass takes.
"""

from __future__ import annotations

import numpy as np

from chosen import ChosenPatterns
from columns import ColumnPatterns
from expressions import NUMPY_NAME, Dim, Ex, sample_of
from folds import FoldPatterns
from handing import HandingPatterns
from names import Array, Scalar
from nests import NestPatterns
from order import OrderPatterns
from overwrites import OverwritePatterns
from owners import OwnerPatterns
from producers import ProducerPatterns
from steps import StepPatterns
from vectors import VectorPatterns

TILED = (31, 32, 33, 63, 64, 65, 97, 129)  # around the blocks of 32 and 64
SHORT = (15, 16, 17, 31, 32, 33)  # for nests that CPython takes long over
SMALL_VALUES = "rng.integers(-16, 17, {0}) / {1}"


class PatternStatements(NestPatterns, ProducerPatterns, ColumnPatterns, StepPatterns, VectorPatterns, OverwritePatterns,
                        OwnerPatterns, OrderPatterns, FoldPatterns, HandingPatterns, ChosenPatterns):
    def a_pattern(self):
        patterns = [self.squares] * 3 + [self.recurrence] * 3 + [self.stencils] * 3 + [self.triangle] * 4 + [self.bins] * 2
        patterns += [self.producers] * 3 + [self.columns] * 2 + [self.steps] * 3 + [self.vectors] * 3
        patterns += [self.overwrites] * 2 + [self.owners] * 2 + [self.orders] * 3 + [self.folds] * 3 + [self.handing] * 4 + [self.chosen] * 3
        return self.rng.choice(patterns)

    # --- parameters

    def given(self, name, dims, short, writable=False, divisor=8, values=None):
        """An array parameter of small values."""
        dims = tuple(Dim(d) for d in dims.split())
        extents = ", ".join(d.size for d in dims)
        long = NUMPY_NAME[short]
        dtype = np.dtype(getattr(np, long))
        shape = f"({extents},)"
        if values is None and dtype.kind in "iub":
            values = self.recipe(short, shape)
        else:
            values = f"({(values or SMALL_VALUES).format(shape, divisor)}).astype(np.{long})"
        array = Array(name, dtype, dims, writable, self.style.exact or dtype.kind != "f" or not writable)
        array.given = True
        self.arrays[name] = array
        self.parameters.append((name, f"{short}[{extents}]", values))
        return array

    def given_scalar(self, name, short, values):
        self.parameters.append((name, short, values))
        sample = 1.0 if short == "float" else np.dtype(getattr(np, NUMPY_NAME[short])).type(1)
        self.scalars[name] = Scalar(name, sample)
        return name

    def special(self, chance):
        """Values among which are nan, infinities and zeros, now and then."""
        if self.rng.random() < chance:
            return "rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -1.5, 0.25] + [0.5, -0.25] * 20), {0})"
        return None

    def emit_block(self, lines):
        for line in lines:
            self.emit(line)

    # --- squares that are updated by a row and a column of their own

    def squares(self):
        rng = self.rng
        self.sizes, self.pools = ["N"], {"N": TILED}
        short = rng.choice(("i32", "i64", "f64", "f64", "f32", "bool", "u8"))
        family = {"b": "bool", "f": "float"}.get(np.dtype(getattr(np, NUMPY_NAME[short])).kind, "int")
        self.style.exact, self.style.families = True, tuple(sorted({family, "bool", "float" if family == "float" else "int"}))
        square = self.given("a", "N N", short, True, 32, self.special(0.15) if family == "float" else None)
        other = self.given("w", "N N", short) if rng.random() < 0.3 else None
        line = self.given("u", "N", short) if rng.random() < 0.3 else None

        def emit():
            low, high = rng.choice(((0, 0), (0, 0), (0, 0), (1, 0), (0, 1), (2, 1)))
            form = rng.choice(("whole",) * 7 + ("kept", "kept", "loops", "annotated", "in place", "beside"))
            if form in ("loops", "annotated", "in place"):
                self.pools = {"N": SHORT}
            self.square_loop(square, other, line, low, high, form)
            self.wrote(square)

        return emit

    def square_loop(self, square, other, line, low, high, form):
        rng = self.rng
        part = f"{low or ''}:{-high if high else ''}"
        inside = low or high
        end = f"N - {high}" if high else "N"
        span = f"{low}, {end}" if low else end
        k, header = "k", f"for k in range({span}):"
        if form == "beside":
            what = rng.choice(("next", "backward", "shrinking", "sequential"))
            if what == "next":
                k, header = "k + 1", "for k in range(N - 1):"
                part, inside = ":", False
            elif what == "backward":
                header = "for k in range(N - 1, -1, -1):"
                part, inside = ":", False
            elif what == "sequential":
                self.emit("#pragma sequential for")
            else:
                return self.shrinking_square(square)
        whole = f"a[{part}, {part}]" if inside else rng.choice(("a", "a[:]", "a[:, :]"))
        column, row = f"a[{part}, {k}, None]", f"a[{k}, {part}]"
        if not inside:
            row = rng.choice((f"a[{k}]", row, f"a[None, {k}, :]"))
        before = []
        if form == "kept":
            before = [f"c = a[{part}, {k}].copy()", f"r = a[{k}, {part}] + {self.zero_of(square)}"]
            column, row = "c[:, None]", "r"
        texts = {
            "own": whole,
            "column": column,
            "row": row,
            "other": other and (f"w[{part}, {part}]" if inside else "w"),
            "line": line and rng.choice((f"u[{part}]", f"u[{part}, None]")),
        }
        if form in ("loops", "annotated", "in place"):
            texts = {"own": "a[i, j]", "column": "c[i]", "row": "r[j]", "other": other and "w[i, j]", "line": line and "u[j]"}
        if form == "in place":
            texts.update(column="a[i, k]", row="a[k, j]")
        value = self.square_value(square, texts, form in ("loops", "annotated", "in place"))
        if form in ("loops", "annotated", "in place"):
            return self.square_nest(square, header, span, value, form)
        target = whole if "[" in whole else "a[:]"
        self.emit_block([header, *("    " + l for l in before), f"    {target} = {value}"])

    def zero_of(self, array):
        return "False" if array.family == "bool" else "0"

    def square_value(self, square, texts, scalar):
        """f(own, of the column, of the row), which may use more."""
        rng = self.rng
        shape = () if scalar else (Dim("N"), Dim("N"))
        known = {k: self.piece(t, square.dtype, shape) for k, t in texts.items() if t}
        own, column, row = (known[k] for k in ("own", "column", "row"))

        def leaf(family):
            if family != square.family:
                made = self.expressions.cast(rng.choice((own, column, row)), {"int": "i32", "float": "f32"}.get(family, "bool"))
                return made or self.expressions.literal(family)
            return rng.choice([own, column, column, row, row, *known.values()])

        pairs = {
            "int": (f"{texts['column']} + {texts['row']}", f"{texts['column']} * {texts['row']}", f"np.maximum({texts['column']}, {texts['row']})"),
            "float": (f"{texts['column']} + {texts['row']}", f"0.25 * {texts['column']} * {texts['row']}", f"np.maximum({texts['column']}, {texts['row']})"),
            "bool": (f"{texts['column']} & {texts['row']}", f"np.logical_and({texts['column']}, {texts['row']})"),
        }[square.family]
        pair = rng.choice(pairs)
        if rng.random() < 0.3:
            made = self.expressions.random(leaf, square.family, 2)
            # The sign of a zero is open where zeros are compared: no divisions by it.
            if self.storable(made, square) and made.dtype == square.dtype and not {"/", "%"} & set(made.text):
                pair = made.text
        o = texts["own"]
        if square.family == "bool":
            return rng.choice((f"{o} | ({pair})", f"{o} ^ ({pair})", f"np.logical_or({o}, {pair})"))
        if rng.random() < 0.4:
            return f"np.{rng.choice(('minimum', 'maximum'))}({o}, {pair})"
        if square.family == "float":
            rest = rng.choice(("", "", " + 0.001 * k")) if square.dtype.itemsize == 8 else ""
            return f"{rng.choice(('0.5 * ', '0.75 * ', ''))}{o} {rng.choice('+-')} 0.125 * ({pair}){rest}"
        return rng.choice((f"{o} + ({pair})", f"{o} - ({pair})", f"{o} ^ ({pair})"))

    def piece(self, text, dtype, shape):
        return Ex(text, sample_of(dtype, len(shape)), shape, True, atom=True)

    def square_nest(self, square, header, span, value, form):
        """The same in loops, the row and the column kept before, or read while they change."""
        rng = self.rng
        mark = ["#pragma parallel for"] if form == "annotated" else []
        dtype = f"np.{square.dtype.name if square.family != 'bool' else 'bool_'}"
        lines = [header]
        if form != "in place":
            self.emit_block([f"c = np.zeros(N, dtype={dtype})", f"r = np.zeros(N, dtype={dtype})"])
            lines += ["    for i in range(N):", "        c[i] = a[i, k]", "        r[i] = a[k, i]"]
        outer, inner = rng.choice(("ij", "ji"))
        lines += ["    " + m for m in mark]
        lines += [f"    for {outer} in range({span}):", f"        for {inner} in range({span}):"]
        self.emit_block([*lines, f"            a[i, j] = {value}"])

    def shrinking_square(self, square):
        """An elimination's update: what lies right of and below the step."""
        pair = {"bool": "a[k + 1:, k, None] & a[k, k + 1:]"}.get(square.family, "a[k + 1:, k, None] * a[k, k + 1:]")
        scale = "0.25 * " if square.family == "float" else ""
        op = "^" if square.family == "bool" else "-"
        self.emit_block(["for k in range(N - 1):", f"    a[k + 1:, k + 1:] {op}= {scale}({pair})"])

    # --- rows that sum over earlier rows

    def recurrence(self):
        rng = self.rng
        whole = rng.random() < 0.3
        self.style.exact, self.sizes = whole, ["N"]
        short = rng.choice(("i32", "i64", "u16") if whole else ("f64", "f64", "f64", "f32"))
        self.style.families = ("int", "bool") if whole else ("float",)
        form = rng.choice(("slices",) * 5 + ("loops", "loops", "loops", "pair", "matrix", "backward", "outer"))
        self.pools = {"N": SHORT + (65,) if form in ("loops", "pair") else (*TILED, 127, 128, 200)}
        self.given("L", "N N", short, divisor="(16 * max(N, 1))")
        x = self.given("x", "N", short, True)
        if form == "matrix":
            self.sizes.append("M")
            self.pools["M"] = (1, 3, 31, 33)
            x = self.given("X", "N M", short, True)
            self.given("B", "N M", short)
        y = self.given("y", "N", short, True) if form == "pair" else None
        self.given("b", "N", short)
        if not whole:
            self.given("d", "N", short, values="1 + rng.integers(1, 17, {0}) / 16")

        def emit():
            maker = {
                "slices": self.recurrence_of_slices,
                "outer": self.recurrence_of_slices,
                "loops": self.recurrence_of_loops,
                "pair": self.recurrence_of_pairs,
                "matrix": self.recurrence_of_rows,
                "backward": self.recurrence_backward,
            }[form]
            lines = maker(whole, rng.random() < 0.3)
            if form == "outer":  # a few times over
                lines = ["for t in range(2):", *("    " + l for l in lines)]
            self.emit_block(lines)
            for array in (x, y):
                if array:
                    self.wrote(array)

        return emit

    def solved(self, sum_text, whole):
        """What a row makes of its sum."""
        rng = self.rng
        first = rng.choice(("b[i]", "b[i]", "x[i]"))
        if whole:
            return rng.choice((f"{first} - {sum_text}", f"{first} + {sum_text}", f"{first} ^ {sum_text}"))
        return rng.choice(
            (
                f"({first} - {sum_text}) / d[i]",
                f"({first} - {sum_text}) / d[i]",
                f"{first} - {sum_text}",
                f"0.5 * {sum_text} + {first}",
                f"np.maximum({first} - {sum_text}, 0)" if rng.random() < 0.5 else f"{first} + {sum_text} * d[i]",
            )
        )

    def recurrence_of_slices(self, whole, second):
        rng = self.rng
        low = 1 if second and rng.random() < 0.3 else 0
        before = f"{low or ''}:i"
        row = rng.choice((f"L[i, {before}]", f"L[i, {before}]", f"L[{before}, i]"))
        x = f"x[{before}]"
        text = rng.choice(
            (f"{row} @ {x}", f"np.dot({row}, {x})", f"np.dot({x}, {row})", f"np.sum({row} * {x})", f"({row} * {x}).sum()")
        )
        if "@" in text:
            text = f"({text})"
        value = self.stored_in("x", self.solved(text, whole))
        if rng.random() < 0.2:
            return [f"for i in range({low}, N):" if low else "for i in range(N):", f"    s = {text}", f"    x[i] = {self.stored_in('x', self.solved('s', whole))}"]
        return [f"for i in range({low}, N):" if low else "for i in range(N):", f"    x[i] = {value}"]

    def stored_in(self, name, value):
        """Whole numbers of NumPy do not fit a smaller array by themselves."""
        array = self.arrays[name]
        return f"np.{array.dtype.name}({value})" if array.family == "int" else value

    def start_of_sum(self, whole):
        dtype = self.arrays["x"].dtype
        return f"np.{dtype.name}(0)" if whole or dtype.itemsize < 8 else "0.0"

    def recurrence_of_loops(self, whole, second):
        rng = self.rng
        low = 1 if second else 0
        lower = low if rng.random() < 0.8 else 1 - low
        term = rng.choice(("L[i, k] * x[k]", "L[i, k] * x[k]", "x[k] * L[k, i]", "L[i, k] * x[k] * x[0]" if low else "L[i, k] * (x[k] - b[k])"))
        if rng.random() < 0.15 and not whole:
            term += " * (i - k) * 0.125"
        op = rng.choice(("+", "+", "+", "-"))
        step = f"s {op}= {term}"
        if whole and rng.random() < 0.3:
            step = f"s = max(s, {term})"
        lines = [f"for i in range({low}, N):", f"    s = {self.start_of_sum(whole)}", f"    for k in range({lower}, i):", f"        {step}"]
        return [*lines, f"    x[i] = {self.stored_in('x', self.solved('s', whole))}"]

    def recurrence_of_pairs(self, whole, second):
        lines = ["for i in range(N):", f"    s = {self.start_of_sum(whole)}", "    for k in range(i):"]
        lines.append("        s += L[i, k] * x[k] - L[k, i] * y[k]" + (" * b[i]" if second else ""))
        value = "s + b[i]" if whole else "0.25 * s + b[i]"
        return [*lines, f"    x[i] = {self.stored_in('x', value)}", f"    y[i] = {self.stored_in('y', 'x[i] - s')}"]

    def recurrence_of_rows(self, whole, second):
        """Several right sides at once."""
        product = "L[i, :i] @ X[:i]" if second else "L[i, :i] @ X[:i, :]"
        if self.rng.random() < 0.4:
            return ["for i in range(N):", "    X[i] -= " + product]
        rest = "" if whole else " / d[i]"
        return ["for i in range(N):", f"    X[i, :] = (B[i, :] - {product}){rest}"]

    def recurrence_backward(self, whole, second):
        text = self.rng.choice(("(L[i, i + 1:] @ x[i + 1:])", "np.sum(L[i, i + 1:] * x[i + 1:])"))
        if second:
            text = text.replace("L[i, i + 1:]", "L[i + 1:, i]")
        return ["for i in range(N - 1, -1, -1):", f"    x[i] = {self.stored_in('x', self.solved(text, whole))}"]

    # --- bins

    def bins(self):
        rng = self.rng
        self.sizes = ["N", "B"]
        whole = rng.random() < 0.4
        self.style.exact, self.style.families = whole, ("int", "bool") if whole else ("float", "bool")
        self.pools = {"N": (127, 128, 129, 255, 257, 600), "B": (1, 2, 5, 9, 31, 33)}
        short = rng.choice(("i32", "i64", "u8", "i16") if whole else ("f64", "f64", "f32"))
        data = self.given("d", "N", short, values=self.special(0.1) if not whole else None)
        kind = rng.choice(("ordered", "ordered", "overlapping", "edges", "labels", "of counts"))
        x_short = rng.choice(("f64", "f64", "f32"))
        x_values = "rng.random({0}) * 8"
        if rng.random() < 0.15:
            x_values = "rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 0.5, 2.5, 3.0]), {0})"
        if kind in ("labels", "of counts"):
            x_short, x_values = rng.choice(("i32", "i64", "u8")), "rng.integers(0, 12, {0})"
        self.given("x", "N", x_short, values=x_values)
        sum_short = {"i": "i64", "u": "u64", "b": "i64"}.get(data.dtype.kind, short)
        result = self.given("r", "B", sum_short, True)
        more = self.given("q", "B", "i64", True) if rng.random() < 0.4 else None
        if kind == "edges":
            edges = rng.choice(("np.arange({0}[0]) * 0.75", "rng.random({0}) * 8"))
            self.given("e", "B", x_short, values=edges)

        def emit():
            rate = rng.choice(("0.5", "1.0")) if x_short == "f32" else rng.choice(("0.5", "1.0", "0.75"))
            scale = rate + " * {}"
            if kind == "ordered" and rng.random() < 0.3 and self.need(Dim("N")):
                self.emit("top = np.max(x)")
                scale = "top * {} / B"
            low, high = scale.format("b"), scale.format(f"(b + {2 if kind == 'overlapping' else 1})")
            header = "for b in range(B):"
            if kind == "edges":
                header, low, high = "for b in range(B - 1):", "e[b]", "e[b + 1]"
            ends = rng.choice((("<=", "<"), ("<=", "<"), ("<", "<="), ("<=", "<=")))
            left = f"{low} {ends[0]} {{0}}" if rng.random() < 0.7 else f"{{0}} {'>=' if '=' in ends[0] else '>'} {low}"
            right = f"{{0}} {ends[1]} {high}"
            mask = f"({left}) & ({right})"
            if kind in ("labels", "of counts"):
                mask = rng.choice(("{0} == b", "{0} == b", "{0} % 5 == b", "({0} == b) | ({0} == b + 3)"))
            elif rng.random() < 0.5:
                mask = f"np.logical_and({left}, {right})"
            self.emit_block(self.bin_loop(header, mask, result, more, whole))

        return emit

    def bin_loop(self, header, mask, result, more, whole):
        rng = self.rng
        lines = ["#pragma parallel for"] if rng.random() < 0.25 else []
        lines += [header]
        if rng.random() < 0.3:  # element by element
            element = mask.format("x[i]")
            lines += [f"    s = {'np.int64(0)' if whole else '0.0'}", "    for i in range(N):", f"        if {element}:", "            s += d[i]"]
            value = "s" if result.dtype.kind == "f" else f"np.{result.dtype.name}(s)"
            lines.append(f"    r[b] = {value}")
        else:
            total = rng.choice(("d[m].sum()", "np.sum(d[m])", "np.where(m, d, 0).sum()", "np.sum(d * m)"))
            if not whole and "where" not in total and rng.random() < 0.3:
                total = "d[m].mean()"
            if result.dtype.kind in "iu":
                total = f"np.{result.dtype.name}({total})"
            lines += [f"    m = {mask.format('x')}", f"    r[b] = {total}"]
            if more:
                lines.append(f"    q[b] {rng.choice(('=', '+='))} np.sum(m)")
                self.wrote(more)
        self.wrote(result)
        return lines
