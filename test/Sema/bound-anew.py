# A name that is read behind a loop, but bound anew before, is the loop's own: its array is not made before the loop.
# RUN: %appyc %s -o - --emit=ir --stop-after=lower-to-loops | FileCheck %s
import numpy as np


def columns(n: i64, w: f64[M, K], c: f64[M, K]):
    for k in range(1):
        b = 0.25 * w[:, k]
        c[:, k] = b * 2.0
    for k in range(1, n):
        b = 0.5 * w[:, k]
        c[:, k] = b - c[:, k - 1]


# CHECK-LABEL: def columns
# CHECK-NOT: b: f64
# CHECK: c[{{.*}}] = 0.25 * w[{{.*}}] * 2.0
# CHECK-NOT: b: f64
# CHECK: c[{{.*}}] = 0.5 * w[{{.*}}] - c[
# CHECK: return


def one_path(n: i64, w: f64[M, K], c: f64[M]):
    """Where one path does not bind it, the array of the loop is still asked for."""
    for k in range(1):
        b = 0.25 * w[:, k]
    if n > 3:
        b = 0.5 * w[:, 1]
    c[:] = b


# CHECK-LABEL: def one_path
# CHECK: b{{.*}}: f64[M]
# CHECK: for k in range(0, 1
