//===- FrontendTest.cpp - Python text, pragmas and signatures to AST ---------------------------------===//
#include "appyc/Frontend/Frontend.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sstream>

using namespace appyc;

namespace {

struct Parsed {
  ast::Module module;
  std::string ast;
  std::vector<Diagnostic> errors;
  std::string rendered;

  bool ok() const { return errors.empty(); }
  /// Whether the AST's text has this in it.
  bool has(std::string_view part) const { return ast.find(part) != std::string::npos; }
  /// Whether there is exactly one report, of this kind, on this line, with this in its text.
  bool only(DiagId id, uint32_t line, std::string_view part) const {
    return errors.size() == 1 && errors[0].id == id && rendered.starts_with(fmt::format("k.py:{}:", line)) &&
           errors[0].text.find(part) != std::string::npos;
  }
};

Parsed parse(const std::string& text, const std::vector<std::string>& signatures = {}) {
  const Source source("k.py", text);
  Diagnostics diag;
  Parsed result;
  result.module = frontend::parse(source, signatures, diag);
  result.ast = print(result.module);
  result.errors = diag.all();
  result.rendered = renderText(diag, source, false, true);
  renderJson(diag, source, true);
  return result;
}

/// `lines` as the body of a function with a signature; the first of them is line 2.
Parsed parseBody(const std::string& lines) {
  std::istringstream in(lines);
  std::string text = "def f(a: f64[N], n: i64):\n";
  for (std::string line; std::getline(in, line);) text += "    " + line + "\n";
  return parse(text);
}

Parsed loopPragma(const std::string& pragma) {
  return parseBody("#pragma " + pragma + "\nfor i in range(n):\n    pass");
}
Parsed statementPragma(const std::string& pragma) { return parseBody("#pragma " + pragma + "\na[:n] += 1"); }

std::string expression(const std::string& text) {
  Diagnostics diag;
  const ast::Expr e = frontend::parseExpression(text, {3, 5}, diag);
  return e ? print(e) : diag.all().empty() ? "no message" : "error: " + diag.all()[0].text;
}

} // namespace

//===- expressions and statements -------------------------------------------------------------------===//

TEST_CASE("expressions", "[frontend]") {
  CHECK(expression("a + b * c ** -2") == "(+ a (* b (** c (neg 2))))");
  CHECK(expression("a @ b // c % d << 1 >> 2 & 3 | 4 ^ 5").starts_with("(|"));
  CHECK(expression("not a and b or c") == "(or (and (not a) b) c)");
  CHECK(expression("a < b <= c != d") == "(compare a < b <= c != d)");
  CHECK(expression("x if c else y") == "(cond c x y)");
  CHECK(expression("np.sum(a[i, 1:n, ::-1, None, ...], axis=1)") ==
        "(call (. np sum) (index a i (slice 1 n _) (slice _ _ (neg 1)) None ...) axis=1)");
  CHECK(expression("a[(i, j)]") == "(index a i j)");
  CHECK(expression("(a, ), [b, c], ()") == "(tuple (tuple a) (list b c) (tuple))");
  CHECK(expression("'a\\n\\x41\\u00e9' \"b\" r'\\n'") == "\"a\\nA\u00e9b\\\\n\"");
  CHECK(expression("~+-x") == "(invert (pos (neg x)))");
  CHECK(expression("a\n+ b") == "(+ a b)");
}

TEST_CASE("number literals", "[frontend]") {
  CHECK(expression("1_000") == "1000");
  CHECK(expression("0x_ff + 0o17 + 0b101") == "(+ (+ 255 15) 5)");
  CHECK(expression("18446744073709551615") == "18446744073709551615");
  CHECK(expression("18446744073709551616") == "<large>");
  CHECK(expression("1.5e-3") == "0.0015");
  CHECK(expression("1.") == "1.0");
  CHECK(expression(".5") == "0.5");
  CHECK(expression("1e400") == "inf");
  CHECK(expression("1_0.2_5") == "10.25");
  CHECK(expression("2j") == "2j");
  CHECK(expression("1.5J") == "1.5j");
  CHECK(expression("00") == "0");
  CHECK(expression("012").starts_with("error: an integer cannot start with 0"));
}

