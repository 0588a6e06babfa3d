//===- Forgetting.cpp - steps after which what the first one started from may be forgotten --------------===//
//   y = 0.1 * x[i] + 0.9 * y               scaled
//   n = n + 1 if x[i] > 0 else 0           anew, where the data say so
//   y = max(x[i], y + x[i])                anew, where the state says so; else it changes
//   on = x[i] > low if on else x[i] > high anew, where the state says so
//   s = next[s, x[i]]                      anew, as steps from several states often lead to one
//   y += min(most, cap - y)                bounded by what follows from it
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
  Changes(const Stmt& step, const std::set<Symbol>& states)
      : handedOn_(followingFrom(states, step)), values_(onlyValues(step)) {
    read(step, {});
  }
  bool beginsAnew(const Symbol& state) const {
    const auto found = all_.find(state);
    if (found == all_.end() || !handedOn_.contains(state)) return false;
    const Change& change = found->second;
    return change.anew || ((change.extreme || change.constant) && change.changes);
  }

private:
  struct Change {
    bool anew = false;    ///< by nothing of a state's, in some case
    bool extreme = false; ///< the same, where it is more, or less, than the scalar
    bool changes = false; ///< by what is neither the scalar as it is nor anew
    Expr constant;        ///< which a state's branches set it to: one alone stays, as of a flag

    void setTo(const Expr& one) {
      anew |= constant && !equal(constant, one);
      constant = one;
    }
  };

  using Conditions = std::vector<Expr>; ///< around, of which a state is asked

  void read(const Expr& value, const Symbol& scalar, const Conditions& around) {
    Change& change = all_[scalar];
    const auto* choice = value.as<Select>();
    const auto* b = value.as<Binary>();
    const auto* cast = value.as<Cast>();
    if (!mentionsAny(value, handedOn_)) {
      if (value.is<Const>() && !around.empty())
        change.setTo(value);
      else
        (isExtreme(value, scalar, around) ? change.extreme : change.anew) = true;
    } else if (cast) {
      read(cast->arg, scalar, around);
    } else if (value.is<Load>()) {
      change.anew = true; // of a table's elements, which are few
    } else if (choice) {
      const Conditions inside = with(around, choice->cond);
      read(choice->then, scalar, inside);
      read(choice->otherwise, scalar, inside);
    } else if (b && (b->op == BinaryOp::Min || b->op == BinaryOp::Max || b->op == BinaryOp::LogicalAnd ||
                     b->op == BinaryOp::LogicalOr)) {
      readEither(b->lhs, scalar, around);
      readEither(b->rhs, scalar, around);
    } else {
      change.changes |= !(value.is<Var>() && value.as<Var>()->name == scalar);
    }
  }
  /// One of the two that an extreme is of.
  void readEither(const Expr& value, const Symbol& scalar, const Conditions& around) {
    if (mentionsAny(value, handedOn_))
      read(value, scalar, around);
    else
      all_[scalar].extreme = true;
  }
  void read(const Stmt& s, const Conditions& around) {
    if (const auto* a = s.as<Assign>()) read(a->value, a->var, around);
    const auto* branch = s.as<If>();
    const Conditions inside = branch ? with(around, branch->cond) : around;
    forEachChild(s, [&](const Stmt& child) { read(child, inside); });
  }
  Conditions with(Conditions around, const Expr& cond) const {
    if (mentionsAny(cond, handedOn_)) around.push_back(cond.is<Var>() ? substitute(cond, values_) : cond);
    return around;
  }
  /// Is it set to what is more, or less, than it was?
  bool isExtreme(const Expr& value, const Symbol& scalar, const Conditions& around) const {
    const auto isValue = [&](const Expr& e) { return equal(unnamed(e), unnamed(value)); };
    return std::ranges::any_of(around, [&](const Expr& cond) {
      return any<Binary>(cond, [&](const Binary& b) {
        const bool isOrder =
            b.op == BinaryOp::Lt || b.op == BinaryOp::Le || b.op == BinaryOp::Gt || b.op == BinaryOp::Ge;
        return isOrder &&
               ((mentions(b.lhs, scalar) && isValue(b.rhs)) || (mentions(b.rhs, scalar) && isValue(b.lhs)));
      });
    });
  }
  /// What names and casts are of.
  Expr unnamed(Expr e) const {
    for (size_t k = 0; k <= values_.size(); ++k) {
      if (const auto* cast = e.as<Cast>()) e = cast->arg;
      const auto* name = e.as<Var>();
      if (const auto found = name ? values_.find(name->name) : values_.end(); found != values_.end())
        e = found->second;
    }
    return e;
  }

  std::set<Symbol> handedOn_;
  std::map<Symbol, Expr> values_; ///< of what is set in one place
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
  const auto isBounded = [&](const Assign& a) { // by what follows from it
    return mentionsAny(a.value, intersection(followingFrom({a.var}, step), forgotten));
  };
  for (bool grows = true; grows;) { // the one before the last is forgotten with the last
    grows = false;
    each<Assign>(step, [&](const Assign& a) {
      const bool isToo = changed.contains(a.var) ? isBounded(a) : mentionsAny(a.value, forgotten);
      grows |= isToo && forgotten.insert(a.var).second;
    });
  }
  return std::ranges::includes(forgotten, states);
}

} // namespace appyc::schedule
