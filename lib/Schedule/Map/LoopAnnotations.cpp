//===- LoopAnnotations.cpp - the chosen mapping as the pragmas of the source's loops -----------------===//
#include "LoopAnnotations.h"
#include "appyc/IR/Rewrite.h"

namespace appyc::schedule {
using namespace cost;
using namespace ir;

void LoopAnnotations::note(Kernel& kernel, const For& loop, bool Roles::*role) {
  for (Span span : loop.hints.origins) {
    Roles& roles = kernel[span.begin];
    roles.statement = span;
    roles.*role = true;
  }
}

void LoopAnnotations::noteLanes(Kernel& kernel, const Stmt& body, const LaneLoops& lanes, bool Roles::*role) {
  visit(body, [&](const Stmt& s) {
    if (lanes.count(s.get())) note(kernel, *s.as<For>(), role);
    return true;
  });
}

void LoopAnnotations::addNest(const Nest& nest, const NestMapping& mapping, bool open) {
  Kernel kernel;
  for (const For* loop : nest.loops) {
    note(kernel, *loop, &Roles::parallel);
    // On one of several loops `simd` would say which axis neighbouring threads take; that is left to the
    // cost.
    if (mapping.kind == NestMapping::Threads && nest.loops.size() == 1) note(kernel, *loop, &Roles::simd);
  }
  noteLanes(kernel, nest.body, mapping.lanes, open ? &Roles::parallel : &Roles::simd);
  all_.merge(kernel);
}

void LoopAnnotations::addRun(const std::vector<Stmt>& body, const LaneLoops& lanes) {
  Kernel kernel;
  for (const Stmt& s : body) {
    const auto* loop = s.as<For>();
    if (loop) note(kernel, *loop, lanes.count(s.get()) ? &Roles::parallel : &Roles::sequential);
    noteLanes(kernel, s, lanes, &Roles::simd);
  }
  all_.merge(kernel);
}

void LoopAnnotations::writeTo(Annotations& annotations) const {
  for (const auto& [place, roles] : all_) {
    const char* words = roles.sequential               ? "sequential for"
                        : roles.parallel && roles.simd ? "parallel for simd"
                        : roles.parallel               ? "parallel for"
                                                       : "simd";
    annotations.add(roles.statement, std::string("#pragma ") + words);
  }
}

} // namespace appyc::schedule
