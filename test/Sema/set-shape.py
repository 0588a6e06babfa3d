# `a.shape = ...` changes the array itself: it is an error where somebody else may have it.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
from __future__ import annotations

import numpy as np

TABLE = np.zeros(6)


def of_the_caller(a: f64[6]):
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: the array of `a` has other names, or is the caller's, and changes its shape for these, too; write `new = a.reshape(...)`
    a.shape = (2, 3)
    return a


def of_a_view(a: f64[6]):
    b = a[:]
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: the array of `b` has other names
    b.shape = (2, 3)
    return b[0, 0]


def of_two_names(n: int):
    a = np.zeros(6)
    b = a
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: the array of `b` has other names
    b.shape = (2, 3)
    return a[0]


def in_a_tuple(n: int):
    a = np.zeros(6)
    t = (a, 1)
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: the array of `a` has other names
    a.shape = (2, 3)
    return t[0][0]


def in_a_helper(n: int):
    def changed(x):
        # CHECK: set-shape.py:[[@LINE+1]]:9: error: the array of `x` has other names
        x.shape = (2, 3)

    a = np.zeros(6)
    changed(a)
    return a


def on_some_paths(x: f64[6], n: int):
    a = x + 1
    if n > 0:
        b = a
    else:
        b = x + 2
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: the array of `a` has other names
    a.shape = (2, 3)
    return b[0]


def in_a_loop(n: int):
    a = np.zeros(6)
    for i in range(n):
        # CHECK: set-shape.py:[[@LINE+1]]:9: error: the shape of `a` changes in a loop
        a.shape = (2, 3) if i % 2 else (3, 2)
    return a


def of_transposed(m: f64[4, 6]):
    a = m.T + 1
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: the elements of `a` do not follow each other as `.shape =` needs it
    a.shape = 24
    return a


def of_another_size(n: int):
    a = np.zeros(6)
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: cannot reshape array of size 6 into shape (2, 4): 6 and 8
    a.shape = (2, 4)
    return a


def of_the_file(n: int):
    a = TABLE
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: the array of `a` has other names
    a.shape = (2, 3)
    return a[0, 0]


def of_a_number(n: int):
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: `n` is a scalar of i64, whose shape is not set
    n.shape = ()
    return n


def of_what_has_no_name(n: int):
    a = np.zeros(6)
    # CHECK: set-shape.py:[[@LINE+1]]:5: error: appyc assigns to names, subscripts, fields of dicts and dataclasses, and tuples of them
    a[1:].shape = 5
    return a
