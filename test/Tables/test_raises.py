"""Where CPython's functions and operators of numbers raise: outside of loops, and in loops with --sanitize=arithmetic.

Each function of `math` that is the compiler's own, each operator and conversion of Python's numbers, over numbers and pairs of them
that meet the ends of every domain and range. CPython says which of them raise what.
"""
from __future__ import annotations

import math
import re
import subprocess

import harness
import library
import pytest

NAN, INF = float("nan"), float("inf")
FLOATS = (0.0, -0.0, 0.5, 1.0, -1.0, -0.5, 2.0, 1.0000001, -1.5, 3.0, 709.0, 711.0, -800.0, 1100.0, 1e200, -1e200, 1e-320,
          INF, -INF, NAN)
INTEGERS = (0, 1, -1, 2, 3, -7, 39, 62, 63, 64)
OPERATORS = "+ - * / // % << >> **".split()


def expressions():
    """[(text over x and y, their type)]"""
    listed = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    for name, least in re.findall(r"^math\.(\w+) +math +(\d)", listed, flags=re.M):
        if f"math.{name}" in library.foreign_names():
            continue
        count = 2 if name == "hypot" else int(least)
        yield f"math.{name}({', '.join('xy'[:count])})", "float"
        if count == 1:
            yield f"math.{name}(x)", "int"
    yield "math.log(x, y)", "float"
    for operator in OPERATORS:
        for kind in ("float", "int", "complex"):
            if (operator in "<<>>" and kind != "int") or (operator in ("//", "%", "**") and kind == "complex"):
                continue
            # a power of Python's integers has a type that depends on the exponent: appyc refuses it
            yield f"x {operator} {'3' if operator == '**' and kind == 'int' else 'y'}", kind
    for call in ("int(x)", "round(x)", "x ** 2", "x ** 0.5", "x ** -1", "x ** 1.5"):
        yield call, "float"


def arguments(text, kind):
    values = {"float": FLOATS, "int": INTEGERS, "complex": (0j, 1 + 1j)}[kind]
    return [(x, y) for x in values for y in (values if "y" in text else values[1:2])]


def type_of(text, kind):
    """Of the first value that it has."""
    results = (outcome(lambda x, y: eval(text, {"math": math, "x": x, "y": y}), values) for values in arguments(text, kind))
    return next(type(r) for r in results if not isinstance(r, str))


def program():
    lines = ["from __future__ import annotations", "", "import math", ""]
    for k, (text, kind) in enumerate(expressions()):
        lines += [f"def f{k}(x: {kind}, y: {kind}):", f"    return {text}", "", ""]
        zero = type_of(text, kind)()
        lines += [f"def g{k}(x: {kind}, y: {kind}, n: int):", f"    r = {zero}", "    for i in range(n):", f"        r = {text}",
                  "    return r", "", ""]
    return "\n".join(lines)


def outcome(function, values):
    """What it gives, or the name of what it raises."""
    try:
        result = function(*values)
    except Exception as error:
        return type(error).__name__
    return result.item() if hasattr(result, "item") else result


def is_alike(want, got):
    if type(want) is int and not -(2**63) <= want < 2**63:
        return got == "OverflowError" or not isinstance(got, str)  # Python's integers have no end
    if isinstance(want, complex) and "complex" not in str(type(got)):
        return got == "NotImplementedError"
    if isinstance(want, str) or isinstance(got, str):
        return want == got
    if isinstance(want, complex):
        return got == want
    if math.isnan(want) or math.isnan(got):
        return math.isnan(want) and math.isnan(got)
    return math.isclose(want, got, rel_tol=1e-12, abs_tol=1e-300)


@pytest.mark.parametrize("options", [(), ("--sanitize=arithmetic",)], ids=["outside_of_loops", "in_loops"])
def test_raises(options):
    folder = harness.work_folder() / f"raises{len(options)}"
    folder.mkdir(exist_ok=True)
    path = folder / "raises.py"
    path.write_text(program(), encoding="utf-8")
    generated = path.with_suffix(".cpp")
    harness.run_step([harness.APPYC, path, "-o", generated, "--target=cpu", *options], folder)
    harness.run_step(harness.build_line(generated).replace("-O3", "-O0"), folder)
    reference = harness.load_program(path)
    cases = []
    for k, (text, kind) in enumerate(expressions()):
        loops = [("f", ())] if not options else [("f", ()), ("g", (2,))]
        cases += [(text, f"{name}{k}", (*values, *more)) for values in arguments(text, kind) for name, more in loops]

    def work():
        wrapper = harness.load_wrapper(folder, path)
        for _, name, values in cases:
            yield outcome(getattr(wrapper, name), values)

    with open(folder / "log", "w+", encoding="utf-8", errors="replace") as log:
        got, status = harness.in_child(work, log)
    assert status == 0
    wrong, raised = [], 0
    for (text, name, values), result in zip(cases, got):
        want = outcome(getattr(reference, name), values)
        raised += isinstance(want, str)
        if not is_alike(want, result):
            wrong.append(f"{name}: {text} of {values}: {result} instead of {want}")
    assert not wrong, f"{len(wrong)} of {len(cases)}\n" + "\n".join(wrong[:40])
    assert raised > 300
