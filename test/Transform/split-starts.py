# RUN: %appyc %s -w --emit=ir --stop-after=simplify -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=split-starts | FileCheck --check-prefix=FIRES %s
# FIRES: split-starts: behind echo first{{$}}
# Recurrences whose first steps have none before them are two loops, each without the comparison.


# CHECK-LABEL: def first
# CHECK: for i in range(0, min(1, n), 1):
# CHECK-NEXT: y[i] = x[i]
# CHECK: for [[I:i.*]] in range(1, n, 1):
# CHECK-NEXT: y[[[I]]] = x[[[I]]] + 0.5 * y[[[I]] - 1]
#appyc: def first(x: f64[n], y: f64[n])
def first(x, y):
    for i in range(len(x)):
        if i == 0:
            y[i] = x[i]
        else:
            y[i] = x[i] + 0.5 * y[i - 1]


# CHECK-LABEL: def echo
# CHECK: for i in range(0, min(delay, n), 1):
# CHECK-NEXT: y[i] = x[i]
# CHECK: for [[I:i.*]] in range(max(delay, 0), n, 1):
# CHECK-NOT: if
# CHECK: y[[[I]]] = y[[[I]]] + g * y[[[I]] - delay]
#appyc: def echo(x: f64[n], y: f64[n], g: f64, delay: i64)
def echo(x, y, g, delay):
    for i in range(len(x)):
        y[i] = x[i]
        if i >= delay:
            y[i] += g * y[i - delay]


# From the end: the last elements are first.
# CHECK-LABEL: def behind
# CHECK: for i in range(n - 1, max(n - 2, -1), -1):
# CHECK-NEXT: y[i] = x[i] + 0.0
# CHECK: for [[I:i.*]] in range(n - 2, -1, -1):
# CHECK-NEXT: y[[[I]]] = x[[[I]]] + 0.9 * y[[[I]] + 1]
#appyc: def behind(x: f64[n], y: f64[n])
def behind(x, y):
    for i in range(len(x) - 1, -1, -1):
        y[i] = x[i] + (0.9 * y[i + 1] if i < len(x) - 1 else 0.0)


# Not where no step reads what another one has stored, or what is compared with changes.
# CHECK-LABEL: def others
# CHECK: if i > 0
# CHECK: if {{.*}} > k
#appyc: def others(x: f64[n], y: f64[n], k: i64)
def others(x, y, k):
    for i in range(len(x)):
        if i > 0:
            y[i] = x[i - 1]
    for i in range(1, len(x)):
        if i > k:
            y[i] = 0.5 * y[i - 1]
            k += 2
