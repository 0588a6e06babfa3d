//===- OneWorker.cpp - a run of statements as a kernel of one thread or one block --------------------===//
#include "OneWorker.h"
#include "WorkerMapping.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

/// The kernel's own copies of host scalars that it changes.
Stmt withOwnScalars(Stmt body, const std::set<Symbol>& before, const std::map<Symbol, DType>& types) {
  std::vector<Stmt> out;
  for (const Symbol& name : assignedVars(body)) {
    if (!before.count(name)) continue;
    Symbol own(name.hint());
    body = renameScalar(body, name, own);
    out.push_back(makeStmt(body->span, Assign{own, var(name, types.at(name))}));
  }
  out.push_back(std::move(body));
  return block(std::move(out));
}

/// Buffers that lanes update side by side.
std::set<Symbol> updatedByLanes(const Stmt& body) {
  std::set<Symbol> updated;
  visit(body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop || !isBound(*loop)) return true;
    each<Store>(s, [&](const Store& store) {
      if (store.atomicOp) updated.insert(store.buffer);
    });
    return false;
  });
  return updated;
}

/// The body of a kernel of one worker: an update outside the loops over lanes has nobody to compete with.
Stmt withPlainUpdates(const Stmt& s, const Function& f, const std::set<Symbol>& byLanes) {
  const auto* loop = s.as<For>();
  if (loop && isBound(*loop)) return s;
  const auto* store = s.as<Store>();
  if (!store) return mapChildren(s, [&](const Stmt& child) { return withPlainUpdates(child, f, byLanes); });
  if (!store->atomicOp || byLanes.count(store->buffer)) return s;
  const Buffer& buffer = f.buffer(store->buffer);
  Expr value = combine(*store->atomicOp, load(buffer, store->index), cast(buffer.type, store->value));
  return makeStmt(s->span, Store{store->buffer, store->index, value, {}});
}

/// A handful of plain iterations: to share them costs more in barriers than it saves.
bool isHandful(const For& loop) {
  constexpr int64_t handful = 8;
  const bool plain = loop.hints.mark == LoopMark::None && !has<For>(loop.body) && !has<While>(loop.body);
  return plain && constantTrip(loop).value_or(INT64_MAX) <= handful;
}

/// Scalars whose values the run may need as they are before it.
std::set<Symbol> valuesBefore(const Unit& unit, const Function& f, const analysis::Liveness& before) {
  const std::set<Symbol> elsewhere = definedBefore(f, unit);
  std::set<Symbol> live;
  for (const Symbol& name : before.before(unit.body[unit.sunk]))
    if (elsewhere.count(name)) live.insert(name);
  for (size_t i = 0; i < unit.sunk; ++i)
    for (const Symbol& name : assignedVars(unit.body[i])) live.erase(name);
  return live;
}

} // namespace

OneWorker oneWorker(const Unit& unit, const Function& f, const analysis::Liveness& live, PassContext& ctx) {
  Span span = unit.body.front()->span;
  Stmt body = unit.body.size() == 1 ? unit.body.front() : makeStmt(span, Block{unit.body});
  LaneLoops lanes = chooseLaneLoops(body, true);
  std::vector<const For*> sequential;
  int64_t longest = 0;
  bool hasUserSize = false, handfuls = true;
  visit(body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    if (loop && loop->hints.mark == LoopMark::Sequential) sequential.push_back(loop);
    if (loop) hasUserSize |= hasOwnSize(*loop);
    if (!loop || !lanes.count(s.get())) return true;
    longest = std::max(longest, constantTrip(*loop).value_or(INT64_MAX));
    const bool onlyOnce = std::find(unit.body.begin(), unit.body.end(), s) != unit.body.end();
    handfuls = handfuls && onlyOnce && isHandful(*loop);
    return true;
  });
  if (handfuls) lanes.clear();
  LaunchShape shape{{intConst(1), intConst(1), intConst(1)}, {1, 1, 1}};
  Stmt shared = body;
  if (!lanes.empty()) {
    // One warp is enough for loops that are no longer.
    shape.block[0] = longest <= cost::Device::warp && !hasUserSize
                         ? cost::Device::warp
                         : workerThreads(sequential, body, lanes, span, ctx);
    shared = shareAmongLanes(body, lanes, Scope::Block, live);
  }
  shared = withPlainUpdates(shared, f, updatedByLanes(shared));
  const bool hasLoop = has<For>(body) || has<While>(body);
  if (!lanes.empty())
    ctx.diag.report(DiagId::Parallelised, span,
                    fmt::format("one block of {} threads runs this", shape.block[0]));
  else if (hasLoop)
    ctx.diag.report(DiagId::KeptSerial, span, "one thread of the device runs this");
  return {shape, withOwnScalars(shared, valuesBefore(unit, f, live), assignedTypes(shared)), lanes};
}

} // namespace appyc::schedule
