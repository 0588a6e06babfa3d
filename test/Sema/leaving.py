# What cannot be left, and what cannot be raised.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
from __future__ import annotations

import numpy as np


def annotated(a: f64[N]):
    #pragma parallel for
    for i in range(a.shape[0]):
        if a[i] > 1:
            break
# CHECK: leaving.py:[[@LINE-1]]:13: error: this leaves a loop that is annotated as parallel, whose iterations run in any order; drop the annotation, or keep what is found in a variable and go on
        a[i] = 0


def annotated_outer(a: f64[N]):
    #pragma parallel for
    for i in range(a.shape[0]):
        for j in range(i):
            if a[j] > 1:
                return j
# CHECK: leaving.py:[[@LINE-1]]:17: error: this leaves a loop that is annotated as parallel
    return 0


def falls_out(a: f64[N]):
    for i in range(a.shape[0]):
        if a[i] > 1:
            return {"at": i}
# CHECK: leaving.py:[[@LINE-1]]:13: error: where this is not reached `falls_out` ends without `return`, which gives None, and this returns a dict; return a value on every path


def unlike(a: f64[N]):
    for i in range(a.shape[0]):
        if a[i] > 1:
            return a
        if a[i] < 0:
            return 1.0
# CHECK: leaving.py:[[@LINE-1]]:{{[0-9]+}}: error: the two paths give an array of f64 with 1 dimension(s) and a scalar of f64; make them alike
    return 2.0


def may_be_unbound(a: f64[N]):
    for i in range(a.shape[0]):
        if a[i] > 1:
            break
        x = a * i
    return x
# CHECK: leaving.py:[[@LINE-1]]:12: error: `x` may have no value here


class Own(Exception):
    def __str__(self):
        return "own"


def raises_own(a: f64[N]):
    raise Own("x")
# CHECK: leaving.py:[[@LINE-1]]:11: error: `Own` is not raised: an exception has nothing but its name and its text here; `pass` is all of its class


def raises_builtin(a: f64[N]):
    raise abs("x")
# CHECK: leaving.py:[[@LINE-1]]:11: error: appyc raises Python's own exceptions, such as `ValueError("...")`, np.linalg.LinAlgError and classes of the file that derive from them; name one of these


def raises_text(a: f64[N], n: int):
    if n < 0:
        raise ValueError(n)
# CHECK: leaving.py:[[@LINE-1]]:26: error: a message is a text, not a scalar of i64


def raises_two(a: f64[N]):
    raise ValueError("x", 1)
# CHECK: leaving.py:[[@LINE-1]]:11: error: an exception has one argument here: its message


def raises_a_function(a: f64[N]):
    assert a[0] > 0, 7
# CHECK: leaving.py:[[@LINE-1]]:22: error: a message is a text, not a scalar of i64


def raises_again(a: f64[N]):
    raise
# CHECK: leaving.py:[[@LINE-1]]:5: error: a `raise` without an exception stands in a handler, which has taken one
