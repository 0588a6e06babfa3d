//===- Arrays.cpp - np.array and its kind, copies, conversions of type -------------------===//
#include "Arguments.h"
#include "Items.h"
#include "Lowering.h"
#include "appyc/IR/Simplify.h"

namespace appyc::sema {

//===--- np.array([...]) ----------------------------------------------------------------------------===//

/// May a number of the list go into an array of `type`? NumPy looks at an integer's value.
bool Lowering::fitsLiteral(const Value& item, DType type, Span where) {
  const auto* s = item.as<Scalar>();
  const DType from = s ? s->type() : toArray(item).type;
  if (s && !holds(type, item, where)) return false;
  const bool cuts = ir::isComplex(from) && !ir::isComplex(type);
  const bool narrows =
      s && !s->weak && ir::isInteger(from) && ir::isInteger(type) && ir::promote(from, type) != type;
  if (!cuts && !narrows) return true;
  error(DiagId::TypeMismatch, where,
        fmt::format("NumPy may refuse to put {} into an array of {}; convert it first", ir::name(from),
                    ir::name(type)));
  return false;
}

/// A number that is Python's own on some paths and NumPy's on others, of which an array of them has one type.
static bool isOfOneType(const Scalar& s) {
  const DType t = s.type();
  const bool isPythons = t == DType::F64 || t == DType::I64 || t == DType::C128 || t == DType::Bool;
  return isPythons && !s.others.empty() && !s.isOpaque &&
         std::ranges::all_of(s.others, [t](const Scalar& o) { return !o.e || o.type() == t; });
}

/// What types a number has that is of another one on some paths, and is the same number there; empty for all else.
static std::vector<DType> typesOnPaths(const Scalar& s) {
  std::vector<DType> types;
  if (s.isOpaque || s.isExtended || s.as) return types;
  for (const Scalar& o : s.others)
    if (o.e) types.push_back(o.type());
  return types;
}

/// The array that NumPy makes of a list: of numbers, of lists, of arrays.
Value Lowering::arrayLiteral(const TupleValue& list, std::optional<DType> dtype, Span where) {
  std::vector<Array> items;
  std::optional<DType> type, least; // the latter on a path by which each number has its smallest type
  bool isOnPaths = false;
  for (const Value& given : list.items) {
    const auto* numbers = given.as<ListValue>();
    Value item = given.as<TupleValue>()   ? arrayLiteral(*given.as<TupleValue>(), dtype, where)
                 : numbers                ? arrayOf(*numbers, dtype, where)
                 : given.as<RangeValue>() ? asOperand(given, where)
                                          : evaluatedOnce(given, "t");
    if (item.isError()) return item;
    const auto* number = item.as<Scalar>();
    const std::vector<DType> types = number ? typesOnPaths(*number) : std::vector<DType>();
    if (number && (isOfOneType(*number) || types.size() == 1)) item = Value{Scalar{number->e}};
    std::optional<Strength> s = strengthOf(item, where);
    if (!s || (dtype && !fitsLiteral(item, *dtype, where))) return Value{};
    if (item.as<Selection>())
      return error(DiagId::Unsupported, where, "a selection by a mask is not an item of an array");
    if (const auto* a = item.as<Array>(); a && (a->view || a->expensive || a->uninitialised)) {
      Array copy = newBuffer("t", a->type, a->shape); // as it is now
      if (!a->uninitialised) store(copy, *a);
      item = Value{copy};
    }
    items.push_back(toArray(item));
    type = type ? ir::promote(*type, s->type) : s->type;
    const DType smallest = types.size() == 1 ? types.front() : s->type;
    least = least ? ir::promote(*least, smallest) : smallest;
    isOnPaths |= types.size() == 1;
  }
  if (isOnPaths && !dtype && least != type)
    return error(DiagId::TypeMismatch, where,
                 "the type of this array depends on the path that was taken; convert its numbers, as by "
                 "`np.float64(...)`");
  Array out;
  out.type = dtype.value_or(type.value_or(DType::F64));
  out.shape = {ir::intConst(static_cast<int64_t>(items.size()))};
  for (const Array& item : items) {
    if (item.shape.size() != items[0].shape.size())
      return error(DiagId::ShapeMismatch, where, "the items of an array have one shape");
    for (size_t d = 0; d < item.shape.size(); ++d)
      requireEqual(items[0].shape[d], item.shape[d], "the items of an array have one shape", where);
  }
  if (!items.empty()) out.shape.insert(out.shape.end(), items[0].shape.begin(), items[0].shape.end());
  out.at = [items, to = out.type](const Indices& i) {
    if (items.empty()) return ir::constOf(to, 0);
    const Indices rest(i.begin() + 1, i.end());
    const auto item = [&](size_t k) { return ir::cast(to, items[k].at(rest)); };
    const std::optional<int64_t> known = ir::constantInt(i[0]);
    const bool isItem = known && *known >= 0 && *known < static_cast<int64_t>(items.size());
    return isItem ? item(static_cast<size_t>(*known)) : itemAt(item, 0, items.size(), i[0]);
  };
  return Value{tabulated(out, tableName_)};
}

/// What NumPy makes of a list, a tuple or a range where it takes an array; all else as it is.
Value Lowering::asOperand(const Value& v, Span where) {
  if (const auto* list = v.as<ListValue>(); list && (!list->hasViews || list->made))
    return arrayOf(ListValue(*list), {}, where);
  if (const auto* rows = v.as<NestedValue>()) return arrayOfRows(NestedValue(*rows), {}, where);
  if (const auto* t = v.as<TupleValue>(); t && !t->isSet && !t->isDeque)
    return arrayLiteral(TupleValue(*t), {}, where);
  const auto* range = v.as<RangeValue>();
  if (!range) return v;
  const Expr length = lengthOf(*range);
  if (ir::isConst(length, 0)) return Value{emptyArray(DType::F64)};
  if (!isNonNegative(ir::sub(length, ir::intConst(1))))
    requireWhereRun(ir::binary(ir::BinaryOp::Gt, length, ir::intConst(0)), "NotImplementedError",
                    "NumPy makes an array of float64 of an empty range; write `np.arange`");
  return Value{numbersIn(*range)};
}

Array numbersIn(const RangeValue& r) {
  Array numbers = emptyArray(DType::I64);
  numbers.shape = {lengthOf(r)};
  numbers.at = [r](const Indices& i) { return ir::add(r.lo, ir::mul(i[0], r.step)); };
  return numbers;
}

//===--- copies -------------------------------------------------------------------------------------===//

/// A new array of the same elements.
static Array copyOf(Array a) {
  a.view = nullptr;
  a.shares = Symbol();
  return a;
}

/// With axes of one element in front, `rank` in all.
static Array withRank(const Array& a, size_t rank) {
  const size_t more = rank > a.shape.size() ? rank - a.shape.size() : 0;
  if (more == 0) return a;
  std::vector<Expr> shape = a.shape;
  shape.insert(shape.begin(), more, ir::intConst(1));
  return remapped(a, std::move(shape),
                  [more](const Indices& i) { return Indices(i.begin() + static_cast<long>(more), i.end()); });
}

/// np.array, np.asarray, np.ascontiguousarray, np.asfortranarray, np.copy, a.copy().
Value Lowering::callCopy(const Bound& b) {
  const std::string fn = b.name();
  const Value& from = b[fn == "array" ? "object" : "a"];
  std::optional<DType> dtype;
  if (b.given("dtype") && !(dtype = dtypeOr(DType::F64, b))) return Value{};
  const bool mustCopy = fn == "copy" ||
                        (fn == "array" && b.given("copy") && constantArgument(b["copy"]) != 0) ||
                        (fn == "asarray" && b.given("copy") && constantArgument(b["copy"]) != 0);
  const bool mustShare = b.given("copy") && constantArgument(b["copy"]) == 0;
  if (b.given("copy") && !constantArgument(b["copy"]))
    return error(DiagId::TypeMismatch, b.where, "`copy` must be known at compile time");
  std::optional<int64_t> rank = b.find("ndmin") ? constantArgument(b["ndmin"]) : std::optional<int64_t>(0);
  if (!rank || *rank < 0 || *rank > 8)
    return error(DiagId::TypeMismatch, b.where, "`ndmin` must be a small number known at compile time");
  const auto* list = from.as<ListValue>();
  const auto* rows = from.as<NestedValue>();
  Value v = list                    ? arrayOf(*list, dtype, b.where)
            : rows                  ? arrayOfRows(*rows, dtype, b.where)
            : from.as<TupleValue>() ? arrayLiteral(*from.as<TupleValue>(), dtype, b.where)
                                    : asOperand(from, b.where);
  const bool isLiteral = list || rows || from.as<TupleValue>() || from.as<RangeValue>();
  const auto* order = b.given("order") ? b["order"].as<StringValue>() : nullptr;
  const bool isByColumns = order && order->text == "F" && fn != "asfortranarray";
  std::optional<Strength> s = v.isError() ? std::nullopt : strengthOf(v, b.where);
  if (!s) return Value{};
  const bool converts = dtype && *dtype != s->type;
  if (mustShare && (converts || !v.as<Array>() || isLiteral))
    return error(DiagId::TypeMismatch, b.where, "NumPy raises where `copy=False` would need a copy");
  if (converts && (!v.as<Array>() && !fitsLiteral(v, *dtype, b.where))) return Value{};
  if (ir::isComplex(s->type) && dtype && !ir::isComplex(*dtype) && !ir::isBool(*dtype))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`dtype={}` of `{}` would drop the imaginary part of {}; write `.real`",
                             ir::numpyName(*dtype), b.display(), ir::name(s->type)));
  if (converts) v = castTo(v, *dtype, b.where);
  if (v.as<Selection>()) return v;
  if (v.as<Scalar>()) {
    if (*rank > 0 || fn == "ascontiguousarray" || fn == "asfortranarray")
      return error(DiagId::Unsupported, b.where, fmt::format("`{}` takes an array here", b.display()));
    Scalar cell = *v.as<Scalar>();
    cell.isCell = true;
    return Value{cell};
  }
  Array a = withRank(*v.as<Array>(), static_cast<size_t>(*rank));
  if (isByColumns && (converts || isLiteral || mustCopy)) a.order = MemoryOrder::Unknown;
  if (converts || isLiteral) return Value{a};
  if (mustCopy) {
    Array copy = copyOf(a);
    if (order && order->text == "C") copy.order = MemoryOrder::C;
    return Value{copy};
  }
  if ((fn == "array" || fn == "asarray") && !isByColumns) return Value{a};
  if (!a.view || a.view->fancy) return Value{copyOf(a)};
  if (a.view->whole && !isReorderedMemory(a) && (fn == "ascontiguousarray" || a.shape.size() < 2))
    return Value{a};
  Array copy = copyOf(a); // or the array itself, as its strides are
  copy.shares = a.view->buffer.name;
  return Value{copy};
}

