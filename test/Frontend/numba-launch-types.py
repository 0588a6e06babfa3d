# Kernels without types have those of their launches in the file, also of arrays that are on the device.
# RUN: %appyc --remarks --target=cpu %s -o - 2>&1 | FileCheck %s
import numpy as np
from numba import cuda


@cuda.jit
def scaled(x, out, by):
    # CHECK: :[[#@LINE-1]]:5: remark: the types of `scaled` come from its call in line [[#@LINE+17]]: `#appyc: def scaled(x: f32[:], out: f32[:], by: float)`
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] * by


@cuda.jit
def either(x): # whose launches disagree
    # CHECK-NOT: error:
    x[cuda.grid(1)] = 1


def main():
    n = 100
    x = np.arange(n).astype(np.float32)
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scaled.forall(n)(d_x, d_out, 2.5)
    scaled[4, 32](d_x, d_out, 1.0)
    either[1, 32](cuda.device_array(32))
    either[1, 32](cuda.to_device(np.zeros((3, 4), int)))
    print(d_out.copy_to_host())


if __name__ == "__main__":
    main()
