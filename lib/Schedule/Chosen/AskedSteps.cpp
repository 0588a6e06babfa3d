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
         !any<While>(loop_.body, [&](const While& w) { return asksOthers(w.cond); }) && !asksByOwn() &&
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

bool AskedSteps::asksByOwn() const {
  const auto isOwn = [&](const Load& l) { return own_.contains(l.buffer) && !isOfOther(l); };
  std::set<Symbol> fromOwn;
  const auto follows = [&](const Expr& e) { return any<Load>(e, isOwn) || mentionsAny(e, fromOwn); };
  each<Assign>(loop_.body, [&](const Assign& a) {
    if (follows(a.value)) fromOwn.insert(a.var);
  });
  return any<If>(loop_.body, [&](const If& branch) {
    bool asks = false;
    const std::vector<Expr> known = askedBy(branch);
    for (const Stmt& way : {branch.then, branch.otherwise})
      if (way)
        each<Load>(way, [&](const Load& l) {
          const auto isKnown = [&](const Expr& step) { return way == branch.then && equal(step, stepOf(l)); };
          asks |= isOfOther(l) && std::ranges::none_of(known, isKnown);
        });
    return asks && follows(branch.cond);
  });
}

std::vector<Expr> AskedSteps::askedBy(const If& branch) const {
  std::vector<Expr> steps;
  for (const Expr& e : conjunctsOf(branch.cond))
    visit(e, [&](const Expr& part) {
      const auto* l = part.as<Load>();
      if (l && isOfOther(*l) && !mentionsAny(stepOf(*l), assignedVars(branch.then)) &&
          !intersect(loadedBuffers(stepOf(*l)), storedBuffers(loop_.body)))
        steps.push_back(stepOf(*l));
      const auto* b = part.as<Binary>();
      return !part.is<Select>() && !(b && b->op == BinaryOp::LogicalOr);
    });
  return steps;
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
    made_.push_back({step, at});
  }
  Load found = *l;
  const Own& own = own_.at(l->buffer);
  found.index[own.axis] = own.isDown ? own.start - at : at + own.start;
  const auto before = before_.find(l->buffer);
  if (before == before_.end()) return make(found);
  // Its own element is as it was, where it stores that last of all: lanes of one step may read it when it is stored.
  const Expr isMade = isStoredLast(l->buffer) ? at < self : at <= self;
  return make(Select{l->type, isMade, make(found), make(Load{l->type, before->second, found.index})});
}

bool AskedSteps::isStoredLast(const Symbol& array) const {
  int stores = 0;
  each<Store>(loop_.body, [&](const Store& s) { stores += s.buffer == array; });
  const std::vector<Stmt> list = statementsOf(loop_.body);
  const auto* last = list.empty() ? nullptr : list.back().as<Store>();
  return stores == 1 && last && last->buffer == array;
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
  if (const auto* branch = s.as<If>()) {
    const If inside = *own.as<If>();
    const std::vector<Expr> steps = askedBy(*branch);
    for (const auto& [step, at] : made_)
      if (std::ranges::any_of(steps, [&](const Expr& e) { return equal(e, step); }))
        asked_.push_back({step, at});
    made_.clear();
    const Stmt then = asking(inside.then, ask);
    asked_.resize(known);
    out.push_back(build_.when(inside.cond, then, inside.otherwise ? asking(inside.otherwise, ask) : Stmt()));
    return block(std::move(out));
  }
  made_.clear();
  if (const auto* loop = own.as<For>()) askForAll(*loop, ask, out);
  own = mapChildren(own, [&](const Stmt& child) { return child ? asking(child, ask) : child; });
  asked_.resize(known);
  out.push_back(own);
  return block(std::move(out));
}

} // namespace appyc::schedule
