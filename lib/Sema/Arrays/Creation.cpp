//===- Creation.cpp - np.zeros and its kind, np.arange, np.linspace -------------------------------------===//
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

Value Lowering::callCreation(const Bound& b) {
  const std::string fn = b.name() == "ndarray" ? "empty" : b.name();
  const bool isLike = fn.size() > 5 && fn.compare(fn.size() - 5, 5, "_like") == 0;
  const std::string kind = isLike ? fn.substr(0, fn.size() - 5) : fn;
  Array a;
  a.type = DType::F64;
  const Value* shape = b.given("shape");
  const Selection* selected = nullptr; // by a mask
  if (isLike) {
    const Value& pattern = b[kind == "empty" ? "prototype" : "a"];
    std::optional<Strength> s = strengthOf(pattern, b.where);
    if (!s) return Value{};
    selected = pattern.as<Selection>();
    const Array like = selected ? selected->values : toArray(pattern);
    a.type = s->type;
    a.shape = like.shape;
    if (mayBeReordered(like)) a.order = MemoryOrder::Unknown;
  }
  if (selected && (kind == "zeros" || kind == "empty")) { // to be stored into
    a.shape = {countSelected(*selected).e};
    selected = nullptr;
  }
  if (shape) {
    std::optional<std::vector<Expr>> extents = shapeArgument(*shape, b.where);
    if (!extents) return Value{};
    a.shape = *extents;
    selected = nullptr;
  }
  const Value* order = b.given("order");
  if (order && order->as<StringValue>() && order->as<StringValue>()->text == "F")
    a.order = MemoryOrder::Unknown;
  Value fill{Scalar{ir::intConst(kind == "ones" ? 1 : 0), true}};
  if (kind == "full") {
    fill = asOperand(b["fill_value"], b.where);
    std::optional<Strength> s = strengthOf(fill, b.where);
    if (!s) return Value{};
    if (!isLike) a.type = s->type;
  }
  std::optional<DType> type = dtypeOr(a.type, b);
  if (!type) return Value{};
  a.type = *type;
  const std::optional<Strength> filled = strengthOf(fill, b.where);
  if (!filled) return Value{};
  if (ir::isComplex(filled->type) && !ir::isComplex(a.type))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("a complex number does not go into an array of {}", ir::name(a.type)));
  const auto* s = fill.as<Scalar>();
  if (!s && selected)
    return error(DiagId::Unsupported, b.where, "a selection by a mask is filled with one number");
  if (!s) { // an array, which is stretched
    TupleValue extents;
    for (const Expr& e : a.shape) extents.items.push_back(Value{Scalar{e, true}});
    const Value wide = callNamed("numpy.broadcast_to", {{fill, Value{extents}}, {}, b.where});
    const Value made = wide.isError() ? wide : castTo(wide, a.type, b.where);
    if (!made.as<Array>()) return made;
    Array stretched = *made.as<Array>();
    stretched.view = nullptr;
    stretched.shares = Symbol();
    stretched.order = a.order;
    return Value{stretched};
  }
  if (!holds(a.type, fill, b.where)) return Value{};
  Expr value = ir::cast(a.type, mentionsReduce(s->e) ? materialize(s->e, "s") : s->e);
  if (ir::isBool(a.type)) value = truth(s->e);
  if (!isStable(value)) value = materialize(value, "s");
  a.uninitialised = kind == "empty";
  a.at = [value](const Indices&) { return value; };
  return selected ? Value{Selection{a, selected->mask}} : Value{a};
}

/// `appy.buffer(66)`, `appy.buffer((8, 8), dtype=np.float32)`: an uninitialised array on chip.
Value Lowering::callBuffer(const Bound& b) {
  std::optional<std::vector<Expr>> shape = shapeArgument(b["shape"], b.where);
  std::optional<DType> type = dtypeOr(DType::F64, b);
  if (!shape || !type) return Value{};
  for (const Expr& extent : *shape)
    if (ir::constantInt(extent).value_or(0) < 1)
      return error(
          DiagId::BadDirective, b.where,
          "the size of appy.buffer is a positive number known at compile time; use np.empty for other sizes");
  Array out;
  out.type = *type;
  out.shape = *shape;
  out.uninitialised = out.onChip = true;
  out.at = [zero = ir::constOf(*type, 0)](const Indices&) { return zero; };
  return Value{out};
}

//===--- ranges -------------------------------------------------------------------------------------===//

