"""One test for each (program, function, target, size). Tests of one build share a worker (`--dist loadgroup`)."""
import pytest

import harness


def pytest_generate_tests(metafunc):
    folder = getattr(metafunc.module, "PROGRAMS", None)
    if folder is None or "size" not in metafunc.fixturenames:
        return
    cases = []
    for path in sorted(folder):
        for target in harness.targets():
            group = pytest.mark.xdist_group(f"{path.stem}-{target.name}")
            for function in harness.exported_functions(path):
                for size in harness.sizes_of(path, function, target):
                    name = f"{path.stem}-{function}-{target.name}-{size}"
                    cases.append(pytest.param(path, function, target, size, id=name, marks=group))
    metafunc.parametrize(("path", "function", "target", "size"), cases)
