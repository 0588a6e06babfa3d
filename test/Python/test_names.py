"""No name of the user's makes code that does not compile or link: names are drawn from what the compilers' own headers,
glibc and libm declare, and stand for functions, arrays, scalars, sizes and locals."""
import ctypes.util
import importlib.util
import keyword
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
pytestmark = pytest.mark.skipif(not shutil.which(APPYC), reason="appyc has not been built")
needs_nvcc = pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")

HEAD = "from __future__ import annotations\nimport numpy as np\n"
KEYWORDS = """alignas alignof asm auto bitand bitor bool case catch char char8_t compl concept const consteval constexpr
    co_await co_return co_yield decltype default delete do double dynamic_cast enum explicit export extern float friend
    goto inline int long mutable namespace new noexcept not_eq nullptr operator or_eq private public register requires
    restrict short signed sizeof static struct switch template this throw typedef typeid typename union unsigned using
    virtual void volatile wchar_t xor _Bool _Complex _Atomic __restrict__ __global__ __device__ __shared__ __syncthreads
    threadIdx blockIdx blockDim gridDim warpSize dim3 float4 cudaStream_t cudaMalloc""".split()
COMMON = """div free random gamma j0 y1 round select system exit rand erf abs labs malloc calloc getenv abort nan frexp pow
    read write time index signal remove wait link main printf Array last_error error abi device appyc_error appyc_abi
    device_alloc Complex fail check Status Graphs arena workspace stream INT64_MAX INT32_MAX SIZE_MAX FP_NAN TMP_MAX BUFSIZ
    DBL_MAX NULL NAN EOF errno stdin unix linux f_workspace f_host f_kernel index_t status""".split()
USED_BY_PROGRAM = {"np", "range", "max", "i", "type"}  # `type[i] = ...` reads as a type alias


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def names_from_outside():
    """Every macro without a leading underscore, and samples of what is declared and exported."""
    headers = "cmath cstdint cstdio cstdlib cstring initializer_list pthread.h type_traits omp.h climits cfloat".split()
    compiler, source = ("g++", "-std=c++17", "-fopenmp", "-x", "c++", "-E"), "".join(f"#include <{h}>\n" for h in headers)
    macros = re.findall(r"#define (\w+)", run(*compiler, "-dM", "-", input=source))
    declared = set(re.findall(r"\b[A-Za-z_]\w*\b", run(*compiler, "-P", "-", input=source))) | set(macros)
    for library in ("c", "m"):
        path = Path("/lib/x86_64-linux-gnu") / (ctypes.util.find_library(library) or "none")
        if path.exists():
            declared |= set(re.findall(r" [TWi] (\w+)@", run("nm", "-D", path)))
    all_names = [*KEYWORDS, *COMMON, *sorted(m for m in set(macros) if m[0] != "_"), *sorted(declared)[::30]]
    return [n for n in dict.fromkeys(all_names) if not keyword.iskeyword(n) and n not in USED_BY_PROGRAM]


def program(names, step):
    """Functions of six names each: itself, an array, a scalar, two locals, a size."""
    text = HEAD
    for k in range(0, len(names), step):
        function, array, scalar, temporary, total, size = (names[(k + j) % len(names)] for j in range(6))
        text += f"""

def {function}({array}: f64[{size}], {scalar}: f64):
    {temporary} = np.exp({array}) * {scalar}
    {total} = {temporary}.sum()
    for i in range({array}.shape[0]):
        {array}[i] = max({temporary}[i], {total}) // {scalar} + {array}[i] ** {total}
    return {total}
"""
    return text


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_line(generated):
    return re.search("^// build: (.*)", generated.read_text(), flags=re.M)[1]


