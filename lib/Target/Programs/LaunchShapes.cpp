//===- LaunchShapes.cpp - how many blocks of how many threads the host program launches --------------------===//
#include "LaunchShapes.h"
#include "Functions.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::target {

using namespace ir;

std::optional<Units> unitsOf(const Expr& e) {
  if (const auto number = constantInt(e); number && *number > 0) return Units{e, *number};
  const auto* least = e.as<Binary>();
  if (least && least->op == BinaryOp::Max) { // of kernels that have become one
    const auto one = unitsOf(least->lhs), other = unitsOf(least->rhs);
    const bool isOne = one && other && one->most == other->most && !constantInt(e);
    return isOne ? std::optional(Units{maxOf(one->count, other->count), one->most}) : std::nullopt;
  }
  const auto most = least && least->op == BinaryOp::Min ? constantInt(least->rhs) : std::nullopt;
  const auto* some = most && *most > 0 ? least->lhs.as<Binary>() : nullptr;
  if (!some || some->op != BinaryOp::Max || !isConst(some->rhs, 1)) return {};
  return Units{some->lhs, *most};
}

std::optional<int64_t> LaunchShapes::threadsAlong(const Symbol& v) const {
  std::optional<int64_t> threads;
  bool fits = true;
  each<Launch>(c_.function.body, [&](const Launch& l) {
    if (!l.shape.threads[0] || !mentions(l.shape.threads[0], v)) return;
    const auto* rest = l.shape.threads[1].as<Binary>();
    const auto all = rest && rest->op == BinaryOp::FloorDiv ? constantInt(rest->lhs) : std::nullopt;
    fits &= l.shape.threads[0].is<Var>() && all && equal(rest->rhs, l.shape.threads[0]) &&
            isConst(l.shape.threads[2], 1) && threads.value_or(*all) == *all;
    threads = all;
  });
  return fits ? threads : std::nullopt;
}

cxx::Stmt LaunchShapes::declare(const Assign& along, int64_t threads) {
  std::vector<Expr> asked{along.value, intConst(threads)};
  std::string function = "block_of";
  if (const auto* chosen = along.value.as<Call>()) {
    const std::vector<Expr>& of = chosen->args;
    if (chosen->fn == Intrinsic::LanesOfRow) {
      function = "block_of_rows";
      asked = {of[0], of[1], intConst(threads)};
      if (!isConst(of[2], threads)) asked.push_back(of[2]);
    } else if (chosen->fn == Intrinsic::ColumnsOfBlock && isConst(of[2], threads)) {
      function = "block_of_columns";
      asked = of;
    }
  }
  std::vector<cxx::Expr> args;
  for (const Expr& e : asked) args.push_back(expressions_.value(e));
  c_.support.use(function);
  const std::string name = c_.freshName("threads");
  shapes_[along.var] = {name, threads};
  c_.readAs(along.var, "(int64_t)" + name + ".x");
  return cxx::declare(cxx::constType("dim3"), name, cxx::call(function, std::move(args)));
}

std::optional<cxx::Expr> LaunchShapes::blockOf(const Launch& l) const {
  const auto* v = l.shape.threads[0].as<Var>();
  const auto shape = v ? shapes_.find(v->name) : shapes_.end();
  return shape == shapes_.end() ? std::nullopt : std::optional(cxx::name(shape->second.name));
}

/// `threads.x`, or `threads.y`.
std::optional<std::string> LaunchShapes::alongBlock(const Expr& e) const {
  const auto* rest = e.as<Binary>();
  const auto* v = rest ? rest->rhs.as<Var>() : e.as<Var>();
  const auto shape = v ? shapes_.find(v->name) : shapes_.end();
  if (shape == shapes_.end()) return {};
  if (rest && (rest->op != BinaryOp::FloorDiv || !isConst(rest->lhs, shape->second.threads))) return {};
  return shape->second.name + (rest ? ".y" : ".x");
}

