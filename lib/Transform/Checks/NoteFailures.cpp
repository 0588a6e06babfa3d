//===- NoteFailures.cpp - what a parallel loop raises is noted, and raised behind it ----------------------===//
//   for i in range(n):                            first[0] = none
//     require a[i] != 0, ValueError, "zero"   =>  for i in range(n):          (in any order)
//     x[i] = 1 / a[i]                               if a[i] != 0: x[i] = 1 / a[i]
//                                                   else: first[0] = min(first[0], i)     (indivisibly)
//                                                 require first[0] == none, ValueError, "zero"
// An iteration ends where it fails; those behind it, which Python does not come to, store only into arrays that nobody
// sees once the call has raised. Of several checks the first in Python's order is raised: an iteration runs in order.
// A nest is one order of iterations. What Python makes a text of is read again where the first failure was.
//   roots of 2000 x 2000 that raise with value and place, an H200: 66,763 ms, a check an element on the host; measured 0.067
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
  Noting(const For& loop, Span span)
      : loop_(loop), make_{span}, changing_(varyingWith(loop)), once_(onlyValues(loop.body)), nest_{&loop} {
    changing_.merge(loopIndices(loop.body));
    visit(loop.body, [&](const Stmt& s) {
      if (s.is<Require>()) checks_.push_back(s);
      if (const auto* text = s.as<Print>()) texts_[checks_.size()] = text;
      return true;
    });
    while (const For* inner = alone(nest_.back()->body)) nest_.push_back(inner);
  }

  /// Do the loop's indices and what it does not change tell the texts?
  bool canTellTexts() const {
    std::set<Symbol> changing = changing_;
    for (const For* loop : nest_) changing.erase(loop->index);
    const std::set<Symbol> stored = storedBuffers(loop_.body);
    return std::ranges::all_of(texts_, [&](const auto& text) {
      return std::ranges::all_of(text.second->values, [&](const Expr& value) {
        const Expr own = ownValue(value);
        return !mentionsAny(own, changing) && !intersect(loadedBuffers(own), stored);
      });
    });
  }

  FailuresNoted run() {
    FailuresNoted out{first_, {}, {}, {}};
    out.before = {make_.alloc(first_), make_.store(first_, {intConst(0)}, intConst(kNone))};
    List body = guarded(nest_.back()->body);
    if (isFlagged_) body.insert(body.begin(), make_.assign(fine_, boolConst(true)));
    out.loop = block(std::move(body));
    for (size_t at = nest_.size(); at-- > 0;) {
      For loop = *nest_[at];
      loop.body = out.loop;
      out.loop = make_.make(std::move(loop));
    }
    const Expr found = make_.let("found", load(first_, {intConst(0)}), out.behind);
    std::map<Symbol, Expr> failing; // the indices of the first iteration that failed
    Expr rest = checks_.size() > 1 ? floorDiv(found, static_cast<int64_t>(checks_.size())) : found;
    for (size_t at = nest_.size(); at-- > 0;) {
      const For& loop = *nest_[at];
      const Expr turn = at > 0 ? mod(rest, lengthOf(loop)) : rest;
      if (at > 0) rest = floorDiv(rest, lengthOf(loop));
      failing[loop.index] = goesUp(loop) ? loop.lo + turn : loop.lo - turn;
    }
    for (size_t k = 0; k < checks_.size(); ++k) {
      Require check = told(*checks_[k].as<Require>(), failing);
      if (const auto text = texts_.find(k); text != texts_.end()) {
        Expr isThis = ne(found, kNone);
        if (checks_.size() > 1)
          isThis =
              both(isThis, eq(mod(found, static_cast<int64_t>(checks_.size())), static_cast<int64_t>(k)));
        List raising;
        raising.push_back(make_.make(told(*text->second, failing, raising)));
        check.cond = boolConst(false);
        raising.push_back(makeStmt(checks_[k]->span, std::move(check)));
        out.behind.push_back(make_.when(isThis, std::move(raising)));
        continue;
      }
      check.cond = eq(found, kNone);
      if (checks_.size() > 1)
        check.cond =
            either(check.cond, ne(mod(found, static_cast<int64_t>(checks_.size())), static_cast<int64_t>(k)));
      out.behind.push_back(makeStmt(checks_[k]->span, std::move(check)));
    }
    return out;
  }

