"""Applies the fixes of `appyc --diagnostics-format=json` (standard input) to the file named by the first argument."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    lines = stream.read().split("\n")
fixes = [d["fix"] for d in json.load(sys.stdin) if d["fix"]]
for fix in sorted(fixes, key=lambda f: (f["line"], f["column"]), reverse=True):
    first, last = fix["line"] - 1, fix["endLine"] - 1
    text = lines[first][: fix["column"] - 1] + fix["replacement"] + lines[last][fix["endColumn"] - 1 :]
    lines[first : last + 1] = text.split("\n")
print("\n".join(lines))
