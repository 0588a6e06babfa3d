//===- CloseCounters.cpp - scalars that loops count up, by the number of the iteration ----------------------------------===//
//   k = 0                                     for i in range(n):
//   for i in range(n):                          for j in range(i + 1, n):
//     for j in range(i + 1, n):        =>         d[i * (n - 1) - i * (i - 1) // 2 + j - i - 1] = ..
//       d[k] = ..
//       k += 1
// A counter is a sum over the iterations before, which is a product where all add as much, and Newton's series where each adds
// more by as much. Induction variables (Aho, Sethi and Ullman 1986, 10.7; Wolfe 1992 for those of triangular nests).
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

/// A scalar of a loop, and how far its statements move it.
class Counter {
public:
  Counter(const Symbol& name, const For& loop, const std::set<Symbol>& changing,
          const analysis::Context& known)
      : name_(name), changing_(changing), known_(known),
        isRead_(countReads(loop.body, name) > stepsIn(loop.body)) {}

  /// By how much a run of the statement moves it: nothing where that is not known before.
  Expr advance(const Stmt& s) {
    if (!s || !assignedVars(s).contains(name_)) return intConst(0);
    if (const auto* a = s.as<Assign>()) return stepOf(*a);
    if (const auto* b = s.as<Block>()) {
      Expr sum = intConst(0);
      for (const Stmt& child : b->body) {
        const Expr more = advance(child);
        if (!more) return {};
        sum = sum + more;
      }
      return simplifiedIndex(sum);
    }
    if (const auto* branch = s.as<If>()) {
      const Expr then = advance(branch->then), otherwise = advance(branch->otherwise);
      return then && otherwise && equalIndex(then, otherwise) ? then : Expr();
    }
    const auto* loop = s.as<For>();
    return loop ? advance(*loop, countOf(*loop)) : Expr();
  }

  /// By how much the iterations before the one at hand have moved it.
  Expr before(const For& loop) { return advance(loop, position(loop)); }

  /// The statement without the counter's steps; `value`: what it is before. Moves `value` on.
  Stmt closed(const Stmt& s, Expr& value) {
    if (!s) return s;
    if (!assignedVars(s).contains(name_)) return withValue(s, value);
    if (const auto* a = s.as<Assign>()) {
      value = simplifiedIndex(value + stepOf(*a));
      return block({});
    }
    if (const auto* b = s.as<Block>()) {
      std::vector<Stmt> body;
      for (const Stmt& child : b->body) body.push_back(closed(child, value));
      return block(std::move(body));
    }
    const Expr behind = simplifiedIndex(value + advance(s));
    if (const auto* branch = s.as<If>()) {
      Expr thenValue = value, otherwiseValue = value;
      If made = *branch;
      made.cond = substitute(branch->cond, {{name_, value}});
      made.then = closed(branch->then, thenValue);
      made.otherwise = closed(branch->otherwise, otherwiseValue);
      value = behind;
      return makeStmt(s->span, std::move(made));
    }
    For made = *s.as<For>();
    Expr inside = simplifiedIndex(value + before(made));
    const analysis::Inside within(known_, made);
    made.body = closed(made.body, inside);
    value = behind;
    return makeStmt(s->span, std::move(made));
  }

private:
  int stepsIn(const Stmt& s) const {
    int count = 0;
    each<Assign>(s, [&](const Assign& a) { count += a.var == name_; });
    return count;
  }
  /// c of `k = k + c`.
  Expr stepOf(const Assign& a) const {
    if (typeOf(a.value) != DType::I64 || readsMemory(a.value)) return {};
    const Expr c = simplifiedIndex(a.value - var(name_));
    return mentions(c, name_) || mentionsAny(c, changing_) ? Expr() : c;
  }

  static std::optional<int64_t> direction(const For& loop) {
    const auto step = constantInt(loop.step);
    return step && std::abs(*step) == 1 ? step : std::nullopt;
  }
  static Expr position(const For& loop) {
    const Expr at = var(loop.index);
    return direction(loop) == 1 ? at - loop.lo : loop.lo - at;
  }
  /// How often its body runs.
  Expr countOf(const For& loop) const {
    const Expr apart = direction(loop) == 1 ? loop.hi - loop.lo : loop.lo - loop.hi;
    return analysis::atLeastZero(simplifiedIndex(apart), known_);
  }

