"""The language's features one by one (kernels_*.py), on every target, at odd sizes, against CPython."""
import harness

PROGRAMS = list((harness.ROOT / "test/Execution").glob("kernels_*.py"))


def test_as_cpython(path, function, target):
    harness.assert_as_cpython(path, function, target)
