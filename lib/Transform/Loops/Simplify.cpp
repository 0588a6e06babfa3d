//===- Simplify.cpp - expressions in canonical form, and statements that do nothing gone --------------------===//
//   if True: a[i] = x + 0              a[i] = x
//   for i in range(3, 3): ..
//   for i in range(max(n, 0)): ..                  =>  for i in range(n): ..     where n is a size
//   for i in range(n): b[i] = a[(i + 1) % n]  =>  for i in range(n): b[i] = a[i + 1 if i + 1 < n else i + 1 - n]
// What passes make anew is canonical already (ir::simplifiedNode); this is for what they put together from parts.
#include "appyc/IR/Simplify.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

///   if c and x > most: most = x  =>  if c: most = max(most, x)              of integers, which are ordered
///                                    if c: most = x if x > most else most   of floats, where NaN changes nothing
Stmt foldOf(Span span, const If& branch) {
  std::vector<Expr> conditions = conjunctsOf(branch.cond);
  const auto* cond = conditions.back().as<Binary>();
  const std::vector<Stmt> then = statementsOf(branch.then);
  const auto* set = then.size() == 1 ? then[0].as<Assign>() : nullptr;
  if (!cond || !set || branch.otherwise || (cond->op != BinaryOp::Gt && cond->op != BinaryOp::Lt)) return {};
  const auto isKept = [&](const Expr& e) { return e.is<Var>() && e.as<Var>()->name == set->var; };
  const bool isRight = isKept(cond->rhs);
  const Expr kept = isRight ? cond->rhs : cond->lhs, other = isRight ? cond->lhs : cond->rhs;
  const DType type = typeOf(kept);
  if (!isKept(kept) || typeOf(set->value) != type || !equal(set->value, other) ||
      !(isFloat(type) || isInteger(type)))
    return {};
  const BinaryOp op = (cond->op == BinaryOp::Gt) == isRight ? BinaryOp::Max : BinaryOp::Min;
  const Expr fold = isFloat(type) ? select(conditions.back(), other, kept) : binary(op, kept, other);
  conditions.pop_back();
  return Builder{span}.when(allOf(conditions), makeStmt(span, Assign{set->var, fold}));
}

/// What a statement is where conditions are known, or an empty handle.
Stmt simpler(const Stmt& s) {
  if (const auto* branch = s.as<If>()) {
    if (const auto holds = constantBool(branch->cond)) {
      const Stmt& chosen = *holds ? branch->then : branch->otherwise;
      return chosen ? chosen : block({});
    }
    if (branch->otherwise && statementsOf(branch->otherwise).empty()) {
      const Stmt alone = makeStmt(s->span, If{branch->cond, branch->then, {}});
      const Stmt simple = simpler(alone);
      return simple ? simple : alone;
    }
    if (Stmt fold = foldOf(s->span, *branch)) return fold;
    if (!statementsOf(branch->then).empty()) return {};
    if (!branch->otherwise) return block({});
    return makeStmt(s->span, If{unary(UnaryOp::LogicalNot, branch->cond), branch->otherwise, {}});
  }
  if (const auto* set = s.as<Assign>(); set && set->value.is<Var>() && set->value.as<Var>()->name == set->var)
    return block({}); // `total += 0`
  if (const auto* check = s.as<Require>()) return constantBool(check->cond) == true ? block({}) : Stmt();
  if (const auto* loop = s.as<While>()) return constantBool(loop->cond) == false ? block({}) : Stmt();
  const auto* loop = s.as<For>();
  if (!loop) return {};
  const auto lo = constantInt(loop->lo), hi = constantInt(loop->hi), step = constantInt(loop->step);
  const bool runs = !lo || !hi || !step || (*step > 0 ? *lo < *hi : *lo > *hi);
  return runs && !statementsOf(loop->body).empty() ? Stmt() : block({});
}

