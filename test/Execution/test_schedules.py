"""Whatever a schedule file chooses, a program computes the same: programs with other choices than appyc's own.

The n-th schedule takes for each open choice the n-th value after appyc's own one.
"""
import re
import subprocess

import harness

EXAMPLES = ["azimint_naive", "covariance", "gemver", "gramschmidt", "group_by_label", "jacobi_1d", "jacobi_2d", "mandelbrot",
            "softmax", "spmv", "trisolv"]
SOURCES = [harness.ROOT / f"examples/{name}.py" for name in EXAMPLES]
SOURCES += [harness.ROOT / f"test/Execution/kernels_{name}.py" for name in ("appy_options", "reductions", "timeloops", "vectors")]
SIZES = (0, 1, 33, 129)


def chosen(source, shift):
    """A schedule file of other choices, for both targets."""
    parts = {}
    for target in ("cuda", "cpu"):
        command = [harness.APPYC, source, "--emit=schedule", f"--target={target}"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for part in text.strip().split("\n\n"):
            heading, *lines = part.splitlines()
            entries = parts.setdefault(heading.split("  # ")[0], {})
            for line in lines:
                if line.startswith("# "):  # what becomes of the line differs
                    continue
                key, answer, values = re.fullmatch(r"(\w+) = (\S+)  # (.*)", line).groups()
                values = values.split(", ")
                at = values.index(answer) + 1 if answer in values else 0
                entries[key] = values[(at + (shift + len(entries)) % max(len(values) - 1, 1)) % len(values)]
    return "\n".join(f"{heading}\n" + "".join(f"{k} = {v}\n" for k, v in entries.items())
                     for heading, entries in parts.items() if heading)


def with_schedule(source, shift, text, sizes=SIZES):
    """A copy of the program that is translated with such a schedule, and called with few sizes."""
    folder = harness.work_folder()
    schedule = folder / f"{source.stem}_{shift}.schedule"
    schedule.write_text(text, encoding="utf-8")
    path = folder / f"{source.stem}_schedule{shift}.py"
    path.write_text(source.read_text(encoding="utf-8") + f"""

TRANSLATE_OPTIONS = (*globals().get("TRANSLATE_OPTIONS", ()), "--schedule={schedule}", "-Wno-unused-schedule")
SIZES = tuple(s for s in globals().get("SIZES", {sizes}) if s in {sizes})
""", encoding="utf-8")
    return path


PROGRAMS = [with_schedule(source, shift, chosen(source, shift)) for shift, source in enumerate(SOURCES)]
MASKS = harness.ROOT / "test/Execution/kernels_masks.py"
PROGRAMS.append(with_schedule(MASKS, "groups", harness.grouping(MASKS, 1)))
KEYS = harness.ROOT / "test/Execution/kernels_keys.py"
PROGRAMS.append(with_schedule(KEYS, "keys", harness.grouping(KEYS, 1)))
SETTLING = harness.ROOT / "test/Execution/kernels_settling.py"
PROGRAMS.append(with_schedule(SETTLING, "settled", harness.grouping(SETTLING, 1), (1, 7, 257)))
CHOSEN = harness.ROOT / "test/Execution/kernels_chosen_states.py"
PROGRAMS.append(with_schedule(CHOSEN, "settled", harness.grouping(CHOSEN, 1), (2, 33)))
PRODUCERS = harness.ROOT / "test/Execution/kernels_producers.py"
PROGRAMS += [with_schedule(PRODUCERS, f"repeat{most}", harness.grouping(PRODUCERS, most)) for most in (1, 1000)]
CLUSTERS = harness.ROOT / "test/Execution/kernels_clusters.py"
PROGRAMS += [with_schedule(CLUSTERS, launch, harness.grouping(CLUSTERS, 1, launch=launch))
             for launch in ("steps", "cluster", "block")]
OWNERS = harness.ROOT / "test/Execution/kernels_owners.py"
PROGRAMS.append(with_schedule(OWNERS, "resident", harness.grouping(OWNERS, 1, launch="resident"), (1, 13)))
COUNTS = harness.ROOT / "test/Execution/kernels_parpy_counts.py"
LINE = '[by_line."for i in range(x.shape[0]):"'
PROGRAMS.append(with_schedule(COUNTS, "lines", f"{LINE}]\nthreads = 100\ntpb = 64\n{LINE}.2]\nthreads = 40\nreduce = true\n"))


def test_as_cpython(path, function, target):
    harness.assert_as_cpython(path, function, target)
