# An element just stored is not loaded again, in what follows and in loops there; temporaries nobody loads go.
# RUN: %appyc %s --emit=ir --stop-after=forward-stores -o - | FileCheck %s
import numpy as np


def scaled(x: f64[M, N], y: f64[M, N]):
    #pragma parallel for
    for i in range(x.shape[0]):
        row = np.zeros(1)
        row[0] = np.sum(x[i])
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] / row[0]
# CHECK-LABEL: scaled
# CHECK-NOT: row
# CHECK: y[i, j] = x[i, j] / total
# CHECK-NOT: row


# The loop stores into the array: its later iterations may load what an earlier one stored.
def changed(x: f64[N], y: f64[N]):
    x[0] = 2.0
    for j in range(y.shape[0]):
        y[j] = x[0]
        x[y.shape[0] - 1 - j] = 1.0
# CHECK-LABEL: changed
# CHECK: y[j] = x[0]


# The value changes in the loop.
def counted(x: f64[N], y: f64[N]):
    last = x[0]
    y[0] = last
    for j in range(1, x.shape[0]):
        last = last * x[j] + y[0]
    y[1] = last
# CHECK-LABEL: counted
# CHECK: last * x[j] + y[0]


# What drop-dead-stores has left out needed a product, which needed an operand.
def unread(w: f64[M], C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    C[:] = (2.0 + A) @ B
    C[:] = C * w[:, None]
    C[:] = 0.0
# CHECK-LABEL: unread
# CHECK-NOT: matmul
# CHECK-NOT: 2.0
# CHECK: C[i, j] = 0.0
