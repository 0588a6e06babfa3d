"""Random programs in Numba's and ParPy's notations; kernels without one of their barriers."""

import random
import re

import dialects
import run
from test_random import fuzz
from threads import Kernels

BARRIER = re.compile(r"(?<=\n)( +tile\[t\] = .*\n) +cuda\.syncthreads\(\)\n")  # others read what is stored before it


def test_seeds(tmp_path):
    done = fuzz("--dialects", "--seed=0", "--programs=40", "--batch=40", f"--save={tmp_path}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_missing_barrier_is_noticed(tmp_path):
    made = {}
    for seed in range(200):
        text = Kernels(f"f{seed}", random.Random(f"barriers {seed}")).text()
        if BARRIER.search(text) and "shared.array(1," not in text and len(made) < 8:
            made[f"f{seed}"] = BARRIER.sub(r"\1", text, count=1)
    report = run.check(dialects.HEADER + "\n\n".join(("", *made.values())), (run.CHECKED,), tmp_path)
    assert len(made) == 8 and {f.function for f in report.failures} == made.keys()
    assert all(f.kind == "died" and re.search("data race|nobody has written", f.detail) for f in report.failures), report.failures