def test_every_name_in_every_place_compiles(tmp_path):
    names = names_from_outside()
    assert len(names) > 600
    (tmp_path / "names.py").write_text(program(names, 1))
    run(APPYC, "names.py", "--target=cpu", "--header", cwd=tmp_path)
    run("g++", "-std=c++17", "-fopenmp", "-fsyntax-only", "names.cpp", cwd=tmp_path)
    (tmp_path / "caller.c").write_text('#include <math.h>\n#include <stdio.h>\n#include "names.h"\n')
    run("gcc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "caller.c", cwd=tmp_path)
    module = load(tmp_path / "names_host.py")
    assert set(module.__all__) >= set(names)


@needs_nvcc
def test_names_compile_for_cuda(tmp_path):
    names = [*KEYWORDS, *COMMON]
    (tmp_path / "names.py").write_text(program([n for n in names if not keyword.iskeyword(n)], 6))
    run(APPYC, "names.py", cwd=tmp_path)
    run("nvcc", "-std=c++17", "-arch=compute_75", "-ptx", "names.cu", "-o", "names.ptx", cwd=tmp_path)


NAMES = ["div", "gamma", "malloc", "free", "abs", "pow", "exit", "remainder", "read", "time", "Array", "last_error", "error", "abi",
         "main", "_load", "_c", "double"]


@pytest.fixture(scope="module")
def two_files(tmp_path_factory):
    """Two files with the same functions, one library of each and one of both."""
    folder = tmp_path_factory.mktemp("two")
    for stem, factor in (("one", 2), ("two", 3)):
        functions = "".join(f"def {name}(a: f64[N], z: c128):\n    return a * {factor + k}, z * a.sum()\n\n\n"
                            for k, name in enumerate(NAMES))
        functions += "def wraps(k: i64[N]):\n    k[k] = 0\n\n\ndef f(a: f64[N], o: f64[N]):\n    INT64_MAX = a[0] * 2\n    o[0] = INT64_MAX\n"
        (folder / f"{stem}.py").write_text(HEAD + functions)
        run(APPYC, f"{stem}.py", "--target=cpu", "--header", cwd=folder)
        run("bash", "-c", build_line(folder / f"{stem}.cpp").replace("-O3", "-O0"), cwd=folder)
    return folder


@pytest.mark.parametrize("stem", ["one", "two"])
def test_functions_keep_their_names_in_python(two_files, stem):
    python, compiled = load(two_files / f"{stem}.py"), load(two_files / f"{stem}_host.py")
    a = np.array([1.0, 2.5])
    for name in NAMES:
        for got, want in zip(getattr(compiled, name)(a, 1 + 2j), getattr(python, name)(a, 1 + 2j)):
            np.testing.assert_array_equal(got, want)
    for k in (np.array([1, 1, 0]), np.array([-1, 2, -3])):
        got, want = k.copy(), k.copy()
        compiled.wraps(got)
        python.wraps(want)
        np.testing.assert_array_equal(got, want)
    out = np.zeros(2)
    compiled.f(a, out)
    assert out[0] == 2


CALLER = r"""
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unistd.h>
#include "one.h"
#include "two.h"
int main() {
  double a[2] = {1, 2.5}, b[2], *memory = static_cast<double*>(malloc(16));
  appyc_complex128 z{0, 1}, w;
  int status = appyc_one_div(a, z, 2, b, &w);
  std::printf("%d %g %g %g\n", status, b[0], w.re, w.im);
  status = appyc_two_read(a, z, 2, b, &w);
  std::printf("%d %g\n", status, b[0]);
  status = appyc_one_time(a, z, 2, a, &w); // overlaps
  std::printf("%d [%s] [%s]\n", status, appyc_one_error(), appyc_two_error());
  free(memory);
  return time(nullptr) > 0 && ::read(-1, a, 1) == -1 ? 0 : 1;
}
"""


@pytest.mark.parametrize("shared", [False, True])
def test_files_link_together(two_files, shared):
    (two_files / "caller.cpp").write_text(CALLER)
    options = "-std=c++17 -O0 -fopenmp -fPIC".split()
    sources = ["one.cpp", "two.cpp"]
    if shared:
        run("g++", *options, "-shared", *sources, "-o", "libboth.so", cwd=two_files)
        sources = ["-L.", "-lboth", "-Wl,-rpath,$ORIGIN"]
    run("g++", *options, "caller.cpp", *sources, "-o", "caller", cwd=two_files)
    first, second, third = run("./caller", cwd=two_files).splitlines()
    assert first == "0 2 0 3.5" and second == "0 11"
    assert third.startswith("1 [arguments `a` and") and third.endswith("[]")


@needs_nvcc
def test_cuda_files_link_together(tmp_path):
    for stem in ("one", "two"):
        (tmp_path / f"{stem}.py").write_text(HEAD + "def div(a: f64[N], z: c64):\n    return a * 2, z\n")
        run(APPYC, f"{stem}.py", "--header", cwd=tmp_path)
    run("nvcc", "-std=c++17", "-O0", "-arch=compute_75", "-shared", "-Xcompiler", "-fPIC", "one.cu", "two.cu", "-o", "libboth.so", cwd=tmp_path)
    exported = set(re.findall(r" [TWDBV] (\w+)", run("nm", "-D", "--defined-only", "libboth.so", cwd=tmp_path)))
    named = {f"appyc_{stem}_{name}" for stem in ("one", "two")
             for name in ("div", "error", "abi", "device_alloc", "synchronize")}
    assert named <= exported
    assert not {n for n in exported if not n.startswith(("appyc_one_", "appyc_two_", "_"))}


ONE_CALLER = r"""
#include <initializer_list>
#include "three.h"
#include <cstdio>
int main() {
  double host[3] = {1, 2, 3}, out[3];
  auto* a = static_cast<double*>(appyc_three_device_alloc(sizeof host));
  auto* o = static_cast<double*>(appyc_three_device_alloc(sizeof host));
  int status = appyc_three_copy_to_device(a, host, sizeof host);
  void* workspace = appyc_three_device_alloc(appyc_three_scaled_workspace(3, 2.0));
  if (status == 0) status = appyc_three_scaled(a, 2.0, 3, o, workspace, nullptr);
  if (status == 0) status = appyc_three_synchronize(nullptr);
  if (status == 0) status = appyc_three_copy_to_host(out, o, sizeof out);
  for (void* memory : {workspace, static_cast<void*>(a), static_cast<void*>(o)}) appyc_three_device_free(memory);
  std::printf("%d %g %g %d\n", status, out[0], out[2], appyc_three_device());
  return status;
}
"""


def test_one_caller_for_both_targets(tmp_path):
    (tmp_path / "three.py").write_text(HEAD + "def scaled(a: f64[N], x: f64):\n    return a * x\n")
    (tmp_path / "caller.cpp").write_text(ONE_CALLER)
    run(APPYC, "three.py", "--target=cpu", "--header", cwd=tmp_path)
    run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fopenmp", "caller.cpp", "three.cpp", "-o", "caller", cwd=tmp_path)
    assert run("./caller", cwd=tmp_path) == "0 2 6 0\n"
    run(APPYC, "three.py", "--header", cwd=tmp_path)
    run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "caller.cpp", cwd=tmp_path)
