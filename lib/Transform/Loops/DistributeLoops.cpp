//===- DistributeLoops.cpp - a loop over several statements as loops over one each ------------------===//
//   for i: A; B     =>     for i: A;  for i: B        unless a dependence leads from B to a later A
// Statements that depend on each other in a circle stay together; the others are ordered by their
// dependences.
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <utility>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;
using Stmts = std::vector<Stmt>;

constexpr size_t kMostStatements = 8; ///< dependences of all pairs are asked for

bool holds(const Stmt& tree, const Stmt& part) {
  return ir::anyStmt(tree, [&](const Stmt& s) { return s == part; });
}

/// May a statement outside `part` read what `part` leaves in `var`?
bool isReadOutside(const Stmt& tree, const Stmt& part, Symbol var) {
  if (tree == part) return false;
  if (!holds(tree, part)) return analysis::exposedScalars(tree).count(var) > 0;
  bool read = false;
  ir::forEachExpr(tree, [&](const Expr& e) { read |= ir::mentions(e, var); });
  ir::forEachChild(tree, [&](const Stmt& child) { read = read || isReadOutside(child, part, var); });
  return read;
}

class Distributor {
public:
  Distributor(const ir::Function& f, analysis::Context k, const Stmt& whole)
      : function_(f), known_(std::move(k)), whole_(whole) {}

  Stmts run(const Stmt& s) {
    const auto* loop = s.as<ir::For>();
    if (!loop) return {s};
    Stmts list = forwardScalars(raiseSums(statementsOf(loop->body))), parts;
    {
      const analysis::Inside inside(known_, *loop);
      for (const Stmt& child : list)
        for (const Stmt& part : run(child)) parts.push_back(part);
    }
    parts = forwardRows(std::move(parts));
    const bool simple = std::all_of(parts.begin(), parts.end(), [](const Stmt& p) {
      return (p.is<ir::For>() || p.is<ir::IndexStmt>() || p.is<ir::Store>()) && ir::assignedVars(p).empty();
    });
    if (!simple || parts.empty() || parts.size() > kMostStatements) return {s};
    return inOrder(s, *loop, parts);
  }

private:
  static Stmt around(const Stmt& s, const ir::For& loop, Stmt body, bool isPart) {
    ir::For copy = ir::withBody(loop, std::move(body));
    if (isPart) copy.hints.origins.clear(); // what is found of a part is not true of the source's loop
    return ir::makeStmt(s->span, std::move(copy));
  }

  /// May `a` have to run before `b`?
  bool precedes(const ir::For& a, const ir::For& b, bool orSame) const {
    std::set<Symbol> wa = ir::storedBuffers(a.body), wb = ir::storedBuffers(b.body);
    if (!ir::intersect(wa, wb) && !ir::intersect(wa, ir::loadedBuffers(b.body)) &&
        !ir::intersect(ir::loadedBuffers(a.body), wb))
      return false;
    return analysis::leadsTo(a, b, known_, orSame);
  }

