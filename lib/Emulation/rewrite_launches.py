#!/usr/bin/env python3
"""Turns the three pieces of CUDA's syntax that are not C++ into C++; keeps every line where it is.

    kernel<int><<<grid, block, 0, stream>>>(a, n);
        (::emulation::Launch(grid, block, 0, stream)("kernel<int>", "x") * kernel<int>)(a, n);
    extern __shared__ double tile[];
        double *const tile = reinterpret_cast<double *>(::emulation::dynamicSharedMemory());
    launch_somehow<kernel<int>>(grid, a, n);
        ::emulation::LaunchInside("kernel<int>", "x"), launch_somehow<kernel<int>>(grid, a, n);
    launch_overlapping(kernel<int>, grid, a, n);
        ::emulation::LaunchInside("kernel<int>", "x"), launch_overlapping(kernel<int>, grid, a, n);
    asm volatile("add.f64 %0, %1, %2;" : "=d"(x) : "d"(y), "d"(z));
        ::emulation::ptx::add_f64(x, y, z);

"x": the kernel strides over its grid's x, as it reads gridDim.x; so it may be given fewer blocks. "X": all but its first
block do. A variable stands for the instances of one kernel that it is chosen from.
The workspace of generated code is one allocation; where it gives out an array of it, the emulation is told:

    return reinterpret_cast<T*>(part);
        return ::emulation::part(reinterpret_cast<T*>(part), count);

Comments, strings and characters are left alone; brackets are balanced, so a launch may span lines and hold calls.
"""
import re
import sys

COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", flags=re.S)
DYNAMIC_SHARED = re.compile(
    r"extern\s+__shared__\s+(?:__align__\s*\(\s*\d+\s*\)\s*)?([\w:\s]+?)\s*\b(\w+)\s*\[\s*\]\s*;")

PTX = re.compile(r"""\basm\s+volatile\s*\(((?:\s*"[^"]*")+)\s*:([^;]*)\);""")


def mask(text):
    """The text with comments and literals blanked; of the same length."""
    return COMMENT_OR_LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def start_of_callee(masked, end):
    """Where the kernel's name starts that ends at `end`: it may be qualified and have template arguments."""
    i = end
    while masked[i - 1].isspace():
        i -= 1
    if masked[i - 1] == ">":
        angles = parentheses = 0
        while True:
            i -= 1
            parentheses += (masked[i] in ")]}") - (masked[i] in "([{")
            if parentheses == 0:
                angles += (masked[i] == ">") - (masked[i] == "<")
                if angles == 0:
                    break
    while i and (masked[i - 1].isalnum() or masked[i - 1] in "_:"):
        i -= 1
    return i


def end_of_configuration(masked, start):
    """Where the `>>>` stands that closes the launch opened before `start`."""
    depth, i = 0, start
    while depth or not masked.startswith(">>>", i):
        depth += (masked[i] in "([{") - (masked[i] in ")]}")
        i += 1
    return i


def end_of_arguments(masked, start):
    """Where the `>` stands that closes the template arguments from `start` on."""
    angles, parentheses, i = 1, 0, start
    while True:
        parentheses += (masked[i] in "([{") - (masked[i] in ")]}")
        angles += ((masked[i] == "<") - (masked[i] == ">")) * (parentheses == 0)
        if angles == 0:
            return i
        i += 1


def axes_of(name, axes):
    """The axes of the kernel with that name, which may be qualified and have template arguments."""
    return axes.get(re.match(r"[\w:]+", name)[0].split("::")[-1], "")


def strides(masked):
    """The axes of the grid that each kernel reads the length of."""
    axes = {}
    masked = re.sub(r"__launch_bounds__\([^)]*\)", lambda match: " " * len(match[0]), masked)
    for head in re.finditer(r"__global__[^;{}]*?\b(\w+)\s*\([^{};]*\)\s*\{", masked):
        depth, end = 1, head.end()
        while depth:
            depth += (masked[end] == "{") - (masked[end] == "}")
            end += 1
        body = masked[head.end():end]
        axes[head[1]] = "".join(sorted(set(re.findall(r"\bgridDim\.([xyz])", body))))
        if re.search(r"\bgridDim\.x - 1\b", body):
            axes[head[1]] = axes[head[1]].replace("x", "X")
    return axes


def named(masked, kernel, place):
    """What the kernel at that place is called."""
    chosen = re.findall(rf"\bconst auto {kernel} =([^;]*);", masked[:place]) if re.fullmatch(r"\w+", kernel) else []
    return re.findall(r"([\w:]+)<", chosen[-1])[-1] if chosen else " ".join(kernel.split())


def rewrite_launches_inside(text):
    """Launches by function templates of the support code, which take the kernel as an argument."""
    masked, pieces, position = mask(text), [], 0
    axes = strides(masked)
    for opening in re.finditer(r"\blaunch_\w+<(?=[\w:]+)|\blaunch_overlapping\((?=[\w:]+[<,])", masked):
        if masked[opening.end() - 1] == "<":
            end = end_of_arguments(masked, opening.end())
        else:
            end = re.compile(r"[<,]").search(masked, opening.end()).start()
            if masked[end] == "<":
                end = end_of_arguments(masked, end + 1) + 1
        name = named(masked, text[opening.end():end], opening.start())
        pieces += [text[position:opening.start()], f'::emulation::LaunchInside("{name}", "{axes_of(name, axes)}"), ']
        position = opening.start()
    return "".join(pieces) + text[position:]


def rewrite_launches(text):
    masked, pieces, position = mask(text), [], 0
    axes = strides(masked)
    for opening in re.finditer("<<<", masked):
        callee = start_of_callee(masked, opening.start())
        end = end_of_configuration(masked, opening.end())
        kernel, configuration = text[callee:opening.start()], text[opening.end():end]
        name = named(masked, kernel, callee)
        pieces += [text[position:callee], f'(::emulation::Launch({configuration})("{name}", "{axes_of(name, axes)}") * {kernel})']
        position = end + len(">>>")
    return "".join(pieces) + text[position:]


def rewrite_dynamic_shared(text):
    def declaration(match):
        line_breaks = "\n" * match[0].count("\n")
        memory = f"reinterpret_cast<{match[1]} *>(::emulation::dynamicSharedMemory())"
        return f"{match[1]} *const {match[2]} = {memory};{line_breaks}"

    return DYNAMIC_SHARED.sub(declaration, text)


def rewrite_ptx(text):
    def call(match):
        instruction = re.search(r'"([\w.]+)', match[1])[1].replace(".", "_")
        operands = re.findall(r'"[^"]*"(\((?:[^()]|\([^()]*\))*\))', match[2])
        line_breaks = "\n" * match[0].count("\n")
        return f"::emulation::ptx::{instruction}({', '.join(operands)});{line_breaks}"

    return PTX.sub(call, text)


def rewrite_parts(text):
    return re.sub(r"return (reinterpret_cast<T ?\*>\(part\));", r"return ::emulation::part(\1, count);", text)


def rewrite(text):
    return rewrite_parts(rewrite_ptx(rewrite_dynamic_shared(rewrite_launches_inside(rewrite_launches(text)))))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(f'#line 1 "{sys.argv[1]}"\n' + rewrite(file.read()))
