//===- NoteFailures.cpp - what a parallel loop raises is noted, and raised behind it ----------------------===//
//   for i in range(n):                            first[0] = none
//     require a[i] != 0, ValueError, "zero"   =>  for i in range(n):          (in any order)
//     x[i] = 1 / a[i]                               if a[i] != 0: x[i] = 1 / a[i]
//                                                   else: first[0] = min(first[0], i)     (indivisibly)
//                                                 require first[0] == none, ValueError, "zero"
// An iteration ends where it fails; those behind it, which Python does not come to, store only into arrays that nobody
// sees once the call has raised. Of several checks the first in Python's order is raised: an iteration runs in order.
#include "Raises.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;
using List = std::vector<Stmt>;

constexpr int64_t kNone = INT64_MAX; ///< no iteration has failed

class Noting {
public:
  Noting(const For& loop, Span span) : loop_(loop), make_{span} {
    each<Require>(loop.body, [&](const Require&, const Stmt& s) { checks_.push_back(s); });
  }

  FailuresNoted run() {
    FailuresNoted out{first_, {}, {}, {}};
    out.before = {make_.alloc(first_), make_.store(first_, {intConst(0)}, intConst(kNone))};
    For loop = loop_;
    List body = guarded(loop_.body);
    if (isFlagged_) body.insert(body.begin(), make_.assign(fine_, boolConst(true)));
    loop.body = block(std::move(body));
    out.loop = make_.make(std::move(loop));
    const Expr found = make_.let("found", load(first_, {intConst(0)}), out.behind);
    for (size_t k = 0; k < checks_.size(); ++k) {
      Require check = *checks_[k].as<Require>();
      check.cond = eq(found, kNone);
      if (checks_.size() > 1)
        check.cond =
            either(check.cond, ne(mod(found, static_cast<int64_t>(checks_.size())), static_cast<int64_t>(k)));
      out.behind.push_back(makeStmt(checks_[k]->span, std::move(check)));
    }
    return out;
  }

private:
  /// What an iteration that fails at the check leaves: the smaller, the earlier.
  Stmt note(const Stmt& check) const {
    const auto site = std::find(checks_.begin(), checks_.end(), check) - checks_.begin();
    const Expr order = *constantInt(loop_.step) > 0 ? var(loop_.index) : intConst(0) - var(loop_.index);
    return make_.make(Store{first_.name,
                            {intConst(0)},
                            order * static_cast<int64_t>(checks_.size()) + static_cast<int64_t>(site),
                            ReduceOp::Min});
  }

  /// A list, of which what stands behind a check runs where that holds.
  List guarded(const Stmt& s, bool isNested = false) {
    const std::vector<Stmt> list = statementsOf(s);
    return guarded(list.begin(), list.end(), isNested);
  }
  List guarded(std::vector<Stmt>::const_iterator at, std::vector<Stmt>::const_iterator end, bool isNested) {
    List out;
    for (; at != end; ++at) {
      if (!mayRaise(*at)) {
        out.push_back(*at);
        continue;
      }
      const auto* check = at->as<Require>();
      List rest = guarded(at + 1, end, isNested);
      if (!check) {
        isFlagged_ = true;
        out.push_back(nested(*at));
        if (!rest.empty()) out.push_back(make_.when(var(fine_, DType::Bool), std::move(rest)));
        return out;
      }
      List failing{note(*at)};
      if (isNested) failing.push_back(make_.assign(fine_, boolConst(false)));
      out.push_back(rest.empty()
                        ? make_.when(isNot(check->cond), std::move(failing))
                        : make_.when(check->cond, block(std::move(rest)), block(std::move(failing))));
      return out;
    }
    return out;
  }

  /// A loop or a branch with checks in it.
  Stmt nested(const Stmt& s) {
    return mapChildren(s, [&](const Stmt& child) {
      Stmt body = block(guarded(child, true));
      return s.is<For>() ? make_.when(var(fine_, DType::Bool), std::move(body)) : body;
    });
  }

  const For& loop_;
  const Builder make_;
  const Buffer first_{
      Symbol("first_failure"), DType::I64, {intConst(1)}}; ///< which iteration failed, and how
  const Symbol fine_{"fine"};                              ///< this iteration has not failed so far
  bool isFlagged_ = false;
  List checks_;
};

} // namespace

std::optional<FailuresNoted> failuresNoted(const Function& function, const For& loop, Span span) {
  if (!mayRaise(loop.body) || has<Print>(loop.body) || has<While>(loop.body)) return std::nullopt;
  const std::optional<int64_t> step = constantInt(loop.step);
  // Where arrays change places, any may be the caller's.
  if (!step || *step == 0 || has<Swap>(function.body)) return std::nullopt;
  const std::set<Symbol> stored = storedBuffers(loop.body);
  const bool isSeen = std::any_of(function.params.begin(), function.params.end(),
                                  [&](const Param& p) { return stored.count(p.name) > 0; });
  const bool isOther = any<Require>(loop.body, [&](const Require& r) {
    return !r.values.empty() || (isSeen && r.exception != "LinAlgError");
  });
  return isOther ? std::nullopt : std::optional(Noting(loop, span).run());
}

} // namespace appyc::transform
