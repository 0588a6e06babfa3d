//===- SplitChains.cpp - steps that wait for the one a known distance before are as many chains --------------===//
//   for s in [lo, hi): a[s] = f(a[s], a[s - d])    =>   for r in [0, min(d, hi - lo)):             # in any order
//                                                         last = a[lo + r - d]
//                                                         for s in range(lo + r, hi, d):
//                                                           last = f(a[s], last); a[s] = last
// All that depends on each other lies a multiple of d apart. Where the distance is a number of the data it is asked for: it has
// to be positive, and no subscript may count from the end.
//   partitions of up to 5000, an H200: one thread where k < 2500 took 1,585 ms; predicted 20, measured 15
//   change of 10^5 by 50 coins: 72 ms; 7.3
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

/// The subscripts, if none of them counts from the end.
std::vector<Expr> plain(std::vector<Expr> index) {
  for (Expr& e : index)
    if (const Expr x = beforeWrap(e)) e = x;
  return index;
}

class Chains {
public:
  Chains(const analysis::Context& known, const For& loop, const std::set<Symbol>& liveAfter, Span span)
      : known_(known), loop_(loop), liveAfter_(liveAfter), build_{span} {}

  /// The loops instead of it, and a choice between both where only the call knows; nothing where it has to stay.
  Stmt apart() {
    if (!isSerial(loop_) || !isUnmarked(loop_) || !isConst(loop_.step, 1) || constantTrip(loop_) ||
        !isFixed(loop_.lo) || !isFixed(loop_.hi) || !consistsOf<Assign, Store, If, Block>(loop_.body) ||
        !analysis::hasOwnScalars(loop_.body, liveAfter_))
      return {};
    each<Store>(loop_.body,
                [&](const Store& s) { isFit_ = isFit_ && !s.atomicOp && places(s.buffer, s.index); });
    if (!isFit_ || !readsAtOneDistance()) return {};
    Expr holds = isCertain(distance_ - 1) ? Expr() : distance_ >= 1;
    for (const Expr& e : lowest_)
      if (!isCertain(e) && !equalIndex(e, distance_)) holds = both(holds, e >= 0);
    const Stmt chains = made();
    return holds ? makeStmt(build_.span, If{holds, chains, build_.make(For(loop_))}) : chains;
  }

private:
  bool isFixed(const Expr& e) const {
    return !mentions(e, loop_.index) && !mentionsAny(e, assignedVars(loop_.body)) && !readsMemory(e);
  }
  bool isCertain(const Expr& e) const { return analysis::isNonNegative(e, known_); }

  /// One element after the other along one axis, in one place along the others.
  bool places(const Symbol& buffer, const std::vector<Expr>& wrapped) {
    const std::vector<Expr> index = plain(wrapped);
    int along = 0;
    for (const Expr& e : index) {
      if (isFixed(e)) continue;
      const Expr rest = e - var(loop_.index);
      if (!isFixed(rest)) return false;
      ++along;
      lowest_.push_back(loop_.lo + rest);
    }
    const auto [stored, isNew] = stored_.emplace(buffer, index);
    return along == 1 && (isNew || equalIndices(stored->second, index));
  }

  bool readsAtOneDistance() {
    bool fits = true;
    each<Load>(loop_.body, [&](const Load& load) {
      const auto stored = stored_.find(load.buffer);
      if (stored == stored_.end()) return;
      const std::vector<Expr> index = plain(load.index);
      for (size_t d = 0; d < index.size(); ++d) {
        const Expr before = stored->second[d] - index[d];
        if (isConst(before, 0)) continue;
        fits = fits && isFixed(before) && !isFixed(stored->second[d]) &&
               (!distance_ || equalIndex(distance_, before));
        distance_ = before;
        lowest_.push_back(substitute(index[d], {{loop_.index, loop_.lo}}));
      }
    });
    return fits && distance_ && !constantInt(distance_);
  }

  /// A store that each step makes, of which alone the next one reads: its value is handed on as a number.
  const Store* handedOn() const {
    const std::vector<Stmt> all = statementsOf(loop_.body);
    const auto* store = all.back().as<Store>();
    return store && stored_.size() == 1 &&
                   !any<Store>(loop_.body, [&](const Store& s) { return &s != store; })
               ? store
               : nullptr;
  }

