"""Random ufuncs of Numba's decorators, of numbers and of rows, and a function that calls them and their methods."""

from __future__ import annotations

from threads import NUMBA, NUMPY, indented


class UfuncCalls:
    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.short = rng.choice(("f64", "f64", "f32", "i64", "i32"))
        self.definitions, self.whole, self.rows = [], [], []

    def one_of(self, *texts):
        return self.rng.choice(texts)

    def value(self, leaves, depth=2):
        if depth == 0 or self.rng.random() < 0.2:
            return self.one_of(*leaves)
        a, b = self.value(leaves, depth - 1), self.value(leaves, depth - 1)
        more = (f"{a} * 0.5", f"{a} / 4") if self.short[0] == "f" else (f"{a} // 3", f"{a} % 7", f"({a} & 15)")
        return self.one_of(f"({a} + {b})", f"({a} - {b})", f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"({a} if {a} > {b} else {b})", *more)

    # --- ufuncs

    def of_numbers(self):
        name, count, code = f"{self.name}_hv{len(self.whole)}", self.rng.choice((1, 2, 2, 3)), NUMBA[self.short]
        params = ["a", "b", "c"][:count]
        value = self.one_of("min(a, b)", "max(a, b)", "a", "b") if count == 2 and self.rng.random() < 0.5 else self.value(params)
        rows = [f"'{code}({', '.join([code] * count)})'"] + ["'f8(" + ", ".join(["f8"] * count) + ")'"] * (self.short == "f32")
        self.definitions.append(f"@vectorize([{', '.join(rows)}])\ndef {name}({', '.join(params)}):\n    return {value}\n")
        self.whole.append((name, count))

    def of_rows(self):
        name, code = f"{self.name}_hg{len(self.rows)}", NUMBA[self.short]
        layout, types, body = self.rng.choice((
            ("(n)->()", ("[:]", "[:]"), [f"t = {self.value(['u[0]', 'u[-1]'], 1)}", "for i in range(len(u)):", f"    t = {self.value(['t', 'u[i]'], 1)}", "r[0] = t"]),
            ("(n),()->(n)", ("[:]", "", "[:]"), ["for i in range(u.shape[0]):", f"    r[i] = {self.value(['u[i]', 'w', 'u[-1 - i]'])}"]),
            ("(n),(n)->(n)", ("[:]", "[:]", "[:]"), ["t = u[0]", "for i in range(u.shape[0]):", f"    t = {self.value(['t', 'w[i]'], 1)}", f"    r[i] = {self.value(['t', 'u[i]'], 1)}"]),
            ("(),()->()", ("[:]", "", "[:]"), [f"r[0] = {self.value(['u[0]', 'w'])}"]),
        ))  # fmt: skip
        params = ["u", "w", "r"] if len(types) == 3 else ["u", "r"]
        self.definitions.append(f"@guvectorize(['({', '.join(code + t for t in types)})'], '{layout}')\ndef {name}({', '.join(params)}):\n" + "".join(f"    {line}\n" for line in body))
        self.rows.append((name, layout))

    # --- calls

    def operand(self, depth=1):
        return self.one_of("x", "y", "a", "a", "a[:, ::-1]", "a[:, :1]", "s", "a + 1", *([self.call(0)] if depth else []))

    def call(self, depth=1):
        name, count = self.rng.choice(self.whole)
        return f"{name}({', '.join(self.operand(depth) for _ in range(count))})"

    def row_call(self):
        name, layout = self.rng.choice(self.rows)
        first = self.one_of("a", "a[:, ::-1]", "x", "a * 2", "a[:, None]")
        second = {"(n),()->(n)": self.one_of("s", "a[:, 0]", "3"), "(n),(n)->(n)": self.one_of("x", "a"), "(),()->()": self.one_of("s", "x", "a")}.get(layout)
        args = [first] + [second] * (second is not None)
        out = {"(n)->()": "c", "(),()->()": "b"}.get(layout, "b")
        if self.rng.random() < 0.4 and first[0] == "a" and "None" not in first:
            return [f"{name}({', '.join(args)}, {self.one_of('', 'out=')}{out})"]
        return [f"r = {name}({', '.join(args)})"]

    def statement(self):
        twos = [name for name, count in self.whole if count == 2]
        kind = self.rng.random()
        if kind < 0.25:
            return [f"r = {self.call()}"]
        if kind < 0.35:
            return [f"{self.call()[:-1]}, out=b)"]
        if kind < 0.7 or not twos:
            return self.row_call()
        two = self.rng.choice(twos)
        return [self.one_of(f"r = {two}.accumulate(a, axis={self.one_of('0', '1')})", f"r = {two}.reduce(a, axis={self.one_of('0', '1')})", f"r = {two}.outer(x, a[0])",
                            f"{two}.at(y, k, x[:4])", f"{two}.at(y, k, 1)", f"for i in range(2):\n        b[i] = {two}(x, b[i])")]  # fmt: skip

    def text(self):
        for _ in range(self.rng.choice((1, 2))):
            self.of_numbers()
        for _ in range(self.rng.choice((1, 2))):
            self.of_rows()
        lines, results = [], ["x"]
        for line in [line for _ in range(self.rng.choice((1, 2, 3))) for line in self.statement()]:
            if line.startswith("r = "):
                results.append(f"r{len(results)}")
                line = results[-1] + line[1:]
            lines.append(line)
        short, dtype = self.short, f"np.{NUMPY[self.short]}"
        drawn = [f"(rng.integers(-16, 17, {shape}){' / 4' if short[0] == 'f' else ''}).astype({dtype})" for shape in ("M", "M", "(N, M)", "(N, M)", "N")]
        params = f"x: {short}[M], y: {short}[M], a: {short}[N, M], b: {short}[N, M], c: {short}[N], k: i64[4], s: {short}"
        head = f"def {self.name}({params}):\n" + "".join(indented([line + "\n" for line in [*lines, f"return {', '.join(results)}"]]))
        cases = ", ".join(str((self.rng.choice(n), self.rng.choice(m))) for n, m in (((2, 3), (4, 5)), ((2, 7), (4, 31)), ((17, 33), (8, 33))))
        inputs = f"def inputs_{self.name}(size, rng):\n    N, M = ({cases})[size]\n    return {', '.join(drawn)}, rng.integers(-4, 4, 4), {dtype}(3)\n"
        return "\n\n".join([*self.definitions, head, inputs])