  /// By how much the first `count` iterations move it.
  Expr advance(const For& loop, const Expr& count) {
    if (!direction(loop)) return {};
    for (const Expr& bound : {loop.lo, loop.hi})
      if (readsMemory(bound) || mentions(bound, name_) || mentionsAny(bound, changing_)) return {};
    const analysis::Inside within(known_, loop);
    const Expr one = advance(loop.body);
    if (!one) return {};
    if (!mentions(one, loop.index)) return simplifiedIndex(one * count);
    const Expr next = substitute(one, {{loop.index, var(loop.index) + loop.step}}),
               more = simplifiedIndex(next - one), first = substitute(one, {{loop.index, loop.lo}});
    if (mentions(more, loop.index) || !isRead_) return {}; // a sum that only collects is a reduction
    return simplifiedIndex((first - more) * count + more * floorDiv(count * (count + 1), 2));
  }

  /// What is read, and no wrap of subscripts that it shows to be none.
  Stmt withValue(const Stmt& s, const Expr& value) {
    if (countReads(s, name_) == 0) return s;
    const Stmt made = mapExprs(s, [&](const Expr& e) {
      return rewrite(e, [&](const Expr& part) -> Expr {
        if (part.is<Var>()) return part.as<Var>()->name == name_ ? value : Expr();
        const Expr at = beforeWrap(part);
        return at && !readsMemory(at) && analysis::isNonNegative(at, known_) ? at : Expr();
      });
    });
    return analysis::mapInside(known_, made, [&](const Stmt& child) { return withValue(child, value); });
  }

  const Symbol name_;
  const std::set<Symbol>& changing_;
  analysis::Context known_;
  const bool isRead_; ///< by more than its own steps
};

class ClosingCounters : public loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (const auto* b = s.as<Block>()) {
      std::vector<Stmt> body;
      analysis::Following following(known_);
      for (const Stmt& child : b->body) {
        const std::map<Symbol, Expr> values = known_.values;
        following.enter(child);
        body.push_back(child.is<For>() ? ofLoop(child, values) : visit(child));
        following.leave(child);
      }
      return body == b->body ? s : block(std::move(body));
    }
    return s.is<For>() ? ofLoop(s, known_.values)
                       : inside(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  /// `values`: of scalars, before the loop.
  Stmt ofLoop(const Stmt& s, const std::map<Symbol, Expr>& values) {
    const auto* loop = s.as<For>();
    const auto visitInside = [&](const Stmt& in) {
      return inside(in, [&](const Stmt& child) { return visit(child); });
    };
    if (loop->order != Order::Serial || !isUnmarked(*loop)) return visitInside(s);
    Stmt made = s;
    std::vector<Stmt> after;
    for (const Symbol& name : analysis::handedOn(loop->body)) {
      const auto* current = made.as<For>();
      const std::set<Symbol> changing = assignedVars(current->body);
      Counter counter(name, *current, changing, known_);
      const Expr all = counter.advance(made);
      if (!all) continue;
      const std::vector<Symbol> names = namesFor(name, made);
      const auto known = values.find(name);
      const Expr own = var(name);
      Expr value = known != values.end() && !mentionsAny(known->second, changing) ? known->second : own;
      made = withoutNames(counter.closed(made, value), names);
      after.push_back(makeStmt(s->span, Assign{name, value})); // idle where nobody reads it
      note(DiagId::Parallelised, s, "`{}` is counted by the number of the iteration", name.hint());
    }
    made = visitInside(made);
    if (after.empty()) return made;
    after.insert(after.begin(), made);
    return block(std::move(after));
  }

  /// `last = n` of a step, which no other statement sets.
  std::vector<Symbol> namesFor(const Symbol& counter, const Stmt& loop) const {
    std::vector<Symbol> names;
    for (const Stmt& child : statementsOf(loop.as<For>()->body)) {
      const auto* a = child.as<Assign>();
      const auto* of = a ? a->value.as<Var>() : nullptr;
      if (of && of->name == counter) names.push_back(a->var);
    }
    if (names.empty()) return names;
    std::map<Symbol, int> times;
    each<Assign>(function_.body, [&](const Assign& a) { ++times[a.var]; });
    const std::set<Symbol> carried = analysis::handedOn(loop.as<For>()->body);
    std::erase_if(names, [&](const Symbol& name) { return times[name] != 1 || carried.contains(name); });
    return names;
  }

  /// What they stand for instead, where that is an iteration's number and a constant.
  static Stmt withoutNames(const Stmt& loop, const std::vector<Symbol>& names) {
    const Expr index = var(loop.as<For>()->index);
    std::map<Symbol, Expr> values;
    each<Assign>(loop, [&](const Assign& a) {
      const bool isOne = std::ranges::find(names, a.var) != names.end();
      if (isOne && typeOf(a.value) == DType::I64 && simplifiedIndex(a.value - index).is<Const>())
        values[a.var] = a.value;
    });
    return loops::readAs(loop, values);
  }
};

} // namespace

void closeCounters(Function& f, PassContext& ctx) { f.body = ClosingCounters(f, ctx).visit(f.body); }

} // namespace appyc::transform
