//===- Simplify.cpp - the canonical form of expressions: constants, sums of indices, rows of Rules.def ------===//
#include "appyc/IR/Simplify.h"
#include "Fold.h"
#include "Linear.h"
#include "Rules.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <array>
#include <optional>
#include <utility>

namespace appyc::ir {

namespace {

//===--- rows as they are written ---------------------------------------------------------------------------===//

/// A side of a row: its operators make nodes as they stand.
struct Side {
  Expr e;
};

Side node(BinaryOp op, const Side& a, const Side& b) {
  const DType type = typeOf(a.e);
  return {make(Binary{op >= BinaryOp::Eq ? DType::Bool : type, op, a.e, b.e})};
}
Side node(UnaryOp op, const Side& a) { return {make(Unary{typeOf(a.e), op, a.e})}; }
Side number(const Side& like, double value) { return {constOf(typeOf(like.e), value)}; }

#define OPERATOR(symbol, Op)                                                                                 \
  [[maybe_unused]] Side operator symbol(const Side& a, const Side& b) { return node(BinaryOp::Op, a, b); }   \
  [[maybe_unused]] Side operator symbol(const Side& a, double b) { return a symbol number(a, b); }           \
  [[maybe_unused]] Side operator symbol(double a, const Side& b) { return number(b, a) symbol b; }
OPERATOR(+, Add)
OPERATOR(-, Sub)
OPERATOR(*, Mul)
OPERATOR(/, Div)
OPERATOR(&, BitAnd)
OPERATOR(|, BitOr)
OPERATOR(^, BitXor)
OPERATOR(<<, Shl)
OPERATOR(>>, Shr)
OPERATOR(==, Eq)
OPERATOR(!=, Ne)
OPERATOR(<, Lt)
OPERATOR(<=, Le)
OPERATOR(>, Gt)
OPERATOR(>=, Ge)
#undef OPERATOR
Side operator&&(const Side& a, const Side& b) { return node(BinaryOp::LogicalAnd, a, b); }
Side operator||(const Side& a, const Side& b) { return node(BinaryOp::LogicalOr, a, b); }
Side operator!(const Side& a) { return node(UnaryOp::LogicalNot, a); }
Side operator-(const Side& a) { return node(UnaryOp::Neg, a); }
Side operator~(const Side& a) { return node(UnaryOp::BitNot, a); }
Side min(const Side& a, const Side& b) { return node(BinaryOp::Min, a, b); }
Side max(const Side& a, const Side& b) { return node(BinaryOp::Max, a, b); }
Side floorDiv(const Side& a, double b) { return node(BinaryOp::FloorDiv, a, number(a, b)); }
Side mod(const Side& a, double b) { return node(BinaryOp::Mod, a, number(a, b)); }
Side mod(const Side& a, const Side& b) { return node(BinaryOp::Mod, a, b); }
Side pow(const Side& a, double b) { return node(BinaryOp::Pow, a, number(a, b)); }
Side largest(const Side& like) { return {identity(ReduceOp::Min, typeOf(like.e))}; }
Side smallest(const Side& like) { return {identity(ReduceOp::Max, typeOf(like.e))}; }
Side everyBit(const Side& like) { return {identity(ReduceOp::And, typeOf(like.e))}; }
Side as(const Side& like, const Side& p) { return {make(Cast{typeOf(like.e), p.e})}; }
Side truth(const Side& x) { return {make(Cast{DType::Bool, x.e})}; }
Side choose(const Side& p, const Side& x, const Side& y) {
  return {make(Select{typeOf(x.e), p.e, x.e, y.e})};
}

enum Types : unsigned { Bools = 1, Signed = 2, Unsigned = 4, Ints = 6, Floats = 8, Complexes = 16, All = 31 };
unsigned kindOf(DType t) {
  return isBool(t)       ? Bools
         : isSigned(t)   ? Signed
         : isUnsigned(t) ? Unsigned
         : isFloat(t)    ? Floats
                         : Complexes;
}

/// a <= b, whatever the variables are.
bool atMost(const Expr& a, const Expr& b) {
  const auto difference = constantDifference(a, b);
  return difference && *difference <= 0;
}

struct Name {
  Symbol symbol;
  Expr Found::*slot;
};
const std::array<Name, 5>& names() {
  static const std::array<Name, 5> all{{{Symbol("x"), &Found::x},
                                        {Symbol("y"), &Found::y},
                                        {Symbol("z"), &Found::z},
                                        {Symbol("p"), &Found::p},
                                        {Symbol("q"), &Found::q}}};
  return all;
}

//===--- rows applied -----------------------------------------------------------------------------------------===//

bool mayChangePlaces(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Mul:
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::LogicalAnd:
  case BinaryOp::LogicalOr: return true;
  default: return false;
  }
}

bool matches(const Expr& row, const Expr& e, Found& found) {
  if (const auto* name = row.as<Var>()) {
    Expr& slot = found.*slotOf(name->name);
    if (slot) return equal(slot, e);
    slot = e;
    return typeOf(e) == name->type;
  }
  if (row.is<Const>()) return equal(row, e);
  if (row->node.index() != e->node.index() || typeOf(row) != typeOf(e)) return false;
  if (const auto* b = row.as<Binary>()) {
    const auto& other = *e.as<Binary>();
    return b->op == other.op && matches(b->lhs, other.lhs, found) && matches(b->rhs, other.rhs, found);
  }
  if (const auto* u = row.as<Unary>())
    return u->op == e.as<Unary>()->op && matches(u->arg, e.as<Unary>()->arg, found);
  if (const auto* c = row.as<Cast>()) return matches(c->arg, e.as<Cast>()->arg, found);
  const auto &s = *row.as<Select>(), &other = *e.as<Select>();
  return matches(s.cond, other.cond, found) && matches(s.then, other.then, found) &&
         matches(s.otherwise, other.otherwise, found);
}

Expr withFound(const Expr& row, const Found& found, bool ofIndices) {
  if (const auto* name = row.as<Var>()) return found.*slotOf(name->name);
  if (row.is<Const>()) return row;
  const Expr made = mapChildren(row, [&](const Expr& part) { return withFound(part, found, ofIndices); });
  return ofIndices ? simplifiedIndex(made) : simplifiedNode(made);
}

/// Rows are found by what stands at the root, and the type of an operand.
constexpr size_t kBinary = static_cast<size_t>(BinaryOp::LogicalOr) + 1,
                 kUnary = static_cast<size_t>(UnaryOp::LogicalNot) + 1, kRoots = kBinary + kUnary + 2;
size_t rootOf(const Expr& e) {
  const auto at = [](size_t root, const Expr& operand) {
    return root * kDTypeCount + static_cast<size_t>(typeOf(operand));
  };
  if (const auto* b = e.as<Binary>()) return at(static_cast<size_t>(b->op), b->lhs);
  if (const auto* u = e.as<Unary>()) return at(kBinary + static_cast<size_t>(u->op), u->arg);
  if (const auto* c = e.as<Cast>()) return at(kBinary + kUnary, c->arg);
  if (const auto* s = e.as<Select>()) return at(kBinary + kUnary + 1, s->then);
  return kRoots * kDTypeCount;
}

using Rows = std::array<std::vector<Rule>, kRoots * kDTypeCount + 1>;
const Rows& rows() {
  static const Rows all = [] {
    Rows made;
    for (int t = 0; t < kDTypeCount; ++t)
      for (Rule& rule : rulesOf(static_cast<DType>(t))) made[rootOf(rule.from)].push_back(std::move(rule));
    return made;
  }();
  return all;
}

Expr ruled(const Expr& e, bool ofIndices) {
  for (const Rule& rule : rows()[rootOf(e)])
    if (ofIndices || !rule.ofIndices)
      if (Expr result = rule.apply(e, ofIndices)) return result;
  return e;
}

/// An operation on constants; an empty handle where it is none, or is not folded.
Expr folded(const Expr& e) {
  if (const auto* b = e.as<Binary>()) {
    const auto *x = b->lhs.as<Const>(), *y = b->rhs.as<Const>();
    return x && y ? foldBinary(b->op, *x, *y) : Expr();
  }
  if (const auto* u = e.as<Unary>())
    return u->arg.is<Const>() ? foldUnary(u->op, *u->arg.as<Const>()) : Expr();
  if (const auto* f = e.as<Call>(); f && f->fn == Intrinsic::Abs)
    return f->args[0].is<Const>() ? foldAbs(*f->args[0].as<Const>()) : Expr();
  const auto* c = e.as<Cast>();
  if (c && typeOf(c->arg) == c->type) return c->arg;
  return c && c->arg.is<Const>() ? foldCast(c->type, *c->arg.as<Const>()) : Expr();
}

/// Of a sum of indices, each atom once.
Expr gathered(const Expr& e) {
  const auto* b = e.as<Binary>();
  if (!b || b->type != DType::I64) return e;
  LinearForm form;
  if (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) {
    form = linearForm(b->lhs);
    form.addExpr(b->rhs, b->op == BinaryOp::Add ? 1 : -1);
  } else if (b->op == BinaryOp::Mul && (constantInt(b->lhs) || constantInt(b->rhs))) {
    form.addExpr(e, 1);
  } else {
    return e;
  }
  return form.toExpr();
}

} // namespace

