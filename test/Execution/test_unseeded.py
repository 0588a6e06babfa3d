"""Random numbers that no seed begins: other ones at each call, which follow the caller's own np.random and random; and Python's `random`,
which with a seed gives CPython's numbers."""
from __future__ import annotations

import functools
import random
import re
import tempfile

import harness
import numpy as np
import pytest

TARGETS = [t for t in harness.targets() if t.name in ("cpu", "emulated", "cuda")]
PROGRAM = '''
from __future__ import annotations

import random
from random import randint

import numpy as np


def uniform(n: int):
    return np.random.rand(n, 3), np.random.random(n), np.random.uniform(2, 5, n), np.random.randint(3, 9, n)


def normal(n: int):
    return np.random.randn(n), np.random.normal(1.0, 2.0, n)


def one(x: float):
    return x * np.random.rand()


def generator(n: int):
    rng = np.random.default_rng()
    return rng.random(n)


def two_generators(n: int):
    return np.random.default_rng().random(n), np.random.Generator(np.random.Philox()).random(n)


def generators(n: int):
    total = np.empty(n)
    for k in range(n):
        total[k] = np.random.default_rng().random()
    return total


def walk(n: int):
    at = 0
    for _ in range(n):
        at += step()
    return at


def step():
    return 1 if np.random.random() < 0.5 else -1


def seeded_late(n: int):
    before = np.random.rand(n)
    if n > 2:
        np.random.seed(3)
    return before, np.random.rand(n)


def seeded_in_a_helper(n: int):
    begin(5)
    return np.random.rand(n)


def begin(seed):
    np.random.seed(seed)


def optional_seed(n: int, seed: int = None):
    return np.random.default_rng(seed).random(n)


def pi(n: int, seed: int = 7):
    inside = 0
    for _ in range(n):
        x, y = np.random.rand(2)
        inside += x * x + y * y < 1.0
    return 4.0 * inside / n, seed


def python_pi(n: int):
    inside = 0
    for _ in range(n):
        if random.random() ** 2 + random.random() ** 2 < 1.0:
            inside += 1
    return 4 * inside / n


def python_seeded(n: int, seed: int):
    random.seed(seed)
    drawn = np.empty(n)
    for k in range(n):
        drawn[k] = random.random()
    return drawn, random.uniform(2, 5.5), random.randint(1, 6), random.randrange(10), random.randrange(3, 50, 7), random.getrandbits(40), randint(-2**40, 2**40)


def python_distributions(seed: int):
    random.seed(seed)
    return (random.gauss(0.0, 1.0), random.gauss(1, 2), random.normalvariate(0, 1), random.lognormvariate(0, 0.5), random.expovariate(2.0), random.triangular(1, 4, 2),
            random.triangular(), random.paretovariate(3.0), random.weibullvariate(1.0, 2.0), random.gammavariate(2.5, 1.5), random.gammavariate(0.4, 2), random.betavariate(2, 3), random.gauss())


def python_places(n: int, seed: int):
    random.seed(seed)
    items = [k * k for k in range(n)]
    random.shuffle(items)
    a = np.arange(n)
    random.shuffle(a)
    return items, a, random.choice(items), random.choice((2.5, 1.5, 0.5)), random.sample(items, 3), random.choices(items, k=4), random.sample(range(n), 2)
'''


# {function: calls}, each made twice, with and without seeds of the caller's before
CALLS = {
    "uniform": (400,), "normal": (400,), "one": (1.0,), "generator": (400,), "two_generators": (50,), "generators": (9,), "walk": (40,), "seeded_late": (5,), "seeded_in_a_helper": (5,),
    "optional_seed": (30,), "pi": (60,), "python_pi": (300,),
}
SEEDED = {"python_seeded": [(700, 42), (3, -7), (0, 2**40 + 3)], "python_distributions": [(0,), (5,), (2**62,)], "python_places": [(20, 3), (60, 5)]}
SYSTEMS_OWN = {"generator", "two_generators", "generators", "optional_seed"}  # no seed of the caller's changes these


def seed():
    np.random.seed(11)
    random.seed(11)


