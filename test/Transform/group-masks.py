# Loops over masks of one array go through the points of their own mask, where these are apart and the call is large.
# RUN: %appyc %s --emit=ir --stop-after=group-masks -o - | FileCheck %s
# RUN: %appyc %s --emit=ir --stop-after=group-masks --disable-pass=group-masks -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --emit=ir --stop-after=group-masks --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - --disable-pass=record-graphs | FileCheck --check-prefix=CODE %s
# OFF-NOT: call
from __future__ import annotations
import numpy as np


def means(x: f64[N], w: f64[N], bins: i64) -> f64[bins]:
    out = np.empty(bins)
    for b in range(bins):
        out[b] = w[(b / bins <= x) & (x < (b + 1) / bins)].mean()
    return out
# CHECK-LABEL: def means
# CHECK: lower: f64[max(bins, 0)]
# CHECK-NOT: order
# CHECK: grouped: bool = bins >= 1 and max(N, bins) <= 1073741824 and N * bins >= 4194304
# CHECK-NEXT: if grouped:
# CHECK-NEXT: for {{.*}} in range(0, bins, 1):  # proven
# CHECK: apart[0] = i32(1)
# CHECK-NEXT: lower[[[B:.*]]] = f64([[B]]) / f64(bins)
# CHECK-NEXT: upper[[[B]]] = f64([[B]] + 1) / f64(bins)
# CHECK-NEXT: call find_groups(in x[0], in lower[0], in upper[0], out keys[0], inout apart[0], N, bins, 0, 1)
# CHECK-NEXT: call fold_by_key<sum>(in keys[0], in w[0], out total_all[0], out sizes[0], N, bins)
# CHECK: if grouped and apart[0] != i32(0):
# CHECK-NEXT: total = total + total_all[[[B1:.*]]]
# CHECK-NEXT: total_1 = total_1 + i64(sizes[[[B1]]])
# CHECK-NEXT: else:
# CHECK-NEXT: for {{.*}} in range(0, N, 1):  # proven, sum(total), sum(total_1)
# CPU: grouped: bool = bins >= 32 and max(N, bins) <= 1073741824 and N * bins >= 1048576
# WHY: remark: the points of loop `k` are grouped by `b` when bins >= 1 {{.*}}, where no point belongs to two of its iterations [grouped]
# CODE: const bool grouped = bins >= 1 && maximum(N, bins) <= 1073741824 && wrap_mul(N, bins) >= 4194304;
# CODE-NEXT: if (grouped) {
# CODE: find_groups(x, lower, upper, keys, apart, N, bins, 0, 1, stream);
# CODE-NEXT: fold_by_key<Sum>(keys, w, total_all, sizes, N, bins, -0.0, stream);


# Branches, sides apart from each other, another condition; computed points; the sum starts from memory, perhaps from -0.0.
def branches(x: f32[N], y: f32[N], e: f32[E], s: f32[E - 1]):
    #pragma parallel for
    for b in range(e.shape[0] - 1):
        low = e[b]
        #pragma simd
        for i in range(1, x.shape[0]):
            r = x[i] + y[i]
            if r > low and y[i] != 2.0:
                if not y[i] > 1.0 and e[b + 1] >= r:
                    s[b] += y[i]
# CHECK-LABEL: def branches
# CHECK: points: f32[max(N - 1, 0)]
# CHECK: points[[[I:.*]] - 1] = x[[[I]]] + y[[[I]]]
# CHECK: call find_groups(in points[0], in lower[0], in upper[0], {{.*}}, N - 1, E - 1, 1, 0)
# CHECK-NEXT: call order_by_key(in keys[0], out order[0], out start[0], N - 1, E - 1)
# CHECK: if grouped and apart[0] != i32(0):
# CHECK-NEXT: simd for
# CHECK-NEXT: [[I:i.*]]: i64 = i64(order[{{.*}}]) + 1
# CHECK-NEXT: if y[[[I]]] != f32(2.0):
# CHECK-NEXT: if not y[[[I]]] > f32(1.0):
# CHECK-NEXT: s_value = s_value + y[[[I]]]
# CHECK-NEXT: else:


