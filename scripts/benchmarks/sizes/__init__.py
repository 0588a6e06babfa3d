"""scripts/bench sizes: the same folds for arrays of many shapes, the same time loop in many spellings.

Beside each time stands how long a copy of the arguments on the device takes in the same run: what reads all of them once takes half
as long. Results are compared with NumPy's at small sizes.
"""
import math
import tempfile
import time
from pathlib import Path

import numpy as np

import measure

HERE = Path(__file__).parent
SMALL = {2: (37, 41), 3: (17, 13, 9)}


def wrong(module, name, shape):
    """What is wrong with a small call, or ""."""
    plain = measure.load(HERE / f"{module.STEM}.py", f"plain_{module.STEM}")
    arguments = plain.inputs(name, SMALL[len(shape)], np.random.default_rng(1))
    got = measure.results(getattr(module, name), arguments)
    return measure.difference(got, measure.results(getattr(plain, name), arguments))


def copy_time(arrays, wait):
    def copies():
        for a in arrays:
            a.clone() if hasattr(a, "clone") else a.copy()

    return measure.median_time(copies, (), wait, 0.2, 7)


def run(names):
    device = measure.device_arrays()
    if not device:
        raise measure.Failure("this needs a GPU, and CuPy or PyTorch")
    put, wait = device
    print(f"{measure.machine('cuda')}\n\n{'':42}{'ms':>10}{'a copy':>10}{'copies':>9}")
    with tempfile.TemporaryDirectory() as work:
        for stem in ("rows", "steps", "searches", "kept", "pairs", "spellings", "ends", "places"):
            plain = measure.load(HERE / f"{stem}.py", f"cases_{stem}")
            chosen = {name: shapes for name, shapes in plain.CASES.items() if not names or name in names}
            if not chosen:
                continue
            start = time.perf_counter()
            generated, _ = measure.translate(HERE / f"{stem}.py", "cuda", Path(work))
            measure.build(generated)
            print(f"{stem}.py, translated and built in {time.perf_counter() - start:.1f} s", flush=True)
            module = measure.load(Path(work) / f"{stem}_host.py")
            module.STEM = stem
            for name, shapes in chosen.items():
                problem = wrong(module, name, shapes[0])
                for shape in shapes:
                    host = plain.inputs(name, shape, np.random.default_rng(0))
                    arguments = tuple(put(x) if isinstance(x, np.ndarray) else x for x in host)
                    ms = 1e3 * measure.median_time(getattr(module, name), arguments, wait, 0.2, 7)
                    copy = 1e3 * copy_time([a for a in arguments if not np.isscalar(a)], wait)
                    what = f"{name} {' x '.join(map(str, shape))}"
                    print(f"  {what:<40}{ms:10.3f}{copy:10.3f}{ms / copy if copy else math.nan:9.2f}"
                          f"{'   ' + problem if problem else ''}", flush=True)
    return 0
