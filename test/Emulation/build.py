#!/usr/bin/env python3
"""Builds a .cu file for the CPU:  build.py kernel.cu -o libkernel.so [--check]

The library has the entries that nvcc's would have; kernels run block by block, a fiber for each thread. With --check,
each access is checked for bounds and data races and each barrier for divergence; an error ends the process with status
86 and a message. CXX names another compiler than g++.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rewrite_launches import rewrite

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMPILER = os.environ.get("CXX", "g++")
COMMON = ["-std=c++20", "-fPIC", f"-I{HERE / 'include'}"]
# In check mode volatile accesses have hooks of their own: kernels synchronise by them.
CHECKED = ["-O1", "-gdwarf-4", "-g1", "-fsanitize=thread,bounds", "--param=tsan-distinguish-volatile=1"]


def run(command):
    done = subprocess.run([str(word) for word in command])
    if done.returncode != 0:
        sys.exit(done.returncode)


def runtime(check):
    """The emulation's own library, made when its sources have changed; safe when several processes ask at once."""
    folder = ROOT / "build/emulation"
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / ("libcudaemulation_check.so" if check else "libcudaemulation.so")
    sources = sorted((HERE / "runtime").glob("*.cpp"))
    headers = [*(HERE / "runtime").glob("*.h"), *(HERE / "include").rglob("*.h")]
    newest = max(path.stat().st_mtime for path in [*sources, *headers])
    if not library.exists() or library.stat().st_mtime < newest:
        flags = ["-DEMULATION_CHECK"] if check else []
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / library.name
            flags += ["-O2", "-Wall", "-Wextra", f"-I{HERE / 'runtime'}", "-shared"]
            run([COMPILER, *COMMON, *flags, *sources, "-o", made, "-Wl,--no-undefined", "-lpthread", "-ldl"])
            os.replace(made, library)
    return library


def build(source, output, check):
    library = runtime(check)
    with tempfile.TemporaryDirectory() as scratch:
        rewritten, compiled = Path(scratch) / "kernel.cpp", Path(scratch) / "kernel.o"
        rewritten.write_text(f'#line 1 "{source}"\n' + rewrite(source.read_text(encoding="utf-8")), encoding="utf-8")
        mode = CHECKED if check else ["-O1"]
        run([COMPILER, *COMMON, *mode, f"-I{source.parent}", "-c", rewritten, "-o", compiled])
        # Linked without -fsanitize=thread: the hooks that it calls are the runtime's.
        run([COMPILER, "-shared", compiled, "-o", output, library, f"-Wl,-rpath,{library.parent}"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("-o", dest="output", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    build(options.source, options.output, options.check)
