"""What the tables are made of: programs of generated functions, and the rules by which results are compared.

NumPy decides what is right, three times: whether an expression is a case at all (it is tried on arrays of one element;
what NumPy refuses, appyc has to refuse too), what type it has, and what its values are.
"""
from __future__ import annotations

import functools
import re
import subprocess
from dataclasses import dataclass, field, replace

import numpy as np

import harness
from values import DTYPES

HEAD = "from __future__ import annotations\n\nimport math\n\nimport numpy as np\n\n\n"


@dataclass
class Function:
    """A function whose results are the values of `results`, after `body`; it is called once with each of `inputs`."""

    name: str
    parameters: str
    results: list
    inputs: list
    body: list = field(default_factory=list)
    exact: bool = True  # floating-point sums and products may be reordered where not

    @property
    def text(self):
        lines = [f"def {self.name}({self.parameters}):", *(f"    {line}" for line in self.body), "    return ("]
        return "\n".join([*lines, *(f"        {expression}," for expression in self.results), "    )"])


@dataclass
class Program:
    """A file of functions. In the emulation of CUDA, where all takes longer, only each `sample`-th expression is tried:
    another one for each function, so that all expressions and all types have their turn."""

    name: str
    functions: list
    sample: int = 1

    def sampled(self):
        chosen = []
        for number, f in enumerate(self.functions):
            if f.body:  # its results belong together
                chosen += [f] if number % self.sample == 0 else []
            elif results := f.results[number % self.sample::self.sample]:
                chosen.append(replace(f, results=results))
        return Program(self.name, chosen)

    @property
    def text(self):
        return HEAD + "\n\n\n".join(f.text for f in self.functions) + "\n"


@dataclass(frozen=True)
class Refusal:
    """An expression or update on parameters of these types that has to be an error, and why."""

    parameters: str
    code: str
    reason: str


@functools.cache
def functions_of(group):
    """{name: arguments} of a group of `appyc --list-functions`."""
    listing = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    rows = (line.split(maxsplit=3) for line in listing.splitlines())
    return {name: int(arguments) for name, given, arguments, _ in rows if given == group}


def samples(parameters):
    """An argument for each parameter of the text 'a: i8[N], s: f32, n: int'."""
    made = {}
    for parameter in re.split(r", (?=\w+: )", parameters):
        name, annotation = parameter.split(": ")
        base, _, extents = annotation.partition("[")
        if base in DTYPES:
            rank = extents.count(",") + 1 if extents else 0
            made[name] = np.ones((1,) * rank, DTYPES[base]) if rank else DTYPES[base](1)
        else:
            made[name] = {"int": int, "float": float, "complex": complex}[base](1)
    return made


def as_statement(code):
    """An expression is made an assignment; an update is one."""
    try:
        compile(code, "expression", "eval")
    except SyntaxError:
        return code
    return f"result = {code}"


