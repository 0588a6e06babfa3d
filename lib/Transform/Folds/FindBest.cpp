//===- FindBest.cpp - loops that keep the best are folds, and what goes with it is computed once ---------===//
//   for i in range(lo, hi):            for i: b = best; if key(i) > b: b = key(i)     (whatever else an iteration does)
//     if key(i) > best:          =>           keys[i] = b
//       best = key(i)                  most = best; for i: most = max(most, keys[i])
//       x[:] = row(i)                  at = hi; for i: at = min(at, i if keys[i] == most else hi)
//                                      if most > best: for i in range(at, at + 1): as it was
// Of the iterations that meet the best key the first one is what Python's loop leaves: a later one is not better, and all
// that an earlier one has set is set again. Of an iteration with loops in it, too, as the last one that improves sets all.
// What compares with the element found so far (`a[i] > a[at]`) keeps a best as well, which gets a name, from the first one on (`at == -1 or ..`).
//   the best of 20 x 2000 thresholds, each a fold of 2000, an H100: 531 ms; predicted 3, measured 8.1 (with a fold of the loops in an
//     iteration, and a search in that which has the best)
//   Prim's tree of 2000 points by its matrix, an H200: 169 ms; predicted 25, measured 28
#include "Searches.h"
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

constexpr int64_t kFewIterations = 32; ///< one thread is as fast
class BestLoop {
public:
  BestLoop(Function& f, const For& loop, Span span, const analysis::Context& known,
           const std::set<Symbol>& live)
      : function_(f), loop_(loop), build_{span}, known_(known), live_(live) {}

  /// Are there such, and may they be found apart from what goes with them?
  bool applies() {
    const std::optional<int64_t> trip = constantTrip(loop_);
    if (!isPlainSerial(loop_) || (trip && *trip <= kFewIterations) || !isPlainCode()) return false;
    findSearches(loop_.body);
    outside_ = withSites(
        [&](const Search&, const Search::Site& site) { return build_.assign(Symbol("key"), site.key); });
    return !searches_.empty() && isFixed(loop_.lo) && isFixed(loop_.hi) &&
           std::all_of(searches_.begin(), searches_.end(),
                       [&](const Search& s) { return setsAllAgain(s); }) &&
           isApart() && isParallelWithout();
  }

  Stmt apart() {
    std::vector<Stmt> out;
    for (const Search& s : searches_)
      if (s.start) {
        out.push_back(build_.assign(s.best, constOf(s.type, 0)));
        out.push_back(build_.when(loop_.lo < loop_.hi, {build_.assign(s.best, s.start)}));
      }
    const Expr count = maxOf(loop_.hi - loop_.lo, 0);
    const std::vector<Buffer> keys = isShort() ? std::vector<Buffer>() : storedKeys(count, out);
    for (size_t k = 0; k < searches_.size(); ++k) {
      const Search& s = searches_[k];
      const Symbol most(s.best.hint()), at("at");
      const Expr found = var(most, s.type);
      /// step(p, key of iteration p), for all.
      const auto fold = [&](const std::function<Stmt(const Expr&, const Expr&)>& step) {
        const Symbol i(loop_.index.hint());
        std::vector<Stmt> body;
        if (keys.empty()) body = improved();
        const Expr p = var(i) - loop_.lo;
        body.push_back(step(p, keys.empty() ? var(own_[k], s.type) : load(keys[k], {p})));
        out.push_back(build_.inOrder(i, loop_.lo, loop_.hi,
                                     substitute(block(std::move(body)), {{loop_.index, var(i)}})));
      };
      out.push_back(build_.assign(most, s.value()));
      fold([&](const Expr&, const Expr& key) {
        return build_.assign(most, binary(s.isMost ? BinaryOp::Max : BinaryOp::Min, found, key));
      });
      out.push_back(build_.assign(at, count));
      fold([&](const Expr& p, const Expr& key) {
        return build_.assign(at, minOf(var(at), select(eq(key, found), p, count)));
      });
      const Expr first = loop_.lo + var(at);
      const Symbol index(loop_.index.hint());
      const Stmt once =
          build_.inOrder(index, first, first + 1, substitute(onlyWith(s), {{loop_.index, var(index)}}));
      out.push_back(build_.when(s.isBetter(found, s.value()), {once}));
    }
    return block(std::move(out));
  }

private:
  using OfSite = std::function<Stmt(const Search&, const Search::Site&)>;

