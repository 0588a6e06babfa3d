//===- Reductions.cpp - sums, extremes and what is made of them, over axes ------------------------------===//
#include "Reductions.h"
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

//===--- arguments ----------------------------------------------------------------------------------===//

/// The axes, sorted; reports what is wrong with them.
std::optional<std::vector<int>> Lowering::axesArgument(const Value& given, int rank, const Bound& b) {
  std::vector<Value> items{given};
  if (const auto* t = given.as<TupleValue>()) items = t->items;
  if (given.as<NoneValue>()) {
    items.clear();
    for (int d = 0; d < rank; ++d) items.push_back(Value{Scalar{ir::intConst(d), true}});
  }
  std::vector<int> axes;
  for (const Value& item : items) {
    const auto* s = item.as<Scalar>();
    std::optional<int64_t> c = constantArgument(item);
    if (!c || ir::isBool(s->type()) || *c < -rank || *c >= rank) {
      error(DiagId::TypeMismatch, b.where,
            fmt::format("`axis` must be a constant in range for an array of {} dimension(s)", rank));
      return std::nullopt;
    }
    axes.push_back(static_cast<int>(*c < 0 ? *c + rank : *c));
  }
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) == axes.end()) return axes;
  error(DiagId::TypeMismatch, b.where, "an axis is named twice");
  return std::nullopt;
}

std::optional<bool> Lowering::flagArgument(const std::string& name, const Bound& b) {
  if (std::optional<int64_t> c = constantArgument(b[name])) return *c != 0;
  error(DiagId::TypeMismatch, b.where,
        fmt::format("`{}` must be True or False, known at compile time", name));
  return std::nullopt;
}

/// The result under `out=`, whose type and shape are its own.
Value Lowering::deliverExact(const Value& result, const Bound& b) {
  const Value* given = b.given("out");
  if (!given || result.isError()) return result;
  std::optional<Array> out = outArgument(*given, b);
  if (!out) return Value{};
  Array made = toArray(result);
  if (made.type != out->type || made.shape.size() != out->shape.size())
    return error(DiagId::Unsupported, b.where,
                 fmt::format("`out=` of `{}` must be an array of {} with {} dimension(s), as the result is; "
                             "write `out[...] = ` for others",
                             b.display(), ir::name(made.type), made.shape.size()));
  for (size_t d = 0; d < made.shape.size(); ++d)
    requireEqual(out->shape[d], made.shape[d], "`out=` has another shape than the result", b.where);
  assignPlace(*out, result, b.where);
  return Value{*out};
}

/// `where=` of a reduction: none if all elements count.
bool Lowering::maskArgument(const Array& a, const Bound& b, std::optional<Array>& mask) {
  const Value* given = b.find("where");
  if (!given || constantArgument(*given) == 1) return true;
  Array m = toArray(*given);
  if (!isMask(*given) || m.shape.size() > a.shape.size()) {
    error(DiagId::TypeMismatch, b.where,
          fmt::format("`where=` of `{}` takes booleans of the array's shape", b.display()));
    return false;
  }
  const int before = diag_.errorCount();
  fitInto(a, m, b.where);
  if (diag_.errorCount() > before) return false;
  mask = broadcastTo(m.expensive || m.uninitialised ? materialize(m, "mask") : m, a.shape);
  return true;
}

/// A number that a reduction starts from, in its type.
std::optional<Expr> Lowering::initialArgument(const Value& given, DType type, const Bound& b) {
  const auto* s = given.as<Scalar>();
  if (!s || !(s->weak ? promote({s->type(), true}, {type, false}).type == type : sameKind(s->type(), type))) {
    error(DiagId::TypeMismatch, b.where,
          fmt::format("`initial` of `{}` must be a number that {} holds", b.display(), ir::name(type)));
    return std::nullopt;
  }
  if (!holds(type, given, b.where)) return std::nullopt;
  Expr e = ir::cast(type, s->e);
  return isStable(e) ? e : materialize(e, "initial");
}

//===--- reductions ---------------------------------------------------------------------------------===//

