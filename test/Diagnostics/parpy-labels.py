# Where labels, schedules and `with parpy.gpu` may not stand, and what of them is not read: docs/dialects.md.
# RUN: not %appyc %s -o %t.cu 2>&1 | FileCheck %s
import parpy
from parpy import types

parpy.label('outside')
# CHECK-DAG: :[[@LINE-1]]:1: error: a label outside a function is not read


def above_return(x: "f64[N]"):
    parpy.label('x')
    return x[0]
# CHECK-DAG: :[[@LINE-2]]:5: error: a label belongs to a `for`, an assignment or a definition; this one stands above a `return`


def above_while(x: "f64[N]"):
    parpy.label('x')
    while x[0] > 0:
        x[0] -= 1.0
# CHECK-DAG: :[[@LINE-3]]:5: error: a label belongs to a `for`, an assignment or a definition; this one stands above a `while` loop


def above_context(x: "f64[N]"):
    parpy.label('x')
    with parpy.gpu:
        x[0] -= 1.0
# CHECK-DAG: :[[@LINE-3]]:5: error: a label belongs to a `for`, an assignment or a definition; this one stands above a `with`


def above_call(x: "f64[N]"):
    parpy.label('x')
    above_return(x)
# CHECK-DAG: :[[@LINE-2]]:5: error: a label belongs to a `for`, an assignment or a definition; this one stands above a call


def whole(x: "f64[N, M]", y: "f64[1]"):
    parpy.label('x')
    parpy.label('y')
    y[0] = parpy.sum(x[:, :])
# CHECK-DAG: :[[@LINE-2]]:5: error: 2 labels for an assignment to 0 slices; write one for each, from left to right


def one_of_two(x: "f64[N, M]", y: "f64[N, M]"):
    parpy.label('x')
    y[:, :] = x[:, :]
# CHECK-DAG: :[[@LINE-2]]:5: error: 1 label for an assignment to 2 slices; write one for each, from left to right


@parpy.jit
def rows(x: "f64[N]"):
    parpy.label('N')
    for i in range(x.shape[0]):
        x[i] = 1.0


def twice(x: "f64[N]"):
    rows(x, opts=parpy.par({'N': parpy.threads(32).threads(64)}))
# CHECK-DAG: :[[@LINE-1]]:52: error: `threads` is given twice


def blocks(x: "f64[N]"):
    rows(x, opts=parpy.par({'N': parpy.threads(32).tpb(0)}))
# CHECK-DAG: :[[@LINE-1]]:52: error: `tpb` needs a multiple of 32 up to 1024: `tpb(128)`


def key(x: "f64[N]"):
    rows(x, opts=parpy.par({3: parpy.reduce()}))
# CHECK-DAG: :[[@LINE-1]]:29: error: a label in a schedule is a text: `{'N': ...}`


def asks(x: "f64[N]"):
    p = parpy.threads(32)
    if p.is_parallel():
        rows(x, opts=parpy.par({'N': p}))
# CHECK-DAG: :[[@LINE-3]]:9: error: `parpy.threads` is not translated: schedules stand in `opts=` of a call


def continued(x: "f64[N]"):
    p = parpy.threads(32)
    rows(x, opts=parpy.par({'N': p.reduce()}))
# CHECK-DAG: :[[@LINE-1]]:34: error: `p.reduce()` is no schedule that can be read; write all of it


def by_place(x: "f64[N]"):
    rows(x, parpy.par({'N': parpy.threads(32)}))
# CHECK-DAG: :[[@LINE-1]]:29: error: `parpy.threads` is not translated: schedules stand in `opts=` of a call


