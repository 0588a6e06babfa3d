//===- Questions.cpp - signs, equality, overlap, fusion, lanes -----------------------------------------------------===//
#include "Accesses.h"
#include "Isl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::analysis {

/// Is the set of parameters that satisfy all of `t` and the context empty?
static bool impossible(Scope& scope, Term t) {
  append(t, scope.contextConstraints());
  std::string text = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(t));
  return askIsl<bool>([&](isl::ctx ctx) { return isl::set(ctx, text).is_empty(); }).value_or(false);
}

bool isNonNegative(const ir::Expr& value, const Context& context) {
  Scope scope(context);
  std::optional<Term> t = scope.translate(value);
  if (!t) return false;
  t->constraints.push_back(fmt::format("{} < 0", t->text));
  return impossible(scope, *t);
}

bool alwaysEqual(const ir::Expr& a, const ir::Expr& b, const Context& context) {
  if (ir::equalIndex(a, b)) return true;
  Scope scope(context);
  std::optional<Term> x = scope.translate(a), y = scope.translate(b);
  if (!x || !y) return false;
  append(*x, *y);
  x->constraints.push_back(fmt::format("{} != {}", x->text, y->text));
  return impossible(scope, *x);
}

/// Do two accesses touch one element at points that differ (or, `anyPoint`, at any points)? True when unsure.
static bool meet(Scope& scope, const Access& a, const Access& b, const std::string& dims, bool differentPoints) {
  if (!(a.buffer == b.buffer) || a.subscript.size() != b.subscript.size()) return false;
  scope.contextConstraints(); // registers the parameters
  std::string left = relation(scope, a, dims), right = relation(scope, b, dims);
  std::string known = fmt::format("{} -> {{ : {} }}", scope.paramList(), formula(scope.contextConstraints()));
  return askIsl<bool>([&](isl::ctx ctx) {
           isl::map pairs = isl::map(ctx, left).apply_range(isl::map(ctx, right).reverse()).intersect_params(isl::set(ctx, known));
           if (differentPoints) pairs = pairs.subtract(isl::manage(isl_map_identity(isl_map_get_space(pairs.get()))));
           return !pairs.is_empty();
         })
      .value_or(true);
}

bool mayOverlapItself(const ir::IndexStmt& statement, const Context& context) {
  Scope scope(context);
  AccessCollector collector(scope);
  std::vector<std::string> dims;
  for (const ir::Range& r : statement.domain) {
    std::string dim = scope.fresh("i");
    dims.push_back(dim);
    scope.bindings[r.index] = Term{dim, {}, {}};
    if (std::optional<Term> extent = scope.translate(r.extent)) {
      append(collector.domain, *extent);
      collector.domain.constraints.push_back(fmt::format("0 <= {} < {}", dim, extent->text));
    } else {
      collector.domain.constraints.push_back(fmt::format("0 <= {}", dim));
    }
  }
  // Reductions inside are loops of their own.
  ir::visit(statement.value, [&](const ir::Expr& e) {
    if (const auto* r = e.as<ir::Reduce>())
      for (const ir::Range& range : r->over) {
        std::string k = scope.fresh("k");
        scope.bindings[range.index] = Term{k, {}, {}};
        collector.domain.exists.push_back(k);
        if (std::optional<Term> extent = scope.translate(range.extent)) {
          append(collector.domain, *extent);
          collector.domain.constraints.push_back(fmt::format("0 <= {} < {}", k, extent->text));
        }
      }
    return true;
  });
  collector.collect(ir::makeStmt({}, ir::Store{statement.target, statement.index, statement.value, statement.atomicOp}));
  const Access& write = collector.accesses.back();
  std::string all = fmt::format("{}", fmt::join(dims, ", "));
  for (const Access& a : collector.accesses)
    if (a.buffer == write.buffer && !(a.write && a.atomic) && meet(scope, write, a, all, true)) return true;
  return false;
}

bool mayFuse(const ir::For& first, const ir::For& second, const Context& context, bool parallel) {
  std::set<Symbol> assignedFirst = ir::assignedVars(first.body), assignedSecond = ir::assignedVars(second.body);
  auto uses = [](const ir::Stmt& s, const std::set<Symbol>& names) {
    bool found = false;
    for (Symbol a : ir::assignedVars(s)) found |= names.count(a) > 0;
    ir::visit(s, [](const ir::Stmt&) { return true; }, [&](const ir::Expr& e) {
      if (const auto* v = e.as<ir::Var>()) found |= names.count(v->name) > 0;
      return !found;
    });
    return found;
  };
  if (uses(second.body, assignedFirst) || uses(first.body, assignedSecond)) return false;
  Scope scope(context);
  std::string dim = "i0";
  auto accessesOf = [&](const ir::For& loop) {
    AccessCollector c(scope);
    scope.bindings[loop.index] = Term{dim, {}, {}};
    rangeConstraints(scope, loop, dim, c.domain);
    c.collect(loop.body);
    return c.accesses;
  };
  std::vector<Access> a = accessesOf(first), b = accessesOf(second);
  (void)parallel; // within one iteration the order stays; across iterations nothing may be shared, whatever the order
  for (const Access& x : a)
    for (const Access& y : b) {
      if (!x.write && !y.write) continue;
      if (x.atomic && x.atomic == y.atomic) continue;
      if (meet(scope, x, y, dim, true)) return false;
    }
  return true;
}

bool crossesLanes(const ir::Stmt& first, const ir::Stmt& second, const Context& context) {
  Scope scope(context);
  scope.opaqueScalars = true;
  AccessCollector x(scope), y(scope);
  x.collect(first);
  scope.bindings.clear();
  y.collect(second);
  auto sameMapping = [](const ir::For* p, const ir::For* q) {
    return p && q && p->bind == q->bind && p->axis == q->axis && ir::equal(p->step, q->step) && ir::equalIndex(p->lo, q->lo) && !ir::readsMemory(p->lo);
  };
  for (const Access& a : x.accesses)
    for (const Access& b : y.accesses) {
      if (!(a.buffer == b.buffer) || (!a.write && !b.write)) continue;
      if (!a.lanes && !b.lanes && a.write && b.write) continue; // one lane does both
      if (a.atomic && a.atomic == b.atomic) continue;
      Access p = a, q = b;
      bool aligned = sameMapping(a.lanes, b.lanes);
      if (aligned) { // the lane's index is the point: different points mean different lanes
        std::erase(p.where.exists, a.laneIndex);
        std::erase(q.where.exists, b.laneIndex);
        p.where.constraints.push_back(fmt::format("j0 = {}", a.laneIndex));
        q.where.constraints.push_back(fmt::format("j0 = {}", b.laneIndex));
        p.where.exists.push_back(a.laneIndex);
        q.where.exists.push_back(b.laneIndex);
      }
      if (meet(scope, p, q, aligned ? "j0" : "", aligned)) return true;
    }
  return false;
}

} // namespace appyc::analysis
