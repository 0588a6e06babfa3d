"""Random functions drawn from Python's own grammar, which know nothing of what appyc models.

    program(first, count)    a file of the functions of `count` seeds: f7, its inputs_f7 and sizes_f7 for the seed 7

Each node class of CPython's `ast` has a maker (or a reason in LEFT_OUT), NumPy's functions, methods and their parameters
come from NumPy's own signatures. A function grows statement by statement: CPython runs each proposal on all inputs, and one
that raises on all of them is dropped. What is left is valid Python; appyc must compute the same or refuse.
"""

from __future__ import annotations

import ast
import signal
import sys
import tempfile
from pathlib import Path

from makers import MAKERS, maker_of
from wild_function import Function, alarm

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Execution"))
import harness

HEADER = '''"""Functions drawn from Python's grammar."""
from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass, replace
from typing import NamedTuple, TypedDict

import numpy as np

SIZES = (0, 1, 2)


'''

# Node classes that cannot stand in a function that returns numbers, each with its reason.
LEFT_OUT = {
    "Await": "asynchronous", "AsyncFor": "asynchronous", "AsyncWith": "asynchronous", "AsyncFunctionDef": "asynchronous",
    "Yield": "makes a generator of the function", "YieldFrom": "makes a generator of the function",
    "ClassDef": "gives no number", "TryStar": "needs exception groups", "FormattedValue": "stands in JoinedStr only",
    "Slice": "stands in Subscript only", "Import": "made with ImportFrom", "TypeAlias": "gives no number",
    "Interpolation": "gives no number", "TemplateStr": "gives no number",
}  # fmt: skip


def program(first, count, maker=None):
    """The text of a file, of one of MAKERS if it is named; a seed that gives no function is left out, and so is one whose program ends CPython itself."""
    texts, seed, end = [], first, first + count

    def draw():
        signal.signal(signal.SIGALRM, alarm)
        for at in range(seed, end):
            made = MAKERS.get(maker or maker_of(at), Function)(f"f{at}", at)
            yield at, made.whole_text() if made.grow() else ""

    with tempfile.TemporaryFile("w") as log:
        while seed < end:
            items, status = harness.in_child(draw, log)
            texts += [text for _, text in items]
            seed = end if status == 0 else seed + len(items) + 1
    return HEADER + "".join(texts)


def covered():
    """Node classes of expressions and statements without a maker and without a reason."""
    classes = [c.__name__ for base in (ast.expr, ast.stmt) for c in base.__subclasses__()]
    makers = set(dir(Function)) | {n.removeprefix("make_") for n in dir(Function)}
    return [c for c in classes if c not in makers and c not in LEFT_OUT]


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
