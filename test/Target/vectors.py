# Kernels of which the host chooses how many elements a thread takes at once, and how many vectors of a row lanes keep.
# RUN: %appyc %s --no-versions -o - | FileCheck %s
import numpy as np


def softmax(x: f32[N, M]) -> f32[N, M]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)
# CHECK-LABEL: template <class index_t, int width>
# CHECK-NEXT: __global__ void softmax_kernel(
# CHECK: for (index_t k = (index_t)threadIdx.x * width; k < M; k += (index_t)blockDim.x * width) {
# CHECK-NEXT: const auto x_vector = load_vector<width>(&x[i * M + k]);
# CHECK-NEXT: for (index_t v = 0; v < width; ++v) max_value = maximum(max_value, x_vector[v]);
# CHECK: store_vector(&result[i * M + {{.*}}], result_vector);
# CHECK-LABEL: template <class index_t, int width, int kept> __global__ void softmax_kernel_of_rows(
# CHECK: Vector<float, kept * width> x_row;
# CHECK-LABEL: extern "C" int {{.*}}_softmax(
# CHECK: const int vector_width = M % 4 == 0 && are_aligned({x, result}) ? 4 : 1;
# CHECK-NEXT: const auto kernel = vector_width == 4 ? softmax_kernel<index_t, 4> : softmax_kernel<index_t, 1>;
# CHECK-NEXT: if (const dim3 grid = blocks_for(ceil_div(N, threads.y)); vector_width == 4 && M > 512 && M <= 2048)
# CHECK-NEXT: softmax_kernel_of_rows<index_t, 4, 4><<<grid, 128, 0, stream>>>(x, result, N, M);
# CHECK: else{{$}}
# CHECK-NEXT: kernel<<<grid, threads, 0, stream>>>(x, result, N, M);


# The grid is as many times smaller.
def bright(x: u8[N], y: u8[N]):
    y[:] = x // 2 + 1
# CHECK-LABEL: extern "C" int {{.*}}_bright(
# CHECK: const int vector_width = N % 16 == 0 && are_aligned({x, y}) ? 16 : 1;
# CHECK-NEXT: const auto kernel = vector_width == 16 ? bright_kernel<index_t, 16> : bright_kernel<index_t, 1>;
# CHECK-NEXT: kernel<<<blocks_for_vectors(vector_width, ceil_div(N, 256)), 256, 0, stream>>>(x, y, N);
