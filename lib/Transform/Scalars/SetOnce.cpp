//===- SetOnce.cpp - elements that a loop sets to one value, where they are not set yet, are set in any order ----------===//
//   for e in edges:                                                   # parallel where d != -1
//     if level[s[e]] == d and level[t[e]] == -1:
//       level[t[e]] = d + 1;  front[t[e]] = True;  changed = True
// Whoever comes first sets the element, and all set the same; who comes later and still finds it as it was does so again, which
// changes nothing. What else asks for elements cannot tell one that was set from one that was not: neither is d. So are the levels
// of breadth-first search, and rings of growing regions. Marks that are truth values stay in order: the hardware does not update
// bytes by themselves.
#include "FreeNests.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::transform {

namespace {

using namespace ir;

class SettingOnce {
public:
  explicit SettingOnce(const For& loop)
      : loop_(loop), stored_(storedBuffers(loop.body)), loaded_(loadedBuffers(loop.body)),
        values_(onlyValues(loop.body)), varying_(varyingWith(loop)), flags_(flagsOf(loop.body)) {
    varying_.merge(loopIndices(loop.body));
  }

  /// When its iterations may run in any order, which is told by `tests`, all of which have to hold then.
  bool holds() { return follow(loop_.body, {}) && hasOnlyTests() && moveOneWay(); }
  std::vector<Expr> tests;
  /// Which way a store moves its element, where others read that meanwhile.
  std::optional<ReduceOp> way(const Store& store) const {
    const auto found = ways_.find(store.buffer);
    return found == ways_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  using Conditions = std::vector<Expr>;

  /// The element of an array that is stored, which is read as it is, or by a scalar that has been set to it.
  const Load* elementIn(const Expr& e) const {
    const auto* v = e.as<Var>();
    const auto value = v ? values_.find(v->name) : values_.end();
    const auto* l = (value == values_.end() ? e : value->second).as<Load>();
    return l && stored_.count(l->buffer) ? l : nullptr;
  }
  bool isFixed(const Expr& e) const { return !readsMemory(e) && !mentionsAny(e, varying_); }
  bool isSame(const std::vector<Expr>& a, const std::vector<Expr>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Expr& x, const Expr& y) {
      return equal(writtenOut(x, values_), writtenOut(y, values_));
    });
  }

  bool readsStored(const Expr& e) const {
    return any<Load>(writtenOut(e, values_), [&](const Load& l) { return stored_.count(l.buffer) > 0; });
  }

  //===--- stores -------------------------------------------------------------------------------------===//

  bool follow(const Stmt& s, const Conditions& around) {
    if (const auto* branch = s.as<If>()) {
      Conditions then = around, otherwise = around;
      for (const Expr& e : conjunctsOf(branch->cond)) then.push_back(e);
      otherwise.push_back(branch->cond); // which must not be a guard
      for (const Expr& e : conjunctsOf(branch->cond)) conditions_.push_back(e);
      return follow(branch->then, then) && (!branch->otherwise || follow(branch->otherwise, otherwise));
    }
    if (const auto* inner = s.as<For>()) return follow(inner->body, around);
    const std::vector<Stmt> list = statementsOf(s);
    const bool stores = std::ranges::any_of(list, [](const Stmt& part) { return part.is<Store>(); });
    if (stores && !setsOnce(list, around)) return false;
    for (const Stmt& part : list) {
      const auto* set = part.as<Assign>();
      if (set && !(stores && flags_.count(set->var))) mustBeAlike(around, {});
      if (!set && !part.is<Store>() && !follow(part, around)) return false;
    }
    return true;
  }
  /// Whether all but the guard of an element is the same whatever has been set, is asked when all guards are known.
  void mustBeAlike(const Conditions& around, const Expr& guard) {
    for (const Expr& e : around)
      if (readsStored(e) && !(guard && equal(e, guard))) alike_.push_back(e);
  }

