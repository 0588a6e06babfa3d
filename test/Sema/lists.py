# RUN: not %appyc %s --target=cpu -o - 2>&1 | FileCheck %s
# Lists that change: what is refused, and what to write instead.
from __future__ import annotations
import numpy as np


def unbounded(n: int):
    # CHECK: lists.py:[[@LINE+1]]:5: error: nothing that the caller knows says how many items this list gets
    found = []
    while n > 1:
        found.append(n)
        n //= 2
    return found


def two_names(n: int):
    a = b = []
    for i in range(n):
        # CHECK: lists.py:[[@LINE+1]]:9: error: this list has several names
        a.append(i)
    return len(b)


def while_run_over(n: int):
    a = [1, 2, 3]
    a.append(n)
    for x in a:
        # CHECK: lists.py:[[@LINE+1]]:9: error: the list that the loop runs over changes its length in it
        a.append(x)
    return a


def in_any_order(n: int):
    a = []
    #pragma parallel for
    for i in range(n):
        # CHECK: lists.py:[[@LINE+1]]:9: error: a list changes its length in order
        a.append(i)
    return a


def arrays(m: f64[M, N]):
    a = []
    for row in m:
        # CHECK: lists.py:[[@LINE+1]]:9: error: a list that grows holds numbers of one kind, not an array
        a.append(row)
    return len(a)


def kinds(a: f32[N]):
    found = []
    for i in range(a.shape[0]):
        found.append(i)
        # CHECK: lists.py:[[@LINE+1]]:9: error: this is Python's int on one path and f32 on another
        found.append(a[i])
    return len(found)


def slices(n: int):
    a = [0] * n
    # CHECK: lists.py:[[@LINE+1]]:5: error: a list takes one index here
    a[1:2] = [3]
    return a


def itself(n: int):
    a = [n]
    # CHECK: lists.py:[[@LINE+1]]:5: error: a list is added to itself
    a += a
    return a


def rows(n: int):
    m = [[0] * n for i in range(n)]
    # CHECK: lists.py:[[@LINE+1]]:5: error: a list in a list is not replaced by another
    m[0] = [1] * n
    return m


def mixed_result(a: f64[N]):
    s = [0.0] * 3
    for i in range(a.shape[0]):
        s[i % 3] += a[i]
    # CHECK: lists.py:[[@LINE+1]]:{{[0-9]+}}: error: the numbers of this list differ in kind
    return s


def of_nothing(n: int):
    nothing = []
    # CHECK: lists.py:[[@LINE+1]]:17: error: there is nothing in this tuple or list
    for k, x in zip(range(n), nothing):
        n += x
    return n
