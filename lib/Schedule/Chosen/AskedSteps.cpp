//===- AskedSteps.cpp - steps of a serial loop that ask for elements of other steps, which the data name ------===//
#include "AskedSteps.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

bool AskedSteps::reads() {
  if (!isPlainSerial(loop_) || !consistsOf<Block, Assign, Store, If, For, While>(loop_.body) ||
      !isOfHost(loop_.lo) || !isOfHost(loop_.hi) || !analysis::hasOwnScalars(loop_.body, liveAfter_) ||
      !findOwnElements())
    return false;
  const std::set<Symbol> loaded = loadedBuffers(loop_.body);
  return any<Load>(loop_.body, [&](const Load& l) { return isNamedByData(l); }) &&
         !any<While>(loop_.body, [&](const While& w) { return asksOthers(w.cond); }) &&
         std::ranges::all_of(own_, [&](const auto& array) {
           return !loaded.contains(array.first) || isFresh(array.first) || isFilled(array.first);
         });
}

//===--- what a step is made of -------------------------------------------------------------------------===//

bool AskedSteps::isOfHost(const Expr& e) const {
  return !readsMemory(e) && !mentionsAny(e, assignedVars(loop_.body));
}

std::optional<AskedSteps::Own> AskedSteps::ownElement(const Store& s) const {
  std::set<Symbol> varying = loopIndices(loop_.body);
  varying.insert(loop_.index);
  for (size_t axis = 0; axis < s.index.size(); ++axis)
    for (const bool isDown : {false, true}) {
      const Expr self = var(loop_.index), &e = s.index[axis];
      const Expr start = simplifiedIndex(isDown ? e + self : e - self);
      if (isOfHost(start) && !mentionsAny(start, varying)) return Own{axis, start, isDown};
    }
  return {};
}

bool AskedSteps::findOwnElements() {
  bool holds = true;
  each<Store>(loop_.body, [&](const Store& s) {
    const std::optional<Own> here = s.atomicOp ? std::nullopt : ownElement(s);
    if (!here) {
      holds = false;
      return;
    }
    const Own& known = own_.emplace(s.buffer, *here).first->second;
    holds = holds && known.axis == here->axis && known.isDown == here->isDown &&
            equalIndex(known.start, here->start);
  });
  return holds && !own_.empty();
}

Expr AskedSteps::stepOf(const Load& l) const {
  const Own& own = own_.at(l.buffer);
  const Expr& e = l.index[own.axis];
  return simplifiedIndex(own.isDown ? own.start - e : e - own.start);
}

bool AskedSteps::isOfOther(const Load& l) const {
  return own_.contains(l.buffer) && !isConst(stepOf(l) - var(loop_.index), 0);
}
bool AskedSteps::asksOthers(const Expr& e) const {
  return any<Load>(e, [&](const Load& l) { return isOfOther(l); });
}
bool AskedSteps::isNamedByData(const Load& l) const {
  return own_.contains(l.buffer) &&
         (readsMemory(stepOf(l)) || mentionsAny(stepOf(l), assignedVars(loop_.body)));
}

bool AskedSteps::asksWithoutAsking() const {
  std::set<Symbol> fromOthers;
  each<Assign>(loop_.body, [&](const Assign& a) {
    if (asksOthers(a.value) || mentionsAny(a.value, fromOthers)) fromOthers.insert(a.var);
  });
  const auto isKnown = [&](const Expr& e) { return !asksOthers(e) && !mentionsAny(e, fromOthers); };
  return !any<Load>(loop_.body,
                    [&](const Load& l) { return own_.contains(l.buffer) && !isKnown(stepOf(l)); }) &&
         !any<If>(loop_.body, [&](const If& branch) { return !isKnown(branch.cond); }) &&
         !any<Select>(loop_.body, [&](const Select& choice) {
           return !isKnown(choice.cond) && (asksOthers(choice.then) || asksOthers(choice.otherwise));
         });
}

//===--- elements that steps read of later ones ---------------------------------------------------------===//

/// Has nobody stored into the array before? Then what steps read of those behind them has no value.
bool AskedSteps::isFresh(const Symbol& array) const {
  if (!known_.loops.empty() || has<While>(function_.body) || namesOf(function_.params).contains(array))
    return false;
  const auto stores = [&](const Stmt& body) {
    int number = 0;
    visit(body, [&](const Stmt& s) {
      const bool isOne = !s.is<For>() && !s.is<If>() && !s.is<Block>();
      number += isOne && storedBuffers(s).contains(array);
      return !isOne;
    });
    return number;
  };
  return stores(loop_.body) == stores(function_.body);
}

