# The right side of an assignment is read before the left is written; a temporary only where it could matter.
# RUN: %appyc %s --stop-after=buffer-overlaps --emit=ir -o - | FileCheck %s
def shift(a: f64[N]):
    a[1:] = a[:-1]
# CHECK-LABEL: def shift
# CHECK: right_side: f64[
# CHECK: right_side[i] = a[i]
# CHECK: a[{{.*}} + 1] = right_side


def same_place(a: f64[N]):
    a[1:] = 2.0 * a[1:]
# CHECK-LABEL: def same_place
# CHECK-NOT: right_side
# CHECK: return


def halves(a: f64[N]):
    a[::2] = a[1::2].sum()
# CHECK-LABEL: def halves
# CHECK-NOT: right_side
# CHECK: return
