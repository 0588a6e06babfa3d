"""What --annotate writes: a file that CPython runs as before, and that alone, without --no-auto's proofs, gives the same code."""
import os
import subprocess
import sys

import pytest

import harness

EXAMPLES = sorted((harness.ROOT / "examples").glob("*.py"))


def code_of(path, folder, *options):
    """The generated code without comments, which name options and quote the source."""
    generated = folder / "code.cu"
    harness.run_step([harness.APPYC, path, "-o", generated, "--no-wrapper", *options], folder)
    lines = generated.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.lstrip().startswith("//")]


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
    assert code_of(copy, tmp_path, "--no-auto") == code_of(example, tmp_path)
