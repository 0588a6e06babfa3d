//===- TileTime.cpp - several steps of a time loop in one pass over memory ----------------------------===//
// The host's part: passes go to second copies of the arrays and back, the last ones with the steps that are
// left. What a pass does is in TimeTile.cpp.
#include "HostLoops.h"
#include "TimeTile.h"
#include "Units.h"
#include "appyc/Cost/Model.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr double kLeastGain = 1.1;
constexpr size_t kMostNames = 3; ///< that arrays have in turn

Stmt assign(Symbol name, Expr value) { return makeStmt({}, Assign{std::move(name), std::move(value)}); }
Stmt when(Expr cond, std::vector<Stmt> then) {
  return makeStmt({}, If{std::move(cond), block(std::move(then)), {}});
}

class TimeTiling {
public:
  TimeTiling(const TimeLoop& time, const TileShape& tile, Span span)
      : time_(time), tile_(tile), pass_(time, tile), span_(span) {
    for (const StateArray& a : time.arrays) {
      const Buffer& array = a.buffer;
      arrays_[array.name] = copies_[array.name] = array;
      if (a.writer < 0)
        copies_[array.name] = {Symbol(array.name.hint() + "_next"), array.type, array.extents};
      else
        hasLast_ = hasLast_ || !a.isTemporary;
      hasNew_ = hasNew_ || (a.isNew && a.writer < 0);
    }
    usesIndex_ = mentionsAny(time.loop->body, {time.loop->index});
  }

  Stmt run() {
    const Symbol steps("steps"), rounds("rounds"), round("round"), full("full"), rest("rest"), half("half"),
        other("other");
    const Symbol more("not_last"), last("last");
    const Expr pair = intConst(2 * tile_.steps);
    std::vector<Stmt> inside{assign(rounds, floorDiv(var(steps) - 1, pair)),
                             assign(full, intConst(tile_.steps))};
    if (hasLast_) inside.push_back(assign(more, intConst(0)));
    std::vector<Stmt> twice;
    addPair(twice, var(round) * pair, {full, more}, {full, more});
    For loop = serialLoop(round, intConst(0), var(rounds), intConst(1), block(std::move(twice)));
    inside.push_back(makeStmt(span_, std::move(loop)));
    // One to 2 * T steps are left, so that the last pass has at least one.
    const Expr done = var(rounds) * pair;
    inside.push_back(assign(rest, var(steps) - done));
    inside.push_back(assign(half, floorDiv(var(rest), 2)));
    inside.push_back(assign(other, var(rest) - var(half)));
    if (hasLast_) inside.push_back(assign(last, intConst(1)));
    addPair(inside, done, {half, more}, {other, last});
    std::vector<Stmt> out;
    for (const StateArray& a : time_.arrays)
      if (a.isMadeOnce) out.push_back(makeStmt(span_, Alloc{a.buffer}));
    for (const Buffer& copy : copies()) out.push_back(makeStmt(span_, Alloc{copy}));
    out.push_back(assign(steps, tripCount(*time_.loop)));
    out.push_back(when(var(steps) > 0, std::move(inside)));
    return block(std::move(out));
  }

  std::vector<Buffer> buffers() const {
    std::vector<Buffer> all = copies(), onChip = pass_.buffers();
    all.insert(all.end(), onChip.begin(), onChip.end());
    return all;
  }

private:
  struct Steps {
    Symbol count, last;
  };
  std::vector<Buffer> copies() const {
    std::vector<Buffer> all;
    for (const auto& [name, copy] : copies_)
      if (copy.name != name) all.push_back(copy);
    return all;
  }

  /// To the second copies and back, from step number `done`.
  void addPair(std::vector<Stmt>& out, const Expr& done, const Steps& there, const Steps& back) {
    Symbol first, second;
    if (usesIndex_) {
      const For& loop = *time_.loop;
      const std::string hint = loop.index.hint();
      first = Symbol(hint + "_first"), second = Symbol(hint + "_second");
      out.push_back(assign(first, loop.lo + done * loop.step));
      out.push_back(assign(second, var(first) + var(there.count) * loop.step));
    }
    Symbol before, between;
    if (hasNew_) {
      before = Symbol("passes"), between = Symbol("passes");
      // Whether there are any; no number that the index has, too, as both launches run one kernel.
      out.push_back(assign(before, usesIndex_ ? minOf(done, 1) : done));
      out.push_back(assign(between, var(before) + 1));
    }
    const TimeTile::Steps forth{there.count, there.last, first, before},
        home{back.count, back.last, second, between};
    out.push_back(makeStmt(span_, pass_.launch(forth, arrays_, copies_)));
    out.push_back(makeStmt(span_, pass_.launch(home, copies_, arrays_)));
  }

