//===- OverlapLaunches.cpp - kernels of host loops are started before the ones before them have ended ------===//
#include "appyc/Cost/Device.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

/// The kernels whose start may hide behind another one, by name: those of loops of the host, and of rows.
void findKernels(const Stmt& s, PassContext& ctx, std::set<std::string>& names) {
  if (s.is<Launch>()) return;
  const auto* loop = s.as<For>();
  if (!loop && !s.is<While>())
    return forEachChild(s, [&](const Stmt& child) { findKernels(child, ctx, names); });
  std::set<std::string> own;
  visit(s, [&](const Stmt& part) {
    const auto* launch = part.as<Launch>();
    if (launch && launch->body && launch->how == Launch::Plain) own.insert(launch->name);
    return !launch;
  });
  const char* byDefault = ctx.device.overlapsLaunches ? "true" : "false";
  if (own.empty() || ctx.choose(s->span, "overlap", byDefault, {"true", "false"}) != "true") return;
  ctx.diag.report(DiagId::TimeLoop, s->span,
                  fmt::format("each launch of this {} may begin while the kernel before it ends (compute "
                              "capability 9.0 and newer; about 0.3 us less a launch)",
                              loop && isRow(*loop) ? "row" : "loop"));
  names.merge(own);
}

} // namespace

void overlapLaunches(Function& function, PassContext& ctx) {
  std::set<std::string> names;
  findKernels(function.body, ctx, names);
  // A kernel that waits may be launched early anywhere, as the steps that a tiled loop leaves over are.
  function.body = replace<Launch>(function.body, [&](const Launch& launch, const Stmt& s) -> Stmt {
    if (launch.how != Launch::Plain || !names.count(launch.name)) return {};
    Launch early = launch;
    early.how = Launch::Overlapping;
    return makeStmt(s->span, std::move(early));
  });
}

} // namespace appyc::schedule
