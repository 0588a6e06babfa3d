"""Stores to elements that the data choose are made by all threads; where the steps read what they store to, in order."""
# RUN: %appyc %s -w --emit=fired | %where pass=scatter-last | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -o - --emit=ir --stop-after=scatter-last | FileCheck %s

# FIRES: scatter-last: placed{{$}}


# CHECK-LABEL: def placed
# CHECK: last_out: i64[n]
# CHECK: last_out[[[AT:.*]]] = max(last_out[{{.*}}], i{{.*}})  # atomic
# CHECK: for [[I:i.*]] in range(0, N, 1):  # proven
# CHECK-NEXT: if last_out{{.*}} == [[I]]:
# CHECK-NEXT: out{{.*}} = x{{.*}}
#appyc: def placed(p: i64[N], x: f64[N], out: f64[n])
def placed(p, x, out):
    for i in range(len(p)):
        out[p[i]] = x[i]


# CHECK-LABEL: def seen
# CHECK-NOT: atomic
#appyc: def seen(p: i64[N], out: f64[n])
def seen(p, out):
    for i in range(len(p)):
        if out[p[i]] < 0.5:
            out[p[i]] = i
