//===- Compact.cpp - arrays whose size only the data tells: np.nonzero, a[mask] as an array ---------------===//
//   np.flatnonzero(a)     =>   count = 0
//                              for i in [0, n):
//                                if a[i] != 0:  found[count] = i;  count = count + 1
//                              found[:count]
// The array has room for as many as there could be, and is a part of that. A function that returns it returns a view of
// the whole (ir::Result::View), of which the wrapper asks the call how many there are.
#include "Arguments.h"
#include "Lowering.h"
#include "Nest.h"

namespace appyc::sema {

/// What the caller knows the extent not to pass.
std::optional<Expr> Lowering::roomFor(const Expr& extent) const {
  if (isEntryExpr(extent)) return extent;
  if (const auto* v = extent.as<ir::Var>()) {
    const auto found = room_.find(v->name);
    return found == room_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto* select = extent.as<ir::Select>();
  const auto* b = extent.as<ir::Binary>();
  if (!select && !b) return std::nullopt;
  const std::optional<Expr> one = roomFor(select ? select->then : b->lhs),
                            other = roomFor(select ? select->otherwise : b->rhs);
  if (b && b->op == ir::BinaryOp::Min && (!one || !other)) return one ? one : other;
  if (!one || !other) return std::nullopt;
  if (select) return ir::maxOf(*one, *other);
  switch (b->op) {
  case ir::BinaryOp::Add: return ir::add(*one, *other);
  case ir::BinaryOp::Min: return ir::minOf(*one, *other);
  case ir::BinaryOp::Max: return ir::maxOf(*one, *other);
  case ir::BinaryOp::Sub: return isEntryExpr(b->rhs) ? std::optional(ir::sub(*one, b->rhs)) : std::nullopt;
  case ir::BinaryOp::
      Mul: // a factor that is not known itself may be less than its room, and the other one negative
    if (isEntryExpr(b->rhs) && isNonNegative(b->rhs)) return ir::mul(*one, b->rhs);
    if (isEntryExpr(b->lhs) && isNonNegative(b->lhs)) return ir::mul(b->lhs, *other);
    return std::nullopt;
  default: return std::nullopt;
  }
}

/// What is kept of each element of `mask` that is not 0, in C's order: one array for each of `items`.
std::vector<Array> Lowering::compacted(const Array& given, const std::vector<Item>& items) {
  const Array mask = given.expensive || given.uninitialised ? materialize(given, "mask") : given;
  Expr room = ir::intConst(1);
  for (const Expr& extent : mask.shape) room = ir::mul(room, extent);
  std::vector<Array> found;
  for (const auto& [type, item] : items) found.push_back(newBuffer("found", type, {room}));
  const Symbol counter = newVariable("count", DType::I64, ir::intConst(0));
  mutable_.insert(counter);
  const Expr count = ir::var(counter);
  const Nest nest(mask.shape, std::nullopt);
  std::vector<ir::Stmt> keep = collect([&] {
    for (size_t k = 0; k < items.size(); ++k)
      emit(ir::Store{found[k].view->buffer.name, {count}, items[k].second(nest.at), {}});
    emit(ir::Assign{counter, ir::add(count, ir::intConst(1))});
  });
  emit(nest.around(mask.shape, std::nullopt,
                   ir::makeStmt(statement_, ir::If{truth(mask.at(nest.at)), ir::block(std::move(keep)), {}}),
                   statement_));
  const Expr number = sizeVariable(count, room);
  for (Array& each : found) each = cutTo(each, {number});
  return found;
}

/// The indices of what is not 0, by axis.
std::vector<Array> Lowering::positionsOf(const Array& mask) {
  std::vector<Item> items;
  for (size_t d = 0; d < mask.shape.size(); ++d)
    items.emplace_back(DType::I64, [d](const Indices& i) { return i[d]; });
  const std::vector<Array> found = compacted(mask, items);
  std::vector<Symbol> places;
  for (const Array& one : found) places.push_back(one.view->buffer.name);
  for (ir::Buffer& b : out_.buffers)
    if (std::ranges::count(places, b.name)) b.places = places;
  return found;
}

/// `a[mask]` as an array.
Array Lowering::asArray(const Selection& s) {
  const Array values = s.values.expensive || s.values.uninitialised ? materialize(s.values, "t") : s.values;
  Array made = compacted(s.mask, {{values.type, [values](const Indices& i) { return values.at(i); }}})[0];
  if (!s.isKept) return made;
  auto view = std::make_shared<View>(*made.view);
  view->readOnly = "in NumPy this changes what a mask has selected, of which appyc has a copy here; "
                   "`v = np.extract(mask, a)` is an array";
  made.view = view;
  return made;
}

/// np.nonzero, np.where of one argument, np.flatnonzero, np.argwhere.
Value Lowering::callNonzero(const Bound& b) {
  std::optional<Array> a = arrayArgument(b[b.find("condition") ? "condition" : "a"], b);
  if (!a) return Value{};
  if (b.name() == "flatnonzero") return Value{positionsOf(flatOf(*a))[0]};
  if (a->shape.empty())
    return error(DiagId::TypeMismatch, b.where, fmt::format("`{}` takes an array", b.display()));
  const std::vector<Array> found = positionsOf(*a);
  if (b.name() != "argwhere") {
    TupleValue each;
    for (const Array& one : found) each.items.push_back(Value{one});
    return Value{each};
  }
  Array table;
  table.type = DType::I64;
  table.shape = {found[0].shape[0], ir::intConst(static_cast<int64_t>(found.size()))};
  table.at = [found](const Indices& i) {
    Expr e = found.back().at({i[0]});
    for (size_t d = found.size() - 1; d-- > 0;)
      e = ir::select(ir::binary(ir::BinaryOp::Eq, i[1], ir::intConst(static_cast<int64_t>(d))),
                     found[d].at({i[0]}), e);
    return e;
  };
  return Value{table};
}

/// np.compress and np.extract: the elements, or the parts along an axis, for which the condition holds.
Value Lowering::callCompress(const Bound& b) {
  const bool isExtract = b.name() == "extract";
  std::optional<Array> condition = arrayArgument(b["condition"], b),
                       a = condition ? arrayArgument(b[isExtract ? "arr" : "a"], b) : std::nullopt;
  if (!a) return Value{};
  if (isExtract) condition = flatOf(*condition);
  if (condition->shape.size() != 1)
    return error(DiagId::ShapeMismatch, b.where, "the condition of np.compress has one dimension");
  int64_t axis = 0;
  if (const Value* given = b.given("axis")) {
    const std::optional<int64_t> named = axisArgument(*given, a->shape.size(), b);
    if (!named) return Value{};
    axis = *named;
  } else {
    a = flatOf(*a);
  }
  const Expr &n = a->shape[static_cast<size_t>(axis)], &m = condition->shape[0];
  if (!ir::equalIndex(n, m) && !alwaysEqual(n, m))
    requireWhereRun(ir::binary(ir::BinaryOp::Le, m, n), "NotImplementedError",
                    "the condition has more elements than the array along the axis");
  Value v = subscriptBy(*a, static_cast<size_t>(axis), {Value{positionsOf(*condition)[0]}}, b.where);
  if (!v.as<Array>()) return v;
  Array copy = *v.as<Array>();
  copy.view = nullptr;
  copy.shares = Symbol();
  return Value{copy};
}

} // namespace appyc::sema
