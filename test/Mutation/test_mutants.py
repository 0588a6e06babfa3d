"""No barrier, no wait for the previous kernel and no atomic operation of generated code can be taken out without the
emulation or the result telling.

Each program is built once with a switch for every one of them (mutate.py). The program as it is runs first and shows
which functions reach which point; then each mutant runs those functions until the emulation reports it or a result
differs from CPython's. The program as it is must do the same run without a word. A mutant that nobody notices fails the
test, unless PROOFS says why the point is needed nowhere.
"""
import ctypes
import os
import re
import sys
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/Execution"), str(ROOT / "lib/Emulation"), str(Path(__file__).parent)]
import build as emulation  # noqa: E402
import harness  # noqa: E402
from mutate import mutate  # noqa: E402

# Blocked algorithms under branches and in loops, lists that are bound anew, other systems' notations: their barriers are those of the programs of each of
# them, and their runs are long.
REPEATED = {
    *("kernels_nests", "kernels_numbapro", "kernels_other_types", "kernels_primitives", "kernels_rebound_lists", "kernels_sparse_pca"),
    *("kernels_parpy", "kernels_parpy_accepted", "kernels_parpy_later", "kernels_parpy_readme"),
}
EVERY = [
    program
    for program in sorted([*(ROOT / "examples").glob("*.py"), *(ROOT / "test/Execution").glob("kernels_*.py")])
    if program.stem not in REPEATED and "cuda" in getattr(harness.load_program(program), "TARGETS", ("cuda",))
]
# All kernels wait in one way: one program shows that it is noticed when they do not. Support code is for others to go through.
SUPPORT = {  # that go through all of them
    **dict.fromkeys(("scan_tiles", "find_outside"), "kernels_parallel_scans"),
    **dict.fromkeys(("sum_before", "order_tile", "fold_tile", "fold_tiles", "fold_parts", "fold_long_runs"), "kernels_keys"),
    "block_reduce": "kernels_reductions",
    **dict.fromkeys(("group_reduce", "group_reduce_apart", "group_barrier"), "kernels_fitted"),
    "find_in_masks": "kernels_masks",
    "take_best": "kernels_sorting",
}
WAITS = ROOT / "test/Execution/kernels_overlaps.py"
OWNERS = ROOT / "test/Execution/kernels_owners.py"  # whose blocks wait for each other
# All of them take half an hour on two cores: with APPYC_ALL_MUTANTS set, else one of 320, by name, whatever others there are;
# of those that are there for support code alone, its points.
STEP = 1 if os.environ.get("APPYC_ALL_MUTANTS") else 320



def is_due(program):
    return zlib.crc32(program.stem.encode()) % STEP == 0 or program in (WAITS, OWNERS)


PROGRAMS = [program for program in EVERY if is_due(program) or program.stem in SUPPORT.values()]
CHECKED = harness.Target("mutants", "cuda", emulated=True, check=True)
ALL_SIZES = harness.Target("mutants", "cuda", emulated=True)
# At the larger ones every kernel has several warps a block; the largest, tried last, has several tiles over time.
SIZES = (258, 257, 129, 101, 65, 33, 17, 13, 3, 2)
LARGEST = 1000
# Whether blocks repeat what all of them need: so much that all do at all sizes, or nothing.
REPEATS = (1 << 28, 1)
# From how many elements on rows are shared by many workers, and tiles and keys enough: never, or always.
ROWS = (1 << 28, 1)
# One or two blocks make each of them stride over its grid.
SETTINGS = [(order, blocks) for order in ("", "reverse") for blocks in ("2", "1", "0")]
PLACE = re.compile(r"\w+\.cu:\d+ \(\w+\.py:\d+\)")


@dataclass(frozen=True)
class Run:
    """A call of a function of the program."""

    function: str
    size: int
    order: str = SETTINGS[0][0]
    blocks: str = SETTINGS[0][1]
    zeros: bool = False  # the scalar factors are 0: products take another way then
    apart: bool = False  # no blocks wait for each other: steps are launched


