//===- Forgetting.cpp - steps after which what the first one started from may be forgotten --------------===//
//   y = 0.1 * x[i] + 0.9 * y               scaled
//   n = n + 1 if x[i] > 0 else 0           anew, where the data say so
//   y = max(x[i], y + x[i])                anew, where the state says so; else it changes
//   if x[i] < y: y = x[i]                  neither: an extreme
#include "Forgetting.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Is it v, multiplied and divided by numbers that are free of it? Where such a product began is never forgotten.
bool isProduct(const Expr& e, const Symbol& v) {
  const auto* b = e.as<Binary>();
  if (!b) return e.is<Var>() && mentions(e, v);
  return (b->op == BinaryOp::Mul || b->op == BinaryOp::Div) && mentions(b->lhs, v) != mentions(b->rhs, v) &&
         isProduct(mentions(b->lhs, v) ? b->lhs : b->rhs, v);
}

/// Floats that a step multiplies or divides, and what they are copied to; but for those that it multiplies only.
std::set<Symbol> scaledIn(const Stmt& step) {
  const std::set<Symbol> own = assignedVars(step);
  std::set<Symbol> sums, scaled; // what is set to more than products of itself
  each<Assign>(step, [&](const Assign& a) {
    if (!isProduct(a.value, a.var)) sums.insert(a.var);
  });
  for (bool grows = true; grows;) { // a state may be copied before it is set
    grows = false;
    each<Assign>(step, [&](const Assign& a) {
      const bool scales = mentionsAny(a.value, scaled) || any<Binary>(a.value, [&](const Binary& b) {
                            const bool isScale = b.op == BinaryOp::Mul || b.op == BinaryOp::Div;
                            return isScale && (mentionsAny(b.lhs, own) || mentionsAny(b.rhs, own));
                          });
      grows |= scales && isFloat(typeOf(a.value)) && sums.contains(a.var) && scaled.insert(a.var).second;
    });
  }
  return scaled;
}

/// The states, and scalars of the step that follow from them.
std::set<Symbol> followingFrom(std::set<Symbol> states, const Stmt& step) {
  for (bool grows = true; grows;) {
    grows = false;
    each<Assign>(
        step, [&](const Assign& a) { grows |= mentionsAny(a.value, states) && states.insert(a.var).second; });
  }
  return states;
}

/// How a step gives scalars values.
class Changes {
public:
  Changes(const Stmt& step, const std::set<Symbol>& states) : handedOn_(followingFrom(states, step)) {
    read(step, false);
  }
  bool beginsAnew(const Symbol& state) const {
    const auto found = all_.find(state);
    return found != all_.end() &&
           (found->second.anew || (found->second.anewWhereChosen && found->second.changes));
  }

private:
  struct Change {
    bool anew = false;            ///< by nothing of a state's, in some case that the data choose
    bool anewWhereChosen = false; ///< the same, in a case that a state chooses
    bool changes = false;         ///< by what is neither the scalar as it is nor anew
  };

  void read(const Expr& value, const Symbol& scalar, bool chosen) {
    Change& change = all_[scalar];
    const auto* choice = value.as<Select>();
    const auto* b = value.as<Binary>();
    if (!mentionsAny(value, handedOn_)) {
      (chosen ? change.anewWhereChosen : change.anew) = true;
    } else if (choice) {
      chosen = chosen || mentionsAny(choice->cond, handedOn_);
      read(choice->then, scalar, chosen);
      read(choice->otherwise, scalar, chosen);
    } else if (b && (b->op == BinaryOp::Min || b->op == BinaryOp::Max || b->op == BinaryOp::LogicalAnd ||
                     b->op == BinaryOp::LogicalOr)) {
      read(b->lhs, scalar, true);
      read(b->rhs, scalar, true);
    } else {
      change.changes |= !(value.is<Var>() && value.as<Var>()->name == scalar);
    }
  }
  void read(const Stmt& s, bool chosen) {
    if (const auto* a = s.as<Assign>()) read(a->value, a->var, chosen);
    const auto* branch = s.as<If>();
    chosen = chosen || (branch && mentionsAny(branch->cond, handedOn_));
    forEachChild(s, [&](const Stmt& child) { read(child, chosen); });
  }

  std::set<Symbol> handedOn_;
  std::map<Symbol, Change> all_;
};

} // namespace

bool mayForget(const Stmt& step, const std::set<Symbol>& states) {
  std::set<Symbol> forgotten = scaledIn(step), changed; // what is set to more than another scalar
  const Changes changes(step, states);
  for (const Symbol& x : assignedVars(step))
    if (changes.beginsAnew(x)) forgotten.insert(x);
  each<Assign>(step, [&](const Assign& a) {
    if (!a.value.is<Var>()) changed.insert(a.var);
  });
  for (bool grows = true; grows;) { // the one before the last is forgotten with the last
    grows = false;
    each<Assign>(step, [&](const Assign& a) {
      grows |= !changed.contains(a.var) && mentionsAny(a.value, forgotten) && forgotten.insert(a.var).second;
    });
  }
  return std::ranges::includes(forgotten, states);
}

} // namespace appyc::schedule
