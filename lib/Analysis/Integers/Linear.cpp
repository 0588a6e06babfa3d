//===- Linear.cpp - systems of linear constraints over the integers -------------------------------------===//
// Fourier's and Motzkin's elimination, exact over the integers where of each pair of bounds one has coefficient 1
// (W. Pugh, The Omega test, 1991).
#include "Linear.h"
#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace appyc::analysis {

static int64_t at(const Row& row, size_t column) { return column < row.size() ? row[column] : 0; }

static int64_t floorDiv(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

static constexpr int64_t kLargest = int64_t(1) << 60; // sums of two fit, too

static bool fits(const Row& row) {
  return std::ranges::all_of(row, [](int64_t v) { return -kLargest <= v && v <= kLargest; });
}

bool addScaled(Row& to, const Row& from, int64_t scale) {
  if (to.size() < from.size()) to.resize(from.size());
  bool overflows = false;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t scaled = 0;
    overflows |= __builtin_mul_overflow(from[i], scale, &scaled);
    overflows |= __builtin_add_overflow(to[i], scaled, &to[i]);
  }
  return !overflows && fits(to);
}

namespace {
enum class Truth { True, False, Open };
}

/// Divides by what all coefficients share: a bound is tightened to the integers.
static Truth normalize(Constraint& c) {
  int64_t common = 0;
  for (size_t i = 1; i < c.row.size(); ++i) common = std::gcd(common, c.row[i]);
  const int64_t constant = at(c.row, 0);
  if (common == 0) return (c.isEquality ? constant == 0 : constant >= 0) ? Truth::True : Truth::False;
  if (common == 1) return Truth::Open;
  if (c.isEquality && constant % common != 0) return Truth::False;
  c.row[0] = floorDiv(constant, common);
  for (size_t i = 1; i < c.row.size(); ++i) c.row[i] /= common;
  return Truth::Open;
}

/// 1: the same coefficients, -1: their contraries.
static int direction(const Row& a, const Row& b) {
  const size_t columns = std::max(a.size(), b.size());
  bool same = true, contrary = true;
  for (size_t i = 1; i < columns && (same || contrary); ++i) {
    same &= at(a, i) == at(b, i);
    contrary &= at(a, i) == -at(b, i);
  }
  return same ? 1 : contrary ? -1 : 0;
}

bool Conjunction::reduce(Row& row) const {
  bool isExact = fits(row);
  for (const auto& [variable, value] : solved_)
    if (const int64_t factor = at(row, variable); factor != 0) {
      row[variable] = 0;
      isExact &= addScaled(row, value, factor);
    }
  return isExact;
}

void Conjunction::add(Constraint c) {
  if (isContradictory_) return;
  if (!reduce(c.row)) {
    isExact_ = false;
    return;
  }
  const Truth truth = normalize(c);
  isContradictory_ |= truth == Truth::False;
  if (truth != Truth::Open) return;
  if (!c.isEquality) return insert(std::move(c.row));
  for (size_t k = c.row.size() - 1; k > 0; --k)
    if (c.row[k] == 1 || c.row[k] == -1) {
      Row value;
      isExact_ &= addScaled(value, c.row, -c.row[k]);
      value[k] = 0;
      return solve(k, std::move(value));
    }
  stuck_.push_back(std::move(c.row));
}

/// The tightest of parallel bounds is kept; two that meet are an equality.
void Conjunction::insert(Row row) {
  for (auto it = bounds_.begin(); it != bounds_.end(); ++it) {
    const int which = direction(*it, row);
    if (which > 0) {
      (*it)[0] = std::min((*it)[0], row[0]);
      return;
    }
    if (which == 0) continue;
    const int64_t width = (*it)[0] + row[0];
    isContradictory_ |= width < 0;
    if (width != 0) continue;
    bounds_.erase(it);
    return add({std::move(row), true});
  }
  bounds_.push_back(std::move(row));
}

