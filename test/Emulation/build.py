#!/usr/bin/env python3
"""Builds a .cu file for the CPU:  build.py kernel.cu -o libkernel.so [--check] [--lines kernel.lines]

The library has the entries that nvcc's would have; kernels run block by block, a fiber for each thread. With --check,
each access is checked for bounds and data races and each barrier for divergence; an error ends the process with status
86 and a message. --lines names what `appyc --emit=line-map` has printed; messages then give lines of the Python file
as well. CXX names another compiler than g++.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rewrite_launches import rewrite

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMPILER = os.environ.get("CXX", "g++")
COMMON = ["-std=c++20", "-fPIC", f"-I{HERE / 'include'}"]
# -Og: g++ takes two thirds of the time that it takes for -O1, and most of that of the tests.
# In check mode volatile accesses have hooks of their own: kernels synchronise by them.
CHECKED = ["-Og", "-gdwarf-4", "-g1", "-fno-semantic-interposition", "-fsanitize=thread,bounds",
           "--param=tsan-distinguish-volatile=1"]


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


def line_map(source, pairs):
    """What makes the emulation know the lines of the Python file."""
    python = re.search(r"^// .* from (\S+)$", source, flags=re.M)
    name, text = (json.dumps(word) for word in (python[1] if python else "?", " ".join(pairs.split())))
    return f"static const ::emulation::SourceLines appycSourceLines({name}, {text});\n"


def build(source, output, check, lines=None, flags=()):
    library = runtime(check)
    with tempfile.TemporaryDirectory() as scratch:
        rewritten, compiled = Path(scratch) / "kernel.cpp", Path(scratch) / "kernel.o"
        text = source.read_text(encoding="utf-8")
        code = f'#line 1 "{source}"\n' + rewrite(text)
        if lines:
            code += line_map(text, lines.read_text(encoding="utf-8"))
        rewritten.write_text(code, encoding="utf-8")
        mode = CHECKED if check else ["-Og"]
        run([COMPILER, *COMMON, *mode, *flags, f"-I{source.parent}", "-c", rewritten, "-o", compiled])
        # Linked without -fsanitize=thread: the hooks that it calls are the runtime's.
        run([COMPILER, "-shared", compiled, "-o", output, library, f"-Wl,-rpath,{library.parent}"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("-o", dest="output", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--lines", type=Path)
    options = parser.parse_args()
    build(options.source, options.output, options.check, options.lines)
