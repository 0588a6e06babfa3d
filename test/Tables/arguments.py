"""Arguments as users give them: for each row of appyc's table and each parameter that NumPy's own signature has, calls with
plausible values, by keyword and by position, with one argument too many, one given twice, and one that nobody has.

NumPy (or Python) says what each call gives. appyc must agree, or refuse the call with a message that names the argument.
"""
from __future__ import annotations

import builtins
import importlib
import functools
import inspect
import math
import re
import subprocess
from dataclasses import dataclass

import numpy as np

import harness
import library
from programs import ROUNDED, Function, Program, operation
from values import kind, plain

VALUES = {
    "axis": ["0", "-1", "None", "(0,)", "(1, 0)", "()", "2", "True"],
    "dtype": ["np.float64", "'f4'", "int", "np.int8", "None", "bool", "complex", "a.dtype", "'<i8'", "'nonsense'"],
    "out": ["np.zeros(a.shape)", "np.zeros(a.shape, np.float32)", "np.zeros(a.shape, np.int64)", "np.zeros_like(a)",
            "np.zeros(a.shape[1])", "np.zeros(a.shape[1], a.dtype)", "np.zeros((2, 3, 4), bool)", "(np.zeros(a.shape),)", "None", "2"],
    "where": ["m", "True", "False", "m[0]", "m[:, :1]", "a", "[True]"],
    "keepdims": ["True", "False", "1"],
    "initial": ["2", "0.5", "-1", "300", "None"],
    "ddof": ["1", "0.5", "n"], "correction": ["1", "0.5"], "mean": ["2.0"],
    "casting": ["'same_kind'", "'unsafe'", "'safe'", "'no'", "'nonsense'"],
    "order": ["'C'", "'F'", "'K'", "'A'", "None"],
    "subok": ["True", "False"], "signature": ["None", "'dd->d'"],
    "axes": ["None", "(1, 0)", "(0, 1)", "(0, -1)", "(0,)", "(0, 0)"],
    "like": ["None", "a"], "device": ["None", "'cpu'", "'gpu'"], "shape": ["3", "(2, n)", "None"],
    "copy": ["True", "False", "None"], "ndmin": ["0", "1", "3"], "ndmax": ["0", "2"],
    "num": ["5", "n", "1"], "endpoint": ["True", "False"], "retstep": ["True", "False"],
    "stop": ["7", "n", "None", "2.5"], "step": ["2", "-1", "0.5", "None"], "fill_value": ["2.5", "t", "True", "a"],
    "start": ["1", "0.5", "300"], "mod": ["5", "None"], "ndigits": ["1", "None"], "key": ["None", "abs"], "default": ["0"],
    "axis1": ["0", "-1", "2", "None"], "axis2": ["0", "-1", "2"], "source": ["0", "(1, 0)", "3"], "destination": ["-1", "(0, 1)"],
    "indices": ["[0]", "n - 3", "[0.5]", "np.array([1, 0])"], "mode": ["'raise'", "'wrap'", "'nonsense'"],
    "optimize": ["True", "False", "'greedy'", "None"],
    "base": ["3", "2.5"], "imag": ["1", "0"], "x": ["a", "t"], "y": ["b", "2"], "a": ["b"], "b": ["a"],
}
# What stands for parameters that come before the one that is tried by position.
BETWEEN = {"ddof": "0", "order": "'K'", "axis": "None", "dtype": "None", "out": "None", "subok": "True", "num": "5", "endpoint": "True",
           "initial": "True"}
FOLDS = ["axis=0, keepdims=True", "axis=1, where=m", "where=m, initial=3", "axis=0, out=np.zeros(a.shape[1])", "axis=0, ddof=1, where=m",
         "axis=1, dtype='f4', keepdims=True", "axis=0, out=np.zeros(a.shape[1], bool)", "axis=-1, out=np.zeros(a.shape[0], np.int64)",
         "keepdims=True, out=np.zeros((1, 1))", "axis=0, initial=1, dtype=np.float64", "axis=0, out=np.zeros(a.shape)"]
UFUNC = ["out=np.zeros(a.shape), where=m", "out=np.zeros(a.shape), where=m[0]", "out=np.zeros(a.shape, 'f4'), dtype='f8', where=m",
         "out=a.copy(), where=~m", "out=np.zeros((2, *a.shape))", "out=np.zeros(a.shape, complex), dtype=complex", "where=m"]
