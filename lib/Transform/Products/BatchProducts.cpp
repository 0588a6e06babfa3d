//===- BatchProducts.cpp - a loop over products of matrices is a product of batches ---------------------===//
//   for b: s[i, j] = sum(q[b, i, k] * w[b, j, k] for k)       s_b[b, i, j] = sum(q[b, i, k] * w[b, j, k] for k)
//          t[i] = max(s[i, j] for j)                     =>   t_b[b, i] = max(s_b[b, i, j] for j)
//          out[b, i, j] = f(s[i, j] - t[i])                   out[b, i, j] = f(s_b[b, i, j] - t_b[b, i])
// Heads of an attention, layers for each of some pictures: iterations are independent, so that their index is one more axis of
// each statement, and what an iteration makes has room for all. As a loop, a block or less would have a product of matrices.
// Sums alone stay loops: those of a row run in a block.
//
//   attention of 16 heads, 1024 x 64, f32, an H200: a warp a head took 960 ms; predicted 1, measured 0.27
#include "Products.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

namespace {

constexpr int kAxesOfProduct = 3;

class Batches : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

private:
  Stmt replaced(const Stmt& s, const For& loop) override { return isBatch(loop) ? batched(s, loop) : Stmt(); }
  bool enters(const Stmt& s) const override {
    const auto* loop = s.as<For>();
    return !loop || loop->hints.mark == LoopMark::None;
  }
  bool isKnown(const Expr& e) const { return e && analysis::followsFrom(e, entry_); }

  bool isBatch(const For& loop) {
    if (loop.hints.mark != LoopMark::None || !isKnown(tripCount(loop))) return false;
    const std::vector<Stmt> body = statementsOf(loop.body);
    const auto isAxis = [&](const Range& range) { return isKnown(range.extent); };
    const auto isFit = [&](const Stmt& part) {
      if (const auto* made = part.as<Alloc>())
        return !made->buffer.onChip &&
               std::ranges::all_of(made->buffer.extents, [&](const Expr& e) { return isKnown(e); });
      if (part.is<Assign>()) return isOwn(*part.as<Assign>(), loop);
      const auto* statement = part.as<IndexStmt>();
      return statement && !statement->atomicOp && std::ranges::all_of(statement->domain, isAxis);
    };
    // A product that is a statement of its own is a batch already.
    return std::ranges::count_if(body, [](const Stmt& part) { return part.is<IndexStmt>(); }) > 1 &&
           std::ranges::all_of(body, isFit) && std::ranges::any_of(body, hasOpenProduct) &&
           analysis::judgeParallel(loop, known_, {}).answer == analysis::Answer::Proven;
  }

  /// A number of the iteration, which has one value in it.
  bool isOwn(const Assign& number, const For& loop) const {
    int settings = 0;
    each<Assign>(loop.body, [&](const Assign& a) { settings += a.var == number.var; });
    return settings == 1 && !analysis::exposedScalars(loop.body).count(number.var) &&
           countReads(function_.body, number.var) == countReads(loop.body, number.var) &&
           std::ranges::none_of(function_.results, [&](const Result& r) { return r.name == number.var; });
  }

  static bool hasOpenProduct(const Stmt& s) {
    const auto* statement = s.as<IndexStmt>();
    const auto isOpen = [](const Range& range) { return !constantInt(range.extent); };
    return statement && depthOfProducts(s) >= kAxesOfProduct &&
           std::ranges::all_of(statement->domain, isOpen);
  }

  Stmt batched(const Stmt& s, const For& loop) {
    const Expr count = analysis::atLeastZero(tripCount(loop), known_.sizes);
    const Builder build{s->span};
    const int64_t step = *constantInt(loop.step); // matrices follow each other upward
    const Expr lowest = step > 0 ? loop.lo : loop.lo + (tripCount(loop) - 1) * step;
    std::vector<Stmt> out;
    loops::Expanded all;
    const auto widen = [&](const Buffer& array) {
      const Buffer& wide = all.emplace(array.name, loops::expandedOver(array, count)).first->second;
      out.push_back(build.alloc(wide));
      return wide;
    };
    std::map<Symbol, Expr> numbers; // of each iteration
    for (Stmt part : statementsOf(loop.body)) {
      if (const auto* made = part.as<Alloc>()) {
        const Buffer wide = widen(made->buffer);
        for (Buffer& b : function_.buffers)
          if (b.name == made->buffer.name) b = wide;
        continue;
      }
      part = substitute(part, numbers);
      if (const auto* number = part.as<Assign>()) {
        const Buffer one{number->var, typeOf(number->value), {}};
        function_.buffers.push_back(widen(one));
        numbers[number->var] = load(one, {});
        part = makeStmt(part->span, IndexStmt{{}, one.name, {}, number->value, {}});
      }
      const Symbol batch(loop.index.hint());
      const Stmt loads = substitute(loops::expanded(part, all, var(batch)),
                                    {{loop.index, lowest + var(batch) * std::abs(step)}});
      IndexStmt wide = *loads.as<IndexStmt>();
      wide.domain.insert(wide.domain.begin(), Range{batch, count});
      if (const auto made = all.find(wide.target); made != all.end()) {
        wide.target = made->second.name;
        wide.index.insert(wide.index.begin(), var(batch));
      }
      wide.noOverlap = false;
      out.push_back(makeStmt(part->span, std::move(wide)));
    }
    note(DiagId::Product, s, "loop `{}` is an axis of its statements: its products are a batch",
         loop.index.hint());
    return block(std::move(out));
  }

  const std::set<Symbol> entry_ = analysis::knownAtEntry(function_);
};

} // namespace

void batchProducts(Function& f, PassContext& ctx) { f.body = Batches(f, ctx).visit(f.body); }

} // namespace appyc::transform
