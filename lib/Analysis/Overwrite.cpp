//===- Overwrite.cpp - is what is stored here stored again before it is read ----------------------------===//
// Sets of elements: `needed` are those that the statement in question may write; `written` grows from statement to
// statement by those that are written for sure. What a statement reads of the needed ones must have been written.
#include "Accesses.h"
#include "Isl.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>

namespace appyc::analysis {

namespace {

/// What a statement does to the buffer: relations as texts.
struct Step {
  std::vector<std::string> reads, writes;
};

} // namespace

bool overwrite(const std::vector<ir::Stmt>& statements, const ir::Stmt& s, const Symbol& buffer,
               const Context& context) {
  Scope scope(context);
  scope.stored = ir::storedBuffers(s);
  for (const ir::Stmt& other : statements) scope.stored.merge(ir::storedBuffers(other));
  AccessCollector collector(scope); // one for all: scalars assigned on the way have their values after it
  collector.followsProducts = true;
  collector.collect(s);
  std::vector<size_t> ends{collector.accesses.size()};
  for (const ir::Stmt& other : statements) {
    collector.collect(other);
    ends.push_back(collector.accesses.size());
  }
  if (collector.swaps) return false;

  const Term constraints = scope.contextConstraints();
  const std::string known = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(constraints));
  std::string text = known;
  std::vector<Step> steps;
  for (size_t n = 0, i = 0; n < ends.size(); ++n) {
    Step& step = steps.emplace_back();
    for (; i < ends[n]; ++i) {
      const Access& a = collector.accesses[i];
      if (a.buffer != buffer) continue;
      const std::string elements = relation(scope, a, "");
      if (!a.write || a.atomic) step.reads.push_back(elements); // atomic updates read
      const bool surely = a.exact && !a.atomic;
      if (a.write && (surely || n == 0)) step.writes.push_back(elements);
    }
    for (const std::string& r : step.reads) text += "\nread " + r;
    for (const std::string& w : step.writes) text += "\nwrite " + w;
    text += "\n;";
  }
  if (steps[0].writes.empty()) return false;
  const auto question = [&](isl::ctx ctx) {
    Relations elements(ctx, readParams(ctx, known));
    isl::map needed = elements[steps[0].writes[0]];
    for (const std::string& w : steps[0].writes) needed = needed.unite(elements[w]);
    isl::map written = needed.subtract(needed);
    for (size_t n = 1; n < steps.size(); ++n) {
      for (const std::string& r : steps[n].reads)
        if (!elements[r].intersect(needed).is_subset(written)) return false;
      for (const std::string& w : steps[n].writes) written = written.unite(elements[w]).coalesce();
      if (needed.is_subset(written)) return true;
    }
    return false;
  };
  return askIslOnce(text, question).value_or(false);
}

} // namespace appyc::analysis
