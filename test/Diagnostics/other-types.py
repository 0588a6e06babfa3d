# Types in the notations of Numba, Pythran and Pyccel that appyc has none for.
# RUN: not %appyc %S/Inputs/numba-types.py -o - 2>&1 | FileCheck %s
# CHECK-DAG: numba-types.py:5:11: error: `f8[:][:]` is not a type: the dimensions stand in one pair of brackets; write `f8[:, :]` [bad-signature]
# CHECK-DAG: numba-types.py:10:27: error: appyc has no type for Numba's `strange`; numbers and arrays have one
# CHECK-DAG: numba-types.py:20:8: error: `f8` is not a signature; write the result's type and in parentheses those of the parameters, `f8(f8[:], i8)`
# CHECK-DAG: numba-types.py:25:7: error: too many types: `many` has 1 parameter, the signature 2
# CHECK-DAG: numba-types.py:30:18: error: the comment gives types to `other`, which the file does not define
# CHECK-DAG: numba-types.py:31:20: error: `float64 list` is not translated: pass an array
# CHECK-DAG: numba-types.py:32:20: error: unknown type `float128`: extended precision is not supported; use `f64`
