//===- StepWork.cpp - how much the kernels of one step of a loop do -------------------------------------===//
#include "appyc/Cost/StepWork.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Counting.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace appyc::cost {
using namespace ir;

namespace {

bool isOfGrid(const For* loop) { return loop->mapping.is<PerBlock, PerWarp, PerThread>(); }

class StepWork {
public:
  /// `steps`: the loop around, over all of whose iterations it is; null for that of one.
  explicit StepWork(const For* steps) : steps_(steps) {}
  void add(const Launch& kernel);
  Expr total() const;

private:
  using Loops = std::vector<const For*>;
  void walk(const Stmt& s, Loops& loops, std::vector<Expr>& loaded);
  void count(int64_t units, const Loops& loops);
  int64_t unitsOf(const Stmt& s, const Loops& loops, std::vector<Expr>& loaded) const;
  Expr mostTripsOf(const For& loop, const Loops& around) const;

  const For* steps_;
  std::set<Symbol> own_; ///< scalars of the kernels
  struct Term {
    Expr iterations;
    int64_t units;
  };
  std::map<std::string, Term> terms_; ///< by how the iterations are written
  bool known_ = true;
};

/// What the statement itself does; an element that is named twice is loaded once.
int64_t StepWork::unitsOf(const Stmt& s, const Loops& loops, std::vector<Expr>& loaded) const {
  const Symbol lane = laneOf(loops);
  int64_t units = s.is<Collective>() ? cost::Device::foldOfWarp : 0;
  if (const auto* store = s.as<Store>()) units += unitsOfAccess(store->index, lane);
  forEachExpr(s, [&](const Expr& e) { units += unitsOfExpr(e, lane, loaded); });
  return units;
}

/// The trip count, at most, in terms of what the host knows when the steps begin.
Expr StepWork::mostTripsOf(const For& loop, const Loops& around) const {
  Loops outer;
  if (steps_) outer.push_back(steps_);
  outer.insert(outer.end(), around.begin(), around.end());
  std::set<Symbol> unknown = own_;
  for (const For* each : outer) unknown.insert(each->index);
  return mostTrips(loop, outer, unknown);
}

void StepWork::count(int64_t units, const Loops& loops) {
  if (units == 0 || std::none_of(loops.begin(), loops.end(), isOfGrid)) return;
  Expr iterations = intConst(1);
  for (size_t i = 0; i < loops.size(); ++i) {
    const Expr trips = mostTripsOf(*loops[i], Loops(loops.begin(), loops.begin() + static_cast<long>(i)));
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
  forEachExpr(s, [&](const Expr& e) { known_ &= !callsLoop(e); });
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

/// Scalars of a step stand for their values.
Expr workOf(const For& loop, const For* steps) {
  std::map<Symbol, Expr> values;
  StepWork work(steps);
  ir::visit(loop.body, [&](const Stmt& part) {
    if (const auto* a = part.as<Assign>()) values[a->var] = substitute(a->value, values);
    const auto* kernel = part.as<Launch>();
    if (kernel) work.add(*substitute(part, values).as<Launch>());
    return !kernel;
  });
  return work.total();
}

} // namespace

Expr workOfSteps(const For& steps) { return workOf(steps, &steps); }
Expr workOfStep(const For& steps) { return workOf(steps, nullptr); }

} // namespace appyc::cost
