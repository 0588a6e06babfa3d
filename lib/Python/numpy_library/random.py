"""np.random: what gives a generator its bits."""
import numpy as np

from . import distributions, generator, mixtures
from ._bits import _as_word, _pcg_step, _seeded, _sum128


class _Made:
    """What the compiler has for np.random's objects: their functions take the state."""

    def __init__(self, name, state):
        self.name = name
        self.state = state

    def __getattr__(self, name):
        if self.name == "RandomState":
            from . import legacy

            return lambda *given, **named: getattr(legacy, name)(self.state, *given, **named)
        module = next(m for m in (generator, distributions, mixtures) if hasattr(m, name))
        return lambda *given, **named: getattr(module, name)(self.state, *given, **named)


def _bit_generator(name, state):
    return _Made(name, state)


def _generator(bit_generator):
    return bit_generator


def _philox_state(seed):
    words = _seeded(seed, 2)
    state = np.zeros(5, np.uint64)
    state[0] = words[0]
    state[1] = words[1]
    return state


def Philox(seed=None, counter=None, key=None):
    if counter is not None:
        raise NotImplementedError("`counter=` of `np.random.Philox` is not translated")
    if key is not None and seed is not None:
        raise ValueError("seed and key cannot be both used")
    if key is None:
        return _bit_generator("Philox", _philox_state(seed))
    state = np.zeros(5, np.uint64)
    state[0] = _as_word(key)
    return _bit_generator("Philox", state)


def _pcg_state(seed):
    words = _seeded(seed, 4)
    state = np.zeros(6, np.uint64)
    state[2] = (words[2] << 1) | (words[3] >> 63)
    state[3] = (words[3] << 1) | 1
    high, low = _sum128(state[2], state[3], words[0], words[1])
    high, low = _pcg_step(high, low, state[2], state[3])
    state[0] = high
    state[1] = low
    return state


def PCG64(seed=None):
    return _bit_generator("PCG64", _pcg_state(seed))


def Generator(bit_generator):
    return _generator(bit_generator)


def RandomState(seed=None):
    return _bit_generator("RandomState", _philox_state(seed))


def default_rng(seed=None):
    return _generator(_bit_generator("PCG64", _pcg_state(seed)))
