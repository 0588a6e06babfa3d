"""The rows of language.py hold all of CPython's `ast`; those that appyc translates do what they do in CPython."""
import ast
import os

import harness
import language
import numpy as np
import pytest

TARGET = harness.Target("language", "cpu")
SIZES = (1, 2, 7)


def inputs(size):
    rng = np.random.default_rng(size)
    return (rng.random(size), rng.random((size, size + 1)), rng.integers(-size, size, size), rng.random(size) > 0.5, size,
            float(rng.random()))


@pytest.fixture(scope="module")
def translated():
    return [row for row, message in language.refusals(os.environ["APPYC"]).items() if not message]


def test_every_class_of_the_syntax_tree_has_a_row():
    used = {type(node).__name__ for row in language.rows() for node in ast.walk(ast.parse(row.text("f")))}
    assert not language.classes() - used


def test_what_translates_does_as_in_cpython(translated, tmp_path):
    """In one file, as the tops of the rows bind different names."""
    path = tmp_path / "language_program.py"
    path.write_text(language.HEADER + "\n\n".join(row.text(row.name) for row in translated), encoding="utf-8")
    generated = harness.translate(path, TARGET, tmp_path)
    harness.run_step(harness.build_line(generated), tmp_path)
    program, wrapper = harness.load_program(path), harness.load_wrapper(tmp_path, path)
    for row in translated:
        for size in SIZES:
            want = harness.call(getattr(program, row.name), inputs(size))
            got = harness.call(getattr(wrapper, row.name), inputs(size))
            try:
                harness.assert_as_outcome(got, want)
            except AssertionError as error:
                raise AssertionError(f"{row.shown}\n{error}") from error
