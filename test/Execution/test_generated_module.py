"""The generated Python module: what it accepts, whatever the memory layout, and what it says of wrong arguments."""
import importlib
import inspect
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import numpy as np
import pytest

import harness

# JAX would take most of the memory of a GPU that the other processes use, too.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

PROGRAM = Path(__file__).with_name("wrapper_program.py")


def targets():
    chosen = [t for t in harness.targets() if not t.check]
    return [pytest.param(t, id=t.name, marks=pytest.mark.xdist_group(f"module-{t.name}")) for t in chosen]


@pytest.fixture(params=targets())
def in_wrapper(request):
    """Runs a function of the generated module in a child process; fails as its assertions do."""
    folder, error = harness.build(PROGRAM, request.param)
    assert folder, error

    def run(check):
        harness.check_in_child(folder, PROGRAM, check)

    run.target = request.param
    return run


def layouts(m):
    """The same values in every kind of memory layout."""
    wide = np.zeros((m.shape[0] * 2, m.shape[1] * 3))
    wide[::2, ::3] = m
    backwards = np.ascontiguousarray(m[::-1, ::-1])
    return {"C": m.copy(), "F": np.asfortranarray(m), "strided": wide[::2, ::3], "negative": backwards[::-1, ::-1],
            "transposed": np.ascontiguousarray(m.T).T}


def test_numbers_of_the_file_outlive_the_call(in_wrapper):
    """What `global` binds stays for the next call, of another function too; a whole number that becomes a float is one."""
    def check(wrapper):
        given = [wrapper.remember(x) for x in (0.5, 2.5, 1.0)]
        assert given == [(1, 0.5), (2, 2.5), (3, 2.5)]
        assert wrapper.start_again(2) == 2
        assert wrapper.remember(0.0) == (1, 2.5)
        assert list(inspect.signature(wrapper.remember).parameters)[:1] == ["x"]
    in_wrapper(check)


def test_every_layout_is_right_and_updated(in_wrapper):
    def check(wrapper):
        m, s = np.random.default_rng(0).random((5, 7)), np.arange(5.0)
        for name, given in layouts(m).items():
            sums = wrapper.scale_rows(given, s)
            np.testing.assert_allclose(given, m * s[:, None], err_msg=name)
            np.testing.assert_allclose(sums, (m * s[:, None]).sum(axis=1), err_msg=name)

    in_wrapper(check)


def test_elements_between_the_strides_are_kept(in_wrapper):
    def check(wrapper):
        base = np.arange(20.0)
        wrapper.add_into(base[::2], np.ones(10), 5)
        expected = np.arange(20.0)
        expected[::2] += 5
        np.testing.assert_array_equal(base, expected)

    in_wrapper(check)


def test_the_same_array_twice(in_wrapper):
    def check(wrapper):
        a = np.arange(1000.0)
        assert wrapper.read_both(a, a) == np.sum(a * a)
        assert wrapper.read_both(a[1:], a[:-1]) == np.sum(a[1:] * a[:-1])

    in_wrapper(check)


def test_overlap_with_a_written_array_is_right_or_refused(in_wrapper):
    def check(wrapper):
        base, expected = np.arange(100.0), np.arange(100.0)
        expected[1:] += 2 * expected[:-1].copy()
        try:
            wrapper.add_into(base[1:], base[:-1], 2)
        except ValueError as error:
            assert "target" in str(error) and "`a`" in str(error)
        else:
            np.testing.assert_array_equal(base, expected)

    in_wrapper(check)


def test_signature_and_docstring(in_wrapper):
    def check(wrapper):
        parameters = list(inspect.signature(wrapper.scale_rows).parameters)
        assert parameters[:2] == ["m", "s"] and parameters[2:] in ([], ["stream"])
        assert "Scales each row; returns the rows' sums." in wrapper.scale_rows.__doc__
        wrapper.add_into(a=np.ones(3), n=1, target=np.ones(3))

    in_wrapper(check)


