//===- Units.cpp - which statements of a function run on the host and which become kernels ----------===//
#include "Units.h"
#include "Unattended.h"
#include "appyc/Analysis/Effects.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace appyc::schedule {
using namespace ir;

/// So few points that one block does them while a kernel would still be starting.
static bool isSmall(const For& loop) {
  constexpr int64_t fewPoints = 2 * cost::Device::warp;
  auto count = constantTrip(loop);
  if (!count) return false;
  int64_t points = *count;
  visit(loop.body, [&](const Stmt& s) {
    bool runsOn = s.is<While>();
    forEachExpr(s, [&](const Expr& e) { runsOn |= callsLoop(e); });
    if (runsOn) points = fewPoints + 1;
    if (const auto* inner = s.as<For>()) {
      auto trip = constantTrip(*inner);
      points = trip && *trip <= fewPoints && points <= fewPoints ? points * *trip : fewPoints + 1;
    }
    return true;
  });
  return points <= fewPoints;
}

bool needsHost(const Stmt& s) {
  bool needs = false;
  visit(s, [&](const Stmt& part) {
    needs |= part.is<Require>() || part.is<Print>() || part.is<Return>() || part.is<Launch>() ||
             part.is<Fetch>() || part.is<Swap>() || part.is<MatMul>() || part.is<Routine>();
    const auto* loop = part.as<For>();
    if (!loop) return !needs;
    if (isParallel(*loop)) needs |= loop->reductions.empty() && !isSmall(*loop);
    return !needs && loop->hints.mark != LoopMark::Sequential && !isParallel(*loop);
  });
  return needs;
}

bool hasOneBlock(const Launch& kernel) {
  return std::ranges::all_of(kernel.shape.grid, [](const Expr& e) { return !e || isConst(e, 1); });
}

bool isOfHost(const Stmt& s) {
  const auto* loop = s.as<For>();
  return !(loop && isParallel(*loop)) && (!(loop || s.is<While>()) || needsHost(s));
}

bool Unit::assigns(const Symbol& s) const {
  for (const Stmt& part : body)
    if (assignedVars(part).count(s)) return true;
  return false;
}

/// Reads or writes an array or one of `scalars`.
static bool touches(const Stmt& s, const std::set<Symbol>& scalars) {
  return !loadedBuffers(s).empty() || !storedBuffers(s).empty() || mentionsAny(s, scalars);
}

namespace {
struct Grouping {
  const std::set<Symbol>& deviceScalars;
  std::vector<Unit> units;
  std::vector<Stmt> run;
  std::set<Symbol> registers; ///< scalars the current run has assigned

  void flush() {
    if (!run.empty()) units.push_back({Unit::Run, std::move(run), 0});
    run.clear();
    registers.clear();
  }
  void append(Unit::Kind kind, const Stmt& s) {
    flush();
    units.push_back({kind, {s}, 0});
  }
  bool readsRegister(const Stmt& s) const {
    return any<Var>(s, [&](const Var& v) { return registers.count(v.name) > 0; });
  }
  /// May the host do `s` before the current run?
  bool commutes(const Stmt& s) const {
    if (s.is<Alloc>()) return !readsRegister(s);
    // Scalars alone, in loops, too: where these stood between, what the run has in registers would not reach its end.
    const std::set<Symbol> assigned = assignedVars(s);
    return std::none_of(run.begin(), run.end(),
                        [&](const Stmt& part) { return mentionsAny(part, assigned); });
  }
  /// May the nest `s` run before the current run? Then the run can go on behind it, and one kernel is saved.
  bool goesFirst(const Stmt& s) const {
    const analysis::Effects own = analysis::effectsOf(s);
    return std::none_of(run.begin(), run.end(), [&](const Stmt& earlier) {
      return analysis::mayConflict(analysis::effectsOf(earlier), own);
    });
  }
  void add(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (s.is<Require>() || s.is<Print>() || s.is<Return>() || s.is<Launch>() || s.is<Fetch>() ||
        s.is<Swap>() || s.is<MatMul>() || s.is<Routine>())
      return append(Unit::Host, s);
    if (loop && isParallel(*loop) && needsHost(s)) {
      if (!goesFirst(s)) flush();
      units.push_back({Unit::Nest, {s}, 0});
      return;
    }
    if (needsHost(s)) return append(Unit::Host, s);
    // What a loop or branch may set anew goes where it was set: the run's end has one value, whichever that is.
    const bool maySetRegister = !s.is<Assign>() && intersect(assignedVars(s), registers);
    if (!s.is<Alloc>() && (touches(s, deviceScalars) || readsRegister(s) || maySetRegister)) {
      run.push_back(s);
      registers.merge(assignedVars(s));
    } else if (commutes(s)) {
      units.push_back({Unit::Host, {s}, 0});
    } else {
      append(Unit::Host, s);
    }
  }
};

struct DeviceScalars {
  const analysis::Liveness& live;
  std::set<Symbol> found;

