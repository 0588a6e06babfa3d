"""Types that functions take from calls in the same file: those that CPython's arguments have, and what the functions compute."""
from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest

import harness

HEAD = '''
import math
import numpy as np
from numpy import zeros
import time

N, M = 3, 4
SHAPE = (N, M)
DTYPE = np.float32
rng = np.random.default_rng(1)
old = np.random.RandomState(1)
A = np.ones(SHAPE)
v = np.arange(N)
f = np.arange(N, dtype=DTYPE)
mask = A > 0.5
x = 0.5
x *= 2
twice = 2 * A
if N > 2:
    w = A[0]
else:
    w = A[1]


def pair(n, scale=2.0):
    return np.zeros((n, n, n)), scale * n


cube, edge = pair(N)
left, right = (rng.random((2, 2)) for _ in range(2))
'''
# Arguments, each of a call of its own.
ARGUMENTS = '''
1, 2.5, 2j, True, -N, x, N * x, N / M, N // M, N ** 2, not N, N == M, x if N else 1.0
A, v, f, mask, A.T, A[0], A[0, 1], A[1:, 0], A[:, None], A[..., 0], A[v], A[mask], v[1], mask[0], A.copy(), w, twice
zeros(3), np.zeros((2, 3, 4)), np.zeros(SHAPE, int), np.ones(N, dtype="float32"), np.empty(A.shape, A.dtype), zeros(shape=(2, 2))
np.full(3, 1), np.full((2, 2), 0.5), np.full(3, 1, dtype=np.uint8), np.full(4, True), np.full_like(v, 2), np.zeros_like(f)
np.arange(5), np.arange(0, 1, 0.1), np.arange(5.0), np.arange(5, dtype=np.int32), np.linspace(0, 1, N), np.logspace(0, 1, 5)
np.eye(3), np.eye(2, dtype=int), np.identity(2), np.array([1, 2]), np.array([[1, 2.5], [3, 4]]), np.array([1, 2], dtype=np.float32)
np.array([True, False]), np.array([[1j]]), np.array([v, v]), np.array([i * x for i in range(3)]), np.array(v), np.asarray([[1]])
np.array([k for k in v]), np.array([[0.0] * 3, [1.0] * 3]), np.array([]), np.array((1, 2)), np.array(5.0)
np.random.rand(3, 4), np.random.rand(), np.random.randn(5), np.random.random((2, 2)), np.random.randint(0, 5, 3), np.random.randint(3)
np.random.randint(0, 5, size=(2, 2), dtype=np.int32), np.random.normal(0, 1, (3, 3)), np.random.uniform(size=4), np.random.permutation(5)
np.random.choice([1.0, 2.0], 5), np.random.choice(5), np.random.choice(v, size=(2, 2))
rng.random(3), rng.random((2, 2), dtype=np.float32), rng.random(), rng.integers(0, 5, 3), rng.standard_normal((2, 2)), rng.normal(size=3)
old.rand(2), old.randint(0, 4, 10), old.random_sample(3), rng.permutation(v), rng.uniform(0, 1, 3)
A.astype(np.float32), A.astype("int64"), v.astype(float), v.astype(dtype=DTYPE), A.reshape(4, 3), A.reshape(-1), A.reshape((2, 2, 3)), A.ravel()
A + 1, v + 1, v + 0.5, v * 2j, f + 1, f + 0.5, f * 1j, f + v, v / 2, v // 2, f / 2, mask * 2, mask & mask, mask + mask, A > 0, v == 1
A @ A.T, A[0] @ A[0], A @ A[0], f.astype(np.int8) + f.astype(np.uint8), f.astype(np.int16) + f, v.astype(np.int32) + f
A.round(1), A.clip(0, 1), A.cumsum(), v.cumsum(), A.cumsum(axis=1), v.argsort(), A.argmax(), A.dot(A.T), v.dot(v), A.swapaxes(0, 1), v.repeat(2)
A.sum(axis=0), A.mean(axis=1), A.max(axis=(0, 1)), A.sum(axis=-1, keepdims=True), mask.sum(axis=1), mask.any(), mask.all(axis=0), A.std(ddof=1), v.mean(), f.mean(), v.prod(), np.ptp(v)
np.sum(A), np.sum(A, 0), np.mean(v), np.median(A), np.max(A, axis=1), np.any(mask), np.min(v), np.sum([1.0, 2.0]), np.var(A, axis=0), np.prod(f), np.sum(A, axis=1, keepdims=True)
np.flip(mask), np.fliplr(A), np.negative(v), np.square(f), np.sign(v), np.nan_to_num(A), np.conj(A), np.triu(mask), np.tril(A, -1), np.rot90(A), np.repeat(v, 2), np.repeat(A, 2, axis=0)
np.transpose(A), np.cumprod(v), np.cumprod(A, axis=0), np.round(A, 2), np.clip(A, 0, 1), np.diff(v), np.diff(A, axis=0), np.unique(A), np.floor(A), np.ceil(f), np.rint(A), np.repeat([1, 2], 3)
np.log2(A), np.log10(v + 1), np.log1p(A), np.arctan(f), np.degrees(x), np.deg2rad(A), np.linalg.inv(np.eye(2)), np.gradient(A[0]), np.cbrt(v), np.sinh(A), np.exp2(f)
np.maximum(A, 0.5), np.maximum(v, 2), np.minimum(A, A), np.add(v, 0.5), np.multiply(f, f), np.mod(v, 2), np.power(A, 2), np.divide(v, 2), np.arctan2(A, 1.0), np.hypot(v, v), np.hypot(3, 4)
np.isnan(A), np.isfinite(x), np.logical_and(mask, A), np.greater(v, 1), np.isclose(A, 1), np.logical_not(mask), np.argsort(A), np.argmax(v), np.count_nonzero(mask), np.searchsorted(v, v), np.bincount(v)
np.dot(A, A.T), np.dot(v, 2), np.dot(v, v), np.matmul(A, A.T), np.outer(v, A[0]), np.linalg.solve(np.eye(3), v), np.where(mask, 1, 0), np.where(mask, A, 0.0), np.where(A > 0, f[0], 1), np.where(mask, mask, mask)
np.diag(A), np.diag(v), np.tile(v, 2), np.tile(v, (2, 2)), np.tile(mask, (2, 1)), np.linalg.norm(A), np.linalg.norm(v), np.ravel(A), np.append(v, 1), np.append(v, 0.5), np.expand_dims(v, 0), np.reshape(A, (2, 6))
sum([1, 2]), sum([1.0, 2.0]), max(1.0, 2.0), min([3, 4]), rng.multivariate_normal([0, 0], np.eye(2), 5), rng.multivariate_normal([0, 0], np.eye(2)), rng.rayleigh(size=3), rng.geometric(0.5, 4), left, right
np.sin(x), np.sqrt(A), np.exp(v), np.sin(f), np.abs(v), np.cumsum(A[0]), np.pi, math.pi, math.sqrt(2), math.floor(x), np.float32(1), float(N)
int(x), bool(N), np.int64(3), np.uint8(4), len(A), abs(-1), round(x), round(x, 2), A.size, A.shape[0], A.ndim, A.sum(), A.mean(), v.mean(), v.max()
v.sum(), f.std(), pair(2)[0], pair(2)[1], cube, edge, np.meshgrid(v, w)[0], np.vstack([w, w]), np.concatenate((w, w)), np.hstack((v, f))
np.stack([A, A]), np.column_stack((w, w)), np.random.rand(2) + (1, 2), np.fft.fft(w), np.real(np.fft.fft(A)), np.fft.fftfreq(8), A.real, A.flatten()
'''
ALIASES = {"float64": "f64", "float32": "f32", "complex128": "c128", "complex64": "c64", "bool": "bool", "int64": "i64", "int32": "i32", "int8": "i8",
           "int16": "i16", "uint8": "u8"}


