# Kernels of loops of the host may be started before the ones before them have ended, for which they wait.
# RUN: %appyc %s -w --emit=fired --disable-pass=cluster-loops --disable-pass=tile-time | %where pass=overlap-launches | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=fired --target=cpu | %where pass=overlap-launches | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s -w --emit=stats --disable-pass=cluster-loops --disable-pass=tile-time | %lines | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: printf '[relax."for t in range(steps):"]\noverlap = false\n' > %t.schedule
# RUN: %appyc %s -w --emit=stats --disable-pass=cluster-loops --disable-pass=tile-time --schedule=%t.schedule | %lines | FileCheck --check-prefix=CHOSEN %s
# RUN: %appyc %s --target=sequential -o /dev/null --no-wrapper
# FIRES: overlap-launches: relax triangle until{{$}}
# CPU: overlap-launches:{{$}}
import numpy as np


def relax(steps: i64, a: f64[N, M], b: f64[N, M]):
    for t in range(steps):
        b[1:-1] = a[:-2] + a[2:]
        a[:, 1:-1] = 0.5 * b[:, 1:-1]
# CHECK: kernel: relax_b; launch: overlapping
# CHECK: kernel: relax_a; launch: overlapping
# WHY: overlap-launches.py:[[@LINE-5]]:5: remark: each launch of this loop may begin while the kernel before it ends (compute capability 9.0 and newer; about 0.3 us less a launch) [time-loop]
# CHOSEN: kernel: relax_b; launch: plain
# CHOSEN: kernel: relax_a; launch: plain
# CHOSEN: kernel: triangle_right_side; launch: overlapping


# A nest of loops says so once; launches around it are as always, and wait for all before them.
def triangle(a: f64[N, N], s: f64[N]):
    a[:] = np.sqrt(a)
    for k in range(1, a.shape[0]):
        for t in range(100):
            a[k, 1:] = 0.5 * a[k - 1, 1:] + a[k, :-1]
    s[:] = 1.0 / a[-1]
# CHECK: function: triangle; kernels: 4; launches: 2; launches in host loops: 2;
# CHECK-NEXT: kernel: triangle_a; launch: plain
# CHECK-NEXT: kernel: triangle_right_side; launch: overlapping
# CHECK-NEXT: kernel: triangle_a_1; launch: overlapping
# CHECK-NEXT: kernel: triangle_s; launch: plain
# WHY:         overlap-launches.py:[[@LINE-9]]:5: remark: each launch of this loop
# WHY-NOT:     overlap-launches.py:[[@LINE-9]]:9: remark: each launch of this loop


# The host looks at what the kernels make, and library calls are launched as always.
def until(A: f64[500, 500], B: f64[500, 500], least: f64):
    while A[0, 0] > least:
        B[:] = A @ A
        A[:] = 0.001 * B
# CHECK: function: until;{{.*}} fetches: 2;{{.*}} library calls: 1
# CHECK-NEXT: kernel: until_go_on; launch: plain
# CHECK-NEXT: kernel: until_{{.*}}; launch: overlapping
# WHY:         overlap-launches.py:[[@LINE-6]]:5: remark: each launch of this loop
