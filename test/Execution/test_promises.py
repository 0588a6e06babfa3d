"""What an annotation promises and a call breaks raises ValueError; the arrays stay as they were."""
import functools
import tempfile

import numpy as np
import pytest

import harness

PROGRAM = harness.ROOT / "test/Execution/promises_appy.py"
SHAPES = {  # kept, broken
    "at_most": ((70, 64), (3, 65)),
    "single_block": ((70, 64), (3, 65)),
    "reduced": ((70, 64), (3, 65)),
    "in_a_loop": ((64, 70), (65, 70)),
    "square": ((5, 5), (5, 6)),
}


@functools.cache
def outcomes(target):
    """What each call on ones did: {(function, kept): Outcome}."""
    folder, error = harness.build(PROGRAM, target)
    assert folder, error

    def work():
        wrapper = harness.load_wrapper(folder, PROGRAM)
        for function, shapes in SHAPES.items():
            for kept, shape in zip((True, False), shapes):
                a = np.ones(shape)
                try:
                    getattr(wrapper, function)(a)
                    raised = ""
                except Exception as exception:
                    raised = type(exception).__name__
                yield (function, kept), (raised, bool((a == 1.0).all()))

    with tempfile.TemporaryFile("w+") as log:
        items, status = harness.in_child(work, log)
    assert status == 0
    return dict(items)


@pytest.mark.parametrize("target", harness.targets(), ids=lambda target: target.name)
@pytest.mark.parametrize("function", SHAPES)
def test_promise(target, function):
    assert outcomes(target)[function, True] == ("", False)
    assert outcomes(target)[function, False] == ("ValueError", True)