/// Counters: I64 scalars that begin at 0 or more and grow by little, which none counts far enough to wrap.
std::set<Symbol> neverNegative(const Function& f) {
  constexpr int64_t kMostAdded = 1024;
  std::map<Symbol, std::vector<Expr>> values;
  each<Assign>(f.body, [&](const Assign& a) { values[a.var].push_back(a.value); });
  std::set<Symbol> counters;
  for (const auto& [name, all] : values) counters.insert(name);
  for (const Param& p : f.params) counters.erase(p.name);
  const auto isCounted = [&](const Symbol& name, const Expr& value) {
    const auto* sum = value.as<Binary>();
    const bool grows =
        sum && sum->op == BinaryOp::Add && sum->lhs.is<Var>() && sum->lhs.as<Var>()->name == name;
    const auto number = constantInt(grows ? sum->rhs : value);
    if (number) return *number >= 0 && (!grows || *number <= kMostAdded) && typeOf(value) == DType::I64;
    return value.is<Var>() && counters.contains(value.as<Var>()->name);
  };
  const auto isOther = [&](const Symbol& name) {
    return std::ranges::any_of(values[name], [&](const Expr& value) { return !isCounted(name, value); });
  };
  while (std::erase_if(counters, isOther) > 0) {
  }
  return counters;
}

/// Remainders and Python's wrap of subscripts, where the loops around, or how a counter grows, say how far away their
/// operands are. A division takes a thread as long as eight sums.
///   Life on a torus of 1024 x 1024, an H100, us a step: 16 with two remainders a neighbour; predicted 7, measured 7.9
class Periods {
public:
  explicit Periods(const Function& f) : known_(analysis::contextOf(f)), counters_(neverNegative(f)) {
    known_.sizes.insert(counters_.begin(), counters_.end());
  }

  Stmt visit(const Stmt& s) {
    const Stmt own = mapExprs(
        s, [&](const Expr& e) { return rewrite(e, [&](const Expr& part) { return closer(part); }); });
    return analysis::mapInside(known_, own, [&](const Stmt& child) { return visit(child); });
  }

private:
  Expr closer(const Expr& e) const {
    if (const auto* choice = e.as<Select>()) { // of a subscript that may count from the end
      const auto* below = choice->cond.as<Binary>();
      const bool asks = below && below->op == BinaryOp::Lt && isConst(below->rhs, 0) &&
                        typeOf(below->lhs) == DType::I64 && mentionsAny(below->lhs, counters_) &&
                        !readsMemory(below->lhs);
      return asks && isNonNegative(below->lhs) ? choice->otherwise : Expr();
    }
    if (known_.loops.empty()) return {};
    const auto* wrap = e.as<Call>();
    if (wrap && wrap->fn == Intrinsic::WrapIndex)
      return !readsMemory(wrap->args[0]) && isNonNegative(wrap->args[0]) ? wrap->args[0] : Expr();
    const auto* b = e.as<Binary>();
    if (!b || b->op != BinaryOp::Mod || b->type != DType::I64 || b->rhs.is<Const>() || readsMemory(e))
      return {};
    const Expr &at = b->lhs, &period = b->rhs;
    if (isNonNegative(at)) {
      if (isNonNegative(period - 1 - at)) return at;
      if (isNonNegative(period + period - 1 - at)) return select(at < period, at, at - period);
    } else if (isNonNegative(at + period) && isNonNegative(period - 1 - at)) {
      return select(at < 0, at + period, at);
    }
    return {};
  }
  bool isNonNegative(const Expr& e) const { return analysis::isNonNegative(e, known_); }

  analysis::Context known_;
  const std::set<Symbol> counters_;
};

/// max(n, 0) of a size n is n.
Expr withoutLeastSize(const Expr& e, const std::set<Symbol>& sizes) {
  const auto* b = e.as<Binary>();
  if (!b || b->op != BinaryOp::Max) return {};
  const bool isLeft = isConst(b->lhs, 0);
  const auto* size = isLeft || isConst(b->rhs, 0) ? (isLeft ? b->rhs : b->lhs).as<Var>() : nullptr;
  return size && sizes.count(size->name) ? isLeft ? b->rhs : b->lhs : Expr();
}

