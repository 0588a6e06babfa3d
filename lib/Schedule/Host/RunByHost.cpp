//===- RunByHost.cpp - what one thread would do, the host does, where it takes many steps -------------------------------===//
//   launch(1, 1): while i < n: if b[j] < a[i]: ..     =>     by host, on copies of a, b and out: while i < n: ..
// A thread alone waits for its last load before it goes on, 0.1 to 0.5 us a step on an H200; a core of the host takes a few
// nanoseconds. Copies cost what the arrays' bytes say, so each array may have but a few elements a step: what a loop that looks
// up few elements of a large one needs stays where that is. Not in loops of the host, whose other kernels want the arrays back,
// nor under its branches, which are recorded with what is beside them.
// An H200 and a Xeon, device arrays; one thread of the GPU (predicted) the host:
//   10^6 steps, ms: a merge of two sorted arrays 170 (5) 17; sums to parents 30 (1) 0.6; the next greater element by a stack 284 (8) 18;
//     Holt and Winters' smoothing 194 (4) 7.9; union-find of 4 * 10^6 edges 3,260 (40) 99; ratings of 200 players 510 (20) 20;
//     breadth-first search by a queue, 3.5 * 10^6 edges, 1,370 (40) 155; CRC-32 31 (4) 3.4
//   20, 200 and 2,000 steps of a merge, us: 22, 35, 179 by the thread, 50, 50, 59 by the host
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kManySteps = 1024;   ///< below, a launch takes less than the copies' three waits
constexpr int64_t kFewElements = 4096; ///< that are copied in the time of a launch
constexpr int64_t kElementsAStep = 64; ///< that are copied in a third of the time of a step's load
constexpr int64_t kElementsAlong = 4;  ///< the same of each axis

using Factors = std::vector<Expr>; ///< of a product