  const TimeLoop& time_;
  const TileShape& tile_;
  TimeTile pass_;
  Span span_;
  TimeTile::Copies arrays_, copies_; ///< by the arrays' names; an array that no step needs is its own copy
  bool hasLast_ = false, usesIndex_ = false, hasNew_ = false;
};

struct Tiler {
  const Function& function;
  PassContext& ctx;
  std::vector<Buffer> buffers;
  std::set<Symbol> unwritten = {}; ///< arrays that nobody has written since they were made

  Stmt visit(const Stmt& s) {
    if (const auto* alloc = s.as<Alloc>()) unwritten.insert(alloc->buffer.name);
    const Stmt made = s.is<Launch>() ? s : visitParts(s);
    for (const Symbol& name : storedBuffers(s)) unwritten.erase(name);
    return made;
  }

  Stmt visitParts(const Stmt& s) {
    if (const auto* loop = s.as<For>()) {
      std::string why;
      if (!leavesNoTemporary(s)) {
        why = "an array that it makes is used behind it";
      } else if (hasAskedThreads(loop->body)) {
        why = "a schedule says how many threads its kernels have";
      } else {
        if (const Stmt made = inTiles(s, why)) return made;
        if (const Stmt made = partsInTiles(s)) return made;
        if (const Stmt made = pairsInTiles(s)) return made;
      }
      const std::vector<Stmt> body = statementsOf(loop->body);
      if (std::any_of(body.begin(), body.end(), [](const Stmt& part) { return part.is<Launch>(); }))
        ctx.diag.report(DiagId::TimeLoop, s->span, "no tiles of several steps: " + why);
    }
    if (s.is<For>() || s.is<While>()) { // whose steps may have written what was made before
      const std::set<Symbol> before = std::exchange(unwritten, {});
      const Stmt made = mapChildren(s, [&](const Stmt& child) { return visit(child); });
      unwritten = before;
      return made;
    }
    return mapChildren(s, [&](const Stmt& child) { return visit(child); });
  }

  /// Are the arrays that the loop makes in each step its own?
  bool leavesNoTemporary(const Stmt& loop) const {
    std::set<Symbol> made;
    each<Alloc>(loop, [&](const Alloc& a) { made.insert(a.buffer.name); });
    if (made.empty()) return true;
    const Stmt others = rewrite(function.body, [&](const Stmt& s) { return s == loop ? block({}) : Stmt(); });
    return !intersect(made, loadedBuffers(others)) && !intersect(made, storedBuffers(others)) &&
           std::none_of(function.results.begin(), function.results.end(),
                        [&](const Result& r) { return made.count(r.name) != 0; });
  }

  Stmt inTiles(const Stmt& s, std::string& why) {
    std::optional<TimeLoop> time =
        analysis::timeLoopOf(*s.as<For>(), buffers, cost::doublesInRoundTrip(ctx.device), why);
    if (!time) return {};
    for (StateArray& array : time->arrays)
      array.isNew = array.isTemporary || array.isMadeOnce || unwritten.count(array.buffer.name) != 0;
    TileShape tile = cost::chooseTile(*time, ctx.device);
    const int64_t byDefault = tile.gain >= kLeastGain ? tile.steps : 1;
    const int64_t steps = ctx.choose(s->span, "steps", byDefault, openSteps(*time));
    if (steps > 1 && steps != tile.steps) tile = cost::chooseTile(*time, ctx.device, steps);
    if (steps > 1 && tile.steps == steps) return tiled(s, *time, tile);
    why = steps != byDefault
              ? "the schedule file says so"
              : fmt::format("predicted to take 1/{:.1f} of the time of one sweep after the other", tile.gain);
    return {};
  }

  /// Sweeps beside statements that share nothing with them. One sweep may share its launch with others, which then take a
  /// launch of their own.
  Stmt partsInTiles(const Stmt& s) {
    std::vector<Stmt> parts = independentParts(s);
    const int64_t launches = mostLaunches(s.as<For>()->body);
    bool found = false;
    for (Stmt& part : parts) {
      const int64_t own = mostLaunches(part.as<For>()->body);
      std::string why;
      const Stmt made = own > 1 || own == launches ? inTiles(part, why) : Stmt();
      found = found || made;
      if (made) part = made;
    }
    return found ? block(std::move(parts)) : Stmt();
  }

