//===- Ufuncs.cpp - NumPy's elementwise functions, with `out=`, `where=` and `dtype=` -------------------===//
#include "Arguments.h"
#include "Lowering.h"
#include <limits>

namespace appyc::sema {

/// An operand may be cast to `to` under the rule "same_kind"; Python's numbers where their kind is not higher.
static bool isSameKind(Strength from, DType to) {
  return from.weak ? promote(from, {to, false}).type == to : sameKind(from.type, to);
}

/// Among themselves, Python's numbers are what np.asarray makes of them.
static void makeStrong(std::vector<Value>& operands) {
  auto isPython = [](const Value& v) { return v.as<Scalar>() && v.as<Scalar>()->weak; };
  if (std::all_of(operands.begin(), operands.end(), isPython))
    for (Value& v : operands) v = Value{Scalar{v.as<Scalar>()->e, false}};
}

/// `dtype=` says in which type is computed: the operands are cast to it first. Bool is that of results which
/// are bools by themselves.
bool Lowering::castOperands(const std::string& fn, std::vector<Value>& operands, DType type, Span where) {
  if (ir::isBool(type)) return true;
  for (Value& v : operands) {
    std::optional<Strength> s = strengthOf(v, where);
    if (!s) return false;
    if (!isSameKind(*s, type)) {
      error(DiagId::TypeMismatch, where,
            fmt::format("np.{} with dtype={} cannot cast its operand of {}; convert with .astype first", fn,
                        ir::numpyName(type), ir::name(s->type)));
      return false;
    }
    v = castTo(v, type, where);
    if (v.isError()) return false;
  }
  return true;
}

/// NumPy raises for negative exponents of integers where `where=` holds; elsewhere it does not look at them.
Value Lowering::exponentWhereAsked(const Value& base, const Value& exponent, const Bound& b) {
  const Value* mask = b.find("where");
  if (!mask || constantArgument(*mask) == 1 || !isMask(*mask)) return exponent; // what is none is told later
  const std::optional<Strength> type = promoteAll({base, exponent}, b.where);
  if (!type) return Value{};
  if (!ir::isInteger(type->type)) return exponent;
  const auto* s = exponent.as<Scalar>();
  const Value strong = s && s->weak ? castTo(exponent, type->type, b.where) : exponent;
  const std::optional<Strength> own = strengthOf(strong, b.where);
  if (!own) return Value{};
  return where3(*mask, strong, Value{Scalar{ir::constOf(own->type, 0)}}, b.where);
}

Value Lowering::ufunc(const std::string& fn, std::vector<Value> operands, const Bound& b) {
  makeStrong(operands);
  std::optional<DType> type;
  if (const Value* given = b.given("dtype")) {
    std::optional<Strength> s = dtypeArgument(*given, b.where);
    if (!s || !castOperands(fn, operands, s->type, b.where)) return Value{};
    type = s->type;
  }
  if (fn == "power") operands[1] = exponentWhereAsked(operands[0], operands[1], b);
  Value result =
      fn == "matmul" ? matmul(operands[0], operands[1], b.where) : elementwiseFunction(fn, operands, b.where);
  std::optional<Strength> made = result.isError() ? std::nullopt : strengthOf(result, b.where);
  if (!made) return Value{};
  if (type && made->type != *type)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("NumPy has no np.{} with dtype={}", fn, ir::numpyName(*type)));
  return deliver(result, b);
}

Value Lowering::callUfunc(const Bound& b) {
  std::vector<Value> operands;
  for (const char* name : {"x", "x1", "x2", "x3"})
    if (const Value* v = b.find(name)) operands.push_back(*v);
  return ufunc(b.name(), std::move(operands), b);
}

bool isMask(const Value& v) {
  const auto* a = v.as<Array>();
  const auto* s = v.as<Scalar>();
  return (a && ir::isBool(a->type)) || (s && ir::isBool(s->type()));
}

/// The array that `out=` names. What NumPy would make for the call alone is a new one here, too.
std::optional<Array> Lowering::outArgument(const Value& given, const Bound& b) {
  const auto* a = given.as<Array>();
  if (a && !a->symbolic) return materialize(*a, "out");
  error(DiagId::TypeMismatch, b.where,
        fmt::format("`out=` of `{}` takes an array, not {}", b.display(), describe(given)));
  return std::nullopt;
}

