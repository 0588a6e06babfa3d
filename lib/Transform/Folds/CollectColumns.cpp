//===- CollectColumns.cpp - what the steps of a loop add to all elements of an array, element by element ---------------===//
//   for r in [0, m):                          for j in [0, n):
//     for j in [0, n): p[j] += a[r, j]  =>      for r in [0, m): p[j] += a[r, j]
// Sums of rows, spectra, outer products. A step after the other has as many threads as there are elements; by elements, few of them
// share a long sum (tile-reductions), and each is kept in a register. What a step does besides stays in a loop of its own.
//   an H200, f64, ms                                         | before | predicted | now
//   squares of 10^5 rows of 100                              | 8.1    | 0.1       | 0.083
//   gradients of 20,000 x 30 by loops, 20 steps              | 523    | 0.5       | 0.33
//   normal equations of 10^5 x 20; covariances, 20,000 x 64  | 7.8; 0.97 |        | 0.12; 0.11
#include "Raises.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <map>
#include <optional>

namespace appyc::transform {
using namespace ir;

namespace {

class Collecting : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

private:
  Stmt replaced(const Stmt& s, const For& loop) override {
    const auto isAsked = [](const For* around) { return !isUnmarked(*around) || around->hints.threads; };
    if (!isPlainSerial(loop) || readsMemory(loop.lo) || readsMemory(loop.hi) ||
        std::ranges::any_of(known_.loops, isAsked) || // whose threads are told what to do
        mayRaise(loop.body))                          // elements are as the last step has left them
      return {};
    const std::vector<Stmt> body = statementsOf(loop.body);
    std::vector<Stmt> all, rest, collecting;
    for (size_t at = 0; at < body.size(); ++at) {
      const Stmt columns = columnsOf(s, loop, body, at, {all, rest});
      (columns ? collecting : rest).push_back(columns ? columns : body[at]);
    }
    if (collecting.empty()) return {};
    const bool isNeeded = std::ranges::any_of(rest, [](const Stmt& part) { return !part.is<Assign>(); }) ||
                          intersect(assignedVars(block(rest)), live_.after(s));
    if (isNeeded)
      all.push_back(inside(makeStmt(s->span, withBody(loop, block(std::move(rest)))),
                           [&](const Stmt& child) { return visit(child); }));
    all.insert(all.end(), collecting.begin(), collecting.end());
    return block(std::move(all));
  }

  struct Kept {
    std::vector<Stmt>&outside,
        &inStep; ///< where arrays are made; where a step stores what the columns need of it
  };
  /// The nest over elements around the steps, if the statement is one that only adds to elements, each of them once.
  Stmt columnsOf(const Stmt& s, const For& loop, const std::vector<Stmt>& body, size_t at, Kept kept) {
    const loops::Nest nest = loops::perfectNest(body[at], [](const For& l, const auto&) {
      return isUnmarked(l) && l.reductions.empty() && isConst(l.step, 1);
    });
    if (nest.loops.empty() || !isCollecting(nest.body)) return {};
    const std::set<Symbol> changing = varyingWith(loop);
    std::set<Symbol> indices;
    for (const For* l : nest.loops) {
      for (const Expr& bound : {l->lo, l->hi})
        if (readsMemory(bound) || mentionsAny(bound, changing) || mentionsAny(bound, indices)) return {};
      indices.insert(l->index);
    }
    const auto elements = elementsOf(loop, nest.body, indices, changing);
    if (!elements) return {};
    const std::set<Symbol> needed = readScalars(nest.body);
    std::vector<Stmt> inner =
        loops::sliceOf({body.begin(), body.begin() + static_cast<std::ptrdiff_t>(at)}, needed);
    const bool isMadeAgain =
        isCheap(block(inner)) &&
        !intersect(analysis::exposedScalars(block({block(inner), nest.body})), assignedVars(loop.body));
    std::set<Symbol> read = loadedBuffers(nest.body);
    if (isMadeAgain) read.merge(loadedBuffers(block(inner)));
    for (const auto& [array, index] : *elements) read.erase(array);
    if (intersect(read, storedBuffers(loop.body))) return {};
    if (!isMadeAgain && !keepOfSteps(loop, needed, kept, inner)) return {};
    inner.push_back(nest.body);
    const Symbol r(loop.index.hint());
    For steps = loop;
    steps.index = r;
    steps.body = loops::withOwnScalars(substitute(block(std::move(inner)), {{loop.index, var(r)}}));
    const Builder build{body[at]->span};
    const Stmt all = loops::nestAround(build, nest.loops, makeStmt(s->span, std::move(steps)));
    analysis::Context inside = known_;
    inside.loops.insert(inside.loops.end(), nest.loops.begin(), nest.loops.end());
    // Without a step no element is loaded, and need not be there.
    const bool isThere = std::ranges::all_of(*elements, [&](const auto& element) {
      return analysis::isInRange(function_, element.first, element.second, inside);
    });
    return isThere ? all : build.when(loop.lo < loop.hi, {all});
  }

  /// So little that each element may do it again?
  static bool isCheap(const Stmt& s) {
    return consistsOf<Block, Assign>(s) && !has<Call>(s) &&
           !any<Binary>(s, [](const Binary& b) { return b.op == BinaryOp::Div || b.op == BinaryOp::Pow; });
  }