# What is added outside of the mask, 0.0, makes 0.0 of a -0.0 that the sum starts from.
def zeros(x: f64[N], w: f64[N], e: f64[E], s: f64[E - 1]):
    for b in range(e.shape[0] - 1):
        for i in range(x.shape[0]):
            s[b] += w[i] if e[b] <= x[i] < e[b + 1] else 0.0
# CHECK-LABEL: def zeros
# CHECK: if grouped and apart[0] != i32(0):
# CHECK: s_value = s_value + (0.0 if i64(sizes[{{.*}}]) < N else -0.0)
# CHECK: else:


# One comparison: its edges are one array. Stores are iterations' own acts, in order.
def labels(k: i32[N], v: f64[N, 5], s: f64[B, 5]):
    for b in range(s.shape[0]):
        for i in range(k.shape[0]):
            if k[i] == np.int32(b):
                s[b] += v[i]
# CHECK-LABEL: def labels
# CHECK: lower: i32[B]
# CHECK-NOT: upper
# CHECK: call find_groups(in k[0], in lower[0], in lower[0], {{.*}}, N, B, 0, 0)
# CHECK: for {{.*}} in range(i64(start[{{.*}}  # serial


# What is folded is computed first, with arrays of more points, and of rows; an element goes as it is. A NaN is no maximum here.
def values(x: f64[N], a: f64[N], small: i8[N], more: f64[N + 1], rows: f64[2, N], e: f64[E], s: f64[E - 1], t: i64[E - 1]):
    for g in range(e.shape[0] - 1):
        total, most, whole = 0.0, 0.0, 0
        for i in range(x.shape[0]):
            if e[g] <= x[i] < e[g + 1]:
                total -= a[i] * more[i] + rows[0, i]
                most = max(most, a[i])
                whole += small[i]
        s[g] = total * most
        t[g] = whole
# CHECK-LABEL: def values
# CHECK: [[V:values.*]][[[I:.*]]] = -(a[[[I]]] * more[[[I]]] + rows[0, [[I]]])
# CHECK: = a[[[I:.*]]] if a[[[I]]] == a[[[I]]] else -inf
# CHECK: call fold_by_key<sum>(in keys[0], in [[V]][0], out total_all[0]
# CHECK: call fold_by_key<max>(in keys[0], in values_1[0], out most_all[0]
# CHECK: call fold_by_key<sum>(in keys[0], in small[0], out whole_all[0]
# CPU-LABEL: def values
# CPU: call order_by_key(


# What asks for more than the point is read by the points' numbers.
def numbered(x: f64[N], a: f64[N], b: i8[N], c: c128[N], d: f32[N], more: f64[N + 1], rows: f64[2, N], e: f64[E],
            s: c128[E - 1]):
    for g in range(e.shape[0] - 1):
        for i in range(x.shape[0]):
            if e[g] <= x[i] < e[g + 1] and a[i] > e[0]:
                s[g] += a[i] * b[i] * c[i] + x[i] + d[i] * more[i] * rows[0, i]
# CHECK-LABEL: def numbered
# CHECK: call order_by_key(
# CHECK: [[P:[a-z_0-9]+]]: i64 = i64(order[[[K:k.*]]])
# CHECK: c128(f64(d[[[P]]]) * more[[[P]]] * rows[0, [[P]]]
# CPU-LABEL: def numbered
# CPU: call order_by_key(


# Two loops over the same points share the groups.
def twice(x: f64[N], w: f64[N], c: f64[B], s: f64[B]):
    for b in range(c.shape[0]):
        total = 0.0
        for i in range(x.shape[0]):
            if c[b] - 1.0 < x[i] < c[b] + 1.0:
                total += w[i]
        most = total
        for i in range(x.shape[0]):
            if c[b] - 1.0 < x[i] < c[b] + 1.0:
                most = max(most, w[i])
        s[b] = most
# CHECK-LABEL: def twice
# CHECK: call find_groups(in x[0], {{.*}}, N, B, 1, 1)
# CHECK-NOT: call find_groups
# CHECK: if grouped and apart[0] != i32(0):
# CHECK: if grouped and apart[0] != i32(0):


# All points are tested, for one reason each. The points are others for each b:
def other_points(y: f64[N, B], w: f64[N], s: f64[B]):
    for b in range(s.shape[0]):
        for i in range(w.shape[0]):
            if 0.5 * b <= y[i, b] < 0.5 * b + 0.5:
                s[b] += w[i]
# CHECK-LABEL: def other_points
# CHECK-NOT: call


