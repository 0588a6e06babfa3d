"""Fuzzing with random programs; scripts/fuzz --help says how.

One program is one function, made from one seed. Functions go through the compilers in files of a hundred: that is where
the time goes. What fails is shrunk and saved as a test.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

import dialects
import generate
import run
import shrink
import wild
import wrong
from makers import MAKERS, maker_of
from run import harness

ROOT = Path(__file__).resolve().parents[2]
LEDGER = ROOT / "build/fuzz.json"  # what has run, so that each run goes on
FIRST_SEED = 1000  # those before are CI's
MOST_MEMORY = 8 << 30  # bytes of a process, for wild programs that ask for more: CPython then raises MemoryError


@dataclass
class Result:
    first: int
    ran: int = 0
    wrong: int = 0
    invalid: list = field(default_factory=list)
    problems: list = field(default_factory=list)  # (kind, one line)
    saved: list = field(default_factory=list)
    seconds: dict = field(default_factory=dict)
    refused: Counter = field(default_factory=Counter)  # messages, of wild programs
    by_maker: Counter = field(default_factory=Counter)  # how many wild programs were drawn and translated


def batch(first, count, save, with_shrinking):
    """Runs the programs of the seeds first ... first + count - 1, and as many wrong annotations as half of that."""
    os.nice(19 - os.nice(0))
    result = Result(first)
    with tempfile.TemporaryDirectory(prefix="appyc-fuzz-") as name:
        folder = Path(name)
        text = generate.program(first, count)
        report = run.check(text, run.ways_of(first // count), folder)
        result.ran, result.seconds = report.ran, report.seconds
        result.invalid = [
            f"{name}: {what} {detail.splitlines()[-1] if detail else ''}" for name, what, detail in report.invalid
        ]
        seen = set()
        for failure in report.failures:
            result.problems.append((failure.kind, f"seed {failure.function[1:]}: {failure}"))
            kind = (
                failure.kind,
                failure.way.name.split()[0],
                failure.detail[:30] if failure.kind == "refused" else "",
            )
            if with_shrinking and kind not in seen and len(seen) < 3:
                seen.add(kind)
                result.saved.append(save_shrunk(text, failure, folder, save))
        result.wrong, accepted = accepted_wrong(first, count // 2, folder)
        result.problems += [("accepted", line) for line in accepted]
    return result


def dialect_batch(first, count, save, with_shrinking):
    """As batch(), of programs in other notations."""
    os.nice(19 - os.nice(0))
    result = Result(first)
    with tempfile.TemporaryDirectory(prefix="appyc-fuzz-") as name:
        text = dialects.program(first, count)
        report = run.check(text, (run.CPU, run.EMULATED, run.CHECKED)[first // count % 2 :], Path(name))
        result.ran, result.seconds, result.invalid = report.ran, report.seconds, [f"{name}: {what} {detail}" for name, what, detail in report.invalid]
        head, functions = run.pieces(text)
        for failure in report.failures:
            result.problems.append((failure.kind, f"seed {failure.function[1:]}: {failure}"))
            (save / f"{failure.function}.py").write_text(head + functions[failure.function])
    return result


def wild_batch(first, count, save, with_shrinking, maker=None):
    """As batch(), of programs that know nothing of what appyc models: it may refuse them, but not compute something else."""
    os.nice(19 - os.nice(0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    result = Result(first)
    with tempfile.TemporaryDirectory(prefix="appyc-fuzz-") as name:
        folder = Path(name)
        text = wild.program(first, count, maker)
        report = run.check(text, (run.CPU,) if first // count % 8 else (run.CPU, run.EMULATED_WIDE), folder, by_path=True)
        result.seconds = report.seconds
        refused = [f for f in report.failures if f.kind == "refused" or "raised NotImplementedError" in f.detail]
        result.ran, result.refused = report.ran - len({f.function for f in refused}), Counter(f.detail for f in refused)
        result.by_maker = shares(maker, run.pieces(text)[1], {f.function for f in refused})
        for failure in report.failures:
            if failure in refused:
                continue
            result.problems.append((failure.kind, f"seed {failure.function[1:]}: {failure}"))
            if with_shrinking and len(result.saved) < 3:
                result.saved.append(save_shrunk(text, failure, folder, save))
            elif not with_shrinking:  # the seed gives another program under another Python or NumPy
                head, functions = run.pieces(text)
                (save / f"{failure.function}.py").write_text(head + functions[failure.function])
    return result


def shares(maker, drawn, refused):
    """How many functions each maker has drawn, and how many of them were translated."""
    counts = Counter()
    for name in drawn:
        made_by = maker or maker_of(int(name[1:])) or "grammar"
        counts[made_by, "drawn"] += 1
        counts[made_by, "translated"] += name not in refused
    return counts


def accepted_wrong(first, count, folder):
    """Functions whose annotation is wrong and that appyc does not refuse."""
    text, expected = wrong.wrong_program(first, count)
    source = folder / "wrong.py"
    source.write_text(text)
    done = run.run_appyc(source, folder / "wrong.cu", ("-fsyntax-only",))
    refused = run.refusals(done, source) if done.returncode == 1 else {}
    named = {name for name, message in refused.items() if message.startswith(("[loop-carried]", "[live-out]"))}
    lines = text.splitlines()
    missed = [
        f"{name}: `{lines[line - 1].strip()}` above `{lines[line].strip()}` is wrong and was not refused"
        for name, line in expected.items()
        if name not in named
    ]
    return len(expected), missed


def save_shrunk(text, failure, folder, save):
    """Writes the shrunk program; returns its path and text."""
    program, latest = shrink.shrink(text, failure, folder)
    guilty = shrink.guilty_pass(program.text(), latest, folder) if latest else ""
    failure = latest or failure
    options = tuple(o for o in failure.way.options if not o.startswith(("--target", "--stop-after")))
    lines = [
        f'"""Found by scripts/fuzz at seed {failure.function[1:]}, target {failure.way.name}: {failure.kind}.',
        "",
        one_line(failure.detail),
    ]
    lines += [f"Guilty: {guilty}."] if guilty else []
    lines += [
        '"""',
        "from __future__ import annotations",
        "",
        "import numpy as np",
        "import appy",
        "",
        "SIZES = (0,)",
        f"TRANSLATE_OPTIONS = {('--fmad=off', *options)!r}",
    ]
    body = program.text()[len(program.head) :]
    if "[size]" in body:
        lines[-2] = "SIZES = (0, 1, 2)"
    path = save / f"seed_{failure.function[1:]}_{failure.way.name.split()[0]}.py"
    path.write_text("\n".join(lines) + "\n\n\n" + body)
    return str(path), body


