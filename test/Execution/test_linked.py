"""Code in other languages that kernels call: `cuda.declare_device`, `link=`, and the headers of `parpy.external`."""
import re

import numpy as np
import pytest

import harness

CODE = '''
extern "C" __device__ int add(int* result, int a, int b) {
  *result = a + b;
  return 0;
}
extern "C" __device__ int root(double* result, double x) {
  *result = x * 0.5;
  return x < 0 ? 7 : 0;
}
'''

KERNELS = '''
import numpy as np
from numba import cuda, int32

plus = cuda.declare_device("add", int32(int32, int32))
root = cuda.declare_device("root", "f8(f8)", link="sub/code.cu")


@cuda.jit(device=True)
def twice(n):
    return plus(n, plus(n, 0))


@cuda.jit("void(i4[:], f8[:])", link=["sub/code.cu"])
def work(n, x):
    """What the code gives."""
    i = cuda.grid(1)
    if i < n.shape[0]:
        n[i] = twice(n[i]) + plus(cuda.threadIdx.x, 1)
        for k in range(2):
            x[i] = root(x[i]) + k


#appyc: def launched(n: i32[:], x: f64[:])
def launched(n, x):
    out = n.copy()
    for step in range(2):
        given = x[:] + step
        work[(len(n) + 3) // 4, 4](out, given)
    return out, given
'''

EXTERNAL = '''
import parpy
from parpy.types import F32, I64


@parpy.external("damped", parpy.CompileBackend.Cuda, parpy.Target.Device, header="damped.h")
def damped(x: F32, times: I64) -> F32:
    for k in range(times):
        x = x * 0.5
    return x


@parpy.jit
def f(x: "f32[N]", y: "f32[N]", N: "i64"):
    parpy.label('N')
    for i in range(N):
        y[i] = damped(x[i], i) + damped(y[i], 1)
'''

HEADER = '''#pragma once
__host__ __device__ inline float damped(float x, long n) {
  for (; n > 0; --n) x *= 0.5f;
  return x;
}
'''


def built(folder, name, text, target):
    """The module of a program in `folder`, made in another one."""
    (folder / f"{name}.py").write_text(text)
    out = folder / "out"
    out.mkdir()
    kind = "emulate" if target.emulated else target.appyc_target
    code = out / f"{name}.{'cpp' if kind == 'cpu' else 'cu'}"
    harness.run_step([harness.APPYC, folder / f"{name}.py", "-o", code, f"--target={kind}"], out)
    if target.emulated:
        checks = ["--check"] if target.check else []
        harness.run_step([harness.sys.executable, harness.EMULATION / "build.py", code, "-o", f"lib{name}.so", *checks], out)
    else:
        harness.run_step(harness.build_line(code), out)
    return out


def in_child(out, name, work):
    def run():
        yield from work(harness.load_wrapper(out, out.parent / f"{name}.py"))

    with open(out / "log", "w+") as log:
        items, status = harness.in_child(run, log)
        log.seek(0)
        assert status == 0, log.read()
    return items


@pytest.mark.parametrize("target", harness.targets(), ids=lambda t: t.name)
def test_linked_with_kernels(tmp_path, target):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/code.cu").write_text(CODE)
    out = built(tmp_path, "linked", KERNELS, target)

    def work(module):
        n, x = np.arange(6, dtype=np.int32), np.arange(6.0)
        yield module.launched(n, x)
        module.work[2, 4](n, x)
        yield n, x
        for wrong in (lambda: module.launched(n, -1.0 - x), lambda: module.work[2, 4](n, np.full(6, -3.0))):
            yield harness.call(wrong, ())
        module.work[2, 4](n, x)
        yield True

    first, second, *failed, last = in_child(out, "linked", work)
    place = np.array([1, 2, 3, 4, 1, 2])
    np.testing.assert_array_equal(first[0], 4 * np.arange(6) + 2 * place + place)
    np.testing.assert_allclose(first[1], (np.arange(6) + 1) / 4 + 1)
    np.testing.assert_array_equal(second[0], 2 * np.arange(6) + place)
    np.testing.assert_allclose(second[1], np.arange(6) / 4 + 1)
    for outcome in failed:
        assert outcome.raised == "RuntimeError" and re.search("`work` is linked with returned 7", outcome.message), outcome
    assert last


@pytest.mark.parametrize("target", harness.targets(), ids=lambda t: t.name)
def test_functions_of_headers(tmp_path, target):
    (tmp_path / "damped.h").write_text(HEADER)
    out = built(tmp_path, "external", EXTERNAL.replace('"damped.h"', '"<damped.h>"') if target.emulated else EXTERNAL, target)

    def work(module):
        x, y = np.float32([8, 8, 8]), np.float32([1, 1, 1])
        module.f(x, y, 3)
        yield y

    np.testing.assert_array_equal(in_child(out, "external", work)[0], np.float32([8.5, 4.5, 2.5]))
