"""Makes a .cu file's barriers, waits for the previous kernel and atomic operations removable, one at a time, at run time.

    __syncthreads();            (::emulation::isMutated(1) ? void() : __syncthreads());
    all = __syncthreads_and(x); all = (::emulation::isMutated(3) ? x : __syncthreads_and(x));
    atomicAdd(&sum[i], x);      ::emulation::mutable_atomicAdd(2, &sum[i], x);

So all mutants of a file are one build. Lines stay where they are.
"""
import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/Emulation"))
from rewrite_launches import mask  # noqa: E402

BARRIER = (r"(?P<barrier>\b__syncthreads\(\)|\b__syncwarp\((?:lanes|group_lanes\(\)|0x\w+u)?\)|"
           r"(?<!void )\b(?:cluster_barrier|group_barrier|wait_for_previous_kernel)\(\)|"
           r"(?<!void )\bwait_for_step\([^();]*\)|\b\w+(?:\(\))?\.sync\(\))")
ATOMIC = r"\b(?P<atomic>atomic(?:Add|Sub|Max|Min|And|Or|Xor|Exch|CAS))\("
VOTE = r"\b(?P<vote>__syncthreads_(?:and|or))\((?P<own>\w+)\)"
POINT = re.compile(f"{BARRIER}|{VOTE}|{ATOMIC}")
# What this file cannot take out has to be added here before it is generated.
UNKNOWN = re.compile(r"\b__syncthreads_(?!(?:and|or)\(\w+\))\w+|\b__syncwarp\([^)]|\batomic(?:Inc|Dec)\b|\batomic\w+_(?:block|system)\b|"
                     r"\bbarrier_(?:arrive|wait)|\basm\b")
# What computes, and orders nothing in memory; and what is taken out where its function is called.
KNOWN = re.compile(r'\basm volatile\((?="(?:mma\.sync|ld\.acquire|ld\.relaxed|st\.release)\.)|\b__syncwarp\((?=lanes\)|group_lanes\(\)\)|0x\w+u\))')


@dataclass(frozen=True)
class Point:
    number: int  # from 1
    what: str  # "__syncthreads()", "atomicAdd"
    line: int
    function: str  # the kernel or device function it stands in


def functions(text):
    """(begin of the body, name) of the functions of the file, in order."""
    text = re.sub(r"__launch_bounds__\([^)]*\)", lambda match: " " * len(match[0]), text)
    heads = re.finditer(r"__(?:global|device)__[^;{}=]*?\b(\w+)\s*\([^{};]*\)\s*\{", text)
    return [(head.end(), head[1]) for head in heads]


def mutate(text, waits):
    """The text with switches, and its points; `waits`: those for the previous kernel are among them."""
    masked = mask(text)
    unknown = UNKNOWN.search(mask(KNOWN.sub("", text)))
    if unknown:
        raise ValueError(f"cannot take out `{unknown[0]}`")
    bodies, points, pieces, position = functions(masked), [], [], 0
    for match in POINT.finditer(masked):
        if match["barrier"] == "wait_for_previous_kernel()" and not waits:
            continue
        number = len(points) + 1
        function = [name for begin, name in bodies if begin <= match.start()][-1]
        points.append(Point(number, match["barrier"] or match["vote"] or match["atomic"], text.count("\n", 0, match.start()) + 1, function))
        if match["barrier"]:
            switched = f"(::emulation::isMutated({number}) ? void() : {match[0]})"
        elif match["vote"]:
            switched = f"(::emulation::isMutated({number}) ? {match['own']} : {match[0]})"
        else:
            switched = f"::emulation::mutable_{match['atomic']}({number}, "
        pieces += [text[position:match.start()], switched]
        position = match.end()
    return "".join(pieces) + text[position:], points
