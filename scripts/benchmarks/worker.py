"""One competitor of scripts/bench in a process of its own: worker.py PEER PRESET TARGET FOLDER SECONDS KERNEL...

Prints a line of JSON for each kernel: {"kernel", "ms", "error", "checked", "translate_ms", "build_s"}. Each result is compared
with NumPy's on random inputs: at the size that is timed where NumPy's result lies in FOLDER, and at the tiny size in any case.
"""
import importlib.util
import json
import os
import sys
import time
import warnings
from pathlib import Path

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the device is shared
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402

import measure  # noqa: E402
from benchmarks.kernels import KERNELS, PRESETS  # noqa: E402
from benchmarks.programs import programs  # noqa: E402

warnings.simplefilter("ignore")


def version(kernel, *modules):
    """A peer's version of the kernel."""
    found = [getattr(m, kernel.name) for m in modules if hasattr(m, kernel.name)]
    if not found:
        raise LookupError("there is no version for this peer")
    return found[0]


def example(kernel):
    return measure.load(kernel.source, f"example_{kernel.name}")


class NumPy:
    """The example's plain NumPy under CPython: the judge of the others."""

    def __init__(self, target, folder):
        self.target, self.folder = target, folder

    def function(self, kernel):
        return getattr(example(kernel), kernel.plain_name)

    def put(self, x):
        return x

    def wait(self, value=None):
        pass

    def results(self, kernel, value, arguments):
        return kernel.results(measure.to_host(value), [measure.to_host(a) for a in arguments])


class CuPy(NumPy):
    """The same source with CuPy for NumPy."""

    def __init__(self, target, folder):
        import cupy
        self.cupy = cupy

    def function(self, kernel):
        module = example(kernel)
        module.np = self.cupy
        return getattr(module, kernel.plain_name)

    def put(self, x):
        return self.cupy.asarray(x) if isinstance(x, np.ndarray) else x

    def wait(self, value=None):
        self.cupy.cuda.Device().synchronize()


class Torch(NumPy):
    def __init__(self, target, folder):
        import torch
        from benchmarks import torch_peers
        self.torch, self.peers = torch, torch_peers
        self.device = "cuda" if target == "cuda" else "cpu"

    def function(self, kernel):
        return version(kernel, self.peers)

    def put(self, x):
        if not isinstance(x, np.ndarray):
            return x
        wider = {"uint32": "int64"}.get(x.dtype.name, x.dtype.name)  # of which PyTorch knows little
        return self.torch.from_numpy(x.astype(wider)).to(self.device)

    def wait(self, value=None):
        if self.device == "cuda":
            self.torch.cuda.synchronize()


class Jax(NumPy):
    def __init__(self, target, folder):
        import jax
        if target == "cpu":
            jax.config.update("jax_platforms", "cpu")
        from benchmarks import jax_peers, jax_programs
        self.jax, self.peers = jax, (jax_peers, jax_programs)

    def function(self, kernel):
        return version(kernel, *self.peers)

    def put(self, x):
        return self.jax.numpy.asarray(x) if isinstance(x, np.ndarray) else x

    def wait(self, value=None):
        self.jax.block_until_ready(value)

    def results(self, kernel, value, arguments):
        return measure.to_host(tuple(value))


class Numba(NumPy):
    """On the CPU, in parallel; it has a part in runs on a GPU only as what the CPU does."""

    needs = ("scipy",)  # for products of matrices

    def __init__(self, target, folder):
        import numba
        from benchmarks import numba_peers
        self.numba, self.peers = numba, numba_peers

    def function(self, kernel):
        own = getattr(self.peers, kernel.name, None)
        return own or self.numba.njit(parallel=True)(getattr(example(kernel), kernel.plain_name))


class Appyc(NumPy):
    """The example's first function, translated and built here."""

    def __init__(self, target, folder):
        super().__init__(target, folder)
        self.device = measure.device_arrays() if target == "cuda" else None
        self.times, self.made = {}, {}  # by kernel, by file

    def function(self, kernel):
        stem = kernel.source.stem
        if stem not in self.made:
            generated, seconds = measure.translate(kernel.source, self.target, self.folder)
            self.made[stem] = {"translate_ms": 1e3 * seconds, "build_s": measure.build(generated)}
        self.times[kernel.name] = self.made[stem]
        return getattr(measure.load(self.folder / f"{stem}_host.py"), kernel.name)

    def put(self, x):
        return self.device[0](x) if self.device and isinstance(x, np.ndarray) else x

    def wait(self, value=None):
        if self.device:
            self.device[1]()


PEERS = {"appyc": Appyc, "numpy": NumPy, "numba": Numba, "cupy": CuPy, "jax": Jax, "torch": Torch}


def called(peer, kernel, function, preset):
    """What a call yields, on the host."""
    arguments = [peer.put(x) for x in kernel.inputs(preset)]
    value = function(*arguments)
    peer.wait(value)
    return peer.results(kernel, value, arguments)


def timed(peer, kernel, function, preset, seconds):
    """Median seconds of a call; a result of JAX has to be waited for by itself."""
    arguments = [peer.put(x) for x in kernel.inputs(preset)]
    last = []

    def call(*own):
        last[:] = [function(*own)]

    return measure.median_time(call, arguments, lambda: peer.wait(last), seconds)


def run(peer, kernel, preset, folder, seconds, is_judge):
    row = {"kernel": kernel.name, "ms": None, "error": "", "checked": ""}
    function = peer.function(kernel)
    if not is_judge:
        judge = NumPy("cpu", folder)
        wanted = called(judge, kernel, judge.function(kernel), PRESETS["tiny"])
        row["error"] = measure.difference(called(peer, kernel, function, PRESETS["tiny"]), wanted)
        row["checked"] = "tiny"
    start = time.perf_counter()
    got = called(peer, kernel, function, preset)
    first = time.perf_counter() - start
    saved = folder / f"{kernel.name}.npz"
    if is_judge:
        np.savez(saved, *got)
        row["checked"] = "judge"
    elif saved.exists():
        with np.load(saved) as arrays:
            row["error"] = row["error"] or measure.difference(got, tuple(arrays[name] for name in arrays.files))
        row["checked"] = "timed size"
    del got
    row["ms"] = 1e3 * (first if first > 10 * seconds else timed(peer, kernel, function, preset, seconds))
    return {**row, **getattr(peer, "times", {}).get(kernel.name, {})}


def told(error, peer):
    """The error's first line, behind the packages that the peer lacks, which may be why."""
    lines = str(error).strip().splitlines()
    missing = [name for name in getattr(peer, "needs", ()) if importlib.util.find_spec(name) is None]
    lacks = f"lacks {', '.join(missing)} (pip install {' '.join(missing)}); " if missing else ""
    return f"{lacks}{type(error).__name__}: {lines[0] if lines else ''}"[:200]


def main():
    name, preset, target, folder, seconds, *kernels = sys.argv[1:]
    peer, known = PEERS[name](target, Path(folder)), KERNELS if set(kernels) <= set(KERNELS) else programs()
    print(json.dumps({"ready": name}), flush=True)
    for kernel in kernels:
        try:
            row = run(peer, known[kernel], PRESETS[preset], Path(folder), float(seconds), name == "numpy")
        except Exception as error:  # of whatever library: the others go on
            row = {"kernel": kernel, "ms": None, "error": told(error, peer), "checked": ""}
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
