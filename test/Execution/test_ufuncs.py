"""Objects that the wrapper makes of `@vectorize` and `@guvectorize`: they do what NumPy's ufuncs do."""
import importlib.util
import sys
import types
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import harness

PROGRAM = Path(__file__).with_name("ufuncs_program.py")


@pytest.fixture(params=[pytest.param(t, id=t.name, marks=pytest.mark.xdist_group(f"ufuncs-{t.name}"))
                        for t in harness.targets() if not t.check])
def in_wrapper(request):
    numba = mock.MagicMock()  # which need not be there: what is compared with is NumPy
    with mock.patch.dict(sys.modules, numba=numba, numbapro=numba):
        folder, error = harness.build(PROGRAM, request.param)
    assert folder, error

    def run(check):
        harness.check_in_child(folder, PROGRAM, check)

    return run


def larger(a, b):
    return a if a > b else b


def same(got, want):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got, want)


SHAPES = [((7,), (7,)), ((0,), (1,)), ((5, 1), (1, 3)), ((2, 1, 4, 1, 3), (5, 1, 2, 1)), ((5003,), ()),
          ((3, 4097), (3, 1)), ((), ()), ((0, 3), (3,))]


def test_operands_are_broadcast_and_typed_as_numpy_does(in_wrapper):
    def check(m):
        rng = np.random.default_rng(0)
        for one, other in SHAPES:
            a, b = np.asarray(rng.normal(size=one), "f4"), np.asarray(rng.normal(size=other), "f4")
            same(m.big(a, b), np.vectorize(larger, otypes=["f4"])(a, b))
            same(m.big(b, a.astype("f8")), np.vectorize(larger, otypes=["f8"])(b, a.astype("f8")))
        same(m.big(np.int16([1, 2]), np.int8(2)), np.float32([2, 2]))  # the first signature that both fit
        same(m.big(np.int32([1, 2]), 0), np.float64([1, 2]))
        same(m.big(np.float32([1, 2]), 1.5), np.float32([1.5, 2]))  # Python's numbers adapt
        same(m.big(np.array(1, "f4"), 1.5), np.float32(1.5))
        same(m.big(np.float32(1), 1.5), np.float32(1.5))
        same(m.big(np.array(1, "i4"), 1.5), np.float64(1.5))
        same(m.big(np.int64([1]), 1.5), np.float64([1.5]))
        same(m.big(1, 2.5), np.float64(2.5))
        same(m.big([1, 2], [3, 0]), np.float64([3, 2]))
        same(m.is_odd(np.arange(5, dtype="i4")), np.arange(5) % 2 == 1)
        same(m.vmult(np.complex64([1j, 2]), np.complex64(2j)), np.complex64([-2, 4j]))
        same(m.saxpy(2.0, np.float32([1, 2, 3]), np.ones((2, 1), "f4")), np.float32([[3, 5, 7]] * 2))
        assert isinstance(m.big(1, 2), np.float64)
        with pytest.raises(TypeError, match="no signature to which"):
            m.big(1j, 1)
        with pytest.raises(TypeError, match="no signature to which"):
            m.saxpy(np.float64([1]), 1.0, 1.0)
        with pytest.raises(ValueError, match="broadcast"):
            m.big(np.zeros(2), np.zeros(3))
        with pytest.raises(TypeError, match="takes 2 operands"):
            m.big(1)

    in_wrapper(check)


