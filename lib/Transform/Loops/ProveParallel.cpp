//===- ProveParallel.cpp - every loop is judged; annotations are checked, not believed --------------===//
#include "AtomicUpdates.h"
#include "OrderedSegments.h"
#include "Provisos.h"
#include "Raises.h"
#include "Refuted.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <map>
#include <optional>

namespace appyc::transform {

namespace {

using analysis::Answer;
using ir::Stmt;

bool marked(const ir::For& loop) {
  return loop.hints.mark == ir::LoopMark::Parallel || loop.hints.mark == ir::LoopMark::ParallelSimd ||
         loop.hints.mark == ir::LoopMark::Simd;
}

struct Proving {
  ir::Function& function;
  ir::PassContext& ctx;
  analysis::Context known;
  std::vector<Stmt> tests{}; ///< of data, to stand before the outermost loop at hand
  bool isCutDown = false;    ///< numbers of the caller's are taken as not negative for now
  bool areApart = false;     ///< segments of iterations have a dimension of their own for now

  /// Nothing runs beside a single iteration, and as a worker it would have to hold the arrays it makes.
  static bool runsOnce(const ir::For& loop) {
    const ir::Expr last = loop.hi - loop.lo;
    const std::optional<int64_t> distance = ir::constantInt(last), step = ir::constantInt(loop.step);
    return distance && step && (*step > 0 ? *distance <= *step : *distance >= *step);
  }

  /// On a GPU integers that are chosen at run time, as a histogram's, or updated by a condition, are counted by all threads,
  /// indivisibly; the loop around everything alone is large enough.
  std::optional<Stmt> shared(const Stmt& s, ir::For loop, Answer asItStands,
                             const std::set<Symbol>& liveAfter) {
    const bool isChosen = asItStands == Answer::Unknown || chosenUpdate(loop);
    if (!ctx.cuda || !ctx.autoParallel || !known.loops.empty() || !isChosen) return std::nullopt;
    loop.body = withAtomicUpdates(loop.body);
    const analysis::ParallelVerdict v = analysis::judgeParallel(loop, known, liveAfter);
    if (!v.isFree()) return std::nullopt;
    ctx.diag.report(DiagId::Parallelised, s->span,
                    fmt::format("loop `{}` runs in parallel, with atomic updates", loop.index.hint()));
    loop.order = ir::Order::Proven;
    loop.reductions = v.reductions;
    if (ir::has<ir::For>(loop.body)) { // so may those inside, now
      ctx.diag.dropIn(s->span, {DiagId::KeptSerial});
      std::set<Symbol> inside = liveAfter;
      inside.merge(analysis::exposedScalars(loop.body));
      const analysis::Inside within(known, loop);
      loop.body = visit(loop.body, inside);
    }
    return ir::makeStmt(s->span, std::move(loop));
  }

  /// The nest, which stands for `s`, judged under what `known` says, if it is parallel; else nothing has been said of it.
  Stmt tried(const Stmt& s, const Stmt& nest, bool& isKnown, const std::string& when,
             const std::set<Symbol>& liveAfter) {
    const size_t said = ctx.diag.mark(), asked = tests.size();
    isKnown = true;
    const Stmt judged = visit(nest, liveAfter);
    isKnown = false;
    const auto* parallel = judged.as<ir::For>();
    if (!parallel || parallel->order != ir::Order::Proven) {
      ctx.diag.rollback(said);
      tests.resize(asked);
      return {};
    }
    ctx.diag.dropIn(s->span, {DiagId::KeptSerial});
    ctx.diag.report(
        DiagId::Parallelised, s->span,
        fmt::format("loop `{}` runs in parallel {}, else serially", parallel->index.hint(), when));
    return judged;
  }

  /// The loop where the caller's numbers of which it depends whether it is parallel are not negative, if nothing counts from the
  /// end then: with radii and widths that is one nest that is parallel throughout.
  std::optional<Stmt> whereNotNegative(const Stmt& s, const ir::Expr& holds,
                                       const std::set<Symbol>& liveAfter) {
    if (!holds || !ctx.autoParallel || ctx.checkRaces || isCutDown || makesUnlikeArrays(*s.as<ir::For>()))
      return std::nullopt;
    const Stmt plain = withoutEndsWhere(function, s, holds);
    if (plain == s) return std::nullopt;
    const Stmt judged = tried(s, plain, isCutDown, "when " + ir::print(holds), liveAfter);
    if (!judged) return std::nullopt;
    return ir::makeStmt(s->span, ir::If{holds, judged, inTurn(s, function)});
  }

