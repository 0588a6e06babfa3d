# What no thread can do, and launches that CUDA would refuse, each at its line.
# RUN: not %appyc %s -o %t.cu 2>&1 | FileCheck %s
import math

import numpy as np
from numba import cuda, float32


@cuda.jit("void(f8[:])")
def returns(a):
    if a.shape[0] > 1:
        return a[0]
# CHECK: :[[@LINE-1]]:9: error: a kernel returns nothing, as nobody would get it; store the value into an array


@cuda.jit("void(f8[:])")
def allocates(a):
    t = np.zeros(a.size)
    a[0] = t[0]
# CHECK: :[[@LINE-2]]:5: error: a kernel makes no arrays, and this needs one; use `cuda.local.array((n,), dtype)`


@cuda.jit("void(f8[:], i8)")
def open_shape(a, n):
    t = cuda.shared.array(n, float32)
    t[0] = a[0]
# CHECK: :[[@LINE-2]]:9: error: the shape of `numba.cuda.shared.array` is of constants


@cuda.jit("void(f8[:])")
def own_memory(a):
    t = cuda.local.array(0, float32)
    t[0] = a[0]
# CHECK: :[[@LINE-2]]:9: error: the shape of `numba.cuda.local.array` is of constants


@cuda.jit("void(f8[:])")
def whole(a):
    a[1:] = a[:-1]
# CHECK: :[[@LINE-1]]:5: error: this may read at another place what it stores


@cuda.jit("void(f8[:], f8[:])")
def may_be_one(a, b):
    a[:] = b[:]
# CHECK: :[[@LINE-1]]:5: error: this may read at another place what it stores


@cuda.jit("void(f8[:])")
def overlapping(a):
    t = cuda.local.array(4, float32)
    t[1:] = t[:-1]
    a[0] = t[0]
# CHECK: :[[@LINE-2]]:5: error: this may read at another place what it stores


@cuda.jit("void(f8[:], f8[:], f8[:])")
def three(a, b, c):
    now, then = a, b
    for step in range(3):
        now, then = then, c if step == 1 else now
    a[0] = now[0]
# CHECK: :[[@LINE-3]]:5: error: `{{now|then}}` stands for different existing arrays from one iteration to the next


@cuda.jit("void(f8[:])")
def raises(a):
    if a[0] < 0:
        raise ValueError("negative")
# CHECK: :[[@LINE-1]]:9: error: a kernel cannot raise; store a mark into an array


@cuda.jit("f8(f8[:])")
def typed_result(a):
    a[0] = 0
# CHECK: :[[@LINE-3]]:12: error: a kernel returns nothing: its signature is `void(...)`


@cuda.jit("void(f8[:], i4)")
def misfit(a):
    a[0] = 0
# CHECK: :[[@LINE-3]]:12: error: too many types: `misfit` has 1 parameter, the signature 2


@cuda.jit("void(f8[:][:])")
def two_brackets(a):
    a[0] = 0
# CHECK: :[[@LINE-3]]:17: error: `f8[:][:]` is not a type: the dimensions stand in one pair of brackets; write `f8[:, :]`


@cuda.jit("void(f8[:])", link=["other.o"])
def linked(a):
    a[0] = 0
# CHECK: :[[@LINE-3]]:32: error: there is no file `{{.*}}other.o`; it is looked for beside this one


@cuda.jit("void(i4[:])")
def counts(a):
    cuda.atomic.inc(a, 0, 3)
# CHECK: :[[@LINE-1]]:5: error: `numba.cuda.atomic.inc` takes unsigned integers of 32 or 64 bits, and the array is of i32


@cuda.jit("void(i4[:])")
def adds(a):
    cuda.atomic.add(a, 0, 0.5)
# CHECK: :[[@LINE-1]]:5: error: an atomic update of i32 by a scalar of f64 would change its type


@cuda.jit("void(f8[:])")
def axes(a):
    i = cuda.grid(4)
    a[0] = i
