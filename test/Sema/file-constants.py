# What a file binds at its top level, and why a name of it is no constant: never "not defined".
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
import numpy as np

W = np.array([1.0, 2.0, 1.0])
COUNTS = [1, 2]
TWICE = 1
OF_TWICE = TWICE + 1
TWICE = 2
GROWN = 1
GROWN += 1
AGAIN = 1
AGAIN = AGAIN + 1
SOMETIMES = 1
if W.size > 2:
    LATE = 3
    SOMETIMES = 2
DEFAULT = 1


def with_default(x, y=DEFAULT):
    return x * y * TWICE


OF_CALL = with_default(1)
DEFAULT = 2
TWICE, SWAPPED = 3, TWICE
FILLED = np.zeros(4)
FILLED[0] = 1.0
LISTED = [1, 2]
LISTED.append(3)
MADE = {k for k in range(2)}
for LOOPED in range(3):
    pass
SELF = SELF2 = 4


def sqrt(x):
    return x


from numpy import sqrt


class Thing:
    pass


def setup():
    global SELF2
    SELF2 = 5


def reads(a: f64[N]):
    b = a * TWICE
    # CHECK-NOT: :[[@LINE-1]]:{{.*}}`TWICE`
    b = a * OF_TWICE
    # CHECK-DAG: :[[@LINE-1]]:13: error: `OF_TWICE` of this file is no constant to appyc: it is computed from `TWICE`, which is bound again later; give each value a name of its own
    b = a * OF_CALL
    # CHECK-DAG: :[[@LINE-1]]:13: error: `OF_CALL` of this file is no constant to appyc: it is computed from `DEFAULT`, which is bound again later
    b = a * SWAPPED
    # CHECK-DAG: :[[@LINE-1]]:13: error: `SWAPPED` of this file is no constant to appyc: it is computed from `TWICE`, which is bound again later
    b = a * GROWN
    # CHECK-DAG: :[[@LINE-1]]:13: error: `GROWN` of this file is no constant to appyc: it is bound more than once, not only by assignments at the top level of the file; give each value a name of its own, or pass it
    b = a * AGAIN
    # CHECK-DAG: :[[@LINE-1]]:13: error: `AGAIN` of this file is no constant to appyc: it is computed from `AGAIN`, which is bound again later
    b = a * SOMETIMES
    # CHECK-DAG: :[[@LINE-1]]:13: error: `SOMETIMES` of this file is no constant to appyc: it is bound more than once
    b = with_default(a)
    # CHECK-DAG: error: `DEFAULT` of this file is no constant to appyc: the default in line {{[0-9]+}} has an earlier value of it; give each value a name of its own
    b = a * LATE
    # CHECK-DAG: :[[@LINE-1]]:13: error: `LATE` of this file is no constant to appyc: appyc reads plain assignments at the top level of the file
    b = a * FILLED[0]
    # CHECK-DAG: :[[@LINE-1]]:13: error: `FILLED` of this file is no constant to appyc: line {{[0-9]+}} may change what it stands for; pass it as an argument
    b = a * LISTED[0]
    # CHECK-DAG: :[[@LINE-1]]:13: error: `LISTED` of this file is no constant to appyc: line {{[0-9]+}} may change what it stands for; pass it as an argument
    b = a * MADE[0]
    # CHECK-DAG: :[[@LINE-1]]:13: error: a set has no order in which it is run over
    b = a * LOOPED
    # CHECK-DAG: :[[@LINE-1]]:13: error: `LOOPED` of this file is no constant to appyc
    b = a * SELF2
    # CHECK-DAG: :[[@LINE-1]]:13: error: `SELF2` of this file is no constant to appyc
    b = a * Thing
    # CHECK-DAG: :[[@LINE-1]]:9: error: the class `Thing` cannot be an operand here
    return a * SELF


def writes(a: f64[N]):
    W[0] = a[0]
    # CHECK-DAG: :[[@LINE-1]]:5: error: {{.*}}


def writes_by_another_name(a: f64[N]):
    w = W
    w[0] = a[0]
    # CHECK-DAG: :[[@LINE-1]]:5: error: `w` is a copy here: NumPy may show `W` itself, which this store does not reach
    return w[1]


def writes_into_a_list(n: int):
    w = COUNTS
    w[0] = n
    # CHECK-DAG: :[[@LINE-1]]:5: error: a list of 2 cannot be assigned to by a subscript: all calls share it
    return COUNTS


def gives_it_back(a: f64[N]):
    return W
    # CHECK-DAG: error: `gives_it_back` returns an array of the file itself; return a copy of it, `.copy()`


def unlike_items(a: f64[N], k: i64):
    t = (1, a)
    return a * t[k]
    # CHECK-DAG: :[[@LINE-1]]:16: error: a tuple can be indexed by a variable only where its items are numbers of one type


def shadowed(a: f64[N], c: bool):
    b = a * SELF
    # CHECK-DAG: :[[@LINE-1]]:13: error: `SELF` has no value here: the function assigns it later, or on another path
    SELF = 2
    return b


def imported(a: f64[N]):
    return sqrt(a)
    # CHECK-NOT: `sqrt` of this file
