"""Installations that the tests of the package share: a wheel in an environment of its own, and `cmake --install`.

Both take the command that the other tests run, APPYC of a build folder, instead of building it once more.
"""
import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
sys.path.insert(0, str(ROOT / "lib/Python"))


@dataclass(frozen=True)
class Installation:
    """A folder with bin and share, and how programs run with it."""

    prefix: Path
    python: str
    environment: dict

    def run(self, *command, folder=None, status=0):
        """Runs a command, or a shell's text, as a user of the installation does; what it printed."""
        words = command[0] if len(command) == 1 else [str(word) for word in command]
        done = subprocess.run(words, shell=isinstance(words, str), cwd=folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == status, f"{words}\n{done.stdout}"
        return done.stdout


def environment(prefix, **more):
    """The tests' own, with the installation's commands first and nothing of the checkout."""
    kept = {name: value for name, value in os.environ.items() if name not in ("APPYC", "PYTHONPATH")}
    path = f"{prefix / 'bin'}:{Path(sys.executable).parent}:{kept['PATH']}"
    emulation = kept.get("APPYC_EMULATION_FOLDER", str(ROOT / "build/emulation"))  # built once for all tests
    return {**kept, "PATH": path, "APPYC_EMULATION_FOLDER": emulation, **more}


def checked(*command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    checked(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT,
            SKBUILD_CMAKE_DEFINE=f"APPYC_PREBUILT={APPYC}", SKBUILD_BUILD_DIR=str(folder / "build"))
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def from_wheel(wheel, tmp_path_factory):
    """`pip install`, where NumPy is the tests'."""
    prefix = tmp_path_factory.mktemp("environment")
    venv.create(prefix, symlinks=True, with_pip=True)
    python = str(prefix / "bin/python")
    checked(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (prefix / f"lib/{version}/site-packages/tests.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return Installation(prefix, python, environment(prefix))


@pytest.fixture(scope="session")
def from_cmake(tmp_path_factory):
    """`cmake --install` of the folder in which the command was built."""
    prefix = tmp_path_factory.mktemp("cmake") / "prefix with blanks"
    checked("cmake", "--install", Path(APPYC).parents[2], "--prefix", prefix)
    return Installation(prefix, sys.executable, environment(prefix, PYTHONPATH=str(prefix / "share/appyc/python")))


@pytest.fixture(params=["from_wheel", "from_cmake"])
def installed(request):
    return request.getfixturevalue(request.param)
