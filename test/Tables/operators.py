"""Python's operators and NumPy's elementwise functions, for all pairs of types."""
from __future__ import annotations

import numpy as np

from programs import ROUNDED, Function, Program, functions_of, operation, split
from values import DTYPES, PAIRS, crossed, finite, kind, plain, specials, thinned

# Python's own; `and`, `or`, `not` and `is` are no operators of arrays.
BINARY = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="]
AUGMENTED = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide", "%": "remainder",
             "**": "power", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "left_shift",
             ">>": "right_shift"}
UNARY = ["-", "+", "~"]


def elementwise(arguments):
    return sorted(name for name, count in functions_of("elementwise").items() if count == arguments)


def binary_expressions(a, b):
    return [f"{a} {op} {b}" for op in BINARY] + [f"np.{name}({a}, {b})" for name in elementwise(2)]


def is_power(expression):
    return "**" in expression or "np.power" in expression or "np.pow" in expression


def chunks(items, count):
    return [items[i:i + count] for i in range(0, len(items), count)]


class Collector:
    """Makes functions out of expressions and keeps what NumPy refuses."""

    def __init__(self):
        self.functions, self.refused = [], []

    def add(self, name, parameters, expressions, inputs, body=(), exact=True):
        good, refused = split(expressions, parameters)
        self.refused += refused
        if good:
            self.functions.append(Function(name, parameters, good, inputs, list(body), exact))


def has_own_values(a, b):
    """Powers that are tried with fewer exponents. Integers to negative powers are a ValueError that depends on values,
    at which appyc does not look; powers of complex numbers that are not finite are left to the C library by NumPy."""
    return (kind(a) in "biu" and kind(b) == "i") or "c" in kind(a) + kind(b)


def split_powers(a, b, expressions):
    own = has_own_values(a, b)
    return [e for e in expressions if not (own and is_power(e))], [e for e in expressions if own and is_power(e)]


def inputs_for(a, b):
    """All values against all, and sizes 0, 1 and an odd one."""
    whole = crossed(specials(a), specials(b))
    return [whole, *(tuple(x[:n] for x in whole) for n in (0, 1)), (whole[0][3:40], whole[1][3:40])]


def is_exponent(values):
    return values >= 0 if values.dtype.kind in "iu" else np.isfinite(values) & (np.abs(values) < 1e20)


def exponents(values):
    return values[is_exponent(values)]


def power_inputs(inputs):
    """Of pairs of arrays those elements that may be base and exponent."""
    chosen = [(x, y, is_exponent(y) & np.isfinite(x)) for x, y in inputs]
    return [(x[keep], y[keep]) for x, y, keep in chosen]


def array_array(collect):
    for a, b in PAIRS:
        rest, powers = split_powers(a, b, binary_expressions("a", "b"))
        parameters = f"a: {a}[N], b: {b}[N]"
        collect.add(f"arrays_{a}_{b}", parameters, rest, inputs_for(a, b))
        collect.add(f"powers_{a}_{b}", parameters, powers, power_inputs(inputs_for(a, b)))


def scalar_scalar(collect):
    """With NaN the operators of NumPy's complex scalars order otherwise than those of its arrays, which appyc follows."""
    for a, b in PAIRS:
        rest, powers = split_powers(a, b, binary_expressions("s", "t"))
        orders = [e for e in rest if "c" in kind(a) + kind(b) and e.split()[1] in ("<", "<=", ">", ">=")]
        rest = [e for e in rest if e not in orders]
        pairs = list(zip(*crossed(thinned(specials(a), 9), thinned(specials(b), 9))))
        collect.add(f"scalars_{a}_{b}", f"s: {a}, t: {b}", rest, pairs)
        collect.add(f"scalar_orders_{a}_{b}", f"s: {a}, t: {b}", orders, [p for p in pairs if not np.isnan(p).any()])
        collect.add(f"scalar_powers_{a}_{b}", f"s: {a}, t: {b}", powers, [p for p in pairs if is_exponent(p[1]) and np.isfinite(p[0])])


def array_scalar(collect):
    """Each type with every third one, on both sides: the rules are those of two arrays."""
    for a, b in PAIRS[::3]:
        for name, parameters, left, right in (("left", f"s: {a}, b: {b}[N]", "s", "b"),
                                              ("right", f"a: {a}[N], s: {b}", "a", "s")):
            rest, powers = split_powers(a, b, binary_expressions(left, right))
            first, second = specials(a), specials(b)
            if name == "left":
                inputs = [(x, second) for x in thinned(first, 7)]
                allowed = [(x, exponents(second)) for x in thinned(first[np.isfinite(first)], 7)]
            else:
                inputs = [(first, y) for y in thinned(second, 7)]
                allowed = [(first[np.isfinite(first)], y) for y in thinned(exponents(second), 7)]
            collect.add(f"{name}_{a}_{b}", parameters, rest, inputs)
            collect.add(f"{name}_powers_{a}_{b}", parameters, powers, allowed)


# A literal takes the array's type; where it does not fit, NumPy raises OverflowError.
LITERALS = ["True", "0", "3", "-2", "300", "70000", "0.5", "2.0", "1.5j"]


def short_expressions(a, b):
    return [f"{a} {op} {b}" for op in BINARY] + [f"np.{name}({a}, {b})" for name in ("maximum", "fmin", "hypot")]


