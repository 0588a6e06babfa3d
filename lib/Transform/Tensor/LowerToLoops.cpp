//===- LowerToLoops.cpp - index statements become loop nests ----------------------------------------===//
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"

namespace appyc::transform {

namespace {

using ir::Stmt;

/// Counts of threads are a device's.
Stmt withoutThreads(const Stmt& s) {
  const auto* loop = s.as<ir::For>();
  if (!loop || !loop->hints.threads) return {};
  ir::For open = *loop;
  open.hints.threads = {};
  return ir::makeStmt(s->span, std::move(open));
}

} // namespace

void lowerToLoops(ir::Function& f, ir::PassContext& ctx) {
  f.body = ir::rewrite(f.body, ir::asLoops);
  if (!ctx.cuda) f.body = ir::rewrite(f.body, withoutThreads);
}

} // namespace appyc::transform