# Required arguments. `a`, `b` are matrices of one type, `m` a mask, `n` an int, `s` a scalar, `t` a float32.
REQUIRED = {
    "where": "m, a, b", "matmul": "a, b.T", "einsum": "'ij,kj->ik', a, b", "matvec": "a, b[0]", "dot": "a, b.T", "outer": "a[0], b[:, 0]", "full": "(2, n), 3",
    "full_like": "a, 3", "arange": "n", "linspace": "0, n", "zeros": "(2, n)", "ones": "n", "empty": "(2, n)", "ndarray": "(2, n)", "fix": "a",
    "ndarray.dot": "b.T", "ndarray.astype": "np.float32", "ndarray.item": "1, -1", "pow": "a, 2", "divmod": "a, b", "min": "a[0]",
    "max": "a[0]", "any": "a[0]", "all": "a[0]", "round": "a[0, 1]", "range": None, "enumerate": None, "zip": None, "reversed": None, "tuple": None, "list": None, "sorted": None, "functools.reduce": None, "slice": None, "ndindex": None, "ndenumerate": None, "nditer": None, "ndarray.view": None, "len": "a", "abs": "a", "sum": "a", "int": "s",
    "float": "s", "complex": "s", "bool": "s", "math.copysign": "s, t", "math.pow": "s, 2", "math.atan2": "s, t", "math.hypot": "s, t",
    "swapaxes": "a, 0, 1", "moveaxis": "a, 0, 1", "rollaxis": "a, 1", "reshape": "a, -1", "expand_dims": "a, 0",
    "broadcast_to": "a[0], a.shape", "take": "a, [0, 1]", "take_along_axis": "a, np.zeros(a.shape, int)", "put": None,
    "compress": "m[:, 0], a, 0", "extract": "m, a", "ndarray.compress": "m[:, 0], 0", "put_along_axis": None, "ix_": None, "atleast_1d": None, "atleast_2d": None, "atleast_3d": None, "ndarray.reshape": "-1", "ndarray.take": "[0, 1]", "ndarray.put": None,
    "ndarray.swapaxes": "0, 1", "ufunc.accumulate": "a", "ufunc.reduceat": "a, [0, 1]", "ufunc.at": None,
    "ufunc.reduce": "a", "ufunc.outer": "a, b[0]", "ndarray.fill": None, "dtype": None, "finfo": None, "iinfo": None, **dict.fromkeys(("number.is_integer", "number.bit_length", "number.bit_count")),
}
SPOKEN = ["a.std(ddof=1)", "a.mean(0, 'f4')", "a.sum(0, None, None, True)", "a.transpose((1, 0))", "a.transpose(-1, 0)", "a.item(0, 1)",
          "np.array([1, 2, n])", "np.array((1.5, n))", "np.array([[1, 2], [3, n]])", "np.array([a[0], b[0]])", "np.array([])", "np.array([s, 2])",
          "np.array([1, 2], dtype='f4')", "np.array([1.7, -2.7], dtype=int)", "np.array([300], dtype=np.int8)", "np.array([True, False])",
          "np.array([a[0, 0], b[1, 1]])", "np.array([1, 2])[n - 3]", "np.asarray([1, 2, 3], float)", "np.sum((1, 2, n))", "np.max([n, 2.5])",
          "np.arange(0, 1, .25)", "np.arange(5.)", "np.arange(1, 10, 3, dtype='f4')", "np.arange(10, 1, -2.5)", "np.arange(3, dtype=float)",
          "np.arange(1.5, 4)", "np.linspace(0, 1, n)", "np.linspace(0, 1, num=3, endpoint=False)", "float('inf')", "float('-inf')",
          "float('nan')", "float(' 1.5e3 ')", "float('Infinity')", "np.float32('-inf')", "float()", "int()", "bool()", "np.int64()",
          "np.float32(a)", "float(a)", "bool(a)", "int(a)", "bool(s)", "sum(a[0], 1)", "sum(a, 0.5)", "sum((1, n, t))", "max(n, 2)", "min(n, 2, 7)",
          "max((n, 2))", "any((n > 2, False))", "all((n > 2, n < 9))", "divmod(n, 2)[0]", "divmod(-7, n)[1]", "abs(-n)", "abs(True)", "pow(n, 2)",
          "round(2.5)", "round(n)", "np.add.reduce(a)", "np.add.reduce(a, 1)", "np.maximum.reduce(a, axis=None)", "np.multiply.outer(a[0], b[0])",
          "np.add.outer(a[0], b, dtype=complex)", "np.add.accumulate(a)", "np.negative.outer(a, b)", "np.less.reduce(m)", "np.abs(-300)",
          "np.maximum(1.0, 2)", "np.add(True, True)", "np.conj(2)", "np.dot(2, 3)", "np.dot(a, 3)", "np.sum(3)", "np.real(2)", "np.imag(2.5)",
          "np.positive(a)", "np.where(m)", "np.where(m, a)", "a.conj()", "a.conjugate()", "np.full(n, 2, int)", "np.full((2, 2), 1.5, dtype=int)",
          "np.zeros([2, n])", "np.zeros(n, 'i4')", "a.astype('int')", "a.astype(int)", "a.astype('f')", "a.astype('?')", "a.astype(None)",
          "a.astype('>f8')", "a.astype(float, copy=False)", "a.copy('C')", "a.copy(order='F')", "np.zeros(n, dtype=a.dtype)", "math.floor(t)",
          "math.log(t + 3, 2)", "math.sqrt(n)", "math.pow(n, 2)", "math.hypot(n, t)", "math.isnan(t)", "n.sum()", "math.sqrt(a)", "math.maximum(n, 2)",
          "np.argmax(a, 1)", "np.argmin(a, axis=(0, 1))", "np.any(a, 0)", "np.all(a, axis=1, keepdims=True)", "np.count_nonzero(a, axis=0)",
          "np.count_nonzero(a, keepdims=True)", "np.var(a, axis=1, ddof=1)", "np.mean(a, dtype=int)", "np.mean(a, axis=0, dtype=int)", "np.max(a, initial=1)",
          "a.min(initial=0)", "a.prod(axis=0, where=m)", "np.fix(a)", "np.trunc(a, out=np.zeros(a.shape))"]
