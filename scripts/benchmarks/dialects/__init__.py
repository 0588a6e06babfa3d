"""scripts/bench dialects: programs in Numba's notation, and routines, beside the same CUDA by hand (by_hand.cu)."""
import ctypes
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import measure

HERE = Path(__file__).parent
PROGRAMS = ("given", "ufuncs", "library", "sparse_pca_kernels", "sparse_pca_numpy")
MANY = 10**8
BY_HAND = "nvcc -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC by_hand.cu -o libby_hand.so"


class Table:
    """Lines of a figure and the limit beside it."""

    def __init__(self):
        self.missed = 0

    def line(self, what, figure, limit="", met=True):
        self.missed += not met
        print(f"{what:<58}{figure:>26}   {limit}{'' if met else '  MISSED'}", flush=True)

    def at_most(self, what, value, unit, limit, beside=""):
        self.line(what, f"{beside}{value:.3g} {unit}", f"<= {limit:g} {unit}", value <= limit)

    def share(self, what, value, limit):
        self.line(what, f"{100 * value:.1f} % of a copy's", f">= {100 * limit:g} %", value >= limit)


def built(folder):
    """{program: module}, the library by hand, and how long each took; all are built at the same time."""
    def program(name):
        generated, seconds = measure.translate(HERE / f"{name}.py", "cuda", folder)
        return seconds, measure.build(generated)

    def by_hand():
        shutil.copy(HERE / "by_hand.cu", folder)
        return 0.0, measure.run(BY_HAND, folder)[1]

    with ThreadPoolExecutor() as pool:
        works = {name: pool.submit(program, name) for name in PROGRAMS}
        works["by_hand"] = pool.submit(by_hand)
        times = {}
        for name, work in works.items():
            try:
                times[name] = work.result()
            except measure.Failure as failure:
                print(f"{name} could not be built: {failure}")
    modules = {name: measure.load(folder / f"{name}_host.py", f"dialect_{name}") for name in PROGRAMS if name in times}
    return modules, ctypes.CDLL(str(folder / "libby_hand.so")) if "by_hand" in times else None, times


class Device:
    """Arrays, by whichever library there is, and time on the device."""

    def __init__(self, hand):
        arrays = measure.device_arrays()
        if not arrays:
            raise measure.Failure("neither CuPy nor PyTorch with a GPU is there, and the measurements need arrays on the device")
        self.put, self.wait, self.hand = *arrays, hand

    def pointer(self, array):
        return ctypes.c_void_p(array.__cuda_array_interface__["data"][0])

    def seconds(self, work, least=0.02):
        """Of one of many calls that nobody waits for in between."""
        work()
        self.wait()
        start = time.perf_counter()
        work()
        self.wait()
        count = max(2, min(2000, int(least / max(time.perf_counter() - start, 1e-6))))
        start = time.perf_counter()
        for _ in range(count):
            work()
        self.wait()
        return (time.perf_counter() - start) / count

    def median(self, work, rounds=5):
        return statistics.median(self.seconds(work) for _ in range(rounds))

    def both(self, own, hand, rounds=9):
        """Medians of two works, measured in turns."""
        pairs = [(self.seconds(own), self.seconds(hand)) for _ in range(rounds)]
        return tuple(statistics.median(times) for times in zip(*pairs))

    def call(self, work, count=500):
        """Seconds that the host needs for a call that does next to nothing."""
        times = []
        for _ in range(9):
            work()
            self.wait()
            start = time.perf_counter()
            for _ in range(count):
                work()
            times.append((time.perf_counter() - start) / count)
        self.wait()
        return statistics.median(times)


def against_hand(table, device, what, own, hand, allowed):
    mine, theirs = device.both(own, hand)
    table.line(what, f"{1e3 * mine:.4g} to {1e3 * theirs:.4g} ms, {mine / theirs:.3f}", f"<= {allowed:g} of by hand",
               mine <= allowed * theirs)


def same(table, what, got, want):
    if problem := measure.difference(measure.to_host(got), want):
        table.line(what, problem, "the same as by hand", False)


