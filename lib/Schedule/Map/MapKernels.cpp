//===- MapKernels.cpp - parallel nests and device code become kernels -------------------------------===//
// Every loop over workers or threads is grid-stride, so each grid size is right, but for loops over workers
// of which there are few whatever the sizes: those have a block each. Sizes are chosen from trip counts
// alone, never from the device, so that results do not depend on where the program runs.
#include "LoopAnnotations.h"
#include "Units.h"
#include "WorkerMapping.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

LaunchShape oneThread() { return {{intConst(1), intConst(1), intConst(1)}, {1, 1, 1}}; }

class KernelMapping {
public:
  KernelMapping(const Function& f, PassContext& c) : function_(f), ctx_(c), live_(f) {}
  Function run();

private:
  Stmt mapList(const std::vector<Stmt>& list);
  Stmt mapHost(const Stmt& s);
  void sinkScalars(std::vector<Unit>& units);
  Stmt launch(Span span, const LaunchShape& shape, Stmt body);

  // One kernel of many workers.
  Stmt mapNest(const Stmt& s);
  Stmt mapThreads(const Nest& nest, const NestMapping& mapping);
  Stmt mapWorkers(const Nest& nest, const NestMapping& mapping);
  std::vector<For> atMostThree(const Nest& nest, std::vector<Stmt>& prologue);
  Expr blocksFor(const Nest& nest, const For& loop, int perBlock) const;
  bool hasBlockEach(const Nest& nest, const For& loop) const;

  // One kernel of one worker.
  Stmt mapRun(const Unit& unit);
  std::set<Symbol> valuesBefore(const Unit& unit) const;

  const Function& function_;
  PassContext& ctx_;
  analysis::Liveness live_;
  LoopAnnotations annotations_;
  int loopsAround_ =
      0; ///< of the host: steps of what is done there are short, and no place for several ways to do it
};

bool isHostExpr(const Expr& e) { return e && !readsMemory(e); }

Stmt withBody(const For& loop, Mapping mapping, Stmt body) {
  For bound = loop;
  bound.mapping = std::move(mapping);
  bound.body = std::move(body);
  return makeStmt({}, std::move(bound));
}

//===--- shared -------------------------------------------------------------------------------------===//

/// Scalars in device memory that the kernel does not write are read once, at its start.
Stmt readScalarsOnce(const Stmt& body, const std::vector<Buffer>& buffers) {
  std::set<Symbol> loaded = loadedBuffers(body), stored = storedBuffers(body);
  std::vector<Stmt> out;
  std::map<Symbol, Expr> values;
  for (const Buffer& b : buffers) {
    if (!b.extents.empty() || !loaded.count(b.name) || stored.count(b.name)) continue;
    std::string hint = b.name.hint();
    if (auto suffix = hint.rfind("_device"); suffix != std::string::npos) hint.resize(suffix);
    Symbol value(hint);
    out.push_back(makeStmt(body->span, Assign{value, load(b, {})}));
    values[b.name] = var(value, b.type);
  }
  if (out.empty()) return body;
  out.push_back(replace<Load>(body, [&](const Load& l) -> Expr {
    const auto it = values.find(l.buffer);
    return it == values.end() ? Expr() : it->second;
  }));
  return block(std::move(out));
}

Stmt KernelMapping::launch(Span span, const LaunchShape& shape, Stmt body) {
  visit(body, [&](const Stmt& s) {
    if (s.is<Require>() || s.is<Return>())
      ctx_.diag.report(DiagId::Unsupported, s->span,
                       "a check that may raise inside a parallel loop; test the values before the loop");
    return true;
  });
  return makeStmt(span, Launch{{}, shape, std::move(body)});
}

//===--- nests --------------------------------------------------------------------------------------===//

/// Blocks so that each iteration of `loop`, one of the nest's or their product, has one of `perBlock` places
/// of its own.
Expr KernelMapping::blocksFor(const Nest& nest, const For& loop, int perBlock) const {
  Expr count = tripCount(loop);
  Expr most = count ? analysis::upperBound(count, nest.loops) : Expr();
  return isHostExpr(most) ? clampBlocks(ceilDiv(most, intConst(perBlock)))
                          : intConst(ctx_.device.blocksAtOnce());
}

