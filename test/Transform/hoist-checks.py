# Windows a step apart that the call knows have one length where they end in the array; checks that are the same in all
# iterations stand before their loop, where an iteration has done nothing before them.
# RUN: %appyc %s --stop-after=batch-sorts --emit=ir -w -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=hoist-checks,batch-sorts | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --stop-after=batch-sorts --target=cpu --emit=ir -w -o - | FileCheck --check-prefix=CPU %s
# FIRES: hoist-checks: behind_a_store frames mean_power{{ *$}}
# FIRES: batch-sorts: behind_a_store frames mean_power{{ *$}}
import numpy as np


def frames(x: f64[N], w: f64[W], hop: i64, count: i64, out: f64[M, K]):
    for t in range(count):
        row = x[t * hop:t * hop + w.shape[0]] * w
        out[t, :out.shape[1]] = np.abs(np.fft.rfft(row))
# CHECK-LABEL: def frames(
# CHECK: if hop >= 0 and
# CHECK: if 0 < count:
# CHECK-NEXT: require K == {{.*}}NotImplementedError
# CHECK: call transform_rows(inout [[S:.*]][0, 0], rows, W, -1)
# CHECK: else:
# CHECK: for t{{.*}} in range(0, count, 1):  # serial
# CHECK: call transform_rows({{.*}}, 1, max(
# CPU-LABEL: def frames(
# CPU-NOT: if hop
# CPU: call transform_rows({{.*}}, 1,


# What the rows add up to keeps its order; the transforms do not wait for it.
def mean_power(x: f64[N], n: i64, out: f64[K]):
    hop = n // 2
    for t in range((x.shape[0] - n) // hop + 1):
        part = x[t * hop:t * hop + n]
        out += np.abs(np.fft.rfft(part - part.mean()))
# CHECK-LABEL: def mean_power(
# CHECK: call transform_rows(inout [[P:.*]][0, 0], rows, n, -1)
# CHECK-NEXT: for [[T:.*]] in range(0, rows, 1):
# CHECK: else:


# A call that is refused is refused before anything is stored.
def behind_a_store(x: f64[N], w: f64[W], hop: i64, out: f64[M, K], seen: f64[M]):
    for t in range(seen.shape[0]):
        seen[t] = t
        row = x[t * hop:t * hop + w.shape[0]] * w
        out[t] = np.abs(np.fft.rfft(row))
# CHECK-LABEL: def behind_a_store(
# CHECK: require {{.*}}, NotImplementedError
# CHECK: seen[
