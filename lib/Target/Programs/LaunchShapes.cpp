//===- LaunchShapes.cpp - how many blocks of how many threads the host program launches --------------------===//
#include "LaunchShapes.h"
#include "Functions.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
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

void LaunchShapes::findNumbers() {
  if (!lists_.empty()) return;
  std::set<Symbol> again;
  visit(c_.function.body, [&](const Stmt& s) {
    if (const auto* list = s.as<Block>())
      for (const Stmt& part : list->body)
        if (const auto* set = part.as<Assign>()) {
          lists_[set->var] = list;
          if (!numbers_.emplace(set->var, set->value).second) again.insert(set->var);
        }
    return true;
  });
  for (const Symbol& v : again) numbers_.erase(v);
}

std::optional<LaunchShapes::Planes> LaunchShapes::planesOf(const Launch& l) {
  findNumbers();
  const auto& t = l.shape.threads;
  const auto *x = t[0].as<Var>(), *y = t[1].as<Var>(), *z = t[2].as<Var>();
  if (!x || !y || !z) return {};
  const auto columns = numbers_.find(x->name), rows = numbers_.find(y->name), planes = numbers_.find(z->name);
  for (const auto& number : {columns, rows, planes})
    if (number == numbers_.end()) return {};
  if (lists_.at(y->name) != lists_.at(z->name)) return {};
  // rows = min(max(down, 1), threads / columns); planes = min(threads / columns / rows, 64)
  const auto *some = rows->second.as<Binary>(), *left = planes->second.as<Binary>();
  const auto *beside = some ? some->rhs.as<Binary>() : nullptr,
             *rest = left ? left->lhs.as<Binary>() : nullptr;
  const auto threads = beside ? constantInt(beside->lhs) : std::nullopt;
  const auto* down = some ? some->lhs.as<Binary>() : nullptr;
  const bool isUsual = threads && rest && down && some->op == BinaryOp::Min && left->op == BinaryOp::Min &&
                       down->op == BinaryOp::Max && isConst(down->rhs, 1) && isConst(left->rhs, 64) &&
                       equal(some->rhs, floorDiv(intConst(*threads), t[0])) &&
                       equal(left->lhs, floorDiv(some->rhs, t[1]));
  if (!isUsual) return {};
  const bool isHere = lists_.at(x->name) == lists_.at(z->name);
  return Planes{x->name, y->name, z->name, isHere ? columns->second : Expr(), down->lhs, *threads};
}

std::optional<cxx::Stmt> LaunchShapes::declarePlanes(const Assign& planes) {
  std::optional<Planes> found;
  each<Launch>(c_.function.body, [&](const Launch& l) {
    if (const auto of = planesOf(l); of && of->planes == planes.var) found = of;
  });
  if (!found) return {};
  c_.support.use("block_of_planes");
  const std::string name = c_.freshName("threads");
  shapes_[planes.var] = {name, found->threads};
  const bool isSaid = isSaidByPlanes(found->columns);
  const Expr across = isSaid ? found->across : var(found->columns);
  if (isSaid) c_.readAs(found->columns, "(int64_t)" + name + ".x");
  if (isSaidByPlanes(found->rows)) c_.readAs(found->rows, "(int64_t)" + name + ".y");
  c_.readAs(found->planes, "(int64_t)" + name + ".z");
  return cxx::declare(
      cxx::constType("dim3"), name,
      cxx::call("block_of_planes",
                {expressions_.value(across), expressions_.value(found->down), cxx::number(found->threads)}));
}

bool LaunchShapes::isSaidByPlanes(const Symbol& v) {
  bool isSaid = false, isOther = false;
  each<Launch>(c_.function.body, [&](const Launch& l) {
    const auto& t = l.shape.threads;
    const bool asks = std::ranges::any_of(t, [&](const Expr& e) { return e && mentions(e, v); });
    const auto planes = asks ? planesOf(l) : std::nullopt;
    const bool says = planes && planes->planes != v && (planes->columns != v || planes->across);
    (says ? isSaid : isOther) |= asks;
  });
  return isSaid && !isOther;
}

std::optional<cxx::Expr> LaunchShapes::blockOf(const Launch& l) {
  const auto planes = planesOf(l);
  const auto* v = (planes ? l.shape.threads[2] : l.shape.threads[0]).as<Var>();
  const auto shape = v ? shapes_.find(v->name) : shapes_.end();
  return shape == shapes_.end() ? std::nullopt : std::optional(cxx::name(shape->second.name));
}

