//===- OverlapLaunches.cpp - kernels of host loops are started before the ones before them have ended ------===//
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Schedule/Passes.h"
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

bool isPlainKernel(const Launch& launch) { return launch.onDevice && !launch.cluster; }

/// Whether the start of a kernel may hide behind another one: a loop of the host that launches kernels.
bool launchesInTurn(const Stmt& s) {
  if (!s.is<For>() && !s.is<While>()) return false;
  bool found = false;
  visit(s, [&](const Stmt& part) {
    const auto* launch = part.as<Launch>();
    found |= launch && isPlainKernel(*launch);
    return !found && !launch;
  });
  return found;
}

Stmt withOverlaps(const Stmt& s) {
  return rewrite(s, [](const Stmt& part) -> Stmt {
    const auto* launch = part.as<Launch>();
    if (!launch) return {};
    if (!isPlainKernel(*launch)) return part;
    Launch early = *launch;
    early.overlaps = true;
    return makeStmt(part->span, std::move(early));
  });
}

Stmt overlapIn(const Stmt& s, PassContext& ctx) {
  if (s.is<Launch>()) return s;
  if (!launchesInTurn(s)) return mapChildren(s, [&](const Stmt& child) { return overlapIn(child, ctx); });
  if (ctx.choose(s->span, "overlap", "true", {"true", "false"}) != "true") return s;
  ctx.diag.report(
      DiagId::TimeLoop, s->span,
      "each launch of this loop may begin while the kernel before it ends (compute capability 9.0 "
      "and newer; about 0.3 us less a launch)");
  return withOverlaps(s);
}

} // namespace

Module overlapLaunches(const Module& module, PassContext& ctx) {
  Module result = module;
  for (Function& function : result.functions) function.body = overlapIn(function.body, ctx);
  return result;
}

} // namespace appyc::schedule
