# What Numba's decorators of ufuncs say wrongly.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
from numba import vectorize, guvectorize


@vectorize(['f8[:][:](f8)'])
def a(x):
    return x


@vectorize(['f8(f8, f8)'])
def b(x):
    return x


@vectorize(['f8(f8)'], target='tpu')
def c(x):
    return x


@guvectorize(['void(f8[:], f8[:])'], '(n)->(m)')
def d(x, y):
    y[0] = x[0]


@vectorize(['f8'])
def e(x):
    return x


@vectorize(['f16(f8)'])
def f(x):
    return x


@guvectorize(['void(f8[:, :], f8[:])'], '(n)->(n)')
def g(x, y):
    y[0] = x[0]


@guvectorize(['void(f8[:], f8)'], '(n)->()')
def h(x, y):
    pass


@guvectorize(['f8(f8[:], f8[:])'], '(n)->()')
def i(x, y):
    pass


sigs = [s for s in ['f8(f8)']]


@vectorize(sigs)
def j(x):
    return x


@guvectorize(['void(f8[:], f8[:])'], '(3)->()')
def k(x, y):
    pass


@guvectorize(['void(f8[:], f8[:])'])
def l(x, y):
    pass


@vectorize(['void(f8)'])
def m(x):
    pass


@vectorize(['f8(f8)'], writable=True)
def n(x):
    return x


@vectorize(['f8(f8[:])'])
def o(x):
    return x


@guvectorize(['void(f8[:], f8[:])'], '(n)->()')
def fine(x, y):
    y[0] = x[0]


def caller(x: f64[N]):
    x[:] = fine(x)


@vectorize
def untyped(x):
    return x


def other_caller(x: f64[N]):
    x[:] = untyped(x)


@guvectorize(['void(f8[:], f8[:])'], '(n)->()')
def p(x, y):
    y[0] = x[0]
    return y[0]


@guvectorize(['void(f8[:], f8[:])'], '(n)->()')
def q(x, y):
    y[0] = x[0]
    x[0] += 1.0


@guvectorize(['void(f8[:], f8[:])'], '(n?)->()')
def r(x, y):
    y[0] = x[0]


@guvectorize(['void(f8[:], f8[:])'], '(n),()')
def s(x, y):
    y[0] = x[0]


@guvectorize(['void(f2[:], f2[:])'], '(n)->()')
def t(x, y):
    y[0] = x[0]


@guvectorize(['void(f8[:], f8[:])'], '(n)->()', writable_args=(0,))
def u(x, y):
    y[0] = x[0]


@vectorize(['f8(f8, f8)'])
def good(x, y):
    return x + y


@vectorize(['f4(f4)'])
def narrow(x):
    return x


def no_signature_fits(x: f64[N]):
    x[:] = narrow(x)


def too_few(x: f64[N]):
    x[:] = good(x)


def other_out(x: f64[N], y: i64[N]):
    good(x, x, out=y)


# CHECK: :6:14: error: `f8[:][:]` is not a type: the dimensions stand in one pair of brackets; write `f8[:, :]` [bad-signature]
# CHECK: :11:13: error: the signature has 2 parameters, `b` has 1 [bad-signature]
# CHECK: :16:31: error: unknown target 'tpu'; Numba has 'cpu', 'parallel' and 'cuda' (once 'gpu'), and what runs is chosen by appyc's own --target [bad-signature]
# CHECK: :21:38: error: no input has the axis `m` of the output, so that its extent is unknown; pass an input that has it [bad-signature]
# CHECK: :26:14: error: `f8` is not a signature; write the result's type and in parentheses those of the parameters, `f8(f8[:], i8)` [bad-signature]
# CHECK: :31:14: error: appyc has no type for Numba's `f16`; did you mean `c16`? [bad-signature]
# CHECK: :36:15: error: `x` has 1 axis in the layout and 2 in the signature [bad-signature]
# CHECK: :41:15: error: `y` is an output, which is stored into: its type is an array's, `float64[:]` [bad-signature]
# CHECK: :46:15: error: a `guvectorize`d function has no result, its outputs are its last parameters: write `void(f8[:], f8[:])` [bad-signature]
# CHECK: :51:8: error: `[s for s in ['f8(f8)']]` is no signature that appyc can read; write it here, `'f8(f8, f8)'` [bad-signature]
# CHECK: :59:40: error: an axis of a layout is a name, not `3` [bad-signature]
# CHECK: :64:2: error: `guvectorize` needs the layout of the operands behind the signatures: `'(n),(n)->()'` [bad-signature]
# CHECK: :69:13: error: the signature of a `vectorize`d function has a result: `f8(f8, f8)` [bad-signature]
# CHECK: :74:33: error: the option `writable` is not read; those that matter here are `target` and `identity` [bad-signature]
# CHECK: :79:13: error: a `vectorize`d function takes and gives numbers, and is called with arrays of them: write `f8(f8)`; `guvectorize` takes arrays [bad-signature]
# CHECK-DAG: :99:12: error: {{.*}}a ufunc that translated functions call has signatures: `@vectorize(['f8(f8)'])`
# CHECK-DAG: :105:5: error: a `guvectorize`d function returns nothing: what it computes is stored into its outputs, the last parameters [bad-signature]
# CHECK-DAG: :111:5: error: `x` is an input of the layout, which is not stored into; make it an output, or copy it [bad-signature]
# CHECK-DAG: :114:40: error: an axis of a layout is a name, not `n?` [bad-signature]
# CHECK-DAG: :119:38: error: the layout is a text such as '(m,n),(n)->(m)' [bad-signature]
# CHECK-DAG: :124:21: error: `f2[:]` is not translated: numbers of 16 bits are not, as NumPy's float16 is not; write `float32` [bad-signature]
# CHECK-DAG: :129:63: error: the option `writable_args` is not read; those that matter here are `target` and `identity` [bad-signature]
# CHECK-DAG: :145:12: error: {{.*}}TypeError: ufunc not supported for the input types
# CHECK-DAG: :149:12: error: {{.*}}TypeError: the ufunc takes 2 operands, and `out`
# CHECK-DAG: :153:5: error: {{.*}}`numba.vectorize`: TypeError: Cannot cast array data according to the rule 'same_kind'
