//===- PrivatizeArrays.cpp - scratch arrays that every iteration writes before it reads are its own -----------===//
//   p[n]                                       for i:
//   for i:                                       p_i[n]
//     p[0] = 0                           =>      p_i[0] = 0
//     for j: p[j] = f(p[j - 1], u[i, j])         for j: p_i[j] = f(p_i[j - 1], u[i, j])
//     for j: u[i, j] = p[j]                      for j: u[i, j] = p_i[j]
// Made once outside, they hold up a loop of which no iteration needs another one (Eigenmann et al., 1991). Only where the loop
// may run in any order then.
//   systems of three diagonals in 4096 rows of 4096, an H200: one thread, 3 s; predicted a thread a row, 3 ms
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;

class Privatizing : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isPlainSerial(loop) || !consistsOf<Block, Assign, Store, For, If>(loop.body)) return {};
    std::map<Symbol, Symbol> own;
    std::vector<Buffer> made;
    for (const Symbol& array : storedBuffers(loop.body)) {
      const Buffer* b = function_.findBuffer(array);
      if (!b || !isRow(*b) || seen_.count(array) || !loadedBuffers(loop.body).count(array) ||
          countLoads(function_.body, array) != countLoads(loop.body, array) || !isFilled(loop, array))
        continue;
      Buffer copy = *b;
      copy.name = Symbol(array.hint());
      own.emplace(array, copy.name);
      made.push_back(std::move(copy));
    }
    if (own.empty()) return {};
    For apart = loop;
    std::vector<Stmt> body;
    for (const Buffer& b : made) body.push_back(makeStmt(s->span, Alloc{b}));
    body.push_back(renameArrays(loop.body, own));
    apart.body = block(std::move(body));
    const analysis::ParallelVerdict v = analysis::judgeParallel(apart, known_, live_.after(s));
    if (!v.isFree()) return {};
    for (const Buffer& b : made) {
      function_.buffers.push_back(b);
      note(DiagId::Buffered, s,
           "each iteration of loop `{}` has its own `{}`, which it writes before it reads it",
           loop.index.hint(), b.name.hint());
    }
    return makeStmt(s->span, std::move(apart));
  }

  bool isFilled(const For& loop, const Symbol& array) {
    const analysis::Inside inside(known_, loop);
    return analysis::overwrite(statementsOf(loop.body), loop.body, array, false, known_);
  }
  /// As long as a row of some matrix: one for each iteration takes what a matrix takes.
  bool isRow(const Buffer& b) const {
    constexpr int64_t kShort = 64;
    return b.extents.size() == 1 && !b.onChip &&
           (constantInt(b.extents[0]).value_or(kShort + 1) <= kShort ||
            std::ranges::any_of(function_.buffers, [&](const Buffer& matrix) {
              return matrix.extents.size() > 1 && std::ranges::any_of(matrix.extents, [&](const Expr& e) {
                       return equalIndex(e, b.extents[0]);
                     });
            }));
  }

  const std::set<Symbol> seen_ = interfaceOf(function_); ///< by the caller
};

} // namespace

void privatizeArrays(Function& f, PassContext& ctx) { f.body = Privatizing(f, ctx).visit(f.body); }

} // namespace appyc::transform
