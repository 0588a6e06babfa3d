"""Programs that know nothing of what appyc models: it computes what CPython does, or refuses."""

import ast
import signal
import sys

import pytest
import wild
from test_random import fuzz


def test_every_node_has_a_maker():
    assert wild.covered() == []
    assert set(wild.LEFT_OUT) - {c.__name__ for c in vars(ast).values() if isinstance(c, type)} <= {
        "TryStar", "TypeAlias", "Interpolation", "TemplateStr"}  # of later Pythons


def test_the_alarm_ends_proposals_only():
    wild.alarm(signal.SIGALRM, sys._getframe())  # as in a `finally`, where an exception would escape
    before = signal.signal(signal.SIGALRM, wild.alarm)
    try:
        assert wild.Function("f", 0).attempt(ast.parse("while True: pass").body) == ([], None)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_seeds(first, tmp_path):
    done = fuzz("--wild", f"--seed={first}", "--programs=100", f"--save={tmp_path}", "--no-shrink")
    assert done.returncode == 0, done.stdout + done.stderr