@functools.cache
def results(target):
    """{(function, number of the call): value}, in a process of its own: after OpenMP nobody may fork."""
    folder = harness.work_folder() / f"{target.name}-unseeded"
    folder.mkdir(exist_ok=True)
    path = folder / "unseeded.py"
    path.write_text(PROGRAM, encoding="utf-8")
    generated = folder / ("unseeded" + target.suffix)
    harness.run_step([harness.APPYC, path, "-o", generated, f"--target={target.appyc_target}", "--fmad=off"], folder)
    if target.emulated:
        harness.run_step([harness.sys.executable, harness.EMULATION / "build.py", generated, "-o", "libunseeded.so"], folder)
    else:
        harness.run_step(harness.build_line(generated).replace("-O3", "-O1"), folder)

    def work():
        module = harness.load_wrapper(folder, path)
        for name, given in CALLS.items():
            yield (name, 0), getattr(module, name)(*given)
            yield (name, 1), getattr(module, name)(*given)
            seed()
            yield (name, 2), getattr(module, name)(*given)
            seed()
            yield (name, 3), getattr(module, name)(*given)
        for name, calls in SEEDED.items():
            for number, given in enumerate(calls):
                yield (name, number), getattr(module, name)(*given)
        yield ("parameters", 0), module.uniform.__code__.co_varnames[: module.uniform.__code__.co_argcount]

    with tempfile.TemporaryFile("w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    return dict(items)


def cpython():
    scope = {}
    exec(re.sub(r"(?m)^from __future__.*$", "", PROGRAM), scope)
    return scope


def same(one, other):
    one, other = (x if isinstance(x, tuple) else (x,) for x in (one, other))
    return all(np.array_equal(np.asarray(x), np.asarray(y)) for x, y in zip(one, other, strict=True))


each_target = pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)


@each_target
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.xdist_group("unseeded")
def test_calls_differ(target, name):
    found = results(target)
    if name != "seeded_in_a_helper":
        assert not same(found[name, 0], found[name, 1])
    assert same(found[name, 2], found[name, 3]) == (name not in SYSTEMS_OWN)


@each_target
@pytest.mark.parametrize("name", ["uniform", "normal", "one", "generator", "two_generators", "generators", "seeded_late", "optional_seed", "walk", "pi"])
@pytest.mark.xdist_group("unseeded")
def test_shapes_and_types_are_numpys(target, name):
    got, want = results(target)[name, 0], cpython()[name](*CALLS[name])
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (got, want)), strict=True):
        assert np.shape(one) == np.shape(other) and np.asarray(one).dtype == np.asarray(other).dtype


@each_target
@pytest.mark.xdist_group("unseeded")
def test_ranges_and_moments(target):
    found = results(target)
    for number in range(4):
        plain, other, scaled, whole = found["uniform", number]
        assert all(x.min() >= 0 and x.max() < 1 and abs(x.mean() - 0.5) < 0.1 and abs(x.std() - 0.2887) < 0.05 for x in (plain, other, found["generator", number]))
        assert scaled.min() >= 2 and scaled.max() < 5 and set(whole) == set(range(3, 9))
        standard, shifted = found["normal", number]
        assert abs(standard.mean()) < 0.3 and abs(standard.std() - 1) < 0.2 and abs(shifted.mean() - 1) < 0.6 and abs(shifted.std() - 2) < 0.4
        assert len(set(found["generators", number])) == 9
        assert len(np.unique(np.concatenate(found["two_generators", number]))) == 100
        assert abs(found["walk", number]) < 36 and 2.2 < found["pi", number][0] < 4.0 and 2.5 < found["python_pi", number] < 3.8


@each_target
@pytest.mark.xdist_group("unseeded")
def test_seeds_inside_count(target):
    found = results(target)
    assert same(found["seeded_in_a_helper", 0], found["seeded_in_a_helper", 2])
    assert same(found["seeded_late", 0][1], found["seeded_late", 1][1]) and not same(found["seeded_late", 0][0], found["seeded_late", 1][0])
    assert found["parameters", 0] == ("n",)


@each_target
@pytest.mark.parametrize("name", SEEDED)
@pytest.mark.xdist_group("unseeded")
def test_pythons_numbers_are_cpythons(target, name):
    for number, given in enumerate(SEEDED[name]):
        got, want = results(target)[name, number], cpython()[name](*given)
        for one, other in zip(got, want, strict=True):
            one, other = np.asarray(one), np.asarray(other)
            assert one.dtype == other.dtype and one.shape == other.shape
            assert np.array_equal(one, other) or (other.dtype.kind == "f" and np.allclose(one, other, rtol=1e-14))
