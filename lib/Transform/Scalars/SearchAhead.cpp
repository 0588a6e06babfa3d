//===- SearchAhead.cpp - places that loops move on through what is sorted, by searches -----------------------------===//
//   lo = 0                                        if t[p] <= t[p + 1] for all p:
//   for i in [0, n):                                for i in [0, n):  ahead[i] = the first p with not (t[p] < x[i])
//     while t[lo] < x[i]: lo = lo + 1       =>      for i in [0, n):  lo = max(lo, ahead[i]); at[i] = lo
//     ..                                            for i in [0, n):  lo = at[i]; ..
//                                                 else: the loop as it is
// Windows by time, neighbours of what is sorted, merges that count: two pointers. Of what ascends a comparison holds up to some
// place and not behind it, and a bound does so anyhow; the places are running maxima, which are scanned, and all else of a step
// is its own. An element that is no number is in no order.
//   an H200, ms                                             | in order | predicted | now
//   how many of 10^6 times are near each                    | 262      | 0.5       | 0.18
//   the last of 2 * 10^6 that is not past each of 10^6      | 315      | 0.5       | 0.11
//   the statistic of Kolmogorov and Smirnov, 10^6 each      | 307      | 0.5       | 0.12
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::transform {
using namespace ir;

namespace {

/// `go_on = c; while go_on: place = place + 1; go_on = c` among the statements of a loop.
class Advance {
public:
  Advance(const For& loop, const std::set<Symbol>& liveAfter) : loop_(loop), liveAfter_(liveAfter) {}

  Symbol place;
  size_t at = 0;                    ///< which statement of the body begins it
  Expr goesOn;                      ///< without wraps of the place, which is never negative
  std::vector<Stmt> slice;          ///< what the step makes for that
  std::map<Symbol, int64_t> sorted; ///< arrays in which it moves on, and how far ahead it looks

  bool reads(const Function& f) {
    const std::vector<Stmt> body = statementsOf(loop_.body);
    for (at = 0; at + 1 < body.size(); ++at)
      if (isAdvance(body) && isApart(body) && holdsUpTo(goesOn) && !sorted.empty() &&
          std::ranges::all_of(sorted, [&](const auto& a) { return f.buffer(a.first).extents.size() == 1; }))
        return true;
    return false;
  }

private:
  bool isAdvance(const std::vector<Stmt>& body) {
    const auto* first = body[at].as<Assign>();
    const auto* search = body[at + 1].as<While>();
    const std::vector<Stmt> steps = search ? statementsOf(search->body) : std::vector<Stmt>{};
    const auto* goOn = search ? search->cond.as<Var>() : nullptr;
    if (!first || !goOn || steps.size() != 2 || first->var != goOn->name) return false;
    const auto *step = steps[0].as<Assign>(), *again = steps[1].as<Assign>();
    if (!step || !again || again->var != goOn->name || !equal(again->value, first->value) ||
        typeOf(step->value) != DType::I64 || !equalIndex(step->value, var(step->var) + 1))
      return false;
    place = step->var, goOn_ = goOn->name;
    goesOn = rewrite(first->value, [&](const Expr& e) {
      const Expr x = beforeWrap(e);
      return x && distance(x).value_or(-1) >= 0 ? x : Expr();
    });
    return true;
  }

  /// Does what it asks hang on nothing that other steps make, and does nothing else move the place?
  bool isApart(const std::vector<Stmt>& body) {
    const std::vector<Stmt> before(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(at));
    std::vector<Stmt> others = body;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(at),
                 others.begin() + static_cast<std::ptrdiff_t>(at) + 2);
    const std::set<Symbol> assigned = assignedVars(block(others));
    if (assigned.count(place) || assigned.count(goOn_) || liveAfter_.count(goOn_) ||
        mentionsAny(block(before), {place}) || mentionsAny(block(others), {goOn_}) || has<Return>(loop_.body))
      return false;
    std::set<Symbol> needed = freeVars(goesOn);
    needed.erase(place);
    slice = loops::sliceOf(before, needed);
    const Stmt made = block(slice);
    std::set<Symbol> open = analysis::exposedScalars(made);
    for (const Symbol& x : needed)
      if (!assignedVars(made).count(x)) open.insert(x);
    std::set<Symbol> read = loadedBuffers(made);
    read.merge(loadedBuffers(goesOn));
    return consistsOf<Assign, Block>(made) && !intersect(open, assigned) &&
           !intersect(read, storedBuffers(loop_.body));
  }

  /// Does it hold for all places before some one, and for none from there on, where the arrays ascend?
  bool holdsUpTo(const Expr& e) {
    if (!mentions(e, place)) return true;
    const auto* b = e.as<Binary>();
    if (!b) return false;
    if (b->op == BinaryOp::LogicalAnd) return holdsUpTo(b->lhs) && holdsUpTo(b->rhs);
    const bool isLess = b->op == BinaryOp::Lt || b->op == BinaryOp::Le;
    if (!isLess && b->op != BinaryOp::Gt && b->op != BinaryOp::Ge) return false;
    return grows(isLess ? b->lhs : b->rhs) && grows(isLess ? b->rhs : b->lhs, true);
  }

  /// c of place + c.
  std::optional<int64_t> distance(const Expr& index) const {
    return typeOf(index) == DType::I64 ? constantInt(index - var(place)) : std::nullopt;
  }

  /// Is it no less, or no more, at a later place?
  bool grows(const Expr& e, bool isDown = false) {
    if (!mentions(e, place)) return true;
    if (typeOf(e) != DType::I64 && !isFloat(typeOf(e)) && !e.is<Load>()) return false; // which might wrap
    if (e.is<Var>()) return !isDown;
    if (const auto* l = e.as<Load>()) {
      const auto ahead = l->index.size() == 1 ? distance(l->index[0]) : std::nullopt;
      if (!ahead || *ahead < 0 || isDown || isComplex(l->type)) return false;
      int64_t& most = sorted.emplace(l->buffer, *ahead).first->second;
      most = std::max(most, *ahead);
      return true;
    }
    if (const auto* c = e.as<Cast>()) return grows(c->arg, isDown);
    if (const auto* u = e.as<Unary>()) return u->op == UnaryOp::Neg && grows(u->arg, !isDown);
    const auto* b = e.as<Binary>();
    if (b && b->op == BinaryOp::Add) return grows(b->lhs, isDown) && grows(b->rhs, isDown);
    return b && b->op == BinaryOp::Sub && grows(b->lhs, isDown) && grows(b->rhs, !isDown);
  }

  const For& loop_;
  const std::set<Symbol>& liveAfter_;
  Symbol goOn_;
};

class Searches : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (!s.is<Block>() && !s.is<If>()) return s; // in loops each iteration would need the places of its steps
    const auto* list = s.as<Block>();
    if (!list) return mapChildren(s, [&](const Stmt& child) { return child ? visit(child) : child; });
    std::vector<Stmt> out;
    for (const Stmt& part : list->body) {
      const Stmt made = part.is<For>() ? apart(part, *part.as<For>(), live_.after(part), out) : visit(part);
      out.push_back(made ? made : part);
    }
    return out == list->body ? s : block(std::move(out));
  }

