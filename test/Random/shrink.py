"""Shrinks a failing function to a few lines: removes statements, unwraps blocks, replaces expressions by their parts,
drops parameters and cases, for as long as it stays valid under CPython and fails in the same way.
"""

from __future__ import annotations

import ast
import copy
import re
from dataclasses import dataclass

import run

PYTHON_LIMIT = 2  # seconds: a loop that has lost its `w += 1` has no end


@dataclass
class Program:
    """One function with its inputs, as text that candidates are cut from."""

    head: str
    lines: list  # of the function and its helpers
    inputs: list

    @staticmethod
    def parse(text, name):
        head, functions = run.pieces(text)
        lines = functions[name].rstrip().splitlines()
        at = next(k for k, line in enumerate(lines) if line.startswith("def inputs_"))
        return Program(head, [l for l in lines[:at] if l.strip()], lines[at:])

    def text(self):
        return self.head + "\n".join(self.lines) + "\n\n\n" + "\n".join(self.inputs) + "\n"


def indentation(line):
    return len(line) - len(line.lstrip())


def block_end(lines, start):
    end = start + 1
    while end < len(lines) and indentation(lines[end]) > indentation(lines[start]):
        end += 1
    return end


def pragma_start(lines, start):
    while start and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start


def without_statements(program):
    """Each statement with its block gone, the largest first; each block without its head; each pragma gone."""
    lines, cuts = program.lines, []
    for k, line in enumerate(lines):
        if line.startswith("def "):
            continue
        if line.lstrip().startswith("#"):
            cuts.append((1, lines[:k] + lines[k + 1 :]))
            continue
        end, start = block_end(lines, k), pragma_start(lines, k)
        cuts.append((end - start, lines[:start] + lines[end:]))
        if end > k + 1:
            step = indentation(lines[k + 1]) - indentation(line)
            cuts.append((1, lines[:start] + [l[step:] for l in lines[k + 1 : end]] + lines[end:]))
    for _, candidate in sorted(cuts, key=lambda cut: -cut[0]):
        yield Program(program.head, candidate, program.inputs)


def smaller_expressions(line):
    """The line with one expression replaced by a part of it or by a small number."""
    stripped = line.strip()
    suffix = "\n pass" if stripped.endswith(":") else ""
    prefix = "if 1:\n pass\n" if re.match(r"(elif|else)\b", stripped) else ""
    if suffix and prefix or stripped.startswith(("def ", "#", "return")) and not stripped.startswith("return"):
        return
    try:
        tree = ast.parse(("def f():\n " if stripped.startswith("return") else "") + stripped + suffix)
    except SyntaxError:
        return
    nodes = [
        n
        for n in ast.walk(tree)
        if isinstance(
            n, (ast.BinOp, ast.Call, ast.UnaryOp, ast.IfExp, ast.Subscript, ast.Compare, ast.Tuple, ast.Slice)
        )
    ]
    for node in nodes:
        for part in parts_of(node):
            changed = replaced(tree, node, part)
            if changed is None:
                continue
            text = ast.unparse(changed).splitlines()
            text = text[1].strip() if stripped.startswith("return") else text[0]
            if len(text) < len(stripped) + 2 and text != stripped:
                yield line[: indentation(line)] + text


def parts_of(node):
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Call):
        return list(node.args) + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
    if isinstance(node, ast.Subscript):
        return [node.value]
    if isinstance(node, ast.Tuple):
        return (
            [
                ast.Tuple([e for e in node.elts if e is not gone], node.ctx)
                if len(node.elts) > 2
                else next(e for e in node.elts if e is not gone)
                for gone in node.elts
            ]
            if len(node.elts) > 1
            else []
        )
    return [ast.Slice()] if isinstance(node, ast.Slice) and (node.lower or node.upper or node.step) else []


class Replace(ast.NodeTransformer):
    def __init__(self, node, part):
        self.node, self.part = node, part

    def visit(self, node):
        return self.part if node is self.node else super().visit(node)


def replaced(tree, node, part):
    """The tree with `node` replaced by `part`; the original stays as it is."""
    memo = {}
    twin = copy.deepcopy(tree, memo)
    twin_node, twin_part = memo.get(id(node)), memo.get(id(part)) or copy.deepcopy(part)
    return Replace(twin_node, twin_part).visit(twin) if twin_node is not None else None


def without_expressions(program):
    for k, line in enumerate(program.lines):
        for shorter in smaller_expressions(line):
            yield Program(program.head, program.lines[:k] + [shorter] + program.lines[k + 1 :], program.inputs)


