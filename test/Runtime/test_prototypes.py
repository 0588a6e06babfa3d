"""What the runtime declares of CUDA's libraries by hand, held against the headers of these, where they are."""
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = {"cublas": "cublas_v2.h", "cusolver": "cusolverDn.h", "cufft": "cufft.h"}
PROTOTYPE = re.compile(r"([\w][\w\s*]*?[\s*])(cu(?:blas|solver|fft)\w+)\s*\(([^(){};]*)\)\s*;")
NUMBERS = {"int": "i32", "int32_t": "i32", "signed char": "i8", "char": "i8", "long long int": "i64", "long long": "i64", "long": "i64", "long int": "i64",
           "int64_t": "i64", "size_t": "u64", "unsigned long": "u64", "float": "f32", "double": "f64", "void": "void"}  # fmt: skip


def toolkit():
    nvcc = shutil.which("nvcc")
    folders = [*Path("/usr/local").glob("cuda*/include"), *([Path(nvcc).resolve().parents[1] / "include"] if nvcc else [])]
    return next((f for f in folders if (f / "cublas_v2.h").is_file()), None)


def of_headers(folder, header):
    """The text without macros; the types that it names."""
    done = subprocess.run(["g++", "-E", "-P", "-x", "c++", "-I", folder, "-"], input=f"#include <{header}>\n", capture_output=True, text=True, check=True)
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", done.stdout)
    named = {name: of for of, name in re.findall(r"typedef\s+((?:struct\s+)?\w+\s*\**)\s*(\w+)\s*;", text)}
    enumerations = set(re.findall(r"typedef\s+enum\s*\w*\s*\{[^}]*\}\s*(\w+)\s*;", text)) | set(re.findall(r"enum\s+(\w+)\s*\{", text))
    return text, named, enumerations


def meant(kind, named, enumerations):
    """What a parameter is for the one who calls: the number's type, and how often it is pointed at."""
    kind = re.sub(r"\b(const|struct|enum)\b", " ", kind)
    pointers, kind = kind.count("*"), " ".join(kind.replace("*", " ").split())
    for _ in range(9):
        if kind in NUMBERS or kind not in named:
            break
        of = re.sub(r"\b(const|struct|enum)\b", " ", named[kind])
        pointers, kind = pointers + of.count("*"), " ".join(of.replace("*", " ").split())
    return ("i32" if kind in enumerations else NUMBERS.get(kind, "other")), pointers


def parameters(text):
    """Their types, without names and subscripts."""
    found = []
    for part in text.split(","):
        part = re.sub(r"\s+", " ", part).strip()
        arrays = part.count("[")
        part = re.sub(r"\[[^\]]*\]", "", part).strip()
        words = re.sub(r"([\w\]])\s*$", r"\1", part)
        name = re.search(r"[\s*](\w+)$", words)
        is_named = name and name[1] not in ("int", "char", "long", "float", "double", "void") and words[:name.start(1)].replace("const", "").strip(" *")
        found.append((words[:name.start(1)] if is_named else words) + "*" * arrays)
    return [] if found in (["void"], [""]) else found


@pytest.mark.parametrize("library", HEADERS)
def test_as_in_the_headers(library):
    folder = toolkit()
    if not folder:
        pytest.skip("CUDA's headers are not here")
    text, named, enumerations = of_headers(folder, HEADERS[library])
    theirs = {name: (result, given) for result, name, given in PROTOTYPE.findall(text)}
    own = re.sub(r"//[^\n]*", "", (ROOT / f"lib/Target/Runtime/{library}.cuh").read_text())
    declared = [(result.replace('extern "C"', ""), name, given) for result, name, given in PROTOTYPE.findall(re.sub(r"<[^<>]*>", "", own))
                if not re.search(r"\b(return|status)\b", result)]  # fmt: skip
    assert len(declared) > 5
    for _, name, given in declared:
        assert name in theirs, f"{library} has no {name}"
        want = theirs[name][1]
        mine = [meant(p, {"cudaStream_t": "CUstream_st*"}, set()) for p in parameters(given)]
        other = [meant(p, named, enumerations) for p in parameters(want)]
        assert len(mine) == len(other), f"{name}: {given} and {want}"
        for k, (a, b) in enumerate(zip(mine, other)):
            same = a[1] == b[1] and (a[0] == b[0] or (a[1] and "other" in (a[0], b[0])) or (a[1] and "void" in (a[0], b[0])))
            assert same, f"{name}: parameter {k} is {a} here and {b} in {HEADERS[library]}\n{given}\n{want}"