/// The type in which a reduction collects.
static DType foldedType(const std::string& fn, DType type) {
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

/// Elements that do not count give the identity of `op`.
static Array masked(const Array& a, const Array& mask, ir::ReduceOp op, DType type) {
  Array out = a;
  out.view = nullptr;
  out.type = type;
  out.at = [a, mask, op, type](const Indices& i) {
    return ir::select(mask.at(i), ir::cast(type, a.at(i)), ir::identity(op, type));
  };
  return out;
}

Value Lowering::fold(ir::ReduceOp op, const Value& v, const Folding& f, bool keepDims, DType type,
                     Span where) {
  if (!f.mask) return reduce(op, v, f.axes, keepDims, type, where);
  Array a = toArray(v);
  if (a.expensive || a.uninitialised) a = materialize(a, "t");
  return reduce(op, Value{masked(a, *f.mask, op, type)}, f.axes, keepDims, type, where);
}

/// How many elements are folded into each: a number, or an array of them under a mask.
Value Lowering::foldedCount(const Array& a, const Folding& f, bool keepDims, Span where) {
  if (!f.mask) {
    Expr count = ir::intConst(1);
    for (int d : f.axes) count = ir::mul(count, a.shape[static_cast<size_t>(d)]);
    return Value{Scalar{count}};
  }
  Value count = reduce(ir::ReduceOp::Sum, Value{*f.mask}, f.axes, keepDims, DType::I64, where);
  if (const auto* s = count.as<Scalar>()) return Value{Scalar{materialize(s->e, "count")}};
  return count.as<Array>() ? Value{materialize(*count.as<Array>(), "count")} : count;
}

/// `total / count` in the real type of the total.
Value Lowering::dividedBy(const Value& total, const Value& count, DType type, Span where) {
  return arithmetic(ir::BinaryOp::Div, total, castTo(count, ir::realOf(type), where), where);
}

/// The mean, in `type`: as NumPy's, which sums in it and rounds the quotient to it, even if that is an
/// integer.
Value Lowering::mean(const Array& a, const Value& v, const Folding& f, DType type, Span where) {
  Value total = fold(ir::ReduceOp::Sum, v, f, f.keepDims, type, where);
  Value count = foldedCount(a, f, f.keepDims, where);
  if (total.isError() || count.isError()) return Value{};
  if (!ir::isInteger(type)) return dividedBy(total, count, type, where);
  return castTo(dividedBy(castTo(total, DType::F64, where), count, DType::F64, where), type, where);
}

/// The type that `dtype=` names, or `standard`.
std::optional<DType> Lowering::dtypeOr(DType standard, const Bound& b) {
  const Value* given = b.given("dtype");
  if (!given) return standard;
  std::optional<Strength> s = dtypeArgument(*given, b.where);
  return s ? std::optional<DType>(s->type) : std::nullopt;
}

Value Lowering::callReduction(const Bound& b) { return reduction(b.name(), b["a"], b); }

Value Lowering::reduction(const std::string& fn, const Value& given, const Bound& b) {
  Span where = b.where;
  if (given.as<Selection>()) return reduceSelected(fn, *given.as<Selection>(), b);
  const auto* list = given.as<ListValue>();
  Value v = given.as<TupleValue>()    ? arrayLiteral(*given.as<TupleValue>(), std::nullopt, where)
            : list && list->hasViews  ? arrayOf(*list, std::nullopt, where)
            : given.as<NestedValue>() ? arrayOfRows(*given.as<NestedValue>(), std::nullopt, where)
                                      : strong(given);
  if (v.isError()) return v;
  if (!strengthOf(v, where)) return Value{};
  Array a = toArray(v);
  Folding f;
  std::optional<std::vector<int>> axes = axesArgument(b["axis"], static_cast<int>(a.shape.size()), b);
  std::optional<bool> keep = flagArgument("keepdims", b);
  if (!axes || !keep || !maskArgument(a, b, f.mask)) return Value{};
  f.axes = *axes;
  f.keepDims = *keep;
  if (fn == "argmin" || fn == "argmax") {
    if (b["axis"].as<TupleValue>())
      return error(DiagId::TypeMismatch, where, fmt::format("`axis` of `{}` is one axis", b.display()));
    std::optional<int> one = b["axis"].as<NoneValue>() ? std::nullopt : std::optional<int>(f.axes.at(0));
    return deliverExact(argExtreme(fn == "argmax", v, one, f.keepDims, where), b);
  }
  std::optional<DType> type = dtypeOr(foldedType(fn, a.type), b);
  if (!type) return Value{};
  if (ir::isComplex(a.type) && !ir::isComplex(*type) && fn != "any" && fn != "all")
    return error(DiagId::TypeMismatch, where,
                 fmt::format("`dtype` of `{}` would drop the imaginary part; write `.real`", b.display()));
  if (fn == "std" || fn == "var") return spread(fn == "std", v, f, b);
  if (fn == "mean" && ir::isBool(*type))
    return error(DiagId::Unsupported, where, "`dtype=bool` of `np.mean` is not translated; use np.any");
  if (fn == "mean") return deliverExact(mean(a, v, f, *type, where), b);
  const Value* initial = b.find("initial");
  if (fn == "min" || fn == "max") {
    if (f.mask && !initial)
      return error(DiagId::TypeMismatch, where,
                   fmt::format("`{}` with `where=` needs `initial=`, as in NumPy", b.display()));
    if (!initial)
      for (int d : f.axes) requireElements(fn, ir::sub(a.shape[static_cast<size_t>(d)], ir::intConst(1)), a);
  }
  if (fn == "any" || fn == "all") v = castTo(v, DType::Bool, where);
  Value total = fold(reduceOpOf(fn), v, f, f.keepDims, *type, where);
  if (initial && !total.isError()) {
    std::optional<Expr> first = initialArgument(*initial, *type, b);
    if (!first) return Value{};
    total = elementwise(
        {Value{Scalar{*first}}, total}, *type, false,
        [op = reduceOpOf(fn)](const std::vector<Expr>& x) { return ir::combine(op, x[0], x[1]); }, where);
  }
  return deliverExact(total, b);
}

Value Lowering::callCount(const Bound& b) {
  Value mask = castTo(b["a"], DType::Bool, b.where);
  if (mask.isError()) return mask;
  Bound counted{functionAt("numpy.sum"), b.values, b.where};
  Value count = reduction("sum", mask, counted);
  return count;
}

static Message noneOf(const std::string& fn, const Array& of) {
  return Message(fmt::format("zero-size array to reduction operation {} which has no identity: ",
                             fn == "min" ? "minimum" : "maximum"))
      .array(of);
}

/// `min` and `max` of nothing raise.
void Lowering::requireElements(const std::string& fn, const Expr& countLessOne, const Array& of) {
  if (isNonNegative(countLessOne)) return;
  requireWhereRun(ir::binary(ir::BinaryOp::Ge, countLessOne, ir::intConst(0)), "ValueError", noneOf(fn, of));
}

/// A reduction of a[mask], which has one dimension.
Value Lowering::reduceSelected(const std::string& fn, Selection s, const Bound& b) {
  Span where = b.where;
  std::optional<std::vector<int>> axes = axesArgument(b["axis"], 1, b);
  std::optional<bool> keep = flagArgument("keepdims", b);
  if (!axes || !keep) return Value{};
  if (fn == "std" || fn == "var" || fn == "argmin" || fn == "argmax" ||
      *keep) // asked of what is selected, an array
    return reduction(fn, Value{asArray(s)}, b);
  const Value* mask = b.find("where");
  if (b.given("out") || (mask && constantArgument(*mask) != 1)) return reduction(fn, Value{asArray(s)}, b);
  const Value* initial = b.find("initial");
  if (axes->empty())
    return error(DiagId::Unsupported, where, "a selection by a mask is folded along its one axis");
  if (fn == "any" || fn == "all") s.values = toArray(castTo(Value{s.values}, DType::Bool, where));
  std::optional<DType> type = dtypeOr(foldedType(fn, s.values.type), b);
  if (!type) return Value{};
  if ((fn == "mean" && ir::isBool(*type)) || (ir::isComplex(s.values.type) && !ir::isComplex(*type)))
    return error(DiagId::Unsupported, where,
                 fmt::format("`dtype=` of `{}` of a selection is not translated here", b.display()));
  if ((fn == "min" || fn == "max") && !initial) {
    if (std::ranges::any_of(loops_, isShared))
      return error(
          DiagId::Unsupported, where,
          fmt::format(
              "`{}` of a selection that may be empty would have to raise inside a parallel loop; write "
              "np.{}(np.where(mask, a, other)) with the value that stands for nothing",
              fn, fn));
    const Expr count = materialize(countSelected(s).e, "count");
    if (loops_.empty())
      requireElements(fn, ir::sub(count, ir::intConst(1)), s.values);
    else
      require(ir::binary(ir::BinaryOp::Gt, count, ir::intConst(0)), "ValueError", noneOf(fn, s.values));
  }
  Value total = reduceAll(reduceOpOf(fn), withIdentity(s, reduceOpOf(fn), *type), where);
  if (initial && !total.isError()) {
    const std::optional<Expr> first = initialArgument(*initial, *type, b);
    if (!first) return Value{};
    return Value{Scalar{ir::combine(reduceOpOf(fn), *first, total.as<Scalar>()->e)}};
  }
  if (fn != "mean") return total;
  Value count{Scalar{countSelected(s).e}};
  if (!ir::isInteger(*type)) return dividedBy(total, count, *type, where);
  return castTo(dividedBy(castTo(total, DType::F64, where), count, DType::F64, where), *type, where);
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
    if (!isNonNegative(ir::sub(a.shape[static_cast<size_t>(d)], ir::intConst(1))))
      requireWhereRun(
          ir::binary(ir::BinaryOp::Gt, a.shape[static_cast<size_t>(d)], ir::intConst(0)), "ValueError",
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
