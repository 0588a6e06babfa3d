//===- ProveParallel.cpp - every loop is judged; annotations are checked, not believed --------------===//
#include "AtomicUpdates.h"
#include "Raises.h"
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

  void reportRefuted(const ir::For& loop, Span span, const analysis::ParallelVerdict& v) {
    const char* word = loop.hints.mark == ir::LoopMark::Simd ? "simd" : "parallel";
    const std::string& i = loop.index.hint();
    if (!v.carriedScalars.empty()) {
      ctx.diag
          .report(
              DiagId::LoopCarried, span,
              fmt::format("loop `{}` is declared {}, but `{}` carries a value from one iteration to the next",
                          i, word, v.carriedScalars.front().hint()))
          .note(span, "a scalar may collect by one of +, *, min, max, and, or; otherwise drop the pragma");
      return;
    }
    // "iteration i=0 writes A[1], iteration i=1 reads it": each half goes to its place.
    size_t half = v.witness.find(", iteration ");
    std::string early = v.witness.substr(0, half),
                late = half == std::string::npos ? early : v.witness.substr(half + 2);
    bool earlyWrites = early.find(" reads ") == std::string::npos;
    ctx.diag
        .report(DiagId::LoopCarried, span,
                fmt::format("loop `{}` is declared {}, but its iterations depend on one another: {}", i, word,
                            v.witness))
        .note(earlyWrites ? v.writeAt : v.otherAt, early)
        .note(earlyWrites ? v.otherAt : v.writeAt, late)
        .note(span, "use `#pragma atomic` on the update, an element of its own for each iteration, or drop "
                    "the pragma");
  }

  /// What a loop collects that is serial for other reasons.
  void reportReductions(const ir::For& loop, Span span, const analysis::ParallelVerdict& v) {
    std::set<Symbol> own; // those that inner loops collect are theirs
    for (const Stmt& s : ir::statementsOf(loop.body)) {
      if (const auto* inner = s.as<ir::For>(); inner && inner->order != ir::Order::Serial) return;
      if (const auto* a = s.as<ir::Assign>()) own.insert(a->var);
    }
    for (const ir::Reduction& r : v.reductions)
      if (own.count(r.var))
        ctx.diag.report(
            DiagId::SerialReduction, span,
            fmt::format(
                "`{}` is collected serially, as loop `{}` is serial: {}; collect it in a loop of its own",
                r.var.hint(), loop.index.hint(), v.reason));
  }

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
        reportRefuted(loop, span, v);
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
      if (const std::optional<Stmt> parallel = carried ? std::nullopt : shared(s, loop, v.answer, liveAfter))
        return *parallel;
      std::string why = ctx.autoParallel ? v.reason : "--no-auto is given";
      if (!ir::storedBuffers(loop.body).empty() || !ir::loadedBuffers(loop.body).empty())
        ctx.diag.report(DiagId::KeptSerial, span,
                        fmt::format("loop `{}` stays serial: {}", loop.index.hint(), why));
      if (ctx.cuda && ctx.autoParallel && v.answer == Answer::Refuted && v.carriedScalars.empty())
        reportReductions(loop, span, v);
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
    const auto noted = isOpen && !runsOnce(loop) ? failuresNoted(function, loop, s->span) : std::nullopt;
    if (!noted) return {};
    const analysis::ParallelVerdict v = analysis::judgeParallel(*noted->loop.as<ir::For>(), known, live);
    if (v.answer != Answer::Proven || !v.liveOut.empty()) return {};
    function.buffers.push_back(noted->first);
    std::vector<Stmt> list = noted->before;
    list.push_back(noted->loop);
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
      return judge(s, loop, live);
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
