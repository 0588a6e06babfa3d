"""CPython's own `ast` in the notation of `appyc --emit=ast`; raises NotSpelt for what that notation has no form for."""
import ast
import math

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
          ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "not"}
COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
           ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
BOOL = {ast.And: "and", ast.Or: "or"}


class NotSpelt(Exception):
    """The node has no form in the notation: appyc must refuse it."""


def spelling(table, node):
    if type(node) not in table:
        raise NotSpelt(type(node).__name__)
    return table[type(node)]


def quoted(text):
    out = []
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif c == "\n":
            out.append("\\n")
        else:
            out.append(f"\\x{ord(c):02x}" if c < " " or c == "\x7f" else c)
    return '"' + "".join(out) + '"'


def float_text(value):
    """As `{}` of C++ prints a double, with a point."""
    text = "inf" if math.isinf(value) else repr(value)
    return text


def constant(value):
    if value is None or value is ... or isinstance(value, bool):
        return "..." if value is ... else str(value)
    if isinstance(value, int):
        return str(value) if value < 2**64 else "<large>"
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, complex):
        return f"{float_text(value.imag).removesuffix('.0')}j"
    if isinstance(value, str):
        return quoted(value)
    raise NotSpelt(type(value).__name__)


def items(head, nodes):
    return "(" + " ".join([head, *map(expression, nodes)]) + ")"


def index(node):
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    if any(isinstance(part, ast.Starred) for part in parts):
        raise NotSpelt("Starred in a subscript")
    return parts


def formatted(node):
    """An f-string, as texts and fields in turn."""
    texts, fields = [""], []
    for part in node.values:
        if isinstance(part, ast.Constant):
            texts[-1] += part.value
            continue
        spec = part.format_spec.values if part.format_spec else []
        if any(not isinstance(p, ast.Constant) for p in spec):
            raise NotSpelt("a computed format")
        conversion = "" if part.conversion < 0 else chr(part.conversion)
        spec = "".join(p.value for p in spec)
        fields.append(f"({expression(part.value)} {quoted(conversion)} {quoted(spec)})")
        texts.append("")
    if not fields:
        return quoted(texts[0])
    rest = [f"{field} {quoted(text)}" for field, text in zip(fields, texts[1:])]
    return " ".join(["(text", quoted(texts[0]), *rest]) + ")"


def expression(n):
    e = expression
    match n:
        case None:
            return "_"
        case ast.Name():
            return n.id
        case ast.JoinedStr():
            return formatted(n)
        case ast.Constant():
            return constant(n.value)
        case ast.BinOp():
            return f"({spelling(BINARY, n.op)} {e(n.left)} {e(n.right)})"
        case ast.UnaryOp():
            return f"({spelling(UNARY, n.op)} {e(n.operand)})"
        case ast.BoolOp():
            text = e(n.values[0])
            for value in n.values[1:]:
                text = f"({spelling(BOOL, n.op)} {text} {e(value)})"
            return text
        case ast.Compare():
            def side(op, right):  # `x in {a, b}` asks a tuple
                asked = isinstance(op, (ast.In, ast.NotIn)) and isinstance(right, ast.Set)
                return items("tuple", right.elts) if asked else e(right)

            rest = [f" {spelling(COMPARE, op)} {side(op, right)}" for op, right in zip(n.ops, n.comparators)]
            return f"(compare {e(n.left)}{''.join(rest)})"
        case ast.IfExp():
            return f"(cond {e(n.test)} {e(n.body)} {e(n.orelse)})"
        case ast.Attribute():
            return f"(. {e(n.value)} {n.attr})"
        case ast.Subscript():
            return items(f"index {e(n.value)}", index(n.slice))
        case ast.Slice():
            return f"(slice {e(n.lower)} {e(n.upper)} {e(n.step)})"
        case ast.Tuple():
            return items("tuple", n.elts)
        case ast.List():
            return items("list", n.elts)
        case ast.Dict():
            pairs = zip((e(key) if key else "**" for key in n.keys), map(e, n.values))
            return " ".join(["(dict", *(f"({key} {value})" for key, value in pairs)]) + ")"
        case ast.Starred():
            return f"(starred {e(n.value)})"
        case ast.Lambda():
            return f"(lambda{parameters(n.args)} {e(n.body)})"
        case ast.ListComp() | ast.GeneratorExp():
            head = "list-of" if isinstance(n, ast.ListComp) else "generator"
            return f"({head} {e(n.elt)}{''.join(map(clause, n.generators))})"
        case ast.DictComp():  # dict() of pairs
            return f"(call dict (generator (tuple {e(n.key)} {e(n.value)}){''.join(map(clause, n.generators))}))"
        case ast.Set():
            return f"(call set {items('tuple', n.elts)})"
        case ast.SetComp():
            return f"(call set (generator {e(n.elt)}{''.join(map(clause, n.generators))}))"
        case ast.NamedExpr():
            if isinstance(n.value, ast.IfExp):
                raise NotSpelt("a conditional expression behind :=")
            return f"(:= {e(n.target)} {e(n.value)})"
        case ast.Call():
            keywords = (f"{keyword.arg or ''}={e(keyword.value)}" for keyword in n.keywords)  # no name: `**value`
            return f"({' '.join(['call', e(n.func), *map(e, n.args), *keywords])})"
    raise NotSpelt(type(n).__name__)


