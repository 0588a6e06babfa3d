"""The programs that failed once are tests like test/Execution's."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Execution"))
import harness


def pytest_generate_tests(metafunc):
    harness.parametrize(metafunc)
