# Pragmas of APPy's prototypes are errors that write the present spelling; with the fixes applied the file is accepted.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
# RUN: not %appyc %s -o - --diagnostics-format=json 2> %t.json
# RUN: %python %S/Inputs/apply_fixes.py %s < %t.json > %t.py
# RUN: FileCheck --check-prefix=FIXED %s < %t.py
# RUN: %appyc %t.py -fsyntax-only -Werror
import numpy as np


def f(a: f64[M, N], b: f64[M, N], s: f64[M], BM=4, BN=64):
    M, N = a.shape
    #pragma par_dim(:M:BM,:N:BN)
    b[:M, :N] = a[:M, :N]
    #pragma par_dim(:M:BM) seq_dim(:N:BN)
    b[:M, :N] = a[:M, :N]
    #pragma dim(1:M-1,parallel) dim(1:N-1,parallel,le[2048])
    b[1:M-1, 1:N-1] = a[1:M-1, 1:N-1]
    #pragma implicit loop i(0,M,BM) j(0,N)
    b[:M, :N] = a[:M, :N]
    #pragma :M=>p,b(BM) :N=>b(BN),r(max:s,+:s)
    s[:M] = np.max(a[:M, :N], axis=1) + np.sum(a[:M, :N], axis=1)
    #pragma :N=>le[64]
    b[0, :N] = a[0, :N]
    #pragma tensorfy
    #pragma broadcast b(axis=0)
    b[:, :] = a + s[:, None]
    #pragma start fusion
    #pragma block parallel
    for i in range(M):
        s[i] = 0.0
    #pragma end fusion
    #pragma thread parallel
    for i in range(M):
        s[i] = 1.0
    for i in range(M):  #pragma parallel block(64)
        s[i] = 2.0
    #pragma parallel block(auto)
    for i in range(M):
        s[i] = 2.0
    #pragma parallel reduction(s)
    for i in range(M):
        s[i] = 3.0
    #pragma parallel for single
    for i in range(1, M):
        s[i] = s[i - 1]
    #pragma parallel for auto_simd
    for i in range(M):
        s[i] = 3.0


# CHECK: :12:{{.*}} error: this form of pragma is of a prototype of APPy; write `:M=>parallel,block(BM) :N=>parallel,block(BN)` [unknown-pragma]
# CHECK: :14:{{.*}} write `:M=>parallel,block(BM) :N=>block(BN)` [unknown-pragma]
# CHECK: :16:{{.*}} write `1:M-1=>parallel 1:N-1=>parallel,le(2048)`
# CHECK: :18:{{.*}} write `:M=>block(BM) :N=>`
# CHECK: :20:{{.*}} unknown property `p`; write `parallel`
# CHECK: :20:{{.*}} unknown property `b`; write `block`
# CHECK: :20:{{.*}} unknown property `b`; write `block`
# CHECK: :20:{{.*}} unknown property `r`; write `reduce(max:s),reduce(sum:s)`
# CHECK: :22:{{.*}} write `le` with parentheses: `le(64)`
# CHECK: :24:{{.*}} leave it out: array statements need no mark
# CHECK: note: remove `#pragma tensorfy`
# CHECK: :25:{{.*}} leave it out: broadcasting follows NumPy
# CHECK: :27:{{.*}} leave it out: statements are fused where that is possible
# CHECK: :28:{{.*}} write `parallel for`
# CHECK: :32:{{.*}} write `parallel for simd`
# CHECK: :35:{{.*}} a pragma at the end of a `for` line is not read; move it to the line above the `for` [stray-pragma]
# CHECK: :37:{{.*}} `block` needs a size here; write `simd`
# CHECK: :40:{{.*}} the operation is missing, as in `reduction(+:total)`
# CHECK: :43:{{.*}} warning: `parallel for single` is an older spelling of `sequential for` [deprecated]
# CHECK: :46:{{.*}} unknown clause `auto_simd`; write `simd`

# FIXED: {{^}}    #pragma :M=>parallel,block(BM) :N=>parallel,block(BN){{$}}
# FIXED: {{^}}    #pragma :M=>parallel,block(BM) :N=>block(BN){{$}}
# FIXED: {{^}}    #pragma 1:M-1=>parallel 1:N-1=>parallel,le(2048){{$}}
# FIXED: {{^}}    #pragma :M=>block(BM) :N=>{{$}}
# FIXED: {{^}}    #pragma :M=>parallel,block(BM) :N=>block(BN),reduce(max:s),reduce(sum:s){{$}}
# FIXED: {{^}}    #pragma :N=>le(64){{$}}
# FIXED-NOT: fusion
# FIXED: {{^}}    #pragma parallel for{{$}}
# FIXED: {{^}}    #pragma parallel for simd{{$}}
# FIXED: {{^}}    #pragma parallel block(64){{$}}
# FIXED-NEXT: {{^}}    for i in range(M):{{$}}
# FIXED: {{^}}    #pragma parallel simd{{$}}
# FIXED: {{^}}    #pragma parallel reduction{{$}}
# FIXED: {{^}}    #pragma sequential for{{$}}
# FIXED: {{^}}    #pragma parallel for simd{{$}}