def literals(collect):
    """Literals on both sides, and parameters that are Python's numbers (not 0.5, which as a value makes NumPy take the
    square root instead of the power, where -0.0 differs; the literal does so in appyc too)."""
    for a in DTYPES:
        rest, powers = [], []
        for literal in LITERALS:
            for expressions in (short_expressions("a", literal), short_expressions(literal, "a")):
                for expression in expressions:
                    own = kind(a) in "iuc" or "j" in literal
                    (powers if own and is_power(expression) else rest).append(expression)
        values = specials(a)
        collect.add(f"literals_{a}", f"a: {a}[N]", rest, [(values,), (values[:1],), (values[:0],)])
        collect.add(f"literal_powers_{a}", f"a: {a}[N]", powers, [(exponents(values),)])
        for weak, numbers in (("int", (0, 1, 3, 7)), ("float", (1.5, -0.0, 2.0, -3.0)), ("complex", (1 - 2j, 0.5j))):
            both = short_expressions("a", "s") + short_expressions("s", "a")
            if (a, weak) == ("bool", "int"):
                both.remove("a ** s")  # an i8 where s is 2, else an i64: refused
            collect.add(f"python_{weak}_{a}", f"a: {a}[N], s: {weak}", both, [(exponents(values), s) for s in numbers])


def literal_powers(collect):
    """NumPy's `**` takes Python's 2, and only it, for a square: of booleans an i8. np.power and scalars do not."""
    for a in DTYPES:
        forms = [f"{x} ** {k}" for k in (-1, 0, 1, 2, -1.0) for x in "as"]
        forms += ["np.power(a, 2)", "pow(a, 2)", "pow(s, 2)", "a ** True"]
        values = exponents(specials(a))
        values = values[np.isfinite(values)][:40]
        inputs = [(values, v) for v in thinned(values, 4)]
        parameters = f"a: {a}[N], s: {a}"
        collect.add(f"literal_squares_{a}", parameters, forms, inputs)


def unary(collect):
    for a in DTYPES:
        expressions = [f"{op}a" for op in UNARY] + [f"np.{name}(a)" for name in elementwise(1)]
        if kind(a) == "c":  # NumPy's are views
            expressions = [e + ".copy()" if operation(e) in ("real", "imag") else e for e in expressions]
        # At infinities and NaN NumPy leaves complex functions to the C library.
        own = [e for e in expressions if kind(a) == "c" and operation(e) in ROUNDED]
        for label, codes, values in (("unary", [e for e in expressions if e not in own], specials(a)),
                                     ("function", own, finite(a))):
            collect.add(f"{label}_{a}", f"a: {a}[N]", codes, [(values,), (values[:1],), (values[:0],), (values[2:9],)])
            scalars = [e.replace("a)", "s)") if "(" in e else e[0] + "s" for e in codes]
            collect.add(f"{label}_scalar_{a}", f"s: {a}", scalars, [(v,) for v in thinned(values, 12)])


def augmented(collect):
    """`c op= b` casts back by NumPy's rule "same_kind", or is refused."""
    for a, b in PAIRS:
        names, body, refused = [], [], []
        for op, name in AUGMENTED.items():
            good, bad = split([f"a {op}= b"], f"a: {a}[N], b: {b}[N]")
            refused += bad
            if good:
                names.append(name)
                body += [f"{name} = a.copy()", f"{name} {op}= b"]
        collect.refused += refused
        if names:
            first, second = crossed(finite(a), plain(b, 5)) if kind(b) in "fciu" else crossed(finite(a), specials(b))
            allowed = is_exponent(second)
            collect.functions.append(Function(f"augmented_{a}_{b}", f"a: {a}[N], b: {b}[N]", names,
                                              [(first[allowed], second[allowed])], body))


def casts(collect):
    """astype: from a float to an integer where the value fits (NumPy leaves the others to C, which leaves them open);
    integers wrap, complex numbers lose their imaginary part, everything that is not zero is True."""
    for a in DTYPES:
        for number, targets in enumerate(([b for b in DTYPES if kind(a) in "biu" or kind(b) not in "iu"],
                                          [b for b in DTYPES if kind(a) in "fc" and kind(b) in "iu"])):
            values = specials(a) if number == 0 else plain(a, 31) * 9 / 4
            if number == 1:
                values = np.abs(values.real).astype(DTYPES[a])
            expressions = [f"a.astype(np.{np.dtype(DTYPES[b]).name})" for b in targets]
            if expressions:
                collect.functions.append(Function(f"astype{number}_{a}", f"a: {a}[N]", expressions,
                                                  [(values.astype(DTYPES[a]),), (values[:0].astype(DTYPES[a]),)]))


def selections(collect):
    for a, b in PAIRS:
        first, second = inputs_for(a, b)[0]
        mask = np.arange(len(first)) % 3 == 0
        expressions = ["np.where(m, a, b)", "np.where(a, a, b)", "np.where(m, a, b[0])"]
        collect.add(f"where_{a}_{b}", f"m: bool[N], a: {a}[N], b: {b}[N]", expressions, [(mask, first, second)])
    for a in DTYPES:
        values = specials(a)
        expressions = [f"np.where(a, {x}, {y})" for x, y in (("1", "2"), ("a", "0"), ("0.5", "a"), ("a", "1j"), ("True", "a"),
                                                           ("1", "2.5"), ("True", "False"))]
        collect.add(f"where_literals_{a}", f"a: {a}[N]", expressions, [(values,), (values[:0],)])


def programs():
    """(the programs, what has to be refused)"""
    made, refused = [], []
    for name, sample, makers in (("arrays", 8, [array_array]), ("scalars", 40, [scalar_scalar]),
                                 ("mixed", 16, [array_scalar]), ("numbers", 12, [literals, literal_powers, unary]),
                                 ("updates", 8, [augmented]), ("choices", 4, [casts, selections])):
        collect = Collector()
        for make in makers:
            make(collect)
        made += [Program(f"{name}_{i}", part, sample) for i, part in enumerate(chunks(collect.functions, 90))]
        refused += collect.refused
    return made, refused
