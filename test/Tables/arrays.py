"""NumPy's reductions, products and makers of arrays, for all types, axes and awkward shapes."""
from __future__ import annotations

import itertools

import numpy as np

from operators import Collector, chunks
from programs import Program, functions_of
from values import DTYPES, PAIRS, finite, kind, plain, specials

AXES = {1: ["", "axis=0", "axis=-1"], 2: ["", "axis=None", "axis=0", "axis=1", "axis=-1", "axis=-2", "axis=(0, 1)"],
        3: ["", "axis=0", "axis=1", "axis=-1", "axis=(0, 2)", "axis=(1, -1)", "axis=(0, 1, 2)"]}
SHAPES = {1: [(0,), (1,), (7,), (33,), (129,)], 2: [(0, 3), (3, 0), (1, 1), (5, 7), (33, 3)],
          3: [(2, 0, 3), (0, 1, 1), (3, 5, 7), (1, 1, 1)]}
# Over nothing these have no value; NumPy raises, which needs a call for each.
NEEDS_ELEMENTS = {"min", "max", "argmin", "argmax", "amin", "amax"}
FIRST = {"argmin", "argmax"}  # of one axis or of all


def array_of(name, shape, seed):
    """Some special values and else small numbers, for which the order of a sum does not matter."""
    count = int(np.prod(shape))
    return plain(name, count, seed).reshape(shape)


def extents(rank):
    return "[" + ", ".join("NMK"[:rank]) + "]"


def reductions(collect):
    names = sorted(set(functions_of("reduction")) - {"amin", "amax"})  # which stand in `empties`
    for a, rank in itertools.product(DTYPES, AXES):
        groups = {False: [], True: []}
        for name, axis, keep in itertools.product(names, AXES[rank], ("", "keepdims=True")):
            if name in FIRST and "(" in axis:
                continue  # TypeError in NumPy; one case of it stands in `refusals`
            expression = f"np.{name}({', '.join(filter(None, ['a', axis, keep]))})"
            groups[name in NEEDS_ELEMENTS].append(expression)
        parameters = f"a: {a}{extents(rank)}"
        shapes = SHAPES[rank]
        inputs = [(array_of(a, shape, seed),) for seed, shape in enumerate(shapes)]
        collect.add(f"reduce{rank}_{a}", parameters, groups[False], inputs, exact=False)
        collect.add(f"extreme{rank}_{a}", parameters, groups[True], [i for i in inputs if i[0].size])


def special_reductions(collect):
    """NaN, infinities, ties, wrapping sums; along an axis and over all."""
    for a in DTYPES:
        values = specials(a)
        codes = [f"np.{name}(a{axis})" for name in ("min", "max", "argmin", "argmax", "any", "all")
                 for axis in ("", ", axis=0", ", axis=1")]
        if kind(a) in "biu":
            codes += [f"np.{name}(a{axis})" for name in ("sum", "prod") for axis in ("", ", axis=0", ", axis=1")]
        pairs = np.stack([np.repeat(values, len(values)), np.tile(values, len(values))], axis=1)
        collect.add(f"special_{a}", f"a: {a}[N, M]", codes, [(pairs,), (pairs.T.copy(),), (values[None, :],),
                                                           (values[::-1].reshape(-1, 1).copy(),)])


def empties(collect):
    """min, max, argmin, argmax of nothing raise; of no rows along the other axis they are empty."""
    for name, axis in itertools.product(sorted(NEEDS_ELEMENTS), ("", ", axis=0", ", axis=1")):
        label = f"empty_{name}_{axis[-1:] or 'all'}"
        collect.add(label, "a: f64[N, M]", [f"np.{name}(a{axis})"],
                    [(np.zeros(shape),) for shape in ((0, 3), (3, 0), (0, 0), (2, 2))])


def dtypes_of_sums(collect):
    for a in DTYPES:
        wanted = [b for b in DTYPES if kind(b) in "fc" or (kind(a) in "biu" and kind(b) in "iu")]
        wanted = [b for b in wanted if kind(a) != "c" or kind(b) == "c"]  # else NumPy warns of a lost imaginary part
        codes = [f"np.{name}(a, dtype=np.{np.dtype(DTYPES[b]).name}{axis})" for b in wanted
                 for name in ("sum", "prod", "mean") for axis in ("", ", axis=0")
                 if name != "mean" or kind(b) in "fc"]
        collect.add(f"reduce_dtype_{a}", f"a: {a}[N, M]", codes, [(array_of(a, (5, 7), 1),), (array_of(a, (1, 1), 2),)],
                    exact=False)


def products(collect):
    for a, b in PAIRS:
        x, y = plain(a, 60, 1), plain(b, 60, 2)
        for label, parameters, codes, shapes in (
                ("inner", f"a: {a}[N], b: {b}[N]", ["a @ b", "np.dot(a, b)", "np.matmul(a, b)", "np.outer(a, b)"],
                 [((0,), (0,)), ((1,), (1,)), ((7,), (7,))]),
                ("matrix", f"a: {a}[N, K], b: {b}[K, M]", ["a @ b", "np.dot(a, b)", "a @ b[:, 0]", "a[0] @ b"],
                 [((1, 1), (1, 1)), ((3, 5), (5, 7)), ((2, 0), (0, 3))])):
            inputs = [(x[:int(np.prod(s))].reshape(s), y[:int(np.prod(t))].reshape(t)) for s, t in shapes]
            collect.add(f"{label}_{a}_{b}", parameters, codes, inputs, exact=False)
    for a in DTYPES:
        top = specials(a) if kind(a) in "biu" else plain(a, 20)
        collect.add(f"product_{a}", f"a: {a}[N], b: {a}[N, N], s: {a}",
                    ["a @ a", "np.dot(a, s)", "np.dot(s, a)", "np.matvec(b, a)"], [(top, np.outer(top, top), top[1])], exact=False)


