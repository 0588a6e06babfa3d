"""Code for older devices, which knows no wait for the previous kernel, launches kernels one after the other."""
from pathlib import Path

import pytest

import harness

PROGRAM = Path(__file__).with_name("kernels_overlaps.py")
TARGET = harness.Target("older", "cuda", emulated=True)


@pytest.mark.xdist_group("overlaps-older")
@pytest.mark.parametrize("function", harness.exported_functions(PROGRAM))
def test_older_code(function, monkeypatch):
    monkeypatch.setenv("APPYC_EMULATION_PTX", "75")
    harness.assert_as_cpython(PROGRAM, function, TARGET)
