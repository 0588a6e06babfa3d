"""Translates a Python file, builds the result and runs it beside CPython.

A *program* is a file of annotated functions, here or in examples/. It follows these conventions:

    make_inputs(size, rng)      the arguments for every function of the file, or
    inputs_NAME(size, rng)      those for the function NAME
    TARGETS                     the targets to try, where not all have something to show
    SIZES, sizes_NAME           the sizes to try, where the default ones do not fit
    TRANSLATE_OPTIONS           options for appyc
    EXPORTED                    names of functions whose types stand where neither annotations nor `#appyc:` are
    COMPARES_SHARING            whether results must share memory with arguments and each other as NumPy's do
    COMPARES_RAISED             whether what is raised must have CPython's text, and leave the arguments as CPython does
    WIDE                        whether some call needs 64-bit indices, for a number of the program's
    CLUSTERS                    whether the launches of a loop may be gathered in one: if not given, in all but check mode

Compiled code runs in a child process for each function and target, so that a crash or a hang is one failed test, and
so that a program that the emulator stops does not stop the tests.
"""
from __future__ import annotations

import ast
import contextlib
import copy
import ctypes
import dataclasses
import functools
import gc
import importlib.util
import io
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
# Threads that wait in a loop would take the processor from the other tests' threads.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
EMULATION = ROOT / "lib/Emulation"
os.environ.setdefault("APPYC_EMULATION_FOLDER", str(ROOT / "build/emulation"))
DEFAULT_SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 129, 257, 1000)
CHECKED_SIZES = (0, 1, 3, 33, 127, 129, 257)  # in the emulator's check mode, which is slower
FEW_BLOCKS = "2"  # of a kernel in the emulator at a program's largest size, so that it strides over its grid
TIME_LIMIT = 120  # seconds for all sizes of one function

sys.path.insert(0, str(ROOT / "lib/Python"))
STAND_INS = ROOT / "test/Execution/stand_ins"
sys.path.insert(0, str(STAND_INS))  # of packages that the tests do without, even where they are


@dataclass(frozen=True)
class Target:
    """A way to run a translated program."""

    name: str
    appyc_target: str
    emulated: bool = False
    check: bool = False
    options: tuple = ()  # for appyc
    compiled_with: str = ""  # added to the build line

    @property
    def suffix(self):
        return ".cpp" if self.appyc_target == "cpu" else ".cu"


@functools.cache
def has_gpu():
    tools = shutil.which("nvidia-smi") and shutil.which("nvcc")
    return bool(tools) and subprocess.run(["nvidia-smi", "-L"], capture_output=True).stdout.startswith(b"GPU")


EMULATED = Target("emulated", "cuda", emulated=True)
CHECKED = Target("checked", "cuda", emulated=True, check=True)


def targets():
    """The targets that this machine can run; APPYC_TEST_TARGETS=cpu,emulated narrows them."""
    all_targets = [Target("cpu", "cpu"), EMULATED, CHECKED]
    if has_gpu():
        all_targets.append(Target("cuda", "cuda"))
    chosen = os.environ.get("APPYC_TEST_TARGETS")
    return [t for t in all_targets if not chosen or t.name in chosen.split(",")]


def targets_of(path):
    """Those that a program runs on. By its name it sees one of the two emulations, as most of what one finds the other does (an eighth
    the one with checks, which takes twice as long), and, if nothing names its targets, the cpu in every fourth; all with APPYC_TEST_ALL (scripts/test --all)."""
    named = getattr(load_program(path), "TARGETS", None)
    own = [t for t in targets() if not named or t.name in named]
    if EMULATED in own and CHECKED in own and not os.environ.get("APPYC_TEST_ALL"):
        chosen = zlib.crc32(path.stem.encode())
        own.remove(EMULATED if chosen % 8 == 0 else CHECKED)
        if not named and chosen // 2 % 4:
            own = [t for t in own if t.name != "cpu"]
    return own


# --- programs


def exported_functions(path):
    """The names of the functions that have types, by annotations or comments, or as EXPORTED names them, in file order."""
    text = path.read_text(encoding="utf-8")
    commented = set(re.findall(r"^#appyc: def (\w+)", text, flags=re.M))
    for names in re.findall(r"^EXPORTED = (\(.*?\))$", text, flags=re.M | re.S):
        commented |= set(ast.literal_eval(names))
    names = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            parameters = node.args.args
            typed = parameters and all(p.annotation for p in parameters[:len(parameters) - len(node.args.defaults)])
            if typed or node.name in commented:
                names.append(node.name)
    return names