/// Whether blocksFor(nest, loop, 1) gives a block for each iteration, whatever the sizes.
bool KernelMapping::hasBlockEach(const Nest& nest, const For& loop) const {
  Expr count = tripCount(loop);
  Expr most = count ? analysis::upperBound(count, nest.loops) : Expr();
  auto number = isHostExpr(most) ? analysis::constantMost(most, function_.body) : std::nullopt;
  return number && *number <= cost::Device::blocksOfGrid;
}

/// Loops for the three axes. Outer loops beyond those become one over their product, whose indices `prologue`
/// computes; if their bounds depend on each other they stay as they are, in front, and every thread runs
/// them.
std::vector<For> KernelMapping::atMostThree(const Nest& nest, std::vector<Stmt>& prologue) {
  std::vector<For> loops;
  for (const For* loop : nest.loops) loops.push_back(*loop);
  if (loops.size() <= 3) return loops;
  const auto inner = loops.begin() + static_cast<std::ptrdiff_t>(loops.size()) - 2;
  const std::vector<For> outer(loops.begin(), inner);
  std::set<Symbol> indices;
  for (const For& loop : outer) indices.insert(loop.index);
  if (!loops::mayLinearise(outer, indices) ||
      std::any_of(outer.begin(), outer.end(), [](const For& l) { return readsMemory(tripCount(l)); }))
    return loops;
  loops::Linear joint = loops::linearised({nest.span}, outer, "linear", 0);
  prologue = std::move(joint.indices);
  loops.erase(loops.begin(), inner);
  loops.insert(loops.begin(), std::move(joint.loop));
  return loops;
}

Stmt afterPrologue(std::vector<Stmt> prologue, Stmt body) {
  prologue.push_back(std::move(body));
  return block(std::move(prologue));
}

/// Do the indices other than x's choose where inner loops start? Such threads share nothing, and have no
/// neighbours in memory but those along x.
bool startsApart(const Nest& nest, size_t x) {
  std::set<Symbol> others;
  for (size_t i = 0; i < nest.loops.size(); ++i)
    if (i != x) others.insert(nest.loops[i]->index);
  return any<For>(nest.body, [&](const For& loop) {
    return mentionsAny(loop.lo, others) && !mentions(loop.lo, nest.loops[x]->index);
  });
}

Stmt KernelMapping::mapThreads(const Nest& nest, const NestMapping& mapping) {
  std::vector<Stmt> prologue;
  std::vector<For> loops = atMostThree(nest, prologue);
  size_t bound = std::min<size_t>(loops.size(), 3), first = loops.size() - bound;
  size_t x = mapping.xLoop - (nest.loops.size() - loops.size());
  LaunchShape shape = oneThread();
  shape.block[0] = bound == 1 || startsApart(nest, mapping.xLoop) ? mapping.threads : cost::Device::warp;
  shape.block[1] = mapping.threads / shape.block[0];
  if (auto count = constantTrip(loops[x]); count && bound > 1) {
    // A short fastest axis: fewer threads along it, more along the next.
    while (shape.block[0] > 1 && shape.block[0] / 2 >= *count) {
      shape.block[0] /= 2;
      shape.block[1] *= 2;
    }
  }
  Stmt body = nest.body;
  int nextAxis = 1;
  for (size_t i = loops.size(); i-- > 0;) {
    if (i < first) {
      body = withBody(loops[i], loops[i].mapping, body);
      continue;
    }
    int axis = i == x ? 0 : nextAxis++;
    shape.grid[axis] = blocksFor(nest, loops[i], shape.block[axis]);
    if (i == 0 && !prologue.empty()) body = afterPrologue(prologue, body);
    body = withBody(loops[i], PerThread{static_cast<Axis>(axis)}, body);
  }
  return launch(nest.span, shape, body);
}

