//===- Broadcast.cpp - extents that meet: equal, or of one element and stretched ----------------------===//
// Sizes that the types leave open, or name differently, may be equal or 1 at a call. A function is lowered with all that
// meet taken as equal, which the entry tests (Function::unstretched), and once more for the other calls, with
// `stretch_`: subscripts of an axis that may have one element are chosen where they are used.
#include "Lowering.h"
#include "appyc/IR/Dsl.h"

namespace appyc::sema {

static Expr isOne(const Expr& extent) { return ir::binary(ir::BinaryOp::Eq, extent, ir::intConst(1)); }

/// Certainly 0 or 1, as of `a[:1]`.
bool Lowering::isUnit(const Expr& extent) const {
  if (ir::constantInt(extent) || extent.is<ir::Var>()) return ir::isConst(extent, 1);
  return isNonNegative(ir::sub(ir::intConst(1), extent));
}

/// An axis of 0 or 1 elements meets one of `other`: it stretches when it is 1, and must agree when it is 0. That the
/// other one is of one element, and has none then, is not translated.
void Lowering::requireUnit(const Expr& unit, const Expr& other) {
  if (ir::isConst(unit, 1)) return;
  const Expr fits =
      ir::binary(ir::BinaryOp::LogicalOr, isOne(unit), ir::binary(ir::BinaryOp::Eq, unit, other));
  requireWhereRun(ir::binary(ir::BinaryOp::LogicalOr, fits, isOne(other)), "ValueError",
                  "operands could not be broadcast together");
  requireWhereRun(fits, "NotImplementedError", "an axis of one element meets one of none");
}

/// Is one of two extents, which are not known to be equal, stretched where it is 1?
bool Lowering::stretches(const Expr& a, const Expr& b) {
  if (ir::equalIndex(a, b) || (ir::constantInt(a) && ir::constantInt(b)) || alwaysEqual(a, b)) return false;
  if (isEntryExpr(a) && isEntryExpr(b)) return stretch_;
  return loops_.empty() && (stretch_ || !sizesThatDiffer(a, b));
}

/// Those of which one extent is made.
std::vector<Expr> Lowering::jointParts(const Expr& e) const {
  const auto* v = e.as<ir::Var>();
  for (const Joint& j : joints_)
    if (v && j.size == v->name) return j.parts;
  return {e};
}

/// Is each of the extents always one of the others?
bool Lowering::isAmong(const std::vector<Expr>& extents, const std::vector<Expr>& others) {
  return std::all_of(extents.begin(), extents.end(), [&](const Expr& e) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Expr& o) { return ir::equalIndex(o, e) || alwaysEqual(o, e); });
  });
}

/// The first that is not 1.
static Expr notOne(const std::vector<Expr>& parts) {
  Expr size = parts.back();
  for (size_t k = parts.size() - 1; k-- > 0;)
    size = ir::select(ir::binary(ir::BinaryOp::Ne, parts[k], ir::intConst(1)), parts[k], size);
  return size;
}

/// The extent of what arrays of these extents are broadcast to.
Expr Lowering::jointSize(const std::vector<Expr>& parts) {
  if (!std::all_of(parts.begin(), parts.end(), [&](const Expr& e) { return isEntryExpr(e); })) {
    const Symbol n = newVariable("n", DType::I64, notOne(parts));
    nonNegative_.insert(n);
    joints_.push_back({n, parts, {}});
    return ir::var(n);
  }
  for (const Joint& j : joints_)
    if (j.value && std::equal(j.parts.begin(), j.parts.end(), parts.begin(), parts.end(), ir::equalIndex))
      return ir::var(j.size);
  // An extent of the loop's iterations (`a[:-1]` where `a` has elements) may be negative where none runs.
  std::vector<Expr> extents;
  std::deque<ir::For> loops;
  std::swap(loops, loops_);
  for (const Expr& e : parts) extents.push_back(atLeastZero(e));
  std::swap(loops, loops_);
  const Symbol n("n");
  sizes_.insert(n);
  joints_.push_back({n, parts, notOne(extents)});
  return ir::var(n);
}

