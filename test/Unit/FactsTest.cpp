//===- FactsTest.cpp - what follows from facts about sizes is what all points tell ----------------------===//
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>

using namespace appyc;
using namespace appyc::ir;

namespace {

/// A condition on three sizes, and what it says at a point.
struct Drawn {
  using Point = std::array<int64_t, 3>;
  Expr expr;
  std::function<int64_t(const Point&)> at;
};

class Draw {
public:
  explicit Draw(unsigned seed) : random_(seed) {}

  const std::array<Symbol, 3> names{Symbol("p"), Symbol("q"), Symbol("r")};

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Drawn condition(int depth) {
    const int which = depth == 0 ? 9 : below(6);
    if (which == 0) {
      const Drawn a = condition(depth - 1);
      return {unary(UnaryOp::LogicalNot, a.expr), [=](const auto& x) { return !a.at(x); }};
    }
    if (which <= 3) {
      const Drawn a = condition(depth - 1), b = condition(depth - 1);
      if (which == 1)
        return {binary(BinaryOp::LogicalAnd, a.expr, b.expr),
                [=](const auto& x) { return a.at(x) && b.at(x); }};
      return {binary(BinaryOp::LogicalOr, a.expr, b.expr), [=](const auto& x) { return a.at(x) || b.at(x); }};
    }
    const Drawn a = term(2), b = term(1);
    switch (below(4)) {
    case 0: return {binary(BinaryOp::Eq, a.expr, b.expr), [=](const auto& x) { return a.at(x) == b.at(x); }};
    case 1: return {binary(BinaryOp::Ne, a.expr, b.expr), [=](const auto& x) { return a.at(x) != b.at(x); }};
    case 2: return {binary(BinaryOp::Lt, a.expr, b.expr), [=](const auto& x) { return a.at(x) < b.at(x); }};
    default: return {binary(BinaryOp::Ge, a.expr, b.expr), [=](const auto& x) { return a.at(x) >= b.at(x); }};
    }
  }

private:
  Drawn term(int depth) {
    const int which = depth == 0 ? below(3) : below(9);
    if (which == 0) {
      const int64_t c = below(4);
      return {intConst(c), [=](const auto&) { return c; }};
    }
    if (which <= 2) {
      const size_t k = static_cast<size_t>(below(3));
      return {var(names[k]), [=](const auto& x) { return x[k]; }};
    }
    const Drawn a = term(depth - 1), b = term(depth - 1);
    switch (which) {
    case 3: return {add(a.expr, b.expr), [=](const auto& x) { return a.at(x) + b.at(x); }};
    case 4: return {sub(a.expr, b.expr), [=](const auto& x) { return a.at(x) - b.at(x); }};
    case 5: return {maxOf(a.expr, b.expr), [=](const auto& x) { return std::max(a.at(x), b.at(x)); }};
    case 6: return {minOf(a.expr, b.expr), [=](const auto& x) { return std::min(a.at(x), b.at(x)); }};
    case 7: return {mul(intConst(2), a.expr), [=](const auto& x) { return 2 * a.at(x); }};
    default:
      return {select(binary(BinaryOp::Lt, a.expr, b.expr), a.expr, intConst(3)),
              [=](const auto& x) { return a.at(x) < b.at(x) ? a.at(x) : 3; }};
    }
  }
  std::minstd_rand random_;
};

} // namespace

TEST_CASE("analysis: facts about sizes are what all points tell", "[analysis]") {
  Draw draw(3);
  int never = 0;
  for (int round = 0; round < 150; ++round) {
    analysis::Facts facts;
    std::vector<Drawn::Point> points;
    for (int64_t k = 0; k < 125; ++k) points.push_back({k / 25, k / 5 % 5, k % 5});
    for (const Symbol& s : draw.names) {
      facts.learn(binary(BinaryOp::Ge, var(s), intConst(0)));
      facts.learn(binary(BinaryOp::Le, var(s), intConst(4)));
    }
    for (int question = 0; question < 8; ++question) {
      const Drawn drawn = draw.condition(2);
      INFO(round << ": " << print(drawn.expr));
      const bool may = std::any_of(points.begin(), points.end(), [&](const auto& x) { return drawn.at(x); });
      REQUIRE(facts.mayHold(drawn.expr) == may);
      never += !may;
      if (!may) continue;
      facts.learn(drawn.expr);
      std::erase_if(points, [&](const auto& x) { return !drawn.at(x); });
    }
  }
  CHECK(never > 150);
}
