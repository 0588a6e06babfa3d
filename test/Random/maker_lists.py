"""Programs of lists in memory."""

from __future__ import annotations

import numpy as np
from maker import Maker


class Lists(Maker):
    """Lists of numbers and of lists: made, grown, stored into, joined, shared by names, passed to helpers, returned."""

    def begin(self):
        rng = self.rng
        self.an_extent()
        self.a_number("x", "float", 0.5, 2.0, -1.5, 3.0)
        if rng.random() < 0.5:
            self.a_number("m", "int", 0, 1, 2, 3, 5)
        if rng.random() < 0.7:
            self.an_array("a", rng.choice(("f64", "f64", "f32")), "N")
        if rng.random() < 0.5:
            self.an_array("k", rng.choice(("i64", "i32")), "N", (0, 1, 2, 3, 4, -1))
        self.kinds = {}  # of the lists: what kind of numbers they have, or "rows"
        self.appending = [self.a_helper() for _ in range(rng.choice((0, 0, 1, 1, 2)))]

    def a_helper(self):
        return self.helper("l, v", self.one_of(
            "l.append(v)",
            "l.append(v)\nreturn len(l)",
            "l.append(v)\nl.append(v + v)\nreturn l",
            "if v > 1:\n    l.append(v)\nreturn sum(l)",
            "if len(l) > 2:\n    return l\nr = list(l)\nr.append(v)\nreturn r",
            "for i in range(2):\n    l.append(v * i)\nreturn l[-1]",
            "t = []\nfor y in l:\n    t.append(y + v)\nreturn t",
            "if l:\n    l[0] = v\nreturn l.pop() if l else v",
            "l += [v, v]\nreturn l[0]",
        ))  # fmt: skip

    # --- what is at hand

    def lists(self, *kinds):
        return [n for n, k in self.kinds.items() if isinstance(self.env.get(n), list) and (not kinds or k in kinds)]

    def flat(self):
        names = self.lists("int", "float", "f64", "i32")
        return self.rng.choice(names) if names else None

    def item(self, kind):
        """A number of the kind."""
        if kind == "f64" and "a" in self.env:
            return self.one_of("a[0]", "a[-1]", "a[i]" if "i" in self.env else "a[0]", "a[0] * x", "a.sum()")
        if kind == "i32" and "k" in self.env:
            return self.one_of("k[0]", "k[-1]", "k[i]" if "i" in self.env else "k[0]", "k[0] + 1")
        return self.number("int" if kind in ("int", "i32") else "float")

    def place(self, name):
        return self.one_of("0", "-1", "1", f"{self.number('int', 0)} % max(len({name}), 1)", f"len({name}) - 1", self.number("int", 0))

    # --- statements

    def statement(self):
        return self.made() if not self.body and not self.depth else self.weighted({
            self.made: 5 if len(self.lists()) < 2 else 1.5, self.appended: 4, self.stored: 2.5, self.joined: 2, self.read: 3,
            self.other_change: 2, self.called: 1.5, self.loop: 4, self.over: 3, self.branch: 1.5, self.drained: 0.7,
            self.rows: 1.2, self.assigned: 0.7, self.method: 2, self.tuples: 3, self.as_array: 1,
        })  # fmt: skip

    def named(self, kind, text):
        """A list given to a name."""
        name = self.bind([1], *(self.lists(kind) if self.depth == 0 or self.rng.random() < 0.2 else ()))
        self.kinds[name] = kind
        return f"{name} = {text}"

    def made(self):
        kind = self.one_of("int", "int", "float", "f64", "i32")
        e = lambda: self.item(kind)
        ways = ["[]", "[]", f"[{e()}]", f"[{e()}, {e()}, {e()}]", f"[{e()}] * n", f"[{e()}] * 3"]
        if kind == "int":
            ways += ["list(range(n))", "[0] * n", f"list(range(1, {self.count()}))", "[i * i for i in range(n)]", "[i for i in range(n) if i % 2]"]
        if kind == "float":
            ways += ["[0.0] * n", "[x * i for i in range(n)]"]
        if kind == "f64" and "a" in self.env:
            ways += ["list(a)", "[v for v in a]", "[v * 2 for v in a if v > 0]", "[a[i] for i in range(n)]"]
        if kind == "i32" and "k" in self.env:
            ways += ["list(k)", "[v + 1 for v in k]"]
        return self.named(kind, self.rng.choice(ways))

    def appended(self):
        name = self.flat()
        return name and f"{name}.append({self.item(self.kinds[name])})"

    def stored(self):
        name = self.flat()
        if not name:
            return None
        store = f"{name}[{self.place(name)}] {self.one_of('=', '=', '+=', '*=')} {self.item(self.kinds[name])}"
        return self.one_of(store, f"if {name}:\n    {store}", f"if len({name}) > 1:\n    {name}[0], {name}[1] = {name}[1], {name}[0]")

    def joined(self):
        name = self.flat()
        if not name:
            return None
        kind = self.kinds[name]
        other = self.rng.choice(self.lists(kind))
        ways = [
            name, f"{name}[:]", f"list({name})", f"{name}[1:]", f"{name}[::-1]", f"{name}[:-1]", f"{name}[::2]",
            f"{name}[:{self.number('int', 0)}]", f"{name} + {other}", f"{name} + [{self.item(kind)}]", f"[{self.item(kind)}] + {name}",
            f"{name} * 2", f"{name} * {self.count()}", f"[v + v for v in {name}]", f"[v for v in {name} if v > 1]",
        ]  # fmt: skip
        return self.named(kind, self.rng.choice(ways))

    def other_change(self):
        name = self.flat()
        if not name:
            return None
        kind = self.kinds[name]
        other = self.rng.choice(self.lists(kind))
        if other == name and self.rng.random() < 0.9:
            other = f"list({name})"
        return self.one_of(
            f"{name}.extend({other})", f"{name} += {other}", f"{name}.extend([{self.item(kind)}, {self.item(kind)}])", f"{name} += [{self.item(kind)}]",
            f"{name}.clear()", f"if {name}:\n    {name}.pop()", f"if {name}:\n    {self.bind(1)} = {name}.pop()",
            f"if len({name}) > 2:\n    {name}.pop()\n    {name}.append({self.item(kind)})", f"{name}.extend(range({self.count()}))",
        )  # fmt: skip

    def method(self):
        name = self.flat()
        if not name:
            return None
        kind = self.kinds[name]
        e, i = self.item(kind), self.number("int", 0)
        key = self.one_of("", "key=abs, ", "key=lambda v: -v, ", "key=lambda v: v % 3, ", "key=lambda v: (v > 1, -v), ")
        reverse = self.one_of("", "reverse=True")
        return self.one_of(
            f"{name}.insert({i}, {e})", f"{name}.insert({self.place(name)}, {e})", f"{name}.reverse()", f"{name}.sort({key}{reverse})",
            f"if {name}:\n    del {name}[{self.one_of('0', '-1', f'{i} % len({name})')}]", f"if {name}:\n    {self.bind(1)} = {name}.pop(0)", f"if {name}:\n    {self.bind(1)} = {name}.pop({i} % len({name}))",
            f"{self.bind(1)} = {name}.pop({i})", f"{self.bind(1)} = {name}.count({e})", f"{self.bind(1)} = {name}.index({self.one_of(e, f'{name}[0]', f'{name}[-1]')})", f"if {e} in {name}:\n    {name}.remove({e})", f"{name}.remove({e})",
            f"{self.bind(1)} = {name} {self.one_of('==', '!=')} {self.rng.choice(self.lists(kind))}", self.named(kind, f"{name}.copy()"), self.named(kind, f"sorted({name}, {key}{reverse})"),
            f"if {name}:\n    {self.bind(1)} = {self.one_of('min', 'max')}({name}, {key or 'key=abs'})", f"{self.bind(1)} = {self.one_of('any', 'all')}({name})", f"{name}[1:] = [{e}]" if self.leaks else f"{name}.append({e})",
        )  # fmt: skip

    # --- lists of tuples

    def pair(self, kind):
        first = self.number("int", 0)
        second = self.item("f64") if kind == "pairs" and "a" in self.env else self.number("int", 0)
        return f"({first}, {second})" if kind == "pairs" else f"({first}, {second}, {self.number('int', 0)} > 1)"

    def tuples(self):
        names = self.lists("pairs", "triples")
        kind = self.one_of("pairs", "pairs", "triples")
        if not names or self.rng.random() < 0.25:
            ways = ["[]", "[]", f"[{self.pair(kind)}]", f"[{self.pair(kind)}, {self.pair(kind)}]"]
            if kind == "pairs" and "a" in self.env:
                ways += ["[(i, a[i]) for i in range(n)]", "list(enumerate(a))", "list(zip(range(n), a))", "[(i, v * 2) for i, v in enumerate(a) if v > 0]"]
            if kind == "pairs" and "a" not in self.env:
                ways += ["[(i, i * i) for i in range(n)]", "[(i, j) for i in range(n) for j in range(i)]"]
            if kind == "triples":
                ways += ["[(i, n - i, i > 1) for i in range(n)]"]
            return self.named(kind, self.rng.choice(ways))
        name = self.rng.choice(names)
        kind = self.kinds[name]
        p, i = self.pair(kind), self.number("int", 0)
        other = self.rng.choice(self.lists(kind))
        targets = ("i1, y1" if kind == "pairs" else "i1, y1, t1")
        x, y = self.fresh(), self.fresh()
        unpacked = f"{x}, {y}" if kind == "pairs" else f"{x}, {y}, _"
        key = self.one_of("", "key=lambda p: p[1], ", "key=lambda p: -p[0], ", "key=lambda p: (p[1], p[0]), ")
        reverse = self.one_of("", "reverse=True")
        value = self.one_of(
            f"len({name})", f"{name}[{i} % max(len({name}), 1)][{self.one_of('0', '1', '-1')}]", f"{p} in {name}", f"{name}.count({p})", f"{name}.index({name}[-1])",
            f"sum({x} for {unpacked} in {name})", f"sum({y} for {unpacked} in {name} if {x} > 0)", f"{name} == {other}", f"min({name})[0]", f"max({name}, {key or 'key=lambda p: p[0]'})[1]", f"{name}[0] < {name}[-1]",
        )  # fmt: skip
        loop = f"for {unpacked} in {self.one_of(name, name, f'{name}[1:]', f'reversed({name})', f'list({name})', f'sorted({name})')}:\n    {self.bind(1)} = {x} + {y}"
        grown = f"while {name}:\n    {unpacked} = {name}.pop({self.one_of('', '', '0')})\n    if {x} > 0:\n        {name}.append(({x} - 1, {y}{'' if kind == 'pairs' else ', True'}))"
        return self.one_of(
            f"{name}.append({p})", f"{name}.append({p})", f"{name}.append({p})", f"for i in range(n):\n    {name}.append({p})", f"{name}.insert({i}, {p})", f"if {name}:\n    {unpacked} = {name}.pop()", f"if {name}:\n    {name}.pop(0)",
            f"if {name}:\n    {name}[{i} % len({name})] = {p}", f"if len({name}) > 1:\n    {name}[0], {name}[1] = {name}[1], {name}[0]", f"{name}.reverse()", f"{name}.sort({key}{reverse})", f"{name}.extend({other})" if other != name else f"{name}.extend({name}[:])",
            f"{name} += [{p}]", f"{name}.clear()", f"if {name}:\n    del {name}[-1]", self.named(kind, f"sorted({name}, {key}{reverse})"), self.named(kind, f"{name}{self.one_of('[1:]', '[::-1]', '[:-1]', '[::2]')}"), self.named(kind, f"{name}.copy()"),
            f"{self.bind(1)} = {value}", f"{self.bind(1)} = {value}", f"{self.bind(1)} = {value}", loop, loop, grown, f"{self.bind(np.zeros((2, 2)))} = np.array({name})" if kind == "pairs" else f"{self.bind(1)} = {value}",
        )  # fmt: skip

    def read(self):
        name = self.flat()
        if not name:
            return None
        value = self.one_of(
            f"len({name})", f"sum({name})", f"{name}[{self.place(name)}]", f"{name}[-1] if {name} else {self.item(self.kinds[name])}",
            f"{self.number(depth=0)} in {name}", f"not {name}", f"max({name})", f"min({name})", f"sum(v * v for v in {name})",
            f"any(v > 1 for v in {name})", f"len({name}) > {self.number('int', 0)}", f"{self.number('int', 0)} not in {name}",
        )  # fmt: skip
        return f"{self.bind(1)} = {value}"

    def as_array(self):
        name = self.flat()
        if not name:
            return None
        made = self.one_of(f"np.array({name})", f"np.array({name}, dtype=np.float64)", f"np.array({name}) * 2", f"np.array({name}).sum()")
        return f"{self.bind(np.zeros(2))} = {made}"

    def called(self):
        name = self.flat()
        if not name or not self.appending:
            return None
        call = f"{self.rng.choice(self.appending)}({name}, {self.item(self.kinds[name])})"
        return self.one_of(call, f"{self.bind(1)} = {call}")

    def over(self):
        """A loop over a list."""
        name = self.flat()
        if not name or self.depth > 1:
            return None
        v, i = self.fresh(), self.fresh()
        self.inner |= {v, i}
        head = self.one_of(f"{v} in {name}", f"{v} in {name}", f"{i}, {v} in enumerate({name})", f"{v} in {name}[1:]", f"{v} in reversed({name})", f"{v} in list({name})", f"{i}, {v} in zip(range(n), {name})")
        value = 1 if self.kinds[name] in ("int", "i32") else 1.0
        names = {v: value} | ({i: 1} if head.startswith(f"{i},") else {})
        saved = self.env
        if "list(" not in head and self.rng.random() < 0.9:  # its length may not change
            self.env = {n: v for n, v in self.env.items() if n != name}
        test = self.one_of(f"{v} > 1", self.condition())
        leaving = self.one_of("", "", f"    if {test}:\n        {self.one_of('break', 'continue')}\n")
        body = self.block(**names)
        text = f"for {head}:\n{body}{leaving}{self.block(**names) if leaving else ''}"
        self.env = saved
        return text

    def drained(self):
        name = self.flat()
        if not name or self.depth > 1:
            return None
        v = self.bind(1)
        return f"{v} = 0\nwhile {self.one_of(name, f'len({name}) > 1')}:\n    {v} += {name}.pop()\n" + (self.block(**{v: 1}) if self.rng.random() < 0.3 else "")

    def rows(self):
        """Lists of lists."""
        names = self.lists("rows")
        if not names or self.rng.random() < 0.3:
            return self.named("rows", self.one_of("[[0] * n for i in range(n)]", "[[i] * n for i in range(n)]", "[[i, 1] for i in range(n)]" if self.leaks else "[[0, 0, 0], [0, 0, 0]]", "[[1, 2], [3, 4]]", "[[x * i for i in range(n)] for j in range(2)]"))
        name = self.rng.choice(names)
        i, j = self.number("int", 0), self.number("int", 0)
        return self.one_of(
            f"{name}[{i}][{j}] += {self.number('int', 0)}", f"if len({name}) > 1:\n    {name}[1][0] = {name}[0][0]", f"{self.bind(1)} = {name}[{i}][{j}]",
            f"{self.bind(1)} = sum({name}[0])", f"{self.bind(1)} = sum(sum(row) for row in {name})", f"{self.bind(1)} = len({name}) * len({name}[0])",
            f"for row in {name}:\n    row[0] += {self.number('int', 0)}", f"{name}.append([{i}, {j}])", self.named("int", f"{name}[{i}]"), f"{name}[0].append({i})",
            f"for i in range(len({name})):\n    for j in range(len({name}[i])):\n        {name}[i][j] += i * j",
        )  # fmt: skip