# CHECK: :[[@LINE-2]]:9: error: `numba.cuda.grid` takes 1, 2 or 3, as a constant


@cuda.jit("void(f8[:])")
def unknown(a):
    a[0] = cuda.fp16.hadd(a[0], a[1])
# CHECK: :[[@LINE-1]]:12: error: `numba.cuda.fp16.hadd` is not translated: numbers of 16 bits are not translated


@cuda.jit("void(f8[:])")
def of_block(a):
    cuda.cg.this_block().sync()
# CHECK: :[[@LINE-1]]:5: error: `numba.cuda.cg.this_block` is not translated: of it `cg.this_grid().sync()` is


@cuda.jit("void(f8[:])")
def prints(a):
    print(a[0])
# CHECK: :[[@LINE-1]]:5: error: a kernel prints texts and whole numbers; store others into an array


#appyc: def bytes_of_launch(a: f64[N])
def bytes_of_launch(a):
    good[1, 32, 0, 1.5](a)
# CHECK: :[[@LINE-1]]:20: error: a launch says how many bytes of shared memory `cuda.shared.array(0, dtype)` has: an integer


@cuda.jit
def good(a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] = math.sqrt(a[i])


@cuda.jit("void(f8[:])")
def nested(a):
    good[1, 32](a)
# CHECK: :[[@LINE-1]]:5: error: a kernel launches no other: launch `good` from the host


#appyc: def calls(a: f64[N])
def calls(a):
    good(a)
# CHECK: :[[@LINE-1]]:5: error: `good` is a kernel, which is launched: `good[blocks, threads](...)`


#appyc: def large(a: f64[N])
def large(a):
    good[1, 1025](a)
# CHECK: :[[@LINE-1]]:5: error: the block of `good` has 1 to 1024 threads


#appyc: def negative(a: f64[N])
def negative(a):
    good[-1, 32](a)
# CHECK: :[[@LINE-1]]:5: error: the grid of `good` has no negative extent


#appyc: def no_block(a: f64[N])
def no_block(a):
    good[3](a)
# CHECK: :[[@LINE-1]]:5: error: a kernel is launched with a grid and a block: `good[blocks, threads](...)`


#appyc: def on_the_host(a: f64[N])
def on_the_host(a):
    a[0] = cuda.grid(1)
# CHECK: :[[@LINE-1]]:12: error: `numba.cuda.grid` stands in kernels only


#appyc: def positions(a: f64[N])
def positions(a):
    a[0] = cuda.threadIdx.x
# CHECK: :[[@LINE-1]]:12: error: `numba.cuda.threadIdx.x` is known in a kernel only


#appyc: def timed(a: f64[N])
def timed(a):
    start = cuda.event()
    start.record()
    return start.elapsed_time(start)
# CHECK: :[[#@LINE-1]]:12: error: `numba.cuda.event.elapsed_time` is not translated: the steps of a call are merged and moved


#appyc: def typed_inside(a: f64[N])
def typed_inside(a):
    @cuda.jit("void(f8[:])")
    def inside(x):
        x[0] = 1.0
    inside[1, 1](a)
# CHECK: :[[#@LINE-4]]:5: error: a kernel inside a function has its types from its launches


@cuda.jit(device=True)
def countdown(n):
    return 0 if n <= 0 else 1 + countdown(n - 1)


@cuda.jit
def counted(a):
    a[0] = countdown(3)
# CHECK: :[[#@LINE-6]]:33: error: `countdown` calls itself, which a thread has no stack for; write a loop


#appyc: def count_down(a: f64[N])
def count_down(a):
    counted[1, 1](a)


def moved(a, b):
    a[:] = b[:]


copied = cuda.jit(moved)


#appyc: def overlap(a: f64[N])
def overlap(a):
    copied[1, 1](a[1:], a[:-1])
# CHECK: :[[#@LINE-9]]:5: error: this may read at another place what it stores
