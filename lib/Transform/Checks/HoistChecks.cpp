//===- HoistChecks.cpp - checks that are the same in all iterations, before their loop --------------------------------===//
//   for t in [0, m):                              if 0 < m: require n // 2 + 1 == min(n, k)
//     row: f64[n];  row[i] = ..            =>     for t in [0, m):
//     length = min(n, k)                            row: f64[n];  row[i] = ..
//     require n // 2 + 1 == length
// Only where an iteration has done nothing before the check that anybody sees: it has stored into arrays of its own. The loop
// is then free of it (batch-sorts, prove-parallel). So it is of checks that indices, sizes and the caller's numbers decide, of
// which one before the nest asks for all iterations (Provisos.h).
#include "KnownValues.h"
#include "Provisos.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

class Hoisting : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

private:
  Stmt replaced(const Stmt& s, const For& loop) override {
    const auto step = constantInt(loop.step);
    if (!has<Require>(loop.body) || !isUnmarked(loop) || !step || readsMemory(loop.lo) ||
        readsMemory(loop.hi))
      return {};
    const Builder build{s->span};
    const std::set<Symbol> changing = varyingWith(loop);
    if (makesUnlikeArrays(loop)) return {};
    std::set<Symbol> own; // arrays of an iteration
    std::map<Symbol, Expr> values;
    std::vector<Stmt> before, body;
    bool isSeen = false; // what an iteration has done
    for (const Stmt& part : statementsOf(loop.body)) {
      const auto* check = part.as<Require>();
      if (check && !isSeen) {
        Require same = *check;
        same.cond = substitute(check->cond, values);
        for (Expr& value : same.values) value = substitute(value, values);
        const auto isSame = [&](const Expr& e) { return !readsMemory(e) && !mentionsAny(e, changing); };
        if (isSame(same.cond) && std::ranges::all_of(same.values, isSame)) {
          before.push_back(makeStmt(part->span, std::move(same)));
          continue;
        }
      }
      if (const auto* made = part.as<Alloc>()) own.insert(made->buffer.name);
      if (const auto* a = part.as<Assign>(); a && writersIn(loop.body).at(a->var) == 1)
        values[a->var] = substitute(a->value, values);
      isSeen = isSeen || !isOnlyIn(part, own);
      body.push_back(part);
    }
    if (before.empty()) return {};
    For rest = loop;
    rest.body = block(std::move(body));
    const Stmt inside =
        this->inside(build.make(std::move(rest)), [&](const Stmt& child) { return visit(child); });
    return block({build.when(*step > 0 ? loop.lo < loop.hi : loop.hi < loop.lo, std::move(before)), inside});
  }

  /// Does it do nothing but to store into these arrays, and to give scalars values?
  static bool isOnlyIn(const Stmt& s, const std::set<Symbol>& arrays) {
    const std::set<Symbol> stored = storedBuffers(s);
    return consistsOf<Block, Assign, Store, For, If, Alloc, Routine>(s) &&
           std::ranges::all_of(stored, [&](const Symbol& b) { return arrays.contains(b); }) &&
           !any<Routine>(s, [](const Routine& r) { return !isQuiet(r); });
  }
  /// A routine that cannot fail by what it is given.
  static bool isQuiet(const Routine& r) {
    return r.name == RoutineName::TransformRows || info(r.name).launches > 0;
  }
};

} // namespace

/// Outermost loops without checks that sizes and the caller's numbers decide, which stand before them.
static Stmt withoutNestsChecks(const Stmt& s, Function& f) {
  const auto* loop = s.as<For>();
  if (const Stmt free = loop && loop->hints.mark == LoopMark::None ? withoutChecks(s, f) : Stmt())
    return free;
  return mapChildren(s, [&](const Stmt& child) { return withoutNestsChecks(child, f); });
}

void hoistChecks(Function& f, PassContext& ctx) {
  f.body = Hoisting(f, ctx).visit(f.body);
  if (!ctx.autoParallel || ctx.checkRaces) return;
  const Stmt without = withoutNestsChecks(f.body, f);
  if (without == f.body) return;
  f.body = without;
  f.body =
      Hoisting(f, ctx).visit(f.body); // where windows have one length, others are the same in all iterations
}

} // namespace appyc::transform
