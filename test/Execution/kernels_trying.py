"""`try`: what is raised leads to a handler, with the names as they are where it is raised."""
from __future__ import annotations

import math
from collections import deque

import numpy as np

SIZES = (0, 1, 2, 7)


def chol(A: f64[N, N], s: float):
    try:
        L = np.linalg.cholesky(A * s)
        ok = True
    except np.linalg.LinAlgError:
        L = np.zeros_like(A)
        ok = False
    return L, ok


def inputs_chol(size, rng):
    a = rng.random((3, 3))
    return a @ a.T + np.eye(3), 1.0 if size % 2 else -1.0


def solve_or_lstsq(A: f64[N, N], b: f64[N]):
    try:
        return np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(A, b, rcond=None)[0]


def inputs_solve_or_lstsq(size, rng):
    a = rng.random((3, 3)) if size % 2 else np.ones((3, 3))
    return a, rng.random(3)


def safe_div(a: float, b: float):
    try:
        x = a / b
    except ZeroDivisionError:
        x = float("inf")
    return x


def inputs_safe_div(size, rng):
    return 2.0, float(size)


def ratios(a: list[float], b: list[int]):
    out = []
    bad = 0
    for x, y in zip(a, b):
        try:
            q = x / y
        except ZeroDivisionError:
            bad += 1
            continue
        out.append(q)
    return out, bad


def inputs_ratios(size, rng):
    return [1.5] * size, [k % 3 for k in range(size)]


def total(a: list[float], b: list[int]):
    total = 0.0
    try:
        for x, y in zip(a, b):
            total += x / y
    except ZeroDivisionError:
        return None
    return total


def inputs_total(size, rng):
    return [1.5] * size, [k % 3 for k in range(1, size + 1)]


def index_or(a: f64[N], k: int):
    try:
        v = a[k]
    except IndexError:
        v = -1.0
    return v


def inputs_index_or(size, rng):
    return rng.random(size), 2


def lookup(keys: i64[N], q: int):
    d = {}
    for i in range(len(keys)):
        d[keys[i]] = i
    try:
        at = d[q]
    except KeyError:
        at = -1
    try:
        d[q] += 1
    except KeyError:
        d[q] = 1
    return at, d[q]


def inputs_lookup(size, rng):
    return rng.integers(0, 5, size), 2


def counts(keys: i64[N]):
    d = {}
    for k in keys:
        try:
            d[k] += 1
        except KeyError:
            d[k] = 1
    return [d[k] for k in sorted(d)]


def inputs_counts(size, rng):
    return rng.integers(0, 5, size),


def find(a: list[int], x: int):
    try:
        i = a.index(x)
    except ValueError:
        i = -1
    try:
        a.remove(x)
    except ValueError:
        pass
    try:
        last = a.pop()
    except IndexError:
        last = None
    return i, a, last


def inputs_find(size, rng):
    return list(range(size)), 2


class TooFar(Exception):
    pass


def step(x, n):
    if n > 5:
        raise TooFar("too far")
    if n == 0:
        raise ValueError(f"no {n}")
    return x * n


def guarded(x: f64[N], n: int):
    code = 0
    try:
        y = step(x, n)
    except TooFar:
        y = -x
        code = 1
    except (ValueError, TypeError) as e:
        y = x * 0
        code = 2
    else:
        code = 3
    return y, code


def inputs_guarded(size, rng):
    return rng.random(size), size


def root(x: float):
    try:
        y = math.sqrt(x)
        z = math.log(x)
    except ValueError:
        return float("nan")
    return y + z


def inputs_root(size, rng):
    return size - 1.0,


def all_of_it(a: f64[N], k: int, n: int):
    try:
        s = a[k] / n
        if s > 0.5:
            return s, 1
        s = s + a[k + 1]
    except Exception:
        return -1.0, 2
    return s, 3


def inputs_all_of_it(size, rng):
    return rng.random(5), size, size % 3


def best_fit(X: f64[N, M], y: f64[N]):
    try:
        w = np.linalg.inv(X.T @ X) @ X.T @ y
    except np.linalg.LinAlgError:
        w = np.linalg.pinv(X) @ y
    r = y - X @ w
    return w, (r ** 2).sum()


def inputs_best_fit(size, rng):
    X = rng.random((6, 2))
    X = X if size % 2 else np.ones((6, 2))
    return X, rng.random(6)


def nested(a: float, b: float):
    try:
        try:
            q = a / b
        except ZeroDivisionError:
            q = math.sqrt(a - 2)
    except ValueError:
        q = -5.0
    return q


def inputs_nested(size, rng):
    return float(size), float(size % 2)


def stores(a: f64[N], n: int):
    done = 0
    try:
        for i in range(n):
            a[i] = 2.0 * i
    except IndexError:
        done = 1
    return done


def inputs_stores(size, rng):
    return rng.random(5), size


def before_it(a: float, b: float):
    x = 1.0
    try:
        x = a + 2
        y = x / b
        x = y
    except ZeroDivisionError:
        x = x * 10
    return x


def inputs_before_it(size, rng):
    return 2.0, float(size)


def grow(a: list[float], b: list[int]):
    good = []
    bad = []
    for k in range(len(a)):
        try:
            good.append(a[k] / b[k])
        except ZeroDivisionError:
            bad.append(k)
        except IndexError:
            bad.append(-k)
            break
    return good, bad, len(good)


def inputs_grow(size, rng):
    return [1.5] * size, [k % 3 for k in range(max(size - 1, 0))]


