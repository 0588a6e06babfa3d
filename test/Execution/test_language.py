"""The rows of language.py hold all of CPython's `ast`; those that appyc translates do what they do in CPython."""
import ast

import harness
import language

# One file, as the tops of the rows bind different names.
INPUTS = """

TARGETS = ("cpu",)
SIZES = (1, 2, 7)


def make_inputs(size, rng):
    return (rng.random(size), rng.random((size, size + 1)), rng.integers(-size, size, size), rng.random(size) > 0.5, size,
            float(rng.random()))
"""


def program():
    path = harness.work_folder() / "language_program.py"
    translated = [row for row, message in language.refusals(harness.APPYC).items() if not message]
    path.write_text(language.HEADER + "\n\n".join(row.text(row.name) for row in translated) + INPUTS, encoding="utf-8")
    return path


PROGRAMS = [program()]


def classes():
    """The classes of CPython's `ast` that stand for something in a text, by their names. What is newer than
    Python 3.11, whose grammar the rows keep to, is refused in test/Grammar."""
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "Suite", "AugLoad", "AugStore", "Param"}
    new = {"TypeAlias", "TemplateStr", "Interpolation"}
    kinds = (ast.expr, ast.stmt, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.pattern, ast.excepthandler)
    return {name for name, c in vars(ast).items() if isinstance(c, type) and issubclass(c, kinds) and c not in kinds
            and not name.startswith("_") and name not in old | new}


def test_every_class_of_the_syntax_tree_has_a_row():
    used = {type(node).__name__ for row in language.rows() for node in ast.walk(ast.parse(row.text("f")))}
    assert not classes() - used


def test_as_cpython(path, function, target):
    harness.assert_as_cpython(path, function, target)
