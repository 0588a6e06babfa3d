"""README's chapters for users: what stands there is done as it stands there, with what is installed and nothing else."""
import re
import subprocess

import pytest
from installations import APPYC, ROOT

pytestmark = pytest.mark.xdist_group("readme")

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
CALL = """\
import numpy as np, gesummv, gesummv_host
rng = np.random.default_rng(0)
x = 1.5, 1.2, rng.random((7, 5)), rng.random((7, 5)), rng.random(5)
np.testing.assert_allclose(gesummv_host.gesummv(*x), gesummv.gesummv(*x))
print("equal")
"""


def chapter(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## )", PAGE, flags=re.M | re.S)[1]


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, flags=re.M | re.S)


@pytest.fixture
def folder(tmp_path):
    """With the page's first example."""
    (example,) = [text for text in blocks(PAGE, "python") if text.startswith("# gesummv.py\n")]
    (tmp_path / "gesummv.py").write_text(example, encoding="utf-8")
    return tmp_path


def call(installed, folder, path="."):
    return installed.run(installed.python, "-c", f"import sys; sys.path[:0] = ['', {path!r}]\n{CALL}", folder=folder) == "equal\n"


def test_first_commands(installed, folder):
    """The build line is nvcc's; what runs here is the emulation."""
    commands = blocks(PAGE, "sh")[0]
    assert "nvcc" in installed.run(commands, folder=folder)
    installed.run("appyc-emulate gesummv.cu", folder=folder)
    assert call(installed, folder)


def test_makefile(installed, folder):
    (makefile,) = blocks(chapter("In a Makefile"), "make")
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    installed.run("make", folder=folder)
    assert call(installed, folder)
    assert "appyc" not in installed.run("make", folder=folder)
    source = folder / "gesummv.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
    assert "appyc gesummv.py" in installed.run("make", folder=folder)
    assert "appyc" not in installed.run("make", folder=folder)  # where the code has stayed as it was
    source.write_text(source.read_text(encoding="utf-8").replace("+ beta", "- beta"), encoding="utf-8")
    installed.run("make", folder=folder)
    assert call(installed, folder)
    source.write_text("def f(a: f64[N]):\n    a[:] = nothing\n", encoding="utf-8")
    assert "`nothing` is not defined" in installed.run("make", folder=folder, status=2)


def test_edits(installed, folder):
    """Edited, changed, merged; the library has both."""
    (makefile,) = blocks(chapter("Edit and rebuild"), "make")
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    installed.run("make", folder=folder)
    code, source = folder / "gesummv.cpp", folder / "gesummv.py"
    code.write_text(code.read_text(encoding="utf-8") + "// mine\n", encoding="utf-8")
    source.write_text(source.read_text(encoding="utf-8").replace("+ beta", "- beta"), encoding="utf-8")
    check = "appyc gesummv.py -o gesummv.cpp --target=cpu --check"
    assert "was edited by hand, and `gesummv.py` gives another text now" in installed.run(check, folder=folder, status=1)
    installed.run("make", folder=folder)
    assert code.read_text(encoding="utf-8").endswith("// mine\n") and call(installed, folder)
    assert "was edited by hand, from what `gesummv.py` gives now" in installed.run(check, folder=folder, status=1)
    installed.run(check.replace("check", "force"), folder=folder)
    installed.run(check, folder=folder)


def test_cmake(installed, folder):
    text = chapter("In CMake")
    (lists,) = blocks(text, "cmake")
    (folder / "CMakeLists.txt").write_text(lists, encoding="utf-8")
    installed.run(re.search("`(cmake -B .*?)`", text)[1], folder=folder)
    assert call(installed, folder, "build")


def test_emulation(installed, tmp_path):
    """The page's program has a race, the page shows what is said of it; the lines of the `.cu` may be others."""
    text = chapter("Debug your CUDA without a GPU")
    ((program,), (commands,), (said,)) = (blocks(text, kind) for kind in ("python", "sh", "text"))
    (tmp_path / "histogram.py").write_text(program, encoding="utf-8")
    printed = installed.run(commands, folder=tmp_path, status=86)
    for part in re.sub(r"\.cu:\d+", ".cu:", said).splitlines():
        assert part in re.sub(r"\.cu:\d+", ".cu:", printed)
    (line,) = re.findall("^// build: (.*)$", (tmp_path / "histogram.cu").read_text(encoding="utf-8"), flags=re.M)
    installed.run(line, folder=tmp_path)
    (tmp_path / "right.py").write_text(program.replace("    #pragma parallel for\n", ""), encoding="utf-8")
    for command in commands.splitlines():  # and without the claim it is right
        printed = installed.run(command.replace("histogram", "right"), folder=tmp_path)
    assert "emulation:" not in printed


def unsupported():
    (text,) = blocks(chapter("What is not supported"), "python")
    return [re.sub(" +#.*", "", line) for line in text.splitlines()]


def test_what_is_not_supported_is_refused(tmp_path):
    """One line a file; CPython's grammar has them all."""
    lines = unsupported()
    assert len(lines) > 10
    for line in lines:
        program = f"import numpy as np\n\ndef f(n: i64, s: f64, a: f64[N], m: f64[N, N]):\n    {line}\n"
        compile(program, "line", "exec")
        (tmp_path / "line.py").write_text("from __future__ import annotations\n" + program, encoding="utf-8")
        done = subprocess.run([APPYC, "line.py", "-fsyntax-only"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 1 and "line.py:5:" in done.stderr, f"README says that this is not translated: {line}"


def ci_commands():
    (job,) = blocks(chapter("In CI"), "yaml")
    return re.findall(r"^ +- run: (.*)$", job, flags=re.M)


def test_ci(installed, folder):
    """All that comes after the installation, which is the tests' own here."""
    (test,) = [text for text in blocks(chapter("In CI"), "python")]
    (folder / "test_gesummv.py").write_text(test, encoding="utf-8")
    commands = ci_commands()[2:]
    assert len(commands) == 3
    assert "(missing)" in installed.run(commands[0], folder=folder, status=1)  # nothing has been generated yet
    installed.run("appyc gesummv.py -o gesummv.cu", folder=folder)
    for command in commands:
        installed.run(command.replace("python ", f"'{installed.python}' "), folder=folder)
    source = folder / "gesummv.py"
    source.write_text(source.read_text(encoding="utf-8").replace("+ beta", "- beta"), encoding="utf-8")
    assert "not what `gesummv.py` gives now" in installed.run(commands[0], folder=folder, status=1)


def test_ci_installs_what_setup_installs():
    needed = set(re.findall(r"\|\| echo (\S+)", (ROOT / "scripts/lib.sh").read_text(encoding="utf-8")))
    apt, pip = ci_commands()[:2]
    there = {"python3", "python3-venv", "python3-pip", "ca-certificates", "catch2", "make"}  # in the image; for the tests only
    assert set(apt.split("--no-install-recommends ")[1].split()) == needed - there
    assert "pip install ./appyc pytest" in pip
