"""nvcc compiles every generated .cu without a warning; needs the toolkit, not a GPU."""
import os
import re
import shutil
import subprocess
import zlib

import pytest

import harness

PROGRAMS = sorted((harness.ROOT / "examples").glob("*.py")) + sorted(
    (harness.ROOT / "test/Execution").glob("kernels_*.py"))
CUDA = harness.Target("nvcc", "cuda")


def is_due(program):
    """A third of those that g++ does not compile as CUDA, and a sixteenth of the others, by their names; all with APPYC_TEST_ALL
    (scripts/test --all)."""
    emulated = any(target.emulated for target in harness.targets_of(program))
    return bool(os.environ.get("APPYC_TEST_ALL")) or zlib.crc32(program.name.encode()) % (16 if emulated else 3) == 1


OVERLAPPING = [harness.ROOT / f"{name}.py" for name in
               ("examples/gramschmidt", "examples/jacobi_2d", "test/Execution/kernels_overlaps", "test/Execution/kernels_panels")]


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
@pytest.mark.parametrize("program", [path for path in PROGRAMS if is_due(path)], ids=lambda path: path.stem)
def test_nvcc_compiles(program, tmp_path):
    generated = harness.translate(program, CUDA, tmp_path)
    # The code is not run. ptxas takes most of the time, and has its say where the source has instructions of its own.
    form = "-cubin" if "asm" in generated.read_text(encoding="utf-8") else "-ptx"
    options = ["-std=c++17", "-arch=sm_90", form, "-Werror", "all-warnings", "-Xcicc", "-O0", "-Xptxas", "-O0"]
    command = ["nvcc", *options, generated, "-o", "kernel.out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
def test_build_line_makes_the_library(tmp_path):
    generated = harness.translate(harness.ROOT / "examples/gesummv.py", CUDA, tmp_path)
    harness.run_step(harness.build_line(generated), tmp_path)
    assert (tmp_path / "libgesummv.so").exists()


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
def test_files_that_share_their_support_code_link(tmp_path):
    options = ["-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-Xcompiler", "-fPIC", "-Xcicc", "-O0", "-Xptxas", "-O0"]
    for stem in ("gesummv", "jacobi_1d"):
        command = [harness.APPYC, harness.ROOT / f"examples/{stem}.py", f"--support={tmp_path / 'support.cuh'}", "-o", f"{stem}.cu"]
        harness.run_step(command, tmp_path)
        harness.run_step(["nvcc", *options, "-c", f"{stem}.cu"], tmp_path)
    harness.run_step(["nvcc", "-shared", "gesummv.o", "jacobi_1d.o", "-o", "both.so"], tmp_path)
    named = subprocess.run(["nm", "-D", "both.so"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert all(f" T appyc_{stem}_{stem}\n" in named for stem in ("gesummv", "jacobi_1d"))


def kernels_of(ptx):
    """The text of each kernel, by its mangled name."""
    return {name: text for name, text in re.findall(r"^(?:\.visible )?\.entry (\w+)\(.*?^\{\n(.*?)^\}\n", ptx, flags=re.S | re.M)}


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
@pytest.mark.parametrize("program", OVERLAPPING, ids=lambda path: path.stem)
def test_nothing_is_loaded_before_the_wait(program, tmp_path):
    """What a kernel only reads, and says nobody writes, could be loaded at any time, as far as the compiler knows."""
    generated = harness.translate(program, CUDA, tmp_path)
    subprocess.run(["nvcc", "-std=c++17", "-arch=sm_90", "-ptx", generated, "-o", "kernel.ptx"], cwd=tmp_path, check=True)
    kernels = kernels_of((tmp_path / "kernel.ptx").read_text())
    text = generated.read_text()
    launched = set(re.findall(r"launch_overlapping\((\w+)<", text))
    for chosen in set(re.findall(r"launch_overlapping\((\w+),", text)):
        launched.update(re.findall(rf"const auto {chosen} =[^;]*?(\w+)<[^;]*;", text))
    assert launched
    for name in launched:
        bodies = [body for kernel, body in kernels.items() if f"{len(name)}{name}I" in kernel]
        assert bodies, f"{name} is not in the PTX"
        for body in bodies:
            before, wait, after = body.partition("griddepcontrol.wait;")
            assert wait and "ret;" in after, f"{name} does not wait"
            touched = re.search(r"\b(?:ld|st|atom|red)\.(?!param)\S*|\bret;|\bbra\b.*", before)
            assert not touched, f"{name}: {touched[0]} before the wait"


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
def test_older_code_has_no_wait(tmp_path):
    generated = harness.translate(OVERLAPPING[0], CUDA, tmp_path)
    subprocess.run(["nvcc", "-std=c++17", "-arch=compute_75", "-ptx", generated, "-o", "kernel.ptx"], cwd=tmp_path, check=True)
    assert "griddepcontrol" not in (tmp_path / "kernel.ptx").read_text()