# (program, function, which one of its points, from 1): why nothing changes when it is taken out. A proof shows that on no
# path two lanes touch the same element, at least one writing, on either side of the point without another barrier.
# Rows in blocks of 32: the first warp writes the sums that it reads. Those of 64 are written by two warps.
PROOFS = {
    ("kernels_recurrences", kernel, 2): "one warp writes what it reads" for kernel in ("of_complex_kernel", "pairs_kernel", "several_kernel")
} | {
    point: "the group's lanes have exchanged words since they read the element" for point in (
        ("kernels_bodies", "columns_apart_same_other", 1), ("kernels_masks", "in_rows_sums_1", 1), ("kernels_masks", "in_rows_sums_4", 1))
} | {
    ("kernels_bodies", "centres_made_1", 2): "no point belongs to two masks of one number each",
    ("kernels_temporaries", "parallel_under_a_condition_a", 1): "starts only where column k is none of those that change",
    ("kernels_gufunc_calls", "in_places_kernel", 3): "where an element has changed, the loop before runs, whose barriers stand between",
    ("kernels_owners", "factorised_symmetric_A", 6): "each block has posted its step, behind a barrier, since it changed its part",
    ("kernels_steps", "bit_by_bit_u_next_new_next", 3): "of what the copy stores the next sweep reads what the thread has itself",
    ("kernels_steps", "both_ways_x_1", 2): "a step goes one of the two ways, and begins with a barrier",
    ("kernels_steps", "knapsack_can", 1): "a step goes one of the two ways, and is a launch"
} | {
    ("kernels_updates", kernel, number): "lines are passed on before the barrier of their own step, behind which nobody changes them"
    for kernel, number in (("in_order_late_a", 2), ("in_order_late_a_1", 2), ("in_order_late_a_1", 4),
                           ("in_order_early_a", 2), ("in_order_early_a_1", 2))
}


def choices(program):
    """Schedule files that between them reach all of the program's code. The larger sizes group what masks select, the
    smaller ones do not."""
    options = getattr(harness.load_program(program), "TRANSLATE_OPTIONS", ())
    several = [{"repeat": repeat, "launch": "steps", "rows": rows, "keys": min(rows, 4096)} for repeat, rows in zip(REPEATS, ROWS)]
    if program == OWNERS:
        several = [{"launch": "resident"}]
    if getattr(harness.load_program(program), "CLUSTERS", False):
        several = [{"repeat": repeat, "launch": launch} for repeat, launch in zip(REPEATS, ("cluster", "block"))]
    return dict.fromkeys(harness.grouping(program, 4096, options, **chosen) for chosen in several)


def build(program, chosen, folder):
    """The library with all mutants, beside the program's wrapper; the points."""
    schedule = folder / "chosen.schedule"
    schedule.write_text(chosen, encoding="utf-8")
    options = [f"--schedule={schedule}"] if chosen else []
    options += ["--disable-pass=cluster-loops", "--disable-pass=recompute-producers"] if program == OWNERS else []
    generated = harness.translate(program, CHECKED, folder, more=options)
    lines = harness.translate(program, CHECKED, folder, line_map=True, more=options)
    text, points = mutate(generated.read_text(encoding="utf-8"), program == WAITS)
    if points:
        generated.write_text(text, encoding="utf-8")
        flags = ["-include", Path(__file__).with_name("mutants.h")]
        emulation.build(generated, folder / f"lib{program.stem}.so", True, lines, "32", flags)
    return points


def runs(program, settings, sizes, zeros=False):
    for order, blocks in settings:
        for size in sizes:
            for function in harness.exported_functions(program):
                if size in harness.sizes_of(program, function, ALL_SIZES):
                    yield Run(function, size, order, blocks, zeros)


def first_runs(program, unreached):
    """Each function at each size; then those that have scalar factors, with 0 for them; at last the program's other
    sizes, while there are points that nothing has reached."""
    yield from runs(program, SETTINGS[:1], SIZES)
    for run in runs(program, SETTINGS[:1], SIZES, zeros=True):
        if any(isinstance(argument, float) for argument in harness.inputs_of(program, run.function, run.size)):
            yield run
    if program == OWNERS:
        yield from (replace(run, apart=True) for run in runs(program, SETTINGS[:1], SIZES))
    sizes = {s for f in harness.exported_functions(program) for s in harness.sizes_of(program, f, ALL_SIZES)}
    for run in runs(program, SETTINGS[:1], sorted(sizes - set(SIZES), reverse=True)):
        if unreached:
            yield run