def test_strides_and_out(in_wrapper):
    def check(m):
        rng = np.random.default_rng(1)
        a, b = rng.normal(size=(6, 7, 8)), rng.normal(size=(8, 7, 6))
        same(m.big(a[::2, ::-1], b.T[::2]), np.maximum(a[::2, ::-1], b.T[::2]))
        many = rng.normal(size=(2, 3, 2, 3, 2, 4))[:, ::-1, :, ::2]
        same(m.big(many, many.transpose(2, 1, 0, 3, 4, 5)), np.maximum(many, many.transpose(2, 1, 0, 3, 4, 5)))
        wide = np.zeros((7, 6, 16))
        out = wide[..., ::2]
        assert m.big(a.transpose(1, 0, 2), 1.0, out=out) is out
        same(out, np.maximum(a.transpose(1, 0, 2), 1.0))
        assert not wide[..., 1::2].any()
        x = np.arange(10.0)
        m.big(x[1:], x[:-1], x[:-1])
        same(x, np.r_[np.arange(1.0, 10), 9])
        m.big(x, -x, out=x)
        narrow = np.zeros(3, "f4")
        assert m.big(np.float64([1, 2, 3]), 2.0, out=(narrow,)) is narrow
        same(narrow, np.float32([2, 2, 3]))
        field = np.zeros(3, [("tag", "i1"), ("value", "f8")])  # steps that are no whole elements
        field["value"] = [1, 2, 3]
        same(m.big(field["value"], 2.0), np.float64([2, 2, 3]))
        m.big(1.5, field["value"], out=field["value"])
        same(field["value"], np.float64([1.5, 2, 3]))
        with pytest.raises(TypeError, match="same_kind"):
            m.big(np.zeros(2), 1.0, out=np.zeros(2, int))
        with pytest.raises(ValueError, match="shape"):
            m.big(np.zeros((2, 2)), 1.0, out=np.zeros(2))

    in_wrapper(check)


class CuPyArray:
    """As cupy.ndarray, where the emulation has its device memory: on the host."""

    def __init__(self, x):
        self.x, self.dtype, self.shape, self.strides, self.ndim = x, x.dtype, x.shape, x.strides, x.ndim
        self.data = types.SimpleNamespace(ptr=x.__array_interface__["data"][0])
        self._c_contiguous = x.flags.c_contiguous

    @property
    def __cuda_array_interface__(self):
        return dict(self.x.__array_interface__)

    def copy(self, order="C"):
        return CuPyArray(self.x.copy(order=order))


CuPyArray.__module__ = "cupy"


@pytest.mark.skipif(harness.has_gpu(), reason="the arrays are on the host")
def test_calls_of_one_layout_are_planned_once(in_wrapper):
    def check(m):
        if m.saxpy._arrays.__name__ == "_HostArrays":
            return
        cupy = types.ModuleType("cupy")
        cupy.cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=0))
        sys.modules["cupy"] = cupy
        rng = np.random.default_rng(4)
        m.saxpy(1.0, *(CuPyArray(np.ones(1, "f4")) for _ in range(2)), out=CuPyArray(np.ones(1, "f4")))  # the first of its kind
        layouts = [lambda a, b, c: (a, b, c), lambda a, b, c: (a[:, ::-1], b[:1], c), lambda a, b, c: (a[:3, :1], b[::2], c[::-2])]
        for layout in layouts:
            for call in range(4):  # planned by the first, each with its own memory
                x, y, out = layout(*(rng.random((6, 600), dtype=np.float32) for _ in range(3)))
                made = CuPyArray(out)
                assert m.saxpy(1.5, CuPyArray(x), CuPyArray(y), out=made) is made
                np.testing.assert_allclose(out, np.float32(1.5) * x + y, rtol=1e-6)
        assert len(m.saxpy._plans) == 3
        x = np.arange(8, dtype=np.float32)  # by an earlier plan it would be refused
        for begin in (0, 3, 7):
            a = np.zeros(20, np.float32)
            a[:8] = x
            m.saxpy(2.0, CuPyArray(a[:8]), CuPyArray(np.ones(8, "f4")), out=CuPyArray(a[begin:begin + 8]))
            same(a[begin:begin + 8], 2 * x + 1)

    in_wrapper(check)


@pytest.mark.skipif(not harness.has_gpu(), reason="needs a GPU")
@pytest.mark.parametrize("library", ("cupy", "torch"))
def test_arrays_on_the_device(in_wrapper, library):
    def check(m):
        if m.saxpy._arrays.__name__ == "_HostArrays":
            return
        of = __import__(library)
        put = (lambda x: of.from_numpy(x).cuda()) if library == "torch" else of.asarray
        get = (lambda x: x.cpu().numpy()) if library == "torch" else of.asnumpy
        rng = np.random.default_rng(5)
        x, y = (rng.random((6, 500), dtype=np.float32) for _ in range(2))
        for _ in range(3):  # the plan of the first call serves the others
            out = put(np.zeros((6, 500), np.float32))
            assert m.saxpy(1.5, put(x), put(y[:1]), out=out) is out
            np.testing.assert_allclose(get(out), np.float32(1.5) * x + y[:1], rtol=1e-6)
        same(get(m.big(put(x), put(y))), np.maximum(x, y))
        same(get(m.big(put(x), put(y.astype("f8")))), np.maximum(x, y.astype("f8")))
        same(get(m.big.reduce(put(x), 1)), x.max(1))
        with pytest.raises(TypeError, match="no signature to which"):
            m.saxpy(put(x.astype("f8")), put(x), put(y))

    if not importlib.util.find_spec(library):  # it is for the child to import: it may use OpenMP
        pytest.skip(f"{library} is not here")
    in_wrapper(check)


