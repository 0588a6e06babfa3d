#!/usr/bin/env python3
"""Builds a .cu file for the CPU, without the CUDA toolkit: {program} kernel.cu [-o libkernel.so] [--check]

The library has the entries that nvcc's would have; kernels run block by block, a fiber for each thread. With --check,
each access is checked for bounds and data races and each barrier for divergence; an error ends the process with status
86 and a message. Messages give lines of the Python file as well where the file says them at its end, as those of
`appyc --target=emulate` do, or where --lines names what `appyc --emit=line-map` has printed. CXX names another
compiler than g++. What all such libraries need is built once, into ~/.cache/appyc; APPYC_EMULATION_FOLDER names
another folder.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rewrite_launches import rewrite

HERE = Path(__file__).resolve().parent
PROGRAM = os.environ.get("APPYC_PROGRAM", "build.py")  # what the user has called
COMPILER = os.environ.get("CXX", "g++")
COMMON = ["-std=c++20", "-fPIC", f"-I{HERE / 'include'}"]
OWN = ["-O2", "-Wall", "-Wextra", *(f"-I{HERE / 'runtime' / room}" for room in ("Device", "Host"))]
# -Og: g++ takes two thirds of the time that it takes for -O1, and most of that of the tests.
# In check mode volatile accesses have hooks of their own: kernels synchronise by them.
CHECKED = ["-Og", "-gdwarf-4", "-g1", "-fno-semantic-interposition", "-fsanitize=thread,bounds",
           "--param=tsan-distinguish-volatile=1"]
# What every file includes takes longer to read than most files to compile.
READ_ONCE = ("cmath", "cstdint", "cstdio", "cstring", "initializer_list", "type_traits", "cuda_runtime.h")


def run(command):
    try:
        done = subprocess.run([str(word) for word in command])
    except OSError as error:
        sys.exit(f"{PROGRAM}: cannot run {command[0]}: {error.strerror}; CXX names the compiler")
    if done.returncode != 0:
        sys.exit(done.returncode)


def cache():
    """Where the emulation's own libraries lie: a folder for each state of its sources and of the compiler."""
    named = os.environ.get("APPYC_EMULATION_FOLDER")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    version = subprocess.run([COMPILER, "--version"], capture_output=True).stdout
    digest = hashlib.sha256(repr((version, COMMON[:2], OWN[:3])).encode())
    for path in sorted([*(HERE / "runtime").glob("*/*.*"), *(HERE / "include").rglob("*.h")]):
        digest.update(path.read_bytes())
    folder = (Path(named) if named else Path(home) / "appyc" / "emulation") / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def runtime(check):
    """The emulation's own library, made where it is missing; safe when several processes ask at once."""
    folder = cache()
    library = folder / ("libcudaemulation_check.so" if check else "libcudaemulation.so")
    if library.exists():
        return library
    print(f"{PROGRAM}: building the emulator{' with checks' if check else ''}, once", file=sys.stderr, flush=True)
    flags = [*COMMON, *OWN, *(["-DEMULATION_CHECK"] if check else [])]
    with tempfile.TemporaryDirectory(dir=folder) as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sources = sorted((HERE / "runtime").glob("*/*.cpp"))
        objects = [Path(scratch) / f"{path.stem}.o" for path in sources]
        list(pool.map(lambda pair: run([COMPILER, *flags, "-c", pair[0], "-o", pair[1]]), zip(sources, objects)))
        made = Path(scratch) / library.name
        run([COMPILER, "-shared", *objects, "-o", made, "-Wl,--no-undefined", "-lpthread", "-ldl"])
        os.replace(made, library)
    return library


def precompiled(mode):
    """A header with READ_ONCE, compiled for `mode`; made where it is missing, as the library is."""
    folder = cache() / hashlib.sha256(repr(mode).encode()).hexdigest()[:16]
    header, made = folder / "emulated.h", folder / "emulated.h.gch"
    if not made.exists():
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            text, compiled = Path(scratch) / header.name, Path(scratch) / made.name
            text.write_text("".join(f"#include <{name}>\n" for name in READ_ONCE), encoding="utf-8")
            os.replace(text, header)
            run([COMPILER, *COMMON, *mode, "-x", "c++-header", header, "-o", compiled])
            os.replace(compiled, made)
    return header


def line_map(source, pairs):
    """What makes the emulation know the lines of the Python file."""
    python = re.search(r"^// .* from (\S+)$", source, flags=re.M)
    name, text = (json.dumps(word) for word in (python[1] if python else "?", " ".join(pairs)))
    return f"static const ::emulation::SourceLines appycSourceLines({name}, {text});\n"


def with_index(text, bits):
    """The entries choose between kernels of 32-bit and of 64-bit indices at the call; here they call those of `bits`."""
    return text.replace("return fits_int32(shapes) ? run(int32_t(0)) : run(int64_t(0));", f"(void)shapes; return run(int{bits}_t(0));")


def with_support(text, source):
    """The text with the header of appyc's --support in the place of its #include, as what it launches is rewritten, too."""
    def header(match):
        path, line = source.parent / match[1], text.count("\n", 0, match.start()) + 2
        if not path.is_file():
            return match[0]
        return f'#line 1 "{path}"\n' + path.read_text(encoding="utf-8").replace("#pragma once\n", "\n", 1) + f'\n#line {line} "{source}"\n'
    return re.sub(r'^#include "(.*)"\n', header, text, flags=re.M)


def build(source, output, check, lines=None, index=None, flags=()):
    library = runtime(check)
    with tempfile.TemporaryDirectory() as scratch:
        rewritten, compiled = Path(scratch) / "kernel.cpp", Path(scratch) / "kernel.o"
        text = source.read_text(encoding="utf-8")
        code = f'#line 1 "{source}"\n' + rewrite(with_index(with_support(text, source), index) if index else with_support(text, source))
        pairs = lines.read_text(encoding="utf-8") if lines else " ".join(re.findall(r"^// lines: (.*)$", text, flags=re.M))
        if pairs:
            code += line_map(text, re.findall(r"\d+", pairs))
        rewritten.write_text(code, encoding="utf-8")
        mode = CHECKED if check else ["-Og"]
        run([COMPILER, *COMMON, *mode, *flags, "-include", precompiled(mode), f"-I{source.parent}", "-c", rewritten, "-o", compiled])
        # Linked without -fsanitize=thread: the hooks that it calls are the runtime's.
        run([COMPILER, "-shared", compiled, "-o", output, library, f"-Wl,-rpath,{library.parent}"])


def main():
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__.format(program=PROGRAM),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, metavar="FILE.cu")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="default: lib<stem>.so beside the source")
    parser.add_argument("--check", action="store_true", help="report races, divergent barriers, accesses out of bounds, memory "
                                                             "that nobody has written")
    parser.add_argument("--lines", type=Path, metavar="FILE")
    parser.add_argument("--index", choices=("32", "64"), help="compile the kernels with indices of this width only, which "
                                                              "takes half the time")
    options = parser.parse_args()
    if not options.source.is_file():
        parser.error(f"there is no file {options.source}")
    output = options.output or options.source.with_name(f"lib{options.source.stem}.so")
    build(options.source, output, options.check, options.lines, options.index)


if __name__ == "__main__":
    main()
