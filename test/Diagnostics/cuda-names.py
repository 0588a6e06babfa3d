# Names of numba.cuda that are not translated, and what they are given wrongly: docs/dialects.md.
# RUN: not %appyc %s -o %t.cu 2>&1 | FileCheck %s
import numpy as np
from numba import cuda, float16, float32, jit, vectorize
from pyculib import fft

TABLE = np.array([1.0, 2.0])


@cuda.jit("void(f8[:])")
def k0(a):
    a[0] = cuda.popc(a[0])
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.popc`: {{.*}}bits are of whole numbers


@cuda.jit("void(f8[:])")
def k1(a):
    a[0] = cuda.clz(a[0])
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.clz`: {{.*}}bits are of whole numbers


@cuda.jit("void(f8[:])")
def k2(a):
    a[0] = cuda.brev(a[0])
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.brev`: {{.*}}bits are of whole numbers


@cuda.jit("void(f8[:])")
def k3(a):
    a[0] = cuda.shfl_sync(0xffffffff, a[0] > 0, 0)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.shfl_sync` takes numbers of 32 or 64 bits, and whole numbers for masks and lanes


@cuda.jit("void(f8[:])")
def k4(a):
    cuda.syncwarp(0.5)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: the mask of `numba.cuda.syncwarp` is a whole number, not a scalar


@cuda.jit("void(f8[:])")
def k5(a):
    cuda.syncthreads(3)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.syncthreads` takes 0 argument(s), 1 given


@cuda.jit("void(f8[:])")
def k6(a):
    cuda.atomic.mul(a, 0, 1.0)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.atomic.mul` is not a function appyc translates


@cuda.jit("void(f8[:, :])")
def k7(a):
    cuda.atomic.add(a, 0, 1.0)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: an atomic operation changes one element: the array has 2 dimension(s)


@cuda.jit("void(f8[:], i4)")
def k8(a, n):
    cuda.atomic.add(n, 0, 2)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: an atomic operation changes an element of an array, not of a scalar of i32


@cuda.jit("void(i2[:])")
def k9(a):
    cuda.atomic.add(a, 0, 1)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.atomic.add` takes numbers of 32 or 64 bits, and the array is of i16


@cuda.jit("void(f4[:])")
def k10(a):
    cuda.atomic.and_(a, 0, 1)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.atomic.and_` takes integers of 32 or 64 bits, and the array is of f32


@cuda.jit("void(f8[:])")
def k11(a):
    cuda.atomic.dec(a, 0, 1)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.atomic.dec` takes unsigned integers of 32 or 64 bits, and the array is of f64


@cuda.jit("void(f8[:])")
def k12(a):
    t = cuda.shared.array(32)
    a[0] = t[0]
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: `numba.cuda.shared.array` misses its argument `dtype`


@cuda.jit("void(f8[:])")
def k13(a):
    t = cuda.shared.array(32, float16)
    a[0] = t[0]
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: `numba.float16` is not translated: numbers of 16 bits are not


@cuda.jit("void(f8[:])")
def k14(a):
    t = cuda.local.array(32, np.float16)
    a[0] = t[0]
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: `np.float16` is not translated: arrays have float32


@cuda.jit("void(f8[:])")
def k15(a):
    t = cuda.shared.array(-3, float32)
    a[0] = t[0]
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: negative dimensions are not allowed


@cuda.jit("void(f8[:])")
def k16(a):
    t = cuda.shared.array((128, 128), float32)
    t[0, 0] = a[0]
    a[1] = t[0, 0]
# CHECK-DAG: :[[@LINE-4]]:{{[0-9]+}}: error: the shared arrays of `k16` have 65536 bytes together, of which a block has 49152


@cuda.jit("void(f8[:])")
def k17(a):
    t = cuda.const.array_like(TABLE)
    t[0] = a[0]
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `TABLE` or a copy here


@cuda.jit("void(f8[:])")
def k18(a):
    a[0] = cuda.threadIdx.w
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.threadIdx` has `.x`, `.y` and `.z`


@cuda.jit("void(f8[:])")
def k19(a):
    i, j, m = cuda.grid(2)
    a[i] = j + m
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: cannot unpack a tuple of 2 into 3 names


@cuda.jit("void(f8[:])")
def k20(a):
    a[0] = cuda.gridsize(0)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.gridsize` takes 1, 2 or 3, as a constant


@cuda.jit("void(f8[:])")
def k21(a):
    a[0] = cuda.clock()
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.clock` is not translated: no clock of the device is read


@cuda.jit("void(f8[:])")
def k22(a):
    a[0] = cuda.libdevice.foo(a[0])
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.libdevice.foo` is not a function appyc translates


@cuda.jit("void(f8[:])")
def k23(a):
    a[0] = cuda.cg.this_warp()
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.cg.this_warp` is not translated: of it `cg.this_grid().sync()` is


@cuda.jit("void(f8[:])")
def k24(a):
    a[0] = nowhere(a[0])
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `nowhere` is not defined here


@cuda.jit("void(f8[:])")
def k25(a):
    try:
        a[0] = 1.0
    except ValueError:
        a[0] = 2.0
# CHECK-DAG: :[[@LINE-4]]:{{[0-9]+}}: error: a kernel cannot raise; test for the case with `if`


@cuda.jit("void(f8[:])")
def k26(a):
    assert a[0] > 1.0
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: a kernel cannot raise; store a mark into an array


