"""Options of `@appy.jit` that mean something ahead of time."""
from __future__ import annotations

import numpy as np
import appy
from appy import jit


@appy.jit(auto_simd=True)
def auto_simd(a: f64[R, C], b: f64[R, C]):
    R, C = a.shape
    #pragma :R=>parallel :C=>
    b[:R, :C] = a[:R, :C] * 2.0


@jit(auto_block=1)
def auto_block(a: f64[R, C], b: f64[R, C]):
    R, C = a.shape
    #pragma :R=>parallel :C=>
    b[:R, :C] = a[:R, :C] * 2.0


@appy.jit(dim_info={'a': ('P', 'Q'), 'b': ('P', 'Q')})
def dim_info(a: f64[R, C], b: f64[R, C]):
    """Sizes that the function itself does not name."""
    #pragma :P=>parallel :Q=>parallel
    b[:, :] = a * 2.0
    #pragma 1:P-1=>parallel 1:Q-1=>parallel,block(32)
    b[1:-1, 1:-1] = a[1:-1, 2:] - a[1:-1, :-2]


@appy.jit(tune={'BM': (4, 8), 'BN': [64, 128]})
def tune(a: f64[R, C], b: f64[R, C]):
    R, C = a.shape
    #pragma :R=>parallel,block(BM) :C=>parallel,block(BN)
    b[:R, :C] = a[:R, :C] * 2.0
    #pragma parallel for
    for i in range(R):
        #pragma simd(BN)
        for j in range(C):
            a[i, j] += b[i, j]


@appy.jit(tune={'BN': (64, 128)})
def tune_a_parameter(a: f64[R, C], b: f64[R, C], BN=32):
    R, C = a.shape
    #pragma :R=>parallel :C=>parallel,block(BN)
    b[:R, :C] = a[:R, :C] * BN


@appy.jit(configs=[{'BM': 64, 'num_warps': 8, 'num_stages': 3}, {'BM': 32, 'num_warps': 4}])
def configs(a: f64[R, C], b: f64[R, C]):
    R, C = a.shape
    #pragma parallel for
    for i in range(R):
        #pragma :C=>block(BM)
        b[i, :C] = a[i, :C] * 2.0


@appy.jit(dump_code=True, dump_final_appy=1, print_ptx=True, verbose=True, use_compiled_file='f.py',
          no_barrier_after_write=True, backend='triton', dry_run=False, clear_cache=True)
def of_run_time(a: f64[R, C], b: f64[R, C]):
    #pragma parallel for
    for i in range(a.shape[0]):
        b[i, :] = a[i, :] * 2.0


SIZES = (0, 1, 2, 3, 33, 129)


def make_inputs(size, rng):
    return rng.random((size, size + 2)), np.zeros((size, size + 2))