def split_parameters(signature):
    """`a: f64[N, M], b: i32` as a list."""
    parts, depth, last = [], 0, 0
    for k, c in enumerate(signature):
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append(signature[last:k].strip())
            last = k + 1
    return parts + [signature[last:].strip()]


def without_parameters(program):
    """One parameter that nothing uses, and its input, gone."""
    at = next(
        k for k, l in enumerate(program.lines) if l.startswith("def ") and ":" in l[l.index("(") : l.rindex(")")]
    )
    head, signature = program.lines[at].split("(", 1)
    parameters = split_parameters(signature.rsplit(")", 1)[0])
    values = inputs_list(program.inputs)
    if values is None or len(values) != len(parameters) or len(parameters) < 2:
        return
    body = "\n".join(program.lines[:at] + program.lines[at + 1 :])
    for k, parameter in enumerate(parameters):
        name = parameter.split(":")[0]
        if re.search(rf"\b{name}\b", body):
            continue
        kept = parameters[:k] + parameters[k + 1 :]
        lines = list(program.lines)
        lines[at] = f"{head}({', '.join(kept)}):"
        yield Program(program.head, lines, with_inputs(program.inputs, values[:k] + values[k + 1 :]))


def inputs_list(inputs):
    """The texts of the values that the inputs function returns."""
    tree = ast.parse("\n".join(inputs))
    value = tree.body[0].body[-1].value
    return [ast.unparse(e) for e in value.elts] if isinstance(value, ast.Tuple) else None


def with_inputs(inputs, values):
    at = next(k for k, line in enumerate(inputs) if line.startswith("    return"))
    joined = ",\n            ".join(values)
    return inputs[:at] + [f"    return ({joined},)"]


def fewer_cases(program):
    """One case of sizes only; smaller sizes."""
    match = re.match(r"    (.*), = \((.*)\)\[size\]", program.inputs[1])
    if match:
        for case in ast.literal_eval(f"({match[2]},)"):
            yield Program(
                program.head, program.lines, [program.inputs[0], f"    {match[1]}, = {case}", *program.inputs[2:]]
            )
        return
    match = re.match(r"    (.*), = (\(.*\))$", program.inputs[1])
    case = ast.literal_eval(match[2]) if match else ()
    for k, value in enumerate(case):
        for smaller in sorted({value // 2, value - 1, 1, 2, 3}):
            if 0 <= smaller < value:
                shrunk = case[:k] + (smaller,) + case[k + 1 :]
                yield Program(
                    program.head,
                    program.lines,
                    [program.inputs[0], f"    {match[1]}, = {shrunk}", *program.inputs[2:]],
                )


def fails(program, failure, folder):
    """The failure that the program still has, if it is of the same kind in the same way."""
    text = program.text()
    try:
        compile(text, "candidate", "exec")
        report = run.check(text, [failure.way], folder, poison=True, limit=PYTHON_LIMIT)
    except (SyntaxError, ValueError, StopIteration):
        return None
    found = next((f for f in report.failures if f.kind == failure.kind), None)
    if found and found.kind == "refused" and found.detail.split("]")[0] != failure.detail.split("]")[0]:
        return None
    return found


def shrink(text, failure, folder, attempts=400):
    """The smallest program found, and its failure."""
    best = Program.parse(text, failure.function)
    if not fails(best, failure, folder):
        return best, None  # it needs its neighbours, or fails now and then
    latest = failure
    changed = True
    while changed and attempts > 0:
        changed = False
        steps = [without_statements, without_parameters, without_expressions]
        if failure.kind in ("mismatch", "died"):
            steps.insert(1, fewer_cases)
        for step in steps:
            again = True
            while again and attempts > 0:
                again = False
                for candidate in step(best):
                    attempts -= 1
                    found = fails(candidate, failure, folder)
                    if found:
                        best, latest, again, changed = candidate, found, True, True
                        break
                    if attempts <= 0:
                        break
    return best, latest


def guilty_pass(text, failure, folder):
    """The first pass after which the program, as plain loops, computes something else."""
    if failure.kind not in ("mismatch", "died"):
        return ""
    options = tuple(
        o for o in failure.way.options if not o.startswith("--target") and not o.startswith("--stop-after")
    )
    names = list(run.passes())
    for name in names[names.index("lower-to-loops") :]:
        way = run.Way(f"after {name}", (run.SEQUENTIAL, *options, f"--stop-after={name}"))
        if run.check(text, [way], folder).failures:
            return "the translation to statements (before the passes on loops)" if name == "lower-to-loops" else name
    return "the emission of code, or threads that share work: every level as plain loops is right"
