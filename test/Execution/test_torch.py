"""PyTorch's names: each function and method in use, against the stand-in, in one file built once for the CPU target."""
import os
import re
import subprocess
import sys

import harness
import pytest
import torch_stand_in as torch

HEADER = '''from __future__ import annotations
import numpy as np
import torch
from torch import float64

SIZES = (0, 1, 2, 3, 7, 31)


def inputs_of_all(size, rng):
    one = lambda type: torch.tensor_of(np.round(rng.normal(size=size) * 4, 2).astype(type))
    two = lambda type: torch.tensor_of(np.round(rng.normal(size=(size, size + 2)) * 4, 2).astype(type))
    return one("f8"), one("f4"), one("i8"), one("i4"), torch.tensor_of(rng.integers(0, 9, size).astype("u1")), one("f8") > 0, two("f8"), two("f4"), two("i4")


'''
PARAMETERS = "a: f64[N], b: f32[N], k: i64[N], j: i32[N], u: u8[N], m: bool[N], A: f64[N, M], B: f32[N, M], J: i32[N, M]"

EXPRESSIONS = """
torch.exp(a), torch.exp(b), torch.exp(j), torch.sqrt(torch.abs(k)), torch.log1p(u), torch.sin(m), torch.tanh(A), torch.expm1(b)
torch.atan2(a, a + 1.0), torch.arctan2(j, j + 1), torch.exp2(b).sqrt(), a.exp(), b.abs().sqrt()
torch.abs(j), torch.neg(k), torch.square(b), torch.floor(a), torch.ceil(b), torch.trunc(a), torch.round(b), torch.sign(j), torch.negative(a)
torch.isnan(a / (a - a)), torch.isfinite(b), torch.logical_not(m), torch.bitwise_not(j), torch.logical_and(m, ~m), m.logical_not()
torch.add(a, 2), torch.sub(b, 1.5), torch.mul(j, 3), torch.div(a, 4), torch.divide(k, 4), torch.true_divide(j, j + 9), torch.pow(b, 2), torch.pow(2.0, b)
torch.remainder(j, 3), torch.floor_divide(a, 1.5), torch.bitwise_and(j, 6), torch.bitwise_xor(k, k + 1), torch.multiply(m, m), torch.add(m, ~m)
torch.eq(a, 1), torch.ne(j, 2), torch.lt(b, 0.5), torch.ge(k, 0), a.lt(0.25), torch.gt(a, a + 1.0), torch.less_equal(u, u)
torch.maximum(a, a + 1.0), torch.minimum(b, b * 2.0), torch.fmax(a, -a), torch.fmin(b, -b), torch.maximum(m, ~m), j.maximum(j + 1)
torch.clamp(a, -1.0, 1.0), torch.clamp(b, min=0.5), torch.clamp(j, max=2), a.clamp(max=0.0), torch.clamp(a, a - 1.0, a + 1.0)
torch.where(m, a, 0.0), torch.where(m, b, b + 1.0), torch.where(m, 1.0, 0.0), torch.where(m, 1, 2), torch.where(a > 0, j, 7)
torch.sum(a), torch.sum(b), torch.sum(k), torch.sum(j), torch.sum(u), torch.sum(m), torch.sum(A, 0), torch.sum(B, dim=1), torch.sum(J, dim=(0, 1))
torch.sum(A, dim=-1, keepdim=True), torch.sum(A, axis=1, keepdims=True), J.sum(dim=1), u.sum(), torch.sum(j, dtype=torch.float32), torch.prod(j), torch.prod(B, 1)
torch.mean(A, 1), torch.mean(B, dim=1, keepdim=True), J.mean(dim=1, dtype=torch.float64), torch.std(A, 1), torch.var(B, dim=1, correction=0), A.var(1)
torch.amax(A, 1), torch.amin(B, dim=1, keepdim=True), J.amax(1), torch.any(m), torch.all(m), torch.any(J, 1), torch.all(A, dim=0), torch.count_nonzero(k), torch.count_nonzero(J, 1)
torch.argmax(A, 1), torch.argmin(J, dim=1, keepdim=True), A.argmax(1), torch.max(A, 1)[0], torch.max(A, 1)[1], torch.min(J, dim=1, keepdim=True)[1], torch.max(a, -a), B.min(1)[0]
torch.zeros(3), torch.ones(2, 3), torch.zeros((2, 2), dtype=torch.float64), torch.full((3,), 1.5), torch.full((2, 3), 7), torch.full((2,), True), torch.full((2,), 3, dtype=torch.float32)
torch.zeros_like(j), torch.ones_like(a), torch.full_like(b, 2), torch.zeros_like(a, dtype=torch.int32), torch.ones(a.shape, dtype=b.dtype, device=a.device), torch.zeros(a.size(0), device='cuda')
torch.arange(5), torch.arange(5.), torch.arange(2, 11, 3), torch.arange(7, -2, -2, dtype=torch.int32), torch.arange(a.shape[0]), torch.arange(1., 4), torch.arange(3, dtype=torch.float64)
torch.linspace(0, 1, 5, dtype=torch.float64), torch.linspace(-1.0, 3.0, 1), torch.linspace(2, 5, 4), torch.tensor([1.5, 2.0]), torch.tensor([1, 2]), torch.tensor([[1, 2], [3, 4]], dtype=torch.float64)
torch.mv(A, A[0]), torch.mm(B, B.t()), torch.matmul(A, torch.t(A)), torch.dot(a, a), torch.outer(b, b), A.mm(A.T), torch.transpose(B, 0, 1) * 2.0
a.to(torch.float32), j.to(torch.float64), j.to(a), a.to('cuda') + 1.0, a.to('cuda', torch.float32), a.to(dtype=torch.int64), a.float(), b.double(), a.int(), a.long(), k.bool(), m.float(), b.cuda() * 2.0, a.contiguous() + 1.0
A.numel(), A.dim(), A.size(1), A.size()[0], torch.numel(b), a + torch.pi, b * torch.inf, torch.sum(a) + a, torch.sum(B, 1) * b, (a > 0).logical_and(a < 2), a.cpu().abs()
k + j, k * j + 2, u + j, a * b, b * 2, a + k, m * k, a ** 2, k // 3, k % 4, a % 1.5, J + j[:, None] if a.shape[0] > 1 else J + 0, b[::2].sum(), a[m].sum(), A[:, 0] - a, torch.sum(J, 1) - k
""".strip().splitlines()

