"""Kernels with types (`@cuda.jit("void(...)")`) as the wrapper gives them: launched with any grid and block."""
import copy
import sys

import numpy as np
import pytest

import harness

TEXT = '''
from numba import cuda, float32, float64, int32, void
import numpy as np


@cuda.jit("void(f4[:], f4[:], f4)")
def axpy(x, y, a):
    """y += a x"""
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]


@cuda.jit(void(float64[:, ::1], int32))
def fill(a, n):
    x, y, z = cuda.grid(3)
    if x < a.shape[1] and y < a.shape[0] and z == 0:
        a[y, x] = x * n + y


@cuda.jit(["void(f4[:])", "void(f8[:])"])
def prefix(a):
    tile = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    tile[t] = a[t] if t < a.shape[0] else 0
    cuda.syncthreads()
    step = 1
    while step < cuda.blockDim.x:
        before = tile[t - step] if t >= step else 0.0
        cuda.syncthreads()
        tile[t] += before
        cuda.syncthreads()
        step *= 2
    if t < a.shape[0]:
        a[t] = tile[t]


@cuda.jit("void(f4[:])")
def turned(a):
    values = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    if t < a.shape[0]:
        values[t] = a[t]
    cuda.syncthreads()
    if t < a.shape[0]:
        a[t] = values[a.shape[0] - 1 - t] + values.shape[0]


@cuda.jit("void(f8[::1, :], f8[:, ::1], f8[::1, :])")
def columns(a, b, out):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[i, j] = a[i, j] + 10 * b[i, j]


#appyc: def count(x: i32[:], out: i64[:])
@cuda.jit
def count(x, out):
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        cuda.atomic.add(out, x[i], 1)
'''


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("given") / "given_kernels.py"
    path.write_text(TEXT)
    return path


def launches():
    """(kernel, grid, block, perhaps stream and bytes, arguments)"""
    rng = np.random.default_rng(1)
    x = rng.random(100, dtype=np.float32)
    yield "axpy", 4, 32, (x, x[::-1].copy(), np.float32(1.5))
    yield "axpy", (7,), (16, 1), (x, x.copy(), 2.0)
    yield "axpy", 0, 32, (x, x.copy(), np.float32(2))
    yield "axpy", 4, 32, (x, x, np.float32(0.5))  # one array twice
    yield "fill", (3, 2, 2), (4, 5, 1), (np.zeros((9, 11)), 3)
    yield "prefix", 1, 64, (rng.random(50, dtype=np.float32),)
    yield "prefix", (1, 1, 1), 64, (rng.random(64),)
    yield "count", 3, 32, (rng.integers(0, 5, 1000).astype(np.int32), np.zeros(5, np.int64))
    yield "turned", 1, 64, 0, 400, (x[:50].copy(),)
    a, b = np.asfortranarray(rng.random((5, 7))), rng.random((5, 7))
    yield "columns", (1, 2), (8, 4), (a, b, np.zeros((5, 7), order="F"))
    yield "columns", (1, 2), (8, 4), (b, a, np.zeros((5, 7)))
    yield "columns", (1, 2), (8, 4), (b[::-1], a[:, ::-1], np.zeros((7, 5)).T)
    yield "axpy", 1, 1025, (x, x.copy(), 1.0)
    yield "axpy", 1, (32, 33), (x, x.copy(), 1.0)
    yield "axpy", -1, 32, (x, x.copy(), 1.0)
    yield "axpy", 1, 0, (x, x.copy(), 1.0)


def launcher(module, name, *shape):
    return lambda *given: getattr(module, name)[shape](*given)


def results(module):
    found = []
    for name, *shape, arguments in launches():
        arguments = copy.deepcopy(arguments)
        found.append(harness.call(launcher(module, name, *shape), arguments))
    if hasattr(module.axpy, "_launch"):
        found.append(harness.call(lambda x, y: module.axpy.forall(100)(x, y, 3.0), launches_of_forall()))
    else:
        found.append(harness.call(lambda x, y: module.axpy.forall(100)(x, y, np.float32(3)), launches_of_forall()))
    return found


def launches_of_forall():
    return np.arange(100, dtype=np.float32), np.ones(100, np.float32)


@pytest.mark.parametrize("target", [t for t in harness.targets()], ids=lambda t: t.name)
def test_launches(path, target, tmp_path):
    folder, error = harness.build(path, target)
    assert not error, error
    wanted = results(harness.load_program(path))

    def work():
        yield from results(harness.load_wrapper(folder, path))

    with open(tmp_path / "log", "w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    assert len(items) == len(wanted)
    for got, want in zip(items, wanted):
        if want.raised:
            assert got.raised == want.raised, got.message or got.value
        else:
            harness.assert_as_outcome(got, want)


def test_wrong_calls(path):
    target = harness.Target("cpu", "cpu")
    folder, error = harness.build(path, target)
    assert not error, error

    def work():
        module = harness.load_wrapper(folder, path)
        x = np.ones(3, np.float32)
        for wrong in (lambda: module.axpy(x, x, 1.0), lambda: module.axpy[1](x, x, 1.0), lambda: module.axpy[1, 2](x, x),
                      lambda: module.axpy[1, 2](x.astype(np.float64), x, 1.0), lambda: module.axpy[1, 2](x.reshape(1, 3), x, 1.0),
                      lambda: module.axpy[(1, 1, 1, 1), 2](x, x, 1.0), lambda: module.turned[1, 2, 0, -1](x)):
            yield harness.call(wrong, ())
        yield module.axpy.__doc__

    with open(folder / "wrong.log", "w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    assert [i.raised for i in items[:-1]] == ["ValueError", "ValueError", "TypeError", "TypeError", "ValueError", "ValueError",
                                              "ValueError"]
    assert items[-1].startswith("y += a x")


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
