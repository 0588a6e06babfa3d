"""find_package(appyc): a project gets libraries and wrappers of its kernels, and they are made again when it is due."""
import re
import subprocess

import pytest
from installations import APPYC, ROOT

pytestmark = pytest.mark.xdist_group("package")

PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(stranger LANGUAGES CXX)
find_package(appyc 0.1 REQUIRED)
appyc_add_library(physics "src/my kernels.py" TARGET cpu)
appyc_add_library(exact "src/my kernels.py" TARGET cpu OPTIONS --fmad=off --no-auto)
add_executable(caller caller.cpp)
target_link_libraries(caller PRIVATE physics)
install(TARGETS physics LIBRARY DESTINATION .)
install(FILES $<TARGET_PROPERTY:physics,APPYC_WRAPPER> DESTINATION .)
"""
KERNEL = """\
from appy import f64
from appy.dims import N

def shifted(a: f64[N], by: f64) -> f64[N]:
    return a + by
"""
CALLER = """\
#include "physics.h"
int main() { return 0; }
"""
GENERATORS = ["Unix Makefiles", "Ninja Multi-Config"]  # one of each kind


def project(folder):
    (folder / "src").mkdir()
    for name, text in (("CMakeLists.txt", PROJECT), ("src/my kernels.py", KERNEL), ("caller.cpp", CALLER)):
        (folder / name).write_text(text, encoding="utf-8")


def value(installation, folder, module):
    return float(installation.run(installation.python, "-c", f"import numpy as np, {module} as m; print(m.shifted(np.ones(3), 2.0)[1])",
                                  folder=folder))


@pytest.mark.parametrize("generator", GENERATORS)
def test_project(from_cmake, tmp_path, generator):
    project(tmp_path)
    from_cmake.run("cmake", "-S", ".", "-B", "build", "-G", generator, "-DCMAKE_BUILD_TYPE=Release", folder=tmp_path)
    build = ["cmake", "--build", "build", "--config", "Release"]
    from_cmake.run(*build, folder=tmp_path)
    assert value(from_cmake, tmp_path / "build", "physics_host") == value(from_cmake, tmp_path / "build", "exact_host") == 3
    assert "appyc" not in from_cmake.run(*build, folder=tmp_path)  # nothing to do

    source = tmp_path / "src/my kernels.py"
    source.write_text(KERNEL + "# a remark\n", encoding="utf-8")
    assert "appyc physics" in from_cmake.run(*build, folder=tmp_path)
    assert "appyc" not in from_cmake.run(*build, folder=tmp_path)  # also where the code has stayed as it was
    source.write_text(KERNEL.replace("a + by", "a - by"), encoding="utf-8")
    from_cmake.run(*build, folder=tmp_path)
    assert value(from_cmake, tmp_path / "build", "physics_host") == -1

    from_cmake.run("cmake", "--install", "build", "--config", "Release", "--prefix", tmp_path / "elsewhere", folder=tmp_path)
    assert value(from_cmake, tmp_path / "elsewhere", "physics_host") == -1


def test_errors_are_errors_of_the_build(from_wheel, tmp_path):
    """With the wheel's installation, which CMake finds by the PATH."""
    project(tmp_path)
    (tmp_path / "src/my kernels.py").write_text("def f(a: f64[N]):\n    a[:] = nothing\n", encoding="utf-8")
    from_wheel.run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", folder=tmp_path)
    done = subprocess.run(["cmake", "--build", "build"], cwd=tmp_path, env=from_wheel.environment, capture_output=True, text=True)
    assert done.returncode != 0 and "`nothing` is not defined" in done.stdout + done.stderr


@pytest.mark.parametrize(("old", "new", "said"), [
    ("TARGET cpu)", "TARGET gpu)", "TARGET is cuda or cpu, not gpu"),
    ("TARGET cpu)", "TARGET cpu SOURCES x.py)", "unknown arguments: SOURCES;x.py"),
    (" TARGET cpu)", ")", "CUDA is no language of this project"),
])
def test_wrong_calls(from_cmake, tmp_path, old, new, said):
    project(tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.replace(old, new), encoding="utf-8")
    assert said in " ".join(from_cmake.run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", folder=tmp_path, status=1).split())


def test_flags_are_those_of_the_build_line(tmp_path):
    """What changes numbers in the generated file's own build line stands in the CMake function too."""
    text = (ROOT / "packaging/appyc-config.cmake").read_text(encoding="utf-8")
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    for target in ("cpu", "cuda"):
        for fmad in ("on", "off"):
            code = subprocess.run([APPYC, "kernel.py", f"--target={target}", f"--fmad={fmad}", "-o", "-"], cwd=tmp_path,
                                  capture_output=True, text=True, check=True).stdout
            (line,) = re.findall("^// build: (.*)$", code, flags=re.M)
            flags = set(re.findall(r"(?<= )-f(?!PIC|openmp)[\w=-]+", line))
            assert flags and "-std=c++17" in line or target == "cuda"
            assert all(flag in text for flag in flags)
