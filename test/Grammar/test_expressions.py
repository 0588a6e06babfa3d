"""Expressions as CPython's `ast` reads them: operators in every combination, each kind of expression in each place of each other."""
import ast
import itertools
import random
import re
import warnings

import compare
import pytest

# A row for each class of CPython's expressions; `_` is where another expression goes.
FORMS = {
    ast.BoolOp: ["_ and _", "_ or _ or _"],
    ast.NamedExpr: ["(x := _)", "x := _"],
    ast.BinOp: ["_ + _", "_ ** _", "_ ^ _", "_ @ _"],
    ast.UnaryOp: ["-_", "not _", "~_", "+_"],
    ast.Lambda: ["lambda: _", "lambda x, *y, z=_, **w: _"],
    ast.IfExp: ["_ if _ else _"],
    ast.Dict: ["{_: _}", "{}", "{**_}"],
    ast.Set: ["{_, _}"],
    ast.ListComp: ["[_ for x in _ if _]"],
    ast.SetComp: ["{_ for x in _}"],
    ast.DictComp: ["{_: _ for x in _}"],
    ast.GeneratorExp: ["(_ for x in _)", "f(_ for x in _)"],
    ast.Await: ["await _"],
    ast.Yield: ["(yield _)", "yield _"],
    ast.YieldFrom: ["(yield from _)"],
    ast.Compare: ["_ < _ <= _", "_ == _", "_ not in _", "_ is not _"],
    ast.Call: ["_(_, _, x=_)", "_()", "_(*_, x=_)", "_(**_)", "_(_, )"],
    ast.FormattedValue: ["f'{_}'"],
    ast.JoinedStr: ["f'{_!r:>{_}}'"],
    ast.Constant: ["1", "2.5", "'s'", "None", "...", "True", "3j", "b'x'"],
    ast.Attribute: ["_.x"],
    ast.Subscript: ["_[_]", "_[_, _]", "_[(_, _)]"],
    ast.Starred: ["*_", "[*_, _]", "(*_,)"],
    ast.Name: ["n"],
    ast.List: ["[_, _]", "[]", "[_]"],
    ast.Tuple: ["(_, _)", "_, _", "()", "(_,)", "_,"],
    ast.Slice: ["_[_:_:_]", "_[:_]", "_[_:]", "_[::_, _]", "_[:]"],
}
TEMPLATES = [template for rows in FORMS.values() for template in rows] + ["(_)", "((_))"]
BINARY = "+ - * / // % ** @ & | ^ << >>".split()
ALL = BINARY + ["<", "==", "!=", "<=", ">", ">=", "in", "is", "and", "or", "not in", "is not", "if x else"]


def filled(template, values):
    """The template with `values` for its `_`, names for the rest."""
    names = iter("abcdefgh")
    parts = re.split(r"\b_\b", template)
    return "".join(part + (values.get(i) or next(names) if i + 1 < len(parts) else "") for i, part in enumerate(parts))


def holes(template):
    return len(re.split(r"\b_\b", template)) - 1


def valid(expression):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `1[a]` is Python
        try:
            compile(f"def f():\n    v = {expression}\n", "", "exec")
            return True
        except SyntaxError:
            return False


def nested():
    """Each form in each place of each form, and 3,000 times one deeper."""
    for outer in TEMPLATES:
        for place in range(holes(outer)):
            for inner in TEMPLATES:
                yield filled(outer, {place: filled(inner, {})})
    draw = random.Random(7)
    whole = [t for t in TEMPLATES if holes(t)]
    for _ in range(3000):
        text = "a"
        for template in draw.choices(whole, k=3):
            text = filled(template, {draw.randrange(holes(template)): text})
        yield text


def assigned(expressions):
    return [f"    v = {e}" for e in expressions]


def test_every_class_of_expression_has_a_form():
    known = set(FORMS)
    classes = {c for c in ast.expr.__subclasses__() if c.__module__ == "ast" and not c.__subclasses__()}
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}
    assert {c for c in classes if c.__name__ not in old} - known == set(), "say what appyc makes of it"


def test_every_operator_is_tried():
    tried = {type(n) for op in ALL + ["not "] for n in ast.walk(ast.parse(f"a {op} b" if op != "not " else "not a"))}
    tried |= {type(n) for op in "+-~" for n in ast.walk(ast.parse(f"{op}a"))}
    for kind in (ast.operator, ast.unaryop, ast.cmpop, ast.boolop):
        assert set(kind.__subclasses__()) <= tried


def test_operators_in_pairs_and_triples():
    pairs = [f"a {p} b {q} c" for p in ALL for q in ALL]
    triples = [f"a {p} b {q} c {r} d" for p in ALL for q in ALL for r in ALL]
    assert compare.differences(assigned(pairs + triples))[:5] == []


def test_unary_operators_in_each_operand():
    found = []
    for sign, p, q in itertools.product(["-", "+", "~", "not ", "- -", "-~", "not not "], ALL, ALL):
        for place in range(3):
            operands = ["a", "b", "c"]
            operands[place] = sign + operands[place]
            found.append(f"{operands[0]} {p} {operands[1]} {q} {operands[2]}")
    found = [e for e in found if valid(e)]
    assert len(found) > 8000
    assert compare.differences(assigned(found))[:5] == []


def test_expressions_in_each_other():
    found = [e for e in nested() if valid(e)]
    assert len(found) > 4000
    assert compare.differences(assigned(found))[:5] == []


def test_what_python_refuses_is_refused():
    tried = [e for e in nested() if not valid(e)] + ["a + not b", "a <> b", "a = = b", "a b", "a ** not b", "x = 1 if 2", "a ! b"]
    draw = random.Random(3)
    accepted = [e for e in draw.sample(tried, 150) + tried[-7:] if not compare.run(compare.file_of(assigned([e]))[0])[1]]
    assert accepted == []


@pytest.mark.parametrize("spelling", ["a+-b", "a--b", "a**-b", "a<-b", "a if-b else+c", "not-a", "a or not-b and~c", "a[-1]",
                                      "(-a).b", "-a.b[c](d)**-e.f", "a.b**c.d", "(a)(b)", "a[b][c].d(e)", "((a, b), c)"])
def test_spellings(spelling):
    assert compare.differences(assigned([spelling])) == []