/// NumPy's casting rules, by name; "equiv" is "no" for one machine.
static std::optional<bool> canCast(DType from, DType to, const std::string& rule) {
  if (rule == "no" || rule == "equiv") return from == to;
  if (rule == "safe") return ir::promote(from, to) == to;
  if (rule == "same_kind") return sameKind(from, to);
  if (rule == "unsafe") return true;
  return std::nullopt;
}

Value Lowering::callAstype(const Bound& b) {
  const Value self = onlyValue(b["a"]);
  std::optional<Strength> from = strengthOf(self, b.where), type = dtypeArgument(b["dtype"], b.where);
  std::optional<bool> copies = flagArgument("copy", b);
  if (!from || !type || !copies) return Value{};
  const auto* rule = b["casting"].as<StringValue>();
  std::optional<bool> allowed = rule ? canCast(from->type, type->type, rule->text) : std::nullopt;
  if (!allowed || !*allowed)
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`casting` of `.astype` does not let {} become {}", ir::name(from->type),
                             ir::name(type->type)));
  Value v = castTo(self, type->type, b.where);
  const auto* a = v.as<Array>();
  const bool isByColumns = isSame(b["order"], Value{StringValue{"F"}});
  if (!a || (!*copies && !isByColumns)) return v;
  if (!*copies)
    return error(DiagId::Unsupported, b.where,
                 "`copy=False` of `.astype` with `order='F'` copies by how the array lies; write "
                 "`np.asfortranarray(a)` or leave one of them out");
  Array copy = copyOf(*a);
  if (isByColumns) copy.order = MemoryOrder::Unknown;
  return Value{copy};
}

