# A tile's cells are compiled twice: for tiles inside of the arrays without tests of the ends.
# RUN: %appyc %s -o - | FileCheck %s
def relax(steps: i64, a: f64[N], b: f64[N]):
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
# CHECK-LABEL: __global__ void __launch_bounds__(128, 12) relax_kernel(
# CHECK-SAME: const double* __restrict__ a,
# CHECK-NEXT: double* b, double* __restrict__ a_next
# CHECK: double a_own[4], b_own[4];
# CHECK-NEXT: __shared__ double a_tile[512]
# CHECK: const auto tile = [&](auto kind) {
# CHECK-NEXT: constexpr bool inside = decltype(kind)::value;
# CHECK: __syncthreads();
# CHECK: const double value = rounded_product(0.33333,
# CHECK: if (i_tile >= 129 && i_tile + 384 <= N - 1)
# CHECK-NEXT: tile(Known<true>{});
# CHECK-NEXT: else
# CHECK-NEXT: tile(Known<false>{});