void Conjunction::solve(size_t variable, Row value) {
  for (auto& [other, row] : solved_)
    if (const int64_t factor = at(row, variable); factor != 0) {
      row[variable] = 0;
      isExact_ &= addScaled(row, value, factor);
    }
  solved_.emplace_back(variable, std::move(value));
  System again;
  for (std::vector<Row>* rows : {&stuck_, &bounds_})
    std::erase_if(*rows, [&](Row& row) {
      if (at(row, variable) == 0) return false;
      again.push_back({std::move(row), rows == &stuck_});
      return true;
    });
  for (Constraint& c : again) add(std::move(c));
}

bool Conjunction::speaksOfSolved(const Row& row) const {
  return std::ranges::any_of(solved_, [&](const auto& s) { return at(row, s.first) != 0; });
}

void Conjunction::markSolved(std::vector<bool>& variables) const {
  for (const auto& [variable, value] : solved_) {
    if (variables.size() <= variable) variables.resize(variable + 1);
    variables[variable] = true;
  }
}

static bool speaksOf(const Row& row, const std::vector<bool>& variables) {
  const size_t columns = std::min(row.size(), variables.size());
  for (size_t i = 1; i < columns; ++i)
    if (row[i] != 0 && variables[i]) return true;
  return false;
}

void Conjunction::spread(std::vector<bool>& about) const {
  std::vector<const Row*> left;
  for (const std::vector<Row>* rows : {&stuck_, &bounds_})
    for (const Row& row : *rows) left.push_back(&row);
  const auto take = [&](const Row* row) {
    if (!speaksOf(*row, about)) return false;
    if (about.size() < row->size()) about.resize(row->size());
    for (size_t i = 1; i < row->size(); ++i)
      if ((*row)[i] != 0) about[i] = true;
    return true;
  };
  while (std::erase_if(left, take) > 0) {
  }
}

Conjunction Conjunction::tiedTo(std::vector<bool> about) const {
  spread(about);
  Conjunction part;
  part.isContradictory_ = isContradictory_;
  part.isExact_ = isExact_;
  const auto isTied = [&](const Row& row) { return speaksOf(row, about); };
  std::ranges::copy_if(stuck_, std::back_inserter(part.stuck_), isTied);
  std::ranges::copy_if(bounds_, std::back_inserter(part.bounds_), isTied);
  return part;
}

/// Euclid's algorithm on an equality's coefficients, as other variables that name the same points, until one is 1.
void Conjunction::solveStuck() {
  while (!stuck_.empty() && !isContradictory_ && isExact_) {
    const Row& first = stuck_.back();
    size_t least = 0;
    for (size_t i = 1; i < first.size(); ++i)
      if (first[i] != 0 && (least == 0 || std::abs(first[i]) < std::abs(first[least]))) least = i;
    Row quotients(first.size());
    for (size_t i = 1; i < first.size(); ++i)
      if (i != least) quotients[i] = floorDiv(first[i], first[least]);
    for (std::vector<Row>* rows : {&stuck_, &bounds_})
      for (Row& row : *rows)
        if (const int64_t factor = at(row, least); factor != 0)
          isExact_ &= addScaled(row, quotients, -factor);
    Row next = std::move(stuck_.back());
    stuck_.pop_back();
    add({std::move(next), true});
  }
}

/// False where it gives more bounds than are worth it.
bool Conjunction::eliminate(size_t variable) {
  constexpr size_t kMostBounds = 300;
  std::vector<Row> lower, upper;
  std::erase_if(bounds_, [&](Row& row) {
    const int64_t factor = at(row, variable);
    if (factor != 0) (factor > 0 ? lower : upper).push_back(std::move(row));
    return factor != 0;
  });
  for (const Row& low : lower)
    for (const Row& up : upper) {
      const int64_t a = low[variable], b = -up[variable], common = std::gcd(a, b);
      Row both;
      if (!addScaled(both, low, b / common) || !addScaled(both, up, a / common))
        isExact_ = false;
      else
        add({std::move(both), false});
      if (isContradictory_) return true;
    }
  return bounds_.size() <= kMostBounds;
}