TEST_CASE("parseExpression takes one expression, at the given place", "[frontend]") {
  Diagnostics diag;
  const ast::Expr e = frontend::parseExpression("M-1", {7, 9}, diag);
  REQUIRE(e.is<ast::Binary>());
  CHECK(e->span == Span{7, 9});
  CHECK(e.as<ast::Binary>()->lhs->span == Span{7, 9});
  for (const char* bad : {"", "  ", "a b", "a)(b", "a) + (b", "a +", "a = b", "x for x in y", "lambda: 1",
                          "a # b", "\xFF", "f'{a'", "a is", "def"})
    CHECK(expression(bad).starts_with("error: "));
  CHECK(expression(std::string(20000, '(') + "a" + std::string(20000, ')')).starts_with("error: nested"));
}

TEST_CASE("statements", "[frontend]") {
  const Parsed p = parseBody("\"\"\"Doc.\n\n   more\n\"\"\"\n"
                             "x = y = 1, 2\n"
                             "a, (b, c) = b, a\n"
                             "z: f64 = 0.0\n"
                             "w: f64\n"
                             "x **= 2; y //= 3\n"
                             "while x:\n    break\n"
                             "if a: pass\n"
                             "elif b:\n    x = 1\n"
                             "else:\n    continue_ = 2\n"
                             "for i, j in g(x): print(i)\n"
                             "'text'\n"
                             "x, y\n"
                             "return a, b");
  CHECK(p.ok());
  CHECK(p.has("(doc \"Doc.\\n\\nmore\")"));
  CHECK(p.has("(assign x y (tuple 1 2))"));
  CHECK(p.has("(assign (tuple a (tuple b c)) (tuple b a))"));
  CHECK(p.has("(assign z 0.0)\n    (pass)\n    (**= x 2)\n    (//= y 3)"));
  CHECK(p.has("(while x\n      (break))"));
  CHECK(p.has("(if a\n      (then\n        (pass))\n      (else\n        (if b\n"));
  CHECK(p.has("(for (tuple i j) (call g x)\n      (do (call print i)))"));
  CHECK(p.has("(return (tuple a b))"));
}

TEST_CASE("Python outside the subset is named at its place", "[frontend]") {
  const auto refused = [](const std::string& line, std::string_view part) {
    const Parsed p = parseBody("x = 1\n" + line);
    return p.only(DiagId::Unsupported, 3, part);
  };
  CHECK(refused("try:\n    pass\nfinally:\n    return", "in `finally`"));
  CHECK(refused("with a:\n    pass", "`with`"));
  CHECK(refused("class C: pass", "class inside"));
  CHECK(refused("global x", "`global`"));
  CHECK(refused("raise x from y()", "`raise ... from ...`"));
  CHECK(refused("yield", "`yield` without a value"));
  CHECK(refused("while True:\n    yield 1", "never ends"));
  CHECK(refused("yield 1; return 2", "a generator returns"));
  CHECK(refused("x = f'{x:{y}}'", "a format that is computed"));
  CHECK(refused("x = b'a'", "bytes"));
  CHECK(parse("def f(a: f64, *b): pass\n").only(DiagId::Unsupported, 1, "`*`"));
  CHECK(parse("async def f(a: f64): pass\n").only(DiagId::Unsupported, 1, "`async`"));
}

TEST_CASE("only exported functions and those they call are read", "[frontend]") {
  const Parsed p = parse("def alone(x):\n    return lambda: x\n"
                         "def helper(x):\n    return deeper(x)\n"
                         "def deeper(x):\n    return [x]\n"
                         "@appy.jit(auto_simd=True)\n"
                         "def f(a: f64):\n    return helper(a)\n"
                         "class C:\n    def m(self):\n        #pragma parallel for\n        yield\n"
                         "if __name__ == '__main__':\n    print(f'{f(1)}')\n");
  CHECK(p.ok());
  REQUIRE(p.module.functions.size() == 3);
  CHECK(p.module.functions[0].name == "helper");
  CHECK(p.module.functions[0].signatures.empty());
  CHECK(p.module.functions[2].signatures.size() == 1);
}

TEST_CASE("imports and constants of the file", "[frontend]") {
  const Parsed p =
      parse("import numpy as np, os.path, a.b as c\n"
            "from numpy import exp, sin as s\nfrom m import *\nfrom . import z\n"
            "N = 0x10\nE = -1e-3\nB: bool = True\nT = 'text'\nM = N + 1\nTwice = 1\nTwice = 2\nG = 1\nI = 3\n"
            "def g():\n    global G\n    G, I = 4, 4\n"
            "for L in range(3): I2 = 1\n");
  CHECK(p.ok());
  CHECK(p.ast ==
        "(module\n  (import np numpy)\n  (import os os)\n  (import c a.b)\n  (import exp numpy.exp)\n"
        "  (import s numpy.sin)\n  (import * m)\n  (import z z)\n"
        "  (constant N 16)\n  (constant E (neg 0.001))\n  (constant B True)\n"
        "  (constant T \"text\")\n  (constant M (+ N 1))\n  (constant Twice 2)\n  (constant G 1)\n  "
        "(constant I 3))\n");
}

