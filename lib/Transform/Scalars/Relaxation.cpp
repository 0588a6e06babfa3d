//===- Relaxation.cpp - nests whose stores move elements one way ----------------------------------------------===//
#include "Relaxation.h"
#include "FreeNests.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <map>

namespace appyc::transform {

namespace {

using namespace ir;

/// How a value may move when elements of the arrays become larger.
struct Moves {
  bool up = false, down = false;
  bool any() const { return up || down; }
  Moves turned() const { return {down, up}; }
  Moves operator|(const Moves& other) const { return {up || other.up, down || other.down}; }
  bool operator==(const Moves&) const = default;
};
constexpr Moves kAnyhow{true, true};

class RelaxationReader {
public:
  RelaxationReader(const For& loop, const std::set<Symbol>& stored)
      : stored_(stored), all_(loop.body), values_(onlyValues(loop.body)), flags_(flagsOf(loop.body)) {
    findMoving(loop);
    fits_ = fits_ && follow(loop.body, {});
  }
  std::optional<Relaxation> read() const {
    return fits_ && op_ ? std::optional(Relaxation{*op_, flags_}) : std::nullopt;
  }

private:
  struct Condition {
    Expr e;
    bool isFresh; ///< nothing has been stored since
  };
  using Conditions = std::vector<Condition>;

  //===--- how values move ----------------------------------------------------------------------------===//

  Moves movesOf(const Expr& e) const {
    if (const auto* v = e.as<Var>()) {
      const auto known = moving_.find(v->name);
      return known == moving_.end() ? Moves{} : known->second;
    }
    if (const auto* l = e.as<Load>()) {
      const bool isFixed = std::ranges::none_of(l->index, [&](const Expr& i) { return movesOf(i).any(); });
      return !isFixed ? kAnyhow : stored_.count(l->buffer) ? Moves{true, false} : Moves{};
    }
    Moves parts;
    mapChildren(e, [&](const Expr& part) {
      parts = parts | movesOf(part);
      return part;
    });
    if (!parts.any()) return {};
    if (const auto* c = e.as<Cast>()) return keepsOrder(c->type, typeOf(c->arg)) ? parts : kAnyhow;
    if (const auto* u = e.as<Unary>()) {
      const bool turns = u->op == UnaryOp::LogicalNot || (u->op == UnaryOp::Neg && isFloat(typeOf(e)));
      return turns ? parts.turned() : kAnyhow;
    }
    if (const auto* s = e.as<Select>()) {
      if (!movesOf(s->cond).any()) return movesOf(s->then) | movesOf(s->otherwise);
      return extremeOf(*s, [&](const Expr& kept) { return equal(kept, s->otherwise); })
                 ? movesOf(s->then) | movesOf(s->otherwise)
                 : kAnyhow;
    }
    const auto* b = e.as<Binary>();
    return b ? movesOf(*b, typeOf(e)) : kAnyhow;
  }
  Moves movesOf(const Binary& b, DType type) const {
    const Moves left = movesOf(b.lhs), right = movesOf(b.rhs);
    switch (b.op) {
    case BinaryOp::Add: return isFloat(type) ? left | right : kAnyhow; // integers wrap
    case BinaryOp::Sub: return isFloat(type) ? left | right.turned() : kAnyhow;
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: return left | right;
    case BinaryOp::Lt:
    case BinaryOp::Le: return left.turned() | right;
    case BinaryOp::Gt:
    case BinaryOp::Ge: return left | right.turned();
    default: return kAnyhow;
    }
  }
  static bool keepsOrder(DType to, DType from) {
    if (isFloat(to)) return !isComplex(from);
    return isInteger(to) &&
           (isBool(from) || (isInteger(from) && byteSize(to) > byteSize(from) && isSigned(to)));
  }

  /// Of all scalars, whatever the order in which they are set.
  void findMoving(const For& loop) {
    for (bool isNew = true; isNew && fits_;) {
      isNew = false;
      findIn(loop.body, {}, isNew);
    }
  }
  /// `chosen`: scalars that have this value, or another one, by a condition that moves.
  void findIn(const Stmt& s, std::set<Symbol> chosen, bool& isNew) {
    if (const auto* a = s.as<Assign>(); a && !flags_.count(a->var)) {
      Moves& known = moving_[a->var];
      const Moves now = known | (chosen.count(a->var) ? kAnyhow : movesOf(a->value));
      isNew |= !(now == known);
      known = now;
    }
    if (const auto* branch = s.as<If>(); branch && movesOf(branch->cond).any())
      for (const Stmt& way : {branch->then, branch->otherwise})
        if (way) chosen.merge(readElsewhere(way));
    if (const auto* inner = s.as<For>())
      fits_ = fits_ && !movesOf(inner->lo).any() && !movesOf(inner->hi).any() && !movesOf(inner->step).any();
    forEachChild(s, [&](const Stmt& child) {
      if (child) findIn(child, chosen, isNew);
    });
  }
  /// What `part` sets and not only `part` reads.
  std::set<Symbol> readElsewhere(const Stmt& part) const {
    std::set<Symbol> found;
    for (const Symbol& name : assignedVars(part))
      if (readsOf(name, part) < readsOf(name, all_)) found.insert(name);
    return found;
  }
  static int readsOf(const Symbol& name, const Stmt& s) {
    int reads = 0;
    each<Var>(s, [&](const Var& v) { reads += v.name == name; });
    return reads;
  }

  //===--- stores -------------------------------------------------------------------------------------===//

