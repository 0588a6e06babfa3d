"""The arrays and scalars that a random function has at hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from expressions import Ex

FAMILY = {"i": "int", "u": "int", "f": "float", "c": "complex", "b": "bool"}


@dataclass
class Array:
    name: str
    dtype: np.dtype
    shape: tuple
    writable: bool = True
    exact: bool = True
    view_of: str = ""  # the array whose memory it shares
    given: bool = False  # a parameter
    written: bool = False

    @property
    def family(self):
        return FAMILY[self.dtype.kind]


@dataclass
class Scalar:
    name: str
    sample: object
    exact: bool = True
    small: bool = False  # a count, not for arithmetic
    made: bool = False  # a result
    high: int = 0

    @property
    def family(self):
        return FAMILY[np.asarray(self.sample).dtype.kind]

    def ex(self):
        return Ex(self.name, self.sample, (), self.exact, 0, self.high, atom=True)