//===- pragmas --------------------------------------------------------------------------------------===//

TEST_CASE("loop pragmas", "[frontend][pragma]") {
  CHECK(loopPragma("parallel for").has("(loop parallel)"));
  CHECK(loopPragma("parallel").has("(loop parallel)"));
  CHECK(loopPragma("parallel for simd").has("(loop parallel-simd)"));
  CHECK(loopPragma("parallel simd reduction").has("(loop parallel-simd reduction)"));
  CHECK(loopPragma("parallel for simd(256) num_warps(8)").has("(loop parallel-simd length=256 warps=8)"));
  CHECK(loopPragma("parallel for block(BN)").has("(loop parallel-simd length=BN)"));
  CHECK(loopPragma("parallel for num_warps ( 4 )").has("(loop parallel warps=4)"));
  CHECK(loopPragma("simd").has("(loop simd)"));
  CHECK(loopPragma("simd(128)").has("(loop simd length=128)"));
  CHECK(loopPragma("simd reduction").has("(loop simd reduction)"));
  CHECK(loopPragma("simd block(64)").has("(loop simd length=64)"));
  CHECK(loopPragma("workshare").has("(loop simd)"));
  CHECK(loopPragma("parallel for shared(n, m) to(a)").has("(loop parallel shared:n shared:m to:a)"));
  CHECK(loopPragma("parallel for reduction(+:s,t) reduction(max:m)")
            .has("(loop parallel reduction sum:s sum:t max:m)"));
  CHECK(loopPragma("sequential for").has("(loop sequential)"));
  CHECK(loopPragma("parallel for single").has("(loop sequential)"));
  CHECK(loopPragma("  \tparallel   for  ").ok());
}

TEST_CASE("statement pragmas", "[frontend][pragma]") {
  CHECK(statementPragma("atomic").has("(statement atomic)"));
  CHECK(statementPragma("atomic :C=>le(128)").has("(statement atomic (dim :C block=128 single promised))"));
  CHECK(statementPragma(":M=>parallel :N=>").has("(statement (dim :M parallel) (dim :N))"));
  CHECK(statementPragma("1:M-1=>parallel,block(4)").has("(dim 1:M-1 parallel block=4)"));
  CHECK(statementPragma(":R=>simd(BN)").has("(dim :R block=BN)"));
  CHECK(statementPragma(":R=>simd").has("(dim :R block=mvl)"));
  CHECK(statementPragma(":R=>block(2048), single_block").has("(dim :R block=2048 single promised)"));
  CHECK(statementPragma("1:R:2=>reduce(max),reduce(sum:s)").has("(dim 1:R:2 reduce=max reduce=sum:s)"));
  CHECK(statementPragma(":R=>in_reg").has("(dim :R single)"));
  CHECK(statementPragma(":R => parallel , block ( 4 ) :C=>reduce(sum)")
            .has("(dim :R parallel block=4) (dim :C reduce=sum)"));
  CHECK(statementPragma(":R=>reduction(max:y)").has("(dim :R reduce=max:y)"));
  CHECK(statementPragma("i+1:(M+1)//2=>reduce(min)").has("(dim i+1:(M+1)//2 reduce=min)"));
}

