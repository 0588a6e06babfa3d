"""One more kind of pattern (patterns.py): loops over neighbouring elements, in rows that are whole vectors or are not, by
threads, warps and blocks; rows that are gone through several times."""

from __future__ import annotations

ROWS, ELEMENTS = (1, 2, 3, 5), (1, 2, 3, 4, 7, 8, 16, 31, 32, 61, 64, 96, 127, 128, 129, 132, 256, 320, 512, 520)


class VectorPatterns:
    def vectors(self):
        rng = self.rng
        self.whole = rng.random() < 0.45
        self.style.exact = self.whole
        self.style.families = ("int", "bool") if self.whole else ("float",)
        short = rng.choice(("i32", "i64", "u8", "i16", "i8") if self.whole else ("f32", "f32", "f64"))
        self.sizes, self.pools = ["N", "M"], {"N": ROWS, "M": ELEMENTS}
        special = None if self.whole else self.special(0.1)
        arrays = [self.given("a", "N M", short, True, values=special), self.given("b", "N M", short, True)]
        arrays += [self.given(name, "M", short, True) for name in "xy"] + [self.given("r", "N", short, True)]
        if not self.whole and rng.random() < 0.4:
            self.given("c", "N M", rng.choice(("f64", "f32", "u8")))
        self.neighbours = [("a", "b", "c") if "c" in self.arrays else ("a", "b"), ("x", "y")]

        def emit():
            self.minimum["N"] = self.minimum["M"] = 1
            for _ in range(rng.choice((1, 1, 2))):
                self.emit_block(rng.choice((self.along_rows, self.along_rows, self.whole_array, self.along_line, self.down_columns))())
            for array in arrays:
                self.wrote(array)

        return emit

    def element_value(self, i, j):
        """Of the element (i, j); now and then of a neighbour, which no vector begins with."""
        rng = self.rng
        rows, line = self.neighbours
        j = rng.choice((j,) * 14 + (f"{j} - 1", f"M - 1 - {j}"))
        terms = [rng.choice([f"{name}[{i}, {j}]" for name in rows] + [f"{name}[{j}]" for name in line] + [f"r[{i}]"]) for _ in range(2)]
        factor = rng.choice(("3", "2") if self.whole else ("0.5", "0.25"))
        return f"{terms[0]} {rng.choice('+-')} {terms[1]}" if rng.random() < 0.6 else f"{factor} * {terms[0]}"

    def along_rows(self):
        """Rows by warps or blocks: sums, maxima, elements, one behind the other."""
        rng = self.rng
        lines, known = [], []
        for n in range(rng.choice((1, 2, 3, 3))):
            kind = rng.choice(("sum", "max", "store", "store"))
            value = self.element_value("i", "j") + (f" - {rng.choice(known)}" if known and rng.random() < 0.7 else "")
            if kind == "store":
                target = rng.choice(("a", "b"))
                value = value.replace(f"{target}[i, j - 1]", f"{target}[i, j]").replace(f"{target}[i, M - 1 - j]", f"{target}[i, j]")
                lines += ["for j in range(M):", f"    {target}[i, j] = {value}"]
                continue
            name = f"s{n}"
            start = "a[i, 0]" if kind == "max" or self.whole else "0.0"
            step = f"{name} + ({value})" if kind == "sum" else f"max({name}, {value})"
            lines += [f"{name} = {start}", "for j in range(M):", f"    {name} = {step}"]
            if not self.whole and kind == "sum":
                lines.append(f"{name} = {name} / M")
            known.append(name)
        if known:
            lines.append(f"r[i] = {rng.choice(known)}")
        return ["for i in range(N):"] + ["    " + line for line in lines]

    def whole_array(self):
        rng = self.rng
        target = rng.choice(("a", "b"))
        other = "b" if target == "a" else "a"
        text = rng.choice((f"{other} + x", f"{other} * {2 if self.whole else 0.5} - {target}", f"np.where({other} > x, {target}, {other})"))
        return [rng.choice((f"{target}[:] = {text}", f"{target}[:, 1:] = {other}[:, 1:] - {target}[:, 1:]", f"{target} += {other}"))]

    def along_line(self):
        rng = self.rng
        at = rng.choice(("", "", "4:", "1:", ":8"))
        part = f"[{at}]" if at else "[:]"
        return [f"y{part} = {rng.choice(('x', 'y', 'a[0]'))}{part if at else ''} + {rng.choice(('x', 'b[0]'))}{part if at else ''}"]

    def down_columns(self):
        """Columns that are updated and summed on the way down."""
        update = self.rng.choice(("+=", "-=")) + " r[i]"
        start = "a[0, j]" if self.whole else "0.0"
        return ["for j in range(M):", f"    t = {start}", "    for i in range(N):", f"        a[i, j] {update}", "        t = t + a[i, j]",
                f"    y[j] = {'t' if self.whole else 't / N'}"]
