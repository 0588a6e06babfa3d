//===- Sizes.cpp - arrays whose size depends on the path, or on a loop's step ------------------------------===//
//   while ...:          =>   z: room for as many as there were before the loop;  n = those
//     z = z[keep]            while ...:  compacted into an array of the step's;  copied into z;  n = their number
// In a step the size is a variable of the step's own: what is computed from `z` has that size, whatever `z` becomes.
#include "Lowering.h"

namespace appyc::sema {

/// An array of that shape with room for what the caller knows its extents not to pass.
Array Lowering::roomyBuffer(const std::string& hint, DType type, const std::vector<Expr>& shape) {
  std::vector<Expr> room;
  for (const Expr& extent : shape) room.push_back(roomFor(extent).value_or(extent));
  Array made = newBuffer(hint, type, room);
  return std::ranges::equal(room, shape, ir::equalIndex) ? made : cutTo(made, shape);
}

/// A size that is a number of elements, of which there are no more than `room`.
Expr Lowering::sizeVariable(const Expr& count, const Expr& room) {
  const Symbol n = newVariable("n", DType::I64, count);
  nonNegative_.insert(n);
  if (const std::optional<Expr> most = roomFor(room)) room_[n] = *most;
  return ir::var(n);
}

/// The extent of what is one array on one path and another on the other: where the caller knows the path, too, it is that
/// path's; where only data tells the sizes, each path sets it.
Expr Lowering::sizeOnPaths(const Sides& sides, const Expr& then, const Expr& otherwise, Span where) {
  if (ir::equalIndex(then, otherwise) || alwaysEqual(then, otherwise)) return then;
  const bool areKnown = isEntryExpr(then) && isEntryExpr(otherwise);
  const Symbol n("n");
  if (areKnown && isEntryExpr(sides.cond)) {
    sizes_.insert(n);
    joints_.push_back({n, {ir::var(n)}, ir::select(sides.cond, then, otherwise)});
    return ir::var(n);
  }
  const std::optional<Expr> most = roomFor(then), other = roomFor(otherwise);
  if (areKnown || !most || !other) {
    if (listStates_.resumed.count(frame().function) && !ir::constantInt(ir::sub(then, otherwise)))
      return error(DiagId::Recursion, where, "a part of an array"), then; // callUser says what to do
    requireEqual(then, otherwise, "the two paths give arrays of different sizes", where,
                 "NotImplementedError");
    return then;
  }
  sides.then.push_back(ir::makeStmt(shown(where), ir::Assign{n, then}));
  sides.otherwise.push_back(ir::makeStmt(shown(where), ir::Assign{n, otherwise}));
  nonNegative_.insert(n);
  room_[n] = ir::maxOf(*most, *other);
  return ir::var(n);
}

/// By how much a step adds to sizes that change, as those do that the data tells or that follow from what they were; other
/// sizes are equal, or the call raises. True where that is news.
bool Lowering::noteGrowth(Growth& changing, const Array& before, const Array& after) const {
  bool isNew = false;
  for (size_t d = 0; d < before.shape.size(); ++d) {
    if (!changing.count(d)) {
      const Expr &was = before.shape[d], &is = after.shape[d];
      if (ir::equalIndex(was, is) || !roomFor(was)) continue;
      if (isEntryExpr(is) && !std::ranges::includes(ir::freeVars(was), ir::freeVars(is))) continue;
      changing[d] = ir::intConst(0), isNew = true;
    } else if (changing[d]) {
      const std::optional<Expr> room = roomFor(before.shape[d]), most = roomFor(after.shape[d]);
      const Expr growth = room && most ? ir::maxOf(ir::sub(*most, *room), ir::intConst(0)) : Expr();
      if (growth && ir::equalIndex(growth, changing[d])) continue;
      changing[d] =
          ir::isConst(changing[d], 0) ? growth : Expr(); // what grows by more each time has no bound
      isNew = true;
    }
  }
  return isNew;
}

/// A buffer of the name's own, whose sizes along these axes are variables that the steps of the loop change.
Array Lowering::resizable(const std::string& name, const Array& a, const Growth& changing,
                          const ir::For& loop) {
  const std::optional<Expr> steps = roomFor(lengthOf({loop.lo, loop.hi, loop.step}));
  std::vector<Expr> shape = a.shape;
  std::vector<bool> isBounded(shape.size());
  for (const auto& [axis, growth] : changing) {
    isBounded[axis] = growth && (ir::isConst(growth, 0) || (steps && roomFor(shape[axis])));
    if (isBounded[axis] && !ir::isConst(growth, 0))
      shape[axis] = ir::add(*roomFor(shape[axis]), ir::mul(*steps, growth));
  }
  Array copy = cutTo(roomyBuffer(hintOf(name), a.type, shape), a.shape);
  storeCopy(copy, a, a, name, boundAt(name));
  for (const auto& [axis, growth] : changing) {
    copy.shape[axis] = sizeVariable(a.shape[axis], copy.view->buffer.extents[axis]);
    const Symbol n = copy.shape[axis].as<ir::Var>()->name;
    mutable_.insert(n);
    changing_[n] = isBounded[axis];
  }
  return copy;
}

/// Selections that names have become arrays before a statement that takes parts of them.
void Lowering::settleSelections() {
  const std::map<std::string, NameFacts>& names = frame().names;
  for (auto& [name, value] : env()) {
    const auto* s = value.as<Selection>();
    const auto facts = s ? names.find(name) : names.end();
    if (facts == names.end() || std::ranges::none_of(facts->second.parts, [&](Span part) {
          return part.begin >= statement_.begin && part.end <= statement_.end;
        }))
      continue;
    const bool isShared = isSeenBeside(name, s->values, true);
    value = Value{asArray(isShared ? *s : Selection{s->values, s->mask})};
  }
}

/// What a step computes from an array keeps its size when the array gets another one.
void Lowering::settleSizes() {
  const std::function<void(Value&)> settle = [&](Value& value) {
    if (auto* t = std::get_if<TupleValue>(&value.v))
      for (Value& item : t->items) settle(item);
    if (auto* a = std::get_if<Array>(&value.v))
      for (Expr& extent : a->shape)
        if (const auto* v = extent.as<ir::Var>(); v && changing_.count(v->name)) extent = stable(extent);
  };
  if (!changing_.empty())
    for (auto& [name, value] : env()) settle(value);
}

} // namespace appyc::sema
