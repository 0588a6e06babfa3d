# Neighbours over one range that share an array run as one loop; a stencil between them keeps them apart.
# RUN: %appyc %s --stop-after=fuse-loops --emit=ir -o - | FileCheck %s
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