/// A ufunc's result under its `out=` and `where=`.
Value Lowering::deliver(const Value& result, const Bound& b) {
  const Value *mask = b.find("where"), *given = b.given("out");
  const bool everywhere = !mask || constantArgument(*mask) == 1;
  if (!given && everywhere) return result;
  if (!given)
    return error(DiagId::Unsupported, b.where,
                 fmt::format("`where=` of `{}` without `out=` leaves the other elements undefined; give them "
                             "with `out=`, or write np.where",
                             b.display()));
  std::optional<Array> out = outArgument(*given, b);
  std::optional<Strength> type = strengthOf(result, b.where);
  if (!out || !type) return Value{};
  if (result.as<Selection>())
    return error(DiagId::Unsupported, b.where,
                 fmt::format("`out=` of `{}` does not take a selection by a mask", b.display()));
  if (!sameKind(type->type, out->type))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("NumPy cannot store {} into `out=` of {}; give an array of another type",
                             ir::name(type->type), ir::name(out->type)));
  Value stored = result;
  if (!everywhere) {
    std::optional<Strength> truths = strengthOf(*mask, b.where);
    if (!truths) return Value{};
    if (!ir::isBool(truths->type))
      return error(
          DiagId::TypeMismatch, b.where,
          fmt::format("`where=` of `{}` takes booleans, not {}", b.display(), ir::name(truths->type)));
    stored = where3(*mask, castTo(result, out->type, b.where), Value{*out}, b.where);
  }
  if (stored.isError()) return stored;
  if (toArray(stored).shape.size() > out->shape.size())
    return error(DiagId::ShapeMismatch, b.where,
                 fmt::format("`out=` of `{}` has fewer dimensions than the result", b.display()));
  assignPlace(*out, stored, b.where);
  return Value{*out};
}

/// The function of the elements, without any option.
Value Lowering::elementwiseFunction(const std::string& fn, std::vector<Value>& v, Span where) {
  if (auto it = arithmeticNames().find(fn); it != arithmeticNames().end())
    return arithmetic(it->second, v[0], v[1], where);
  if (auto it = comparisonNames().find(fn); it != comparisonNames().end())
    return compare(it->second, v[0], v[1], where);
  if (fn == "minimum" || fn == "maximum") {
    std::optional<Strength> promoted = promoteAll(v, where);
    if (!promoted) return Value{};
    Strength s = *promoted;
    auto op = fn == "minimum" ? ir::BinaryOp::Min : ir::BinaryOp::Max;
    return elementwise(
        v, s.type, s.weak,
        [op, s](const std::vector<Expr>& x) {
          return ir::binary(op, ir::cast(s.type, x[0]), ir::cast(s.type, x[1]));
        },
        where);
  }
  if (fn == "power") return power(v[0], v[1], where);
  if (fn == "negative") return unary(ast::UnaryOp::Neg, v[0], where);
  if (fn == "positive") return unary(ast::UnaryOp::Pos, v[0], where);
  if (fn == "invert") return unary(ast::UnaryOp::Invert, v[0], where);
  if (fn == "logical_not") return logicalNot(v[0], where);
  if (fn == "logical_and" || fn == "logical_or" || fn == "logical_xor") {
    auto op = fn == "logical_and"  ? ir::BinaryOp::LogicalAnd
              : fn == "logical_or" ? ir::BinaryOp::LogicalOr
                                   : ir::BinaryOp::Ne;
    return elementwise(
        v, DType::Bool, false,
        [op](const std::vector<Expr>& x) { return ir::binary(op, truth(x[0]), truth(x[1])); }, where);
  }
  return callIntrinsic(*ir::intrinsicNamed(fn), v, where);
}

/// NumPy computes a floating-point function in the smallest float that holds every operand's type: one of 16
/// bits for booleans and integers of 8, of 32 for those of 16. Python's numbers follow where their kind is
/// not a higher one.
std::optional<DType> Lowering::floatOperand(std::string_view fn, const std::vector<Value>& operands,
                                            Strength promoted, Span where) {
  if (promoted.weak) return ir::floatFor(promoted.type);
  std::optional<DType> plain, wide;
  bool half = true;
  for (const Value& v : operands) {
    Strength s = *strengthOf(v, where);
    if (s.weak && !ir::isBool(s.type)) continue;
    bool isSmall = ir::isBool(s.type) || (ir::isInteger(s.type) && ir::byteSize(s.type) <= 2);
    DType f = isSmall ? DType::F32 : ir::floatFor(s.type);
    half &= isSmall && ir::byteSize(s.type) == 1;
    plain = plain ? ir::promote(*plain, s.type) : s.type;
    wide = wide ? ir::promote(*wide, f) : f;
  }
  if (*plain != promoted.type) return ir::floatFor(promoted.type); // a Python number of a higher kind
  if (!half) return wide;
  error(DiagId::TypeMismatch, where,
        fmt::format("np.{} of {} is float16 in NumPy, which appyc has not; convert with .astype first", fn,
                    ir::name(*plain)));
  return std::nullopt;
}

