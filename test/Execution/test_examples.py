"""Every example, on every target, at odd sizes, against CPython; and each example's own check."""
import os
import subprocess
import sys

import pytest

import harness

PROGRAMS = list((harness.ROOT / "examples").glob("*.py"))


def test_as_cpython(path, function, target):
    harness.assert_as_cpython(path, function, target)


@pytest.mark.parametrize("program", sorted(PROGRAMS), ids=lambda path: path.stem)
def test_runs_under_cpython(program):
    environment = {**os.environ, "PYTHONPATH": str(harness.ROOT / "lib/Python")}
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{program.stem}: ok\n"
