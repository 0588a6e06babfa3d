//===- FlattenSegments.cpp - steps over segments whose ends memory tells, as one sequence of steps ---------------===//
//   for r in [0, n):                         c = 0
//     for e in [p[r], p[r + 1]):             for r:  first[r] = c;  c = c + max(p[r + 1] - p[r], 0)
//       y[j[e]] += a[e] * x[r]         =>    for r (parallel): for k in [first[r], first[r + 1]):  owner[k] = r
//                                            for k in [0, c):  r = owner[k];  e = p[r] + k - first[r];  y[j[e]] += a[e] * x[r]
// The order of steps is the same whatever the ends are. Those that touch elements which the data choose may be folded by key,
// take turns, be put in order then: products with a transposed CSR matrix, its transposition, edges by their vertices.
//   300,000 rows of 5 to 14, an H200, ms: transposed by counters 717; predicted 2, measured 1.4
#include "HostLoops.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

class Segments {
public:
  Segments(Function& f, const For& loop, Span span, const std::set<Symbol>& sizes)
      : function_(f), loop_(loop), build_{span}, rows_(analysis::atLeastZero(loop.hi - loop.lo, sizes)) {}

  bool found(const std::set<Symbol>& liveAfter) {
    if (!isPlainSerial(loop_) || readsMemory(loop_.lo) || readsMemory(loop_.hi)) return false;
    for (const Stmt& s : statementsOf(loop_.body)) {
      if (inner_) return false; // something stands behind
      inner_ = s.as<For>();
      if (!inner_ && !s.is<Assign>()) return false;
      if (!inner_) ends_.push_back(s);
    }
    return inner_ && isPlainSerial(*inner_) && consistsOf<Block, Assign, Store, If, For>(inner_->body) &&
           areTold() && choosesElements() && analysis::hasOwnScalars(loop_.body, liveAfter);
  }

  std::vector<Stmt> asOne() const {
    std::vector<Stmt> all;
    const Symbol count("count"), k("k"), r(loop_.index.hint());
    const Expr row = var(loop_.index) - loop_.lo;
    const Buffer first = made("first", rows_ + 1, all);
    all.push_back(build_.assign(count, intConst(0)));
    const Stmt next = build_.assign(count, var(count) + maxOf(inner_->hi - inner_->lo, 0));
    std::set<Symbol> ofEnds; // which the loop that counts has for itself
    for (const Stmt& end : ends_) ofEnds.merge(assignedVars(end));
    const Stmt counted = block({block(ends_), build_.store(first, {row}, var(count)), next});
    all.push_back(loops::withOwnScalars(build_.make(withBody(loop_, counted)), ofEnds));
    all.push_back(build_.store(first, {rows_}, var(count)));
    const Expr steps = build_.let("steps", var(count), all);
    const Buffer owner = made("owner", steps, all);
    const Stmt own = build_.inAnyOrder(k, load(first, {var(r)}), load(first, {var(r) + 1}),
                                       build_.store(owner, {var(k)}, var(r)));
    all.push_back(build_.inAnyOrder(r, intConst(0), rows_, own));
    const Symbol step("k");
    const Expr at = inner_->lo + (var(step) - load(first, {row}));
    const Stmt body = block({build_.assign(loop_.index, load(owner, {var(step)}) + loop_.lo), block(ends_),
                             build_.assign(inner_->index, at), inner_->body});
    all.push_back(build_.inOrder(step, intConst(0), steps, body));
    return all;
  }

private:
  /// By memory that no step stores, each by its own.
  bool areTold() const {
    const std::set<Symbol> stored = storedBuffers(loop_.body);
    const Expr length = inner_->hi - inner_->lo;
    std::vector<Stmt> telling = loops::sliceOf(ends_, freeVars(length));
    telling.push_back(build_.assign(Symbol("length"), length));
    const Stmt ends = block(telling);
    return readScalars(ends).count(loop_.index) && !loadedBuffers(ends).empty() &&
           !intersect(loadedBuffers(block(ends_)), stored);
  }
  bool choosesElements() const {
    std::set<Symbol> fromMemory;
    each<Assign>(inner_->body, [&](const Assign& a) {
      if (readsMemory(a.value) || mentionsAny(a.value, fromMemory)) fromMemory.insert(a.var);
    });
    return any<Store>(inner_->body, [&](const Store& s) {
      return std::ranges::any_of(s.index,
                                 [&](const Expr& e) { return readsMemory(e) || mentionsAny(e, fromMemory); });
    });
  }

  Buffer made(const char* name, const Expr& extent, std::vector<Stmt>& out) const {
    return loops::newArray(function_, build_, {Symbol(name), DType::I64, {extent}}, out);
  }

  Function& function_;
  const For& loop_;
  Builder build_;
  const Expr rows_;
  const For* inner_ = nullptr;
  std::vector<Stmt> ends_; ///< what tells the ends
};

struct Flattened : HostPass {
  using HostPass::HostPass;

  Stmt replaced(const Stmt& s, const For&) override {
    const Stmt up = loopsUpward(s);
    Segments segments(function_, *up.as<For>(), s->span, known_.sizes);
    if (!segments.found(live_.after(s))) return {};
    note(DiagId::Parallelised, s,
         "the segments of all `{}` are one sequence of steps, which may be sorted by the elements that they "
         "touch",
         up.as<For>()->index.hint());
    return block(segments.asOne());
  }
};

} // namespace

void flattenSegments(Function& f, PassContext& ctx) { f.body = Flattened(f, ctx).visit(f.body); }

} // namespace appyc::schedule