Expr Found::*slotOf(const Symbol& symbol) {
  for (const Name& name : names())
    if (name.symbol == symbol) return name.slot;
  return nullptr;
}

std::vector<Rule> rulesOf(DType type) {
  const auto named = [](size_t i, DType of) { return Side{var(names()[i].symbol, of)}; };
  const Side x = named(0, type), y = named(1, type), z = named(2, type);
  const Side p = named(3, DType::Bool), q = named(4, DType::Bool);
  const Side yes{boolConst(true)}, no{boolConst(false)};
  std::vector<Rule> result;
#define RULE(name, types, from, to)                                                                          \
  if (((types)&kindOf(type)) != 0) result.push_back({#name, false, Side{from}.e, Side{to}.e, nullptr});
#define INDEX_RULE(name, from, to, where)                                                                    \
  if (type == DType::I64)                                                                                    \
    result.push_back({#name, true, Side{from}.e, Side{to}.e, [](const Found& f) -> bool { return where; }});
#include "Rules.def"
  return result;
}

Expr Rule::apply(const Expr& e, bool indices) const {
  Found found;
  if (matches(from, e, found) && (!holds || holds(found))) return withFound(to, found, indices);
  const auto *root = from.as<Binary>(), *b = e.as<Binary>();
  if (!root || !b || root->op != b->op || !mayChangePlaces(b->op)) return {};
  found = {};
  const bool swapped = matches(root->lhs, b->rhs, found) && matches(root->rhs, b->lhs, found);
  return swapped && (!holds || holds(found)) ? withFound(to, found, indices) : Expr();
}

Expr simplifiedNode(const Expr& e) {
  const Expr constant = folded(e);
  return constant ? constant : ruled(e, false);
}

Expr simplifiedIndex(const Expr& e) {
  if (Expr constant = folded(e)) return constant;
  const Expr result = ruled(e, true);
  return result == e ? gathered(e) : result;
}

std::optional<bool> constantBool(const Expr& e) {
  const auto* c = e.as<Const>();
  return c && isBool(c->type) ? std::optional(std::get<bool>(c->value)) : std::nullopt;
}

Expr unclipped(const Expr& e) {
  const auto* b = e.as<Binary>();
  return b && b->op == BinaryOp::Max && isConst(b->rhs, 0) ? b->lhs : e;
}

} // namespace appyc::ir
