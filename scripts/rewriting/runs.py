"""Runs of kernels under CPython: inputs by their types, what their names were, whether a rewrite computes the same."""
from __future__ import annotations

import copy
import signal
import sys
import warnings
from contextlib import contextmanager

import numpy as np

from .kernel import NotApplicable

ATTEMPTS = ({}, {"equal": 6}, {"equal": 9, "scalar": 4}, {"scalar": 1}, {"equal": 40, "scalar": 6})
SECONDS = 4


class TooLong(Exception):
    pass


@contextmanager
def time_limit(seconds):
    def stop(*_):
        raise TooLong(f"more than {seconds} s")
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


class Inputs:
    """Arguments for a kernel by the types of its parameters, the same each time for one seed."""

    def __init__(self, kernel, equal=0, scalar=3):
        self.types, self.equal, self.scalar = kernel.types, equal, scalar

    def __call__(self, seed):
        rng = np.random.default_rng(seed + 5)
        sizes, values = {}, {}
        for name, t in self.types.items():
            if t.extents is None:
                values[name] = sizes[name] = self._scalar(t, rng)
        for t in self.types.values():
            for extent in t.extents or ():
                if extent.isidentifier() and extent not in sizes:
                    sizes[extent] = self.equal or 7 + len(sizes)
        for name, t in self.types.items():
            if t.extents is not None:
                values[name] = self._array(t, [self._size(e, sizes) for e in t.extents], rng)
        return [values[name] for name in self.types]

    def _scalar(self, t, rng):
        if t.dtype.kind in "iu":
            return self.scalar
        return bool(rng.integers(2)) if t.dtype.kind == "b" else t.dtype.type(rng.uniform(0.5, 2.0)).item()

    def _size(self, extent, sizes):
        if extent == ":":
            return self.equal or 9
        return int(eval(extent, {"max": max, "min": min}, dict(sizes)))

    @staticmethod
    def _array(t, shape, rng):
        kind = t.dtype.kind
        if kind == "b":
            return rng.integers(2, size=shape).astype(bool)
        if kind in "iu":
            return rng.integers(0, 5, size=shape).astype(t.dtype)
        values = rng.uniform(0.1, 2.0, size=shape)
        if len(shape) >= 2 and shape[-1] == shape[-2]:  # factorisations have no small pivots
            values = values + 4.0 * shape[-1] * np.eye(shape[-1])
        if len(shape) == 1:
            values = np.sort(values)
        return values.astype(t.dtype) + (0.5j * rng.random(shape)).astype(t.dtype) if kind == "c" else values.astype(t.dtype)


class Trace:
    """What runs of the original under CPython show: its results, ranks and types of its arrays."""

    def __init__(self, kernel):
        self.kernel, self.inputs, self.ranks, self.dtypes = kernel, [], {}, {}
        try:
            self.original, error = kernel.callable(), None
        except Exception as caught:  # noqa: BLE001: what the file does beside its functions
            raise NotApplicable(f"CPython does not load it: {caught}") from caught
        for attempt in ATTEMPTS:
            try:
                inputs = Inputs(kernel, **attempt)
                results = self._run(inputs)
            except Exception as caught:  # noqa: BLE001: a kernel may raise anything for inputs that do not fit
                error = caught
                continue
            if not self.inputs:
                self.results = results
            self.inputs.append(inputs)
        if not self.inputs:
            raise NotApplicable(f"CPython does not run it on the inputs that are made: {error}")

    def _run(self, inputs):
        from .rewrites import flat
        name = self.kernel.function.name

        def leaves(frame, event, _):
            if event == "return" and frame.f_code.co_name == name:
                for local, value in frame.f_locals.items():
                    if isinstance(value, np.ndarray):
                        self.ranks[local], self.dtypes[local] = value.ndim, value.dtype.name

        arguments = inputs(0)
        with time_limit(SECONDS), quiet():
            sys.setprofile(leaves)
            try:
                return flat(self.original(*arguments))
            finally:
                sys.setprofile(None)

    def agrees(self, variant):
        """Whether the rewritten function leaves what the original does, for all inputs."""
        try:
            rewritten = self.kernel.callable(variant.function)
            for inputs in self.inputs:
                with time_limit(SECONDS), quiet():
                    expected = variant.expected(self.original, inputs)
                    observed = variant.observed(rewritten, inputs, [copy.deepcopy(v) for v in expected])
                if len(expected) != len(observed) or not all(map(same, expected, observed)):
                    return False
        except Exception:  # noqa: BLE001: a rewrite that does not run is no rewrite
            return False
        return True


@contextmanager
def quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if b.size == a.size and a.ndim == 0:
        b = b.reshape(())  # results are stored to an array of one element
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    return bool(np.allclose(a, b, rtol=1e-4 if a.dtype.itemsize == 4 * (1 + (a.dtype.kind == "c")) else 1e-9, atol=1e-12, equal_nan=True))