WRONG = {
    "dtype": (lambda w: w.scale_rows(np.zeros((2, 2), np.float32), np.zeros(2)), TypeError, "`m`"),
    "rank": (lambda w: w.scale_rows(np.zeros(4), np.zeros(2)), ValueError, "`m`"),
    "size": (lambda w: w.scale_rows(np.zeros((2, 2)), np.zeros(3)), ValueError, "`s`"),
    "list": (lambda w: w.scale_rows([[1.0]], np.zeros(1)), TypeError, "`m`"),
    "none": (lambda w: w.scale_rows(None, np.zeros(1)), TypeError, "`m`"),
    "float for an integer": (lambda w: w.add_into(np.zeros(2), np.zeros(2), 1.5), TypeError, "`n`"),
    "too large": (lambda w: w.add_into(np.zeros(2), np.zeros(2), 2**63), OverflowError, "`n`"),
    "byte order": (lambda w: w.add_into(np.zeros(2), np.zeros(2, ">f8"), 1), TypeError, "`a`"),
    "missing": (lambda w: w.add_into(np.zeros(2), np.zeros(2)), TypeError, "n"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_are_named(in_wrapper, case):
    call, exception, name = WRONG[case]

    def check(wrapper):
        with pytest.raises(exception) as raised:
            call(wrapper)
        assert name in str(raised.value)

    in_wrapper(check)


def test_a_written_array_must_be_writable(in_wrapper):
    def check(wrapper):
        target, a = np.zeros(3), np.ones(3)
        a.flags.writeable = False
        wrapper.add_into(target, a, 1)  # only read
        target.flags.writeable = False
        with pytest.raises(ValueError, match="`target`"):
            wrapper.add_into(target, a, 1)
        np.testing.assert_array_equal(target, np.ones(3))

    in_wrapper(check)


# --- arrays in device memory


class DeviceArray:
    """An array in device memory that shows nothing but `__cuda_array_interface__`."""

    def __init__(self, wrapper, host, strides=None):
        library = wrapper._c or wrapper._load()
        self.library, self.host = library, host
        self.address = library.device_alloc(max(host.nbytes, 1))
        assert library.copy_to_device(self.address, host.ctypes.data, host.nbytes) == 0
        self.__cuda_array_interface__ = {"shape": host.shape, "typestr": host.dtype.str, "data": (self.address, False),
                                         "strides": strides, "version": 3}

    def get(self):
        result = np.empty_like(self.host)
        assert self.library.copy_to_host(result.ctypes.data, self.address, result.nbytes) == 0
        return result


def on_device(check):
    def check_if_cuda(wrapper):
        if hasattr(wrapper, "_workspace"):  # the cpu target has no device
            check(wrapper)

    return check_if_cuda


def test_device_arrays_are_used_in_place(in_wrapper):
    def check(wrapper):
        target, a = DeviceArray(wrapper, np.arange(1000.0)), DeviceArray(wrapper, np.ones(1000))
        wrapper.add_into(target, a, 3)
        np.testing.assert_array_equal(target.get(), np.arange(1000.0) + 3)
        assert wrapper.read_both(a, a) == 1000.0

    in_wrapper(on_device(check))


def test_calls_with_the_same_arrays_again(in_wrapper):
    """Launches in a row are recorded at the second call with the same arrays; of 20 calls' arrays some are given up. The
    library is asked how large a workspace is where sizes have changed."""
    def check(wrapper):
        rng = np.random.default_rng(0)
        matrices = [DeviceArray(wrapper, rng.random((5, 7))) for _ in range(20)]
        columns = DeviceArray(wrapper, np.zeros(7))
        asked, workspace = [], wrapper._c.spread_workspace
        wrapper._c.spread_workspace = lambda *sizes: asked.append(sizes) or workspace(*sizes)
        with pytest.raises(ValueError, match="negative dimensions"):
            wrapper.spread(matrices[0], columns, -1)
        np.testing.assert_array_equal(matrices[0].get(), matrices[0].host)
        usual = [(k, 2 + k // 10) for k in [*3 * [0], *2 * list(range(20)), *3 * [0, 19]]]
        for k, n in [*usual, (0, 3), (0, 3), (0, 2)]:
            m = matrices[k].get()
            wrapper.spread(matrices[k], columns, n)
            want = m / m.sum() + m.sum(axis=1)[:, None] / n
            np.testing.assert_allclose(matrices[k].get(), want)
            np.testing.assert_allclose(columns.get(), want.sum(axis=0))
        assert [sizes[-1] for sizes in asked] == [-1, 2, 3, 2, 3, *3 * [2, 3], 2]

    in_wrapper(on_device(check))


def test_device_arrays_of_other_dtypes_and_layouts_are_refused(in_wrapper):
    def check(wrapper):
        target = DeviceArray(wrapper, np.arange(10.0))
        with pytest.raises(TypeError, match="`a`"):
            wrapper.add_into(target, DeviceArray(wrapper, np.ones(10, np.float32)), 1)
        with pytest.raises(ValueError, match="`a`"):
            wrapper.add_into(target, DeviceArray(wrapper, np.ones(10), strides=(16,)), 1)

    in_wrapper(on_device(check))


def cupy_arrays(module):
    return module.asarray, module.asnumpy, module.ndarray


def torch_arrays(module):
    return lambda a: module.as_tensor(a, device="cuda"), lambda t: t.cpu().numpy(), module.Tensor


def jax_arrays(module):
    module.config.update("jax_enable_x64", True)
    return module.device_put, np.asarray, module.Array


def numba_arrays(_):
    sys.path[:] = real_paths()
    for name in [m for m in sys.modules if m.split(".")[0] == "numba"]:
        del sys.modules[name]  # the stand-in's
    cuda = importlib.import_module("numba.cuda")
    return cuda.to_device, lambda a: a.copy_to_host(), type(cuda.to_device(np.zeros(1)))


PRODUCERS = {"cupy": cupy_arrays, "torch": torch_arrays, "jax": jax_arrays, "numba": numba_arrays}


def real_paths():
    """Without the stand-ins for packages: here the packages themselves are meant."""
    return [p for p in sys.path if p != str(harness.STAND_INS)]


def need(in_wrapper, library):
    if in_wrapper.target.name != "cuda" or PathFinder.find_spec(library, real_paths()) is None:
        pytest.skip(f"needs a GPU and {library}")


@pytest.fixture(params=PRODUCERS)
def producer(in_wrapper, request):
    """(to the device, from the device, type) of a library, made in the child: CUDA does not survive a fork."""
    need(in_wrapper, request.param)
    return lambda: PRODUCERS[request.param](importlib.import_module(request.param))


def test_arrays_of_other_libraries(in_wrapper, producer):
    """Read in place; a result is of the caller's kind, or says how to ask for another."""
    def check(wrapper):
        to_device, to_host, kind = producer()
        m, s = np.random.default_rng(0).random((5, 7)), np.arange(1.0, 6.0)
        a = to_device(np.arange(1000.0))
        assert wrapper.read_both(a, a) == (np.arange(1000.0) ** 2).sum()
        if kind.__module__.startswith("jax"):
            return  # its arrays are constants
        on_device = to_device(m)
        sums = wrapper.scale_rows(on_device, to_device(s))
        assert isinstance(sums, kind), type(sums)
        np.testing.assert_allclose(to_host(sums), (m * s[:, None]).sum(axis=1))
        np.testing.assert_allclose(to_host(on_device), m * s[:, None])

    in_wrapper(on_device(check))


def test_constant_arrays_are_not_written(in_wrapper, producer):
    def check(wrapper):
        to_device, to_host, kind = producer()
        target = to_device(np.zeros(3))
        if kind.__module__.startswith("jax"):
            with pytest.raises(ValueError, match="`target`"):
                wrapper.add_into(target, target + 1, 1)
            np.testing.assert_array_equal(to_host(target), np.zeros(3))

    in_wrapper(on_device(check))


def test_the_producers_stream_is_used(in_wrapper):
    """A kernel of PyTorch that runs long, then ours on the same stream, then a copy: in that order."""
    need(in_wrapper, "torch")

    def check(wrapper):
        torch = importlib.import_module("torch")
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(20):
                a = torch.zeros(1 << 20, dtype=torch.float64, device="cuda")
                target = torch.zeros(1 << 20, dtype=torch.float64, device="cuda")
                torch.cuda._sleep(2_000_000)
                a += 1
                wrapper.add_into(target, a, 3)
                copy = target.clone()
                assert (copy == 3).all().item()

    in_wrapper(on_device(check))
