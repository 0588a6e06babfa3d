# Arrays are sequences for `match` in some versions of NumPy, and in others they are none.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
from __future__ import annotations
import numpy as np


def first(a: f64[N]):
    match a:
        # CHECK: [[#@LINE+1]]:14: error: whether a pattern of items fits an array hangs on NumPy's version; ask for `len(a)` and `a[0]` [unsupported]
        case [x, *_]:
            return x
    return 0.0
