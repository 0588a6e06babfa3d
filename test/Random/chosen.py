"""One more kind of pattern (patterns.py): numbers between loops, some of which arrays decide and some the host knows: copied,
exchanged, counted, in branches and loops of both, before and behind what all threads do."""

from __future__ import annotations

LENGTHS = (1, 2, 5, 33, 64)
NAMES = "pqrt"


class ChosenPatterns:
    def chosen(self):
        rng = self.rng
        self.style.exact, self.style.families = True, ("int", "bool")
        self.sizes, self.pools = ["N"], {"N": LENGTHS}
        arrays = [self.given("k", "N", "i64", True, values="rng.integers(0, 11, {0})"), self.given("a", "N", "i64", True, values="rng.integers(-9, 10, {0})")]
        self.given("kept", "N", "i64", True)
        self.given_scalar("flag", "i64", f"{rng.randrange(4)}")

        def emit():
            self.minimum.update(N=1)
            self.counted = 0
            begun = ["p, q, r, t = 1, 2, flag, 3"]
            lines = [line for _ in range(rng.randrange(5, 11)) for line in self.chosen_statement(0, None)]
            self.emit_block([*begun, *lines, "kept[0] = p + 100 * q + 10000 * r + 1000000 * t"])
            for array in arrays:
                self.wrote(array)

        return emit

    def chosen_name(self):
        return self.rng.choice(NAMES)

    def chosen_element(self, array="k"):
        return f"{array}[{self.chosen_name()} % N]"

    def chosen_number(self):
        rng, name = self.rng, self.chosen_name
        return rng.choice((
            str(rng.randrange(7)), name(), name(), self.chosen_element(), self.chosen_element(), f"{name()} + {rng.randrange(1, 4)}",
            f"{name()} + {self.chosen_element()}", f"min({name()}, {name()})", f"N % {rng.randrange(2, 6)}", f"int((k > {name()} % 7).sum())", "int(np.argmax(k))",
        ))  # fmt: skip

    def chosen_condition(self):
        rng, name = self.rng, self.chosen_name
        return rng.choice((f"{name()} < {rng.randrange(1, 8)}", f"{self.chosen_element()} > {rng.randrange(6)}", f"{name()} != {name()}", f"flag > {rng.randrange(3)}", f"{name()} % 2 == 0"))

    def chosen_body(self, depth, leaves):
        return ["    " + line for _ in range(self.rng.randrange(1, 4)) for line in self.chosen_statement(depth + 1, leaves)]

    def chosen_statement(self, depth, leaves):
        rng, name = self.rng, self.chosen_name
        what = rng.randrange(16)
        if what < 5:
            return [f"{name()} = ({self.chosen_number()}) % 97"]
        if what < 7:
            return [rng.choice(("p, q = q, p", "r, t = t, r", "p, q, r = q, r, p"))]
        if what < 10:
            return [rng.choice((f"a[:] = a * 2 % 31 + {name()}", f"k[:] = (k + {name()}) % 13", f"{self.chosen_element()} = {name()} % 11", f"{self.chosen_element('a')} += {name()}"))]
        if what < 11 and leaves:
            return [f"if {self.chosen_condition()}:", "    " + rng.choice(leaves)]
        if depth == 2 or what < 11:
            return [f"{name()} = {name()}"]
        self.counted += 1
        index = f"i{self.counted}"
        if what < 13:
            other = ["else:", *self.chosen_body(depth, leaves)] if rng.random() < 0.5 else []
            return [f"if {self.chosen_condition()}:", *self.chosen_body(depth, leaves), *other]
        if what < 14:
            return [f"for {index} in range(N):", f"    if k[{index}] > {name()} % 9:", f"        {rng.choice('qr')} = {rng.choice((index, f'k[{index}]'))}"]
        if what < 15:
            return [f"for {index} in range({rng.choice(('3', '2', 'flag', 'p % 4'))}):", *self.chosen_body(depth, ("break", "continue"))]
        return [f"{index} = 0", f"while {index} < 4 and {self.chosen_condition()}:", *self.chosen_body(depth, ("break",)), f"    {index} += 1"]
