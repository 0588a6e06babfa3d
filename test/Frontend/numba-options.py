# Options of Numba's decorators: those that it has change nothing, others are errors.
# RUN: not %appyc %s -o %t.cu 2>&1 | FileCheck %s
from numba import cuda, float32, jit, njit


@njit("f8(f8)", paralel=True)
def misspelt(x):
    return x
# CHECK: :[[#@LINE-3]]:17: error: `numba.njit` has no option `paralel`; did you mean `parallel`? [bad-directive]


@jit("f8(f8)", max_registers=3)
def of_cuda(x):
    return x
# CHECK: :[[#@LINE-3]]:16: error: `numba.jit` has no option `max_registers` [bad-directive]


@cuda.jit("void(f8[:])", inlnie=True)
def kernel(a):
    a[0] = 1.0
# CHECK: :[[#@LINE-3]]:26: error: `numba.cuda.jit` has no option `inlnie`; did you mean `inline`? [bad-directive]


#appyc: def old(a: f32[N])
@cuda.jit(argtypes=[float32[:]])
def old(a):
    a[0] = 1.0
# CHECK: :[[#@LINE-3]]:11: error: `numba.cuda.jit` has no option `argtypes` [bad-directive]


@cuda.jit(device=1)
def unclear(a):
    return a
# CHECK: :[[#@LINE-3]]:11: error: `device` is True or False [bad-directive]


@cuda.jit("f8(f8, f8)", device=True)
def misfit(a):
    return a
# CHECK: :[[#@LINE-3]]:12: error: the signature has 2 parameters, `misfit` has 1 [bad-signature]


@cuda.jit("f8(strange)", device=True)
def strange(a):
    return a
# CHECK: :[[#@LINE-3]]:15: error: appyc has no type for Numba's `strange`


@cuda.jit("void(f8[:])")
def calls(a):
    a[0] = unclear(a[0]) + misfit(a[0]) + strange(a[0])


# RUN: sed -n '/^# Accepted/,$p' %s > %t.good.py && %appyc %t.good.py -o %t.cu --remarks 2>&1 | FileCheck --check-prefix=GOOD %s
# GOOD: remark: `locals` has no effect: numbers are those that CPython and NumPy compute; write `np.float32(x)` [ignored]
# Accepted
from numba import cuda, float32, jit  # noqa


@jit("f8(f8)", nopython=True, nogil=True, cache=True, parallel=True, fastmath={"nnan"}, error_model="numpy", boundscheck=True, inline="always",
     locals={"y": float32}, forceobj=False, looplift=True, debug=False, no_cpython_wrapper=False, pipeline_class=None)
def options(x):
    y = x
    return y


@cuda.jit("f8(f8)", device=True, inline=True)
def helper(x):
    return x + 1.0


@cuda.jit("void(f8[:])", nopython=True, debug=False, opt=True, lineinfo=True, cache=True, fastmath=True, max_registers=32, launch_bounds=(128, 2))
def all_options(a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] = helper(a[i])