private:
  static bool goesUp(const For& loop) { return *constantInt(loop.step) > 0; }
  /// Of the range of its index.
  static Expr lengthOf(const For& loop) { return goesUp(loop) ? loop.hi - loop.lo : loop.lo - loop.hi; }

  /// The loop in a body that is nothing else, if it runs alike in all iterations around it.
  const For* alone(const Stmt& body) const {
    const std::vector<Stmt> list = statementsOf(body);
    const auto* loop = list.size() == 1 ? list.front().as<For>() : nullptr;
    if (!loop || loop->hints.mark == LoopMark::Sequential || constantInt(loop->step).value_or(0) == 0 ||
        readsMemory(loop->lo) || readsMemory(loop->hi))
      return nullptr;
    return mentionsAny(loop->lo, changing_) || mentionsAny(loop->hi, changing_) ? nullptr : loop;
  }

  /// What an iteration that fails at the check leaves: the smaller, the earlier.
  Stmt note(const Stmt& check) const {
    const auto site = std::find(checks_.begin(), checks_.end(), check) - checks_.begin();
    Expr turn;
    for (const For* loop : nest_) {
      const Expr own = goesUp(*loop) ? var(loop->index) - loop->lo : loop->lo - var(loop->index);
      turn = turn ? turn * lengthOf(*loop) + own : own;
    }
    return make_.make(Store{first_.name,
                            {intConst(0)},
                            turn * static_cast<int64_t>(checks_.size()) + static_cast<int64_t>(site),
                            ReduceOp::Min});
  }

  /// The check with the numbers of its message that the indices of the `failing` iteration tell; others are `?` in it.
  Require told(Require check, const std::map<Symbol, Expr>& failing) const {
    return withNumbers(std::move(check), [&](const Expr& value) -> Expr {
      const Expr own = substitute(value, once_), known = substitute(own, failing);
      const bool isShort = known == own || !has<Select>(own); // ends of slices are lines of text
      return isShort && !readsMemory(known) && !mentionsAny(known, changing_) ? known : Expr();
    });
  }

  /// The text that Python makes of what the failing iteration had.
  Print told(const Print& text, const std::map<Symbol, Expr>& failing, List& before) const {
    Print made = text;
    for (Expr& value : made.values) value = make_.let("value", substitute(ownValue(value), failing), before);
    return made;
  }
  Expr ownValue(const Expr& e) const { return substitute(substitute(e, once_), once_); }

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
      if (at->is<Print>()) continue; // the text of the check behind it
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
      if (equal(check->cond, boolConst(false))) {
        out.insert(out.end(), failing.begin(), failing.end());
        return out;
      }
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
  std::set<Symbol> changing_;         ///< scalars of an iteration, and the indices
  const std::map<Symbol, Expr> once_; ///< values of scalars that one assignment gives
  const Buffer first_{
      Symbol("first_failure"), DType::I64, {intConst(1)}}; ///< which iteration failed, and how
  const Symbol fine_{"fine"};                              ///< this iteration has not failed so far
  std::vector<const For*> nest_; ///< the loop, and those alone in the one around: one order of iterations
  bool isFlagged_ = false;
  List checks_;
  std::map<size_t, const Print*> texts_; ///< of checks whose text Python makes: it stands before the check
};

/// Is everything printed the text of a check that always fails?
bool printsTextsAlone(const Stmt& s) {
  const std::vector<Stmt> list = statementsOf(s);
  for (size_t at = 0; at < list.size(); ++at) {
    const auto* text = list[at].as<Print>();
    const auto* check = text && at + 1 < list.size() ? list[at + 1].as<Require>() : nullptr;
    if (text && (!check || !isText(list[at]))) return false;
  }
  bool isSo = true;
  for (const Stmt& part : list)
    forEachChild(part, [&](const Stmt& child) { isSo = isSo && printsTextsAlone(child); });
  return isSo;
}

} // namespace

bool isText(const Stmt& s) {
  const auto* text = s.as<Print>();
  return text && text->error.empty() && text->pieces[0].starts_with("_message(");
}

bool isSeenByCaller(const Stmt& s, const Function& function) {
  const std::set<Symbol> stored = storedBuffers(s);
  return std::ranges::any_of(function.params, [&](const Param& p) { return stored.count(p.name) > 0; });
}

Require withNumbers(Require check, const std::function<Expr(const Expr&)>& told) {
  constexpr std::string_view kNumber = "%lld";
  std::vector<Expr> kept;
  size_t at = 0;
  for (const Expr& value : check.values) {
    at = check.message.find(kNumber, at);
    if (const Expr number = told(value)) {
      kept.push_back(number);
      at += kNumber.size();
    } else {
      check.message.replace(at, kNumber.size(), "?");
    }
  }
  if (kept.empty() && !check.values.empty()) // it is no format any more
    for (at = 0; (at = check.message.find("%%", at)) != std::string::npos; ++at) check.message.erase(at, 1);
  check.values = std::move(kept);
  return check;
}

std::optional<FailuresNoted> failuresNoted(const Function& function, const For& loop, Span span) {
  if (!mayRaise(loop.body) || !printsTextsAlone(loop.body) || has<While>(loop.body)) return std::nullopt;
  const std::optional<int64_t> step = constantInt(loop.step);
  // Where arrays change places, any may be the caller's.
  if (!step || *step == 0 || has<Swap>(function.body)) return std::nullopt;
  const bool isSeen = isSeenByCaller(loop.body, function);
  const bool isOther =
      any<Require>(loop.body, [&](const Require& r) { return isSeen && r.exception != "LinAlgError"; });
  Noting noting(loop, span);
  return isOther || !noting.canTellTexts() ? std::nullopt : std::optional(noting.run());
}

} // namespace appyc::transform