/// start, start + step, …: NumPy computes two elements and goes on by their difference.
static Expr floatRangeElement(const Expr& first, const Expr& second, const Expr& i, DType type) {
  Expr delta = ir::binary(ir::BinaryOp::Sub, second, first);
  Expr far = ir::binary(ir::BinaryOp::Add, first, ir::binary(ir::BinaryOp::Mul, ir::cast(type, i), delta));
  Expr isSecond = ir::binary(ir::BinaryOp::Eq, i, ir::intConst(1));
  return ir::select(ir::binary(ir::BinaryOp::Eq, i, ir::intConst(0)), first,
                    ir::select(isSecond, second, far));
}

/// The bounds of np.arange, of which the first may be left out.
struct RangeBounds {
  Value start{Scalar{ir::intConst(0), true}}, stop, step{Scalar{ir::intConst(1), true}};
};

static RangeBounds rangeBounds(const Bound& b) {
  RangeBounds r;
  if (const Value* step = b.given("step")) r.step = *step;
  r.stop = b["start_or_stop"];
  if (const Value* stop = b.given("stop")) r.start = std::exchange(r.stop, *stop);
  return r;
}

Value Lowering::callArange(const Bound& b) {
  RangeBounds r = rangeBounds(b);
  DType type = DType::I64;
  bool whole = true;
  for (const Value* v : {&r.start, &r.stop, &r.step}) {
    const auto* s = v->as<Scalar>();
    if (!s || ir::isComplex(s->type()))
      return error(DiagId::TypeMismatch, b.where,
                   fmt::format("np.arange takes numbers, not {}", describe(*v)));
    type = ir::promote(type, s->type());
    whole &= !ir::isFloat(s->type());
  }
  std::optional<DType> given = dtypeOr(type, b);
  if (!given) return Value{};
  if (ir::isBool(*given) || (!whole && !ir::isFloat(*given)))
    return error(DiagId::Unsupported, b.where,
                 fmt::format("np.arange of these numbers with dtype={} is not translated; convert the result "
                             "with .astype",
                             ir::numpyName(*given)));
  if (!whole) return floatRange(r.start, r.stop, r.step, *given, b.where);
  auto integer = [&](const Value& v) {
    Expr e = ir::cast(DType::I64, v.as<Scalar>()->e);
    return stable(mentionsReduce(e) ? materialize(e, "n") : e);
  };
  const Expr by = integer(r.step);
  const std::optional<int64_t> step = ir::constantInt(by);
  if (step == 0)
    return error(DiagId::ShapeMismatch, b.where, "np.arange has no such number of elements: its step is 0");
  Expr lo = integer(r.start), hi = integer(r.stop);
  if (!step) {
    const bool isPythons = std::ranges::all_of(std::vector{r.start, r.stop, r.step},
                                               [](const Value& v) { return v.as<Scalar>()->weak; });
    requireWhereRun(ir::binary(ir::BinaryOp::Ne, by, ir::intConst(0)),
                    isPythons ? "ZeroDivisionError" : "ValueError",
                    isPythons ? "division by zero" : "Maximum allowed size exceeded");
  }
  Array a;
  a.type = *given;
  const Expr distance = step && *step < 0 ? ir::sub(lo, hi) : ir::sub(hi, lo);
  a.shape = {step ? atLeastZero(ir::ceilDiv(distance, ir::intConst(std::abs(*step))))
                  : materialize(lengthOf({lo, hi, by}), "n")};
  if (!step) nonNegative_.insert(a.shape[0].as<ir::Var>()->name);
  const bool rounds = ir::isFloat(a.type) && !(ir::isConst(lo, 0) && step == 1);
  a.at = [lo, by, rounds, to = a.type](const Indices& i) {
    if (rounds) return floatRangeElement(ir::cast(to, lo), ir::cast(to, ir::add(lo, by)), i[0], to);
    return ir::cast(to, ir::add(lo, ir::mul(i[0], by)));
  };
  return Value{a};
}

