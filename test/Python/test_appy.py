"""The package appy under CPython."""
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/Python"))
import appy  # noqa: E402


def test_jit_with_and_without_options_returns_the_function():
    def double(x):
        return 2 * x

    assert appy.jit(double) is double
    assert appy.jit(auto_simd=True, tune={"B": (64, 128)})(double) is double


@pytest.mark.parametrize("index", [appy.vidx, appy.vindex, appy.step])
def test_vector_index_ends_at_its_bound(index):
    np.testing.assert_array_equal(index(2, 3), [2, 3, 4])
    np.testing.assert_array_equal(index(2, 3, 4), [2, 3])
    np.testing.assert_array_equal(index(2, 3, bound=100), [2, 3, 4])
    assert index(5, 3, bound=5).size == 0
    assert index(7, 3, bound=5).size == 0
    assert index(0, 1, bound=1).dtype == np.int64


def test_vector_index_takes_numpy_integers():
    starts = np.array([3, 9], dtype=np.uint32)
    np.testing.assert_array_equal(appy.vidx(starts[0], 128, starts[1]), np.arange(3, 9))


def test_masked_lanes_take_no_part():
    a = -np.arange(1.0, 11.0)
    lanes = appy.vidx(8, 4, bound=10)
    assert np.max(a[lanes]) == -9.0
    a[lanes] = 0.0
    np.testing.assert_array_equal(a[8:], [0.0, 0.0])


def test_a_negative_bound_leaves_nothing():
    a = np.ones(4)
    a[appy.vidx(0, 4, bound=-1)] = 7.0
    np.testing.assert_array_equal(a, np.ones(4))


def test_ranges_count_like_pythons():
    assert list(appy.prange(2, 9, 3)) == [2, 5, 8]
    assert list(appy.range(3, parallel=True, simd=True)) == [0, 1, 2]


def test_atomic_updates_return_the_old_value():
    a = np.array([1, 5])
    assert appy.atomic_add(a, 0, 4) == 1
    assert appy.atomic_sub(a, 0, 1) == 5
    assert appy.atomic_max(a, 1, 9) == 5
    assert appy.atomic_min(a, 1, 2) == 9
    np.testing.assert_array_equal(a, [4, 2])
    bits = np.array([0b0110], dtype=np.uint32)
    appy.atomic_and(bits, 0, np.uint32(0b0011))
    appy.atomic_or(bits, 0, np.uint32(0b1000))
    appy.atomic_xor(bits, 0, np.uint32(0b1111))
    assert bits[0] == 0b0101


def test_atomic_updates_count_repeated_indices():
    a = np.zeros(3)
    appy.atomic_add(a, np.array([0, 2, 0]), 1.0)
    np.testing.assert_array_equal(a, [2.0, 0.0, 1.0])


def test_numpys_functions_keep_their_meaning():
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert appy.sum(a) == 10.0
    np.testing.assert_array_equal(appy.max(a, axis=0), [3.0, 4.0])
    np.testing.assert_array_equal(appy.mv(a, np.ones(2)), [3.0, 7.0])
    np.testing.assert_array_equal(appy.flip(a[0, :2]), [2.0, 1.0])
    np.testing.assert_array_equal(appy.where(a > 2.0, a, 0.0), [[0.0, 0.0], [3.0, 4.0]])


def test_everything_listed_exists():
    for name in appy.__all__:
        assert hasattr(appy, name), name
    assert appy.MVL == 128
    appy.debug_barrier()
