# Few elements that many threads update: blocks collect on chip first.
# RUN: %appyc %s -w --emit=ir --stop-after=privatize-updates -o - | FileCheck %s
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def levels(
# CHECK: for c in range(0, chunks, 1): # proven, simd(256)
# CHECK: counts_own[z] = 0
# CHECK: for i{{.*}} in range(c * chunk, min(c * chunk + chunk, {{.*}}), 1):
# CHECK: counts_own[{{.*}}] += 1 # atomic
# CHECK: if counts_own[{{.*}}] != 0:
# CHECK-NEXT: counts[{{.*}}] += counts_own[{{.*}}] # atomic
def levels(a: u8[N]):
    return np.bincount(a, minlength=256)


# Floats add in order; how many there are nobody knows; a few points; too many bins.
# CHECK-LABEL: def kept(
# CHECK-NOT: _own
# CHECK: return
def kept(a: u8[N], w: f64[N], k: i64[N], few: u8[99]):
    wide = np.zeros(70000, np.int64)
    for i in range(len(k)):
        wide[k[i]] += 1
    return np.bincount(a, w, minlength=256), np.bincount(few, minlength=256), wide


# Where the host finds few counters, and keys enough.
# CHECK-LABEL: def open_bins(
# CHECK: if K <= 2048 and max(N, 1) >= 16384:
# CHECK: counts_own: i64[2048]
# CHECK: for z in range(0, K, 1):
# CHECK: else:
# CHECK-NOT: _own
# CHECK: counts[{{.*}}] += 1 # atomic
def open_bins(k: i64[N], counts: i64[K]):
    for i in range(len(k)):
        counts[k[i]] += 1
