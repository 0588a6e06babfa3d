//===- Atomics.cpp - indivisible updates: pragmas and calls -----------------------------------------===//
#include "Lowering.h"

namespace appyc::sema {

namespace {

/// `element op= operand`; `python`: by the builtin max or min, which keep the element when the operand is
/// NaN.
struct Update {
  ir::ReduceOp op;
  ast::Expr operand;
  bool negate = false, python = false;
};

bool same(const ast::Expr& a, const ast::Expr& b) { return ast::print(a) == ast::print(b); }

/// A name or attributes of one: what gives the same value however often it is evaluated.
bool isPath(const ast::Expr& e) {
  const auto* a = e.as<ast::Attribute>();
  return e.is<ast::Name>() || (a && isPath(a->base));
}

std::optional<Update> updateBy(ast::BinaryOp op, const ast::Expr& operand) {
  switch (op) {
  case ast::BinaryOp::Add: return Update{ir::ReduceOp::Sum, operand};
  case ast::BinaryOp::Sub: return Update{ir::ReduceOp::Sum, operand, true};
  case ast::BinaryOp::Mul: return Update{ir::ReduceOp::Prod, operand};
  case ast::BinaryOp::And: return Update{ir::ReduceOp::And, operand};
  case ast::BinaryOp::Or: return Update{ir::ReduceOp::Or, operand};
  case ast::BinaryOp::Xor: return Update{ir::ReduceOp::Xor, operand};
  default: return std::nullopt;
  }
}

/// `a[i] = a[i] + e`, `a[i] = e + a[i]`.
std::optional<Update> operatorUpdate(const ast::Expr& target, const ast::Binary& b) {
  if (same(b.lhs, target)) return updateBy(b.op, b.rhs);
  return b.op != ast::BinaryOp::Sub && same(b.rhs, target) ? updateBy(b.op, b.lhs) : std::nullopt;
}

} // namespace

/// `a[i] = max(a[i], e)` and its relatives, by NumPy's function or Python's.
static std::optional<Update> extremumUpdate(const ast::Expr& target, const ast::Call& c,
                                            const std::string& path) {
  if (c.args.size() != 2 || !(same(c.args[0], target) || same(c.args[1], target))) return std::nullopt;
  std::string name = path.substr(path.rfind('.') + 1);
  if (name != "max" && name != "maximum" && name != "min" && name != "minimum") return std::nullopt;
  Update u{name[1] == 'a' ? ir::ReduceOp::Max : ir::ReduceOp::Min,
           same(c.args[0], target) ? c.args[1] : c.args[0]};
  u.python = path == "max" || path == "min";
  return u;
}

/// `#pragma atomic`: a[i] op= e, a[i] = max(a[i], e). False when the assignment has no such form.
bool Lowering::lowerAtomic(const ast::Expr& target, const ast::Expr& value, std::optional<ast::BinaryOp> op) {
  std::optional<Update> update;
  bool elementLast = false;
  if (op) {
    update = updateBy(*op, value);
  } else if (const auto* b = value.as<ast::Binary>()) {
    update = operatorUpdate(target, *b);
  } else if (const auto* c = value.as<ast::Call>(); c && isPath(c->callee)) {
    Value callee = eval(c->callee);
    if (const auto* fn = callee.as<Callable>()) update = extremumUpdate(target, *c, fn->path);
    elementLast = update && update->python && !same(c->args[0], target);
  }
  if (!update || !target.is<ast::Subscript>()) return false;
  std::optional<Array> place = evalPlace(target);
  Value v = place ? updateOf(*place, update->operand) : eval(update->operand);
  if (const auto* s = v.as<Scalar>(); elementLast && s && ir::isFloat(s->type()))
    error(DiagId::BadDirective, value->span,
          "Python's `max(e, x)` forgets x when e is NaN, so the order of updates would matter; write the "
          "element first");
  else if (place && !v.isError())
    storeAtomic(*place, v, update->op, update->negate, update->python, update->operand->span);
  return true;
}

/// The operand of an atomic update, which leaves the place and its old value alone.
Value Lowering::updateOf(const Array& place, const ast::Expr& operand) {
  Waiting parts(*this);
  parts.add(Value{place}, true);
  const Expr old = place.shape.empty() ? place.at({}) : ir::intConst(0);
  parts.add(Value{Scalar{old}});
  const Value v = eval(operand);
  if (parts[1].as<Scalar>()->e == old && isSame(parts[0], Value{place})) return v;
  return error(
      DiagId::BadDirective, operand->span,
      "what an atomic update adds changes the array that it updates; compute it in a statement before");
}

void Lowering::storeAtomic(const Array& place, Value v, ir::ReduceOp op, bool negate, bool python,
                           Span where) {
  v = onlyValue(v); // what is added is the same number on every path
  std::optional<Strength> s = strengthOf(v, where);
  if (!s) return;
  bool bits = op == ir::ReduceOp::And || op == ir::ReduceOp::Or || op == ir::ReduceOp::Xor;
  if (!sameKind(promote(*s, {place.type, false}).type, place.type) ||
      (bits && (ir::isFloat(place.type) || ir::isComplex(place.type)))) {
    error(DiagId::TypeMismatch, where,
          fmt::format("an atomic update of {} by {} would change its type", ir::name(place.type),
                      ir::name(s->type)));
    return;
  }
  if (negate) v = unary(ast::UnaryOp::Neg, castTo(v, place.type, where), where); // a narrower type would wrap
  if (python && ir::isFloat(place.type)) {
    // The comparison with NaN is false: such an operand changes nothing, as the identity does.
    Value identity{Scalar{ir::identity(op, place.type)}};
    v = where3(compare(ir::BinaryOp::Eq, v, v, where), castTo(v, place.type, where), identity, where);
  }
  assignPlace(place, castTo(v, place.type, where), where, op);
}

/// `appy.atomic_add(a, index, value)` as a statement; false for other calls.
bool Lowering::lowerAtomicCall(const ast::Call& c, Span where) {
  static const std::map<std::string, std::pair<ir::ReduceOp, bool>> kCalls = {
      {"atomic_add", {ir::ReduceOp::Sum, false}}, {"atomic_sub", {ir::ReduceOp::Sum, true}},
      {"atomic_max", {ir::ReduceOp::Max, false}}, {"atomic_min", {ir::ReduceOp::Min, false}},
      {"atomic_and", {ir::ReduceOp::And, false}}, {"atomic_or", {ir::ReduceOp::Or, false}},
      {"atomic_xor", {ir::ReduceOp::Xor, false}}};
  if (!isPath(c.callee)) return false;
  Value callee = eval(c.callee);
  const auto* fn = callee.as<Callable>();
  if (!fn || fn->path.compare(0, 5, "appy.") != 0) return false;
  auto call = kCalls.find(fn->path.substr(5));
  if (call == kCalls.end()) return false;
  if (c.args.size() != 3 || !c.keywords.empty()) {
    error(DiagId::TypeMismatch, where,
          fmt::format("appy.{}(array, index, value) takes three arguments", call->first));
    return true;
  }
  std::vector<ast::Expr> index{c.args[1]};
  if (const auto* t = c.args[1].as<ast::Tuple>()) index = t->items;
  std::optional<Array> place = evalPlace(ast::make(c.args[0]->span, ast::Subscript{c.args[0], index}));
  Value v = place ? updateOf(*place, c.args[2]) : eval(c.args[2]);
  if (place && !v.isError())
    storeAtomic(*place, v, call->second.first, call->second.second, false, c.args[2]->span);
  return true;
}

} // namespace appyc::sema
