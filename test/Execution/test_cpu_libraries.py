"""Products, np.linalg and np.fft by BLAS, LAPACK and FFTW on the cpu target, against CPython."""
import subprocess
from pathlib import Path

import pytest

import harness

HEADERS = {"blas": "cblas.h", "lapack": "lapacke.h", "fftw": "fftw3.h"}
LINKED = {"blas": "-lblas", "lapack": "-llapacke", "fftw": "-lfftw3"}
FUNCTIONS = {"blas": "cblas_", "lapack": "LAPACKE_", "fftw": "fftw_execute_dft"}
BY_LIBRARY = {"blas": ("matmul", "products"), "lapack": ("spectra", "linalg"), "fftw": ("fft",)}


def is_installed(library):
    """Can a program be linked with it?"""
    return subprocess.run(["g++", "-x", "c++", "-", *LINKED[library].split(), "-o", "/dev/null"], input="int main() {}",
                          text=True, capture_output=True).returncode == 0


def cases():
    target = next((t for t in harness.targets() if t.name == "cpu"), None)
    for library, programs in BY_LIBRARY.items() if target else ():
        missing = pytest.mark.skipif(not is_installed(library), reason=f"{library} is not installed")
        by_library = harness.Target(f"cpu-{library}", "cpu", options=(f"--cpu-libraries={library}",))
        for name in programs:
            path = Path(__file__).with_name(f"kernels_{name}.py")
            group = pytest.mark.xdist_group(f"{name}-{library}")
            for function in harness.exported_functions(path):
                yield pytest.param(path, function, by_library, library, id=f"{library}-{function}", marks=(missing, group))


@pytest.mark.parametrize(("path", "function", "target", "library"), cases())
def test_as_cpython(path, function, target, library):
    harness.assert_as_cpython(path, function, target)
    generated = harness.build(path, target)[0] / f"{path.stem}.cpp"
    assert FUNCTIONS[library] in generated.read_text()
    assert LINKED[library] in harness.build_line(generated)
