# Of arrays that are not filled by their first use, what has been written is kept; others have no shadow.
# RUN: %appyc %s --sanitize=memory --target=cpu -o - --wrapper=/dev/null | FileCheck %s
from __future__ import annotations
import numpy as np


def some(n: int, i: int, j: int):
    full = np.empty(n)
    full[:] = 1.0
    t = np.empty(n)
    t[i] = 1.0
    return t[j] + full[j]


# CHECK: extern "C" int {{.*}}some(
# CHECK-NOT: full_written
# CHECK: t_written[i_1] = false;
# CHECK: t_written[i < 0 ? i + n : i] = true;
# CHECK: return fail_with(RuntimeError, "line 12: `t[%lld]` is read before it is written", element);
# CHECK-NOT: full_written
