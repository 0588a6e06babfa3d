# The kernel that solves small systems of complex numbers has the operators it takes.
# RUN: %appyc %s --no-wrapper -o - | FileCheck %s
# CHECK-DAG: Complex<T> operator-(Complex<T> a, Complex<T> b)
# CHECK-DAG: Complex<T> operator*(Complex<T> a, Complex<T> b)
# CHECK-DAG: Complex<T> operator/(Complex<T> a, Complex<T> b)
# CHECK-DAG: __global__ void solve_on_chip(
import numpy as np


def solved(a: c128[N, N], b: c128[N, M]) -> c128[N, M]:
    return np.linalg.solve(a, b)
