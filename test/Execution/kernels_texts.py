"""Texts of which the run tells which they are, dicts and arrays in lists, and lists that several names have."""
from __future__ import annotations

from collections import namedtuple
from typing import Literal

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7)

NAMES = "mass,speed, energy"
Trade = namedtuple("Trade", "step side price")


def walked(n: int, x: float):
    """Texts where paths meet and from step to step, in lists, printed, returned, asked for, and as keys."""
    state, found = "idle", None
    seen, counts = [], {}
    for i in range(n):
        if state == "idle":
            state = "busy" if i % 3 else "asleep"
        elif state in ("busy", "late"):
            state = "idle"
        else:
            state = "late"
        if i == 3:
            found = state
        seen.append(state)
        counts[state] = counts.get(state, 0) + 1
    size = "big" if x > 0.5 else "small"
    names = ["even", "odd"]
    print(size, f"{state:>8}|", "late" in seen, found)
    return state, seen, counts, found, size != "small", names[n % 2]


def inputs_walked(size, rng):
    return size, rng.random()


def trades(prices: f64[N], limit: float):
    """Tuples of texts and numbers, and of numbers and arrays, in lists."""
    log = []
    log.append(("start", -1, 0.0))
    held = False
    for t, p in enumerate(prices):
        if not held and p < limit:
            log.append(("buy", t, p))
            held = True
        elif held and p > limit:
            log.append(("sell", t, p))
            held = False
    gain = 0.0
    for kind, _, p in log:
        if kind == "buy":
            gain -= p
        elif kind == "sell":
            gain += p
    history = []
    w = np.zeros(2)
    for k in range(3):
        w = 0.5 * w + k
        history.append((k, w.copy(), float(w.sum())))
    history.sort(key=lambda h: -h[2])
    last = history.pop()
    return log, gain, sum(1 for r in log if r[0] == "sell"), history, last[1], [a[0] for _, a, _ in history]


def inputs_trades(size, rng):
    return rng.random(size), 0.5


def rows(ids: list[int], values: list[float]):
    """Dicts of one kind in lists: changed, sorted, chosen, taken, returned, and as values of dicts."""
    made, groups = [], {}
    for i, v in zip(ids, values):
        made.append({"id": i, "name": "odd" if i % 2 else "even", "value": v, "parts": [i]})
        groups[i % 3] = {"n": i, "mean": v}
    made.sort(key=lambda r: -r["value"])
    for r in made:
        if r["name"] == "odd":
            r["value"] += 10.0
        r["parts"].append(len(made))
    total = sum(r["value"] for r in made) if made else 0.0
    best = max(made, key=lambda r: r["value"])["id"] if made else None
    return made, total, best, [(k, groups[k]["mean"]) for k in sorted(groups)], [{"k": k, "t": "x"} for k in range(3)]


def inputs_rows(size, rng):
    return rng.permutation(size).tolist(), rng.random(size).tolist()


class Table:
    def __init__(self, n, fill=0.0):
        self.log = []
        self.last = [fill] * 3
        self.data = [[fill for _ in range(n)] for _ in range(n)]

    def put(self, i, j, x):
        self.data[i][j] = x
        self.last[1:] = self.last[:-1]
        self.last[0] = x
        self.log.append(("put", i, x))


def sort_all(xs):
    xs.sort()
    return xs[0]


def shared(n: int, values: list[float]):
    """Lists that several names have, rows that two lists have, fields that methods change."""
    a = b = [0] * (n + 2)
    a[0] = 5
    c = d = []
    for i in range(n):
        c.append(i)
    g = [[i] * 2 for i in range(n + 2)]
    h = g[1:]
    t = Table(n + 1)
    for k, v in enumerate(values):
        t.put(k, 0, v)
    least = sort_all(values) if values else 0.0
    return b, len(d), h[0][0], t.data, t.last, t.log, least


def inputs_shared(size, rng):
    return size, rng.random(size).tolist()


