"""The golden tests: `RUN:` lines in .py and .test files, checked by FileCheck.

%appyc is the compiler, %python an interpreter with NumPy; `%appyc … --emit=stats | %lines` has a line a function and kernel,
`%appyc … --emit=fired | %where pass=NAME` the functions that a pass changes;
%kernels are the programs of test/Execution, which tests of passes share: what they compute is tested there. APPYC names another compiler than build/release's.
"""
import os
import shutil
import sys
from pathlib import Path

import lit.formats

ROOT = Path(__file__).resolve().parent.parent


def find_tool(name):
    """An LLVM test tool: under its own name, with a version as Debian has it, or LLVM's own folder."""
    versions = range(30, 10, -1)
    folders = [f"/usr/lib/llvm-{v}/bin/{name}" for v in versions]
    candidates = [name] + [f"{name}-{v}" for v in versions] + folders
    return next((found for c in candidates if (found := shutil.which(c))), None)


config.name = "appyc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = str(ROOT / "test")
config.test_exec_root = str(ROOT / "build/lit")
config.suffixes = [".py", ".test"]
config.excludes = ["Unit", "Runtime", "Python", "Execution", "Emulation", "Mutation", "Fuzz", "Random", "SelfTest", "Tables", "Grammar", "Package", "Inputs", "lit.cfg.py"]

appyc = os.environ.get("APPYC", str(ROOT / "build/release/tools/appyc/appyc"))
filecheck = find_tool("FileCheck") or f"{sys.executable} -m filecheck"
config.substitutions += [
    ("%appyc", appyc),
    ("%python", sys.executable),
    ("%lines", f"awk -f {ROOT}/test/Inputs/lines.awk"),
    ("%where", f"awk -f {ROOT}/test/Inputs/where.awk"),
    ("%kernels", str(ROOT / "test/Execution/kernels")),
    (r"\bFileCheck\b", filecheck),
    # `not COMMAND` is lit's own, except with `--crash`.
]

config.environment["PYTHONPATH"] = str(ROOT / "lib/Python")
config.environment["LC_ALL"] = "C.UTF-8"
for name in ("HOME", "CUDA_HOME", "LD_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

if shutil.which("nvcc"):
    config.available_features.add("nvcc")
if shutil.which("nvidia-smi") and os.system("nvidia-smi -L >/dev/null 2>&1") == 0:
    config.available_features.add("gpu")
