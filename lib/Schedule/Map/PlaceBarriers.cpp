//===- PlaceBarriers.cpp - barriers where a dependence crosses lanes, and nowhere else --------------===//
// The statements of a worker are walked in order with the accesses since the last barrier; a statement that
// depends on one of them across lanes gets a barrier in front. Loops are walked twice: the second time with
// what the iteration before has left. The loops inside have their own barriers by then and are walked once more.
#include "PendingAccesses.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

/// What one warp does, whose lanes work together.
const Only* ofFirstWarp(const Stmt& s) {
  const auto* only = s.as<Only>();
  return only && only->first == Only::WarpOfBlock && !only->others ? only : nullptr;
}

struct BarrierPlacement {
  Scope scope;
  analysis::Context context;
  std::set<Symbol> scratch; ///< arrays on chip: one for all iterations that a block works off
  bool again = false; ///< the barriers between what is walked stand: only what comes from before it is new
  PastValues past;

  /// Reading a condition or bound, as a statement that the analysis can be asked about.
  static Stmt reading(const Expr& e) { return makeStmt({}, Assign{Symbol("read"), e}); }

  bool depends(const Pending& pending, const Stmt& s) const {
    std::set<Symbol> loads = loadedBuffers(s), stores = storedBuffers(s);
    return std::any_of(pending.accesses.begin(), pending.accesses.end(), [&](const Access& earlier) {
      const bool share = intersect(earlier.uses->stores, loads) || earlier.touches(stores);
      return share && analysis::crossesLanes(earlier.by, s, context, earlier.ofScratch ? &scratch : nullptr);
    });
  }

  static std::map<Symbol, DType> changedBy(const Stmt& s) {
    std::map<Symbol, DType> changed = assignedTypes(s);
    each<Collective>(s, [&](const Collective& c) { changed[c.var] = c.type; });
    return changed;
  }

  void barrierBefore(const Stmt& accesses, Pending& pending, std::vector<Stmt>& out) const {
    if (depends(pending, accesses)) {
      out.push_back(makeStmt({}, Barrier{scope}));
      pending = {};
    }
  }

  void placeFold(const Stmt& s, const Collective& c, Pending& pending, std::vector<Stmt>& out) const {
    const Pending::Fold fold{c.op, c.type, c.part};
    Collective placed = c;
    placed.apart |= pending.folds.count(fold) > 0;
    pending = {{}, {fold}}; // its own barrier stands between what was before and what comes
    out.push_back(makeStmt(s->span, std::move(placed)));
  }

  /// A statement no barrier can stand in.
  void placeLeaf(const Stmt& s, Pending& pending, std::vector<Stmt>& out) {
    barrierBefore(s, pending, out);
    if (Access access(s); !access.uses->loads.empty() || !access.uses->stores.empty()) pending.add(access);
    past.renew(pending, changedBy(s));
    out.push_back(s);
  }

  void place(const Stmt& s, Pending& pending, std::vector<Stmt>& out) {
    const auto* loop = s.as<For>();
    if (s.is<Barrier>() || s.is<Signal>()) { // a barrier is the first thing in a post, the last in a wait
      pending = {};
      out.push_back(s);
    } else if (s.is<Collective>() && scope == Scope::Block) {
      placeFold(s, *s.as<Collective>(), pending, out);
    } else if (s.is<Block>()) {
      for (const Stmt& child : statementsOf(s)) place(child, pending, out);
    } else if (loop && loop->mapping.is<PerBlock, PerWarp>()) {
      placeWorkers(s, *loop, pending, out);
    } else if (loop && !loop->mapping.is<PerLane>()) {
      placeLoop(s, *loop, pending, out);
    } else if (s.is<While>()) {
      placeWhile(s, *s.as<While>(), pending, out);
    } else if (scope == Scope::Block && ofFirstWarp(s)) {
      placeWarp(s, *ofFirstWarp(s), pending, out);
    } else if (s.is<If>()) {
      placeIf(s, *s.as<If>(), pending, out);
    } else {
      placeLeaf(s, pending, out);
    }
  }

  /// What one warp does: to the others one statement, with barriers of its own inside.
  void placeWarp(const Stmt& s, const Only& only, Pending& pending, std::vector<Stmt>& out) {
    Pending inside;
    BarrierPlacement warp{Scope::Warp, context, scratch, again, {}};
    placeLeaf(makeStmt(s->span, Only{only.first, warp.placeBody(only.body, inside)}), pending, out);
  }

  Stmt placeBody(const Stmt& body, Pending& pending) {
    std::vector<Stmt> out;
    for (const Stmt& s : statementsOf(body)) place(s, pending, out);
    return block(std::move(out));
  }

  Stmt placeAgain(const Stmt& body, Pending& pending) {
    again = true;
    const Stmt placed = placeBody(body, pending);
    again = false;
    return placed;
  }

  /// Iterations of different workers, or of one worker after another, are independent but for their scratch
  /// and the shared memory that folds go through.
  void placeWorkers(const Stmt& s, const For& loop, Pending& pending, std::vector<Stmt>& out) {
    For placed = loop;
    Pending inside = pending.ofArrays(scratch);
    context.loops.push_back(&loop);
    placed.body = placeBody(loop.body, inside);
    inside = inside.ofArrays(scratch);
    past.renew(inside, loop.index); // some other iteration
    if (const auto* blocks = loop.mapping.as<PerBlock>(); !(blocks && blocks->once) && !again) {
      placed.body = placeAgain(placed.body, inside);
      inside = inside.ofArrays(scratch);
      past.renew(inside, loop.index);
    }
    context.loops.pop_back();
    pending = std::move(inside);
    out.push_back(makeStmt(s->span, std::move(placed)));
  }

