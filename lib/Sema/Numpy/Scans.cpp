//===- Scans.cpp - cumsum, cumprod, ufunc.accumulate, ufunc.reduceat, ufunc.at --------------------------===//
//   np.cumsum(a, axis=1)     =>   for i:  total = a[i, 0];  out[i, 0] = total
//                                         for j in [1, n):  total = total + a[i, j];  out[i, j] = total
// One element after the other along the axis, as NumPy has it; the other axes are ordinary loops.
#include "Arguments.h"
#include "Lowering.h"
#include "Nest.h"

namespace appyc::sema {

/// One step of a fold by a ufunc: how what was collected meets the next element, in which type.
struct Lowering::Step {
  DType type;
  std::function<Expr(const Expr&, const Expr&)> apply;
};

/// Of integers narrower than 64 bits NumPy adds and multiplies in 64.
static DType scannedType(const std::string& fn, DType type) {
  if (fn.starts_with("logical_")) return DType::Bool;
  if (fn == "divide" && !ir::isFloat(type) && !ir::isComplex(type)) return DType::F64;
  if ((fn != "add" && fn != "multiply") || ir::isFloat(type) || ir::isComplex(type)) return type;
  return ir::isUnsigned(type) ? DType::U64 : DType::I64;
}

std::optional<Lowering::Step> Lowering::stepOf(const std::string& fn, const Array& a,
                                               std::optional<DType> type, Span where) {
  static const std::set<std::string> kFolds = {
      "add",  "subtract",   "multiply",    "divide",      "minimum",    "maximum",    "fmin",
      "fmax", "bitwise_or", "bitwise_and", "bitwise_xor", "logical_or", "logical_and"};
  const DType own = scannedType(fn, a.type), to = fn.starts_with("logical_") ? own : type.value_or(own);
  if (!kFolds.count(fn)) {
    error(DiagId::Unsupported, where,
          fmt::format("np.{} is not translated element by element; write a loop", fn));
    return std::nullopt;
  }
  if (ir::isComplex(a.type) && !ir::isComplex(to) && !ir::isBool(to)) {
    error(DiagId::TypeMismatch, where,
          fmt::format("`dtype={}` would drop the imaginary part; write `.real`", ir::numpyName(to)));
    return std::nullopt;
  }
  Step step{to, [this, fn, to, where](const Expr& collected, const Expr& next) {
              std::vector<Value> operands{Value{Scalar{collected}}, Value{Scalar{ir::cast(to, next)}}};
              const Value v = elementwiseFunction(fn, operands, where);
              return v.as<Scalar>() ? v.as<Scalar>()->e : Expr();
            }};
  const Expr probe = ir::var(Symbol("x"), to);
  const Expr made = step.apply(probe, probe);
  if (!made) return std::nullopt;
  if (ir::typeOf(made) == to) return step;
  error(DiagId::TypeMismatch, where,
        fmt::format("NumPy's np.{} of {} has another type, {}; convert with .astype first", fn, ir::name(to),
                    ir::name(ir::typeOf(made))));
  return std::nullopt;
}

Value Lowering::scan(const Step& step, const Array& given, size_t axis, Span where) {
  const Array a = given.uninitialised ? materialize(given, "t") : given;
  const Array out = newBuffer("scanned", step.type, a.shape);
  noteOrder(out, a);
  const Expr& n = a.shape[axis];
  const Nest nest(a.shape, axis);
  const Symbol k("k");
  const auto storeAt = [&](const Indices& i, const Expr& e) {
    emit(ir::Store{out.view->buffer.name, i, e, {}});
  };
  std::vector<ir::Stmt> body = collect([&] {
    const Symbol total = newVariable("total", step.type, a.at(nest.at));
    mutable_.insert(total);
    const Expr collected = ir::var(total, step.type);
    storeAt(nest.at, collected);
    Indices next = nest.at;
    next[axis] = ir::var(k);
    std::vector<ir::Stmt> inner = collect([&] {
      emit(ir::Assign{total, step.apply(collected, a.at(next))});
      storeAt(next, collected);
    });
    emit(ir::serialLoop(k, ir::intConst(1), n, ir::intConst(1), ir::block(std::move(inner))));
  });
  const Expr some = ir::binary(ir::BinaryOp::Gt, n, ir::intConst(0));
  ir::Stmt all = nest.around(a.shape, axis, ir::block(std::move(body)), where);
  if (ir::constantInt(n).value_or(0) <= 0) all = ir::makeStmt(where, ir::If{some, all, {}});
  emit(std::move(all));
  return Value{out};
}

/// cumsum and cumprod: of the flat array where no axis is named.
Value Lowering::callScan(const Bound& b) {
  std::optional<Array> a = arrayArgument(b["a"], b);
  const std::optional<DType> type = a ? dtypeOr(DType::Bool, b) : std::nullopt;
  if (!type) return Value{};
  std::optional<int64_t> axis = 0;
  if (b.given("axis"))
    axis = axisArgument(b["axis"], a->shape.size(), b);
  else
    a = flatOf(*a);
  if (!axis) return Value{};
  const std::optional<Step> step =
      stepOf(b.name() == "cumsum" ? "add" : "multiply", *a, b.given("dtype") ? type : std::nullopt, b.where);
  return step ? deliverExact(scan(*step, *a, static_cast<size_t>(*axis), b.where), b) : Value{};
}

Value Lowering::callUfuncAccumulate(const Bound& b) {
  const std::optional<Array> a = arrayArgument(b["array"], b);
  const std::optional<DType> type = a ? dtypeOr(DType::Bool, b) : std::nullopt;
  if (!type) return Value{};
  if (a->shape.empty())
    return error(DiagId::TypeMismatch, b.where, fmt::format("`{}` takes an array", b.display()));
  const std::optional<int64_t> axis = axisArgument(b["axis"], a->shape.size(), b);
  const std::optional<Step> step =
      axis ? stepOf(b.ufunc, *a, b.given("dtype") ? type : std::nullopt, b.where) : std::nullopt;
  return step ? deliverExact(scan(*step, *a, static_cast<size_t>(*axis), b.where), b) : Value{};
}

/// out[i] folds array[indices[i] : indices[i + 1]], or is array[indices[i]] where that is empty.
Value Lowering::callUfuncReduceAt(const Bound& b) {
  std::optional<Array> a = arrayArgument(b["array"], b);
  std::optional<Array> indices = a ? indexArgument(b["indices"], b) : std::nullopt;
  const std::optional<DType> type = indices ? dtypeOr(DType::Bool, b) : std::nullopt;
  if (!type) return Value{};
  if (a->shape.empty() || indices->shape.size() != 1)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` takes an array and indices of one dimension", b.display()));
  const std::optional<int64_t> named = axisArgument(b["axis"], a->shape.size(), b);
  const std::optional<Step> step =
      named ? stepOf(b.ufunc, *a, b.given("dtype") ? type : std::nullopt, b.where) : std::nullopt;
  if (!step) return Value{};
  const auto axis = static_cast<size_t>(*named);
  for (Array* each : {&*a, &*indices})
    if (each->expensive || each->uninitialised) *each = materialize(*each, "t");
  checkIndexArray(*indices, *a, axis, b.where);
  std::vector<Expr> shape = a->shape;
  shape[axis] = indices->shape[0];
  const Array out = newBuffer("reduced", step->type, shape);
  const Nest nest(shape, std::nullopt);
  const Expr &i = nest.at[axis], &n = a->shape[axis], one = ir::intConst(1);
  const auto element = [&](const Expr& at) { return ir::cast(DType::I64, indices->at({at})); };
  std::vector<ir::Stmt> body = collect([&] {
    const Expr first = ir::var(newVariable("first", DType::I64, element(i)));
    const Expr isLast = ir::binary(ir::BinaryOp::Ge, ir::add(i, one), shape[axis]);
    const Expr end = ir::var(newVariable("end", DType::I64, ir::select(isLast, n, element(ir::add(i, one)))));
    Indices at = nest.at;
    at[axis] = first;
    const Symbol total = newVariable("total", step->type, a->at(at)), k("k");
    mutable_.insert(total);
    at[axis] = ir::var(k);
    const Expr collected = ir::var(total, step->type);
    std::vector<ir::Stmt> inner = collect([&] {
      emit(ir::Assign{total, step->apply(collected, a->at(at))});
    });
    emit(ir::serialLoop(k, ir::add(first, one), end, one, ir::block(std::move(inner))));
    emit(ir::Store{out.view->buffer.name, nest.at, collected, {}});
  });
  emit(nest.around(shape, std::nullopt, ir::block(std::move(body)), b.where));
  return deliverExact(Value{out}, b);
}

/// Updates that do not depend on their order, of integers.
static std::optional<ir::ReduceOp> anyOrder(const std::string& fn) {
  static const std::map<std::string, ir::ReduceOp> kOps = {{"add", ir::ReduceOp::Sum},
                                                           {"bitwise_and", ir::ReduceOp::And},
                                                           {"bitwise_or", ir::ReduceOp::Or},
                                                           {"bitwise_xor", ir::ReduceOp::Xor}};
  const auto found = kOps.find(fn);
  return found == kOps.end() ? std::nullopt : std::optional(found->second);
}

/// a[indices] = fn(a[indices], b), for one index after the other.
Value Lowering::callUfuncAt(const Bound& b) {
  const auto* a = b["a"].as<Array>();
  if (!a || !a->view || a->view->fancy || !a->view->readOnly.empty())
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` stores into an array that has a name, or a slice of one", b.display()));
  const Symbol target = a->view->buffer.name;
  const auto apart = [&](const Value& v) { // NumPy copies what overlaps
    const auto* x = v.as<Array>();
    if (!x || x->shape.empty()) return evaluatedOnce(v, "t");
    if ((!x->expensive && !x->uninitialised &&
         !ir::loadedBuffers(x->at(Indices(x->shape.size(), ir::intConst(0)))).count(target)))
      return v;
    Array copy = *x;
    copy.view = nullptr;
    return Value{materialize(copy, "t")};
  };
  std::vector<Value> index;
  const auto* several = b["indices"].as<TupleValue>();
  for (const Value& v : several && !several->isList ? several->items : std::vector<Value>{b["indices"]})
    index.push_back(apart(v.as<TupleValue>() ? arrayLiteral(*v.as<TupleValue>(), {}, b.where) : v));
  const Value place = subscriptBy(*a, 0, index, b.where);
  if (!place.as<Array>()) return Value{};
  const Array& to = *place.as<Array>();
  std::vector<Array> others;
  if (const Value* given = b.given("b")) {
    const std::optional<Array> other = arrayArgument(apart(strong(*given)), b);
    if (!other) return Value{};
    if (other->shape.size() > to.shape.size())
      return error(DiagId::ShapeMismatch, b.where,
                   fmt::format("`b` of `{}` has more dimensions than what is updated", b.display()));
    fitInto(to, *other, b.where);
    others.push_back(broadcastTo(*other, to.shape));
    const bool isWhole = ir::isInteger(a->type) && !ir::isBool(a->type) && ir::isInteger(other->type) &&
                         ir::isInteger(ir::promote(a->type, other->type)); // u64 and i64 meet in f64
    if (const auto op = isWhole ? anyOrder(b.ufunc) : std::nullopt) {
      assignPlace(to,
                  castTo(others[0].shape.empty() ? Value{Scalar{others[0].at({})}} : Value{others[0]},
                         a->type, b.where),
                  b.where, op);
      return Value{NoneValue{}};
    }
  }
  const Function* row = functionAt("numpy." + b.ufunc);
  const bool isBinary = row->parameters.size() > 1 && row->parameters[1].name == "x2";
  if (isBinary == others.empty())
    return error(
        DiagId::TypeMismatch, b.where,
        fmt::format("`{}` takes {} after the indices", b.display(), isBinary ? "an operand" : "nothing"));
  const Nest nest(to.shape, std::nullopt);
  const Indices at = to.view->index(nest.at);
  bool isBad = false;
  std::vector<ir::Stmt> body = collect([&] {
    std::vector<Value> operands{Value{Scalar{to.at(nest.at)}}};
    for (const Array& other : others) operands.push_back(Value{Scalar{other.at(nest.at)}});
    const Value v = elementwiseFunction(b.ufunc, operands, b.where);
    const auto* s = v.as<Scalar>();
    isBad = !s || (ir::isComplex(s->type()) && !ir::isComplex(a->type));
    if (!isBad) emit(ir::Store{target, at, ir::cast(a->type, s->e), {}});
    if (s && isBad)
      error(DiagId::TypeMismatch, b.where,
            fmt::format("`{}` would drop the imaginary part; write `.real`", b.display()));
  });
  if (isBad) return Value{};
  emit(nest.around(to.shape, std::nullopt, ir::block(std::move(body)), b.where));
  return Value{NoneValue{}};
}

} // namespace appyc::sema
