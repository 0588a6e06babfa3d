//===- SplitRanges.cpp - the iteration that takes another branch runs by itself ------------------------===//
//   for j in [0, i + 1):                          for j in [0, i):
//     s = A[i, j] - sum(L[i, k] * L[j, k])          s = A[i, j] - sum(L[i, k] * L[j, k])
//     if i == j: L[i, i] = sqrt(s)           =>     L[i, j] = s / L[j, j]
//     else: L[i, j] = s / L[j, j]                 s_i = A[i, i] - sum(L[i, k] * L[i, k]);  L[i, i] = sqrt(s_i)
// So does the iteration of whose element all others read: `d[v] = min(d[v], d[u] + w[u, v])`, the step of Dijkstra's and Bellman's.
// So does what sets an element of each iteration to a number, which no iteration before has to do with.
// Index-set splitting (Banerjee, 1988), where the first or the last iteration alone is another one: passes that look for the
// form of a factorisation find it, and what is left has one path. Of loops alone that sum in each iteration over what others store.
//   Dijkstra by loops over a matrix of 2000, an H200: 527 ms; predicted 25, measured 34
//   cholesky N=2000 with the branch, an H200: one block; predicted as without it, 2 ms
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

/// Of an equality, or of what is its negation.
bool isEquality(const Expr& cond, bool& holdsThere) {
  const auto* b = cond.as<Binary>();
  holdsThere = b && b->op == BinaryOp::Eq;
  return b && (b->op == BinaryOp::Eq || b->op == BinaryOp::Ne);
}

class Splitting : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    const Stmt inner = inside(s, [&](const Stmt& child) { return visit(child); });
    const auto* loop = inner.as<For>();
    if (loop && isUnmarked(*loop) && isConst(loop->step, 1) && !known_.loops.empty())
      if (const Stmt made = leftOut(inner, *loop)) return made;
    if (loop && isUnmarked(*loop) && isConst(loop->step, 1))
      if (const Stmt made = constantFirst(inner, *loop)) return made;
    if (loop && ctx_.cuda)
      if (const Stmt made = sharedFirst(inner, *loop, live_.after(s))) return made;
    if (!loop || !maySplit(*loop, live_.after(s))) return inner;
    for (const Stmt& part : statementsOf(loop->body))
      if (const auto* branch = part.as<If>())
        if (const Stmt made = splitBy(inner, *loop, branch->cond)) return made;
    return inner;
  }

