"""Runs appyc on many statements in one file and holds each against CPython's tree: the same, or refused at its line."""
import ast
import os
import re
import subprocess
import warnings
from pathlib import Path

from notation import NotSpelt, statement

ROOT = Path(__file__).resolve().parents[2]
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
HEAD = "def f():\n"


def run(text):
    """The tree that appyc prints of a file, and its messages by line."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([APPYC, "-", "--emit=ast", "-o", "-"], input=data, capture_output=True)
    assert done.returncode in (0, 1), done.stderr.decode()
    messages = {}
    for line, message in re.findall(r"^[^\n:]*:(\d+):\d+: error: (.*)$", done.stderr.decode(), re.M):
        messages.setdefault(int(line), []).append(message)
    assert bool(messages) == bool(done.returncode), done.stderr.decode()
    return done.stdout.decode(), messages


def of_python(text):
    """What CPython makes of one statement, in appyc's notation; nothing if that has no form for it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `1[a]` is Python
            (node,) = ast.parse(HEAD + text).body[0].body
        return statement(node)
    except NotSpelt:
        return None


def file_of(statements):
    """The statements in one function each, so that none needs the others, and the line where each starts."""
    lines, starts = [], []
    for number, text in enumerate(statements):
        lines.append(f"def f{number}(a: f64):")
        starts.append(len(lines) + 1)
        lines += text.split("\n")
    return "\n".join(lines) + "\n", starts


def trees(printed):
    """Each function's statements on one line."""
    found = {}
    for part in re.split(r"\n  \(function ", printed)[1:]:
        name, rest = part.split("\n", 1)
        body = re.sub(r"^    \((param|signature|doc) .*\n?", "", rest, flags=re.M)
        found[int(name[1:])] = re.sub(r"\s*\n\s*", " ", body).strip()
    return found


def differences(statements):
    """Pairs of a statement (indented as in a function) and what is wrong with appyc's reading of it."""
    expected = [of_python(text) for text in statements]
    text, starts = file_of(statements)
    refused = run(text)[1]
    wrong = []
    kept = []
    for i, (source, want) in enumerate(zip(statements, expected)):
        messages = [m for line in range(starts[i], starts[i] + source.count("\n") + 1) for m in refused.get(line, [])]
        if not messages:
            kept.append(i)
        if want is None and not messages:
            wrong.append((source, "CPython has it, appyc's notation has not, and it is not refused"))
        elif want is not None and messages:
            wrong.append((source, f"refused: {messages}"))
    got = trees(run(file_of([statements[i] for i in kept])[0])[0])
    for place, i in enumerate(kept):
        tree = got[place].removesuffix(")").removesuffix(")") if place == len(kept) - 1 else got[place].removesuffix(")")
        if expected[i] is not None and tree != expected[i]:
            wrong.append((statements[i], f"{tree} for {expected[i]}"))
    return wrong
