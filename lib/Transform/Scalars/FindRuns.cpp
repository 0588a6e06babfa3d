//===- FindRuns.cpp - loops from run to run of equal neighbours, as loops over the runs --------------------------===//
//   i = 0                                              starts[0] = 0; c = 1
//   while i < n:                                       for p in [1, n): if x[p] != x[p - 1]: starts[c] = p; c = c + 1
//     j = i + 1                                        starts[c] = n
//     while j < n and x[j] == x[i]: j = j + 1    =>    for r in [0, c):
//     ..                                                 i = starts[r]; j = starts[r + 1]; ..
//     i = j                                            i = n
// So are loops that count how far a run has come, and do something where it ends:
//   for p in [1, n):                                   for p in [1, n): if not (x[p] == x[p - 1]): ends[k] = p; k = k + 1
//     if x[p] == x[p - 1]: c = c + 1             =>    for r in [0, k): p = ends[r]; counts[m] = p - ends[r - 1]; m = m + 1
//     else: counts[m] = c; m = m + 1; c = 1            c = n - ends[k - 1]
// Ranks of ties, lengths of runs, groups of what is sorted. What equals the first of its run equals its neighbour, where all between
// do; of neighbours any comparison will do. All threads find where runs begin (compact-in-parallel).
//   ranks of 400,000 numbers with ties, an H200: more than 6,000 ms; predicted 1, measured 0.40; lengths of 2,000,000: 383 to 0.35
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

/// A loop from run to run, taken apart.
class RunLoop {
public:
  RunLoop(const While& loop, const std::set<Symbol>& liveAfter) : loop_(loop), liveAfter_(liveAfter) {}

  Symbol first, last, place{"p"};   ///< i, and what counts to a run's end
  Expr count, differs;              ///< n; does a run end before position `place`?
  std::vector<Stmt> before, behind; ///< of a run's statements those before its end is found, and those behind
  std::vector<Stmt> inRun;          ///< what each of its positions, counted by `last` from `begin` on, does
  Expr begin, lastBefore;           ///< the end's position less the second is `last`

  bool reads() {
    const auto* test = loop_.cond.as<Binary>();
    const auto* i = test && test->op == BinaryOp::Lt ? test->lhs.as<Var>() : nullptr;
    if (!i || typeOf(test->lhs) != DType::I64) return false;
    first = i->name, count = test->rhs;
    const std::set<Symbol> assigned = assignedVars(loop_.body);
    if (readsMemory(count) || mentionsAny(count, assigned)) return false;
    body_ = statementsOf(loop_.body);
    return findSearch() && findNext() && findComparison() && isApart();
  }

private:
  /// go_on = c;  while go_on: last = last + 1; go_on = c
  bool findSearch() {
    const auto at = std::ranges::find_if(body_, [](const Stmt& s) { return s.is<While>(); });
    if (at == body_.end()) return false;
    const auto& search = *at->as<While>();
    std::vector<Stmt> steps = statementsOf(search.body);
    const auto* goesOn = search.cond.as<Var>();
    const auto* again = steps.empty() ? nullptr : steps.back().as<Assign>();
    if (!goesOn || !again || again->var != goesOn->name) return false;
    goOn_ = goesOn->name, condition_ = again->value;
    steps.pop_back();
    const auto isStep = [](const Stmt& s) {
      const auto* set = s.as<Assign>();
      return set && typeOf(set->value) == DType::I64 && equalIndex(set->value, var(set->var) + 1);
    };
    const auto step = std::ranges::find_if(
        steps, [&](const Stmt& s) { return isStep(s) && mentions(condition_, s.as<Assign>()->var); });
    if (step == steps.end()) return false;
    last = step->as<Assign>()->var;
    for (auto part = steps.begin(); part != steps.end(); ++part)
      if (part != step) inRun.push_back(part < step ? *part : substitute(*part, {{last, var(last) + 1}}));
    before.assign(body_.begin(), at);
    behind.assign(at + 1, body_.end());
    const auto takes = [&](const Symbol& name, Expr& value) {
      const auto set = std::ranges::find_if(
          before, [&](const Stmt& s) { return s.is<Assign>() && s.as<Assign>()->var == name; });
      if (set == before.end()) return false;
      value = set->as<Assign>()->value;
      before.erase(set);
      return true;
    };
    Expr asked;
    return takes(goOn_, asked) && equal(asked, condition_) && takes(last, begin);
  }

  /// first = where the run has ended
  bool findNext() {
    const auto* next = behind.empty() ? nullptr : behind.back().as<Assign>();
    if (!next || next->var != first) return false;
    next_ = next->value;
    behind.pop_back();
    return true;
  }

