# --check-races: what is assumed runs in order and keeps who touched each element first; what is proven stays as it is.
# RUN: %appyc %s --check-races --target=cpu --emit=ir | FileCheck %s
# RUN: %appyc %s --check-races --emit=ir -w | FileCheck --check-prefix=CUDA %s
# RUN: %appyc %s --emit=ir | FileCheck --check-prefix=PLAIN %s
# RUN: %appyc %s --check-races -o - --wrapper=/dev/null --remarks 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
def histogram(x: f64[M], k: i64[N], v: f64[N]):
    #pragma parallel for
    for i in range(v.shape[0]):
        v[i] = v[i] * 2.0
    #pragma parallel for
    for i in range(k.shape[0]):
        x[k[i]] = v[i]


# Shadow memory is made and cleared once; nothing is kept of `k` and `v`, which no two iterations share.
# CHECK-NOT: v_writer
# CHECK: x_writer: i64[M]
# CHECK: x_writer[i] = 0
# CHECK: race: i64[2]
# CHECK: parallel for i{{.*}}  # proven
# CHECK-NEXT: v[{{.*}}] * 2.0
# CHECK: race[1] = race[0]
# CHECK-NEXT: sequential for [[I:i.*]] in range(0, N, 1):  # serial
# CHECK-NEXT: now: i64 = race[0] + 1
# CHECK-NEXT: race[0] = now
# CHECK-NEXT: begin: i64 = race[1]
# CHECK-NEXT: element: i64 = wrap_index(k[[[I]]], M)
# CHECK-NEXT: seen: i64 = x_writer[element]
# CHECK-NEXT: require not (seen > begin and seen != now), RuntimeError, "check-races.py:11: loop `i` has a race: iteration i=%lld writes x[%lld], iteration i=%lld writes it too, in line 12", seen - begin - 1, element, [[I]]
# CHECK-NEXT: if x_writer[element] <= begin:
# CHECK-NEXT: x_writer[element] = now
# CHECK-NEXT: x[wrap_index(k[[[I]]], M)] = v[[[I]]]

# One thread runs the loop; two words to clear are no work for others.
# CUDA: launch histogram_x[(1, 1, 1), (1, 1, 1){{.*}}](
# CUDA: found: i64 = fetch(found_device)
# CUDA-NEXT: if found != 0:
# CUDA-LABEL: kernel histogram_x(
# CUDA: for [[I:i.*]] in range(0, 2, 1):
# CUDA-NEXT: race[[[I]]] = 0
# CUDA: sequential for i{{.*}} in range(0, N, 1):  # serial
# CUDA-NEXT: if fault[0] == 0:
# CUDA-NEXT: now: i64

# PLAIN-NOT: race
# PLAIN: for i{{.*}} in range(0, N, 1):  # assumed

# REMARK: check-races.py:11:5: remark: loop `i` runs in order and is checked for races [assumed]
