"""scripts/firing: rewrites of kernels, which count only if CPython finds that they compute the same."""
import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from rewriting.kernel import Kernel, NotApplicable, read  # noqa: E402
from rewriting.rewrites import REWRITES, Variant  # noqa: E402
from rewriting.runs import Trace  # noqa: E402

LOOPS = '''
def rows(a: f64[N, M], b: f64[M], out: f64[N]):
    #pragma parallel for
    for i in range(a.shape[0]):
        out[i] = b[0] + 2.0 * a[i, 0] + 1.0
    for i in range(1, a.shape[0]):
        out[i] += a[i, 0] * out[i - 1]
'''
SLICES = '''
def mixed(a: f64[N, M], b: f64[M]) -> f64[N]:
    a[1:, :] *= 0.5
    b += 1.0
    return a @ b
'''


def prepared(text):
    tree = read("import numpy as np\n" + text)
    kernel = Kernel(tree, tree.body[1])
    return kernel, Trace(kernel)


def rewritten(text, rewrite):
    kernel, trace = prepared(text)
    variant = REWRITES[rewrite](kernel, trace)
    assert trace.agrees(variant)
    return kernel.text(variant.function)


@pytest.mark.parametrize("rewrite", REWRITES)
@pytest.mark.parametrize("text", [LOOPS, SLICES])
def test_computes_the_same(text, rewrite):
    try:
        assert rewritten(text, rewrite) != prepared(text)[0].text()
    except NotApplicable:
        assert rewrite in ("swapped", "split", "downward", "form")


@pytest.mark.parametrize(("text", "rewrite", "lines"), [
    (LOOPS, "if", ["def rows(a: f64[N, M], b: f64[M], out: f64[N], go: i64):", "    if go > 0:", "        #pragma parallel for"]),
    (LOOPS, "host loop", ["    for rep in range(reps):"]),
    (LOOPS, "batch", ["def rows(a: f64[BATCH, N, M], b: f64[BATCH, M], out: f64[BATCH, N]):", "    for batch in range(a.shape[0]):",
                      "        for i in range(1, a.shape[1]):", "            out[batch, i] += a[batch, i, 0] * out[batch, i - 1]"]),
    (LOOPS, "split", ["        part0 = b[0] + 2.0 * a[i, 0]", "        out[i] = part0 + 1.0", "        out[i] += part1"]),
    (LOOPS, "first index", ["    for i in range(2, a.shape[0] + 1):", "        out[i - 1] += a[i - 1, 0] * out[i - 2]"]),
    (LOOPS, "downward", ["    for i in range(a.shape[0] - 1, -1, -1):", "    for i in range(1, a.shape[0]):"]),
    (LOOPS, "unrelated", ["        other[i] = 0.5 * other[i] + 1.0"]),
    (SLICES, "batch", ["def mixed(a: f64[BATCH, N, M], b: f64[BATCH, M], result0: f64[BATCH, N]):", "        a[batch, 1:, :] *= 0.5",
                       "        result0[batch, :] = a[batch] @ b[batch]"]),
    (SLICES, "swapped", ["    b += 1.0", "    a[1:, :] *= 0.5"]),
    (SLICES, "first index", ["    a[2:, :] *= 0.5", "    b[1:] += 1.0", "    return a[1:] @ b[1:]"]),
    (SLICES, "form", ["            a[e0, e1] *= 0.5", "            e6 += a[e4, e5] * b[e5]", "        e3[e4] = e6", "    return e3"]),
])
def test_text(text, rewrite, lines):
    made = rewritten(text, rewrite)
    for line in lines:
        assert line in made.splitlines(), made


def test_wrong_rewrites_do_not_count():
    kernel, trace = prepared(LOOPS)
    wrong = ast.parse(kernel.text().replace("out[i - 1]", "out[i]")).body[1]
    assert trace.agrees(Variant(kernel.function)) and not trace.agrees(Variant(wrong))


def test_slices_that_overlap_are_no_loops():
    made = rewritten("def f(a: f64[N], b: f64[N]):\n    a[1:] = b[:-1] * 2.0\n    b[1:] = b[:-1] * 2.0\n", "form")
    assert "    b[1:] = b[:-1] * 2.0" in made and "a[e0] = b[e0 - 1] * 2.0" in made


def test_shared_names_are_not_swapped():
    with pytest.raises(NotApplicable):
        rewritten("def f(a: f64[N], b: f64[N]):\n    b += 1.0\n    a += b\n", "swapped")


def test_table():
    done = subprocess.run([sys.executable, ROOT / "scripts/firing", "--pass", "forward-stores", "--json"], capture_output=True,
                          text=True, env=os.environ, check=True)
    row = json.loads(done.stdout)["passes"]["forward-stores"]
    assert row["kernels"] == ["forward-stores:scaled"] and row["fired"] == row["counted"] > 4
