"""One test for each (program, function, target)."""
import harness


def pytest_generate_tests(metafunc):
    harness.parametrize(metafunc)
