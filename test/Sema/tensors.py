# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# Where PyTorch computes otherwise than NumPy, or not at all, is an error that says what to write.
from __future__ import annotations
import numpy as np
import torch


def types(a: f64[N], b: f32[N], k: i64[N], j: i32[N], u: u8[N], m: bool[N], w: u32[N], z: c128[N], n: i64, s: f64):
    t = torch.zeros(3)
    # CHECK: :[[@LINE+1]]:10: error: PyTorch computes this in f32, NumPy in f64: convert the operands to one type, as by `.to(torch.float64)`
    r0 = k / 2
    # CHECK: :[[@LINE+1]]:10: error: PyTorch computes this in f32
    r1 = b * k
    # CHECK: :[[@LINE+1]]:10: error: PyTorch computes this in f32
    r2 = k + 1.5
    # CHECK: :[[@LINE+1]]:10: error: PyTorch computes this in f32
    r3 = a[0] * b
    # CHECK: :[[@LINE+1]]:10: error: PyTorch computes this in i32, NumPy in i64
    r4 = j + k[0]
    r5 = b * s
    r55 = torch.sum(a) / torch.sum(k) + j[0] * n
    # CHECK: :[[@LINE+1]]:24: error: PyTorch computes this in f32
    r6 = b[0] * a[1] + t[0] * k[0]
    # CHECK: :[[@LINE+1]]:10: error: PyTorch computes this in f32
    r7 = k < b
    # CHECK: :[[@LINE+1]]:10: error: tensors of u32 are not translated
    r8 = w + w
    # CHECK: :[[@LINE+1]]:10: error: tensors of c128 are not translated
    r9 = z * 2
    # CHECK: :[[@LINE+1]]:11: error: PyTorch refuses the product of f64 and f32; convert one with `.to`
    r10 = a @ b
    # CHECK: :[[@LINE+1]]:11: error: PyTorch computes this in f32
    r11 = torch.where(m, k, 0.5)
    # CHECK: :[[@LINE+1]]:11: error: PyTorch computes this in f32
    r12 = torch.clamp(k, min=0.5)


def functions(a: f64[N], A: f64[N, M], b: f32[N], k: i64[N], u: u8[N], m: bool[N], s: f64):
    t = torch.zeros(3)
    # CHECK: :[[@LINE+1]]:10: error: `torch.mean` of integers has no value in PyTorch; convert with `.to` first
    r0 = torch.mean(k)
    # CHECK: :[[@LINE+1]]:10: error: `torch.maximum` takes tensors, not Python's numbers
    r1 = torch.maximum(a, 0.0)
    # CHECK: :[[@LINE+1]]:10: error: `torch.exp` takes tensors, not Python's numbers
    r2 = torch.exp(1.5)
    # CHECK: :[[@LINE+1]]:10: error: `torch.any` of u8 gives u8 in PyTorch
    r3 = torch.any(u)
    # CHECK: :[[@LINE+1]]:10: error: `torch.sum` of no axis folds all in PyTorch
    r4 = torch.sum(A, dim=())
    # CHECK: :[[@LINE+1]]:10: error: `torch.prod` of several axes is not there in PyTorch
    r5 = torch.prod(A, dim=(0, 1))
    # CHECK: :[[@LINE+1]]:10: error: `torch.arange` of numbers that are not whole is not translated
    r6 = torch.arange(0, 1, 0.25)
    # CHECK: :[[@LINE+1]]:10: error: `torch.abs` of booleans is not translated; convert with `.to` first
    r7 = torch.abs(m)
    # CHECK: :[[@LINE+1]]:10: error: `torch.round` of integers is not translated
    r8 = torch.round(k)
    # CHECK: :[[@LINE+1]]:10: error: `requires_grad=` of `torch.zeros` is not translated but for False
    r9 = torch.zeros(3, requires_grad=True)
    # CHECK: :[[@LINE+1]]:11: error: `device=` of `torch.zeros` is not translated but for None or 'cuda'
    r10 = torch.zeros(3, device='tpu')
    # CHECK: :[[@LINE+1]]:11: error: `torch.mm` takes tensors of 2 and 2 dimension(s)
    r11 = torch.mm(A, a)
    # CHECK: :[[@LINE+1]]:11: error: `rounding_mode=` of `torch.divide` is not translated
    r12 = torch.divide(a, 2, rounding_mode='floor')
    # CHECK: :[[@LINE+1]]:11: error: `torch.full` takes a number of Python's here; for others give `dtype=`
    r13 = torch.full((3,), a[0])
    # CHECK: :[[@LINE+1]]:11: error: `torch.cumsum` is not a function appyc translates
    r14 = torch.cumsum(a, 0)
    # CHECK: :[[@LINE+1]]:11: error: the method `.copy` of tensors is not translated
    r15 = a.copy()
    # CHECK: :[[@LINE+1]]:11: error: PyTorch's types are no functions; write `x.to(torch.float32)`
    r16 = torch.float32(s)
    # CHECK: :[[@LINE+1]]:11: error: `np.exp` stands in a function whose arrays are PyTorch's tensors
    r17 = np.exp(a)
    # CHECK: :[[@LINE+1]]:11: error: `torch.max` takes tensors, not Python's numbers
    r18 = torch.max(a, other=0.0)
    # CHECK: :[[@LINE+1]]:11: error: `.to` takes tensors, not Python's numbers
    r20 = a.to(1)
    # CHECK: :[[@LINE+1]]:15: error: PyTorch's slices have no negative steps
    r19 = a[::-1]


def no_tensors(a: f64[N], b: f64[N]):
    # CHECK: :[[@LINE+1]]:10: error: `.logical_and` is a method of PyTorch's tensors, and nothing here says that the arrays are tensors
    r0 = (a > 0).logical_and(b > 0)
    # NumPy's rules stand where no name of PyTorch does.
    # CHECK-NOT: error
    r1 = a.astype(np.float32) * b[0]


def helper(a):
    return torch.exp(a)


def through_a_helper(a: f32[N], k: i64[N]):
    # CHECK: :[[@LINE+1]]:12: error: PyTorch computes this in f32
    return helper(a) + k


@torch.compile
def by_its_decorator(a: f32[N], k: i64[N]):
    # CHECK: :[[@LINE+1]]:12: error: PyTorch computes this in f32
    return a + k


# CHECK: :[[@LINE+1]]:23: error: a number of f32 beside PyTorch's tensors is none of Python's
def narrow(a: f32[N], s: f32):
    return torch.exp(a) * s


def wide(a: f32[N], s: f64, n: i64):
    # CHECK-NOT: error
    return torch.exp(a) * s + n