TEST_CASE("faulty pragmas name the fault and the nearest word", "[frontend][pragma]") {
  const auto loopFault = [](const std::string& text, std::string_view part) {
    const Parsed p = loopPragma(text);
    return p.only(DiagId::UnknownPragma, 2, part) && !p.has("(loop");
  };
  const auto statementFault = [](const std::string& text, std::string_view part) {
    const Parsed p = statementPragma(text);
    return p.only(DiagId::UnknownPragma, 2, part) && !p.has("(statement");
  };
  CHECK(loopFault("paralel for", "did you mean `parallel`?"));
  CHECK(loopPragma("paralel for").rendered.find("            parallel\n") != std::string::npos);
  CHECK(loopFault("parallel for smid", "did you mean `simd`?"));
  CHECK(loopFault("parallel for simd simd", "twice"));
  CHECK(loopFault("parallel for simd(0)", "positive integer"));
  CHECK(loopFault("parallel for block", "needs a size"));
  CHECK(loopFault("parallel for num_warps(33)", "from 1 to 32"));
  CHECK(loopFault("parallel for num_warps(N)", "from 1 to 32"));
  CHECK(loopFault("parallel for simd(4) block(8)", "twice: `4` and `8`"));
  CHECK(loopFault("parallel for reduction(b)", "the operation is missing"));
  CHECK(loopFault("parallel for reduction(mean:b)", "known are `+`"));
  CHECK(loopFault("parallel for shared(a[0])", "takes names"));
  CHECK(loopFault("parallel for private(a)", "leave `private` out"));
  CHECK(loopFault("parallel for :M=>parallel", "above that assignment"));
  CHECK(loopFault("sequential", "expected `for`"));
  CHECK(loopFault("sequential for simd", "nothing can follow"));
  CHECK(loopFault("simd for", "without `for`"));
  CHECK(loopFault("parallel for simd(4", "brackets"));
  CHECK(loopFault("omp parallel for", "unknown pragma"));
  CHECK(loopFault("block parallel", "write `parallel for`"));
  CHECK(loopFault("start fusion", "fused"));
  CHECK(statementFault("par_dim(:M:BM)", "write `:M=>parallel,block(BM)`"));
  CHECK(statementFault("dim(1:M-1,parallel)", "write `1:M-1=>parallel`"));
  CHECK(statementFault("tensorfy", "leave it out"));
  CHECK(statementFault(":M=>p", "write `parallel`"));
  CHECK(statementFault(":M=>b(BM)", "write `block`"));
  CHECK(statementFault(":M=>le[3]", "parentheses"));
  CHECK(statementFault(":M=>paralel", "did you mean `parallel`?"));
  CHECK(statementFault(":M=>vector", "known are `parallel`"));
  CHECK(statementFault(":M=>parallel block(4)", "commas"));
  CHECK(statementFault(":M=>parallel,", "expected a property"));
  CHECK(statementFault(":M=>parallel,parallel", "twice"));
  CHECK(statementFault(":M=>parallel(3)", "no argument"));
  CHECK(statementFault(":M=>reduce", "needs an operation"));
  CHECK(statementFault(":M=>reduce(+)", "write `sum`"));
  CHECK(statementFault(":M=>reduce(prod)", "unknown reduction"));
  CHECK(statementFault(":M=>reduce(sum:a:b)", "one target name"));
  CHECK(statementFault("M=>parallel", "write `:M`"));
  CHECK(statementFault("1:=>parallel", "upper bound"));
  CHECK(statementFault("1:M:0=>parallel", "positive integer"));
  CHECK(statementFault(":M", "expected `=>`"));
  CHECK(statementFault(":C=>le(128) atomic", "stands first"));
  CHECK(statementPragma(":M+=>parallel").only(DiagId::Syntax, 2, "`M+`"));
  CHECK(parseBody("#Pragma parallel for\nx = 1").only(DiagId::UnknownPragma, 2, "did you mean `pragma`?"));
  CHECK(parseBody("#pragam :M=>parallel\nx = 1").only(DiagId::UnknownPragma, 2, "did you mean `pragma`?"));
}

TEST_CASE("comments that are no pragmas are left alone", "[frontend][pragma]") {
  CHECK(parseBody("# pragma: no cover\n#pragmatic\n#pragma\n# the pragma below\n# program parallel\nx = 1  # "
                  "parallel for")
            .ok());
}

TEST_CASE("a pragma belongs to the next statement of its block", "[frontend][pragma]") {
  const Parsed p = parseBody("# pragma parallel for\n"
                             "# a comment and a blank line may lie between\n"
                             "\n"
                             "for i in range(n):\n"
                             "    #\tpragma atomic\n"
                             "    a[0] += 1\n"
                             "    #pragma simd\n"
                             "    for j in range(n):\n"
                             "        pass\n"
                             "#pragma :n=>parallel\n"
                             "x = (a +\n"
                             "     1)\n"
                             "if n:\n"
                             "    #pragma sequential for\n"
                             "    for k in range(n): pass");
  CHECK(p.ok());
  CHECK(p.has("(for i (call range n)\n      (loop parallel)\n      (+= (index a 0) 1 (statement atomic))\n"
              "      (for j (call range n)\n        (loop simd)"));
  CHECK(p.has("(assign x (+ a 1) (statement (dim :n parallel)))"));
  CHECK(p.has("(for k (call range n)\n          (loop sequential)"));
}

