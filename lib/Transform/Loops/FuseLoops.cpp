//===- FuseLoops.cpp - neighbouring parallel loops over one range become one ------------------------===//
//   for i: t[i] = a[i] + b[i]             for i: t[i] = a[i] + b[i]
//   for i: c[i] = t[i] * 2        =>             c[i] = t[i] * 2
// Legal where every dependence stays inside an iteration (analysis::mayFuse). Done where the loops share an
// array and no parallel dimension is lost: both nests have the same number of perfectly nested parallel
// loops, all of which fuse. A nest with one dimension more joins one that reduces rows of the same length: a
// worker a row then does both, and the row stays in the cache. Assignments, stores and temporaries that stand
// between two loops move out of the way where nothing depends on it.
//   hdiff by labels, f64, an H200: four kernels for six, and two arrays not read again; predicted 0.36 ms of 0.40
//   conjugate gradients on 512 x 512, f64, an H100: two launches less a step; predicted 16 us of 20, measured 18
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Effects.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Stmt;

bool isFree(const Stmt& s) {
  const auto* f = s.as<ir::For>();
  return f && f->order == ir::Order::Proven && f->reductions.empty();
}

/// Parallel loops from the outside in, until the body holds more than one statement.
int parallelDepth(const Stmt& s) { return isFree(s) ? 1 + parallelDepth(s.as<ir::For>()->body) : 0; }

bool shareArray(const Stmt& a, const Stmt& b) {
  std::set<Symbol> x = ir::loadedBuffers(a), y = ir::loadedBuffers(b);
  x.merge(ir::storedBuffers(a));
  y.merge(ir::storedBuffers(b));
  return ir::intersect(x, y);
}

bool mayMove(const Stmt& s) {
  const auto* store = s.as<ir::Store>();
  return s.is<ir::Assign>() || s.is<ir::Alloc>() || (store && !store->atomicOp);
}

/// Does each iteration fold a column of an array, whose elements have those of other iterations for neighbours?
bool foldsColumn(const ir::For& loop) {
  constexpr int64_t kFewRows = 64;
  return ir::any<ir::For>(loop.body, [&](const ir::For& inner) {
    if (inner.reductions.empty() || ir::constantTrip(inner).value_or(kFewRows) < kFewRows) return false;
    return ir::any<ir::Load>(inner.body, [&](const ir::Load& load) {
      return load.index.size() > 1 && ir::mentions(load.index.back(), loop.index) &&
             !ir::mentions(load.index.back(), inner.index) &&
             std::any_of(load.index.begin(), load.index.end() - 1,
                         [&](const ir::Expr& e) { return ir::mentions(e, inner.index); });
    });
  });
}

struct Fusing {
  ir::PassContext& ctx;
  analysis::Context known;
  analysis::KnownEffects effects = {};

  /// May the two statements change places?
  bool independent(const Stmt& a, const Stmt& b) { return !analysis::mayConflict(effects(a), effects(b)); }

  bool sameRange(const ir::For& a, const ir::For& b) {
    return ir::equal(a.step, b.step) && analysis::alwaysEqual(a.lo, b.lo, known) &&
           analysis::alwaysEqual(a.hi, b.hi, known);
  }
  /// A loop of an array statement joins an annotated one and takes what the user said of it.
  static bool marksAgree(const ir::For& a, const ir::For& b) {
    if (a.hints.mark == ir::LoopMark::Sequential || b.hints.mark == ir::LoopMark::Sequential) return false;
    auto agree = [](auto x, auto y, auto open) { return x == y || x == open || y == open; };
    return agree(a.hints.mark, b.hints.mark, ir::LoopMark::None) &&
           agree(a.hints.vectorLength, b.hints.vectorLength, 0) && agree(a.hints.warps, b.hints.warps, 0);
  }

  /// Counts that a schedule gives are kept: a kernel of both has the grid and the block that each alone has.
  static bool askAlike(const Stmt& first, const Stmt& second) {
    if (!ir::hasAskedThreads(first) && !ir::hasAskedThreads(second)) return true;
    const auto *a = first.as<ir::For>(), *b = second.as<ir::For>();
    const ir::Expr &x = a->hints.threads, &y = b->hints.threads;
    if (!x != !y || (x && !ir::equal(x, y)) || a->hints.warps != b->hints.warps) return false;
    const bool isNest = isFree(a->body) && isFree(b->body);
    return isNest ? askAlike(a->body, b->body)
                  : !ir::hasAskedThreads(a->body) && !ir::hasAskedThreads(b->body);
  }

