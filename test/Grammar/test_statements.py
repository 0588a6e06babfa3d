"""Each kind of statement of the language reference: the tree that CPython reads, or refused at its line."""
import ast
import itertools
import random

import compare
import pytest

# A row for each class of CPython's statements; `{}` is where another statement may stand.
FORMS = {
    ast.FunctionDef: ["def g():\n    {}"],
    ast.AsyncFunctionDef: ["async def g():\n    {}"],
    ast.ClassDef: ["class C:\n    {}"],
    ast.Return: ["return", "return a", "return a, b", "return (a)", "return *a, b"],
    ast.Delete: ["del a", "del a[0], b"],
    ast.Assign: ["x = a", "x = y = a", "x, y = a, b", "x, = a", "(x, y), z = a", "[x, y] = a", "a[0], x = b", "x = y, z = a", "a[0] = b", "a[:, 1:] = b",
                 "x, *y = a", "a.b = c", "(x) = a", "x = *a, b", "x = (yield)", "x = lambda: a", "x = a if b else c", "() = a"],
    ast.AugAssign: [f"x {op}= a" for op in "+ - * / // % ** @ & | ^ << >>".split()] + ["a[i] += b, c", "a.b += c", "a[1:] ^= b & c"],
    ast.AnnAssign: ["x: int = a", "x: int", "a[0]: int = b", "(x): int = a"],
    ast.For: ["for i in a:\n    {}", "for i, j in a:\n    {}", "for a[0] in b:\n    {}", "for i in a, b:\n    {}", "for i in a:\n    {}\nelse:\n    pass",
              "for i in *a, b:\n    {}", "for (i, j) in a:\n    {}", "for i in a: x = i"],
    ast.AsyncFor: ["async for i in a:\n    {}"],
    ast.While: ["while a:\n    {}", "while a < b: a += 1", "while a:\n    {}\nelse:\n    pass", "while (x := a):\n    {}"],
    ast.If: ["if a:\n    {}", "if a:\n    {}\nelse:\n    {}", "if a:\n    {}\nelif b:\n    {}\nelse:\n    {}", "if a:\n    {}\nelif b:\n    {}\nelif c:\n    {}", "if not a: x = 1"],
    ast.With: ["with a:\n    {}", "with a as b, c:\n    {}", "with (a as b):\n    {}"],
    ast.AsyncWith: ["async with a:\n    {}"],
    ast.Match: ["match a:\n    case 1:\n        {}"],
    ast.Raise: ["raise", "raise a", "raise a from b"],
    ast.Try: ["try:\n    {}\nexcept a:\n    {}", "try:\n    {}\nfinally:\n    {}"],
    ast.Assert: ["assert a", "assert a, b"],
    ast.Import: ["import a", "import a.b as c"],
    ast.ImportFrom: ["from a import b", "from . import a"],
    ast.Global: ["global x"],
    ast.Nonlocal: ["nonlocal x"],
    ast.Expr: ["a", "a(b)", "'text'", "1", "a, b", "...", "(yield a)", "print(a)", "print", "exec(a)", "await a", "a[0]", "-a", "a < b", "'a' 'b'"],
    ast.Pass: ["pass"],
    ast.Break: ["for i in a:\n    break"],
    ast.Continue: ["while a:\n    if b: continue\n    {}"],
}
FORMS.update({getattr(ast, name): rows for name, rows in {  # of newer Pythons
    "TryStar": ["try:\n    {}\nexcept* a:\n    {}"], "TypeAlias": ["type X = int"]}.items() if hasattr(ast, name)})


def indented(text, depth):
    return text.replace("\n", "\n" + "    " * depth)


def filled(template, statement):
    """The template with `statement` in each place of a block; the first line is not indented."""
    lines = []
    for line in template.split("\n"):
        depth = (len(line) - len(line.lstrip())) // 4
        lines.append(line.replace("{}", indented(statement, depth)) if "{}" in line else line)
    return "\n".join(lines)


def in_function(text):
    return "    " + indented(text, 1)


def valid(text):
    try:
        compile("async def f(a):\n" + text + "\n" if "await" in text or "async" in text else "def f(a):\n" + text + "\n", "", "exec")
        return True
    except SyntaxError:
        return False


def test_every_class_of_statement_has_a_form():
    classes = {c for c in ast.stmt.__subclasses__() if c.__module__ == "ast"}
    assert classes - set(FORMS) == set(), "say what appyc makes of it"


def all_forms():
    rows = [row for forms in FORMS.values() for row in forms]
    simple = [filled(row, "pass") for row in rows]
    draw = random.Random(5)
    outer = [row for row in rows if "{}" in row]
    nested = [filled(row, inner) for row, inner in itertools.product(outer, simple)]
    deeper = [filled(draw.choice(outer), filled(draw.choice(outer), draw.choice(simple))) for _ in range(500)]
    return [in_function(text) for text in simple + nested + deeper]


@pytest.mark.filterwarnings("ignore")
def test_statements():
    # What `match` and `try` stand for are branches, whose trees the notation does not tell: test/Execution/language.py and kernels_trying.py run them.
    found = [text for text in all_forms() if valid(text) and not any(word in text for word in ("await", "async", "match ", "except a", "finally"))]
    assert len(found) > 900
    assert compare.differences(found)[:5] == []


BAD = ["x = ", "return return", "for i a: pass", "if a", "if a:\npass", "else: pass", "x + 1 = a", "f() = a", "1 = a", "x += y = 1", "x, y += 1", "for 1 in a: pass",
       "break", "continue", "a b", "x = 1 y = 2", "elif a: pass", "x == 1 = 2", "(x = 1)", "def", "x = y += 1", "del f()", "*x = a", "*x", "x = *a", "if x = 1: pass",
       "while a: pass else: pass", "pass pass", "import", "from a import", "f(x=1, x)", "f(**a, *b)", "f(a for a in b, c)", "lambda: x = 1", "None = 1", "True += 1",
       "for None in a: pass", "x: int: y", "x[] = 1", "a.1", "a..b", "return = 1", "x = (1,,2)", "x = [,]", "f(,)", "print a", "exec a", "x = a <> b",
       "yield = 1", "class = 2", "not = 1", "a := 1", "x = y := 1", "f(1=2)", "f(a.b=2)", "f(True=1)", "-x = 1", "x++", "++", "a[1:2:3:4]", "a[b c]", "`a`", "x = 1;;", "; x = 1",
       "x, y: int = 1, 2", "[x]: int = 1", "(x, y) += 1", "x = not", "if: pass", "while : pass", "for in a: pass", "return yield", "async x = 1", "nonlocal x, ", "with a as 1: pass",
       "(*a)", "x = (*a)", "a[*b] += (*c)", "del", "assert", "f(*)", "f(**)", "f(x=)", "x.= 1", "def g(: pass"]


@pytest.mark.filterwarnings("ignore")
def test_what_python_refuses_is_refused():
    bad = [text for text in map(in_function, BAD) if not valid(text)]
    assert len(bad) > 80
    assert [text for text in bad if not compare.run(compare.file_of([text])[0])[1]] == []
