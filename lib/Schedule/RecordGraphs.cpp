//===- RecordGraphs.cpp - serial loops of the host that only launch kernels become graphs -------------===//
#include "Bounds.h"
#include "Liveness.h"
#include "Units.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

class GraphRecording {
public:
  GraphRecording(const Function& f, PassContext& c) : live_(f), ctx_(c) {}

  Stmt visit(const Stmt& s) {
    if (s.is<Launch>()) return s;
    const auto* loop = s.as<For>();
    if (!loop && !s.is<While>()) return mapChildren(s, [&](const Stmt& child) { return visit(child); });
    if (loop && isReplayable(s, *loop) &&
        ctx_.choose(s->span, "graph", "true", {"true", "false"}) == "true") {
      For recorded = *loop;
      recorded.bind = Bind::Graph;
      ctx_.diag.report(DiagId::TimeLoop, s->span, remark(*loop));
      return makeStmt(s->span, std::move(recorded));
    }
    // Inside, a loop whose launches differ each time it is reached would be recorded each time.
    const std::set<Symbol> outer = varying_;
    varying_.merge(assignedVars(s));
    if (loop) varying_.insert(loop->index);
    Stmt inner = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    varying_ = outer;
    return inner;
  }

private:
  /// A body of launches, and of scalars and branches that are each iteration's own.
  bool isReplayable(const Stmt& s, const For& loop) const {
    bool plain = tripCount(loop) && loop.mark != LoopMark::Sequential, launches = false;
    ir::visit(loop.body, [&](const Stmt& part) {
      const auto* launch = part.as<Launch>();
      launches |= launch && launch->onDevice;
      plain &= part.is<Block>() || part.is<Assign>() || part.is<If>() || part.is<Group>() ||
               (launch && launch->onDevice);
      return plain && !launch;
    });
    if (!plain || !launches || mentionsAny(s, varying_)) return false;
    std::set<Symbol> passedOn = live_.before(loop.body);
    passedOn.insert(live_.after(s).begin(), live_.after(s).end());
    return !intersect(assignedByHost(loop.body), passedOn);
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

  Liveness live_;
  PassContext& ctx_;
  std::set<Symbol> varying_; ///< what the loops around change
};

} // namespace

Module recordGraphs(const Module& module, PassContext& ctx) {
  Module result = module;
  for (Function& function : result.functions)
    function.body = GraphRecording(function, ctx).visit(function.body);
  return result;
}

} // namespace appyc::schedule
