"""Promises that a call can break: `le(n)`, single blocks, sizes of one name."""
from __future__ import annotations

import numpy as np
import appy


@appy.jit
def at_most(a: f64[M, N]):
    M, N = a.shape
    #pragma :M=>parallel :N=>le(64)
    a[:M, :N] = a[:M, :N] + 1.0


@appy.jit
def single_block(a: f64[M, N]):
    M, N = a.shape
    #pragma :M=>parallel :N=>block(64), single_block
    a[:M, :N] = a[:M, :N] + 1.0


@appy.jit
def reduced(a: f64[M, N]):
    M, N = a.shape
    s = np.empty(M)
    #pragma :M=>parallel :N=>le(64),reduce(sum)
    s[:M] = np.sum(a[:M, :N], axis=1)
    a[:M, 0] = s


@appy.jit
def in_a_loop(a: f64[M, N]):
    """The bound grows with the loop: what counts is the longest row."""
    M, N = a.shape
    #pragma parallel for
    for i in range(M):
        #pragma :i+1=>le(64)
        a[i, :i+1] = a[i, :i+1] + 1.0


@appy.jit(dim_info={'a': ('R', 'R')})
def square(a: f64[M, N]):
    a[:, :] = a + 1.0