/// The extent by sizes and scalar parameters alone, as the caller knows it.
Expr Lowering::asCallerKnows(Expr e) const {
  for (auto j = joints_.rbegin(); j != joints_.rend(); ++j)
    if (j->value) e = ir::substitute(e, {{j->size, j->value}});
  return e;
}

void Lowering::emitJointSizes() {
  std::vector<ir::Stmt> first;
  for (const Joint& j : joints_)
    if (j.value) first.push_back(ir::makeStmt({}, ir::Assign{j.size, j.value}));
  lists_.front().insert(lists_.front().begin(), first.begin(), first.end());
}

/// `fits` and `meet`, if that has not been checked for the whole function.
void Lowering::addCheck(Expr& fits, const Expr& meet) {
  const auto isSame = [&](const Expr& e) { return ir::equal(e, meet); };
  if (std::any_of(checked_.begin(), checked_.end(), isSame)) return;
  fits = ir::both(fits, meet);
  if (loops_.empty() && lists_.size() == 1 && isEntryExpr(meet)) checked_.push_back(meet);
}

/// As requireEqual(), of extents that would be broadcast: calls at which they differ are another function's.
void Lowering::requireUnstretched(const Expr& a, const Expr& b, const Message& message, Span where) {
  if (!stretch_ && (loops_.empty() || (isEntryExpr(a) && isEntryExpr(b))) && !ir::equalIndex(a, b) &&
      !(ir::constantInt(a) && ir::constantInt(b)) && !alwaysEqual(a, b)) {
    std::vector<std::pair<Expr, Expr>> equal;
    if (isEntryExpr(a) && isEntryExpr(b))
      equal.emplace_back(a, b);
    else if (auto sizes = sizesThatDiffer(a, b))
      equal = std::move(*sizes);
    for (const auto& [x, y] : equal)
      unstretched_.push_back(asCallerKnows(ir::binary(ir::BinaryOp::Eq, x, y)));
  }
  const bool areKnown =
      ir::equalIndex(a, b) || (ir::constantInt(a) && ir::constantInt(b)) || alwaysEqual(a, b);
  if (areKnown) return requireEqual(a, b, message, where);
  // Extents that differ from one iteration to the next are not stretched.
  Expr fits = ir::binary(ir::BinaryOp::Eq, a, b);
  for (const Expr& e : {a, b})
    if (!ir::constantInt(e)) fits = ir::binary(ir::BinaryOp::LogicalOr, fits, isOne(e));
  requireWhereRun(fits, "ValueError", message);
  requireEqual(a, b, Message(message).text(" here: pass one that is repeated, as np.broadcast_to gives"),
               where, "NotImplementedError");
}

/// Do both say that the same two sizes are equal?
static bool sayTheSame(const Expr& a, const Expr& b) {
  const auto *x = a.as<ir::Binary>(), *y = b.as<ir::Binary>();
  if (!x || !y || x->op != ir::BinaryOp::Eq || y->op != ir::BinaryOp::Eq) return ir::equal(a, b);
  const Expr apart = ir::sub(x->lhs, x->rhs);
  return ir::equalIndex(apart, ir::sub(y->lhs, y->rhs)) || ir::equalIndex(apart, ir::sub(y->rhs, y->lhs));
}

