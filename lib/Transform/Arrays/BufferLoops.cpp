//===- BufferLoops.cpp - a loop that reads what it has yet to write computes all first, then stores it ---------===//
//   for j in [0, i]:                                 for j in [0, i]: next[j] = p * v[j + 1] + q * v[j]      # parallel
//     v[j] = p * v[j + 1] + q * v[j]           =>    for j in [0, i]: v[j] = next[j]                         # parallel
//   for c in (C, w[i] - 1], down:                    if w[i] < 0: the loop, in order
//     best[c] = max(best[c], best[c - w[i]] + 1) =>  else: as above
// No iteration needs another one where all that it reads of the array is still as it was. Where that depends on the signs of
// numbers that the loop finds, it is asked, and a kernel more does what the loop did where one is negative.
//   a knapsack in one row, 100 things, 1e6; an option by a binomial tree of 4000 steps: one thread, 5 and 1 s; predicted 0.5 and 9 ms
//   1000 options by trees of 500 steps, an H200: a thread each, 24.6 ms; a block each, predicted 0.5, measured 0.62
#include "appyc/Analysis/Bounds.h"
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

class Buffering : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    return isOpen(loop, live_.after(s)) ? buffered(s, loop) : Stmt();
  }

private:
  struct Parts {
    For values, stores;
    Buffer next;
  };

  /// Straight code in a serial loop, no scalar of which goes from one iteration to another or is read behind it.
  bool isOpen(const For& loop, const std::set<Symbol>& liveAfter) const {
    const auto step = constantInt(loop.step);
    return isUnmarked(loop) && step && std::abs(*step) == 1 && loop.order == Order::Serial &&
           !known_.loops.empty() && consistsOf<Block, Assign, Store, If>(loop.body) &&
           analysis::hasOwnScalars(loop.body, liveAfter) &&
           intersect(storedBuffers(loop.body), loadedBuffers(loop.body));
  }

  Stmt buffered(const Stmt& s, const For& whole) {
    const Builder build{s->span};
    const Store* only = onlyUpdate(whole.body);
    if (!only || isFree(whole, known_)) return {};
    // What one loop does not change, it finds under a name.
    std::vector<Stmt> out;
    For loop = whole;
    std::set<Symbol> found;
    if (const Expr read = choosing(whole, *only)) {
      const Symbol name(read.as<Load>()->buffer.hint());
      out.push_back(build.assign(name, read));
      found.insert(name);
      const auto named = [&](const Expr& e) { return equal(e, read) ? var(name, typeOf(read)) : Expr(); };
      loop.body = rewrite(
          loop.body, [](const Stmt&) { return Stmt(); }, named);
      loop.lo = rewrite(loop.lo, named), loop.hi = rewrite(loop.hi, named);
    }
    for (const Symbol& name : namesIn(loop, only->buffer))
      if (!given_.count(name)) found.insert(name);
    std::optional<Parts> parts = partsOf(loop, {});
    std::set<Symbol> asked;
    if (!parts && !found.empty()) parts = partsOf(loop, asked = found);
    if (!parts || (isInFree() && (!asked.empty() || !isStep()))) return {};
    function_.buffers.push_back(parts->next);
    note(DiagId::Buffered, s,
         "loop `{}` only reads elements of `{}` that it has yet to write: all are computed first, in any "
         "order, then stored",
         loop.index.hint(), only->buffer.hint());
    Expr isNegative, isAsThought = boolConst(true);
    for (const Symbol& name : asked) {
      const Expr below = var(name) < 0;
      isNegative = isNegative ? either(isNegative, below) : below;
      isAsThought = both(isAsThought, intConst(0) <= var(name));
    }
    if (isNegative) {
      loop.hints.mark = LoopMark::Sequential; // where it is chosen, as it should be
      out.push_back(build.when(isNegative, build.make(loop)));
    }
    out.push_back(build.alloc(parts->next));
    const Stmt apart = block({build.make(parts->values), build.make(parts->stores)});
    out.push_back(isNegative ? build.when(isAsThought, apart) : apart);
    return block(std::move(out));
  }

  /// The one store into an array that the body reads as well, behind which it reads none of it.
  static const Store* onlyUpdate(const Stmt& body) {
    const std::set<Symbol> loaded = loadedBuffers(body);
    const Store* found = nullptr;
    bool isOne = true;
    const std::function<void(const Stmt&)> look = [&](const Stmt& s) {
      if (found && !s.is<Block>() && loadedBuffers(s).count(found->buffer)) isOne = false;
      const auto* store = s.as<Store>();
      if (store && loaded.count(store->buffer)) {
        isOne = isOne && !found && !store->atomicOp;
        found = store;
      }
      forEachChild(s, look);
    };
    look(body);
    return isOne ? found : nullptr;
  }

  /// The one element of another array that subscripts of the update's array, or the loop's bounds, depend on.
  static Expr choosing(const For& loop, const Store& update) {
    Expr found;
    bool isOne = true;
    const auto look = [&](const Expr& within) {
      each<Load>(within, [&](const Load& l) {
        const Expr read = make(l);
        if (l.buffer == update.buffer || l.type != DType::I64 || mentions(read, loop.index) ||
            !loops::keeps(loop.body, read))
          return;
        isOne = isOne && (!found || equal(found, read));
        found = read;
      });
    };
    look(loop.lo), look(loop.hi);
    for (const Expr& e : update.index) look(e);
    each<Load>(loop.body, [&](const Load& l) {
      if (l.buffer == update.buffer)
        for (const Expr& e : l.index) look(e);
    });
    return isOne ? found : Expr();
  }

  /// Scalars of the array's subscripts and the loop's bounds that are neither sizes nor indices.
  std::set<Symbol> namesIn(const For& loop, const Symbol& array) const {
    std::set<Symbol> names = freeVars(loop.lo);
    names.merge(freeVars(loop.hi));
    const auto add = [&](const std::vector<Expr>& index) {
      for (const Expr& e : index) names.merge(freeVars(e));
    };
    each<Load>(loop.body, [&](const Load& l) {
      if (l.buffer == array) add(l.index);
    });
    std::erase_if(names, [&](const Symbol& name) {
      return name == loop.index || known_.sizes.count(name) || assignedVars(loop.body).count(name) ||
             std::ranges::any_of(known_.loops, [&](const For* outer) { return outer->index == name; });
    });
    return names;
  }

  /// The loop over the values and the one that stores them, where none of `least` is negative.
  std::optional<Parts> partsOf(const For& whole, const std::set<Symbol>& least) const {
    analysis::Context known = known_;
    known.sizes.insert(least.begin(), least.end());
    For loop = whole;
    loop.body = withoutWraps(loop, known);
    if (analysis::readsEarlierWrites(loop, known)) return {};
    if (!isConst(loop.step, 1)) loop = loops::countingUp(std::move(loop));
    const Store& update = *onlyUpdate(loop.body);
    const Buffer& array = function_.buffer(update.buffer);
    std::optional<size_t> along;
    for (size_t d = 0; d < update.index.size(); ++d) {
      if (!mentions(update.index[d], loop.index)) continue;
      const auto slope = analysis::coefficientOf(update.index[d], loop.index);
      if (along || !slope || std::abs(*slope) != 1) return {};
      along = d;
    }
    if (!along) return {};
    const Buffer next{Symbol("next"), array.type, {array.extents[*along]}};
    const Expr at = update.index[*along];
    const Builder build{loop.body->span};
    const bool isAlways =
        std::ranges::any_of(statementsOf(loop.body), [](const Stmt& s) { return s.is<Store>(); });
    Parts parts{loop, loop, next};
    {
      const analysis::Inside inside(known, loop);
      if (!isAlways && !analysis::isInRange(function_, array.name, update.index, known)) return {};
    }
    parts.values.body = replace<Store>(loop.body, [&](const Store& store, const Stmt& s) -> Stmt {
      return store.buffer == array.name ? makeStmt(s->span, Store{next.name, {at}, store.value, {}}) : Stmt();
    });
    if (!isAlways)
      parts.values.body = block({build.store(next, {at}, load(array, update.index)), parts.values.body});
    parts.stores.index = Symbol(loop.index.hint());
    parts.stores.body = substitute(build.store(array, update.index, load(next, {at})),
                                   {{loop.index, var(parts.stores.index)}});
    for (For* part : {&parts.values, &parts.stores}) {
      if (!isFree(*part, known)) return {};
      part->order = Order::Proven;
    }
    parts.stores.hints.origins.clear();
    return parts;
  }

  /// Subscripts without Python's wrap, where they are not negative.
  static Stmt withoutWraps(const For& loop, analysis::Context& known) {
    const analysis::Inside inside(known, loop);
    const auto isPositive = [&](const Expr& e) {
      return !readsMemory(e) && analysis::isNonNegative(e, known);
    };
    return rewrite(
        loop.body, [](const Stmt&) { return Stmt(); },
        [&](const Expr& e) {
          if (const auto* wrap = e.as<Call>(); wrap && wrap->fn == Intrinsic::WrapIndex)
            return isPositive(wrap->args[0]) ? wrap->args[0] : Expr();
          const auto* choice = e.as<Select>();
          const auto* test = choice ? choice->cond.as<Binary>() : nullptr;
          const bool isWrap = test && test->op == BinaryOp::Lt && isConst(test->rhs, 0) &&
                              equal(test->lhs, choice->otherwise);
          return isWrap && isPositive(test->lhs) ? choice->otherwise : Expr();
        });
  }

  static bool isFree(const For& loop, const analysis::Context& known) {
    const analysis::ParallelVerdict v = analysis::judgeParallel(loop, known, {});
    return v.isProven() && v.carriedScalars.empty();
  }
  /// Is one of the loops around free itself? Its iterations are enough, but for long rows of steps.
  bool isInFree() const {
    return std::ranges::any_of(known_.loops,
                               [&](const For* outer) { return isFree(*outer, around(*outer)); });
  }
  /// Does it run in the steps of a loop that keeps its order?
  bool isStep() const {
    const For& outer = *known_.loops.back();
    return !isFree(outer, around(outer));
  }
  analysis::Context around(const For& loop) const {
    analysis::Context around = known_;
    while (around.loops.back() != &loop) around.loops.pop_back();
    around.loops.pop_back();
    return around;
  }

  const std::set<Symbol> given_ = namesOf(function_.params);
};

} // namespace

void bufferLoops(Function& f, PassContext& ctx) { f.body = Buffering(f, ctx).visit(f.body); }

} // namespace appyc::transform
