"""Programs of values that are None on some paths."""

from __future__ import annotations

from maker import Maker, indented


class Nones(Maker):
    """Names that begin with None or become it: in branches, loops, helpers' results, defaults; asked by `is`, `not`, `or`, `==`."""

    def begin(self):
        rng = self.rng
        self.an_extent()
        self.a_number("x", "float", 0.0, 0.5, -1.5, 2.0, 3.0)
        self.an_array("a", "f64", "N", (0.0, 0.5, -1.0, 2.0, 3.5, 1.25))
        self.maybe = {}  # names that may be None, and the kind of what they hold else
        self.finders = [self.helper("a, x", self.one_of(
            "for i in range(len(a)):\n    if a[i] > x:\n        return i", "best = None\nfor y in a:\n    if best is None or y > best:\n        best = y\nreturn best",
            "if x > 1:\n    return None\nreturn x * 2", "if len(a) < 2:\n    return\nreturn a[0] + x", "last = None\nfor y in a:\n    last = y if y > x else last\nreturn last",
        )) for _ in range(rng.choice((1, 2)))]  # fmt: skip
        self.takers = [self.helper("v, by=None", self.one_of(
            "if by is None:\n    by = 2\nreturn v * by", "return v if by is None else v + by", "return None if v > 1 else by", "by = by or 1.5\nreturn v + by",
        ))]  # fmt: skip

    def known(self, *kinds):
        names = [n for n, k in self.maybe.items() if n in self.env and (not kinds or k in kinds)]
        return self.rng.choice(names) if names else None

    def value(self, kind):
        if kind == "pair":
            return f"({self.number('int', 0)}, {self.number('float', 1)})"
        if kind == "array":
            return self.one_of("a * 2", "a + x", "a.copy()", "np.zeros(n)", "a[::-1] * x")
        element = "a[i % len(a)]" if "i" in self.env else "x"
        return self.one_of(self.number(kind, 1), self.number(kind, 0), element if kind == "float" else "n")

    def statement(self):
        return self.made() if not self.body and not self.depth else self.weighted({
            self.made: 5 if not self.known() else 1, self.searched: 4, self.set: 3, self.asked: 4, self.chosen: 3, self.found: 2, self.unpacked: 2, self.passed: 1.5,
            self.loop: 2, self.branch: 2, self.assigned: 1, self.until: 0.7,
        })  # fmt: skip

    def made(self):
        kind = self.one_of("int", "float", "float", "pair", "array")
        name = self.bind(object())
        self.maybe[name] = kind
        start = "None" if self.rng.random() < 0.7 else f"None if {self.condition()} else {self.value(kind)}"
        return f"{name} = {start}"

    def searched(self):
        name = self.known("int", "float")
        if not name or self.depth > 1:
            return None
        kind = self.maybe[name]
        y = self.value(kind) if kind == "int" else "y"
        test = self.one_of(f"{name} is None or {y} < {name}", f"{name} is None", f"{name} is not None and {y} > {name}", f"y > x and ({name} is None or {y} > {name})", f"not {name}")
        then = self.one_of(f"{name} = {y}", f"{name} = {y}", f"{name} = None" if self.rng.random() < 0.3 else f"{name} = {y}")
        return f"for y in a:\n    if {test}:\n        {then}"

    def set(self):
        name = self.known()
        if not name:
            return None
        text = f"{name} = {'None' if self.rng.random() < 0.25 else self.value(self.maybe[name])}"
        return text if self.rng.random() < 0.3 else f"if {self.condition()}:\n{indented(text)}"

    def asked(self):
        name = self.known("int", "float")
        if not name or self.depth > 2:
            return None
        there = self.one_of(f"{self.bind(1.0)} = {name} * 2 + {self.number('float', 0)}", f"{name} += 1", f"x = x + {name}" if "x" in self.env else "pass")
        return self.one_of(
            f"if {name} is not None:\n{indented(there)}", f"if {name} is None:\n{self.block()}else:\n{indented(there)}", f"if {name}:\n{indented(there)}",
            f"if {name} is not None and {name} > {self.number('int', 0)}:\n{indented(there)}", f"if not {name}:\n{self.block()}",
        )  # fmt: skip

    def chosen(self):
        name = self.known("int", "float")
        if not name:
            return None
        zero = "0.5" if self.maybe[name] == "float" else "3"
        return f"{self.bind(1.0)} = " + self.one_of(
            f"{zero} if {name} is None else {name}", f"{name} or {zero}", f"{name} is None", f"{name} is not None and {name} > 1", f"{name} == {zero}", f"{name} != x",
            f"not {name}", f"-1 if not {name} else 1", f"({name} is None) + 1",
        )  # fmt: skip

    def found(self):
        name = self.bind(object())
        self.maybe[name] = "float"
        return f"{name} = {self.rng.choice(self.finders)}({self.one_of('a', 'a * 2', 'a[1:]')}, {self.one_of('x', '0.0', '1.5')})"

    def passed(self):
        name = self.known("int", "float")
        by = self.one_of(*([f", {name}", f", by={name}"] if name else [""]), "", ", 2")
        made = self.bind(object())
        self.maybe[made] = "float"
        return f"{made} = {self.rng.choice(self.takers)}({self.number('float', 0)}{by})"

    def unpacked(self):
        name = self.known("pair", "array")
        if not name:
            return None
        if self.maybe[name] == "array":
            return f"if {name} is not None:\n    {self.bind(1.0)} = {name}.sum()\n    {name}[:1] = x"
        p, q = self.bind(1), self.bind(1.0)
        return self.one_of(f"if {name} is not None:\n    {p}, {q} = {name}", f"{p} = 0 if {name} is None else {name}[0]")

    def until(self):
        if self.depth > 1:
            return None
        name, k = self.bind(object()), self.bind(1)
        self.maybe[name] = "int"
        return f"{name} = None\n{k} = n\nwhile {name} is None or {name} > 1:\n    {name} = {k} // 2\n    {k} = {name}\n    if {k} < 1:\n        break"

    def results(self):
        return super().results() + [n for n in self.maybe if n in self.env]
