#!/usr/bin/env python3
"""scripts/check_kernels.py: is a kernel of the Execution suite pasted into a lit file? There it is to be run on: `%kernels_NAME.py`.

Kernels are the same if they differ in names and types of elements alone; those of less than four statements are not
looked at, nor is test/Target, whose files are to be read by themselves.
"""
import ast
import builtins
import re
import sys
from pathlib import Path

TEST = Path(__file__).resolve().parents[1] / "test"
FEWEST = 4


class Numbered(ast.NodeTransformer):
    """Names that a function binds, by the order in which they come up."""

    def __init__(self, kept):
        self.kept, self.names = kept, {}

    def name(self, text):
        return text if text in self.kept else self.names.setdefault(text, f"v{len(self.names)}")

    def visit_Name(self, node):
        return ast.Name(self.name(node.id), node.ctx)

    def visit_arg(self, node):
        extents = node.annotation.slice if isinstance(node.annotation, ast.Subscript) else ast.Constant(None)
        return ast.arg(self.name(node.arg), self.visit(extents))


def kernels(path):
    """(normal form, name) of the functions of a file with types. Pragmas count, as statements of their texts."""
    text = re.sub(r"^([ \t]*)#[ \t]*(pragma .*)$", lambda m: f"{m[1]}({m[2]!r},)", path.read_text(encoding="utf-8"), flags=re.M)
    tree = ast.parse(text)
    kept = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & ({"np", "appy", "math", "parpy"} | set(dir(builtins)))
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or not function.args.args or not all(a.annotation for a in function.args.args):
            continue
        body = function.body[bool(ast.get_docstring(function)):]
        if sum(isinstance(n, ast.stmt) for s in body for n in ast.walk(s)) >= FEWEST:
            numbered = Numbered(kept)
            yield tuple(ast.dump(numbered.visit(n)) for n in [*function.args.args, *body]), function.name


def is_lit(path):
    return path.parent.name != "Target" and "RUN:" in path.read_text(encoding="utf-8")


def main():
    run = {form: f"{path.name}:{name}" for path in sorted((TEST / "Execution").glob("kernels_*.py")) for form, name in kernels(path)}
    pasted = [f"{path.relative_to(TEST.parent)}: `{name}` is {run[form]} of test/Execution, on which a RUN line may work"
              for path in sorted(TEST.glob("*/*.py")) if is_lit(path) for form, name in kernels(path) if form in run]
    print("\n".join(pasted) or "no kernel is pasted")
    return 1 if pasted else 0


if __name__ == "__main__":
    sys.exit(main())
