"""--sanitize raises what CPython raises, at its line; programs without a fault compute the same under it."""
import copy
import functools
import re
import tempfile
import traceback

import numpy as np
import pytest

import harness

PROGRAM = harness.ROOT / "test/Execution/faults_numpy.py"
RIGHT = ("slices", "control", "calls", "races", "temporaries", "updates")
ALL = "--sanitize=bounds,arithmetic,races,memory"


def case_of(row):
    """(function, arguments, what is raised instead of what CPython does)."""
    call, instead = row if isinstance(row[0], tuple) else (row, None)
    return call[0], call[1:], instead


def expected(function, arguments, instead):
    """(result, arguments after the call), or (type, text) of what is raised; None for a text that is ours."""
    arguments = copy.deepcopy(arguments)
    if instead:
        return instead, None
    try:
        with np.errstate(all="ignore"):
            return getattr(harness.load_program(PROGRAM), function)(*arguments), arguments
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(PROGRAM)]
        return type(error).__name__, f"line {lines[-1]}: {error}"


@functools.cache
def outcomes(target):
    folder, error = harness.build(PROGRAM, target)
    assert folder, error

    def work():
        wrapper = harness.load_wrapper(folder, PROGRAM)
        for row in harness.load_program(PROGRAM).CASES:
            function, arguments, _ = case_of(row)
            arguments = copy.deepcopy(arguments)
            try:
                yield getattr(wrapper, function)(*arguments), arguments
            except Exception as error:
                yield type(error).__name__, str(error)

    with tempfile.TemporaryFile("w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    return items


@pytest.mark.parametrize("target", harness.targets(), ids=lambda target: target.name)
def test_faults(target):
    wrong, raised = [], 0
    rows = harness.load_program(PROGRAM).CASES
    assert len(outcomes(target)) == len(rows)
    for row, (got, after) in zip(rows, outcomes(target)):
        function, arguments, instead = case_of(row)
        want, then = expected(function, arguments, instead)
        if isinstance(want, str):
            # IndexError says what CPython says, and the array's name; other texts differ from version to version.
            text = re.sub(r" of `\w+`", "", after) if isinstance(after, str) else ""
            alike = then is None or text == then or (want != "IndexError" and text.split(":")[0] == then.split(":")[0])
            fine = got == want and alike
            raised += 1
        else:
            try:
                harness.assert_same(got, want, function)
                for a, b in zip(after, then):
                    harness.assert_same(a, b, function)
                fine = not isinstance(got, str)
            except AssertionError:
                fine = False
        if not fine:
            wrong.append((function, arguments, (got, after), (want, then)))
    assert not wrong and raised > 60


def with_checks(name):
    """A copy of a program that is translated with all checks, and called with few sizes."""
    source = harness.ROOT / f"test/Execution/kernels_{name}.py"
    path = harness.work_folder() / f"{source.stem}_sanitized.py"
    path.write_text(source.read_text(encoding="utf-8") + f"""

TRANSLATE_OPTIONS = (*globals().get("TRANSLATE_OPTIONS", ()), "{ALL}")
SIZES = (0, 1, 3, 33)
""", encoding="utf-8")
    return path


PROGRAMS = [with_checks(name) for name in RIGHT]


def test_as_cpython(path, function, target):
    harness.assert_as_cpython(path, function, target)
