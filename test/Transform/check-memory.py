# Of arrays that are not filled by their first use, what has been written is kept; others have no shadow.
# RUN: %appyc %s --sanitize=memory --target=cpu --emit=ir | FileCheck %s
from __future__ import annotations
import numpy as np


def some(n: int, i: int, j: int):
    full = np.empty(n)
    full[:] = 1.0
    t = np.empty(n)
    t[i] = 1.0
    return t[j] + full[j]


# CHECK-NOT: full_written
# CHECK: t_written[i_{{.*}}] = False
# CHECK: t_written[i + n if i < 0 else i] = True
# CHECK: element: i64 = j + n if j < 0 else j
# CHECK-NEXT: require t_written[element], RuntimeError, "`t[%lld]` is read before it is written", element
# CHECK-NOT: full_written