  /// The loop, which is no parallel one, without wraps of subscripts, if where it begins decides them: those that look for scans and
  /// recurrences see which element each step has.
  ///   Wilder's mean of 10^6 ranges, `for i in range(n, len(x)): y[i] = (y[i - 1] * (n - 1) + x[i]) / n`, an H200: 109 ms; predicted 0.2,
  ///   measured 0.45
  std::optional<Stmt> whereFromBegin(const Stmt& s, const ir::For& loop, const std::set<Symbol>& liveAfter) {
    if (!ctx.cuda || !ctx.autoParallel || ctx.checkRaces || isCutDown || !known.loops.empty() ||
        loop.hints.mark != ir::LoopMark::None || ir::has<ir::For>(loop.body))
      return std::nullopt;
    const ir::Expr holds = countsFromBegin(loop);
    if (!holds) return std::nullopt;
    const Stmt plain = withoutEndsWhere(function, s, holds);
    if (plain == s) return std::nullopt;
    isCutDown = true;
    const Stmt judged = visit(plain, liveAfter);
    isCutDown = false;
    return ir::makeStmt(s->span, ir::If{holds, judged, inTurn(s, function)});
  }

  /// The loop where the segments that its iterations touch follow each other, which is tested before it.
  std::optional<Stmt> bySegments(const Stmt& s, const ir::For& loop, const std::set<Symbol>& liveAfter) {
    if (!ctx.autoParallel || ctx.checkRaces || areApart || makesUnlikeArrays(loop)) return std::nullopt;
    OrderedSegments segments(function, loop, s->span);
    if (!segments.found()) return std::nullopt;
    const bool isOutermost = known.loops.empty();
    if (!isOutermost && !segments.mayStandBefore(known.loops.front()->body)) return std::nullopt;
    const Stmt judged =
        tried(s, segments.apart(), areApart,
              "where the segments of arrays that its iterations touch follow each other", liveAfter);
    if (!judged) return std::nullopt;
    const auto around = std::exchange(known.loops, {});
    auto others = std::exchange(tests, {});
    others.push_back(visit(segments.test(!isOutermost || ir::has<ir::If>(loop.body)), {segments.ordered()}));
    tests = std::move(others);
    known.loops = around;
    return ir::makeStmt(s->span, ir::If{ir::var(segments.ordered(), ir::DType::Bool),
                                        countingUp(segments.together(judged)), inTurn(s, function)});
  }

  /// Which way a free loop runs says nothing: up, so that those behind see one form. On the CPU one thread folds what it
  /// collects in the text's order.
  Stmt countingUp(const Stmt& loop) const {
    const bool asItStands = ctx.checkRaces || (!ctx.cuda && !loop.as<ir::For>()->reductions.empty());
    return asItStands ? loop : ir::upward(loop);
  }

  /// The loop with its verdict, its body already judged.
  Stmt judge(const Stmt& s, ir::For loop, const std::set<Symbol>& liveAfter) {
    Span span = s->span;
    if (loop.order == ir::Order::Proven && ir::assignedVars(loop.body).empty())
      return ir::makeStmt(span, loop);
    analysis::ParallelVerdict v = analysis::judgeParallel(loop, known, liveAfter);
    bool carried = !v.carriedScalars.empty() || !v.liveOut.empty();
    if (loop.order == ir::Order::Proven) { // an index statement's: independent by construction
      if (loop.reductions.empty()) loop.reductions = v.reductions;
      return ir::makeStmt(span, loop);
    }
    if (loop.hints.mark == ir::LoopMark::Sequential) return ir::makeStmt(span, loop);
    if (!marked(loop) && runsOnce(loop)) return ir::makeStmt(span, std::move(loop));
    if (marked(loop)) {
      if (v.answer == Answer::Refuted) {
        reportRefuted(ctx.diag, loop, span, v);
        return s;
      }
      if (!v.liveOut.empty()) {
        ctx.diag.report(
            DiagId::LiveOut, span,
            fmt::format("`{}` is assigned in the parallel loop `{}` and read after it: no one value is left",
                        v.liveOut.front().hint(), loop.index.hint()));
        return s;
      }
    } else if (!ctx.autoParallel || carried ||
               (v.answer != Answer::Proven && v.answer != Answer::Conditional)) {
      if (const std::optional<Stmt> parallel = carried ? std::nullopt : bySegments(s, loop, liveAfter))
        return *parallel;
      const bool isByNumbers = !carried && v.answer == Answer::Refuted;
      if (const std::optional<Stmt> plain =
              isByNumbers ? whereNotNegative(s, notNegative(function, s), liveAfter) : std::nullopt)
        return *plain;
      if (const std::optional<Stmt> parallel = carried ? std::nullopt : shared(s, loop, v.answer, liveAfter))
        return *parallel;
      if (const std::optional<Stmt> plain = whereFromBegin(s, loop, liveAfter)) return *plain;
      std::string why = ctx.autoParallel ? v.reason : "--no-auto is given";
      if (!ir::storedBuffers(loop.body).empty() || !ir::loadedBuffers(loop.body).empty())
        ctx.diag.report(DiagId::KeptSerial, span,
                        fmt::format("loop `{}` stays serial: {}", loop.index.hint(), why));
      if (ctx.cuda && ctx.autoParallel && v.answer == Answer::Refuted && v.carriedScalars.empty())
        reportReductions(ctx.diag, loop, span, v);
      return ir::makeStmt(span, loop);
    }
    ir::For parallel = loop;
    parallel.reductions = v.reductions;
    parallel.order = v.answer == Answer::Unknown ? ir::Order::Assumed : ir::Order::Proven;
    if (v.answer == Answer::Unknown)
      ctx.diag.report(DiagId::Assumed, span,
                      fmt::format("loop `{}` is taken as parallel on the annotation's word: {}",
                                  loop.index.hint(), v.reason));
    if (const Stmt update = v.answer == Answer::Unknown ? chosenUpdate(loop) : Stmt())
      ctx.diag
          .report(
              DiagId::UnprotectedUpdate, update->span,
              fmt::format("two iterations of the parallel loop `{}` may update one element of `{}`: write "
                          "`#pragma atomic` above",
                          loop.index.hint(), update.as<ir::Store>()->buffer.hint()))
          .note(span, "declared parallel here; --sanitize=races finds such iterations");
    if (v.answer != Answer::Conditional) return countingUp(ir::makeStmt(span, parallel));
    if (const std::optional<Stmt> plain =
            marked(loop) ? std::nullopt : whereNotNegative(s, notNegative(function, s), liveAfter))
      return *plain;
    ctx.diag.report(DiagId::Parallelised, span,
                    fmt::format("loop `{}` runs in parallel when {}, else serially", loop.index.hint(),
                                ir::print(v.condition)));
    ir::For serial = loop;
    serial.hints.mark = ir::LoopMark::None;
    serial.body = ir::withOwnArrays(serial.body, function.buffers);
    return ir::makeStmt(
        span, ir::If{v.condition, countingUp(ir::makeStmt(span, parallel)), ir::makeStmt(span, serial)});
  }

