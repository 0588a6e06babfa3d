"""Prints what `appyc --emit=stats` says of every example, a line a function and kernel:  stats_of_examples.py APPYC"""
import re
import subprocess
import sys
from pathlib import Path

for example in sorted((Path(__file__).resolve().parents[3] / "examples").glob("*.py")):
    done = subprocess.run([sys.argv[1], example, "--emit=stats"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    print(f"== {example.name}")
    for entry in re.split(r"\n+(?=function|kernel:)", done.stdout.strip()):
        # Loops, how kernels are launched, and what the model of costs says, are the business of other tests.
        facts = [line.strip() for line in entry.splitlines() if not re.match(r"\s*((parallel )?loops|reductions|kernels|graphs|library|launch:|elements|shared|.*operations|predicted)", line)]
        print(("  " if entry.startswith("kernel") else "") + "; ".join(facts))
