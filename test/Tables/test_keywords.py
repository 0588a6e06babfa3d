"""A keyword that NumPy's function does not have is an error at its line, for every elementwise function."""
import re
import subprocess

import harness
import numpy as np


def test_unknown_keywords_are_refused():
    listing = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    names = [row.split()[0] for row in listing.splitlines() if row.split()[1:2] == ["elementwise"]]
    ufuncs = [n for n in names if isinstance(getattr(np, n, None), np.ufunc) and getattr(np, n).signature is None]
    assert len(ufuncs) > 40
    calls = [f"np.{n}({', '.join('ab'[: getattr(np, n).nin])}, nonsense=1)" for n in ufuncs]
    lines = ["import numpy as np", "def f(a: f64[N], b: f64[N]):", *(f"    r = {call}" for call in calls)]
    done = subprocess.run([harness.APPYC, "-", "-fsyntax-only"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    told = {int(line) for line in re.findall(r":(\d+):\d+: error: .*nonsense", done.stderr)}
    assert [call for line, call in enumerate(calls, 3) if line not in told] == []