  /// Several steps at once of a loop at whose end arrays change places, after which each is where it was:
  ///   for t: step(a, b); a, b = b, a   =>   for t by 2: step(a, b); step'(b, a)
  ///                                         for t behind them: step(a, b); a, b = b, a
  Stmt pairsInTiles(const Stmt& s) {
    const For& loop = *s.as<For>();
    std::vector<Stmt> step = statementsOf(loop.body), last = step;
    std::map<Symbol, Symbol> exchanged;
    size_t own = step.size();
    while (own > 0 && step[own - 1].is<Swap>()) --own;
    for (size_t at = own; at < step.size(); ++at) {
      const auto* swap = step[at].as<Swap>(); // of what the ones before it have made of the names
      const auto now = [&](const Symbol& name) { return exchanged.count(name) ? exchanged.at(name) : name; };
      const Symbol a = now(swap->a), b = now(swap->b);
      exchanged[swap->a] = b, exchanged[swap->b] = a;
    }
    step.resize(own);
    const Expr trips = tripCount(loop);
    if (exchanged.empty() || !trips || !isConst(loop.step, 1)) return {};
    // The names of one step after the other, until they are those of the first one.
    std::vector<Stmt> together{block(step)};
    std::map<Symbol, Symbol> names = exchanged;
    const auto isHome = [](const auto& name) { return name.first == name.second; };
    while (!std::ranges::all_of(names, isHome)) {
      if (together.size() == kMostNames) return {};
      const auto later = intConst(static_cast<int64_t>(together.size()));
      together.push_back(
          renameArrays(substitute(block(step), {{loop.index, var(loop.index) + later}}), names));
      for (auto& [name, place] : names) place = exchanged.at(place);
    }
    const auto count = static_cast<int64_t>(together.size());
    const Builder build{s->span};
    std::vector<Stmt> out;
    const Expr pairs = build.let("pairs", floorDiv(maxOf(trips, 0), count), out);
    const Expr odd = build.let("odd", loop.lo + pairs * count, out);
    For both = loop;
    both.hi = odd;
    both.step = intConst(count);
    both.body = block(std::move(together));
    std::string why;
    const Stmt made = inTiles(build.make(std::move(both)), why);
    if (!made) return {};
    out.push_back(made);
    const Stmt left = withOwnArrays(withOwnKernels(block(last), "_odd"), buffers);
    if (count == 2) {
      out.push_back(build.when(odd < loop.hi, substitute(left, {{loop.index, odd}})));
      return block(std::move(out));
    }
    For rest = loop;
    rest.lo = odd;
    rest.index = Symbol(loop.index.hint());
    rest.body = substitute(left, {{loop.index, var(rest.index)}});
    out.push_back(build.make(std::move(rest)));
    return block(std::move(out));
  }
  /// Steps for which there are tiles.
  std::vector<int64_t> openSteps(const TimeLoop& time) const {
    std::vector<int64_t> open{1};
    for (int64_t steps : {2, 3, 4, 6, 8, 16, 32, 48, 64})
      if (cost::chooseTile(time, ctx.device, steps).steps == steps) open.push_back(steps);
    return open;
  }

  Stmt tiled(const Stmt& s, const TimeLoop& time, const TileShape& tile) {
    std::string size, halo;
    for (size_t d = 0; d < tile.size.size(); ++d) {
      size += fmt::format("{}{}", d > 0 ? "x" : "", tile.size[d]);
      halo += fmt::format("{}{}+{}", d > 0 ? ", " : "", tile.before[d], tile.after[d]);
    }
    ctx.diag.report(
        DiagId::TimeLoop, s->span,
        fmt::format("{} steps at a time in tiles of {} cells, halos of {} among them: predicted to take "
                    "1/{:.1f} of the time of one sweep after the other",
                    tile.steps, size, halo, tile.gain));
    TimeTiling tiling(time, tile, s->span);
    for (const Buffer& b : tiling.buffers()) buffers.push_back(b);
    if (time.leasts.empty()) return tiling.run();
    Expr isLarge = boolConst(true);
    for (const Expr& least : time.leasts) isLarge = both(isLarge, intConst(0) <= least);
    return makeStmt(s->span, If{isLarge, tiling.run(), withOwnArrays(withOwnKernels(s, "_small"), buffers)});
  }
};

} // namespace

void tileTime(Function& function, PassContext& ctx) {
  Tiler tiler{function, ctx, function.buffers};
  for (const Result& result : function.results)
    if (result.kind == Result::Array) tiler.unwritten.insert(result.name);
  replaceBody(function, tiler.visit(function.body));
  function.buffers = std::move(tiler.buffers);
}

} // namespace appyc::schedule