/// `threads.x`, or `threads.y`.
std::optional<std::string> LaunchShapes::alongBlock(const Expr& e) const {
  if (const auto* v = e.as<Var>(); v && current_ && shapes_.contains(current_->planes)) {
    const std::string name = shapes_.at(current_->planes).name;
    if (v->name == current_->columns) return name + ".x";
    if (v->name == current_->rows) return name + ".y";
    if (v->name == current_->planes) return name + ".z";
  }
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
  if (quotient && quotient->op == BinaryOp::FloorDiv && !constantInt(quotient->rhs)) {
    const Expr all = simplifiedIndex(quotient->lhs - quotient->rhs + 1);
    return mentionsAny(all, freeVars(quotient->rhs)) ? std::nullopt
                                                     : std::optional(Parts{all, quotient->rhs});
  }
  const auto divisor =
      quotient && quotient->op == BinaryOp::FloorDiv ? constantInt(quotient->rhs) : std::nullopt;
  const auto* sum = divisor && *divisor > 1 ? quotient->lhs.as<Binary>() : nullptr;
  const auto more = sum && sum->op == BinaryOp::Add ? constantInt(sum->rhs) : std::nullopt;
  if (!more || *more <= 0) return {};
  return Parts{add(sum->lhs, intConst(*more - (*divisor - 1))), quotient->rhs};
}

} // namespace

LaunchShapes::Grid LaunchShapes::gridOf(const Launch& l, const cxx::Expr& width) {
  current_ = planesOf(l);
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
          l.shape.threads[0] && isAll && axes == (current_ ? 3 : 2) ? blockOf(l) : std::nullopt) {
    extents = {*block};
    for (size_t axis = 0; axis < axes; ++axis)
      if (const auto parts = partsOf(units[axis]->count);
          parts && alongBlock(parts->each) == cxx::print(*block) + "." + "xyz"[axis])
        extents.push_back(expressions_.value(parts->all));
    if (extents.size() == axes + 1) {
      const std::string name = l.vectors.alongGrid ? "blocks_of_vectors" : "blocks_of";
      if (l.vectors.alongGrid) extents.insert(extents.begin(), width);
      c_.support.use(name);
      return {cxx::call(name, std::move(extents)), false, true};
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

std::optional<cxx::Expr> LaunchShapes::number(const Expr& e) {
  if (typeOf(e) != DType::I64) return {};
  const auto part = [&](const Expr& p) {
    const auto said = number(p);
    return said ? *said : expressions_.value(p);
  };
  if (const auto* choice = e.as<Select>()) {
    const auto then = number(choice->then), otherwise = number(choice->otherwise);
    if (!then && !otherwise) return {};
    return cxx::ternary(expressions_.value(choice->cond), part(choice->then), part(choice->otherwise));
  }
  const auto* b = e.as<Binary>();
  if (!b) return {};
  if (const auto* inner = b->op == BinaryOp::Max ? b->lhs.as<Binary>() : nullptr;
      inner && inner->op == BinaryOp::Min) {
    const auto least = constantInt(b->rhs), most = constantInt(inner->rhs);
    if (least && most && *least <= *most) {
      c_.support.use("within");
      return cxx::call("within", {cxx::number(*least), part(inner->lhs), cxx::number(*most)});
    }
  }
  if (b->op == BinaryOp::Min || b->op == BinaryOp::Max) {
    if (!number(b->lhs) && !number(b->rhs)) return {};
    const char* function = b->op == BinaryOp::Min ? "minimum" : "maximum";
    c_.support.use(function);
    std::vector<cxx::Expr> both{part(b->lhs), part(b->rhs)};
    return number(b->lhs) ? cxx::call(function, std::move(both))
                          : cxx::callTemplate(function, "int64_t", std::move(both));
  }
  const auto parts = partsOf(e);
  if (!parts || c_.facts.range(parts->all, Width::Int64).lo < 0 ||
      c_.facts.range(parts->each, Width::Int64).lo < 1)
    return {};
  c_.support.use("ceil_div");
  return cxx::call("ceil_div", {part(parts->all), part(parts->each)});
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
