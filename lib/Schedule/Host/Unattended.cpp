//===- Unattended.cpp - while loops whose steps need nothing from the host -------------------------------===//
// The host waits 11 us for a number (an H100, a step of one kernel, by hand: 15.3 us; of three 24.1); a graph that repeats
// itself while a word of the device is set takes 5.8 and 9.0.
#include "Unattended.h"
#include "Units.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMostTrips = 16; ///< of a loop in a step, all of which a graph records

class Steps {
public:
  Steps(const While& loop, const std::set<Symbol>& deviceScalars, const std::set<Symbol>& after)
      : loop_(loop), varying_(deviceScalars), carried_(analysis::exposedScalars(loop.body)) {
    carried_.insert(after.begin(), after.end());
    carried_.merge(freeVars(loop.cond));
  }

  std::optional<std::set<Symbol>> moved() {
    if (!readsMemory(loop_.cond) && !mentionsAny(loop_.cond, varying_)) return {}; // the host knows
    for (size_t known = 0;; known = moved_.size()) {
      nests_ = 0;
      if (!mayRepeat(statementsOf(loop_.body)) || nests_ == 0) return {};
      if (moved_.size() == known) return moved_;
    }
  }

private:
  bool isFixed(const Expr& e) const { return !readsMemory(e) && !mentionsAny(e, varying_); }
  bool hasFixedBounds(const For& loop) const {
    return isFixed(loop.lo) && isFixed(loop.hi) && isFixed(loop.step);
  }

  bool mayRepeat(const std::vector<Stmt>& list) {
    return std::ranges::all_of(unitsOf(list, varying_), [&](const Unit& unit) {
      if (unit.kind == Unit::Host) return mayRepeat(unit.body.front());
      if (unit.kind == Unit::Run) return true;
      ++nests_;
      // How many blocks there are, the host says.
      const loops::Nest nest = loops::perfectNest(
          unit.body.front(), [](const For& loop, const auto&) { return isParallel(loop); });
      return hasFixedBounds(*nest.loops.front()) && std::ranges::none_of(nest.loops, [&](const For* loop) {
               return mentionsAny(loop->lo, varying_) || mentionsAny(loop->hi, varying_);
             });
    });
  }
  bool mayRepeat(const Stmt& s) {
    if (const auto* a = s.as<Assign>()) {
      if (!isFixed(a->value) || carried_.count(a->var)) moved_.insert(a->var), varying_.insert(a->var);
      return true;
    }
    if (const auto* loop = s.as<For>())
      return constantTrip(*loop).value_or(kMostTrips + 1) <= kMostTrips &&
             mayRepeat(statementsOf(loop->body));
    if (const auto* branch = s.as<If>())
      return isFixed(branch->cond) && mayRepeat(statementsOf(branch->then)) &&
             (!branch->otherwise || mayRepeat(statementsOf(branch->otherwise)));
    if (const auto* made = s.as<Alloc>())
      return std::ranges::all_of(made->buffer.extents, [&](const Expr& e) { return isFixed(e); });
    return false;
  }

  const While& loop_;
  std::set<Symbol> varying_; ///< what the host cannot know in a step
  std::set<Symbol> carried_, moved_;
  int nests_ = 0;
};

} // namespace

std::optional<std::set<Symbol>> scalarsIfUnattended(const While& loop, const std::set<Symbol>& deviceScalars,
                                                    const std::set<Symbol>& after) {
  return Steps(loop, deviceScalars, after).moved();
}

} // namespace appyc::schedule
