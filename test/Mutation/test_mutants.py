"""No barrier and no atomic operation of generated code can be taken out without the emulation or the result telling.

Each program is built once with a switch for every one of them (mutate.py). The program as it is runs first and shows
which functions reach which point; then each mutant runs those functions until the emulation reports it or a result
differs from CPython's. A mutant that nobody notices fails the test, unless PROOFS says why the point is needed nowhere.
"""
import ctypes
import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/Execution"), str(ROOT / "test/Emulation"), str(Path(__file__).parent)]
import build as emulation  # noqa: E402
import harness  # noqa: E402
from mutate import mutate  # noqa: E402

PROGRAMS = sorted([*(ROOT / "examples").glob("*.py"), *(ROOT / "test/Execution").glob("kernels_*.py")])
CHECKED = harness.Target("mutants", "cuda", emulated=True, check=True)
# At the larger ones every kernel has several warps a block; few blocks make each of them stride over its grid.
SIZES = (257, 129, 33, 3, 2)
SETTINGS = [(order, blocks) for order in ("", "reverse", "1") for blocks in (harness.FEW_BLOCKS, "0")]
PLACE = re.compile(r"\w+\.cu:\d+ \(\w+\.py:\d+\)")

# (program, function, which one of its points, from 1): why nothing changes when it is taken out. A proof shows that on no
# path two lanes touch the same element, at least one writing, on either side of the point without another barrier.
PROOFS = {}


def build(program, folder):
    """The library with all mutants, beside the program's wrapper; the points."""
    generated = harness.translate(program, CHECKED, folder)
    lines = harness.translate(program, CHECKED, folder, line_map=True)
    text, points = mutate(generated.read_text(encoding="utf-8"))
    if points:
        generated.write_text(text, encoding="utf-8")
        flags = ["-include", Path(__file__).with_name("mutants.h")]
        emulation.build(generated, folder / f"lib{program.stem}.so", True, lines, flags)
    return points


def runs(program):
    """(function, size, order, blocks), the most telling first."""
    for order, blocks in SETTINGS:
        for size in SIZES:
            for function in harness.exported_functions(program):
                if size in harness.sizes_of(program, function, CHECKED):
                    yield function, size, order, blocks


def execute(wrapper, program, run):
    """Calls the function; whether it did as CPython does."""
    function, size, order, blocks = run
    os.environ["APPYC_EMULATION_ORDER"], os.environ["APPYC_EMULATION_BLOCKS"] = order, blocks
    want = harness.expected(program, function, size)
    got = harness.call(getattr(wrapper, function), harness.inputs_of(program, function, size))
    try:
        harness.assert_as_outcome(got, want)
    except AssertionError:
        return False
    return True


def in_child(work, folder):
    with open(folder / "child.log", "w+", encoding="utf-8", errors="replace") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        return items, status, log.read()


def load(program, folder):
    return harness.load_wrapper(folder, program), ctypes.CDLL(str(folder / f"lib{program.stem}.so"))


def reached_by(program, points, folder):
    """The runs that reach each point of the program as it is."""

    def work():
        wrapper, library = load(program, folder)
        for run in runs(program):
            library.emulationSelectMutant(0)
            right = execute(wrapper, program, run)
            yield run, right, [p.number for p in points if library.emulationReached(p.number)]

    items, status, printed = in_child(work, folder)
    assert status == 0, printed
    wrong = [run for run, right, _ in items if not right]
    assert not wrong, f"the program as it is gives wrong results: {wrong}"
    return {p: [run for run, _, numbers in items if p.number in numbers] for p in points}


def notice(program, point, candidates, folder):
    """What told of the mutant; an empty text if nothing did."""

    def work():
        wrapper, library = load(program, folder)
        library.emulationSelectMutant(point.number)
        for run in candidates:
            if not execute(wrapper, program, run):
                yield "a wrong result"
                return

    items, status, printed = in_child(work, folder)
    if status == 86:
        assert PLACE.search(printed), f"no line of the .cu and the Python file in: {printed}"
        assert re.search(r"\[kernel \w+.*, block \(\d+,\d+,\d+\), thread \(\d+,\d+,\d+\)\]", printed), printed
        return printed
    return items[0] if items else f"status {status}" if status else ""


# Programs with survivors that have neither been proven redundant nor been removed yet, by where they stand.
OPEN = {
    "barriers of tiles over time": "fdtd_2d jacobi_1d kernels_timeloops",
    "tiles of products: no size here needs two of them, and their support code has no Python line": (
        "gemm symm syr2k syrk trmm kernels_matmul kernels_products"),
    "an atomic update by the only thread": "gramschmidt",
    "barriers around buffers on chip and columns of sums": (
        "kernels_appy_loops kernels_appy_today kernels_appy_tensors kernels_floats kernels_reductions"),
}
REASONS = {name: reason for reason, names in OPEN.items() for name in names.split()}


def programs():
    for path in PROGRAMS:
        reason = REASONS.get(path.stem)
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("program", programs())
def test_nothing_can_be_taken_out(program, tmp_path):
    points = build(program, tmp_path)
    if not points:
        return
    survivors, seen = [], {}
    for point, candidates in reached_by(program, points, tmp_path).items():
        seen[point.function] = number = seen.get(point.function, 0) + 1
        noticed = notice(program, point, candidates, tmp_path)
        print(f"{point}: {noticed.strip() or 'survives'}")
        assert not noticed or (program.stem, point.function, number) not in PROOFS, f"the proof of {point} is wrong"
        if not noticed and (program.stem, point.function, number) not in PROOFS:
            survivors.append(f"{point}, reached by {len(candidates)} runs: {candidates[:3]}")
    assert not survivors, "can be taken out:\n" + "\n".join(survivors)