def attempt(code, parameters):
    """What NumPy makes of an expression or of the update `a op= b`: None, or why appyc has to refuse it."""
    scope = {"np": np, **samples(parameters)}
    try:
        with np.errstate(all="ignore"):
            exec(as_statement(code), scope)
    except (TypeError, OverflowError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    result = scope.get("result")
    return "float16, which appyc has not" if getattr(result, "dtype", None) == np.float16 else None


def split(codes, parameters):
    """(what is translated, what has to be refused)"""
    good, refused = [], []
    for code in codes:
        reason = attempt(code, parameters)
        if reason is None:
            good.append(code)
        else:
            refused.append(Refusal(parameters, code, reason))
    return good, refused


# --- comparing

# What C and NumPy compute to within a few units in the last place; everything else is exact.
ROUNDED = {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "sin", "cos", "tan", "arcsin", "arccos",
           "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "arctan2", "hypot", "power", "mean", "std",
           "var", "**"}
ROUNDED_COMPLEX = ROUNDED | {"sqrt", "absolute", "sign", "divide", "multiply", "square", "*", "/", "reciprocal"}
UNITS = 4
UNITS_SPREAD = 32  # of std and var, which subtract the mean
UNITS_COMPLEX = 32  # of the whole number, not of each part
UNITS_POWER = 512  # the exponent multiplies the error of the logarithm
# Which of two zeros is the smaller one NumPy leaves to its vector code; products of matrices may start from 0.0.
OPEN_ZERO = {"minimum", "maximum", "fmin", "fmax", "min", "max", "dot", "matmul", "matvec", "@"}


def operation(expression):
    """The function or operator that an expression is about."""
    if expression.startswith("np."):
        name = expression[3:].partition("(")[0].partition(".")[0]
        return {"abs": "absolute", "pow": "power", "true_divide": "divide", "amin": "min", "amax": "max", "asin": "arcsin",
                "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh",
                "atanh": "arctanh"}.get(name, name)
    if method := re.match(r"a\.(\w+)\(", expression):
        return method[1]
    return expression.split()[1] if " " in expression else expression


def difference(got, want, expression, exact, arguments):
    """What is wrong with the result of one expression, in one line; None where nothing is."""
    if isinstance(want, tuple):
        if not isinstance(got, tuple) or len(got) != len(want):
            return f"{type(got).__name__}, not a tuple of {len(want)}"
        return next(filter(None, (difference(g, w, expression, exact, arguments) for g, w in zip(got, want))), None)
    got, want = np.asarray(got), np.asarray(want)
    if got.dtype != want.dtype:
        return f"{expression}: dtype {got.dtype} instead of {want.dtype}"
    if got.shape != want.shape:
        return f"{expression}: shape {got.shape} instead of {want.shape}"
    with np.errstate(all="ignore"):
        wrong = np.atleast_1d(~is_same(got, want, operation(expression), exact and not is_rounded(expression, arguments)))
    if not wrong.any():
        return None
    at = tuple(index[0] for index in np.nonzero(wrong))
    values = [x[at] if np.shape(x) == wrong.shape else x for x in arguments if np.shape(x) in ((), wrong.shape)]
    shown = ", ".join(map(repr, values))
    return (f"{expression}: {np.atleast_1d(got)[at]!r} instead of {np.atleast_1d(want)[at]!r} of {shown}"
            f" ({wrong.sum()} of {wrong.size} are wrong)")


def is_rounded(expression, arguments):
    complex_too = any(np.iscomplexobj(x) for x in arguments)
    return operation(expression) in (ROUNDED_COMPLEX if complex_too else ROUNDED)


def is_same(got, want, name, exact):
    """For each element, whether it is right."""
    if want.dtype.kind in "biu":
        return got == want
    if want.dtype.kind == "f":
        return is_same_real(got, want, 0 if exact else UNITS_SPREAD if name in ("std", "var") else UNITS, name in OPEN_ZERO)
    if exact:
        return (is_same_real(got.real, want.real, 0, name in OPEN_ZERO)
                & is_same_real(got.imag, want.imag, 0, name in OPEN_ZERO))
    return is_same_complex(got, want, UNITS_POWER if name in ("**", "power") else UNITS_COMPLEX)


def is_same_real(got, want, units, open_zero):
    """Within `units` in the last place; NaN is NaN, and a zero has its sign."""
    near = got == want
    if units:
        near |= np.abs(got - want) <= units * np.spacing(np.abs(want))
    if not open_zero:
        near &= (want != 0) | (np.signbit(got) == np.signbit(want)) | (got != 0)
    return near | (np.isnan(got) & np.isnan(want))


def is_same_complex(got, want, units):
    """Near as a point of the plane; infinite or NaN as the other is."""
    info = np.finfo(want.dtype)
    near = np.abs(got - want) <= units * info.eps * np.abs(want) + info.tiny
    special = np.isnan(want) | np.isinf(want)
    same_special = (np.isnan(got) == np.isnan(want)) & (np.isinf(got) == np.isinf(want))
    return np.where(special, same_special, near)
