//===- ReadFormula.cpp - the formulas of Affine.h as isl's sets, without isl's own reader ---------------===//
// isl reads text by calculating with piecewise functions, which took half the time of a translation. These
// formulas need less: they become a union of systems of linear constraints, which isl takes as matrices.
// What would become too many systems is left to isl's reader.
#include "Isl.h"
#include "Linear.h"
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace appyc::analysis {

namespace {

/// A value that depends on the case: max(a, b).
struct Piece {
  System where;
  Row value;
};

class Reader : private Formula {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Formula> read() {
    if (accept("[")) params = names("]"), expect("->");
    expect("{");
    if (!accept(":")) {
      isMap = true;
      inName = tuple(in);
      expect("->");
      outName = tuple(out);
      expect(":");
    }
    const bool isQuantified = acceptWord("exists");
    if (isQuantified) expect("("), exists = names(":");
    columns_.clear();
    for (const auto* list : {&params, &in, &out, &exists})
      columns_.insert(columns_.end(), list->begin(), list->end());
    firstQuotient_ = columns_.size();
    for (size_t i = text_.find("floor("); i != std::string_view::npos; i = text_.find("floor(", i + 1))
      columns_.emplace_back();
    columns = 1 + columns_.size();
    if (!acceptWord("true")) clauses = disjunction(false);
    if (isQuantified) expect(")");
    expect("}");
    if (failed_ || at_ != text_.size()) return std::nullopt;
    return std::move(static_cast<Formula&>(*this));
  }

private:
  //===--- words

  void skipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(std::string_view token) {
    skipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) { failed_ = !accept(token) || failed_; }
  static bool isPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  std::string_view peekWord() {
    skipSpace();
    size_t end = at_;
    while (end < text_.size() && isPartOfName(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  bool acceptWord(std::string_view word) {
    if (peekWord() != word) return false;
    at_ += word.size();
    return true;
  }
  std::vector<std::string> names(std::string_view end) {
    std::vector<std::string> all;
    while (!failed_ && !accept(end)) {
      if (!all.empty()) expect(",");
      all.emplace_back(peekWord());
      at_ += all.back().size();
      failed_ = all.back().empty() || failed_;
    }
    return all;
  }
  std::string tuple(std::vector<std::string>& dims) {
    std::string name(peekWord());
    at_ += name.size();
    expect("[");
    dims = names("]");
    return name;
  }

  //===--- numbers

  Row sum(const Row& a, const Row& b, int64_t scale) {
    Row total(a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      int64_t scaled = 0;
      const bool overflow = __builtin_mul_overflow(b[i], scale, &scaled);
      failed_ = __builtin_add_overflow(a[i], scaled, &total[i]) || overflow || failed_;
    }
    return total;
  }
  static std::optional<int64_t> constant(const std::vector<Piece>& pieces) {
    if (pieces.size() != 1) return std::nullopt;
    const Row& row = pieces.front().value;
    for (size_t i = 1; i < row.size(); ++i)
      if (row[i] != 0) return std::nullopt;
    return row[0];
  }
  Row number(int64_t value) const {
    Row row(columns_.size() + 1);
    row[0] = value;
    return row;
  }

  template <class T> std::vector<T> limited(std::vector<T> all) {
    constexpr size_t kMostSystems = 48;
    if (all.size() <= kMostSystems) return all;
    failed_ = true;
    return {};
  }

  /// Each case of one with each of the other.
  std::vector<Piece> combine(const std::vector<Piece>& a, const std::vector<Piece>& b, int64_t scale) {
    std::vector<Piece> all;
    for (const Piece& x : a)
      for (const Piece& y : b) {
        Piece both{x.where, sum(x.value, y.value, scale)};
        both.where.insert(both.where.end(), y.where.begin(), y.where.end());
        all.push_back(std::move(both));
      }
    return limited(std::move(all));
  }

  std::vector<Piece> extremum(bool largest) {
    expect("(");
    const std::vector<Piece> a = expression();
    expect(",");
    const std::vector<Piece> b = expression();
    expect(")");
    std::vector<Piece> all;
    for (const Piece& x : a)
      for (const Piece& y : b) {
        System where = x.where;
        where.insert(where.end(), y.where.begin(), y.where.end());
        const Row distance = largest ? sum(x.value, y.value, -1) : sum(y.value, x.value, -1);
        Piece first{where, x.value}, second{where, y.value};
        first.where.push_back({distance, false});                       // x is taken
        second.where.push_back({sum(number(-1), distance, -1), false}); // distance <= -1
        all.push_back(std::move(first));
        all.push_back(std::move(second));
      }
    return limited(std::move(all));
  }

  /// floor(e / c) is a variable q of its own: c q <= e < c q + c.
  std::vector<Piece> quotient() {
    expect("(");
    std::vector<Piece> all = expression();
    expect("/");
    const std::optional<int64_t> divisor = constant(factor());
    expect(")");
    failed_ = failed_ || divisor.value_or(0) <= 0;
    Row q = number(0);
    q[1 + firstQuotient_ + quotients_++] = 1;
    for (Piece& p : all) {
      const Row rest = sum(p.value, q, -divisor.value_or(0));
      p.where.push_back({rest, false});
      p.where.push_back({sum(number(divisor.value_or(0) - 1), rest, -1), false});
      p.value = q;
    }
    return all;
  }

  std::vector<Piece> factor() {
    if (accept("(")) {
      std::vector<Piece> inner = expression();
      expect(")");
      return inner;
    }
    if (accept("-")) return combine({{{}, number(0)}}, factor(), -1);
    const std::string_view word = peekWord();
    at_ += word.size();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size()) return {{{}, number(value)}};
    if (word == "max" || word == "min") return extremum(word == "max");
    if (word == "floor") return quotient();
    const auto column = std::find(columns_.begin(), columns_.end(), word);
    Row row = number(0);
    if (column == columns_.end() || word.empty())
      failed_ = true;
    else
      row[static_cast<size_t>(column - columns_.begin()) + 1] = 1;
    return {{{}, row}};
  }

  std::vector<Piece> product() {
    std::vector<Piece> all = factor();
    while (accept("*")) {
      std::vector<Piece> right = factor();
      if (!constant(all)) std::swap(all, right);
      const std::optional<int64_t> scale = constant(all);
      failed_ = failed_ || !scale;
      all = combine({{{}, number(0)}}, right, scale.value_or(0));
    }
    return all;
  }

  std::vector<Piece> expression() {
    std::vector<Piece> all = product();
    for (;;) {
      if (accept("+"))
        all = combine(all, product(), 1);
      else if (accept("-"))
        all = combine(all, product(), -1);
      else
        return all;
    }
  }

  //===--- truth; `negated`: of the contrary

  using Clauses = std::vector<Union>;

  static Clauses both(Clauses a, Clauses b) {
    a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
    return a;
  }
  Clauses either(const Clauses& a, const Clauses& b) {
    std::optional<Union> all = multiplied(a), more = multiplied(b);
    failed_ = failed_ || !all || !more;
    if (failed_) return {};
    all->insert(all->end(), std::make_move_iterator(more->begin()), std::make_move_iterator(more->end()));
    return {limited(std::move(*all))};
  }

  Clauses disjunction(bool negated) {
    Clauses all = conjunction(negated);
    while (acceptWord("or")) {
      Clauses next = conjunction(negated);
      all = negated ? both(std::move(all), std::move(next)) : either(all, next);
    }
    return all;
  }
  Clauses conjunction(bool negated) {
    Clauses all = condition(negated);
    while (acceptWord("and")) {
      Clauses next = condition(negated);
      all = negated ? either(all, next) : both(std::move(all), std::move(next));
    }
    return all;
  }

  Clauses condition(bool negated) {
    if (acceptWord("not")) return condition(!negated);
    if (!opensCondition()) return {comparison(negated)};
    expect("(");
    Clauses inner = disjunction(negated);
    expect(")");
    return inner;
  }

  /// Does a parenthesis with a comparison in it begin here?
  bool opensCondition() {
    skipSpace();
    int depth = 0;
    for (size_t i = at_; i < text_.size(); ++i) {
      depth += text_[i] == '(' ? 1 : text_[i] == ')' ? -1 : 0;
      if (depth == 0) return false;
      if (std::string_view("<>=").find(text_[i]) != std::string_view::npos) return true;
    }
    return false;
  }

  Union comparison(bool negated) {
    const std::vector<Piece> left = expression();
    constexpr std::array<std::string_view, 6> operators{"<=", ">=", "!=", "<", ">", "="};
    constexpr std::array<std::string_view, 6> contraries{">", "<", "=", ">=", "<=", "!="};
    size_t which = 0;
    while (which < operators.size() && !accept(operators[which])) ++which;
    if (which == operators.size()) return failed_ = true, Union();
    const std::string_view op = negated ? contraries[which] : operators[which];
    Union all;
    for (const Piece& p : combine(left, expression(), -1)) {
      const auto add = [&](const Row& row, bool isEquality = false) {
        all.push_back(p.where);
        all.back().push_back({row, isEquality});
      };
      const Row less = sum(number(-1), p.value, -1), more = sum(number(-1), p.value, 1);
      if (op == "=") add(p.value, true);
      if (op == "<" || op == "!=") add(less);
      if (op == ">" || op == "!=") add(more);
      if (op == "<=") add(sum(number(0), p.value, -1));
      if (op == ">=") add(p.value);
    }
    return limited(std::move(all));
  }

  std::string_view text_;
  size_t at_ = 0;
  bool failed_ = false;
  size_t firstQuotient_ = 0, quotients_ = 0; ///< columns of divisions, behind those with names
  std::vector<std::string> columns_;
};

isl_mat* matrix(isl_ctx* ctx, const System& system, bool equalities, size_t columns) {
  const auto rows = std::count_if(system.begin(), system.end(),
                                  [&](const Constraint& c) { return c.isEquality == equalities; });
  isl_mat* m = isl_mat_alloc(ctx, static_cast<unsigned>(rows), static_cast<unsigned>(columns));
  int at = 0;
  for (const Constraint& c : system) {
    if (c.isEquality != equalities) continue;
    for (size_t i = 0; i < columns; ++i) {
      const int64_t value = i < c.row.size() ? c.row[i] : 0;
      const auto column = static_cast<int>(i), small = static_cast<int>(value);
      m = small == value ? isl_mat_set_element_si(m, at, column, small)
                         : isl_mat_set_element_val(m, at, column, isl_val_int_from_si(ctx, value));
    }
    ++at;
  }
  return m;
}

isl_space* spaceOf(isl_ctx* ctx, const Formula& r) {
  const auto count = [](const std::vector<std::string>& names) {
    return static_cast<unsigned>(names.size());
  };
  isl_space* space = isl_space_alloc(ctx, count(r.params), count(r.in), count(r.out));
  for (unsigned i = 0; i < r.params.size(); ++i)
    space = isl_space_set_dim_name(space, isl_dim_param, i, r.params[i].c_str());
  if (!r.isMap) return space;
  space = isl_space_set_tuple_name(space, isl_dim_in, r.inName.c_str());
  return isl_space_set_tuple_name(space, isl_dim_out, r.outName.c_str());
}

isl::map mapOf(isl::ctx ctx, const Formula& f, const Union& systems) {
  isl_space* space = spaceOf(ctx.get(), f);
  isl_map* map = isl_map_empty(isl_space_copy(space));
  for (const System& s : systems)
    map = isl_map_union(map, isl_map_from_basic_map(isl_basic_map_from_constraint_matrices(
                                 isl_space_copy(space), matrix(ctx.get(), s, true, f.columns),
                                 matrix(ctx.get(), s, false, f.columns), isl_dim_cst, isl_dim_param,
                                 isl_dim_in, isl_dim_out, isl_dim_div)));
  isl_space_free(space);
  return isl::manage(map);
}

/// Sets of parameters are read as maps without dimensions.
std::optional<isl::map> readLinear(isl::ctx ctx, const std::string& text) {
  const std::optional<Formula> all = readFormula(text);
  const std::optional<Union> systems = all ? multiplied(narrowed(all->clauses)) : std::nullopt;
  return systems ? std::optional(mapOf(ctx, *all, *systems)) : std::nullopt;
}

} // namespace

std::optional<Formula> readFormula(std::string_view text) { return Reader(text).read(); }

isl::map readMap(isl::ctx ctx, const std::string& text) {
  std::optional<isl::map> map = readLinear(ctx, text);
  return map ? *map : isl::map(ctx, text);
}

isl::set readParams(isl::ctx ctx, const std::string& text) {
  std::optional<isl::map> map = readLinear(ctx, text);
  return map ? isl::manage(isl_map_params(map->copy())) : isl::set(ctx, text);
}

isl::set paramsOf(isl::ctx ctx, const std::vector<std::string>& params, const Union& systems) {
  Formula f;
  f.params = params;
  f.columns = 1 + params.size();
  return isl::manage(isl_map_params(mapOf(ctx, f, systems).release()));
}

} // namespace appyc::analysis