/// Calls of which the checks of the function itself let none pass need no other one.
Expr Lowering::unstretched() const {
  if (unstretched_.empty()) return {};
  analysis::Facts facts(out_);
  for (const ir::Param& p : out_.params)
    for (const Expr& e : p.extents) facts.learn(ir::binary(ir::BinaryOp::Ge, e, ir::intConst(0)));
  const auto* body = out_.body.as<ir::Block>();
  for (const ir::Stmt& s : body ? body->body : std::vector<ir::Stmt>{out_.body})
    if (const auto* check = s.as<ir::Require>(); check && facts.isFixed(check->cond)) {
      // The other function is for what this one does not do, too.
      const bool isStretch = check->exception == "NotImplementedError" ||
                             std::any_of(unstretched_.begin(), unstretched_.end(),
                                         [&](const Expr& e) { return sayTheSame(e, check->cond); });
      if (!isStretch) facts.learn(check->cond);
    }
  Expr all;
  for (const Expr& e : unstretched_) {
    if (!facts.mayHold(ir::unary(ir::UnaryOp::LogicalNot, e))) continue;
    all = ir::both(all, e);
    facts.learn(e);
  }
  return all;
}

/// "`a` (4, 3) and `b` (4, 2) cannot be broadcast together".
static Message cannotBroadcast(const std::vector<Array>& operands) {
  Message message("");
  bool isFirst = true;
  for (const Array& a : operands) {
    if (a.shape.empty()) continue;
    message.text(isFirst ? "" : " and ").array(a);
    isFirst = false;
  }
  return message.text(" cannot be broadcast together");
}

/// Two extents of operands that are broadcast together.
/// `fits`: under which conditions that only the call can tell.
std::optional<Expr> Lowering::broadcastExtent(const Expr& a, const Expr& b,
                                              const std::vector<Array>& operands, Span where, Expr& fits) {
  if (ir::isConst(a, 1) || ir::equalIndex(a, b)) return b;
  if (ir::isConst(b, 1)) return a;
  if (isUnit(b)) return requireUnit(b, a), a;
  if (isUnit(a)) return requireUnit(a, b), b;
  if (stretches(a, b)) {
    std::vector<Expr> parts = jointParts(a), others = jointParts(b);
    if (isAmong(others, parts)) return a;
    if (isAmong(parts, others)) return b;
    Expr meet = ir::binary(ir::BinaryOp::Eq, a, b);
    for (const Expr& e : {a, b})
      if (!ir::constantInt(e)) meet = ir::binary(ir::BinaryOp::LogicalOr, meet, isOne(e));
    addCheck(fits, meet);
    if (ir::constantInt(a) || ir::constantInt(b)) return ir::constantInt(a) ? a : b;
    for (const Expr& e : others)
      if (!isAmong({e}, parts)) parts.push_back(e);
    // `a + b` and `b + a` have one size.
    std::stable_sort(parts.begin(), parts.end(), [](const Expr& x, const Expr& y) {
      return *ir::freeVars(x).begin() < *ir::freeVars(y).begin();
    });
    return jointSize(parts);
  }
  int before = diag_.errorCount();
  requireUnstretched(a, b, cannotBroadcast(operands), where);
  if (diag_.errorCount() > before) return std::nullopt;
  return ir::constantInt(b) ? b : a;
}

std::optional<std::vector<Expr>> Lowering::broadcastShape(const std::vector<Array>& operands, Span where) {
  std::vector<Expr> out;
  Expr fits;
  for (const Array& a : operands) {
    const std::vector<Expr>& shape = a.shape;
    if (shape.size() > out.size()) out.insert(out.begin(), shape.size() - out.size(), ir::intConst(1));
    size_t skip = out.size() - shape.size();
    for (size_t d = 0; d < shape.size(); ++d) {
      std::optional<Expr> e = broadcastExtent(out[skip + d], shape[d], operands, where, fits);
      if (!e) return std::nullopt;
      out[skip + d] = *e;
    }
  }
  if (fits) requireFit(fits, cannotBroadcast(operands));
  return out;
}

