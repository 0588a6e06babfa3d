"""Translates a file of random functions in several ways, builds each once, and compares every function with CPython.

A file is translated whole and compiled once a way, which costs a few milliseconds a function. Compiled code runs in a
child process; where that dies, the function at fault is noted and the others go on in the next child.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
for folder in ("test/Execution", "lib/Emulation"):
    sys.path.insert(0, str(HERE.parents[1] / folder))

import build as emulation
import harness
from rewrite_launches import rewrite

TRANSLATION_LIMIT = 300
TIME_LIMIT = 60  # seconds for one function in one way
# clang takes half of g++'s time, but may lack OpenMP; in check mode the emulator wants g++.
FAST_COMPILER = shutil.which("clang++") or "g++"
PLAIN = ["-O0", "-w", "-fPIC", "-ffp-contract=off"]


@dataclass(frozen=True)
class Way:
    """How a program is translated and run: `appyc` options, and what runs the code."""

    name: str
    options: tuple
    emulated: bool = False
    check: bool = False
    wide: bool = False  # with indices of 64 bits alone, which numbers of any size ask for

    @property
    def target(self):
        return harness.Target(self.name, "cuda" if self.emulated else "cpu", self.emulated, self.check)

    def but(self, *options):
        return Way(" ".join((self.name, *options)), self.options + options, self.emulated, self.check, self.wide)


SEQUENTIAL = "--target=sequential"
TENSOR = Way("tensor", (SEQUENTIAL, "--disable-pass=forward-temporaries", "--stop-after=lower-to-loops"))
LOOP = Way("loop", (SEQUENTIAL, "--stop-after=forward-stores"))
# One lane runs all: batches of a lane count on a block's threads by their number.
SCHEDULED = Way("scheduled", (SEQUENTIAL, "--disable-pass=batch-lanes"))
CPU = Way("cpu", ("--target=cpu",))
EMULATED = Way("emulated", ("--target=cuda",), True)
EMULATED_WIDE = Way("emulated", ("--target=cuda",), True, wide=True)
CHECKED = Way("checked", ("--target=cuda",), True, True)
ALL_WAYS = (TENSOR, LOOP, SCHEDULED, CPU, EMULATED, CHECKED)


@functools.cache
def passes():
    """Names of the passes of --target=sequential, which has all, and whether each is optional."""
    listed = subprocess.run([harness.APPYC, SEQUENTIAL, "--list-passes"], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return {row[0]: row[2] == "optional" for row in rows}


@functools.cache
def cpu_passes():
    listed = subprocess.run(
        [harness.APPYC, "--target=cpu", "--list-passes"], capture_output=True, text=True, check=True
    )
    return [line.split()[0] for line in listed.stdout.splitlines() if line.split()[2] == "optional"]


def ways_of(seed):
    """The ways for one seed: all targets, with another option each time; the levels take turns."""
    optional = [name for name, may in passes().items() if may]
    variants = (
        [()] * 4 + [(f"--disable-pass={p}",) for p in optional] + [("--no-auto",), ("--mvl=32",), ("--mvl=1024",)]
    )
    on_cpu = [()] * 4 + [(f"--disable-pass={p}",) for p in cpu_passes()] + [("--no-auto",)]
    chosen, chosen_cpu = variants[seed % len(variants)], on_cpu[seed % len(on_cpu)]
    level = (TENSOR, LOOP, SCHEDULED.but(*chosen))[seed % 3]
    ways = [level, CPU.but(*chosen_cpu), EMULATED.but(*chosen)]
    return ways + ([CHECKED.but(*chosen)] if seed % 8 == 0 else [])


@dataclass
class Failure:
    function: str
    way: Way
    kind: str  # refused, crash (of appyc), build, died, mismatch
    detail: str

    def __str__(self):
        return f"{self.function} [{self.way.name}] {self.kind}: {self.detail}"


@dataclass
class Report:
    ran: int = 0
    invalid: list = field(default_factory=list)  # functions that CPython refuses
    failures: list = field(default_factory=list)
    seconds: dict = field(default_factory=dict)


def timed(report, name, work):
    start = time.monotonic()
    result = work()
    report.seconds[name] = report.seconds.get(name, 0) + time.monotonic() - start
    return result


# --- text


DEFINES = re.compile(r"(?:def |class |(?=\w+ = namedtuple))(\w+)")  # the helpers of f7 are called f7_h...


def pieces(text):
    """A program's head, and for each exported function the text that belongs to it."""
    parts = re.split(r"^(?=def |class |@|\w+ = namedtuple)", text, flags=re.MULTILINE)
    head, functions, helpers = parts[0], {}, ""
    for part in parts[1:]:
        name = DEFINES.match(part)[1] if not part.startswith("@") else "_h"
        if name.startswith("inputs_"):
            functions[name[len("inputs_") :]] += part
        elif "_h" in name:
            helpers += part
        else:
            functions[name] = helpers + part
            helpers = ""
    return head, functions