Factors factorsOf(const Expr& e) {
  const auto* b = e.as<Binary>();
  if (!b || b->op != BinaryOp::Mul) return {e};
  Factors all = factorsOf(b->lhs);
  const Factors more = factorsOf(b->rhs);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

class ByHost {
public:
  ByHost(const Function& f, const Launch& launch, const analysis::Context& known)
      : function_(f), launch_(launch), known_(known), assigned_(assignedVars(launch.body)) {}

  /// The condition under which it does, an empty handle where it never does.
  Expr pays() const {
    if (!isOneThread() || hasAskedThreads(launch_.body) ||
        !consistsOf<Block, Assign, Store, For, While, If, Alloc>(launch_.body) ||
        any<For>(launch_.body,
                 [](const For& loop) { return loop.hints.mark == LoopMark::Sequential || isBound(loop); }) ||
        any<Store>(launch_.body, [](const Store& s) { return s.atomicOp.has_value(); }))
      return {};
    const Factors steps = stepsOf(launch_.body);
    int64_t atLeast = 1;
    for (const Expr& trip : steps) atLeast *= constantInt(trip).value_or(kManySteps);
    if (steps.empty() || atLeast < kManySteps) return {};
    std::set<Symbol> arrays = loadedBuffers(launch_.body);
    arrays.merge(storedBuffers(launch_.body));
    for (const Symbol& made : allocatedBuffers(launch_.body)) arrays.erase(made);
    const std::set<Symbol> atEntry = analysis::knownAtEntry(function_);
    for (const Symbol& a : arrays)
      if (!analysis::followsFrom(elementCount(function_.buffer(a)), atEntry)) return {};
    Expr open; // elements of arrays that may be of any size beside the steps
    for (const Symbol& a : arrays)
      if (const Buffer& b = function_.buffer(a); !isCovered(b, steps))
        open = open ? open + elementCount(b) : elementCount(b);
    if (!open) return boolConst(true);
    Expr copied = intConst(kElementsAStep);
    for (const Expr& trip : steps) copied = copied * trip;
    return open <= copied + kFewElements;
  }

private:
  bool isOneThread() const {
    const LaunchShape& shape = launch_.shape;
    return launch_.how == Launch::Plain && hasOneBlock(launch_) && !shape.threads[0] &&
           launch_.vectors.width <= 1 && shape.block[0] * shape.block[1] * shape.block[2] == 1;
  }

  /// Iterations of the deepest nest, as far as the host can tell them.
  Factors stepsOf(const Stmt& s) const {
    Factors most;
    forEachChild(s, [&](const Stmt& child) {
      if (!child) return;
      Factors inside = stepsOf(child);
      if (inside.size() > most.size()) most = std::move(inside);
    });
    const auto* loop = s.as<For>();
    const auto* runs = s.as<While>();
    const Expr trip = loop ? tripCount(*loop) : runs ? tripOf(*runs) : Expr();
    if (trip && isOfHost(trip)) most.insert(most.begin(), trip);
    if (loop)
      for (Expr& inner : most) inner = substitute(inner, {{loop->index, maxOf(loop->lo, loop->hi)}});
    std::erase_if(most, [&](const Expr& e) { return !isOfHost(e); });
    return most;
  }

  bool isOfHost(const Expr& e) const { return !readsMemory(e) && !mentionsAny(e, assigned_); }

  /// while i < n and j < m: .. i += 1 .. j += 1   takes n + m steps at most, from wherever they begin;
  /// while head < tail: u = queue[head]; head += 1; ..   about as many as the queue has elements, and so does a stack.
  Expr tripOf(const While& loop) const {
    Expr all;
    for (const Expr& part : conjunctsOf(loop.cond)) {
      const auto* test = part.as<Binary>();
      const auto* counter = test && typeOf(test->lhs) == DType::I64 ? test->lhs.as<Var>() : nullptr;
      const auto isCounted = [&](const Assign& a) {
        const Expr was = var(counter->name, typeOf(test->lhs));
        return a.var == counter->name && (equal(a.value, was + 1) || equal(a.value, was - 1));
      };
      if (!counter || !any<Assign>(loop.body, isCounted)) continue;
      const bool isUp = test->op == BinaryOp::Lt || test->op == BinaryOp::Le;
      const Expr most = isUp && isOfHost(test->rhs) ? test->rhs : placesFor(counter->name, loop.body);
      if (most) all = all ? all + most : most;
    }
    return all;
  }

  /// The extent of an array that is loaded from by the counter, or by what is made of it.
  Expr placesFor(const Symbol& counter, const Stmt& body) const {
    std::set<Symbol> names{counter};
    each<Assign>(body, [&](const Assign& a) {
      if (!readsMemory(a.value) && mentions(a.value, counter)) names.insert(a.var);
    });
    Expr extent;
    each<Load>(body, [&](const Load& l) {
      for (size_t axis = 0; !extent && axis < l.index.size(); ++axis)
        if (mentionsAny(l.index[axis], names)) extent = function_.buffer(l.buffer).extents[axis];
    });
    return extent && isOfHost(extent) ? extent : Expr();
  }

  /// Has the array a few elements a step, at most: is each factor of their number one of the steps'?
  bool isCovered(const Buffer& b, Factors steps) const {
    if (const auto count = constantInt(elementCount(b))) return *count <= kFewElements; // a list's room, else
    for (const Expr& extent : b.extents)
      for (const Expr& factor : factorsOf(extent)) {
        if (const auto few = constantInt(factor); few && *few <= kElementsAlong) continue;
        const auto covers = [&](const Expr& trip) {
          return equal(trip, factor) ||
                 analysis::isNonNegative(intConst(kElementsAlong) * trip + intConst(kElementsAStep) - factor,
                                         known_);
        };
        const auto found = std::ranges::find_if(steps, covers);
        if (found == steps.end()) return false;
        steps.erase(found);
      }
    return true;
  }

  const Function& function_;
  const Launch& launch_;
  const analysis::Context& known_;
  const std::set<Symbol> assigned_; ///< by the thread
};

/// Of the first loop that is the source's.
Span loopIn(const Stmt& launch) {
  Span found = launch->span;
  bool isFound = false;
  visit(launch.as<Launch>()->body, [&](const Stmt& s) {
    if (!isFound && (s.is<For>() || s.is<While>()) && s->span.begin != s->span.end)
      found = s->span, isFound = true;
    return !isFound;
  });
  return found;
}

} // namespace

void runByHost(Function& f, PassContext& ctx) {
  const analysis::Context known = analysis::contextOf(f);
  std::map<std::string, int> launches;
  each<Launch>(f.body, [&](const Launch& l) { ++launches[l.name]; });
  std::vector<Stmt> body = statementsOf(f.body);
  for (Stmt& s : body) {
    const auto* launch = s.as<Launch>();
    const Expr pays =
        launch && launch->body && launches[launch->name] == 1 ? ByHost(f, *launch, known).pays() : Expr();
    if (!pays) continue;
    const Span loop = loopIn(s);
    if (ctx.choose(loop, "host", "true", {"true", "false"}) != "true") continue;
    ctx.diag.report(
        DiagId::TimeLoop, loop,
        fmt::format("the host does what one thread would, on copies of the arrays{}: a step there takes "
                    "nanoseconds, not the 0.1 to 0.5 us of a thread alone",
                    constantBool(pays) ? "" : ", where these are not much longer than there are steps"));
    Launch moved = *launch;
    moved.how = Launch::ByHost;
    const Stmt byHost = makeStmt(s->span, std::move(moved));
    s = constantBool(pays) ? byHost : makeStmt(s->span, If{pays, byHost, s});
  }
  f.body = block(std::move(body));
}

} // namespace appyc::schedule
