# Sizes that a check has found equal have one name afterwards.
# RUN: %appyc %s --no-versions --emit=ir --stop-after=unify-sizes -o - | FileCheck %s
# RUN: %appyc %s --no-versions --emit=ir --stop-after=unify-sizes --disable-pass=unify-sizes -o - | FileCheck --check-prefix=OFF %s
from __future__ import annotations
import numpy as np


def chain(a: f64[:], b: f64[:], c: f64[:]):
    b += a
    c += b
    c += a
# CHECK-LABEL: def chain(
# CHECK: require b_0 == a_0,
# CHECK: for i in range(0, a_0, 1):
# CHECK: require c_0 == a_0,
# CHECK-NOT: require
# CHECK: for {{.*}} in range(0, a_0, 1):
# CHECK-NOT: require
# CHECK: for {{.*}} in range(0, a_0, 1):
# OFF: for i in range(0, b_0, 1):
# OFF: require c_0 == b_0,
# OFF: require c_0 == a_0,


# What a check in a loop or a branch says holds there only, and to its end.
def sometimes(a: f64[:], b: f64[:], n: i64):
    if n > 0:
        a += b
        b += a
    b *= 2.0
# CHECK-LABEL: def sometimes(
# CHECK: require a_0 == b_0,
# CHECK-NEXT: for {{.*}} in range(0, a_0, 1):
# CHECK-NOT: require
# CHECK: for {{.*}} in range(0, a_0, 1):
# CHECK: for {{.*}} in range(0, b_0, 1):


# The second statement's checks follow from the first one's; the third one's does not.
def implied(a: f64[:], b: f64[:], c: f64[:]):
    c[2:] = a[:-2] + b
    c[:-2] = a[2:] * b
    c[3:] = b
# CHECK-LABEL: def implied(
# CHECK-COUNT-2: require
# CHECK: + b[
# CHECK-NOT: require
# CHECK: * b[
# CHECK: require
# CHECK: return
# OFF-LABEL: def implied(
# OFF-COUNT-5: require
