"""Python's order of evaluation: helpers that change arrays stand in every position of every construct, beside operands
of every kind, in one generated file."""
from __future__ import annotations

import itertools
import os

import harness
import pytest

HEADER = '''from __future__ import annotations

import numpy as np

SIZES = (3, 4, 7)


def bump(a):
    a[0] += 1
    a[1] -= 2
    return a[0] + a[1]


def step(a):
    a += 1
    return a


def turn(k):
    k[0] = (k[0] + 1) % 3
    k[1] = (k[1] + 2) % 3
    return k[0]


def early(a):
    if a[0] > 3:
        a[0] = -1
        return a[1]
    a[0] += 2
    return a[2]


def pair(p, q):
    return p * 10 + q


def last(p, q, r=3):
    q[0] = p + r
    return q[0] - p


def make_inputs(size, rng):
    return rng.integers(1, 9, size) / 2, rng.integers(1, 9, size) / 4, rng.permutation(3), 1
'''

# Operands that read a or k, and what they give: a number, an array of a's size, or of three elements.
NUMBERS = ("a[0]", "a[k[0]]", "-a[1]", "a.sum()", "a[k].max()", "(a * 2)[0]", "float(a[1])", "(a[-1] if n else a[0])")
ARRAYS = ("a", "a[:]", "a * 2", "-a", "a[::-1]", "np.where(a > 2, a, 0)", "np.sqrt(a)")
THREES = ("a[k]", "a[:3]", "a[k] * 2", "a[k[0]:k[0] + 1].sum() + a[:3]")
CHANGES = ("bump(a)", "early(a)", "turn(k)", "last(2.0, a)")

NUMBER_FORMS = (
    "return {x} + {c}", "return {c} - {x}", "return {x} * {c} - {x}", "return {x} < {c} < {x} + 3, {x}",
    "return {x} > 1 and {c} > 1", "return {c} > 2 or {x} > 3, {c}", "return {x} if {c} > 2 else {x} * 2, {c}",
    "return np.maximum({x}, {c})", "return max({x}, float({c}), {x})", "return pair({x}, {c})", "return pair(q={x}, p={c})",
    "return {x}, {c}, {x}", "p, q = {x}, {c}\n    return p - q", "b[0], b[1] = {x}, {c}",
    "b[turn(k)] = {x} + {c}", "b[k[0]] += {c} * {x}", "a[k[0]] += {c} - {x}", "a[turn(k)] = {x}", "a[0] -= {c}",
    "x = {x}\n    x += {c} * {x}\n    return x", "x = y = {x} + {c}\n    return x * y",
    "t = ({x}, {c})\n    return pair(*t)",
    "i = 0\n    while {x} + i < 9 and {c} < 20 and i < 5:\n        i += 1\n    return i",
    "if {x} > {c}:\n        b[0] = {x}\n    else:\n        b[1] = {c}",
    "return 0 < {c} < {x} < {c} + 9", "return np.full(3, {x}) + {c}", "return not ({x} > {c})",
    "for i in range(int({x}), int({c}) + 4):\n        b[0] += i",
    "return n < 0 and {c} > 0, {x}", "return n > 0 or {c} > 0, {x}", "return a[turn(k)] * 10 + {x}",
    "b[int(abs({x})) % 3] = float({c}) if n > 0 and {x} > 0 else float({x})",
)
ARRAY_FORMS = (
    "return {v} + {c}", "return {c} * {v} + {v}", "return {v} + step(a)", "return step(a) + {v}",
    "return ({v}).sum() + {c}", "return ({v}) @ step(a)", "return np.add({v}, step(a)), {c}",
    "p, q = {v}, {c}\n    return p - q", "b[:] = {v} + {c}", "b += {v} * {c}", "a += {v} + {c}",
    "a[:] = {v} * {c}", "a[k[0]:k[0] + 1] += {c}", "return pair({v}, {c})", "return pair(q={v}, p={c})",
    "return {v}, {c}", "return np.where({v} > {c}, {v}, {c})", "return ({v})[turn(k)] + {c}",
    "b[b > {c}] = a[0]", "a[a > 1] = {c}", "return a[a > 2].sum() + {c}",
)
THREE_FORMS = (
    "return {v} + {c}", "return {c} - {v}", "p, q = {v}, {c}\n    return p * q", "b[:3] = {v} + {c}",
    "b[k] = {v} * {c}", "return {v}, {c}, {v}", "return pair({v}, {c})", "return ({v}) @ ({v}) + {c}",
)


def texts():
    """Each form with each change and, in turn, each operand."""
    for forms, operands, name in ((NUMBER_FORMS, NUMBERS, "x"), (ARRAY_FORMS, ARRAYS, "v"), (THREE_FORMS, THREES, "v")):
        turns = itertools.cycle(operands)
        for form in forms:
            for change in CHANGES:
                yield form.replace("{" + name + "}", next(turns)).replace("{c}", change)


def program():
    """The file of all texts, one function each."""
    path = harness.work_folder() / f"order_{os.getpid()}.py"
    if not path.exists():
        functions = [f"def f{k}(a: f64[N], b: f64[N], k: i64[3], n: int):\n    {text}\n" for k, text in
                     enumerate(dict.fromkeys(texts()))]
        path.write_text("\n\n".join([HEADER, *functions]))
    return path


@pytest.mark.xdist_group("order")
def test_every_position():
    path, target = program(), harness.Target("cpu", "cpu")
    outcomes = harness.run_compiled(path, tuple(harness.exported_functions(path)), target)
    wrong = []
    for function, sizes in outcomes.items():
        for size, outcome in sizes.items():
            try:
                harness.assert_as_outcome(outcome, harness.expected(path, function, size))
            except AssertionError as error:
                wrong.append(f"{function}({size}): {error}")
    assert not wrong, f"{path}: {len(wrong)} of {len(outcomes)}\n" + "\n".join(wrong[:40])
