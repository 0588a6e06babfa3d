//===- RedundantWork.cpp - what it costs that all blocks of a kernel do the same ------------------------===//
//   us a step on an H200, blocks times elements | saved by fewer launches, less what is repeated
//   gramschmidt, 24 000, 0.4, 2.4 million       | 3.4, 2.7, -14   (columns, quotients)
//   power iteration, 0.07, 4, 16, 64 million    | 2.6, 1.6, -4, -15
//   softmax and product, 0.07, 1, 4 million     | 6.4, 3.3, -8    (two exponentials)
#include "appyc/Cost/RedundantWork.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Counting.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <cstdlib>

namespace appyc::cost {
using namespace ir;

namespace {

/// One iteration of a loop that lanes share, index `lane`; an element that is named twice is loaded once.
int64_t unitsOf(const Stmt& body, const Symbol& lane) {
  int64_t units = 0;
  std::vector<Expr> loaded;
  visit(body, [&](const Stmt& s) {
    forEachExpr(s, [&](const Expr& e) { units += unitsOfExpr(e, lane, loaded); });
    return true;
  });
  return units;
}

} // namespace

void RedundantWork::count(const Stmt& s, int64_t sign) {
  visit(s, [&](const Stmt& part) {
    const auto* loop = part.as<For>();
    const Expr trips = loop ? tripCount(*loop) : Expr();
    if (!trips) return true;
    const int64_t units = sign * unitsOf(loop->body, loop->index);
    for (auto& [length, sum] : terms_)
      if (equalIndex(length, trips)) return sum += units, false;
    terms_.emplace_back(trips, units);
    return false;
  });
}

std::pair<Expr, int64_t> RedundantWork::inAll(const Expr& blocks, int64_t most) const {
  if (terms_.size() == 1 && terms_[0].second > 0) return {blocks * terms_[0].first, most / terms_[0].second};
  Expr sum = intConst(0);
  for (const auto& [length, units] : terms_) sum = sum + length * units;
  return {blocks * sum, most};
}

} // namespace appyc::cost