/// Which variable from `column` on is best eliminated, exactly if possible; 0 where none is bounded.
Conjunction::Choice Conjunction::cheapest(size_t column) const {
  struct Count {
    size_t lower = 0, upper = 0;
    bool isUnitLower = true, isUnitUpper = true;
    size_t cost() const { return lower * upper; }
    bool isExact() const { return cost() == 0 || isUnitLower || isUnitUpper; }
  };
  std::vector<Count> counts;
  for (const Row& row : bounds_) {
    if (counts.size() < row.size()) counts.resize(row.size());
    for (size_t i = column; i < row.size(); ++i) {
      Count& c = counts[i];
      if (row[i] > 0) ++c.lower, c.isUnitLower &= row[i] == 1;
      if (row[i] < 0) ++c.upper, c.isUnitUpper &= row[i] == -1;
    }
  }
  size_t best = 0;
  for (size_t i = column; i < counts.size(); ++i) {
    if (counts[i].lower + counts[i].upper == 0) continue;
    const auto rank = [&](size_t k) { return std::pair(!counts[k].isExact(), counts[k].cost()); };
    if (best == 0 || rank(i) < rank(best)) best = i;
  }
  return {best, best == 0 || counts[best].isExact()};
}

/// The same but for variables that are solved, which nothing else mentions, over as few columns as it takes.
Conjunction Conjunction::compact() const {
  std::vector<size_t> to;
  const auto mark = [&](const Row& row) {
    if (to.size() < row.size()) to.resize(row.size());
    for (size_t i = 1; i < row.size(); ++i) to[i] |= row[i] != 0;
  };
  std::ranges::for_each(stuck_, mark);
  std::ranges::for_each(bounds_, mark);
  size_t columns = 1;
  for (size_t i = 1; i < to.size(); ++i) to[i] = to[i] != 0 ? columns++ : 0;
  const auto narrow = [&](const Row& row) {
    Row all(columns);
    all[0] = at(row, 0);
    for (size_t i = 1; i < row.size(); ++i)
      if (row[i] != 0) all[to[i]] = row[i];
    return all;
  };
  Conjunction left;
  std::ranges::transform(stuck_, std::back_inserter(left.stuck_), narrow);
  std::ranges::transform(bounds_, std::back_inserter(left.bounds_), narrow);
  left.isContradictory_ = isContradictory_;
  left.isExact_ = isExact_;
  return left;
}

std::optional<bool> Conjunction::isEmpty() const {
  Conjunction left = compact();
  left.solveStuck();
  while (!left.isContradictory_ && !left.bounds_.empty()) {
    const Choice best = left.cheapest(1);
    if (best.variable == 0) break;
    left.isExact_ &= best.isExact;
    if (!left.eliminate(best.variable)) return std::nullopt;
    left.solveStuck();
  }
  if (left.isContradictory_) return true;
  return left.isExact_ && left.stuck_.empty() ? std::optional(false) : std::nullopt;
}

bool Conjunction::dropFrom(size_t column, bool exactly) {
  const auto mentions = [&](const Row& row) {
    return std::any_of(row.begin() + static_cast<long>(std::min(column, row.size())), row.end(),
                       [](int64_t v) { return v != 0; });
  };
  for (;;) {
    if (isContradictory_) return true;
    std::erase_if(solved_, [&](const auto& s) { return s.first >= column; }); // nothing else mentions them
    const size_t tied = std::erase_if(solved_, [&](const auto& s) { return mentions(s.second); }) +
                        std::erase_if(stuck_, mentions);
    const Choice best = cheapest(column);
    isExact_ &= tied == 0 && best.isExact;
    if (exactly && !isExact_) return false;
    if (best.variable == 0) return true;
    if (!eliminate(best.variable)) return false;
  }
}

System Conjunction::constraints() const {
  System all;
  for (const auto& [variable, value] : solved_) {
    Row row = value;
    row.resize(std::max(row.size(), variable + 1));
    row[variable] -= 1;
    all.push_back({std::move(row), true});
  }
  for (const Row& row : stuck_) all.push_back({row, true});
  for (const Row& row : bounds_) all.push_back({row, false});
  return all;
}

std::optional<Interval> Conjunction::valuesOf(size_t variable, const Row& before) const {
  Interval found;
  for (const Constraint& c : constraints()) {
    const int64_t factor = at(c.row, variable);
    if (factor == 0) continue;
    Row rest = {0};
    for (size_t i = 0; i < variable; ++i)
      if (!addScaled(rest, {before[i]}, at(c.row, i))) return std::nullopt;
    if (factor > 0 || c.isEquality) found.least = std::max(found.least, -floorDiv(rest[0], factor));
    if (factor < 0 || c.isEquality) found.most = std::min(found.most, floorDiv(rest[0], -factor));
  }
  return found;
}

