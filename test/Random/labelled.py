"""Random functions in ParPy's notation: labels on loops and statements, and a schedule of some of them at a call of the file. What a schedule
makes parallel is so by construction; the rest is open."""

from __future__ import annotations

from threads import NUMPY, indented


class Labelled:
    """One function, a call that nobody makes, and the inputs to call it with."""

    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.short = rng.choice(("f64", "f64", "f32", "i64", "i32"))
        self.schedule, self.labels = {}, 0

    def one_of(self, *texts):
        return self.rng.choice(texts)

    # --- labels

    def labelled(self, lines, folds=False):
        """Lines with a label above them or none, that the schedule has or not."""
        return self.label(folds, lines) + lines if self.rng.random() < 0.8 else lines

    def label(self, folds, lines, alone=False):
        kind = "fold" if folds else "map"
        earlier = [name for name in self.schedule if name.startswith(kind) and not any(name in line for line in lines)]
        if earlier and self.rng.random() < 0.2:
            return [f"parpy.label('{self.rng.choice(earlier)}')"]
        name = f"{kind}{self.labels}"
        self.labels += 1
        more = [f"parpy.label('also{self.labels}')"] if not alone and self.rng.random() < 0.1 else []
        if self.rng.random() < 0.75:
            count = self.one_of("threads(32)", "threads(64)", "threads(100)", "threads(256)", "threads(1024)", "threads(4096)", "threads(x.shape[0])")
            words = [count] + [self.one_of("reduce()", "par_reduction()")] * folds + ["tpb(64)"] * (self.rng.random() < 0.2)
            self.schedule[name] = "parpy." + ".".join(words)
        return [f"parpy.label('{name}')", *more]

    # --- expressions

    def value(self, leaves, depth=2):
        if depth == 0 or self.rng.random() < 0.2:
            return self.one_of(*leaves)
        a = b = self.value(leaves, depth - 1)
        while a == b:  # nothing cancels: a fold of zeros is none
            b = self.value(leaves, depth - 1)
        if self.short[0] == "f":
            return self.one_of(f"({a} + {b})", f"({a} - {b})", f"{a} * 0.5", f"{a} / 4", f"parpy.abs({a})", f"parpy.min({a}, {b})", f"parpy.max({a}, {b})",
                               f"parpy.tanh({a})", f"parpy.exp(-parpy.abs({a}))", f"parpy.sqrt(parpy.abs({a}))", f"(1 - {a})")  # fmt: skip
        return self.one_of(f"({a} + {b})", f"({a} - {b})", f"{a} * 3", f"{a} // 3", f"{a} % 7", f"parpy.abs({a})", f"parpy.min({a}, {b})", f"parpy.max({a}, {b})",
                           f"({a} & 15)", f"({a} ^ {b})")  # fmt: skip

    # --- nests

    def rows(self):
        """Each element by itself, or each row in order."""
        leaves = ["x[i, j]", "w[j]", "y[i]", "s", "x[i, M - 1 - j]"]
        line = f"z[i, j] = {self.value(leaves)}"
        inner = ["for j in range(M):", f"    {line}"]
        if self.rng.random() < 0.3:
            inner[1:] = [f"    if {self.one_of('x[i, j] > s', 'j % 2 == 0', 'i < j')}:", f"        {line}", "    else:", f"        z[i, j] = {self.value(leaves, 1)}"]
        in_order = ["for j in range(1, M):", f"    z[i, j] = z[i, j - 1] {self.one_of('+', '-')} {self.value(leaves, 1)}"]
        inner = in_order if self.rng.random() < 0.2 else self.labelled(inner)
        return self.labelled(["for i in range(N):", *indented(inner)])

    def row_folds(self):
        leaves = ["x[i, j]", "w[j]", "s"]
        value = self.value(leaves, 1)
        fold = self.one_of(f"y[i] += {value}", f"y[i] = y[i] + {value}", f"y[i] = parpy.max(y[i], {value})", f"y[i] = parpy.min({value}, y[i])")
        inner = self.labelled(["for j in range(M):", f"    {fold}"], folds=True)
        start = [self.one_of("y[i] = 0", "y[i] = s", "y[i] = x[i, 0]")] * (self.rng.random() < 0.7)
        return self.labelled(["for i in range(N):", *indented(start + inner)])

    def whole_fold(self):
        place = f"out[{self.rng.choice((0, 1))}]"
        value = self.value(["y[i]", "s", "x[i, 0]"], 1)
        fold = self.one_of(f"{place} += {value}", f"{place} = parpy.max({place}, {value})", f"{place} = parpy.min({value}, {place})")
        start = [f"{place} = {self.one_of('0', 's', '1')}"] * (self.rng.random() < 0.6)
        return [*start, *self.labelled(["for i in range(N):", f"    {fold}"], folds=True)]

    def slices(self):
        target, leaves, labels = self.one_of(("z[:, :]", ["x[:, :]", "w[:]", "s"], 2), ("z[1:, :]", ["x[:-1, :]", "w[:]"], 2), ("w[:]", ["x[0, :]", "s"], 1), ("y[:]", ["x[:, 0]", "y[:]"], 1))
        value = f"{self.value(leaves, 1)} + {leaves[0]}"
        above = []
        for _ in range(labels if self.rng.random() < 0.8 else 0):  # one for each slice
            above += self.label(False, above, alone=True)
        return [*above, f"{target} = {value}"]

    def folded_slices(self):
        fold = self.one_of("sum", "min", "max")
        return self.one_of([f"y[:] = parpy.{fold}(x[:, :] + w[:], axis=1)"], [f"w[:] = parpy.{fold}(x[:, :], axis=0)"], [f"out[0] = parpy.{fold}(x[:, :])"])

    def in_order(self):
        return self.one_of(["for i in range(1, N):", "    y[i] = y[i - 1] + x[i, 0]"], ["out[1] = out[0] + s", "out[0] += y[0]"], ["for j in range(M):", "    w[j] = w[j] - w[0]"])

    def short_rows(self):
        return self.labelled(["for i in range(N):", *indented(self.labelled(["for j in range(i % 4):", f"    y[i] += {self.one_of('s', 'x[i, 0]', 'j')}"], folds=True))])

    def statement(self, depth=1):
        if depth and self.rng.random() < 0.15:
            return [f"for t in range({self.one_of('2', '3', 'T')}):", *indented(self.statement(0))]
        if depth and self.rng.random() < 0.15:
            return ["with parpy.gpu:", *indented(self.statement(0))]
        return self.rng.choice((self.rows, self.rows, self.row_folds, self.row_folds, self.whole_fold, self.slices, self.folded_slices, self.in_order, self.short_rows))()

    def text(self):
        rng, short, dtype = self.rng, self.short, f"np.{NUMPY[self.short]}"
        body = [line for _ in range(rng.choice((1, 2, 3, 4))) for line in self.statement()]
        types = {"x": "N, M", "z": "N, M", "y": "N", "w": "M", "out": "2"}
        params = ", ".join(f'{name}: "{short}[{sizes}]"' for name, sizes in types.items()) + f', s: "{short}", N: "i64", M: "i64", T: "i64"'
        head = f"@parpy.jit\ndef {self.name}({params}):\n" + "".join(f"    {line}\n" for line in body)
        schedule = ", ".join(f"'{name}': {words}" for name, words in self.schedule.items())
        caller = f"def {self.name}_hcall(x, z, y, w, out, s):\n    {self.name}(x, z, y, w, out, s, x.shape[0], x.shape[1], 2, opts=parpy.par({{{schedule}}}))\n"
        drawn = [f"(rng.integers(-16, 17, ({sizes},)){' / 4' if short[0] == 'f' else ''}).astype({dtype})" for sizes in types.values()]
        cases = ", ".join(str((rng.choice(n), rng.choice(m))) for n, m in (((1, 2), (1, 2, 3)), ((3, 7, 8), (1, 4, 31)), ((17, 33, 65), (2, 32, 33))))
        inputs = f"def inputs_{self.name}(size, rng):\n    N, M = ({cases})[size]\n    return {', '.join(drawn)}, {dtype}(2), N, M, rng.integers(0, 4)\n"
        return "\n\n".join([*([caller] if self.schedule else []), head, inputs])
