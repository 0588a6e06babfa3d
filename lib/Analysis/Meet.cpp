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
  Union place(const Formula& f, const std::vector<size_t>& shared) {
    std::vector<size_t> to = {0};
    for (const std::string& name : f.params) to.push_back(columnOf(name));
    to.insert(to.end(), shared.begin(), shared.end());
    while (to.size() < f.columns) to.push_back(++last_);
    Union all = f.systems;
    for (System& system : all)
      for (Constraint& c : system) {
        Row row(last_ + 1);
        for (size_t i = 0; i < c.row.size(); ++i) row[to[i]] = c.row[i];
        c.row = std::move(row);
      }
    return all;
  }
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

/// Each way to satisfy all of them, as far as that is not contradictory at once; nothing where there are many.
std::optional<std::vector<Conjunction>> joined(const std::vector<Union>& all) {
  constexpr size_t kMostWays = 64;
  std::vector<Conjunction> ways(1);
  for (const Union& alternatives : all) {
    std::vector<Conjunction> next;
    for (const Conjunction& way : ways)
      for (const System& system : alternatives) {
        Conjunction longer = way;
        for (const Constraint& c : system) longer.add(c);
        if (!longer.isContradictory()) next.push_back(std::move(longer));
        if (next.size() > kMostWays) return std::nullopt;
      }
    ways = std::move(next);
  }
  return ways;
}

/// The formulas of one question, each read once.
class Formulas {
public:
  const std::optional<Formula>& operator[](const std::string& text) {
    const auto known = read_.find(text);
    return known != read_.end() ? known->second : read_.emplace(text, readFormula(text)).first->second;
  }

private:
  std::unordered_map<std::string, std::optional<Formula>> read_; // references to its values stay
};

std::vector<size_t> both(std::vector<size_t> a, const std::vector<size_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

} // namespace

/// Nothing where it is not shown.
static std::optional<bool> neverMeet(Formulas& formulas, const std::string& known, const Meeting& m) {
  const std::optional<Formula>&facts = formulas[known], &a = formulas[m.first], &b = formulas[m.second],
        &among = formulas[m.pairs];
  if (!facts || !a || !b || !among) return std::nullopt;
  const bool fits =
      a->out.size() == b->out.size() && a->in.size() == among->in.size() && b->in.size() == among->out.size();
  if (!fits) return std::nullopt;
  Joint joint;
  const std::vector<size_t> elements = joint.add(a->out.size());
  const std::vector<size_t> points = joint.add(a->in.size()), others = joint.add(b->in.size());
  const auto ways =
      joined({joint.place(*facts, {}), joint.place(*a, both(points, elements)),
              joint.place(*b, both(others, elements)), joint.place(*among, both(points, others))});
  return ways ? areEmpty(*ways) : std::nullopt;
}

bool noneMeet(const std::string& known, const std::set<Meeting>& meetings) {
  std::string text = known;
  for (const Meeting& m : meetings) text += fmt::format("\n{} {} {}", m.first, m.second, m.pairs);
  return askOnce(text,
                 [&]() -> std::optional<bool> {
                   Formulas formulas;
                   std::vector<const Meeting*> open;
                   for (const Meeting& m : meetings) {
                     const std::optional<bool> never = neverMeet(formulas, known, m);
                     if (never && !*never) return false;
                     if (!never) open.push_back(&m);
                   }
                   if (open.empty()) return true;
                   return askIsl<bool>([&](isl::ctx ctx) {
                     Relations maps(ctx, readParams(ctx, known));
                     return std::ranges::none_of(open, [&](const Meeting* m) {
                       const isl::map pairs = maps[m->first].apply_range(maps[m->second].reverse());
                       return !pairs.intersect(readMap(ctx, m->pairs)).is_empty();
                     });
                   });
                 })
      .value_or(false);
}

} // namespace appyc::analysis