def joined(head, functions):
    return head + "".join(functions.values())


# --- translating


def run_appyc(source, output, options):
    """Loops over masks have their points grouped however few they are; loops of small steps are one launch of a cluster,
    or of a block, or a launch for each step, in turn from file to file."""
    command = [harness.APPYC, source, "-o", output, "--fmad=off", "--diagnostics-format=json", *options]
    text = source.read_text()
    on_device = "--target=cuda" in options
    if re.search(r"^ +for b\d+ in ", text, re.MULTILINE) or on_device:
        schedule = source.with_suffix(".schedule")
        launch = ("auto", "cluster", "steps")[len(text) % 3]
        schedule.write_text(harness.grouping(source, 1, [o for o in options if o.startswith("--target")], launch=launch))
        command += [f"--schedule={schedule}", "-w"] if schedule.stat().st_size else []
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TRANSLATION_LIMIT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"no end after {TRANSLATION_LIMIT} seconds")


def refusals(done, source):
    """{function: message} from the diagnostics."""
    starts = [
        (number, match[1])
        for number, line in enumerate(source.read_text().splitlines(), 1)
        if (match := DEFINES.match(line))
    ]
    found = {}
    try:
        rows = json.loads(done.stderr)
    except json.JSONDecodeError:
        return {}
    for row in rows:
        if row["severity"] == "error":
            name = max((s for s in starts if s[0] <= row["line"]), default=(0, ""))[1].split("_h")[0]
            found.setdefault(name, f"[{row['id']}] {row['message']}")
    return found


def translate(head, functions, way, folder, report):
    """Translates what appyc accepts; returns the generated file and the names in it."""
    functions = dict(functions)
    output = folder / ("generated" + way.target.suffix)
    while functions:
        source = folder / "program.py"
        source.write_text(joined(head, functions))
        done = run_appyc(source, output, way.options)
        if done.returncode == 0:
            return output, functions
        bad = refusals(done, source) if done.returncode == 1 else {}
        if not bad or not bad.keys() <= functions.keys():
            bad = {
                name: done.stderr[-600:] for name, text in functions.items() if crashes(head, name, text, way, folder)
            }
            report.failures += [Failure(name, way, "crash", text) for name, text in bad.items()]
            if not bad:
                report.failures.append(Failure(next(iter(functions)), way, "crash", done.stderr[-600:]))
                return None, {}
        else:
            report.failures += [Failure(name, way, "refused", text) for name, text in bad.items()]
        for name in bad:
            functions.pop(name, None)
    return None, {}


def crashes(head, name, text, way, folder):
    source = folder / "one.py"
    source.write_text(head + text)
    return run_appyc(source, folder / ("one" + way.target.suffix), way.options).returncode not in (0, 1)


def compiler_commands(way, generated, library, folder):
    if not way.emulated:
        compiler = ["g++", "-fopenmp"] if way.target.appyc_target == "cpu" and SEQUENTIAL not in way.options else [FAST_COMPILER]
        return [[*compiler, "-std=c++17", *PLAIN, "-shared", generated, "-o", library]]
    runtime = emulation.runtime(way.check)
    rewritten, objects = folder / "emulated.cpp", folder / "emulated.o"
    text = generated.read_text()  # with indices of one width, whatever the sizes: half the code
    bits = 64 if way.wide else 32 << len(text) % 2
    rewritten.write_text(f'#line 1 "{generated}"\n' + rewrite(emulation.with_index(text, bits)))
    compiler = ["g++", *PLAIN, *emulation.CHECKED] if way.check else [FAST_COMPILER, *PLAIN]
    return [
        [*compiler, *emulation.COMMON, f"-I{folder}", "-c", rewritten, "-o", objects],
        ["g++", "-shared", objects, "-o", library, runtime, f"-Wl,-rpath,{runtime.parent}"],
    ]


def compile_generated(way, generated, folder):
    """An error text, or None."""
    library = folder / "libgenerated.so"
    for command in compiler_commands(way, generated, library, folder):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return done.stderr[:2000]
    return None


# --- running


