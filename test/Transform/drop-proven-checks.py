# Checks that pass wherever they are reached are gone.
# RUN: %appyc %s -w --emit=fired | %where pass=drop-proven-checks | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --target=cpu -o - | FileCheck %s
# RUN: %appyc %s -w --target=cpu --disable-pass=drop-proven-checks -o - | FileCheck --check-prefix=OFF %s
# FIRES: drop-proven-checks: any_width computed correlations guarded medians windows{{ *$}}
import numpy as np


def guarded(n: i64) -> f64:
    total = 0.0
    if n > 0:
        total = np.sum(np.ones(n - 1))
    return total
# CHECK-LABEL: int appyc_{{.*}}_guarded(
# CHECK-NOT: return refuse_negative
# CHECK-LABEL: int appyc_{{.*}}_twice(
# OFF-LABEL: int appyc_{{.*}}_guarded(
# OFF: return refuse_negative


# What has been checked once holds behind it, but not behind a loop that may make no step.
def twice(n: i64, steps: i64, out: f64[N]):
    a = np.zeros(n)
    b = np.zeros(n)
    out[0] = a.sum() + b.sum()
# CHECK-COUNT-1: return refuse_negative
# CHECK-NOT: return refuse_negative
# CHECK-LABEL: int appyc_{{.*}}_in_loop(


def in_loop(m: i64, steps: i64, out: f64[N]):
    for t in range(steps):
        a = np.ones(m)
        out[0] += a.sum()
    b = np.ones(m)
    out[0] += b.sum()
# CHECK-COUNT-2: return refuse_negative


# Of numbers that the function computes, too, until they change.
def computed(x: f64[N], y: f64[N]):
    low = x.min(initial=0.0)
    if low < -1.0:
        raise ValueError("too low")
    y[0] += low
    if low < -1.0:
        raise ValueError("again too low")
    low = y.min(initial=0.0)
    if low < -1.0:
        raise ValueError("lower than that")
# CHECK-LABEL: int appyc_{{.*}}_computed(
# CHECK: "too low"
# CHECK-NOT: again too low
# CHECK: lower than that


# Ends of slices that a check before them, or the loop around them, keeps in the array.
# ENDS-LABEL: def windows
# ENDS: for k in range(0, w, 1):
# ENDS-NEXT: x[i + k]
# RUN: %appyc %s -w --emit=ir --stop-after=drop-proven-checks -o - | FileCheck --check-prefix=ENDS %s
def windows(x: f64[N], w: int):
    if w < 1:
        raise ValueError("the width")
    y = np.empty(len(x) - w + 1)
    for i in range(len(y)):
        y[i] = x[i:i + w].sum()
    return y


# ENDS-LABEL: def any_width
# ENDS: if i + w < 0 else
def any_width(x: f64[N], w: int):
    y = np.empty(len(x) - w + 1)
    for i in range(len(y)):
        y[i] = x[i:i + w].sum()
    return y


# Arrays in windows have one length where nothing counts from the end.
# ENDS-LABEL: def medians
# ENDS: if w >= 0:
# ENDS: keys: f64[w]
# ENDS: call sort_row(in keys[0], out sorted[0], w)
# ENDS: else:
# ENDS-NEXT: require N - w + 1 <= 0, NotImplementedError
def medians(x: f64[N], w: int, out: f64[N]):
    for i in range(len(x) - w + 1):
        out[i] = np.median(x[i:i + w])


# ENDS-LABEL: def correlations
# ENDS: if w - 1 >= 0:
# ENDS: t: f64[w]
def correlations(x: f64[N], w: int, out: f64[N]):
    for i in range(w - 1, len(x)):
        t = x[i - w + 1:i + 1] - x[i - w + 1:i + 1].mean()
        out[i] = (t * t[::-1]).sum()