bool Conjunction::implies(const System& system) const {
  return std::ranges::all_of(system, [&](Constraint c) {
    if (!reduce(c.row)) return false;
    const Truth truth = normalize(c);
    if (truth != Truth::Open || c.isEquality) return truth == Truth::True;
    return std::ranges::any_of(
        bounds_, [&](const Row& known) { return direction(known, c.row) > 0 && known[0] <= c.row[0]; });
  });
}

std::vector<Union> narrowed(std::vector<Union> clauses) {
  Conjunction sure;
  std::vector<bool> isOpen(clauses.size(), true);
  for (bool isNew = true; isNew && !sure.isContradictory();) {
    isNew = false;
    for (size_t k = 0; k < clauses.size(); ++k)
      if (isOpen[k] && clauses[k].size() == 1) {
        for (const Constraint& c : clauses[k].front()) sure.add(c);
        isOpen[k] = false;
        isNew = true;
      }
    if (!isNew) break;
    for (size_t k = 0; k < clauses.size() && !sure.isContradictory(); ++k) {
      if (!isOpen[k]) continue;
      Union& clause = clauses[k];
      if (std::ranges::any_of(clause, [&](const System& s) { return sure.implies(s); })) {
        clause = {System()};
        isOpen[k] = false;
        continue;
      }
      std::erase_if(clause, [&](const System& system) {
        Conjunction both = sure;
        for (const Constraint& c : system) both.add(c);
        return both.isEmpty().value_or(false);
      });
      if (clause.empty()) return {Union()};
    }
  }
  if (sure.isContradictory()) return {Union()};
  std::erase_if(clauses, [](const Union& clause) { return clause.size() == 1 && clause.front().empty(); });
  return clauses;
}

std::optional<std::vector<Conjunction>> waysOf(const std::vector<Union>& clauses) {
  constexpr size_t kMostWays = 64;
  std::vector<Conjunction> ways(1);
  for (const Union& clause : clauses) // first what holds in any case: it leaves fewer ways
    if (clause.size() == 1)
      for (const Constraint& c : clause.front()) ways.front().add(c);
  for (const Union& clause : clauses) {
    if (clause.size() == 1) continue;
    std::vector<Conjunction> next;
    for (Conjunction& way : ways) {
      if (way.isContradictory()) continue;
      if (std::ranges::any_of(clause, [&](const System& s) { return way.implies(s); })) {
        next.push_back(std::move(way));
        continue;
      }
      for (const System& system : clause) {
        Conjunction longer = way;
        for (const Constraint& c : system) longer.add(c);
        if (!longer.isContradictory()) next.push_back(std::move(longer));
      }
      if (next.size() > kMostWays) return std::nullopt;
    }
    ways = std::move(next);
  }
  return ways;
}

std::optional<bool> holdNowhere(const std::vector<Union>& clauses) {
  const std::optional<std::vector<Conjunction>> ways = waysOf(clauses);
  if (!ways) return std::nullopt;
  bool isKnown = true;
  for (const Conjunction& points : *ways) {
    const std::optional<bool> empty = points.isEmpty();
    if (empty && !*empty) return false;
    isKnown &= empty.has_value();
  }
  return isKnown ? std::optional(true) : std::nullopt;
}

std::optional<Union> multiplied(const std::vector<Union>& clauses) {
  constexpr size_t kMostSystems = 48;
  Union all(1);
  for (const Union& clause : clauses) {
    Union next;
    for (const System& system : all)
      for (const System& more : clause) {
        System& both = next.emplace_back(system);
        both.insert(both.end(), more.begin(), more.end());
      }
    if (next.size() > kMostSystems)
      std::erase_if(next, [](const System& system) { return Conjunction(system).isContradictory(); });
    if (next.size() > kMostSystems) return std::nullopt;
    all = std::move(next);
  }
  return all;
}

} // namespace appyc::analysis
