//===- Groups.cpp - points sorted into groups, as calls of the support code -----------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "Statements.h"
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

static cxx::Expr array(Context& c, const Symbol& s) { return cxx::name(s ? c.name(s) : "nullptr"); }

/// What both calls begin with: the points, the masks, the result of their test.
static std::vector<cxx::Expr> masks(Context& c, const Group& g) {
  Expressions expressions(c);
  return {firstPoint(c, g),  expressions.index(g.count),  array(c, g.lower),
          array(c, g.upper), expressions.index(g.groups), array(c, g.apart)};
}

static std::string edges(const Group& g) {
  const auto edge = [](bool open) { return open ? "Open" : "Closed"; };
  return fmt::format("{}, {}", edge(g.lowerOpen), edge(g.upperOpen));
}

/// fold<Sum>(w, total_parts, 0.0): what each point brings, where its folds go, the fold of nothing.
static cxx::Expr foldOf(Context& c, const Group::Fold& f) {
  Expressions expressions(c);
  const DType type = c.buffer(f.to).type;
  useOperator(c.support, f.op, type);
  return cxx::callTemplate("fold", std::string(operatorName(f.op)),
                           {expressions.address(f.values, f.first), cxx::name(c.name(f.to)),
                            expressions.exact(identity(f.op, type))});
}

static cxx::Stmt foldPoints(Context& c, const Group& g) {
  c.support.use("fold_points");
  std::vector<cxx::Expr> args = masks(c, g);
  for (const Symbol& s : {g.sizes, g.scratch}) args.push_back(array(c, s));
  if (c.cuda) args.push_back(cxx::name("stream"));
  for (const Group::Fold& f : g.folds) args.push_back(foldOf(c, f));
  return cxx::evaluate(cxx::callTemplate("fold_points", edges(g), std::move(args)));
}

cxx::Stmt groupPoints(Context& c, const Group& g) {
  if (g.parts) return foldPoints(c, g);
  c.support.use("group_points");
  std::vector<cxx::Expr> args = masks(c, g);
  for (const Symbol& s : {g.start, g.order, g.scratch}) args.push_back(array(c, s));
  if (c.cuda) args.push_back(cxx::name("stream"));
  for (const Group::Carried& carried : g.carried)
    args.push_back(cxx::call("carry", {Expressions(c).address(carried.from, g.first), array(c, carried.to)}));
  return cxx::evaluate(
      cxx::callTemplate("group_points", edges(g) + (g.ordered ? "" : ", Unordered"), std::move(args)));
}

} // namespace appyc::target
