"""What leaves loops early, on all targets; raise and assert: the text, and what has been stored before, as in CPython."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 5, 33)
COMPARES_RAISED = True


def make_inputs(size, rng):
    return rng.integers(-1, 40, size) / 1.0, size % 4


def at_top(a: f64[N], k: i64):
    a[:] = 1
    if k == 1:
        raise ValueError("k is 1: 100%")
    assert a.shape[0] != 33, "33 are too many"
    a[:] = 2
    if k == 0 or a.shape[0] > 5:
        a[:] = 3
        raise KeyError("zero")
    return a.sum()


def no_text(a: f64[N], k: i64):
    if k == 1:
        raise OverflowError
    elif k == 0:
        raise RuntimeError()
    assert k != 1


def last_path_raises(a: f64[N], k: i64):
    if k == 0:
        return 10
    elif a.shape[0] > 5:
        a[:] = 7
        return 20
    raise ArithmeticError("no such k")


def between_returns(a: f64[N], k: i64):
    if k == 0:
        x = a.shape[0] * 2.0
    elif k == 1:
        raise IndexError("1")
    else:
        x = 5.0
    if a.shape[0] > 5:
        if k == 2:
            return x
        raise TypeError("33")
    return x + 1


def in_loop(a: f64[N], k: i64):
    for i in range(a.shape[0]):
        if a[i] > 35:
            raise ZeroDivisionError("large")
        a[i] = i


def asserted_in_loop(a: f64[N], k: i64):
    s = 0.0
    for i in range(a.shape[0]):
        assert a[i] >= 0, "negative"
        s += a[i]
        a[i] = s
    return s


def in_nested(a: f64[N], k: i64):
    t = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            if a[j] == a[i]:
                a[0] = 100
                raise LookupError("twice")
            t += a[j]
        if t > 1000:
            break
        a[i] += 0.5
    return t


def check(x):
    if x < 0:
        raise ValueError("negative")
    return np.sqrt(x)


def in_helper(a: f64[N], k: i64) -> f64[N]:
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = check(a[i])
        a[i] = -1
    return out


def after_vector(a: f64[N], k: i64):
    b = a * 2
    a += b
    if b.sum() > 100:
        raise Exception("sum")
    a[:] = b


def while_true(a: f64[N], k: i64):
    i = 0
    while True:
        if i == a.shape[0]:
            raise EOFError("nothing left")
        if a[i] < 0:
            return i
        a[i] = -5
        i += 1


def search(a: f64[N], k: i64):
    for i in range(a.shape[0]):
        if a[i] == k:
            return i
        a[i] += 1
    else:
        a[:] = 0
    return -1


def runs(a: f64[N], k: i64) -> i64[N]:
    out = np.zeros(a.shape[0], dtype=np.int64)
    for i in range(a.shape[0]):
        for j in range(i, a.shape[0]):
            if a[j] < k:
                break
            if a[j] > 20:
                continue
            out[i] += j
        else:
            out[i] -= 1
    return out


def converges(a: f64[N], k: i64):
    for step in range(50):
        b = 0.5 * a
        d = np.sum(b)
        a[:] = b
        if d < k + 1:
            break
    else:
        step = -1
    return step


def collected_before(a: f64[N], k: i64):
    for i in range(a.shape[0]):
        for j in range(3):
            a[i] += i * j
            if a[i] + j > 36:
                raise ValueError("collected")


def stored_twice(a: f64[N], k: i64):
    for i in range(a.shape[0]):
        x = a[i]
        a[i] = 7
        if x == 20:
            raise ValueError("stored")
        a[i] = x + 1


def noted(a: f64[N], k: i64):
    """Nobody sees what later iterations store: they run in parallel, and the first in order is raised."""
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        if a[i] > 37:
            raise ValueError("large")
        x = np.sqrt(a[i] + 1)
        assert a[i] != k + 7, "just so"
        out[i] = x
    return out


def noted_downwards(a: f64[N], k: i64):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0] - 1, -1, -2):
        if a[i] == k:
            raise KeyError("k")
        for j in range(i):
            if a[j] + i > 60 - k:
                raise IndexError("j")
            if a[j] < 0:
                break
            assert a[j] != 20 + k
            out[i] += a[j]
    return out.sum(), out


def noted_in_steps(a: f64[N], k: i64):
    total = np.zeros(a.shape[0])
    for step in range(3):
        for i in range(a.shape[0]):
            total[i] += a[i] * step
            if total[i] > 75 + k:
                raise OverflowError("total")
        a[:] += total
    return total


def inverses(a: f64[N], k: i64):
    """A small matrix is a thread's; a singular one ends the call."""
    out = np.zeros((a.shape[0], 3, 3))
    x = np.zeros((a.shape[0], 2))
    for i in range(a.shape[0]):
        m = np.eye(3) * a[i] + np.arange(9.0).reshape(3, 3)[::-1] * (k + 1)
        out[i] = np.linalg.inv(m)
        x[i] = np.linalg.solve(m[:2, :2] + 0.5, m[2, :2]) * np.linalg.det(m)
    return out, x


