# Names of arrays that may have no value, where no variable says whether they have one; those of numbers, which have one; ranges whose index
# would pass the largest integer.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
import numpy as np


def by_element(a: f64[N], m: f64[N, 3], c: int):
    for i in range(a.shape[0]):
        if a[i] > c:
            x = m[i] * 2
        a[i] = x[0]
# CHECK: :[[#@LINE-1]]:16: error: `x` may have no value here, where Python raises UnboundLocalError; give it one before


def numbers(a: f64[M, N], b: f64[M], c: int):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            x = a[i, j]
        b[i] = x
        if x > c:
            y = i
    return y


def after_loop(a: f64[N], m: f64[N, 3], c: int):
    for i in range(a.shape[0]):
        if a[i] > c:
            x = m[i] * 2
    return x
# CHECK: :[[#@LINE-1]]:12: error: `x`


def largest(lo: i64):
    n = 0
    for i in range(lo, 9223372036854775807, 3):
        n += 1
    return n
# CHECK: :[[#@LINE-3]]:14: error: this range ends within a step of the largest integer of 64 bits


def by_some_step(z: f64[N], y: f64[M]):
    for v in y:
        pass
    for i in range(3):
        if i:
            break
        for v in z:
            pass
    return v
# CHECK: :[[#@LINE-1]]:12: error: `v` may have no value here


def asked_for(a: f64[N], c: int):
    if c > 0:
        x = a[0]
    for i in range(a.shape[0]):
        if c > 0:
            a[i] += x
# CHECK-NOT: error


def of_an_earlier_row(a: f64[M, N]):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if i + j > 0:
                s += last
# CHECK: :[[#@LINE-1]]:22: error: `last` has no value here
            last = a[i, j]
    return s
