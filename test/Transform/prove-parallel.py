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
