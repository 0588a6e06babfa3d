# Scalars that loops count up are sums over the iterations before; what the data or a condition count stays.
# RUN: %appyc %s --stop-after=simplify --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --stop-after=prove-parallel --emit=ir -o - | FileCheck --check-prefix=PROVEN %s
# RUN: %appyc %s -w --emit=fired | %where pass=close-counters | FileCheck --check-prefix=FIRES %s
# FIRES: close-counters: behind from_the_end pairs{{ *$}}
def pairs(x: f64[N], out: f64[M]):
    k = 0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            out[k] = x[i] - x[j]
            k += 1
# CHECK-LABEL: def pairs
# CHECK: out[N * i - i * (i + 1) // 2 + j - i - 1] = x[i] - x[j]
# PROVEN-LABEL: def pairs
# PROVEN: # proven
# PROVEN: # proven


def from_the_end(x: f64[N], out: f64[N]):
    k = x.shape[0]
    for i in range(x.shape[0]):
        k -= 1
        out[i] = x[k]
# CHECK-LABEL: def from_the_end
# CHECK: out[i] = x[N - i - 1]


def behind(x: f64[N], out: f64[M]) -> i64:
    k = 3
    for i in range(x.shape[0]):
        out[k] = x[i]
        k += 2
    return k
# CHECK-LABEL: def behind
# CHECK: out[i * 2 + 3] = x[i]
# CHECK: N * 2 + 3


def conditional(x: f64[N], out: f64[N]) -> i64:
    k = 0
    for i in range(x.shape[0]):
        if x[i] > 0:
            out[k] = x[i]
            k += 1
    return k
# CHECK-LABEL: def conditional
# CHECK: k = k + 1


def of_data(x: f64[N], keys: i64[N], out: i64[N]):
    k = 0
    for i in range(x.shape[0]):
        out[i] = k
        k += keys[i]
# CHECK-LABEL: def of_data
# CHECK: k = k + keys[i]


# Rows that overlap, and rows that a negative number turns round, are no rows one behind the other.
def overlapping(x: f64[N], out: f64[M]):
    for i in range(x.shape[0]):
        for j in range(i + 2):
            out[i * (i + 1) // 2 + j] = x[i]
# PROVEN-LABEL: def overlapping
# PROVEN: # serial

