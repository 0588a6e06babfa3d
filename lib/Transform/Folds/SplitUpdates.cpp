//===- SplitUpdates.cpp - pairs that update both of their elements, once for each of the two --------------------===//
//   for i: for j in [i + 1, n):              for i: for j in [i + 1, n): f[i] += g(i, j)     # i is parallel
//     f[i] += g(i, j)                  =>    for j: for i in [0, j): f[j] -= g(i, j)         # j is parallel
//     f[j] -= g(i, j)
// Newton's third law saves half of the forces where one thread computes them all; threads that update each other's elements
// lose more than that by it. What a pair updates is a sum, a least or a greatest, which may be collected in any order.
//   forces of 16384 bodies, an H200: one block, 0.4 s; predicted as without the law, twice, 4 ms
//   Lennard-Jones forces and energy of 8000 atoms, whose pairs make an array of 3 each: 40.6 s on an H100, predicted 3 ms,
//     measured 7.3
#include "AtomicUpdates.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;

class PairUpdates : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& outer) override {
    const auto* inner = outer.body.as<For>();
    return inner && isPlainSerial(outer) && isPlainSerial(*inner) ? split(s, outer, *inner) : Stmt();
  }

private:
  /// Whose elements a statement updates: the outer loop's index tells which, or the inner one's.
  enum class Whose { Outer, Inner, Neither };

  Stmt split(const Stmt& s, const For& outer, const For& inner) {
    std::set<Symbol> ofOuter, ofInner;
    const std::set<Symbol> own = allocatedBuffers(inner.body);
    if (!consistsOf<Block, Assign, Store, For, If, Alloc>(inner.body) || !updatesOnly(inner.body, own))
      return {};
    bool fits = true;
    each<Store>(inner.body, [&](const Store& store) {
      if (own.count(store.buffer)) return;
      const Whose whose = whoseIs(store, outer, inner);
      fits = fits && whose != Whose::Neither;
      (whose == Whose::Outer ? ofOuter : ofInner).insert(store.buffer);
    });
    if (!fits || !intersect(ofOuter, ofInner)) return {};
    // What is collected over all pairs, the first loops collect.
    std::set<Symbol> collected = intersection(assignedVars(inner.body), live_.after(s));
    collected.merge(analysis::handedOn(inner.body));
    const Stmt others = without(inner.body, [&](const Stmt& part) {
      const auto* set = part.as<Assign>();
      const auto* store = part.as<Store>();
      return (set && collected.count(set->var)) ||
             (store && ofOuter.count(store->buffer) && whoseIs(*store, outer, inner) == Whose::Outer);
    });
    if (intersect(collected, readScalars(others))) return {};
    const auto turned = loops::interchanged(withBody(outer, makeStmt(s->span, withBody(inner, others))));
    if (!turned) return {};
    For first = outer, firstInner = inner;
    firstInner.body = without(inner.body, [&](const Stmt& part) {
      const auto* store = part.as<Store>();
      return store && ofInner.count(store->buffer) && whoseIs(*store, outer, inner) == Whose::Inner;
    });
    first.body = makeStmt(outer.body->span, std::move(firstInner));
    note(DiagId::Parallelised, s,
         "pairs of `{}` and `{}` that update an element of each are gone through twice, so that either time "
         "no two iterations share one",
         outer.index.hint(), inner.index.hint());
    return block({makeStmt(s->span, std::move(first)),
                  withOwnArrays(loops::asCopy(makeStmt(s->span, *turned)), function_.buffers)});
  }

  static Whose whoseIs(const Store& store, const For& outer, const For& inner) {
    bool byOuter = false, byInner = false;
    for (const Expr& e : store.index) {
      if (readsMemory(e)) return Whose::Neither;
      byOuter = byOuter || mentions(e, outer.index);
      byInner = byInner || mentions(e, inner.index);
    }
    return byOuter == byInner ? Whose::Neither : byOuter ? Whose::Outer : Whose::Inner;
  }
};

} // namespace

void splitUpdates(Function& f, PassContext& ctx) { f.body = PairUpdates(f, ctx).visit(f.body); }

} // namespace appyc::transform
