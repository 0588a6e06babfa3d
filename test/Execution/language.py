"""Python's constructs, each in use: what of the language appyc translates. docs/language.md is made from these rows.

A section begins with `##`; its rows, bodies of functions, stand between blank lines. What stands before `---` belongs to
the top of the file. The rows hold every class of CPython's `ast` (test_language.py).
"""
from __future__ import annotations

import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PARAMETERS = "a: f64[N], A: f64[N, M], k: i64[N], m: bool[N], n: int, x: float"
HEADER = "from __future__ import annotations\nimport math\nimport numpy as np\n\n"

ROWS = '''
## Values

return 1, 2.5, 1j, True, 0x1F, 1_000

return "a text"

return f"{n} elements"

print(f"{n} elements, {x:.3f}", "%d" % n, str(x), sep=", ")
return n

print(a, f"{k}: {A.sum(axis=0)}")
return n

return b"bytes"

return None

return (n, x), n

return [n, x]

return {"size": n}

return n in {1, 2}, len({n, 2}), sorted({i % 3 for i in k}), 5 in set(k), [i for i in set(k % 3)]

b = [a + 1, a * 2]
return b[1] + b[n % 2]

edges = []
for i in range(n):
    edges.append((i * x, i))
edges.sort(key=lambda e: -e[0])
edges.insert(0, (x, -1))
del edges[-1]
return edges, max(edges), [i for w, i in edges if w > 1], len(edges)

rows = [[0.0, x]]
for i in range(n):
    rows.append([i * x, i])
rows[0][1] = 1.0
numbers = [1, 2, 3]
numbers[:2] = [n, 5]
return np.array(rows), rows, numbers

stack = [n]
while stack:
    i = stack.pop()
    if i > 1:
        stack += [i // 2, i - 2]
return sorted(k, reverse=True), stack == [], 3 in stack, stack.count(n)

b, c = a, A
layers = [b, c]; layers[0] = b * 2; return layers[0].sum() + c.sum()

d = {"scale": 2.0, 3: x, **{"more": n}}
d["scale"] += 1.0
return a * d["scale"], d[3], d["more"], len(d), "none" in d, d.get("none", x), sum(v for v in d.values())

return {0: x, 1: 2.5}[n % 2], {(0, 1): x, (1, 1): 2.0}.get((n, 1), 1.5), n in {0: x}

d = {n: x}
return d[n]

d = {"size": n}
del d["size"]
return len(d)

return {k: 0.0 for k in range(3)}

## Operators

return a + x, a - x, a * x, a / 2.0, a // 0.25, a % 0.25, a ** 2

return A @ A.T

return k & 3, k | 3, k ^ 3, ~k, k << 2, k >> 1

return -a, +a, not m[0]

return a < x, a <= x, a > x, a >= x, a == x, a != x

return 0.25 < x < 0.75

return x > 0.5 and n > 2, x or n > 2, not x

return n is None, x is not None

return isinstance(n, int), isinstance(a, np.ndarray), isinstance(x, (list, tuple))

return n in (1, 2, 3), n not in (1, 2)

return x if n > 2 else 2.0

return (y := x * 2) + y

## Names and assignments

b = c = a * 2
return b + c

b: float = x * 2
return b

first, second = a[0], a[-1]
return first, second

(p, q), r = (1, 2), 3
return p + q + r

first, *rest = (n, 2, 3)
return first

a[0], a[-1] = a[-1], a[0]

n += 1
a *= 2.0
return a, n

a[0] += x
A[:, 0] -= x

a[m] = 0.0

b = a * 2
del b
return a

## Subscripts

return a[0], a[-1], a[n % 1], A[0, 0], A[0][0]

return a[1:], a[:-1].copy(), a[::2].copy(), a[::-1].copy()

return a[n:n + 2].copy()

rows = np.s_[1:n]
return a[rows].copy(), A[np.s_[:, 0]].copy(), a[slice(None, 2)].copy()

return a[::n + 1].copy(), a[::-n - 1].copy()

return A[:, 0].copy(), A[0], A[..., 0].copy()

return A.reshape(-1), A.ravel(), a[:, None], np.diag(A)

return a[:, None] * a[None, :]

return a[np.newaxis].sum()

return a[k]

a[k] = x

return a[[0, -1]]

return a[m].sum(), a[a > x].max(initial=0.0)

return a[m]

return A[k, k]

t = (1.0, 2.0, 3.0)
return t[n % 3], t[1:]

## Branches

if x > 0.5:
    return a
return a

if n > 3:
    y = 1.0
elif n > 2:
    y = 2.0
else:
    y = 3.0
return y

match n:
    case 1 | 2:
        return 2
    case k if k > 5:
        return k
    case int(k) if k > 4:
        return k * 2
    case [k, *rest] | {"key": k, "rest": rest}:
        return 3
    case _:
        return 6

match n:
    case 1:
        return 2
    case {"key": y, **rest}:
        return 4
    case int(real=5) | None as y:
        return 5
    case _:
        return 6

assert n > 0, "there are elements"
return n

if n > 1:
    raise ValueError("too many")
return n

try: y = a[1 // n]
except (ZeroDivisionError, IndexError): y = 0.0
else: n += 1
finally: x = y
return n, y, x

try: n = 1
except* ValueError: n = 0
return n

## Loops

for i in range(a.shape[0]):
    a[i] *= 2.0

for i in range(n, 0, -1):
    x += i
return x

s = 0.0
for y in a:
    s += y
return s

s = 0.0
for row in A:
    s += row[0]
return s

s = 0.0
for i, y in enumerate(a):
    s += i * y
return s

s = 0.0
for y in a[m]:
    s += y
return s

s = 0.0
for i in range(n):
    if i > 0:
        s += a[i] - last
    last = a[i]
return s

s = 0.0
for y, z in zip(a, a[::-1]):
    s += y * z
return s

import itertools
---
s = 0.0
for i, y in itertools.product(range(2), a):
    s += i * y
return s, [z - y for y, z in itertools.pairwise(a)]

s = 0
for i in reversed(range(n)):
    s = s * 2 + i
return s

s = 0.0
for w in (0.25, 0.5, 0.25):
    s += w * x
return s

r = range(n)
return len(r)

while n > 1: n //= 2
return n

best = None
for y in a:
    if best is None or y < best:
        best = y
return best

for i in range(a.shape[0]):
    if a[i] > x:
        break
    a[i] = x

y = a
for i in range(n):
    z = (y + x) * 0.5
    if np.abs(z - y).max(initial=0.0) < 0.01:
        return z
    y = z
return y * 1.0

for i in range(a.shape[0]):
    if a[i] > x:
        continue
    a[i] = x

for i in range(a.shape[0]):
    if a[i] > x:
        return i
return -1

for i in range(a.shape[0]):
    if a[i] > 2.0:
        break
else:
    return x
return 0.0

while n > 1:
    n -= 2
else:
    n += 10
return n

for i, j in np.ndindex(A.shape):
    A[i, j] += 1.0

return np.array([y * 2 for y in a])

return sum(y * y for y in a)

return {y for y in a}

return {y: 1 for y in a}

d = dict.fromkeys(("W1", "W2"), x)
for k in range(1, 3): d["W" + str(k)] += k
return d

row = [1]
for i in range(n):
    row = [1] + [row[j] + row[j + 1] for j in range(len(row) - 1)] + [1]
return row

from collections import deque
q = deque([n])
q.append(2)
return q.popleft(), len(q)

async for y in a:
    pass

## Functions

def twice(v, by=2.0):
    return v * by
---
return twice(a), twice(x, by=3.0)

def apply(g, v):
    return g(v)
---
return apply(np.sin, a)

def total(*values):
    return values[0]
---
return total(n, x)

def named(**values):
    return values["x"]
---
return named(x=x)

def factorial(i):
    return 1 if i < 2 else i * factorial(i - 1)
---
return factorial(n)

g = lambda v: v * 2.0
return g(a)

def scaled(by):
    def g(v):
        return v * by
    return g
return scaled(x)(a)

def g(v):
    return v * x
return g(a)

count = 0
def more(by):
    nonlocal count
    count += by
for i in range(n):
    more(i)
return count

return list(map(abs, k)), sum(map(abs, a))

t = (n, 2)
return max(*t)

return sorted((3, 1, 2))

yield n

yield from a

await a

async def g():
    pass
return n

class Point:
    pass
return n

global SCALE
return n

def g():
    nonlocal n
    n = 2
return n

import numpy.linalg
return n

from math import sqrt
return sqrt(x)

with np.errstate(divide="ignore", invalid="ignore"):
    b = a / x
return b

with open("file") as file:
    n = 2
return n

async with a:
    pass

print(n)
return n

"""A text by itself."""
pass
return n

## The file

SCALE = 2.0 * math.pi
---
return a * SCALE

WEIGHTS = np.array([0.5, 0.25, 0.125, 1.0, 2.0])
---
return a * WEIGHTS[n % 5]

from math import sqrt as root
---
return root(x)

from dataclasses import dataclass
@dataclass
class Place:
    x: float
    y: float
---
p = Place(x, 2.0)
q = p
q.y += n
return p.x + p.y

from typing import NamedTuple
class Size(NamedTuple):
    rows: int
    columns: int = 2
    @property
    def all(self): return self.rows * self.columns
---
s = Size(n)
return s.all, s._replace(columns=3), {"last": s[1]}

from enum import Enum, IntEnum
class Mode(IntEnum):
    FIRST, SECOND = 0, -1
class Side(Enum):
    BUY = "b"
    SELL = "s"
---
side = Side.BUY if n > 2 else Side.SELL
return x if n == Mode.SECOND else Mode.FIRST + 0.5, side is Side.BUY, side.value, Side("s").name

class Counter:
    STEP = 2
    def __init__(self, at): self.at = at
    def next(self): return self.at + self.STEP
class Slow(Counter):
    STEP = 1
    def next(self): return super().next() * 1.0
    def __add__(self, other): return Slow(self.at + other.at)
---
return Counter(n).next(), (Slow(n) + Slow(2)).next()

from dataclasses import dataclass
@dataclass
class Above:
    x: float
@dataclass
class Below(Above):
    y: float
---
return Below(x, 2.0).y

from collections import namedtuple
Pair = namedtuple("Pair", "x y")
---
return sum(Pair(x, 2.0))

from functools import cache
@cache
def thrice(v): return v * 3
def powers(v):
    while True:
        yield v
        v *= 3
---
for p in powers(thrice(n) + 1):
    if p > 100: return p
'''


