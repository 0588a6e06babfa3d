"""One more kind of pattern (patterns.py): loops of the host whose steps hand something on, or share elements: flags that are
raised, stores where the data say, updates of neighbours, states that begin anew, searches among those that a condition leaves;
several of them in a step, in order or turned round, now and then in a loop that goes on while something moves."""

from __future__ import annotations

LENGTHS, PLACES = (2, 3, 33, 64, 300), (1, 2, 7, 64)


class HandingPatterns:
    def handing(self):
        rng = self.rng
        self.handed_whole = rng.random() < 0.5
        self.style.exact, self.style.families = self.handed_whole, ("bool", "int") if self.handed_whole else ("bool", "float", "int")
        self.sizes, self.pools = ["N", "K"], {"N": LENGTHS, "K": PLACES}
        short = rng.choice(("i64", "i64", "i32")) if self.handed_whole else "f64"
        few = "rng.integers(-9, 10, {0})" if self.handed_whole else None
        self.given("x", "N", short, values=few or self.special(0.05))
        self.given("c", "N", "bool")
        self.given("p", "N", "i64", values=rng.choice(("rng.integers(0, K, {0})", "rng.permutation(N) % K", "np.arange(N) % K")))
        arrays = [self.given(name, dims, short, True, values=few) for name, dims in (("f", "N"), ("g", "N"), ("out", "K"), ("bins", "K"))]
        arrays.append(self.given("k", "N", "i64", True))

        def emit():
            self.minimum.update(N=2, K=1)
            for _ in range(rng.choice((1, 1, 2))):
                self.emit_block(self.handing_loop())
            for array in arrays:
                self.wrote(array)

        return emit

    def handing_loop(self):
        rng = self.rng
        number = "5" if self.handed_whole else "1.5"
        begun = ["moved = False", "run = 0", "longest = 0", f"low = {number}", "at = -1", f"last = {number}", f"total = {number}"]
        parts = [rng.choice((self.flag, self.scatter, self.neighbours, self.state, self.search, self.search))() for _ in range(rng.choice((1, 1, 2, 2, 3)))]
        if rng.random() < 0.3:
            parts.append(rng.choice((["total += x[i]"], ["last = x[i]"], [f"if {self.handing_condition()}:", "    total += x[i]"], ["g[i] = x[i]"], ["total = max(total, x[i])"])))
        rng.shuffle(parts)
        head = rng.choice(("for i in range(1, N - 1):",) * 4 + ("for i in range(N - 2, 0, -1):", "for i in range(1, N - 1, 2):"))
        lines = [head, *["    " + line for part in parts for line in part]]
        around = rng.random()
        if around < 0.15:
            lines = ["for t in range(3):", *["    " + line for line in [*rng.choice(([], ["moved = False"], ["run = 0"], [f"low = {number}"])), *lines]]]
        elif around < 0.25:
            lines = ["turn = 0", "while turn < 3:", *["    " + line for line in ["moved = False", *lines, "turn += 1", "if not moved:", "    break"]]]
        kept = ["k[0] = run + at * 3", "k[1] = longest * 2 + moved", "bins[0] = low", "f[0] = last", "g[0] = total"]
        return [*begun, *lines, *kept]

    def handing_value(self):
        whole = ("x[i]", "x[i] + 2", "(x[i] * 3 + i) % 11", "x[i] - x[i - 1]", "x[p[i] % N]")
        return self.rng.choice(whole if self.handed_whole else ("x[i]", "x[i] * 0.5", "x[i] + 0.25", "x[i] - x[i - 1]", "x[p[i] % N]"))

    def handing_condition(self):
        rng = self.rng
        one = ("c[i]", "x[i] > 1", "x[i] != x[i - 1]", "i % 3 == 1", "p[i] < 2", "not c[i - 1]", "x[i] <= x[i + 1]")
        return rng.choice(one) if rng.random() < 0.8 else f"{rng.choice(one)} {rng.choice(('and', 'or'))} {rng.choice(one)}"

    def under(self, lines, chance):
        """The lines, now and then under a condition."""
        return [f"if {self.handing_condition()}:", *["    " + line for line in lines]] if self.rng.random() < chance else lines

    def flag(self):
        rng = self.rng
        return self.under(rng.choice((["moved = True"], ["moved = True"], ["moved = moved or c[i]"], ["moved = True", "g[i] = " + self.handing_value()], ["moved |= c[i]"])), 1.0)

    def scatter(self):
        rng = self.rng
        place = rng.choice(("p[i]", "p[i]", "(p[i] * 5) % K", "p[i - 1]", "i % K"))
        value = self.handing_value()
        return self.under(rng.choice((
            [f"out[{place}] = {value}"], [f"out[{place}] = {value}"], [f"out[{place}] = {value}", f"out[p[i + 1]] = {self.handing_value()}"],
            [f"bins[{place}] += 1"], [f"out[{place}] = {value}", f"bins[{place}] += 1"], [f"bins[{place}] = max(bins[{place}], {value})"],
            [f"q = {place}", f"out[q] = {value}"], [f"g[i] = out[{place}]", f"out[{place}] = {value}"],
        )), 0.35)  # fmt: skip

    def neighbours(self):
        rng = self.rng
        here, there = rng.choice((("i", "i + 1"), ("i - 1", "i"), ("i + 1", "i - 1"), ("i", "i - 1"), ("i", "i")))
        value = self.handing_value()
        return self.under(rng.choice((
            [f"s = {value}", f"f[{here}] += s", f"f[{there}] -= s"], [f"f[{here}] += {value}", f"f[{there}] += 1"],
            [f"s = {value}", f"f[{here}] += s", f"g[{there}] -= s"], [f"f[{here}] = max(f[{here}], {value})", f"f[{there}] = max(f[{there}], x[i])"],
            [f"s = {value}", f"f[{here}] += s", f"f[{there}] -= s", "total += s"], [f"f[{here}] -= {value}", f"f[{there}] -= {value}", f"f[{here}] += 1"],
        )), 0.2)  # fmt: skip

    def state(self):
        rng = self.rng
        condition = self.handing_condition()
        step = rng.choice((
            [f"run = run + 1 if {condition} else 0"], [f"if {condition}:", "    run += 1", "else:", "    run = 0"],
            [f"if {condition}:", "    run = 0", "run += 1"], [f"last = x[i] if {condition} else last"], [f"run = i if {condition} else run"],
        ))  # fmt: skip
        return step + rng.choice((["longest = max(longest, run)"], ["k[i] = run"], ["g[i] = last"], ["if run > 2:", "    longest += 1"], ["if run > longest:", "    longest = run"]))

    def search(self):
        rng = self.rng
        test, value = rng.choice(("<", "<", "<=", ">", ">=")), rng.choice(("x[i]", "x[i]", self.handing_value()))
        condition = f" and {self.handing_condition()}" if rng.random() < 0.5 else ""
        more = rng.choice(([], [], ["last = x[i + 1]"], ["g[0] = x[i]"]))
        found = [f"low = {value}", "at = i", *more]
        if condition and rng.random() < 0.4:
            return [f"if {condition[5:]}:", f"    if {value} {test} low:", *["        " + line for line in found]]
        return [f"if {value} {test} low{condition}:", *["    " + line for line in found]]
