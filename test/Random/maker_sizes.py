"""Programs of arrays that change their size."""

from __future__ import annotations

import numpy as np
from maker import Maker


class Sizes(Maker):
    """Arrays of which parts are kept or to which others are joined: in loops, on paths, several at once."""

    def begin(self):
        rng = self.rng
        self.an_extent("t", "M")
        self.a_number("x", "float", 0.5, 2.0, -1.5, 0.25)
        self.an_array("z", rng.choice(("f64", "f64", "i64", "f32")), "N")
        if rng.random() < 0.5:
            self.an_array("y", rng.choice(("f64", "f64", "i32")), "N")
        if rng.random() < 0.25:
            self.an_array("r", "f64", "NM")
        self.together = [n for n in ("z", "y") if any(n == p for p, _, _ in self.parameters)]  # of one length as long as they change together

    def an_array_name(self):
        names = self.arrays(1)
        return self.rng.choice(names) if names else None

    def is_float(self, z):
        return getattr(self.env[z], "dtype", np.dtype(float)).kind == "f"

    def limit(self, array):
        """A number to which elements are compared."""
        index = [n for n in "ij" if n in self.env]
        return self.one_of("0", "0.5", "x", "1", f"{index[0]} / 4" if index else "0.25", f"{array}.mean()" if self.rng.random() < 0.3 else "0")

    def statement(self):
        return self.weighted({
            self.kept: 4, self.kept_together: 2, self.joined: 2, self.cut: 2, self.changed: 2, self.read: 3, self.loop: 5, self.branch: 1.5,
            self.peeled: 0.8, self.copied: 1, self.rows: 1 if "r" in self.env else 0.01, self.items: 1, self.assigned: 0.5,
        })  # fmt: skip

    def to(self, name, text):
        """The array under its own name or under a new one."""
        at = name if self.depth or self.rng.random() < 0.6 else self.bind(np.zeros(2))
        return f"{at} = {text}"

    def kept(self):
        z = self.an_array_name()
        test = self.one_of(f"{z} > {self.limit(z)}", f"{z} <= {self.limit(z)}", f"{z} != 0", f"({z} > 0) & ({z} < {self.limit(z)})", f"{z} % 2 < 1")
        return self.to(z, f"{z}[{test}]{self.one_of('', '', ' * 2', '[::-1].copy()')}")

    def kept_together(self):
        if len(self.together) < 2:
            return None
        kept = self.bind(True)
        z, y = self.together
        return f"{kept} = {z} > {self.limit(z)}\n{z}, {y} = {z}[{kept}], {y}[{kept}]" if self.rng.random() < 0.6 else f"{kept} = {y} > {self.limit(y)}\n{z} = {z}[{kept}]\n{y} = {y}[{kept}]"

    def joined(self):
        z, other = self.an_array_name(), self.an_array_name()
        if getattr(self.env[z], "dtype", 0) != getattr(self.env[other], "dtype", 0) and self.rng.random() < 0.9:
            other = z
        return self.to(z, self.one_of(f"np.append({z}, {self.number('float') if self.is_float(z) else self.number('int')})", f"np.concatenate(({z}, {other}))", f"np.concatenate(({z}[:2], {z}))", f"np.append({z}, {other}[:1])", f"np.hstack(({z}, {other}[1:]))", f"np.insert({z}, 0, 1)"))

    def cut(self):
        z = self.an_array_name()
        return self.to(z, f"{z}{self.one_of('[1:]', '[:-1]', '[::2]', '[1:-1]', '[:3]', '[::-1]', '[len(' + z + ') // 2:]')}{self.one_of('', '.copy()', ' + 1') if self.leaks or not self.depth else self.one_of('.copy()', ' + 1')}")

    def changed(self):
        z = self.an_array_name()
        return self.one_of(f"{z} *= 2", f"{z} -= 1", f"{z}[:1] = {self.number('int')}", f"{z} = {z} + 1", f"{z}[{z} > 1] = 0", f"{z}[::2] += 1")

    def copied(self):
        z = self.an_array_name()
        return f"{self.bind(np.zeros(2))} = {z}{self.one_of('.copy()', ' * 2', '[::-1].copy()', ' > 0', '')}"

    def read(self):
        z = self.an_array_name()
        names = self.names("float")
        value = self.one_of(f"{z}.sum()", f"len({z})", f"{z}.size + 1", f"{z}[0] if len({z}) else 0", f"({z} * 2).sum()", f"np.count_nonzero({z})", f"{z}[:2].sum()", f"{z} @ {z}")
        if names and self.rng.random() < 0.5:
            return f"{self.rng.choice(names)} += {value}"
        return f"{self.bind(1.0)} = 0.0 + {value}"

    def items(self):
        z = self.an_array_name()
        if self.depth > 1:
            return None
        total = self.bind(1.0)
        return f"{total} = 0.0\nfor v in {z}:\n    {self.one_of('', f'if v > 2: break{chr(10)}    ', f'if v == 0: continue{chr(10)}    ')}{total} = {total} / 2 + v"

    def peeled(self):
        z = self.an_array_name()
        if self.depth > 1:
            return None
        return f"while len({z}){self.one_of('', ' > 1', ' > 2')}:\n{self.block()}    {z} = {z}[{self.one_of('1:', ':-1', '1:-1')}]{self.one_of('.copy()', '.copy()', ' * 2')}"

    def rows(self):
        return self.one_of("r = r[r[:, 0] > 0]", "r = r[1:]", "r = r[r.sum(1) > x]", f"{self.bind(np.zeros(2))} = r[:, 0]", "r = np.concatenate((r, r[:1]))", f"{self.bind(1.0)} = r.sum()", "r = r[:, 1:]", "r = r[::-1] * 2")

    def loop(self):
        return super().loop(leaves=0.4)

    def leave(self, name):
        z = self.an_array_name()
        if self.rng.random() < 0.5:
            return f"if {self.one_of(f'not len({z})', f'len({z}) < 2', f'{z}.sum() > 3', f'{z}.size > 6')}:\n    {self.one_of('break', 'continue')}"
        return super().leave(name)

    def results(self):
        return super().results() + [n for n in ("z", "y", "r") if n in self.env]
