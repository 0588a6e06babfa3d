"""Functions that are written in Python: each runs under CPython as NumPy's own does, and so does what appyc makes of it."""
from __future__ import annotations

import functools
import inspect
import re
import subprocess
import types

import numpy as np
import pytest

import harness
import library
from library import CASES, PROGRAMS, REFUSED, SIZES, TYPES, WRONG, code

HEAD = "from __future__ import annotations\n\nimport numpy as np\n"


def calls(name):
    return [*(code(name, a) for a in CASES[name]), *PROGRAMS.get(name, ())]


ALL = [text for name in CASES for text in calls(name)]


def function_of(text, numpy):
    """The case as a function of its parameters."""
    scope = {"np": numpy}
    lines = "".join(f"\n    {line}" for line in library.body(text))
    exec(f"def case({', '.join(library.used(text))}):{lines}", scope)
    return scope["case"]


def with_library(text):
    """Methods become functions of the library."""
    for name in library.functions():
        if name.startswith("ndarray."):
            text = re.sub(rf"\b([vmscx])\.{name[8:]}\((\)?)", rf"np.ndarray.{name[8:]}(\1, \2", text)
    return text


STAND = library.Stand()
STAND.ndarray = types.SimpleNamespace(**{name[8:]: f for name, f in library.functions().items() if name.startswith("ndarray.")})


def run(text, numpy, type, size):
    values = library.inputs(type, size)
    function = function_of(text, numpy)

    def call(*arguments):
        value = function(*arguments)
        return tuple(value) if isinstance(value, list) else value

    return harness.call(call, tuple(values[p] for p in library.used(text)))


@functools.cache
def numpys(text, type, size):
    return run(text, np, type, size)


def difference(got, want, type):
    """What is wrong, in one line."""
    if got.raised == "NotImplementedError" and not want.raised:
        return None  # refused for this type or size; test_refusals_are_few
    if got.raised or want.raised:
        return None if got.raised in (want.raised, want.raised and want.raised.replace("UFuncTypeError", "TypeError")) else f"raised {got.raised or 'nothing'}, not {want.raised or 'nothing'}: {got.message[-300:]}"
    if isinstance(want.value, tuple):
        parts = zip(got.value, want.value) if isinstance(got.value, tuple) and len(got.value) == len(want.value) else [(0, "a tuple")]
    else:
        parts = [(got.value, want.value)]
    for one, other in parts:
        one, other = np.asarray(one), np.asarray(other)
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"{one.dtype} {one.shape}, not {other.dtype} {other.shape}"
        near = 1e-5 if other.dtype.kind in "fc" and np.finfo(other.dtype).bits <= 32 else 1e-12
        if not (np.allclose(one, other, rtol=near, atol=near, equal_nan=True) if other.dtype.kind in "fc" else np.array_equal(one, other)):
            return f"{one.ravel()[:8]}, not {other.ravel()[:8]}"
    return None if got.shared == want.shared else f"shares memory as {got.shared}, not {want.shared}"


def test_every_function_has_cases():
    listing = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    listed = {line.split()[0] for line in listing.splitlines()}
    assert set(library.functions()) == set(CASES)
    assert set(CASES) <= listed
    assert not [name for name in CASES if not calls(name) and name not in library.OWN]


def test_helpers_have_names_of_their_own():
    """To the compiler all files are one."""
    names = [name for path in library.FOLDER.glob("numpy_library/*.py") for name in re.findall(r"^def (_\w+)", path.read_text(), re.MULTILINE)]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", list(CASES))
def test_signature_is_numpys(name):
    own, numpys_own = (inspect.signature(f).parameters.values() for f in (library.functions()[name], library.original(name)))
    own = list(own)[library.functions()[name].__module__.endswith(".legacy"):]  # np.random's own generator has its state as the first parameter
    own, want = [[(p.name, p.kind, repr(p.default)) for p in ps] for ps in (own, numpys_own)]
    if want[-1][1] is inspect.Parameter.VAR_KEYWORD:  # NumPy does not say which
        own, want = own[:len(want) - 1], want[:-1]
    assert own == want


@pytest.mark.parametrize("name", list(CASES))
def test_as_numpy_under_cpython(name):
    wrong = []
    for text in calls(name):
        for type in TYPES:
            for size in SIZES:
                if found := difference(run(with_library(text), STAND, type, size), numpys(text, type, size), type):
                    wrong.append(f"{text} of {type}, size {size}: {found}")
    assert not wrong, "\n" + "\n".join(wrong[:20])


def test_refusals_are_few():
    """Each case is translated for the first type that NumPy takes, from three elements on."""
    for name in CASES:
        for text in calls(name):
            type = next(t for t in TYPES if not numpys(text, t, 7).raised)
            assert not run(with_library(text), STAND, type, 7).raised, text


def test_errors_under_cpython():
    wrong = []
    for name, arguments in WRONG.items():
        for text in (code(name, a) for a in arguments):
            got, want = run(text, STAND, "f64", 7), numpys(text, "f64", 7)
            if not want.raised or got.raised != want.raised:
                wrong.append(f"{text}: {got.raised or 'nothing'}, not {want.raised or 'nothing'}")
    assert not wrong, "\n" + "\n".join(wrong)


