"""What --annotate writes: a file that CPython runs as before, and that gives the same code when only pragmas count.

A nest that runs in another order than the text has is said by no pragma; such files are translated with proofs again.
"""
import os
import re
import subprocess
import sys

import pytest

import harness

EXAMPLES = sorted((harness.ROOT / "examples").glob("*.py"))


def code_of(path, folder, *options):
    """The generated code without what depends on the file's lines: comments, their hash, the numbers in messages."""
    generated = folder / "code.cu"
    harness.run_step([harness.APPYC, path, "-o", generated, "--no-wrapper", *options], folder)
    text = generated.read_text(encoding="utf-8")
    lines = re.sub(r"\"line \d+: ", "\"line: ", re.sub(r"\b(refuse_\w+)\(\d+, ", r"\1(", text)).splitlines()
    lines = [line for line in lines if not line.lstrip().startswith("//")]
    at = next(k for k, line in enumerate(lines) if "_abi() {" in line)
    return lines[:at] + lines[at + 1 :]


def runs_in_another_order(path):
    said = subprocess.run([harness.APPYC, path, "-fsyntax-only", "--remarks"], capture_output=True, text=True).stderr
    return any(words in said for words in ("so that its other loops are parallel", "is taken apart", "runs in blocks of",
                                      "are shared by the threads of a block"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_annotated_copy(example, tmp_path):
    copy = tmp_path / example.name
    harness.run_step([harness.APPYC, example, "--annotate", copy], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [example.name]  # nothing else is written
    added = copy.read_text(encoding="utf-8").splitlines()
    for line in example.read_text(encoding="utf-8").splitlines():
        while added[0] != line:
            assert added.pop(0).lstrip().startswith("#pragma "), line
        added.pop(0)
    assert not added
    environment = {**os.environ, "PYTHONPATH": str(harness.ROOT / "lib/Python")}
    done = subprocess.run([sys.executable, copy], env=environment, capture_output=True, text=True)
    assert done.stdout == f"{example.stem}: ok\n", done.stderr
    options = [] if runs_in_another_order(example) else ["--no-auto"]
    assert code_of(copy, tmp_path, *options) == code_of(example, tmp_path)