@functools.cache
def load_program(path):
    """The module as CPython sees it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where dataclasses looks up what annotations name
    spec.loader.exec_module(module)
    return module


def sizes_of(path, function, target):
    """Check mode sees all that plain emulation does: where both run, each size is of one of them."""
    module = load_program(path)
    sizes = getattr(module, f"sizes_{function}", None) or getattr(module, "SIZES", DEFAULT_SIZES)
    if target.check:
        return tuple(s for s in sizes if s in CHECKED_SIZES)
    checked = CHECKED_SIZES if target == EMULATED and CHECKED in targets_of(path) else ()
    return tuple(s for s in sizes if s not in checked)


def inputs_of(path, function, size):
    module = load_program(path)
    make = getattr(module, f"inputs_{function}", None) or module.make_inputs
    return make(size, np.random.default_rng(size + 1))


def parametrize(metafunc):
    """One test for each (program, function, target). Tests of one build share a worker (`--dist loadgroup`)."""
    programs = getattr(metafunc.module, "PROGRAMS", None)
    if programs is None or not {"path", "function", "target"} <= set(metafunc.fixturenames):
        return
    cases = []
    for path in sorted(programs):
        for target in targets_of(path):
            group = pytest.mark.xdist_group(f"{path.stem}-{target.name}")
            for function in exported_functions(path):
                if not sizes_of(path, function, target):
                    continue
                name = f"{path.stem}-{function}-{target.name}"
                cases.append(pytest.param(path, function, target, id=name, marks=group))
    metafunc.parametrize(("path", "function", "target"), cases)


# --- translating and building


class BuildError(Exception):
    """A step before the run failed; the text says which and what it printed."""


def run_step(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, shell=isinstance(command, str))
    if done.returncode != 0:
        shown = command if isinstance(command, str) else " ".join(map(str, command))
        raise BuildError(f"{shown}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")


@functools.cache
def work_folder():
    """The folder that all builds of this run share; removed at exit unless APPYC_TEST_FOLDER names one to keep."""
    named = os.environ.get("APPYC_TEST_FOLDER")
    if named:
        Path(named).mkdir(parents=True, exist_ok=True)
        return Path(named).resolve()
    folder = tempfile.TemporaryDirectory(prefix="appyc-test-")
    work_folder.keep_until_exit = folder
    return Path(folder.name)


def build_line(generated):
    """The command that the generated file gives for its own build."""
    for line in generated.read_text(encoding="utf-8").splitlines():
        if line.startswith("// build: "):
            return line[len("// build: "):]
    raise BuildError(f"{generated.name} has no line '// build: …'")


def grouping(path, tests, options=(), repeat=None, launch="auto", rows=None, keys=None):
    """The schedule file with which the program's loops over masks have their points grouped from so many tests on, loops
    that fold into elements which the data choose are made by all threads from so many steps, or `keys`, on,
    blocks repeat as much work, or `repeat`, loops of small steps are launched in such a way, and rows of so many elements, or
    of `rows`, are long, as many tiles, and steps of recurrences, enough."""
    numbers = {"masks": tests, "keys": keys or tests, "repeat": repeat or tests, "launch": f'"{launch}"', "rows": rows or tests,
               "tiles": rows or tests, "settle": rows or tests}
    text = subprocess.run([APPYC, path, "--emit=schedule", *options], capture_output=True, text=True).stdout
    parts = [part.splitlines() for part in text.split("\n\n") if part.strip()]
    entries = {heading: "".join(f"{key} = {number}\n" for key, number in numbers.items()
                                if any(line.startswith(f"{key} = ") for line in lines)) for heading, *lines in parts}
    return "\n".join(f"{heading}\n{text}" for heading, text in entries.items() if text)


def translate(path, target, folder, line_map=False, more=()):
    """Writes the generated files, or the map of their lines, into `folder`; returns the path of the .cu or .cpp or map."""
    generated = folder / (path.stem + (".lines" if line_map else target.suffix))
    program = load_program(path)
    gathered = getattr(program, "CLUSTERS", not target.check)
    apart = target.appyc_target == "cuda" and not more and not gathered
    options = (*target.options, *getattr(program, "TRANSLATE_OPTIONS", ()), *(["--emit=line-map"] if line_map else []),
               *(["--disable-pass=cluster-loops"] if apart else []), *more)
    run_step([APPYC, path, "-o", generated, f"--target={target.appyc_target}", *options], folder)
    return generated


@functools.cache
def build(path, target):
    """Translates and builds; returns (folder, None), or (None, the text of the error)."""
    folder = work_folder() / f"{target.name}-{path.stem}-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    try:
        generated = translate(path, target, folder)
        if target.emulated:
            command = [sys.executable, EMULATION / "build.py", generated, "-o", f"lib{path.stem}.so"]
            # Half the code each, as it takes half the time: small sizes with the narrow indices that users have there.
            command += ["--index", "32" if target.check and not hasattr(load_program(path), "WIDE") else "64"]
            if target.check:
                command += ["--check", "--lines", translate(path, target, folder, line_map=True)]
            run_step(command, folder)
        else:
            # Every tenth program as its build line says: -O1 takes half of -O3's time.
            sooner = " -O1" if target.name == "cpu" and zlib.crc32(path.stem.encode()) % 10 else ""
            run_step(build_line(generated) + sooner + target.compiled_with, folder)
    except BuildError as error:
        return None, str(error)
    return folder, None


# --- running


@dataclass
class Outcome:
    """What a call did: returned a value and left its arguments so, or raised, or took its process with it; what it printed."""

    value: object = None
    arguments: tuple = ()
    shared: tuple = ()
    raised: str = ""
    message: str = ""
    text: str = ""
    died: str = ""
    printed: str = ""


def sharing(value, arguments):
    """Which arrays among results and arguments share memory, by their places: a view that NumPy returns is a view."""
    results = value if isinstance(value, tuple) else (value,)
    arrays = [(f"result {k}", x) for k, x in enumerate(results)] + [(f"argument {k}", x) for k, x in enumerate(arguments)]
    arrays = [(name, x) for name, x in arrays if isinstance(x, np.ndarray)]
    return tuple((one, other) for k, (one, x) in enumerate(arrays) for other, y in arrays[k + 1:]
                 if one.startswith("result") and np.may_share_memory(x, y))


def call(function, arguments):
    """Calls with copies of the arguments."""
    arguments = copy.deepcopy(arguments)
    printed = io.StringIO()
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(), contextlib.redirect_stdout(printed):
            warnings.simplefilter("ignore", RuntimeWarning)  # the mean of nothing
            value = function(*arguments)
    except Exception as error:  # whatever it is, the other side has to raise it too
        return Outcome(arguments=arguments, raised=type(error).__name__, message=traceback.format_exc(limit=-3),
                       text=str(error), printed=printed.getvalue())
    return Outcome(value=value, arguments=arguments, shared=sharing(value, arguments), printed=printed.getvalue())


@functools.cache
def expected(path, function, size):
    """The meaning of the program: what CPython and NumPy do."""
    return call(getattr(load_program(path), function), inputs_of(path, function, size))


def in_child(work, log):
    """What `work()` yields, computed in a child process, and its exit status. Errors are printed into `log`."""
    if "libgomp" in Path("/proc/self/maps").read_text():
        raise RuntimeError("this process has used OpenMP, and a fork of it would hang: run test/Execution by itself")
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read_end)
            gc.freeze()  # what the tests have made is not looked at by the collections of check_leaks, nor copied for them
            os.dup2(log.fileno(), 2)
            signal.alarm(TIME_LIMIT)
            with os.fdopen(write_end, "wb") as stream:
                for item in work():
                    pickle.dump(item, stream)
                    stream.flush()
            status = 0
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)
    os.close(write_end)
    items = []
    with os.fdopen(read_end, "rb") as stream:
        try:
            while True:
                items.append(pickle.load(stream))
        except (EOFError, pickle.UnpicklingError):
            pass
    return items, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def check_in_child(folder, program, check):
    """`check(wrapper)` in a child process; fails as its assertions do."""
    def work():
        check(load_wrapper(folder, program))
        yield "done"

    with open(folder / "wrapper.log", "w+", encoding="utf-8") as log:
        items, status = in_child(work, log)
        log.seek(0)
        assert items == ["done"], f"status {status}\n{log.read()}"


def load_wrapper(folder, path):
    spec = importlib.util.spec_from_file_location(f"{path.stem}_host", folder / f"{path.stem}_host.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def check_leaks(folder, path, wrapper):
    """Ends the process if a call has left device memory behind; the workspaces are meant to stay."""
    getattr(wrapper, "release_workspaces", lambda: None)()
    gc.collect()
    ctypes.CDLL(str(folder / f"lib{path.stem}.so")).emulationCheckLeaks()


def compiled(path, function, target):
    """Runs the compiled function for every size: {size: Outcome}."""
    # On a GPU every process pays for a context, so a program's functions share one.
    functions = exported_functions(path) if target.name == "cuda" else [function]
    return run_compiled(path, tuple(functions), target)[function]


@functools.cache
def run_compiled(path, functions, target):
    """Runs the compiled functions for every size: {function: {size: Outcome}}. One that dies takes no other with it."""
    sizes = {function: sizes_of(path, function, target) for function in functions}
    folder, error = build(path, target)
    if error:
        return {function: {size: Outcome(died=error) for size in sizes[function]} for function in functions}
    outcomes = {function: {} for function in functions}
    waiting = list(functions)

    def work():
        if target.check:  # an order of threads and blocks that the other emulated target does not have
            os.environ["APPYC_EMULATION_ORDER"] = "reverse"
        wrapper = load_wrapper(folder, path)
        for function in waiting:
            signal.alarm(TIME_LIMIT)
            for size in sizes[function]:
                os.environ["APPYC_EMULATION_BLOCKS"] = FEW_BLOCKS if size == max(sizes[function]) else "0"
                yield function, size, call(getattr(wrapper, function), inputs_of(path, function, size))
                if target.check:
                    check_leaks(folder, path, wrapper)

    while waiting:
        with open(folder / f"{waiting[0]}.log", "w+", encoding="utf-8", errors="replace") as log:
            items, status = in_child(work, log)
            log.seek(0)
            printed = log.read()
        for function, size, outcome in items:
            outcomes[function][size] = outcome
        unfinished = [f for f in waiting if len(outcomes[f]) < len(sizes[f])]
        if unfinished:
            missing = [size for size in sizes[unfinished[0]] if size not in outcomes[unfinished[0]]]
            died = f"the process ended with status {status} ({describe_status(status)}) at size {missing[0]}\n{printed}"
            outcomes[unfinished[0]].update({size: Outcome(died=died) for size in missing})
        waiting = unfinished[1:]
    return outcomes


def describe_status(status):
    if status == -signal.SIGALRM:
        return "out of time"
    return signal.Signals(-status).name if status < 0 else "exit"


# --- comparing

TOLERANCE = {"float16": 1e-2, "float32": 2e-5, "complex64": 2e-5, "float64": 1e-10, "complex128": 1e-10}


def assert_same(got, want, what):
    """Values, dtypes and shapes are equal; floats up to rounding, as sums may be added up in another order."""
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want), f"{what}: {type(got).__name__} instead of {type(want).__name__}"
        assert len(got) == len(want), f"{what}: {type(got).__name__} instead of a tuple"
        for index, (g, w) in enumerate(zip(got, want)):
            assert_same(g, w, f"{what}[{index}]")
        return
    if isinstance(want, dict):
        assert isinstance(got, dict) and list(got) == list(want), f"{what}: {got!r} instead of the keys {list(want)}"
        for key in want:
            assert_same(got[key], want[key], f"{what}[{key!r}]")
        return
    if dataclasses.is_dataclass(want):
        assert type(got) is type(want), f"{what}: {type(got).__name__} instead of {type(want).__name__}"
        for field in dataclasses.fields(want):
            assert_same(getattr(got, field.name), getattr(want, field.name), f"{what}.{field.name}")
        return
    if want is None:
        assert got is None, f"{what}: {got!r} instead of None"
        return
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype, f"{what}: dtype {got.dtype} instead of {want.dtype}"
    assert got.shape == want.shape, f"{what}: shape {got.shape} instead of {want.shape}"
    tolerance = TOLERANCE.get(want.dtype.name, 0)
    if tolerance == 0:
        np.testing.assert_array_equal(got, want, err_msg=what)
        return
    finite = np.abs(want[np.isfinite(want)])
    scale = float(finite.max()) if finite.size else 0.0
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * scale, err_msg=what)


def assert_as_cpython(path, function, target):
    """The compiled function returns, updates and raises what CPython's does, at each size."""
    wrong = []
    for size, got in compiled(path, function, target).items():
        try:
            assert_as_cpythons(got, expected(path, function, size), load_program(path))
        except AssertionError as error:
            wrong.append(f"at size {size}: {error}")
    assert not wrong, "\n".join(wrong)


def assert_as_cpythons(got, want, program):
    assert_as_outcome(got, want)
    if getattr(program, "COMPARES_SHARING", False):
        assert got.shared == want.shared, f"shared memory: {got.shared} instead of {want.shared}"
    if want.raised and getattr(program, "COMPARES_RAISED", False):
        assert got.text == want.text
        for index, (g, w) in enumerate(zip(got.arguments, want.arguments)):
            assert_same(g, w, f"argument {index} after what was raised")


def assert_as_outcome(got, want):
    assert not got.died, got.died
    assert got.printed == want.printed, f"printed {got.printed!r} instead of {want.printed!r}"
    if want.raised:
        assert got.raised == want.raised, f"raised {got.raised or 'nothing'} instead of {want.message}"
        return
    assert not got.raised, got.message
    assert_same(got.value, want.value, "return value")
    for index, (g, w) in enumerate(zip(got.arguments, want.arguments)):
        assert_same(g, w, f"argument {index} after the call")
