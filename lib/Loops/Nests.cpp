//===- Nests.cpp - perfect nests, taken apart and made; iterations written out -------------------------===//
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::loops {
using namespace ir;

Nest perfectNest(const Stmt& s, const IsOfNest& isOfNest) {
  Nest nest{{}, s};
  for (;;) {
    const std::vector<Stmt> inside = statementsOf(nest.body);
    const auto* loop = inside.size() == 1 ? inside.front().as<For>() : nullptr;
    if (!loop || (isOfNest && !isOfNest(*loop, nest.loops))) return nest;
    nest.loops.push_back(loop);
    nest.body = Stmt(loop->body);
  }
}

Stmt nestAround(const Builder& build, const std::vector<const For*>& loops, Stmt body,
                const std::function<void(For&)>& change) {
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    For loop = withBody(**it, std::move(body));
    if (change) change(loop);
    body = build.make(std::move(loop));
  }
  return body;
}

Stmt forAll(const Builder& build, const std::string& hint, const std::vector<Expr>& extents,
            const std::function<Stmt(const std::vector<Expr>&)>& body) {
  std::vector<Symbol> names;
  std::vector<Expr> index;
  for (size_t d = 0; d < extents.size(); ++d) index.push_back(var(names.emplace_back(hint)));
  Stmt all = body(index);
  for (size_t d = extents.size(); d-- > 0;) all = build.inAnyOrder(names[d], intConst(0), extents[d], all);
  return all;
}

Linear linearised(const Builder& build, const std::vector<For>& loops, const std::string& hint,
                  int64_t least) {
  const Symbol position(hint);
  std::vector<Stmt> indices;
  Expr rest = var(position), product = intConst(1);
  for (size_t i = loops.size(); i-- > 0;) {
    const Expr count = tripCount(loops[i]), length = maxOf(count, least);
    const Expr at = i > 0 ? mod(rest, length) : rest;
    indices.push_back(build.assign(loops[i].index, loops[i].lo + at * loops[i].step));
    if (i > 0) rest = floorDiv(rest, length);
    product = product * maxOf(count, 0);
  }
  std::reverse(indices.begin(), indices.end());
  For joint = loops[0];
  joint.index = position;
  joint.lo = intConst(0), joint.hi = product, joint.step = intConst(1);
  return {std::move(joint), std::move(indices)};
}

bool mayLinearise(const std::vector<For>& loops, const std::set<Symbol>& varying) {
  return std::none_of(loops.begin(), loops.end(), [&](const For& loop) {
    return mentionsAny(loop.lo, varying) || mentionsAny(loop.hi, varying) || !tripCount(loop);
  });
}

Stmt unrolled(const Builder& build, Symbol index, int64_t count, Stmt body) {
  For loop = serialLoop(std::move(index), intConst(0), intConst(count), intConst(1), std::move(body));
  loop.mapping = Serial{.unroll = 1};
  return build.make(std::move(loop));
}

Stmt unrolledInAnyOrder(const Builder& build, Symbol index, const Expr& count, Stmt body, int lanes,
                        std::vector<Reduction> reductions) {
  For loop = provenLoop(std::move(index), intConst(0), count, std::move(body), lanes);
  loop.mapping = Serial{.unroll = 1};
  loop.reductions = std::move(reductions);
  return build.make(std::move(loop));
}

Stmt writtenOut(const For& loop) {
  std::vector<Stmt> all;
  for (int64_t k = 0; k < constantTrip(loop).value(); ++k)
    all.push_back(substitute(loop.body, {{loop.index, loop.lo + intConst(k) * loop.step}}));
  return block(std::move(all));
}

Expr positionIn(const For& loop) {
  const Expr distance = var(loop.index) - loop.lo;
  return isConst(loop.step, 1) ? distance : floorDiv(distance, loop.step);
}

Expr positionIn(const std::vector<const For*>& nest) {
  Expr at = positionIn(*nest[0]);
  for (size_t k = 1; k < nest.size(); ++k) at = at * tripCount(*nest[k]) + positionIn(*nest[k]);
  return at;
}

Expr pointsOf(const std::vector<const For*>& nest) {
  Expr all = intConst(1);
  for (const For* loop : nest) all = all * maxOf(tripCount(*loop), 1);
  return all;
}

For iterationsOf(For loop, const Expr& first, const Expr& end) {
  loop.hi = loop.lo + end * loop.step;
  loop.lo = loop.lo + first * loop.step;
  return loop;
}

For chunkOf(For loop, const Expr& c, const Expr& size, const Expr& total) {
  const Expr first = c * size;
  return iterationsOf(std::move(loop), first, minOf(first + size, total));
}

For startingAt(For loop, const Expr& first) {
  const Symbol index(loop.index.hint());
  loop.body = substitute(loop.body, {{loop.index, var(index) - first + loop.lo}});
  loop.hi = loop.hi - loop.lo + first;
  loop.lo = first;
  loop.index = index;
  return loop;
}

std::optional<For> interchanged(const For& outer) {
  const auto* inner = outer.body.as<For>();
  if (!inner || !isConst(outer.step, 1) || !isConst(inner->step, 1)) return std::nullopt;
  For rows = *inner, columns = withBody(outer, inner->body);
  const Expr i = var(outer.index), j = var(inner->index);
  if (mentions(inner->lo, outer.index)) {
    const Expr offset = inner->lo - i;
    if (mentions(offset, outer.index)) return std::nullopt;
    rows.lo = outer.lo + offset;
    columns.hi = minOf(columns.hi, j - offset + 1);
  }
  if (mentions(inner->hi, outer.index)) {
    const Expr offset = inner->hi - i;
    if (mentions(offset, outer.index)) return std::nullopt;
    rows.hi = outer.hi - 1 + offset;
    columns.lo = maxOf(columns.lo, j - offset + 1);
  }
  rows.body = makeStmt(outer.body->span, std::move(columns));
  return rows;
}

std::optional<For> skewed(const For& outer) {
  std::vector<Stmt> body = statementsOf(outer.body);
  bool any = false;
  for (Stmt& s : body) {
    const auto* inner = s.as<For>();
    if (!any && s.is<Store>()) s = Builder{s->span}.inOrder(Symbol("first"), intConst(-1), intConst(0), s);
    if (!inner || inner->order != Order::Serial || !isConst(inner->step, 1) ||
        !mentions(inner->lo, outer.index))
      continue;
    s = makeStmt(s->span, startingAt(*inner, intConst(0)));
    any = true;
  }
  if (!any) return std::nullopt;
  For skew = withBody(outer, block(std::move(body)));
  return skew;
}

For countingUp(For loop) {
  const Expr first = loop.hi + 1;
  loop.hi = loop.lo + 1;
  loop.lo = first;
  loop.step = intConst(1);
  return loop;
}

} // namespace appyc::loops
