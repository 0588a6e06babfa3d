"""Translating stays quick: how often isl has to be asked, which does not depend on the machine, and the processor's time, with room."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
pytestmark = pytest.mark.skipif(not shutil.which(APPYC), reason="appyc has not been built")

# Open sizes, a helper with a loop of its own, slices that overlap: lowered and scheduled several times, for equal sizes, too.
FLOW = """
import numpy as np


def smoothed(u, b, dx, dy, k):
    p = np.zeros_like(u)
    for step in range(k):
        q = p.copy()
        p[1:-1, 1:-1] = ((q[1:-1, 2:] + q[1:-1, :-2]) * dy + (q[2:, 1:-1] + q[:-2, 1:-1]) * dx) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0
    return p


#appyc: def flow(i64, f64[:, :], f64[:, :], f64[:, :], f64, f64)
def flow(n, u, v, b, dx, dy):
    for t in range(n):
        old, other = u.copy(), v.copy()
        b[1:-1, 1:-1] = (u[1:-1, 2:] - u[1:-1, :-2]) / dx + (v[2:, 1:-1] - v[:-2, 1:-1]) * dy
        p = smoothed(u, b, dx, dy, 20)
        u[1:-1, 1:-1] = old[1:-1, 1:-1] * (old[1:-1, 1:-1] - old[1:-1, :-2]) + (p[1:-1, 2:] - p[1:-1, :-2])
        v[1:-1, 1:-1] = old[1:-1, 1:-1] * (other[1:-1, 1:-1] - other[:-2, 1:-1]) + (p[2:, 1:-1] - p[:-2, 1:-1])
        u[0, :] = 0.0
        v[-1, :] = 1.0
"""

# A deep nest whose loops depend on each other at some sizes only, with a branch and checks in it, and several kinds of sizes.
DEEP = """
#appyc: def deep(i32[:, :], f64[:, :, :, :, :, :], c128[:, :, :, :, :], c128[:, :, :, :, :, :], c128[:, :, :, :, :])
def deep(near, dh, g, d, s):
    for k in range(g.shape[0]):
        for e in range(g.shape[1]):
            for q in range(d.shape[0]):
                for w in range(d.shape[1]):
                    for i in range(d.shape[-2]):
                        for a in range(near.shape[0]):
                            for b in range(near.shape[1]):
                                if e - w >= 0:
                                    s[k, e, a] += g[k, e - w, near[a, b]] @ (dh[a, b, i, 0] * d[q, w, a, b, i, 0])
"""


def cost(path, folder):
    """Questions to isl, seconds, MiB."""
    with open(folder / "times", "w+") as times:
        child = subprocess.Popen([APPYC, path, "-w", "--time-passes", "-o", folder / "out.cu"], stderr=times)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        times.seek(0)
        text = times.read()
    assert child.returncode == 0, text
    return int(re.search(r"(\d+) +questions to isl", text)[1]), used.ru_utime, used.ru_maxrss / 1024


def test_examples(tmp_path):
    costs = {path.name: cost(path, tmp_path) for path in sorted((ROOT / "examples").glob("*.py"))}
    assert sum(questions for questions, _, _ in costs.values()) <= 45, costs
    if "sanitize" not in APPYC:
        assert sum(seconds for _, seconds, _ in costs.values()) < 0.1 * len(costs), costs


@pytest.mark.parametrize("text,most", [pytest.param(FLOW, 32, id="flow"), pytest.param(DEEP, 17, id="deep")])
def test_much_work(text, most, tmp_path):
    path = tmp_path / "much.py"
    path.write_text(text)
    questions, seconds, memory = cost(path, tmp_path)
    assert questions <= most
    if "sanitize" not in APPYC:
        assert seconds < 0.45 and memory < 200
