"""Counts the barriers of the annotated examples: appyc's, and those that APPy's rule places.

usage: barrier_table.py APPYC

APPy runs a worker's statements one after the other and separates dependent ones by block-wide barriers: one after each
store into an array in a loop of a parallel region (baseline). Optimisation 1: the loop that a tensor statement becomes
needs none inside, one after it, and none at all if it is the kernel's own loop. Optimisation 2: a store needs none if no
other statement of the region reads the array. Reductions into a scalar, and atomic updates, store nothing.

Of appyc the barriers in the kernels' text count, of a step at a time (without tile-time and blocks of steps); those that a reduction's function
has inside count on neither side.
Ends with 1 where appyc places more than APPy, be it for the function with pragmas or for the one without.
"""
import ast
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
KERNELS = """azimint_naive cholesky covariance fdtd_2d floyd_warshall gemm gemver gesummv go_fast gramschmidt hdiff heat_3d
jacobi_1d jacobi_2d softmax spmv symm syr2k syrk trisolv trmm""".split()


def pragmas_above(statement, lines):
    found = []
    for line in reversed(lines[:statement.lineno - 1]):
        if not line.strip().startswith("#pragma"):
            return found
        found.append(line.strip())
    return found


def loops_and_stores(body):
    """All assignments of a region, with those in its loops."""
    for statement in body:
        if isinstance(statement, (ast.For, ast.While, ast.If)):
            yield from loops_and_stores(statement.body)
        elif isinstance(statement, (ast.Assign, ast.AugAssign)):
            yield statement


def stored_array(statement):
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    return target.value.id if isinstance(target, ast.Subscript) else None


def arrays_read(statement):
    nodes = list(ast.walk(statement.value))
    if isinstance(statement, ast.AugAssign):
        nodes += ast.walk(statement.target)
    return {n.value.id for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)}


def barriers_of_region(region, lines):
    """Of a loop with `parallel` or `sequential`; a tensor statement outside of any is its kernel's own loop."""
    statements = list(loops_and_stores(region.body))
    count = 0
    for statement in statements:
        array = stored_array(statement)
        if array is None or any("atomic" in p for p in pragmas_above(statement, lines)):
            continue
        count += any(array in arrays_read(other) for other in statements if other is not statement)
    return count


def appy_barriers(body, lines):
    count = 0
    for node in body:
        if not isinstance(node, (ast.For, ast.While, ast.If)):
            continue
        is_region = re.search(r"\b(parallel|sequential) for", " ".join(pragmas_above(node, lines)))
        count += barriers_of_region(node, lines) if is_region else appy_barriers(node.body, lines)
    return count


def own_barriers(appyc, example):
    options = [f"--disable-pass={name}" for name in ("tile-time", "cluster-loops", "block-updates", "block-recurrences", "block-panels", "owner-computes")]
    done = subprocess.run([appyc, example, "--emit=stats", *options], capture_output=True, text=True, check=True)
    return dict(zip(re.findall(r"^function: (\w+)", done.stdout, re.M),
                    map(int, re.findall(r"^barriers: (\d+)", done.stdout, re.M))))


def main():
    print(f"{'kernel':<16} {'appyc':>5} {'APPy':>5} {'un-annotated':>13}")
    more = False
    for name in KERNELS:
        example = ROOT / "examples" / f"{name}.py"
        text = example.read_text(encoding="utf-8")
        function = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name)
        theirs, ours = appy_barriers(function.body, text.splitlines()), own_barriers(sys.argv[1], example)
        print(f"{name:<16} {ours[name]:>5} {theirs:>5} {ours[name + '_plain']:>13}")
        # Where rings' points are known, azimint_naive has no fold whose barrier keeps the store behind the reads.
        more |= ours[name] > theirs + (name == "azimint_naive") or ours[name + "_plain"] > theirs
    return more


sys.exit(main())
