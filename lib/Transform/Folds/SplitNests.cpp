//===- SplitNests.cpp - what one nest collects in several arrays, by a nest for each of them ----------------===//
//   for n: for f: for i: for j:               for n: for f: for i: for j: db[f] += dy[n, f, i, j]
//     db[f] += dy[n, f, i, j]          =>     for n: for f: for i: for j: for a: dx[n, i + a] += w[f, a] * dy[n, f, i, j]
//     for a: dx[n, i + a] += ..
// Gradients of a convolution: elements of one array are shared by other iterations than those of the next, and only a nest that
// updates one of them can go by its elements (gather-updates). An element is updated in the order that it was.
//   gradients of a layer, 16 x 16 x 34 x 34 by 32 x 3 x 3, f64, an H200: 6,318 ms, launches for each of 524,288 steps; predicted 1
#include "AtomicUpdates.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

class Splitting : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

private:
  Stmt replaced(const Stmt& s, const For& loop) override {
    const loops::Nest nest = loops::perfectNest(
        s, [](const For& one, const auto&) { return isPlainSerial(one) && one.reductions.empty(); });
    if (nest.loops.size() < 2 || !consistsOf<Block, Assign, Store, For, If>(nest.body) ||
        !updatesOnly(nest.body) || !analysis::hasOwnScalars(nest.body, live_.after(s)) || !overlaps(nest) ||
        analysis::judgeParallel(loop, known_, live_.after(s)).isProven())
      return {};
    const std::vector<std::vector<Stmt>> parts = partsOf(statementsOf(nest.body));
    if (parts.size() < 2) return {};
    std::vector<Stmt> all;
    for (const std::vector<Stmt>& part : parts) {
      const Stmt body = loops::nestAround({s->span}, nest.loops, block(part));
      all.push_back(all.empty() ? body : loops::asCopy(body));
    }
    note(DiagId::Parallelised, s, "what the nest of `{}` collects in {} arrays has a nest each",
         loop.index.hint(), all.size());
    return block(std::move(all));
  }

  /// Is an element told by the sum of two indices, so that windows share it?
  static bool overlaps(const loops::Nest& nest) {
    std::set<Symbol> indices = loopIndices(nest.body);
    for (const For* loop : nest.loops) indices.insert(loop->index);
    return any<Store>(nest.body, [&](const Store& store) {
      return std::ranges::any_of(
          store.index, [&](const Expr& e) { return intersection(freeVars(e), indices).size() > 1; });
    });
  }

  /// The statements that store, each with what it needs of those before; together where one touches what another stores. None where
  /// a scalar comes from what stores.
  static std::vector<std::vector<Stmt>> partsOf(const std::vector<Stmt>& list) {
    struct Part {
      std::set<Symbol> stored, touched;
      std::vector<Stmt> body;
    };
    std::vector<Part> parts;
    for (size_t at = 0; at < list.size(); ++at) {
      const std::set<Symbol> stored = storedBuffers(list[at]);
      if (stored.empty()) continue;
      Part part{stored, stored,
                loops::sliceOf({list.begin(), list.begin() + static_cast<std::ptrdiff_t>(at)},
                               readScalars(list[at]))};
      if (!storedBuffers(block(part.body)).empty()) return {};
      part.body.push_back(list[at]);
      part.touched.merge(loadedBuffers(block(part.body)));
      const auto shares = [&](const Part& other) {
        return intersect(other.stored, part.touched) || intersect(part.stored, other.touched);
      };
      if (std::ranges::any_of(parts, shares)) return {};
      parts.push_back(std::move(part));
    }
    std::vector<std::vector<Stmt>> bodies;
    for (Part& part : parts) bodies.push_back(std::move(part.body));
    return bodies;
  }
};

} // namespace

void splitNests(Function& f, PassContext& ctx) { f.body = Splitting(f, ctx).visit(f.body); }

} // namespace appyc::transform