//===--- methods ------------------------------------------------------------------------------------===//

/// Of real numbers the array itself, unlike np.conj.
Value Lowering::callConjugate(const Bound& b) {
  std::optional<Strength> s = strengthOf(b["a"], b.where);
  if (!s) return Value{};
  if (ir::isBool(s->type) && !s->weak)
    return error(DiagId::TypeMismatch, b.where, "NumPy has no .conj() of booleans");
  if (!ir::isComplex(s->type) && !ir::isBool(s->type)) return b["a"];
  return callIntrinsic(ir::Intrinsic::Conj, {b["a"]}, b.where);
}

Value Lowering::callFill(const Bound& b) {
  const auto* a = b["a"].as<Array>();
  if (!a || !a->view || a->view->fancy)
    return error(DiagId::Unsupported, b.where, ".fill takes an array that has a name, or a slice of one");
  if (!b["value"].as<Scalar>()) return error(DiagId::TypeMismatch, b.where, ".fill takes a number");
  assignPlace(*a, b["value"], b.where);
  return Value{NoneValue{}};
}

/// The element as Python's number: the only one, or that at an index.
Value Lowering::callItem(const Bound& b) {
  Value self = b["a"];
  if (!strengthOf(self, b.where)) return Value{};
  if (strengthOf(self, b.where)->type == DType::U64)
    return error(DiagId::Unsupported, b.where,
                 ".item() of u64 may be an integer past 64 bits; convert with .astype(np.int64) first");
  const auto* a = self.as<Array>();
  std::vector<Value> index = b["args"].as<TupleValue>()->items;
  if (index.size() == 1 && index[0].as<TupleValue>())
    index = std::vector<Value>(index[0].as<TupleValue>()->items);
  if (self.as<Selection>() || (!a && !index.empty()))
    return error(DiagId::Unsupported, b.where, ".item takes no index here");
  if (!a) return self;
  Expr one = ir::intConst(1);
  if (index.empty()) {
    for (const Expr& extent : a->shape)
      requireEqual(extent, one, "can only convert an array of size 1 to a Python scalar", b.where);
    return Value{Scalar{a->at(Indices(a->shape.size(), ir::intConst(0)))}};
  }
  Indices at;
  for (const Value& v : index) {
    const auto* s = v.as<Scalar>();
    if (!s || !ir::isInteger(s->type()) || index.size() != a->shape.size())
      return error(DiagId::Unsupported, b.where, ".item takes an integer for each dimension");
    const Expr i = checkedIndex(stable(ir::cast(DType::I64, s->e)), *a, at.size(), b.where);
    at.push_back(wrapIndex(i, a->shape[at.size()]));
  }
  Array from = a->expensive || a->uninitialised ? materialize(*a, "t") : *a;
  return Value{Scalar{from.at(at)}};
}

