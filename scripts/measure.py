"""What scripts/tune and scripts/bench share: translating, building, inputs, timing, comparing, progress."""
import ast
import copy
import functools
import importlib.util
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A Python without NumPy: the one that scripts/setup made has it.
if importlib.util.find_spec("numpy") is None and (ROOT / ".venv/bin/python").exists():
    os.execv(ROOT / ".venv/bin/python", [ROOT / ".venv/bin/python", *sys.argv])

import numpy as np  # noqa: E402

APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
sys.path.insert(0, str(ROOT / "lib/Python"))


class Failure(Exception):
    """A step that did not work; the text is for the user."""


def options_of(path):
    """TRANSLATE_OPTIONS of test/Execution/harness.py."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TRANSLATE_OPTIONS":
            return ast.literal_eval(node.value)
    return ()


def run(command, folder=None):
    """Runs a command; returns what it printed and its seconds."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, shell=isinstance(command, str))
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}; APPYC names the compiler") from None
    if done.returncode:
        shown = command if isinstance(command, str) else " ".join(map(str, command))
        raise Failure(f"{shown}\n{(done.stderr or done.stdout).strip()}")
    return done.stdout, time.perf_counter() - start


@functools.cache
def has_gpu():
    if not (shutil.which("nvidia-smi") and shutil.which("nvcc")):
        return False
    return subprocess.run(["nvidia-smi", "-L"], capture_output=True).stdout.startswith(b"GPU")


@functools.cache
def machine(target):
    """The name of what runs the code."""
    if target == "cuda":
        name = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
        return name.stdout.splitlines()[0].strip()
    found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    return f"{found[1].strip() if found else 'CPU'}, {len(os.sched_getaffinity(0))} cores"


# --- programs


