//===- Numpy.cpp - the NumPy functions appyc knows, as index functions ------------------------------===//
#include "Functions.h"
#include "Lowering.h"
#include "appyc/Sema/Sema.h"
#include "appyc/Support/Spelling.h"

namespace appyc::sema {

static const NumpyFunction* findFunction(std::string_view name) {
  for (const NumpyFunction& f : numpyFunctions())
    if (f.name == name) return &f;
  return nullptr;
}

Value Lowering::unknownFunction(const std::string& name, Span where) {
  std::vector<std::string_view> names;
  for (const NumpyFunction& f : numpyFunctions()) names.push_back(f.name);
  std::optional<std::string_view> nearest = nearestName(name, names);
  return error(
      DiagId::Unsupported, where,
      fmt::format("`{}` is not a function appyc translates{}; `appyc --list-functions` lists those it does",
                  name, nearest ? fmt::format("; did you mean `{}`?", *nearest) : ""));
}

Value Lowering::callNumpy(const std::string& given, Arguments& args) {
  auto alias = aliases().find(given);
  const std::string& fn = alias == aliases().end() ? given : alias->second;
  std::vector<Value>& v = args.positional;
  Span where = args.where;
  if (size_t dot = fn.find('.'); dot != std::string::npos)
    return callUfuncMethod(fn.substr(0, dot), fn.substr(dot + 1), args);
  const NumpyFunction* row = findFunction(given);
  if (!row) return unknownFunction(given, where);
  if (row->group == "reduction") return reduceCall(fn, args);
  if (row->group == "creation") return makeArray(fn, args);
  if (auto it = arithmeticNames().find(fn); it != arithmeticNames().end() && v.size() == 2)
    return arithmetic(it->second, v[0], v[1], where);
  if (auto it = comparisonNames().find(fn); it != comparisonNames().end() && v.size() == 2)
    return compare(it->second, v[0], v[1], where);
  if ((fn == "minimum" || fn == "maximum") && v.size() == 2) {
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
  if (fn == "power" && v.size() == 2) return power(v[0], v[1], where);
  if (fn == "negative" && v.size() == 1) return unary(ast::UnaryOp::Neg, v[0], where);
  if (fn == "invert" && v.size() == 1) return unary(ast::UnaryOp::Invert, v[0], where);
  if (fn == "logical_not" && v.size() == 1) return logicalNot(v[0], where);
  if ((fn == "logical_and" || fn == "logical_or" || fn == "logical_xor") && v.size() == 2) {
    auto op = fn == "logical_and"  ? ir::BinaryOp::LogicalAnd
              : fn == "logical_or" ? ir::BinaryOp::LogicalOr
                                   : ir::BinaryOp::Ne;
    return elementwise(
        v, DType::Bool, false,
        [op](const std::vector<Expr>& x) { return ir::binary(op, truth(x[0]), truth(x[1])); }, where);
  }
  if (fn == "where" && v.size() == 3) return where3(v[0], v[1], v[2], where);
  if ((fn == "matmul" || fn == "dot") && v.size() == 2) {
    if (fn == "dot" && (v[0].as<Scalar>() || v[1].as<Scalar>()))
      return arithmetic(ir::BinaryOp::Mul, v[0], v[1], where);
    return matmul(v[0], v[1], where);
  }
  if (fn == "outer" && v.size() == 2)
    if (const auto* a = v[0].as<Array>(), *b = v[1].as<Array>();
        a && b && a->shape.size() == 1 && b->shape.size() == 1)
      return callUfuncMethod("multiply", "outer", args);
  if (fn == "linspace" && v.size() >= 2) return linspace(args);
  if (fn == "count_nonzero" && v.size() == 1 && args.keywords.empty()) {
    Value mask = castTo(v[0], DType::Bool, where);
    if (mask.isError()) return mask;
    args.positional = {mask};
    Value count = reduceCall("sum", args);
    return count.as<Scalar>() ? Value{Scalar{count.as<Scalar>()->e, true}} : count;
  }
  if (fn == "transpose" && v.size() == 1)
    if (const auto* a = v[0].as<Array>()) return transpose(*a);
  if ((fn == "copy" || fn == "array" || fn == "asarray" || fn == "ascontiguousarray") && v.size() == 1) {
    if (fn == "asarray" || !v[0].as<Array>()) return v[0];
    Array copy = *v[0].as<Array>();
    const bool mayShare = fn == "ascontiguousarray" && copy.view && !copy.view->fancy;
    if (mayShare && copy.view->whole) return v[0];
    copy.shares = mayShare ? copy.view->buffer.name : Symbol();
    copy.view = nullptr;
    return Value{copy};
  }
  if (std::optional<ir::Intrinsic> intrinsic = ir::intrinsicNamed(fn);
      intrinsic && *intrinsic != ir::Intrinsic::WrapIndex) {
    Value result = callIntrinsic(*intrinsic, args);
    const auto *part = result.as<Array>(), *of = v.empty() ? nullptr : v[0].as<Array>();
    if ((fn != "real" && fn != "imag") || !part || part->view || !of || !of->view || of->view->fancy)
      return result;
    Array shown = *part;
    shown.shares = of->view->buffer.name;
    return Value{shown};
  }
  return error(DiagId::Unsupported, where, fmt::format("`{}` is not translated with these arguments", given));
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

/// np.add.outer(a, b) and np.add.reduce(a) of the binary functions.
Value Lowering::callUfuncMethod(const std::string& fn, const std::string& method, Arguments& args) {
  static const std::map<std::string, std::string> kFolds = {{"add", "sum"},         {"multiply", "prod"},
                                                            {"minimum", "min"},     {"maximum", "max"},
                                                            {"logical_and", "all"}, {"logical_or", "any"}};
  std::vector<Value>& v = args.positional;
  if (method == "reduce" && kFolds.count(fn) && !v.empty()) {
    if (v.size() == 1) args.keywords.emplace("axis", Value{Scalar{ir::intConst(0), true}}); // unlike np.sum
    return reduceCall(kFolds.at(fn), args);
  }
  if (method == "outer" && v.size() == 2 && args.keywords.empty()) {
    if (const auto* a = v[0].as<Array>(), *b = v[1].as<Array>();
        a && b && !a->shape.empty() && !b->shape.empty()) {
      Array column = a->expensive || a->uninitialised ? materialize(*a, "t") : *a;
      column.view = nullptr;
      column.shape.insert(column.shape.end(), b->shape.size(), ir::intConst(1));
      column.at = [at = column.at, rank = static_cast<long>(a->shape.size())](const Indices& i) {
        return at(Indices(i.begin(), i.begin() + rank));
      };
      v[0] = Value{column};
    }
    return callNumpy(fn, args);
  }
  return error(DiagId::Unsupported, args.where,
               fmt::format("`np.{}.{}` with these arguments is not a function appyc translates", fn, method));
}

/// start + i * step, the last one exactly `stop`.
Value Lowering::linspace(Arguments& args) {
  std::vector<Value>& v = args.positional;
  Span where = args.where;
  bool endpoint = true;
  std::optional<Strength> dtype;
  Value num = v.size() > 2 ? v[2] : Value{Scalar{ir::intConst(50), true}};
  for (const auto& [name, value] : args.keywords) {
    if (name == "num")
      num = value;
    else if (name == "endpoint" && constantArgument(value))
      endpoint = *constantArgument(value) != 0;
    else if (name != "dtype" || !(dtype = dtypeArgument(value, where)))
      return error(DiagId::Unsupported, where,
                   fmt::format("`{}` of np.linspace is not supported as it is given", name));
  }
  std::optional<Strength> a = strengthOf(v[0], where), b = strengthOf(v[1], where);
  std::optional<std::vector<Expr>> shape = shapeArgument(num, where);
  if (!a || !b || !shape) return Value{};
  if (!v[0].as<Scalar>() || !v[1].as<Scalar>() || shape->size() != 1 || v.size() > 3 ||
      ir::isInteger(dtype.value_or(Strength{DType::F64}).type))
    return error(DiagId::Unsupported, where, "np.linspace takes two numbers and a count, and makes floats");
  DType type = ir::floatFor(promote(promote(*a, *b), {DType::F64, true}).type);
  Expr n = (*shape)[0], one = ir::intConst(1);
  auto fixed = [&](const Value& x) {
    Expr e = ir::cast(type, x.as<Scalar>()->e);
    return isStable(e) ? e : materialize(e, "t");
  };
  Expr start = fixed(v[0]), stop = fixed(v[1]), parts = endpoint ? ir::sub(n, one) : n;
  Expr delta = ir::binary(ir::BinaryOp::Sub, stop, start);
  Expr step = materialize(ir::select(ir::binary(ir::BinaryOp::Gt, parts, ir::intConst(0)),
                                     ir::binary(ir::BinaryOp::Div, delta, ir::cast(type, parts)), delta),
                          "step");
  Array out;
  out.type = dtype ? dtype->type : type;
  out.shape = {n};
  out.at = [=, to = out.type](const Indices& i) {
    Expr x = ir::binary(ir::BinaryOp::Add, ir::binary(ir::BinaryOp::Mul, ir::cast(type, i[0]), step), start);
    Expr isLast = ir::binary(ir::BinaryOp::LogicalAnd, ir::binary(ir::BinaryOp::Gt, i[0], ir::intConst(0)),
                             ir::binary(ir::BinaryOp::Eq, i[0], ir::sub(n, ir::intConst(1))));
    return ir::cast(to, endpoint ? ir::select(isLast, stop, x) : x);
  };
  return Value{out};
}

Value Lowering::callIntrinsic(ir::Intrinsic fn, Arguments& args) {
  const ir::IntrinsicInfo& info = ir::info(fn);
  Span where = args.where;
  if (args.positional.size() != static_cast<size_t>(info.arity) || !args.keywords.empty())
    return error(DiagId::TypeMismatch, where,
                 fmt::format("`{}` takes {} argument(s) and no keywords", info.numpy, info.arity));
  std::optional<Strength> promoted = promoteAll(args.positional, where, info.result == "Float");
  if (!promoted) return Value{};
  Strength s = *promoted;
  DType operand = s.type;
  if (info.result == "Float") {
    std::optional<DType> common = floatOperand(info.numpy, args.positional, s, where);
    if (!common) return Value{};
    operand = *common;
  }
  if (info.numpy == "sign" && ir::isBool(operand) && !s.weak)
    return error(DiagId::TypeMismatch, where, "NumPy has no np.sign of booleans");
  if (info.result == "Same" && ir::isBool(operand)) {
    bool widens = info.numpy == "square" || info.numpy == "conjugate"; // NumPy has these for numbers only
    operand = s.weak ? DType::I64 : widens ? DType::I8 : operand;
  }
  static const std::set<std::string_view> kNoComplex = {"floor",   "ceil",  "trunc",    "cbrt",
                                                        "arctan2", "hypot", "copysign", "fabs"};
  if (ir::isComplex(operand) && kNoComplex.count(info.numpy))
    return error(DiagId::TypeMismatch, where,
                 fmt::format("np.{} is not defined for complex numbers", info.numpy));
  DType result = info.result == "Bool" ? DType::Bool : info.result == "Real" ? ir::realOf(operand) : operand;
  bool unchanged =
      (info.numpy == "floor" || info.numpy == "ceil" || info.numpy == "trunc") && ir::isInteger(operand);
  bool realOnly = (info.numpy == "real" || info.numpy == "conjugate") && !ir::isComplex(operand);
  bool weak = s.weak && info.result != "Float" && info.result != "Bool"; // math functions give NumPy's f64
  return elementwise(
      args.positional, result, weak,
      [=](const std::vector<Expr>& v) {
        if (unchanged || realOnly) return ir::cast(operand, v[0]);
        std::vector<Expr> x;
        for (const Expr& e : v) x.push_back(ir::cast(operand, e));
        return ir::call(fn, result, x);
      },
      where);
}

Value Lowering::arange(Arguments& args) {
  Span where = args.where;
  Array a;
  a.type = DType::I64;
  for (const Value& v : args.positional) {
    std::optional<Strength> s = strengthOf(v, where);
    if (!s) return Value{};
    if (!s->weak) a.type = ir::promote(a.type, s->type);
  }
  if (auto dtype = args.keywords.find("dtype"); dtype != args.keywords.end()) {
    std::optional<Strength> type = dtypeArgument(dtype->second, where);
    if (!type) return Value{};
    a.type = type->type;
  }
  Value r = callBuiltin("range", args);
  const auto* range = r.as<RangeValue>();
  std::optional<int64_t> step = range ? ir::constantInt(range->step) : std::nullopt;
  if (!step || *step == 0)
    return r.isError() ? r
                       : error(DiagId::Unsupported, where,
                               "np.arange takes integers and a constant step that is not 0");
  Expr lo = stable(range->lo), hi = stable(range->hi);
  Expr distance = *step > 0 ? ir::sub(hi, lo) : ir::sub(lo, hi);
  a.shape = {ir::maxOf(ir::ceilDiv(distance, ir::intConst(std::abs(*step))), ir::intConst(0))};
  a.at = [lo, s = *step, type = a.type](const Indices& i) {
    return ir::cast(type, ir::add(lo, ir::mul(i[0], ir::intConst(s))));
  };
  return Value{a};
}

Value Lowering::makeArray(const std::string& fn, Arguments& args) {
  std::vector<Value>& v = args.positional;
  Span where = args.where;
  bool like = fn.size() > 5 && fn.compare(fn.size() - 5, 5, "_like") == 0;
  std::string kind = like ? fn.substr(0, fn.size() - 5) : fn;
  size_t typeAt = kind == "full" ? 2 : 1;
  if (v.empty() || (kind == "full" && v.size() < 2))
    return error(DiagId::TypeMismatch, where, fmt::format("`np.{}` misses an argument", fn));
  Array a;
  a.type = DType::F64;
  Value fill{Scalar{ir::intConst(kind == "ones" ? 1 : 0), true}};
  if (kind == "full") {
    fill = v[1];
    if (std::optional<Strength> s = strengthOf(fill, where)) a.type = s->type;
  }
  if (kind == "arange") return arange(args);
  if (like) {
    a.shape = toArray(v[0]).shape;
    if (kind != "full")
      a.type = toArray(v[0]).type;
    else
      a.type = toArray(v[0]).type;
  } else {
    std::optional<std::vector<Expr>> shape = shapeArgument(v[0], where);
    if (!shape) return Value{};
    a.shape = *shape;
  }
  auto keyword = args.keywords.find("dtype");
  if (v.size() > typeAt || keyword != args.keywords.end()) {
    std::optional<Strength> type = dtypeArgument(v.size() > typeAt ? v[typeAt] : keyword->second, where);
    if (!type) return Value{};
    a.type = type->type;
  }
  const auto* s = fill.as<Scalar>();
  if (!s)
    return error(DiagId::Unsupported, where, "np.full takes a scalar; assign the array to a slice instead");
  Expr value = ir::cast(a.type, mentionsReduce(s->e) ? materialize(s->e, "s") : s->e);
  if (!isStable(value)) value = materialize(value, "s");
  a.uninitialised = kind == "empty";
  a.at = [value](const Indices&) { return value; };
  return Value{a};
}

//===--- reductions ---------------------------------------------------------------------------------===//

namespace {
struct ReduceOptions {
  std::vector<int> axes; ///< sorted; all of them when none is given
  bool axisGiven = false, keepDims = false;
};
} // namespace

/// `axis` and `keepdims` of a reduction of an array of `rank` dimensions; reports what is wrong with them.
static std::optional<ReduceOptions> reduceOptions(const std::string& fn, Arguments& args, int rank,
                                                  Diagnostics& diag) {
  ReduceOptions options;
  auto constant = [](const Value& x) -> std::optional<int64_t> {
    const auto* s = x.as<Scalar>();
    const auto* c = s ? s->e.as<ir::Const>() : nullptr;
    if (c && ir::isBool(c->type)) return std::get<bool>(c->value);
    return s ? ir::constantInt(s->e) : std::nullopt;
  };
  auto addAxis = [&](const Value& x) {
    std::optional<int64_t> c = constant(x);
    if (!c || *c < -rank || *c >= rank) return false;
    options.axes.push_back(static_cast<int>(*c < 0 ? *c + rank : *c));
    return true;
  };
  if (args.positional.size() > 1) args.keywords.emplace("axis", args.positional[1]);
  for (const auto& [name, value] : args.keywords) {
    bool ok = true;
    if (name == "axis" && !value.as<NoneValue>()) {
      options.axisGiven = true;
      if (const auto* t = value.as<TupleValue>())
        for (const Value& item : t->items) ok &= addAxis(item);
      else
        ok = addAxis(value);
    } else if (name == "keepdims") {
      std::optional<int64_t> c = constant(value);
      ok = c.has_value();
      options.keepDims = c.value_or(0) != 0;
    } else if (name != "axis" && name != "dtype") {
      diag.report(DiagId::Unsupported, args.where, fmt::format("`{}` of `np.{}` is not supported", name, fn));
      return std::nullopt;
    }
    if (ok) continue;
    diag.report(DiagId::TypeMismatch, args.where,
                fmt::format("`{}` must be a constant in range for an array of {} dimension(s)", name, rank));
    return std::nullopt;
  }
  if (!options.axisGiven)
    for (int d = 0; d < rank; ++d) options.axes.push_back(d);
  std::sort(options.axes.begin(), options.axes.end());
  if (std::adjacent_find(options.axes.begin(), options.axes.end()) == options.axes.end()) return options;
  diag.report(DiagId::TypeMismatch, args.where, "an axis is named twice");
  return std::nullopt;
}

/// The type in which a reduction collects.
static DType collectedType(const std::string& fn, DType type) {
  if (fn == "any" || fn == "all") return DType::Bool;
  if (fn == "mean") return ir::floatFor(type);
  return fn == "sum" || fn == "prod" ? ir::sumType(type) : type;
}

static ir::ReduceOp reduceOpOf(const std::string& fn) {
  static const std::map<std::string, ir::ReduceOp> kOps = {
      {"sum", ir::ReduceOp::Sum}, {"mean", ir::ReduceOp::Sum}, {"prod", ir::ReduceOp::Prod},
      {"min", ir::ReduceOp::Min}, {"max", ir::ReduceOp::Max},  {"any", ir::ReduceOp::Or},
      {"all", ir::ReduceOp::And}};
  return kOps.at(fn);
}

Value Lowering::reduceCall(const std::string& fn, Arguments& args) {
  Span where = args.where;
  if (args.positional.empty())
    return error(DiagId::TypeMismatch, where, fmt::format("`{}` misses its array", fn));
  Value v = args.positional[0];
  if (v.as<Selection>()) return reduceSelected(fn, args);
  Array a = toArray(v);
  bool isSpread = fn == "std" || fn == "var";
  int64_t ddof = 0;
  if (auto it = args.keywords.find("ddof"); isSpread && it != args.keywords.end()) {
    std::optional<int64_t> given = constantArgument(it->second);
    if (!given) return error(DiagId::TypeMismatch, where, "`ddof` must be an integer known at compile time");
    ddof = *given;
    args.keywords.erase(it);
  }
  std::optional<ReduceOptions> options = reduceOptions(fn, args, static_cast<int>(a.shape.size()), diag_);
  if (!options) return Value{};
  const auto& [axes, axisGiven, keepDims] = *options;
  if (isSpread && args.keywords.count("dtype"))
    return error(DiagId::Unsupported, where,
                 fmt::format("`dtype` of `np.{}` is not supported; convert with .astype first", fn));
  if (isSpread) return variance(fn == "std", v, axes, keepDims, ddof, where);
  if (fn == "argmin" || fn == "argmax")
    return argExtreme(fn == "argmax", v, axisGiven ? std::optional<int>(axes.at(0)) : std::nullopt, keepDims,
                      where);
  DType type = collectedType(fn, a.type);
  if (fn == "any" || fn == "all")
    v = castTo(v, DType::Bool, where);
  else if (auto it = args.keywords.find("dtype"); it != args.keywords.end()) {
    std::optional<Strength> s = dtypeArgument(it->second, where);
    if (!s) return Value{};
    type = s->type;
  }
  if (fn == "min" || fn == "max")
    for (int d : axes) requireElements(fn, ir::sub(a.shape[static_cast<size_t>(d)], ir::intConst(1)), a);
  Value total = reduce(reduceOpOf(fn), v, axes, keepDims, type, where);
  if (fn != "mean" || total.isError()) return total;
  Expr count = ir::intConst(1);
  for (int d : axes) count = ir::mul(count, a.shape[static_cast<size_t>(d)]);
  return arithmetic(ir::BinaryOp::Div, total, Value{Scalar{ir::cast(ir::realOf(type), count)}}, where);
}

/// `min` and `max` of nothing raise.
void Lowering::requireElements(const std::string& fn, const Expr& countLessOne, const Array& of) {
  if (isNonNegative(countLessOne) || !loops_.empty()) return;
  require(ir::binary(ir::BinaryOp::Ge, countLessOne, ir::intConst(0)), "ValueError",
          Message(fmt::format("zero-size array to reduction operation {} which has no identity: ",
                              fn == "min" ? "minimum" : "maximum"))
              .array(of));
}

/// A reduction of a[mask], which has one dimension.
Value Lowering::reduceSelected(const std::string& fn, Arguments& args) {
  Span where = args.where;
  Selection s = *args.positional[0].as<Selection>();
  std::optional<ReduceOptions> options = reduceOptions(fn, args, 1, diag_);
  if (!options) return Value{};
  if (fn == "std" || fn == "var")
    return error(DiagId::Unsupported, where,
                 fmt::format("`np.{}` of a selection by a mask is not supported; copy it to an array", fn));
  if (fn == "argmin" || fn == "argmax" || options->keepDims)
    return error(
        DiagId::Unsupported, where,
        fmt::format("`{}` of a selection by a mask {} is not supported", fn,
                    options->keepDims ? "with `keepdims`" : "counts positions in the selection, which"));
  DType type = collectedType(fn, s.values.type);
  if (fn == "any" || fn == "all")
    s.values = toArray(castTo(Value{s.values}, DType::Bool, where));
  else if (auto it = args.keywords.find("dtype"); it != args.keywords.end()) {
    std::optional<Strength> given = dtypeArgument(it->second, where);
    if (!given) return Value{};
    type = given->type;
  }
  if (fn == "min" || fn == "max") {
    if (!loops_.empty())
      return error(
          DiagId::Unsupported, where,
          fmt::format("`{}` of a selection that may be empty would have to raise inside a loop; write "
                      "np.{}(np.where(mask, a, other)) with the value that stands for nothing",
                      fn, fn));
    requireElements(fn, ir::sub(materialize(countSelected(s).e, "count"), ir::intConst(1)), s.values);
  }
  Value total = reduceAll(reduceOpOf(fn), withIdentity(s, reduceOpOf(fn), type), where);
  if (fn != "mean") return total;
  return arithmetic(ir::BinaryOp::Div, total, Value{Scalar{ir::cast(ir::realOf(type), countSelected(s).e)}},
                    where);
}

Value Lowering::reduceAll(ir::ReduceOp op, const Array& a, Span where) {
  std::vector<int> axes;
  for (size_t d = 0; d < a.shape.size(); ++d) axes.push_back(static_cast<int>(d));
  return reduce(op, Value{a}, axes, false, a.type, where);
}

Value Lowering::reduce(ir::ReduceOp op, const Value& v, const std::vector<int>& axes, bool keepDims,
                       DType type, Span where) {
  if (v.isError()) return v;
  if (v.as<Scalar>()) return castTo(v, type, where);
  Array a = toArray(v);
  if (a.expensive || a.uninitialised) a = materialize(a, "t");
  std::vector<bool> reduced(a.shape.size(), false);
  for (int d : axes) reduced[static_cast<size_t>(d)] = true;
  Array out;
  out.type = type;
  out.expensive = true;
  for (size_t d = 0; d < a.shape.size(); ++d)
    if (!reduced[d] || keepDims) out.shape.push_back(reduced[d] ? ir::intConst(1) : a.shape[d]);
  out.at = [a, reduced, op, type, keepDims](const Indices& i) {
    std::vector<ir::Range> over;
    Indices full;
    size_t next = 0;
    for (size_t d = 0; d < reduced.size(); ++d) {
      if (reduced[d]) {
        Symbol k("k");
        over.push_back({k, a.shape[d], false, 0, false});
        full.push_back(ir::var(k));
        next += keepDims;
      } else {
        full.push_back(i[next++]);
      }
    }
    Expr body = ir::cast(type, a.at(full));
    return over.empty() ? body : ir::make(ir::Reduce{type, op, over, body});
  };
  if (out.shape.empty()) return Value{Scalar{out.at({})}};
  return Value{out};
}

/// The first index whose element equals the extreme (or is NaN when the extreme is): two reductions.
Value Lowering::argExtreme(bool isMax, const Value& v, std::optional<int> axis, bool keepDims, Span where) {
  const auto* given = v.as<Array>();
  if (!given || given->shape.empty())
    return error(DiagId::TypeMismatch, where, "argmin/argmax take an array");
  Array a = given->expensive || given->uninitialised ? materialize(*given, "t") : *given;
  std::vector<int> axes;
  for (int d = 0; d < static_cast<int>(a.shape.size()); ++d)
    if (!axis || d == *axis) axes.push_back(d);
  for (int d : axes)
    if (loops_.empty() && !isNonNegative(ir::sub(a.shape[static_cast<size_t>(d)], ir::intConst(1))))
      require(ir::binary(ir::BinaryOp::Gt, a.shape[static_cast<size_t>(d)], ir::intConst(0)), "ValueError",
              Message(fmt::format("attempt to get {} of an empty sequence: ", isMax ? "argmax" : "argmin"))
                  .array(*given));
  Value extreme = reduce(isMax ? ir::ReduceOp::Max : ir::ReduceOp::Min, Value{a}, axes, true, a.type, where);
  Array best = extreme.as<Array>() ? materialize(*extreme.as<Array>(), "extreme")
                                   : toArray(Value{Scalar{materialize(toArray(extreme).at({}), "extreme")}});
  Expr total = ir::intConst(1);
  for (int d : axes) total = ir::mul(total, a.shape[static_cast<size_t>(d)]);
  Array position;
  position.type = DType::I64;
  position.shape = a.shape;
  position.at = [a, best, axes, total](const Indices& i) {
    Indices reducedIndex = i;
    Expr linear = ir::intConst(0);
    for (int d : axes) {
      reducedIndex[static_cast<size_t>(d)] = ir::intConst(0);
      linear = ir::add(ir::mul(linear, a.shape[static_cast<size_t>(d)]), i[static_cast<size_t>(d)]);
    }
    Expr x = a.at(i), m = best.shape.empty() ? best.at({}) : best.at(reducedIndex);
    Expr hit = ir::binary(ir::BinaryOp::Eq, x, m);
    if (ir::isFloat(a.type) || ir::isComplex(a.type))
      hit = ir::binary(ir::BinaryOp::LogicalOr, hit, ir::call(ir::Intrinsic::IsNan, DType::Bool, {x}));
    return ir::select(hit, linear, total);
  };
  return reduce(ir::ReduceOp::Min, Value{position}, axes, keepDims, DType::I64, where);
}

} // namespace appyc::sema
