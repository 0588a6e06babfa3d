# Eigenvalues and singular values are routines' on batches of matrices in place: cuSOLVER's on a GPU, with which the build line links;
# the support code's on the CPU, and, of general matrices, everywhere.
# RUN: %appyc %s -o %t.cu --wrapper=%t_host.py && FileCheck --check-prefix=CUDA %s < %t.cu && FileCheck --check-prefix=WRAPPER %s < %t_host.py
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --emit=ir | FileCheck --check-prefix=IR %s
import numpy as np


def spectra(a: f64[N, N], z: c128[K, N, N]):
    return np.linalg.eigvalsh(a), np.linalg.svdvals(a), np.linalg.eigvals(z)


# CUDA: // build: nvcc {{.*}} -lcusolver{{$}}
# CUDA: int cusolverDnXsyevd(cusolverDnContext* handle,
# CUDA: if (const int status = eigen_rows({{.*}}, {{.*}}, 1, N, 0, stream)) return status;
# CUDA: if (const int status = general_eigen_rows({{.*}}, {{.*}}, K, N, 0, stream)) return status;
# WRAPPER-NOT: "release_plans": (
# CPU-NOT: cusolver
# CPU: if (const int status = eigen_rows({{.*}}, {{.*}}, 1, N, 0)) return status;
# IR: call eigen_rows(inout {{.*}}, out {{.*}}, 1, N, 0)
# IR: call singular_rows(inout {{.*}}, out {{.*}}, out {{.*}}, 1, N, N, N, 0)
# IR: call general_eigen_rows(inout {{.*}}, out {{.*}}, K, N, 0)
