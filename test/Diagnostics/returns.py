# Paths of a function that give unlike kinds: the line and the path are named. Nobody asks for a helper's None; a dict is
# never None.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
import numpy as np


def ends_early(x: f64, k: int):
    if k > 0:
        return {"twice": x * 2}
# CHECK: :[[#@LINE-2]]:8: error: where this is false `ends_early` ends without `return`, which gives None, and elsewhere it returns a dict


def no_else(x: f64):
    if x < 0:
        return {"sign": -1.0}
    elif x > 0:
        return {"sign": 1.0}
# CHECK: :[[#@LINE-2]]:10: error: where this is false `no_else` ends without `return`


def inner_path(a: f64[N], k: int):
    if k > 0:
        if k > 5:
            return {"a": a}
    else:
        return {"a": a * 2}
# CHECK: :[[#@LINE-4]]:12: error: where this is false `inner_path` ends without `return`, which gives None, and elsewhere it returns a dict


def by_statement(x: f64, k: int):
    if k > 0:
        return None
    return {"x": x}
# CHECK: :[[#@LINE-1]]:5: error: this path of `by_statement` returns a dict, another one None; make them alike
# CHECK: :[[#@LINE-3]]:9: note: the other path returns here


def tuples(x: f64, k: int):
    if k > 0:
        return x, x
    return x, x, x
# CHECK: :[[#@LINE-1]]:5: error: this path of `tuples` returns a tuple of 3, another one a tuple of 2; make them alike


def tuple_or_number(x: f64, k: int):
    if k > 0:
        return x, x
    return x
# CHECK: :[[#@LINE-1]]:5: error: this path of `tuple_or_number` returns a scalar of f64, another one a tuple of 2


def helper(a, k):
    if k > 0:
        return {"first": a[0]}
    a[0] = 1.0
# CHECK: :[[#@LINE-3]]:8: error: where this is false `helper` ends without `return`


def asks(a: f64[N], k: int) -> f64:
    return helper(a, k)["first"] + 1.0


def does_not_ask(a: f64[N], k: int):
    helper(a, k)
    if k > 5:
        return
    a[0] = 2.0
# CHECK-NOT: error
