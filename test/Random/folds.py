"""One more kind of pattern (patterns.py): loops that keep what they fold at each step, in scalars and in elements, several
at once, under conditions, up and down, of rows; now and then steps that no scan can take."""

from __future__ import annotations

LENGTHS, ROWS = (1, 2, 3, 33, 300, 1030), (1, 2, 3)  # rows of more than 1024 are scanned by all threads


class FoldPatterns:
    def folds(self):
        rng = self.rng
        self.style.exact, self.style.families = False, ("bool", "float", "int")
        of_rows = rng.random() < 0.25
        self.sizes, self.pools = ["N", "M"][: 1 + of_rows], {"N": LENGTHS, "M": ROWS}
        dims, self.fold_row = ("M N", "j, ") if of_rows else ("N", "")
        arrays = [self.given(name, dims, "f64", True, values=self.special(0.05) if name == "a" else None) for name in "apq"]
        arrays += [self.given(name, dims, "i64", True) for name in "bk"] + [self.given("c", dims, "bool", True)]

        def emit():
            for size in self.sizes:
                self.minimum[size] = max(self.minimum[size], 1)
            for _ in range(rng.choice((1, 1, 2))):
                lines = self.fold_loop()
                self.emit_block(["for j in range(M):", *["    " + line for line in lines]] if of_rows else lines)
            for array in arrays:
                self.wrote(array)

        return emit

    def fold_at(self, name, index="i"):
        return f"{name}[{self.fold_row}{index}]"

    def fold_loop(self):
        rng = self.rng
        start = self.fold_at("a", rng.choice(("0", "N - 1")))
        lines = ["s = 0.5", "n = np.int64(3)", f"m = {start}", "l = np.int64(2)", f"t = {rng.choice(('True', 'False'))}"]
        parts = [self.fold_step() for _ in range(rng.choice((1, 2, 3)))] + [self.fold_kept() for _ in range(rng.choice((1, 2, 3)))]
        rng.shuffle(parts)
        body = [line for part in parts for line in part]
        takes_before = any("i - 1" in line for line in body)
        steps = ["1, N", "1, N", "1, N, 2", "1, N - 1", "2, N"] + ["N", "N - 1, -1, -1", "N - 1, 0, -1"] * (not takes_before)
        lines += [f"for i in range({rng.choice(steps)}):", f"    x = {self.fold_at('a')} * 0.5", *["    " + line for line in body]]
        last = self.fold_at("p", "0"), self.fold_at("k", "N - 1")
        return lines + rng.choice(([], [f"{last[0]} = s"], [f"{last[1]} = n + l"], [f"{last[0]} = m", f"{last[1]} = n"]))

    def fold_number(self):
        return self.rng.choice((self.fold_at("a"), "x", f"{self.fold_at('b')} * 0.25", "1.5", f"({self.fold_at('a')} if {self.fold_condition()} else -0.5)"))

    def fold_whole(self):
        return self.rng.choice((self.fold_at("b"), "1", "i", f"{self.fold_at('b')} * 3 - i"))

    def fold_condition(self):
        return self.rng.choice((self.fold_at("c"), f"{self.fold_at('a')} > 0.25", f"{self.fold_at('b')} <= 2", "i % 3 == 1"))

    def fold_step(self):
        number, whole, condition = self.fold_number(), self.fold_whole(), self.fold_condition()
        return self.rng.choice((
            [f"s += {number}"], [f"s = {number} + s"], [f"s -= {number}"], [f"n += {whole}"], [f"n *= ({self.fold_at('b')} | 1)"],
            [f"m = max(m, {number})"], [f"m = min({number}, m)"], [f"if {self.fold_at('a')} < m:", f"    m = {self.fold_at('a')}"],
            [f"l = max(l, {self.fold_at('b')})"], [f"t = t or {condition}"], [f"t = {condition} and t"],
            [f"if {condition}:", f"    s += {number}", "    n += 1"], [f"u = n - {whole}", "n = u"], [f"n = n + {whole}", "s = s + x * 0.25"],
            [f"s = s * 0.5 + {number}"], ["n = n + l"], [f"s += {self.fold_at('p')}"],
        ))  # fmt: skip

    def fold_kept(self):
        p, q, k, before = self.fold_at("p"), self.fold_at("q"), self.fold_at("k"), "i - 1"
        return self.rng.choice((
            [f"{q} = s"], [f"{q} = s"], [f"{q} = m - x"], [f"{k} = n"], [f"{k} = n"], [f"{k} = n + l"], [f"{self.fold_at('c')} = t"],
            [f"if {self.fold_condition()}:", f"    {k} = n"], [f"{p} = s * x"], [f"{p} = {self.fold_at('p', before)} + x"],
            [f"{k} += {self.fold_at('k', before)}"], [f"{q} = max({self.fold_at('q', before)}, {q})"], [f"{self.fold_at('a')} = s"],
        ))  # fmt: skip