/// Without values that nobody asks for on any path from where they are set. Where paths meet a name has one of them on each, as
/// `l = l_before` where a branch did not run, also where all that follows begins with another: that would be carried by the loop.
///   forces of four neighbours on 256 x 256 points, 100 steps, an H200: more than 6,000 ms; predicted 3, measured 1.8
void dropUnread(Function& f) {
  std::set<Symbol> results;
  for (const Result& r : f.results) results.insert({r.name, r.place, r.of});
  const analysis::Liveness live(f.body, results);
  f.body = without(f.body, [&](const Stmt& s) {
    const auto* set = s.as<Assign>();
    return set && !live.after(s).count(set->var);
  });
  f.body = withoutIdleScalars(f);
}

/// What a call tells, with a constant: of a list that has as many items in each iteration, the length.
class Lengths {
public:
  explicit Lengths(const Function& f) : known_(analysis::contextOf(f)) {
    read(f.body, false);
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& [x, values] : assigned_)
        if (!lengths_.contains(x) && inLoops_.contains(x)) grows |= tells(x, values);
    }
  }
  Stmt visit(const Stmt& s) const { return loops::readAs(s, lengths_); } // what sets them is idle then

private:
  void read(const Stmt& s, bool isInLoop) {
    if (const auto* a = s.as<Assign>()) {
      assigned_[a->var].push_back(a->value);
      if (isInLoop) inLoops_.insert(a->var);
    } else if (!s.is<Block>() && !s.is<If>() && !s.is<For>() && !s.is<While>()) {
      for (const Symbol& x : assignedVars(s)) assigned_[x].emplace_back(); // a value that memory tells
    }
    forEachChild(s, [&](const Stmt& child) { read(child, isInLoop || s.is<For>() || s.is<While>()); });
  }

  bool tells(const Symbol& x, const std::vector<Expr>& values) {
    Expr only;
    for (const Expr& given : values) {
      if (!given || typeOf(given) != DType::I64 || readsMemory(given)) return false;
      const Expr value = plain(substitute(given, lengths_));
      if (only && !equalIndex(only, value)) return false;
      only = value;
    }
    const std::set<Symbol> told = freeVars(only);
    const auto isSize = [&](const Symbol& size) { return known_.sizes.contains(size); };
    if (told.size() != 1 || !std::ranges::all_of(told, isSize)) return false;
    if (!simplifiedIndex(only - var(*told.begin())).is<Const>()) return false;
    lengths_[x] = only;
    return true;
  }

  /// Without a bound that says nothing.
  Expr plain(const Expr& e) const {
    return simplifiedIndex(rewrite(e, [&](const Expr& part) -> Expr {
      const auto* b = part.as<Binary>();
      const bool isBound = b && b->op == BinaryOp::Max && isConst(b->rhs, 0);
      return isBound && analysis::isNonNegative(b->lhs, known_) ? b->lhs : Expr();
    }));
  }

  const analysis::Context known_;
  std::map<Symbol, std::vector<Expr>> assigned_;
  std::set<Symbol> inLoops_;
  std::map<Symbol, Expr> lengths_;
};

} // namespace

void simplify(Function& f, PassContext&) {
  f.body = withoutIdleScalars(f); // what idle ones read is unread then
  dropUnread(f);
  if (const Stmt told = Lengths(f).visit(f.body); told != f.body) { // none is set to what nobody asks for now
    f.body = told;
    f.body = withoutIdleScalars(f);
  }
  const std::set<Symbol> sizes = analysis::contextOf(f).sizes;
  const auto simplerExpr = [&](const Expr& e) {
    const Expr plain = withoutLeastSize(e, sizes);
    return plain ? plain : simplifiedNode(e);
  };
  f.body = Periods(f).visit(rewrite(f.body, simpler, simplerExpr));
}

} // namespace appyc::transform
