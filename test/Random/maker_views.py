"""Programs of views: arrays of another shape or order of the same memory, stored through; selections."""

from __future__ import annotations

import numpy as np
from maker import Maker


class Views(Maker):
    """Views of views, stores through them and through masks and index arrays, and reads by the other names."""

    def begin(self):
        rng = self.rng
        self.an_extent()
        self.a_number("x", "float", 0.5, 2.0, -1.5, 0.25)
        self.an_array("a", rng.choice(("f64", "f64", "i64", "f32", "i32")), rng.choice(("NM", "NM", "N", "NMN")))
        if rng.random() < 0.6:
            self.an_array("b", rng.choice(("f64", "i64")), rng.choice(("N", "NM", "MN")))
        if rng.random() < 0.6:
            self.an_array("k", "i64", "N", (0, 0, -1, 1, 2))

    def an_array_name(self, rank=None):
        return self.rng.choice(self.arrays(rank) or ["a"])

    def statement(self):
        return self.weighted({
            self.view: 5, self.stored: 5, self.read: 3, self.masked: 2.5, self.gathered: 1.5, self.copied: 1.5, self.loop: 2.5, self.branch: 0.8, self.swapped: 0.8,
        })  # fmt: skip

    def bound(self, text, like):
        value = self.env[like]
        return f"{self.bind(value)} = {text}"

    def view(self):
        a = self.an_array_name()
        rank = self.env[a].ndim
        ways = {
            1: ["[::-1]", "[1:]", "[::2]", "[:-1]", ".reshape(-1, 1)", ".reshape(1, -1)", "[None]", "[:, None]", ".ravel()", ".reshape(n, -1)", "[1:-1]", "[:n]"],
            2: [".T", ".reshape(-1)", ".ravel()", "[::-1]", "[:, ::-1]", "[:, 0]", "[0]", "[1:]", "[:, 1:]", ".swapaxes(0, 1)", ".flatten()", "[::2, ::2]", ".reshape(-1, 1)", "[-1]", ".T.ravel()", ".reshape(n, -1)", ".diagonal()", "[..., -1]", "[:n, :n]"],
            3: [".transpose(2, 0, 1)", ".T", ".reshape(-1)", ".reshape(n, -1)", "[0]", "[:, 0]", "[..., 0]", ".swapaxes(0, 2)", "[:, ::-1]", ".ravel()", "[1:, :, ::2]", ".transpose(1, 0, 2)"],
        }.get(rank, [".squeeze()", ".ravel()"])  # fmt: skip
        text = a + self.rng.choice(ways)
        if self.rng.random() < 0.2:
            text = self.one_of(f"np.ravel({a})", f"np.squeeze({a})", f"np.atleast_2d({a})", f"np.expand_dims({a}, 0)", f"np.moveaxis({a}, 0, -1)", f"np.flip({a})", f"np.asarray({a})", f"np.transpose({a})")
        try:
            value = eval(text, {"np": np, "n": 5} | self.env)
        except Exception:  # not of this shape
            return None
        return f"{self.bind(np.asarray(value))} = {text}"

    def stored(self):
        a, b = self.an_array_name(), self.an_array_name()
        index = "i" if "i" in self.env else "0"
        ways = [f"{a}[...] = {self.number('int')}", f"{a} += {self.number('int')}", f"{a}[:1] = {self.number('int')}", f"{a}[1:] = {a}[:-1]", f"{a}[:-1] += {a}[1:]", f"{a}[{index}] = {self.number('int')}", f"{a}[-1] *= 2", f"{a}[::2] -= 1", f"{a}[...] = {b}", f"{a} -= {b}", f"{a}[::-1] += {a}", f"{a}[:1] = {b}[:1]"]
        if self.env[a].ndim > 1:
            ways += [f"{a}[:, 0] = {self.number('int')}", f"{a}[:, 1:] = {a}[:, :-1]", f"{a}.T[:1] += 1", f"{a}.reshape(-1)[::2] = 3", f"{a}[{index}, -1] += 1", f"{a}[{index}] = {a}[0]", f"{a}.ravel()[1:] += 2", f"{a}[:, -1] = {a}[:, 0]"]
        return self.rng.choice(ways)

    def masked(self):
        a, b = self.an_array_name(), self.an_array_name()
        test = f"{a} {self.one_of('>', '<', '<=', '!=')} {self.one_of('0', '1', 'x')}"
        return self.one_of(
            f"{a}[{test}] = {self.number('int')}", f"{a}[{test}] += 1", f"{a}[{test}] *= 2", f"{self.bind(np.zeros(2))} = {a}[{test}]", f"{self.bind(1.0)} = {a}[{test}].sum()", f"{a}[{test}] = {a}[{test}] + 1",
            f"{b}[{test}] = 0", f"{self.bind(np.zeros(2))} = {b}[{test}]", f"{self.bind(self.env[a])} = np.where({test}, {a}, 0)", f"{a}[~({test})] -= 2",
            f"{self.bind(True)} = {test}",
        )  # fmt: skip

    def gathered(self):
        if "k" not in self.env:
            return None
        a = self.an_array_name()
        return self.one_of(f"{self.bind(self.env[a])} = {a}[k]", f"{a}[k] = {self.number('int')}", f"{a}[k] += 1", f"{self.bind(self.env[a])} = {a}[k[::-1]]", f"np.add.at({a}, k, 1)", f"{a}[k] = {a}[k[::-1]]", f"{self.bind(self.env[a])} = np.take({a}, k, axis=0)")

    def copied(self):
        a = self.an_array_name()
        return self.bound(f"{a}{self.one_of('.copy()', ' * 2', ' + 0', '')}", a)

    def read(self):
        a = self.an_array_name()
        return f"{self.bind(1.0)} = {self.one_of(f'{a}.sum()', f'{a}.size', f'len({a})', f'{a}.ravel()[:2].sum()', f'({a} * {a}).sum()', f'{a}.max(initial=0)', f'{a}.ndim')}"

    def swapped(self):
        a, b = self.an_array_name(), self.an_array_name()
        return self.one_of(f"{a}[:1], {a}[-1:] = {a}[-1:].copy(), {a}[:1].copy()", f"{a}, {b} = {b}, {a}", f"{a}[0], {a}[-1] = {a}[-1], {a}[0]", f"for y in {a}:\n    y += 1" if self.env[a].ndim > 1 else f"for y in {a}:\n    x += y")

    def results(self):
        return super().results() + ["a"]