def rows(A: f64[N, M], k: list[int]):
    out = np.zeros(A.shape[1])
    missed = 0
    for i in k:
        try:
            out += A[i]
        except IndexError:
            missed += 1
    return out, missed


def inputs_rows(size, rng):
    return rng.random((size, 3)), [0, 1, -1, 5, 2, -9]


def smallest(a: f64[N]):
    try:
        m = a.min()
        k = int(np.argmin(a))
    except ValueError:
        m, k = np.nan, -1
    return m, k


def inputs_smallest(size, rng):
    return rng.random(size),


def whole(a: list[float], b: float):
    n = 0
    total = 0.0
    while True:
        try:
            total += a[n] / b
            n += 1
        except IndexError:
            break
        except ZeroDivisionError:
            return -1.0, n
    return total, n


def inputs_whole(size, rng):
    return [1.5] * size, float(size % 7)


class Config:
    def __init__(self, n):
        if n < 1:
            raise ValueError("n must be positive")
        self.n = n
        self.w = np.ones(3) * n


def make(n: int):
    try:
        c = Config(n)
        w = c.w
    except ValueError:
        w = np.zeros(3)
    return w


def inputs_make(size, rng):
    return size,


def asserted(a: f64[N]):
    try:
        assert len(a) > 1, "too few"
        v = a[1]
    except AssertionError:
        v = 0.0
    return v


def inputs_asserted(size, rng):
    return rng.random(size),


def many(A: f64[N, 2, 2], b: f64[N, 2]):
    out = np.full(b.shape, np.nan)
    fails = 0
    for i in range(len(A)):
        try:
            out[i] = np.linalg.solve(A[i], b[i])
        except np.linalg.LinAlgError:
            fails += 1
    return out, fails


def inputs_many(size, rng):
    A = rng.random((size, 2, 2))
    A[::3] = 1.0
    return A, rng.random((size, 2))


def reraise(a: float, b: float):
    try:
        return a / b
    except ZeroDivisionError as e:
        raise ValueError("b is zero") from e


def inputs_reraise(size, rng):
    return 1.0, float(size)


def printed(a: float, b: float):
    try:
        x = a / b
    except ZeroDivisionError:
        print("Cannot divide by zero!")
        x = None
    else:
        print("Result:", x)
    return x


def inputs_printed(size, rng):
    return 1.0, float(size)


def floats(x: float, y: float):
    try:
        z = x ** y
    except (OverflowError, ZeroDivisionError):
        z = -1.0
    try:
        k = round(x / y)
    except Exception:
        k = 0
    return z, k


def inputs_floats(size, rng):
    return (0.0, 10.0, 2.0, 5.0)[size % 4], (-1.0, 400.0, 3.0, 0.0)[size % 4]


def sumloop(a: f64[N], idx: i64[M]):
    s = 0.0
    for k in range(len(idx)):
        try:
            v = a[idx[k]]
        except IndexError:
            v = 100.0
        s += v
    return s


def inputs_sumloop(size, rng):
    return rng.random(size), rng.integers(-4, 6, 50)


def par(a: f64[N], idx: i64[M]):
    out = np.zeros(len(idx))
    for k in range(len(idx)):
        try:
            out[k] = a[idx[k]] * 2
        except IndexError:
            out[k] = -1
    return out


def inputs_par(size, rng):
    return rng.random(size), rng.integers(-4, 6, 50)


def tuples(n: int):
    pts = []
    for i in range(n):
        pts.append((i, i * 0.5))
    try:
        p, q = pts[2]
    except IndexError:
        p, q = -1, -1.0
    return p, q


def inputs_tuples(size, rng):
    return size,


def nested_lists(n: int, k: int):
    rows = [[j for j in range(i)] for i in range(n)]
    try:
        v = rows[3][k]
    except IndexError:
        v = -1
    return v


def inputs_nested_lists(size, rng):
    return size, 1


def table2(A: f64[N, M], i: int, j: int):
    try:
        v = A[i, j] + A[i][j]
        A[i, j] = 0.0
    except IndexError:
        v = -1.0
    return v


def inputs_table2(size, rng):
    return rng.random((size, 2)), 1, -2


def constants(k: int):
    w = (1.0, 2.0, 4.0)
    t = [1, 2, 3]
    try:
        v = w[k]
        u = t[k - 4]
    except IndexError:
        v, u = 0.0, 9
    return v, u


def inputs_constants(size, rng):
    return size,


def names(k: int):
    d = {1: 2.0, 2: 4.0}
    try:
        return d[k]
    except KeyError:
        return d.get(k, -1.0)


def inputs_names(size, rng):
    return size,


def queue(n: int):
    q = deque(range(n))
    s = 0
    for _ in range(3):
        try:
            s += q.popleft()
        except IndexError:
            s += 100
    return s


def inputs_queue(size, rng):
    return size,


def fancy(a: f64[N], k: i64[M]):
    try:
        b = a[k]
    except IndexError:
        b = np.zeros(len(k))
    return b


def inputs_fancy(size, rng):
    return rng.random(3), rng.integers(0, 5 if size == 2 else 3, size)


def sets(a: list[int], x: int):
    s = set(a)
    try:
        s.remove(x)
    except KeyError:
        s.add(x)
    return sorted(s)


def inputs_sets(size, rng):
    return list(range(size)), 2


def modulo(a: list[int], b: list[int]):
    return [safe(x, y) for x, y in zip(a, b)]


def safe(x, y):
    try:
        return x % y
    except ZeroDivisionError:
        return -1


def inputs_modulo(size, rng):
    return list(range(size)), [k % 3 for k in range(size)]
