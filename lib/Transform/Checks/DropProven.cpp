//===- DropProven.cpp - checks that pass in any case, and ends that nothing goes past -----------------------===//
//   if n > 0: require n - 1 >= 0                       if n > 0: ..
//   require n == m; ..; require n == m                 require n == m; ..
//   require w >= 1                                     require w >= 1
//   for i in [0, n - w + 1): x[min(i, n)]        =>    for i in [0, n - w + 1): x[i]
//   for i in [0, n): t = x[i : i + w]                  if w >= 0: for i in [0, n): t = x[i : i + w], of length w
//                                                      else: require n <= 0
//   for t in [0, m): s = x[t * h : t * h + n]          if h >= 0 and (m - 1) * h + n <= size(x) ..: for t in [0, m): s = .., of length n
//                                                      else: the loop as it is
//   medians of windows in 10^5 numbers, an H200: a sort a window 2,195 ms, all at once 0.11
// Sema leaves a slice's ends as NumPy cuts them where loops alone do not tell; checks before them may.
#include "Provisos.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::transform {
using namespace ir;

namespace {

class Proving {
public:
  Proving(Function& f, bool isForGpu) : function_(f), facts_(f), isForGpu_(isForGpu) {
    for (const Param& p : f.params)
      if (!p.isArray && p.type == DType::I64) numbers_.insert(p.name);
  }

  Stmt run(const Stmt& s) {
    if (!s) return s;
    if (s.is<Block>()) return mapChildren(s, [&](const Stmt& child) { return run(child); });
    if (s.is<For>() || s.is<While>()) forgetPassed(s); // the second iteration comes after the first one
    const Stmt result = proven(s);
    if (!s.is<Require>()) forgetPassed(s);
    return result;
  }

  Stmt proven(const Stmt& s) {
    if (const auto* alloc = s.as<Alloc>()) return isInWindows_ ? shortened(s, *alloc) : s; // which may move
    const Stmt own = mapExprs(s, [&](const Expr& e) { return withoutEnds(e); });
    if (const auto* check = own.as<Require>()) return checked(own, *check);
    if (const auto* branch = own.as<If>()) {
      If proven = *branch;
      proven.then = inside(branch->then, branch->cond);
      proven.otherwise = inside(branch->otherwise, isNot(branch->cond));
      return makeStmt(s->span, std::move(proven));
    }
    const auto* loop = own.as<For>();
    if (areWindowsSought)
      for (const auto way : {&Proving::ofSteps, &Proving::ofOneLength})
        if (const Stmt from = loop ? (this->*way)(own, *loop) : Stmt()) return from;
    const bool isUp = loop && constantInt(loop->step).value_or(0) > 0;
    const Expr runs = isUp ? both(loop->lo <= var(loop->index), var(loop->index) < loop->hi) : Expr();
    return mapChildren(own, [&](const Stmt& child) { return inside(child, runs); });
  }

  /// The statement where the condition holds.
  Stmt where(const Stmt& s, const Expr& condition) {
    areWindowsSought = false;
    questions_ = 60, mostFacts_ = 24;
    return inside(s, condition);
  }

  std::map<Symbol, Buffer> shorter; ///< arrays whose extents have lost ends
  bool areWindowsSought = true;     ///< loops may be taken apart for the sake of their arrays

private:
  /// What the lengths of arrays that follow the index are made of.
  static std::set<Symbol> lengthsAlong(const Stmt& body, const Symbol& index) {
    std::set<Symbol> all;
    each<Alloc>(body, [&](const Alloc& made) {
      for (const Expr& e : made.buffer.extents)
        if (mentions(e, index)) all.merge(freeVars(e));
    });
    return all;
  }

  /// That no index, or number in a slice, is negative, which would count from the end: the first one that may be.
  Expr notNegative(const For& loop, const std::set<Symbol>& lengths) const {
    const auto lo = constantInt(loop.lo);
    if (!lo) return facts_.isFixed(loop.lo) ? loop.lo : Expr();
    for (const Symbol& name : lengths)
      if (*lo >= 0 && name != loop.index && numbers_.contains(name)) return var(name);
    return {};
  }

