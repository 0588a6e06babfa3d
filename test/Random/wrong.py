"""Random functions whose annotation is wrong by construction: two iterations conflict for every size but the smallest.

wrong_program(first, count)    the text, and for each function the line of the annotation that must be refused
"""

from __future__ import annotations

import random

HEADER = '''"""Random functions with wrong annotations."""
from __future__ import annotations

import numpy as np
import appy
'''
LOOP_PRAGMAS = ("parallel for", "parallel for simd", "parallel for simd(64)", "parallel for num_warps(4)")


def carried(rng, mark):
    """An iteration reads what the one before or after wrote."""
    k = rng.choice((1, 1, 2, 3))
    sign = rng.choice("+-")
    span = f"range({k}, N)" if sign == "-" else f"range(N - {k})"
    value = rng.choice((f"a[i {sign} {k}] + b[i]", f"2 * a[i {sign} {k}]", f"b[i] - a[i {sign} {k}] * b[i]"))
    return [mark, f"for i in {span}:", f"    a[i] = {value}"]


def carried_in_two(rng, mark):
    """Through a second array: written in one statement, read at another place in the next."""
    k = rng.choice((1, 2))
    return [
        mark,
        f"for i in range({k}, N - {k}):",
        "    t[i] = a[i] * 2",
        f"    a[i] = t[i {rng.choice('+-')} {k}] + 1",
    ]


def in_rows(rng, mark):
    """The pragma stands on the loop that carries; the other one would be right."""
    carrying_rows = rng.random() < 0.5
    write, read = ("m[i, j]", "m[i - 1, j]") if carrying_rows else ("m[i, j]", "m[i, j - 1]")
    inner = f"        {write} = {read} + {rng.choice(('1', 'm[i, j]', 'b[i] * 2'))}"
    if carrying_rows:
        return [mark, "for i in range(1, N):", "    for j in range(M):", inner]
    return ["for i in range(N):", "    " + mark, "    for j in range(1, M):", inner]


def one_place(rng, mark):
    """All iterations write one element, or one of few: no `atomic`. (One element that sums would be a reduction.)"""
    place = rng.choice(("a[0]", "a[N - 1]", "a[i % 3]", "a[i // 2]", "m[0, i // 3]"))
    op = rng.choice(("=", "+=")) if "i" in place else "="
    size, value = ("M", "b[0]") if "m[" in place else ("N", "b[i]")
    return [mark, f"for i in range({size}):", f"    {place} {op} {value} + i"]


def scalar_recurrence(rng, mark):
    """A scalar that is carried and is no reduction."""
    update = rng.choice(("s = s * 0.5 + a[i]", "s = a[i] - s", "s = s * s + 1.0", "s = 1.0 / (s + a[i])"))
    return ["s = 1.0", mark, "for i in range(N):", f"    {update}", "    b[i] = s"]


def previous_value(rng, mark):
    """A scalar is read before the iteration assigns it."""
    return ["s = 0.0", mark, "for i in range(N):", "    b[i] = s", f"    s = a[i] {rng.choice('+-*')} 2"]


def live_out(rng, mark):
    """A private scalar is read after the loop."""
    return [
        "s = 0.0",
        mark,
        "for i in range(N):",
        f"    s = a[i] {rng.choice('+-*')} 2.0",
        "    b[i] = s",
        "a[0] = s",
    ]


def through_a_view(rng, mark):
    """Two names for one memory."""
    k = rng.choice((1, 2))
    return [f"v = a[{k}:]", mark, f"for i in range(N - {k}):", f"    v[i] = a[i] {rng.choice('+-*')} 3"]


def in_place_stencil(rng, mark):
    left, right = rng.choice((("a[i - 1]", "a[i + 1]"), ("a[i - 1]", "a[i]"), ("a[i]", "a[i + 1]")))
    return [mark, "for i in range(1, N - 1):", f"    a[i] = ({left} + {right}) * 2"]


def lanes_recur(rng, mark):
    """A recurrence declared simd inside a right worker."""
    return [
        "#pragma parallel for",
        "for i in range(N):",
        "    #pragma simd",
        "    for j in range(1, M):",
        f"        m[i, j] = m[i, j - 1] {rng.choice('+-*')} m[i, j]",
    ]


def transposed(rng, mark):
    return [mark, "for i in range(1, N):", "    for j in range(i):", "        q[i, j] = q[j, i] + q[i - 1, j]"]


def triangular_rows(rng, mark):
    """Later rows read earlier ones."""
    return [mark, "for i in range(1, N):", "    for j in range(i):", f"        a[i] {rng.choice('+-')}= a[j]"]


