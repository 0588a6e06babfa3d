//===- Meet.cpp - do two accesses ever touch one element? ------------------------------------------------===//
#include "Isl.h"
#include "Linear.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::analysis {

namespace {

/// The columns of formulas that speak of the same parameters: for 1, for those, and for what each adds.
class Joint {
public:
  /// `shared`: the columns that the dimensions are, for each of `f.in` and then `f.out`.
  void place(const Formula& f, const std::vector<size_t>& shared) {
    std::vector<size_t> to = {0};
    for (const std::string& name : f.params) to.push_back(columnOf(name));
    to.insert(to.end(), shared.begin(), shared.end());
    while (to.size() < f.columns) to.push_back(++last_);
    for (const Union& clause : f.clauses) {
      Union& placed = clauses.emplace_back(clause);
      for (System& system : placed)
        for (Constraint& c : system) {
          Row row(last_ + 1);
          for (size_t i = 0; i < c.row.size(); ++i) row[to[i]] = c.row[i];
          c.row = std::move(row);
        }
    }
  }
  std::vector<Union> clauses; ///< of all formulas
  std::vector<size_t> add(size_t count) {
    std::vector<size_t> added;
    while (added.size() < count) added.push_back(++last_);
    return added;
  }

private:
  size_t columnOf(const std::string& name) {
    const auto known = std::ranges::find(names_, name, &std::pair<std::string, size_t>::first);
    if (known != names_.end()) return known->second;
    names_.emplace_back(name, ++last_);
    return last_;
  }

  std::vector<std::pair<std::string, size_t>> names_; ///< of parameters
  size_t last_ = 0;
};

std::vector<size_t> both(std::vector<size_t> a, const std::vector<size_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

} // namespace

const std::optional<Formula>& Meetings::formula(const std::string& text) {
  const auto known = read_.find(text);
  return known != read_.end() ? known->second : read_.emplace(text, readFormula(text)).first->second;
}

std::optional<bool> Meetings::never(const Meeting& m) {
  const auto known = answers_.find(m);
  return known != answers_.end() ? known->second : answers_.emplace(m, decide(m)).first->second;
}

std::optional<bool> Meetings::decide(const Meeting& m) {
  const std::optional<Formula>&facts = formula(known_), &a = formula(m.first), &b = formula(m.second),
        &among = formula(m.pairs);
  if (!facts || !a || !b || !among) return std::nullopt;
  const bool fits =
      a->out.size() == b->out.size() && a->in.size() == among->in.size() && b->in.size() == among->out.size();
  if (!fits) return std::nullopt;
  Joint joint;
  const std::vector<size_t> elements = joint.add(a->out.size());
  const std::vector<size_t> points = joint.add(a->in.size()), others = joint.add(b->in.size());
  joint.place(*facts, {});
  joint.place(*a, both(points, elements));
  joint.place(*b, both(others, elements));
  joint.place(*among, both(points, others));
  return holdNowhere(joint.clauses);
}

bool noneMeet(const std::string& known, const std::set<Meeting>& meetings) {
  Meetings quickly(known);
  return noneMeet(quickly, meetings);
}

bool noneMeet(Meetings& quickly, const std::set<Meeting>& meetings) {
  std::string text = quickly.known();
  for (const Meeting& m : meetings) text += fmt::format("\n{} {} {}", m.first, m.second, m.pairs);
  return askOnce(text,
                 [&]() -> std::optional<bool> {
                   std::vector<const Meeting*> open;
                   for (const Meeting& m : meetings) {
                     const std::optional<bool> never = quickly.never(m);
                     if (never && !*never) return false;
                     if (!never) open.push_back(&m);
                   }
                   if (open.empty()) return true;
                   return askIsl<bool>([&](isl::ctx ctx) {
                     Relations maps(ctx, readParams(ctx, quickly.known()));
                     return std::ranges::none_of(open, [&](const Meeting* m) {
                       const isl::map pairs = maps[m->first].apply_range(maps[m->second].reverse());
                       return !pairs.intersect(readMap(ctx, m->pairs)).is_empty();
                     });
                   });
                 })
      .value_or(false);
}

} // namespace appyc::analysis
