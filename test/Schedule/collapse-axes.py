# Lanes go through two whole axes as through one; not through a part of the last one, nor where the kernel stores what they read.
# RUN: %appyc %s -w --emit=fired | %where pass=collapse-axes | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --emit=ir -o - | FileCheck %s
# FIRES: collapse-axes: whole{{$}}
from __future__ import annotations
import numpy as np


def whole(x: f32[M, N, K]):
    return x.sum(axis=(1, 2))
# CHECK-LABEL: def whole
# CHECK: x[i{{[_0-9]*}}, 0, k{{[_0-9]*}}


def part(x: f32[M, N, K]):
    return x[:, :, 1:].sum(axis=(1, 2))