def overwritten(rng, mark):
    """Which value remains depends on the order."""
    return [mark, "for i in range(N):", "    for j in range(M):", f"        c[j] = b[i] {rng.choice('+-*')} j"]


def square_of_steps(rng, mark):
    """Each step updates the square by a row and a column that the step before has changed."""
    f = rng.choice(("np.minimum(q, q[:, k, None] + q[None, k, :])", "q + q[:, k, None] * q[k]", "np.maximum(q, 2 * q[k])"))
    return [mark, "for k in range(N):", f"    q[:] = {f}"]


def square_in_place(rng, mark):
    """The rows and columns of a step, where row k and column k are updated, too."""
    outer = rng.random() < 0.5
    lines = ["for k in range(N):", "    for i in range(N):", "        for j in range(N):"]
    lines.insert(1 if outer else 2, ("    " if outer else "        ") + mark)
    return [*lines, "            q[i, j] = q[i, j] - " + rng.choice(("q[i, k] * q[k, j]", "2 * q[k, j] * q[i, k]"))]


def earlier_rows(rng, mark):
    """A row sums over what the rows before made."""
    total = rng.choice(("q[i, :i] @ a[:i]", "np.sum(q[i, :i] * a[:i])", "np.dot(a[:i], q[:i, i])"))
    return [mark, "for i in range(1, N):", f"    a[i] = b[i] {rng.choice('+-')} {total}"]


def later_rows(rng, mark):
    """A product with a triangle, in place: later rows are read that other iterations change."""
    return [mark, "for i in range(N):", "    for j in range(M):", "        for k in range(i + 1, N):", "            m[i, j] += q[k, i] * m[k, j]"]


def steps_of_time(rng, mark):
    """Steps between two arrays."""
    return [mark, "for s in range(5):", "    t[1:-1] = a[:-2] + a[2:]", f"    a[1:-1] = t[1:-1] {rng.choice(('', '* 2', '- t[:-2]'))}"]


def sums_of_bins(rng, mark):
    """Bins that go on from the bin before."""
    mask = rng.choice(("(b >= i) & (b < i + 1)", "np.logical_and(i <= b, b < i + 2)"))
    return [mark, "for i in range(1, N):", f"    a[i] = a[i - 1] + t[{mask}].sum()"]


def row_and_column(rng, mark):
    """A row and a column at once: each iteration's row crosses every other one's column."""
    return [mark, "for i in range(N):", "    q[i, :] = q[:, i] = b[i] " + rng.choice(("+ i", "* b", "- a"))]


MAKERS = (
    carried,
    carried_in_two,
    in_rows,
    one_place,
    scalar_recurrence,
    previous_value,
    live_out,
    through_a_view,
    in_place_stencil,
    lanes_recur,
    transposed,
    triangular_rows,
    overwritten,
    square_of_steps,
    square_in_place,
    earlier_rows,
    later_rows,
    steps_of_time,
    sums_of_bins,
    row_and_column,
)

NESTED = (carried_in_two, in_rows, lanes_recur, one_place, square_of_steps, square_in_place, later_rows, steps_of_time)


def wrong_function(seed):
    """Lines, and the index of the line that carries the wrong annotation."""
    rng = random.Random(f"wrong {seed}")
    mark = "#pragma " + rng.choice(LOOP_PRAGMAS)
    maker = rng.choice(MAKERS)
    body = maker(rng, mark)
    if rng.random() < 0.3:  # right work in the same loop hides nothing
        body.append(
            "    t[i] = b[i] * 2"
            if body[-1].startswith("    ") and maker not in NESTED
            else "t[:] = b[:] * 2"
        )
    bad = max(k for k, line in enumerate(body) if "#pragma" in line)
    if rng.random() < 0.3:
        body = ["for step in range(3):", *("    " + line for line in body)]
        bad += 1
    dtype = rng.choice(("f64", "f64", "f32", "i64"))
    if maker in (scalar_recurrence, previous_value, live_out):
        dtype = "f64"
    head = [
        f"def w{seed}(a: {dtype}[N], b: {dtype}[N], t: {dtype}[N], c: {dtype}[M], m: {dtype}[N, M], q: {dtype}[N, N]):",
        "    N, M = m.shape",
    ]
    return head + ["    " + line for line in body], len(head) + bad


def wrong_program(first, count):
    lines, expected = HEADER.splitlines(), {}
    for seed in range(first, first + count):
        text, bad = wrong_function(seed)
        lines += ["", ""]
        expected[f"w{seed}"] = len(lines) + bad + 1
        lines += text
    return "\n".join(lines) + "\n", expected
