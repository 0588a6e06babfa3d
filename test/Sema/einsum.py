# Subscripts that are none, sizes that cannot meet, and what np.einsum does in NumPy and not here.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
from __future__ import annotations

import numpy as np


def subscripts(a: f64[3, 4], b: f64[4, 5]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum` takes its subscripts as a constant text in front
    return np.einsum(a, [0, 1], b, [1, 2])


def count(a: f64[3, 4], b: f64[4, 5]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum`: the subscripts name 1 operand(s), but there are 2
    return np.einsum("ij", a, b)


def rank(a: f64[3, 4], b: f64[4, 5]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum`: `ijk` names 3 axes of an operand that has 2
    return np.einsum("ijk,kl", a, b)


def characters(a: f64[3, 4]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum`: `i1` is not the subscripts of an operand
    return np.einsum("i1", a)


def result(a: f64[3, 4]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum`: `ik` is not the subscripts of a result of these operands
    return np.einsum("ij->ik", a)


def twice(a: f64[3, 4]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum`: `ii` is not the subscripts of a result of these operands
    return np.einsum("ij->ii", a)


def lost(a: f64[3, 4]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum`: `i` is not the subscripts of a result of these operands
    return np.einsum("i...->i", a)


def sizes(a: f64[3, 4], b: f64[5, 3]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `a` (3, 4) and `b` (5, 3) cannot be broadcast together: 4 and 5
    return np.einsum("ij,jk", a, b)


def mixed(a: f32[3, 4], b: f64[4, 5]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `optimize=` of `np.einsum` takes operands of one type; convert them with `.astype(np.float64)`
    return np.einsum("ij,jk", a, b, optimize=True)


def narrowed(a: f64[3, 4]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `np.einsum` casts its operands safely, and f64 is not f32
    return np.einsum("ij->", a, dtype=np.float32)


def unsafe(a: f64[3, 4]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `casting=` of `np.einsum` is not translated
    return np.einsum("ij->", a, dtype=np.float32, casting="unsafe")


def other_result(a: f64[3, 4], t: f32[3]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `out=` of `np.einsum` must be an array of f64 with 1 dimension(s), as the result is
    return np.einsum("ij->i", a, out=t)


def number(a: f64[3, 3]):
    # CHECK: einsum.py:[[@LINE+1]]:12: error: `@` takes arrays of one dimension or more, not an array of f64 with 2 dimension(s) and a scalar of f64
    return a @ 2.0