private:
  /// Straight code with a fold, no scalar of which goes from one iteration to another or is read behind the loop.
  bool maySplit(const For& loop, const std::set<Symbol>& liveAfter) const {
    return isUnmarked(loop) && isConst(loop.step, 1) && loop.reductions.empty() && !known_.loops.empty() &&
           consistsOf<Block, Assign, Store, For, If>(loop.body) && any<For>(loop.body, isUnmarked) &&
           intersect(storedBuffers(loop.body), loadedBuffers(loop.body)) &&
           analysis::hasOwnScalars(loop.body, liveAfter);
  }

  ///   for i: U[i, k] = ..; L[i, i] = 1; L[k, i] = ..  =>  for i: L[i, i] = 1;  for i: U[i, k] = ..; L[k, i] = ..
  Stmt constantFirst(const Stmt& s, const For& loop) const {
    std::vector<Stmt> body = statementsOf(loop.body);
    if (body.size() < 2 || !consistsOf<Block, Assign, Store, For, If>(loop.body) ||
        !any<For>(loop.body, isUnmarked))
      return {};
    for (size_t at = 0; at < body.size(); ++at) {
      const auto* store = body[at].as<Store>();
      const auto isOpen = [&](const Expr& e) {
        return readsMemory(e) || mentionsAny(e, assignedVars(loop.body));
      };
      if (!store || store->atomicOp || !store->value.is<Const>() ||
          std::ranges::any_of(store->index, isOpen) ||
          std::ranges::none_of(store->index, [&](const Expr& e) { return mentions(e, loop.index); }))
        continue;
      For first = loop, rest = loop;
      first.body = body[at];
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
      rest.body = block(body);
      if (analysis::leadsTo(rest, first, known_, true)) return {};
      first.index = Symbol(loop.index.hint());
      first.body = substitute(first.body, {{loop.index, var(first.index)}});
      first.hints.origins.clear();
      const Stmt others = makeStmt(s->span, rest);
      const Stmt more = constantFirst(others, rest);
      return block({makeStmt(s->span, std::move(first)), more ? more : others});
    }
    return {};
  }

  ///   for j in [0, n): if j != i: s += A[i, j] * x[j]  =>  for j in [0, i): ..;  for j in [i + 1, n): ..
  /// where the loop around changes what is read, so that the ones before are others than the ones behind.
  Stmt leftOut(const Stmt& s, const For& loop) const {
    const auto* branch = loop.body.as<If>();
    const auto* b = branch && !branch->otherwise ? branch->cond.as<Binary>() : nullptr;
    if (!b || b->op != BinaryOp::Ne || !storedBuffers(s).empty() ||
        !intersect(loadedBuffers(s), storedBuffers(known_.loops.back()->body)))
      return {};
    const Expr& at = equal(b->lhs, var(loop.index)) ? b->rhs : b->lhs;
    const Expr& index = equal(b->lhs, var(loop.index)) ? b->lhs : b->rhs;
    if (!equal(index, var(loop.index)) || mentions(at, loop.index) || readsMemory(at) ||
        !loops::keeps(loop.body, at) || !analysis::isNonNegative(at - loop.lo, known_) ||
        !analysis::isNonNegative(loop.hi - 1 - at, known_))
      return {};
    For before = loop, behind = loop;
    before.hi = at, behind.lo = at + 1;
    before.body = behind.body = branch->then;
    behind.index = Symbol(loop.index.hint());
    behind.body = substitute(behind.body, {{loop.index, var(behind.index)}});
    before.hints.origins.clear(), behind.hints.origins.clear();
    return block({makeStmt(s->span, std::move(before)), makeStmt(s->span, std::move(behind))});
  }

  ///   for v: d[v] = f(d[v], d[u], v)  =>  before = d[u];  d[u] = f(before, before, u);  behind = d[u]
  ///                                       for v: if v != u: d[v] = f(d[v], before if v < u else behind, v)
  Stmt sharedFirst(const Stmt& s, const For& loop, const std::set<Symbol>& liveAfter) const {
    const std::set<Symbol> stored = storedBuffers(loop.body);
    if (!isUnmarked(loop) || !isConst(loop.step, 1) || !loop.reductions.empty() ||
        !consistsOf<Block, Assign, Store, If>(loop.body) || !analysis::hasOwnScalars(loop.body, liveAfter))
      return {};
    const Expr v = var(loop.index);
    const Load* shared = nullptr;
    bool fits = true;
    each<Load>(loop.body, [&](const Load& l) {
      if (!stored.count(l.buffer) || equalIndices(l.index, {v})) return;
      if (!shared) shared = &l;
      fits =
          fits && l.index.size() == 1 && l.buffer == shared->buffer && equalIndices(l.index, shared->index);
    });
    const auto isOwn = [&](const Store& store) {
      return store.buffer != shared->buffer || (!store.atomicOp && equalIndices(store.index, {v}));
    };
    if (!shared || !fits || mentions(shared->index[0], loop.index) || readsMemory(shared->index[0]) ||
        mentionsAny(shared->index[0], assignedVars(loop.body)) ||
        any<Store>(loop.body, [&](const Store& store) { return !isOwn(store); }))
      return {};
    const Symbol at("at"), before("before"), behind("behind"), i(loop.index.hint()), j(loop.index.hint());
    const auto with = [&](const Expr& value, const Symbol& index) {
      const Stmt body = replace<Load>(loop.body, [&](const Load& l) {
        return l.buffer == shared->buffer && equalIndices(l.index, shared->index) ? value : Expr();
      });
      return loops::withOwnScalars(substitute(body, {{loop.index, var(index)}}));
    };
    For others = loop;
    others.index = i;
    others.body = with(select(var(i) < var(at), var(before, shared->type), var(behind, shared->type)), i);
    const auto isFree = [&](const For& l) { return analysis::judgeParallel(l, known_, {}).isProven(); };
    if (isFree(loop) || !isFree(others) ||
        std::ranges::any_of(known_.loops, [&](const For* outer) { return isFree(*outer); }))
      return {};
    const Builder build{s->span};
    const Expr isThere = both(var(at) >= 0, var(at) < function_.buffer(shared->buffer).extents[0]);
    const Expr element =
        select(isThere, load(function_.buffer(shared->buffer), {var(at)}), constOf(shared->type, 0));
    others.body = build.when(ne(var(i), var(at)), {others.body});
    others.hints.origins.clear();
    return block({build.assign(at, shared->index[0]), build.assign(before, element),
                  build.when(both(var(at) >= loop.lo, var(at) < loop.hi),
                             {build.inOrder(j, var(at), var(at) + 1, with(var(before, shared->type), j))}),
                  build.assign(behind, element), makeStmt(s->span, std::move(others))});
  }

  Stmt splitBy(const Stmt& s, const For& loop, const Expr& cond) const {
    bool holdsThere = false;
    if (!isEquality(cond, holdsThere)) return {};
    const auto* b = cond.as<Binary>();
    const bool isLeft = equal(b->lhs, var(loop.index));
    const Expr &index = isLeft ? b->lhs : b->rhs, &at = isLeft ? b->rhs : b->lhs;
    if (!equal(index, var(loop.index)) || mentions(at, loop.index) || !loops::keeps(loop.body, at) ||
        readsMemory(at) || !analysis::isNonNegative(loop.hi - 1 - loop.lo, known_))
      return {};
    const bool isFirst = equalIndex(at, loop.lo), isLast = equalIndex(at, loop.hi - 1);
    if (isFirst == isLast) return {};
    For others = loop;
    (isFirst ? others.lo : others.hi) = isFirst ? loop.lo + 1 : loop.hi - 1;
    others.hints.origins.clear();
    others.body = decided(loop.body, cond, !holdsThere);
    const Stmt one = loops::asCopy(substitute(decided(loop.body, cond, holdsThere), {{loop.index, at}}));
    const Stmt rest = makeStmt(s->span, std::move(others));
    note(DiagId::TimeLoop, s, "the {} iteration of loop `{}`, which takes another branch, runs by itself",
         isFirst ? "first" : "last", loop.index.hint());
    return isFirst ? block({one, rest}) : block({rest, one});
  }

  /// The statement where the condition has this value.
  static Stmt decided(const Stmt& s, const Expr& cond, bool value) {
    return rewrite(s, [&](const Stmt& part) -> Stmt {
      const auto* branch = part.as<If>();
      if (!branch || !equal(branch->cond, cond)) return {};
      const Stmt& chosen = value ? branch->then : branch->otherwise;
      return chosen ? chosen : block({});
    });
  }
};

} // namespace

void splitRanges(Function& f, PassContext& ctx) { f.body = Splitting(f, ctx).visit(f.body); }

} // namespace appyc::transform
