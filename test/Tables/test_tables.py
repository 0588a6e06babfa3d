"""Every operator and function of NumPy that appyc translates, for all types, on the values where rules show.

The programs are generated (operators.py, arrays.py, arguments.py) from appyc's own list of functions; NumPy says what is right.
"""
from __future__ import annotations

import functools
import re
import subprocess

import pytest

import arguments
import arrays
import harness
import library
import operators
from programs import difference

# Not NumPy's functions: test_arguments.py, test_torch.py; those that give nothing: kernels_gather.py; of numbers: kernels_sets.py.
OTHERS = {"ufunc", "method", "builtin", "type", "math", "appy", "tensor", "torch", "store", "itertools", "primitives", "parpy", "numbers"}
ITERATORS = {"ndindex", "ndenumerate", "nditer"}  # which loops run over: test/Execution
TARGETS = [t for t in harness.targets() if t.name in ("cpu", "emulated", "cuda")]


@functools.cache
def everything():
    """({name: program}, refusals)"""
    made, refused = [], []
    for source in (operators, arrays, arguments):
        programs, refusals = source.programs()
        made += programs
        refused += refusals
    return {p.name: p for p in made}, refused


@functools.cache
def program(name, target):
    return everything()[0][name].sampled() if target.emulated else everything()[0][name]


@functools.cache
def written(name, target):
    """The program as a file."""
    path = harness.work_folder() / f"table_{name}_{target.name}.py"
    path.write_text(program(name, target).text, encoding="utf-8")
    return path


@functools.cache
def built(name, target):
    """(folder of the library and its wrapper, what went wrong)"""
    folder = harness.work_folder() / f"{target.name}-table-{name}"
    folder.mkdir(exist_ok=True)
    path = written(name, target)
    generated = folder / (path.stem + target.suffix)
    try:
        harness.run_step([harness.APPYC, path, "-o", generated, f"--target={target.appyc_target}", "--fmad=off"], folder)
        if target.emulated:
            build = [harness.sys.executable, harness.EMULATION / "build.py", generated]
            harness.run_step([*build, "-o", f"lib{path.stem}.so", "--index", "32"], folder)
        else:  # the values are the matter here, not the speed
            harness.run_step(harness.build_line(generated).replace(" -O3 ", " -O0 "), folder)
    except harness.BuildError as error:
        return None, str(error)
    return folder, None


@functools.cache
def outcomes(name, target):
    """{function: [Outcome of each call]}, run in one child process."""
    folder, error = built(name, target)
    functions = program(name, target).functions
    if error:
        return {}, error
    path = written(name, target)

    def work():
        wrapper = harness.load_wrapper(folder, path)
        for f in functions:
            yield f.name, [harness.call(getattr(wrapper, f.name), arguments) for arguments in f.inputs]

    with open(folder / "log", "w+", encoding="utf-8", errors="replace") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        return dict(items), f"the process ended with status {status}: {log.read()}"


def cases():
    for name in everything()[0]:
        for target in TARGETS:
            group = pytest.mark.xdist_group(f"table-{name}-{target.name}")
            for f in program(name, target).functions:
                yield pytest.param(name, f, target, id=f"{f.name}-{target.name}", marks=group)


@pytest.mark.parametrize(("name", "function", "target"), list(cases()))
def test_as_numpy(name, function, target):
    done, error = outcomes(name, target)
    if function.name not in done:
        pytest.fail(error[:2000], pytrace=False)
    reference = getattr(harness.load_program(written(name, target)), function.name)
    wrong = []
    for given, got in zip(function.inputs, done[function.name]):
        want = harness.call(reference, given)
        if want.raised or got.raised:
            if got.raised != want.raised:
                wrong.append(f"{function.results}: raised {got.raised or 'nothing'}, not {want.raised or 'nothing'}: "
                             f"{got.message or want.message}")
            continue
        found = (difference(g, w, expression, function.exact, given)
                 for expression, g, w in zip(function.results, got.value, want.value))
        wrong += filter(None, found)
    if wrong:
        pytest.fail(f"{function.parameters}: {len(wrong)} wrong\n" + "\n".join(wrong), pytrace=False)


@functools.cache
def refusal_lines():
    """One program of all that has to be refused; {line: the refusal}."""
    lines, wanted = ["from __future__ import annotations", "import numpy as np"], {}
    by_parameters = {}
    for refusal in everything()[1]:
        by_parameters.setdefault(refusal.parameters, []).append(refusal)
    for number, (parameters, refusals) in enumerate(by_parameters.items()):
        lines.append(f"def refused_{number}({parameters}):")
        for count, refusal in enumerate(refusals):
            statement = refusal.code if re.match(r"\w+ \S+= ", refusal.code) else f"r{count} = {refusal.code}"
            lines.append(f"    {statement}")
            wanted[len(lines)] = refusal
    path = harness.work_folder() / "table_refusals.py"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path, wanted


def test_refused_as_by_numpy():
    """What NumPy refuses is an error at its line, in one run of the compiler."""
    path, wanted = refusal_lines()
    done = subprocess.run([harness.APPYC, path, "-fsyntax-only"], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    found = {int(line) for line in re.findall(r"\.py:(\d+):\d+: error:", done.stderr)}
    accepted = [f"{refusal.code} with {refusal.parameters}   {refusal.reason}"
                for line, refusal in wanted.items() if line not in found]
    assert not accepted, f"{len(accepted)} of {len(wanted)} accepted:\n" + "\n".join(accepted[:60])
    assert found <= set(wanted), "errors at other lines:\n" + done.stderr[:2000]


def test_every_function_is_in_the_tables():
    """A new row of the compiler's list comes with its cases."""
    text = "\n".join(p.text for p in everything()[0].values())
    listing = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    names = [name for name, group, *_ in map(str.split, listing.splitlines()) if group not in OTHERS and name not in {*library.CASES, *library.foreign_names()}]
    missing = [name for name in names if f"np.{name}(" not in text and name not in ITERATORS]
    assert not missing, missing