TEST_CASE("a pragma that is attached to nothing is an error", "[frontend][pragma]") {
  const auto stray = [](const std::string& body, uint32_t line, std::string_view part) {
    return parseBody(body).only(DiagId::StrayPragma, line, part);
  };
  CHECK(stray("#pragma parallel for\nx = 1", 2, "stands above an assignment"));
  CHECK(stray("#pragma parallel for\nwhile n:\n    pass", 2, "a `while` loop"));
  CHECK(stray("#pragma atomic\nfor i in a:\n    pass", 2, "a `for` loop"));
  CHECK(stray("#pragma atomic\nreturn n", 2, "a `return`"));
  CHECK(stray("#pragma atomic\nprint(n)", 2, "a call"));
  CHECK(stray("#pragma atomic\n'''doc'''\nx = 1", 2, "docstring"));
  CHECK(stray("x = 1\n#pragma atomic", 3, "no statement follows"));
  CHECK(stray("if n:\n    x = 1\n    #pragma simd\nfor i in a:\n    pass", 4, "no statement follows"));
  CHECK(stray("if n:\n    x = 1\n    #pragma simd\nelse:\n    for i in a: pass", 4, "no statement follows"));
  CHECK(stray("if n:\n    x = 1\n#pragma simd\nelse:\n    for i in a: pass", 4, "no statement follows"));
  CHECK(stray("for i in a:\n#pragma simd\n    for j in a: pass", 3, "indented differently"));
  CHECK(stray("for i in a:  #pragma parallel\n    pass", 2, "line above the `for`"));
  CHECK(stray("x = 1  #pragma atomic", 2, "behind a statement"));
  CHECK(stray("x = (1 +\n     #pragma atomic\n     2)", 3, "inside a statement"));
  CHECK(stray("x = (1 +\n#pragma atomic\n     2)\ny = 1", 3, "inside a statement"));
  CHECK(parse("#pragma parallel for\nfor i in x: pass\n").only(DiagId::StrayPragma, 1, "outside a function"));
  CHECK(parse("@appy.jit\n#pragma simd\ndef f(a: f64):\n    for i in a: pass\n")
            .only(DiagId::StrayPragma, 2, "inside"));
}

TEST_CASE("two pragmas of one class above one statement", "[frontend][pragma]") {
  const Parsed p = parseBody("#pragma atomic\n#pragma :n=>parallel\na[:n] = 1");
  CHECK(p.only(DiagId::DuplicatePragma, 3, "one combined line"));
  CHECK(p.errors[0].notes.size() == 1);
  CHECK(parseBody("#pragma simd\n#pragma parallel\nfor i in a: pass").errors.size() == 1);
}

//===- signatures -----------------------------------------------------------------------------------===//

TEST_CASE("annotations", "[frontend][signature]") {
  const Parsed q = parse(
      "def f(alpha: f64, A: f64[M, K+1], b: 'float32[:, ::1]', n: int, x: np.uint8, y: dace.float64[N],\n"
      "      c: complex, d: bool, e: bool_[3], BN=64) -> tuple[f64, i32[(M+1)//2]]:\n    pass\n"
      "def g(a: f64) -> f64[:]: pass\ndef h(a: f64) -> (f64, c64): pass\ndef k(a: f64) -> None: pass\n"
      "def m() -> f64: pass\n");
  CHECK(q.ok());
  CHECK(q.has("(signature f64 f64[M, K+1] f32[:, :] ~i64 u8 f64[N] ~c128 bool bool[3] constant -> f64 "
              "i32[(M+1)//2])"));
  CHECK(q.has("(signature f64 -> f64[:])"));
  CHECK(q.has("(signature f64 -> f64 c64)"));
  CHECK(q.has("(signature f64 ->)"));
  CHECK(q.has("(signature -> f64)"));
  const Parsed slices =
      parse("def g(a: f64[:, N], b: float64[::1], c: i8[:, ::1] = 0) -> tuple[f64[:], i64[:, :]]:\n"
            "    x: f64[:] = a[:]\n    s = 'f64[:'  # f64[:\n    return x\n");
  CHECK(slices.ok());
  CHECK(slices.has("(signature f64[:, N] f64[:] i8[:, :] -> f64[:] i64[:, :])"));
  // Arrays that are named nearly as a type is are sliced elsewhere.
  const Parsed named =
      parse("def g(half: f64[:], i1: i64[:]):\n    i1[1:] = i1[:-1]\n    if i1[0] > 0: half[1:] = 0.0\n"
            "    else: half[:-1] = 1.0\n");
  CHECK(named.ok());
  CHECK(slices.has("(assign x (index a (slice _ _ _)))"));
}

