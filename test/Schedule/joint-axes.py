# Threads of the two outer axes of four ask for neither index where elements follow each other; they do where one array lacks an axis.
# RUN: %appyc %s -w --no-versions --emit=fired | %where pass=joint-axes | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --no-versions -o - | FileCheck %s
# FIRES: joint-axes: biased per_channel{{$}}
from __future__ import annotations
import numpy as np


def biased(x: f64[A, B, C, D], b: f64[D]):
    x += b
# CHECK: linear < B * A;
# CHECK-NOT: linear %
# CHECK: x[(linear * C + k) * D + l] += b[l];


def per_channel(x: f64[A, B, C, D], b: f64[B, 1, 1]):
    x += b
# CHECK: const index_t i = {{.*}}, j = {{.*}}linear
# CHECK: += b[j];