  void placeLoop(const Stmt& s, const For& loop, Pending& pending, std::vector<Stmt>& out) {
    for (const Expr& bound : {loop.lo, loop.hi, loop.step}) {
      Stmt read = reading(bound);
      barrierBefore(read, pending, out);
      if (readsMemory(bound)) pending.accesses.emplace_back(read);
    }
    For placed = loop;
    Pending inside = insideOf(loop, placed, pending);
    // What only the accesses before the loop need stands before it, once.
    if (!pending.accesses.empty() && has<Barrier>(placed.body) && !has<Barrier>(loop.body)) {
      Pending own;
      For apart = loop;
      own = insideOf(loop, apart, own);
      if (!has<Barrier>(apart.body)) {
        out.push_back(makeStmt({}, Barrier{scope}));
        pending = {};
        inside = std::move(own), placed = std::move(apart);
      }
    }
    pending.add(inside);
    out.push_back(makeStmt(s->span, std::move(placed)));
  }

  /// The loop with barriers in it, and what is pending behind it of what was before and of its iterations.
  Pending insideOf(const For& loop, For& placed, Pending inside) {
    context.loops.push_back(&loop);
    placed.body = placeBody(loop.body, inside);
    if (!again) { // what is pending now belongs to some earlier iteration of the next one
      For earlier = serialLoop(Symbol(loop.index.hint()), loop.lo, var(loop.index), loop.step, block({}));
      past.rename(inside, {{loop.index, earlier.index, DType::I64}});
      context.loops.push_back(&earlier);
      placed.body = placeAgain(placed.body, inside);
      context.loops.pop_back();
      past.renew(inside, earlier.index, loop.index);
    }
    context.loops.pop_back();
    past.renew(inside, loop.index);
    return inside;
  }

  void placeWhile(const Stmt& s, const While& loop, Pending& pending, std::vector<Stmt>& out) {
    Stmt read = reading(loop.cond);
    barrierBefore(read, pending, out);
    if (readsMemory(loop.cond)) pending.accesses.emplace_back(read);
    Pending inside = pending;
    const auto round = [&](const Stmt& body) {
      std::vector<Stmt> placed;
      for (const Stmt& child : statementsOf(body)) place(child, inside, placed);
      barrierBefore(read, inside, placed);
      if (readsMemory(loop.cond)) inside.accesses.emplace_back(read);
      return block(std::move(placed));
    };
    Stmt body = round(loop.body);
    if (!again) {
      again = true;
      body = round(body);
      again = false;
    }
    pending.add(inside);
    out.push_back(makeStmt(s->span, While{loop.cond, body}));
  }

  void placeIf(const Stmt& s, const If& branch, Pending& pending, std::vector<Stmt>& out) {
    Stmt read = reading(branch.cond);
    barrierBefore(read, pending, out);
    if (readsMemory(branch.cond)) pending.accesses.emplace_back(read);
    Pending otherwise = pending;
    If placed{branch.cond, placeBody(branch.then, pending), {}};
    if (branch.otherwise) placed.otherwise = placeBody(branch.otherwise, otherwise);
    pending.add(otherwise);
    out.push_back(makeStmt(s->span, std::move(placed)));
  }
};

/// Folds of one operator and type, one behind the other, go through two pieces of shared memory in turn: a barrier
/// stands in each of them, so that the next but one finds the first piece free.
Stmt withParts(const Stmt& body) {
  std::map<std::pair<ReduceOp, DType>, int> next;
  return rewrite(body, [&](const Stmt& s) -> Stmt {
    const auto* c = s.as<Collective>();
    if (!c || c->scope != Scope::Block) return {};
    Collective placed = *c;
    int& part = next[{c->op, c->type}];
    placed.part = part;
    part = 1 - part;
    return makeStmt(s->span, std::move(placed));
  });
}

/// Whose lanes work together in this kernel, if any do.
std::optional<Scope> cooperation(const Launch& kernel) {
  std::optional<Scope> scope;
  visit(kernel.body, [&](const Stmt& s) {
    if (const auto* loop = s.as<For>(); loop && loop->mapping.is<PerWarp>())
      scope = Scope::Warp;
    else if (loop && lanesOf(*loop) == Scope::Block && !scope)
      scope = Scope::Block;
    return true;
  });
  return scope;
}

} // namespace

void placeBarriers(Function& function, PassContext&) {
  analysis::Context context = analysis::contextOf(function);
  std::set<Symbol> scratch;
  for (const Buffer& b : function.buffers)
    if (b.onChip) scratch.insert(b.name);
  function.body = rewrite(function.body, [&](const Stmt& s) -> Stmt {
    const auto* kernel = s.as<Launch>();
    auto scope = kernel && kernel->body ? cooperation(*kernel) : std::nullopt;
    if (!scope) return {};
    Launch placed = *kernel;
    Pending pending;
    placed.body =
        BarrierPlacement{*scope, context, scratch, false, {}}.placeBody(withParts(kernel->body), pending);
    return makeStmt(s->span, std::move(placed));
  });
}

} // namespace appyc::schedule
