//===- ScatterLast.cpp - stores to elements that the data choose, of which the last one stays, by all threads ------------===//
//   for i:                      last[b] = -1 for each b
//     out[p[i]] = x[i]    =>    for i (parallel): last[p[i]] = max(last[p[i]], i)      # atomic
//                               for i (parallel): if last[p[i]] == i: out[p[i]] = x[i]
// Permutations, inverse permutations, ranks, bit reversals, NumPy's `out[p] = x`: whether an element is chosen twice is seen when
// it is; the step that comes last in order has it, in every run. A row is chosen as a whole where all steps store all of it.
//   out[p[i]] = x[i], 10^6 of f64, an H200: one thread, 41.8 ms; predicted 0.03, measured 0.066
//   mandelbrot2, whose `N_[Xi[I], Yi[I]] = i` one thread did: 216 to 85 ms
#include "HostLoops.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kFewSteps = 32; ///< one thread does sooner
constexpr int64_t kMostPlaces =
    1 << 21; ///< room of lists that may grow, of which little is used: all of it is cleared

/// A loop whose iterations share nothing but elements that the data choose, which they only store to.
class LastWrites {
public:
  LastWrites(Function& f, const analysis::Context& known, const std::set<Symbol>& liveAfter)
      : function_(f), known_(known), liveAfter_(liveAfter) {}

  /// The statements instead of the loop; none where it has to stay.
  std::vector<Stmt> of(const Stmt& s) {
    const Stmt up = loopsUpward(s);
    const auto* loop = up.as<For>();
    if (!loop || !reads(*loop)) return {};
    build_ = {s->span};
    for (auto& [target, scattered] : scattered_) {
      scattered.last = {Symbol("last_" + target.hint()), DType::I64, {}};
      for (const size_t d : scattered.chosen)
        scattered.last.extents.push_back(function_.buffer(target).extents[d]);
    }
    For marks = *loop, stores = *loop;
    marks.body = withoutIdleScalars(marked(loop->body), {});
    if (intersect(loadedBuffers(marks.body), storedBuffers(loop->body))) return {};
    stores.body = guarded(loop->body);
    stores.reductions = reductions_;
    marks.order = stores.order = Order::Proven;
    const Stmt marking = makeStmt(s->span, marks);
    std::vector<Stmt> all, first;
    for (const auto& [target, scattered] : scattered_) {
      function_.buffers.push_back(scattered.last);
      all.push_back(build_.alloc(scattered.last));
      first.push_back(loops::forAll(build_, "b", scattered.last.extents, [&](const std::vector<Expr>& at) {
        return build_.store(scattered.last, at, intConst(-1));
      }));
    }
    all.insert(all.end(), first.begin(), first.end());
    all.push_back(loops::asCopy(marking));
    all.push_back(makeStmt(s->span, stores));
    return all;
  }

private:
  /// How the steps store into one array.
  struct Scattered {
    std::vector<size_t> chosen;             ///< axes of which a step chooses the place
    std::vector<std::vector<Expr>> indices; ///< unlike ones
    bool inRows = false;                    ///< in loops of the step
    bool changes = false;                   ///< an index has scalars with several values in a step
    int stores = 0;
    Buffer last{}; ///< the place's last step
  };

  bool reads(const For& loop) {
    loop_ = &loop;
    if (!isPlainSerial(loop) || readsMemory(loop.lo) || readsMemory(loop.hi) ||
        constantTrip(loop).value_or(kFewSteps + 1) <= kFewSteps ||
        !consistsOf<Block, Assign, Store, For, If>(loop.body))
      return false;
    varying_ = varyingWith(loop);
    each<Store>(loop.body, [&](const Store& store) {
      if (!store.atomicOp && std::ranges::any_of(store.index, [&](const Expr& e) { return isChosen(e); }))
        scattered_[store.buffer];
    });
    if (scattered_.empty() || !readsStores(loop.body, {}, false)) return false;
    for (auto& [target, scattered] : scattered_)
      if (scattered.chosen.empty() || (scattered.inRows && scattered.stores > 1) ||
          (scattered.changes && scattered.stores > 1) || loadedBuffers(loop.body).count(target))
        return false;
    for (const auto& [target, scattered] : scattered_)
      for (const size_t d : scattered.chosen)
        if (constantInt(function_.buffer(target).extents[d]).value_or(0) > kMostPlaces) return false;
    For others = withBody(loop, judged(loop.body));
    const analysis::ParallelVerdict v = analysis::judgeParallel(others, known_, liveAfter_);
    reductions_ = v.reductions;
    return v.isFree();
  }

  /// By what is loaded, or computed in the step?
  bool isChosen(const Expr& index) const {
    return readsMemory(index) || mentionsAny(index, assignedVars(loop_->body));
  }
  /// With stores to the step's own elements, of what it would store, and where.
  Stmt judged(const Stmt& s) const {
    if (!isScattered(s)) return mapChildren(s, [&](const Stmt& child) { return judged(child); });
    const auto own = [&](const Expr& value) {
      return makeStmt(s->span, Store{Symbol("own"), {var(loop_->index)}, value, {}});
    };
    std::vector<Stmt> all{own(s.as<Store>()->value)};
    for (const Expr& e : s.as<Store>()->index) all.push_back(own(e));
    return block(std::move(all));
  }
  bool isScattered(const Stmt& s) const { return s.is<Store>() && scattered_.count(s.as<Store>()->buffer); }