FUNCTIONS = """
def elementwise(a: f64[N], b: f32[N], j: i32[N], m: bool[N]):
    x = torch.abs(b) + 1.0
    t = torch.tanh(b) * 0.5
    return (torch.log(x), torch.log2(x), torch.log10(x), torch.cos(b), torch.tan(b), torch.arcsin(t), torch.arccos(t), torch.arctan(j),
            torch.sinh(t), torch.cosh(t), torch.arcsinh(b), torch.arccosh(x), torch.arctanh(t * 0.5), torch.isinf(a / 0.0), torch.subtract(a, b.double()),
            torch.power(b, 2), torch.bitwise_or(j, 3), torch.not_equal(j, 3), torch.less(a, b.double()), torch.greater(j, 3),
            torch.greater_equal(j, 3), torch.logical_or(m, ~m), torch.logical_xor(m, m), torch.bitwise_left_shift(j, 2),
            torch.bitwise_right_shift(j, 1), torch.copysign(a, -1.0), torch.hypot(b, x))


def others(a: f64[N], b: f32[N], j: i32[N], m: bool[N]):
    k = torch.empty(3)
    k[:] = 2
    return (k, torch.asin(m), torch.acos(m), torch.atan(m), torch.asinh(m), torch.acosh(torch.absolute(b) + 1.0), torch.atanh(b * 0.0), torch.clip(j, 1, 2),
            torch.le(j, j), torch.gt(b, 0.0), torch.ger(b, b), torch.fix(a), j.byte(), j.char(), j.short(), torch.clone(a), torch.detach(b) + 1.0,
            a.sum().item(), torch.t(b), b.clone(), a.detach() * 2.0)


def bins(a: f64[N], b: f64[N], out: f64[8]):
    r = torch.zeros(8, dtype=torch.float64)
    for i in range(8):
        mask = (a >= i - 4).logical_and(a < i - 3)
        r[i] = torch.sum(b[mask])
    out[:] = r


def azimint(a: f64[N], b: f64[N], out: f64[8], s: f64):
    top = a.max()
    for i in range(8):
        inside = (top * i / 8 <= a).logical_and(a < top * (i + 1) / 8)
        out[i] = torch.sum(b * inside.to(float64) * s) / (torch.sum(inside) + 1)


def copies(a: f64[N], b: f64[N], out: f64[8]):
    c = a.clone()
    c += 1.0
    d = torch.empty_like(b)
    d[:] = torch.matmul(torch.ones(2, 3, dtype=torch.float64), torch.ones(3, 2, dtype=torch.float64))[0, 0] + b
    out.fill_(2.0)
    return a * 2.0, c, d


def rows_of(a: f64[N, M]):
    out = torch.empty_like(a)
    for i in range(a.shape[0]):
        top = torch.max(a[i])
        t = torch.exp(a[i] - top)
        out[i] = t / torch.sum(t)
    return out


def inputs_bins(size, rng):
    return torch.tensor_of(rng.normal(size=size)), torch.tensor_of(rng.normal(size=size)), torch.tensor_of(np.zeros(8))


def inputs_rows_of(size, rng):
    return (torch.tensor_of(rng.normal(size=(size, size + 1))),)


def inputs_softmax(size, rng):
    return (torch.tensor_of(rng.normal(size=(size, size + 1)).astype("f4")),)


def inputs_elementwise(size, rng):
    a, b, _, j, _, m, *_ = inputs_of_all(size, rng)
    return a, b, j, m


inputs_others = inputs_elementwise
inputs_histogram = lambda size, rng: inputs_bins(size, rng)


inputs_copies = inputs_bins
sizes_azimint = (1, 2, 3, 7, 31)


def inputs_azimint(size, rng):
    return *inputs_bins(size, rng), 2.5
"""