def given(table, device, module):
    hand, rng = device.hand, np.random.default_rng(0)
    x, y = (device.put(rng.random(MANY, dtype=np.float32)) for _ in range(2))
    px, py, blocks = device.pointer(x), device.pointer(y), (MANY + 255) // 256
    against_hand(table, device, "given kernel, axpy of 10^8 f32", lambda: module.axpy[blocks, 256](x, y, 0.5),
                 lambda: hand.axpy(px, py, ctypes.c_float(0.5), MANY), 1.02)
    out, other = (device.put(np.zeros(1, np.float32)) for _ in range(2))
    against_hand(table, device, "given kernel, sum of 10^8 f32 by shuffles", lambda: module.total[1056, 256](x, out),
                 lambda: hand.total(px, device.pointer(other), MANY), 1.02)
    n = 2048
    A, B = (device.put(rng.random((n, n), dtype=np.float32)) for _ in range(2))
    C, D = (device.put(np.zeros((n, n), np.float32)) for _ in range(2))
    grid, matrices = (n // 16, n // 16), [device.pointer(a) for a in (A, B, D)]
    against_hand(table, device, "given kernel, product of 2048 x 2048 f32 by tiles",
                 lambda: module.product[grid, (16, 16)](A, B, C), lambda: hand.product(*matrices, n), 1.02)
    same(table, "given kernel, product", C, measure.to_host(D))
    few = [device.put(np.ones(1000, np.float32)) for _ in range(2)]
    table.at_most("given kernel, a call from Python", 1e6 * device.call(lambda: module.axpy[4, 256](*few, 0.5)), "us", 8)


def ufuncs(table, device, module):
    hand, rng, n = device.hand, np.random.default_rng(1), MANY
    few = [device.put(np.ones(1000, np.float32)) for _ in range(3)]
    table.at_most("ufunc with out, a call", 1e6 * device.call(lambda: module.saxpy(2.0, few[0], few[1], out=few[2])), "us", 10)
    x, y, out = (device.put(rng.random(n, dtype=np.float32)) for _ in range(3))
    to, source, size = device.pointer(out), device.pointer(x), ctypes.c_size_t(4 * n)
    copied = 8 * n / device.median(lambda: hand.copy(to, source, size))
    table.line("a copy of 10^8 f32 on the device", f"{copied / 1e12:.3f} TB/s")

    def share(what, limit, bytes_moved, *operands):
        table.share(f"ufunc saxpy, {what}", bytes_moved / device.median(lambda: module.saxpy(*operands[:-1], out=operands[-1])) / copied,
                    limit)

    share("10^8 f32", 0.9, 12 * n, 2.0, x, y, out)
    same(table, "ufunc saxpy", out[:1000], np.float32(2) * measure.to_host(x[:1000]) + measure.to_host(y[:1000]))
    m = int(MANY ** 0.5)
    inner = [a.reshape(m, m)[1:-1, 1:-1] for a in (x, y, out)]
    share("strided: the inner part of 10^4 x 10^4", 0.7, 12 * (m - 2) ** 2, 2.0, *inner)
    share("strided: every second element, bytes of whole sectors", 0.7, 12 * n, 2.0, *(a[::2] for a in (x, y, out)))
    share("strided: every second column, bytes of whole sectors", 0.7, 12 * n, 2.0, *(a.reshape(m, m)[:, ::2] for a in (x, y, out)))
    whole, result = x.reshape(m, m), out.reshape(m, m)
    share("broadcast: a row, a matrix, a column", 0.7, 8 * n, y[:m].reshape(1, m), whole, y[:m].reshape(m, 1), result)
    share("broadcast: a column, a matrix, a row", 0.7, 8 * n, y[:m].reshape(m, 1), whole, y[:m].reshape(1, m), result)
    share("broadcast: rows of 10", 0.7, 8 * n, y[:10].reshape(1, 10), x.reshape(-1, 10), 1.0, out.reshape(-1, 10))
    share("strided: a transposed operand", 0.7, 12 * n, 2.0, whole.T, y.reshape(m, m), result)


def routines(table, device, module):
    hand, rng, n = device.hand, np.random.default_rng(2), MANY
    x, other = (device.put(rng.random(n, dtype=np.float32)) for _ in range(2))
    px, po = device.pointer(x), device.pointer(other)
    bytes_needed = ctypes.c_size_t()

    def room(function, *arguments):
        function(None, ctypes.byref(bytes_needed), *arguments)
        return device.put(np.zeros(bytes_needed.value, np.uint8))

    def compared(name, what):
        function, own = getattr(hand, name), getattr(module, name)
        space = room(function, px, po, n)
        at = device.pointer(space)
        against_hand(table, device, what, lambda: own(x), lambda: function(at, ctypes.byref(bytes_needed), px, po, n), 1.05)

    compared("ordered", "sort of 10^8 f32")
    own_sorted = module.ordered(x)
    same(table, "sort", own_sorted[:10**6], measure.to_host(other[:10**6]))
    compared("running", "scan of 10^8 f32")
    keys = device.put(rng.integers(0, 10**6, n).astype(np.int32))
    made = [device.put(np.zeros(n, np.int32)) for _ in range(2)] + [device.put(np.zeros(1, np.int64))]
    arguments = [device.pointer(keys), *(device.pointer(a) for a in made), n]
    space = room(hand.distinct, *arguments)
    at = device.pointer(space)

    def distinct():  # the number is read, as by the one who makes an array of it
        hand.distinct(at, ctypes.byref(bytes_needed), *arguments)
        hand.synchronize()

    against_hand(table, device, "unique of 10^8 i32", lambda: module.distinct(keys), distinct, 1.05)
    same(table, "unique", module.distinct(keys), measure.to_host(made[1][:int(measure.to_host(made[2])[0])]))


def sparse_pca(table, device, modules):
    """p = 1000, 64,000 samples, k = 10. A program that takes long is measured with fewer samples, by which its time goes."""
    rng, k, few = np.random.default_rng(3), 10, 64
    V, C = rng.normal(size=(1000, 3)), rng.normal(size=(3, 64000))

    def wanted(C):
        entries = V @ (C / np.sqrt(np.sum(C * C, axis=0)))
        return float(np.sqrt((np.partition(entries, -k, axis=0)[-k:] ** 2).sum(axis=0)).max())

    def measured(function, what):
        given, part, note = (device.put(V), device.put(np.ascontiguousarray(C[:, ::few]))), 1, ""
        same(table, f"sparse PCA, {what}", float(function(*given, k)[0]), wanted(C[:, ::few]))
        if device.median(lambda: function(*given, k), 1) > 0.1:
            part, note = few, "by a 64th of them: "
        else:
            given = device.put(V), device.put(C)
            same(table, f"sparse PCA, {what}", float(function(*given, k)[0]), wanted(C))
        seconds = part * device.median(lambda: function(*given, k))
        table.at_most(f"sparse PCA, p = 1000, 64,000 samples, {what}", 1e3 * seconds, "ms", 1, note)

    for name, what in (("sparse_pca_kernels", "explicit kernels"), ("sparse_pca_numpy", "NumPy text")):
        if name in modules:
            measured(modules[name].sparse_pca, what)


def run():
    """Prints the table; how many of its figures are missed."""
    if not measure.has_gpu():
        raise measure.Failure("no GPU or no nvcc is here")
    table = Table()
    with tempfile.TemporaryDirectory(prefix="appyc-bench-") as name:
        modules, hand, times = built(Path(name))
        if hand is None:
            raise measure.Failure("nothing to compare with")
        device = Device(hand)
        print(f"{measure.machine('cuda')}\n")
        for program, (translated, made) in times.items():
            table.line(f"{program}: translation, nvcc", f"{1e3 * translated:.0f} ms, {made:.1f} s", "< 50 ms, < 2.5 s; with CUB < 8 s")
        parts = [("given", lambda: given(table, device, modules["given"])), ("ufuncs", lambda: ufuncs(table, device, modules["ufuncs"])),
                 ("library", lambda: routines(table, device, modules["library"])),
                 ("sparse_pca_kernels", lambda: sparse_pca(table, device, modules))]
        for program, part in parts:
            try:
                if program in modules:
                    part()
            except Exception as error:  # of whatever library: the others go on
                table.line(program, f"{type(error).__name__}: {error}"[:200], "", False)
    print(f"\n{table.missed} figure(s) missed")
    return 1 if table.missed else 0