def one_line(text):
    return re.sub(r"\s+", " ", text)[:200].replace("\\", "/").replace('"', "'")


# --- the command


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz", description="Compares random programs with CPython on every target; shrinks what fails."
    )
    parser.add_argument("--minutes", type=float, help="how long to run on")
    parser.add_argument("--programs", type=int, help="how many programs to run instead")
    parser.add_argument("--seed", type=int, help="the first seed; default: where the last run ended")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once (default 1)")
    parser.add_argument("--batch", type=int, default=100, help="functions in one file (default 100)")
    parser.add_argument(
        "--save", type=Path, default=ROOT / "test/Random/regressions", help="where shrunk programs go"
    )
    parser.add_argument("--no-shrink", action="store_true", help="only report what fails")
    parser.add_argument(
        "--wild", action="store_true", help="programs drawn from Python's grammar, which appyc may refuse as well"
    )
    parser.add_argument("--dialects", action="store_true", help="programs in Numba's and ParPy's notations; what fails is saved as it is")
    parser.add_argument("--maker", choices=MAKERS, help="--wild with programs of one construct only")
    parser.add_argument("--refusals", action="store_true", help="print how often --wild was refused, and why")
    options = parser.parse_args()
    if options.minutes is None and options.programs is None:
        parser.error("say how long: --minutes N or --programs N")
    return options


