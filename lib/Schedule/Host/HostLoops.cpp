//===- HostLoops.cpp - the loops of the host program, wherever they stand -----------------------------===//
#include "HostLoops.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Effects.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

/// One block for each iteration of a parallel loop takes eight times as long as all blocks together for one, and more the
/// longer the loops inside are (trisolv on an H200: N=1000 8 times, N=16000 80 times).
constexpr int64_t kFewIterations = 8;
/// A step of one thread takes 80 ns, the launches of a loop in chunks 60 us. An H200, 100 steps of Crank and Nicolson over 200,000
/// points: more than 6,000 ms in one thread, 57 in chunks.
constexpr int64_t kLongInside = 1 << 15;

class HostLists {
public:
  HostLists(Function& f, PassContext& ctx, const ListStrategy& strategy, bool turns)
      : function_(f), ctx_(ctx), strategy_(strategy), turns_(turns) {
    around_ = analysis::contextOf(f);
  }

  Stmt map(const Stmt& s) {
    const std::vector<Stmt> list = statementsOf(s);
    std::vector<Stmt> out;
    for (const Stmt& next : strategy_(list, around_)) {
      const bool isMade = std::find(list.begin(), list.end(), next) == list.end();
      out.push_back(isMade ? next : inside(next));
    }
    return out == list ? s : block(std::move(out));
  }

private:
  Stmt inside(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (loop && loop->hints.mark == LoopMark::Sequential) return s;
    if (!loop && !s.is<While>() && !s.is<If>()) return s;
    if (loop && isParallel(*loop)) return ofFew(s, *loop);
    if (const auto* branch = s.as<If>(); branch && branch->otherwise && isOfFew(*branch))
      return ofHost(s, *branch);
    return analysis::mapInside(around_, s, [&](const Stmt& child) { return map(child); });
  }

  Stmt insideOf(const For& loop) {
    const analysis::Inside inside(around_, loop);
    return map(loop.body);
  }

  /// A parallel loop, whose iterations the host runs where they are few.
  Stmt ofFew(const Stmt& s, const For& loop) {
    const Expr count = tripCount(loop);
    if (!count || loop.hints.mark != LoopMark::None || !loop.reductions.empty() ||
        !analysis::hasKnownBounds(function_, loop) || constantTrip(loop).value_or(0) > kFewIterations ||
        !isCopied(loop.body))
      return s;
    const Stmt body = insideOf(loop);
    if (body == loop.body) return ofMany(s);
    For ofHost = loop;
    ofHost.order = Order::Serial;
    ofHost.body = body;
    const Stmt host = withoutOrigins(makeStmt(s->span, std::move(ofHost)));
    ctx_.diag.report(DiagId::TimeLoop, s->span,
                     fmt::format("the host runs loop `{}` where it has at most {} iterations",
                                 loop.index.hint(), kFewIterations));
    if (constantTrip(loop)) return host;
    return makeStmt(s->span, If{count <= kFewIterations, host, ofMany(withOwnArrays(s, function_.buffers))});
  }

  /// A parallel loop with nothing in it but one in order, the other way round.
  Stmt ofMany(const Stmt& s) {
    const auto* all = s.as<For>();
    const auto* steps = turns_ && all ? all->body.as<For>() : nullptr;
    if (!steps || !isPlain(*all) || !isUnmarked(*steps) || steps->order != Order::Serial ||
        mentions(steps->lo, all->index) || mentions(steps->hi, all->index))
      return s;
    For inside = *all, around = *steps;
    inside.body = steps->body;
    around.body = makeStmt(s->span, std::move(inside));
    const Stmt turned = withoutOrigins(makeStmt(s->span, std::move(around)));
    const Stmt made = map(turned);
    return made == turned ? s : made;
  }

  /// Is it ofFew's own? What is not few does not become so.
  static bool isOfFew(const If& branch) {
    const auto* loop = branch.otherwise.as<For>();
    const Expr count = loop && isParallel(*loop) ? tripCount(*loop) : Expr();
    return count && equal(branch.cond, count <= kFewIterations);
  }
  Stmt ofHost(const Stmt& s, const If& branch) {
    return makeStmt(s->span, If{branch.cond, map(branch.then), ofMany(branch.otherwise)});
  }

  /// Statements that may stand beside their copy (withOwnArrays).
  static bool isCopied(const Stmt& body) {
    return consistsOf<For, While, If, Block, Assign, Store, Alloc>(body);
  }

  Function& function_;
  PassContext& ctx_;
  const ListStrategy& strategy_;
  bool turns_;
  analysis::Context around_;
};

//===--- parts of a loop that share nothing ----------------------------------------------------------------===//

bool mayLeave(const Stmt& s) {
  bool leaves = false;
  visit(s, [&](const Stmt& part) {
    leaves = leaves || !(part.is<For>() || part.is<If>() || part.is<Block>() || part.is<Assign>() ||
                         part.is<Store>() || part.is<Alloc>() || part.is<Launch>());
    return !leaves && !part.is<Launch>();
  });
  return leaves;
}