  Stmts inOrder(const Stmt& s, const ir::For& loop, const Stmts& parts) const {
    const size_t n = parts.size();
    std::vector<ir::For> loops(n, loop);
    for (size_t i = 0; i < n; ++i) loops[i].body = parts[i];
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b)
        if (a != b) before[a][b] = precedes(loops[a], loops[b], a < b);
    for (size_t via = 0; via < n; ++via)
      for (size_t a = 0; a < n; ++a)
        for (size_t b = 0; b < n; ++b)
          if (before[a][via] && before[via][b]) before[a][b] = true;
    Stmts out;
    std::vector<bool> placed(n, false);
    while (std::find(placed.begin(), placed.end(), false) != placed.end()) {
      // The first statement whose predecessors are placed or in a circle with it.
      size_t next = 0;
      auto isReady = [&](size_t b) {
        for (size_t a = 0; a < n; ++a)
          if (!placed[a] && before[a][b] && !before[b][a]) return false;
        return true;
      };
      while (placed[next] || !isReady(next)) ++next;
      Stmts together;
      for (size_t i = 0; i < n; ++i)
        if (i == next || (before[i][next] && before[next][i])) {
          together.push_back(parts[i]);
          placed[i] = true;
        }
      const bool isPart = together.size() < n;
      out.push_back(around(s, loop, ir::block(std::move(together)), isPart));
    }
    return out;
  }

  bool isLocal(Symbol var) const {
    auto isName = [&](const auto& x) { return x.name == var; };
    return std::none_of(function_.results.begin(), function_.results.end(), isName) &&
           std::none_of(function_.params.begin(), function_.params.end(), isName);
  }
  /// Is `var` of no use outside the loops at hand?
  bool isPrivate(const Symbol& var) const {
    return isLocal(var) && !analysis::exposedScalars(whole_).count(var) &&
           !isReadOutside(function_.body, whole_, var);
  }

  //   s = 0;  for k: s = s + e      =>      s = sum(e for k)
  Stmts raiseSums(Stmts list) const {
    for (size_t i = 0; i + 1 < list.size(); ++i) {
      const auto* start = list[i].as<ir::Assign>();
      const auto* loop = list[i + 1].as<ir::For>();
      const auto* step = loop ? loop->body.as<ir::Assign>() : nullptr;
      const auto* sum = step ? step->value.as<ir::Binary>() : nullptr;
      if (!start || !sum || step->var != start->var || sum->op != ir::BinaryOp::Add) continue;
      const auto* own = sum->lhs.as<ir::Var>();
      bool plain = ir::isConst(loop->step, 1) && loop->hints.mark == ir::LoopMark::None && own &&
                   own->name == start->var && !ir::mentions(sum->rhs, start->var) &&
                   !ir::readsMemory(loop->lo) && !ir::readsMemory(loop->hi) &&
                   ir::typeOf(sum->rhs) == ir::typeOf(start->value) && !ir::isBool(sum->type);
      if (!plain) continue;
      Symbol k(loop->index.hint());
      Expr body = ir::substitute(sum->rhs, {{loop->index, ir::var(k) + loop->lo}});
      Expr extent = ir::maxOf(loop->hi - loop->lo, 0);
      Expr value = ir::make(ir::Reduce{sum->type, ir::ReduceOp::Sum, {ir::Range{k, extent}}, body});
      if (!ir::equal(start->value, ir::constOf(sum->type, 0)))
        value = ir::binary(ir::BinaryOp::Add, start->value, value);
      list[i] = ir::makeStmt(list[i + 1]->span, ir::Assign{start->var, value});
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    return list;
  }

  //   s = e;  C[i, j] = f(s)        =>      C[i, j] = f(e)
  Stmts forwardScalars(Stmts list) const {
    for (size_t i = 0; i < list.size(); ++i) {
      const auto* assign = list[i].as<ir::Assign>();
      if (!assign || !isPrivate(assign->var)) continue;
      const Symbol var = assign->var;
      const Expr value = assign->value;
      size_t reader = i + 1;
      while (reader < list.size() && ir::countReads(list[reader], var) == 0) ++reader;
      if (reader == list.size() || !list[reader].is<ir::Store>() || ir::countReads(list[reader], var) != 1)
        continue;
      bool stays = true;
      const std::set<Symbol> inputs = ir::loadedBuffers(value), scalars = ir::freeVars(value);
      for (size_t k = i + 1; k < list.size(); ++k) {
        if (k < reader)
          stays &= !ir::intersect(ir::storedBuffers(list[k]), inputs) &&
                   !ir::intersect(ir::assignedVars(list[k]), scalars);
        stays &= !ir::assignedVars(list[k]).count(var) && (k == reader || ir::countReads(list[k], var) == 0);
      }
      if (!stays) continue;
      list[reader] = ir::substitute(list[reader], {{var, value}});
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i--));
    }
    return list;
  }

  //   for j: t[j] = e(j)            =>      for j: C[i, j] = f(e(j))
  //   for j: C[i, j] = f(t[j])
  Stmts forwardRows(Stmts list) const {
    for (size_t i = 0; i + 1 < list.size(); ++i) {
      std::optional<Nest> definition = nestOfRow(list[i]);
      if (!definition) continue;
      const Symbol row = definition->leaf.target;
      if (countLoads(function_.body, row) != 1 || countLoads(list[i], row) != 0) continue;
      const std::set<Symbol> inputs = ir::loadedBuffers(list[i]);
      size_t reader = i + 1;
      while (reader < list.size() && countLoads(list[reader], row) == 0 &&
             !ir::intersect(ir::storedBuffers(list[reader]), inputs))
        ++reader;
      if (reader == list.size() || countLoads(list[reader], row) != 1 ||
          ir::intersect(ir::storedBuffers(list[reader]), inputs))
        continue;
      Stmt replaced = withRow(list[reader], *definition);
      if (!replaced) continue;
      list[reader] = replaced;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i--));
    }
    return list;
  }

  /// Loops that store each element of a local array's part once, at the loops' own indices.
  std::optional<Nest> nestOfRow(const Stmt& s) const {
    if (!s.is<ir::For>() && !s.is<ir::IndexStmt>()) return std::nullopt;
    Nest nest;
    Stmt body = s;
    for (const auto* loop = body.as<ir::For>(); loop; loop = body.as<ir::For>()) {
      if (!ir::isConst(loop->step, 1) || loop->hints.mark != ir::LoopMark::None) return std::nullopt;
      nest.axes.push_back({loop->index, loop->lo, {loop->hi}, {}, {}});
      body = loop->body;
    }
    const std::optional<ir::IndexStmt> leaf = leafOf(body);
    if (!leaf) return std::nullopt;
    nest.leaf = *leaf;
    for (const ir::Range& r : nest.leaf.domain)
      nest.axes.push_back({r.index, ir::intConst(0), {r.extent}, {}, {}});
    int stores = 0;
    ir::each<ir::Store>(function_.body, [&](const ir::Store& x) { stores += x.buffer == nest.leaf.target; });
    ir::each<ir::IndexStmt>(function_.body,
                            [&](const ir::IndexStmt& x) { stores += x.target == nest.leaf.target; });
    if (stores != 1 || nest.leaf.atomicOp || !isLocal(nest.leaf.target) ||
        nest.leaf.index.size() != nest.axes.size())
      return std::nullopt;
    for (size_t d = 0; d < nest.axes.size(); ++d) {
      const auto* v = nest.leaf.index[d].as<ir::Var>();
      if (!v || v->name != nest.axes[d].index) return std::nullopt;
    }
    return nest;
  }

  /// `reader` with the row's element replaced by its value; empty when it may read elements that were not
  /// set.
  static Stmt withRow(const Stmt& reader, const Nest& row) {
    std::vector<Axis> axes;
    Stmt body = reader;
    for (const auto* loop = body.as<ir::For>(); loop; loop = body.as<ir::For>()) {
      if (ir::isConst(loop->step, 1)) axes.push_back({loop->index, loop->lo, {loop->hi}, {}, {}});
      body = loop->body;
    }
    if (const auto* index = body.as<ir::IndexStmt>())
      for (const ir::Range& r : index->domain) axes.push_back({r.index, ir::intConst(0), {r.extent}, {}, {}});
    bool good = true;
    Stmt out = ir::rewrite(reader, nullptr, [&](const Expr& e) -> Expr {
      const auto* l = e.as<ir::Load>();
      if (!l || !(l->buffer == row.leaf.target)) return {};
      std::map<Symbol, Expr> at;
      for (size_t d = 0; d < l->index.size(); ++d) {
        const auto* v = l->index[d].as<ir::Var>();
        const Axis& set = row.axes[d];
        good &= v && std::any_of(axes.begin(), axes.end(), [&](const Axis& a) {
                  return a.index == v->name && ir::equalIndex(a.lo, set.lo) &&
                         ir::equalIndex(a.his[0], set.his[0]);
                });
        at[set.index] = l->index[d];
      }
      return ir::substitute(row.leaf.value, at);
    });
    return good ? out : Stmt();
  }

  const ir::Function& function_;
  analysis::Context known_;
  const Stmt& whole_;
};

} // namespace

std::vector<Stmt> distribute(const Stmt& s, const ir::Function& function, const analysis::Context& known) {
  return Distributor(function, known, s).run(s);
}

} // namespace appyc::transform