def counts(collect):
    """Functions with rules of their own."""
    for a in DTYPES:
        values = specials(a)
        codes = ["np.count_nonzero(a)", "np.std(a[:9], ddof=1)", "np.var(a[:9], ddof=2)", "np.var(a[:1], ddof=1)"]
        if kind(a) in "iu":
            codes += ["np.linspace(s, 9, 5)", "np.linspace(0, s, n)"]
        collect.add(f"count_{a}", f"n: int, a: {a}[N], s: {a}", codes,
                    [(n, x, values[1]) for n, x in ((1, plain(a, 40)), (7, finite(a)[:2]))], exact=False)


def creations(collect):
    for a in DTYPES:
        numpy_name = f"np.{np.dtype(DTYPES[a]).name}"
        codes = [f"np.{name}({shape}, {how}{numpy_name})" for name in ("zeros", "ones") for shape in ("n", "(n, 3)", "a.shape")
                 for how in ("", "dtype=")]
        codes += [f"np.full({shape}, {value}, dtype={numpy_name})" for shape in ("n", "(2, n)") for value in (1, 0, "True")]
        codes += [f"np.full(n, {value})" for value in ("s", "2", "2.5", "True", "1j")]
        codes += ["np.zeros_like(a)", "np.ones_like(a)", "np.full_like(a, 1)", "np.full_like(a, s)"]
        codes += [f"np.{name}_like(a, dtype={numpy_name})" for name in ("zeros", "ones")]
        codes += [f"np.{name}(a)" for name in ("copy", "array", "asarray", "ascontiguousarray", "transpose")]
        codes += ["np.empty(n).shape[0]", "np.empty_like(a).shape[0]"]
        if kind(a) in "iuf":
            codes += [f"np.arange(n, dtype={numpy_name})", f"np.arange(1, n, dtype={numpy_name})"]
        values = specials(a)
        collect.add(f"create_{a}", f"n: int, a: {a}[N], s: {a}", codes, [(n, values[:n], values[1]) for n in (0, 1, 7)])
    collect.add("arange", "n: int, s: i32, t: u64", ["np.arange(n)", "np.arange(2, n)", "np.arange(0, n, 3)", "np.arange(-n, n, 2)",
                                     "np.arange(n, 0, -1)", "np.arange(n, dtype=np.float32)", "np.arange(s)", "np.arange(1, t)"], [(n, np.int32(n), np.uint64(n + 1)) for n in (0, 1, 2, 7, 33)])


def axes(collect):
    """The same elements under other axes, those that indices name, and folds that keep what they pass."""
    views = ["reshape(-1)", "ravel()", "flatten()", "swapaxes(0, 1)", "T.reshape(-1)", "reshape(1, -1)", "take([0, -1])", "take([0], 1)"]
    codes = [f"a.{view}.copy()" for view in views]
    codes += [f"np.{call}.copy()" for call in ("reshape(a, (-1, 1))", "ravel(a)", "moveaxis(a, 0, -1)", "rollaxis(a, 1)", "expand_dims(a, 1)",
                                              "squeeze(a[:1], axis=0)", "broadcast_to(a[0], a.shape)", "atleast_1d(a)", "atleast_2d(a[0])",
                                              "atleast_3d(a)", "matrix_transpose(a)", "take_along_axis(a, k % a.shape[0], axis=0)", "take(a, k[0] % a.size)", "permute_dims(a)", "swapaxes(a, 0, 1)")]
    codes += ["np.nonzero(a)[0]", "np.flatnonzero(a)", "np.argwhere(a)", "np.compress([True, False], a, 1)", "np.extract(a, a)"]
    codes.append("a[np.ix_([0, -1], [-1, 0])]")
    scans = ["np.cumsum(a)", "a.cumsum(0)", "np.cumprod(a, axis=1)", "np.add.accumulate(a)", "np.maximum.reduceat(a, [0, 0])",
             "np.cumsum(a, dtype=np.float64)", "np.logical_or.accumulate(a, 1)"]
    for a in DTYPES:
        mine = [c for c in scans if kind(a) != "c" or "float64" not in c]
        inputs = [(plain(a, n * m).reshape(n, m), np.arange(n * m).reshape(n, m) % n) for n, m in ((3, 5), (2, 2))]
        collect.add(f"axes_{a}", f"a: {a}[N, M], k: i64[N, M]", codes + mine, inputs, exact=kind(a) not in "fc")


def programs():
    """(the programs, what has to be refused)"""
    made, refused = [], []
    for name, sample, makers in (("reductions", 16, [reductions, special_reductions, empties, dtypes_of_sums]),
                                 ("products", 8, [products]), ("creation", 4, [creations, counts]), ("axes", 4, [axes])):
        collect = Collector()
        for make in makers:
            make(collect)
        made += [Program(f"{name}_{i}", part, sample) for i, part in enumerate(chunks(collect.functions, 60))]
        refused += collect.refused
    return made, refused