def rows_of_two(m: list[list[int]], n: int):
    """What is stored into a row shows in each list that has it."""
    first = m[:2]
    turned = m[::-1]
    first[0][0] = 77
    grown = [[k, k + 1] for k in range(n + 2)]
    part = grown[:2] + grown[1:]
    return m, turned, len(part), part[1][0]


def inputs_rows_of_two(size, rng):
    return rng.integers(0, 9, (size + 2, 2)).tolist(), size


def known(k: i64[N], x: f64[N]):
    """Methods, parts and characters of constant texts, f-strings of them as keys; named tuples in lists."""
    d, trades = {}, []
    for i, name in enumerate(NAMES.split(",")):
        d[f"{name.strip()}_mean"] = x.sum() + i
        d["_".join([name.strip().capitalize(), "x"])] = 2.0
    for c in "Aü":
        d[c + "!"] = 1.0
    s = "ACGT-acgt"
    asked = s.count("A"), s.find("G"), s.find("x"), s.rfind("t"), s.startswith("AC"), s.endswith("AC"), s.isupper(), "12".isdigit()
    parts = s[2], s[1:3], s[::-1], s.lower(), s.swapcase(), s.replace("T", "U"), "don't stop".title(), " x  y z ".split(None, 1)
    more = "a-b-c".split("-", maxsplit=1), "a,,b".split(","), " x ".lstrip(), "xxaxx".strip("x"), "".split(), "".split(","), s.index("C")
    names = ["ACGT"[c] for c in k]
    code = {c: i for i, c in enumerate("ACGT")}
    for i, price in enumerate(x):
        if price > 0.5:
            trades.append(Trade(i, 1 - i % 3, price))
    best = max(d, key=d.get)
    return d, asked, parts, more, names, names.count("A"), sum(code[c] for c in names), sum(t.side * t.step for t in trades), best


def inputs_known(size, rng):
    return rng.integers(0, 4, size), rng.random(size)


MODES = ("l1", "l2", "max", "no such norm", "")


def given(x: f64[N], norm: Literal["l1", "l2", "max"] = "l2", side: str = "left"):
    """Which text it is only the call tells, also one that the function does not name; of those, too, there are as many as there are."""
    log = [norm]
    if norm == "l1":
        r = np.abs(x).sum()
    elif norm == "l2":
        r = np.sqrt((x ** 2).sum())
    elif norm in ("max", "inf"):
        r = np.abs(x).max(initial=0.0)
    elif norm == side:
        r = -1.0
    else:
        print("no", norm, f"[{side:>6}]")
        r = -2.0
    log.append(side)
    weight = {"left": 0.25, "right": 0.75}.get(side, 0.5)
    return r * weight, log, side, norm == side, norm != "l1", {"norm": norm}, norm if len(x) > 2 else side


def inputs_given(size, rng):
    x = rng.random(size)
    return ((x,), (x, "l1", "right"), (x, "no such norm", ""))[size % 3] if size < 7 else (x, "other", "other")


#appyc: def matched(x: f64[N], kind: str)
def matched(x, kind):
    def apply(how):
        return x.sum() if how == "l1" else x.max(initial=0.5)
    match kind:
        case "l1" | "l2":
            return apply(kind)
        case "max":
            return apply("l1")
        case _:
            raise ValueError(f"unknown kind: {kind!r}")


def inputs_matched(size, rng):
    return rng.random(size), MODES[size % 5]


def asked(kind: str, x: f64[N]):
    """A text without a default; what texts are added to is what is raised."""
    if kind == "l1":
        return np.abs(x).sum()
    elif kind == "max":
        return x.max(initial=0.0)
    raise ValueError("unknown kind " + kind)


def inputs_asked(size, rng):
    return MODES[size % 5], rng.random(size)


def fixed(x: f64[N], mode: str = "reflect", dtype: str = "float32"):
    """Has to be known at translation: a constant."""
    return np.pad(x, 1, mode=mode).astype(dtype)


def inputs_fixed(size, rng):
    return (rng.random(size + 2),)
