//===- Meet.cpp - do two accesses ever touch one element? ------------------------------------------------===//
#include "Isl.h"
#include "Linear.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::analysis {

/// The columns of formulas that speak of the same parameters: for 1, for those, and for what each adds.
class Meetings::Joint {
public:
  /// Columns of parameters, the next ones.
  void name(const std::vector<std::string>& params) {
    for (const std::string& param : params) (void)columnOf(param);
  }
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

static std::vector<size_t> both(std::vector<size_t> a, const std::vector<size_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::optional<Formula>& Meetings::formula(const std::string& text) {
  const auto [place, isNew] = read_.try_emplace(text);
  if (!isNew) return place->second;
  place->second = readFormula(text);
  if (place->second) place->second->clauses = narrowed(std::move(place->second->clauses));
  return place->second;
}

std::optional<bool> Meetings::never(const Meeting& m) {
  const auto known = answers_.find(m);
  return known != answers_.end() ? known->second : answers_.emplace(m, decide(m)).first->second;
}

/// Columns for points and elements, those before the parameters' or the other way round, then for what else there is.
bool Meetings::place(const Meeting& m, Joint& joint, bool pointsFirst) {
  const std::optional<Formula>&facts = formula(known_), &a = formula(m.first), &b = formula(m.second),
        &among = formula(m.pairs);
  if (!facts || !a || !b || !among) return false;
  const bool fits =
      a->out.size() == b->out.size() && a->in.size() == among->in.size() && b->in.size() == among->out.size();
  if (!fits) return false;
  if (!pointsFirst) joint.name(facts->params);
  const std::vector<size_t> points = joint.add(a->in.size()), others = joint.add(b->in.size());
  joint.name(facts->params);
  const std::vector<size_t> elements = joint.add(a->out.size());
  joint.place(*facts, {});
  joint.place(*a, both(points, elements));
  joint.place(*b, both(others, elements));
  joint.place(*among, both(points, others));
  return true;
}

std::optional<bool> Meetings::decide(const Meeting& m) {
  Joint joint;
  return place(m, joint, true) ? holdNowhere(joint.clauses) : std::nullopt;
}

/// One way in which all holds: its shadows on the first column, on the first two, and so on.
static std::optional<std::vector<Conjunction>> shadowsOf(Conjunction way, size_t columns) {
  std::vector<Conjunction> shadows;
  for (size_t column = columns; column > 0; --column) {
    if (!way.dropFrom(column + 1, true)) return std::nullopt;
    if (way.isContradictory()) return std::vector<Conjunction>();
    shadows.push_back(way);
  }
  std::ranges::reverse(shadows);
  return shadows;
}

/// The smallest value that one of them has, or one near 0 where there is no smallest.
static std::optional<int64_t> smallValue(const std::vector<Interval>& all) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const Interval& values : all) least = std::min(least, values.least);
  if (least != std::numeric_limits<int64_t>::min()) return least;
  for (const int64_t value : {0, 1, -1, 2, -2})
    if (std::ranges::any_of(all, [&](const Interval& values) { return values.contains(value); }))
      return value;
  return std::nullopt;
}

std::optional<Touch> Meetings::smallest(const Meeting& m) {
  Joint joint;
  if (!place(m, joint, true)) return std::nullopt;
  const size_t points = formula(m.pairs)->in.size() + formula(m.pairs)->out.size(),
               params = formula(known_)->params.size(), elements = formula(m.first)->out.size();
  const std::optional<std::vector<Conjunction>> ways = waysOf(joint.clauses);
  if (!ways) return std::nullopt;
  std::vector<std::vector<Conjunction>> open;
  for (const Conjunction& way : *ways) {
    std::optional<std::vector<Conjunction>> shadows = shadowsOf(way, points + params + elements);
    if (!shadows) return std::nullopt;
    if (!shadows->empty()) open.push_back(std::move(*shadows));
  }
  Row values = {1};
  while (values.size() <= points + params + elements) {
    const size_t column = values.size();
    std::vector<Interval> all;
    for (const std::vector<Conjunction>& shadows : open)
      if (const std::optional<Interval> found = shadows[column - 1].valuesOf(column, values))
        all.push_back(*found);
    const std::optional<int64_t> value = smallValue(all);
    if (!value || all.empty() || all.size() < open.size()) return std::nullopt;
    size_t at = 0;
    std::erase_if(open, [&](const auto&) { return !all[at++].contains(*value); });
    values.push_back(*value);
  }
  const auto from = [&](size_t first, size_t count) {
    const auto begin = values.begin() + static_cast<long>(first);
    return std::vector<int64_t>(begin, begin + static_cast<long>(count));
  };
  return Touch{from(1, points), from(1 + points, params), from(1 + points + params, elements)};
}

bool addDifferent(Union& all, const Union& more) {
  const size_t before = all.size();
  for (const System& system : more)
    if (std::ranges::none_of(all, [&](const System& known) {
          return Conjunction(known).implies(system) && Conjunction(system).implies(known);
        }))
      all.push_back(system);
  return all.size() != before;
}