  bool follow(const Stmt& s, const Conditions& around) {
    if (const auto* a = s.as<Assign>()) {
      stale_.erase(a->var);
      return std::ranges::none_of(around, [&](const Condition& c) { return mentions(c.e, a->var); });
    }
    if (const auto* branch = s.as<If>()) {
      Conditions then = around, otherwise = around;
      for (const Expr& e : conjunctsOf(branch->cond)) then.push_back({e, true});
      otherwise.push_back({unary(UnaryOp::LogicalNot, branch->cond), true});
      std::set<Symbol> before = stale_;
      if (!follow(branch->then, then)) return false;
      std::swap(before, stale_);
      const bool fits = !branch->otherwise || follow(branch->otherwise, otherwise);
      stale_.merge(before);
      return fits;
    }
    if (const auto* inner = s.as<For>()) {
      if (storedBuffers(inner->body).empty()) return follow(inner->body, around);
      makeStale(); // by an iteration before
      return follow(inner->body, old(around));
    }
    return s.is<Block>() && followList(statementsOf(s), around);
  }
  bool followList(const std::vector<Stmt>& list, Conditions around) {
    const bool isNoted = std::ranges::any_of(
        list, [&](const Stmt& part) { return part.is<Assign>() && flags_.count(part.as<Assign>()->var); });
    for (const Stmt& part : list) {
      const auto* store = part.as<Store>();
      if (store ? !isNoted || !improves(*store, around) : !follow(part, around)) return false;
      if (!storedBuffers(part).empty()) around = old(around);
    }
    return true;
  }
  static Conditions old(Conditions around) {
    for (Condition& c : around) c.isFresh = c.isFresh && !readsMemory(c.e);
    return around;
  }
  /// What scalars have been read as may be something else from here on.
  void makeStale() {
    for (const auto& [scalar, moves] : moving_)
      if (moves.any()) stale_.insert(scalar);
  }

  /// Does it surely move its element, and only one way, with all that it depends on moving that way?
  bool improves(const Store& store, const Conditions& around) {
    if (store.atomicOp || movesOf(store.value).down) return false;
    for (const Expr& i : store.index)
      if (movesOf(i).any()) return false;
    std::optional<ReduceOp> way;
    for (const Condition& c : around)
      if (const auto found = wayOf(c, store)) way = found;
    if (!way || (op_ && op_ != way)) return false;
    op_ = way;
    // Asked again later, it holds still.
    const bool stays = std::ranges::all_of(around, [&](const Condition& c) {
      const Moves moves = movesOf(c.e);
      return wayOf(c, store) || isImplied(c.e, around) || !(way == ReduceOp::Min ? moves.up : moves.down);
    });
    makeStale();
    return stays;
  }
  /// value < X[i]: down; value > X[i], and `not X[i]` where True is stored: up.
  std::optional<ReduceOp> wayOf(const Condition& condition, const Store& store) const {
    if (!condition.isFresh) return {};
    const Expr& e = condition.e;
    const auto isElement = [&](const Expr& part) {
      const Expr plain = plainOf(part);
      const auto* l = plain.as<Load>();
      return l && l->buffer == store.buffer && !mentionsAny(part, stale_) &&
             std::equal(l->index.begin(), l->index.end(), store.index.begin(), store.index.end(),
                        [&](const Expr& a, const Expr& b) { return equal(a, plainOf(b)); });
    };
    const auto isValue = [&](const Expr& part) {
      return equal(part, store.value) || (!mentionsAny(part, stale_) && !mentionsAny(store.value, stale_) &&
                                          equal(plainOf(part), plainOf(store.value)));
    };
    if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::LogicalNot && isBool(typeOf(u->arg)))
      return isElement(u->arg) && constantBool(store.value).value_or(false) ? std::optional(ReduceOp::Max)
                                                                            : std::nullopt;
    const auto* c = e.as<Binary>();
    if (!c || (c->op != BinaryOp::Lt && c->op != BinaryOp::Gt)) return {};
    const Expr &less = c->op == BinaryOp::Lt ? c->lhs : c->rhs,
               &more = c->op == BinaryOp::Lt ? c->rhs : c->lhs;
    if (isValue(less) && isElement(more)) return ReduceOp::Min;
    if (isElement(less) && isValue(more)) return ReduceOp::Max;
    return {};
  }
  /// b <= a, or not a < b, where b < a.
  static bool isImplied(const Expr& e, const Conditions& around) {
    const auto* no = e.as<Unary>();
    const bool turns = no && no->op == UnaryOp::LogicalNot;
    const auto* c = (turns ? no->arg : e).as<Binary>();
    if (!c) return false;
    const bool isLess = turns ? c->op == BinaryOp::Lt : c->op == BinaryOp::Ge,
               isMore = turns ? c->op == BinaryOp::Gt : c->op == BinaryOp::Le;
    if (!isLess && !isMore) return false;
    const Expr &more = isLess ? c->lhs : c->rhs, &less = isLess ? c->rhs : c->lhs;
    return std::ranges::any_of(around, [&](const Condition& other) {
      return equal(other.e, binary(BinaryOp::Lt, less, more)) ||
             equal(other.e, binary(BinaryOp::Gt, more, less));
    });
  }
  Expr plainOf(const Expr& e) const { return writtenOut(e, values_); }

  const std::set<Symbol>& stored_; ///< arrays
  Stmt all_;
  std::map<Symbol, Expr> values_;  ///< of scalars that are set once
  std::map<Symbol, Moves> moving_; ///< scalars
  const std::set<Symbol> flags_;
  std::set<Symbol> stale_;
  std::optional<ReduceOp> op_;
  bool fits_ = true;
};

} // namespace

std::optional<Relaxation> relaxationOf(const For& loop, const std::set<Symbol>& stored) {
  return RelaxationReader(loop, stored).read();
}

} // namespace appyc::transform
