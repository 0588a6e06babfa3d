# Pythran's types: numbers and arrays are read, an error each for others.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# RUN: sed -n '/^# Accepted/,$p' %s > %t.py && %appyc %t.py -o - --target=cpu | FileCheck --check-prefix=GOOD %s
#pythran export f0(float[] list)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `float[] list` is not translated: pass an array, `float[]`, or a list of Python's numbers [bad-signature]
#pythran export f0(int set)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `int set` is not translated: pass an array
#pythran export f0(str: float dict)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `str: float dict` is not translated: pass an array of the keys and one of the values
#pythran export f0((float, int))
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `(float, int)` is not translated: pass the items of a tuple one by one
#pythran export f0(float*)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `float*` is not translated: an address is passed as the array that begins there
#pythran export f0(int(int, float))
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `int(int, float)` is not translated: functions are called by their names
#pythran export f0(None)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `None` is not translated: leave the parameter out
#pythran export f0(slice)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `slice` is not translated: pass its bounds as numbers
#pythran export f0(float128)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: unknown type `float128`: extended precision is not supported
#pythran export f0(complex256)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `complex256` is not translated: extended precision is not supported
#pythran export f0(float[:][:])
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `float[:][:]` is not a type
#pythran export f0(flaot)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: unknown type `flaot`; did you mean `float`?
#pythran export f0(float))
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: the brackets of the signature do not match
#pythran export capsule f0(float)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `capsule` is not read: drop it
#pythran export ufunc f0(float)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: `ufunc` is not read: put Numba's
def f0(a):
    return a


#pythran exprot f1(float)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: Pythran's types stand behind `#pythran export`, not `#pythran exprot`
def f1(a):
    return a


#pythran export f2(float)
# CHECK-DAG: :[[#@LINE-1]]:{{[0-9]+}}: error: the comment gives types to `f2`, which the file does not define

# Accepted
#pythran export numbers(byte, intp, uintp, intc, uintc, bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128, int, float, complex)
def numbers(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u):
    return a + b
# GOOD: numbers(

limit = 3
#pythran export limit, arrays(float[], float[:], float[::], float[:,3], float32[][][],
#                             float[:,:] order(C), float[:,:] order(F), int or float, float?)
def arrays(a, b, c, d, e, f, g, n, x=1.0):
    return a[0] + g[0, 1] * n * x
# GOOD: arrays_1(
