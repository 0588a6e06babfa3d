//===- RecordGraphs.cpp - what only launches kernels on the host, loops and rows of them, becomes graphs ----===//
#include "Units.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

class GraphRecording : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  /// The function's body: launches in a row are recorded, too.
  Stmt visitBody(const Stmt& body) {
    std::vector<Stmt> result;
    std::vector<Stmt> row;
    const auto finish = [&] {
      const std::vector<Stmt> done = recordRow(std::exchange(row, {}));
      result.insert(result.end(), done.begin(), done.end());
    };
    for (const Stmt& s : statementsOf(body)) {
      if (isPlain(s) && (!row.empty() || mostLaunches(s) > 0)) {
        row.push_back(s);
        continue;
      }
      if (!row.empty() && s.is<Require>() && mayPrecede(s, row)) {
        result.push_back(s);
        continue;
      }
      finish();
      result.push_back(visit(s));
    }
    finish();
    return block(std::move(result));
  }

  Stmt visit(const Stmt& s) {
    if (s.is<Launch>()) return s;
    if (s.is<If>() && !inLoop_)
      return mapChildren(s, [&](const Stmt& child) { return child ? visitBody(child) : child; });
    const auto* loop = s.as<For>();
    if (!loop && !s.is<While>()) return mapChildren(s, [&](const Stmt& child) { return visit(child); });
    if (loop && isReplayable(s, *loop) &&
        ctx_.choose(s->span, "graph", "true", {"true", "false"}) == "true") {
      For recorded = *loop;
      recorded.mapping = Recorded{};
      ctx_.diag.report(DiagId::TimeLoop, s->span, remark(*loop));
      return makeStmt(s->span, std::move(recorded));
    }
    // Inside, a loop whose launches differ each time it is reached would be recorded each time.
    const std::set<Symbol> outer = varying_;
    const bool wasInLoop = std::exchange(inLoop_, true);
    if (loop) varying_.insert(loop->index);
    addVarying(s);
    Stmt inner = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    varying_ = outer;
    inLoop_ = wasInLoop;
    return inner;
  }

private:
  /// What the host sets in a loop, but for what is the same in each iteration: set once, by what does not vary.
  void addVarying(const Stmt& loop) {
    std::map<Symbol, std::vector<Expr>> values;
    std::set<Symbol> open;
    ir::visit(loop, [&](const Stmt& s) {
      if (const auto* a = s.as<Assign>()) values[a->var].push_back(a->value);
      if (const auto* fetch = s.as<Fetch>()) open.insert(fetch->var);
      return !s.is<Launch>();
    });
    for (const auto& [var, given] : values)
      if (given.size() > 1 || readsMemory(given.front())) open.insert(var);
    varying_.merge(open);
    for (size_t count = 0; count != varying_.size();) {
      count = varying_.size();
      for (const auto& [var, given] : values)
        if (mentionsAny(given.front(), varying_)) varying_.insert(var);
    }
  }

  /// Launches, and scalars and branches around them.
  static bool isPlain(const Stmt& s) {
    bool plain = true;
    ir::visit(s, [&](const Stmt& part) {
      const auto* launch = part.as<Launch>();
      const auto* routine = part.as<Routine>();
      plain &= part.is<Block>() || part.is<Assign>() || part.is<If>() ||
               (launch && launch->how != Launch::ByHost) || (routine && info(routine->name).launches > 0);
      return plain && !launch;
    });
    return plain;
  }

  /// A check of the call that says the same before the row: what the caller sees is not written in between.
  bool mayPrecede(const Stmt& check, const std::vector<Stmt>& row) const {
    return std::all_of(row.begin(), row.end(), [&](const Stmt& s) {
      return !mentionsAny(check, assignedVars(s)) && !intersect(storedBuffers(s), given_);
    });
  }

  /// The row, as a loop of one iteration bound to graphs where that pays: the host makes few launches in the time
  /// in which it starts a graph.
  std::vector<Stmt> recordRow(const std::vector<Stmt>& row) {
    const auto fewLaunches = static_cast<int64_t>(ctx_.device.graphStart / ctx_.device.launch);
    // What comes after the last launch is none of the graph's.
    size_t size = row.size();
    while (size > 0 && mostLaunches(row[size - 1]) == 0) --size;
    const std::vector<Stmt> launches(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(size));
    const Stmt body = block(launches);
    const int64_t count = mostLaunches(body);
    // The host may choose a path of few launches, which needs no graph.
    if (count > fewLaunches && leastLaunches(body) <= fewLaunches) {
      std::vector<Stmt> own;
      for (const Stmt& s : row) own.push_back(visit(s));
      return own;
    }
    if (count <= fewLaunches || passesOn(body, launches.front(), launches.back()) ||
        ctx_.choose(launches.front()->span, "graph", "true", {"true", "false"}) != "true")
      return row;
    For once = serialLoop(Symbol("once"), intConst(0), intConst(1), intConst(1), body);
    once.mapping = Recorded{};
    const Span span = launches.front()->span;
    ctx_.diag.report(DiagId::TimeLoop, span,
                     fmt::format("{} launches in a row: recorded as a CUDA graph for each set of arguments, "
                                 "which the host starts in less time",
                                 count));
    std::vector<Stmt> result{makeStmt(span, std::move(once))};
    result.insert(result.end(), row.begin() + static_cast<std::ptrdiff_t>(size), row.end());
    return result;
  }

  /// A body of launches, and of scalars and branches that are each iteration's own.
  /// There are few of these, which take long.
  static bool isResident(const Launch& launch) { return launch.how == Launch::Resident; }

  bool isReplayable(const Stmt& s, const For& loop) const {
    if (!tripCount(loop) || loop.hints.mark == LoopMark::Sequential || !isPlain(loop.body) ||
        mostLaunches(loop.body) == 0 || mentionsAny(s, varying_) || any<Launch>(loop.body, isResident))
      return false;
    return !passesOn(loop.body, loop.body, s);
  }

  /// Whether the host's scalars of `body` come from before `first`, or are read after `last`.
  bool passesOn(const Stmt& body, const Stmt& first, const Stmt& last) const {
    const std::set<Symbol> assigned = assignedByHost(body);
    return intersect(assigned, live_.before(first)) || intersect(assigned, live_.after(last));
  }

  static std::string remark(const For& loop) {
    const int64_t launches = mostLaunches(loop.body);
    const std::string what =
        fmt::format("{}{} launch{} an iteration of `{}`", hasBranch(loop) ? "up to " : "", launches,
                    launches == 1 ? "" : "es", loop.index.hint());
    return mentions(loop)
               ? what + ": recorded as one CUDA graph for each set of arguments, as they depend on the index"
               : what + ": a CUDA graph of some iterations is recorded and replayed (about 1.1 us a launch)";
  }
  static bool hasBranch(const For& loop) {
    bool found = false;
    ir::visit(loop.body, [&](const Stmt& part) {
      found |= part.is<If>();
      return !part.is<Launch>();
    });
    return found;
  }
  static bool mentions(const For& loop) { return mentionsAny(loop.body, {loop.index}); }

  const std::set<Symbol> given_ = namesOf(function_.params);
  std::set<Symbol> varying_; ///< what the loops around change
  bool inLoop_ = false;
};

} // namespace

void recordGraphs(Function& f, PassContext& ctx) { f.body = GraphRecording(f, ctx).visitBody(f.body); }

} // namespace appyc::schedule