TEST_CASE("comments give one signature or several", "[frontend][signature]") {
  const Parsed p = parse("#appyc: def f(a: f64[N], n: i64) -> f64[N]\n"
                         "# appyc: def f(f32[N], i64)\n"
                         "# another comment\n"
                         "@appy.jit\n"
                         "#appyc: def f(n: i32,   \n"
                         "#     a: u8[N]) -> None:\n"
                         "def f(a, n, BN=64): pass\n"
                         "# appyc is not meant here\n");
  CHECK(p.ok());
  CHECK(p.has("(signature f64[N] i64 constant -> f64[N])\n    (signature f32[N] i64 constant)\n"
              "    (signature u8[N] i32 constant ->)"));
}

TEST_CASE("signatures of the command line replace those of the source", "[frontend][signature]") {
  const std::string text = "def f(a: f64, b): pass\ndef g(x): pass\n";
  const Parsed p = parse(text, {"f(f32, f32[N])", "f(a: i8, b: i8) -> i8", "def g(x: f64[N, M])"});
  CHECK(p.ok());
  CHECK(p.has("(signature f32 f32[N])\n    (signature i8 i8 -> i8)"));
  CHECK(p.has("(signature f64[N, M])"));
  CHECK(parse("def gemm(a): pass\n", {"gem(f64)"}).only(DiagId::BadSignature, 1, "did you mean `gemm`?"));
  CHECK(parse("def g(a): pass\n", {"g"}).only(DiagId::BadSignature, 1, "is not a signature"));
  CHECK(parse("\n\ndef g(a): pass\n", {"g(f64, f64)"}).only(DiagId::BadSignature, 3, "too many types"));
  CHECK(parse("def g(a): pass\n", {"g(f65)"}).only(DiagId::BadSignature, 1, "unknown type `f65`"));
  CHECK(parse("def g(a): pass\n", {"g(f64"}).only(DiagId::BadSignature, 1, "brackets"));
  CHECK(parse("def g(a): pass\n", {"g(f64) f64"}).only(DiagId::BadSignature, 1, "expected `->`"));
}

TEST_CASE("faulty signatures", "[frontend][signature]") {
  const auto fault = [](const std::string& comment, std::string_view part) {
    return parse("#appyc: " + comment + "\ndef f(alpha, b): pass\n").only(DiagId::BadSignature, 1, part);
  };
  CHECK(fault("def f(alpha: f64)", "no type for the parameter `b`"));
  CHECK(fault("def f()", "no type for the parameters `alpha`, `b`"));
  CHECK(fault("def f(f64, f64, f64)", "too many types: `f` has 2 parameters, the signature 3"));
  CHECK(fault("def f(alpa: f64, alpha: f64, b: f64)", "did you mean `alpha`?"));
  CHECK(fault("def f(alpha: f64, alpha: f64, b: f64)", "has a type already"));
  CHECK(fault("def f(alpha: flaot64, b: f64)", "did you mean `float64`?"));
  CHECK(fault("def f(alpha: set, b: f64)", "unknown type `set`"));
  CHECK(fault("def f(alpha: numba.i8, b: f64)", "without a prefix"));
  CHECK(fault("def f(alpha: f8, b: f64)", "write `f64`"));
  CHECK(fault("def f(alpha: float16, b: f64)", "half precision"));
  CHECK(fault("def f(alpha: f64[], b: f64)", "scalar"));
  CHECK(fault("def f(alpha: f64[N,,M], b: f64)", "extent is missing"));
  CHECK(fault("def f(alpha: f64[1:N], b: f64)", "is not an extent"));
  CHECK(fault("def f(alpha: f64[N][M], b: f64)", "is not a type"));
  CHECK(fault("def f(alpha: , b: f64)", "a type is missing"));
  CHECK(fault("def f(alpha: f64 = 3, b: f64)", "no default values"));
  CHECK(fault("def g(alpha: f64, b: f64)", "the function below is `f`"));
  CHECK(fault("f(f64, f64)", "expected `def`"));
  CHECK(parse("#appyc: def f(alpha: f64[N +], b: f64)\ndef f(alpha, b): pass\n")
            .only(DiagId::Syntax, 1, "`N +`"));
  CHECK(parse("#appyc: def f(a: f64)\nx = 1\n").only(DiagId::BadSignature, 1, "stands above no function"));
  CHECK(parse("class C:\n    #appyc: def f(a: f64)\n    def f(a): pass\n")
            .only(DiagId::BadSignature, 2, "no function"));
  CHECK(parse("def f(a: f64, b): pass\n").only(DiagId::BadSignature, 1, "no type for the parameter `b`"));
  CHECK(parse("def f(a: f64, b=[1]): pass\n").only(DiagId::BadSignature, 1, "constant default"));
  CHECK(parse("def f(a: f46[N]): pass\n").only(DiagId::BadSignature, 1, "did you mean `f64`?"));
  CHECK(parse("def f(a: f64): pass\ndef f(a: f32): pass\n").only(DiagId::BadSignature, 1, "defined again"));
}

