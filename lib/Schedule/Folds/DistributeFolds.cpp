//===- DistributeFolds.cpp - a fold in the columns of each iteration becomes a nest of its own ------------===//
//   for c: n = 0; for i: n += m(c, i)             =>   for c: n = 0; for i: n += m(c, i)
//          if n > 0:                                          number[c] = n
//            for j: s = 0                                for c: for j: if number[c] > 0: s = 0
//                   for i: s += a(c, i, j)                                for i: s += a(c, i, j)
//                   x[c, j] = s / n                                       x[c, j] = s / number[c]
// With both in one loop a block would have the columns for lanes, each of which goes through all of its column alone; the
// nest has a thread for each element, and is cut where these are few (tile-reductions). A launch more.
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

bool isFold(const Stmt& s) {
  const auto* loop = s.as<For>();
  return loop && isParallel(*loop) && !loop->reductions.empty() && !constantTrip(*loop);
}

class Distribution {
public:
  Distribution(Function& function, PassContext& ctx) : function_(function), ctx_(ctx) {}

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (loop && isPlain(*loop)) return apart(s, *loop);
    if (loop && (isParallel(*loop) || loop->hints.mark == LoopMark::Sequential)) return s;
    return mapChildren(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  bool isHostValue(const Expr& e) const { return e && !readsMemory(e) && !mentionsAny(e, assigned_); }

  Stmt apart(const Stmt& s, const For& loop) {
    const std::vector<Stmt> body = statementsOf(loop.body);
    const Expr count = tripCount(loop);
    if (body.size() < 2 || std::none_of(body.begin(), body.end() - 1, isFold) || has<Alloc>(loop.body) ||
        !isHostValue(count) || !isHostValue(loop.lo))
      return s;
    // The condition goes into the columns' loop.
    const auto* branch = body.back().as<If>();
    const Stmt columns = branch && !branch->otherwise ? branch->then : body.back();
    const auto* inner = columns.as<For>();
    if (!inner || !isPlain(*inner)) return s;
    const std::vector<Stmt> ofColumn = statementsOf(inner->body);
    if (std::none_of(ofColumn.begin(), ofColumn.end(), isFold)) return s;
    if (branch && (intersect(storedBuffers(columns), loadedBuffers(branch->cond)) ||
                   mentions(branch->cond, inner->index)))
      return s;

    const Builder build{s->span};
    const Expr position = loops::positionIn(loop);
    std::vector<Buffer> each;
    std::vector<Stmt> out, first(body.begin(), body.end() - 1);
    std::map<Symbol, Expr> kept;
    const std::set<Symbol> read = analysis::exposedScalars(body.back());
    for (const auto& [name, type] : assignedTypes(block(first))) {
      if (!read.count(name)) continue;
      const Buffer made{Symbol(name.hint() + "_each"),
                        type,
                        {analysis::atLeastZero(count, analysis::contextOf(function_).sizes)}};
      each.push_back(made);
      out.push_back(build.alloc(made));
      first.push_back(build.store(made, {position}, var(name, type)));
      kept[name] = load(made, {position});
    }
    For before = loop;
    before.body = block(std::move(first));

    For nest = loop, column = *inner;
    nest.index = Symbol(loop.index.hint());
    nest.hints.origins.clear();
    column.body = build.when(branch ? branch->cond : Expr(), inner->body);
    nest.body = substitute(substitute(makeStmt(columns->span, std::move(column)), kept),
                           {{loop.index, var(nest.index)}});
    const Stmt behind = loops::withOwnScalars(build.make(std::move(nest)));
    if (cost::chooseMapping(cost::nestOf(behind), ctx_).kind != cost::NestMapping::Threads) return s;
    function_.buffers.insert(function_.buffers.end(), each.begin(), each.end());
    out.push_back(makeStmt(s->span, std::move(before)));
    out.push_back(behind);
    return block(std::move(out));
  }

  Function& function_;
  PassContext& ctx_;
  const std::set<Symbol> assigned_ = assignedVars(function_.body);
};

} // namespace

Module distributeFolds(const Module& module, PassContext& ctx) {
  return eachFunction(module, [&](Function& f) {
    if (ctx.cuda) f.body = Distribution(f, ctx).visit(f.body);
  });
}

} // namespace appyc::schedule