  /// What a step gives these scalars, an element for each step; `inner`: how the columns get it. False where they carry more
  /// than that, or nobody knows how many steps there are.
  bool keepOfSteps(const For& loop, std::set<Symbol> scalars, Kept kept, std::vector<Stmt>& inner) {
    const std::set<Symbol> given = assignedVars(loop.body), carried = analysis::handedOn(loop.body);
    const std::map<Symbol, DType> types = assignedTypes(loop.body);
    std::erase_if(scalars, [&](const Symbol& x) { return !given.contains(x); });
    // Triangles are run by interchange-loops: Gram and Schmidt's columns, 2000 x 300, take 1.3 ms so, and 5.9 here.
    const bool isTriangular = std::ranges::any_of(known_.loops, [&](const For* around) {
      return mentions(loop.lo, around->index) || mentions(loop.hi, around->index);
    });
    if (isTriangular || scalars.empty() || intersect(scalars, carried) ||
        !analysis::hasKnownBounds(function_, loop))
      return false;
    inner.clear();
    const Builder build{loop.body->span};
    for (const Symbol& x : scalars) {
      if (!types.contains(x)) return false;
      const Buffer all{
          Symbol(x.hint() + "_of_steps"), types.at(x), {analysis::atLeastZero(loop.hi - loop.lo, known_)}};
      function_.buffers.push_back(all);
      kept.outside.push_back(build.alloc(all));
      const std::vector<Expr> step{var(loop.index) - loop.lo};
      kept.inStep.push_back(build.store(all, step, var(x, types.at(x))));
      inner.push_back(build.assign(x, load(all, step)));
    }
    return true;
  }

  /// p[j] = p[j] + e, or the least or greatest of both; or what is stored under a condition, as `if a[r, j] > p[j]: p[j] = a[r, j];
  /// at[j] = r`.
  static bool isCollecting(const Stmt& body) {
    if (const auto* branch = body.as<If>())
      return !branch->otherwise && consistsOf<Block, If, Store>(branch->then) && has<Store>(branch->then);
    const auto* store = body.as<Store>();
    if (!store || store->atomicOp) return false;
    const auto isElement = [&](const Expr& e) {
      const auto* l = e.as<Load>();
      return l && l->buffer == store->buffer && equalIndices(l->index, store->index);
    };
    if (const auto* choice = store->value.as<Select>()) { // Python's max()
      const auto* c = choice->cond.as<Binary>();
      return c && (c->op == BinaryOp::Gt || c->op == BinaryOp::Lt) && isElement(choice->otherwise) &&
             (isElement(c->lhs) || isElement(c->rhs));
    }
    const auto* b = store->value.as<Binary>();
    if (!b) return false;
    const bool mayTurn = b->op == BinaryOp::Add || b->op == BinaryOp::Min || b->op == BinaryOp::Max;
    return (mayTurn && (isElement(b->lhs) || isElement(b->rhs))) ||
           (b->op == BinaryOp::Sub && isElement(b->lhs));
  }

  /// The element of each array that is stored into: one, another for each of the indices, the same in all steps, and touched
  /// nowhere else in a step; nothing where that is not so.
  static std::optional<std::map<Symbol, std::vector<Expr>>> elementsOf(const For& loop, const Stmt& body,
                                                                       const std::set<Symbol>& indices,
                                                                       const std::set<Symbol>& changing) {
    std::map<Symbol, std::vector<Expr>> elements;
    bool areOwn = true;
    each<Store>(body, [&](const Store& store) {
      const auto [known, isNew] = elements.emplace(store.buffer, store.index);
      areOwn = areOwn && !store.atomicOp && equalIndices(known->second, store.index) &&
               (!isNew || tellsElements(store, indices, changing));
    });
    each<Load>(body, [&](const Load& l) {
      const auto known = elements.find(l.buffer);
      areOwn = areOwn && (known == elements.end() || equalIndices(known->second, l.index));
    });
    const auto touchedIn = [&](const Stmt& s, const Symbol& array) {
      int touched = countLoads(s, array);
      each<Store>(s, [&](const Store& store) { touched += store.buffer == array; });
      return touched;
    };
    const std::set<Symbol> made = allocatedBuffers(loop.body);
    for (const auto& [array, index] : elements)
      areOwn = areOwn && !made.contains(array) && touchedIn(loop.body, array) == touchedIn(body, array) &&
               !anyStmt(loop.body, [&](const Stmt& s) {
                 return (s.is<Routine>() || s.is<MatMul>()) && touches(s, array);
               });
    return areOwn ? std::optional(std::move(elements)) : std::nullopt;
  }
  /// Is it another element for each of the indices, and the same in all steps?
  static bool tellsElements(const Store& store, const std::set<Symbol>& indices,
                            const std::set<Symbol>& changing) {
    std::set<Symbol> told;
    for (const Expr& e : store.index) {
      if (readsMemory(e) || mentionsAny(e, changing)) return false;
      const std::set<Symbol> own = intersection(freeVars(e), indices);
      if (own.size() > 1) return false;
      if (own.size() == 1 && analysis::coefficientOf(e, *own.begin()).value_or(0) != 0)
        told.merge(std::set(own));
    }
    return told.size() == indices.size();
  }
};

} // namespace

void collectColumns(Function& f, PassContext& ctx) { f.body = Collecting(f, ctx).visit(f.body); }

} // namespace appyc::transform