def outcomes(module_of, names, sizes_of, inputs_of, folder, limit=TIME_LIMIT):
    """{(function, size): Outcome}, computed in children; a function that kills its child has an outcome that says so."""
    results, left = {}, list(names)
    while left:

        def work(names=tuple(left)):
            module = module_of()
            for name in names:
                signal.alarm(limit)
                for size in sizes_of(name):
                    yield (name, size), harness.call(getattr(module, name), inputs_of(name, size))
                yield (name, None), None

        with open(folder / "run.log", "w+", errors="replace") as log:
            items, status = harness.in_child(work, log)
            log.seek(0)
            printed = log.read()[-3000:]
        finished = {key[0] for key, _ in items if key[1] is None}
        results.update(item for item in items if item[0][1] is not None)
        guilty = next((name for name in left if name not in finished), None)
        if guilty is None:
            break
        for size in sizes_of(guilty):
            text = f"status {status} ({harness.describe_status(status)})\n{printed}"
            results.setdefault((guilty, size), harness.Outcome(died=text))
        left = left[left.index(guilty) + 1 :]
    return results


class Poisoned:
    """NumPy whose empty arrays hold a chosen byte: programs whose result depends on it are not valid."""

    def __init__(self, byte):
        self.byte = byte

    def __getattr__(self, name):
        return getattr(np, name)

    def poison(self, array):
        array.view(np.uint8).fill(self.byte) if array.size and array.ndim else None
        return array

    def empty(self, *args, **keywords):
        return self.poison(np.empty(*args, **keywords))

    def empty_like(self, *args, **keywords):
        return self.poison(np.empty_like(*args, **keywords))


def load_source(path, byte=None):
    module = type(sys)("program")
    sys.modules.setdefault("program", module)  # where pickle and dataclasses look classes up
    exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
    if byte is not None:
        module.np = Poisoned(byte)
    return module


def inputs_from(module, name, size):
    return getattr(module, f"inputs_{name}")(size, np.random.default_rng(size + 1))


# --- comparing

# Has a function several of them? Python's sum of nothing is one, too.
PATHS = re.compile(r"\b(if|or|and|for|while|min|max)\b|(?<![.\w])sum\(")


def rounds_to_single(text):
    """May a double hold what a function or a sum of floats of 32 bits has given, which NumPy rounds in its own way?
    Functions of integers of 16 bits compute in these."""
    functions = r"np\.\w+\(|@|\.\w+\(|[+-]= "
    return bool(re.search(r"\b[fiu](32|16)\b|float32|int16|\bc64\b|complex64", text) and re.search(functions, text))


def agrees(got, want, arguments, single=False, by_path=False):
    """None when the outcome is CPython's; else what differs. Floats may be rounded differently, relative to the largest
    number that the function has seen or made. `by_path`: as in difference()."""
    if want.raised:
        return None if got.raised == want.raised else f"raised {got.raised or 'nothing'} instead of {want.raised}"
    if any(type(p) is int and not -(2**63) <= p < 2**63 for p in parts([want.value, *want.arguments])):
        return None  # Python's integers are of 64 bits here
    if got.raised:
        return f"raised {got.raised}: {got.message.splitlines()[-1] if got.message else ''}"
    seen = [
        np.abs(np.asarray(a, np.complex128 if np.asarray(a).dtype.kind == "c" else np.float64)) for a in parts(arguments)
    ]
    largest = max([float(a[np.isfinite(a)].max(initial=0)) for a in seen] + [1.0])
    pairs = [("result", got.value, want.value)] + [
        (f"argument {i}", g, w) for i, (g, w) in enumerate(zip(got.arguments, want.arguments))
    ]
    for what, g, w in pairs:
        problem = difference(g, w, largest, single, by_path)
        if problem:
            return f"{what} {problem}"
    return None


def parts(value):
    """The numbers and arrays of records and of tuples."""
    if isinstance(value, dict):
        value = tuple(value.values())
    elif dataclasses.is_dataclass(value):
        value = tuple(vars(value).values())
    return [part for item in value for part in parts(item)] if isinstance(value, (tuple, list)) else [value]


