//===- FindFailures.cpp - a loop that stores into the caller's arrays runs in parallel up to what fails first -------===//
//   for i in range(n):                             first = n
//     require a[i] >= 0, ValueError, "negative"    for i in range(n): if not a[i] >= 0: first = min(first, i)
//     out[i] = sqrt(a[i])                     =>   for i in range(first): out[i] = sqrt(a[i])
//                                                  if first < n: require a[first] >= 0, ..; out[first] = ..
// What the iterations before have stored is seen by whoever catches the exception, and no more is. Where checks ask for what the
// loop stores, iterations have to be free of each other and to ask before they store.
//   roots of 2000 x 2000 into an array of the caller's, an H200: 66,700 ms; predicted 0.1, measured 0.08
#include "Provisos.h"
#include "Raises.h"
#include "appyc/Analysis/Dependence.h"
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

bool isCheck(const Stmt& s) {
  const auto* raised = s.as<Print>();
  return s.is<Require>() || (raised && !raised->error.empty());
}

/// The steps of a loop with what fails noted in place of raised.
class Noted {
public:
  /// `found`: notes the step.
  Noted(const For& loop, const Stmt& found) : found_(found) {
    body = block(noted(statementsOf(loop.body), 0));
  }
  Stmt body;
  bool holds = true; ///< nothing is asked for that a check before it may have forbidden

private:
  std::vector<Stmt> noted(const std::vector<Stmt>& list, size_t from) {
    std::vector<Stmt> out;
    for (size_t at = from; at < list.size(); ++at) {
      const Stmt& s = list[at];
      if (isText(s)) continue;
      if (!isCheck(s) && mayRaise(s)) {
        out.push_back(
            mapChildren(s, [&](const Stmt& child) { return block(noted(statementsOf(child), 0)); }));
        const Stmt rest =
            block(std::vector<Stmt>(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.end()));
        const bool isChosen = any<Load>(rest, [](const Load& l) {
          return std::ranges::any_of(l.index, [](const Expr& e) { return readsMemory(e); });
        });
        holds = holds && !(isChosen && mayRaise(rest));
        continue;
      }
      if (!isCheck(s)) {
        out.push_back(s);
        continue;
      }
      const auto* check = s.as<Require>();
      const bool mayPass = check && constantBool(check->cond) != false;
      const std::vector<Stmt> rest = mayPass ? noted(list, at + 1) : std::vector<Stmt>();
      const Builder build{s->span};
      out.push_back(!mayPass       ? found_
                    : rest.empty() ? build.when(isNot(check->cond), found_)
                                   : build.when(check->cond, block(rest), found_));
      return out;
    }
    return out;
  }

  const Stmt found_;
};

class Finding : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

