# Signatures that Numba's own parser refuses, and types that it has and appyc has not: an error each.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# RUN: not %appyc %s -fsyntax-only 2>&1 | grep -c 'error:' | FileCheck --check-prefix=COUNT %s
# COUNT: 23
from numba import jit


@jit("void(optional(f8), i4)")
def f0(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(List(f8), i4)")
def f1(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(ListType(f8), i4)")
def f2(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(CPointer(f8), i4)")
def f3(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(UniTuple(f8, 2), i4)")
def f4(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(Tuple((f8, i4)), i4)")
def f5(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(float16[:], i4)")
def f6(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(f2, i4)")
def f7(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(voidptr, i4)")
def f8(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("f8")
def f9(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("f8[:]")
def f10(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(f8[:][:], i4)")
def f11(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(long[:], i4)")
def f12(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(float_[:], i4)")
def f13(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(int, i4)")
def f14(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(float, i4)")
def f15(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(complex, i4)")
def f16(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(str, i4)")
def f17(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(f8[1:], i4)")
def f18(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(f8[3], i4)")
def f19(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(f8[...], i4)")
def f20(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(f8[:], i4")
def f21(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:


@jit("void(f8[], i4)")
def f22(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error:
