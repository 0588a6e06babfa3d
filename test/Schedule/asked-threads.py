# What a schedule asks of counts is kept.
# RUN: %appyc %s -o %t.cu --remarks --par='a=threads(100), b=threads(128)' --par='c=threads(1024).tpb(128), r=threads(64).reduce()' --par='n=threads(N), unknown=threads(other)' --par='p=threads(P), w=threads(100)' --par='one=threads(600).reduce(), parts=threads(4096).tpb(512)' 2>&1 | FileCheck %s
import parpy


@parpy.jit
def alone(x: "f64[N, M]", N: "i64", M: "i64"):
    parpy.label('a')
    for i in range(N):
# CHECK: :[[@LINE-1]]:5: remark: one thread an iteration, as the schedule asks: grid (1, 1, 1), block 128 [parallelised]
        for j in range(M):
            x[i, j] = 2.0


@parpy.jit
def nests(x: "f64[N, M]", y: "f64[N]", N: "i64", M: "i64"):
    parpy.label('a')
    for i in range(N):
# CHECK: :[[@LINE-1]]:5: remark: one thread an iteration, as the schedule asks: grid (1, 100, 1), block 128 [parallelised]
        parpy.label('b')
        for j in range(M):
            x[i, j] = x[i, j] * 2.0
    parpy.label('a')
    for i in range(N):
# CHECK: :[[@LINE-1]]:5: remark: one thread an iteration, as the schedule asks: grid (8, 100, 1), block 128 [parallelised]
        parpy.label('c')
        for j in range(M):
            x[i, j] = x[i, j] + 3.0 * i
    parpy.label('a')
    for i in range(N):
# CHECK: :[[@LINE-1]]:5: remark: one block an iteration, whose threads share the loops inside, as the schedule asks: grid (100, 1, 1), block 64 [parallelised]
        y[i] = 0.0
        parpy.label('r')
        for j in range(M):
            y[i] = y[i] + x[i, j]


@parpy.jit
def triples(x: "f64[N, M, K]", N: "i64", M: "i64", K: "i64"):
    parpy.label('a')
    for i in range(N):
# CHECK: :[[@LINE-1]]:5: remark: one thread an iteration, as the schedule asks: grid (8, 128, 100), block 128 [parallelised]
        parpy.label('b')
        for j in range(M):
            parpy.label('c')
            for k in range(K):
                x[i, j, k] = x[i, j, k] * 2.0


@parpy.jit
def folds(x: "f64[N]", out: "f64[2]", N: "i64"):
    parpy.label('one')
    for i in range(N):
        out[0] = out[0] + x[i]
# CHECK: :[[@LINE-2]]:5: remark: one block of 608 threads runs this [parallelised]
    parpy.label('parts')
    for i in range(N):
        out[1] = out[1] + x[i]
# CHECK: :[[@LINE-2]]:5: remark: {{.*}}as the schedule asks: grid (8, 1, 1), block 512 [parallelised]


@parpy.jit
def slices(x: "f64[N, M]", y: "f64[N, M]"):
    parpy.label('a')
    parpy.label('c')
    y[:, :] = x[:, :] * 2.0
# CHECK: :[[@LINE-1]]:5: remark: one thread an iteration, as the schedule asks: grid (8, 100, 1), block 128 [parallelised]


@parpy.jit
def sizes(x: "f64[N]", N: "i64"):
    parpy.label('n')
    for i in range(N):
        x[i] = x[i] * 2.0
# CHECK: :[[@LINE-2]]:5: remark: one thread an iteration, as the schedule asks: grid ({{.*}}N{{.*}}, 1, 1), block min({{.*}}N{{.*}}, 1024) [parallelised]
    parpy.label('unknown')
    for i in range(N):
        x[i] = x[i] + 2.0
# CHECK: :[[@LINE-3]]:5: remark: `threads(other)`: the loop is parallel, and how many threads it gets is open


# Loops without labels, by their line.
# RUN: printf '[plain."for i in range(N):"]\nthreads = 64\ntpb = 32\n[plain."for i in range(N):".2]\nthreads = N\nreduce = true\n' > %t.schedule && %appyc %s -o %t.cu --remarks --schedule=%t.schedule 2>&1 | FileCheck --check-prefix=LINE %s
# RUN: printf '[plain."for k in range(N):"]\nthreads = 64\n[none."for i in range(N):"]\nreduce = true\n' > %t.schedule && not %appyc %s -o - --schedule=%t.schedule 2>&1 | FileCheck --check-prefix=STALE %s
# STALE: error: schedule file: `plain` has no loop `for k in range(N):` [stale-schedule]
# STALE: error: schedule file: the program has no function `none` [stale-schedule]


def plain(x: "f64[N]", N: "i64"):
    s = 0.0
    for i in range(N):
        x[i] = x[i] * 2.0
# LINE: :[[@LINE-2]]:5: remark: one thread an iteration, as the schedule asks: grid (2, 1, 1), block 32 [parallelised]
    for i in range(N):
        s += x[i]
    return s


# Folds of a statement have counts as well, also of an axis; names of sizes are those of the types.
@parpy.jit
def sums(x: "f64[P, Q]", y: "f64[P]", z: "f64[1]"):
    parpy.label('p')
    parpy.label('r')
    y[:] = parpy.sum(x[:, :], axis=1)
# CHECK: :[[@LINE-1]]:5: remark: one block an iteration, whose threads share the loops inside, as the schedule asks: grid (min(max(P, 1), 65535), 1, 1), block 64 [parallelised]
    parpy.label('r')
    z[0] = parpy.sum(y[:])
# CHECK: :[[@LINE-1]]:5: remark: one block of 64 threads runs this [parallelised]


# What all is of one block, in a loop, has one launch.
@parpy.jit
def steps(x: "f64[N]", y: "f64[N]", N: "i64"):
    with parpy.gpu:
        for t in range(N):
# CHECK: :[[@LINE-1]]:9: remark: all steps in one launch of the one block of 128 threads that the schedule asks for
            s = 0.0
            parpy.label('w')
            for i in range(t):
                s += x[i]
            parpy.label('w')
            for i in range(N):
                x[i] = x[i] + y[i] * s


# A loop with a count is the grid, though loops without stand around it.
@parpy.jit
def grid_inside(x: "f64[N, M]", N: "i64", M: "i64"):
    for t in range(3):
# CHECK: :[[@LINE-1]]:5: remark: all iterations of `t` run in the thread that has the element, as no element needs another one's
        parpy.label('a')
        for i in range(N):
            parpy.label('b')
            for j in range(M):
                x[i, j] = x[i, j] * 2.0 + t
            x[i, 0] = 0.0


# A count that is not known here is that of the loop, where loops around it have counts.
@parpy.jit
def inside_of_counts(x: "f64[N, M]", N: "i64", M: "i64"):
    parpy.label('a')
    for i in range(N):
# CHECK: :[[@LINE-1]]:5: remark: one thread an iteration, as the schedule asks: grid ({{.*}}M{{.*}}, 100, 1), block {{.*}}M
        parpy.label('unknown')
        x[i, :] = 1.0
