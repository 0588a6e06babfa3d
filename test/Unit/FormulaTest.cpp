//===- FormulaTest.cpp - formulas read as matrices mean what isl makes of them, are empty where it says so -===//
#include "Isl.h"
#include "Linear.h"
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <random>

using namespace appyc::analysis;

namespace {

/// Texts as Affine.cpp and its users build them.
class Formulas {
public:
  explicit Formulas(unsigned seed) : random_(seed) {}

  std::string relation() {
    names_ = {"p0", "p1", "i0", "x0", "x1"};
    return fmt::format("[p0, p1] -> {{ S[i0] -> B[x0, x1] : {} }}", formula());
  }
  std::string params() {
    names_ = {"p0", "p1"};
    return fmt::format("[p0, p1] -> {{ : {} }}", formula());
  }

private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::string formula() {
    if (below(12) == 0) return "true";
    const bool quantified = below(2) == 0;
    if (quantified) names_.insert(names_.end(), {"e1", "q2"});
    std::string all = condition(2);
    for (int more = below(4); more > 0; --more) all += " and " + condition(2);
    return quantified ? fmt::format("exists (e1, q2 : {})", all) : all;
  }
  std::string condition(int depth) {
    switch (depth == 0 ? 9 : below(10)) {
    case 0: return fmt::format("not ({})", condition(depth - 1));
    case 1: return fmt::format("(({}) and ({}))", condition(depth - 1), condition(depth - 1));
    case 2: return fmt::format("(({}) or ({}))", condition(depth - 1), condition(depth - 1));
    case 3: {
      const std::string c = condition(0), e = term(0);
      return fmt::format("((({0}) and {1} = {2}) or (not ({0}) and {1} = {3}))", c, e, term(1), term(1));
    }
    default: {
      constexpr std::array operators{"<", "<=", ">", ">=", "=", "!="};
      return fmt::format("{} {} {}", term(2), operators[static_cast<size_t>(below(6))], term(2));
    }
    }
  }
  std::string term(int depth) {
    switch (depth == 0 ? below(2) : below(9)) {
    case 0: return names_[static_cast<size_t>(below(static_cast<int>(names_.size())))];
    case 1: return fmt::format("{}", below(5));
    case 2: return fmt::format("(-({}))", term(depth - 1));
    case 3: return fmt::format("({} + {})", term(depth - 1), term(depth - 1));
    case 4: return fmt::format("({} - ({}))", term(depth - 1), term(depth - 1));
    case 5: return fmt::format("({} * ({}))", below(4), term(depth - 1));
    case 6: return fmt::format("min({}, {})", term(depth - 1), term(depth - 1));
    case 7: return fmt::format("max({}, {})", term(depth - 1), term(depth - 1));
    default:
      return fmt::format("floor(({}) / {})", term(depth - 1), 2 + below(3)); // isl's reader takes these
    }
  }

  std::minstd_rand random_;
  std::vector<std::string> names_;
};

} // namespace

TEST_CASE("formulas mean what isl's own reader makes of them") {
  const std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(),
                                                         [](isl_ctx* c) { isl_ctx_free(c); });
  const isl::ctx ctx(raw.get());
  Formulas formulas(20);
  for (int round = 0; round < 600; ++round) {
    const std::string relation = formulas.relation(), params = formulas.params();
    INFO(relation << "\n" << params);
    REQUIRE(readMap(ctx, relation).is_equal(isl::map(ctx, relation)));
    REQUIRE(readParams(ctx, params).is_equal(isl::set(ctx, params)));
  }
}

TEST_CASE("formulas at the edges") {
  const std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(),
                                                         [](isl_ctx* c) { isl_ctx_free(c); });
  const isl::ctx ctx(raw.get());
  for (const std::string text :
       {"{ S[] -> B[] : true }", "{ S[i] -> S[j] : i > j }", "[n] -> { S[i] -> B[x] : 1 = 0 }",
        "[n] -> { S[i] -> B[x] : x = 9223372036854775807 and i = n * 3000000000000000000 }",
        "[n] -> { S[i] -> B[x] : i = 99999999999999999999 }"}) // the last two are isl's reader's
    CHECK(readMap(ctx, text).is_equal(isl::map(ctx, text)));
}

TEST_CASE("systems are empty where isl says so") {
  const std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(),
                                                         [](isl_ctx* c) { isl_ctx_free(c); });
  const isl::ctx ctx(raw.get());
  Formulas formulas(7);
  int empty = 0, known = 0, read = 0;
  for (int round = 0; round < 800; ++round) {
    const std::string text = round % 2 ? formulas.relation() : formulas.params();
    const std::optional<Formula> formula = readFormula(text);
    if (!formula) continue;
    ++read;
    INFO(text);
    const std::optional<bool> answer = holdNowhere(formula->clauses);
    if (!answer) continue;
    ++known;
    empty += *answer;
    REQUIRE(*answer == readMap(ctx, text).is_empty());
  }
  CHECK(empty > read / 20);
  CHECK(known > read * 95 / 100);
}

TEST_CASE("where and how accesses meet is what isl says") {
  const std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(),
                                                         [](isl_ctx* c) { isl_ctx_free(c); });
  const isl::ctx ctx(raw.get());
  Formulas formulas(11);
  const std::string apart = "{ S[i] -> S[j] : i != j }";
  int found = 0, small = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string first = formulas.relation(), second = round % 2 ? formulas.relation() : first,
                      known = "[p0, p1] -> { : p0 >= 0 and p1 >= 0 }";
    INFO(first << "\n" << second);
    Meetings meetings(known);
    Relations maps(ctx, readParams(ctx, known));
    const isl::map pairs = maps.apart(first, second);
    const Meeting meeting{first, second, apart};
    if (const std::optional<Union> where = meetings.where(meeting)) {
      ++found;
      const isl::set wanted = isl::manage(isl_map_params(pairs.copy()));
      REQUIRE(paramsOf(ctx, {"p0", "p1"}, *where).is_equal(wanted));
    }
    const std::optional<Touch> touch = meetings.smallest(meeting);
    if (!touch || pairs.is_empty()) continue;
    ++small;
    const Sample sample = smallSample(isl::manage(isl_map_wrap(pairs.copy())));
    REQUIRE(touch->points == std::vector<int64_t>(sample.dims.begin(), sample.dims.end()));
    REQUIRE(touch->params == std::vector<int64_t>{sample.params[0].second, sample.params[1].second});
  }
  CHECK(found > 20);
  CHECK(small > 20);
}

TEST_CASE("clauses without what cannot hold say the same") {
  Formulas formulas(5);
  const std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(),
                                                         [](isl_ctx* c) { isl_ctx_free(c); });
  const isl::ctx ctx(raw.get());
  for (int round = 0; round < 400; ++round) {
    const std::string text = formulas.params();
    const std::optional<Formula> f = readFormula(text);
    const std::optional<Union> systems = f ? multiplied(narrowed(f->clauses)) : std::nullopt;
    if (!systems || f->columns != 3) continue;
    INFO(text);
    REQUIRE(paramsOf(ctx, {"p0", "p1"}, *systems).is_equal(isl::set(ctx, text)));
  }
}