namespace {

/// What is divided, rounded up, by what.
struct Parts {
  Expr all, each;
};
std::optional<Parts> partsOf(const Expr& e) {
  const auto* quotient = e.as<Binary>();
  const auto* top = quotient && quotient->op == BinaryOp::FloorDiv ? quotient->lhs.as<Binary>() : nullptr;
  const auto* both =
      top && top->op == BinaryOp::Sub && isConst(top->rhs, 1) ? top->lhs.as<Binary>() : nullptr;
  if (both && both->op == BinaryOp::Add && equal(both->rhs, quotient->rhs))
    return Parts{both->lhs, quotient->rhs};
  const auto divisor =
      quotient && quotient->op == BinaryOp::FloorDiv ? constantInt(quotient->rhs) : std::nullopt;
  const auto* sum = divisor && *divisor > 1 ? quotient->lhs.as<Binary>() : nullptr;
  const auto more = sum && sum->op == BinaryOp::Add ? constantInt(sum->rhs) : std::nullopt;
  if (!more || *more <= 0) return {};
  return Parts{add(sum->lhs, intConst(*more - (*divisor - 1))), quotient->rhs};
}

} // namespace

LaunchShapes::Grid LaunchShapes::gridOf(const Launch& l, const cxx::Expr& width) {
  size_t axes = 3;
  while (axes > 1 && (!l.shape.grid[axes - 1] || isConst(l.shape.grid[axes - 1], 1))) --axes;
  if (const auto single = constantInt(l.shape.grid[0]); axes == 1 && single && *single > 0)
    return {cxx::number(*single), true, true};
  std::vector<std::optional<Units>> units;
  for (size_t axis = 0; axis < axes; ++axis) units.push_back(unitsOf(l.shape.grid[axis]));
  const bool isNeverEmpty = std::ranges::all_of(units, [](const auto& u) { return u.has_value(); });
  const bool isAll = isNeverEmpty && std::ranges::all_of(units, [](const auto& u) {
                       return constantInt(u->count) ? u->most <= cost::Device::blocksOfGrid
                                                    : u->most == cost::Device::blocksOfGrid;
                     });
  std::vector<cxx::Expr> extents;
  if (const auto block =
          l.shape.threads[0] && isAll && axes == 2 && !l.vectors.alongGrid ? blockOf(l) : std::nullopt) {
    extents = {*block};
    for (size_t axis = 0; axis < axes; ++axis)
      if (const auto parts = partsOf(units[axis]->count);
          parts && alongBlock(parts->each) == cxx::print(*block) + (axis == 0 ? ".x" : ".y"))
        extents.push_back(expressions_.value(parts->all));
    if (extents.size() == 3) {
      c_.support.use("blocks_of");
      return {cxx::call("blocks_of", std::move(extents)), false, true};
    }
    extents.clear();
  }
  for (size_t axis = 0; axis < axes; ++axis)
    extents.push_back(rounded(isAll ? units[axis]->count : l.shape.grid[axis]));
  const std::string name = !isAll ? "launch_grid" : l.vectors.alongGrid ? "blocks_for_vectors" : "blocks_for";
  if (l.vectors.alongGrid && isAll)
    extents.insert(extents.begin(), width);
  else if (l.vectors.alongGrid)
    extents[0] =
        cxx::binary("/", cxx::binary("-", cxx::binary("+", extents[0], width), cxx::number(1)), width);
  c_.support.use(name);
  return {cxx::call(name, extents), false, isNeverEmpty};
}

/// A quotient that is rounded up says so; what is less than 1 is 1 in any case.
cxx::Expr LaunchShapes::rounded(const Expr& e) {
  if (const auto* more = e.as<Binary>(); more && more->op == BinaryOp::Max) {
    c_.support.use("maximum");
    return cxx::callTemplate("maximum", "int64_t", {rounded(more->lhs), rounded(more->rhs)});
  }
  const auto parts = partsOf(e);
  if (!parts) return expressions_.value(e);
  c_.support.use("ceil_div");
  const auto along = alongBlock(parts->each);
  return cxx::call("ceil_div", {expressions_.value(parts->all),
                                along ? cxx::name(*along) : expressions_.value(parts->each)});
}

} // namespace appyc::target
