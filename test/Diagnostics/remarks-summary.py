# --remarks=summary: of each function its kernels, launches and bytes, and what is serial and why; nothing else.
# RUN: %appyc %s -o - --wrapper=/dev/null --remarks=summary 2>&1 >/dev/null | FileCheck %s
# RUN: %appyc %s -o - --wrapper=/dev/null --remarks=summary --target=cpu 2>&1 >/dev/null | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s -o - --wrapper=/dev/null --remarks=summary --diagnostics-format=json 2>&1 >/dev/null | FileCheck --check-prefix=JSON %s
from __future__ import annotations


# CHECK-NOT: remark:
# CHECK: remarks-summary.py:[[#@LINE+4]]:5: remark: `scaled`: 1 kernel, 1 launch a call, reads N * 8 bytes, writes N * 8 [summary]
# CPU: remarks-summary.py:[[#@LINE+3]]:5: remark: `scaled`: 1 parallel loop [summary]
# JSON: "severity": "remark", "id": "summary", "message": "`scaled`: 1 kernel, 1 launch a call, reads N * 8 bytes, writes N * 8", "notes": [{"line": [[#@LINE+3]],
# CHECK: remarks-summary.py:[[#@LINE+2]]:5: note: `scaled_kernel`: reads N * 8 bytes, writes N * 8; predicted: 1.2 us on h200 at sizes of 1000
def scaled(a: f64[N], b: f64[N]):
    b[:] = 2.0 * a


# CHECK-NOT: remark:
# CHECK: remarks-summary.py:[[#@LINE+5]]:5: remark: `recurrence`: 1 kernel, 1 launch a call, reads 1584 bytes, writes 792 [summary]
# CHECK: remarks-summary.py:[[#@LINE+5]]:5: note: loop `i` stays serial: iteration i=1 writes a[1], iteration i=2 reads it
# CPU: remarks-summary.py:[[#@LINE+3]]:5: remark: `recurrence`: 0 parallel loops [summary]
# CPU: remarks-summary.py:[[#@LINE+3]]:5: note: loop `i` stays serial: iteration i=1 writes a[1], iteration i=2 reads it
# JSON: "message": "`recurrence`: {{.*}}loop `i` stays serial: iteration i=1 writes a[1], iteration i=2 reads it"
def recurrence(a: f64[100], b: f64[100]):
    for i in range(1, 100):
        a[i] = a[i - 1] * b[i]


# CHECK-NOT: remark:
# CHECK: remarks-summary.py:[[#@LINE+5]]:5: remark: `steps`: 1 kernel, {{.*}} 2 in each iteration of the host's loops, {{.*}} [summary]
# CHECK: remarks-summary.py:[[#@LINE+5]]:5: note: `steps_kernel`, repeated: reads N * 16 bytes, writes N * 16
# CHECK: remarks-summary.py:[[#@LINE+4]]:5: note: loop `t` stays serial: iteration t=0 reads a[1], iteration t=1 writes it
# CPU: remarks-summary.py:[[#@LINE+2]]:5: remark: `steps`: 2 parallel loops [summary]
# CHECK-NOT: remark:
def steps(a: f64[N], b: f64[N], n: int):
    for t in range(n):
        b[1:-1] = a[:-2] + a[2:]
        a[1:-1] = b[:-2] + b[2:]