# 1 is added outside of the mask.
def ones(x: f64[N], w: f64[N], s: f64[B]):
    for b in range(s.shape[0]):
        for i in range(x.shape[0]):
            s[b] += w[i] if 0.5 * b <= x[i] < 0.5 * b + 0.5 else 1.0
# CHECK-LABEL: def ones
# CHECK-NOT: call
# WHY: [[@LINE-4]]:9: remark: the points of loop `i` are not grouped: it does something for points outside of the mask, too [grouped]


# inf * 0.0 is nan.
def factors(x: f64[N], w: f64[N], s: f64[B]):
    for b in range(s.shape[0]):
        for i in range(x.shape[0]):
            s[b] += w[i] * (0.5 * b <= x[i] < 0.5 * b + 0.5)
# CHECK-LABEL: def factors
# CHECK-NOT: call


# One of the comparisons is enough; there is only one.
def sides(x: f64[N], w: f64[N], s: f64[B], t: f64[B]):
    for b in range(s.shape[0]):
        for i in range(x.shape[0]):
            if 0.5 * b <= x[i] or x[i] < 0.5 * b + 0.5:
                s[b] += w[i]
            if 0.5 * b <= x[i]:
                t[b] += w[i]
# CHECK-LABEL: def sides
# CHECK-NOT: call


# The last point counts, in the mask or not.
def last_point(x: f64[N], w: f64[N], s: f64[B], t: f64[B]):
    for b in range(s.shape[0]):
        last = 0.0
        for i in range(x.shape[0]):
            if 0.5 * b <= x[i] < 0.5 * b + 0.5:
                s[b] += w[i]
            last = x[i]
        t[b] = last
# CHECK-LABEL: def last_point
# CHECK-NOT: call


# The edges are written meanwhile.
def moving(x: f64[N], w: f64[N], e: f64[B]):
    for b in range(e.shape[0]):
        total = 0.0
        for i in range(x.shape[0]):
            if e[b] <= x[i] < e[b] + 0.5:
                total += w[i]
        e[b] = total
# CHECK-LABEL: def moving
# CHECK-NOT: call


# The upper edge may not be there, where no point asks for it.
def absent(x: f64[N], w: f64[N], e: f64[:], s: f64[B]):
    for b in range(s.shape[0]):
        for i in range(x.shape[0]):
            if 0.5 * b <= x[i] and x[i] < e[b]:
                s[b] += w[i]
# CHECK-LABEL: def absent
# CHECK-NOT: call


# Known to be few.
def few(x: f64[64], s: f64[9]):
    for b in range(9):
        for i in range(64):
            if 0.5 * b <= x[i] < 0.5 * b + 0.5:
                s[b] += x[i]
# CHECK-LABEL: def few
# CHECK-NOT: call


# Few rows, which the host goes through where grouping pays in each.
def rows(x: f64[M, N], s: f64[M, B]):
    for r in range(x.shape[0]):
        for b in range(s.shape[1]):
            for i in range(x.shape[1]):
                if 0.5 * b <= x[r, i] < 0.5 * b + 0.5:
                    s[r, b] += x[r, i]
# CHECK-LABEL: def rows
# CHECK: if M <= 8 and (B >= 1 and max(N, B) <= 1073741824 and N * B >= 4194304):
# CHECK-NEXT: for r in range(0, M, 1):  # serial
# CHECK: call find_groups(in x[r, 0], in lower[0]
# CHECK: else:
# CHECK: for r in range(0, M, 1):  # proven
# CHECK-NOT: call


# They are not masks of one row: the bounds of the points go with it.
def parts_of_rows(x: f64[M, N], s: f64[M, B]):
    for r in range(x.shape[0]):
        for b in range(s.shape[1]):
            for i in range(r, x.shape[1]):
                if 0.5 * b <= x[r, i] < 0.5 * b + 0.5:
                    s[r, b] += x[r, i]
# CHECK-LABEL: def parts_of_rows
# CHECK-NOT: call


# Numbers of points: no array is searched.
def bands(w: f64[N], s: f64[B]):
    for b in range(s.shape[0]):
        for i in range(w.shape[0]):
            if 4 * b <= i < 4 * b + 4:
                s[b] += w[i]
# CHECK-LABEL: def bands
# CHECK-NOT: call
