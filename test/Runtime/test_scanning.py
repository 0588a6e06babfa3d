"""Scans of rows that have many tiles, groups of tiles and parts of groups, in the emulation with one element a thread."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/Execution")]
import harness  # noqa: E402

TILE, GROUP, PART = 256, 256 * 32, 256 * 32 * 32
SHAPES = [(1, TILE), (1, TILE + 1), (3, GROUP - 1), (2, GROUP + TILE), (2, 2 * GROUP + 1), (1, PART + 1), (1, 2 * PART + GROUP + TILE + 1)]
ITEMS = "few = 5, many = sizeof(T) > 8 ? 7 : sizeof(T) > 4 ? 13 : 27"


@pytest.mark.xdist_group("emulation")
@pytest.mark.parametrize("dtype", ["i64", "f64"])
def test_rows_of_many_tiles(dtype, tmp_path):
    source = tmp_path / "running.py"
    source.write_text(f"import numpy as np\n\n\ndef sums(x: {dtype}[M, N]):\n    return np.cumsum(x, axis=1)\n", encoding="utf-8")
    subprocess.run([harness.APPYC, source, "-o", tmp_path / "running.cu"], check=True, capture_output=True)
    text = (tmp_path / "running.cu").read_text(encoding="utf-8")
    assert ITEMS in text
    (tmp_path / "running.cu").write_text(text.replace(ITEMS, "few = 0, many = 1"), encoding="utf-8")
    library = tmp_path / "librunning.so"
    subprocess.run([sys.executable, harness.EMULATION / "build.py", tmp_path / "running.cu", "-o", library], check=True)
    wrapper = harness.load_wrapper(tmp_path, source)
    rng = np.random.default_rng(0)
    for order in ("", "reverse"):
        os.environ["APPYC_EMULATION_ORDER"] = order
        for shape in SHAPES:
            x = rng.integers(-100, 100, shape) if dtype == "i64" else rng.random(shape)
            got = wrapper.sums(x)
            np.testing.assert_allclose(got, np.cumsum(x, axis=1), rtol=1e-12 if dtype == "f64" else 0)
            np.testing.assert_array_equal(got, wrapper.sums(x))
    os.environ.pop("APPYC_EMULATION_ORDER")