  /// Arrays whose length follows the index have room nowhere on a GPU, and are sorted one by one. Those of a window have one
  /// length where nothing counts from the end; other calls are refused.
  Stmt ofOneLength(const Stmt& s, const For& loop) {
    const std::set<Symbol> lengths = lengthsAlong(loop.body, loop.index);
    const Expr least = lengths.empty() ? Expr() : notNegative(loop, lengths);
    if (!isForGpu_ || !least || !isConst(loop.step, 1) || !facts_.isFixed(loop.hi)) return {};
    const Stmt whole = withOneLength(s->span, loop, least >= 0);
    if (!whole) return {};
    const Builder build{s->span};
    const Stmt otherwise = build.make(
        Require{loop.hi <= loop.lo,
                "NotImplementedError",
                fmt::format("%lld counts from the end: a slice in the loop over `{}` changes its length",
                            loop.index.hint()),
                {least}});
    return makeStmt(s->span, If{least >= 0, whole, otherwise});
  }

  /// Conditions, each once.
  class Conditions {
  public:
    void add(const Expr& one) {
      if (std::ranges::none_of(parts_, [&](const Expr& known) { return equal(known, one); }))
        parts_.push_back(one);
    }
    Expr all() const {
      Expr all;
      for (const Expr& one : parts_) all = all ? both(all, one) : one;
      return all;
    }

  private:
    std::vector<Expr> parts_;
  };

  /// Windows x[t * hop:t * hop + n], of a distance that only the call knows: they have one length where all counts up, and the
  /// last one ends in x. Other calls run the loop as it is.
  Stmt ofSteps(const Stmt& s, const For& loop) {
    const std::set<Symbol> lengths = lengthsAlong(loop.body, loop.index);
    const bool isUpward = constantInt(loop.lo).value_or(-1) >= 0 && isConst(loop.step, 1);
    if (!isForGpu_ || lengths.empty() || !isUpward || !facts_.isFixed(loop.hi)) return {};
    const Expr last = loop.hi - 1;
    Conditions holds, inStep; // for the call, and in each iteration
    for (const Symbol& name : lengths)
      if (numbers_.contains(name)) holds.add(var(name) >= 0), inStep.add(var(name) >= 0);
    bool isApart = false;
    each<Alloc>(loop.body, [&](const Alloc& made) {
      for (const Expr& extent : made.buffer.extents)
        visit(extent, [&](const Expr& e) {
          const auto* b = e.as<Binary>();
          if (!b || b->type != DType::I64 || !mentions(e, loop.index)) return true;
          const bool isLeft = mentions(b->lhs, loop.index);
          const Expr &moving = isLeft ? b->lhs : b->rhs, &other = isLeft ? b->rhs : b->lhs;
          if (mentions(other, loop.index) || !facts_.isFixed(other)) return true;
          const Expr more = analysis::growthOf(moving, loop.index);
          if (b->op == BinaryOp::Mul && moving.is<Var>() && !constantInt(other)) {
            isApart = true;
            holds.add(other >= 0), inStep.add(e >= 0);
          } else if (b->op == BinaryOp::Min && more && !constantInt(more)) {
            holds.add(more >= 0), holds.add(substitute(moving, {{loop.index, last}}) <= other);
            inStep.add(moving <= other);
          }
          return true;
        });
    });
    const Stmt whole = isApart ? withOneLength(s->span, loop, inStep.all()) : Stmt();
    return whole ? makeStmt(s->span, If{holds.all(), whole, withOwnArrays(s, function_.buffers)}) : Stmt();
  }

  /// The loop where `known` holds in each iteration, if its arrays have one length then.
  Stmt withOneLength(Span span, const For& loop, const Expr& known) {
    const std::map<Symbol, Buffer> before = shorter;
    For whole = loop;
    const bool wasInWindows = std::exchange(isInWindows_, true);
    whole.body = inside(loop.body, both(known, both(loop.lo <= var(loop.index), var(loop.index) < loop.hi)));
    isInWindows_ = wasInWindows;
    if (lengthsAlong(whole.body, loop.index).empty()) return makeStmt(span, std::move(whole));
    shorter = before;
    return {};
  }

  /// Where it moves to, less may be known: what a negative length asks for there is nothing.
  Stmt shortened(const Stmt& s, const Alloc& alloc) {
    Buffer array = alloc.buffer;
    bool changes = false;
    for (Expr& extent : array.extents) {
      const Expr plain = withoutEnds(extent);
      changes |= plain != extent;
      extent = plain;
    }
    if (!changes) return s;
    shorter.emplace(array.name, array);
    return makeStmt(s->span, Alloc{std::move(array)});
  }

