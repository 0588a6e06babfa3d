//===- MapKernels.cpp - parallel nests and device code become kernels -------------------------------===//
// Every loop over workers or threads is grid-stride, so each grid size is right, but for loops over workers
// of which there are few whatever the sizes: those have a block each. Sizes are chosen from trip counts
// alone, never from the device, so that results do not depend on where the program runs.
#include "AskedShape.h"
#include "LoopAnnotations.h"
#include "OneWorker.h"
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
  KernelMapping(Function& f, PassContext& c) : function_(f), ctx_(c), live_(f) {}
  void run();

private:
  Stmt mapList(const std::vector<Stmt>& list);
  Stmt mapHost(const Stmt& s);
  Stmt launch(Span span, const LaunchShape& shape, Stmt body);

  // One kernel of many workers.
  Stmt mapNest(const Stmt& s);
  Stmt withSmallArrays(const Stmt& kernel, int64_t most);
  Stmt mapThreads(const Nest& nest, const NestMapping& mapping);
  Stmt mapWorkers(const Nest& nest, const NestMapping& mapping);
  std::vector<For> atMostThree(const Nest& nest, std::vector<Stmt>& prologue);
  Expr blocksFor(const Nest& nest, const For& loop, int perBlock) const;
  bool hasBlockEach(const Nest& nest, const For& loop) const;

  Stmt mapRun(const Unit& unit);

  Function& function_;
  PassContext& ctx_;
  analysis::Liveness live_;
  LoopAnnotations annotations_;
  int loopsAround_ =
      0; ///< of the host: steps of what is done there are short, and no place for several ways to do it
};

bool isHostExpr(const Expr& e) { return e && !readsMemory(e); }

Stmt mapped(const For& loop, Mapping mapping, Stmt body) {
  For bound = withBody(loop, std::move(body));
  bound.mapping = std::move(mapping);
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
  const bool isAsked = !mapping.counts.empty();
  if (isAsked) shape.block[0] = mapping.threads, shape.block[1] = 1;
  if (mapping.block) shape.threads[0] = mapping.block, shape.threads[1] = shape.threads[2] = intConst(1);
  if (auto count = constantTrip(loops[x]); count && bound > 1 && !isAsked) {
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
      body = makeStmt({}, withBody(loops[i], body));
      continue;
    }
    int axis = i == x ? 0 : nextAxis++;
    const Expr asked = askedOf(mapping, loops, i);
    const Expr block = mapping.block ? mapping.block : intConst(shape.block[0]);
    shape.grid[axis] = !asked      ? blocksFor(nest, loops[i], shape.block[axis])
                       : axis == 0 ? clampBlocks(ceilDiv(asked, block))
                                   : clampBlocks(asked);
    if (i == 0 && !prologue.empty()) body = afterPrologue(prologue, body);
    body = mapped(loops[i], PerThread{static_cast<Axis>(axis)}, body);
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
      body = makeStmt({}, withBody(loops[i], body));
      continue;
    }
    bool isWarpLoop = warps && axis == 0;
    const Expr asked = askedOf(mapping, loops, i);
    shape.grid[axis] = asked
                           ? clampBlocks(asked)
                           : blocksFor(nest, loops[i], isWarpLoop ? mapping.threads / cost::Device::warp : 1);
    if (i == 0 && !prologue.empty()) body = afterPrologue(prologue, body);
    const auto along = static_cast<Axis>(axis++);
    const bool once = loops[i].hints.resident || (!asked && hasBlockEach(nest, loops[i]));
    body = mapped(loops[i], isWarpLoop ? Mapping(PerWarp{along}) : PerBlock{along, once}, body);
  }
  return launch(nest.span, shape, body);
}

/// The kernel with arrays of its own, with at most so many elements along each axis; as it is where there is no such limit.
Stmt KernelMapping::withSmallArrays(const Stmt& kernel, int64_t most) {
  if (most == 0) return kernel;
  return replace<Alloc>(withOwnArrays(kernel, function_.buffers), [&](const Alloc& alloc, const Stmt& s) {
    Buffer& own = *std::ranges::find(function_.buffers, alloc.buffer.name, &Buffer::name);
    for (Expr& extent : own.extents)
      if (!constantInt(extent)) extent = intConst(most);
    return makeStmt(s->span, Alloc{own});
  });
}

Stmt KernelMapping::mapNest(const Stmt& s) {
  Nest nest = nestOf(s);
  NestMapping mapping = chooseMapping(nest, ctx_);
  std::optional<OtherMapping> other = otherMapping(nest, mapping, function_.buffers, loopsAround_ == 0, ctx_);
  if (other && !isHostExpr(other->when)) other.reset();
  if (other) mapping.why += "; " + other->why;
  annotations_.addNest(nest, mapping, other && other->mapping.kind == NestMapping::Threads);
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
  const auto mapped = [&](const NestMapping& by) {
    return by.kind == NestMapping::Threads ? mapThreads(nest, by) : mapWorkers(nest, by);
  };
  if (other) {
    ctx_.diag.report(DiagId::Parallelised, s->span, mapping.why);
    const Stmt ofShort = withSmallArrays(kernel(mapped(other->mapping)), other->extents);
    return makeStmt(s->span, If{other->when, ofShort, kernel(mapped(mapping))});
  }
  const Stmt made = mapped(mapping);
  if (!mapping.counts.empty()) mapping.why += ", as the schedule asks: " + textOf(made.as<Launch>()->shape);
  ctx_.diag.report(DiagId::Parallelised, s->span, mapping.why);
  return kernel(made);
}

Stmt KernelMapping::mapRun(const Unit& unit) {
  const OneWorker kernel = oneWorker(unit, function_, live_, ctx_);
  annotations_.addRun(unit.body, kernel.lanes);
  return launch(unit.body.front()->span, kernel.shape, kernel.body);
}

//===--- the host's program -------------------------------------------------------------------------===//

Stmt KernelMapping::mapHost(const Stmt& s) {
  const bool isLoop = s.is<For>() || s.is<While>();
  loopsAround_ += isLoop;
  const Stmt mapped = mapChildren(s, [&](const Stmt& child) { return mapList(statementsOf(child)); });
  loopsAround_ -= isLoop;
  return mapped;
}

Stmt KernelMapping::mapList(const std::vector<Stmt>& list) {
  std::vector<Unit> units = unitsOf(list, {});
  sinkScalars(units, live_);
  std::vector<Stmt> out;
  for (const Unit& unit : units) {
    if (unit.body.empty()) continue;
    out.push_back(unit.kind == Unit::Run    ? mapRun(unit)
                  : unit.kind == Unit::Nest ? mapNest(unit.body.front())
                                            : mapHost(unit.body.front()));
  }
  return block(std::move(out));
}

void KernelMapping::run() {
  function_.body = nameKernels(mapList(statementsOf(function_.body)), function_.entry);
  if (ctx_.annotations) annotations_.writeTo(*ctx_.annotations);
}

} // namespace

void mapKernels(Function& function, PassContext& ctx) { KernelMapping(function, ctx).run(); }

} // namespace appyc::schedule
