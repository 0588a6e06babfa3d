"""Programs of np.einsum and of products of any rank."""

from __future__ import annotations

import numpy as np
from maker import Maker
from wild_nodes import kind_of

DTYPES = ("f64", "f64", "f64", "f32", "i64", "i32", "c128", "bool", "u8")
LETTERS = {"N": "ik", "M": "jl", "1": "ijkl"}


class Products(Maker):
    """Sums of products over named axes, matrix products and their kin: any rank, type and order, stretched axes, `...`."""

    steps = (3, 4, 5)

    def begin(self):
        rng = self.rng
        self.an_extent()
        self.dims = {}
        for name in "abcd"[: rng.choice((2, 3, 3, 4))]:
            rank = rng.choice((1, 1, 2, 2, 2, 3))
            self.dims[name] = "".join(rng.choice("NNM") for _ in range(rank))
            values = (0.0, 1.0, -1.0, 0.5, 2.0, 3.0) if rng.random() < 0.5 else None
            dtype = rng.choice(DTYPES)
            self.an_array(name, dtype, self.dims[name], values if dtype[0] in "fc" else None)

    # --- operands: text and dimensions, each N, M or 1

    def operand(self):
        name = self.rng.choice(list(self.dims))
        dims, text = self.dims[name], name
        if not isinstance(self.env.get(name), np.ndarray):
            name, dims, text = "a", self.dims["a"], "a"
        way = self.rng.random()
        if way < 0.15 and len(dims) > 1:
            return self.one_of(f"{text}.T", f"np.transpose({text})"), dims[::-1]
        if way < 0.25 and len(dims) > 1:
            return f"{text}.swapaxes(0, 1)", dims[1] + dims[0] + dims[2:]
        if way < 0.32:
            return f"{text}[None]", "1" + dims
        if way < 0.38:
            return f"{text}[..., None]", dims + "1"
        if way < 0.44:
            return f"{text}[::-1]", dims
        if way < 0.5:
            return f"({text} + {self.one_of('1', '0.5', text)})", dims
        if way < 0.55:
            return f"{text}[:1]", "1" + dims[1:]
        if way < 0.6 and len(dims) < 3:
            return f"{text}.reshape(-1, 1)", ("1" if not dims else dims[0] if len(dims) == 1 else "?") + "1"
        return text, dims

    def statement(self):
        return self.weighted({self.summed: 6, self.product: 5, self.stored: 2, self.loop: 1.5, self.branch: 0.6, self.changed: 0.7})

    def result(self, text):
        return f"{self.bind(np.zeros((2, 2)))} = {text}"

    def changed(self):
        name = self.rng.choice([n for n in self.dims if n in self.env])
        return self.one_of(f"{name}[:1] = 1", f"{name} *= 2", f"{name}[...] = {name}[::-1]")

    def product(self):
        (a, _), (b, _) = self.operand(), self.operand()
        out = self.one_of("", "", "", "", ", dtype=np.float64")
        return self.result(self.one_of(
            f"{a} @ {b}", f"{a} @ {b}", f"np.matmul({a}, {b}{out})", f"np.dot({a}, {b})", f"{a}.dot({b})", f"np.inner({a}, {b})", f"np.vdot({a}, {b})",
            f"np.outer({a}, {b})", f"np.tensordot({a}, {b}, axes={self.one_of('0', '1', '2', '([0], [0])', '((1,), (0,))', '([1, 0], [0, 1])', '(0, -1)')})",
            f"({a} @ {b}).sum()", f"({a} @ {b}) * 2 - {a}", f"{a} @ {b} @ {self.operand()[0]}", f"np.kron({a}, {b})", f"np.trace({a} @ {b})",
            f"np.linalg.multi_dot([{a}, {b}])" if self.leaks else f"{a} @ {b}",
        ))  # fmt: skip

    def subscripts(self):
        """Those of some operands, and the operands."""
        rng = self.rng
        inputs, operands, used = [], [], ""
        dotted = rng.random() < 0.25
        for _ in range(rng.choice((1, 2, 2, 2, 3))):
            text, dims = self.operand()
            skipped = rng.randint(0, len(dims)) if dotted and rng.random() < 0.7 else 0
            letters = "".join(rng.choice(LETTERS.get(d, "ijkl")) if rng.random() < 0.95 else rng.choice("ijkl") for d in dims)
            at = rng.choice((0, len(dims) - skipped))
            inputs.append(letters[:at] + ("..." if skipped or dotted else "") + letters[at + skipped :])
            operands.append(text)
            used += inputs[-1].replace(".", "")
        if rng.random() < 0.25:
            return ",".join(inputs), operands
        output = sorted(set(used))
        rng.shuffle(output)
        output = "".join(output[: rng.randint(0, len(output))])
        if dotted:
            at = rng.randint(0, len(output)) if rng.random() < 0.3 else 0
            output = output[:at] + "..." + output[at:]
        return ",".join(inputs) + "->" + output, operands

    def einsum(self):
        subscripts, operands = self.subscripts()
        more = self.one_of("", "", "", "", "", ", optimize=True", ", dtype=np.float64", ", optimize=False")
        return f'np.einsum("{subscripts}", {", ".join(operands)}{more})'

    def summed(self):
        return self.result(self.einsum() + self.one_of("", "", "", " + 0", ".sum()", " * 2"))

    def stored(self):
        """Into an array, or added to one."""
        made = [n for n in self.arrays() if n not in self.dims]
        value = self.einsum() if self.rng.random() < 0.5 else self.product().split(" = ", 1)[1]
        if made and self.rng.random() < 0.7:
            name = self.rng.choice(made)
            return self.one_of(f"{name} += {value}", f"{name}[...] = {value}", f"np.matmul({self.operand()[0]}, {self.operand()[0]}, out={name})", f'{value[:-1]}, out={name})' if value.endswith(")") and value.startswith("np.einsum") else f"{name} -= {value}")
        return self.result(f"np.zeros((n, n)) + {value}")

    def results(self):
        return [n for n, v in self.env.items() if n.startswith("v") and kind_of(v) in ("array", "int", "float", "complex", "bool")] or super().results()
