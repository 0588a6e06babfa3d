"""Random functions that appyc must translate, as text in the form of test/Execution's programs.

    program(first, count)    a file of the functions of `count` seeds: f7 and inputs_f7 for the seed 7, always the same

Each function is valid Python for every size it is called with, and each annotation in it is right by construction: a
parallel loop writes only elements at its own index, collects in scalars, or updates indivisibly.
"""

from __future__ import annotations

import random
import re

import numpy as np

from expressions import COMPLEX, FLOATS, INTEGERS, NUMPY_NAME, Dim, Expressions, Style, sample_of
from loops import LoopStatements
from names import Array, Scalar
from patterns import PatternStatements

HEADER = '''"""Random functions."""
from __future__ import annotations

import numpy as np
import appy

SIZES = (0, 1, 2)
TRANSLATE_OPTIONS = ("--fmad=off",)
'''

SMALL = (0, 1, 2, 3, 4, 5, 7, 8)
LARGE = (15, 16, 17, 31, 32, 33, 63, 65)
LONG = (127, 128, 129, 255, 256, 257, 300, 1000)
PATTERNED = 0.3  # of all functions: those around one nest of patterns.py


class FunctionMaker(PatternStatements, LoopStatements):
    """One function: parameters, statements, results, and the inputs to call it with."""

    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        exact = rng.random() < 0.55
        families = ["int", "float", "bool"]
        if rng.random() < 0.2:
            families.remove(rng.choice(("int", "float")))
        if not exact and rng.random() < 0.2:
            families.append("complex")
        super().__init__(Expressions(rng, Style(exact, tuple(families), rng.choice((1, 2, 2, 3)))))
        self.sizes = ["N", "M", "K"][: rng.choice((1, 1, 2, 2, 3))]
        self.minimum = dict.fromkeys(self.sizes, 0)  # sizes below raise IndexError or ValueError
        self.helpers = []
        self.pools = {}  # a pattern's sizes
        self.pattern = self.a_pattern() if rng.random() < PATTERNED else None

    # --- types

    def a_dtype(self, family=None):
        family = family or self.rng.choice(self.style.families)
        if family == "int":
            return self.rng.choice(INTEGERS + ("i32", "i64", "i64"))
        return {
            "float": self.rng.choice(FLOATS + ("f64", "f64")),
            "complex": self.rng.choice(COMPLEX),
            "bool": "bool",
        }[family]

    def a_dim(self):
        if self.rng.random() < 0.12:
            return Dim(self.rng.choice("1234"))
        return Dim(self.rng.choice(self.sizes))

    # --- parameters

    def make_parameters(self):
        rng = self.rng
        self.parameters = []  # (name, annotation, recipe)
        for index in range(rng.choice((2, 2, 3, 3, 4))):
            rank = rng.choice((1, 1, 2, 2, 3)) if len(self.sizes) > 1 else rng.choice((1, 1, 1, 2))
            self.add_array_parameter(f"a{index}", [self.a_dim() for _ in range(rank)], self.a_dtype())
        for size in self.sizes:  # each size needs a home
            if not any(Dim(size) in a.shape for a in self.arrays.values()):
                self.add_array_parameter(f"b{size}", [Dim(size)], self.a_dtype())
        if rng.random() < 0.35:
            self.add_index_parameter()
        for index in range(rng.choice((0, 1, 1, 2))):
            self.add_scalar_parameter(f"s{index}")
        if rng.random() < 0.3:
            self.parameters.append(("T", "i64", str(rng.choice((0, 1, 2, 3, 4)))))
            self.scalars["T"] = Scalar("T", 1, small=True)

    def add_array_parameter(self, name, dims, short):
        shape = tuple(1 if d == Dim("1") else d for d in dims)
        dtype = np.dtype(getattr(np, NUMPY_NAME[short]))
        read_only = self.rng.random() < (0.35 if self.style.exact else 0.5)
        exact = self.style.exact or dtype.kind in "iub" or read_only
        array = Array(name, dtype, shape, writable=not read_only, exact=exact and dtype.kind != "c")
        array.given = True
        self.arrays[name] = array
        extents = ", ".join(d.size for d in dims)
        self.parameters.append((name, f"{short}[{extents}]", self.recipe(short, f"({extents},)")))

    def recipe(self, short, shape):
        """A NumPy expression over `rng` for random elements, with the values at which arithmetic goes wrong."""
        rng = self.rng
        dtype = f"np.{NUMPY_NAME[short]}"
        if short == "bool":
            return f"rng.random({shape}) < 0.5"
        if short in COMPLEX:
            return f"((rng.integers(-8, 9, {shape}) + 1j * rng.integers(-8, 9, {shape})) / 4).astype({dtype})"
        if short in FLOATS:
            if self.style.exact and rng.random() < 0.25:
                return f"rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -1.5, 2.0], {dtype}), {shape})"
            return f"(rng.integers(-16, 17, {shape}) / 4).astype({dtype})"
        info = np.iinfo(getattr(np, NUMPY_NAME[short]))
        if rng.random() < 0.4:
            low = 0 if info.min == 0 else -9
            return f"rng.integers({low}, 10, {shape}).astype({dtype})"
        values = sorted(
            {info.min, info.min + 1, max(info.min, -3), max(info.min, -1), 0, 1, 2, 7, info.max - 1, info.max}
        )
        return f"rng.choice(np.array({values}, {dtype}), {shape})"

    def add_index_parameter(self):
        """A vector of positions in an axis as long as itself, each once or not."""
        size = self.rng.choice(self.sizes)
        unique = self.rng.random() < 0.5
        drawn = f"rng.permutation({size})" if unique else f"rng.integers(0, max({size}, 1), {size})"
        short = self.rng.choice(("i32", "i64"))
        array = Array("at", np.dtype(getattr(np, NUMPY_NAME[short])), (Dim(size),), writable=False)
        array.given = True
        self.index_array = (array, unique)
        self.parameters.append(("at", f"{short}[{size}]", f"{drawn}.astype(np.{NUMPY_NAME[short]})"))

    def add_scalar_parameter(self, name):
        rng = self.rng
        if rng.random() < 0.25:  # Python's own number, which is weak
            kind = rng.choice([k for k, f in (("int", "int"), ("float", "float")) if f in self.style.families])
            value = str(rng.choice((0, 1, 2, 3, 5))) if kind == "int" else str(rng.choice((0.5, -1.5, 2.0, 0.0)))
            self.parameters.append((name, kind, value))
            self.scalars[name] = Scalar(name, 1 if kind == "int" else 1.0, high=5)
            return
        short = self.a_dtype()
        values = self.recipe(short, "()")
        sample = sample_of(np.dtype(getattr(np, NUMPY_NAME[short])), 0)
        self.parameters.append((name, short, f"np.{NUMPY_NAME[short]}({values})"))
        self.scalars[name] = Scalar(name, sample, exact=sample.dtype.kind != "c")

    # --- the whole function

    def text(self):
        if self.pattern:
            self.make_around_pattern()
        else:
            self.make_parameters()
            self.define_sizes()
            for _ in range(self.rng.choice((1, 2, 2, 3, 3, 4, 5))):
                self.statement()
        self.return_statement()
        signature = ", ".join(f"{name}: {annotation}" for name, annotation, _ in self.parameters)
        lines = [f"def {self.name}({signature}):", *("    " + line for line in self.lines)]
        return "\n\n\n".join([*self.helpers, "\n".join(lines), self.inputs_text()]) + "\n"

    def make_around_pattern(self):
        """The pattern, and now and then whole-array statements around it. What it writes is not written before."""
        self.parameters = []
        emit = self.pattern()
        self.minimum = dict.fromkeys(self.sizes, 0)
        if self.rng.random() < 0.15:  # types that leave the sizes open
            self.parameters = [(name, re.sub(r"\w+(?=[,\]])", ":", text), r) for name, text, r in self.parameters]
        self.define_sizes()
        written = [a for a in self.arrays.values() if a.writable]
        if self.rng.random() < 0.2:
            for array in written:
                array.writable = False
            self.array_statement()
            for array in written:
                array.writable = True
        emit()
        if self.rng.random() < 0.25:
            self.array_statement()

    def define_sizes(self):
        """`N, M = a.shape` and the like: names for the sizes."""
        missing = list(self.sizes)
        arrays = [a for a in self.arrays.values()]
        self.rng.shuffle(arrays)
        for array in arrays:
            dims = [d for d in array.shape]
            if (
                all(isinstance(d, Dim) and d.size in missing for d in dims)
                and len(set(dims)) == len(dims)
                and len(dims) > 1
            ):
                self.lines.append(f"{', '.join(d.size for d in dims)} = {array.name}.shape")
                missing = [s for s in missing if Dim(s) not in dims]
        for size in missing:
            array, axis = next((a, list(a.shape).index(Dim(size))) for a in arrays if Dim(size) in a.shape)
            form = f"len({array.name})" if axis == 0 and self.rng.random() < 0.4 else f"{array.name}.shape[{axis}]"
            self.lines.append(f"{size} = {form}")

    def statement(self):
        choices = (
            [self.array_statement] * 5
            + [self.loop_statement] * 5
            + [self.branch_statement, self.while_statement, self.scalar_statement, self.time_loop]
        )
        before = len(self.lines)
        for _ in range(10):
            self.rng.choice(choices)()
            if len(self.lines) > before:
                return

    def return_statement(self):
        rng = self.rng
        items = [a.name for a in self.arrays.values() if not a.given and not a.view_of]
        items += [s.name for s in self.scalars.values() if s.made]
        given = [a.name for a in self.arrays.values() if a.given]
        rng.shuffle(items)
        items = items[:4]
        if rng.random() < 0.1:
            items.append(rng.choice(given))
        if items:
            self.lines.append("return " + ", ".join(items))
        elif not any(a.written for a in self.arrays.values()):
            values = [e for e in (self.reduction(), self.reduction()) if e is not None]
            self.lines.append("return " + ", ".join(e.text for e in values) if values else f"return {given[0]} * 1")

    def inputs_text(self):
        rng = self.rng
        cases = []
        pool = LONG if self.all_vectors() and rng.random() < 0.5 else LARGE
        for kind in ("small", "edge", "large"):
            case = []
            for size in self.sizes:
                value = rng.choice(SMALL if kind == "small" else (0, 1, 2) if kind == "edge" else SMALL + pool)
                if kind == "large" and (size in self.pools or size == self.sizes[0]):
                    value = rng.choice(self.pools.get(size, pool))
                case.append(max(value, self.minimum[size]))
            while not self.pools and self.work(case) > 20000:
                case[case.index(max(case))] //= 2
                case = [max(v, self.minimum[s]) for v, s in zip(case, self.sizes)]
            cases.append(tuple(case))
        names = ", ".join(self.sizes) + ","
        rows = ", ".join(str(c) for c in cases)
        values = ",\n            ".join(recipe for _, _, recipe in self.parameters)
        return f"def inputs_{self.name}(size, rng):\n    {names} = ({rows})[size]\n    return ({values},)"

    def all_vectors(self):
        return all(len(a.shape) < 2 for a in self.arrays.values()) and self.nesting < 2

    def work(self, case):
        """About how many iterations CPython has to make."""
        biggest = max(case)
        rank = max([self.nesting] + [len(a.shape) - 1 for a in self.arrays.values()])
        return 40 * biggest**rank if rank > 1 else 8 * biggest


def function(seed):
    return FunctionMaker(f"f{seed}", random.Random(seed)).text()


def program(first, count):
    return HEADER + "".join(f"\n\n{function(seed)}" for seed in range(first, first + count))


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5), end="")