Stmt KernelMapping::mapWorkers(const Nest& nest, const NestMapping& mapping) {
  bool warps = mapping.kind == NestMapping::Warps;
  std::vector<Stmt> prologue;
  std::vector<For> loops = atMostThree(nest, prologue);
  size_t first = loops.size() > 3 ? loops.size() - 3 : 0;
  Stmt body = shareAmongLanes(nest.body, mapping.lanes, warps ? Scope::Warp : Scope::Block, live_);
  LaunchShape shape = oneThread();
  shape.block[0] = mapping.threads;
  int axis = 0;
  for (size_t i = loops.size(); i-- > 0;) {
    if (i < first) {
      body = withBody(loops[i], loops[i].mapping, body);
      continue;
    }
    bool isWarpLoop = warps && axis == 0;
    shape.grid[axis] = blocksFor(nest, loops[i], isWarpLoop ? mapping.threads / cost::Device::warp : 1);
    if (i == 0 && !prologue.empty()) body = afterPrologue(prologue, body);
    const auto along = static_cast<Axis>(axis++);
    const bool once = loops[i].hints.resident || hasBlockEach(nest, loops[i]);
    body = withBody(loops[i], isWarpLoop ? Mapping(PerWarp{along}) : PerBlock{along, once}, body);
  }
  return launch(nest.span, shape, body);
}

Stmt KernelMapping::mapNest(const Stmt& s) {
  Nest nest = nestOf(s);
  NestMapping mapping = chooseMapping(nest, ctx_);
  Expr byThread = shortWhen(nest, mapping, function_.buffers);
  if (byThread)
    mapping.why += "; one thread where its arrays are short";
  else if ((byThread = loopsAround_ == 0 ? manyWhen(nest, mapping, ctx_) : Expr()))
    mapping.why += "; one thread where there are many iterations";
  ctx_.diag.report(DiagId::Parallelised, s->span, mapping.why);
  annotations_.addNest(nest, mapping, bool(byThread));
  const auto kernel = [&](const Stmt& launch) {
    Launch own = *launch.as<Launch>();
    own.body = readScalarsOnce(own.body, function_.buffers);
    const bool isResident = nest.loops[0]->hints.resident;
    if (isResident)
      own.how = Launch::Resident, own.shape.threadsAtOnce = ctx_.device.threadsWith(kResidentRegisters);
    if (isResident &&
        (mapping.kind != NestMapping::Blocks || own.shape.block[0] != nest.loops[0]->hints.vectorLength))
      internalError("resident blocks of other sizes than the host has been told");
    return makeStmt(s->span, std::move(own));
  };
  if (byThread) {
    NestMapping byThreads;
    byThreads.threads = 256;
    byThreads.xLoop = nest.loops.size() - 1;
    return makeStmt(s->span,
                    If{byThread, kernel(mapThreads(nest, byThreads)), kernel(mapWorkers(nest, mapping))});
  }
  return kernel(mapping.kind == NestMapping::Threads ? mapThreads(nest, mapping) : mapWorkers(nest, mapping));
}

//===--- runs ---------------------------------------------------------------------------------------===//