def inverted_in_place(a: f64[N], k: i64):
    for i in range(a.shape[0]):
        m = np.array([[0.0, a[i] + 3], [a[i] + 4, 1.0 * k]])
        a[i] = np.linalg.inv(m)[0, 1] + np.linalg.slogdet(m)[1]


def residual(x, a):
    return np.array([x[0] ** 2 + x[1] - a[0], x[0] - x[1]])


def newton(a: f64[N], k: i64) -> tuple[np.ndarray, int]:
    """Names that the steps hand on are returned from inside of the loop; what follows it raises."""
    x = np.array([1.0, 2.0])
    for steps in range(3 * k):
        r = residual(x, a)
        if np.linalg.norm(r) < 1e-8:
            return x, steps
        x = x + np.linalg.solve(np.array([[2 * x[0], 1.0], [1.0, -1.0]]), -r)
    raise RuntimeError(f"no root in {3 * k} steps")


def inputs_newton(size, rng):
    return rng.random(size + 1) + 1.0, size % 4


def halved(x: float, limit: int) -> float:
    for _ in range(limit):
        x = x / 2
        if x < 1:
            return x
    else:
        raise ValueError("x is large")


def inputs_halved(size, rng):
    return 20.0, size


def relaxed(a: f64[N], k: i64):
    """The caller's own array, where the loop's first step returns it; several values, some of them of the step; two loops."""
    x = a
    for i in range(5):
        y = 0.5 * x
        change = np.abs(x - y).sum()
        if change < k:
            return x, i, change
        if i == 3 and change < 2 * k:
            return x, -i, change
        x = y
    while True:
        x = x - 0.25
        k = k + 1
        if x.sum() < k:
            return x, k, 0.5


def inputs_relaxed(size, rng):
    return rng.random(size) * 3, size % 4


# --- `finally`, `raise` by itself, what is raised as a text


def told_and_raised(n: int) -> int:
    try:
        if n < 0:
            raise ValueError(f"negative: {n}")
        return n * 2
    except ValueError as e:
        print("Error:", e)
        raise
    finally:
        print("finished")


def solved(A: f64[N, N], b: f64[N]):
    try:
        x = np.linalg.solve(A, b)
    except np.linalg.LinAlgError as e:
        print("Error:", e)
        return None
    return x


def inverse(v: float):
    try:
        return 1 / v
    except ZeroDivisionError as exc:
        raise ValueError("v must not be zero") from exc
    finally:
        print("bye", v)


def rooted(v: float):
    try:
        if v < 0:
            raise ValueError("negative")
        r = v ** 0.5
    except ValueError as e:
        print(f"caught: {e}")
        r = 0.0
    else:
        r += 1
    finally:
        print("end")
    return r


def stepped(a: f64[N], k: int):
    s = 0.0
    for i in range(len(a)):
        try:
            if i == k:
                continue
            s += a[i]
            if s > 3:
                break
        finally:
            s += 0.25
    return s


def stored(a: f64[N], k: int):
    try:
        a[0] = 5.0
        if k > 2:
            raise RuntimeError("k")
        a[1] = 6.0
    finally:
        a[2] = 7.0
    return a.sum()


def raised_again(a: f64[N], k: int):
    try:
        if k > 2:
            raise RuntimeError("k")
        if k < 0:
            raise ValueError("neg %d" % k)
    except RuntimeError as e:
        a[0] = 1.0
        raise e
    except ValueError as e:
        a[1] = 1.0
        raise ValueError("other " + str(e)) from e
    return a.sum()


def inputs_told_and_raised(size, rng):
    return (size - 2,)


inputs_inverse = lambda size, rng: (float(size),)


def inputs_solved(size, rng):
    return np.eye(2) * (size % 2), rng.random(2)


def inputs_rooted(size, rng):
    return (size - 1.5,)


def inputs_stepped(size, rng):
    return np.ones(size), 1


def inputs_stored(size, rng):
    return rng.random(size + 3), size


def inputs_raised_again(size, rng):
    return rng.random(3), (-4, 1, 2, 5)[size % 4]


def secant(x: float, y: float, limit: int):
    """The handler reads a name that the first step has not bound by then."""
    f, g = x ** 2 - 9, y ** 2 - 9
    steps = 0
    while abs(g) > 1e-8 and steps < limit:
        try:
            slope = (g - f) / (y - x)
            z = y - g / slope
        except ZeroDivisionError:
            print("no slope behind", z)
            return -1.0, -1
        x, y, f, g = y, z, g, z ** 2 - 9
        steps += 1
    return y, steps


def inputs_secant(size, rng):
    return 10.0 + size, 9.0, 20
