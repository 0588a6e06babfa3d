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
    std::vector<Stmt> first = statementsOf(loop.body), chosen;
    const Expr count = tripCount(loop);
    if (first.empty() || has<Alloc>(loop.body) || !isHostValue(count) || !isHostValue(loop.lo)) return s;
    // The condition goes into the columns' loop, what is before that in the branch stays under it.
    const Stmt last = first.back();
    const auto* branch = last.as<If>();
    if (branch && branch->otherwise) return s;
    first.pop_back();
    if (branch) chosen = statementsOf(branch->then);
    if (branch && chosen.empty()) return s;
    const Stmt columns = branch ? chosen.back() : last;
    if (branch) chosen.pop_back();
    const auto* inner = columns.as<For>();
    if (!inner || !isPlain(*inner) ||
        !(std::ranges::any_of(first, isFold) || std::ranges::any_of(chosen, isFold)))
      return s;
    const std::vector<Stmt> ofColumn = statementsOf(inner->body);
    if (std::none_of(ofColumn.begin(), ofColumn.end(), isFold)) return s;
    if (branch &&
        (intersect(storedBuffers(branch->then), loadedBuffers(branch->cond)) ||
         mentionsAny(branch->cond, assignedVars(branch->then)) || mentions(branch->cond, inner->index)))
      return s;

    const Builder build{s->span};
    const Expr position = loops::positionIn(loop);
    std::vector<Buffer> each;
    std::vector<Stmt> out;
    std::map<Symbol, Expr> kept;
    // Stores what is read behind of what the statements assign.
    const auto keep = [&](std::vector<Stmt>& list, const std::set<Symbol>& read) {
      for (const auto& [name, type] : assignedTypes(block(list))) {
        if (!read.count(name)) continue;
        const Buffer made{Symbol(name.hint() + "_each"),
                          type,
                          {analysis::atLeastZero(count, analysis::contextOf(function_).sizes)}};
        each.push_back(made);
        out.push_back(build.alloc(made));
        list.push_back(build.store(made, {position}, var(name, type)));
        kept[name] = load(made, {position});
      }
    };
    // A loop of its own, which loads what has been kept.
    const auto behindIt = [&](const Stmt& body) {
      For own = loop;
      own.index = Symbol(loop.index.hint());
      own.hints.origins.clear();
      own.body = substitute(substitute(body, kept), {{loop.index, var(own.index)}});
      return loops::withOwnScalars(build.make(std::move(own)));
    };
    const std::set<Symbol> inColumns = analysis::exposedScalars(columns),
                           inBranch = analysis::exposedScalars(last);
    if (intersect(assignedVars(block(first)), assignedVars(block(chosen)))) return s;
    std::set<Symbol> read = inColumns;
    read.insert(inBranch.begin(), inBranch.end());
    keep(first, read);
    For before = loop;
    before.body = block(std::move(first));
    Stmt between;
    if (!chosen.empty()) {
      std::map<Symbol, Expr> given = kept;
      keep(chosen, inColumns);
      std::swap(kept, given);
      between = behindIt(build.when(branch->cond, std::move(chosen)));
      std::swap(kept, given);
    }
    For column = *inner;
    column.body = build.when(branch ? branch->cond : Expr(), inner->body);
    const Stmt behind = behindIt(makeStmt(columns->span, std::move(column)));
    if (cost::chooseMapping(cost::nestOf(behind), ctx_).kind != cost::NestMapping::Threads) return s;
    function_.buffers.insert(function_.buffers.end(), each.begin(), each.end());
    if (!statementsOf(before.body).empty()) out.push_back(makeStmt(s->span, std::move(before)));
    if (between) out.push_back(between);
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
