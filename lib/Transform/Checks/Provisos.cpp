#include "Provisos.h"
#include "Raises.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

Expr notNegative(const Function& function, const Expr& e, const Expr& known) {
  Expr holds;
  for (const Param& p : function.params)
    if (!p.isArray && p.type == DType::I64 && mentions(e, p.name) && !(known && mentions(known, p.name)))
      holds = both(holds, var(p.name) >= 0);
  return holds;
}

Expr notNegative(const Function& function, const Stmt& nest) {
  Expr holds;
  each<For>(nest,
            [&](const For& one) { holds = both(holds, notNegative(function, one.lo < one.hi, holds)); });
  return holds;
}

Expr countsFromBegin(const For& loop) {
  if (!isConst(loop.step, 1)) return {};
  const std::set<Symbol> changing = varyingWith(loop);
  const auto changes = [&](const Expr& e) { return readsMemory(e) || mentionsAny(e, changing); };
  std::vector<Expr> firsts;
  bool areAll = !changes(loop.lo);
  const auto take = [&](const Expr& subscript) {
    const Expr x = beforeWrap(subscript);
    if (!x) return;
    const Expr first = substitute(x, {{loop.index, loop.lo}});
    areAll = areAll && analysis::coefficientOf(x, loop.index) == 1 && !changes(first) &&
             constantInt(first).value_or(0) >= 0;
    if (std::ranges::none_of(firsts, [&](const Expr& other) { return equalIndex(other, first); }))
      firsts.push_back(first);
  };
  each<Load>(loop.body, [&](const Load& l) { std::ranges::for_each(l.index, take); });
  each<Store>(loop.body, [&](const Store& l) { std::ranges::for_each(l.index, take); });
  Expr holds;
  for (const Expr& first : areAll ? firsts : std::vector<Expr>()) {
    const auto isHigher = [&](const Expr& other) { return constantInt(first - other).value_or(0) > 0; };
    if (std::ranges::none_of(firsts, isHigher)) holds = both(holds, first >= 0);
  }
  return holds;
}

bool makesUnlikeArrays(const For& loop) {
  std::set<Symbol> changing = varyingWith(loop);
  changing.merge(loopIndices(loop.body));
  const std::map<Symbol, Expr> values = onlyValues(loop.body);
  const auto changes = [&](Expr e) {
    for (int depth = 0; depth < 4 && mentionsAny(e, changing); ++depth) e = substitute(e, values);
    return readsMemory(e) || mentionsAny(e, changing);
  };
  return any<Alloc>(loop.body,
                    [&](const Alloc& made) { return std::ranges::any_of(made.buffer.extents, changes); });
}

Stmt inTurn(const Stmt& nest, Function& function) {
  return replace<For>(withOwnArrays(nest, function.buffers), [](const For& one, const Stmt& part) {
    For serial = one;
    serial.order = Order::Serial;
    serial.reductions.clear();
    serial.hints.mark = LoopMark::Sequential;
    return makeStmt(part->span, std::move(serial));
  });
}

namespace {

/// The checks of a nest that indices, sizes and the caller's numbers decide, each as one before the nest.
class BeforeNest {
public:
  BeforeNest(const Function& function, const Stmt& nest, const Expr& notNegative)
      : known_(analysis::contextOf(function)) {
    if (notNegative) known_.sizes.merge(freeVars(notNegative));
    isSeen_ = isSeenByCaller(nest, function);
    changing_ = assignedVars(nest);
    changing_.merge(loopIndices(nest));
  }