def arguments():
    import ast

    found = []
    for line in ARGUMENTS.strip().splitlines():
        found += [ast.unparse(e) for e in ast.parse(f"[{line}]").body[0].value.elts]
    return found


def named(value):
    if isinstance(value, np.ndarray) and value.ndim:
        return f"{ALIASES[value.dtype.name]}[{', '.join(':' * value.ndim)}]"
    if isinstance(value, (bool, np.generic, np.ndarray)):
        return ALIASES[np.asarray(value).dtype.name]
    return type(value).__name__


def test_types_are_those_of_cpython(tmp_path):
    texts = arguments()
    functions = "".join(f"\n\ndef f{k}(a):\n    return 0\n" for k in range(len(texts)))
    calls = "\n\nif __name__ == '__main__':\n" + "".join(f"    f{k}({text})\n" for k, text in enumerate(texts))
    program = tmp_path / "program.py"
    program.write_text(HEAD + functions + calls, encoding="utf-8")
    done = subprocess.run([harness.APPYC, "--target=cpu", "-fsyntax-only", "--remarks", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = dict(re.findall(r"`#appyc: def (f\d+)\(a: (.*)\)`", done.stderr))
    scope = {}
    exec(HEAD, scope)
    wrong = [(text, found.get(f"f{k}"), named(eval(text, scope))) for k, text in enumerate(texts) if found.get(f"f{k}") != named(eval(text, scope))]
    assert not wrong


# What is not evident gives no types, rather than wrong ones.
UNKNOWN = ["np.loadtxt('x')", "unknown()", "A if N else v", "changed", "np.zeros(SHAPE[:1])", "[1, None]", "None", "max",
           "np.zeros(N, dtype=chosen)", "local", "A[0][v > 1, 0, 0]"]


def test_what_is_not_evident_gives_no_types(tmp_path):
    more = "\nchanged = A\nif N > 2:\n    changed = v\nchosen = dict(a=1)\n\n\ndef other():\n    local = 1\n"
    functions = "".join(f"\n\ndef f{k}(a):\n    return 0\n" for k in range(len(UNKNOWN)))
    calls = "\n\nif __name__ == '__main__':\n" + "".join(f"    f{k}({text})\n" for k, text in enumerate(UNKNOWN))
    program = tmp_path / "program.py"
    program.write_text(HEAD.replace("cube, edge = pair(N)", "cube = 1") + more + functions + calls + "    pair()\n", encoding="utf-8")
    done = subprocess.run([harness.APPYC, "--target=cpu", "-fsyntax-only", "--remarks", program], capture_output=True, text=True)
    assert "no function has types" in done.stderr, done.stderr
    for k, text in enumerate(UNKNOWN):
        assert f"`f{k}` is passed over: no type for `a`, and the call in line" in done.stderr, text


PROGRAMS = {
    "heat": """
import time
import numpy as np
N = 30
def step(u, alpha, dt):
    v = u.copy()
    v[1:-1, 1:-1] += alpha * dt * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return v
def make(n):
    u = np.zeros((n, n))
    u[n // 2, n // 2] = 1
    return u
def main(steps=3):
    u = make(N)
    t = time.time()
    for k in range(steps):
        u = step(u, 0.1, 0.5)
    print(u.sum(), time.time() - t)
if __name__ == "__main__":
    main()
""",
    "power": """
import numpy as np
def power_iteration(A, steps: int = 5, scale=1.0):
    b = np.ones(A.shape[1])
    for _ in range(steps):
        c = np.dot(A, b)
        b = scale * c / np.linalg.norm(c)
    return b @ A @ b, b
result = power_iteration(np.array([[0.5, 0.5], [0.2, 0.8]]), steps=10)
""",
    "settings": """
import numpy as np
def slope(state, settings):
    x, y = state
    return np.array([settings["a"] * x - settings["b"] * x * y, settings["b"] * x * y - y])
def simulate(settings, state, n):
    for _ in range(n):
        state = state + settings["time"]["dt"] * slope(state, settings)
    return state, settings["noise"].sum()
def scaled(x, options):
    return x * options["by"], options["by"]
if __name__ == "__main__":
    settings = {"a": 1.1, "b": 0.4, "time": {"dt": 0.1, "n": 3}, "noise": np.zeros(2)}
    simulate(settings, np.array([10.0, 5.0]), 5)
    scaled(2.0, {"by": 3})
    scaled(2.0, dict(by=0.5))
""",
}
CALLS = {"heat": ["make(7)", "step(make(9), 0.1, 0.25)"], "power": ["power_iteration(np.array([[0.25, 1.0], [0.5, 0.5]]), 3)"],
         "settings": ["simulate({'a': 1.0, 'b': 0.5, 'time': {'dt': 0.2, 'n': 1}, 'noise': np.ones(3)}, np.array([4.0, 2.0]), 3)",
                      "scaled(1.5, {'by': 2.5})"]}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(tmp_path, name):
    program = tmp_path / f"{name}.py"
    program.write_text(PROGRAMS[name], encoding="utf-8")
    subprocess.run([harness.APPYC, "--target=cpu", "--build", program.name], check=True, capture_output=True, cwd=tmp_path)
    plain = {}
    exec(PROGRAMS[name], plain)

    def results():
        wrapper = {"np": np, **vars(harness.load_wrapper(tmp_path, program))}
        for call in CALLS[name]:
            yield eval(call, wrapper)

    with open(tmp_path / "log", "w+", encoding="utf-8") as log:
        found, status = harness.in_child(results, log)
        log.seek(0)
        assert status == 0, log.read()
    for call, got in zip(CALLS[name], found, strict=True):
        expected = eval(call, plain)
        for x, y in zip(got, expected):
            np.testing.assert_allclose(x, y, rtol=1e-12)
        assert len(got) == len(expected)