  bool readsStores(const Stmt& s, const std::set<Symbol>& rows, bool inBranchOfRow) {
    if (isScattered(s)) return readsStore(*s.as<Store>(), rows, inBranchOfRow);
    std::set<Symbol> inner = rows;
    if (const auto* row = s.as<For>()) {
      const bool varies = mentionsAny(row->lo, varying_) || mentionsAny(row->hi, varying_) ||
                          readsMemory(row->lo) || readsMemory(row->hi);
      if (varies && anyStmt(s, [&](const Stmt& part) { return isScattered(part); })) return false;
      inner.insert(row->index);
    }
    const bool branches = inBranchOfRow || (s.is<If>() && !rows.empty());
    bool fits = true;
    forEachChild(s, [&](const Stmt& child) { fits = fits && readsStores(child, inner, branches); });
    return fits;
  }

  bool readsStore(const Store& store, const std::set<Symbol>& rows, bool inBranchOfRow) {
    Scattered& scattered = scattered_[store.buffer];
    if (store.atomicOp || inBranchOfRow) return false;
    std::vector<size_t> chosen;
    for (size_t d = 0; d < store.index.size(); ++d) {
      if (rows.empty() || mentionsAny(store.index[d], varying_) || readsMemory(store.index[d]))
        chosen.push_back(d);
      if (!chosen.empty() && chosen.back() == d && mentionsAny(store.index[d], rows)) return false;
    }
    if (!scattered.chosen.empty() && scattered.chosen != chosen) return false;
    scattered.chosen = chosen;
    scattered.inRows |= !rows.empty();
    const auto isFixed = [&](const Symbol& x) {
      int64_t count = 0;
      each<Assign>(loop_->body, [&](const Assign& a) { count += a.var == x; });
      return count <= 1;
    };
    for (const Expr& e : store.index) scattered.changes |= !std::ranges::all_of(freeVars(e), isFixed);
    ++scattered.stores;
    const auto isIt = [&](const auto& index) { return equalIndices(index, store.index); };
    if (std::ranges::none_of(scattered.indices, isIt)) scattered.indices.push_back(store.index);
    return true;
  }

  std::vector<Expr> placeOf(const Store& store) const {
    std::vector<Expr> place;
    for (const size_t d : scattered_.at(store.buffer).chosen) place.push_back(store.index[d]);
    return place;
  }
  /// The number of the step, and of what it stores, in order.
  Expr turnOf(const Store& store) const {
    const Scattered& scattered = scattered_.at(store.buffer);
    size_t part = 0;
    while (!equalIndices(scattered.indices[part], store.index)) ++part;
    const auto parts = static_cast<int64_t>(scattered.indices.size());
    return (var(loop_->index) - loop_->lo) * parts + static_cast<int64_t>(part);
  }

  /// Only what chooses places, which learn of their last step.
  Stmt marked(const Stmt& s) const {
    if (const auto* store = s.as<Store>()) {
      if (!isScattered(s)) return block({});
      return makeStmt(s->span, Store{scattered_.at(store->buffer).last.name, placeOf(*store), turnOf(*store),
                                     ReduceOp::Max});
    }
    const auto* row = s.as<For>();
    if (row && anyStmt(row->body, [&](const Stmt& part) { return isScattered(part); }))
      return marked(row->body);
    return mapChildren(s, [&](const Stmt& child) { return marked(child); });
  }

  Stmt guarded(const Stmt& s) const {
    if (!isScattered(s)) return mapChildren(s, [&](const Stmt& child) { return guarded(child); });
    const auto& store = *s.as<Store>();
    return build_.when(eq(load(scattered_.at(store.buffer).last, placeOf(store)), turnOf(store)), s);
  }

  Function& function_;
  const analysis::Context& known_;
  const std::set<Symbol>& liveAfter_;
  const For* loop_ = nullptr;
  std::set<Symbol> varying_; ///< with the steps
  std::map<Symbol, Scattered> scattered_;
  std::vector<Reduction> reductions_;
  Builder build_;
};

struct Scattering : HostPass {
  using HostPass::HostPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    const std::vector<Stmt> scattered = LastWrites(function_, known_, live_.after(s)).of(s);
    if (scattered.empty()) return {};
    ctx_.diag.dropIn(s->span, {DiagId::KeptSerial});
    note(DiagId::Parallelised, s,
         "which elements the steps of `{}` store to is known only at run time: of those that store to one, "
         "the last has it",
         loop.index.hint());
    return block(scattered);
  }
};

} // namespace

void scatterLast(Function& f, PassContext& ctx) { f.body = Scattering(f, ctx).visit(f.body); }

} // namespace appyc::schedule
