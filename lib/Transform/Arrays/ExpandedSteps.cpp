//===- ExpandedSteps.cpp - arrays that each iteration makes anew, side by side -----------------------===//
#include "ExpandedSteps.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

bool isWithin(const std::set<Symbol>& some, const std::set<Symbol>& all) {
  return std::ranges::includes(all, some);
}
/// Is there an array with a row, or column, of such a length for each of `count` iterations?
bool isAsLarge(const Function& f, const Buffer& row, const Expr& count) {
  return row.extents.size() == 1 && !row.onChip && std::ranges::any_of(f.buffers, [&](const Buffer& b) {
           if (b.extents.size() != 2) return false;
           const auto has = [&](size_t d) {
             return equalIndex(b.extents[d], count) && equalIndex(b.extents[1 - d], row.extents[0]);
           };
           return has(0) || has(1);
         });
}

} // namespace

std::optional<ExpandedSteps> expandedSteps(const Function& f, const For& loop,
                                           const analysis::Context& known) {
  const std::vector<Stmt> body = statementsOf(loop.body);
  const std::set<Symbol> assigned = assignedVars(loop.body), stored = storedBuffers(loop.body);
  const Expr count = analysis::atLeastZero(tripCount(loop), known.sizes);
  loops::Expanded own;
  std::vector<Stmt> before, rest;
  std::set<Symbol> narrow;
  for (const Stmt& part : body) {
    const auto* made = part.as<Alloc>();
    if (!made) continue;
    if (!isAsLarge(f, made->buffer, count) || mentionsAny(made->buffer.extents[0], assigned)) return {};
    own.emplace(made->buffer.name, loops::expandedOver(made->buffer, count));
    narrow.insert(made->buffer.name);
  }
  if (own.empty()) return {};
  for (const Stmt& part : body) {
    if (part.is<Alloc>()) continue;
    const auto* sweep = part.as<For>();
    std::set<Symbol> others = storedBuffers(part), read = loadedBuffers(part);
    others.merge(std::set<Symbol>(stored));
    for (const Symbol& array : narrow) read.erase(array);
    const bool isFirst = rest.empty() && sweep && isPlain(*sweep) && isSimple(part) &&
                         !intersect(read, others) && isWithin(storedBuffers(part), narrow) &&
                         assignedVars(part).empty();
    (isFirst ? before : rest).push_back(part);
  }
  if (before.empty() || !isSimple(block(rest))) return {};
  const Expr position = loops::positionIn(loop);
  For steps = loop, first = loop;
  steps.body = loops::expanded(block(rest), own, position);
  first.index = Symbol(loop.index.hint());
  first.order = Order::Proven;
  first.hints.origins.clear();
  first.body = substitute(loops::expanded(block(before), own, position), {{loop.index, var(first.index)}});
  return ExpandedSteps{std::move(first), std::move(steps), std::move(own)};
}

} // namespace appyc::transform