  void searchAll(const Stmt& body) {
    size_t known;
    do {
      known = found.size();
      search(statementsOf(body));
    } while (found.size() != known); // a scalar computed from a device scalar is one as well
  }
  void search(const std::vector<Stmt>& list) {
    for (const Unit& unit : unitsOf(list, found)) {
      if (unit.kind == Unit::Host) {
        forEachChild(unit.body.front(), [&](const Stmt& child) { search(statementsOf(child)); });
        continue;
      }
      const std::set<Symbol>& after = live.after(unit.body.back());
      for (const Stmt& s : unit.body)
        for (const Symbol& name : assignedVars(s))
          if (after.count(name)) found.insert(name);
    }
  }
};
} // namespace

std::vector<Unit> unitsOf(const std::vector<Stmt>& list, const std::set<Symbol>& deviceScalars) {
  Grouping grouping{deviceScalars, {}, {}, {}};
  for (const Stmt& s : list) grouping.add(s);
  grouping.flush();
  return std::move(grouping.units);
}

void sinkScalars(std::vector<Unit>& units, const analysis::Liveness& live) {
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i].kind != Unit::Run) continue;
    std::set<Symbol> used, changed; // between the candidate and the run
    for (size_t k = i; k-- > 0 && units[k].kind != Unit::Run;) {
      Stmt s = units[k].body.empty() ? Stmt() : units[k].body.front();
      if (!s) continue;
      const auto* a = s.as<Assign>();
      bool moves = a && units[i].assigns(a->var) && !live.after(units[i].body.back()).count(a->var) &&
                   !used.count(a->var) && !mentionsAny(a->value, changed);
      if (moves) {
        units[i].body.insert(units[i].body.begin(), s);
        ++units[i].sunk;
        units[k].body.clear();
      }
      if (needsHost(s) && units[k].kind == Unit::Host) break;
      if (moves) continue;
      changed.merge(assignedVars(s));
      used.merge(assignedVars(s));
      used.merge(readScalars(s));
    }
  }
}

std::set<Symbol> findDeviceScalars(const Function& function, const analysis::Liveness& live) {
  DeviceScalars scalars{live, {}};
  scalars.searchAll(function.body);
  std::set<Symbol> counted; // in loops that the host need not attend
  visit(function.body, [&](const Stmt& s) {
    if (const auto* loop = s.as<While>())
      counted.merge(scalarsIfUnattended(*loop, scalars.found, live.after(s)).value_or(std::set<Symbol>()));
    return s.is<Block>() || s.is<If>() || needsHost(s);
  });
  if (counted.empty()) return scalars.found;
  scalars.found.merge(counted);
  scalars.searchAll(function.body);
  return scalars.found;
}

/// What a statement defines before it comes to the unit, and all of a loop that the unit is in; is it in the statement?
static bool addDefined(const Stmt& s, const Unit& unit, std::set<Symbol>& defined) {
  if (!s) return false;
  const auto isOwn = [&](const Stmt& part) { return std::ranges::find(unit.body, part) != unit.body.end(); };
  if (s == unit.body[unit.sunk]) return true;
  if (isOwn(s)) return false;
  bool isIn = false;
  if (s.is<Assign>() || s.is<Fetch>()) defined.merge(assignedVars(s));
  if (const auto* branch = s.as<If>()) {
    std::set<Symbol> then, otherwise;
    const bool inThen = addDefined(branch->then, unit, then),
               inOther = addDefined(branch->otherwise, unit, otherwise);
    if (!inOther) defined.merge(then);
    if (!inThen) defined.merge(otherwise);
    return inThen || inOther;
  }
  forEachChild(s, [&](const Stmt& child) { isIn = isIn || addDefined(child, unit, defined); });
  if (isIn && (s.is<For>() || s.is<While>()))
    visit(s, [&](const Stmt& part) {
      if (!isOwn(part) && (part.is<Assign>() || part.is<Fetch>())) defined.merge(assignedVars(part));
      return !isOwn(part);
    });
  return isIn;
}

std::set<Symbol> definedBefore(const Function& function, const Unit& unit) {
  std::set<Symbol> defined = namesOf(function.params);
  addDefined(function.body, unit, defined);
  return defined;
}

Expr clampBlocks(const Expr& blocks) { return minOf(maxOf(blocks, 1), cost::Device::blocksOfGrid); }

Stmt nameKernels(const Stmt& body, const std::string& entry) {
  std::map<std::string, int> numbers;
  int kernels = 0;
  each<Launch>(body, [&](const Launch& l) {
    if ((l.name.empty() || numbers.emplace(l.name, kernels + 1).second)) ++kernels;
  });
  int next = 1;
  return rewrite(body, [&](const Stmt& s) -> Stmt {
    const auto* l = s.as<Launch>();
    if (!l || !l->body) return {}; // one of the user's has its name
    Launch named = *l;
    const int number = l->name.empty() ? next++ : numbers.at(l->name);
    named.name = kernels == 1 ? entry + "_kernel" : fmt::format("{}_kernel{}", entry, number);
    return makeStmt(s->span, std::move(named));
  });
}
void replaceBody(Function& f, const Stmt& body) {
  if (!(body == f.body)) f.body = nameKernels(body, f.entry);
}

Stmt withOwnKernels(const Stmt& s, const char* suffix) {
  return replace<Launch>(s, [&](const Launch& launch, const Stmt& part) {
    Launch own = launch;
    own.name += suffix;
    return makeStmt(part->span, std::move(own));
  });
}

} // namespace appyc::schedule