# --- compiled


def type_of(number, text):
    """Cases take turns; NumPy says which types they take."""
    turn = TYPES[number % len(TYPES):] + TYPES[:number % len(TYPES)]
    return next(t for t in turn if not numpys(text, t, 7).raised and not run(with_library(text), STAND, t, 7).raised
                and getattr(numpys(text, t, 7).value, "dtype", None) != np.float16)


@functools.cache
def outcomes():
    """[{size: Outcome}] of the cases, of one build."""
    folder = harness.work_folder() / "library"
    folder.mkdir(exist_ok=True)
    path = folder / "library_cases.py"
    lines = [HEAD]
    for number, text in enumerate(ALL):
        type = type_of(number, text)
        parameters = ", ".join(f"{p}: {type}{library.PARAMETERS[p]}" for p in library.used(text))
        lines += [f"\ndef case_{number}({parameters}):", *(f"    {line}" for line in library.body(text)), ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    generated = folder / "library_cases.cpp"
    harness.run_step([harness.APPYC, path, "-o", generated, "--target=cpu", "--fmad=off"], folder)
    harness.run_step(harness.build_line(generated).replace(" -O3 ", " -O0 "), folder)

    def work():
        wrapper = harness.load_wrapper(folder, path)
        for number, text in enumerate(ALL):
            done = {}
            for size in SIZES:
                values = library.inputs(type_of(number, text), size)
                done[size] = harness.call(getattr(wrapper, f"case_{number}"), tuple(values[p] for p in library.used(text)))
            yield done

    with open(folder / "log", "w+", encoding="utf-8", errors="replace") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert len(items) == len(ALL), f"{ALL[len(items)]} ended the process with status {status}: {log.read()[-2000:]}"
    return items


@pytest.mark.xdist_group("library")
@pytest.mark.parametrize("name", list(CASES))
def test_as_numpy_compiled(name):
    wrong = []
    for text in calls(name):
        number = ALL.index(text)
        type = type_of(number, text)
        for size, got in outcomes()[number].items():
            under_cpython = run(with_library(text), STAND, type, size)
            refused = "NotImplementedError" in (got.raised, under_cpython.raised)
            if refused and got.raised != under_cpython.raised:
                wrong.append(f"{text} of {type}, size {size}: raised {got.raised}: {got.message[-300:]}")
            elif found := difference(got, numpys(text, type, size), type):
                wrong.append(f"case_{number} {text} of {type}, size {size}: {found}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_refused_at_the_call():
    """What NumPy refuses, and what the library does not do, is an error at the user's line that names the function."""
    texts = [(name, code(name, a)) for table in (WRONG, REFUSED) for name, arguments in table.items() for a in arguments]
    lines = [*HEAD.splitlines()]
    for name, text in texts:
        lines += [f"def f{len(lines)}({', '.join(f'{p}: f64{library.PARAMETERS[p]}' for p in library.used(text))}):", f"    return {text}"]
    done = subprocess.run([harness.APPYC, "-", "-fsyntax-only"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    told = {int(line): message for line, message in re.findall(r":(\d+):\d+: error: (.*)", done.stderr)}
    missing = [text for number, (name, text) in enumerate(texts)
               if name.split(".")[-1] not in told.get(len(HEAD.splitlines()) + 2 * number + 2, "")]
    assert not missing, f"{missing}\n{done.stderr}"
    assert len(told) == len(texts) == done.stderr.count(": error: "), done.stderr  # one for each call


def test_refusals_are_numpys_calls():
    for name, arguments in REFUSED.items():
        for a in arguments:
            assert not numpys(code(name, a), "f64", 7).raised


def is_numpys(path):
    try:
        return path.startswith("numpy.") and functools.reduce(getattr, path.split(".")[1:], np) is not None
    except AttributeError:
        return False


def test_what_is_left_to_others():
    """A call of what NumPy has, and appyc has not, says what to write instead; test_suggestions.py has names that are not NumPy's."""
    table = (library.FOLDER.parent / "Sema/Untranslated.def").read_text(encoding="utf-8")
    rows = [row for row in re.findall(r'^UNTRANSLATED\("(\S+)", +"(.*)"\)', table, re.MULTILINE)
            if row[0] in ("numpy.float128", "numpy.complex256") or is_numpys(row[0])]  # not on every machine
    assert len(rows) > 50
    lines = HEAD.splitlines()
    for number, (path, _) in enumerate(rows):
        use = "[0]" if path in ("numpy.s_", "numpy.index_exp") else "(a)"
        lines += [f"def f{number}(a: f64[4]):", f"    return {path.replace('numpy', 'np', 1)}{use}"]
    done = subprocess.run([harness.APPYC, "-", "-fsyntax-only"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    told = re.findall(r"error: `np\.(\S+)` is not translated: (.*) \[unsupported\]", done.stderr)
    assert [(f"numpy.{name}", text) for name, text in told] == rows, done.stderr
