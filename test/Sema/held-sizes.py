# RUN: %appyc %s --target=cpu -o - --emit=ir | FileCheck %s
# What only a check holds to an inner loop's room has no bound by what it was: the outer loop has a check of its own.
from __future__ import annotations
import numpy as np


def doubled(t: int, z: i64[N]):
    for i in range(t):
        for j in range(3):
            z = np.concatenate((z, z))
            z = z[z % 2 < 1]
        z = np.append(z, i)
    return z
# CHECK: require {{.*}}, NotImplementedError, "`z` gets longer in the loop than it was before"
# CHECK: require {{.*}}, NotImplementedError, "`z` gets longer in the loop than it was before"