/// What is stored into a place must fit it, or be stretched to it.
void Lowering::fitInto(const Array& place, const Array& v, Span where) {
  const Message message =
      Message("could not broadcast input array of shape ").shape(v.shape).text(" into ").array(place);
  const size_t skip = place.shape.size() - v.shape.size();
  Expr fits;
  for (size_t k = 0; k < v.shape.size(); ++k) {
    const Expr &to = place.shape[skip + k], &from = v.shape[k];
    const Expr fitting =
        ir::binary(ir::BinaryOp::LogicalOr, isOne(from), ir::binary(ir::BinaryOp::Eq, to, from));
    if (ir::equalIndex(to, from) || ir::isConst(from, 1)) continue;
    if (place.view && place.view->isFlat) {
      requireEqual(to, from, message, where, "NotImplementedError"); // NumPy takes what there is
      continue;
    }
    if (isUnit(from) || isUnit(to)) {
      requireWhereRun(fitting, "ValueError", message);
    } else if (!stretches(to, from)) {
      requireUnstretched(to, from, message, where);
    } else {
      addCheck(fits, ir::constantInt(from) ? ir::binary(ir::BinaryOp::Eq, to, from) : fitting);
    }
  }
  if (fits) requireFit(fits, message);
}

/// The right side of `current op= value`: stretched to the left one, which itself is never stretched.
Value Lowering::operandOf(const Value& current, const Value& value, ast::BinaryOp op, Span where) {
  const auto *place = current.as<Array>(), *v = value.as<Array>();
  if (!place || !v || op == ast::BinaryOp::MatMul || v->shape.size() > place->shape.size()) return value;
  const size_t skip = place->shape.size() - v->shape.size();
  bool may = false;
  for (size_t k = 0; k < v->shape.size(); ++k) may |= stretches(place->shape[skip + k], v->shape[k]);
  if (!may) return value;
  fitInto(*place, *v, where);
  return Value{broadcastTo(*v, place->shape)};
}

/// May an axis of `extent` be stretched to `to`, which it was broadcast to?
bool Lowering::mayBeStretched(const Expr& extent, const Expr& to) {
  if (ir::constantInt(extent) || ir::equalIndex(extent, to)) return false;
  const std::vector<Expr> parts = jointParts(to);
  if (parts.size() > 1) return !alwaysEqual(extent, to);
  return stretches(extent, to);
}

/// An index of a stretched axis, `n == 1 ? 0 : i`, without the tests that hold only where `extent` is 1 as well.
Expr Lowering::withoutTestsFor(const Expr& extent, Expr index) {
  while (const auto* choice = index.as<ir::Select>()) {
    const auto* test = choice->cond.as<ir::Binary>();
    if (!test || test->op != ir::BinaryOp::Eq || !ir::isConst(test->rhs, 1) || !ir::isConst(choice->then, 0))
      return index;
    if (!isAmong({extent}, jointParts(test->lhs))) return index;
    index = choice->otherwise;
  }
  return index;
}

Array Lowering::broadcastTo(Array a, const std::vector<Expr>& shape) {
  size_t skip = shape.size() - a.shape.size();
  bool widened = skip > 0;
  std::vector<Expr> stretched(a.shape.size()); // the condition for it; none: never
  for (size_t d = 0; d < a.shape.size(); ++d) {
    const Expr& to = shape[skip + d];
    if (!ir::equalIndex(a.shape[d], to) && isUnit(a.shape[d]) && !ir::isConst(to, 1))
      stretched[d] = ir::boolConst(true);
    else if (mayBeStretched(a.shape[d], to))
      stretched[d] = isOne(a.shape[d]);
    widened |= static_cast<bool>(stretched[d]);
  }
  if (!widened) return a;
  if (a.expensive) a = materialize(a, "t");
  Array out = a;
  out.view = nullptr;
  out.shape = shape;
  out.at = [this, at = a.at, extents = a.shape, skip, stretched](const Indices& i) {
    Indices inner;
    for (size_t d = 0; d < stretched.size(); ++d)
      inner.push_back(
          stretched[d] ? ir::select(stretched[d], ir::intConst(0), withoutTestsFor(extents[d], i[skip + d]))
                       : i[skip + d]);
    return at(inner);
  };
  return out;
}

} // namespace appyc::sema
