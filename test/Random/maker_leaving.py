"""Programs of what leaves early, and of functions inside functions."""

from __future__ import annotations

from maker import Maker


class Leaving(Maker):
    """break, continue, else and return in nested loops, raise, walrus, chained comparison, closures, lambdas, generators in reductions."""

    leaving_loops = ("break", "break", "continue", "continue", "return", "return")
    returned = ("int", "float", "bool", "array")

    def begin(self):
        rng = self.rng
        self.an_extent()
        self.a_number("m", "int", 0, 1, 2, 3, 5)
        self.a_number("x", "float", 0.5, 2.0, -1.5, 0.25)
        self.an_array("a", rng.choice(("f64", "f64", "i64")), "N")
        if rng.random() < 0.5:
            self.an_array("b", "f64", "NM")
        self.early = rng.random() < 0.6  # whether it returns early: numbers of one kind then, as many as in the end
        self.early_helpers = [self.helper("v, w", self.one_of(
            "for i in range(w):\n    if v < i:\n        return i\nreturn -1", "if v > 1:\n    return v + w\nif w > 2:\n    return v\nreturn v * 2",
            "t = v\nwhile t < w:\n    t = t * 2 + 1\n    if t > 9:\n        break\nelse:\n    t += 1\nreturn t",
            "for i in range(w):\n    for j in range(i):\n        if i * j > v:\n            return i + j\nreturn w", "if w < 0:\n    raise ValueError('w')\nreturn v - w",
        )) for _ in range(rng.choice((0, 1, 2)))]  # fmt: skip
        self.functions = []  # inside

    def finish(self):
        if not self.early:
            return super().finish()
        names = self.names("float", "int")
        kind = "float" if self.rng.random() < 0.9 else "any"
        return self.accept([*self.body, *self.parsed(f"return 1.0 * ({self.number(kind, 2)}) + {self.rng.choice(names or ['x'])}")])

    def leave(self, name):
        text = super().leave(name)
        if "return " in text:
            text = text[: text.index("return ")] + (f"return 1.0 * {self.number('float', 1)}" if self.early else "break")
        return text if self.rng.random() < 0.8 else self.before(text)

    def before(self, text):
        """With a statement before it leaves."""
        head, last = text.split("\n")
        return f"{head}\n    {self.assigned()}\n{last}"

    def statement(self):
        return self.weighted({
            self.loop: 7, self.nested: 3, self.searched: 3, self.branch: 2.5, self.assigned: 2.5, self.raised: 0.8, self.named_inside: 1.5, self.whiled: 2, self.function: 1.5,
            self.called: 2, self.reduced: 2, self.stored: 2, self.returned_early: 0.8, self.chained: 1,
        })  # fmt: skip

    def loop(self):
        return super().loop(leaves=0.7)

    def nested(self):
        if self.depth:
            return None
        v, i, j = self.bind(1), self.fresh(), self.fresh()
        self.inner |= {i, j}
        names = {i: 1, j: 1}
        inside = f"for {j} in range({self.one_of(i, 'n', '3', f'{i} + 1')}):\n    if {self.one_of(f'{i} * {j} > 2', f'{i} == {j} + 1', f'{j} >= {i}')}:\n        {v} += {i}\n        {self.one_of('break', 'continue')}\n    {v} += 1\n"
        inside += self.one_of("", f"else:\n    {self.one_of('continue', 'break', f'{v} -= 3')}\n", f"if {v} > 6:\n    break\n")
        text = "".join(f"    {line}\n" for line in inside.splitlines())
        return f"{v} = 0\nfor {i} in range(n):\n{text}{self.block(**names | {v: 1}) if self.rng.random() < 0.4 else ''}"

    def searched(self):
        """A loop over an array that looks for something."""
        if self.depth > 1:
            return None
        at, value = self.bind(1), self.fresh()
        self.inner |= {value, f"{at}_"}
        start = f"{at} = -1\n"
        test = self.one_of(f"{value} > 1", f"0 < {value} <= 2", f"{value} == 0", f"{value} < x")
        head = self.one_of(f"for {at}_, {value} in enumerate(a)", f"for {value} in a")
        new = f"{at}_" if "enumerate" in head else f"{at} + 1"
        return f"{start}{head}:\n    if {test}:\n        {at} = {new}\n        {self.one_of('break', 'continue', 'break')}\n    {self.one_of('pass', f'{at} -= 1', 'x = x + 0.5')}\n" + self.one_of("", f"else:\n    {at} = 99")

    def raised(self):
        return f"if {self.condition()}:\n    raise {self.one_of('ValueError', 'IndexError', 'RuntimeError')}({self.one_of(repr('no'), '')})"

    def returned_early(self):
        return f"if {self.condition()}:\n    return 1.0 * {self.number('float')}" if self.early else None

    def named_inside(self):
        """A walrus."""
        value, more = self.number("float"), self.number("float", 0)
        v, w = self.bind(1.0), self.fresh()
        return self.one_of(
            f"if ({v} := {value}) > {more}:\n    x += {v}", f"{v} = ({w} := {value}) * 2",
            f"{v} = 0\nwhile ({v} := {v} + 1) < m:\n    x += {v}", f"if ({v} := {value}) > 0 and m > 1:\n    x -= {v}",
        )  # fmt: skip

    def whiled(self):
        if self.depth > 1:
            return None
        w = self.bind(1)
        leave = self.leave(w).replace("\n", "\n    ")
        body = f"    {w} += 1\n" + (f"    {leave}\n" if self.rng.random() < 0.7 else "") + self.block(**{w: 1})
        return f"{w} = 0\nwhile {w} < {self.count()}:\n{body}" + (f"else:\n{self.block()}" if self.rng.random() < 0.4 else "")

    def function(self):
        if self.depth:
            return None
        f, names = self.fresh(), ["n", "m", "x", *self.names("float", "int")]
        kept = self.rng.choice(names)
        self.functions.append(f)
        self.env = self.env | {f: len}
        return self.one_of(
            f"{f} = lambda v: v * {kept} + 1", f"def {f}(v):\n    return v + {kept}", f"def {f}(v):\n    if v > {kept}:\n        return v\n    return v + 1.0 * {kept}",
            f"def {f}(v, w=2):\n    for i in range(w):\n        if i * 1.0 > v:\n            break\n        v += {kept}\n    return v", f"{f} = lambda v, w={kept}: v if v > 1 else w",
            f"def {f}(v):\n    a[:1] = v\n    return v * 2",
        )  # fmt: skip

    def called(self):
        found = [f for f in self.functions if f in self.env]
        if found and self.rng.random() < 0.6:
            return f"{self.bind(1.0)} = {self.rng.choice(found)}({self.number(self.one_of('int', 'float'))})"
        if not self.early_helpers:
            return None
        return f"{self.bind(1)} = {self.rng.choice(self.early_helpers)}({self.number('int')}, {self.number('int', 0)})"

    def reduced(self):
        test = self.one_of("", "", " if v > 0", " if v != 1")
        source = self.one_of("a", "a", "range(n)", "a[1:]", "range(m)")
        return self.one_of(
            f"{self.bind(1.0)} = sum(v * v for v in {source}{test})", f"{self.bind(True)} = any(v > {self.number('int', 0)} for v in {source}{test})", f"{self.bind(True)} = all(v < 2 for v in {source})",
            f"{self.bind(1.0)} = max(v + 1 for v in {source})", f"{self.bind(1)} = sum(1 for v in {source}{test})", f"{self.bind(1.0)} = min((v * x for v in {source}){', default=x' if self.leaks else ''})",
            f"{self.bind(1.0)} = sum(v * w for v, w in zip(a, range(n)))", f"{self.bind(1)} = sum(i * j for i in range(n) for j in range(i))", f"{self.bind(True)} = any(i * j == 6 for i in range(n) for j in range(m))",
        )  # fmt: skip

    def stored(self):
        index = [n for n in ("i", "j") if n in self.env]
        place = f"{index[0]} % max(n, 1)" if index else "0"
        return f"{'' if index else 'if n > 0: '}a[{place}] {self.one_of('=', '+=', '-=')} {self.number('int')}"

    def chained(self):
        return f"{self.bind(True)} = {self.number(depth=0)} {self.one_of('<', '<=', '!=')} {self.number()} {self.one_of('<', '>=', '==')} {self.number(depth=0)}"

    def results(self):
        return super().results() + ["a"]
