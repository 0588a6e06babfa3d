# What `is` and `in` say depends on what stands on their right: the advice must itself translate.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
def f(a: f64, b: f64, n: i64):
    x = a if b is None else b
    # CHECK: :[[@LINE-1]]:16: error: `is None` is not translated: no argument is None here; make two functions, or pass a flag [unsupported]
    y = a is not b
    # CHECK: :[[@LINE-1]]:11: error: `is not` is not translated; compare values with `!=` [unsupported]
    z = n in (1, 2)
    # CHECK: :[[@LINE-1]]:11: error: `in` is not translated; compare with each value, or use a loop [unsupported]
    return x