FULLY = {"add", "divide", "less", "logical_and", "exp", "absolute", "isnan", "maximum", "floor"}  # other ufuncs: some values each
FILES = 2
SHARES = {"f64": 5, "i32": 13, "bool": 17, "c128": 17, "u8": 17, "f32": 17}  # one in so many is run
TYPES = ["f64", "i32", "bool", "c128", "u8", "f32"]


@dataclass(frozen=True)
class Case:
    code: str
    argument: str  # what a refusal has to name
    type: str
    plain: str = ""  # the call without it
    limited: bool = False  # the row names the values that it takes


@functools.cache
def rows():
    """{name: (group, text of the parameters)} of appyc's table: test_torch.py, test_library.py, test_other_libraries.py and test/Execution have the others."""
    listing = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    found = (line.split(maxsplit=3) for line in listing.splitlines())
    return {name: (group, text[1:-1]) for name, group, _, text in found
            if group not in ("tensor", "torch", "itertools", "primitives", "parpy") and name not in library.CASES and name not in library.foreign_names()}


def declared(text):
    """[(name, kind)] of a row."""
    found, current = [], "ordinary"
    for part in filter(None, text.split(", ")):
        if part == "/":
            found = [(name, "positional") for name, _ in found]
        elif part.startswith("*"):
            current = "keyword"
            if part != "*":
                found.append((part[1:], "rest"))
        else:
            found.append((part.partition("=")[0], current))
    return found


def original(name):
    """What a row is about, in NumPy, in Python, or in the package appy."""
    group = rows()[name][0]
    if group == "builtin":
        return getattr(builtins, name)
    module, _, own = name.rpartition(".")
    if group == "appy":
        import appy
        return getattr(appy, own)
    if module == "number":  # a method of Python's numbers, of all of them or of one kind
        return getattr(float if hasattr(float, own) else int, own)
    known = {"ndarray": np.ndarray, "ufunc": np.ufunc, "math": math, "": np}
    return getattr(known[module] if module in known else importlib.import_module(f"numpy.{module}"), own)


KINDS = {inspect.Parameter.POSITIONAL_ONLY: "positional", inspect.Parameter.POSITIONAL_OR_KEYWORD: "ordinary",
         inspect.Parameter.VAR_POSITIONAL: "rest", inspect.Parameter.KEYWORD_ONLY: "keyword", inspect.Parameter.VAR_KEYWORD: "others"}
