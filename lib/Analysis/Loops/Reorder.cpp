//===- Reorder.cpp - may a nest run in the order of other indices? ----------------------------------===//
#include "Accesses.h"
#include "Isl.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::analysis {

namespace {

std::string dimensions(const Placed& leaf, const char* stem) {
  std::vector<std::string> names;
  for (size_t k = 0; k < leaf.loops.size(); ++k) names.push_back(fmt::format("{}{}", stem, k));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Pairs of instances i of leaf `a` and j of leaf `b` where i comes before j now, but not in the new order.
std::string turnedRound(const std::vector<Placed>& leaves, size_t a, size_t b,
                        const std::vector<size_t>& rank) {
  const Placed &x = leaves[a], &y = leaves[b];
  const char* before = a < b ? "i0 <= j0" : "i0 < j0";
  if (a == b && x.loops.size() == 2) before = "(i0 < j0 or (i0 = j0 and i1 < j1))";
  std::string times = fmt::format("i{} > j{}", x.time, y.time);
  if (rank[a] >= rank[b]) times = fmt::format("i{} >= j{}", x.time, y.time);
  return fmt::format("{{ S[{}] -> S[{}] : {} and {} }}", dimensions(x, "i"), dimensions(y, "j"), before,
                     times);
}

/// What the leaves do to memory; nothing if they may raise.
std::optional<std::vector<std::vector<Access>>> accessesOf(const std::vector<Placed>& leaves, Scope& scope) {
  for (const Placed& leaf : leaves) scope.stored.merge(ir::storedBuffers(leaf.body));
  std::vector<std::vector<Access>> accesses;
  for (const Placed& leaf : leaves) {
    AccessCollector collector(scope);
    for (size_t k = 0; k < leaf.loops.size(); ++k) collector.enter(*leaf.loops[k], fmt::format("i{}", k));
    collector.collect(leaf.body);
    if (collector.mayRaise || collector.swaps || collector.calls) return std::nullopt;
    accesses.push_back(std::move(collector.accesses));
    scope.bindings.clear();
  }
  return accesses;
}

} // namespace

bool mayRunByTime(const std::vector<Placed>& leaves, const std::vector<size_t>& rank,
                  const Context& context) {
  Scope scope(context);
  const auto accesses = accessesOf(leaves, scope);
  if (!accesses) return false;
  Term known = scope.contextConstraints();
  std::set<Meeting> meetings;
  for (size_t a = 0; a < leaves.size(); ++a)
    for (size_t b = 0; b < leaves.size(); ++b)
      for (const Access& x : (*accesses)[a])
        for (const Access& y : (*accesses)[b])
          if (mayConflict(x, y))
            meetings.insert({relation(scope, x, dimensions(leaves[a], "i")),
                             relation(scope, y, dimensions(leaves[b], "i")),
                             turnedRound(leaves, a, b, rank)});
  return noneMeet(fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(known)), meetings);
}

bool mayRunInTiles(const ir::For& outer, const ir::For& inner, int64_t skew, const Context& context) {
  Scope scope(context);
  const std::vector<Placed> leaves{{inner.body, {&outer, &inner}, 1}};
  const auto accesses = accessesOf(leaves, scope);
  if (!accesses) return false;
  const Term known = scope.contextConstraints();
  const std::string back = fmt::format(
      "{{ S[i0, i1] -> S[j0, j1] : (i0 < j0 or (i0 = j0 and i1 < j1)) and j1 + {0} j0 < i1 + {0} i0 }}",
      skew);
  std::set<Meeting> meetings;
  for (const Access& x : accesses->front())
    for (const Access& y : accesses->front())
      if (mayConflict(x, y))
        meetings.insert({relation(scope, x, dimensions(leaves[0], "i")),
                         relation(scope, y, dimensions(leaves[0], "i")), back});
  return noneMeet(fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(known)), meetings);
}

} // namespace appyc::analysis
