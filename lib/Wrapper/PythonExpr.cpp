//===- PythonExpr.cpp - ir expressions over sizes and scalars as Python --------------------------------===//
#include "PythonExpr.h"
#include "appyc/IR/Build.h"
#include "appyc/Support/InternalError.h"
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace appyc::wrapper {

using namespace ir;

namespace {
// Python's precedences, loosest first.
enum Precedence {
  Ternary,
  Or,
  And,
  Not,
  Comparison,
  BitOr,
  BitXor,
  BitAnd,
  Shift,
  Sum,
  Product,
  Sign,
  Power,
  Atom
};

struct Printed {
  std::string text;
  Precedence precedence = Atom;
};

struct Printer {
  const Names& names;

  std::string operand(const Expr& e, int least) const {
    Printed p = print(e);
    return p.precedence < least ? "(" + p.text + ")" : p.text;
  }
  std::string plain(const Expr& e) const { return operand(e, Ternary); }
  std::string callOf(std::string_view function, const Expr& a, const Expr& b) const {
    return fmt::format("{}({}, {})", function, plain(a), plain(b));
  }

  Printed print(const Expr& e) const {
    return match(
        e, [&](const Const& n) { return constant(n); }, [&](const Var& n) { return variable(n); },
        [&](const Unary& n) { return unary(n); }, [&](const Binary& n) { return binary(n); },
        [&](const Cast& n) { return cast(n); },
        [&](const Select& n) {
          return Printed{fmt::format("{} if {} else {}", operand(n.then, Or), operand(n.cond, Or),
                                     operand(n.otherwise, Or)),
                         Ternary};
        },
        [&](const ir::Call& n) { return call(n); }, [&](const Load&) { return unknown("an array element"); },
        [&](const Lookup& n) { return lookup(n); }, [&](const Reduce&) { return unknown("a reduction"); },
        [&](const Apply&) { return unknown("a function of the file"); },
        [&](const Hardware&) { return unknown("a thread index"); });
  }

  Printed lookup(const Lookup& n) const {
    std::string items;
    for (const Const& value : n.table->values) items += constant(value).text + ", ";
    return {fmt::format("({})[{}]", items, plain(n.index))};
  }

  static Printed unknown(std::string_view what) {
    internalError(fmt::format("the wrapper needs {} to know a size", what));
  }

  static Printed constant(const Const& n) {
    if (const auto* flag = std::get_if<bool>(&n.value)) return {*flag ? "True" : "False"};
    if (const auto* integer = std::get_if<int64_t>(&n.value))
      return {fmt::format("{}", *integer), *integer < 0 ? Sign : Atom};
    if (const auto* natural = std::get_if<uint64_t>(&n.value)) return {fmt::format("{}", *natural)};
    if (const auto* real = std::get_if<double>(&n.value)) {
      if (!std::isfinite(*real)) return {fmt::format("_float(\"{}\")", *real)};
      std::string text = fmt::format("{}", *real);
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      return {text, std::signbit(*real) ? Sign : Atom};
    }
    return unknown("a complex number");
  }

  Printed variable(const Var& n) const {
    auto found = names.find(n.name);
    if (found == names.end()) internalError(fmt::format("the wrapper does not know `{}`", n.name.hint()));
    return {found->second};
  }

  Printed unary(const Unary& n) const {
    switch (n.op) {
    case UnaryOp::Neg: return {"-" + operand(n.arg, Sign), Sign};
    case UnaryOp::BitNot: return {"~" + operand(n.arg, Sign), Sign};
    case UnaryOp::LogicalNot: return {"not " + operand(n.arg, Not), Not};
    }
    return {};
  }

  /// Operators that group to the left.
  Printed infix(const Binary& n, std::string_view symbol, Precedence p) const {
    return {fmt::format("{} {} {}", operand(n.lhs, p), symbol, operand(n.rhs, p + 1)), p};
  }
  Printed compare(const Binary& n, std::string_view symbol) const {
    return {fmt::format("{} {} {}", operand(n.lhs, BitOr), symbol, operand(n.rhs, BitOr)), Comparison};
  }
  /// Division in Python raises for 0; NumPy's does not.
  Printed division(const Binary& n, std::string_view symbol, std::string_view function) const {
    const auto* divisor = n.rhs.as<Const>();
    const auto* value = divisor ? std::get_if<int64_t>(&divisor->value) : nullptr;
    const auto* real = divisor ? std::get_if<double>(&divisor->value) : nullptr;
    if ((value && *value != 0) || (real && *real != 0)) return infix(n, symbol, Product);
    return {callOf(function, n.lhs, n.rhs)};
  }

  Printed binary(const Binary& n) const {
    const bool integer = !isFloat(typeOf(n.lhs));
    switch (n.op) {
    case BinaryOp::Add: return infix(n, "+", Sum);
    case BinaryOp::Sub: return infix(n, "-", Sum);
    case BinaryOp::Mul: return infix(n, "*", Product);
    case BinaryOp::Div: return division(n, "/", "_np.divide");
    case BinaryOp::FloorDiv: return division(n, "//", integer ? "_floordiv" : "_np.floor_divide");
    case BinaryOp::Mod: return division(n, "%", integer ? "_mod" : "_np.mod");
    case BinaryOp::Pow: return {fmt::format("{} ** {}", operand(n.lhs, Atom), operand(n.rhs, Sign)), Power};
    case BinaryOp::Min: return {callOf("_min", n.lhs, n.rhs)};
    case BinaryOp::Max: return {callOf("_max", n.lhs, n.rhs)};
    case BinaryOp::BitAnd: return infix(n, "&", BitAnd);
    case BinaryOp::BitOr: return infix(n, "|", BitOr);
    case BinaryOp::BitXor: return infix(n, "^", BitXor);
    case BinaryOp::Shl: return infix(n, "<<", Shift);
    case BinaryOp::Shr: return infix(n, ">>", Shift);
    case BinaryOp::Eq: return compare(n, "==");
    case BinaryOp::Ne: return compare(n, "!=");
    case BinaryOp::Lt: return compare(n, "<");
    case BinaryOp::Le: return compare(n, "<=");
    case BinaryOp::Gt: return compare(n, ">");
    case BinaryOp::Ge: return compare(n, ">=");
    case BinaryOp::LogicalAnd: return infix(n, "and", And);
    case BinaryOp::LogicalOr: return infix(n, "or", Or);
    }
    return {};
  }

  Printed cast(const Cast& n) const {
    const DType from = typeOf(n.arg);
    if (isBool(n.type)) return {fmt::format("{} != 0", operand(n.arg, BitOr)), Comparison};
    if (isFloat(n.type)) return {fmt::format("_float({})", plain(n.arg))};
    if (isComplex(n.type) || isComplex(from)) return unknown("a complex number");
    if (isBool(from) || (isFloat(from) && n.type == DType::I64))
      return {fmt::format("_int({})", plain(n.arg))};
    const bool fits = isInteger(from) && (isSigned(from) == isSigned(n.type)
                                              ? byteSize(from) <= byteSize(n.type)
                                              : isSigned(n.type) && byteSize(from) < byteSize(n.type));
    if (fits) return print(n.arg);
    return {fmt::format("_wrap({}, {}, {})", plain(n.arg), 8 * byteSize(n.type),
                        isSigned(n.type) ? "True" : "False")};
  }

  Printed call(const ir::Call& n) const {
    std::string args;
    for (const Expr& arg : n.args) args += (args.empty() ? "" : ", ") + plain(arg);
    return {fmt::format("_np.{}({})", info(n.fn).numpy, args)};
  }
};
} // namespace

std::string pythonExpr(const Expr& e, const Names& names) { return Printer{names}.plain(e); }

} // namespace appyc::wrapper
