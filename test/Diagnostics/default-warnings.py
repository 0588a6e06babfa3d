# What leaves the GPU idle, or may lose updates, is told by default, with what to write; fine programs hear nothing.
# RUN: %appyc %s -o - --wrapper=/dev/null 2>&1 >/dev/null | FileCheck %s
# RUN: %appyc %s -o - --wrapper=/dev/null --target=cpu 2>&1 >/dev/null | FileCheck --check-prefix=CPU %s
# RUN: not %appyc %s -o - -Werror=serial-work 2>&1 >/dev/null | FileCheck --check-prefix=ERROR %s
# RUN: %appyc %s -o - -w 2>&1 >/dev/null | FileCheck --allow-empty --check-prefix=NONE %s
# RUN: %appyc --explain=serial-work | FileCheck --check-prefix=EXPLAIN %s
# RUN: %appyc --explain=unprotected-update | FileCheck --check-prefix=EXPLAIN %s
# RUN: %appyc --explain=serial-reduction | FileCheck --check-prefix=EXPLAIN %s
# RUN: %appyc --explain=host-round-trip | FileCheck --check-prefix=EXPLAIN %s
# EXPLAIN: warning [
# NONE-NOT: warning
# CPU-NOT: serial-work
# CPU-NOT: host-round-trip
# ERROR: error: loop `i` runs on one thread of the host
from __future__ import annotations
import numpy as np


def histogram(x: f64[:], y: f64[:], h: f32[:]):
    # CHECK: default-warnings.py:[[#@LINE+1]]:5: warning: loop `i` runs on one thread of the host: `#pragma parallel for` above it and `#pragma atomic` above the update would share it [serial-work]
    for i in range(x.shape[0]):
        h[int(x[i])] += x[i]
        h[int(y[i])] += x[i]


def recurrence(a: f64[:]):
    # CHECK: default-warnings.py:[[#@LINE+1]]:5: warning: loop `i` runs on one thread of the host: iteration i=2 writes a[2], iteration i=4 reads it [serial-work]
    for i in range(2, a.shape[0]):
        a[i] += 0.5 * a[i - 2]


# CHECK-NOT: default-warnings.py
def scanned(a: f64[:], b: f64[:]):
    s = 0.0
    for i in range(1, a.shape[0]):
        s += a[i]
        b[i] = b[i - 1] + a[i]
    return s


def meant(a: f64[:]):
    #pragma sequential for
    for i in range(1, a.shape[0]):
        a[i] += a[i - 1]


def short(a: f64[100]):
    for i in range(1, 100):
        a[i] += a[i - 1]


def steps(a: f64[:], b: f64[:], n: int):
    for t in range(n):
        b[1:-1] = a[:-2] + a[2:]
        a[1:-1] = b[:-2] + b[2:]


def protected(x: f64[:], h: f64[:]):
    #pragma parallel for
    for i in range(x.shape[0]):
        #pragma atomic
        h[int(x[i])] += 1.0


def until_small(a: f64[:], limit: float):
    error = limit + 1.0
    while error > limit:
        a[:] = a * 0.5
        error = np.sum(a * a)
    return error


def unprotected(x: f64[:], h: f64[:]):
    #pragma parallel for
    for i in range(x.shape[0]):
        # CHECK: default-warnings.py:[[#@LINE+2]]:9: warning: two iterations of the parallel loop `i` may update one element of `h`: write `#pragma atomic` above [unprotected-update]
        # CPU: default-warnings.py:[[#@LINE+1]]:9: warning: two iterations
        h[int(x[i])] += 1.0


def collected(a: f64[:], b: c128[:]):
    s = 0.0
    # CHECK: default-warnings.py:[[#@LINE+1]]:5: warning: `s` is collected serially, as loop `i` is serial: iteration i=1 writes b[1], iteration i=2 reads it; collect it in a loop of its own [serial-reduction]
    for i in range(1, a.shape[0]):
        s += a[i]
        b[i] = b[i - 1] * a[i]
    return s


def looked_at(a: f64[:], n: int):
    t = 0.0
    for k in range(n):
        a[:] = a * 0.5
        t = np.sum(a * a)
        # CHECK: default-warnings.py:[[#@LINE+1]]:9: warning: the host waits for `t` in each iteration of the loop [host-round-trip]
        if t < 1.0:
            for j in range(n):
                a[1:] = np.sqrt(a[:-1]) + t
    return t
