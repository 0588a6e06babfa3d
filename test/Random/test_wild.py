"""Programs that know nothing of what appyc models: it computes what CPython does, or refuses."""

import ast

import pytest
import wild
from test_random import fuzz


def test_every_node_has_a_maker():
    assert wild.covered() == []
    assert set(wild.LEFT_OUT) - {c.__name__ for c in vars(ast).values() if isinstance(c, type)} <= {
        "TryStar", "TypeAlias", "Interpolation", "TemplateStr"}  # of later Pythons


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_seeds(first, tmp_path):
    done = fuzz("--wild", f"--seed={first}", "--programs=100", f"--save={tmp_path}", "--no-shrink")
    assert done.returncode == 0, done.stdout + done.stderr
