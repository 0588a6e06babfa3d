"""Arrays of the caller that begin anywhere in device memory: vectors only where all of them begin where vectors may."""
from pathlib import Path

import numpy as np
import pytest

import harness

PROGRAM = Path(__file__).with_name("kernels_vectors.py")
FUNCTIONS = ("signed_bytes", "least", "in_steps", "columns", "offsets", "flags", "numbers")
CHECKED = [t for t in harness.targets() if t.emulated]


class Shifted:
    """An array in device memory, some elements behind the beginning of an allocation."""

    def __init__(self, wrapper, host, by):
        self.library, self.host = wrapper._c or wrapper._load(), host
        self.memory = self.library.device_alloc(host.nbytes + 64)
        self.address = self.memory + by * host.itemsize
        assert self.library.copy_to_device(self.address, host.ctypes.data, host.nbytes) == 0
        self.__cuda_array_interface__ = {"shape": host.shape, "typestr": host.dtype.str, "data": (self.address, False),
                                         "strides": None, "version": 3}

    def get(self):
        result = np.empty_like(self.host)
        assert self.library.copy_to_host(result.ctypes.data, self.address, result.nbytes) == 0
        return result


@pytest.mark.parametrize("target", [pytest.param(t, id=t.name, marks=pytest.mark.xdist_group(f"vectors-{t.name}")) for t in CHECKED])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_arrays_that_begin_anywhere(function, target, tmp_path):
    folder, error = harness.build(PROGRAM, target)
    assert folder, error

    def work():
        wrapper = harness.load_wrapper(folder, PROGRAM)
        for size in (16, 64, 129):
            given = harness.inputs_of(PROGRAM, function, size)
            want = harness.expected(PROGRAM, function, size)
            for by in (0, 1, 2, 3):
                # All of them, and only the last one, begin elsewhere.
                for first in (0, len(given) - 1):
                    arrays = [Shifted(wrapper, x, by if n >= first else 0) if isinstance(x, np.ndarray) else x
                              for n, x in enumerate(given)]
                    getattr(wrapper, function)(*arrays)
                    after = [x.get() if isinstance(x, Shifted) else x for x in arrays]
                    for n, x in enumerate(want.arguments):
                        harness.assert_same(after[n], x, f"argument {n} of {function} at {by}")
        yield "done"

    with open(tmp_path / "log", "w+", encoding="utf-8") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert items == ["done"], f"status {status}\n{log.read()}"