  Stmt made() const {
    const Symbol first("r"), last("last");
    const Expr lo = loop_.lo + var(first);
    const ExprRule unwrap = [](const Expr& e) -> Expr {
      const auto* load = e.as<Load>();
      if (!load) return {};
      Load copy = *load;
      copy.index = plain(copy.index);
      return make(std::move(copy));
    };
    For chain = loop_;
    chain.hints.origins.clear();
    chain.lo = lo, chain.step = distance_;
    chain.body = replace<Store>(rewrite(loop_.body, nullptr, unwrap), [](const Store& s, const Stmt& part) {
      return makeStmt(part->span, Store{s.buffer, plain(s.index), s.value, {}});
    });
    std::vector<Stmt> body;
    if (const Store* store = handedOn()) {
      std::vector<Expr> before = stored_.at(store->buffer);
      for (Expr& e : before)
        if (!isFixed(e)) e = e - distance_;
      const DType type = typeOf(store->value);
      const auto isBefore = [&](const Load& load) {
        return load.buffer == store->buffer && equalIndices(load.index, before);
      };
      std::vector<Stmt> steps = statementsOf(
          replace<Load>(chain.body, [&](const Load& l) { return isBefore(l) ? var(last, type) : Expr(); }));
      const Store made = *steps.back().as<Store>();
      steps.back() = build_.assign(last, made.value);
      steps.push_back(build_.make(Store{made.buffer, made.index, var(last, type), {}}));
      for (Expr& e : before) e = substitute(e, {{loop_.index, lo}});
      body.push_back(build_.assign(last, make(Load{type, store->buffer, before})));
      chain.body = block(std::move(steps));
    }
    body.push_back(build_.make(std::move(chain)));
    return build_.inAnyOrder(first, intConst(0), minOf(distance_, loop_.hi - loop_.lo),
                             block(std::move(body)));
  }

  const analysis::Context& known_;
  const For& loop_;
  const std::set<Symbol>& liveAfter_;
  Builder build_;
  bool isFit_ = true;
  std::map<Symbol, std::vector<Expr>> stored_;
  std::vector<Expr> lowest_; ///< subscripts of the first step
  Expr distance_;
};

/// The loop with names for what its bounds load, wherever it loads that: `range(c[k], n)`.
For withNamedBounds(const For& source, const Builder& build, std::vector<Stmt>& before) {
  const std::set<Symbol> stored = storedBuffers(source.body), assigned = assignedVars(source.body);
  For loop = source;
  std::vector<Expr> loads;
  for (const Expr& bound : {source.lo, source.hi})
    visit(bound, [&](const Expr& e) {
      const auto* load = e.as<Load>();
      if (load && load->type == DType::I64 && !stored.count(load->buffer) && !mentionsAny(e, assigned) &&
          std::ranges::none_of(load->index, [](const Expr& i) { return readsMemory(i); }))
        loads.push_back(e);
      return true;
    });
  for (const Expr& load : loads) {
    const Expr name = build.let("bound", load, before);
    const ExprRule named = [&](const Expr& e) { return equal(e, load) ? name : Expr(); };
    loop.lo = rewrite(loop.lo, named);
    loop.hi = rewrite(loop.hi, named);
    loop.body = rewrite(loop.body, nullptr, named);
  }
  return loop;
}

class ChainsPass : public loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    const auto* branch = s.as<If>();
    const auto* apart = branch && branch->otherwise ? branch->then.as<For>() : nullptr;
    if (apart &&
        isPlain(*apart)) // in any order where the distance is long, as chains of a known distance are, too
      if (const Stmt chains = of(branch->otherwise))
        return chains.is<For>() ? chains : makeStmt(s->span, If{branch->cond, branch->then, chains});
    if (const Stmt chains = of(s)) return chains;
    const auto* loop = s.as<For>();
    if (loop && (isParallel(*loop) || loop->hints.mark == LoopMark::Sequential)) return s;
    return inside(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  Stmt of(const Stmt& s) const {
    const auto* source = s.as<For>();
    if (!source || !isSerial(*source)) return {};
    std::vector<Stmt> made;
    const For loop = withNamedBounds(*source, {s->span}, made);
    const Stmt chains = Chains(known_, loop, live_.after(s), s->span).apart();
    if (!chains) return {};
    made.push_back(chains);
    ctx_.diag.dropIn(s->span, {DiagId::KeptSerial});
    note(DiagId::Parallelised, s,
         "iterations of `{}` wait for the one a fixed distance before: as many chains run side by side",
         loop.index.hint());
    return block(std::move(made));
  }
};

} // namespace

void splitChains(Function& f, PassContext& ctx) { f.body = ChainsPass(f, ctx).visit(f.body); }

} // namespace appyc::schedule