  /// position < n and e(position) == e(first), or any comparison with e(position - 1)
  bool findComparison() {
    const auto* all = condition_.as<Binary>();
    const auto* inside = all && all->op == BinaryOp::LogicalAnd ? all->lhs.as<Binary>() : nullptr;
    const auto* test = inside ? all->rhs.as<Binary>() : nullptr;
    if (!test || inside->op != BinaryOp::Lt || !equalIndex(inside->rhs, count)) return false;
    const Expr position = inside->lhs, asked = substitute(position, {{last, begin}});
    const bool isSecond = equalIndex(asked, var(first) + 1); // or the first, which equals itself
    const bool isFirst =
        equalIndex(asked, var(first)) && test->op == BinaryOp::Eq && isInteger(typeOf(test->lhs));
    if (analysis::coefficientOf(position, last) != 1 || !equalIndex(next_, position) ||
        !(isSecond || isFirst))
      return false;
    lastBefore = position - var(last);
    if (mentions(lastBefore, last)) return false;
    const auto isFrom = [](const Expr& x, const Expr& least) {
      return constantInt(x - least).value_or(-1) >= 0;
    };
    const auto plain = [&](const Expr& e) { // positions are not negative
      return rewrite(e, [&](const Expr& part) {
        const Expr x = beforeWrap(part);
        return x && (isFrom(x, var(first)) || isFrom(x, position - 1)) ? x : Expr();
      });
    };
    const auto at = [&](const Expr& where) {
      return substitute(plain(element_), {{last, where - lastBefore}});
    };
    for (const bool isLeft : {true, false}) {
      element_ = isLeft ? test->lhs : test->rhs;
      const Expr other = plain(isLeft ? test->rhs : test->lhs), here = at(var(place)),
                 earlier = at(var(place) - 1);
      if (mentions(here, first) || mentions(here, last) || !readsMemory(here)) continue;
      const bool isNeighbour = isSecond && equal(other, substitute(here, {{place, position - 1}}));
      if (!isNeighbour &&
          !(test->op == BinaryOp::Eq && equal(other, substitute(here, {{place, var(first)}}))))
        continue;
      differs = isNot(isLeft ? binary(test->op, here, earlier) : binary(test->op, earlier, here));
      return true;
    }
    return false;
  }

  /// Nothing else changes what the loop goes by, and nobody asks for it later.
  bool isApart() const {
    const Stmt rest = block({block(before), block(inRun), block(behind)});
    std::set<Symbol> own = {last, goOn_};
    if (intersect(own, liveAfter_) || mentionsAny(rest, {goOn_}) || mentionsAny(block(before), {last}) ||
        has<Return>(loop_.body))
      return false;
    own.insert(first);
    std::set<Symbol> read = freeVars(differs);
    return !intersect(own, assignedVars(rest)) && !intersect(freeVars(begin), assignedVars(block(before))) &&
           !intersect(read, assignedVars(loop_.body)) &&
           !intersect(loadedBuffers(differs), storedBuffers(loop_.body));
  }

  const While& loop_;
  const std::set<Symbol>& liveAfter_;
  std::vector<Stmt> body_;
  Symbol goOn_;
  Expr condition_, next_, element_;
};

/// A loop that counts how far a run has come.
struct CountingLoop {
  const For& loop;
  Symbol counter{};
  Expr ends{};               ///< the condition under which a run ends
  int64_t first = 0;         ///< of the counter behind an end
  std::vector<Stmt> atEnd{}; ///< what is done there, but for the counter

  bool reads() {
    const auto* branch = loop.body.as<If>();
    if (!branch || !branch->otherwise || !isPlainSerial(loop) || readsMemory(loop.lo) || readsMemory(loop.hi))
      return false;
    for (const bool isThen : {true, false}) {
      const auto* step = (isThen ? branch->then : branch->otherwise).as<Assign>();
      if (!step || typeOf(step->value) != DType::I64 || !equalIndex(step->value, var(step->var) + 1))
        continue;
      counter = step->var, ends = isThen ? isNot(branch->cond) : branch->cond;
      atEnd = statementsOf(isThen ? branch->otherwise : branch->then);
      return findReset() && isApart(branch->cond);
    }
    return false;
  }

private:
  bool findReset() {
    const auto at = std::ranges::find_if(
        atEnd, [&](const Stmt& s) { return s.is<Assign>() && s.as<Assign>()->var == counter; });
    const auto number = at == atEnd.end() ? std::nullopt : constantInt(at->as<Assign>()->value);
    if (!number || atEnd.size() < 2 ||
        std::any_of(at + 1, atEnd.end(), [&](const Stmt& s) { return mentionsAny(s, {counter}); }))
      return false;
    first = *number;
    atEnd.erase(at);
    return !assignedVars(block(atEnd)).count(counter);
  }
  bool isApart(const Expr& condition) const {
    const std::set<Symbol> assigned = assignedVars(loop.body);
    return !intersect(freeVars(condition), assigned) && !mentionsAny(loop.lo, assigned) &&
           !mentionsAny(loop.hi, assigned) &&
           !intersect(loadedBuffers(condition), storedBuffers(loop.body)) && !has<Return>(loop.body) &&
           !has<While>(loop.body);
  }
};