  /// A loop over one row of `length` elements that stands in the body of a loop over rows.
  bool hasRow(const Stmt& body, const ir::For& length) {
    if (const auto* f = body.as<ir::For>()) return sameRange(*f, length);
    const auto* b = body.as<ir::Block>();
    return b && std::any_of(b->body.begin(), b->body.end(),
                            [&](const Stmt& s) { return s.is<ir::For>() && hasRow(s, length); });
  }

  /// Is running both in one loop as parallel as running them one after the other?
  bool worthwhile(const Stmt& first, const Stmt& second) {
    // A second way down the columns that waits for the first shares nothing with it, and each alone can be cut in chunks.
    if (foldsColumn(*first.as<ir::For>()) && foldsColumn(*second.as<ir::For>()) &&
        ir::intersect(ir::storedBuffers(first), ir::loadedBuffers(second)))
      return false;
    int a = parallelDepth(first), b = parallelDepth(second);
    if (a == b) return true;
    const Stmt &deep = a > b ? first : second, &flat = a > b ? second : first;
    constexpr int64_t kFewRows = 64;
    std::optional<int64_t> rows = ir::constantInt(deep.as<ir::For>()->hi - deep.as<ir::For>()->lo);
    if (std::abs(a - b) != 1 || std::min(a, b) == 0 || (rows && *rows < kFewRows)) return false;
    const auto* row = deep.as<ir::For>()->body.as<ir::For>();
    return row && hasRow(flat.as<ir::For>()->body, *row);
  }

  bool isInWorker() const {
    return std::ranges::any_of(known.loops,
                               [](const ir::For* loop) { return loop->order != ir::Order::Serial; });
  }

  /// In a worker a fold takes what the loop before it makes for each element, which then need not be stored.
  bool makesForFold(const Stmt& first, const Stmt& second) const {
    const auto *a = first.as<ir::For>(), *b = second.as<ir::For>();
    const auto isLong = [](const ir::For& inner) {
      return !ir::constantTrip(inner);
    }; // perhaps the lanes' loop
    return ctx.cuda && isInWorker() && !ir::any<ir::For>(a->body, isLong) && a->reductions.empty() &&
           !b->reductions.empty() && ir::intersect(ir::storedBuffers(first), ir::loadedBuffers(second));
  }

  /// A whole fold of elements that the sweep before it makes, or the one behind it overwrites: one way through memory, and
  /// one launch. The fold is cut into chunks as before, and adds in the same order.
  bool foldsAlong(const Stmt& first, const Stmt& second) const {
    const bool isFirst = !first.as<ir::For>()->reductions.empty();
    const Stmt &fold = isFirst ? first : second, &sweep = isFirst ? second : first;
    if (!ctx.cuda || !ctx.autoParallel || isInWorker()) return false;
    const auto isWhole = [](bool reduces) {
      return [reduces](const ir::For& l, const auto&) {
        return l.order == ir::Order::Proven && ir::isUnmarked(l) && l.reductions.empty() != reduces;
      };
    };
    const loops::Nest folds = loops::perfectNest(fold, isWhole(true)),
                      sweeps = loops::perfectNest(sweep, isWhole(false));
    return !folds.loops.empty() && folds.loops.size() == sweeps.loops.size() &&
           ir::consistsOf<ir::Block, ir::Assign, ir::Store, ir::If>(folds.body) &&
           ir::consistsOf<ir::Block, ir::Assign, ir::Store, ir::If>(sweeps.body) &&
           ir::intersect(ir::storedBuffers(sweep), ir::loadedBuffers(fold));
  }

  /// Past this many statements a joint body no longer keeps what it shares in registers and caches.
  static bool isSmall(const Stmt& s) {
    constexpr size_t kMostTogether = 48;
    const auto* block = s.as<ir::Block>();
    return !block || block->body.size() <= kMostTogether;
  }