Value Lowering::callIntrinsic(ir::Intrinsic fn, const std::vector<Value>& operands, Span where) {
  const ir::IntrinsicInfo& info = ir::info(fn);
  std::optional<Strength> promoted = promoteAll(operands, where, info.result == "Float");
  if (!promoted) return Value{};
  Strength s = *promoted;
  DType operand = s.type;
  if (info.result == "Float") {
    std::optional<DType> common = floatOperand(info.numpy, operands, s, where);
    if (!common) return Value{};
    operand = *common;
  }
  if (info.numpy == "sign" && ir::isBool(operand) && !s.weak)
    return error(DiagId::TypeMismatch, where, "NumPy has no np.sign of booleans");
  if (info.result == "Same" && ir::isBool(operand)) {
    bool widens = info.numpy == "square" || info.numpy == "conjugate"; // NumPy has these for numbers only
    operand = s.weak ? DType::I64 : widens ? DType::I8 : operand;
  }
  static const std::set<std::string_view> kNoComplex = {"floor", "ceil",     "trunc", "cbrt",     "arctan2",
                                                        "hypot", "copysign", "fabs",  "nextafter"};
  if (ir::isComplex(operand) && kNoComplex.count(info.numpy))
    return error(DiagId::TypeMismatch, where,
                 fmt::format("np.{} is not defined for complex numbers", info.numpy));
  if (info.result == "Real" && ir::isBool(operand) && s.weak) operand = DType::I64;
  DType result = info.result == "Bool" ? DType::Bool : info.result == "Real" ? ir::realOf(operand) : operand;
  bool unchanged =
      (info.numpy == "floor" || info.numpy == "ceil" || info.numpy == "trunc") && ir::isInteger(operand);
  bool realOnly = (info.numpy == "real" || info.numpy == "conjugate") && !ir::isComplex(operand);
  bool weak = s.weak && info.result != "Float" && info.result != "Bool";
  return elementwise(
      operands, result, weak,
      [=](const std::vector<Expr>& v) {
        if (unchanged || realOnly) return ir::cast(operand, v[0]);
        std::vector<Expr> x;
        for (const Expr& e : v) x.push_back(ir::cast(operand, e));
        return ir::call(fn, result, x);
      },
      where);
}

//===--- methods of ufuncs, and functions that are nearly ufuncs -----------------------------------------===//

/// np.add.reduce(a) of the functions that have a reduction.
Value Lowering::callUfuncReduce(const Bound& b) {
  static const std::map<std::string, std::string> kFolds = {{"add", "sum"},         {"multiply", "prod"},
                                                            {"minimum", "min"},     {"maximum", "max"},
                                                            {"logical_and", "all"}, {"logical_or", "any"}};
  auto fold = kFolds.find(b.ufunc);
  static const std::map<std::string, int64_t> kIdentities = {{"bitwise_or", 0},   {"bitwise_xor", 0},
                                                             {"bitwise_and", -1}, {"logical_xor", 0},
                                                             {"hypot", 0},        {"gcd", 0}};
  if (const auto* a = b["array"].as<Array>();
      a && comparisonNames().count(b.ufunc) > 0 && !ir::isBool(a->type))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("NumPy folds booleans alone by `{}`; write the comparison of the elements that "
                             "you mean, and `.all()`",
                             b.ufunc));
  const bool isOfLogarithms = b.ufunc == "logaddexp" || b.ufunc == "logaddexp2";
  if (fold == kFolds.end()) { // one after the other
    for (const char* name : {"dtype", "out", "initial", "where"})
      if (b.given(name) && !(name == std::string_view("where") && constantArgument(b[name]) == 1))
        return error(DiagId::Unsupported, b.where,
                     fmt::format("`{}=` of `{}` is not translated", name, b.display()));
    const auto identity = kIdentities.find(b.ufunc);
    const Value none = isOfLogarithms
                           ? Value{Scalar{ir::floatConst(-std::numeric_limits<double>::infinity()), true}}
                       : identity == kIdentities.end() ? Value{NoneValue{}}
                                                       : Value{Scalar{ir::intConst(identity->second), true}};
    return callLibrary(
        *libraryFunctionAt("_folded"),
        {{Value{Callable{"numpy." + b.ufunc}}, b["array"], b["axis"], b["keepdims"], none}, {}, b.where});
  }
  return reduction(fold->second, b["array"], b);
}