private:
  Stmt apart(const Stmt& s, const For& loop, const std::set<Symbol>& liveAfter,
             const std::vector<Stmt>& before) {
    if (!isPlainSerial(loop) || !isConst(loop.step, 1) || readsMemory(loop.lo) || readsMemory(loop.hi) ||
        has<Alloc>(loop.body)) // each of which stands once
      return {};
    Advance advance(loop, liveAfter);
    if (!advance.reads(function_)) return {};
    const auto start = loops::startOf(advance.place, before);
    if (!start) return {};
    const Builder build{s->span};
    const Symbol falls("falls"), p("p"), place = advance.place;
    std::vector<Stmt> all{build.assign(falls, intConst(0))}, parts;
    for (const auto& [array, ahead] : advance.sorted) {
      const Buffer& a = function_.buffer(array);
      const auto element = [&](const Expr& at) { return load(a, {at}); };
      const Expr isInOrder = element(var(p)) <= element(var(p) + 1);
      all.push_back(
          build.inOrder(p, intConst(*start), a.extents[0] - 1,
                        build.assign(falls, var(falls) + select(isInOrder, intConst(0), intConst(1)))));
    }
    const Expr steps = analysis::atLeastZero(loop.hi - loop.lo, known_.sizes);
    const Buffer ahead = loops::newArray(function_, build, {Symbol("ahead"), DType::I64, {steps}}, parts),
                 places = loops::newArray(function_, build, {Symbol("places"), DType::I64, {steps}}, parts);
    parts.push_back(search(build, loop, advance, *start, ahead));
    const Symbol i(loop.index.hint());
    const std::vector<Expr> step{var(i) - loop.lo}, own{var(loop.index) - loop.lo};
    parts.push_back(build.inOrder(i, loop.lo, loop.hi,
                                  block({build.assign(place, maxOf(var(place), load(ahead, step))),
                                         build.store(places, step, var(place))})));
    For rest = loop;
    std::vector<Stmt> body = statementsOf(loop.body);
    body[advance.at] = build.assign(place, load(places, own));
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(advance.at) + 1);
    rest.body = loops::withOwnScalars(block(std::move(body)), {place});
    const Stmt behind = makeStmt(s->span, std::move(rest));
    const Stmt further = apart(behind, *behind.as<For>(), liveAfter, before); // the window's other end
    parts.push_back(further ? further : behind);
    For inOrder = loop;
    inOrder.hints.mark = LoopMark::Sequential; // where it is chosen, as it should be
    all.push_back(
        build.when(eq(var(falls), 0), block(std::move(parts)), makeStmt(s->span, std::move(inOrder))));
    note(DiagId::Parallelised, s,
         "how far `{}` moves on is searched for by each step where what it moves through is sorted",
         place.hint());
    return block(std::move(all));
  }

  /// ahead[i] = the first place from `start` on at which it does not go on.
  Stmt search(const Builder& build, const For& loop, const Advance& advance, int64_t start,
              const Buffer& ahead) const {
    const Symbol least("least"), most("most"), middle("middle"), i(loop.index.hint());
    std::vector<Stmt> body = advance.slice;
    body.push_back(build.assign(least, intConst(start)));
    Expr end;
    for (const auto& [array, distance] : advance.sorted) {
      const Expr own = function_.buffer(array).extents[0] - distance;
      end = end ? minOf(end, own) : own;
    }
    body.push_back(build.assign(most, maxOf(end, start)));
    const Expr goesOn = substitute(advance.goesOn, {{advance.place, var(middle)}});
    body.push_back(build.make(While{
        var(least) < var(most),
        block({build.assign(middle, floorDiv(var(least) + var(most), 2)),
               build.when(goesOn, build.assign(least, var(middle) + 1), build.assign(most, var(middle)))})}));
    body.push_back(build.store(ahead, {var(loop.index) - loop.lo}, var(least)));
    const Stmt own = loops::withOwnScalars(block(std::move(body)));
    return build.inOrder(i, loop.lo, loop.hi, substitute(own, {{loop.index, var(i)}}));
  }
};

} // namespace

void searchAhead(Function& f, PassContext& ctx) { f.body = Searches(f, ctx).visit(f.body); }

} // namespace appyc::transform
