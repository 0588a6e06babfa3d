"""What the makers of programs of one construct share: statements as text, numbers, conditions, blocks, loops."""

from __future__ import annotations

import ast
import random
import re

import numpy as np
from wild_function import Function, clone
from wild_nodes import kind_of

PROBE = ast.parse("__probe__(locals())").body


def indented(text):
    return "".join(f"    {line}\n" for line in text.splitlines())


class Maker(Function):
    """A function that grows by statements of a construct. A maker has begin(), which makes parameters and helpers, and
    statement(), the text of a statement that may stand where the names of `env` have the values there."""

    extents = ({"N": 5, "M": 3}, {"N": 1, "M": 1}, {"N": 0, "M": 2}, {"N": 2, "M": 7})
    steps = (4, 5, 6, 7, 9)
    leaving_loops = ("break", "break", "continue", "continue")
    returned = ("int", "float", "bool", "complex", "array", "list")  # kinds of names

    def __init__(self, name, seed):
        self.name, self.rng, self.new = name, random.Random(f"{type(self).__name__} {seed}"), 0
        self.helpers, self.parameters, self.body, self.env = [], [], [], {}
        self.cases = list(range(len(self.extents)))
        self.depth = 0  # how many blocks are around
        self.inner = set()  # names that a block binds first; what follows the block seldom reads them
        self.leaks = self.rng.random() < 0.1
        self.begin()

    # --- parameters and helpers

    def an_array(self, name, dtype, dims, values=None):
        """A parameter; the dimensions are N and M."""
        numpy_name = {"i": "int", "u": "uint", "f": "float", "c": "complex", "b": "bool"}[dtype[0]] + dtype[1:].removeprefix("ool")
        texts = []
        for extents in self.extents:
            shape = tuple(extents[d] for d in dims)
            count = 1
            for extent in shape:
                count *= extent
            items = [self.rng.choice(values) if values else self.a_value(dtype, element=True) for _ in range(count)]
            texts.append(f'np.array({items!r}, "{numpy_name}").reshape({shape})')
        self.parameters.append((name, f"{dtype}[{', '.join(dims)}]", texts))

    def a_number(self, name, dtype, *values):
        """A parameter with one of the values in each case."""
        self.parameters.append((name, dtype, [repr(self.rng.choice(values)) for _ in self.extents]))

    def an_extent(self, name="n", dimension="N"):
        self.parameters.append((name, "int", [repr(extents[dimension]) for extents in self.extents]))

    def helper(self, signature, body):
        """Its name; the body's lines are text."""
        name = f"{self.name}_h{len(self.helpers)}"
        self.helpers.append((f"def {name}({signature}):\n{indented(body)}\n\n", name, signature))
        return name

    def bind(self, value, *old):
        """A name for a value of this kind: a new one, or seldom one of the old ones."""
        if old and self.rng.random() < 0.2:
            return self.rng.choice(old)
        name = self.fresh()
        self.env = self.env | {name: value}
        if self.depth:
            self.inner.add(name)
        return name

    # --- expressions, as text

    def one_of(self, *texts):
        return self.rng.choice(texts)

    def weighted(self, ways):
        """The text that one of the functions gives; `ways` maps them to weights. Those that give None do not fit here."""
        ways, before = dict(ways), self.env
        while ways:
            way = self.rng.choices(list(ways), list(ways.values()))[0]
            text = way()
            if text is not None:  # of the names that were bound on the way, those that are in it
                used = set(re.findall(r"\w+", text))
                self.env = {n: v for n, v in self.env.items() if n in before or n in used}
                return text
            self.env = before
            del ways[way]
        return "pass"

    def number(self, kind="any", depth=1):
        """An int, a float or any number."""
        rng = self.rng
        if depth and rng.random() < 0.45:
            operator = rng.choice("+ - * + - * // %".split() if kind == "int" else "+ - * + - * / % //".split())
            right = str(rng.choice((1, 2, 3, 7))) if operator in ("//", "%", "/") else self.number(kind, depth - 1)
            return f"({self.number(kind, depth - 1)} {operator} {right})"
        kinds = {"int": ("int",), "float": ("float",)}.get(kind, ("int", "float"))
        names = self.names(*kinds)
        if names and rng.random() < 0.75:
            return rng.choice(names)
        if kind == "int" or (kind == "any" and rng.random() < 0.5):
            return str(rng.choice((0, 1, 2, 3, -1, 5)))
        return str(rng.choice((0.0, 0.5, 1.0, -1.5, 2.0)))

    def condition(self):
        rng = self.rng
        left, right = self.number(depth=0), self.number(depth=1)
        test = f"{left} {rng.choice(('<', '>', '<=', '>=', '==', '!='))} {right}"
        if rng.random() < 0.15:
            test = f"{self.number(depth=0)} {rng.choice(('<', '<='))} {test}"
        if rng.random() < 0.15:
            test = f"{self.one_of('not ', '')}({test}) {rng.choice(('and', 'or'))} {self.number('int', 0)} % 2 == {rng.choice((0, 1))}"
        return test

    def count(self):
        """A small number of steps."""
        names = self.names("int") if self.rng.random() < 0.1 else [n for n, _, _ in self.parameters if n in self.names("int")]
        return self.rng.choice(names) if names and self.rng.random() < 0.4 else str(self.rng.choice((2, 3, 4)))

    # --- statements, as text

    def block(self, **names):
        """Statements of a block in which these names have a value, too."""
        saved, self.env = self.env, self.env | names
        self.depth += 1
        text = "".join(self.statement() + "\n" for _ in range(self.rng.choice((1, 1, 2, 3))))
        self.depth -= 1
        self.env = saved
        return indented(text)

    def branch(self):
        if self.depth > 2:
            return None
        text = f"if {self.condition()}:\n{self.block()}"
        return text + (f"else:\n{self.block()}" if self.rng.random() < 0.4 else "")

    def loop(self, leaves=0.25):
        """Over a range; `leaves` is how often with break or continue."""
        if self.depth > 1:
            return None
        name = self.one_of(*[n for n in "ij" if n not in self.env], self.fresh())
        self.inner.add(name)
        steps = self.one_of(self.count(), "n" if "n" in self.env else "3", f"1, {self.count()}", f"{self.count()}, -1, -1")
        body = self.block(**{name: 1})
        with_leaving = self.rng.random() < leaves
        if with_leaving:
            body += indented(self.leave(name)) + self.block(**{name: 1})
        text = f"for {name} in range({steps}):\n{body}"
        return text + (f"else:\n{self.block()}" if with_leaving and self.rng.random() < 0.3 else "")

    def leave(self, name):
        """Out of a loop whose index this is."""
        test = self.one_of(f"{name} > {self.rng.choice((0, 1, 2))}", f"{name} % 2 == 1", self.condition())
        way = self.rng.choice(self.leaving_loops)
        return f"if {test}:\n    {way}{' ' + self.number(depth=0) if way == 'return' else ''}"

    def assigned(self):
        """A number given to a name."""
        kind = self.one_of("int", "float")
        value = self.number(kind, 2) if self.rng.random() < 0.96 else self.number()
        names = self.names(kind)
        if names and self.rng.random() < 0.5:
            return f"{self.rng.choice(names)} {self.one_of('+', '-', '*', '')}= {value}"
        return f"{self.bind(1 if kind == 'int' else 1.0)} = {value}"

    # --- growing

    def grow(self):
        for _ in range(self.rng.choice(self.steps)):
            for _ in range(4):
                if self.propose():
                    break
        return self.finish()

    def propose(self):
        _, env = self.attempt([*self.body, *clone(PROBE)])
        if env is None:
            return False
        self.env = env if self.leaks else {n: v for n, v in env.items() if n not in self.inner}
        return self.accept([*clone(self.body), *self.parsed(self.statement())])

    def parsed(self, text):
        return ast.parse(text).body

    def results(self):
        """Texts of what may be returned."""
        names = self.names(*self.returned)
        parameters = {name for name, _, _ in self.parameters}
        return [n for n in names if n not in parameters] or names

    def finish(self):
        _, env = self.attempt([*self.body, *clone(PROBE)])
        if env is None:
            return bool(self.body)
        self.env = env if self.leaks else {n: v for n, v in env.items() if n not in self.inner}
        texts = self.results()
        self.rng.shuffle(texts)
        for count in (8, 4, 2, 1):
            if texts and self.accept([*self.body, *self.parsed("return " + ", ".join(texts[:count]))]):
                return True
        return bool(self.body)

    def names_of(self, test):
        return [n for n, v in self.env.items() if test(v) and not n.startswith("__")]

    def arrays(self, rank=None):
        return self.names_of(lambda v: kind_of(v) == "array" and rank in (None, v.ndim))
