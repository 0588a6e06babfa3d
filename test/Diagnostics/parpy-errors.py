# What ParPy refuses and appyc refuses, too (the table in docs/annotations.md); the rest is test/Execution/kernels_parpy_accepted.py.
# RUN: not %appyc %s -o %t.cu 2>&1 | FileCheck %s
import parpy
from parpy import types


def keywords(x: "f64[N]"):
    helper(x, fast=True)
# CHECK: :[[@LINE-1]]:5: error: {{.*}}fast


def helper(x):
    x[0] = 1.0


def dimensions(x: "f64[N, M]"):
    x[0, 0, 0] = 1.0
# CHECK: :[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}dimension


def shapes(x: "f64[3]", y: "f64[4]"):
    x[:] = y[:]
# CHECK: :[[@LINE-1]]:{{[0-9]+}}: error:


def step(x: "f64[N]"):
    for i in range(0, 10, 0):
        x[i] = 1.0
# CHECK: :[[@LINE-2]]:{{[0-9]+}}: error:


def unknown(x: "f64[N]"):
    x[0] = parpy.sinus(x[0])
# CHECK: :[[@LINE-1]]:12: error: `parpy.sinus` is not a function appyc translates


def context(x: "f64[N]"):
    with parpy.gpu as g:
        x[0] = 1.0
# CHECK: :[[@LINE-2]]:{{[0-9]+}}: error:


def later(x: "f64[N]"):
    for i, j in parpy.builtin.ranges(3, 4.0):
        x[i] = j
# CHECK: :[[@LINE-2]]:17: error: range() takes integers, not


def half(x: types.buffer(types.F16, [8])):
    x[0] = 1.0
# CHECK: :[[@LINE-2]]:26: error: appyc has no type for ParPy's `types.F16`


def extents(x: types.buffer(types.F64)):
    x[0] = 1.0
# CHECK: :[[@LINE-2]]:16: error: a buffer has a type and the list of its extents: `buffer(F64, [M, N])`


def buffers(x: "f64[N]"):
    x[0] = parpy.buffer.zeros((3,), types.F64)[0]
# CHECK: :[[@LINE-1]]:12: error: `parpy.buffer.zeros` is not translated: arrays are NumPy's, `np.zeros(n)`, or the caller's, on the host or on the device


def hand(x: "f64[N]"):
    parpy.compile_string("f", "")
# CHECK: :[[@LINE-1]]:5: error: `parpy.compile_string` is not translated: the code is a file: edit it, and `--merge` keeps what was edited


def three(x: "f64[N]"):
    x[0] = parpy.max(x[0], x[1], 0.5)
# CHECK: :[[@LINE-1]]:12: error: `parpy.max` takes two numbers, or an array and `axis=`; write `parpy.max(a, parpy.max(b, c))`