  /// `isAlong`: they are loops in such, of which foldsAlong() holds.
  std::optional<Stmt> fuse(const Stmt& first, const Stmt& second, bool isAlong = false) {
    const auto *a = first.as<ir::For>(), *b = second.as<ir::For>();
    if (!a || !b || a->order != ir::Order::Proven || b->order != ir::Order::Proven || !marksAgree(*a, *b))
      return std::nullopt;
    if (!isSmall(a->body) || !isSmall(b->body)) return std::nullopt;
    if (!askAlike(first, second)) return std::nullopt;
    isAlong |= a->reductions.empty() != b->reductions.empty() && foldsAlong(first, second);
    if (!isAlong && !makesForFold(first, second) &&
        (a->reductions.empty() != b->reductions.empty() || !shareArray(first, second) ||
         !worthwhile(first, second)))
      return std::nullopt;
    if (!sameRange(*a, *b) || !analysis::mayFuse(*a, *b, known, true)) return std::nullopt;
    ir::For joint = *a;
    if (joint.hints.mark == ir::LoopMark::None) joint.hints.mark = b->hints.mark;
    joint.hints.vectorLength = std::max(a->hints.vectorLength, b->hints.vectorLength),
    joint.hints.warps = std::max(a->hints.warps, b->hints.warps);
    joint.hints.origins.insert(joint.hints.origins.end(), b->hints.origins.begin(), b->hints.origins.end());
    joint.reductions.insert(joint.reductions.end(), b->reductions.begin(), b->reductions.end());
    Stmt renamed = ir::substitute(b->body, {{b->index, ir::var(a->index)}});
    if (isAlong ? a->body.is<ir::For>() && b->body.is<ir::For>()
                : isFree(a->body) && isFree(b->body)) { // the whole nests or nothing
      known.loops.push_back(a);
      std::optional<Stmt> inner = fuse(a->body, renamed, isAlong);
      known.loops.pop_back();
      if (!inner) return std::nullopt;
      joint.body = *inner;
    } else {
      joint.body = ir::block({a->body, renamed});
    }
    return ir::makeStmt(first->span, joint);
  }

  /// Joins body[at] with the next loop after it, if they may; what stands between goes before or after the
  /// joint loop.
  bool fuseNext(std::vector<Stmt>& body, size_t at) {
    if (!body[at].is<ir::For>()) return false;
    size_t next = at + 1;
    while (next < body.size() && mayMove(body[next])) ++next;
    if (next == body.size() || !body[next].is<ir::For>()) return false;
    std::vector<Stmt> before, after;
    for (size_t i = at + 1; i < next; ++i) {
      const Stmt& s = body[i];
      bool up = independent(s, body[at]) &&
                std::all_of(after.begin(), after.end(), [&](const Stmt& d) { return independent(s, d); });
      if (up)
        before.push_back(s);
      else if (!s.is<ir::Alloc>() && independent(s, body[next]))
        after.push_back(s);
      else
        return false;
    }
    std::optional<Stmt> joint = fuse(body[at], body[next]);
    if (!joint) return false;
    if (!(body[at]->span == body[next]->span))
      ctx.diag.report(DiagId::Fused, body[next]->span,
                      fmt::format("loop `{}` runs together with the one before it",
                                  body[next].as<ir::For>()->index.hint()));
    before.push_back(*joint);
    before.insert(before.end(), after.begin(), after.end());
    body.erase(body.begin() + static_cast<long>(at), body.begin() + static_cast<long>(next) + 1);
    body.insert(body.begin() + static_cast<long>(at), before.begin(), before.end());
    return true;
  }

  Stmt visitBlock(const Stmt& s, std::vector<Stmt> body) {
    bool changed = false;
    for (size_t at = 0; at < body.size(); ++at)
      while (fuseNext(body, at)) {
        changed = true;
        while (!body[at].is<ir::For>()) ++at; // past what has moved up
      }
    for (Stmt& child : body) {
      Stmt next = visit(child);
      changed |= !(next == child);
      child = next;
    }
    return changed ? ir::makeStmt(s->span, ir::Block{std::move(body)}) : s;
  }

  Stmt visit(const Stmt& s) {
    if (const auto* b = s.as<ir::Block>()) return visitBlock(s, b->body);
    return analysis::mapInside(known, s, [&](const Stmt& child) { return visit(child); });
  }
};

} // namespace

void fuseLoops(ir::Function& f, ir::PassContext& ctx) {
  f.body = Fusing{ctx, analysis::contextOf(f)}.visit(f.body);
}

} // namespace appyc::transform
