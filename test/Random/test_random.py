"""200 random programs, and all that have failed once, on every target."""

import os
import subprocess
import sys
from pathlib import Path

import harness
import pytest

HERE = Path(__file__).resolve().parent
PROGRAMS = list((HERE / "regressions").glob("*.py"))


def test_regression(path, function, target):
    harness.assert_as_cpython(path, function, target)


def fuzz(*options, appyc=harness.APPYC):
    command = [sys.executable, HERE / "fuzz.py", *options]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "APPYC": str(appyc)})


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_seeds(first, tmp_path):
    done = fuzz(f"--seed={first}", "--programs=50", "--batch=50", f"--save={tmp_path}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_compiler_is_noticed(tmp_path):
    """A compiler whose `cpu` output adds where it should subtract: found, shrunk, and the target named."""
    broken = tmp_path / "appyc"
    broken.write_text(f"""#!{sys.executable}
import pathlib, subprocess, sys
status = subprocess.call([{str(harness.APPYC)!r}, "--force", *sys.argv[1:]])
output = pathlib.Path(sys.argv[sys.argv.index("-o") + 1]) if "-o" in sys.argv else None
if status == 0 and "--target=cpu" in sys.argv and output and output.exists():
    output.write_text(output.read_text().replace(" - a", " + a").replace("wrap_sub(a", "wrap_add(a"))
sys.exit(status)
""")
    broken.chmod(0o755)
    done = fuzz("--seed=300", "--programs=10", "--batch=10", f"--save={tmp_path}", appyc=broken)
    assert done.returncode == 1 and "[cpu" in done.stdout and "mismatch" in done.stdout, done.stdout + done.stderr
    assert "shrunk to" in done.stdout, done.stdout
    shrunk = next(tmp_path.glob("seed_*_cpu.py")).read_text()
    assert shrunk.count("\n    ") < 20, shrunk
