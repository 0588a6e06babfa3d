# A function whose annotations are another system's is left out, which is said.
# RUN: %appyc %s --remarks -o %t.cu 2>&1 | FileCheck %s
# RUN: not %appyc %S/Inputs/untyped.py -o - 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: %appyc %s -Werror=left-out -o - > /dev/null 2> %t.txt || FileCheck --input-file=%t.txt %s --check-prefix=STRICT
# RUN: %appyc --explain=left-out | FileCheck %s --check-prefix=EXPLAIN
import numpy as np


def ours(a: f64[N]):
    return a * 2.0


def theirs(a: np.ndarray, n: int):
    return a
# CHECK: :[[@LINE-2]]:5: remark: `theirs` is left out: `a: np.ndarray` does not say the type of its elements and its dimensions as `a: f64[:, :]` does [left-out]


def typed(a: "npt.NDArray[np.float64]"):
    return a
# CHECK: :[[@LINE-2]]:5: remark: `typed` is left out: `a: npt.NDArray[np.float64]` does not say


@vectorize(["f8(f8)"])
def jitted(a):
    return a
# CHECK: :[[@LINE-2]]:5: remark: `jitted` is left out: the types in `@vectorize(["f8(f8)"])` are not read; annotate the parameters [left-out]


def read(path: str, n: int):
    return open(path).read()
# CHECK: :[[@LINE-2]]:5: remark: `read` is left out: Python's `open` is not translated; read in the caller and pass arrays [left-out]


def driver(size):
    return ours(np.ones(size))
# CHECK-NOT: `driver`

# NONE: untyped.py:4:5: error: no function has types; annotate its parameters, `def f(a: f64[N], n: i64)`, put `#appyc: def f(a: f64[N], n: i64)` above it, pass --signature 'f(f64[N], i64)', or call it in the file with arguments whose types are evident [no-signature]
# NONE: untyped.py:4:5: note: `first` is passed over: `a: np.ndarray` does not say the type
# NONE: untyped.py:8:5: note: `second` is passed over: no type for `a`, `b`
# NONE: untyped.py:12:5: note: `third` is passed over: it has no parameters; a result type, `-> f64`, would export it
# NONE: untyped.py:17:5: note: `fourth` is passed over: the types in `@guvectorize
# STRICT: error: `theirs` is left out
# EXPLAIN: another system's notation
