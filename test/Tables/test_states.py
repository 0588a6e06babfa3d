"""300 functions of numbers whose type depends on the path, as NumPy computes them, or refused at a line.

python test/Tables/test_states.py FIRST COUNT tries others.
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "Execution")]

import harness
import pytest
import states

HEAD = "from __future__ import annotations\n\nimport math\n\nimport numpy as np\n"
PLAIN = ("-O3", "-O0")


def write(path, texts):
    """{line: name of the function that it is of}"""
    lines, owner = HEAD.splitlines(), {}
    for name, text in texts.items():
        lines += ["", ""]
        for line in text.splitlines():
            lines.append(line)
            owner[len(lines)] = name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return owner


def refused(path, owner):
    """Functions with an error; every error is at a line of one."""
    done = subprocess.run([harness.APPYC, path, "-fsyntax-only"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr[-2000:]
    found = {owner[int(line)] for line in re.findall(r"^\S*\.py:(\d+):\d+: error:", done.stderr, flags=re.M)}
    assert found or done.returncode == 0, done.stderr
    return found


def check(first, count):
    """(functions translated, what is wrong with them)"""
    made = states.functions(first, count)
    folder = harness.work_folder() / f"states-{first}"
    folder.mkdir(exist_ok=True)
    path = folder / f"states_{first}.py"
    owner = write(path, {name: text for name, (text, _) in made.items()})
    out = refused(path, owner)
    kept = {name: text for name, (text, _) in made.items() if name not in out}
    write(path, kept)
    generated = folder / f"{path.stem}.cpp"
    harness.run_step([harness.APPYC, path, "-o", generated, "--target=cpu", "--fmad=off"], folder)
    harness.run_step(harness.build_line(generated).replace(*PLAIN), folder)
    reference = harness.load_program(path)

    def work():
        wrapper = harness.load_wrapper(folder, path)
        for name in kept:
            yield name, [harness.call(getattr(wrapper, name), inputs) for inputs in made[name][1]]

    with open(folder / "log", "w+", encoding="utf-8", errors="replace") as log:
        done, status = harness.in_child(work, log)
    done, wrong = dict(done), []
    for name, text in kept.items():
        if name not in done:
            wrong.append(f"{text}\nthe process ended with status {status}")
            break
        calls = []
        for inputs, got in zip(made[name][1], done[name]):
            want = harness.call(getattr(reference, name), inputs)
            if want.raised or not all(map(states.is_held, want.value)):
                continue  # where Python raises, or has no number of 64 bits
            if got.raised:
                wrong.append(f"{text}\nraises {got.message} of {inputs}")
                break
            calls.append((inputs, want.value, got.value))
        wrong += [f"{text}\n{line}" for line in states.differences(calls)[:1]]
    return len(kept), wrong


@pytest.mark.parametrize("first", range(0, 300, 150))
def test_states(first):
    accepted, wrong = check(first, 150)
    assert not wrong, f"{len(wrong)} of {accepted} wrong\n" + "\n\n".join(wrong[:5])
    assert accepted > 30, f"only {accepted} of 150 are translated"


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:3])
    for start in range(first, first + count, 150):
        accepted, wrong = check(start, min(150, first + count - start))
        print(f"{start}: {accepted} translated, {len(wrong)} wrong", *wrong, sep="\n\n" if wrong else "", flush=True)
