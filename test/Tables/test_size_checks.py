"""Checks of sizes in loops: raised at the calls at which CPython raises, whatever loops and branches are around.

Where data decides whether the statement is run, a call at which it might raise is refused (NotImplementedError).
"""
from __future__ import annotations

import itertools

import harness
import numpy as np

LOOPS = {
    "once": ["for i in range(n):"],
    "from": ["for i in range(k, n):"],
    "down": ["for i in range(n, k, -2):"],
    "nested": ["for j in range(n):", "    for i in range(j):"],
    "until": ["i = 0", "while i < n:", "    i += 1"],
    "data": ["for i in range(c[0]):"],
}
GUARDS = {
    "all": [],
    "later": ["if i > k:"],
    "other": ["if n < 2:", "    pass", "else:"],
    "two": ["if i >= 1 and i != 2:", "    if i <= k:"],
    "data": ["if c[i % 2] > 0:"],
}
STATEMENTS = {
    "sum": "a += b",
    "rows": "a[:] = b[k:]",
    "parts": "s += (a[i:] * b[i:]).sum()",
    "one": "s += a.item()",
    "largest": "s += a[i:k].max()",
    "where": "s += a[i:].argmax()",
    "made": "s += np.zeros(i - k).sum()",
    "chosen": "s += (a + b).sum() if i > k else 0.0",
    "either": "s += 1.0 if i > k or (a + b)[0] > 0.0 else 0.0",
}
MEMORY = ("sum", "rows", "parts", "one", "chosen", "either")  # elements that are not there: never unseen
NUMBERS = (-1, 0, 1, 3)
SIZES = ((0, 0), (1, 1), (3, 3), (3, 2), (0, 3), (2, 1))
DATA = ((0, 0), (2, 0), (0, 1))


def functions(every):
    """{name: (text, whether appyc may refuse the call, or not look)}: parts may be stretched, and each second number of a
    range is no short condition."""
    made = {}
    combined = list(itertools.product(LOOPS.items(), GUARDS.items(), STATEMENTS.items()))
    for (loop, head), (guard, tests), (name, statement) in combined[::every]:
        lines = ["s = 0.0", *head]
        for part in (tests, [statement]):
            inner = len(lines[-1]) - len(lines[-1].lstrip()) + (4 if lines[-1].endswith(":") else 0)
            lines += [" " * inner + line for line in part]
        text = [f"def {loop}_{guard}_{name}(n: int, k: int, a: f64[:], b: f64[:], c: i64[2]):", *lines, "return s, a.sum()"]
        made[f"{loop}_{guard}_{name}"] = "\n    ".join(text), loop in ("until", "data") or guard == "data" or name == "parts" or (loop, name) == ("down", "largest")
    return made


def calls():
    for (n, k), (first, second), data in itertools.product(itertools.product(NUMBERS, NUMBERS), SIZES, DATA):
        yield n, k, np.arange(1.0, 1.0 + first), np.arange(2.0, 2.0 + second), np.array(data)


def outcome(function, arguments):
    arguments = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        return tuple(map(float, function(*arguments)))
    except Exception as error:
        return type(error).__name__


def test_size_checks(every=4):
    """1 is all of them, which took 20 seconds."""
    made = functions(every)
    folder = harness.work_folder() / "size_checks"
    folder.mkdir(exist_ok=True)
    path = folder / "size_checks.py"
    head = "from __future__ import annotations\n\nimport numpy as np\n\n\n"
    path.write_text(head + "\n\n\n".join(text for text, _ in made.values()) + "\n", encoding="utf-8")
    generated = path.with_suffix(".cpp")
    harness.run_step([harness.APPYC, path, "-o", generated, "--target=cpu"], folder)
    harness.run_step(harness.build_line(generated).replace("-O3", "-O0"), folder)
    reference = harness.load_program(path)

    def work():
        wrapper = harness.load_wrapper(folder, path)
        for name in made:
            yield name, [outcome(getattr(wrapper, name), arguments) for arguments in calls()]

    with open(folder / "log", "w+", encoding="utf-8", errors="replace") as log:
        done, status = harness.in_child(work, log)
    assert status == 0
    wrong, raised = [], 0
    for name, got in done:
        text, isLoose = made[name]
        for arguments, result in zip(calls(), got):
            want = outcome(getattr(reference, name), arguments)
            raised += want == "ValueError"
            isRefused = result == "NotImplementedError"
            isUnseen = want == "ValueError" and not isinstance(result, str) and not name.endswith(MEMORY)
            isUnchecked = want == "IndexError"  # what --sanitize=bounds is for
            if want != result and not isUnchecked and not (isLoose and (isRefused or isUnseen)):
                wrong.append(f"{text}\n{arguments}: {result} instead of {want}")
    assert not wrong, f"{len(wrong)} wrong\n" + "\n\n".join(wrong[:5])
    assert raised > 1000
