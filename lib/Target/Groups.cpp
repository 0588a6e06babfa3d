//===- Groups.cpp - points sorted into groups, as calls of the support code -----------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Build.h"
#include <fmt/format.h>

namespace appyc::target {

using namespace ir;

/// The address of the first point: `x + (i * N + j)`.
static cxx::Expr firstPoint(Context& c, const Group& g) {
  const Buffer& buffer = c.buffer(g.points);
  Expr position = intConst(0);
  for (size_t d = 0; d < g.at.size(); ++d) position = add(mul(position, buffer.extents[d]), g.at[d]);
  return Expressions(c).address(g.points, position);
}

cxx::Stmt groupPoints(Context& c, const Group& g) {
  Expressions expressions(c);
  c.support.use("group_points");
  const auto array = [&](const Symbol& s) { return cxx::name(c.name(s)); };
  std::vector<cxx::Expr> args{firstPoint(c, g),
                              expressions.index(g.count),
                              array(g.lower),
                              array(g.upper),
                              expressions.index(g.groups),
                              array(g.apart),
                              array(g.start),
                              array(g.order),
                              array(g.scratch)};
  if (c.cuda) args.push_back(cxx::name("stream"));
  for (const Group::Carried& carried : g.carried)
    args.push_back(cxx::call("carry", {expressions.address(carried.from, g.first), array(carried.to)}));
  const auto edge = [](bool open) { return open ? "Open" : "Closed"; };
  return cxx::evaluate(cxx::callTemplate(
      "group_points",
      fmt::format("{}, {}{}", edge(g.lowerOpen), edge(g.upperOpen), g.ordered ? "" : ", Unordered"),
      std::move(args)));
}

} // namespace appyc::target
