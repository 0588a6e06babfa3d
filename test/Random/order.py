"""One more kind of pattern (patterns.py): helpers that change arrays stand in every position of expressions, subscripts,
targets and conditions, and guards keep what they guard from being evaluated: Python's order and short circuit."""

from __future__ import annotations

import numpy as np

from names import Scalar

LENGTHS = (3, 4, 5, 8, 17, 33)
HELPERS = {
    "touch": "(x, i):\n    x[i] = (x[i] * 3 + 1) % 11\n    return x[i]",
    "shift": "(x):\n    x += 1\n    x %= 9\n    return x",
    "swap": "(x, i, j=1):\n    x[i], x[j] = x[j], x[i]\n    return x[i] - x[j]",
    "early": "(x, i):\n    if x[i] > 4:\n        x[i] = 0\n        return x[0]\n    x[0] = x[0] + 2\n    return x[i] + 1",
}


class OrderPatterns:
    def orders(self):
        rng = self.rng
        self.style.exact, self.style.families = True, ("int", "bool")
        self.sizes, self.pools = ["N"], {"N": LENGTHS}
        arrays = [self.given(name, "N", "i64", True, values="rng.integers(0, 9, {0})") for name in "ab"]
        self.given("k", "N", "i64", values="rng.integers(0, N, {0})")
        maker = EffectMaker(rng, self.name, sorted(rng.sample(sorted(HELPERS), rng.choice((1, 2, 2, 3)))))
        self.helpers += maker.definitions()

        def emit():
            self.minimum.update(N=3)
            self.emit("s = a[0] % 13")
            for _ in range(rng.choice((1, 2, 3, 4))):
                self.emit_block(maker.statement(2))
            self.emit("s = s % 13")
            self.scalars["s"] = Scalar("s", np.int64(1), made=True)
            for array in arrays:
                self.wrote(array)

        return emit


class EffectMaker:
    """Statements over a, b (int64[N]), k (positions) and s, whose expressions call the helpers."""

    def __init__(self, rng, function, names):
        self.rng, self.count = rng, 0
        self.named = {name: f"{function}_h{k}" for k, name in enumerate(names)}
        self.changing = [self.named[name] for name in names if name != "shift"]
        self.shift = self.named.get("shift")

    def definitions(self):
        return [f"def {name}{HELPERS[of]}" for of, name in self.named.items()]

    def place(self, depth):
        name = self.rng.choice("ab")
        return f"{name}[{self.position(depth)}]"

    def position(self, depth):
        """An index in range."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.4:
            return rng.choice(("0", "1", "-1", "k[0]", "k[1]", "s % N", "a[0] % N"))
        return rng.choice(("({}) % N", "k[({}) % N]")).format(self.number(depth - 1))

    def number(self, depth):
        """An int64 of NumPy's."""
        rng = self.rng
        if depth <= 0:
            return rng.choice(("s", "a[0]", "b[k[0]]", "a[-1]", "a.sum()", "b.max()", "b[s % N]"))
        what, one = rng.random(), lambda: self.number(depth - 1)
        if what < 0.35 and self.changing:
            return f"{rng.choice(self.changing)}({rng.choice('ab')}, {rng.choice((self.position(depth - 1), f'i={self.position(depth - 1)}'))})"
        if what < 0.65:
            return f"({one()} {rng.choice('+-*')} {one()} % 5)"
        if what < 0.72:
            return f"({one()} if {self.condition(depth - 1)} else {one()})"
        if what < 0.79:
            return f"{rng.choice(('np.maximum', 'min', 'max'))}({one()}, {one()})"
        if what < 0.86:
            return f"({self.vector(depth - 1)} {rng.choice('+*')} {self.vector(depth - 1)}).sum()"
        return self.place(depth - 1)

    def condition(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.3:
            return f"{self.number(depth)} {rng.choice(('<', '>', '!='))} {self.number(0)}"
        one = lambda: self.condition(depth - 1)
        return rng.choice((
            lambda: f"({one()} {rng.choice(('and', 'or'))} {one()})",
            lambda: f"(not {one()})",
            lambda: f"({self.number(depth)} < {self.number(depth)} <= {self.number(depth)})",
            lambda: f"(0 <= s < N and {rng.choice('ab')}[s] {rng.choice('<>')} {self.number(depth)})",
            lambda: f"(s >= N or {rng.choice('ab')}[k[s]] > 2)",
        ))()

    def vector(self, depth):
        rng = self.rng
        if depth <= 0:
            return rng.choice(("a", "b", "a[k]", "b[::-1]", "a[:]"))
        what = rng.random()
        if what < 0.3 and self.shift:
            return f"{self.shift}({rng.choice('ab')})"
        if what < 0.7:
            return f"({self.vector(depth - 1)} {rng.choice('+-*')} {rng.choice((self.vector, self.number))(depth - 1)} % 7)"
        if what < 0.85:
            return f"np.where({self.vector(depth - 1)} > {self.number(depth - 1)}, {self.vector(depth - 1)}, {self.vector(0)})"
        return self.vector(0)

    def statement(self, depth):
        """Lines of one statement."""
        rng = self.rng
        inner = lambda: ["    " + line for line in self.statement(depth - 1)]
        plain = (
            lambda: [f"s = {self.number(3)} % 13"],
            lambda: [f"s += {self.number(3)}", "s = s % 13"],
            lambda: [f"{self.place(2)} = {self.number(2)} % 11"],
            lambda: [f"{self.place(2)} += {self.number(2)} % 11"],
            lambda: [f"{rng.choice('ab')}[:] = {self.vector(2)} % 11"],
            lambda: [f"{rng.choice('ab')} += {self.vector(2)} % 11"],
            lambda: [f"s, {self.place(1)} = {self.number(2)} % 13, {self.number(2)} % 11"],
            lambda: [f"{self.place(1)}, {self.place(1)} = {self.number(2)} % 11, {self.number(1)} % 11"],
            lambda: [f"{self.place(1)} = {self.place(1)} = {self.number(2)} % 11"],
        )
        if depth <= 1 or rng.random() < 0.6:
            return rng.choice(plain)()
        self.count += 1
        return rng.choice((
            lambda: [f"if {self.condition(2)}:", *inner(), "else:", *inner()],
            lambda: [f"if {self.condition(2)}:", *inner()],
            lambda: [f"turn{self.count} = 0", f"while turn{self.count} < 3 and {self.condition(1)}:", *inner(), f"    turn{self.count} += 1"],
            lambda: [f"for step{self.count} in range({self.number(1)} % 3, {self.number(1)} % 4 + 2):", *inner()],
        ))()
