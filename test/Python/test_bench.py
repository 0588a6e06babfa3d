"""scripts/bench kernels on the CPU target: every kernel against NumPy at the tiny size, the table, the charts; bad words."""
import json
import os
import subprocess
import sys
import types
import xml.etree.ElementTree
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
sys.path.insert(0, str(ROOT / "scripts"))
import measure  # noqa: E402
from benchmarks import chart, worker  # noqa: E402
from benchmarks.kernels import KERNELS  # noqa: E402
from benchmarks.programs import programs  # noqa: E402


def bench(*words):
    environment = {**os.environ, "APPYC": str(APPYC), "OMP_WAIT_POLICY": "passive"}
    return subprocess.run([sys.executable, ROOT / "scripts/bench", *words], env=environment, capture_output=True, text=True)


def test_all_kernels(tmp_path):
    done = bench("kernels", "--size=tiny", "--target=cpu", "--seconds=0.01", "--peers=numpy,numba", f"--out={tmp_path}")
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert list(results["appyc"]) == list(results["numpy"]) == list(KERNELS)
    for row in results["appyc"].values():
        assert row["error"] == "" and row["checked"] == "timed size" and row["ms"] > 0 and row["build_s"] > 0
    for name in ("times.svg", "roofline.svg"):
        texts = "".join(xml.etree.ElementTree.parse(tmp_path / name).getroot().itertext())
        assert all(kernel in texts for kernel in KERNELS), name
    assert "geometric mean of 21" in done.stdout
    assert f"{2 * len(KERNELS)}/" in done.stderr


def test_all_programs(tmp_path):
    done = bench("programs", "--size=tiny", "--target=cpu", "--seconds=0.01", "--peers=numpy", f"--out={tmp_path}")
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert len({kernel.path for kernel in programs().values()}) == 16
    assert list(results["appyc"]) == list(results["numpy"]) == list(programs())
    for row in results["appyc"].values():
        assert row["error"] == "" and row["checked"] == "timed size" and row["ms"] > 0
    assert "times.svg" in done.stdout and "roofline.svg" not in done.stdout


def test_bad_words():
    assert "no program gemm; there are" in bench("programs", "gemm").stderr
    assert "no kernel gem; there are" in bench("kernels", "gem").stderr
    assert "no peer dace; there are" in bench("kernels", "--peers=dace").stderr
    assert "scripts/bench translate" in bench().stderr


def test_wrong_results_are_told():
    a = np.arange(4.0)
    assert measure.difference((a, None), (a * (1 + 1e-12), None)) == ""
    assert measure.difference(a, a + 1e-3)
    assert measure.difference(a, a[:3]) and measure.difference((a,), (a, a)) and measure.difference(None, a)
    assert measure.difference(np.array([1, 2]), np.array([1, 3]))
    nan = np.array([np.nan, 1.0])
    assert measure.difference(nan, nan) == "" and measure.difference(a[:2], nan)


def test_packages_that_a_peer_lacks_are_named():
    peer = types.SimpleNamespace(needs=("numpy", "no_such_package"))
    assert worker.told(TypeError("more\nlines"), peer) == "lacks no_such_package (pip install no_such_package); TypeError: more"
    assert worker.told(TypeError(""), object()) == "TypeError: "


def test_charts_take_any_range():
    assert "<svg" in chart.times_chart({"k": {"appyc": 1.0}}, "one value")
    assert "&lt;k&gt;" in chart.roofline_chart({"<k>": (1e-3, 1e-4), "b": (1e5, 1e6)}, 3000.0, 60000.0, "wide")
