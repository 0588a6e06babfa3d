"""docs/annotations.md: its examples compute what CPython computes, its errors are what appyc says, its tables are true.

A block of Python is a program, or, where a block of text follows, a program of which appyc says that. Arguments are
made from the types; a comment `<!-- inputs NAME: expressions -->` gives others, over `n` and `rng`.
"""
import ast
import os
import re
import subprocess
import sys

import pytest

import harness

PAGE = (harness.ROOT / "docs/annotations.md").read_text(encoding="utf-8")
HEAD = "from __future__ import annotations\nimport numpy as np\nimport appy\n"
FENCES = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, flags=re.M | re.S)
INPUTS = dict(re.findall(r"^<!-- inputs (\w+): (.*) -->$", PAGE, flags=re.M))
DTYPES = {"f64": "rng.random({})", "f32": "rng.random({}, dtype=np.float32)"}


def examples():
    """(number, program, what appyc says or "") of each block."""
    found = []
    for kind, text in FENCES:
        if kind == "python" and text != HEAD:
            found.append([len(found), text, ""])
        elif kind == "text":
            found[-1][2] = text
    return [tuple(e) for e in found]


EXAMPLES = examples()


def made_input(annotation, sizes):
    """An expression for a random argument; the first name of a size is n, the next n + 1, ..."""
    dtype, _, extents = annotation.rstrip("]").partition("[")
    if not extents:
        return {"f64": "rng.random()", "i64": "n"}[dtype]
    shape = [e if e.isdigit() else f"n + {sizes.setdefault(e, len(sizes))}" for e in extents.split(", ")]
    return DTYPES[dtype].format(f"({', '.join(shape)},)")


def inputs_text(function):
    sizes = {}
    made = INPUTS.get(function.name) or ", ".join(
        made_input(ast.unparse(p.annotation), sizes) for p in function.args.args if p.annotation)
    return f"def inputs_{function.name}(n, rng):\n    return ({made},)\n"


def program():
    """All examples that appyc accepts, as one program of the harness."""
    accepted = "\n\n".join(text for _, text, said in EXAMPLES if "error:" not in said)
    functions = [node for node in ast.parse(accepted).body if isinstance(node, ast.FunctionDef)]
    commented = re.findall(r"^#appyc: def (\w+)\((.*?)\) ->", accepted, flags=re.M)
    for name, parameters in commented:
        typed = ast.parse(f"def {name}({parameters}): pass").body[0]
        functions = [typed if f.name == name else f for f in functions]
    functions = [f for f in functions if f.name in INPUTS or any(p.annotation for p in f.args.args)]
    elsewhere = [f.name for f in functions if not any(p.annotation for p in f.args.args)]  # types in other notations
    path = harness.work_folder() / "annotations.py"
    made = "\n\n".join(map(inputs_text, functions))
    whole = path.with_suffix(f".{os.getpid()}")  # the folder may be shared with others who write the same
    whole.write_text(f"{HEAD}\n\n{accepted}\n\n{made}\n\nEXPORTED = ({', '.join(map(repr, elsewhere))},)\nSIZES = (0, 1, 2, 3, 31, 33, 129, 257)\n", encoding="utf-8")
    whole.replace(path)
    return path


PROGRAMS = [program()]


def test_as_cpython(path, function, target):
    harness.assert_as_cpython(path, function, target)


@pytest.mark.parametrize(("number", "text", "said"), EXAMPLES, ids=[f"{number}" for number, _, _ in EXAMPLES])
def test_example_alone(number, text, said, tmp_path):
    source = tmp_path / "kernel.py"
    source.write_text(HEAD + text, encoding="utf-8")
    done = subprocess.run([harness.APPYC, source, "-fsyntax-only", "--remarks"], capture_output=True, text=True)
    refused = "error:" in said
    assert (done.returncode != 0) == refused, done.stderr
    for line in said.splitlines():
        assert line in done.stderr
    assert done.stderr.count(" error: ") == said.count("error: ")


def test_tables():
    done = subprocess.run([sys.executable, harness.ROOT / "scripts/docs", "--check"], capture_output=True, text=True,
                          env={**os.environ, "APPYC": str(harness.APPYC)})
    assert done.returncode == 0, done.stdout + done.stderr


def test_schedule(tmp_path):
    """The page's schedule file fits the page's programs."""
    (schedule,) = [text for kind, text in FENCES if kind == "toml"]
    (tmp_path / "page.schedule").write_text(schedule, encoding="utf-8")
    command = [harness.APPYC, PROGRAMS[0], "--schedule", tmp_path / "page.schedule", "-fsyntax-only", "-Werror"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
