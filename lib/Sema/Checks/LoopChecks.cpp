//===- LoopChecks.cpp - checks of sizes, in their place or before the loops around it -----------------===//
//   for i in range(n):            require n < 1 or k > n - 1 or a_0 == b_0
//     if i >= k:             =>   for i in [0, n):
//       a += b                      if i >= k: a += b
// Loops run in parallel and on devices, where nothing can be raised. Where sizes, scalars and loop indices decide, the
// check says whether some iteration would raise; where data decides whether the statement is run, what would raise is
// not translated: NotImplementedError. With --sanitize=arithmetic checks stand where CPython makes them.
#include "Lowering.h"
#include "appyc/IR/Simplify.h"

namespace appyc::sema {

void Lowering::require(Expr condition, std::string exception, const Message& message) {
  if (loops_.empty() && !kernel_)
    for (ir::Stmt& s : givenBackUnless(condition)) emit(std::move(s));
  emit(message.check(std::move(condition), std::move(exception), [](const Expr&) { return true; }));
}

/// What has been stored by then remains where the check fails.
std::vector<ir::Stmt> Lowering::givenBackUnless(const Expr& condition) {
  if (chosen_.empty() || ir::constantBool(condition) == true) return {};
  std::vector<ir::Stmt> given = collect([&] { giveBackChosen(); });
  if (given.empty()) return {};
  const Expr fails = ir::unary(ir::UnaryOp::LogicalNot, condition);
  return {ir::makeStmt(shown(statement_), ir::If{fails, ir::block(std::move(given)), {}})};
}

/// The same before the outermost open loop.
void Lowering::requireAtEntry(Expr condition, std::string exception, const Message& message) {
  std::vector<ir::Stmt> checks = givenBackUnless(condition);
  checks.push_back(
      ir::makeStmt(shown(statement_), message.check(std::move(condition), std::move(exception),
                                                    [&](const Expr& e) { return isEntryExpr(e); })));
  std::vector<ir::Stmt>& list = lists_[loopLists_.front()];
  for (ir::Stmt& s : checks) {
    entryChecks_.push_back(list.size());
    list.push_back(std::move(s));
  }
}

Attempt Lowering::beginAttempt() const {
  return {diag_.mark(), out_.kernels.size(), entryChecks_.size(), requiredAtMost_};
}

/// What an attempt at a loop's body has left outside of it, as it is lowered again.
void Lowering::takeBack(const Attempt& begun) {
  diag_.rollback(begun.reports);
  out_.kernels.resize(begun.kernels);
  requiredAtMost_ = begun.requiredAtMost;
  std::vector<ir::Stmt>& list = lists_[loopLists_.front()];
  for (; entryChecks_.size() > begun.checks; entryChecks_.pop_back())
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(entryChecks_.back()));
}

/// What is evaluated by `fn` is so where `condition` holds.
void Lowering::under(const Expr& condition, const std::function<void()>& fn) {
  branches_.push_back({condition, lists_.size()});
  narrowed(condition, fn);
  branches_.pop_back();
}

/// A comparison with bounds that isl writes better: `N == min(N, M)`.
static bool isBounded(const Expr& e) {
  bool found = false, isOne = true;
  ir::visit(e, [&](const Expr& part) {
    const auto* by = part.as<ir::Binary>();
    found |= by && (by->op == ir::BinaryOp::Min || by->op == ir::BinaryOp::Max);
    isOne &= !(by && (by->op == ir::BinaryOp::LogicalAnd || by->op == ir::BinaryOp::LogicalOr));
    return true;
  });
  return found && isOne;
}

/// When `fits` holds at each run of the statement at hand. What is known at the entry either holds or must not be asked:
/// the loops' part is the same for all such checks of a body, and a smaller question.
analysis::Never Lowering::neverFails(const Expr& fits) {
  if (!isEntryExpr(fits) || ir::constantBool(fits) == false) return neverRunAndFails(fits);
  if (isBounded(fits))
    if (analysis::Never never = neverRunAndFails(fits); never.when) return never;
  analysis::Never idle = neverRunAndFails(ir::boolConst(false));
  if (!idle.when) return {fits, false};
  idle.when = ir::binary(ir::BinaryOp::LogicalOr, fits, idle.when);
  return idle;
}

