# np.fft stands upon transforms of rows in place: cuFFT's on a GPU, with which the build line links, and whose plans the wrapper frees;
# the support code's on the CPU.
# RUN: %appyc %s -o %t.cu --wrapper=%t_host.py --header=%t.h && FileCheck --check-prefix=CUDA %s < %t.cu && FileCheck --check-prefix=WRAPPER %s < %t_host.py && FileCheck --check-prefix=HEADER %s < %t.h
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --emit=ir | FileCheck --check-prefix=IR %s
import numpy as np


def spectra(z: c128[M, N], a: f32[N]):
    return np.fft.fft(z, axis=0, norm="ortho"), np.fft.rfft(a)


# CUDA: // build: nvcc {{.*}} -lcufft{{$}}
# CUDA: int cufftMakePlanMany64(int plan, int rank,
# CUDA: if (const int status = transform_rows(spectrum, N, M, -1, stream)) return status;
# CUDA: if (const int status = transform_rows(spectrum_1, 1, N, -1, stream)) return status;
# CUDA: extern "C" void {{.*}}release_plans() {
# WRAPPER: __all__ = ["spectra", "release_workspaces"]
# WRAPPER: "release_plans": (
# HEADER: release_plans(void);
# CPU-NOT: cufft
# CPU: if (const int status = transform_rows(spectrum, N, M, -1)) return status;
# IR: call transform_rows(inout spectrum[0, 0], N, M, -1)