//===--- arguments that name types and sizes ---------------------------------------------------------===//

std::optional<int64_t> Lowering::constantArgument(const Value& v) const {
  const auto* s = v.as<Scalar>();
  if (!s) return std::nullopt;
  if (const auto truth = ir::constantBool(s->e)) return *truth;
  return ir::constantInt(s->e);
}

/// A dtype by the names and codes that NumPy has for it: 'float32', 'f4', '<f4', 'f'.
static std::optional<DType> dtypeSpelled(std::string text) {
  static const std::map<std::string, DType> kOthers = {
      {"?", DType::Bool},       {"bool_", DType::Bool},   {"b1", DType::Bool},     {"b", DType::I8},
      {"byte", DType::I8},      {"h", DType::I16},        {"short", DType::I16},   {"i", DType::I32},
      {"intc", DType::I32},     {"int", DType::I64},      {"int_", DType::I64},    {"intp", DType::I64},
      {"long", DType::I64},     {"longlong", DType::I64}, {"l", DType::I64},       {"q", DType::I64},
      {"p", DType::I64},        {"n", DType::I64},        {"B", DType::U8},        {"ubyte", DType::U8},
      {"H", DType::U16},        {"ushort", DType::U16},   {"I", DType::U32},       {"uintc", DType::U32},
      {"uint", DType::U64},     {"uintp", DType::U64},    {"ulong", DType::U64},   {"ulonglong", DType::U64},
      {"L", DType::U64},        {"Q", DType::U64},        {"P", DType::U64},       {"N", DType::U64},
      {"f", DType::F32},        {"single", DType::F32},   {"d", DType::F64},       {"float", DType::F64},
      {"double", DType::F64},   {"F", DType::C64},        {"csingle", DType::C64}, {"D", DType::C128},
      {"complex", DType::C128}, {"cdouble", DType::C128}};
  if (text.size() > 1 && (text[0] == '<' || text[0] == '=' || text[0] == '|')) text.erase(0, 1);
  if (auto it = kOthers.find(text); it != kOthers.end()) return it->second;
  for (int t = 0; t < ir::kDTypeCount; ++t) {
    const auto type = static_cast<DType>(t);
    const char kind = ir::isUnsigned(type) ? 'u' : ir::isInteger(type) ? 'i' : ir::isFloat(type) ? 'f' : 'c';
    if (text == ir::numpyName(type) ||
        (!ir::isBool(type) && text == fmt::format("{}{}", kind, ir::byteSize(type))))
      return type;
  }
  return std::nullopt;
}