  /// The stores of a list: one into an element that was not set, and others beside it that nothing in the loop reads.
  bool setsOnce(const std::vector<Stmt>& list, const Conditions& around) {
    const Store* asked = nullptr;
    std::vector<const Store*> all;
    for (const Stmt& s : list) {
      const auto* store = s.as<Store>();
      if (!store) continue;
      all.push_back(store);
      if (!loaded_.count(store->buffer)) continue;
      if (asked) return false;
      asked = store;
    }
    const Expr guard = asked ? findGuard(*asked, around) : Expr();
    if (!guard) return false;
    mustBeAlike(around, guard);
    return std::ranges::all_of(all, [&](const Store* store) {
      return !store->atomicOp && isFixed(store->value) && places_.insert(store->buffer).second &&
             isSame(store->index, asked->index) &&
             std::ranges::none_of(store->index, [&](const Expr& e) { return readsStored(e); });
    });
  }

  /// How elements are that are set: X[t] == was, X[t] < bound or X[t] > bound.
  struct Guard {
    Expr condition, was, below, above;
    Expr set;
  };
  Expr findGuard(const Store& store, const Conditions& around) {
    for (const Expr& e : around) {
      Guard guard{e, {}, {}, {}, store.value};
      const auto isOwn = [&](const Expr& part) {
        const Load* l = elementIn(part);
        return l && l->buffer == store.buffer && isSame(l->index, store.index);
      };
      const auto* c = e.as<Binary>();
      if (c && isOwn(c->rhs) && isFixed(c->lhs)) c = turned(*c);
      if (c && isOwn(c->lhs) && isFixed(c->rhs)) {
        if (c->op == BinaryOp::Eq) guard.was = c->rhs;
        if (c->op == BinaryOp::Lt) guard.below = c->rhs;
        if (c->op == BinaryOp::Gt) guard.above = c->rhs;
      }
      if (guard.was || guard.below || guard.above)
        return guards_.emplace(store.buffer, guard).second ? e : Expr();
    }
    return {};
  }
  const Binary* turned(const Binary& c) {
    static const std::map<BinaryOp, BinaryOp> back{{BinaryOp::Eq, BinaryOp::Eq},
                                                   {BinaryOp::Ne, BinaryOp::Ne},
                                                   {BinaryOp::Lt, BinaryOp::Gt},
                                                   {BinaryOp::Gt, BinaryOp::Lt}};
    const auto op = back.find(c.op);
    if (op == back.end()) return nullptr;
    turned_ = binary(op->second, c.rhs, c.lhs);
    return turned_.as<Binary>();
  }

  //===--- what else is asked -------------------------------------------------------------------------===//