def load(path, name=None):
    """The module in a file."""
    spec = importlib.util.spec_from_file_location(name or path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def signatures(path):
    """{exported function: [(parameter, type or None), ...]}, by annotations or `#appyc: def` comments."""
    text = path.read_text(encoding="utf-8")
    comments = {}
    for found in re.finditer(r"^#\s*appyc\s*:\s*def\s+(\w+)((?:.*\n#)*.*)$", text, re.M):
        source = f"def {found[1]}{found[2].replace(chr(10) + '#', ' ')}: pass"
        comments[found[1]] = ast.parse(source).body[0]
    result = {}
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        types = comments.get(node.name, node).args.args
        known = {p.arg: ast.unparse(p.annotation) for p in types if p.annotation}
        optional = {p.arg for p in node.args.args[len(node.args.args) - len(node.args.defaults):]}
        if known and all(p.arg in known or p.arg in optional for p in node.args.args):
            result[node.name] = [(p.arg, known.get(p.arg)) for p in node.args.args if p.arg in known]
    return result


DTYPES = {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32",
          "u64": "uint64", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128", "float": "float64",
          "int": "int64", "complex": "complex128", "bool": "bool"}


def random_inputs(function, parameters, sizes, rng):
    """Arguments by their types: floats in [0, 1), whole numbers below the smallest size."""
    made = []
    for name, written in parameters:
        dtype, _, extents = written.rpartition(".")[2].partition("[")
        dtype = DTYPES.get(dtype, dtype)
        if not extents:
            if "int" in dtype and name not in sizes:
                raise Failure(f"{function}: say what `{name}` is, as in --sizes {name}=10")
            made.append(sizes[name] if name in sizes else rng.random())
            continue
        try:
            shape = tuple(int(eval(e, {"__builtins__": {}}, dict(sizes))) for e in extents.rstrip("]").split(","))
        except (NameError, SyntaxError):
            raise Failure(f"{function}: the size of `{name}: {written}` is not known; "
                          "give it by --sizes, or write --inputs") from None
        if "int" in dtype:
            made.append(rng.integers(0, max(1, min([*shape, *sizes.values()])), shape).astype(dtype))
        elif dtype == "bool":
            made.append(rng.random(shape) < 0.5)
        else:
            made.append((rng.random(shape) + (1j * rng.random(shape) if "complex" in dtype else 0)).astype(dtype))
    return tuple(made)


# --- builds


def build_line(generated):
    for line in generated.read_text(encoding="utf-8").splitlines():
        if line.startswith("// build: "):
            return line[len("// build: "):]
    raise Failure(f"{generated.name} has no line `// build: ...`")


def translate(path, target, folder, options=()):
    """The generated file and the seconds that its translation took."""
    generated = folder / (path.stem + (".cu" if target == "cuda" else ".cpp"))
    here = ["--march=native"] if target == "cpu" else []  # as Numba compiles for the machine it runs on
    _, seconds = run([APPYC, path.resolve(), "-o", generated.name, f"--target={target}", *here, *options], folder)
    return generated, seconds


@functools.cache
def cublas_flags():
    """How to link with cuBLAS where it comes as a wheel, which has no libcublas.so; else as the line has it."""
    found = importlib.util.find_spec("nvidia")
    nvcc = shutil.which("nvcc")
    if nvcc and any((Path(nvcc).resolve().parents[1] / folder / "libcublas.so").exists() for folder in ("lib64", "lib")):
        return "-lcublas"
    for folder in found.submodule_search_locations if found else ():
        for library in sorted(Path(folder).glob("*/lib/libcublas.so.*")):
            return f"-L{library.parent} -l:{library.name} -Xlinker -rpath={library.parent}"
    return "-lcublas"


def build(generated):
    """Builds the library by the line in the file; the seconds that it took."""
    line = build_line(generated).replace("-lcublas", cublas_flags())
    if shutil.which("nvidia-smi") and line.startswith("nvcc"):  # for this machine's GPU alone
        line = re.sub(r"-gencode .*code=sm_\d+", "-arch=native", line)
    return run(line, generated.parent)[1]


@functools.cache
def device_arrays():
    """(array on the device from NumPy, wait for the device), or None: NumPy's arrays, whose copying counts."""
    try:
        import cupy
        return cupy.asarray, cupy.cuda.Device().synchronize
    except Exception:  # whatever it is, it is of no use here
        pass
    try:
        import torch
        if torch.cuda.is_available():
            return lambda x: torch.from_numpy(x).cuda(), torch.cuda.synchronize
    except Exception:
        pass
    return None


def to_host(x):
    """NumPy's array of whatever kind of array."""
    if isinstance(x, tuple | list):
        return tuple(to_host(part) for part in x)
    if x is None or isinstance(x, np.ndarray | np.generic | int | float | complex | bool):
        return x
    for name in ("get", "cpu", "copy_to_host"):  # CuPy, PyTorch, Numba
        if hasattr(x, name):
            x = getattr(x, name)()
    return np.asarray(x)


# --- comparing and timing

TOLERANCE = {"float32": 1e-4, "complex64": 1e-4, "float64": 1e-8, "complex128": 1e-8}


def difference(got, want):
    """What is wrong with `got`; "" where nothing is. Floats may differ by rounding."""
    if isinstance(want, tuple):
        if not isinstance(got, tuple) or len(got) != len(want):
            return "another number of results"
        return next(filter(None, (difference(g, w) for g, w in zip(got, want))), "")
    if want is None or got is None:
        return "" if want is got else "a result is missing"
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return f"shape {got.shape} instead of {want.shape}"
    tolerance = TOLERANCE.get(want.dtype.name, 0)
    finite = np.abs(want[np.isfinite(want)]) if tolerance else np.zeros(0)
    scale = float(finite.max()) if finite.size else 0.0
    if np.allclose(got, want, rtol=tolerance, atol=tolerance * scale, equal_nan=bool(tolerance)):
        return ""
    return "another result than NumPy's"


def results(function, arguments):
    """What a call returns, and the arrays as it leaves them."""
    arguments = copy.deepcopy(arguments)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        value = function(*arguments)
    return (to_host(value), *(to_host(a) for a in arguments if not np.isscalar(a)))


def median_time(function, arguments, wait=lambda: None, seconds=1.0, most=20):
    """Seconds of a call: median of at most `most`, each on its own copy of the arguments, after one that is not counted."""
    times, start = [], time.perf_counter()
    for call in range(most + 1):
        mine = tuple(a.clone() if hasattr(a, "clone") else a.copy() if hasattr(a, "copy") else a for a in arguments)
        wait()
        begin = time.perf_counter()
        function(*mine)
        wait()
        times.append(time.perf_counter() - begin)
        if call >= 3 and time.perf_counter() - start > seconds:
            break
    return statistics.median(times[1:])


class Progress:
    """A bar on stderr where that is a terminal, else a line a step."""

    def __init__(self, total):
        self.total, self.done, self.terminal = max(total, 1), 0, sys.stderr.isatty()

    def step(self, text, count=1):
        self.done += count
        if not self.terminal:
            print(f"{self.done}/{self.total} {text}", file=sys.stderr, flush=True)
            return
        filled = 30 * min(self.done, self.total) // self.total
        line = f"[{'#' * filled}{'.' * (30 - filled)}] {self.done}/{self.total} {text}"
        print(f"\r\x1b[K{line[:shutil.get_terminal_size().columns - 1]}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