/// Each element of `a` with each of `b`.
Value Lowering::eachWithEach(const std::string& fn, const Value& x, const Value& y, const Bound& b) {
  const auto *first = x.as<Array>(), *second = y.as<Array>();
  if (!first || !second || first->shape.empty() || second->shape.empty())
    return functionAt("numpy." + fn) ? ufunc(fn, {x, y}, b) : callNamed("numpy." + fn, {{x, y}, {}, b.where});
  Array column = first->expensive || first->uninitialised ? materialize(*first, "t") : *first;
  const auto rank = static_cast<long>(column.shape.size());
  column.view = nullptr;
  column.shape.insert(column.shape.end(), second->shape.size(), ir::intConst(1));
  column.at = [at = column.at, rank](const Indices& i) { return at(Indices(i.begin(), i.begin() + rank)); };
  if (!functionAt("numpy." + fn)) return callNamed("numpy." + fn, {{Value{column}, y}, {}, b.where});
  return ufunc(fn, {Value{column}, y}, b);
}

Value Lowering::callUfuncOuter(const Bound& b) {
  const Function* row = functionAt("numpy." + b.ufunc);
  if (row && (row->parameters.size() < 2 || row->parameters[1].name != "x2"))
    return error(DiagId::TypeMismatch, b.where, fmt::format("`{}` takes a function of two", b.display()));
  std::vector<Value> operands; // NumPy makes arrays of them
  for (const char* name : {"A", "B"}) {
    operands.push_back(strong(b[name]));
    if (operands.back().as<Scalar>()) continue;
    const std::optional<Array> a = arrayArgument(b[name], b);
    if (!a) return Value{};
    operands.back() = Value{*a};
  }
  return eachWithEach(b.ufunc, operands[0], operands[1], b);
}

Value Lowering::callOuter(const Bound& b) {
  const std::optional<Array> x = arrayArgument(b["a"], b), y = arrayArgument(b["b"], b);
  if (!x || !y) return Value{};
  return eachWithEach("multiply", Value{flatOf(*x)}, Value{flatOf(*y)}, b);
}

/// np.matmul, and np.matvec of one matrix and one vector.
Value Lowering::callMatmul(const Bound& b) {
  const auto *m = b["x1"].as<Array>(), *v = b["x2"].as<Array>();
  if (b.name() == "matvec" && m && v && (m->shape.size() != 2 || v->shape.size() != 1))
    return error(
        DiagId::Unsupported, b.where,
        "np.matvec takes an array of 2 dimensions and one of 1 here; write `(a @ b[..., None])[..., 0]`");
  return ufunc("matmul", {b["x1"], b["x2"]}, b);
}

Value Lowering::callDot(const Bound& b) {
  std::vector<Value> v{b["a"], b[b.find("other") ? "other" : "b"]};
  Value result;
  if (v[0].as<Scalar>() || v[1].as<Scalar>()) {
    for (Value& x : v) // np.asarray of it, even beside an array
      x = strong(x);
    result = arithmetic(ir::BinaryOp::Mul, v[0], v[1], b.where);
  } else {
    const auto *x = v[0].as<Array>(), *y = v[1].as<Array>();
    const bool isOfArrays = x && y && !x->shape.empty() && y->shape.size() > 2;
    result = isOfArrays ? dotOfArrays(*x, *y, b.where) : matmul(v[0], v[1], b.where);
  }
  return result.isError() || !b.given("out") ? result : deliverExact(result, b);
}

/// z.real is a view of `z`, where it is an array.
Value Lowering::callPart(const Bound& b) {
  const Value& v = b["val"];
  const auto* array = v.as<Array>();
  const bool isReal = array && !ir::isComplex(array->type);
  if (isReal && b.name() == "real") return v; // the array itself
  Value result = callIntrinsic(*ir::intrinsicNamed(b.name()), {v}, b.where);
  const auto* part = result.as<Array>();
  if (isReal || !part || part->view || !array || !array->view || array->view->fancy) return result;
  Array shown = *part;
  shown.shares = array->view->buffer.name;
  return Value{shown};
}

Value Lowering::callFix(const Bound& b) { return ufunc("trunc", {b["x"]}, b); }

Value Lowering::callWhere(const Bound& b) {
  if (!b.find("x") && !b.find("y")) return callNonzero(b);
  if (!b.given("x") || !b.given("y"))
    return error(DiagId::TypeMismatch, b.where, "`np.where` takes a condition alone, or with two values");
  return where3(b["condition"], b["x"], b["y"], b.where);
}

} // namespace appyc::sema
