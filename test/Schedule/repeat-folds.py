# The fold of partial results goes into the kernel that reads it; each block folds, the first one stores.
# RUN: %appyc %s --emit=ir --stop-after=repeat-folds -o - | FileCheck %s
# RUN: %appyc %s --emit=ir --stop-after=repeat-folds --disable-pass=repeat-folds -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
from __future__ import annotations
import numpy as np


def scaled(x: f64[N]) -> f64[N]:
    largest = x.max()
    return x / largest
# CHECK-LABEL: def scaled
# CHECK: launch scaled_kernel1
# CHECK: launch scaled_kernel2[(min(max((N + 255) // 256, 1), 1024), 1, 1), (256, 1, 1)]:
# CHECK-NEXT: largest: f64 = -inf
# CHECK-NEXT: for [[C:.*]] in range(0, chunks, 1):  # proven, max(largest), bind=thread.x
# CHECK-NEXT: largest = max(largest, largest_partial[[[C]]])
# CHECK-NEXT: largest = block_max(largest)
# CHECK-NEXT: only the first thread of the first block:
# CHECK-NEXT: largest_device[()] = largest
# CHECK-NEXT: largest_1: f64 = largest
# CHECK-NEXT: for {{.*}} in range(0, N, 1):  # proven, bind=global.x
# CHECK-NOT: launch
# OFF-LABEL: def scaled
# OFF: launch scaled_kernel3
# WHY: remark: each block folds the partial results that it needs itself [fused]


# Past kernels that touch nothing of it, and into one side of a branch; the other side keeps the launch.
def branches(x: f64[N], n: i64) -> tuple[f64[n], f64]:
    largest = x.max()
    out = np.zeros(n)
    if n > 5:
        for i in range(n):
            out[i] = largest * i
    return out, largest
# CHECK-LABEL: def branches
# CHECK: out[{{.*}}] = 0.0
# CHECK: if n > 5:
# CHECK-NEXT: launch branches_kernel3
# CHECK: block_max
# CHECK: else:
# CHECK-NEXT: launch branches_kernel4[(1, 1, 1)
# CHECK-NOT: launch
# CHECK: fetch(largest_device)


# No kernel of threads alone reads it first: the host, or blocks that have folds of their own.
def kept(x: f64[N], a: f64[M, N], y: f64[M]) -> f64:
    largest = x.max()
    for i in range(y.shape[0]):
        y[i] = np.sum(a[i] / largest)
    return x.sum()
# CHECK-LABEL: def kept
# CHECK: launch kept_kernel2[(1, 1, 1)
# CHECK: launch kept_kernel{{.*}}[(1, 1, 1)
# CHECK: fetch
