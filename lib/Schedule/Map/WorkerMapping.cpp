//===- WorkerMapping.cpp - a worker's statements shared among its lanes -----------------------------===//
#include "WorkerMapping.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <utility>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

Only::First firstLaneOf(Scope worker) {
  return worker == Scope::Warp    ? Only::LaneOfWarp
         : worker == Scope::Group ? Only::LaneOfGroup
                                  : Only::ThreadOfBlock;
}

namespace {

struct LaneSharing {
  const LaneLoops& lanes;
  Scope worker; ///< a block or a warp
  const analysis::Liveness& live;
  std::map<Symbol, Symbol>
      partials{}; ///< reductions of loops around: each lane collects into its own partial result

  //===--- the first lane's work ---------------------------------------------------------------------===//

  Stmt byFirstLane(std::vector<Stmt> work) const {
    Span span = work.front()->span;
    return makeStmt(span, Only{firstLaneOf(worker), block(std::move(work))});
  }

  /// Something that all lanes do together.
  bool needsLanes(const Stmt& s) const {
    return anyStmt(s, [&](const Stmt& part) { return lanes.count(part.get()) > 0 || part.is<Signal>(); });
  }

  /// A store, or a loop or branch that does nothing but store: no other lane needs what it computes.
  bool isForFirstLane(const Stmt& s) const {
    if (s.is<Store>()) return true;
    if (!s.is<For>() && !s.is<While>() && !s.is<If>()) return false;
    if (needsLanes(s) || storedBuffers(s).empty()) return false;
    const std::set<Symbol>& after = live.after(s);
    for (const Symbol& name : assignedVars(s))
      if (after.count(name) || partials.count(name)) return false;
    return true;
  }

  //===--- the first warp's work ---------------------------------------------------------------------===//

  /// A loop for which the lanes of one warp are enough, which then need not wait for those of others.
  bool isForOneWarp(const Stmt& s) const {
    const auto* loop = s.as<For>();
    if (!loop || !isSerial(*loop) || loop->hints.warps != 1 || worker != Scope::Block) return false;
    const std::set<Symbol>& after = live.after(s);
    const std::set<Symbol> assigned = assignedVars(s);
    return std::none_of(assigned.begin(), assigned.end(),
                        [&](const Symbol& name) { return after.count(name) || partials.count(name); });
  }
  Stmt byFirstWarp(const Stmt& s, const For& loop) const {
    LaneSharing warp{lanes, Scope::Warp, live, partials};
    return makeStmt(s->span, Only{Only::WarpOfBlock, warp.shareSerialLoop(s, loop)});
  }

  //===--- all lanes' work ----------------------------------------------------------------------------===//

  Stmt share(const Stmt& s) {
    if (s.is<Block>()) return shareList(statementsOf(s));
    if (lanes.count(s.get())) return bindLoop(s, *s.as<For>());
    if (isForFirstLane(s)) return byFirstLane({s});
    if (isForOneWarp(s)) return byFirstWarp(s, *s.as<For>());
    if (const auto* loop = s.as<For>()) return shareSerialLoop(s, *loop);
    return mapChildren(s, [&](const Stmt& child) { return child ? share(child) : child; });
  }

  Stmt shareList(const std::vector<Stmt>& list) {
    std::vector<Stmt> out, first;
    auto flush = [&] {
      if (!first.empty()) out.push_back(byFirstLane(std::move(first)));
      first.clear();
    };
    for (const Stmt& s : list) {
      if (isForFirstLane(s)) {
        first.push_back(s);
      } else {
        flush();
        out.push_back(share(s));
      }
    }
    flush();
    return block(std::move(out));
  }

  Stmt setPartial(Span span, const Reduction& r, Symbol partial) const {
    return makeStmt(span, Assign{std::move(partial), identity(r.op, r.type)});
  }
  void fold(Span span, const Reduction& r, const Symbol& partial, std::vector<Stmt>& out) const {
    out.push_back(makeStmt(span, Collective{partial, r.type, r.op, worker}));
    Symbol target = partials.count(r.var) ? partials.at(r.var) : r.var;
    out.push_back(makeStmt(span, Assign{target, combine(r.op, var(target, r.type), var(partial, r.type))}));
  }

