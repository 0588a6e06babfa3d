//===- StepWork.cpp - how much the kernels of one step of a loop do -------------------------------------===//
#include "StepWork.h"
#include "RedundantWork.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kFold = 64; ///< of a warp

bool isOfGrid(const For& loop) {
  return loop.mapping.bind == Bind::Grid || loop.mapping.bind == Bind::Global ||
         loop.mapping.bind == Bind::Warp;
}
bool isOfLanes(const For& loop) {
  return loop.mapping.axis == Axis::X &&
         (loop.mapping.bind == Bind::Thread || loop.mapping.bind == Bind::Lane ||
          loop.mapping.bind == Bind::Global);
}

Symbol laneOf(const std::vector<const For*>& loops) {
  for (auto it = loops.rbegin(); it != loops.rend(); ++it)
    if (isOfLanes(**it)) return (*it)->index;
  return {};
}

} // namespace

/// What the statement itself does; an element that is named twice is loaded once.
int64_t StepWork::unitsOf(const Stmt& s, const Loops& loops, std::vector<Expr>& loaded) const {
  const Symbol lane = laneOf(loops);
  int64_t units = s.is<Collective>() ? kFold : 0;
  if (const auto* store = s.as<Store>()) units += unitsOfAccess(store->index, lane);
  forEachExpr(s, [&](const Expr& e) {
    visit(e, [&](const Expr& part) {
      const auto* l = part.as<Load>();
      if (!l) return units += unitsOfOperation(part), true;
      if (std::any_of(loaded.begin(), loaded.end(), [&](const Expr& known) { return equal(known, part); }))
        return false;
      loaded.push_back(part);
      return units += unitsOfAccess(l->index, lane), false;
    });
  });
  return units;
}

/// The trip count, at most, in terms of what the host knows when the steps begin.
Expr StepWork::mostTrips(const For& loop, const Loops& around) const {
  Loops outer{steps_};
  outer.insert(outer.end(), around.begin(), around.end());
  std::set<Symbol> unknown = own_;
  for (const For* each : outer) unknown.insert(each->index);
  const auto most = [&](const For& bounds) {
    const Expr trips = tripCount(bounds);
    const Expr bound = trips ? analysis::upperBound(trips, outer) : Expr();
    return bound && !readsMemory(bound) && !mentionsAny(bound, unknown) ? bound : Expr();
  };
  if (const Expr bound = most(loop)) return bound;
  const auto* least = loop.hi.as<Binary>(); // a chunk ends where the array does
  if (!least || least->op != BinaryOp::Min) return {};
  for (const Expr& end : {least->lhs, least->rhs}) {
    For part = loop;
    part.hi = end;
    if (const Expr bound = most(part)) return bound;
  }
  return {};
}

void StepWork::count(int64_t units, const Loops& loops) {
  if (units == 0 || std::none_of(loops.begin(), loops.end(), [](const For* l) { return isOfGrid(*l); }))
    return;
  Expr iterations = intConst(1);
  for (size_t i = 0; i < loops.size(); ++i) {
    const Expr trips = mostTrips(*loops[i], Loops(loops.begin(), loops.begin() + static_cast<long>(i)));
    known_ &= bool(trips);
    if (!trips) return;
    iterations = iterations * trips;
  }
  const auto [term, isNew] = terms_.try_emplace(print(iterations), Term{iterations, 0});
  term->second.units += units;
}

void StepWork::walk(const Stmt& s, Loops& loops, std::vector<Expr>& loaded) {
  if (!s) return;
  known_ &= !s.is<While>();
  const auto* loop = s.as<For>();
  count(unitsOf(s, loops, loaded), loops);
  if (!loop) return forEachChild(s, [&](const Stmt& child) { walk(child, loops, loaded); });
  std::vector<Expr> inside;
  loops.push_back(loop);
  walk(loop->body, loops, inside);
  loops.pop_back();
}

void StepWork::add(const Launch& kernel) {
  own_.merge(assignedVars(kernel.body));
  Loops loops;
  std::vector<Expr> loaded;
  walk(kernel.body, loops, loaded);
}

Expr StepWork::total() const {
  if (!known_) return {};
  Expr sum = intConst(0);
  for (const auto& [text, term] : terms_) sum = sum + term.iterations * term.units;
  return sum;
}

} // namespace appyc::schedule
