# Options of `@appy.jit`: those of run time are remarked on, unknown and faulty ones are errors.
# RUN: not %appyc %s -o - --remarks 2>&1 | FileCheck %s
import numpy as np
import appy
from appy import jit as compiled


@appy.jit(dump_code=True, verbose=1)
def run_time(a: f64[N]):
    a[:] = 1.0


@appy.jit(tune={'BN': (64, 128)}, configs=[{'BM': 4, 'num_warps': 8, 'num_stages': 2}, {'BM': 8}])
def first_values(a: f64[N]):
    a[:] = 1.0


@compiled(auto_smid=True)
def misspelt(a: f64[N]):
    a[:] = 1.0


@appy.jit(fast=True)
def unknown(a: f64[N]):
    a[:] = 1.0


@appy.jit(auto_simd=f(), tune={'BN': 0}, dim_info=('M', 'N'), configs=[{'num_warps': 64}])
def faulty(a: f64[N]):
    a[:] = 1.0


# CHECK: :8:{{.*}} remark: the option `dump_code` has no meaning ahead of time; the output file is the code [ignored]
# CHECK: :8:{{.*}} remark: the option `verbose` has no meaning ahead of time; `--remarks` says what was done [ignored]
# CHECK: :13:{{.*}} remark: `BN` is 64, the first of its values, where no schedule file says otherwise [ignored]
# CHECK: :13:{{.*}} remark: the first of the configurations is taken, where no schedule file says otherwise [ignored]
# CHECK: :13:{{.*}} remark: `num_stages` is Triton's; appyc has no use for it [ignored]
# CHECK: :18:{{.*}} error: unknown option `auto_smid`; did you mean `auto_simd`? [bad-directive]
# CHECK: :23:{{.*}} error: unknown option `fast`; those that matter here are `auto_simd`, `auto_block`, `dim_info`, `tune`, `configs` [bad-directive]
# CHECK: :28:{{.*}} error: `auto_simd` is True or False [bad-directive]
# CHECK: :28:{{.*}} error: the values of `BN` are positive integers [bad-directive]
# CHECK: :28:{{.*}} error: `dim_info` is a dictionary literal such as `{'A': ('M', 'N')}` [bad-directive]
# CHECK: :28:{{.*}} error: `num_warps` is an integer from 1 to 32 [bad-directive]
