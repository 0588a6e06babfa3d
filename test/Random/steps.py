"""One more kind of pattern (patterns.py): a loop of the host whose steps are a few small updates of the same arrays, each of
which may need what others of this step or of the one before have left."""

from __future__ import annotations

ROWS, COLUMNS, TIMES = (1, 2, 5, 16, 31, 33, 40), (1, 2, 3, 7, 16, 33), (0, 1, 2, 3, 6)


class StepPatterns:
    def steps(self):
        rng = self.rng
        self.whole = rng.random() < 0.4
        self.style.exact = self.whole
        self.style.families = ("int", "bool") if self.whole else ("float",)
        short = rng.choice(("i64", "i32")) if self.whole else rng.choice(("f64", "f64", "f32"))
        self.sizes, self.pools = ["N", "M", "S"], {"N": ROWS, "M": COLUMNS, "S": TIMES}
        arrays = [self.given(name, "N M", short, True) for name in "ab"]
        arrays += [self.given("u", "N", short, True), self.given("v", "M", short, True)]
        self.given("f", "S", short)

        def emit():
            index, head = rng.choice(
                (("t", "for t in range(S):"),) * 3
                + (("t", "for t in range(S - 1, -1, -1):"), ("k", "for k in range(min(N, M)):"), ("k", "for k in range(1, min(N, M)):"))
            )
            head = head.replace("S", "f.shape[0]")
            head = head.replace("min(N, M)", rng.choice(("N", "M"))) if index == "k" else head
            rows = "N" in head
            updates = [self.plane_update(index, rows) for _ in range(rng.choice((1, 2, 2, 3, 4, 5)))]
            lines = [line for update in updates for line in update]
            if rng.random() < 0.15:
                lines = [f"if {index} % 2 == 0:", *["    " + line for line in lines], "else:", *["    " + line for line in self.plane_update(index, rows)]]
            self.minimum.update(N=1, M=1)
            self.emit_block([head, *["    " + line for line in lines]])
            for array in arrays:
                self.wrote(array)

        return emit

    def small(self, value):
        """Values stay small from step to step."""
        return f"({value}) % 13" if self.whole else f"0.25 * ({value})"

    def plane(self, index, rows):
        rng = self.rng
        to, of = rng.choice(("ab", "ba", "ab", "ba", "aa"))
        shifts = (("1:, :", ":-1, :"), (":-1, :", "1:, :"), (":, 1:", ":, :-1"), (":, :-1", ":, 1:"), (":, :", ":, :"), (":, :", "::-1, :"))
        target, source = rng.choice(shifts)
        if index == "k" and rng.random() < 0.6:
            target, source = rng.choice((("k:, :", "k:, :"), ("k + 1:, :", "k:-1, :")) if rows else ((":, k:", ":, k:"), (":, k + 1:", ":, k:-1")))
        other = f"{to}[{target}]"
        return [f"{to}[{target}] = " + self.small(f"{of}[{source}] + {other}")]

    def plane_update(self, index, rows):
        rng = self.rng
        what = rng.random()
        total = "np.sum({0})" if self.whole else "np.sum({0}) / (N * M)"
        if what < 0.35:
            return self.plane(index, rows)
        if what < 0.45:
            return ["for i in range(N):", "    s = " + total.format(f"{rng.choice('ab')}[i, :] * v"), "    u[i] = " + self.small("s + u[i]")]
        if what < 0.55:
            return ["for j in range(M):", "    s = " + total.format(f"{rng.choice('ab')}[:, j] * u"), "    v[j] = " + self.small("s - v[j]")]
        if what < 0.65:
            return [f"s = {total.format(rng.choice('uv'))}", rng.choice(("u[:] = ", "v[0] = ", "u[N - 1] = ")) + self.small("s + 2")]
        if what < 0.75:
            return [rng.choice(("a[0, :] = v", "b[:, -1] = u", "a[:, 0] = a[:, -1]", "b[-1, :] = b[0, :]", "u[1:] = u[:-1]", "v[::-1] = v * 1"))]
        if what < 0.85:
            to, of = rng.choice(("ab", "ba"))
            bound = rng.choice(("min(i, M)", "min(i + 1, M)"))
            return ["for i in range(N):", f"    for j in range({bound}):", f"        {to}[i, j] = " + self.small(f"{of}[i, j] + u[i]")]
        if what < 0.92:
            return ["u[:] = " + self.small(f"u + {index}")]
        return ["for i in range(1, N):", "    u[i] = " + self.small("u[i - 1] + u[i]")]
