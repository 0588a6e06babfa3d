# A fold that has been computed is not computed again until what it is made of changes.
# RUN: %appyc %s --stop-after=share-folds --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --remarks -o %t.cu 2>&1 | FileCheck --check-prefix=WHY %s
import numpy as np


def scaled(x: f64[M, N]):
    return (x - x.mean(axis=0)) / x.std(axis=0), x.var(axis=0)
# CHECK-LABEL: def scaled
# CHECK: t[{{.*}}] = sum(x[
# CHECK-NOT: = sum(x[
# CHECK-LABEL: def numbers
# WHY: share-folds.py:8:{{.*}}: remark: what is folded here has been computed before, as `t` [shared]


# What is in two statements has a name; what is made of it has one value.
def numbers(y: f64[N]):
    z = (y - y.mean()) / (y.max() - y.min())
    return z, np.sum((y - y.mean()) ** 2), y.max() - y.min(), np.dot(y, y) + np.dot(y, y)
# CHECK: total{{.*}} = sum(y[
# CHECK-NOT: = sum(y[
# CHECK: = max(
# CHECK-NOT: = max(
# CHECK: total{{.*}} = sum(y[[[K:k_[0-9]+]]] * y[[[K]]] for
# CHECK-LABEL: def changed


def changed(y: f64[N], n: i64):
    a = y.sum()
    y[0] = 1.0
    b = y.sum()
    for i in range(n):
        y[i] += y.sum()
    return a, b, y.sum()
# CHECK: a: f64 = sum(y
# CHECK: b: f64 = sum(y
# CHECK: y[{{.*}}] + sum(y
# CHECK: = sum(y
# CHECK-LABEL: def branches


# In branches what was known before; behind them nothing of what they compute.
def branches(y: f64[N], n: i64):
    a = y.max()
    b = 0.0
    if n > 1:
        b = y.max() + y.min()
    return a, b, y.min()
# CHECK: max(y
# CHECK-NOT: max(y
# CHECK: min(y
# CHECK: min(y


# A name that is another's copy is the length of an array.
def marked(labels: i64[N]):
    n = None
    if n is None:
        n = labels.max() + 1
    out = np.zeros((labels.size, n))
    out[np.arange(labels.size), labels] = 1
    return out
# CHECK-LABEL: def marked
# CHECK: n: i64 = max(
# CHECK-NOT: i64 = n
# CHECK: out[{{.*}}] = 0.0
