"""What is an array without dimensions in NumPy is one in what appyc gives, and what is a number is a number."""
from __future__ import annotations

import tempfile

import harness
import numpy as np
import pytest

ARRAYS = ["np.asarray(a.sum())", "np.array(3.0)", "np.array(2)", "np.where(a.sum() > 0, 1.0, 2.0)", "np.copy(a[0])", "np.ones_like(a[0])", "np.full_like(a[0], 2)", "np.zeros(())",
          "np.full((), 2.5)", "np.squeeze(a[:1]).copy()", "a[1:2].squeeze().copy()", "np.copy(A[0:1, 2:3].squeeze())", "np.tensordot(a, a, 1)", "np.tensordot(A, A)", "np.cov(a)", "np.select([a[0] > 0.1], [a[1]], 0.5)"]
NUMBERS = ["A[0:1, 2:3].squeeze() + 0 * a[:1].squeeze().copy()", "a.sum(keepdims=True).squeeze() * 1", "a.sum()", "a[0]", "a.sum()[()]", "a[0][()]", "np.asarray(a.sum())[()]", "np.array(3.0) + 1", "np.where(a[0] > 0, 1.0, 2.0) * 2", "np.transpose(a.sum())", "np.squeeze(a[0])", "a[0].copy()",
           "np.clip(a[0], 0, 1)", "np.nan_to_num(a[0])", "np.sinc(a[0])", "np.dot(a, a)", "np.interp(0.5, a, a)", "np.median(a)", "np.isclose(a[0], a[1])", "np.round(a[0], 2)", "np.heaviside(a[0], 0.5)",
           "np.angle(a[0])", "np.trace(A)", "np.linalg.det(A)", "np.percentile(a, 30)"]
PARTS = ["A[:1].squeeze() * 2", "A[:, 1:2].squeeze(axis=1) + 1", "A[:, None, 0:1].squeeze() + 0", "a.reshape(-1, 1)[2:3].squeeze(0) + 0"]
ALL = [*ARRAYS, *NUMBERS, *PARTS]
PROGRAM = "from __future__ import annotations\nimport numpy as np\n" + "".join(f"\n\ndef f{k}(a: f64[N], A: f64[N, N]):\n    return {text}\n" for k, text in enumerate(ALL))
GIVEN = (np.array([0.25, 0.5, 0.75, 0.875]), np.arange(16.0).reshape(4, 4) + 10 * np.eye(4))


@pytest.fixture(scope="module")
def results():
    folder = harness.work_folder() / "zero-dimensions"
    folder.mkdir(exist_ok=True)
    path = folder / "zero.py"
    path.write_text(PROGRAM, encoding="utf-8")
    harness.run_step([harness.APPYC, path, "--target=cpu", "-o", folder / "zero.cpp"], folder)
    harness.run_step(harness.build_line(folder / "zero.cpp").replace("-O3", "-O0"), folder)

    def work():
        module = harness.load_wrapper(folder, path)
        for k in range(len(ALL)):
            value = getattr(module, f"f{k}")(*(x.copy() for x in GIVEN))
            yield type(value).__name__, value

    with tempfile.TemporaryFile("w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    return items


@pytest.mark.parametrize("text", ALL)
@pytest.mark.xdist_group("zero")
def test_kind_and_value(results, text):
    kind, value = results[ALL.index(text)]
    want = eval(text, {"np": np, "a": GIVEN[0].copy(), "A": GIVEN[1].copy()})
    assert (kind == "ndarray") == isinstance(want, np.ndarray) == (text not in NUMBERS)
    assert np.asarray(value).dtype == np.asarray(want).dtype and np.shape(value) == np.shape(want) and np.allclose(value, want)