  bool isPlainCode() const {
    return consistsOf<Block, Assign, Store, For, While, If, Alloc>(loop_.body) &&
           !any<For>(loop_.body, [](const For& inner) { return !isUnmarked(inner); }) &&
           !any<Store>(loop_.body, [](const Store& s) { return s.atomicOp.has_value(); });
  }
  /// The same in the loop and, where it tells how many keys are stored, known to the host.
  bool isFixed(const Expr& e) const {
    return !readsMemory(e) && !mentionsAny(e, assignedVars(isShort() ? loop_.body : function_.body));
  }
  /// Keys are computed twice rather than stored.
  bool isShort() const { return consistsOf<Block, Assign, If, Alloc>(outside_); }

  void findSearches(const Stmt& s) {
    if (!s) return;
    std::optional<Search> found = searchBy(s);
    if (!found) return forEachChild(s, [&](const Stmt& child) { findSearches(child); });
    auto search = std::find_if(searches_.begin(), searches_.end(),
                               [&](const Search& other) { return other.isSameAs(*found); });
    if (search == searches_.end())
      search = searches_.insert(search, *found);
    else
      search->sites.push_back(found->sites.front());
    const Stmt& then = s.as<If>()->then;
    search->scalars.merge(assignedVars(then));
    search->scalars.erase(search->best);
    search->arrays.merge(storedBuffers(then));
  }

  Stmt withSites(const Stmt& s, const OfSite& ofSite) const {
    if (!s) return s;
    for (const Search& search : searches_)
      for (const Search::Site& site : search.sites)
        if (site.branch == s) return ofSite(search, site);
    return mapChildren(s, [&](const Stmt& child) { return withSites(child, ofSite); });
  }
  Stmt withSites(const OfSite& ofSite) const { return withSites(loop_.body, ofSite); }

  /// Whatever an earlier improvement has set is set by a later one, which reads nothing of it.
  bool setsAllAgain(const Search& s) const {
    const std::set<Symbol> made = allocatedBuffers(loop_.body);
    for (const Search::Site& site : s.sites) {
      const Stmt& then = site.branch.as<If>()->then;
      const std::set<Symbol> exposed = analysis::exposedScalars(then);
      if (exposed.count(s.best) || intersect(exposed, s.scalars)) return false;
      for (const Symbol& v : s.scalars)
        if (live_.count(v) && !assignedIn(then, v)) return false;
      for (const Symbol& array : s.arrays)
        if (!made.count(array) && (s.sites.size() > 1 || !setsAgain(then, array))) return false;
    }
    return true;
  }
  /// All elements, or the same ones whenever it runs, each before any is read.
  bool setsAgain(const Stmt& then, const Symbol& array) const {
    std::set<Symbol> varying = varyingWith(loop_);
    varying.merge(loopIndices(outside_));
    const auto varies = [&](const Expr& e) { return readsMemory(e) || intersect(freeVars(e), varying); };
    const bool isOneRegion = !any<For>(then, [&](const For& f) {
      return varies(f.lo) || varies(f.hi) || varies(f.step);
    }) && !any<Store>(then, [&](const Store& store) {
      return store.buffer == array && std::any_of(store.index.begin(), store.index.end(), varies);
    });
    const Buffer& buffer = function_.buffer(array);
    const Stmt all = loops::forAll(build_, "k", buffer.extents, [&](const std::vector<Expr>& at) {
      return build_.store(buffer, at, constOf(buffer.type, 0));
    });
    return analysis::overwrite(statementsOf(then), isOneRegion ? then : all, array, true, known_);
  }

  /// Nothing else in the loop touches what the searches set, and an iteration that runs again finds what it found.
  bool isApart() {
    std::set<Symbol> scalars, arrays;
    for (const Search& s : searches_) {
      const size_t before = scalars.size() + arrays.size();
      scalars.insert(s.best);
      scalars.insert(s.scalars.begin(), s.scalars.end());
      arrays.insert(s.arrays.begin(), s.arrays.end());
      if (scalars.size() + arrays.size() != before + 1 + s.scalars.size() + s.arrays.size()) return false;
    }
    if (mentionsAny(outside_, scalars) || intersect(loadedBuffers(outside_), arrays) ||
        intersect(storedBuffers(outside_), arrays))
      return false;
    std::set<Symbol> stored = storedBuffers(outside_);
    for (const Symbol& made : allocatedBuffers(loop_.body)) stored.erase(made);
    searching_ = without(loop_.body, [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      return store && stored.count(store->buffer);
    });
    return !intersect(loadedBuffers(searching_), stored) &&
           std::all_of(searches_.begin(), searches_.end(), [&](const Search& s) {
             return !s.start || !intersect(loadedBuffers(s.start), storedBuffers(loop_.body));
           });
  }

