# Threads take 16 bytes of neighbouring elements at once where rows and arrays begin at multiples of that.
# RUN: %appyc %s --no-versions --disable-pass=steps-inside -w --emit=fired | %where pass=vectorize-lanes | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --no-versions --disable-pass=steps-inside -w --emit=ir --disable-pass=keep-rows | FileCheck %s
# RUN: %appyc %s --no-versions --disable-pass=steps-inside -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --no-versions --disable-pass=steps-inside --target=sequential -o - --no-wrapper | FileCheck --check-prefix=SEQ %s
# FIRES: vectorize-lanes: bright down softmax wide{{$}}
# SEQ: x_vector[v] = x[i * M + k + v];
from __future__ import annotations
import numpy as np


def softmax(x: f32[N, M]) -> f32[N, M]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)
# CHECK: launch softmax_kernel[(min(max((N + 128 // lanes - 1) // (128 // lanes), 1), 65535), 1, 1), (lanes, 128 // lanes, 1), vectors of 4, M, x, result](
# CHECK: for {{.*}} in range(0, M, width):  # {{.*}}bind=thread.x
# CHECK-NEXT: x_vector: f32[4]  # vector
# CHECK-NEXT: for v in range(0, width, 1):  # {{.*}}, together
# CHECK-NEXT: x_vector[v] = x[i, k + v]
# CHECK-NEXT: for v{{.*}} in range(0, width, 1):  # {{.*}}max(max_value), unroll
# CHECK: result[i, j + [[V:.*]]] = result_vector[[[V]]]
# WHY: vectorize-lanes.py:[[@LINE-9]]:5: remark: a thread takes 4 elements along `{{.*}}` at once where rows begin at multiples of 16 bytes


# The grid is as many times smaller; sixteen elements of one byte, four where one array has four bytes.
def bright(x: u8[N], y: u8[N]):
    y[:] = x // 2 + 1
def wide(x: u8[N], y: f32[N]):
    y[:] = x * np.float32(0.5)
# CHECK: launch bright_kernel[{{.*}}, vectors of 16, N, x, y](
# CHECK: for i in range(0, N, width):  # proven, bind=global.x
# CHECK: launch wide_kernel[{{.*}}, vectors of 4, N, x, y](
# WHY: a thread takes 16 elements along
# WHY: a thread takes 4 elements along


# What lives from one loop to the next has a value for each element.
def down(a: f32[N, M], x: f32[N], total: f32[M]):
    for j in range(a.shape[1]):
        s = np.float32(0)
        for i in range(a.shape[0]):
            a[i, j] += x[i]
            s += a[i, j] * x[i]
        total[j] = s
# CHECK-LABEL: kernel down_a(
# CHECK: s: f32[4]  # vector
# CHECK: s[v] = f32(0.0)
# CHECK: [[A:a_vector.*]][{{.*}}] = a[
# CHECK: s[{{.*}}] = s[{{.*}}] +
# CHECK: a[{{.*}}] = [[A]][
# WHY: a thread takes 4 elements along


# Neighbours in memory that do not begin where vectors do, the other axis, elements found through others, a choice of
# which only one side is evaluated, elements of sixteen bytes, atomic updates, few elements, rows that begin anywhere.
def shifted(a: f32[N, M], b: f32[N, M]):
    b[:, 1:-1] = a[:, 2:] + a[:, :-2]
def across(a: f32[N, M], b: f32[M, N]):
    b[:] = a.T
def gathered(a: f32[N], at: i32[M], b: f32[M]):
    b[:] = a[at]
def padded(a: f32[N], b: f32[M]):
    for i in range(b.shape[0]):
        b[i] = a[i] if i < a.shape[0] else np.float32(0)
def large(a: c128[N], b: c128[N]):
    b[:] = a + 1.0
def few(a: f32[N, 16]) -> f32[N]:
    return np.sum(a, axis=1)
def triangle(a: f32[N, N]) -> f32[N]:
    s = np.empty(a.shape[0], np.float32)
    for i in range(a.shape[0]):
        s[i] = np.sum(a[i, i:])
    return s
# By one element a thread, eight bytes are enough; time loops find their arrays in the cache.
def doubles(a: f64[N], b: f64[N]):
    b[:] = a + 1.0
def in_time(a: f32[N], b: f32[N], steps: i64):
    for t in range(steps):
        b[:] = a + np.float32(t)
# WHY-NOT: a thread takes
