//===- Liveness.cpp - which scalars a later statement still reads -----------------------------------===//
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <iterator>
#include <utility>

namespace appyc::analysis {
using namespace ir;

Liveness::Liveness(const Function& function) : body_(function.body) {
  for (const Result& r : function.results)
    if (r.kind == Result::Scalar) results_.insert(r.name);
}

void Liveness::find() const {
  if (std::exchange(isFound_, true)) return;
  walk(body_, results_); // without a Return it still ends with its results
}

const std::set<Symbol>& Liveness::before(const Stmt& s) const {
  static const Set none;
  find();
  auto it = before_.find(s.get());
  return it == before_.end() ? none : it->second;
}

const std::set<Symbol>& Liveness::after(const Stmt& s) const {
  static const Set none;
  find();
  auto it = after_.find(s.get());
  return it == after_.end() ? none : it->second;
}

Liveness::Set Liveness::walk(const Stmt& s, const Set& after) const {
  if (!s) return after;
  add(after_[s.get()], after);
  Set live = walkParts(s, after);
  add(before_[s.get()], live);
  return live;
}

void Liveness::add(Set& to, const Set& more) {
  if (to.empty())
    to = more; // much faster than one by one
  else
    to.insert(more.begin(), more.end());
}

/// Loops are walked twice: what their statements read is looked for once.
const Liveness::Set& Liveness::readBy(const Stmt& s) const {
  const auto [known, isNew] = reads_.try_emplace(s.get());
  if (isNew) forEachExpr(s, [&](const Expr& e) { known->second.merge(freeVars(e)); });
  return known->second;
}

/// What a statement needs, and what it gives a value in any case: live before it is what it reads, and what is live after it
/// and not given there.
const Liveness::Effect& Liveness::effectOf(const Stmt& s) const {
  static const Effect none;
  if (!s) return none;
  if (const auto known = effects_.find(s.get()); known != effects_.end()) return known->second;
  Effect effect;
  if (const auto* b = s.as<Block>()) {
    for (auto it = b->body.rbegin(); it != b->body.rend(); ++it) {
      const Effect& child = effectOf(*it);
      std::erase_if(effect.reads, [&](const Symbol& v) { return child.gives.count(v) > 0; });
      add(effect.reads, child.reads);
      add(effect.gives, child.gives);
    }
  } else if (const auto* branch = s.as<If>()) {
    const Effect &then = effectOf(branch->then), &otherwise = effectOf(branch->otherwise);
    effect.reads = then.reads;
    add(effect.reads, otherwise.reads);
    std::ranges::set_intersection(then.gives, otherwise.gives,
                                  std::inserter(effect.gives, effect.gives.end()));
  } else { // a loop's body may not run, nor what one of many runs
    forEachChild(s, [&](const Stmt& body) { add(effect.reads, effectOf(body).reads); });
  }
  if (const auto* loop = s.as<For>()) effect.reads.erase(loop->index);
  if (const auto* repeat = s.as<While>()) effect.reads.merge(freeVars(repeat->cond));
  if (const auto* a = s.as<Assign>()) effect.gives = {a->var};
  if (const auto* f = s.as<Fetch>()) effect.gives = {f->var};
  if (const auto* c = s.as<Collective>()) effect.reads.insert(c->var);
  if (s.is<Return>()) add(effect.reads, results_);
  if (!s.is<Block>()) add(effect.reads, readBy(s));
  return effects_[s.get()] = std::move(effect);
}

/// Adds to `live` what the body needs before its first iteration, or before a later one.
void Liveness::walkLoop(const Stmt& body, const Symbol& index, Set& live) const {
  const bool isOwn = index && live.insert(index).second;
  add(live, effectOf(body).reads);
  walk(body, live);
  if (isOwn) live.erase(index);
}

Liveness::Set Liveness::walkParts(const Stmt& s, Set live) const {
  if (const auto* b = s.as<Block>()) {
    for (auto it = b->body.rbegin(); it != b->body.rend(); ++it) live = walk(*it, live);
    return live;
  }
  if (const auto* loop = s.as<For>()) {
    walkLoop(loop->body, loop->index, live);
  } else if (const auto* repeat = s.as<While>()) {
    live.merge(freeVars(repeat->cond));
    walkLoop(repeat->body, {}, live);
  } else if (const auto* branch = s.as<If>()) {
    Set then = walk(branch->then, live);
    live = walk(branch->otherwise, live);
    live.merge(then);
  } else if (const auto* only = s.as<Only>()) {
    Set first = walk(only->body, live);
    if (only->others) live = walk(only->others, live);
    live.merge(first);
  } else if (const auto* a = s.as<Assign>()) {
    live.erase(a->var);
  } else if (const auto* f = s.as<Fetch>()) {
    live.erase(f->var);
  } else if (const auto* c = s.as<Collective>()) {
    live.insert(c->var);
  } else if (const auto* launch = s.as<Launch>()) {
    live.merge(Set(walk(launch->body, live)));
  } else if (s.is<Return>()) {
    live.insert(results_.begin(), results_.end());
  }
  const Set& reads = readBy(s);
  live.insert(reads.begin(), reads.end());
  return live;
}

} // namespace appyc::analysis
