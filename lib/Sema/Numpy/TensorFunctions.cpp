//===- TensorFunctions.cpp - PyTorch's functions and methods, by NumPy's where they agree ---------------===//
#include "Arguments.h"
#include "Lowering.h"
#include "Tensors.h"

namespace appyc::sema {

bool Lowering::isTensor(const Value& v, const Bound& b) {
  std::optional<Strength> s = strengthOf(v, b.where);
  if (!s) return false;
  if (!s->weak) return isTypedAlike({v}, s->type, false, b.where);
  error(DiagId::TypeMismatch, b.where,
        fmt::format("`{}` takes tensors, not Python's numbers; for these use `math`, or torch.clamp",
                    b.display()));
  return false;
}

//===--- elementwise ------------------------------------------------------------------------------------===//

/// NumPy's name of PyTorch's function.
static std::string numpyName(const std::string& fn) {
  static const std::map<std::string, std::string> kNames = {{"eq", "equal"},
                                                            {"round", "rint"},
                                                            {"bitwise_left_shift", "left_shift"},
                                                            {"bitwise_right_shift", "right_shift"}};
  auto it = kNames.find(fn);
  return functionAt("numpy." + (it == kNames.end() ? fn : it->second))->name();
}

static bool takesBooleans(const std::string& fn, bool isFloat) {
  static const std::set<std::string> kOthers = {
      "add",         "multiply",    "maximum",  "minimum",     "logical_and", "logical_or",
      "logical_xor", "logical_not", "invert",   "bitwise_and", "bitwise_or",  "bitwise_xor",
      "isnan",       "isinf",       "isfinite", "copysign",    "divide"};
  return isFloat || kOthers.count(fn) || comparisonNames().count(fn);
}

Value Lowering::callTensorFunction(const Bound& b) {
  static const std::set<std::string> kTensorsOnly = {
      "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor", "arctan2", "hypot"};
  static const std::set<std::string> kNumberFirst = {"power",       "remainder",  "bitwise_and", "bitwise_or",
                                                     "bitwise_xor", "left_shift", "right_shift"};
  const std::string fn = numpyName(b.name());
  const std::optional<ir::Intrinsic> intrinsic = ir::intrinsicNamed(fn);
  const bool isFloat = fn == "divide" || (intrinsic && ir::info(*intrinsic).result == "Float");
  std::vector<Value> operands{b["input"]};
  for (const char* name : {"other", "exponent"})
    if (const Value* v = b.find(name)) operands.push_back(*v);
  bool isWhole = true;
  for (size_t k = 0; k < operands.size(); ++k) {
    std::optional<Strength> s = strengthOf(operands[k], b.where);
    if (!s) return Value{};
    const bool isBool = ir::isBool(s->type) && !s->weak;
    isWhole &= !ir::isFloat(s->type);
    if ((kTensorsOnly.count(fn) || (k == 0 && !kNumberFirst.count(fn))) && !isTensor(operands[k], b))
      return Value{};
    if ((isBool && !takesBooleans(fn, isFloat)) || (!ir::isFloat(s->type) && (fn == "rint" || fn == "hypot")))
      return error(DiagId::Unsupported, b.where,
                   fmt::format("`{}` of {} is not translated; convert with `.to` first", b.display(),
                               isBool ? "booleans" : "integers"));
  }
  if (isFloat && isWhole)
    for (Value& v : operands) v = castTo(v, DType::F32, b.where); // PyTorch's default type
  if (std::any_of(operands.begin(), operands.end(), [](const Value& v) { return v.isError(); }))
    return Value{};
  return deliverExact(elementwiseFunction(fn, operands, b.where), b);
}

Value Lowering::callTensorClamp(const Bound& b) {
  Value result = b["input"];
  if (!isTensor(result, b)) return Value{};
  if (ir::isBool(strengthOf(result, b.where)->type) || (!b.given("min") && !b.given("max")))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` takes numbers, and `min` or `max` at least", b.display()));
  for (const auto& [bound, fn] : {std::pair("min", "maximum"), std::pair("max", "minimum")}) {
    if (!b.given(bound) || result.isError()) continue;
    std::vector<Value> both{result, b[bound]};
    result = elementwiseFunction(fn, both, b.where);
  }
  return deliverExact(result, b);
}

Value Lowering::callTensorWhere(const Bound& b) {
  Value x = b["input"], y = b["other"];
  std::optional<Strength> first = strengthOf(x, b.where), second = strengthOf(y, b.where);
  if (!first || !second) return Value{};
  if (!isMask(b["condition"]))
    return error(DiagId::TypeMismatch, b.where, "the condition of `torch.where` is a tensor of booleans");
  if (first->weak && second->weak) {
    if (first->type != second->type)
      return error(DiagId::Unsupported, b.where, "`torch.where` of two numbers takes two of one type here");
    x = asTensor(x), y = asTensor(y);
  }
  return deliverExact(where3(b["condition"], x, y, b.where), b);
}

//===--- reductions -------------------------------------------------------------------------------------===//

/// Why PyTorch has no such reduction of such elements, or has another.
static std::string_view problemOf(const std::string& fn, DType type, const Bound& b) {
  const Value* dim = b.find("dim");
  const auto* dims = dim ? dim->as<TupleValue>() : nullptr;
  const bool isMoment = fn == "mean" || fn == "std" || fn == "var";
  if (isMoment && !ir::isFloat(type) && !b.given("dtype"))
    return "integers has no value in PyTorch; convert with `.to` first";
  if ((fn == "any" || fn == "all") && type == DType::U8)
    return "u8 gives u8 in PyTorch; convert with `.bool()` first";
  if (dims && dims->items.empty()) return "no axis folds all in PyTorch; write `dim=None`";
  if (dims && (fn == "prod" || fn == "argmax" || fn == "argmin"))
    return "several axes is not there in PyTorch";
  if ((fn == "argmax" || fn == "argmin") && ir::isBool(type)) return "booleans is not there in PyTorch";
  return "";
}

Value Lowering::callTensorReduction(const Bound& b) {
  const std::string own = b.name();
  const std::string fn = own == "amax" ? "max" : own == "amin" ? "min" : own;
  if (!isTensor(b["input"], b)) return Value{};
  const DType type = strengthOf(b["input"], b.where)->type;
  if (std::string_view problem = problemOf(fn, type, b); !problem.empty())
    return error(DiagId::Unsupported, b.where, fmt::format("`{}` of {}", b.display(), problem));
  if (own.starts_with("arg") && b["dim"].as<NoneValue>() && constantArgument(b["keepdim"]) != 0)
    return error(DiagId::Unsupported, b.where, fmt::format("`keepdim` of `{}` takes a `dim`", b.display()));
  const Value no{Scalar{ir::boolConst(false), true}}, *keeps = b.find("keepdim");
  std::map<std::string, Value> values{
      {"a", b["input"]}, {"axis", b["dim"]}, {"keepdims", keeps ? *keeps : no}};
  for (const auto& [numpy, name] :
       {std::pair("dtype", "dtype"), std::pair("out", "out"), std::pair("ddof", "correction")})
    if (const Value* v = b.given(name)) values[numpy] = *v;
  if (fn == "std" || fn == "var") values.emplace("ddof", Value{Scalar{ir::intConst(1), true}});
  if ((fn == "sum" || fn == "prod") && !ir::isFloat(type) && !b.given("dtype"))
    values["dtype"] = Value{TypeValue{DType::I64}}; // of u8, too
  if (const Value* given = b.given("dtype"); given && fn == "mean") {
    std::optional<DType> made = dtypeOr(type, b);
    if (!made || !ir::isFloat(*made))
      return error(DiagId::TypeMismatch, b.where, "`dtype=` of `torch.mean` is a float's");
  }
  Function row = *b.row;
  row.target = "numpy." + fn;
  const Bound there{&row, std::move(values), b.where};
  return fn == "count_nonzero" ? callCount(there) : callReduction(there);
}

/// torch.max: of all, along an axis with the positions, or of two tensors.
Value Lowering::callTensorExtreme(const Bound& b) {
  const bool isMax = b.name() == "max";
  const Value* second = b.given("dim_or_other");
  const bool isPair = b.given("other") || (second && !second->as<Scalar>());
  if ((second && (b.given("dim") || b.given("other"))) || (b.given("dim") && b.given("other")))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`{}` takes a dimension or a tensor", b.display()));
  if (isPair) {
    std::vector<Value> both{b["input"], b.given("other") ? b["other"] : *second};
    for (const Value& v : both)
      if (!isTensor(v, b)) return Value{};
    return elementwiseFunction(isMax ? "maximum" : "minimum", both, b.where);
  }
  if (!isTensor(b["input"], b)) return Value{};
  const Value* dim = b.given("dim") ? b.given("dim") : second;
  std::map<std::string, Value> values{{"a", dim ? evaluatedOnce(b["input"], "t") : b["input"]},
                                      {"axis", dim ? *dim : Value{NoneValue{}}},
                                      {"keepdims", b["keepdim"]}};
  Function row = *b.row;
  row.target = isMax ? "numpy.max" : "numpy.min";
  Value extreme = callReduction(Bound{&row, values, b.where});
  if (!dim || extreme.isError()) return strong(extreme);
  row.target = isMax ? "numpy.argmax" : "numpy.argmin";
  Value position = callReduction(Bound{&row, values, b.where});
  return position.isError() ? position : Value{TupleValue{{extreme, position}}};
}

//===--- products, views, copies ------------------------------------------------------------------------===//

Value Lowering::callTensorProduct(const Bound& b) {
  const std::string fn = b.name();
  const Value &x = b["input"], &y = b[b.row->parameters[1].name];
  if (!isTensor(x, b) || !isTensor(y, b)) return Value{};
  auto rank = [&](const Value& v) { return toArray(v).shape.size(); };
  const size_t first = fn == "mm" || fn == "mv" ? 2 : 1, second = fn == "mm" ? 2 : 1;
  if (fn != "matmul" && (rank(x) != first || rank(y) != second))
    return error(DiagId::ShapeMismatch, b.where,
                 fmt::format("`{}` takes tensors of {} and {} dimension(s)", b.display(), first, second));
  if (ir::isBool(strengthOf(x, b.where)->type) || ir::isBool(strengthOf(y, b.where)->type))
    return error(DiagId::Unsupported, b.where,
                 fmt::format("`{}` of booleans is not translated", b.display()));
  if (fn != "outer") return deliverExact(matmul(x, y, b.where), b);
  Function row = *b.row;
  row.target = "numpy.outer";
  return deliverExact(callOuter(Bound{&row, {{"a", x}, {"b", y}}, b.where}), b);
}

Value Lowering::callTensorTranspose(const Bound& b) {
  if (!isTensor(b["input"], b)) return Value{};
  const auto* a = b["input"].as<Array>();
  const auto rank = a ? static_cast<int64_t>(a->shape.size()) : 0;
  if (b.name() == "t")
    return rank < 3 ? (rank < 2 ? b["input"] : transpose(*a))
                    : error(DiagId::ShapeMismatch, b.where, "`torch.t` takes two dimensions at most");
  std::vector<size_t> axes(static_cast<size_t>(rank)), swapped;
  for (size_t d = 0; d < axes.size(); ++d) axes[d] = d;
  for (const char* name : {"dim0", "dim1"}) {
    std::optional<int64_t> d = constantArgument(b[name]);
    if (!d || *d < -rank || *d >= rank)
      return error(DiagId::TypeMismatch, b.where,
                   fmt::format("`{}` of `{}` is an axis, by a constant", name, b.display()));
    swapped.push_back(static_cast<size_t>(*d < 0 ? *d + rank : *d));
  }
  std::swap(axes[swapped[0]], axes[swapped[1]]);
  return transpose(*a, axes);
}

/// The tensor itself or a copy, as it lies: who writes to one may not read the other.
static Value perhapsCopied(const Value& v) {
  const auto* a = v.as<Array>();
  if (!a || !a->view || a->view->fancy) return v;
  Array copy = *a;
  copy.view = nullptr;
  copy.shares = a->view->buffer.name;
  return Value{copy};
}

static Value copied(const Value& v) {
  const auto* a = v.as<Array>();
  if (!a) return v;
  Array copy = *a;
  copy.view = nullptr;
  copy.shares = Symbol();
  return Value{copy};
}

Value Lowering::callTensorCopy(const Bound& b) {
  const Value& v = b["input"];
  if (!isTensor(v, b)) return Value{};
  if (b.name() == "clone") return copied(v);
  const auto* a = v.as<Array>();
  if (b.name() == "detach" || (b.name() == "contiguous" && a && a->view && a->view->whole)) return v;
  return perhapsCopied(v);
}

/// x.to(torch.float64), x.to('cuda'), x.to(y): a type is converted to, a device is where the kernels run.
Value Lowering::callTensorTo(const Bound& b) {
  const Value& v = b["input"];
  if (!isTensor(v, b)) return Value{};
  std::optional<Strength> type =
      b.given("dtype") ? dtypeArgument(b["dtype"], b.where) : strengthOf(v, b.where);
  bool moves = b.given("device") != nullptr, isSomewhere = moves || b.given("dtype");
  for (const Value& to : b["args"].as<TupleValue>()->items) {
    const auto* device = to.as<StringValue>();
    isSomewhere = true;
    if (device && device->text != "cpu" && !device->text.starts_with("cuda"))
      return error(DiagId::Unsupported, b.where,
                   fmt::format("`.to('{}')` is not translated: `cuda` is where kernels run", device->text));
    if (!device && !to.as<TypeValue>() && !isTensor(to, b)) return Value{};
    moves |= device || !to.as<TypeValue>();
    if (to.as<TypeValue>())
      type = dtypeArgument(to, b.where);
    else if (!device)
      type = strengthOf(to, b.where);
  }
  if (!type || !isSomewhere)
    return type ? error(DiagId::TypeMismatch, b.where, "`.to` takes a type, a device or a tensor") : Value{};
  const bool isSame = type->type == strengthOf(v, b.where)->type;
  Value result = castTo(v, type->type, b.where);
  if (constantArgument(b["copy"]) != 0) return copied(result);
  return isSame && moves ? perhapsCopied(result) : result;
}

Value Lowering::callTensorCast(const Bound& b) {
  if (!isTensor(b["input"], b)) return Value{};
  static const std::map<std::string, std::string> kTypes = {{"byte", "uint8"}, {"char", "int8"}};
  auto it = kTypes.find(b.name());
  const TypeValue type = *torchConstant(it == kTypes.end() ? b.name() : it->second)->as<TypeValue>();
  return castTo(b["input"], type.type, b.where);
}

/// numel(), dim(), size().
Value Lowering::callTensorSize(const Bound& b) {
  if (!isTensor(b["input"], b)) return Value{};
  const std::vector<Expr> shape = toArray(b["input"]).shape;
  if (b.name() == "dim") return Value{Scalar{ir::intConst(static_cast<int64_t>(shape.size())), true}};
  if (b.name() == "numel") {
    Expr count = ir::intConst(1);
    for (const Expr& e : shape) count = ir::mul(count, e);
    return Value{Scalar{count, true}};
  }
  TupleValue sizes;
  for (const Expr& e : shape) sizes.items.push_back(Value{Scalar{e, true}});
  if (!b.given("dim")) return Value{sizes};
  const auto rank = static_cast<int64_t>(shape.size());
  std::optional<int64_t> d = constantArgument(b["dim"]);
  if (!d || *d < -rank || *d >= rank)
    return error(DiagId::TypeMismatch, b.where, "`dim` of `.size` is an axis, by a constant");
  return sizes.items[static_cast<size_t>(*d < 0 ? *d + rank : *d)];
}

} // namespace appyc::sema