private:
  Stmt replaced(const Stmt& s, const For& loop) override {
    if (loop.order != Order::Serial || loop.hints.mark == LoopMark::Sequential || !isConst(loop.step, 1) ||
        !isSeen(loop.body) || readsMemory(loop.lo) || readsMemory(loop.hi) || makesUnlikeArrays(loop))
      return {};
    const Builder build{s->span};
    const Symbol first("first");
    const Noted noted(loop, build.assign(first, minOf(var(first), var(loop.index))));
    const Stmt asking = asked(noted.body, first);
    std::set<Symbol> live = live_.after(s);
    const Stmt passing = withoutIdleScalars(passed(loop.body), live);
    live.insert(first);
    const auto isFree = [&](const Stmt& body) {
      return analysis::judgeParallel(withBody(loop, body), known_, live).isFree();
    };
    const bool isOpen = isUnmarked(loop);
    if (!noted.holds || (isOpen && !isFree(asking))) return {};
    if (const std::set<Symbol> changed = askedAndStored(loop, asking);
        !changed.empty() && ((isOpen && !isFree(noted.body)) || !asksFirst(loop, changed)))
      return {};
    For ask = withBody(loop, withOwnArrays(asking, function_.buffers)), pass = withBody(loop, passing);
    pass.hi = var(first);
    const Stmt failing = substitute(withOwnArrays(loop.body, function_.buffers), {{loop.index, var(first)}});
    note(DiagId::Parallelised, s,
         "which iteration of loop `{}` raises first is found before it, and those up to it run in any order",
         loop.index.hint());
    return block({build.assign(first, maxOf(loop.lo, loop.hi)),
                  loops::asCopy(build.make(std::move(ask)), {first}), build.make(std::move(pass)),
                  build.when(var(first) < loop.hi, loops::asCopy(failing, assignedVars(failing)))});
  }

  /// What tells `first`: stores into arrays that are not the iteration's own are none of it.
  static Stmt asked(const Stmt& noted, const Symbol& first) {
    const std::set<Symbol> own = allocatedBuffers(noted);
    const Stmt kept = without(noted, [&](const Stmt& part) {
      const auto* store = part.as<Store>();
      return store && !own.count(store->buffer);
    });
    return replace<If>(withoutIdleScalars(kept, {first}), [](const If& branch, const Stmt& part) -> Stmt {
      if (!branch.otherwise || !statementsOf(branch.then).empty()) return {};
      return makeStmt(part->span, If{isNot(branch.cond), branch.otherwise, {}});
    });
  }

  /// What an iteration does that does not fail.
  static Stmt passed(const Stmt& s) {
    const auto fails = [](const Stmt& list) {
      return list && std::ranges::any_of(statementsOf(list), [](const Stmt& part) {
               const auto* check = part.as<Require>();
               return isCheck(part) && (!check || constantBool(check->cond) == false);
             });
    };
    if (isCheck(s) || isText(s)) return block({});
    if (const auto* branch = s.as<If>(); branch && fails(branch->then))
      return branch->otherwise ? passed(branch->otherwise) : block({});
    else if (branch && fails(branch->otherwise))
      return passed(branch->then);
    return mapChildren(s, passed);
  }

  /// Does it raise, of the program's own, what shows what it has stored so far?
  bool isSeen(const Stmt& body) const {
    return consistsOf<Block, Assign, Store, If, For, Alloc, Require, Print>(body) &&
           any<Require>(body, [](const Require& r) { return r.exception != "LinAlgError"; }) &&
           isSeenByCaller(body, function_) &&
           !anyStmt(body, [](const Stmt& s) { return s.is<Print>() && !isText(s) && !isCheck(s); });
  }

  static std::set<Symbol> askedAndStored(const For& loop, const Stmt& asking) {
    const std::set<Symbol> asked = loadedBuffers(asking), own = allocatedBuffers(loop.body);
    std::set<Symbol> changed = storedBuffers(loop.body);
    std::erase_if(changed, [&](const Symbol& array) { return !asked.count(array) || own.count(array); });
    return changed;
  }
  /// Do checks ask for elements of these that are their own iteration's alone, before they are stored?
  bool asksFirst(const For& loop, const std::set<Symbol>& changed) {
    const std::vector<Stmt> list = statementsOf(loop.body);
    if (const auto* inner = list.size() == 1 ? list[0].as<For>() : nullptr) {
      const analysis::Inside inside(known_, loop);
      const For steps = withBody(*inner, Noted(*inner, block({})).body);
      return analysis::judgeParallel(steps, known_, {}).isFree() && asksFirst(*inner, changed);
    }
    bool isStored = false;
    return asksFirst(loop.body, changed, isStored);
  }
  /// `isStored`: one has been, by what stands before.
  bool asksFirst(const Stmt& s, const std::set<Symbol>& changed, bool& isStored) {
    if (isCheck(s) || isText(s)) return !isStored;
    if (s.is<For>() && mayRaise(s)) return !isStored && !intersect(storedBuffers(s), changed);
    const bool wasStored = isStored;
    bool holds = true, isAfter = isStored;
    forEachChild(s, [&](const Stmt& child) {
      if (s.is<If>()) isStored = wasStored;
      holds = holds && asksFirst(child, changed, isStored);
      isAfter = isAfter || isStored;
    });
    isStored = isAfter || (s.is<Store>() && changed.count(s.as<Store>()->buffer) > 0);
    return holds;
  }
};

} // namespace

void findFailures(Function& f, PassContext& ctx) { f.body = Finding(f, ctx).visit(f.body); }

} // namespace appyc::transform