UNKNOWN_SIGNATURES = {"tuple", "list", "sorted", "functools.reduce", "slice", "ndindex", "ndenumerate", "nditer", "ndarray.view", "ndarray", "min", "max", "range", "zip", "int", "bool", "math.hypot", "math.log",  # inspect has none in CPython 3.11
                      "numba.get_thread_id"}  # of a package that is not there


def signature(name):
    """[(name, kind)] by inspect; methods without the array, with the array's own keywords where they say **kwargs only."""
    found = [(p.name, KINDS[p.kind]) for p in inspect.signature(original(name)).parameters.values()]
    if name.startswith(("ndarray.", "ufunc.")):
        found = found[1:]
    return found


def operand_type(group, name):
    return f"np.{name}" if group not in ("builtin", "math", "appy", "method", "ufunc") else name


def call_text(name, arguments):
    group = rows()[name][0]
    if group == "method":
        return f"a.{name[8:]}({arguments})"
    if group == "ufunc":
        return f"np.add.{name[6:]}({arguments})"
    return f"{operand_type(group, name)}({arguments})"


def required(name):
    group, text = rows()[name]
    if name in REQUIRED:
        return REQUIRED[name]
    if group == "method":
        return ""
    if group == "math":
        return "s"
    return "a, b" if text.startswith("x1, x2") else "a"


def parameter_calls(name):
    """[(arguments, the one that is tried)] of a row, beyond those that it cannot do without."""
    first = required(name)
    join = functools.partial(lambda *parts: ", ".join(filter(None, parts)))
    known = declared(rows()[name][1])
    if rows()[name][0] == "method":
        known = known[1:]
    try:
        known = [p for p in signature(name) if p[1] != "others"] + [p for p in known if p not in signature(name)]
    except ValueError:
        pass
    given = first.count(",") + 1 - first.count("(2, n)") if first else 0
    calls = [(first, ""), (join(first, "nonsense=1"), "nonsense")]
    for number, (parameter, how) in enumerate(known):
        for value in VALUES.get(parameter, ()):
            if how in ("ordinary", "keyword") and number >= given:
                calls.append((join(first, f"{parameter}={value}"), parameter))
            if how in ("ordinary", "positional") and number >= given:
                between = [BETWEEN.get(p, "False") for p, _ in known[given:number]]
                calls.append((join(first, *between, value), parameter))
        if number < given and how != "rest":
            calls.append((join(first, f"{parameter}=a"), parameter))
    calls.append((join(first, *["None"] * 12), ""))
    group = rows()[name][0]
    if group in ("reduction", "method", "ufunc"):
        calls += [(join(first, extra), "") for extra in FOLDS]
    if group == "elementwise":
        calls += [(join(first, extra), "") for extra in UFUNC]
    return calls


@functools.cache
def cases():
    found = {}
    for number, (name, (group, _)) in enumerate(rows().items()):
        if group in ("appy", "type") or required(name) is None:
            continue
        calls = parameter_calls(name)
        is_sampled = group == "elementwise" and name not in FULLY
        for index, type_name in enumerate(TYPES):
            chosen = calls
            if is_sampled:
                chosen = calls[(number + index) % 17::17]
            elif index > 1:
                chosen = calls[(number + index) % 3::3]
            plain = call_text(name, required(name))
            found[Case(plain, "", type_name)] = None
            for arguments, argument in chosen:
                limited = bool(argument and re.search(rf"\b{argument}=[^,]*[|!]", rows()[name][1]))
                found[Case(call_text(name, arguments), argument, type_name, plain if arguments != required(name) else "", limited)] = None
    for index, type_name in enumerate(TYPES):
        for code in SPOKEN:
            found[Case(code, "", type_name)] = None
    return list(found)


def parameters_of(type_name):
    return f"a: {type_name}[N, M], b: {type_name}[N, M], m: bool[N, M], n: int, s: {type_name}, t: f32"


@functools.cache
def inputs_of(type_name):
    a, b = plain(type_name, 12, 5).reshape(3, 4), plain(type_name, 12, 6).reshape(3, 4)
    b = abs(b).astype(b.dtype) if kind(type_name) != "b" else b
    b[b == 0] = 1
    return a, b, np.arange(12).reshape(3, 4) % 3 != 1, 3, a[2, 1], np.float32(1.5)


