# Neighbours over one range that share an array run as one loop; a stencil between them keeps them apart.
# RUN: %appyc %s --stop-after=fuse-loops --emit=ir -o - | FileCheck %s
import numpy as np


def pointwise(a: f64[N], b: f64[N], c: f64[N]):
    b[:] = a + 1.0
    c[:] = b * a
# CHECK-LABEL: def pointwise
# CHECK: for i in range(0, N, 1):  # proven
# CHECK-NEXT: b[i] =
# CHECK-NEXT: c[i] =


def stencil(a: f64[N], b: f64[N], c: f64[N]):
    b[:] = a + 1.0
    c[1:-1] = b[:-2] + b[2:]
# CHECK-LABEL: def stencil
# CHECK-COUNT-2: for {{.*}} in range


# Rows behind several dimensions: all that a row goes through stands in one loop over rows.
def rows(x: f64[A, B, C]) -> f64[A, B, C]:
    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=-1, keepdims=True)
# CHECK-LABEL: def rows
# CHECK: for i in range(0, A, 1)
# CHECK-NEXT: for j in range(0, B, 1)
# CHECK-COUNT-3: for {{.*}} in range(0, C, 1)
# CHECK-NOT: for
# CHECK: return


# A fold of what the sweep makes, or of what the next one overwrites: one way through memory.
def beside_folds(a: f64[N, M], b: f64[N, M]):
    a *= b
    total = np.sum(b - a)
    return total
# CHECK-LABEL: def beside_folds
# CHECK: for j in range(0, M, 1):  # proven, sum(total)
# CHECK-NEXT: a[i, j] =
# CHECK-NEXT: total = total +
# CHECK-NOT: for
# CHECK: return


def before_sweeps(a: f64[N, M], b: f64[N, M]):
    total = np.sum(b * a)
    b[:] = a
    return total
# CHECK-LABEL: def before_sweeps
# CHECK: for k_1 in range(0, M, 1):  # proven, sum(total)
# CHECK-NEXT: total = total +
# CHECK-NEXT: b[k, k_1] = a[k, k_1]
# CHECK-NOT: for
# CHECK: return


# Counts that labels ask for are those of the joint kernel; unlike ones keep their kernels.
# RUN: %appyc %s --no-wrapper -o %t.cu --par='labelled.i=threads(N)' --par='labelled.j=threads(128)' --par='labelled.k=threads(64)'
# RUN: FileCheck --check-prefix=LABELS %s < %t.cu
import parpy


@parpy.jit
def labelled(a: f64[N, M], b: f64[N, M], c: f64[N, M]):
    parpy.label('i')
    parpy.label('j')
    b[:, :] = 2 * a[:, :]
    parpy.label('i')
    parpy.label('j')
    c[:, :] = b[:, :] + a[:, :]
    parpy.label('i')
    parpy.label('k')
    a[:, :] = c[:, :] - 1
# LABELS: void labelled_b_c(
# LABELS: void labelled_a(
# LABELS: labelled_b_c<index_t><<<blocks_for(1, N), 128, 0, stream>>>
# LABELS: labelled_a<index_t><<<blocks_for(1, N), 64, 0, stream>>>