  /// The loop, if it can be parallel but for its checks, with these behind it.
  Stmt raisedBehind(const Stmt& s, const std::set<Symbol>& live) {
    const auto& loop = *s.as<ir::For>();
    const bool isOpen = loop.hints.mark != ir::LoopMark::Sequential && (ctx.autoParallel || marked(loop));
    const auto noted = isOpen && !runsOnce(loop) && !makesUnlikeArrays(loop)
                           ? failuresNoted(function, loop, s->span)
                           : std::nullopt;
    if (!noted) return {};
    const auto isFree = [&](const Stmt& nest) {
      return analysis::judgeParallel(*nest.as<ir::For>(), known, live).isFree();
    };
    Stmt parallel = noted->loop;
    if (!isFree(parallel)) {
      const ir::Expr holds = notNegative(function, s);
      const Stmt plain = holds ? withoutEndsWhere(function, parallel, holds) : parallel;
      if (plain == parallel || !isFree(plain)) return {};
      parallel = ir::makeStmt(s->span, ir::If{holds, plain, inTurn(parallel, function)});
    }
    function.buffers.push_back(noted->first);
    std::vector<Stmt> list = noted->before;
    list.push_back(parallel);
    list.insert(list.end(), noted->behind.begin(), noted->behind.end());
    return ir::block(std::move(list));
  }

  /// `live`: scalars read after `s`.
  Stmt visit(const Stmt& s, const std::set<Symbol>& live) {
    if (const auto* b = s.as<ir::Block>()) {
      std::vector<std::set<Symbol>> after(b->body.size());
      std::set<Symbol> running = live;
      for (size_t i = b->body.size(); i-- > 0;) {
        after[i] = running;
        if (const auto* a = b->body[i].as<ir::Assign>()) running.erase(a->var);
        running.merge(analysis::exposedScalars(b->body[i]));
      }
      std::vector<Stmt> body;
      analysis::Following following(known);
      for (size_t i = 0; i < b->body.size(); ++i) {
        following.enter(b->body[i]);
        body.push_back(visit(b->body[i], after[i]));
        following.leave(b->body[i]);
      }
      return body == b->body ? s : ir::block(std::move(body)); // flat
    }
    if (const auto* f = s.as<ir::For>()) {
      if (const Stmt apart = raisedBehind(s, live)) return visit(apart, live);
      ir::For loop = *f;
      known.loops.push_back(f);
      std::set<Symbol> inside = live;
      inside.merge(analysis::exposedScalars(f->body)); // the next iteration may read what this one leaves
      loop.body = visit(f->body, inside);
      known.loops.pop_back();
      const Stmt judged = judge(s, loop, live);
      if (!known.loops.empty() || tests.empty()) return judged;
      std::vector<Stmt> list = std::exchange(tests, {});
      list.push_back(judged);
      return ir::block(std::move(list));
    }
    if (const auto* w = s.as<ir::While>()) {
      std::set<Symbol> inside = live;
      inside.merge(analysis::exposedScalars(s));
      ir::While loop = *w;
      loop.body = visit(w->body, inside);
      return loop.body == w->body ? s : ir::makeStmt(s->span, loop);
    }
    return ir::mapChildren(s, [&](const Stmt& child) { return visit(child, live); });
  }
};

} // namespace

void proveParallel(ir::Function& f, ir::PassContext& ctx) {
  Proving state{f, ctx, {}};
  state.known = analysis::contextOf(f);
  std::set<Symbol> live;
  for (const ir::Result& r : f.results) live.insert(r.name);
  f.body = state.visit(f.body, live);
}

} // namespace appyc::transform