def difference(got, want, largest, single, by_path=False):
    """`by_path`: a number's type may depend on the path in CPython, where the compiled function has one that holds all."""
    if isinstance(want, dict):
        if not isinstance(got, dict) or list(got) != list(want):
            return f"is {got!r} instead of a dict of {list(want)}"
        got, want = tuple(got.values()), tuple(want.values())
    elif dataclasses.is_dataclass(want):  # an argument, which is of the class that the program has
        got, want = tuple(vars(got).values()), tuple(vars(want).values())
    if isinstance(want, tuple) or (isinstance(want, list) and isinstance(got, list)):
        if type(got) is not type(want) or len(got) != len(want):
            return f"is no {type(want).__name__} of that length"
        return next(
            (
                f"[{i}] {p}"
                for i, (g, w) in enumerate(zip(got, want))
                if (p := difference(g, w, largest, single, by_path))
            ),
            None,
        )
    if isinstance(got, tuple):
        return f"is a tuple instead of {want!r}"
    if want is None or got is None:
        return None if want is got else f"is {got!r} instead of {want!r}"
    try:
        got, want = np.asarray(got), np.asarray(want)
    except ValueError:  # a list of lists that are not of one length
        return f"is {got!r} instead of {want!r}"
    if by_path and got.ndim == want.ndim == 0 and complex(got) == complex(want):
        return None
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"is {got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    if want.dtype.kind in "biu":
        return None if np.array_equal(got, want) else shown(got, want, got != want)
    tolerance = 1e-4 if single or want.dtype.itemsize == (8 if want.dtype.kind == "c" else 4) else 1e-9
    with np.errstate(all="ignore"):
        finite = np.abs(want[np.isfinite(want)])
        scale = max(largest, float(finite.max(initial=0)))
        same = (got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= tolerance * scale)
    return None if same.all() else shown(got, want, ~same)


def shown(got, want, where):
    first = tuple(int(k[0]) for k in np.nonzero(where)) if got.ndim else ()
    return f"{list(first)} is {got[first]!r} instead of {want[first]!r} ({int(np.sum(where))} of {got.size} differ)"


# --- a whole file


def check(text, ways, folder, report=None, poison=False, limit=TIME_LIMIT, by_path=False):
    """Compares every function of the program; appends to the report. CPython gets `limit` seconds. `by_path`: as in
    difference()."""
    report = report or Report()
    head, functions = pieces(text)
    source = folder / "source.py"
    source.write_text(text)
    sys.modules.pop("program", None)
    program = load_source(source)
    sizes = {name: getattr(program, f"sizes_{name}", program.SIZES) for name in functions}

    def run_python(byte=None):
        return outcomes(
            lambda: load_source(source, byte),
            functions,
            sizes.get,
            lambda n, s: inputs_from(program, n, s),
            folder,
            limit,
        )

    want = timed(report, "CPython", run_python)
    for name in list(functions):
        bad = next((o for s in sizes[name] if (o := want[name, s]).raised or o.died), None)
        if bad:
            report.invalid.append((name, bad.raised or "died", (bad.message or bad.died)[-300:]))
            del functions[name]
    if poison and functions:
        other = run_python(0xD1)
        more = run_python(0x3C)
        for name in list(functions):
            if any(agrees(o[name, s], want[name, s], ()) for s in sizes[name] for o in (other, more)):
                report.invalid.append((name, "uninitialised", ""))
                del functions[name]
    report.ran += len(functions)
    for way in ways:
        functions = compare_way(head, functions, way, program, sizes, want, folder, report, by_path)
    return report


def compare_way(head, functions, way, program, sizes, want, folder, report, by_path):
    """Returns the functions that are still to be compared in other ways."""
    work = folder / way.name.split()[0]
    work.mkdir(exist_ok=True)
    generated, accepted = timed(report, "appyc", lambda: translate(head, functions, way, work, report))
    if not accepted:
        return {}
    error = timed(report, "g++ " + way.name.split()[0], lambda: compile_generated(way, generated, work))
    if error:
        if len(accepted) == 1:
            report.failures.append(Failure(next(iter(accepted)), way, "build", error))
            return {}
        names = list(accepted)
        kept = {}
        for half in (names[: len(names) // 2], names[len(names) // 2 :]):
            part = {n: accepted[n] for n in half}
            kept.update(compare_way(head, part, way, program, sizes, want, folder, report, by_path))
        return kept

    def module_of():
        os.environ["OMP_NUM_THREADS"] = "3"
        if way.check:
            os.environ["APPYC_EMULATION_ORDER"] = "reverse"
        return harness.load_wrapper(work, Path("generated.py"))

    got = timed(
        report,
        "run " + way.name.split()[0],
        lambda: outcomes(module_of, accepted, sizes.get, lambda n, s: inputs_from(program, n, s), work),
    )
    for name in list(accepted):
        single, paths = rounds_to_single(accepted[name]), by_path and bool(PATHS.search(accepted[name]))
        for size in sizes[name]:
            outcome = got[name, size]
            inputs = inputs_from(program, name, size)
            problem = outcome.died or agrees(outcome, want[name, size], inputs, single, paths)
            if problem:
                report.failures.append(
                    Failure(name, way, "died" if outcome.died else "mismatch", f"case {size}: {problem}")
                )
                del accepted[name]
                break
    return accepted