/// The kernel's own copies of host scalars that it changes.
Stmt withOwnScalars(Stmt body, const std::set<Symbol>& before, const std::map<Symbol, DType>& types) {
  std::vector<Stmt> out;
  for (const Symbol& name : assignedVars(body)) {
    if (!before.count(name)) continue;
    Symbol own(name.hint());
    body = renameScalar(body, name, own);
    out.push_back(makeStmt(body->span, Assign{own, var(name, types.at(name))}));
  }
  return afterPrologue(std::move(out), body);
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
std::set<Symbol> KernelMapping::valuesBefore(const Unit& unit) const {
  const std::set<Symbol> elsewhere = definedOutside(function_, unit);
  std::set<Symbol> live;
  for (const Symbol& name : live_.before(unit.body[unit.sunk]))
    if (elsewhere.count(name)) live.insert(name);
  for (size_t i = 0; i < unit.sunk; ++i)
    for (const Symbol& name : assignedVars(unit.body[i])) live.erase(name);
  return live;
}

Stmt KernelMapping::mapRun(const Unit& unit) {
  Span span = unit.body.front()->span;
  Stmt body = unit.body.size() == 1 ? unit.body.front() : makeStmt(span, Block{unit.body});
  LaneLoops lanes = chooseLaneLoops(body, true);
  std::vector<const For*> sequential;
  int64_t longest = 0;
  bool hasUserSize = false, handfuls = true;
  visit(body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    if (loop && loop->hints.mark == LoopMark::Sequential) sequential.push_back(loop);
    if (loop) hasUserSize |= loop->hints.vectorLength > 0 || loop->hints.warps > 0;
    if (!loop || !lanes.count(s.get())) return true;
    longest = std::max(longest, constantTrip(*loop).value_or(INT64_MAX));
    const bool onlyOnce = std::find(unit.body.begin(), unit.body.end(), s) != unit.body.end();
    handfuls = handfuls && onlyOnce && isHandful(*loop);
    return true;
  });
  if (handfuls) lanes.clear();
  annotations_.addRun(unit.body, lanes);
  LaunchShape shape = oneThread();
  Stmt shared = body;
  if (!lanes.empty()) {
    // One warp is enough for loops that are no longer.
    shape.block[0] = longest <= cost::Device::warp && !hasUserSize
                         ? cost::Device::warp
                         : workerThreads(sequential, body, lanes, span, ctx_);
    shared = shareAmongLanes(body, lanes, Scope::Block, live_);
  }
  shared = withPlainUpdates(shared, function_, updatedByLanes(shared));
  const bool hasLoop = has<For>(body) || has<While>(body);
  if (!lanes.empty())
    ctx_.diag.report(DiagId::Parallelised, span,
                     fmt::format("one block of {} threads runs this", shape.block[0]));
  else if (hasLoop)
    ctx_.diag.report(DiagId::KeptSerial, span, "one thread of the device runs this");
  return launch(span, shape, withOwnScalars(shared, valuesBefore(unit), assignedTypes(shared)));
}

//===--- the host's program -------------------------------------------------------------------------===//

/// `acc = 0` on the host that only the next run needs becomes part of that run.
void KernelMapping::sinkScalars(std::vector<Unit>& units) {
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i].kind != Unit::Run) continue;
    std::set<Symbol> used, changed; // between the candidate and the run
    for (size_t k = i; k-- > 0 && units[k].kind != Unit::Run;) {
      Stmt s = units[k].body.empty() ? Stmt() : units[k].body.front();
      if (!s) continue;
      const auto* a = s.as<Assign>();
      bool moves = a && units[i].assigns(a->var) && !live_.after(units[i].body.back()).count(a->var) &&
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

Stmt KernelMapping::mapHost(const Stmt& s) {
  const bool isLoop = s.is<For>() || s.is<While>();
  loopsAround_ += isLoop;
  const Stmt mapped = mapChildren(s, [&](const Stmt& child) { return mapList(statementsOf(child)); });
  loopsAround_ -= isLoop;
  return mapped;
}

Stmt KernelMapping::mapList(const std::vector<Stmt>& list) {
  std::vector<Unit> units = unitsOf(list, {});
  sinkScalars(units);
  std::vector<Stmt> out;
  for (const Unit& unit : units) {
    if (unit.body.empty()) continue;
    out.push_back(unit.kind == Unit::Run    ? mapRun(unit)
                  : unit.kind == Unit::Nest ? mapNest(unit.body.front())
                                            : mapHost(unit.body.front()));
  }
  return block(std::move(out));
}

Function KernelMapping::run() {
  Function mapped = function_;
  mapped.body = nameKernels(mapList(statementsOf(function_.body)), function_.entry);
  if (ctx_.annotations) annotations_.writeTo(*ctx_.annotations);
  return mapped;
}

} // namespace

Module mapKernels(const Module& module, PassContext& ctx) {
  Module result = module;
  result.level = Level::Scheduled;
  for (Function& function : result.functions) function = KernelMapping(function, ctx).run();
  return result;
}

} // namespace appyc::schedule
