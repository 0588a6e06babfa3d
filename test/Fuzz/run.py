#!/usr/bin/env python3
"""Runs the fuzzers on all cores, one after the other, and says at the end how many executions were made.

scripts/fuzz_text builds them and calls this. Alone it needs only the programs, examples/ and test/. Status 1 if
anything broke the compiler; what did is left in the folder FOUND, one file a find, with its log beside it.
"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LARGEST = {"Source": 512, "Compile": 1024, "Pragma": 96}  # bytes: small inputs are quick ones
SHARE = {"Source": 0.3, "Compile": 0.5, "Pragma": 0.2}  # of the time
SECONDS_A_INPUT = 10  # the sanitizers cost about a factor of ten
PRAGMA = re.compile(r"#pragma +(.*)")
SIGNATURE = re.compile(r"(?:#appyc: *|--signature[= ]'?)(?:def +)?(\w+\(.*)|def +(\w+\(.*\).*):$")
TYPE = re.compile(r"\b(?:[fiuc]\d+|bool)(?:\[[^\]]*\])?")
FUNCTION = re.compile(r"^(?:@.*\n|#.*\n)*def .*\n(?:(?:[ \t#].*)?\n)*", re.M)


def texts():
    for folder in ("examples", "test"):
        for path in sorted((ROOT / folder).rglob("*.py")) + sorted((ROOT / folder).rglob("*.txt")):
            yield path.read_bytes().decode("utf-8", "surrogateescape")


def seeds(fuzzer):
    """The inputs to start from: whole small files and single functions, or the pragmas and signatures in them."""
    for text in texts():
        if fuzzer != "Pragma":
            yield text
            yield from FUNCTION.findall(text)
            continue
        for pragma in PRAGMA.findall(text):
            for place in "\0\1\2":
                yield place + pragma
        for comment, definition in SIGNATURE.findall(text):
            for place in "\3\6":
                yield place + (comment or definition)
        for kind in TYPE.findall(text):
            for place in "\4\5":
                yield place + kind


def collect(fuzzer, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for text in seeds(fuzzer):
        data = text.encode("utf-8", "surrogateescape")
        if len(data) <= LARGEST[fuzzer]:
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def command(fuzzer, options, folders):
    """The fuzzer's command line. Fork mode: what a find does to one process does not stop the others."""
    words = [str(options.programs / f"fuzz_{fuzzer}"), *map(str, folders)]
    words += [f"-fork={options.jobs}", f"-max_len={LARGEST[fuzzer]}", f"-timeout={SECONDS_A_INPUT}",
              f"-dict={ROOT / 'test/Fuzz/words.dict'}", "-rss_limit_mb=4096", "-print_final_stats=1",
              "-entropic=0",  # whose bookkeeping takes half the time
              f"-artifact_prefix={options.found}/{fuzzer}-"]
    if options.keep_going:
        words += ["-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]
    if options.minutes:
        words.append(f"-max_total_time={max(1, round(options.minutes * 60 * options.share(fuzzer)))}")
    if options.runs:
        words.append(f"-runs={max(1, round(options.runs * options.share(fuzzer)))}")
    return words


def run(fuzzer, options):
    """The number of executions and whether the fuzzer ended well. Prints a line every ten seconds."""
    corpus, fresh = options.work / "corpus" / fuzzer, options.work / "seeds" / fuzzer
    corpus.mkdir(parents=True, exist_ok=True)
    collect(fuzzer, fresh)
    print(f"{fuzzer}: {len(list(fresh.iterdir()))} inputs from examples and tests", flush=True)
    environment = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=0:quarantine_size_mb=1:malloc_context_size=1",
                       UBSAN_OPTIONS="print_stacktrace=1")
    made, said = 0, time.monotonic()
    with open(options.found / f"{fuzzer}.log", "w", encoding="utf-8") as log, subprocess.Popen(
            command(fuzzer, options, [corpus, fresh]), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", env=environment) as process:
        for line in process.stdout:
            if "NEW_FUNC" in line:
                continue
            log.write(line)
            progress = re.match(r"#(\d+): .*", line)
            if progress:
                made = max(made, int(progress[1]))
                if time.monotonic() - said > 10:
                    said = time.monotonic()
                    print(f"  {fuzzer} {line.rstrip()}", flush=True)
    return made, process.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep-going", action="store_true", help="collect finds until the end")
    parser.add_argument("--programs", type=Path, default=ROOT / "build/fuzz/test/Fuzz")
    parser.add_argument("--work", type=Path, default=ROOT / "build/fuzz")
    parser.add_argument("fuzzers", nargs="*", default=[])
    options = parser.parse_args()
    options.fuzzers = options.fuzzers or list(SHARE)
    options.found = options.work / "found"
    options.found.mkdir(parents=True, exist_ok=True)
    total = sum(SHARE[fuzzer] for fuzzer in options.fuzzers)
    options.share = lambda fuzzer: SHARE[fuzzer] / total

    executions, good = 0, True
    for fuzzer in options.fuzzers:
        made, ended_well = run(fuzzer, options)
        print(f"{fuzzer}: {made} executions", flush=True)
        executions += made
        good &= ended_well
    finds = [path.name for path in sorted(options.found.iterdir()) if path.suffix != ".log"]
    print(f"{executions} executions, {len(finds)} finds in {options.found}" if finds or not good
          else f"{executions} executions, nothing found")
    print("\n".join(finds))
    return 1 if finds or not good else 0


if __name__ == "__main__":
    sys.exit(main())