std::optional<Strength> Lowering::dtypeArgument(const Value& v, Span where) {
  if (const auto* t = v.as<TypeValue>()) return Strength{t->type, false};
  if (v.as<NoneValue>()) return Strength{DType::F64, false};
  if (const auto* s = v.as<StringValue>())
    if (std::optional<DType> type = dtypeSpelled(s->text)) return Strength{*type, false};
  if (const auto* c = v.as<Callable>(); c && !insteadOf(c->path).empty())
    unknownFunction(c->path, where); // np.float16
  else if (const auto* s = v.as<StringValue>())
    error(DiagId::TypeMismatch, where,
          fmt::format(
              "arrays have no type '{}' here: truth values, integers, float32, float64 and their complex "
              "numbers",
              s->text));
  else
    error(DiagId::TypeMismatch, where, "dtype must be a NumPy type such as np.float64");
  return std::nullopt;
}

std::optional<std::vector<Expr>> Lowering::shapeArgument(const Value& v, Span where) {
  std::vector<Value> items;
  if (const auto* t = v.as<TupleValue>())
    items = t->items;
  else
    items = {v};
  std::vector<Expr> shape;
  for (const Value& item : items) {
    const auto* s = item.as<Scalar>();
    if (!s || !ir::isInteger(s->type())) {
      error(DiagId::TypeMismatch, where,
            fmt::format("a shape is an integer or a tuple of integers, not {}", describe(item)));
      return std::nullopt;
    }
    if (!holds(DType::I64, item, where)) return std::nullopt;
    Expr e = stable(ir::cast(DType::I64, s->e));
    if (ir::constantInt(e).value_or(0) < 0) {
      error(DiagId::ShapeMismatch, where, "negative dimensions are not allowed");
      return std::nullopt;
    }
    if (!isNonNegative(e))
      requireWhereRun(ir::binary(ir::BinaryOp::Ge, e, ir::intConst(0)), "ValueError",
                      Message("negative dimensions are not allowed: ").number(e));
    shape.push_back(e);
  }
  return shape;
}

} // namespace appyc::sema