  /// Is every element that is read one of a guard, or of a test that finds the same before and after it is set?
  bool hasOnlyTests() {
    if (guards_.empty() || !std::ranges::all_of(alike_, [&](const Expr& e) { return asksAlike(e); }))
      return false;
    std::map<Symbol, int> scalars; // that are read there, how often
    int loads = 0;
    for (const Expr& e : conditions_) {
      if (!isGuard(e) && !asksAlike(e)) continue;
      each<Load>(e, [&](const Load& l) { loads += stored_.count(l.buffer) > 0; });
      each<Var>(e, [&](const Var& v) { ++scalars[v.name]; });
    }
    each<Assign>(loop_.body, [&](const Assign& a) {
      const auto* l = a.value.as<Load>();
      if (!l || !stored_.count(l->buffer) || !values_.count(a.var)) return;
      int reads = 0;
      each<Var>(loop_.body, [&](const Var& v) { reads += v.name == a.var; });
      loads += reads == scalars[a.var];
    });
    int all = 0;
    each<Load>(loop_.body, [&](const Load& l) { all += stored_.count(l.buffer) > 0; });
    return all == loads;
  }
  bool isGuard(const Expr& e) const {
    return std::ranges::any_of(guards_, [&](const auto& g) { return equal(g.second.condition, e); });
  }
  /// X[s] == d, where d is neither what is set nor what was.
  bool asksAlike(const Expr& e) {
    const auto* c = e.as<Binary>();
    if (c && !elementIn(c->lhs)) c = turned(*c);
    const Load* l = c && (c->op == BinaryOp::Eq || c->op == BinaryOp::Ne) ? elementIn(c->lhs) : nullptr;
    const auto guard = l ? guards_.find(l->buffer) : guards_.end();
    if (guard == guards_.end() || !isFixed(c->rhs)) return false;
    const Guard& g = guard->second;
    const Expr d = c->rhs;
    require(ne(g.set, d));
    require(g.was ? ne(g.was, d) : g.below ? d >= g.below : d <= g.above);
    return true;
  }
  /// Stores are indivisible, as others read the elements meanwhile: what is set is more than what was, or less. What stands beside
  /// is read by none, and all store the same.
  bool moveOneWay() {
    for (const auto& [array, g] : guards_) {
      if (!isInteger(typeOf(g.set)) && !isFloat(typeOf(g.set))) return false;
      const bool falls = g.above || (g.was && g.was.is<Const>() &&
                                     constantBool(g.was > cast(typeOf(g.was), intConst(0))).value_or(false));
      ways_.emplace(array, falls ? ReduceOp::Min : ReduceOp::Max);
      const Expr from = g.was ? g.was : g.below ? g.below : g.above;
      require(falls ? g.set <= from : g.set >= from);
    }
    return true;
  }
  void require(const Expr& test) {
    const auto* c = test.as<Binary>();
    const auto apart =
        c && isInteger(typeOf(c->lhs)) ? constantInt(simplifiedIndex(c->lhs - c->rhs)) : std::nullopt;
    const bool isKnown =
        constantBool(test).value_or(false) || (c && c->op == BinaryOp::Ne && apart.value_or(0) != 0);
    const auto isSaid = [&](const Expr& e) { return equal(e, test); };
    if (!isKnown && std::ranges::none_of(tests, isSaid)) tests.push_back(test);
  }

  const For& loop_;
  const std::set<Symbol> stored_, loaded_;
  const std::map<Symbol, Expr> values_; ///< of scalars that are set once
  std::set<Symbol> varying_;
  std::map<Symbol, Guard> guards_; ///< by array that is asked
  std::map<Symbol, ReduceOp> ways_;
  std::set<Symbol> places_;       ///< arrays whose one store has been seen
  Conditions conditions_, alike_; ///< all; those that must find the same before and after
  const std::set<Symbol> flags_;
  Expr turned_;
};

class SetsOnce : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isSerial(loop) || !consistsOf<Block, Assign, Store, For, If>(loop.body) ||
        !intersect(storedBuffers(loop.body), loadedBuffers(loop.body)))
      return {};
    const std::set<Symbol> flags = flagsOf(loop.body);
    SettingOnce once(loop);
    if (!std::ranges::includes(flags, analysis::handedOn(loop.body)) || !ownsScalars(s, loop, flags) ||
        !once.holds() || analysis::judgeParallel(loop, known_, live_.after(s)).isProven())
      return {};
    note(DiagId::Parallelised, s,
         "an element is set to one value where it is not set yet, so iterations of `{}` may run in any order",
         loop.index.hint());
    const Stmt updates = withUpdates(s, [&](const Store& store) { return once.way(store); });
    const Stmt free = inAnyOrder(updates, flags);
    return once.tests.empty() ? free
                              : Builder{s->span}.when(allOf(once.tests), loops::asCopy(free, flags), s);
  }

private:
  bool ownsScalars(const Stmt& s, const For& loop, const std::set<Symbol>& flags) const {
    std::set<Symbol> own = assignedVars(loop.body);
    for (const Symbol& flag : flags) own.erase(flag);
    return !intersect(own, live_.after(s));
  }
};

} // namespace

void setOnce(Function& f, PassContext& ctx) { f.body = SetsOnce(f, ctx).visit(f.body); }

} // namespace appyc::transform
