# Signatures that Numba's own parser refuses, and types that it has and appyc has not: an error each.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# RUN: not %appyc %s -fsyntax-only 2>&1 | grep -c 'error:' | FileCheck --check-prefix=COUNT %s
# COUNT: {{^}}43{{$}}
from numba import jit


@jit("void(optional(f8), i4)")
def f0(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `a` may be None only where that is its default: write `a=None`, or pass a value, and a number


@jit("void(List(f4), i4)")
def f1(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `List(f4)` is not translated: with these items


@jit("void(ListType(f4), i4)")
def f2(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `ListType(f4)` is not translated: with these items


@jit("void(Set(f8), i4)")
def f3(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `Set(f8)` is not translated: pass an array


@jit("void(DictType(f8, i4), i4)")
def f4(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `DictType(f8, i4)` is not translated: pass an array of the keys


@jit("void(CPointer(f8), i4)")
def f5(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `CPointer(f8)` is not translated: an address is passed as the array


@jit("void(UniTuple(f4, 2), i4)")
def f6(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `UniTuple(f4, 2)` is not translated: with these items


@jit("void(Tuple((f8, i4)), i4)")
def f7(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `Tuple((f8, i4))` is not translated: with these items


@jit("void(float16[:], i4)")
def f8(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `float16[:]` is not translated: numbers of 16 bits are not


@jit("void(f2, i4)")
def f9(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `f2` is not translated: numbers of 16 bits are not


@jit("void(voidptr, i4)")
def f10(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `voidptr` is not translated: an address is passed as the array


@jit("void(void, i4)")
def f11(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `void` is not translated: it is a result's type


@jit("void(none, i4)")
def f12(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `none` is not translated: it is a result's type


@jit("void(pyobject, i4)")
def f13(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `pyobject` is not translated


@jit("void(List(unicode_type), i4)")
def f14(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `List(unicode_type)` is not translated: with these items


@jit("void(FunctionType(f8(f8)), i4)")
def f15(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `FunctionType(f8(f8))` is not translated: functions are called by their names


@jit("void(Omitted(3), i4)")
def f16(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `Omitted(3)` is not translated: leave the parameter out


@jit("f8")
def f17(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `f8` is not a signature; write the result's type


@jit("f8[:]")
def f18(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `f8[:]` is not a signature


@jit("(f8)")
def f19(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `(f8)` is a type in parentheses, and no signature; write `(f8,)`


@jit("void(f8[:][:], i4)")
def f20(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `f8[:][:]` is not a type: the dimensions stand in one pair of brackets; write `f8[:, :]`


@jit("void(Array(f8, 1, 'C')[:], i4)")
def f21(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: appyc has no type for Numba's `Array(f8, 1, 'C')[:]`


@jit("void(long[:], i4)")
def f22(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `long[:]` is not translated: Numba has no such name; write `int64`


@jit("void(float_[:], i4)")
def f23(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `float_[:]` is not translated: Numba has no such name; write `float64`


@jit("void(int, i4)")
def f24(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `int` is not translated: Numba has no such name; write `int64`


@jit("void(float, i4)")
def f25(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `float` is not translated: Numba has no such name; write `float64`


@jit("void(complex, i4)")
def f26(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `complex` is not translated: Numba has no such name; write `complex128`


@jit("void(str, i4)")
def f27(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `str` is not translated: texts are constants here


@jit("void(flaot64, i4)")
def f28(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: appyc has no type for Numba's `flaot64`; did you mean `float64`?


@jit("void(np.float64, i4)")
def f29(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: Numba reads a text with the names of `numba.types` alone; write `float64`


@jit("void(numba.float64[:], i4)")
def f30(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: Numba reads a text with the names of `numba.types` alone; write `float64[:]`


@jit("void(f8[1:], i4)")
def f31(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: a dimension is `:` or `::1` here, not `1:`


@jit("void(f8[3], i4)")
def f32(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: a dimension is `:` or `::1` here, not `3`


@jit("void(f8[...], i4)")
def f33(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: a dimension is `:` or `::1` here, not `...`


@jit("void(f8[:::], i4)")
def f34(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: a dimension is `:` or `::1` here, not `:::`


@jit("void(f8[:, None], i4)")
def f35(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: a dimension is `:` or `::1` here, not `None`


@jit("void(f8[:], i4")
def f36(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: the brackets of the signature do not match


@jit("void(f8[], i4)")
def f37(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: the dimensions are missing


@jit("void(Array(f8, 2, 'X'), i4)")
def f38(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: the array's type, its dimensions, at least one, and a layout of 'C', 'F' and 'A'


@jit("void(Array(f8, 2), i4)")
def f39(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: the array's type, its dimensions, at least one, and a layout of 'C', 'F' and 'A'


@jit("void(Array(f8, 0, 'C'), i4)")
def f40(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: the array's type, its dimensions, at least one


@jit("UniTuple(f8)(f8[:], i4)")
def f41(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: a tuple of equal types is `UniTuple(f8, 2)`


@jit("void(f8[:]; i4)")
def f42(a, n):
    pass
# CHECK: :[[#@LINE-3]]:{{[0-9]+}}: error: `f8[:]; i4` is not a type
