"""Programs of random numbers that equal NumPy's bit for bit."""

from __future__ import annotations

import numpy as np
from maker import Maker


class Draws(Maker):
    """Generators and those of their methods whose numbers are NumPy's: in any order, size and type, in loops, branches, helpers."""

    steps = (2, 3, 4)  # each method is translated where it is called, which takes its time

    def begin(self):
        rng = self.rng
        self.an_extent()
        self.a_number("seed", "int", 0, 1, 2, 12345, 2**32 - 1, 2**40 + 3)
        self.an_array("a", rng.choice(("f64", "i64", "f32")), rng.choice(("N", "N", "NM")))
        self.generators = []
        self.of_generators = [self.helper("g, v", self.one_of(
            "return g.random(v)", "return g.random() * v", "return g.integers(10, size=v)", "t = 0\nfor i in range(v):\n    t += g.integers(0, i + 2)\nreturn t",
            "if g.random() < 0.5:\n    return g.random() + v\nreturn 0.0", "return g.permutation(v)", "return g.uniform(-1, 1, v)[::-1]",
        )) for _ in range(rng.choice((0, 1, 1)))]  # fmt: skip

    def generator(self):
        names = [n for n in self.generators if n in self.env]
        return self.rng.choice(names) if names else None

    def statement(self):
        return self.made() if not self.body and not self.depth else self.weighted({
            self.made: 9 if not self.generator() else 0.3, self.drawn: 6, self.number_drawn: 4, self.loop: 3, self.branch: 2, self.shuffled: 1.5,
            self.chosen_items: 2, self.until: 0.7, self.called: 1.5, self.assigned: 0.4,
        })  # fmt: skip

    def made(self):
        if self.depth:
            return None
        seed = self.one_of("seed", "seed", "seed + 1", str(self.rng.choice((0, 1, 7, 42, 123456789012345))), "n")
        name = self.bind(object())
        self.generators.append(name)
        bits = self.one_of(f"np.random.Generator(np.random.Philox({seed}))", f"np.random.Generator(np.random.Philox(key={seed}))", f"np.random.Generator(np.random.PCG64({seed}))", f"np.random.default_rng({seed})", f"np.random.default_rng({seed})")
        return f"{name} = {bits}"

    def size(self):
        return self.one_of("n", "n", "3", "(n, 2)", "(2, 3)", "n + 1", "1", "0", "(n,)", "7", "2 * n", "(2, n, 2)", "17")

    def bounds(self):
        return self.one_of("2", "10", "1", "0, 7", "-3, 4", "-5, 6", "n + 1", "0, n + 2", "0, 2**32", "0, 2**32 - 1", "-2**63, 2**63 - 1", "0, 3 * 2**30", "0, 2**33", "5, 6", "-(2**62), 2**62", "seed + 1")

    def drawn(self):
        g, size = self.generator(), self.size()
        if not g:
            return None
        draw = self.one_of(
            f"random({size})", f"random({size})", f"random(size={size})", f"random({size}, dtype=np.float32)", f"uniform(-1, 3, {size})", f"uniform(size={size})", f"uniform(0.5, 2.5, size={size})",
            f"integers({self.bounds()}, size={size})", f"integers({self.bounds()}, size={size})", f"integers(0, 100, {size}, dtype=np.int32)",
            f"integers(0, {self.rng.choice((1, 2, 9))}, {size}, endpoint=True)", f"integers(-4, 4, size={size}, dtype=np.int64)", f"integers(0, 2**31, {size}, np.int32)",
            f"permutation({self.one_of('n', '5', 'a', '17', 'n + 2')})", f"permutation(a, axis={self.one_of('0', '-1')})",
        )  # fmt: skip
        return f"{self.bind(np.zeros(2))} = {g}.{draw}{self.one_of('', '', '', ' * 2', '.sum()', '[:2]')}"

    def one_number(self, g):
        return self.one_of(f"{g}.random()", f"{g}.random()", f"{g}.uniform(-1, 1)", f"{g}.integers({self.bounds()})", f"{g}.integers(0, 5, endpoint=True)", f"{g}.random(dtype=np.float32)", f"{g}.integers(3, dtype=np.int32)", f"{g}.uniform()", f"{g}.uniform(2, high=5.5)")

    def number_drawn(self):
        g = self.generator()
        if not g:
            return None
        names = self.names("float")
        if names and self.rng.random() < 0.4:
            return f"{self.rng.choice(names)} += {g}.{self.one_of('random()', 'uniform(0, 2)')}"
        place = self.one_of("i % max(n, 1)" if "i" in self.env else "0", "0", "-1")
        return self.one_of(f"{self.bind(1.0)} = {self.one_number(g)}", f"{self.bind(1.0)} = 1.0 * {self.one_number(g)}", f"if n:\n    a[{place}] = {g}.integers(0, 9)", f"a[...] = {g}.random(a.shape)", f"{self.bind(1.0)} = {self.one_number(g)} + {self.one_number(g)}")

    def shuffled(self):
        g = self.generator()
        if not g:
            return None
        arrays = [n for n in self.arrays() if n.startswith("v")]
        array = self.rng.choice(arrays) if arrays and self.rng.random() < 0.5 else "a"
        return f"{g}.shuffle({array}{self.one_of('', '', '', ', axis=-1', '[:2]' if self.leaks else '')})"

    def chosen_items(self):
        g = self.generator()
        if not g:
            return None
        return f"{self.bind(np.zeros(2))} = {g}.choice(" + self.one_of(
            "n", "n + 1", "5, 3", "a", "a, 4", "a, size=(2, 2)", "10, 4, replace=False", "n + 3, 2, replace=False", "a, n, replace=False", "a, 3, axis=-1", "7, 7, False, shuffle=False",
            "3, n, p=[0.5, 0.25, 0.25]", "3, p=np.array([0.25, 0.5, 0.25])", "n, size=n", "a, 1, replace=False", "n + 1, (n, 2)",
        ) + ")"  # fmt: skip

    def until(self):
        g = self.generator()
        if not g or self.depth > 1:
            return None
        v = self.bind(1.0)
        return f"{v} = 0.0\nwhile {v} < {self.rng.choice((0.5, 1, 3))}:\n    {v} += {g}.random() + 0.125\n" + (self.block() if self.rng.random() < 0.3 else "")

    def branch(self):
        g = self.generator()
        if g and self.rng.random() < 0.6 and self.depth <= 2:
            return f"if {g}.random() < {self.rng.choice((0.25, 0.5, 0.75))}:\n{self.block()}" + (f"else:\n{self.block()}" if self.rng.random() < 0.5 else "")
        return super().branch()

    def called(self):
        g = self.generator()
        return f"{self.bind(1.0)} = {self.rng.choice(self.of_generators)}({g}, {self.one_of('n', '3', '2')})" if g and self.of_generators else None

    def results(self):
        g = self.generator()
        return super().results() + ["a"] + ([f"{g}.random()", f"{g}.integers(1000)"] if g else [])