def options(x: "f64[N]"):
    opts = parpy.CompileOptions()
    x[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:12: error: `parpy.CompileOptions` is not translated: write `opts = parpy.par({'N': parpy.threads(128)})`


def of_run(x: "f64[N]", o: "i64"):
    rows(x, opts=o)
# CHECK-DAG: :[[@LINE-1]]:18: error: `opts` is read before the program runs


def leaves(x: "f64[N]"):
    parpy.label('L')
    for i in range(x.shape[0]):
        if x[i] > 3.0:
            break
        x[i] = 1.0
# CHECK-DAG: :[[@LINE-2]]:13: error: this leaves a loop that is annotated as parallel


def leaves_run(x: "f64[N]"):
    leaves(x, opts=parpy.par({'L': parpy.threads(32)}))


def named(x: "f64[N]"):
    with parpy.gpu as g:
        x[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:10: error: `with parpy.gpu:` makes nothing that a name could stand for; drop `as`


def called(x: "f64[N]"):
    with parpy.gpu():
        x[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:10: error: the context is `with parpy.gpu:`, without arguments


def other(x: "f64[N]"):
    with parpy.cpu:
        x[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:10: error: the context is `with parpy.gpu:`, without arguments


@parpy.external
def nameless(x: types.F64) -> types.F64:
    return x
# CHECK-DAG: :[[@LINE-3]]:1: error: the function's name and its header are texts: `@parpy.external("add"


@parpy.external("foo", parpy.CompileBackend.Cuda, parpy.Target.Host)
def of_host(x: types.F64) -> types.F64:
    return x
# CHECK-DAG: :[[@LINE-3]]:51: error: functions of the host are not called here


def address(x: types.pointer(types.F32)):
    x[0] = 1.0
# CHECK-DAG: :[[@LINE-2]]:16: error: appyc has no type for ParPy's `types.pointer(types.F32)`


def constant(x: types.buffer(types.F32, [8]), n: types.literal(3)):
    x[0] = n
# CHECK-DAG: :[[@LINE-2]]:50: error: appyc has no type for ParPy's `types.literal(3)`


def half(x: "f32[N]"):
    x[0] = parpy.float16(x[0])
# CHECK-DAG: :[[@LINE-1]]:12: error: `parpy.float16` is not translated: numbers of 16 bits are not


@parpy.callback
def callback(x):
    print(x)


def calls_back(x: "f64[N]"):
    callback(x)
# CHECK-DAG: :[[@LINE-7]]:1: error: what `parpy.callback` makes of the function is not known to appyc


def missing(x: "f64[N]"):
    inner({'x': x})
# CHECK-DAG: error: the dict has no key "y" here, where Python raises KeyError


def inner(a):
    a['y'][0] = a['x'][0]


def three(x: "f64[N]"):
    x[0] = parpy.min(x[0], x[1], x[2])
# CHECK-DAG: :[[@LINE-1]]:12: error: `parpy.m{{in|ax}}` takes two numbers, or an array and `axis=`


# What changes nothing says so.
# RUN: sed -n '/^# Accepted/,$p' %s > %t.good.py && %appyc %t.good.py -o %t.cu --remarks 2>&1 | FileCheck --check-prefix=GOOD %s
# GOOD: remark: one block of 64 threads runs this [parallelised]
# GOOD: remark: one thread an iteration, as the schedule asks: grid (8, 100, 1), block 512 [parallelised]
# GOOD: remark: `use_cuda_thread_block_clusters` has no effect: the grid and the block of a schedule are kept
# GOOD: remark: `max_thread_blocks_per_cluster` has no effect
# GOOD: remark: `use_cuda_graphs` has no effect
# GOOD: remark: `force_int_size` has no effect: numbers are those that Python and NumPy compute
# Accepted
import parpy  # noqa


@parpy.jit
def whole_sum(x: "f64[N]", y: "f64[1]"):
    parpy.label('S')
    y[0] = parpy.sum(x[:])


def run_sum(x: "f64[N]", y: "f64[1]"):
    whole_sum(x, y, opts=parpy.par({'S': parpy.threads(64)}))


@parpy.jit
def clustered(x: "f64[N, M]", N: "i64", M: "i64"):
    parpy.label('N')
    for i in range(N):
        parpy.label('M')
        for j in range(M):
            x[i, j] = x[i, j] * 2.0


def run(x: "f64[N, M]"):
    opts = parpy.par(p={'N': parpy.threads(100), 'M': parpy.threads(4096).tpb(512)})
    opts.use_cuda_thread_block_clusters = True
    opts.max_thread_blocks_per_cluster = 8
    opts.use_cuda_graphs = True
    opts.force_int_size = 32
    clustered(x, x.shape[0], x.shape[1], opts=opts)
