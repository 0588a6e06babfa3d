# `is` and `in` are answered for None, truth values and tuples; the advice for others must itself translate.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
def f(a: f64, b: f64, c: f64[N], n: i64):
    x = a if b is None else b
    y = a is not b
    # CHECK: :[[@LINE-1]]:9: error: `is` is translated for None, True and False; compare values with `==` [unsupported]
    z = n in (1, 2)
    w = c in (1.0, 2.0)
    # CHECK: :[[@LINE-1]]:9: error: `in` is translated for a number in a tuple; compare with each value, or use a loop [unsupported]
    v = f"{n}!" in ("3!", "4!")
    # CHECK: :[[@LINE-1]]:9: error: a text with numbers in it cannot be an operand here [type-mismatch]
    # CHECK: :[[@LINE-2]]:9: error: a string cannot be an operand here [type-mismatch]
    return x, z
