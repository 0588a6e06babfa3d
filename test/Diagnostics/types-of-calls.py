# Functions without types take them from calls in the same file.
# RUN: %appyc %s --remarks --target=cpu --emit=header -o - 2>&1 | FileCheck %s
# RUN: not %appyc %S/Inputs/unclear_calls.py --target=cpu -o - 2>&1 | FileCheck %s --check-prefix=UNCLEAR
# RUN: %appyc %s --signature 'scaled(f32[N])' --target=cpu --emit=header -o - | FileCheck %s --check-prefix=GIVEN
import time

import numpy as np

N, M = 10, 20
SHAPE = (N, M)


def scaled(a, factor=2.0, mode="same"):
    return a * factor
# CHECK-DAG: :[[@LINE-2]]:5: remark: the types of `scaled` come from its call in line [[#]]: `#appyc: def scaled(a: f64[:, :], factor: float)` [types-of-call]


def mixed(u, v, k, n, x, flag, z, name=None):
    u[0] = v[0, 0, 0] * n + k[0] * x + z.real * flag
# CHECK-DAG: :[[@LINE-2]]:5: remark: the types of `mixed` come from its call in line [[#]]: `#appyc: def mixed(u: f32[:], v: f64[:, :, :], k: i64[:], n: int, x: float, flag: bool, z: complex)`


def typed_by_python(n: int, x: float):
    return n * x


def inside(grid, steps):
    return grid[0] * steps
# CHECK-DAG: remark: the types of `inside` come from its call in line [[#]]: `#appyc: def inside(grid: u8[:, :], steps: int)`


def make(n):
    return np.zeros((n, n), dtype=np.uint8), n
# CHECK-DAG: remark: the types of `make` come from its call in line [[#]]: `#appyc: def make(n: int)`


def chosen(x, kind="call", other="none"):
    return x if kind == "call" else -x
# CHECK-DAG: remark: the types of `chosen` come from its call in line [[#]]: `#appyc: def chosen(x: float, kind: str)`


def driver(n=5):
    begin = time.perf_counter()
    grid, size = make(n)
    for k in range(3):
        grid = inside(grid, k + size)
    return grid, time.perf_counter() - begin


scaled(np.ones(SHAPE) * 2)
if __name__ == "__main__":
    u = np.linspace(0, 1, N).astype(np.float32)
    v = np.random.rand(2, N, 1)
    mixed(u, v, np.arange(N), len(u), x=0.5, flag=N > 3, z=2j)
    scaled(v[0], mode="same")
    driver()
    print(f"{chosen(2.0):.3f}", chosen(1.5, kind="put"), chosen(0.5, "call", "none"))

# GIVEN-NOT: mixed
# GIVEN: scaled(const float*
# GIVEN-NOT: mixed

# UNCLEAR: unclear_calls.py:17:8: error: `differ` has no types, and its calls disagree: `a` is f32[:] here, f64[:] in line 16; make the calls alike, or write `#appyc: def differ(...)` with its types above it, one for each kind of call [bad-signature]
# UNCLEAR: unclear_calls.py:16:8: note: `a` is f64[:] here
# RUN: not %appyc %S/Inputs/no_calls.py --target=cpu -o - 2>&1 | FileCheck %s --check-prefix=NONE
# NONE: error: no function has types; annotate its parameters, {{.*}}, pass --signature 'f(f64[N], i64)', or call it in the file with arguments whose types are evident [no-signature]
# NONE: note: `unclear` is passed over: no type for `a`, `n`, and the call in line 17 does not tell the type of `a`: `data` is none that is evident
# NONE: note: `never` is passed over: no type for `a`, and nothing in the file calls it
# NONE: note: `starred` is passed over: {{.*}}it takes `*arrays`
