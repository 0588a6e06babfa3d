"""--check-races finds the first race of the program's order, and nothing where there is none."""
import copy
import functools
import tempfile

import numpy as np
import pytest

import harness
import races

PROGRAM = harness.ROOT / "test/Execution/kernels_races.py"
FUNCTIONS = harness.exported_functions(PROGRAM)
SIZES = (1, 2, 5, 12, 40)
RUNS = 12


def cases(function):
    module = harness.load_program(PROGRAM)
    for size in SIZES:
        for seed in range(RUNS):
            yield module.raced(function, size, np.random.default_rng((size, seed)))


@functools.cache
def outcomes(function, target):
    """What the compiled function did with each case: what it raised, or the arguments after the call."""
    folder, error = harness.build(PROGRAM, target)
    assert folder, error

    def work():
        wrapper = harness.load_wrapper(folder, PROGRAM)
        for arguments in cases(function):
            try:
                getattr(wrapper, function)(*arguments)
                yield None, arguments
            except RuntimeError as raised:
                yield str(raised), arguments

    with tempfile.TemporaryFile("w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    return items


@pytest.mark.parametrize("target", harness.targets(), ids=lambda target: target.name)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_races(function, target):
    found = 0
    for arguments, (raised, after) in zip(cases(function), outcomes(function, target)):
        want = copy.deepcopy(arguments)
        race = races.expected_race(getattr(harness.load_program(PROGRAM), function), want)
        assert raised == race
        found += race is not None
        if race is None:
            for got, expected in zip(after, want):
                harness.assert_same(got, expected, function)
    assert found > 0, "no case has a race"