def test_methods(in_wrapper):
    def check(m):
        rng = np.random.default_rng(2)
        a = rng.normal(size=(6, 7, 8))
        for axis in (0, 1, 2, -1):
            same(m.big.reduce(a, axis), np.maximum.reduce(a, axis))
            same(m.big.reduce(a[:, ::-2].T, axis, keepdims=True), np.maximum.reduce(a[:, ::-2].T, axis, keepdims=True))
            same(m.big.accumulate(a, axis), np.maximum.accumulate(a, axis))
        same(m.big.reduce(a[:, :1], 1), a[:, 0])
        same(m.big.reduce(a, initial=1.0), np.maximum.reduce(a, initial=1.0))
        same(m.big.outer(a[0, 0], a[1, :, 0]), np.maximum.outer(a[0, 0], a[1, :, 0]))
        n = rng.integers(-9, 9, (3, 4, 5))
        same(m.plus.reduce(n, (0, 2)), n.sum((0, 2)))
        same(m.plus.reduce(n, None), n.sum())
        same(m.plus.reduce(np.zeros((0, 3), int)), np.zeros(3, int))
        for axis in (0, -1, None):  # of a number
            same(m.big.reduce(np.array(2.5), axis, keepdims=True), np.maximum.reduce(np.array(2.5), axis, keepdims=True))
            same(m.plus.reduce(4, axis, initial=3), np.add.reduce(4, axis, initial=3))
        got, want, where = np.zeros(5), np.zeros(5), rng.integers(0, 5, 40)
        m.big.at(got, where, a.ravel()[:40])
        np.maximum.at(want, where, a.ravel()[:40])
        same(got, want)
        with pytest.raises(ValueError, match="not reorderable"):
            m.big.reduce(a, None)
        with pytest.raises(ValueError, match="no identity"):
            m.big.reduce(np.zeros(0))
        with pytest.raises(ValueError, match="binary"):
            m.saxpy.reduce(np.zeros(3, "f4"))
        assert (m.big.nin, m.big.nout, m.big.__doc__, m.plus.identity) == (2, 1, "The larger one.", 0)
        assert m.__all__[:8] == ["big", "saxpy", "vmult", "is_odd", "plus", "product", "power_sum", "shifted"]

    in_wrapper(check)


def test_general_ufuncs(in_wrapper):
    def check(m):
        rng = np.random.default_rng(3)
        a, b = rng.normal(size=(4, 1, 3, 5)), rng.normal(size=(2, 5, 2))
        np.testing.assert_allclose(m.product(a, b), a @ b)
        np.testing.assert_allclose(m.product(a[0, 0], b[0]), a[0, 0] @ b[0])
        np.testing.assert_allclose(m.product(a[..., ::-1], b), a[..., ::-1] @ b)
        out = np.zeros((2, 3, 2, 4)).transpose(3, 0, 1, 2)
        assert m.product(a, b, out=out) is out
        np.testing.assert_allclose(out, a @ b)
        same(m.product(np.zeros((0, 3, 5)), b[0]), np.zeros((0, 3, 2)))
        q = np.arange(12).reshape(3, 4)
        same(m.power_sum(q, 2), q.sum(1) * 2.0)
        same(m.power_sum(q[0], 2.0), np.float64(12))
        moved, total = m.shifted(q, np.array([1, 2, 3]))
        same(moved, q + np.array([[1], [2], [3]]))
        same(total, q.sum(1))
        cube = rng.normal(size=(3, 4, 5))
        for axis in (0, 1, -1, -3):
            same(m.power_sum(cube, 2.0, axis=axis), m.power_sum(np.ascontiguousarray(np.moveaxis(cube, axis, -1)), 2.0))
        moved, total = m.shifted(q, np.array([1, 2, 3, 4]), axis=0)
        same(moved, q + np.array([1, 2, 3, 4]))
        same(total, q.sum(0))
        place = np.zeros((3, 4), int)
        assert m.shifted(q, 1, out=(place, None), axis=0)[0] is place
        same(place, q + 1)
        with pytest.raises(np.exceptions.AxisError):
            m.power_sum(cube, 2.0, axis=3)
        with pytest.raises(TypeError, match="single shared core dimension, not with the 3 distinct ones"):
            m.product(a, b, axis=0)
        with pytest.raises(ValueError, match="mismatch in its core dimension `n`"):
            m.product(a, a)
        with pytest.raises(ValueError, match="does not have enough dimensions"):
            m.product(a, 1.0)

    in_wrapper(check)