/// Likewise, by one question about the loops, the conditions and `fits`.
analysis::Never Lowering::neverRunAndFails(const Expr& fits) {
  std::vector<Expr> conditions;
  bool isTold = true;
  for (const Branch& b : branches_) {
    if (b.list <= loopLists_.front()) continue; // around the loops, and the check
    if (isStable(b.condition))
      conditions.push_back(b.condition);
    else
      isTold = false;
  }
  analysis::Never never = analysis::neverWhen(ir::unary(ir::UnaryOp::LogicalNot, fits), conditions, context(),
                                              [&](const Expr& e) { return isEntryExpr(e); });
  never.isExact &= isTold;
  return never;
}

/// Also in kernels of the user's, whose threads check nothing: not before the host's loops around the launch.
bool Lowering::checksInPlace() const {
  return loops_.empty() || kernel_ || sanitize_.arithmetic || tried_ > 0;
}

void Lowering::requireBefore(const analysis::Never& never, const std::string& exception, Message message) {
  if (ir::constantBool(never.when) == true) return;
  if (never.isExact) return requireAtEntry(never.when, exception, message);
  message.text(" (whether it comes to this line, only data tells: appyc cannot)");
  requireAtEntry(never.when, "NotImplementedError", message);
}

/// What must hold for the program to mean what it is translated to.
void Lowering::requireFit(const Expr& fits, const Message& message) {
  if (checksInPlace()) return require(fits, "ValueError", message);
  if (const analysis::Never never = neverFails(fits); never.when)
    requireBefore(never, "ValueError", message);
  else
    require(fits, "ValueError", message); // so that the loop runs in order, as one that raises
}

/// What raises without harm to the rest: unchecked where only data tells whether it does.
void Lowering::requireWhereRun(const Expr& fits, const std::string& exception, const Message& message) {
  if (checksInPlace()) return require(fits, exception, message);
  if (const analysis::Never never = neverFails(fits); never.when && never.isExact)
    requireBefore(never, exception, message);
}

/// The pairs of sizes which, if equal, make two expressions equal; none when they differ in more than sizes.
std::optional<std::vector<std::pair<Expr, Expr>>> Lowering::sizesThatDiffer(const Expr& a,
                                                                            const Expr& b) const {
  auto sizesOf = [&](const Expr& e) {
    std::vector<Expr> found;
    ir::visit(e, [&](const Expr& part) {
      if (const auto* v = part.as<ir::Var>(); v && sizes_.count(v->name)) found.push_back(part);
      return true;
    });
    return found;
  };
  std::vector<Expr> left = sizesOf(a), right = sizesOf(b);
  if (left.size() != right.size()) return std::nullopt;
  std::map<Symbol, Expr> renamed;
  std::vector<std::pair<Expr, Expr>> pairs;
  for (size_t k = 0; k < left.size(); ++k) {
    if (!renamed.emplace(right[k].as<ir::Var>()->name, left[k]).second || ir::equal(left[k], right[k]))
      continue;
    pairs.emplace_back(left[k], right[k]);
  }
  if (!ir::equal(a, ir::substitute(b, renamed))) return std::nullopt;
  return pairs;
}

/// Sizes that the types leave open must agree at run time. Where they meet in bounds that come from the data, the sizes
/// themselves are taken as equal.
void Lowering::requireEqual(const Expr& a, const Expr& b, Message message, Span where,
                            const std::string& exception) {
  if (ir::equalIndex(a, b)) return;
  std::optional<int64_t> x = ir::constantInt(a), y = ir::constantInt(b);
  if (x && y && *x != *y) {
    error(DiagId::ShapeMismatch, where, fmt::format("{}: {} and {}", message.plain(), *x, *y));
    return;
  }
  if (alwaysEqual(a, b)) return;
  const std::string text = message.plain();
  if (!message.hasNumbers()) message.text(": ").number(a).text(" and ").number(b);
  const Expr same = ir::binary(ir::BinaryOp::Eq, a, b);
  if (checksInPlace()) return require(same, exception, message);
  const analysis::Never never = neverFails(same);
  if (never.when && ir::constantBool(never.when) != false) {
    requireBefore(never, exception, message);
  } else if (auto sizes = sizesThatDiffer(a, b)) {
    for (const auto& [x1, x2] : *sizes)
      requireBefore(neverFails(ir::binary(ir::BinaryOp::Eq, x1, x2)), "NotImplementedError", message);
  } else if (std::ranges::none_of(loops_, isShared)) {
    require(same, exception, message); // so that the loop runs in order, as one that raises
  } else {
    error(DiagId::ShapeMismatch, where,
          fmt::format("{}: appyc cannot see that the two sizes are equal in every iteration; write the "
                      "slices with equal bounds",
                      text));
  }
}

} // namespace appyc::sema
