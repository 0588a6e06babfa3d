"""scripts/tune: a tuned file on the CPU target, end to end, and what it says when it cannot tune."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
KERNEL = '''
from __future__ import annotations
import numpy as np
import appy


def rows(m: f64[M, N], k: i32[M], times: i64) -> f64[M]:
    s = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        for t in range(times):
            s[i] += np.sum(m[i, :]) * k[i]
    return s


def other(a: f64[N]):
    a[:] = a + 1.0


def own_inputs(a: f64[:]):
    a[:] = a * 0.5


def make_inputs(size, rng):
    return (rng.random(size),)
'''


@pytest.fixture
def tune(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")

    def run(*arguments):
        environment = {**os.environ, "APPYC": str(APPYC), "OMP_WAIT_POLICY": "passive"}
        return subprocess.run([sys.executable, ROOT / "scripts/tune", "kernel.py", "--target=cpu", "--seconds=0.02", *arguments],
                              cwd=tmp_path, env=environment, capture_output=True, text=True)

    return run


def test_tune(tune, tmp_path):
    done = tune("--function=rows", "--sizes=M=30,N=20,times=2")
    assert done.returncode == 0, done.stderr
    assert "rows" in done.stderr and '/3 [rows."s = np.zeros(m.shape[0])"] share = "dynamic"' in done.stderr
    assert "other" not in done.stderr
    text = (tmp_path / "kernel.schedule").read_text(encoding="utf-8")
    assert text.startswith("# Made by scripts/tune for kernel.py, --target=cpu, on ")
    read = [APPYC, "kernel.py", "--target=cpu", "--schedule", "kernel.schedule", "-Werror"]
    subprocess.run([*read, "-o", "kernel.cpp"], cwd=tmp_path, check=True)
    first = (tmp_path / "kernel.cpp").read_bytes()
    subprocess.run([*read, "-o", "kernel.cpp"], cwd=tmp_path, check=True)
    assert (tmp_path / "kernel.cpp").read_bytes() == first
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix in (".schedule", ".new")) == ["kernel.schedule"]


def test_inputs_of_the_kernel_and_of_a_file(tune, tmp_path):
    done = tune("--function=own_inputs", "--size=50")
    assert done.returncode == 0, done.stderr
    (tmp_path / "inputs.py").write_text("def make_inputs(rng, n):\n    return [rng.random(n)]\n", encoding="utf-8")
    done = tune("--function=own_inputs", "--inputs=inputs.py", "--sizes=n=50", "-o", "named.schedule")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "named.schedule").exists()


@pytest.mark.parametrize(("arguments", "said"), [
    (["--function=nothing"], "kernel.py has no function `nothing` with types; it has rows, other, own_inputs"),
    (["--function=rows", "--sizes=M=3,N=4"], "say what `times` is, as in --sizes times=10"),
    (["--function=rows", "--sizes=M=3,times=4"], "give it by --sizes, or write --inputs"),
    (["--function=own_inputs", "--sizes=N=3"], "the size of `a: f64[:]` is not known"),
    (["--sizes=M"], "--sizes has the form N=1000,M=500"),
])
def test_refusals(tune, tmp_path, arguments, said):
    done = tune(*arguments)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "kernel.schedule").exists()


def test_a_wrong_variant_is_not_written(tune, tmp_path):
    """A compiler whose second program computes something else."""
    fake = tmp_path / "appyc"
    fake.write_text(f'''#!{sys.executable}
import subprocess, sys
done = subprocess.run([{str(APPYC)!r}, *sys.argv[1:]])
if "--schedule" in sys.argv and open(sys.argv[sys.argv.index("--schedule") + 1]).read():
    path = sys.argv[sys.argv.index("-o") + 1]
    text = open(path).read()
    open(path, "w").write(text.replace("total +=", "total -="))
sys.exit(done.returncode)
''', encoding="utf-8")
    fake.chmod(0o755)
    environment = {**os.environ, "APPYC": str(fake)}
    done = subprocess.run([sys.executable, ROOT / "scripts/tune", "kernel.py", "--target=cpu", "--seconds=0.02",
                           "--function=rows", "--sizes=M=30,N=20,times=2"], cwd=tmp_path, env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 1
    assert "another result than CPython's: please report this" in done.stderr
    assert not (tmp_path / "kernel.schedule").exists()