/// np.arange of floats: ceil((stop - start) / step) elements, in which NumPy computes as Python does.
Value Lowering::floatRange(const Value& start, const Value& stop, const Value& step, DType type, Span where) {
  auto number = [&](const Value& v) {
    Expr e = ir::cast(DType::F64, v.as<Scalar>()->e);
    return isStable(e) ? e : materialize(e, "t");
  };
  Expr lo = number(start), hi = number(stop), by = number(step);
  auto constant = [](const Expr& e) -> std::optional<double> {
    const auto* c = e.as<ir::Const>();
    return c ? std::optional<double>(std::get<double>(c->value)) : std::nullopt;
  };
  std::optional<double> x = constant(lo), y = constant(hi), z = constant(by);
  Expr count;
  if (x && y && z) {
    const double parts = std::ceil((*y - *x) / *z);
    if (!(std::abs(parts) < 1e15))
      return error(DiagId::ShapeMismatch, where, "np.arange has no such number of elements");
    count = ir::intConst(std::max<int64_t>(0, static_cast<int64_t>(parts)));
  } else {
    Expr parts = ir::binary(ir::BinaryOp::Div, ir::binary(ir::BinaryOp::Sub, hi, lo), by);
    Expr whole = ir::cast(DType::I64, ir::call(ir::Intrinsic::Ceil, DType::F64, {parts}));
    if (loops_.empty())
      require(ir::binary(ir::BinaryOp::Lt, ir::call(ir::Intrinsic::Abs, DType::F64, {parts}),
                         ir::floatConst(1e15)),
              "ValueError", "arange: cannot compute length");
    count = materialize(ir::maxOf(whole, ir::intConst(0)), "n");
    nonNegative_.insert(count.as<ir::Var>()->name);
  }
  Array a;
  a.type = type;
  a.shape = {count};
  a.at = [first = ir::cast(type, lo), type, second = ir::cast(type, ir::binary(ir::BinaryOp::Add, lo, by))](
             const Indices& i) { return floatRangeElement(first, second, i[0], type); };
  return Value{a};
}

/// start + i * step, the last one exactly `stop`.
Value Lowering::callLinspace(const Bound& b) {
  Span where = b.where;
  const std::optional<bool> isWithStep = flagArgument("retstep", b);
  if (!isWithStep) return Value{};
  std::optional<DType> made = b.given("dtype") ? dtypeOr(DType::F64, b) : std::optional(DType::F64);
  const bool isPlain = b["start"].as<Scalar>() && b["stop"].as<Scalar>() && !*isWithStep &&
                       constantArgument(b["axis"]) == 0 && made && !ir::isInteger(*made) &&
                       !ir::isBool(*made);
  if (!isPlain) {
    Arguments all;
    all.where = where;
    for (const char* name : {"start", "stop", "num", "endpoint", "retstep", "dtype", "axis"})
      all.positional.push_back(b[name]);
    return callLibrary(*libraryFunctionAt("_linspace"), all);
  }
  std::optional<bool> endpoint = flagArgument("endpoint", b);
  std::optional<Strength> first = strengthOf(b["start"], where), last = strengthOf(b["stop"], where);
  std::optional<std::vector<Expr>> shape = shapeArgument(b["num"], where);
  std::optional<DType> dtype = dtypeOr(DType::F64, b);
  if (!endpoint || !first || !last || !shape || !dtype) return Value{};
  const bool isGiven = b.given("dtype") != nullptr;
  if (!b["start"].as<Scalar>() || !b["stop"].as<Scalar>() || !b["num"].as<Scalar>() ||
      !(ir::isFloat(*dtype) || ir::isComplex(*dtype)))
    return error(DiagId::Unsupported, where,
                 "np.linspace takes two numbers and a count; `dtype=` of it is a float's or not given");
  DType type = ir::floatFor(promote(promote(*first, *last), {DType::F64, true}).type);
  if (ir::isComplex(type) && isGiven && !ir::isComplex(*dtype))
    return error(DiagId::TypeMismatch, where, "np.linspace of complex numbers does not make floats");
  Expr n = (*shape)[0], one = ir::intConst(1);
  auto fixed = [&](const Value& x) {
    Expr e = ir::cast(type, x.as<Scalar>()->e);
    return isStable(e) ? e : materialize(e, "t");
  };
  Expr start = fixed(b["start"]), stop = fixed(b["stop"]), parts = *endpoint ? ir::sub(n, one) : n;
  Expr delta = ir::binary(ir::BinaryOp::Sub, stop, start);
  Expr step = materialize(ir::select(ir::binary(ir::BinaryOp::Gt, parts, ir::intConst(0)),
                                     ir::binary(ir::BinaryOp::Div, delta, ir::cast(type, parts)), delta),
                          "step");
  Array out;
  out.type = isGiven ? *dtype : type;
  out.shape = {n};
  out.at = [=, ends = *endpoint, to = out.type](const Indices& i) {
    Expr x = ir::binary(ir::BinaryOp::Add, ir::binary(ir::BinaryOp::Mul, ir::cast(type, i[0]), step), start);
    Expr isLast = ir::binary(ir::BinaryOp::LogicalAnd, ir::binary(ir::BinaryOp::Gt, i[0], ir::intConst(0)),
                             ir::binary(ir::BinaryOp::Eq, i[0], ir::sub(n, ir::intConst(1))));
    return ir::cast(to, ends ? ir::select(isLast, stop, x) : x);
  };
  return Value{out};
}

} // namespace appyc::sema
