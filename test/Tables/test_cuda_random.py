"""What Numba 0.61 gives for numba.cuda.random, against the library's Python and what the tests' programs run with."""
import pathlib
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "lib/Python"), str(ROOT / "test/Execution/stand_ins")]

import cuda_random_stand_in  # noqa: E402
from numpy_library import numba_cuda_random  # noqa: E402

STATES = {  # seed, subsequence_start
    (1, 0): [(0x910a2dec89025cc1, 0x910a2dec89025cc1), (0x73c19a5348fc9098, 0x6c96c932f21d71ee), (0xb3d0cd6ddfa7a4c, 0xd3c2c33e9b8e707a)],
    (12345, 0): [(0x22118258a9d111a0, 0x22118258a9d111a0), (0xd8a63835fe531aa9, 0xbd3a063236ffaba5)],
    (-1, 5): [(0xa68edaefd9660b90, 0x307e464f0ffab733), (0xf204b909c3f97d21, 0xfcdd130ea90fc774)]}
DRAWN = {  # of the states of seed 1, one after the other
    "next": [2455688684692093314, 16165780290614723206, 16068790786133125830],
    "uniform_float32": [np.float32(0.3780597), np.float32(0.21028069), np.float32(0.45411518)],
    "uniform_float64": [0.23055169997131642, 0.41908126032728366, 0.8666136625394562],
    "normal_float32": [-0.03525954182645498, -0.2083137327780652, 0.35608325197570356],
    "normal_float64": [-0.47684343769733817, -1.7033355911810024, 0.6168423060772221]}
LAST = [(0x476229c94d41b14a, 0x320886746dba826c), (0xb8e6e904242abeac, 0x831b6ad5639b0e2c), (0x7a6dd69c69a29bdb, 0x6fbc6e3dcd53fe70)]


def words(states):
    return [tuple(int(word) for word in state) for state in states]


@pytest.fixture(params=[numba_cuda_random, cuda_random_stand_in], ids=["library", "stand_in"])
def module(request):
    with np.errstate(over="ignore"):
        yield request.param


@pytest.mark.parametrize("seed, start", STATES)
def test_states(module, seed, start):
    wanted = STATES[seed, start]
    assert words(module.create_xoroshiro128p_states(len(wanted), seed, start)) == wanted


def test_numbers(module):
    states = module.create_xoroshiro128p_states(3, 1)
    for name, wanted in DRAWN.items():
        drawn = [getattr(module, "xoroshiro128p_" + name)(states, k) for k in range(3)]
        if name.startswith("normal"):
            np.testing.assert_allclose(drawn, wanted, rtol=1e-5 if name.endswith("32") else 1e-6)
        else:
            assert drawn == wanted
    assert words(states) == LAST


def test_normal_numbers():
    """Kolmogorov and Smirnov's test, the mean and the deviation, of as many as CPython draws in a second."""
    from math import erf
    with np.errstate(over="ignore"):
        states = numba_cuda_random.create_xoroshiro128p_states(64, 7)
        drawn = np.sort([numba_cuda_random.xoroshiro128p_normal_float64(states, k % 64) for k in range(20000)])
    assert abs(drawn.mean()) < 4 / 141 and abs(drawn.std() - 1) < 4 / 200
    below = np.array([0.5 * (1 + erf(x / 2**0.5)) for x in drawn])
    assert np.abs(below - (np.arange(20000) + 0.5) / 20000).max() < 1.95 / 20000**0.5
