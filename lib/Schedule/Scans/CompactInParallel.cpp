//===- CompactInParallel.cpp - what is kept of many elements, in order, by all threads -------------------------===//
//   for i:                           for i (parallel):  is_kept[i] = a[i] > 0
//     if a[i] > 0:                   place = the i for which is_kept[i], in order;  number = how many these are
//       found[n] = b[i]       =>     for k < number (parallel):  found[n + k] = b[place[k]]
//       n = n + 1                    n = n + number
// So are a[mask], np.nonzero, lists with conditions and loops that append. Without the `if` every element's place is known.
// A nest of loops is one sequence of places. Sources: stream compaction (Blelloch 1990); CUB's DeviceSelect.
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

/// A nest of serial loops whose steps keep an element each, or some do.
class Compaction {
public:
  explicit Compaction(Function& f) : function_(f) {}

  bool find(const Stmt& nest) {
    build_ = {nest->span};
    const auto isStep = [](const For& loop, const auto&) {
      return loop.order == Order::Serial && loop.hints.mark == LoopMark::None && isConst(loop.step, 1);
    };
    const auto [loops, body] = loops::perfectNest(nest, isStep);
    loops_ = loops;
    const std::vector<Stmt> steps = statementsOf(body);
    if (loops_.empty() || steps.empty()) return false;
    std::vector<Stmt> kept(1, steps.back());
    before_.assign(steps.begin(), steps.end() - 1);
    if (const auto* branch = steps.back().as<If>()) {
      if (branch->otherwise) return false;
      isKept_ = branch->cond;
      kept = statementsOf(branch->then);
    } else {
      kept = steps;
      before_.clear();
    }
    return takesApart(std::move(kept)) && isIndependent(body);
  }

  std::vector<Stmt> inParallel() const {
    std::vector<Stmt> made;
    Expr n = intConst(1);
    const std::set<Symbol> sizes = analysis::contextOf(function_).sizes;
    for (const For* loop : loops_) n = n * analysis::atLeastZero(tripCount(*loop), sizes);
    const Expr counter = var(counter_);
    Expr number = n;
    const Symbol k("k");
    Expr place = var(k);
    if (isKept_) {
      const Buffer flags = buffer(made, "is_kept", DType::Bool, n),
                   places = buffer(made, "place", DType::I64, n),
                   count = buffer(made, "number", DType::I64, intConst(1));
      std::vector<Stmt> asked = before_;
      asked.push_back(build_.store(flags, {position()}, isKept_));
      made.push_back(nestAround(block(std::move(asked))));
      made.push_back(build_.make(
          Routine{RoutineName::SelectPlaces,
                  {{flags.name, {intConst(0)}}, {places.name, {intConst(0)}}, {count.name, {intConst(0)}}},
                  {n}}));
      const Symbol found("found");
      made.push_back(build_.assign(found, load(count, {intConst(0)})));
      number = var(found);
      place = load(places, {var(k)});
    }
    std::vector<Stmt> stores;
    const Symbol at("at");
    stores.push_back(build_.assign(at, place));
    Expr rest = var(at);
    std::map<Symbol, Expr> indices;
    for (size_t d = loops_.size(); d-- > 0;) {
      const Expr extent = loops_[d]->hi - loops_[d]->lo;
      const Symbol index(loops_[d]->index.hint());
      const Expr within = d == 0 ? rest : mod(rest, extent);
      stores.push_back(build_.assign(index, loops_[d]->lo + within));
      indices[loops_[d]->index] = var(index);
      if (d > 0) rest = floorDiv(rest, extent);
    }
    std::vector<Stmt> kept = before_;
    kept.insert(kept.end(), kept_.begin(), kept_.end());
    const Expr target = counter + var(k);
    for (const Stmt& s : kept) { // scalars under names of their own
      if (const auto* store = s.as<Store>()) {
        stores.push_back(
            makeStmt(s->span, Store{store->buffer, {target}, substitute(store->value, indices), {}}));
        continue;
      }
      const auto* a = s.as<Assign>();
      const Symbol own(a->var.hint());
      stores.push_back(makeStmt(s->span, Assign{own, substitute(a->value, indices)}));
      indices[a->var] = var(own, typeOf(a->value));
    }
    made.push_back(build_.inAnyOrder(k, intConst(0), number, block(std::move(stores))));
    made.push_back(build_.assign(counter_, counter + number));
    return made;
  }

private:
  /// Scalars of the step's own, stores at the counter, and at last its increase.
  bool takesApart(std::vector<Stmt> kept) {
    if (kept.empty()) return false;
    const auto* step = kept.back().as<Assign>();
    const auto* sum = step ? step->value.as<Binary>() : nullptr;
    const auto* counter = sum ? sum->lhs.as<Var>() : nullptr;
    if (!counter || sum->op != BinaryOp::Add || counter->name != step->var || !isConst(sum->rhs, 1))
      return false;
    counter_ = step->var;
    kept.pop_back();
    kept_ = std::move(kept);
    size_t stores = 0;
    for (const Stmt& s : kept_) {
      const auto* store = s.as<Store>();
      if (!store && !s.is<Assign>()) return false;
      if (!store) continue;
      const auto* at = store->index.size() == 1 ? store->index[0].as<Var>() : nullptr;
      if (!at || at->name != counter_ || store->atomicOp) return false;
      ++stores;
    }
    return stores > 0 &&
           std::all_of(before_.begin(), before_.end(), [](const Stmt& s) { return s.is<Assign>(); });
  }

