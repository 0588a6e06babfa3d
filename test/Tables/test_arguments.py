"""The rows of appyc's table against NumPy's signatures, and its refusals. Values are compared in test_tables.py."""
from __future__ import annotations

import pytest

import arguments
from arguments import Case, UNKNOWN_SIGNATURES, cases, declared, numpys, refusals, rows, signature

# Raised by what the arrays hold or by their sizes, which are known when the program runs.
AT_RUN_TIME = {"ValueError", "OverflowError", "IndexError", "ZeroDivisionError"}


def listed(cases_of_types):
    """Each call once, with the types."""
    by_code = {}
    for case, why in cases_of_types:
        by_code.setdefault(f"{case.code}: {why}", []).append(case.type)
    return "\n".join(f"{code} of {', '.join(types)}" for code, types in list(by_code.items())[:80])


def written(name):
    parameters = declared(rows()[name][1])
    return parameters[1:] if name.startswith("ndarray.") else parameters


@pytest.mark.parametrize("name", [n for n, (group, _) in rows().items() if group != "type" and n not in UNKNOWN_SIGNATURES])
def test_row_is_numpys(name):
    """Each parameter, in its place, of its kind; where NumPy says **kwargs, it has at least those before."""
    want, got = signature(name), written(name)
    if name in ("ndarray.any", "ndarray.all"):  # by position the second is `dtype` in fact
        want = [want[0], *((p, "keyword") for p, _ in want[1:])]
    if want and want[-1][1] == "others":
        got, want = got[:len(want) - 1], want[:-1]
    assert got == want


def is_named(case):
    message = refusals()[case]
    return "without a name" in message or any(sign + case.argument in message for sign in ("`", " ")) or f"{case.argument}=" in message


def test_refusals_name_the_argument():
    """Where the call alone is translated, what NumPy does and appyc does not is an error that says which argument it is."""
    silent = [(case, refusals()[case]) for case in cases()
              if case in refusals() and case.argument and Case(case.plain, "", case.type) not in refusals()
              and numpys(case) is None and not is_named(case)]
    assert not silent, f"{len(silent)}:\n" + listed(silent)


def test_what_numpy_refuses_is_refused():
    accepted = [(case, numpys(case)) for case in cases()
                if case not in refusals() and numpys(case) is not None and numpys(case) not in AT_RUN_TIME]
    assert not accepted, f"{len(accepted)}:\n" + listed(accepted)


def test_most_calls_are_translated():
    """A table that refuses everything would pass the others."""
    good = [case for case in cases() if numpys(case) is None]
    assert sum(case not in refusals() for case in good) > 0.7 * len(good), arguments.shown(good[0])