def read_ledger():
    try:
        return json.loads(LEDGER.read_text())
    except (OSError, ValueError):
        return {"programs": 0, "problems": 0, "next": FIRST_SEED}


def write_ledger(before, following, totals, problems):
    ledger = {
        "next": following,
        "programs": before["programs"] + totals["programs"],
        "problems": before["problems"] + sum(problems.values()),
    }
    LEDGER.parent.mkdir(exist_ok=True)
    LEDGER.write_text(json.dumps(ledger) + "\n")


def seeds(options, start):
    """First seeds of the batches, until the time or the number is used up."""
    end = time.monotonic() + options.minutes * 60 if options.minutes is not None else float("inf")
    first = start
    while time.monotonic() < end and (options.programs is None or first < start + options.programs):
        yield first
        first += options.batch


def main():
    options = parse_arguments()
    ledger = read_ledger()
    start = ledger["next"] if options.seed is None else options.seed
    options.save.mkdir(parents=True, exist_ok=True)
    subprocess.run([harness.APPYC, "--version"], check=True, capture_output=True)
    for way in (run.EMULATED, run.CHECKED):  # built before, once
        run.emulation.runtime(way.check)
    totals, problems, refused, by_maker, began = Counter(), Counter(), Counter(), Counter(), time.monotonic()
    firsts, running, last = seeds(options, start), {}, start
    with ProcessPoolExecutor(options.jobs, max_tasks_per_child=20) as pool:
        while True:
            while len(running) < options.jobs and (first := next(firsts, None)) is not None:
                count = min(options.batch, start + options.programs - first) if options.programs else options.batch
                work, more = (wild_batch, (options.maker,)) if options.wild or options.maker else (dialect_batch if options.dialects else batch, ())
                running[pool.submit(work, first, count, options.save, not options.no_shrink, *more)] = first
                last = first + count
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.pop(future)
                account(future.result(), totals, problems, refused)
                by_maker.update(future.result().by_maker)
                if options.seed is None:
                    write_ledger(ledger, min(running.values(), default=last), totals, problems)
                rate = totals["programs"] / (time.monotonic() - began)
                print(
                    f"{totals['programs']} programs, {totals['wrong']} wrong annotations, {sum(problems.values())} problems, "
                    f"{totals['invalid']} invalid, {refused.total()} refused, {rate:.1f}/s",
                    flush=True,
                )
    print(f"seeds {start} to {last - 1}: {dict(problems) or 'no mismatch'}")
    if options.seed is None:
        ever = read_ledger()
        print(f"ever: {ever['programs']} programs, {ever['problems']} problems")
    if options.refusals:
        print("".join(f"{count:6} {message}\n" for message, count in refused.most_common()))
        for name in dict.fromkeys(name for name, _ in by_maker):
            print(f"{name}: {by_maker[name, 'translated']} of {by_maker[name, 'drawn']} translated")
    print("seconds: " + ", ".join(f"{k[8:]} {v}" for k, v in sorted(totals.items()) if k.startswith("seconds ")))
    return 1 if problems else 0


def account(result, totals, problems, refused):
    totals["programs"] += result.ran
    refused.update(result.refused)
    totals["wrong"] += result.wrong
    totals["invalid"] += len(result.invalid)
    for name, seconds in result.seconds.items():
        totals["seconds " + name] += round(seconds)
    for line in result.invalid:
        print("  not valid Python:", line)
    for kind, line in result.problems:
        problems[kind] += 1
        print("  " + line[:600])
    for path, body in result.saved:
        print(f"  shrunk to {path}:\n" + "\n".join("    " + l for l in body.splitlines()))


if __name__ == "__main__":
    sys.exit(main())
