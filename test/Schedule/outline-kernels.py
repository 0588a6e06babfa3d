# What launches run becomes objects with parameters: two launches of one kernel are of one object.
# RUN: %appyc %s --emit=ir | FileCheck %s
# RUN: %appyc %s --emit=ir --disable-pass=outline-kernels | FileCheck --check-prefix=OFF %s
# RUN: mkdir -p %t.objects %t.places
# RUN: %appyc %s -o %t.objects/k.cu --no-wrapper
# RUN: %appyc %s -o %t.places/k.cu --no-wrapper --disable-pass=outline-kernels
# RUN: grep -v -e "appyc " -e "return \"" -e "build:" -e "hash of" %t.objects/k.cu > %t.1
# RUN: grep -v -e "appyc " -e "return \"" -e "build:" -e "hash of" %t.places/k.cu | diff %t.1 -


# CHECK-LABEL: def scaled
# CHECK:       launch scaled_kernel[(min(max((N + 255) // 256, 1), {{[0-9]+}}), 1, 1), (256, 1, 1)](a, b, factor, N)
# CHECK-NOT:   launch
# CHECK:       kernel scaled_kernel(a, b, factor, N):
# CHECK-NEXT:    for i in range(0, N, 1):  # proven, bind=global.x
# CHECK-NEXT:      b[i] = factor * a[i]
# OFF-LABEL:   def scaled
# OFF:         launch scaled_kernel[{{.*}}]:
# OFF-NEXT:      for i in range(0, N, 1):
# OFF-NOT:     kernel scaled_kernel(
def scaled(a: f64[N], b: f64[N], factor: f64):
    for i in range(a.shape[0]):
        b[i] = factor * a[i]


# CHECK-LABEL: def steps
# CHECK:       launch steps_kernel[{{.*}}](a, b, a_next, N, full, not_last)
# CHECK-NEXT:  launch steps_kernel[{{.*}}](a_next, b, a, N, full, not_last)
# CHECK:       launch steps_kernel[{{.*}}](a, b, a_next, N, half, not_last)
# CHECK-NEXT:  launch steps_kernel[{{.*}}](a_next, b, a, N, other, last)
# CHECK:       kernel steps_kernel(a, b, a_next, N, full, not_last):
# CHECK-NOT:   kernel steps_kernel
def steps(t: i64, a: f64[N], b: f64[N]):
    for k in range(t):
        b[1:-1] = a[:-2] + a[2:]
        a[1:-1] = b[:-2] + b[2:]
