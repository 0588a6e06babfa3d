"""The programs of scripts/bench programs: sixteen as people write them, for no compiler in particular.

A file has functions with types, `ENTRIES` that are run, `make_inputs(rng, *size)`, `SIZES` by preset, and `UPDATES`: which
arguments an entry updates. Everything else is how its author would write it: by whole arrays or by loops.
"""
from pathlib import Path

from benchmarks.kernels import PRESETS, Kernel

import measure

FOLDER = Path(__file__).resolve().parent


def programs():
    """{entry: Kernel}"""
    found = {}
    for path in sorted(FOLDER.glob("[a-z]*.py")):
        module = measure.load(path, f"program_{path.stem}")
        for entry in module.ENTRIES:
            updates = module.UPDATES.get(entry, ())
            sizes = tuple(module.SIZES[preset] for preset in PRESETS)
            found[entry] = Kernel(entry, module.make_inputs, sizes, outputs=updates, plain=entry, path=path)
    return found
