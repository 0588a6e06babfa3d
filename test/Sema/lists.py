# RUN: not %appyc %s --target=cpu -o - 2>&1 | FileCheck %s
# Lists that change: what is refused, and what to write instead.
from __future__ import annotations
from collections import deque
import numpy as np


def two_names(n: int):
    a = [0] * n
    b = a
    for i in range(n):
        # CHECK: lists.py:[[@LINE+1]]:9: error: this list has several names
        b[i] = i
    return len(a)


def while_run_over(n: int):
    a = [1, 2, 3]
    a.append(n)
    for _, x in enumerate(a):
        # CHECK: lists.py:[[@LINE+1]]:9: error: the list that the loop runs over changes its length in it
        a.append(x)
    return a


def arrays(m: f64[M, N]):
    a = []
    for row in m:
        # CHECK: lists.py:[[@LINE+1]]:9: error: the items of this list differ in kind or shape; it grows where each `append` runs once
        a.append(row)
    a.append(m)
    return len(a)


def appended_and_changed(n: int):
    x = np.zeros(3)
    a = []
    for i in range(n):
        a.append(x)
        # CHECK: lists.py:[[@LINE+1]]:9: error: `a` is a copy here: NumPy may show `x` itself
        x[0] = i
    return np.array(a)


def changed_in_the_list(m: f64[M, N]):
    a = []
    for row in m:
        a.append(row)
    # CHECK: lists.py:[[@LINE+1]]:5: error: an array in a list changes here, and the list has got arrays that have a name
    a[0][1] = 5.0
    return np.array(a)


def changed_in_a_loop(m: f64[M, N]):
    a = []
    for row in m:
        a.append(row)
    for x in a:
        # CHECK: lists.py:[[@LINE+1]]:9: error: `a` is a copy here: NumPy may show `m` itself, which this store does not reach
        x *= 2
    return len(a)


def changed_in_a_loop_over_a_comprehension(m: f64[M, N]):
    a = [row[1:] for row in m]
    for x in a:
        # CHECK: lists.py:[[@LINE+1]]:9: error: `list` is a copy here: NumPy may show `m` itself, which this store does not reach
        x *= 2
    return len(a)


def returned(m: f64[N]):
    a = []
    # CHECK: lists.py:[[@LINE+1]]:5: error: this is `m` itself on some paths, which NumPy returns, and another array on others
    a.append(m)
    a.append(m * 2)
    return a


def removed(m: f64[N]):
    a = [m * 2]
    a.append(m)
    # CHECK: lists.py:[[@LINE+1]]:5: error: `.remove` of a list of arrays compares arrays; find the place, and `.pop` it
    a.remove(m)
    return np.array(a)


def kinds(a: f32[N]):
    found = []
    for i in range(a.shape[0]):
        found.append(i)
        # CHECK: lists.py:[[@LINE+1]]:9: error: this is Python's int on one path and f32 on another
        found.append(a[i])
    return len(found)


def slices(n: int):
    a = [0] * n
    a[1:2] = [3]
    # CHECK: lists.py:[[@LINE+1]]:5: error: a slice of a list gets a list, a tuple or an array of numbers
    a[1:2] = 3
    return a


def itself(n: int):
    a = [n]
    # CHECK: lists.py:[[@LINE+1]]:5: error: a list is added to itself
    a += a
    return a


def of_nothing(n: int):
    nothing = []
    # CHECK: lists.py:[[@LINE+1]]:17: error: there is nothing in this tuple or list
    for k, x in zip(range(n), nothing):
        n += x
    return n


def tuples_and_numbers(n: int):
    found = []
    for i in range(n):
        found.append((i, n))
        # CHECK: lists.py:[[@LINE+1]]:9: error: the items of a list are all numbers here, or all tuples of as many numbers
        found.append(i)
    return len(found)


def unlike_tuples(n: int):
    found = [(0, 1)]
    for i in range(n):
        # CHECK: lists.py:[[@LINE+1]]:9: error: the items of a list are all numbers here, or all tuples of as many numbers, not a tuple of 3
        found.append((i, n, i))
    return len(found)


def several_deleted(n: int):
    a = [n, n, n]
    # CHECK: lists.py:[[@LINE+1]]:9: error: `del` takes one item out of such a list, or those of a slice without a step
    del a[::2]
    return a


def joined_tuples(n: int):
    a = [(i, n) for i in range(n)]
    # CHECK: lists.py:[[@LINE+1]]:12: error: lists are joined here whose items are alike, numbers or tuples of as many
    return a + [1]


def sorted_in_its_loop(n: int):
    a = [n - i for i in range(n)]
    a.append(1)
    for x in a:
        # CHECK: lists.py:[[@LINE+1]]:9: error: a list of numbers or of tuples that has a name is sorted, outside of loops over it
        a.sort()
    return a


def queue(n: int):
    q = deque([n], maxlen=3)
    # CHECK: lists.py:[[@LINE+1]]:5: error: `.appendleft` of a deque with `maxlen` is not translated
    q.appendleft(n)
    return len(q)


def put_and_changed(n: int):
    cells = [0] * n
    history = [cells]
    for t in range(n):
        # CHECK: lists.py:[[@LINE+1]]:9: error: `cells` has been put into a list of lists, where it changes with that
        cells[0] += t
        cells = [c + 1 for c in cells]
        history.append(cells)
    return history


def row_put_and_changed(n: int):
    grid = [[0] * 3 for _ in range(2)]
    saved = []
    for t in range(n):
        # CHECK: lists.py:[[@LINE+1]]:9: error: this list has a name, and would be one with the one that is put in
        saved.append(grid[0])
        grid[0][t % 3] += 1
    return saved


def corners(m):
    return m[0, 0] if len(m) < 2 else corners(m[1:, 1:]) + corners(m[:-1, 1:])


def added(a: f64[N, N]):
    # CHECK: lists.py:[[@LINE+1]]:{{[0-9]+}}: error: `corners` calls itself, which is translated where it hands on and returns numbers
    return corners(a)


def items_with_names(p: f64[M, N]):
    x = p[0] * 2
    same = [x for _ in range(len(p))]
    # CHECK: lists.py:[[@LINE+1]]:5: error: an array in a list changes here, and the list has got arrays that have a name
    same[0] += 1
    own = [r * 2 for r in p]
    own[0] = own[1]
    # CHECK: lists.py:[[@LINE+1]]:5: error: an array in a list changes here
    own[0][0] += 1
    return same[1], own[1]
