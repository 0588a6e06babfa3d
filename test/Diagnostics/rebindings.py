# Python runs functions when the whole file has run: the last binding of a name counts, and a decorator is a call.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
import functools

import numpy as np


def sqrt(x):
    return x + 100


from numpy import sqrt


def twice(fn):
    def h(*a):
        return fn(*a) * 2
    return h


@twice
def helper(x):
    return x + 1
# CHECK: :[[#@LINE-3]]:1: error: what `twice` makes of the function is not known to appyc; take it off


def asks(x: f64) -> f64:
    return helper(x) + sqrt(x)


@functools.cache
def cached(x: f64) -> f64:
    return x


def exported(x: f64) -> f64:
    return x


exported = functools.partial(exported, 2.0)
# CHECK: :[[#@LINE-5]]:5: error: `exported` is bound again below, which hides this one
# CHECK: :[[#@LINE-2]]:1: note: the other binding is here
