//===- HostLoops.cpp - the loops of the host program, wherever they stand -----------------------------===//
#include "HostLoops.h"
#include "Units.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"

namespace appyc::schedule {
using namespace ir;

namespace {

class HostLists {
public:
  HostLists(const Function& f, const ListStrategy& strategy) : strategy_(strategy) {
    for (const Size& s : f.sizes) around_.sizes.insert(s.name);
  }

  Stmt map(const Stmt& s) {
    const std::vector<Stmt> list = statementsOf(s);
    std::vector<Stmt> out;
    for (const Stmt& next : strategy_(list, around_)) out.push_back(inside(next));
    return out == list ? s : block(std::move(out));
  }

private:
  Stmt inside(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (loop && (isParallel(*loop) || loop->mark == LoopMark::Sequential)) return s;
    if (!loop && !s.is<While>() && !s.is<If>()) return s;
    if (loop) around_.loops.push_back(loop);
    const Stmt out = mapChildren(s, [&](const Stmt& child) { return map(child); });
    if (loop) around_.loops.pop_back();
    return out;
  }

  const ListStrategy& strategy_;
  analysis::Context around_;
};

} // namespace

Stmt mapHostLists(const Function& f, const ListStrategy& strategy) {
  return HostLists(f, strategy).map(f.body);
}

Stmt mapHostLoops(const Function& f, const LoopStrategy& strategy) {
  return mapHostLists(f, [&](const std::vector<Stmt>& list, const analysis::Context& around) {
    std::vector<Stmt> out = list;
    for (Stmt& s : out) {
      const auto* loop = s.as<For>();
      if (!loop || loop->order != Order::Serial || loop->mark != LoopMark::None) continue;
      const Stmt up = freeLoopsUpward(upward(s));
      const Stmt made = isConst(up.as<For>()->step, 1) ? strategy(up, around) : Stmt();
      if (made) s = made;
    }
    return out;
  });
}

Stmt upward(const Stmt& s) {
  const auto* loop = s.as<For>();
  if (!loop || !isConst(loop->step, -1)) return s;
  const Symbol i(loop->index.hint());
  For up = *loop;
  up.index = i;
  up.lo = intConst(0), up.hi = sub(loop->lo, loop->hi), up.step = intConst(1);
  up.body = substitute(loop->body, {{loop->index, sub(loop->lo, var(i))}});
  return makeStmt(s->span, std::move(up));
}

Stmt freeLoopsUpward(const Stmt& s) {
  return rewrite(s, [](const Stmt& part) {
    const auto* loop = part.as<For>();
    return loop && isParallel(*loop) ? upward(part) : Stmt();
  });
}

} // namespace appyc::schedule