def test_masks_and_types_of_results(in_wrapper):
    def check(m):
        rng = np.random.default_rng(5)
        a, b = rng.normal(size=(4, 5)), rng.normal(size=5)
        mask = rng.random((4, 5)) > 0.5
        for where in (mask, mask[0], mask[:, :1], True, False):
            out = np.full((4, 5), 9.0)
            assert m.big(a, b, out=out, where=where) is out
            same(out, np.maximum(a, b, out=np.full((4, 5), 9.0), where=where))
        same(m.big(a, 0.5, where=mask)[mask], np.maximum(a, 0.5)[mask])
        narrow = np.zeros(3, "f4")
        m.big(np.float64([1, 2, 3]), 2.0, out=narrow, where=[True, False, True])
        same(narrow, np.float32([2, 0, 3]))
        x = np.arange(6)
        m.plus(x[1:], x[:-1], out=x[1:], where=x[1:] % 2 == 0)
        same(x, [0, 1, 3, 3, 7, 5])
        same(m.big(np.float64([1, 2]), 1.5, dtype="f4"), np.float32([1.5, 2]))
        same(m.big(np.int32([1, 2]), 1, dtype=np.int64), np.int64([1, 2]))
        same(m.big(a, b, casting="same_kind", order="K"), np.maximum(a, b))
        with pytest.raises(TypeError, match="signature whose result is int8"):
            m.big(1, 2, dtype="i1")
        with pytest.raises(TypeError, match="bool"):
            m.big(a, b, where=a)
        with pytest.raises(NotImplementedError, match="casting"):
            m.big(a, b, casting="unsafe")
        with pytest.raises(TypeError, match="unexpected keyword"):
            m.big(a, b, wehre=mask)
        n = rng.integers(0, 9, (4, 5))
        same(m.plus.reduce(n, where=mask), np.add.reduce(n, where=mask))
        same(m.plus.reduce(n, axis=1, keepdims=True, initial=3, where=mask), np.add.reduce(n, axis=1, keepdims=True, initial=3, where=mask))
        same(m.big.reduce(a, axis=1, initial=-1.0, where=mask), np.maximum.reduce(a, axis=1, initial=-1.0, where=mask))
        with pytest.raises(ValueError, match="identity"):
            m.big.reduce(a, where=mask)

    in_wrapper(check)


def test_reduceat(in_wrapper):
    def check(m):
        rng = np.random.default_rng(6)
        n, a = rng.integers(0, 99, 12), rng.normal(size=(3, 8))
        for places in ([0, 3, 5], [4, 2, 2, 11], [], [11]):
            same(m.plus.reduceat(n, places), np.add.reduceat(n, np.array(places, int)))
        same(m.big.reduceat(a, [0, 2, 2, 5], axis=1), np.maximum.reduceat(a, [0, 2, 2, 5], axis=1))
        same(m.big.reduceat(a, [0, 2]), np.maximum.reduceat(a, [0, 2]))
        out = np.zeros(2, int)
        assert m.plus.reduceat(n[::-1], [1, 4], out=out) is out
        same(out, np.add.reduceat(n[::-1], [1, 4]))
        with pytest.raises(IndexError, match="index 12 out-of-bounds in plus.reduceat"):
            m.plus.reduceat(n, [0, 12])

    in_wrapper(check)
