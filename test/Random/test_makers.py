"""Each maker's programs run under CPython, and enough of them are translated to test something."""

import signal

import pytest
import run
import wild
from makers import MAKERS

COUNT = 16
LEAST = {"lists": 5, "records": 11, "products": 10, "sizes": 7, "draws": 14, "views": 12, "leaving": 10, "nones": 8}  # of COUNT


@pytest.mark.parametrize("maker", MAKERS)
def test_is_drawn(maker):
    before = signal.signal(signal.SIGALRM, wild.alarm)
    try:
        made = [MAKERS[maker](f"f{seed}", seed) for seed in range(COUNT)]
        assert sum(f.grow() for f in made) >= COUNT - 1
        assert all(f.cases for f in made)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("maker", MAKERS)
def test_is_translated(maker, tmp_path):
    head, functions = run.pieces(wild.program(0, COUNT, maker))
    report = run.Report()
    _, translated = run.translate(head, functions, run.CPU, tmp_path, report)
    assert len(translated) >= LEAST[maker], [str(f) for f in report.failures]