class Runs : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (!s.is<Block>() && !s.is<If>()) return s; // in loops each iteration would need the places of its runs
    std::vector<Stmt> out;
    const auto* list = s.as<Block>();
    if (!list) return mapChildren(s, [&](const Stmt& child) { return child ? visit(child) : child; });
    for (const Stmt& part : list->body) {
      const auto* loop = part.as<While>();
      const auto* counting = part.as<For>();
      const Stmt made = loop ? apart(part, *loop, out) : counting ? apart(part, *counting) : visit(part);
      out.push_back(made ? made : part);
    }
    return out == list->body ? s : block(std::move(out));
  }

private:
  Stmt apart(const Stmt& s, const While& loop, const std::vector<Stmt>& before) {
    RunLoop run(loop, live_.after(s));
    if (!run.reads()) return {};
    const auto start = loops::startOf(run.first, before);
    if (!start) return {};
    const Builder build{s->span};
    const Expr begin = intConst(*start), n = run.count;
    const Symbol c("c"), r("r");
    std::vector<Stmt> all;
    const Expr most = analysis::atLeastZero(n - begin, known_.sizes) + 1;
    const Buffer starts = loops::newArray(function_, build, {Symbol("starts"), DType::I64, {most}}, all);
    all.push_back(build.store(starts, {intConst(0)}, begin));
    all.push_back(build.assign(c, select(begin < n, intConst(1), intConst(0))));
    all.push_back(noted(build, run.place, begin + 1, n, run.differs, starts, c));
    all.push_back(build.store(starts, {var(c)}, n));
    const Expr runs = build.let("runs", var(c), all);
    std::vector<Stmt> body{build.assign(run.first, load(starts, {var(r)}))};
    body.insert(body.end(), run.before.begin(), run.before.end());
    const Expr end = load(starts, {var(r) + 1}) - run.lastBefore;
    const Symbol in(run.last.hint());
    if (!run.inRun.empty())
      body.push_back(build.inOrder(in, run.begin, end, substitute(block(run.inRun), {{run.last, var(in)}})));
    body.push_back(build.assign(run.last, end));
    body.insert(body.end(), run.behind.begin(), run.behind.end());
    all.push_back(build.inOrder(r, intConst(0), runs, block(std::move(body))));
    all.push_back(build.assign(run.first, maxOf(n, begin)));
    note(DiagId::Parallelised, s, "where runs begin is found first; the loop is one over the runs");
    return block(std::move(all));
  }

  Stmt apart(const Stmt& s, const For& loop) {
    CountingLoop run{loop};
    if (!run.reads() || live_.after(s).count(loop.index)) return {};
    const Builder build{s->span};
    const Symbol k("k"), r("r"), p(loop.index.hint());
    std::vector<Stmt> all;
    const Expr most = analysis::atLeastZero(loop.hi - loop.lo, known_.sizes);
    const Buffer ends = loops::newArray(function_, build, {Symbol("ends"), DType::I64, {most + 1}}, all);
    all.push_back(build.assign(k, intConst(0)));
    all.push_back(noted(build, p, loop.lo, loop.hi, substitute(run.ends, {{loop.index, var(p)}}), ends, k));
    const Expr runs = build.let("runs", var(k), all), count = var(run.counter);
    /// The counter before position `at`, behind `past` ends.
    const auto reached = [&](const Expr& at, const Expr& past) {
      return select(past < 1, count + (at - loop.lo), at - load(ends, {past - 1}) + (run.first - 1));
    };
    const Symbol own(run.counter.hint());
    std::vector<Stmt> body{build.assign(loop.index, load(ends, {var(r)})),
                           build.assign(own, reached(var(loop.index), var(r)))};
    for (const Stmt& part : run.atEnd) body.push_back(renameScalar(part, run.counter, own));
    all.push_back(build.inOrder(r, intConst(0), runs, block(std::move(body))));
    all.push_back(build.assign(run.counter, reached(loop.lo + most, runs)));
    note(DiagId::Parallelised, s, "where runs end is found first; the loop is one over the runs");
    return block(std::move(all));
  }

  /// for p in [lo, hi): if holds: places[count] = p; count = count + 1
  static Stmt noted(const Builder& build, const Symbol& p, const Expr& lo, const Expr& hi, const Expr& holds,
                    const Buffer& places, const Symbol& count) {
    const Stmt note = build.store(places, {var(count)}, var(p));
    return build.inOrder(p, lo, hi, build.when(holds, {note, build.assign(count, var(count) + 1)}));
  }
};

} // namespace

void findRuns(Function& f, PassContext& ctx) { f.body = Runs(f, ctx).visit(f.body); }

} // namespace appyc::transform
