//===- DropExcluded.cpp - what no call runs that gets past the checks ----------------------------------===//
// A version for equal sizes leaves few calls to the general function: often only those with nothing to do, as
// NumPy's checks refuse the others. What these do not run need not be compiled.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"

namespace appyc::transform {

namespace {

using namespace ir;

Expr isPositive(const Expr& extent) { return extent > 0; }

class Excluding {
public:
  Excluding(const Function& f, const Expr& elsewhere) : callers_(namesOf(f.params)), facts_(f) {
    facts_.learn(unary(UnaryOp::LogicalNot, elsewhere));
  }

  /// Empty if nothing of it runs.
  Stmt run(const Stmt& s) {
    if (const auto* block = s.as<Block>()) return runBlock(*block);
    if (const auto* loop = s.as<For>()) return runLoop(s, *loop);
    if (const auto* check = s.as<Require>(); check && facts_.isFixed(check->cond)) facts_.learn(check->cond);
    if (const auto* statement = s.as<IndexStmt>(); statement && !mayRun(*statement)) return {};
    return s;
  }

private:
  bool mayRun(const IndexStmt& s) {
    Expr all = boolConst(true);
    for (const Range& range : s.domain)
      if (facts_.isFixed(range.extent)) all = both(all, isPositive(range.extent));
    return facts_.mayHold(all);
  }

  Stmt runBlock(const Block& b) {
    std::vector<Stmt> kept;
    for (size_t i = 0; i < b.body.size(); ++i)
      if (const Stmt left = isUnseen(b.body, i) ? Stmt() : run(b.body[i])) kept.push_back(left);
    return kept.empty() ? Stmt() : block(std::move(kept));
  }

  /// Does a statement store into an array of the function's own, and has no points where the checks behind it pass,
  /// before anything reads the array? Where one of them fails, nobody sees it.
  bool isUnseen(const std::vector<Stmt>& list, size_t i) {
    const auto* statement = list[i].as<IndexStmt>();
    if (!statement || callers_.count(statement->target)) return false;
    Expr passed; // learned at once, as learning takes a search
    for (size_t j = i + 1; j < list.size(); ++j) {
      if (list[j].is<Return>() || list[j].is<If>() || loadedBuffers(list[j]).count(statement->target)) break;
      if (const auto* check = list[j].as<Require>(); check && facts_.isFixed(check->cond))
        passed = passed ? both(passed, check->cond) : check->cond;
    }
    if (!passed) return false;
    const size_t here = facts_.count();
    facts_.learn(passed);
    const bool unseen = !mayRun(*statement);
    facts_.forget(here);
    return unseen;
  }

  /// In the body, the range is known not to be empty.
  Stmt runLoop(const Stmt& s, const For& loop) {
    const std::optional<int64_t> step = constantInt(loop.step);
    const Expr runs = binary(step.value_or(1) > 0 ? BinaryOp::Lt : BinaryOp::Gt, loop.lo, loop.hi);
    if (!step || *step == 0 || !facts_.isFixed(runs)) return s;
    if (!facts_.mayHold(runs)) return {};
    const size_t outside = facts_.count();
    facts_.learn(runs);
    For left = withBody(loop, run(loop.body));
    facts_.forget(outside);
    return left.body ? makeStmt(s->span, std::move(left)) : Stmt();
  }

  std::set<Symbol> callers_; ///< arrays that the caller has
  analysis::Facts facts_;    ///< hold at every call that has come to the statement at hand
};

/// Without scalars and temporary arrays that nothing reads.
Stmt dropUnread(const Function& f) {
  std::set<Symbol> used = readScalars(f.body), buffers = loadedBuffers(f.body);
  buffers.merge(storedBuffers(f.body));
  used.merge(namesOf(f.results));
  return rewrite(f.body, [&](const Stmt& s) -> Stmt {
    const auto* scalar = s.as<Assign>();
    const auto* array = s.as<Alloc>();
    const bool unread = (scalar && !used.count(scalar->var)) || (array && !buffers.count(array->buffer.name));
    return unread ? block({}) : Stmt();
  });
}

} // namespace

Function dropExcluded(const Function& function, const Expr& elsewhere) {
  const Stmt left = Excluding(function, elsewhere).run(function.body);
  Function result = function;
  result.body = left ? left : block({});
  // A name that lost its only assignment would be undeclared where it is read.
  std::set<Symbol> lost = assignedVars(function.body);
  for (const Symbol& s : assignedVars(result.body)) lost.erase(s);
  if (intersect(lost, readScalars(result.body))) return function;
  result.body = dropUnread(result);
  return result;
}

} // namespace appyc::transform
