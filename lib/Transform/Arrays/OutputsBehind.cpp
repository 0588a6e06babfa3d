//===- OutputsBehind.cpp - what a recurrence finds beside what it asks for is found behind it -------------------------===//
//   for j:                                            for j:
//     best = inf                                        best = inf
//     for i in range(j):                                for i in range(j):
//       c = f(cost[i], i, j)                              best = min(best, f(cost[i], i, j))
//       if c < best: best = c; at = i           =>      cost[j] = best
//     cost[j] = best                                  for j:                                                # parallel
//     cut[j] = at                                       the same, which stores cut[j] = at alone
// Where the way back is kept, the way there is a fold without places, which other passes know, and no step waits for another one to
// find its place. A loop is distributed so (K. Kennedy and K. McKinley, 1990), and makes what both halves ask for twice. An own
// element that a step changes more than once is a scalar in the second half, which starts from what the element was.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::transform {

namespace {

using namespace ir;

class Behind : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isPlainSerial(loop) || !has<For>(loop.body) ||
        !consistsOf<Block, Assign, Store, For, If>(loop.body) ||
        !analysis::hasOwnScalars(loop.body, live_.after(s)))
      return {};
    const std::set<Symbol> stored = storedBuffers(loop.body), loaded = loadedBuffers(loop.body);
    std::set<Symbol> asked, outputs;
    for (const Symbol& array : stored) (loaded.count(array) ? asked : outputs).insert(array);
    if (asked.empty() || outputs.empty()) return {};
    For first = withBody(loop, withoutIdleScalars(withoutStoresTo(loop.body, outputs), {}));
    if (!isLighter(first, loop) || analysis::judgeParallel(loop, known_, {}).isProven()) return {};
    const Builder build{s->span};
    std::vector<Stmt> before;
    const size_t buffers = function_.buffers.size();
    For second = loop;
    second.hints.origins.clear();
    second.body = withOwnAsScalars(loop, asked, build, before);
    if (!second.body || analysis::leadsTo(second, first, known_, true) ||
        !analysis::judgeParallel(second, known_, live_.after(s)).isFree()) {
      function_.buffers.erase(function_.buffers.begin() + static_cast<std::ptrdiff_t>(buffers),
                              function_.buffers.end());
      return {};
    }
    note(DiagId::Parallelised, s, "what no step of `{}` asks for is found behind it, by all threads",
         loop.index.hint());
    before.push_back(makeStmt(s->span, std::move(first)));
    before.push_back(loops::asCopy(makeStmt(s->span, std::move(second))));
    return block(std::move(before));
  }

private:
  static Stmt withoutStoresTo(const Stmt& body, const std::set<Symbol>& arrays) {
    return without(
        body, [&](const Stmt& part) { return part.is<Store>() && arrays.count(part.as<Store>()->buffer); });
  }
  /// Does some loop in it find less than before? Else it would be as slow alone.
  static bool isLighter(const For& first, const For& loop) {
    std::set<Symbol> ofLoops, left = assignedVars(first.body);
    int stores = 0;
    each<For>(loop.body, [&](const For& inner) { ofLoops.merge(assignedVars(inner.body)); });
    each<For>(loop.body, [&](const For& inner) { each<Store>(inner.body, [&](const Store&) { ++stores; }); });
    each<For>(first.body,
              [&](const For& inner) { each<Store>(inner.body, [&](const Store&) { --stores; }); });
    return stores > 0 || !std::ranges::includes(left, ofLoops);
  }

  /// The body that stores nothing into the arrays `asked`, whose elements of the iteration's own are scalars in it; empty where it
  /// stores into others of them.
  Stmt withOwnAsScalars(const For& loop, const std::set<Symbol>& asked, const Builder& build,
                        std::vector<Stmt>& before) {
    std::map<Symbol, std::vector<Expr>> own;
    bool fits = true;
    std::set<Symbol> changing = assignedVars(loop.body);
    changing.merge(loopIndices(loop.body));
    each<Store>(loop.body, [&](const Store& store) {
      if (!asked.count(store.buffer)) return;
      const auto [known, isNew] = own.emplace(store.buffer, store.index);
      fits = fits && !store.atomicOp && equalIndices(known->second, store.index) &&
             std::ranges::none_of(store.index,
                                  [&](const Expr& e) { return readsMemory(e) || mentionsAny(e, changing); });
    });
    if (!fits) return {};
    std::map<Symbol, Expr> scalars;
    std::vector<Stmt> body;
    for (const auto& [array, index] : own) {
      const Buffer of = function_.buffer(array);
      const bool isRead = any<Load>(
          loop.body, [&](const Load& l) { return l.buffer == array && equalIndices(l.index, index); });
      const Symbol name(array.hint() + "_own");
      scalars.emplace(array, var(name, of.type));
      if (!isRead) continue;
      const Buffer was = loops::copied(function_, build, array.hint() + "_before", of, before);
      body.push_back(build.assign(name, load(was, index)));
    }
    const auto isOwn = [&](const Symbol& array, const std::vector<Expr>& index) {
      const auto found = own.find(array);
      return found != own.end() && equalIndices(found->second, index);
    };
    const Stmt inScalars = rewrite(
        loop.body,
        [&](const Stmt& part) -> Stmt {
          const auto* store = part.as<Store>();
          if (!store || !asked.count(store->buffer)) return {};
          const Expr value = rewrite(store->value, [&](const Expr& e) -> Expr {
            const auto* l = e.as<Load>();
            return l && isOwn(l->buffer, l->index) ? scalars.at(l->buffer) : Expr();
          });
          return build.assign(scalars.at(store->buffer).as<Var>()->name, value);
        },
        [&](const Expr& e) -> Expr {
          const auto* l = e.as<Load>();
          return l && isOwn(l->buffer, l->index) ? scalars.at(l->buffer) : Expr();
        });
    body.push_back(inScalars);
    return withoutIdleScalars(block(std::move(body)), {});
  }
};

} // namespace

void outputsBehind(Function& f, PassContext& ctx) { f.body = Behind(f, ctx).visit(f.body); }

} // namespace appyc::transform
