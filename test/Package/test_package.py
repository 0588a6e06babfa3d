"""What is installed, by pip or by cmake: the commands run, the package appy is what annotated files and editors need."""
import inspect
import re
import shutil
import subprocess
import typing

import pytest
from installations import APPYC, ROOT

import appy

pytestmark = pytest.mark.xdist_group("package")

KERNEL = (ROOT / "test/Package/Inputs/kernel.py").read_text(encoding="utf-8")
CHECK = """\
import sys
sys.path.insert(0, "plain")
import numpy as np, kernel, kernel_host
rng = np.random.default_rng(0)
for m, n in ((0, 1), (1, 1), (7, 5)):
    a, w = rng.random((m, n)), rng.random(n + 1)
    np.testing.assert_allclose(kernel_host.scaled(a, w, 3), kernel.scaled(a, w, 3))
    b = a > 0.5
    assert kernel_host.count(b, a) == kernel.count(b, a)
"""


def test_translates_builds_and_runs(installed, tmp_path):
    """The file runs under CPython, which evaluates its annotations, and translated."""
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/kernel.py").write_text(KERNEL, encoding="utf-8")
    installed.run("appyc", "plain/kernel.py", "--target=cpu", "-o", "kernel.cpp", folder=tmp_path)
    (line,) = re.findall(r"^// build: (.*)$", (tmp_path / "kernel.cpp").read_text(encoding="utf-8"), flags=re.M)
    installed.run(line, folder=tmp_path)
    (tmp_path / "check.py").write_text(CHECK, encoding="utf-8")
    installed.run(installed.python, "check.py", folder=tmp_path)


def test_the_installed_command_is_the_one_that_was_built(installed):
    installed.run("cmp", APPYC, installed.prefix / "bin/appyc")
    assert installed.run("appyc-tune", "--help").startswith("usage: appyc-tune ")


# --- appy


def stub_types():
    return set(re.findall(r"^type (\w+)\[", (ROOT / "lib/Python/appy/_types.pyi").read_text(encoding="utf-8"), flags=re.M))


def test_types_are_those_of_the_compiler():
    """The types that appyc's own table gives the names without a prefix."""
    table = (ROOT / "lib/Frontend/Types/Types.def").read_text(encoding="utf-8")
    own = {name for name, dtype in re.findall(r'^TYPE\("(\w+)",\s+"(\w+)",', table, flags=re.M) if name == dtype}
    assert own == stub_types() == {name for name, value in vars(appy).items() if isinstance(value, type(appy.f64))}


def test_annotations_can_be_evaluated():
    namespace = {}
    exec(compile(KERNEL, "kernel", "exec"), namespace)
    assert str(inspect.signature(namespace["scaled"])) == "(a: f64[M, N], w: f64[(N + 1)], k: i64) -> f64[M]"
    assert repr(typing.get_type_hints(namespace["count"])["open_"]) == "f64[:, :]"


def test_star_import_leaves_bool():
    namespace = {}
    exec("from appy import *", namespace)
    assert "bool" not in namespace and namespace["f64"] is appy.f64


def test_pyflakes_is_quiet(from_wheel, tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    assert from_wheel.run(from_wheel.python, "-m", "pyflakes", tmp_path / "kernel.py") == ""


def git_tag(folder, *commands):
    """What Describe.cmake makes of a repository with one commit, after more commands of git."""
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"], *commands):
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    header = folder / "GitTag.h"
    subprocess.run(["cmake", f"-DSOURCE={folder}", f"-DOUTPUT={header}", "-P", ROOT / "tools/appyc/Describe.cmake"], check=True)
    return re.fullmatch(r'#define APPYC_GIT_TAG "(.*)"\n', header.read_text(encoding="utf-8"))[1]


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_version_has_the_tag_where_there_is_one(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    assert git_tag(tmp_path / "x") == ""
    more = (["tag", "v1.2"], ["commit", "-q", "--allow-empty", "-m", "second"])
    assert re.fullmatch("v1.2-1-g[0-9a-f]+", git_tag(tmp_path / "y", *more))


def test_generated_files_have_the_version_and_no_state_of_git(tmp_path):
    version = subprocess.run([APPYC, "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    code = subprocess.run([APPYC, "kernel.py", "-o", "-"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert code.startswith(f"// kernel.cu: made by appyc {version} from kernel.py\n")


# --- parpy


def test_files_of_parpy_run(installed, tmp_path):
    """The package is there, and its schedules choose what the wrapper runs."""
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/twice.py").write_text(TWICE, encoding="utf-8")
    installed.run("appyc", "plain/twice.py", "--target=cpu", "-o", "twice.cpp", "--par=f@small.N=threads(32)", folder=tmp_path)
    (line,) = re.findall(r"^// build: (.*)$", (tmp_path / "twice.cpp").read_text(encoding="utf-8"), flags=re.M)
    installed.run(line, folder=tmp_path)
    (tmp_path / "check.py").write_text(CHECK_TWICE, encoding="utf-8")
    installed.run(installed.python, "check.py", folder=tmp_path)


TWICE = """\
import parpy

N = parpy.types.shape_var()


@parpy.jit
def f(x: parpy.types.buffer(parpy.types.F64, [N])):
    for i in range(N):
        x[i] = x[i] * 2.0
"""
CHECK_TWICE = """\
import sys
sys.path.insert(0, "plain")
import numpy as np, parpy, twice, twice_host
x = np.ones(5)
twice.f(x, opts=parpy.par({"N": parpy.threads(32)}))
twice_host.f(x, opts=parpy.par({"N": parpy.threads(32)}))
twice_host.f(x, opts="small")
twice_host.f(x)
assert (x == 16).all()
"""
