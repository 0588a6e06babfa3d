//===- Nests.cpp - perfect nests, taken apart and made; iterations written out -------------------------===//
#include "appyc/Loops/Loops.h"

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
    For loop = **it;
    loop.body = std::move(body);
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

Stmt unrolled(const Builder& build, Symbol index, int64_t count, Stmt body) {
  For loop = serialLoop(std::move(index), intConst(0), intConst(count), intConst(1), std::move(body));
  loop.mapping.unroll = true;
  return build.make(std::move(loop));
}

Stmt unrolledInAnyOrder(const Builder& build, Symbol index, const Expr& count, Stmt body, int lanes,
                        std::vector<Reduction> reductions) {
  For loop = provenLoop(std::move(index), intConst(0), count, std::move(body), lanes);
  loop.mapping.unroll = true;
  loop.reductions = std::move(reductions);
  return build.make(std::move(loop));
}

For iterationsOf(For loop, const Expr& first, const Expr& end) {
  loop.hi = loop.lo + end * loop.step;
  loop.lo = loop.lo + first * loop.step;
  return loop;
}

For countingUp(For loop) {
  const Expr first = loop.hi + 1;
  loop.hi = loop.lo + 1;
  loop.lo = first;
  loop.step = intConst(1);
  return loop;
}

} // namespace appyc::loops