  Stmt checked(const Stmt& s, const Require& check) {
    if (std::ranges::any_of(passed_, [&](const Expr& e) { return equal(e, check.cond); })) return block({});
    passed_.push_back(check.cond);
    if (!facts_.isFixed(check.cond)) return s;
    if (!facts_.mayHold(isNot(check.cond))) return block({});
    facts_.learn(check.cond); // behind it
    return s;
  }

  /// What checks before asked may be otherwise behind `s`.
  void forgetPassed(const Stmt& s) {
    if (passed_.empty()) return;
    const std::set<Symbol> assigned = assignedVars(s), stored = storedBuffers(s);
    std::erase_if(passed_, [&](const Expr& e) {
      return mentionsAny(e, assigned) || intersect(loadedBuffers(e), stored);
    });
  }

  /// A part that runs under a condition, and may not run.
  Stmt inside(const Stmt& s, const Expr& condition) {
    if (!s) return s;
    const std::vector<Expr> passed = passed_;
    const Stmt result = insideOf(s, condition);
    passed_ = passed;
    return result;
  }
  Stmt insideOf(const Stmt& s, const Expr& condition) {
    const size_t known = facts_.count();
    if (condition && facts_.isFixed(condition)) facts_.learn(condition);
    const Stmt result = run(s);
    facts_.forget(known);
    std::erase_if(answers_, [&](const Answer& a) { return a.facts > known; });
    return result;
  }

  /// Is it certain that the condition does not hold? Where much is known, and after many questions, nobody looks: they take a
  /// millisecond and more each then.
  bool isNever(const Expr& condition) {
    const size_t facts = facts_.count();
    for (const Answer& a : answers_) // what never holds does not where more is known
      if ((a.isNever || a.facts == facts) && equal(a.condition, condition)) return a.isNever;
    if (facts > mostFacts_ || questions_-- <= 0) return false;
    answers_.push_back({condition, facts, !facts_.mayHold(condition)});
    return answers_.back().isNever;
  }

  /// min(), max() and choices by comparison of which one part is meant in any case.
  Expr withoutEnds(const Expr& e) {
    const Expr plain = rewrite(e, [&](const Expr& part) -> Expr {
      if (const auto* choice = part.as<Select>()) {
        const auto* asks = choice->cond.as<Binary>();
        if (!asks || typeOf(asks->lhs) != DType::I64 || !facts_.isFixed(choice->cond)) return {};
        return isNever(choice->cond)          ? choice->otherwise
               : isNever(isNot(choice->cond)) ? choice->then
                                              : Expr();
      }
      const auto* b = part.as<Binary>();
      if (!b || (b->op != BinaryOp::Min && b->op != BinaryOp::Max) || b->type != DType::I64 ||
          !facts_.isFixed(part))
        return {};
      const bool isMin = b->op == BinaryOp::Min;
      if (isNever(b->lhs > b->rhs)) return isMin ? b->lhs : b->rhs;
      if (isNever(b->lhs < b->rhs)) return isMin ? b->rhs : b->lhs;
      return {};
    });
    return plain == e ? e : rewrite(plain, [](const Expr& part) -> Expr {
      const auto* b = part.as<Binary>();
      const bool isSum = b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) && b->type == DType::I64;
      return isSum ? simplifiedIndex(part) : simplifiedNode(part);
    });
  }

  struct Answer {
    Expr condition;
    size_t facts; ///< how many there were
    bool isNever;
  };
  Function& function_;
  analysis::Facts facts_;
  std::vector<Answer> answers_;
  std::vector<Expr> passed_; ///< by checks, of what has not changed since
  int questions_ = 30;
  size_t mostFacts_ = 8;
  bool isForGpu_, isInWindows_ = false;
  std::set<Symbol> numbers_; ///< of the caller's
};

} // namespace

Stmt withoutEndsWhere(Function& f, const Stmt& s, const Expr& condition) {
  return Proving(f, false).where(s, condition);
}

void dropProven(Function& f, PassContext& ctx) {
  Proving proving(f, ctx.cuda);
  f.body = proving.run(f.body);
  for (Buffer& b : f.buffers)
    if (const auto shorter = proving.shorter.find(b.name); shorter != proving.shorter.end())
      b = shorter->second;
}

} // namespace appyc::transform