TEST_CASE("annotations of other kinds make no signature", "[frontend][signature]") {
  const Parsed p = parse("def a(x: bytes) -> str: return f'{x}'\ndef b(x: np.ndarray, n: int = 3): yield\n"
                         "def c(x, n: int): yield\ndef d() -> None: yield\ndef e(x: list[str]): yield\n"
                         "def g(n: int) -> 'Thing': yield\ndef h(x): yield\n");
  CHECK(p.ok());
  CHECK(p.module.functions.empty());
}

TEST_CASE("all errors of a file come in one run", "[frontend]") {
  const Parsed p = parse("def f(a: f65):\n    yield\ndef g(a: f64):\n    #pragma foo\n    global a\n");
  CHECK(p.errors.size() == 4);
}

//===- hostile texts --------------------------------------------------------------------------------===//

TEST_CASE("syntax errors", "[frontend][robust]") {
  const auto fault = [](const std::string& text, uint32_t line, std::string_view part) {
    return parse(text).only(DiagId::Syntax, line, part);
  };
  CHECK(fault("x = (1 +\ny = 2\n", 1, "`(` is never closed"));
  CHECK(fault("x = foo(1))\n", 1, "`)` closes nothing"));
  CHECK(fault("x = (1]\n", 1, "`]` does not close `(`"));
  CHECK(fault("x = [1,\n\ndef g(a: f64):\n    return a\n", 1, "`[` is never closed"));
  CHECK(fault("for i in range(3)\n    x = 1\n", 1, "expected `:`"));
  CHECK(fault("x = 'abc\ny = 1\n", 1, "string"));
  CHECK(fault("x = a $ b\n", 1, "invalid syntax near"));
  CHECK(fault("x = 1\n  y = 2\n", 2, "indentation"));
  CHECK(fault("def f(a: f64):\nx = 1\n", 1, "expected an indented block"));
  CHECK(parseBody("if n:\n    x = 1\n  y = 2").only(DiagId::Syntax, 4, "indented differently"));
  CHECK(parseBody("else:\n    x = 1").errors.size() >= 1);
  CHECK(parseBody("print n").only(DiagId::Syntax, 2, "expected `(`"));
  CHECK(parseBody("break").only(DiagId::Syntax, 2, "outside a loop"));
  CHECK(parseBody("g(a=1, 2)").only(DiagId::Syntax, 2, "positional"));
  CHECK(parse("def f(a: f64, a: f64): pass\n").only(DiagId::Syntax, 1, "two parameters"));
  std::string many;
  for (int i = 0; i < 50; ++i) many += "x = a $ b\n\n\n";
  CHECK(parse(many).errors.size() == 3);
}

TEST_CASE("unreadable files", "[frontend][robust]") {
  CHECK(parse("x = 1\ny = '\xFF'\n").only(DiagId::Unreadable, 2, "UTF-8"));
  CHECK(parse(std::string("x = 1\n\0y", 8)).only(DiagId::Unreadable, 2, "NUL"));
  CHECK(parse("\xEF\xBB\xBF"
              "def f(a: f64): return a\n")
            .has("(return a)"));
  CHECK(parse("\xEF\xBB\xBF"
              "def f(a: f64): return a\n")
            .ok());
  CHECK(parse("").ok());
  CHECK(parse("# nothing").ok());
}

TEST_CASE("line ends and tabs", "[frontend][robust]") {
  const Parsed p =
      parse("#appyc: def f(a: f64[N])\r\ndef f(a):\r\n\t#pragma parallel for\r\n\tfor i in range(3):\r\n"
            "\t\t#pragma atomic\r\n\t\ta[i] += 1\r\n");
  CHECK(p.ok());
  CHECK(p.has("(loop parallel)"));
  CHECK(p.has("(statement atomic)"));
}

