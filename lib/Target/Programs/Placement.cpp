//===- Placement.cpp - where scalar variables are declared ----------------------------------------------===//
#include "Placement.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <map>
namespace appyc::target {

using namespace ir;
using Symbols = std::set<Symbol>;

namespace {

void insert(Symbols& into, const Symbols& from) { into.insert(from.begin(), from.end()); }

/// Read by the statement itself, not by statements inside it.
Symbols ownReads(const Function& f, const Stmt& s) {
  Symbols all;
  forEachExpr(s, [&](const Expr& e) { insert(all, freeVars(e)); });
  if (const auto* c = s.as<Collective>()) all.insert(c->var);
  if (const auto* r = s.as<Return>(); r && !r->value)
    for (const Result& result : f.results)
      if (result.kind == Result::Scalar) all.insert(result.name);
  return all;
}

/// The variable that the statement assigns itself, if any.
Symbol ownWrite(const Stmt& s) {
  if (const auto* a = s.as<Assign>()) return a->var;
  if (const auto* c = s.as<Collective>()) return c->var;
  if (const auto* l = s.as<Fetch>()) return l->var;
  if (const auto* e = s.as<Exchange>()) return e->var;
  if (const auto* a = s.as<Atomic>()) return a->old;
  return {};
}

bool isReduced(const For& loop, const Symbol& v) {
  return std::any_of(loop.reductions.begin(), loop.reductions.end(),
                     [&](const Reduction& r) { return r.var == v; });
}

Symbols liveBefore(const Function& f, const Stmt& s, Symbols live) {
  if (!s) return live;
  if (const auto* b = s.as<Block>()) {
    for (auto it = b->body.rbegin(); it != b->body.rend(); ++it) live = liveBefore(f, *it, std::move(live));
    return live;
  }
  if (const auto* i = s.as<If>()) {
    Symbols all = ownReads(f, s);
    insert(all, liveBefore(f, i->then, live));
    insert(all, liveBefore(f, i->otherwise, live));
    return all;
  }
  if (const auto* only = s.as<Only>()) {
    Symbols all = liveBefore(f, only->body, live);
    insert(all, liveBefore(f, only->others, live));
    return all;
  }
  if (s.is<For>() || s.is<While>() || s.is<Launch>()) {
    const auto* loop = s.as<For>();
    forEachChild(s, [&](const Stmt& body) {
      Symbols exposed = liveBefore(f, body, {});
      if (loop && loop->order != Order::Serial)
        for (const Symbol& v : assignedVars(body))
          if (!isReduced(*loop, v)) exposed.erase(v); // each iteration has its own
      insert(live, exposed);
    });
    if (loop) live.erase(loop->index);
  }
  if (const Symbol written = ownWrite(s)) live.erase(written);
  insert(live, ownReads(f, s));
  return live;
}

bool hasBodies(const Stmt& s) { return s.is<For>() || s.is<While>() || s.is<If>() || s.is<Only>(); }

/// What a statement of a sequence has to do with variables.
struct Uses {
  Symbols all, own; ///< read or written in it; read by it itself
  Symbols exposed;  ///< read in a body of it before they are written there
};

Uses usesOf(const Function& f, const Stmt& s) {
  Uses uses;
  uses.own = ownReads(f, s);
  visit(s, [&](const Stmt& child) {
    if (const Symbol written = ownWrite(child)) uses.all.insert(written);
    const bool isKernel = child.is<Launch>(); // has its own copy of what it assigns to
    insert(uses.all, isKernel ? exposedReads(f, child) : ownReads(f, child));
    return !isKernel;
  });
  if (hasBodies(s)) forEachChild(s, [&](const Stmt& body) { insert(uses.exposed, exposedReads(f, body)); });
  return uses;
}

/// Whether every body of `s` that mentions `v` can have a `v` of its own.
bool canBeInside(const Stmt& s, const Uses& uses, const Symbol& v, const Symbols& liveOut) {
  if (!hasBodies(s) || liveOut.count(v) || uses.own.count(v)) return false;
  if (const auto* loop = s.as<For>(); loop && loop->order != Order::Serial) {
    // Iterations are independent, so no value comes from the one before, whatever the paths through the body.
    return !isReduced(*loop, v);
  }
  return !uses.exposed.count(v);
}

/// How often each variable is assigned to in the sequence.
std::map<Symbol, int> assignmentsIn(const std::vector<Stmt>& sequence) {
  std::map<Symbol, int> count;
  for (const Stmt& s : sequence)
    visit(s, [&](const Stmt& child) {
      ++count[ownWrite(child)];
      return !child.is<Launch>(); // a kernel has its own copy
    });
  return count;
}

void placeOne(const std::vector<Stmt>& sequence, const std::vector<Uses>& uses,
              const std::map<Symbol, int>& assignments, const Symbol& v, Placement& result) {
  std::vector<size_t> users;
  for (size_t i = 0; i < sequence.size(); ++i)
    if (uses[i].all.count(v)) users.push_back(i);
  if (users.empty()) return;
  const auto fits = [&](size_t i) { return canBeInside(sequence[i], uses[i], v, result.items[i].liveOut); };
  const bool inside = std::all_of(users.begin(), users.end(), fits);
  std::vector<size_t> others;
  for (size_t i : users) {
    const auto* loop = sequence[i].as<For>();
    // Threads have a variable in common only where it comes from before the loop.
    const bool isOwn = loop && loop->order != Order::Serial && fits(i) && !uses[i].exposed.count(v);
    if (inside || isOwn)
      result.items[i].inside.insert(v);
    else
      others.push_back(i);
  }
  if (others.empty()) return;
  Placement::Item& first = result.items[others.front()];
  const Stmt& writer = sequence[others.front()];
  const bool hasEffects = writer.is<Atomic>() || writer.is<Exchange>();
  if ((writer.is<Assign>() || hasEffects) && !uses[others.front()].own.count(v)) {
    first.isUnread = !hasEffects && others.size() == 1 && !first.liveOut.count(v);
    first.declares = true;
    first.isConst = assignments.at(v) == 1;
  } else {
    first.before.push_back(v);
  }
}

} // namespace

std::vector<Stmt> allStatementsOf(const Stmt& s) {
  if (!s) return {};
  const auto* block = s.as<Block>();
  if (!block) return {s};
  std::vector<Stmt> all;
  for (const Stmt& inner : block->body) {
    const std::vector<Stmt> flat = allStatementsOf(inner);
    all.insert(all.end(), flat.begin(), flat.end());
  }
  return all;
}

Symbols exposedReads(const Function& f, const Stmt& s) { return liveBefore(f, s, {}); }

Symbols liveAfterBody(const Function& f, const Stmt& loop, const Symbols& liveOut) {
  Symbols live = liveOut;
  forEachChild(loop, [&](const Stmt& body) { insert(live, exposedReads(f, body)); });
  if (loop.is<While>()) insert(live, ownReads(f, loop));
  return live;
}

Symbols deadVariables(const Function& f, const Stmt& region) {
  std::map<Symbol, Symbols> operands; // of a variable: all that its assignments read
  Symbols live;
  visit(region, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    insert(a ? operands[a->var] : live, ownReads(f, s));
    if (const auto* loop = s.as<For>())
      for (const Reduction& r : loop->reductions)
        live.insert(r.var); // named by what the loop is annotated with
    return true;
  });
  std::vector<Symbol> open(live.begin(), live.end());
  while (!open.empty()) {
    const Symbol next = open.back();
    open.pop_back();
    for (const Symbol& read : operands[next])
      if (live.insert(read).second) open.push_back(read);
  }
  Symbols dead;
  for (const auto& [variable, read] : operands)
    if (!live.count(variable)) dead.insert(variable);
  return dead;
}

Placement place(const Function& f, const std::vector<Stmt>& sequence, const Symbols& pending,
                const Symbols& liveOut) {
  Placement result;
  result.items.resize(sequence.size());
  Symbols live = liveOut;
  for (size_t i = sequence.size(); i-- > 0;) {
    result.items[i].liveOut = live;
    live = liveBefore(f, sequence[i], std::move(live));
  }
  std::vector<Uses> uses;
  for (const Stmt& s : sequence) uses.push_back(usesOf(f, s));
  const std::map<Symbol, int> assignments = assignmentsIn(sequence);
  for (const Symbol& v : pending) placeOne(sequence, uses, assignments, v, result);
  return result;
}

} // namespace appyc::target