@dataclass(frozen=True)
class Row:
    section: str
    top: str
    body: str
    number: int

    @property
    def name(self):
        return f"row_{self.number}"

    @property
    def shown(self):
        return f"{self.top}\n\n{self.body}" if self.top else self.body

    def text(self, name):
        """The row as a part of a file, its function with that name."""
        lines = "".join(f"    {line}\n" for line in self.body.splitlines())
        return (self.top + "\n\n\n" if self.top else "") + f"def {name}({PARAMETERS}):\n{lines}"


def rows():
    found, section = [], ""
    for block in re.split(r"\n\n+(?=\S)", ROWS.strip()):
        if block.startswith("## "):
            section = block[3:]
            continue
        top, _, body = block.rpartition("\n---\n")
        found.append(Row(section, top.strip(), body, len(found)))
    return found


def refusals(appyc):
    """What appyc says of each row, empty where it translates it."""

    def said(row):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "language.py")
            path.write_text(HEADER + row.text("f"), encoding="utf-8")
            done = subprocess.run([Path(appyc).resolve(), path.name, "-fsyntax-only", "--color=never"], cwd=folder, capture_output=True, text=True)
        errors = re.findall(r"^\S+?:\d+:\d+: error: (.*?)(?: \[[\w-]+\])?$", done.stderr, flags=re.M)
        assert done.returncode in (0, 1) and (done.returncode == 0) == (not errors), done.stderr
        return errors[0] if errors else ""

    with ThreadPoolExecutor() as pool:
        return dict(zip(rows(), pool.map(said, rows())))
