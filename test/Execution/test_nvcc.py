"""nvcc compiles every generated .cu without a warning; needs the toolkit, not a GPU."""
import shutil
import subprocess

import pytest

import harness

PROGRAMS = sorted((harness.ROOT / "examples").glob("*.py")) + sorted(
    (harness.ROOT / "test/Execution").glob("kernels_*.py"))
CUDA = harness.Target("nvcc", "cuda")


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_nvcc_compiles(program, tmp_path):
    generated = harness.translate(program, CUDA, tmp_path)
    options = ["-std=c++17", "-arch=sm_90", "-cubin", "-Werror", "all-warnings"]
    options += ["-Xcicc", "-O0", "-Xptxas", "-O0"]  # the code is not run
    command = ["nvcc", *options, generated, "-o", "kernel.cubin"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
def test_build_line_makes_the_library(tmp_path):
    generated = harness.translate(PROGRAMS[0], CUDA, tmp_path)
    harness.run_step(harness.build_line(generated), tmp_path)
    assert (tmp_path / f"lib{PROGRAMS[0].stem}.so").exists()
