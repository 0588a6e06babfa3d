"""One more kind of pattern (patterns.py): steps of a loop that make sums and vectors, which every iteration of the loop
behind them reads."""

from __future__ import annotations

ROWS, COLUMNS = (1, 2, 15, 31, 33, 64, 65), (0, 1, 2, 3, 5, 7)


class ProducerPatterns:
    def producers(self):
        rng = self.rng
        self.whole = rng.random() < 0.35
        self.style.exact = self.whole
        self.style.families = ("int", "bool") if self.whole else ("float",)
        short = "i64" if self.whole else rng.choice(("f64", "f64", "f32"))
        self.sizes, self.pools = ["N", "M"], {"N": ROWS, "M": COLUMNS}
        self.by_rows = rng.random() < 0.35
        special = None if self.whole else self.special(0.1)
        arrays = [self.given("a", "M N" if self.by_rows else "N M", short, True, values=special)]
        arrays += [self.given(name, "N", short, True) for name in "qp"]
        arrays.append(self.given("r", "M M", short, True))

        self.least = 0

        def emit():
            made = [self.producer() for _ in range(rng.choice((1, 2, 2, 3, 4)))]
            first = [f"s = {self.total(self.vector('k'))}"]
            if rng.random() < 0.1:
                rng.shuffle(made)
                first = ["s = " + ("3" if self.whole else "0.5")]
            lines = [line for part in [first, *made] for line in part]
            low, high = rng.choice((("k + 1", "M"),) * 6 + (("k", "M"), ("0", "k"), ("0", "M"), ("k + 3", "M"), ("k + 1", "M - 1")))
            step = rng.choice(("", "", "", ", 2"))
            reader = self.reader()
            self.minimum["N"] = max(self.minimum["N"], self.least)
            self.emit_block(
                [rng.choice(("for k in range(M):", "for k in range(M):", "for k in range(M - 1, -1, -1):", "for k in range(1, M):"))]
                + ["    " + line for line in lines]
                + [f"    for j in range({low}, {high}{step}):"]
                + ["        " + line for line in reader]
            )
            for array in arrays:
                self.wrote(array)

        return emit

    def vector(self, k):
        return f"a[{k}, :]" if self.by_rows else f"a[:, {k}]"

    def total(self, value):
        if self.rng.random() < 0.3:
            self.least = 1
            return f"np.max({value})"
        return f"np.sum({value})" if self.whole else f"np.sum({value}) / N"

    def producer(self):
        """A scalar, an element, a vector; mostly from what there is of column k."""
        rng = self.rng
        source = rng.choice((*[self.vector("k")] * 6, "q", "p"))
        scale = "s" if self.whole else rng.choice(("s", "0.5", "r[k, k]"))
        what = rng.random()
        if what < 0.25:
            return [f"s = {self.total(rng.choice((source, f'{source} * {source}')))}"]
        if what < 0.4:
            self.least = 1
            place = rng.choice(("r[k, k]", "r[k, k]", "r[k, k]", "r[0, k]", "q[0]", "p[N - 1]"))
            return [f"{place} = " + ("s - 2" if self.whole else "0.5 * s")]
        if what < 0.5:
            return [f"x = {self.total(source)}", "s = s + x" if self.whole else "s = 0.5 * (s + x)"]
        target, value = rng.choice("qp"), f"{source} + {scale}"
        if not self.whole:
            value = rng.choice((f"0.5 * {source}", f"{source} / (1.5 + {source} * {source})", f"0.5 * ({source} + {scale})", f"{source} * 0.25 - s"))
        if rng.random() < 0.2:
            return [f"{target}[1:] = ({value})[{rng.choice(('1:', ':-1'))}]"]
        if rng.random() < 0.2:
            return ["for i in range(N):", f"    {target}[i] = {source.replace(':', 'i') if ':' in source else source + '[i]'}"]
        return [f"{target}[:] = {value}"]

    def reader(self):
        """What an iteration does to a column of its own."""
        rng = self.rng
        own, vector = self.vector("j"), rng.choice(("q", "q", "p", self.vector("k"), "q[::-1]"))
        lines = [f"t = {self.total(f'{vector} * {own}')}"]
        if rng.random() < 0.3:
            lines.append(f"r[k, j] = {rng.choice(('t', 's', 'r[k, k]'))}")
        factor = rng.choice(("t", "t", "s", "r[k, k]"))
        if self.whole:
            return [*lines, f"{own} = ({own} + {vector} * {factor} + t) % 17"]
        return [*lines, f"{own} = 0.5 * {own} {rng.choice('+-')} 0.125 * {vector} * {factor} + 0.0625 * t"]
