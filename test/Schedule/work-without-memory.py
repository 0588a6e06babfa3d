# RUN: %appyc %s --remarks -o %t.cu 2>&1 | FileCheck %s
# Iterations that touch no memory are work all the same: blocks share the chunks of a sum as they do one that loads.
from __future__ import annotations


# CHECK: [[@LINE+3]]:5: remark: one block of 256 threads an iteration of `c`, lanes over `i`
def integral(n: i64) -> f64:
    s = 0.0
    for i in range(n):
        s += 4.0 / (1.0 + ((i + 0.5) / n) ** 2)
    return s / n


# CHECK: [[@LINE+3]]:5: remark: one block of 256 threads an iteration of `c`, lanes over `i`
def collatz(n: i64):
    c = 0
    for i in range(1, n):
        k = i
        while k != 1:
            k = 3 * k + 1 if k % 2 else k // 2
            c += 1
    return c
