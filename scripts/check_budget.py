"""No source file has more than 600 lines: what is longer is two things. Status 1 and a list if one has."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 600
FOLDERS = ("include", "lib", "tools", "scripts", "test", "grammar", "examples")
SUFFIXES = {".h", ".cpp", ".cuh", ".cu", ".def", ".py", ".cmake", ".txt", ""}


def main():
    longest, offenders = (0, None), []
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if not path.is_file() or path.suffix not in SUFFIXES or "__pycache__" in path.parts:
                continue
            lines = len(path.read_text(encoding="utf-8", errors="replace").splitlines())
            longest = max(longest, (lines, str(path.relative_to(ROOT))))
            if lines > LIMIT:
                offenders.append(f"{path.relative_to(ROOT)}: {lines} lines, {LIMIT} are allowed")
    print("\n".join(sorted(offenders)) or f"longest file: {longest[1]}, {longest[0]} lines")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