/// Has every element of the array a value?
bool AskedSteps::isFilled(const Symbol& array) const {
  if (namesOf(function_.params).contains(array)) return true; // the caller's, who has given it whole
  const std::vector<Expr>& extents = function_.buffer(array).extents;
  return any<For>(function_.body, [&](const For& outermost) {
    const loops::Nest nest = loops::perfectNest(makeStmt({}, outermost));
    return std::ranges::any_of(statementsOf(nest.body), [&](const Stmt& part) {
      const auto* store = part.as<Store>();
      bool isAll = store && store->buffer == array && nest.loops.size() == extents.size();
      for (size_t k = 0; isAll && k < extents.size(); ++k) {
        const For& over = *nest.loops[k];
        isAll = isConst(over.lo, 0) && isConst(over.step, 1) && equalIndex(over.hi, extents[k]) &&
                equalIndex(store->index[k], var(over.index));
      }
      return isAll;
    });
  });
}

void AskedSteps::copyWhatIsReadLater(Function& f, std::vector<Stmt>& out) {
  for (const auto& [array, own] : own_) {
    const bool readsLater = any<Load>(loop_.body, [&](const Load& l) {
      return l.buffer == array && constantInt(stepOf(l) - var(loop_.index)).value_or(1) > 0;
    });
    if (!readsLater || isFresh(array)) continue;
    const Buffer of = f.buffer(array);
    before_.emplace(array, loops::copied(f, build_, array.hint() + "_before", of, out).name);
  }
}

//===--- asking -----------------------------------------------------------------------------------------===//

/// `e`, behind what it asks for where `when` holds, which goes to `out`.
Expr AskedSteps::asking(const Expr& e, const Expr& when, const Ask& ask, std::vector<Stmt>& out) {
  if (const auto* choice = e.as<Select>()) {
    const Expr cond = asking(choice->cond, when, ask, out);
    const Expr then = asking(choice->then, both(when, cond), ask, out),
               otherwise = asking(choice->otherwise, both(when, isNot(cond)), ask, out);
    return make(Select{choice->type, cond, then, otherwise});
  }
  const auto* b = e.as<Binary>();
  if (b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr)) {
    const Expr lhs = asking(b->lhs, when, ask, out);
    const Expr goesOn = b->op == BinaryOp::LogicalAnd ? lhs : isNot(lhs);
    return binary(b->op, lhs, asking(b->rhs, both(when, goesOn), ask, out));
  }
  const Expr inside = mapChildren(e, [&](const Expr& child) { return asking(child, when, ask, out); });
  const auto* l = inside.as<Load>();
  if (!l || !isOfOther(*l)) return inside;
  const Expr step = stepOf(*l), self = var(loop_.index);
  const auto known = std::ranges::find_if(asked_, [&](const Asked& one) { return equal(one.step, step); });
  Expr at = known == asked_.end() ? Expr() : known->at;
  if (!at) {
    at = build_.let("at", when ? select(when, step, self) : step, out);
    out.push_back(ask(at));
  }
  Load found = *l;
  const Own& own = own_.at(l->buffer);
  found.index[own.axis] = own.isDown ? own.start - at : at + own.start;
  const auto before = before_.find(l->buffer);
  if (before == before_.end()) return make(found);
  return make(Select{l->type, at <= self, make(found), make(Load{l->type, before->second, found.index})});
}

/// What every iteration of a loop in the step asks for is asked for once, where there is one.
void AskedSteps::askForAll(const For& loop, const Ask& ask, std::vector<Stmt>& out) {
  std::set<Symbol> varying = varyingWith(loop);
  const std::set<Symbol> stored = storedBuffers(loop_.body);
  for (const Stmt& s : statementsOf(loop.body)) {
    if (!s.is<Assign>() && !s.is<Store>()) continue;
    const auto look = [&](const Expr& part) {
      const auto* l = part.as<Load>();
      if (l && isOfOther(*l) && !mentionsAny(stepOf(*l), varying) &&
          !intersect(loadedBuffers(stepOf(*l)), stored) &&
          std::ranges::none_of(asked_, [&](const Asked& one) { return equal(one.step, stepOf(*l)); })) {
        const Expr at = build_.let("at", select(loop.lo < loop.hi, stepOf(*l), var(loop_.index)), out);
        out.push_back(ask(at));
        asked_.push_back({stepOf(*l), at});
      }
      const auto* b = part.as<Binary>();
      return !part.is<Select>() && !(b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr));
    };
    forEachExpr(s, [&](const Expr& e) { visit(e, look); });
  }
}

Stmt AskedSteps::asking(const Stmt& s, const Ask& ask) {
  std::vector<Stmt> out;
  const size_t known = asked_.size();
  Stmt own = mapExprs(s, [&](const Expr& e) { return s.is<While>() ? e : asking(e, {}, ask, out); });
  if (const auto* loop = own.as<For>()) askForAll(*loop, ask, out);
  own = mapChildren(own, [&](const Stmt& child) { return child ? asking(child, ask) : child; });
  asked_.resize(known);
  out.push_back(own);
  return block(std::move(out));
}

} // namespace appyc::schedule
