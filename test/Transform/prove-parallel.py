# Loops without annotation that are proven independent become parallel; the others say why not.
# RUN: %appyc %s --stop-after=prove-parallel --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --stop-after=prove-parallel --target=cpu --emit=ir -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --stop-after=prove-parallel --no-auto --emit=ir -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
def independent(a: f64[N], b: f64[N]):
    for i in range(a.shape[0]):
        b[i] = 2.0 * a[i]
# CHECK-LABEL: def independent
# CHECK: for i in range(0, N, 1):  # proven
# OFF: for i in range(0, N, 1):  # serial


def chain(a: f64[N]):
    for i in range(1, a.shape[0]):
        a[i] = a[i] + a[i - 1]
# CHECK-LABEL: def chain
# CHECK: for i in range(1, N, 1):  # serial
# WHY: loop `i` stays serial: iteration i=1 writes a[1], iteration i=2 reads it


def shifted(a: f64[N], k: i64):
    for i in range(a.shape[0] - k):
        a[i] = a[i + k]
# CHECK-LABEL: def shifted
# CHECK: if {{.*}}k == 0
# CHECK: # proven
# CHECK: # serial
# WHY: loop `i` runs in parallel when {{.*}}k == 0


def total(a: f64[N]) -> f64:
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
    return s
# CHECK-LABEL: def total
# CHECK: # proven, sum(s)


def counted(h: i64[M], low: u32[M], k: i64[N], v: u32[N]):
    for i in range(k.shape[0]):
        h[k[i]] += 1
        low[k[i]] = min(v[i], low[k[i]])
# CHECK-LABEL: def counted
# CHECK: for i in range(0, N, 1):  # proven
# CPU-LABEL: def counted
# CPU: for i in range(0, N, 1):  # serial


def weighed(h: f64[M], k: i64[N], v: f64[N]):
    for i in range(k.shape[0]):
        h[k[i]] += v[i]
# CHECK-LABEL: def weighed
# CHECK: for i in range(0, N, 1):  # serial


def counted_and_read(h: i64[M], k: i64[N], c: i64[N]):
    for i in range(k.shape[0]):
        h[k[i]] += 1
        c[i] = h[k[i]]
# CHECK-LABEL: def counted_and_read
# CHECK: for i in range(0, N, 1):  # serial


def counted_by_two(h: i64[M], k: i64[N]):
    for i in range(k.shape[0]):
        h[k[i]] += 1
        h[k[i]] = max(h[k[i]], 3)
# CHECK-LABEL: def counted_by_two
# CHECK: for i in range(0, N, 1):  # serial


# Iterations of a step that only the call tells are at least so far apart; what scalars are made of is known where both keep their values.
def blocks(x: f64[N]):
    s = 1
    while s < x.shape[0]:
        half = s // 2
        for i in range(0, x.shape[0], s):
            for k in range(i, i + half):
                x[k] -= x[k + half]
        s += s
# CHECK-LABEL: def blocks
# CHECK: for i in range(0, N, n):  # proven
# CHECK-NEXT: for k in range(i, i + half, 1):  # proven


def blocks_that_meet(x: f64[N], s: i64):
    for i in range(0, x.shape[0] - s - 1, s):
        for k in range(s + 1):
            x[i + k] = x[i + k] * 2 + i
# CHECK-LABEL: def blocks_that_meet
# CHECK: for i in range(0, N - s - 1, s):  # serial


def changed_since(x: f64[N], s: i64):
    for t in range(3):
        half = s // 2
        s -= t
        for i in range(0, x.shape[0], s):
            for k in range(i, i + half):
                x[k] -= x[k + half]
# CHECK-LABEL: def changed_since
# CHECK: for i in range(0, N, n):  # serial


# Where a mask holds is no place twice; of positions that the text changes nobody knows.
def at_places(a: f64[M, N, 3], m: bool[M, N], b: f64[K, 3]):
    a[m] = b
# CHECK-LABEL: def at_places
# CHECK: for [[P:.*]] in range(0, n, 1):  # proven
# CHECK-NEXT: for [[J:.*]] in range(0, 3, 1):  # proven
# CHECK-NEXT: a[wrap_index(found[[[P]]], M), wrap_index(found_1[[[P]]], N), [[J]]] =


def at_rows(a: f64[M, N], m: bool[M, N], b: f64[K]):
    i, j = m.nonzero()
    a[i, 0] = b
# CHECK-LABEL: def at_rows
# CHECK: for [[P:.*]] in range(0, n, 1):  # serial
# CHECK-NEXT: a[wrap_index(found[[[P]]], M), 0] =


def at_changed_places(a: f64[M], m: bool[M], b: f64[K]):
    i = m.nonzero()[0]
    i[1:] = i[0]
    a[i] = b
# CHECK-LABEL: def at_changed_places
# CHECK: for [[P:.*]] in range(0, n, 1):  # serial
# CHECK-NEXT: a[wrap_index(