  /// The keys may be found in any order.
  bool isParallelWithout() {
    For loop = withBody(loop_, block(improved()));
    const analysis::ParallelVerdict v = analysis::judgeParallel(loop, known_, live_);
    return v.isFree() && v.reductions.empty();
  }

  /// An iteration that finds its own best keys, and sets nothing else.
  std::vector<Stmt> improved() {
    own_.clear();
    std::vector<Stmt> out;
    for (const Search& s : searches_) {
      own_.emplace_back(s.best.hint());
      out.push_back(build_.assign(own_.back(), s.value()));
    }
    out.push_back(withSites([&](const Search& s, const Search::Site& site) {
      const Symbol& own = own_[static_cast<size_t>(&s - searches_.data())];
      const Expr soFar = var(own, s.type);
      return build_.assign(own,
                           select(s.isBetter(site.key, soFar), site.key, soFar)); // a fold of loops in it
    }));
    return out;
  }

  /// An array for each search's keys, and the loop that finds them.
  std::vector<Buffer> storedKeys(const Expr& count, std::vector<Stmt>& out) {
    std::vector<Buffer> keys;
    For all = loop_;
    std::vector<Stmt> body = improved();
    for (size_t k = 0; k < searches_.size(); ++k) {
      keys.push_back({Symbol("keys"), searches_[k].type, {count}});
      function_.buffers.push_back(keys.back());
      out.push_back(build_.alloc(keys.back()));
      body.push_back(
          build_.store(keys.back(), {var(loop_.index) - loop_.lo}, var(own_[k], searches_[k].type)));
    }
    all.body = block(std::move(body));
    out.push_back(build_.make(std::move(all)));
    return keys;
  }

  /// An iteration as it was, for one of the searches.
  Stmt onlyWith(const Search& only) const {
    const Stmt body = withSites(searching_, [&](const Search& s, const Search::Site& site) {
      if (&s != &only) return block({});
      std::vector<Stmt> then = statementsOf(site.branch.as<If>()->then);
      if (s.start) then.insert(then.begin(), build_.assign(s.best, site.key));
      return build_.when(s.isBetter(site.key, s.value()), std::move(then));
    });
    return withoutOrigins(withOwnArrays(body, function_.buffers));
  }

  Function& function_;
  const For& loop_;
  const Builder build_;
  const analysis::Context& known_;
  const std::set<Symbol>& live_;
  std::vector<Search> searches_;
  std::vector<Symbol> own_; ///< what an iteration keeps, one a search
  Stmt outside_;            ///< the body with keys alone where something is kept
  Stmt searching_;          ///< the body without what it stores beside
};

class BestLoops : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (!s) return s;
    const auto* loop = s.as<For>();
    if (!loop) return mapChildren(s, [&](const Stmt& child) { return visit(child); });
    const std::set<Symbol> live = liveAfter(s);
    if (const Stmt changed = withSearchesAlone(s, function_, known_)) {
      ofChanged_.emplace_back(changed, live);
      return visit(changed);
    }
    if (!anyStmt(loop->body, isSearch)) return s;
    const std::optional<loops::FoldsApart> apart = behindStores(*loop, live);
    if (BestLoop best(function_, apart ? apart->folds : *loop, s->span, known_, live); best.applies()) {
      note(DiagId::Parallelised, s,
           "loop `{}` keeps the best: which iteration has it is found in parallel, and what goes with it "
           "computed once",
           loop->index.hint());
      const Stmt found = best.apart();
      ofChanged_.emplace_back(found, live);
      const Stmt all = visit(found); // the iteration that has it may have loops that search
      return apart ? block({makeStmt(s->span, apart->stores), all}) : all;
    }
    // What is parallel leaves its searches to threads.
    if (loop->order != Order::Serial || analysis::judgeParallel(*loop, known_, live).isProven()) return s;
    return inside(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  /// A nest that keeps the best of what it stores, and whose order is that of its stores.
  std::optional<loops::FoldsApart> behindStores(const For& loop, const std::set<Symbol>& live) const {
    auto apart = loop.order == Order::Serial ? loops::foldsApart(loop, known_) : std::nullopt;
    if (apart && analysis::judgeParallel(apart->stores, known_, live).isProven()) apart.reset();
    return apart;
  }
  /// Of the function's own statements, and of those that they have become.
  std::set<Symbol> liveAfter(const Stmt& s) const {
    std::set<Symbol> live = live_.after(s);
    for (const analysis::Liveness& made : ofChanged_) live.insert(made.after(s).begin(), made.after(s).end());
    return live;
  }

  std::vector<analysis::Liveness> ofChanged_;
};

} // namespace

void findBest(Function& f, PassContext& ctx) { f.body = BestLoops(f, ctx).visit(f.body); }

} // namespace appyc::transform
