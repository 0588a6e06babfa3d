"""No source file has more than 600 lines, no pass more than 300: what is longer is two things. No folder of lib has more than twelve sources side by
side, each of its rooms has a page, and the map, lib/README.md, names them all and stays a page. Status 1 and a list if not."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT, OF_PASSES = 600, 300
SOURCES, MAP = 12, 6144  # sources in a folder; bytes
PASSES = ("lib/Transform", "lib/Schedule")
FOLDERS = ("include", "lib", "tools", "scripts", "test", "grammar", "examples")
SUFFIXES = {".h", ".cpp", ".cuh", ".cu", ".def", ".py", ".cmake", ".txt", ""}


def rooms():
    """What is wrong with lib's folders and their map."""
    text = (ROOT / "lib/README.md").read_text(encoding="utf-8")
    if len(text.encode()) > MAP:
        yield f"lib/README.md: {len(text.encode())} bytes, {MAP} are allowed"
    for folder in sorted(p for p in (ROOT / "lib").rglob("*") if p.is_dir()):
        name, count = folder.relative_to(ROOT / "lib").as_posix(), len(list(folder.glob("*.cpp")))
        if count > SOURCES:
            yield f"lib/{name}: {count} sources side by side, {SOURCES} are allowed"
        if count and "Emulation" not in folder.parts and f"`{name}`" not in text:
            yield f"lib/README.md: `{name}` is not on the map"
        if count and "/" in name and not (folder / "README.md").exists():
            yield f"lib/{name}: a README.md says what belongs there"


def main():
    longest, offenders = (0, None), list(rooms())
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if not path.is_file() or path.suffix not in SUFFIXES or "__pycache__" in path.parts:
                continue
            lines = len(path.read_text(encoding="utf-8", errors="replace").splitlines())
            name = path.relative_to(ROOT).as_posix()
            limit = OF_PASSES if name.startswith(PASSES) else LIMIT
            longest = max(longest, (lines, name))
            if lines > limit:
                offenders.append(f"{name}: {lines} lines, {limit} are allowed")
    print("\n".join(sorted(offenders)) or f"longest file: {longest[1]}, {longest[0]} lines")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