@functools.cache
def scope_of(type_name):
    names = [p.partition(":")[0] for p in re.split(r", (?=\w+: )", parameters_of(type_name))]
    return {"np": np, "math": math, **dict(zip(names, inputs_of(type_name)))}


def value_of(code, type_name):
    with np.errstate(all="ignore"), harness.warnings.catch_warnings():
        harness.warnings.simplefilter("ignore")
        return eval(code, dict(scope_of(type_name)))


def numpys(case):
    """None, or the name of what CPython raises."""
    try:
        value_of(case.code, case.type)
    except Exception as error:  # noqa: BLE001  whatever CPython raises is the answer
        return type(error).__name__
    return None


@functools.cache
def refusals():
    """{case: appyc's message} of what it does not translate, in one run."""
    lines, at = ["from __future__ import annotations", "import math", "import numpy as np"], {}
    for type_name in TYPES:
        lines.append(f"def f_{type_name}({parameters_of(type_name)}):")
        for case in cases():
            if case.type == type_name:
                lines.append(f"    r{len(lines)} = {case.code}")
                at[len(lines)] = case
    path = harness.work_folder() / "table_arguments.py"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run([harness.APPYC, path, "-fsyntax-only", "--color=never"], capture_output=True, text=True)
    found = re.findall(r"\.py:(\d+):\d+: error: (.*)", done.stderr)
    return {at[int(line)]: message for line, message in found}


def shown(case):
    """An expression whose value can be compared."""
    if re.match(r"np\.(empty(_like)?|ndarray)\(", case.code):
        return f"np.zeros_like({case.code})"  # its elements are nobody's
    if re.match(r"np\.arange\(n.*\.5", case.code):
        return f"np.sum({case.code})"  # a size that is computed cannot be returned
    if re.match(r"np\.(asfortranarray\(a|asarray\(a, order='F')", case.code) or (case.code in ("np.real(a)", "np.imag(a)") and case.type == "c128"):
        return f"{case.code}.copy()"  # the memory of `a` at calls with one row, or parts of its elements
    if re.match(r"np\.(reshape|ravel|squeeze|expand_dims|broadcast_to)\(|a\.(reshape|ravel|squeeze)\(", case.code):
        return f"{case.code}.copy()"  # memory of `a` under other axes is not returned
    if case.code == "np.where(m)" or re.match(r"(np|a)\.nonzero\(", case.code):
        return f"{case.code}[-1]"
    if case.code.startswith("divmod(") and case.code.endswith(")"):
        return f"{case.code}[1]"
    return case.code


def is_comparable(case):
    """`math` raises where NumPy gives NaN, which appyc follows; what is computed in f32 and kept in f64 has the rounding of f32."""
    return not case.code.startswith("math.") and not (case.type == "f32" and operation(case.code) in ROUNDED and "zeros" in case.code)


def matters(case):
    """Does the argument change what NumPy gives?"""
    try:
        without = Case(case.plain, "", case.type)
        harness.assert_same(value_of(shown(case), case.type), value_of(shown(without), case.type), case.code)
    except AssertionError:
        return True
    return False


def programs():
    """(the programs, what has to be refused): calls that both sides accept together, others in a function of their own.

    All are translated; of those that are also built and run, each type has its share."""
    together, alone = {}, []
    for case in cases():
        if case in refusals():
            continue
        if numpys(case) is None:
            together.setdefault(case.type, []).append(case)
        elif is_comparable(case):
            alone.append(case)
    functions = []
    for number, (type_name, accepted) in enumerate(together.items()):
        comparable = [case for case in accepted if is_comparable(case) or case.code.startswith("math.")]
        chosen = comparable[number % SHARES[type_name]::SHARES[type_name]]
        chosen += [case for case in comparable if case.limited and case not in chosen and matters(case)]
        for start in range(0, len(chosen), 40):
            part = [shown(case) for case in chosen[start:start + 40]]
            functions.append(Function(f"arguments_{type_name}_{start}", parameters_of(type_name), part, [inputs_of(type_name)], exact=False))
    for number, case in enumerate(alone[::5]):
        functions.append(Function(f"raises_{number}", parameters_of(case.type), [shown(case)], [inputs_of(case.type)]))
    return [Program(f"arguments_{k}", functions[k::FILES], 16) for k in range(FILES)], []