/// The statements in groups of which none writes what another one touches, in the order of their first statements.
std::vector<std::vector<Stmt>> partsOf(const std::vector<Stmt>& body) {
  std::vector<analysis::Effects> effects;
  std::vector<size_t> part;
  for (const Stmt& s : body) {
    part.push_back(effects.size());
    effects.push_back(analysis::effectsOf(s));
    for (size_t i = 0; i + 1 < part.size(); ++i)
      if (analysis::mayConflict(effects[i], effects.back())) {
        const size_t from = part[i], to = part.back();
        std::replace(part.begin(), part.end(), std::max(from, to), std::min(from, to));
      }
  }
  std::vector<std::vector<Stmt>> parts;
  for (size_t p = 0; p < body.size(); ++p) {
    std::vector<Stmt> own;
    for (size_t i = 0; i < body.size(); ++i)
      if (part[i] == p) own.push_back(body[i]);
    if (!own.empty()) parts.push_back(std::move(own));
  }
  return parts;
}

/// The loop, which may be free in its order by itself.
Stmt judged(const Stmt& s, const analysis::Context& around, const std::set<Symbol>& liveAfter) {
  For part = *s.as<For>();
  const analysis::ParallelVerdict verdict = analysis::judgeParallel(part, around, liveAfter);
  if (verdict.isProven() && verdict.reductions.empty() && verdict.liveOut.empty()) part.order = Order::Proven;
  return makeStmt(s->span, std::move(part));
}

/// `strategy` on the loop, or on those of its parts that it does something with.
Stmt byParts(const HostLoop& whole, const Function& f, const LoopStrategy& strategy) {
  if (Stmt made = strategy(whole)) return made;
  const std::vector<Stmt> parts = independentParts(whole.stmt);
  if (parts.empty()) return {};
  const std::set<Symbol> liveAfter = analysis::Liveness(f).after(whole.original);
  std::vector<Stmt> out;
  bool found = false;
  for (const Stmt& part : parts) {
    const Stmt own = judged(part, whole.around, liveAfter);
    const bool isSerial = own.as<For>()->order == Order::Serial;
    const Stmt made = isSerial ? strategy({own, whole.original, whole.around}) : Stmt();
    found = found || made;
    out.push_back(made ? made : own);
  }
  return found ? block(std::move(out)) : Stmt();
}

} // namespace

bool HostPass::enters(const Stmt& s) const {
  const auto* loop = s.as<For>();
  return !loop || !(isParallel(*loop) || loop->hints.mark == LoopMark::Sequential);
}

bool LongLoopsPass::enters(const Stmt& s) const { return isOfHost(s); }

Stmt LongLoopsPass::replaced(const Stmt& s, const For& loop) {
  if (const Stmt made = chunked(s, loop)) return made;
  if (!isPlainSerial(loop) || isOfHost(s) || constantTrip(loop) == 1) return {};
  std::vector<Stmt> body = statementsOf(loop.body);
  Expr areLong;
  for (Stmt& part : body) {
    const auto* inner = part.as<For>();
    if (!inner || !isSerial(*inner) || !isUnmarked(*inner)) continue;
    const Expr count = tripCount(*inner);
    if (!count || readsMemory(count) || mentions(count, loop.index) || !loops::keeps(loop.body, count))
      continue;
    const analysis::Inside inside(known_, loop);
    const Stmt made = chunked(part, *inner);
    if (!made) continue;
    part = made;
    const Expr isLong = count >= kLongInside;
    areLong = areLong ? both(areLong, isLong) : isLong;
  }
  if (!areLong) return {};
  For host = loop, thread = loop;
  host.body = block(std::move(body));
  thread.hints.mark = LoopMark::Sequential; // where it is chosen, as it should be
  const Builder build{s->span};
  const Stmt otherwise = loops::asCopy(build.make(std::move(thread)), assignedVars(loop.body));
  return build.when(areLong, build.make(std::move(host)), otherwise);
}

Stmt mapHostLists(Function& f, PassContext& ctx, const ListStrategy& strategy, bool turns) {
  return HostLists(f, ctx, strategy, turns).map(f.body);
}

Stmt mapHostLoops(Function& f, PassContext& ctx, const LoopStrategy& strategy, bool turns) {
  const ListStrategy onEach = [&](const std::vector<Stmt>& list, const analysis::Context& around) {
    std::vector<Stmt> out = list;
    for (Stmt& s : out) {
      const auto* loop = s.as<For>();
      if (!loop || !isSerial(*loop)) continue;
      const Stmt up = loopsUpward(s);
      const Stmt made = isConst(up.as<For>()->step, 1) ? byParts({up, s, around}, f, strategy) : Stmt();
      if (made) s = made;
    }
    return out;
  };
  return mapHostLists(f, ctx, onEach, turns);
}

std::vector<Stmt> independentParts(const Stmt& s) {
  const For& loop = *s.as<For>();
  const std::vector<Stmt> body = statementsOf(loop.body);
  const std::set<Symbol> assigned = assignedVars(loop.body);
  const auto stays = [&](const Expr& bound) { return !readsMemory(bound) && !mentionsAny(bound, assigned); };
  if (body.size() < 2 || !stays(loop.lo) || !stays(loop.hi) ||
      std::any_of(body.begin(), body.end(), mayLeave))
    return {};
  std::vector<Stmt> loops;
  for (const std::vector<Stmt>& part : partsOf(body)) {
    For own = loop;
    own.index = Symbol(loop.index.hint());
    own.body = substitute(block(part), {{loop.index, var(own.index)}});
    loops.push_back(makeStmt(s->span, std::move(own)));
  }
  if (loops.size() < 2) loops.clear();
  return loops;
}

} // namespace appyc::schedule