  /// Does each step see only what it would see alone? The extents of inner loops are those of all steps.
  bool isIndependent(const Stmt& body) const {
    std::set<Symbol> assigned = assignedVars(body), stored = storedBuffers(body), own;
    for (const For* loop : loops_)
      for (const Expr* bound : {&loop->lo, &loop->hi})
        if (readsMemory(*bound) || mentionsAny(*bound, assigned) ||
            std::any_of(loops_.begin(), loops_.end(),
                        [&](const For* l) { return mentions(*bound, l->index); }))
          return false;
    std::vector<Stmt> all = before_;
    if (isKept_) all.push_back(makeStmt({}, Assign{Symbol("asked"), isKept_}));
    all.insert(all.end(), kept_.begin(), kept_.end());
    for (const Stmt& s : all) { // a scalar is set before it is read, and so in each step anew
      const auto* a = s.as<Assign>();
      const Expr& value = a ? a->value : s.as<Store>()->value;
      for (const Symbol& read : freeVars(value))
        if (assigned.count(read) && !own.count(read)) return false;
      if (intersect(loadedBuffers(value), stored)) return false;
      if (a) own.insert(a->var);
    }
    return std::none_of(own.begin(), own.end(), [&](const Symbol& s) { return isReadOutside(s, body); });
  }
  bool isReadOutside(const Symbol& name, const Stmt& body) const {
    const auto reads = [&](const Stmt& in) {
      int count = 0;
      each<Var>(in, [&](const Var& v) { count += v.name == name; });
      return count;
    };
    return reads(function_.body) > reads(body);
  }

  Buffer buffer(std::vector<Stmt>& made, const char* name, DType type, const Expr& extent) const {
    const Buffer b{Symbol(name), type, {extent}};
    function_.buffers.push_back(b);
    made.push_back(build_.alloc(b));
    return b;
  }

  /// The number of the step that the loops' indices say.
  Expr position() const {
    Expr at = intConst(0);
    for (const For* loop : loops_) at = at * (loop->hi - loop->lo) + (var(loop->index) - loop->lo);
    return at;
  }
  Stmt nestAround(Stmt body) const {
    return loops::nestAround(build_, loops_, std::move(body), [](For& loop) { loop.order = Order::Proven; });
  }

  Function& function_;
  Builder build_;
  std::vector<const For*> loops_;
  std::vector<Stmt> before_, kept_;
  Expr isKept_;
  Symbol counter_;
};

/// The loops that the host runs: what stands in a parallel one is a thread's.
Stmt compacted(const Stmt& s, Function& f, PassContext& ctx) {
  const auto* loop = s.as<For>();
  if (loop) {
    Compaction found(f);
    const Stmt up = loopsUpward(s);
    if (found.find(up)) {
      ctx.diag.report(
          DiagId::Parallelised, s->span,
          "what is kept gets its place from how much before it is kept, so that all threads take part");
      return block(found.inParallel());
    }
    if (isParallel(*loop)) return s;
  }
  return mapChildren(s, [&](const Stmt& inner) { return compacted(inner, f, ctx); });
}

} // namespace

Module compactInParallel(const Module& module, PassContext& ctx) {
  return eachFunction(module, [&](Function& f) { f.body = compacted(f.body, f, ctx); });
}

} // namespace appyc::schedule