def documented():
    """The example of the page, without its import."""
    page = (harness.ROOT / "docs/annotations.md").read_text(encoding="utf-8")
    return re.search(r"^```py\nimport torch\n(.*?)^```$", page, flags=re.M | re.S)[1]


def program():
    path = harness.work_folder() / f"tensors_{os.getpid()}.py"
    functions = [f"def f{n}({PARAMETERS}):\n    return {line}\n\n\ninputs_f{n} = inputs_of_all\n" for n, line in enumerate(EXPRESSIONS)]
    path.write_text("\n\n".join([HEADER, *functions, documented(), FUNCTIONS]))
    return path


@pytest.mark.xdist_group("torch")
def test_as_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", torch)
    path = program()
    outcomes = harness.run_compiled(path, tuple(harness.exported_functions(path)), harness.Target("cpu", "cpu"))
    died = {o.died for sizes in outcomes.values() for o in sizes.values() if o.died}
    assert not died, died.pop()
    wrong = []
    for function, sizes in outcomes.items():
        for size, outcome in sizes.items():
            if size in (0, 1) and function.startswith("f"):
                continue  # of nothing PyTorch raises where NumPy warns
            try:
                harness.assert_as_outcome(outcome, harness.expected(path, function, size))
            except AssertionError as error:
                wrong.append(f"{function}({size}): {error}")
    assert outcomes and not wrong, f"{path}: {len(wrong)}\n" + "\n".join(wrong[:60])


def listed():
    """[(name, parameters)] of PyTorch's functions and methods."""
    listing = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    rows = (line.split(maxsplit=3) for line in listing.splitlines())
    return [(name, text[1:-1]) for name, group, _, text in rows if group in ("tensor", "torch")]


def test_every_function_is_used():
    text = "\n".join([*EXPRESSIONS, FUNCTIONS])
    missing = [name for name, _ in listed() if not re.search(rf"\.{name.partition('.')[2]}\(", text)]
    assert len(listed()) > 100
    assert not missing
