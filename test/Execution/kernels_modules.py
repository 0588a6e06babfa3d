"""Functions and constants of modules: of files beside this one, of a package, of Python inside functions."""
from __future__ import annotations

import numpy as np
import shared_functions
import shared_functions as shared
import shared_package.thirds
from shared_functions import TABLE, root as square_root, scaled
from shared_package import *

TARGETS = ("cpu",)
SIZES = (1, 2, 7)
SCALE = 100.0
exp = np.exp


def functions_of_modules(a: f64[N], x: float):
    return scaled(a), shared.scaled(a, by=SCALE), square_root(x) + shared_functions.root(x), exp(a)


def constants_of_modules(a: f64[N], k: int):
    return a * SCALE + shared.SCALE, TABLE[k] + shared.TABLE[0] * a, shared.SHIFT + shared_functions.exp


def packages(a: f64[N], x: float):
    return third(a) + shared_package.thirds.third(x), shared_package.thirds.constants.OFFSET


def imports_inside(a: f64[N], x: float):
    from math import sqrt
    import numpy.linalg
    from shared_functions import scaled as f, SCALE
    import shared_package.thirds as thirds
    return sqrt(x) + f(x), numpy.linalg.norm(a), thirds.third(a), SCALE


def checks_of_modules(a: f64[N]):
    return shared.checked(a) * 2.0


def make_inputs(size, rng):
    return rng.random(size), float(rng.random())


def inputs_constants_of_modules(size, rng):
    return rng.random(size), size % 6


def inputs_checks_of_modules(size, rng):
    return (rng.random(size),)
