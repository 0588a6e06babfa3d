"""From the generated code to the library: the build line from any folder, --build, libraries that are out of date, memory."""
import importlib.util
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
APPYC = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
pytestmark = pytest.mark.skipif(not shutil.which(APPYC), reason="appyc has not been built")

PROGRAM = """from __future__ import annotations
import numpy as np


def f(a: f64[N]) -> f64[N]:
    return a * {factor}
"""


def run(*command, status=0, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    assert done.returncode == status, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def load(path):
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def value(path):
    return load(path).f(np.ones(2))[0]


@pytest.mark.parametrize("name", ["my file", "k$(touch pwned)", "it's", "a;b&c", "-dash", "ü"])
def test_build_line_is_quoted(tmp_path, name):
    """As the file's head has it, in the file's folder; as the wrapper's error has it, in any folder."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / f"{name}.py").write_text(PROGRAM.format(factor=2))
    run(APPYC, "--target=cpu", "--wrapper=kernel_host.py", "--", f"./{name}.py", cwd=folder)
    with pytest.raises(ImportError, match="build it with") as missing:
        value(folder / "kernel_host.py")
    run("bash", "-c", str(missing.value).splitlines()[-1].strip().replace("-O3", "-O0"), cwd=tmp_path)
    assert value(folder / "kernel_host.py") == 2
    (folder / f"lib{name}.so").unlink()
    line = re.search("^// build: (.*)", (folder / f"{name}.cpp").read_text(), flags=re.M)[1]
    run("bash", "-c", line.replace("-O3", "-O0"), cwd=folder)
    assert value(folder / "kernel_host.py") == 2
    assert not list(tmp_path.rglob("pwned"))


def test_build(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "my k.py").write_text(PROGRAM.format(factor=2))
    words = [APPYC, "my k.py", "--target=cpu", "-o", "out/k.cpp"]
    said = run(*words, "--build", cwd=tmp_path)
    assert re.fullmatch(r"appyc: building out/libk.so with g\+\+ \.\.\.\nappyc: built out/libk.so in \d+\.\d s\n", said)
    assert value(tmp_path / "out/k_host.py") == 2
    old = (tmp_path / "out/libk.so").read_bytes()
    # Of a failure the compiler's words are shown, and the old library stays.
    said = run(*words, "--build=g++ -nothing", cwd=tmp_path, status=1)
    assert "unrecognized command-line option" in said and "out/libk.so` has not been built" in said
    assert (tmp_path / "out/libk.so").read_bytes() == old
    run(*words, "--build=no-such-compiler", cwd=tmp_path, status=1)
    run(*words, "--build=g++ -O0 -Wall -Werror", cwd=tmp_path)
    assert sorted(p.name for p in (tmp_path / "out").iterdir() if p.is_file()) == ["appyc_runtime.py", "k.cpp", "k_host.py", "libk.so"]
    (tmp_path / "my k.py").write_text("def f(:\n")
    assert "building" not in run(*words, "--build", cwd=tmp_path, status=1)


@pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")
def test_build_with_nvcc(tmp_path):
    (tmp_path / "k.py").write_text(PROGRAM.format(factor=2))
    run(APPYC, "k.py", "--build", "--arch=compute_75", cwd=tmp_path)
    assert (tmp_path / "libk.so").exists()


def test_a_library_of_other_code_is_refused(tmp_path):
    """Even where the interface is the same."""
    for factor in (2, 3):
        (tmp_path / "k.py").write_text(PROGRAM.format(factor=factor))
        run(APPYC, "k.py", "--target=cpu", *(["--build=g++ -O0"] if factor == 2 else []), cwd=tmp_path)
    use = [sys.executable, "-c", "import numpy as np, k_host; print(k_host.f(np.ones(2))[0])"]
    stale = run(*use, cwd=tmp_path, status=1)
    assert "ImportError" in stale and "was not built from the code" in stale
    run("bash", "-c", stale.splitlines()[-1].strip().replace("-O3", "-O0"))
    assert run(*use, cwd=tmp_path) == "3.0\n"


MEMORY = """from __future__ import annotations
import numpy as np


def rows(a: f64[N], m: int):
    #pragma parallel for
    for i in range(a.shape[0]):
        t = np.empty(m)
        for k in range(m):
            t[k] = a[i] + k
        for k in range(m):
            a[i] += t[m - 1 - k] * t[k]


def plain(a: f64[N], m: int):
    t = np.empty(m)
    for k in range(m):
        t[k] = a[0] + k
    a[0] = t[m - 1 - int(a[0])]
"""


def test_no_memory_is_an_error_in_python(tmp_path):
    """Also where the threads of a loop ask for it."""
    (tmp_path / "k.py").write_text(MEMORY)
    run(APPYC, "k.py", "--target=cpu", "--build=g++ -O1", cwd=tmp_path)
    assert "abort" not in (tmp_path / "k.cpp").read_text()
    program = f"""
import resource, sys
sys.path.insert(0, {str(tmp_path)!r})
import numpy as np, k_host
a = np.ones(5)
k_host.rows(a, 3)
print(a[0])
resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
for function in (k_host.rows, k_host.plain):
    try:
        function(np.ones(5), 1 << 40)
    except MemoryError as error:
        print(error)
"""
    said = run(sys.executable, "-c", program, env={**os.environ, "OMP_NUM_THREADS": "3"}).splitlines()
    assert said[1:] == ["no memory for `t`", "no memory for `t`"]
    python = load(tmp_path / "k.py")
    a = np.ones(5)
    python.rows(a, 3)
    assert float(said[0]) == a[0]


def test_a_crash_names_the_line_and_the_command(tmp_path):
    """Whatever the end: an abort from outside stands for all."""
    (tmp_path / "k.py").write_text(PROGRAM.format(factor=2))
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen([APPYC, "k.py", "-o", "pipe"], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    time.sleep(0.3)  # it waits for a reader of the pipe
    process.send_signal(signal.SIGABRT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 70
    assert "this is a bug of appyc" in said and said.rstrip().endswith("k.py -o pipe")


class Device:
    """Stands for a library whose function needs as many bytes as it is told, on a device of 100."""

    def __init__(self):
        self.blocks, self.next, self.asked, self.captures = {}, 1, [], False

    def device_alloc(self, size):
        self.asked.append(size)
        if sum(self.blocks.values()) + size > 100:
            return None
        self.next += 1
        self.blocks[self.next] = size
        return self.next

    def device_free(self, address):
        del self.blocks[address]

    def library(self):
        return types.SimpleNamespace(device=lambda: 0, is_capturing=lambda stream: self.captures, error=lambda: b"no memory",
                                     f_workspace=lambda n: n, device_alloc=self.device_alloc, device_free=self.device_free)


@pytest.fixture
def wrapper(tmp_path):
    (tmp_path / "k.py").write_text("def f(a: f64[N]):\n    return a.sum()\n")
    run(APPYC, "k.py", cwd=tmp_path)
    module = load(tmp_path / "k_host.py")
    module.device = Device()
    module._c = module.device.library()
    yield module
    module.release_workspaces()
    assert not module.device.blocks


def runtime_of(wrapper):
    return sys.modules[wrapper._workspace.__module__]


def use(wrapper, size, stream=7):
    workspace, unused = runtime_of(wrapper)._workspace(wrapper._c, "f", stream, size)
    unused.append(workspace)
    return workspace.address


def test_workspaces_grow_to_what_is_asked(wrapper):
    device = wrapper.device
    assert use(wrapper, 0) is None and device.asked == []
    first = use(wrapper, 40)
    assert use(wrapper, 40) == use(wrapper, 3) == first and device.asked == [40]
    use(wrapper, 41)  # more than a little more is taken, and the smaller one given back before
    assert device.asked == [40, 50] and list(device.blocks.values()) == [50]
    use(wrapper, 90)
    use(wrapper, 95)  # 112 do not fit: as much as is asked then
    assert device.asked == [40, 50, 90, 112, 95] and list(device.blocks.values()) == [95]
    with pytest.raises(MemoryError):
        use(wrapper, 101)
    use(wrapper, 20)
    assert list(device.blocks.values()) == [20]


def test_workspaces_of_captured_graphs_stay(wrapper):
    wrapper.device.captures = True
    address = use(wrapper, 10)
    wrapper.device.captures = False
    assert use(wrapper, 20) != address and sorted(wrapper.device.blocks.values()) == [10, 20]
    use(wrapper, 30)
    assert sorted(wrapper.device.blocks.values()) == [10, 30]


@pytest.mark.parametrize("stream", [7, 2])
def test_threads_leave_no_workspaces_behind(wrapper, stream):
    """Stream 2 is another one in each thread: those of a thread go with it. Others are used in turn."""
    for _ in range(50):
        thread = threading.Thread(target=use, args=(wrapper, 10, stream))
        thread.start()
        thread.join()
    assert len(wrapper.device.blocks) == (1 if stream == 7 else 0)
    both = [runtime_of(wrapper)._workspace(wrapper._c, "f", stream, 10) for _ in range(2)]  # at one time
    assert both[0][0].address != both[1][0].address
    for workspace, unused in both:
        unused.append(workspace)
    del both, workspace, unused
