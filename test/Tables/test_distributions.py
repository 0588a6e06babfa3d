"""np.random's distributions. Those that are NumPy's numbers are compared with NumPy (library.py); of the others the distribution is
tested (Kolmogorov and Smirnov, of fixed seeds), and that every target and the library under CPython give the same numbers."""
from __future__ import annotations

import functools
import math
import tempfile
import warnings

import harness
import library
import numpy as np
import pytest
import scipy.special
import scipy.stats

TARGETS = [t for t in harness.targets() if t.name in ("cpu", "emulated", "cuda")]
COUNT = 3000


def normal(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def erlang(shape):
    return lambda x: 1 - sum(math.exp(-x) * x**k / math.factorial(k) for k in range(shape))


def summed(share):
    """The CDF of whole numbers."""
    return functools.cache(lambda k: sum(share(j) for j in range(int(k) + 1)))


def poisson(rate):
    return summed(lambda k: math.exp(k * math.log(rate) - rate - math.lgamma(k + 1)))


def binomial(n, p):
    return summed(lambda k: math.comb(n, k) * p**k * (1 - p) ** (n - k))


# {call of a generator `g` for `n` numbers: the CDF}
CONTINUOUS = {
    "g.standard_normal(n)": normal,
    "g.normal(2, 3.0, size=n)": lambda x: normal((x - 2) / 3),
    "g.lognormal(0.5, 0.25, n)": lambda x: normal((math.log(x) - 0.5) / 0.25),
    "g.standard_exponential(n)": lambda x: 1 - math.exp(-x),
    "g.exponential(2.0, n)": lambda x: 1 - math.exp(-x / 2),
    "g.rayleigh(2.0, n)": lambda x: 1 - math.exp(-x * x / 8),
    "g.pareto(3.0, n)": lambda x: 1 - (1 + x) ** -3,
    "g.power(2.5, n)": lambda x: x**2.5,
    "g.weibull(1.5, n)": lambda x: 1 - math.exp(-(x**1.5)),
    "g.standard_cauchy(n)": lambda x: 0.5 + math.atan(x) / math.pi,
    "g.standard_gamma(4.0, n)": erlang(4),
    "g.gamma(1.0, 2.0, n)": lambda x: 1 - math.exp(-x / 2),
    "g.gamma(0.5, size=n)": lambda x: math.erf(math.sqrt(x)),
    "g.chisquare(6, n)": lambda x: erlang(3)(x / 2),
    "g.beta(2, 1.0, n)": lambda x: x * x,
    "g.beta(0.5, 0.5, n)": lambda x: 2 / math.pi * math.asin(math.sqrt(x)),
    "g.f(2.0, 4.0, n)": lambda x: 1 - (4 / (4 + 2 * x)) ** 2,
    "g.wald(2.0, 3.0, n)": lambda x: scipy.stats.invgauss.cdf(x, 2 / 3, scale=3),
    "g.noncentral_chisquare(3.5, 2.0, n)": lambda x: scipy.stats.ncx2.cdf(x, 3.5, 2),
    "g.noncentral_f(3, 5.0, 2.0, n)": lambda x: scipy.stats.ncf.cdf(x, 3, 5, 2),
    "g.dirichlet((2.0, 0.5, 1.5), n)[:, 0]": lambda x: scipy.stats.beta.cdf(x, 2, 2),
    "g.dirichlet(np.array([2.0, 0.5]), (n, 1))[:, 0, 1]": lambda x: scipy.stats.beta.cdf(x, 0.5, 2),
    "g.multivariate_normal([1.0, -2.0], [[4.0, 1.5], [1.5, 1.0]], n)[:, 0]": lambda x: normal((x - 1) / 2),
    "g.multivariate_normal([1.0, -2.0], [[4.0, 1.5], [1.5, 1.0]], (n,)) @ np.array([1.0, -1.0])": lambda x: normal((x - 3) / math.sqrt(2)),
    "g.vonmises(0.0, 2.5, n)": lambda x: scipy.stats.vonmises.cdf(x, 2.5),
    "g.normal(np.full(n, 2.0), np.full((1, n), 3.0))[0]": lambda x: normal((x - 2) / 3),
    "g.gamma(np.full(n, 4.0), 0.5)": lambda x: erlang(4)(2 * x),
    "g.exponential(np.full(n, 2.0))": lambda x: 1 - math.exp(-x / 2),
    "g.standard_t(2.0, n)": lambda x: 0.5 + x / (2 * math.sqrt(2 + x * x)),
}
WHOLE = {
    "g.poisson(3.5, n)": poisson(3.5),
    "g.poisson(0, n)": lambda k: 1.0,
    "g.poisson(40.0, n)": poisson(40),
    "g.poisson(lam=1000.0, size=n)": poisson(1000),
    "g.binomial(20, 0.3, n)": binomial(20, 0.3),
    "g.binomial(300, 0.8, n)": binomial(300, 0.8),
    "g.binomial(5, 1.0, n)": lambda k: float(k >= 5),
    "g.negative_binomial(1, 0.4, n)": lambda k: 1 - 0.6 ** (k + 1),
    "g.logseries(0.7, n)": summed(lambda k: 0.0 if k == 0 else -(0.7**k) / (k * math.log(0.3))),
    "g.hypergeometric(12, 20, 9, n)": lambda k: scipy.stats.hypergeom.cdf(k, 32, 12, 9),
    "g.multinomial(40, [0.2, 0.5, 0.3], n)[:, 1]": binomial(40, 0.5),
    "g.multinomial(7, (0.2, 0.7, 0.1), n)[:, 2]": binomial(7, 0.1),
    "g.zipf(2.5, n)": lambda k: scipy.stats.zipf.cdf(k, 2.5),
    "g.multivariate_hypergeometric([12, 5, 15], 9, n)[:, 1]": lambda k: scipy.stats.hypergeom.cdf(k, 32, 5, 9),
    "g.poisson(np.full((n, 1), 3.5))[:, 0]": poisson(3.5),
    "g.binomial(np.full(n, 20), 0.3)": binomial(20, 0.3),
    "g.geometric(0.2, n)": lambda k: 1 - 0.8**k,
    "g.geometric(1.0, n)": lambda k: 1.0,
}
# np.random's own generator is what Generator(Philox(seed)) is.
LEGACY = {
    "np.random.rand(n, 2)": "g.random((n, 2))", "np.random.randn(n)": "g.standard_normal(n)", "np.random.random(n)": "g.random(n)",
    "np.random.random_sample((2, n))": "g.random((2, n))", "np.random.ranf(n)": "g.random(n)", "np.random.sample(n)": "g.random(n)",
    "np.random.uniform(1, 3.0, n)": "g.uniform(1, 3.0, n)", "np.random.randint(-3, 9, n)": "g.integers(-3, 9, n)", "np.random.rand()": "g.random()",
    "np.random.normal(1.0, 2.0, n)": "g.normal(1.0, 2.0, n)", "np.random.standard_normal(n)": "g.standard_normal(n)",
    "np.random.permutation(n)": "g.permutation(n)", "np.random.choice(n, 5)": "g.choice(n, 5)",
    **{call.replace("g.", "np.random."): call for call in (*CONTINUOUS, *WHOLE) if "multivariate_hyper" not in call},
    **{call.replace("g.", "np.random."): call for call in ("g.laplace(1.0, 2.0, n)", "g.logistic(0.0, 1.0, n)", "g.gumbel(0.0, 1.0, n)",
                                                           "g.triangular(0, 1, 3, n)", "g.exponential()", "g.poisson()")},
}
ALL = [*CONTINUOUS, *WHOLE]


def under_cpython(call, count):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's numbers wrap, as they have to
        library.functions()
        from numpy_library import random
        return eval(call, {"g": random.default_rng(ALL.index(call)), "n": count, "np": np})


def chosen(calls, target):
    """Emulation takes its time."""
    return list(enumerate(calls))[::1 if target.name == "cpu" else 6]


@functools.cache
def program(target):
    lines = ["from __future__ import annotations", "", "import numpy as np", ""]
    for number, call in chosen(ALL, target):
        lines += [f"def own_{number}(n: int):", f"    g = np.random.default_rng({number})", f"    return {call}, g.random()", ""]
    for number, (call, same) in chosen(LEGACY.items(), target):
        lines += [f"def legacy_{number}(n: int):", "    np.random.seed(n)", "    g = np.random.Generator(np.random.Philox(n))", f"    a = {call}",
                  f"    b = {same}", "    return a, b", ""]
    lines += ["def shuffled(n: int):", "    np.random.seed(5)", "    np.random.seed(3)", "    a = np.arange(n)", "    np.random.shuffle(a)", "    return a", ""]
    path = harness.work_folder() / f"distributions_{target.name}.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@functools.cache
def results(target):
    """What each compiled call gives: {(function, n): value}. In a process of its own: after OpenMP nobody may fork."""
    folder = harness.work_folder() / f"{target.name}-distributions"
    folder.mkdir(exist_ok=True)
    path = program(target)
    generated = folder / (path.stem + target.suffix)
    harness.run_step([harness.APPYC, path, "-o", generated, f"--target={target.appyc_target}", "--fmad=off"], folder)
    if target.emulated:
        harness.run_step([harness.sys.executable, harness.EMULATION / "build.py", generated, "-o", f"lib{path.stem}.so"], folder)
    else:
        harness.run_step(harness.build_line(generated).replace(" -O3 ", " -O0 "), folder)
    calls = [(f"own_{number}", n) for number, _ in chosen(ALL, target) for n in (0, 1, 37) + (() if target.emulated else (COUNT,))]
    calls += [(f"legacy_{number}", n) for number, _ in chosen(LEGACY, target) for n in (1, 7)] + [("shuffled", 9)]

    def work():
        module = harness.load_wrapper(folder, path)
        for function, n in calls:
            yield (function, n), getattr(module, function)(n)

    with tempfile.TemporaryFile("w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    return dict(items)


def agree(one, other):
    one, other = np.asarray(one), np.asarray(other)
    assert one.dtype == other.dtype and one.shape == other.shape
    assert np.array_equal(one, other) if one.dtype.kind == "i" else np.allclose(one, other, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
@pytest.mark.xdist_group("distributions")
def test_as_under_cpython(target):
    for number, call in chosen(ALL, target):
        for count in (0, 1, 37):
            agree(results(target)[f"own_{number}", count][0], under_cpython(call, count))


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
@pytest.mark.xdist_group("distributions")
def test_legacy_is_a_generator(target):
    for number, call in chosen(LEGACY, target):
        for count in (1, 7):
            one, other = results(target)[f"legacy_{number}", count]
            assert np.array_equal(one, other), call
    want = np.arange(9)
    np.random.Generator(np.random.Philox(3)).shuffle(want)
    assert np.array_equal(results(target)["shuffled", 9], want)


@pytest.mark.parametrize("call", ALL)
@pytest.mark.xdist_group("distributions")
def test_distribution(call):
    target = next(t for t in TARGETS if t.name == "cpu")
    numbers = np.sort(results(target)[f"own_{ALL.index(call)}", COUNT][0])
    values, counts = np.unique(numbers, return_counts=True)
    reached = np.cumsum(counts) / COUNT
    cdf = np.array([(CONTINUOUS | WHOLE)[call](x) for x in values.tolist()])
    distance = np.max(abs(reached - cdf))
    if call in CONTINUOUS:
        assert len(values) > 0.99 * COUNT
        distance = max(distance, np.max(abs(reached - counts / COUNT - cdf)))
    assert distance < 1.63 / math.sqrt(COUNT), call  # passed by 99 of 100 right samples


MANY = '''from __future__ import annotations

import numpy as np


def many(n: int):
    return np.random.default_rng(7).standard_normal(n)
'''


def test_ten_million_normals(tmp_path):
    """Moments, and Kolmogorov and Smirnov, in the tails as well."""
    (tmp_path / "many.py").write_text(MANY)
    generated, count = tmp_path / "many.cpp", 10**7
    harness.run_step([harness.APPYC, tmp_path / "many.py", "-o", generated, "--target=cpu"], tmp_path)
    harness.run_step(harness.build_line(generated), tmp_path)
    code = "import many_host, numpy, sys; numpy.save(sys.argv[1], many_host.many(int(sys.argv[2])))"
    harness.run_step([harness.sys.executable, "-c", code, tmp_path / "numbers.npy", str(count)], tmp_path)
    x = np.load(tmp_path / "numbers.npy")
    for power, moment, spread in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):  # of x ** power
        assert abs(np.mean(x**power) - moment) < 4 * math.sqrt(spread / count), power
    cdf = scipy.special.ndtr(np.sort(x))
    reached = np.arange(count + 1) / count
    assert max(np.max(reached[1:] - cdf), np.max(cdf - reached[:-1])) < 1.63 / math.sqrt(count)
    far = np.count_nonzero(abs(x) > 4.5)
    assert abs(far - 2 * scipy.special.ndtr(-4.5) * count) < 4 * math.sqrt(far)
