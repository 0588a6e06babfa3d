//===- Linear.h - systems of linear constraints over the integers ---------------------------------------===//
// Most questions are small: a few sizes, a few bounds. Deciding them here takes a hundredth of what isl takes.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace appyc::analysis {

/// One column for the constant 1, then those of variables. Columns that are missing are 0.
using Row = std::vector<int64_t>;
struct Constraint {
  Row row; ///< >= 0, or == 0
  bool isEquality = false;
  bool operator==(const Constraint&) const = default;
};
using System = std::vector<Constraint>;
using Union = std::vector<System>;

/// to += scale * from; false where a number would not fit.
bool addScaled(Row& to, const Row& from, int64_t scale);

/// The numbers from `least` to `most`; no bound is the least, or the greatest, of all numbers.
struct Interval {
  int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  bool isBelow() const { return least != std::numeric_limits<int64_t>::min(); } ///< bounded below
  bool contains(int64_t value) const { return least <= value && value <= most; }
};

/// The integer points that satisfy some constraints. Equalities are solved as they come, each for a variable, which
/// the others no longer mention.
class Conjunction {
public:
  Conjunction() = default;
  explicit Conjunction(const System& system) {
    for (const Constraint& c : system) add(c);
  }
  void add(Constraint c);
  /// Is it known that there is no point?
  bool isContradictory() const { return isContradictory_; }
  /// Without the variables that are solved; false where a number would not fit.
  bool reduce(Row& row) const;
  bool speaksOfSolved(const Row& row) const;
  /// Does it follow from single constraints that are known? False where it takes more to see.
  bool implies(const System& system) const;
  void markSolved(std::vector<bool>& variables) const;
  /// Marks the variables, too, that those marked, which are not solved, are tied to.
  void spread(std::vector<bool>& about) const;
  /// What is said of the variables marked in `about` and of those that they are tied to.
  Conjunction tiedTo(std::vector<bool> about) const;
  /// Is there no point? Nothing where neither is shown.
  std::optional<bool> isEmpty() const;
  /// Their shadow on the variables before `column`, of which alone it speaks then; false if that cannot be done, or not
  /// `exactly`. Where that is not asked for the shadow may be too large.
  bool dropFrom(size_t column, bool exactly);
  /// What is said of a variable where those before it have the values `before` (the first is 1) and no other is spoken of.
  std::optional<Interval> valuesOf(size_t variable, const Row& before) const;
  System constraints() const;

private:
  struct Choice {
    size_t variable;
    bool isExact;
  };
  Choice cheapest(size_t column) const;
  Conjunction compact() const;
  void insert(Row row);
  void solve(size_t variable, Row value);
  void solveStuck();
  bool eliminate(size_t variable);

  std::vector<std::pair<size_t, Row>> solved_; ///< of which variable, its value
  std::vector<Row> stuck_;                     ///< == 0, without a variable that it is solved for
  std::vector<Row> bounds_;                    ///< >= 0
  bool isContradictory_ = false;
  bool isExact_ = true; ///< false: points may be in it that satisfy not all
};

/// Each way in which all clauses hold, as far as that is not contradictory at once; nothing where there are many.
std::optional<std::vector<Conjunction>> waysOf(const std::vector<Union>& clauses);
/// Is there no integer point at which all clauses hold? Nothing where neither is shown.
std::optional<bool> holdNowhere(const std::vector<Union>& clauses);

/// A formula of Affine.h: `clauses`, which all hold, over columns for 1, `params`, `in`, `out`, `exists` and more that
/// exist.
struct Formula {
  std::vector<std::string> params, in, out, exists;
  std::string inName, outName;
  bool isMap = false;
  size_t columns = 0;
  std::vector<Union> clauses;
};
/// Clauses that say the same: without alternatives that contradict what surely holds, and without what follows from that.
std::vector<Union> narrowed(std::vector<Union> clauses);
/// One union that says the same; nothing where it would be of very many systems that are not contradictory at once.
std::optional<Union> multiplied(const std::vector<Union>& clauses);

/// "[p, q] -> { S[i] -> B[x] : formula }" or "[p, q] -> { : formula }"; nothing for other texts, and for what becomes
/// a clause of very many systems.
std::optional<Formula> readFormula(std::string_view text);

} // namespace appyc::analysis
