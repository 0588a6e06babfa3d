//===- RelaxUpdates.cpp - elements that are lowered until none can be any more are lowered in any order -------------===//
//   while changed:                               while changed:
//     changed = False                              changed = False
//     for e in edges:                              for e in edges:                                          # parallel
//       if d[s[e]] + w[e] < d[t[e]]:        =>       if d[s[e]] + w[e] < d[t[e]]:
//         d[t[e]] = d[s[e]] + w[e]                     d[t[e]] = min(d[t[e]], d[s[e]] + w[e])               # indivisibly
//         changed = True                               changed = True
// What is stored never becomes larger when elements become smaller, so every order ends at the same elements: the largest ones
// that no store lowers (D. Chazan and W. Miranker, 1969). That is what the loop ends with in order as well, as it goes on while
// anything was lowered; how many rounds it took nobody must ask. Which of several values an iteration has read makes no difference
// either. What only rises likewise: flags of what has been reached.
#include "FreeNests.h"
#include "Relaxation.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::transform {

namespace {

using namespace ir;

class Relaxing : public loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (const auto* rounds = s.as<While>())
      if (const Stmt made = relaxed(s, *rounds)) return made;
    return inside(s, [&](const Stmt& child) { return child ? visit(child) : child; });
  }

private:
  Stmt relaxed(const Stmt& s, const While& rounds) {
    const std::set<Symbol> stored = storedBuffers(rounds.body);
    if (stored.empty() || readsMemory(rounds.cond)) return {};
    std::vector<Stmt> list = statementsOf(rounds.body);
    std::set<Symbol> flags;
    std::optional<ReduceOp> op;
    for (const Stmt& part : list) {
      const auto* loop = part.as<For>();
      if (!loop) {
        if (!consistsOf<Assign, If, Block>(part) || !loadedBuffers(part).empty()) return {};
        continue;
      }
      if (!consistsOf<Block, Assign, Store, For, If>(part) || !isSerial(*loop)) return {};
      const std::optional<Relaxation> relaxation = relaxationOf(*loop, stored);
      if (!relaxation || (op && op != relaxation->op) ||
          !std::ranges::includes(relaxation->flags, analysis::handedOn(loop->body)))
        return {};
      op = relaxation->op;
      flags.insert(relaxation->flags.begin(), relaxation->flags.end());
    }
    if (!op || !endsWhenSettled(list, flags, rounds.cond, live_.after(s))) return {};
    for (Stmt& part : list)
      if (part.is<For>()) {
        part = inAnyOrder(withUpdates(part, [&](const Store&) { return op; }), flags);
        note(DiagId::Parallelised, part,
             "it goes on until nothing is {} any more, so its iterations may run in any order",
             *op == ReduceOp::Min ? "lowered" : "raised");
      }
    return makeStmt(s->span, While{rounds.cond, block(std::move(list))});
  }
  /// Is there another round wherever one of the flags is raised, and has every other scalar the same value after the last round,
  /// however many there are?
  static bool endsWhenSettled(const std::vector<Stmt>& list, const std::set<Symbol>& flags, const Expr& cond,
                              const std::set<Symbol>& liveAfter) {
    for (const Symbol& raised : flags) {
      const auto known = afterRound(list, flags, raised, cond);
      if (!known || !constantBool(substitute(cond, *known)).value_or(false)) return false;
    }
    const auto settled = afterRound(list, flags, {}, cond);
    if (!settled) return false;
    for (const Stmt& part : list)
      for (const Symbol& name : assignedVars(part)) {
        const bool isOfNest = part.is<For>() && !flags.count(name);
        if (isOfNest ? liveAfter.count(name) > 0 : !settled->count(name)) return false;
      }
    return true;
  }
  using Values = std::map<Symbol, Expr>;
  /// The flags that are known as there is a round at all.
  static Values heldBefore(const Expr& cond) {
    Values known;
    for (const Expr& e : conjunctsOf(cond)) {
      const auto* no = e.as<Unary>();
      const bool turns = no && no->op == UnaryOp::LogicalNot;
      if (const auto* v = (turns ? no->arg : e).as<Var>(); v && isBool(v->type))
        known.emplace(v->name, boolConst(!turns));
    }
    return known;
  }
  /// The constants that scalars are after a round that raises this flag, and perhaps others; none, where it raises none.
  static std::optional<Values> afterRound(const std::vector<Stmt>& list, const std::set<Symbol>& flags,
                                          const std::optional<Symbol>& raised, const Expr& cond) {
    Values known = heldBefore(cond);
    for (const Stmt& s : list)
      if (!run(s, flags, raised, known)) return {};
    return known;
  }
  static bool run(const Stmt& s, const std::set<Symbol>& flags, const std::optional<Symbol>& raised,
                  Values& known) {
    if (const auto* a = s.as<Assign>()) {
      const Expr value = substitute(a->value, known);
      known.erase(a->var);
      if (value.is<Const>()) known.emplace(a->var, value);
      return true;
    }
    if (const auto* branch = s.as<If>()) {
      const std::optional<bool> holds = constantBool(substitute(branch->cond, known));
      if (!holds) return false;
      const Stmt& taken = *holds ? branch->then : branch->otherwise;
      return !taken || run(taken, flags, raised, known);
    }
    if (s.is<Block>())
      return std::ranges::all_of(statementsOf(s),
                                 [&](const Stmt& part) { return run(part, flags, raised, known); });
    for (const Symbol& name : assignedVars(s)) {
      if (!raised && flags.count(name)) continue; // as it was
      known.erase(name);
      if (raised == name) known.emplace(name, intConst(1, DType::I32));
    }
    return true;
  }
};

} // namespace

void relaxUpdates(Function& f, PassContext& ctx) { f.body = Relaxing(f, ctx).visit(f.body); }

} // namespace appyc::transform
