//===- Fillings.cpp - nests that give each element of an array its value ----------------------------===//
#include "Fillings.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <set>

namespace appyc::transform {
using namespace ir;

std::map<Symbol, Expr> Filling::at(const std::vector<Expr>& place) const {
  std::map<Symbol, Expr> values;
  for (size_t d = 0; d < index.size(); ++d) values[index[d]] = place[d];
  return values;
}

/// Loop bounds leave out the max(e, 0) that extents have.
static bool runsOver(const For& loop, const Expr& extent) {
  return isConst(loop.lo, 0) && isConst(loop.step, 1) &&
         (equalIndex(loop.hi, extent) || equalIndex(loop.hi, unclipped(extent)));
}

std::optional<Filling> fillingOf(const Stmt& nest, const Buffer& buffer) {
  Filling found;
  std::vector<const For*> loops;
  Stmt inner = nest;
  for (const auto* loop = inner.as<For>(); loop && loops.size() < buffer.extents.size();
       loop = inner.as<For>()) {
    loops.push_back(loop);
    found.isAnyOrder &= loop->order != Order::Serial;
    inner = loop->body;
  }
  std::vector<Stmt> body = inner.is<Block>() ? inner.as<Block>()->body : std::vector<Stmt>{inner};
  const auto* store = body.empty() ? nullptr : body.back().as<Store>();
  if (!store || store->buffer != buffer.name || store->atomicOp || store->index.size() != loops.size() ||
      loops.size() != buffer.extents.size())
    return std::nullopt;
  found.store = body.back();
  found.value = store->value;
  std::set<Symbol> own;
  for (size_t d = 0; d < loops.size(); ++d) {
    const auto* at = store->index[d].as<Var>();
    const auto loop = std::ranges::find_if(loops, [&](const For* l) { return at && l->index == at->name; });
    if (loop == loops.end() || !own.insert(at->name).second || !runsOver(**loop, buffer.extents[d]))
      return std::nullopt;
    found.index.push_back(at->name);
  }
  body.pop_back();
  for (const Stmt& s : body) {
    const auto* name = s.as<Assign>();
    if (!name || !own.insert(name->var).second) return std::nullopt;
    found.names.push_back(*name);
  }
  return found;
}

bool storesEach(const IndexStmt& s, const std::vector<Expr>& extents) {
  if (s.domain.size() != extents.size() || s.index.size() != extents.size()) return false;
  for (size_t d = 0; d < extents.size(); ++d) {
    const auto* index = s.index[d].as<Var>();
    if (!index || index->name != s.domain[d].index || !equalIndex(s.domain[d].extent, extents[d]))
      return false;
  }
  return true;
}

Stmt withValues(const Stmt& s, Symbol array, const Filling& filling) {
  return replace<Load>(s, [&](const Load& l) {
    return l.buffer == array ? substitute(filling.value, filling.at(l.index)) : Expr();
  });
}

} // namespace appyc::transform