def candidates(program, reached):
    """What may tell of a point that the runs of `reached` come by, the most telling first."""
    yield from reached
    functions = {(run.function, run.zeros) for run in reached}
    for sizes in (SIZES, (LARGEST,)):
        for zeros in (False, True):
            for run in runs(program, SETTINGS, sizes, zeros):
                if (run.function, run.zeros) in functions and run not in reached:
                    yield run


def execute(wrapper, program, run):
    """Calls the function; whether it did as CPython does."""
    os.environ["APPYC_EMULATION_ORDER"], os.environ["APPYC_EMULATION_BLOCKS"] = run.order, run.blocks
    if run.apart:
        os.environ["APPYC_EMULATION_APART"] = "1"
    else:
        os.environ.pop("APPYC_EMULATION_APART", None)
    inputs = harness.inputs_of(program, run.function, run.size)
    if run.zeros:
        inputs = tuple(0.0 if isinstance(argument, float) else argument for argument in inputs)
    want = harness.call(getattr(harness.load_program(program), run.function), inputs)
    got = harness.call(getattr(wrapper, run.function), inputs)
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
    """The first runs that reach each point of the program as it is."""

    def work():
        wrapper, library = load(program, folder)
        unreached = {p.number for p in points}
        for run in first_runs(program, unreached):
            library.emulationSelectMutant(0)
            right = execute(wrapper, program, run)
            numbers = [p.number for p in points if library.emulationReached(p.number)]
            unreached.difference_update(numbers)
            yield run, right, numbers

    items, status, printed = in_child(work, folder)
    assert status == 0, printed
    wrong = [run for run, right, _ in items if not right]
    assert not wrong, f"the program as it is gives wrong results: {wrong}"
    return {p: [run for run, _, numbers in items if p.number in numbers] for p in points}


def notice(program, number, tried, folder):
    """(the run, what told of the mutant); an empty text if nothing did. Number 0 is the program as it is."""

    def work():
        wrapper, library = load(program, folder)
        library.emulationSelectMutant(number)
        for run in tried:
            yield run, ""
            if not execute(wrapper, program, run):
                yield run, "a wrong result"
                return

    items, status, printed = in_child(work, folder)
    run, noticed = items[-1] if items else (None, "")
    return run, printed if status == 86 else f"status {status}: {printed}" if status else noticed


def telling(program, point, reached, is_proven, folder):
    """What tells of the mutant; an empty text if nothing does. Of what is proven only the runs that come by are asked."""
    run, noticed = notice(program, point.number, reached if is_proven else candidates(program, reached), folder)
    if noticed and run not in reached:
        _, also = notice(program, 0, [run], folder)
        assert not also, f"the program as it is in {run}: {also}"
    if "emulation:" in noticed:
        assert PLACE.search(noticed), f"no line of the .cu and the Python file in: {noticed}"
        assert re.search(r"\[kernel \w+.*, block \(\d+,\d+,\d+\), thread \(\d+,\d+,\d+\)", noticed), noticed
    return noticed


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_nothing_can_be_taken_out(program, tmp_path):
    survivors, told = {}, set()
    proven = {(function, number) for stem, function, number in PROOFS if stem == program.stem}
    for n, chosen in enumerate(choices(program)):
        folder = tmp_path / str(n)
        folder.mkdir()
        points, seen = build(program, chosen, folder), {}
        if program.parent.name == "examples" or program == WAITS:  # support code is for others to go through
            points = [p for p in points if p.function.startswith(tuple(harness.exported_functions(program)))]
        points = [p for p in points if SUPPORT.get(p.function, program.stem) == program.stem and (is_due(program) or p.function in SUPPORT)]
        for point, reached in (reached_by(program, points, folder) if points else {}).items():
            seen[point.function] = number = seen.get(point.function, 0) + 1
            if (point.function, number) in told:
                continue
            noticed = telling(program, point, reached, (point.function, number) in proven, folder)
            print(f"{point}: {noticed.strip() or 'survives'}")
            if noticed:
                told.add((point.function, number))
            else:
                survivors[point.function, number] = f"{point}, reached by {len(reached)} runs: {reached[:3]}"
    assert not proven & told, f"proofs that are wrong: {proven & told}"
    left = [text for key, text in survivors.items() if key not in told | proven]
    assert not left, "can be taken out:\n" + "\n".join(left)
