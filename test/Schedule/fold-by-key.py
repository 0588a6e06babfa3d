# What is folded into elements that the data choose is folded by key.
# RUN: %appyc %s -w --emit=fired | %where pass=fold-by-key | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=fired --target=cpu | %where pass=fold-by-key | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s -o - --emit=ir --stop-after=fold-by-key | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: fold-by-key: extremes kept pairs triangle{{$}}
# CPU: fold-by-key:{{$}}
from __future__ import annotations
import numpy as np


def kept(h: f64[B], n: i64[B], k: i64[N], w: f64[N], r: f64[N], most: f64):
    for i in range(k.shape[0]):
        if r[i] < most:
            h[k[i]] += w[i]
            n[k[i]] += 1
# CHECK-LABEL: def kept
# CHECK: if 256 <= N and 1 <= B
# CHECK: for i in range(0, N, 1):  # proven
# CHECK: if r[i] < most:
# CHECK: call fold_by_key<sum>(in [[KEY:key.*]][0], in [[VALUE:value.*]][0], out [[WHOLE:whole.*]][0], out [[SIZE:size.*]][0], N, B)
# CHECK-NEXT: for [[B:.*]] in range(0, B, 1):  # proven
# CHECK-NEXT: if [[SIZE]][[[B]]] > i32(0):
# CHECK-NEXT: h[[[B]]] = h[[[B]]] + [[WHOLE]][[[B]]]
# CHECK-NEXT: n[[[B]]] = n[[[B]]] + i64([[SIZE]][[[B]]])


# WHY: fold-by-key.py:[[@LINE-15]]:5: remark: what is folded into elements that the data choose is folded by element


# Two indices are one key; all steps come, so that nothing stands for those that do not.
def pairs(h: f64[B, C], k: i64[N], m: i64[N], w: f64[N]):
    for i in range(k.shape[0]):
        h[k[i], m[i]] *= w[i]
# CHECK-LABEL: def pairs
# CHECK: key{{.*}} = i32({{.*}} * C + {{.*}})
# CHECK: call fold_by_key<prod>({{.*}}, N, B * C)


# Comparisons with NaN change nothing, as in Python.
def extremes(low: f64[B], high: f64[B], k: i64[N], x: f64[N]):
    for i in range(k.shape[0]):
        low[k[i]] = min(low[k[i]], x[i])
        if x[i] > high[k[i]]:
            high[k[i]] = x[i]
# CHECK-LABEL: def extremes
# CHECK: value{{.*}}[i] = inf if isnan(x[i]) else x[i]
# CHECK: value{{.*}}[i] = -inf if isnan(x[i]) else x[i]
# CHECK: call fold_by_key<min>
# CHECK: call fold_by_key<max>


# More pairs than elements: rows of them at a time, as many in each.
def triangle(h: f64[B], x: f64[N], scale: f64):
    for i in range(x.shape[0]):
        xi = x[i]
        for j in range(i + 1, x.shape[0]):
            d = abs(xi - x[j])
            h[int(d * scale)] += d
# CHECK-LABEL: def triangle
# CHECK: rows: i64 = min((width + 4194303) // width, max(N, 1))
# CHECK: for batch in range(0, (
# CHECK: key{{.*}}: i32[rows, width]
# CHECK: if first + i{{.*}} < N and j{{.*}} < N - first - i


# What is read meanwhile depends on the order.
def running(h: f64[B], k: i64[N], w: f64[N], seen: f64[N]):
    for i in range(k.shape[0]):
        h[k[i]] += w[i]
        seen[i] = h[k[i]]


# How many steps there are stands in the device's memory.
def counted(h: f64[B], k: i64[N], w: f64[N], n: i64[1]):
    for i in range(n[0]):
        h[k[i]] += w[i]


# A loop of one thread is sooner done.
def few(h: f64[B], k: i64[9], w: f64[9]):
    for i in range(9):
        h[k[i]] += w[i]
