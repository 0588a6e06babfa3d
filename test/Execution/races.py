"""What --check-races must find: runs a function's text with arrays that log who touched what.

Loops under `parallel` and `simd` pragmas and over `appy.prange` are followed; the first race in the program's order is kept.
"""
from __future__ import annotations

import inspect
import re
import sys
from types import SimpleNamespace

import numpy as np

READ, WRITE, UPDATE = 0, 1, 2
VERBS = ("reads", "writes", "updates")


class Log:
    def __init__(self, file):
        self.file, self.open, self.found = file, [], None

    def follow(self, line, *bounds):
        """The range of a loop at `line` whose iterations must not compete."""
        loop = SimpleNamespace(line=line, name="i", now=None, touched={})
        self.open.append(loop)
        for loop.now in range(*bounds):
            yield loop.now
        self.open.pop()

    def touch(self, array, element, way, line):
        for loop in self.open:
            first = loop.touched.setdefault((id(array), element), {})
            for other in sorted(first):
                competes = way != other or way == WRITE
                if competes and way + other > 0 and first[other] != loop.now and self.found is None:
                    place = ", ".join(map(str, element))
                    index = "j" if len(self.open) > 1 and loop is self.open[-1] else "i"
                    too = " too" if way == other else ""
                    self.found = (f"{self.file}:{loop.line}: loop `{index}` has a race: iteration {index}={first[other]} "
                                  f"{VERBS[other]} {array.name}[{place}], iteration {index}={loop.now} {VERBS[way]} it{too}, "
                                  f"in line {line}")
            first.setdefault(way, loop.now)


class Logged:
    """An array whose elements are logged when they are touched."""

    def __init__(self, log, name, values):
        self.log, self.name, self.values = log, name, values
        self.shape = values.shape
        self.kept = log.__dict__.setdefault("kept", [])
        self.kept.append(self)  # its identity must stay its own

    def _log(self, index, way):
        line = sys._getframe(2).f_lineno
        index = index if isinstance(index, tuple) else (index,)
        axes = [range(n)[i] if isinstance(i, slice) else [int(i)] for i, n in zip(index, self.shape)]
        for element in [()] if not axes else [(i, *rest) for i in axes[0] for rest in
                                              ([(j,) for j in axes[1]] if len(axes) > 1 else [()])]:
            self.log.touch(self, element, way, line)

    def __getitem__(self, index):
        self._log(index, READ)
        return self.values[index]

    def __setitem__(self, index, value):
        self._log(index, WRITE)
        self.values[index] = value

    def update(self, index, value):
        self._log(index, UPDATE)
        self.values[index] += value

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __add__(self, other):
        return self.values + other


def expected_race(function, arguments):
    """The text of the error, or None; `arguments` are changed as the function changes them."""
    lines, start = inspect.getsourcelines(function)
    text = ["\n" * (start - 1)]
    pragma = ""
    for number, line in enumerate(lines, start):
        if "@appy.jit" in line or "#pragma" in line:
            pragma = line if "#pragma" in line else ""
            text.append("\n")
            continue
        if "sequential" not in pragma and ("#pragma" in pragma or "appy.prange" in line):
            line = re.sub(r"(appy\.)?p?range\(", f"follow({number}, ", line)
        if "atomic" in pragma:
            line = re.sub(r"(\w+)\[(.*)\] \+= (.*)", r"\1.update(\2, \3)", line)
        text.append(line)
        pragma = ""
    log = Log(inspect.getfile(function).rsplit("/", 1)[-1])
    numpy = SimpleNamespace(sum=lambda a, axis: np.sum(a.values, axis=axis),
                            zeros=lambda shape: Logged(log, "y", np.zeros(shape)),
                            ones=lambda shape: Logged(log, "y", np.ones(shape)))
    names = {"np": numpy, "follow": log.follow}
    exec(compile("from __future__ import annotations\n" + "".join(text)[1:], "<traced>", "exec"), names)
    parameters = inspect.signature(function).parameters
    names[function.__name__](*(Logged(log, name, a) if isinstance(a, np.ndarray) else a
                               for name, a in zip(parameters, arguments)))
    return log.found
