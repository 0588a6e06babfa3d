"""What is said of names that appyc does not know: the one that was meant, or what to write instead; another function is no suggestion."""
from __future__ import annotations

import subprocess

import pytest

import harness

HEAD = """import numpy as np
import math, os, random, sys, time, itertools
import scipy.ndimage, scipy.signal, scipy.sparse, scipy.stats, scipy.spatial
import pandas as pd
import matplotlib.pyplot as plt
import jax.numpy as jnp


"""
MEANT = {
    "np.cumsun(a)": "np.cumsum", "np.arnage(3)": "np.arange", "np.maximun(a, a)": "np.maximum", "np.linspaace(0, 1)": "np.linspace",
    "np.linalg.slove(A, a)": "np.linalg.solve", "np.transpos(A)": "np.transpose", "np.arcsinn(a)": "np.arcsin", "np.fft.fftt(a)": "np.fft.fft",
    "np.random.rnad(3)": "np.random.rand", "a.summ()": ".sum", "a.reshap(3)": ".reshape",
}
INSTEAD = {
    "np.float(x)": "`float` or `np.float64`", "np.int(x)": "`int` or `np.int64`", "np.Inf": "np.inf", "np.NaN": "np.nan", "np.trapz(a)": "np.trapezoid",
    "np.in1d(a, a)": "np.isin", "np.norm(a)": "np.linalg.norm", "np.ln(a)": "np.log", "np.save('f', a)": "by the caller",
    "np.loadtxt('f')": "by the caller", "np.matrix(A)": "np.array", "np.ma.array(a)": "np.where", "np.datetime64('2020')": "days",
    "a.append(x)": "np.append", "a.median()": "np.median", "a.strides": "subscripts", "scipy.sparse.csc_matrix(A)": "csr_matrix", "scipy.signal.find_peaks(a)": "lfilter",
    "scipy.ndimage.rotate(A, 3)": "slices", "scipy.spatial.cKDTree(A)": "cdist", "scipy.stats.mannwhitneyu(a, a)": "formula", "np.polynomial.Polynomial(a)": "polyval", "np.polynomial.polynomial.polymul(a, a)": "np.convolve",
    "pd.DataFrame(A)": "to_numpy", "plt.plot(a)": "in the caller", "time.time()": "in the caller", "random.Random(1)": "default_rng", "os.getcwd()": "in the caller",
    "jnp.sin(a)": "write `np`", "a.nanmean()": "`np.nanmean(a)`",
}
NOTHING = ["np.argmedian(a)", "np.sinx(a)", "np.busday_offset(a)", "np.zscore(a)", "math.exp10(x)", "a.nothing()"]


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What appyc says of each, all in one run."""
    texts = [*MEANT, *INSTEAD, *NOTHING]
    program = tmp_path_factory.mktemp("names") / "names.py"
    functions = [f"def f{k}(a: f64[N], A: f64[N, N], x: float):\n    y = {text}\n    return y\n" for k, text in enumerate(texts)]
    program.write_text(HEAD + "\n\n".join(functions), encoding="utf-8")
    done = subprocess.run([harness.APPYC, "--target=cpu", "-fsyntax-only", program], capture_output=True, text=True)
    lines = program.read_text(encoding="utf-8").splitlines()
    found = {}
    for line in done.stderr.splitlines():
        if " error: " in line:
            number = int(line.removeprefix(f"{program}:").split(":")[0])
            found.setdefault(lines[number - 1].strip().removeprefix("y = "), line)
    return found


@pytest.mark.parametrize("text", MEANT)
def test_the_nearest_of_its_kind_is_named(said, text):
    assert f"did you mean `{MEANT[text]}`?" in said[text]


@pytest.mark.parametrize("text", INSTEAD)
def test_what_serves_instead_is_named(said, text):
    assert INSTEAD[text] in said[text] and "is not a function" not in said[text]


@pytest.mark.parametrize("text", NOTHING)
def test_others_are_no_suggestion(said, text):
    assert "did you mean" not in said[text]
