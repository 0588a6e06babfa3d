"""Loops that workers share count their iterations where the step is none that 32 bits hold many times."""
# RUN: %appyc %s -w --emit=fired | %where pass=count-steps | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -o - -w --emit=ir --stop-after=count-steps | FileCheck %s

# FIRES: count-steps: every sparse{{ *$}}


# CHECK-LABEL: def every
# CHECK: for t in range(0, (N - lo - 1) // s + 1 if s > 0 else {{.*}}, 1):
# CHECK-NEXT: k: i64 = lo + t * s
#appyc: def every(a: i64[N], lo: i64, s: i64)
def every(a, lo, s):
    if lo >= 0 and s > 0:
        for k in range(lo, len(a), s):
            a[k] += k


#appyc: def sparse(a: i64[N])
def sparse(a):
    for k in range(0, len(a), 4096):
        a[k] += k


# Few times a small number are no large one.
#appyc: def thirds(a: i64[N])
def thirds(a):
    for k in range(0, len(a), 3):
        a[k] += k
