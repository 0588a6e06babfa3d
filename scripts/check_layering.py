"""Who includes whom is what CMake links, and nothing else.

A file of lib/X or include/appyc/X may include appyc/Y/… if the library appycX links appycY, directly or through
others. The links have no cycles. Some outside libraries belong to one folder. Status 1 and a list if one offends.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWNED = {"isl/": "Analysis", "tree_sitter/": "Frontend", "CLI/": "appyc"}  # headers that one folder alone includes
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
LINK = re.compile(r"target_link_libraries\s*\(\s*appyc(\w+)([^)]*)\)")


def links():
    """{folder: the folders that its library links}"""
    graph = {}
    for path in sorted((ROOT / "lib").glob("*/CMakeLists.txt")):
        graph.setdefault(path.parent.name, set())
        for folder, libraries in LINK.findall(path.read_text()):
            graph.setdefault(folder, set()).update(re.findall(r"\bappyc([A-Z]\w*)", libraries))
    graph["appyc"] = {"Driver"}
    return graph


def reachable(graph, start):
    """What `start` links, directly or not; contains `start` if there is a cycle."""
    found, todo = set(), list(graph.get(start, ()))
    while todo:
        folder = todo.pop()
        if folder not in found:
            found.add(folder)
            todo += graph.get(folder, ())
    return found


def sources():
    """(folder, path) of every C++ file."""
    for top in ("lib", "include/appyc", "tools"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cuh", ".def"):
                yield path.relative_to(ROOT / top).parts[0], path


def main():
    graph = links()
    allowed = {folder: reachable(graph, folder) for folder in graph}
    errors = [f"lib/{folder}: its links lead back to it" for folder in graph if folder in allowed[folder]]
    count = 0
    for folder, path in sources():
        for header in INCLUDE.findall(path.read_text(encoding="utf-8")):
            count += 1
            parts = header.split("/")
            where = f"{path.relative_to(ROOT)}: includes {header}"
            if parts[0] == "appyc" and len(parts) > 2 and parts[1] not in allowed.get(folder, set()) | {folder}:
                errors.append(f"{where}, but appyc{folder} does not link appyc{parts[1]}")
            for prefix, owner in OWNED.items():
                if header.startswith(prefix) and folder != owner:
                    errors.append(f"{where}, which only {owner} may")
    print("\n".join(errors) or f"{count} includes of {len(graph)} libraries keep to the links")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