@cuda.jit("void(f8[:])")
def k27(a):
    a[:] = np.sort(a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: a kernel makes no arrays, and this needs one


@cuda.jit("void(f8[:])")
def k28(a):
    a[0] = sorted(a)[0]
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: a kernel makes no arrays, and this needs one


#appyc: def h29(a: f64[N])
def h29(a):
    if cuda.is_available():
        a[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: `numba.cuda.is_available` is not translated: the caller asks


#appyc: def h30(a: f64[N])
def h30(a):
    d = cuda.as_cuda_array(a)
    d[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: `numba.cuda.as_cuda_array` is not translated: write the array itself


#appyc: def h31(a: f64[N])
def h31(a):
    cuda.compile_ptx(a, ())
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.compile_ptx` is not translated: the code is a file


#appyc: def h33(a: f64[N])
def h33(a):
    cuda.external_stream(3)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.external_stream` is not translated: the caller's stream is taken as it is


#appyc: def h34(a: f64[N])
def h34(a):
    cuda.select_device(0)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.select_device` is not translated: the caller chooses the device


#appyc: def h35(a: f64[N])
def h35(a):
    cuda.profile_start()
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.profile_start` is not translated: profile the call in Python


#appyc: def h36(a: f64[N])
def h36(a):
    d = cuda.to_device(a, foo=False)
    d[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:{{[0-9]+}}: error: `numba.cuda.to_device` has no parameter `foo`


#appyc: def h37(a: f64[N])
def h37(a):
    d = cuda.current_context()
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.cuda.current_context` is not translated: the caller asks the device


#appyc: def libraries(a: f64[N])
def libraries(a):
    fft.fft_inplace(a)
# CHECK-DAG: :[[@LINE-1]]:5: error: `pyculib.fft.fft_inplace` is not translated: write `np.fft`


#appyc: def short(a: f64[N])
def short(a):
    a[:] = a.astype('float16')
# CHECK-DAG: :[[@LINE-1]]:12: error: arrays have no type 'float16' here


#appyc: def shorter(a: f64[N])
def shorter(a):
    a[:] = np.zeros(3, 'f2')
# CHECK-DAG: :[[@LINE-1]]:12: error: arrays have no type 'f2' here


@cuda.jit
def good(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] = 1.0


#appyc: def h38(a: f64[N])
def h38(a):
    good[(1, 2, 3, 4), 32](a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: the grid of a launch is an integer, or a tuple of one to three


#appyc: def h39(a: f64[N])
def h39(a):
    good[a.shape[0] / 32, 32](a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: the grid of a launch is an integer, or a tuple of one to three


#appyc: def h40(a: f64[N])
def h40(a):
    good[(1, 2, 3), (4, 4, 65)](a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: the block of `good` has 1 to 1024 threads


#appyc: def h41(a: f64[N])
def h41(a):
    good[1, 32, 0, 0, 0](a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: a kernel is launched with a grid and a block


#appyc: def h42(a: f64[N])
def h42(a):
    good[1, 32](a, a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `good` takes 1 argument(s), 2 given


#appyc: def h43(a: f64[N])
def h43(a):
    good.forall(1.5)(a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `good.forall` takes how many elements there are, and threads of a block: `good.forall(n, tpb=128)(...)`


#appyc: def h44(a: f64[N])
def h44(a):
    good.forall(a.size, tpb=0.5)(a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `good.forall` takes how many elements there are, and threads of a block


#appyc: def h45(a: f64[N])
def h45(a):
    good.forall(a.size, tbp=64)(a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `good.forall` has no parameter `tbp`


#appyc: def h46(a: f64[N])
def h46(a):
    good.configure(1)(a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `good.configure` misses its argument `blockdim`


#appyc: def h47(a: f64[N])
def h47(a):
    good.specialize(a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: the function `good` has no attribute `specialize` that appyc knows


@cuda.reduce
def added(x, y):
    return x + y


@cuda.reduce
def unary(x):
    return x


#appyc: def h48(a: f64[N])
def h48(a):
    a[0] = added(a, foo=3)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `numba.reduce` has no parameter `foo`


#appyc: def h49(a: f64[N])
def h49(a):
    a[0] = unary(a)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}`unary` takes 1 argument(s), 2 given


add = cuda.declare_device("add", "i4(i4, i4)")
nameless = cuda.declare_device("add")
# CHECK-DAG: :[[@LINE-1]]:12: error: a function of another language is declared by its name there and its types
of_arrays = cuda.declare_device("add", "i4(f8[:], i4)")
# CHECK-DAG: :[[@LINE-1]]:41: error: a function of another language takes real numbers here, and gives one
of_pointers = cuda.declare_device("add", "i4(CPointer(f8), i4)")
# CHECK-DAG: :[[@LINE-1]]:46: error: `CPointer(f8)` is not translated: an address is passed as the array
FILE = "add.cu"


@cuda.jit("void(f8[:])", link=[FILE])
def linked(a):
    a[0] = add(1, 2)
# CHECK-DAG: :[[@LINE-3]]:32: error: `link=` names files as texts


#appyc: def h50(a: f64[N])
def h50(a):
    a[0] = add(1, 2)
# CHECK-DAG: :[[@LINE-1]]:{{[0-9]+}}: error: `add` runs on the device: it is called in kernels


def body(a):
    a[0] = 1.0


vectorized = vectorize(["f8(f8)"])(body)


#appyc: def uses(a: f64[N])
def uses(a):
    called = cuda.jit("void(f8[:])")(body)
    # CHECK-DAG: :[[@LINE-1]]:14: error: `numba.cuda.jit` takes a function of the file here, and no signature
    called[1, 32](a)


@cuda.jit("void(f8[:])")
def table_of_parameter(a):
    a[0] = cuda.const.array_like(a)[0]
# CHECK-DAG: :[[@LINE-1]]:12: error: `numba.cuda.const.array_like` takes an array of the file, whose elements are constants