  Stmt bindLoop(const Stmt& s, const For& loop) {
    std::vector<Stmt> out, folds;
    For bound = loop;
    bound.mapping = PerLane{.scope = worker, .unroll = isUnrolled(loop)};
    std::set<Symbol> written = storedBuffers(loop.body);
    for (Expr* e : {&bound.lo, &bound.hi}) {
      // The lanes reach the loop at different times: a bound that the body may change is read by all before.
      if (!intersect(loadedBuffers(*e), written)) continue;
      Symbol name("bound");
      out.push_back(makeStmt(s->span, Assign{name, *e}));
      *e = var(name);
    }
    for (Reduction& r : bound.reductions) {
      if (auto outer = partials.find(r.var); outer != partials.end()) {
        bound.body = renameScalar(bound.body, r.var, outer->second);
        r.var = outer->second;
        continue;
      }
      Symbol partial(r.var.hint() + "_lane");
      out.push_back(setPartial(s->span, r, partial));
      fold(s->span, r, partial, folds);
      bound.body = renameScalar(bound.body, r.var, partial);
      r.var = partial;
    }
    out.push_back(makeStmt(s->span, std::move(bound)));
    out.insert(out.end(), folds.begin(), folds.end());
    return block(std::move(out));
  }

  /// Is `r` updated in loops of the lanes only, so that one fold after `body` will do?
  bool isCollectedByLanes(const Stmt& body, const Reduction& r) const {
    bool only = true, some = false;
    visit(
        body,
        [&](const Stmt& s) {
          if (const auto* a = s.as<Assign>()) only &= a->var != r.var;
          if (!lanes.count(s.get())) return only;
          const bool reduces = std::ranges::any_of(s.as<For>()->reductions, [&](const Reduction& inner) {
            return inner.var == r.var && inner.op == r.op;
          });
          some |= reduces;
          only &= reduces || !mentionsAny(s, {r.var});
          return false;
        },
        [&](const Expr& e) {
          only &= !mentions(e, r.var);
          return false;
        });
    return only && some;
  }

  Stmt shareSerialLoop(const Stmt& s, const For& loop) {
    std::vector<Stmt> out, folds, names;
    std::vector<Symbol> mine;
    For serial = loop;
    for (Reduction& r : serial.reductions) {
      if (auto outer = partials.find(r.var); outer != partials.end()) {
        r.var = outer->second;
        continue;
      }
      if (loop.order == Order::Serial || !isCollectedByLanes(loop.body, r)) continue;
      Symbol partial(r.var.hint() + "_lane");
      out.push_back(setPartial(s->span, r, partial));
      fold(s->span, r, partial, folds);
      partials[r.var] = partial;
      mine.push_back(r.var);
      r.var = partial;
    }
    serial.body = share(loop.body);
    for (const Symbol& name : mine) partials.erase(name);
    out.push_back(makeStmt(s->span, std::move(serial)));
    out.insert(out.end(), folds.begin(), folds.end());
    return block(std::move(out));
  }
};

} // namespace

Stmt forWorker(const Stmt& body, Scope worker) {
  return rewrite(body, [&](const Stmt& s) -> Stmt {
    if (s.is<Barrier>()) return makeStmt(s->span, Barrier{worker});
    if (const auto* fold = s.as<Collective>()) {
      Collective own{fold->var, fold->type, fold->op, worker};
      if (worker == Scope::Group) own.apart = fold->apart, own.part = fold->part; // it may be a block
      return makeStmt(s->span, std::move(own));
    }
    if (const auto* only = s.as<Only>())
      return makeStmt(s->span, Only{firstLaneOf(worker), only->body, only->others});
    const auto* loop = s.as<For>();
    if (!loop || !lanesOf(*loop) || lanesOf(*loop) == worker) return {};
    For lanes = *loop;
    lanes.mapping.as<PerLane>()->scope = worker;
    return makeStmt(s->span, std::move(lanes));
  });
}

Stmt shareAmongLanes(const Stmt& body, const LaneLoops& lanes, Scope worker, const analysis::Liveness& live) {
  return mergePartials(LaneSharing{lanes, worker, live}.share(body));
}

} // namespace appyc::schedule
