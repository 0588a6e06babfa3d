"""A check that fails when it runs names the line, the arrays and the numbers at hand."""
import functools
import tempfile

import numpy as np
import pytest

import harness

PROGRAM = harness.ROOT / "test/Execution/messages_numpy.py"


def zeros(*shape):
    return np.zeros(shape)


CASES = {
    "product": ((zeros(4, 3), zeros(2, 5)), ValueError,
                "line 8: the inner sizes of a matrix product must be equal: `a` (4, 3) and `b` (2, 5)"),
    "product_of_parts": ((zeros(4, 3), zeros(2, 5)), ValueError,
                         "line 12: the inner sizes of a matrix product must be equal: `a[...]` (3, 3) and `b` (2, 5)"),
    "negative": ((-3,), ValueError, "line 16: negative dimensions are not allowed: -3"),
    "largest": ((zeros(2, 0),), ValueError,
                "line 20: zero-size array to reduction operation maximum which has no identity: `a` (2, 0)"),
    "where_largest": ((zeros(0),), ValueError, "line 24: attempt to get argmax of an empty sequence: `a` (0,)"),
    "stored": ((zeros(4, 3), zeros(3)), ValueError,
               "line 28: could not broadcast input array of shape (3,) into `a[...]` (3, 2)"),
    "selected": ((zeros(4), np.ones(3, bool)), IndexError,
                 "line 32: boolean index of shape (3,) did not match `a` (4,)"),
    "no_step": ((zeros(4), 0), ValueError, "line 36: range() arg 3 must not be zero"),
    "promised": ((zeros(4, 5),), ValueError, "line 43: `:M` has more than the 4 elements promised: 5"),
    "of_two_sizes": ((zeros(4), zeros(3), 1), NotImplementedError,
                     "line 47: the two paths give arrays of different sizes: 3 and 4"),
    "whose_zero": ((3, 1), NotImplementedError,
                   "line 56: Python's number raises here and NumPy's does not, and the path decides which it is; convert it"),
    "many": ((2 ** 63,), NotImplementedError, "line 60: integers past 63 bits are not translated"),
    "as_python": ((2 ** 63,), NotImplementedError, "line 66: integers past 63 bits are not translated"),
    "beside_nothing": ((np.zeros(0, int), np.int32(1)), NotImplementedError,
                       "line 70: NumPy makes an array of float64 of an empty list"),
}


@functools.cache
def raised(target):
    """What each call raises: {function: (type, text)}."""
    folder, error = harness.build(PROGRAM, target)
    assert folder, error

    def work():
        wrapper = harness.load_wrapper(folder, PROGRAM)
        for function, (arguments, *_) in CASES.items():
            try:
                getattr(wrapper, function)(*arguments)
                yield function, None
            except Exception as exception:
                yield function, (type(exception).__name__, str(exception))

    with tempfile.TemporaryFile("w+") as log:
        items, status = harness.in_child(work, log)
    assert status == 0
    return dict(items)


@pytest.mark.parametrize("target", harness.targets(), ids=lambda target: target.name)
def test_messages(target):
    want = {function: (exception.__name__, text) for function, (_, exception, text) in CASES.items()}
    assert raised(target) == want