std::optional<Union> Meetings::where(const Meeting& m) {
  Joint joint;
  if (!place(m, joint, false)) return std::nullopt;
  const std::optional<std::vector<Conjunction>> ways = waysOf(joint.clauses);
  if (!ways) return std::nullopt;
  Union all;
  for (Conjunction way : *ways) {
    if (!way.dropFrom(1 + params().size(), true)) return std::nullopt;
    if (!way.isContradictory()) addDifferent(all, {way.constraints()});
  }
  return all;
}

/// The ways in which it does not hold; nothing where a number would not fit.
static std::optional<System> contraryOf(const Constraint& c) {
  System all;
  for (const int sign : {1, -1}) {
    if (sign < 0 && !c.isEquality) continue;
    Constraint contrary;
    if (!addScaled(contrary.row, c.row, -sign)) return std::nullopt;
    --contrary.row[0];
    all.push_back(std::move(contrary));
  }
  return all;
}

static bool follows(const Constraint& c, const Conjunction& known) {
  const std::optional<System> contrary = contraryOf(c);
  return contrary && std::ranges::all_of(*contrary, [&](const Constraint& other) {
           Conjunction both = known;
           both.add(other);
           return both.isEmpty().value_or(false);
         });
}

/// The constraints of a formula of parameters alone, if it is one system of them.
static std::optional<System> systemOf(const std::optional<Formula>& f, size_t params) {
  if (!f || f->columns != 1 + params) return std::nullopt;
  System all;
  for (const Union& clause : f->clauses) {
    if (clause.size() != 1) return std::nullopt;
    all.insert(all.end(), clause.front().begin(), clause.front().end());
  }
  return all;
}

std::optional<Condition> Meetings::condition(Union where, const std::string& given) {
  const std::optional<System> known = systemOf(formula(known_), params().size()),
                              more = systemOf(formula(given), params().size());
  if (!known || !more) return std::nullopt;
  const Conjunction sure(*known);
  std::vector<bool> about(1 + params().size());
  const auto mark = [&](const Constraint& c) {
    for (size_t i = 1; i < c.row.size(); ++i) about[i] = about[i] || c.row[i] != 0;
  };
  for (System& system : where) {
    std::erase_if(system, [&](const Constraint& c) { return follows(c, sure); });
    std::ranges::for_each(system, mark);
  }
  std::ranges::for_each(*more, mark);
  const auto isTied = [&](const Constraint& c) {
    for (size_t i = 1; i < c.row.size(); ++i)
      if (c.row[i] != 0 && about[i]) return true;
    return false;
  };
  for (std::vector<bool> before; before != about;) {
    before = about;
    for (const Constraint& c : *known)
      if (isTied(c)) mark(c);
  }
  Condition found{std::move(where), {}, *more};
  std::ranges::copy_if(*known, std::back_inserter(found.known), isTied);
  found.given.insert(found.given.begin(), found.known.begin(), found.known.end());
  return found;
}

/// Is the first variable bounded from above where `facts` hold and `c` does not? Nothing where neither is shown.
static std::optional<bool> isBoundedWithout(const std::vector<Conjunction>& facts, const Constraint& c) {
  const std::optional<System> contrary = contraryOf(c);
  bool isKnown = contrary.has_value();
  for (const Constraint& other : contrary.value_or(System()))
    for (Conjunction all : facts) {
      all.add(other);
      Conjunction exactly = all;
      const bool isExact = exactly.dropFrom(2, true);
      if (!isExact && !all.dropFrom(2, false)) return std::nullopt;
      const Conjunction& left = isExact ? exactly : all;
      const std::optional<Interval> values = left.valuesOf(1, {1});
      if (left.isContradictory() || (values && values->most != Interval().most)) continue;
      if (isExact && values) return false;
      isKnown = false;
    }
  return isKnown ? std::optional(true) : std::nullopt;
}

std::optional<bool> Meetings::holdsWhere(const Union& where, const std::string& large) {
  Joint facts;
  facts.name({"t"});
  facts.name(params());
  if (!formula(large)) return std::nullopt;
  facts.place(*formula(large), {});
  const std::optional<std::vector<Conjunction>> given = waysOf(facts.clauses);
  if (!given) return std::nullopt;
  bool isUnbounded = false;
  for (const System& system : where) {
    bool isEverywhere = true;
    for (Constraint c : system) {
      c.row.insert(c.row.begin() + 1, 0);
      const std::optional<bool> bounded = isBoundedWithout(*given, c);
      isEverywhere = isEverywhere && bounded.value_or(false);
      isUnbounded = isUnbounded || !bounded.value_or(true);
    }
    if (isEverywhere) return true;
  }
  return where.size() == 1 && isUnbounded ? std::optional(false) : std::nullopt;
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
