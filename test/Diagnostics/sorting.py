# What of NumPy's sorts is not done.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
import numpy as np


def a_number(s: f64):
    return np.sort(s)
# CHECK: :[[#@LINE-1]]:{{.*}} error: {{.*}}axis -1 is out of bounds for array of dimension 0


def counted(v: f64[N], m: f64[N, M]):
    return np.repeat(v, m)
# CHECK: :[[#@LINE-1]]:{{.*}} error: `np.repeat`: `repeats` is a number or a vector
# CHECK-NOT: error: the size


def weighted(a: f64[N]):
    return np.quantile(a, 0.5, method="inverted_cdf")
# CHECK: :[[#@LINE-1]]:{{.*}} error: {{.*}}this `method=` of quantiles is not translated
