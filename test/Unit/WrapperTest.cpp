//===- WrapperTest.cpp - Python expressions, generated modules, headers, dependency files -------------===//
#include "appyc/Wrapper/Wrapper.h"
#include "../../lib/Wrapper/PythonExpr.h"
#include "../../lib/Wrapper/PythonModule.h"
#include "appyc/IR/Build.h"
#include <catch2/catch.hpp>

using namespace appyc;
using namespace appyc::ir;
using namespace appyc::wrapper;

namespace {
Param arrayParam(const char* name, DType type, std::vector<Expr> extents, bool written = false) {
  return {Symbol(name), type, true, std::move(extents), written, false};
}
Param scalarParam(const char* name, DType type) { return {Symbol(name), type, false, {}, false, false}; }

/// `scale(a, x, y)`: y is written and returned.
Function scale(const char* name, DType type) {
  Function f;
  Symbol size("N");
  f.name = f.entry = name;
  f.params = {scalarParam("a", type), arrayParam("x", type, {var(size)}),
              arrayParam("y", type, {var(size)}, true)};
  f.sizes = {{size, 1, 0}};
  f.results = {{Result::Parameter, type, f.params[2].name, {}}};
  return f;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
Options options(bool cuda) {
  return {cuda, "appyc 1.2.3", "k.py", "appyc k.py", "k", "appyc_k_", "make \"it\"", "0123"};
}
} // namespace

TEST_CASE("expressions keep their meaning in Python") {
  const Symbol n("n"), m("m");
  const Names names{{n, "n"}, {m, "m"}};
  const Expr vn = var(n), vm = var(m);
  auto print = [&](const Expr& e) { return pythonExpr(e, names); };
  auto raw = [](BinaryOp op, Expr a, Expr b) {
    return make(Binary{DType::I64, op, std::move(a), std::move(b)});
  };
  CHECK(print(raw(BinaryOp::Sub, vn, raw(BinaryOp::Sub, vm, intConst(1)))) == "n - (m - 1)");
  CHECK(print(raw(BinaryOp::Mul, raw(BinaryOp::Add, vn, vm), intConst(2))) == "(n + m) * 2");
  CHECK(print(raw(BinaryOp::FloorDiv, vn, intConst(2))) == "n // 2");
  CHECK(print(raw(BinaryOp::FloorDiv, vn, vm)) == "_floordiv(n, m)");
  CHECK(print(raw(BinaryOp::Mod, vn, vm)) == "_mod(n, m)");
  CHECK(print(raw(BinaryOp::Max, vn, intConst(0))) == "_max(n, 0)");
  CHECK(print(raw(BinaryOp::Pow, intConst(-2), vn)) == "(-2) ** n");
  const Expr less = make(Binary{DType::Bool, BinaryOp::Lt, vn, vm});
  CHECK(print(make(Select{DType::I64, less, vn, vm})) == "n if n < m else m");
  CHECK(print(raw(BinaryOp::Add, make(Select{DType::I64, less, vn, vm}), intConst(1))) ==
        "(n if n < m else m) + 1");
  CHECK(print(make(Cast{DType::I64, var(n, DType::I32)})) == "n");
  CHECK(print(make(Cast{DType::U8, vn})) == "_wrap(n, 8, False)");
  CHECK(print(make(Cast{DType::I64, var(n, DType::F64)})) == "_int(n)");
  CHECK(print(make(Unary{DType::Bool, UnaryOp::LogicalNot, less})) == "not n < m");
}

TEST_CASE("strings are Python literals") { CHECK(quoted("a\"b\\c\n\x01") == "\"a\\\"b\\\\c\\n\\x01\""); }

TEST_CASE("dependency files are escaped as gcc's") {
  CHECK(escapeForMake("a b#c$d\\e") == "a\\ b\\#c$$d\\e");
  CHECK(escapeForMake("a\\ b") == "a\\\\\\ b");
  CHECK(depfile({"k.cu"}, {"src/k.py"}, false) == "k.cu: src/k.py\n");
  CHECK(depfile({"a", "b"}, {"k 1.py"}, true) == "a b: k\\ 1.py\n\nk\\ 1.py:\n");
}

TEST_CASE("a module contains the support that it uses, and no more") {
  Module module;
  module.functions = {scale("scale", DType::F64)};
  const std::string host = pythonModule(module, options(false)), device = pythonModule(module, options(true));
  CHECK(has(host, "def scale(a, x, y):"));
  CHECK(has(host, "raise _mismatch(\"y\", 0, y_shape[0], \"N\", N, \" (from `x` axis 0)\")"));
  CHECK(has(host, "_BUILD = \"make \\\"it\\\"\""));
  CHECK_FALSE(has(host, "_Complex128"));
  CHECK_FALSE(has(host, "_choose"));
  CHECK_FALSE(has(host, "stream"));
  CHECK(has(device, "def scale(a, x, y, *, stream=None):"));
  CHECK_FALSE(has(device, "_workspace("));
  CHECK(has(device, "None, stream)"));
  module.functions[0].body = makeStmt({}, Alloc{Buffer{Symbol("t"), DType::F64, {intConst(8)}}});
  CHECK(
      has(pythonModule(module, options(true)), "workspace, unused = _workspace(c, \"scale\", stream, N, a)"));
  CHECK(has(pythonModule(module, options(true)), "__all__ = [\"scale\", \"release_workspaces\"]"));
  CHECK(has(pythonModule(module, options(true)), "  unused.append(workspace)\n"));
}

TEST_CASE("names of the user's that the support uses are left to the user") {
  Module module;
  module.functions = {scale("max", DType::F64)};
  module.functions[0].params[1].name = Symbol("_array");
  Options withRuntime = options(true);
  withRuntime.standsAlone = false;
  const std::string text = pythonModule(module, options(true)), shared = pythonModule(module, withRuntime);
  CHECK(has(text, "def max(a, _array, y, *, stream=None):"));
  CHECK(has(text, "def _appyc_array(c, x, name, dtype, rank, written, copies):"));
  CHECK(has(shared, "_array as _appyc_array"));
  CHECK_FALSE(has(shared, "def _appyc_array"));
  CHECK_FALSE(has(shared, "\x01"));
  CHECK(has(text, "found += _appyc_array(c, x, *row, copies)"));
  CHECK(has(text, "(c, copies, stream, _array, y)"));
  CHECK_FALSE(has(text, "\x01"));
}

TEST_CASE("further signatures are chosen by kind") {
  Module module;
  module.functions = {scale("scale", DType::F64), scale("scale", DType::F32)};
  module.functions[1].entry = "scale_1";
  const std::string text = pythonModule(module, options(false));
  CHECK(has(text, "((\"float32\", (\"float32\", 1), (\"float32\", 1)), _scale_1),"));
  CHECK(has(text, "__all__ = [\"scale\"]"));
}

TEST_CASE("docstrings cannot end their literal") {
  Module module;
  module.functions = {scale("scale", DType::F64)};
  module.functions[0].docstring = "Says \"\"\" and \\.\n\n      indented\n    ";
  CHECK(has(pythonModule(module, options(false)),
            "\"\"\"Says \\\"\\\"\\\" and \\\\.\n\n    indented\n\n    a: float64\n"));
}

TEST_CASE("the header declares the entries") {
  Module module;
  module.functions = {scale("scale", DType::C128)};
  const std::string text = header(module, options(true));
  CHECK(has(
      text,
      "int appyc_k_scale(appyc_complex128 a, const appyc_complex128* x, appyc_complex128* y, int64_t N,"));
  CHECK(has(text, "#define appyc_k_scale_workspace(...) ((size_t)0)\n"));
  CHECK(has(text, "struct CUstream_st;"));
  const std::string host = header(module, options(false));
  module.functions[0].body = makeStmt({}, Alloc{Buffer{Symbol("t"), DType::F64, {intConst(8)}}});
  CHECK(has(header(module, options(true)), "size_t appyc_k_scale_workspace(int64_t N, appyc_complex128 a);"));
  CHECK(has(host, "int64_t N);"));
  CHECK(has(host, "  return appyc_k_scale(a, x, y, N);\n"));
  CHECK(has(host, "inline size_t appyc_k_scale_workspace(int64_t, appyc_complex128) {"));
}