TEST_CASE("deep nesting is refused, not followed", "[frontend][robust]") {
  const auto nested = [](size_t n) { return std::string(n, '(') + "a" + std::string(n, ')'); };
  CHECK(parseBody("x = " + nested(100)).ok());
  CHECK(parseBody("x = " + nested(20000)).only(DiagId::TooDeep, 2, "200 levels"));
  std::string sum = "x = a";
  for (int i = 0; i < 20000; ++i) sum += " + a";
  CHECK(parseBody(sum).only(DiagId::TooDeep, 2, "200 levels"));
  std::string elifs = "if a: pass\n";
  for (int i = 0; i < 1000; ++i) elifs += "elif a: pass\n";
  CHECK(parseBody(elifs).only(DiagId::TooDeep, 2, "200 levels"));
  CHECK(parse("def f(a: f64, b=" + nested(20000) + "): pass\n").errors.size() == 2);
  CHECK(parse("X = " + std::string(500000, '-') + "1\n").ok());
  CHECK(parse("def f(a: f64[" + nested(20000) + "]): pass\n").only(DiagId::TooDeep, 1, "200 levels"));
  CHECK(parseBody("#pragma :" + nested(20000) + "=>parallel\nx = 1").only(DiagId::TooDeep, 2, "200 levels"));
}

TEST_CASE("a file cut off or damaged anywhere does no harm", "[frontend][robust]") {
  const std::string text =
      "import numpy as np\nN = 3\n"
      "#appyc: def f(a: f64[N], n: i64) -> f64[N]\n@jit(x=1)\n"
      "def f(a, n, b='t', *c):\n    \"\"\"doc\"\"\"\n"
      "    #pragma parallel for simd(4) num_warps(2)\n    for i in range(n):\n"
      "        #pragma atomic :M=>le(4), parallel i:N=>reduce(sum:a)\n"
      "        a[i, :n] += np.sum(x[1:2, None], axis=0) if not n < 3 <= 4j else -0x1F\n"
      "    while a and b: break\n"
      "    x = [i for i in (1, 2)] + f'{a!r:>{n}}' + {1: 2}\n"
      "    if a:\n        pass\n    elif b:\n        del a\n    else:\n        return a, b\n";
  for (size_t length = 0; length <= text.size(); ++length) parse(text.substr(0, length));
  for (size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged.erase(at, 1);
    parse(damaged);
    for (const char c : {'(', ')', '\n', '#', '"', ':', '\t'}) {
      damaged = text;
      damaged[at] = c;
      parse(damaged);
    }
  }
  SUCCEED();
}

//===- labels ---------------------------------------------------------------------------------------===//

namespace {
Parsed parseLabels(const std::string& body, const std::vector<std::string>& schedules = {},
                   const std::vector<std::string>& file = {}) {
  std::istringstream in(body);
  std::string text = "import parpy\ndef f(a: f64[N], n: i64):\n";
  for (std::string line; std::getline(in, line);) text += "    " + line + "\n";
  const Source source("k.py", text);
  Diagnostics diag;
  Parsed result;
  result.module = frontend::parse(source, {}, diag, {schedules, file});
  result.ast = print(result.module);
  result.errors = diag.all();
  result.rendered = renderText(diag, source, false, true);
  return result;
}
} // namespace

TEST_CASE("a label with an entry makes its loop parallel", "[frontend]") {
  const std::string loop = "parpy.label('i')\nfor i in range(n):\n    a[i] = 1.0";
  const auto markOf = [](const Parsed& p) {
    const ast::Stmt& last = p.module.functions.at(0).body.back();
    return last.as<ast::For>()->directive;
  };
  CHECK(markOf(parseLabels(loop)).mark == ast::LoopMark::None);
  CHECK(markOf(parseLabels(loop, {"i=threads(64)"})).mark == ast::LoopMark::Parallel);
  CHECK(markOf(parseLabels(loop, {"f.i=threads(n).tpb(64)"})).warps == 2);
  CHECK(parseLabels(loop, {"g.i=threads(64)"}).errors.size() == 1); // there is no g
  CHECK(
      parseLabels(loop, {"j=threads(64)"}).errors.at(0).text.find("--par: no statement has the label `j`") ==
      0);
  CHECK(markOf(parseLabels(loop, {"i=threads(64).tpb(32)"}, {"f.i=threads(9).tpb(64)"})).warps == 1);
  CHECK(markOf(parseLabels(loop, {}, {"f.i=threads(9).tpb(64)"})).warps == 2);
  CHECK(parseLabels("with parpy.gpu:\n    " + std::string("a[0] = 1.0")).ok());
  CHECK_FALSE(parseLabels("with parpy.cpu:\n    a[0] = 1.0").ok());
  CHECK(parseLabels("parpy.label('i')\nreturn a").only(DiagId::StrayPragma, 3, "stands above a `return`"));
  CHECK(parseLabels("parpy.label('i')").only(DiagId::StrayPragma, 3, "stands above nothing"));
}
