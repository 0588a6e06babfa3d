//===- Overwrite.cpp - is what is stored here stored again before it is read ----------------------------===//
// Sets of elements: `needed` are those that the statement in question may write; `written` grows from statement to
// statement by those that are written for sure. What a statement reads of the needed ones must have been written: before
// it, or in a loop, before it in the same iteration or in an earlier one.
#include "Accesses.h"
#include "Isl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>

namespace appyc::analysis {

namespace {

/// What a statement does to the buffer: relations as texts, from S[] or, in a loop's body, from S[i0].
struct Step {
  std::vector<std::string> reads, writes;
  std::vector<Step> body; ///< of a loop; then `reads` does not count
  std::string earlier{};  ///< of a loop: the iterations before each

  std::string text() const {
    std::string all = earlier;
    for (const std::string& r : reads) all += "\nread " + r;
    for (const std::string& w : writes) all += "\nwrite " + w;
    for (const Step& s : body) all += "\nin" + s.text();
    return all + "\n;";
  }
};

/// Accesses of the statement at hand, which relations are made of when all parameters are known.
struct Collected {
  std::vector<Access> own;
  std::vector<std::vector<Access>> body;
  bool isDown = false;
};

std::vector<Access> taken(AccessCollector& collector) { return std::exchange(collector.accesses, {}); }

/// The accesses of an iteration, which is the point i0, statement by statement.
std::vector<std::vector<Access>> inIteration(const ir::For& loop, Scope& scope) {
  const auto outside = scope.bindings;
  AccessCollector collector(scope);
  collector.followsProducts = true;
  collector.enter(loop, "i0");
  std::vector<std::vector<Access>> all;
  for (const ir::Stmt& s : ir::statementsOf(loop.body)) {
    collector.collect(s);
    all.push_back(taken(collector));
  }
  scope.bindings = outside;
  return all;
}

Step stepOf(const std::vector<Access>& accesses, const Symbol& buffer, const Scope& scope, const char* dims,
            bool surely) {
  Step step;
  for (const Access& a : accesses) {
    if (a.buffer != buffer) continue;
    const std::string elements = relation(scope, a, dims);
    if (!a.write || a.atomic) step.reads.push_back(elements); // atomic updates read
    if (a.write && (!surely || (a.exact && !a.atomic))) step.writes.push_back(elements);
  }
  return step;
}

class Question {
public:
  Question(isl::ctx ctx, const std::string& known) : elements_(ctx, readParams(ctx, known)) {}

  bool answer(const std::vector<Step>& steps, bool readLater) {
    isl::map needed = elements_[steps[0].writes[0]];
    for (const std::string& w : steps[0].writes) needed = needed.unite(elements_[w]);
    needed_ = needed.range();
    isl::set written = needed_.subtract(needed_);
    for (size_t n = 1; n < steps.size(); ++n) {
      if (!readsWritten(steps[n], written)) return false;
      for (const std::string& w : steps[n].writes) written = written.unite(elements_[w].range()).coalesce();
      if (needed_.is_subset(written)) return true;
    }
    return !readLater;
  }

private:
  bool readsWritten(const Step& step, const isl::set& before) {
    if (step.body.empty()) return areIn(step.reads, before, {});
    std::vector<isl::map> written;
    for (const Step& s : step.body)
      for (const std::string& w : s.writes)
        written.push_back(elements_[step.earlier].apply_range(elements_[w]));
    for (const Step& s : step.body) {
      if (!areIn(s.reads, before, written)) return false;
      for (const std::string& w : s.writes) written.push_back(elements_[w]);
    }
    return true;
  }

  /// Are the needed ones among the elements read in `before`, or in `here` at the same point?
  bool areIn(const std::vector<std::string>& reads, const isl::set& before,
             const std::vector<isl::map>& here) {
    return std::all_of(reads.begin(), reads.end(), [&](const std::string& r) {
      isl::map left = elements_[r].intersect_range(needed_);
      left = left.subtract(left.intersect_range(before));
      for (const isl::map& w : here) left = left.subtract(w);
      return left.is_empty();
    });
  }

  Relations elements_;
  isl::set needed_;
};

} // namespace

bool overwrite(const std::vector<ir::Stmt>& statements, const ir::Stmt& s, const Symbol& buffer,
               bool readLater, const Context& context) {
  Scope scope(context);
  scope.stored = ir::storedBuffers(s);
  for (const ir::Stmt& other : statements) scope.stored.merge(ir::storedBuffers(other));
  AccessCollector collector(scope); // one for all: scalars assigned on the way have their values after it
  collector.followsProducts = true;
  collector.collect(s);
  std::vector<Collected> collected{{taken(collector), {}}};
  for (const ir::Stmt& other : statements) {
    Collected& c = collected.emplace_back();
    const auto* loop = other.as<ir::For>();
    if (loop && ir::constantInt(loop->step) && !ir::loadedBuffers(loop->lo).count(buffer) &&
        !ir::loadedBuffers(loop->hi).count(buffer))
      c.body = inIteration(*loop, scope), c.isDown = *ir::constantInt(loop->step) < 0;
    collector.collect(other);
    c.own = taken(collector);
  }
  if (collector.swaps) return false;

  const Term constraints = scope.contextConstraints();
  const std::string known = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(constraints));
  std::string text = fmt::format("{} {}", known, readLater);
  std::vector<Step> steps;
  for (const Collected& c : collected) {
    Step& step = steps.emplace_back(stepOf(c.own, buffer, scope, "", !steps.empty()));
    for (const std::vector<Access>& part : c.body)
      step.body.push_back(stepOf(part, buffer, scope, "i0", true));
    if (!c.body.empty()) step.earlier = fmt::format("{{ S[i0] -> S[i1] : i1 {} i0 }}", c.isDown ? '>' : '<');
    text += step.text();
  }
  if (steps[0].writes.empty()) return false;
  return askIslOnce(text, [&](isl::ctx ctx) { return Question(ctx, known).answer(steps, readLater); })
      .value_or(false);
}

} // namespace appyc::analysis
