//===- Tensors.cpp - PyTorch's types, and how it makes tensors ------------------------------------------===//
// A function that names `torch` computes with tensors. Operators are NumPy's there; where PyTorch would compute
// in another type than NumPy (int64 with float32, an element with an array, integers divided), it is an error.
#include "Tensors.h"
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

//===--- which functions, which types -------------------------------------------------------------------===//

bool Lowering::usesTensors(const UserFunction& called, std::set<const ast::Function*>& seen) const {
  const ast::Function& fn = *called.function;
  const FileScope& scope = *called.file;
  if (!seen.insert(&fn).second) return false;
  if (fn.directive.tensors) return true;
  auto isTorch = [&](const std::string& name) {
    return std::any_of(scope.module->imports.begin(), scope.module->imports.end(), [&](const ast::Import& i) {
      return i.as == name && (i.what == "torch" || i.what.starts_with("torch."));
    });
  };
  for (const auto& [name, facts] : scanNames(fn)) {
    if (facts.uses.empty() || facts.assignments > 0) continue;
    const auto other = scope.functions.find(name);
    if (other != scope.functions.end() ? usesTensors({other->second, &scope}, seen) : isTorch(name))
      return true;
  }
  return false;
}

std::optional<Value> torchConstant(const std::string& name) {
  static const std::map<std::string, double> kNumbers = {
      {"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}, {"inf", HUGE_VAL}, {"nan", NAN}};
  static const std::map<std::string, DType> kTypes = {
      {"bool", DType::Bool}, {"uint8", DType::U8},    {"int8", DType::I8},   {"int16", DType::I16},
      {"short", DType::I16}, {"int32", DType::I32},   {"int", DType::I32},   {"int64", DType::I64},
      {"long", DType::I64},  {"float32", DType::F32}, {"float", DType::F32}, {"float64", DType::F64},
      {"double", DType::F64}};
  if (auto it = kNumbers.find(name); it != kNumbers.end())
    return Value{Scalar{ir::floatConst(it->second), true}};
  if (auto it = kTypes.find(name); it != kTypes.end()) return Value{TypeValue{it->second}};
  if (name == "newaxis") return Value{NoneValue{}};
  return std::nullopt;
}

/// Of tensors of one rank: an integer's width does not widen a float.
static DType promoteTensors(DType a, DType b) {
  if (ir::isFloat(a) != ir::isFloat(b)) return ir::isFloat(a) ? a : b;
  return ir::promote(a, b);
}

/// Tensors with dimensions come before those without, and these before Python's numbers.
static std::optional<DType> before(std::optional<DType> higher, std::optional<DType> lower) {
  if (!higher || !lower) return higher ? higher : lower;
  if (ir::isFloat(*higher)) return higher;
  return ir::isBool(*higher) || ir::isFloat(*lower) ? promoteTensors(*higher, *lower) : higher;
}

static DType standardType(DType t) { return ir::isFloat(t) ? DType::F32 : ir::isBool(t) ? t : DType::I64; }

/// PyTorch's type of an operation.
static DType tensorType(const std::vector<Value>& operands, const std::vector<Strength>& types) {
  std::optional<DType> ranks[3]; // with dimensions, without, Python's
  for (size_t k = 0; k < operands.size(); ++k) {
    const auto* a = operands[k].as<Array>();
    const size_t rank = types[k].weak ? 2 : (a ? !a->shape.empty() : !operands[k].as<Scalar>()) ? 0 : 1;
    const DType type = types[k].weak ? standardType(types[k].type) : types[k].type;
    ranks[rank] = ranks[rank] ? promoteTensors(*ranks[rank], type) : type;
  }
  return *before(ranks[0], before(ranks[1], ranks[2]));
}

/// Does PyTorch compute in NumPy's type?
bool Lowering::isTypedAlike(const std::vector<Value>& operands, DType numpy, bool inFloat, Span where) {
  std::vector<Strength> types;
  bool isPython = true;
  for (const Value& v : operands) {
    std::optional<Strength> s = strengthOf(v, where);
    if (!s) return false;
    types.push_back(*s);
    isPython &= s->weak;
    const bool isRefused = ir::isComplex(s->type) || (ir::isUnsigned(s->type) && s->type != DType::U8);
    if (!isRefused || s->weak) continue;
    error(DiagId::Unsupported, where,
          fmt::format("tensors of {} are not translated; use NumPy's functions", ir::name(s->type)));
    return false;
  }
  if (isPython) return true;
  const DType own = tensorType(operands, types);
  const DType there = inFloat && !ir::isFloat(own) ? DType::F32 : own;
  const DType here = inFloat ? ir::floatFor(numpy) : numpy;
  if (there != here) {
    error(DiagId::TypeMismatch, where,
          fmt::format("PyTorch computes this in {}, NumPy in {}: convert the operands to one type, as by "
                      "`.to(torch.{})`",
                      ir::name(there), ir::name(here), ir::numpyName(here)));
    return false;
  }
  for (size_t k = 0; k < types.size(); ++k)
    if (types[k].weak && ir::isInteger(types[k].type) && ir::isInteger(numpy) &&
        !holds(own, operands[k], where))
      return false;
  return true;
}

Value asTensor(const Value& v) {
  const auto* s = v.as<Scalar>();
  return s && s->weak ? Value{Scalar{ir::cast(standardType(s->type()), s->e), false}} : v;
}

//===--- creation ---------------------------------------------------------------------------------------===//

/// The call of a function of PyTorch as one of NumPy's function `target`, under the name that it has here.
static Bound asNumpy(const Bound& b, Function& row, const std::string& target,
                     std::map<std::string, Value> values) {
  row = *b.row;
  row.target = "numpy." + target;
  return Bound{&row, std::move(values), b.where};
}

Value Lowering::callTensorCreation(const Bound& b) {
  const std::string fn = b.name();
  std::map<std::string, Value> values;
  if (const Value* like = b.find("input")) {
    if (!isTensor(*like, b)) return Value{};
    values[fn == "empty_like" ? "prototype" : "a"] = *like;
  } else {
    const auto* sizes = b["size"].as<TupleValue>();
    const bool isShape = sizes && b.row->parameters[0].kind == Parameter::Rest && sizes->items.size() == 1;
    if (sizes && sizes->items.empty() && b.row->parameters[0].kind == Parameter::Rest)
      return error(DiagId::TypeMismatch, b.where,
                   fmt::format("`{}` misses its argument `size`", b.display()));
    values["shape"] = isShape ? sizes->items[0] : b["size"];
    values["dtype"] = Value{TypeValue{DType::F32}};
  }
  if (const Value* fill = b.find("fill_value")) {
    values["fill_value"] = *fill;
    const auto* s = fill->as<Scalar>();
    if (!b.find("input")) {
      if (!s || (!s->weak && !b.given("dtype")))
        return error(
            DiagId::Unsupported, b.where,
            fmt::format("`{}` takes a number of Python's here; for others give `dtype=`", b.display()));
      values["dtype"] = Value{TypeValue{standardType(s->type())}};
    }
  }
  if (const Value* type = b.given("dtype")) values["dtype"] = *type;
  Function row;
  return callCreation(asNumpy(b, row, fn, std::move(values)));
}

/// Whole numbers, whose sums are exact. Of others PyTorch rounds the elements otherwise than NumPy.
Value Lowering::callTensorRange(const Bound& b) {
  const Value* end = b.given("end");
  const Value start = end && b.given("start") ? b["start"] : Value{Scalar{ir::intConst(0), true}};
  const Value* stop = end ? end : b.given("start");
  if (!stop) return error(DiagId::TypeMismatch, b.where, "`torch.arange` misses its argument `end`");
  std::vector<Value> bounds{start, *stop, b["step"]};
  bool isFloat = false;
  for (Value& v : bounds) {
    const auto* s = v.as<Scalar>();
    if (!s) return error(DiagId::TypeMismatch, b.where, "`torch.arange` takes numbers");
    if (!ir::isFloat(s->type())) continue;
    const auto* c = s->e.as<ir::Const>();
    const double* value = c ? std::get_if<double>(&c->value) : nullptr;
    if (!value || *value != std::trunc(*value) || std::abs(*value) > 16777216)
      return error(DiagId::Unsupported, b.where,
                   "`torch.arange` of numbers that are not whole is not translated; write `start + step * "
                   "torch.arange(n, dtype=...)`");
    isFloat = true;
    v = Value{Scalar{ir::intConst(static_cast<int64_t>(*value)), true}};
  }
  std::map<std::string, Value> values{{"start_or_stop", bounds[0]}, {"stop", bounds[1]}, {"step", bounds[2]}};
  values["dtype"] = b.given("dtype") ? b["dtype"] : Value{TypeValue{isFloat ? DType::F32 : DType::I64}};
  Function row;
  return callArange(asNumpy(b, row, "arange", std::move(values)));
}

/// Computed from the nearer end, in the tensor's type.
Value Lowering::callTensorLinspace(const Bound& b) {
  std::optional<DType> type = dtypeOr(DType::F32, b);
  std::optional<std::vector<Expr>> shape = shapeArgument(b["steps"], b.where);
  const auto *first = b["start"].as<Scalar>(), *last = b["end"].as<Scalar>();
  if (!type || !shape) return Value{};
  if (!first || !last || !b["steps"].as<Scalar>() || !ir::isFloat(*type) || ir::isComplex(first->type()) ||
      ir::isComplex(last->type()))
    return error(DiagId::Unsupported, b.where,
                 "`torch.linspace` takes two numbers and a count here; `dtype=` of it is a float's");
  auto fixed = [&](const Scalar& s) {
    Expr e = ir::cast(*type, s.e);
    return isStable(e) ? e : materialize(e, "t");
  };
  const Expr n = (*shape)[0], one = ir::intConst(1), start = fixed(*first), end = fixed(*last);
  const Expr parts = ir::cast(*type, ir::maxOf(ir::sub(n, one), one));
  const Expr step =
      materialize(ir::binary(ir::BinaryOp::Div, ir::binary(ir::BinaryOp::Sub, end, start), parts), "step");
  Array out;
  out.type = *type;
  out.shape = {n};
  out.at = [=, to = *type](const Indices& i) {
    auto steps = [&](const Expr& count) { return ir::binary(ir::BinaryOp::Mul, step, ir::cast(to, count)); };
    Expr low = ir::binary(ir::BinaryOp::Add, start, steps(i[0]));
    Expr high = ir::binary(ir::BinaryOp::Sub, end, steps(ir::sub(ir::sub(n, one), i[0])));
    Expr isLow = ir::binary(ir::BinaryOp::Lt, i[0], ir::binary(ir::BinaryOp::FloorDiv, n, ir::intConst(2)));
    Expr isOnly = ir::binary(ir::BinaryOp::Eq, n, one);
    return ir::select(ir::binary(ir::BinaryOp::LogicalOr, isLow, isOnly), low, high);
  };
  return Value{out};
}

/// torch.tensor([...]) of Python's numbers, or of others with a type.
Value Lowering::callTensorLiteral(const Bound& b) {
  const auto* list = b["data"].as<TupleValue>();
  if (!list || list->items.empty())
    return error(DiagId::Unsupported, b.where, "`torch.tensor` takes a list of numbers here");
  std::optional<DType> type;
  if (b.given("dtype") && !(type = dtypeOr(DType::F32, b))) return Value{};
  std::function<bool(const TupleValue&)> isPython = [&](const TupleValue& items) {
    return std::all_of(items.items.begin(), items.items.end(), [&](const Value& v) {
      if (const auto* t = v.as<TupleValue>()) return isPython(*t);
      return v.as<Scalar>() && v.as<Scalar>()->weak;
    });
  };
  if (!type && !isPython(*list))
    return error(DiagId::Unsupported, b.where,
                 "`torch.tensor` of numbers that are not Python's own takes a `dtype=` here");
  Value made = arrayLiteral(*list, type, b.where);
  const auto* a = made.as<Array>();
  return a && !type ? castTo(made, standardType(a->type), b.where) : made;
}

} // namespace appyc::sema
