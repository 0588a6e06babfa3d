# Generators that are methods, or that no `for` alone runs over, do all of their work before: what one changes is not what others
# may see.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
from __future__ import annotations


class Box:
    def __init__(self, n):
        self.n = n

    def counted(self):
        for k in range(3):
            self.n += 1
            yield k

    def scaled(self):
        for k in range(3):
            yield k * self.n


def bumps(a, n):
    for k in range(n):
        a[0] += 1
        yield k


def reads_in_items(a: f64[N]):
    # CHECK: :[[@LINE+1]]:40: error: the generator changes memory that others see
    return sum(a[0] * (k + 1) for k in bumps(a, 2))


def changed_fields(n: int):
    b = Box(n)
    s = 0
    # CHECK: :[[@LINE+1]]:14: error: a generator that changes fields of objects has done all of its work before the loop here
    for k in b.counted():
        s += k
    return s


def changes_fields(n: int):
    b = Box(n)
    s = 0
    # CHECK: :[[@LINE+1]]:14: error: the loop changes what the generator reads
    for k in b.scaled():
        b.n += 1
        s += k
    return s