def parameters(args):
    if args.kwarg:
        raise NotSpelt("**")
    ordinary = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(ordinary) - len(args.defaults)) + args.defaults
    pairs = [(a.arg, d) for a, d in zip(ordinary, defaults)]
    pairs += [("*" + args.vararg.arg, None)] if args.vararg else []
    pairs += [(a.arg, d) for a, d in zip(args.kwonlyargs, args.kw_defaults)]
    return "".join(f" ({name}{' ' + expression(default) if default else ''})" for name, default in pairs)


def clause(n):
    if n.is_async:
        raise NotSpelt("async for")
    return f" (for {' '.join([target(n.target), expression(n.iter), *map(expression, n.ifs)])})"


def deleted(n):
    return [part for item in n.elts for part in deleted(item)] if isinstance(n, (ast.Tuple, ast.List)) else [n]


def imported(n):
    """`import` binds the first name of a path; relative imports of the input are absolute."""
    if isinstance(n, ast.Import):
        return [(a.asname or a.name.split(".")[0], a.name if a.asname else a.name.split(".")[0]) for a in n.names]
    if n.module == "__future__":
        raise NotSpelt("__future__")
    module = "." * n.level * (n.level > 1) + (n.module or "")
    prefix = module + "." * (bool(module) and not module.endswith("."))
    return [(a.asname or a.name, prefix + a.name) for a in n.names]


def target(n):
    if isinstance(n, ast.Starred):
        return f"(starred {target(n.value)})"
    """A place to store into; a list of targets is a tuple of them."""
    if isinstance(n, (ast.Tuple, ast.List)):
        return "(" + " ".join(["tuple", *map(target, n.elts)]) + ")"
    if isinstance(n, (ast.Name, ast.Subscript, ast.Attribute)):
        return expression(n)
    raise NotSpelt(f"{type(n).__name__} as a target")


def block(statements):
    return "".join(" " + statement(s) for s in statements)


def loop_else(n):
    return f" (loop-else{block(n.orelse)})" if n.orelse else ""


def statement(n):
    """On one line; statement() of nested ones included."""
    e = expression
    match n:
        case ast.Expr(value=ast.Constant(value=str())):
            return "(pass)"
        case ast.Expr():
            return f"(do {e(n.value)})"
        case ast.Global():  # of a name that the function only reads
            return "(pass)"
        case ast.Pass() | ast.Break() | ast.Continue():
            return f"({type(n).__name__.lower()})"
        case ast.Return():
            return f"(return {e(n.value)})" if n.value else "(return)"
        case ast.Raise(exc=ast.expr(), cause=None | ast.Name()):  # of what is raised a caller sees no cause
            return f"(raise {e(n.exc)})"
        case ast.Raise(exc=None):
            return "(raise)"
        case ast.Assign():
            return f"(assign {' '.join(map(target, n.targets))} {e(n.value)})"
        case ast.AnnAssign():
            name = target(n.target)
            return f"(assign {name} {e(n.value)})" if n.value else "(pass)"
        case ast.AugAssign():
            return f"({spelling(BINARY, n.op)}= {target(n.target)} {e(n.value)})"
        case ast.For():
            return f"(for {target(n.target)} {e(n.iter)}{block(n.body)}){loop_else(n)}"
        case ast.While() if any(isinstance(part, ast.NamedExpr) for part in ast.walk(n.test)):
            if n.orelse:
                raise NotSpelt("an assignment in the condition of a loop with else")
            return f"(while True (if (not {e(n.test)}) (then (break))){block(n.body)})"
        case ast.FunctionDef(decorator_list=[]):
            return f"(def {n.name}{parameters(n.args)}{block(n.body)})"
        case ast.Delete():
            return items("del", [part for item in n.targets for part in deleted(item)])
        case ast.Import() | ast.ImportFrom():
            return " ".join(f"(import {name} {path})" for name, path in imported(n))
        case ast.While():
            return f"(while {e(n.test)}{block(n.body)}){loop_else(n)}"
        case ast.Assert():
            return f"(assert {e(n.test)}{' ' + e(n.msg) if n.msg else ''})"
        case ast.If():
            otherwise = f" (else{block(n.orelse)})" if n.orelse else ""
            return f"(if {e(n.test)} (then{block(n.body)}){otherwise})"
    raise NotSpelt(type(n).__name__)