  std::vector<Stmt> checks;
  /// False where something else decides one, or it fails in any case.
  bool take(const Stmt& s) {
    if (!mayRaise(s)) return true;
    if (const auto* check = s.as<Require>()) return takeCheck(s, *check);
    if (const auto* branch = s.as<If>()) {
      if (readsMemory(branch->cond) || mentionsAny(branch->cond, assignedVars(s))) return false;
      return under(branch->cond, branch->then) &&
             (!branch->otherwise || under(isNot(branch->cond), branch->otherwise));
    }
    if (!s.is<Block>() && !s.is<For>()) return false;
    bool areAll = true;
    analysis::mapInside(known_, s, [&](const Stmt& child) {
      areAll = areAll && take(child);
      return child;
    });
    return areAll;
  }

private:
  bool under(const Expr& condition, const Stmt& s) {
    conditions_.push_back(condition);
    const bool areAll = take(s);
    conditions_.pop_back();
    return areAll;
  }
  bool takeCheck(const Stmt& s, const Require& check) {
    // What the caller's arrays have got before NumPy raises is seen; before a refusal it is not.
    // Of several that fail the first in the text's order is raised.
    if (!checks.empty() && checks.front().as<Require>()->exception != check.exception) return false;
    if (readsMemory(check.cond) || (isSeen_ && check.exception != "NotImplementedError")) return false;
    const auto isKnown = [&](const Expr& e) { return !readsMemory(e) && !mentionsAny(e, changing_); };
    // Loops that have nothing to do with it are asked for apart: whether they run at all.
    analysis::Context asked = known_;
    std::set<Symbol> names = freeVars(check.cond);
    for (const Expr& e : conditions_) names.merge(freeVars(e));
    Expr idle;
    for (size_t at = asked.loops.size(); at-- > 0;) {
      const For& loop = *asked.loops[at];
      if (names.count(loop.index)) {
        names.merge(freeVars(loop.lo)), names.merge(freeVars(loop.hi));
        continue;
      }
      const Expr runsNot = constantInt(loop.step).value_or(1) > 0 ? loop.hi <= loop.lo : loop.lo <= loop.hi;
      if (!isKnown(runsNot)) return false;
      idle = idle ? either(idle, runsNot) : runsNot;
      asked.loops.erase(asked.loops.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const analysis::Never never = analysis::neverWhen(isNot(check.cond), conditions_, asked, isKnown);
    if (!never.when || !never.isExact || constantBool(never.when) == false) return false;
    Require before = withNumbers(check, [](const Expr&) { return Expr(); });
    before.cond = idle && constantBool(never.when) != true ? either(idle, never.when) : never.when;
    checks.push_back(makeStmt(s->span, std::move(before)));
    return true;
  }

  analysis::Context known_;
  std::set<Symbol> changing_;
  std::vector<Expr> conditions_;
  bool isSeen_ = false; ///< the nest stores into arrays of the caller's
};

} // namespace

/// The statement without checks; what stands behind one of two equal numbers has the plainer one.
static Stmt passed(const Stmt& s) {
  if (s.is<Require>()) return block({});
  if (!s.is<Block>()) return mapChildren(s, passed);
  std::vector<Stmt> list;
  std::vector<const Binary*> equals;
  for (const Stmt& part : statementsOf(s)) {
    if (const auto* check = part.as<Require>()) {
      const auto* same = check->cond.as<Binary>();
      if (same && same->op == BinaryOp::Eq && !same->lhs.is<Binary>()) equals.push_back(same);
      continue;
    }
    list.push_back(passed(rewrite(part, nullptr, [&](const Expr& e) {
      const auto known =
          std::ranges::find_if(equals, [&](const Binary* same) { return equal(e, same->rhs); });
      return known == equals.end() ? Expr() : (*known)->lhs;
    })));
  }
  return block(std::move(list));
}

Stmt withoutChecks(const Stmt& s, Function& function) {
  if (!has<Require>(s) || makesUnlikeArrays(*s.as<For>())) return {};
  std::map<Symbol, Expr> values = onlyValues(s);
  for (const Symbol& carried : analysis::exposedScalars(s)) values.erase(carried);
  Expr holds = notNegative(function, s);
  const Stmt asked = replace<Require>(s, [&](const Require& check, const Stmt& part) {
    Require by = check;
    by.cond = substitute(check.cond, values);
    holds = both(holds, notNegative(function, by.cond, holds));
    return makeStmt(part->span, std::move(by));
  });
  const Stmt plain = holds ? withoutEndsWhere(function, asked, holds) : asked;
  BeforeNest before(function, plain, holds);
  if (!before.take(plain)) return {};
  const Builder build{s->span};
  std::vector<Stmt> checked = std::move(before.checks);
  Expr known = holds;
  for (const Stmt& check : checked) known = both(known, check.as<Require>()->cond);
  checked.push_back(withoutEndsWhere(function, passed(plain), known));
  if (!holds) return block(std::move(checked));
  return build.when(holds, block(std::move(checked)), inTurn(s, function));
}

} // namespace appyc::transform
