//===- Accesses.cpp - which elements a statement touches, as isl relations --------------------------===//
#include "Accesses.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::analysis {

std::string relation(const Scope& scope, const Access& access, const std::string& dims) {
  std::vector<std::string> out;
  Term where = access.where;
  for (size_t d = 0; d < access.subscript.size(); ++d) {
    out.push_back(fmt::format("x{}", d));
    if (!access.subscript[d].empty())
      where.constraints.push_back(fmt::format("x{} = {}", d, access.subscript[d]));
  }
  return fmt::format("{} -> {{ S[{}] -> B[{}] : {} }}", scope.paramList(), dims, fmt::join(out, ", "),
                     formula(where));
}

bool mayConflict(const Access& a, const Access& b) {
  return a.buffer == b.buffer && (a.write || b.write) && !(a.atomic && a.atomic == b.atomic);
}

void AccessCollector::add(const Symbol& buffer, const std::vector<ir::Expr>& index, bool write,
                          std::optional<ir::ReduceOp> atomic, Span span) {
  if (private_.count(buffer)) return;
  Access a{buffer, write, atomic, exact_, domain_, {}, span, lanes_, exact_, {}};
  for (const ir::Expr& e : index) {
    std::optional<Term> t = scope_.translate(e);
    a.exact &= t.has_value();
    a.subscript.push_back(t ? t->text : "");
    if (t) append(a.where, *t);
  }
  a.isSure = exact_;
  const bool isAffine =
      std::none_of(a.subscript.begin(), a.subscript.end(), [](const std::string& s) { return s.empty(); });
  if (!isAffine) a.form = formOf(index);
  accesses.push_back(std::move(a));
}

void AccessCollector::inside(const std::function<void()>& fn) {
  Term domain = domain_;
  bool exact = exact_;
  std::vector<LaneLoop> lanes = lanes_;
  fn();
  domain_ = std::move(domain);
  exact_ = exact;
  lanes_ = std::move(lanes);
}

void AccessCollector::guarded(const ir::Expr& cond, bool taken, const std::function<void()>& fn) {
  const auto* b = cond.as<ir::Binary>();
  if (b && b->op == (taken ? ir::BinaryOp::LogicalAnd
                           : ir::BinaryOp::LogicalOr)) // what is affine of the two restricts
    return guarded(b->lhs, taken, [&] { guarded(b->rhs, taken, fn); });
  inside([&] {
    if (std::optional<Term> c = scope_.condition(cond)) {
      append(domain_, *c);
      domain_.constraints.push_back(fmt::format("{}({})", taken ? "" : "not ", c->text));
    } else {
      exact_ = false;
    }
    fn();
  });
}

void AccessCollector::visitExpr(const ir::Expr& e, Span span) {
  ir::visit(e, [&](const ir::Expr& x) {
    if (const auto* l = x.as<ir::Load>()) add(l->buffer, l->index, false, std::nullopt, span);
    if (const auto* r = x.as<ir::Reduce>()) return visitReduce(*r, span), false;
    if (const auto* s = x.as<ir::Select>()) { // only the chosen side is evaluated
      visitExpr(s->cond, span);
      guarded(s->cond, true, [&] { visitExpr(s->then, span); });
      guarded(s->cond, false, [&] { visitExpr(s->otherwise, span); });
      return false;
    }
    const auto* b = x.as<ir::Binary>();
    if (!b || (b->op != ir::BinaryOp::LogicalAnd && b->op != ir::BinaryOp::LogicalOr)) return true;
    visitExpr(b->lhs, span);
    guarded(b->lhs, b->op == ir::BinaryOp::LogicalAnd, [&] { visitExpr(b->rhs, span); });
    return false;
  });
}

void AccessCollector::forget(const ir::Stmt& body) {
  if (!body) return;
  for (const Symbol& s : ir::assignedVars(body)) scope_.bindings[s] = std::nullopt;
}

void AccessCollector::enter(const ir::For& loop, const std::string& dim) {
  if (std::find(domain_.exists.begin(), domain_.exists.end(), dim) == domain_.exists.end())
    dims_.push_back(dim);
  bool box = true;
  for (const ir::Expr& bound : {loop.lo, loop.hi})
    for (const Symbol& s : ir::freeVars(bound)) box &= !scope_.bindings.count(s);
  if (box) boxes.push_back(&loop);
  exact_ &= rangeConstraints(scope_, loop, dim, domain_);
  if (ir::isBound(loop)) {
    std::optional<Term> lo = scope_.translate(loop.lo);
    if (lo) append(domain_, *lo);
    lanes_.push_back({&loop, lo ? fmt::format("({} - ({}))", dim, lo->text) : ""});
  }
  forget(loop.body); // values of the iteration before
  scope_.bindings[loop.index] = Term{dim, {}, {}};
}

void AccessCollector::visitFor(const ir::For& loop, Span span) {
  visitExpr(loop.lo, span), visitExpr(loop.hi, span), visitExpr(loop.step, span);
  inside([&] {
    std::string dim = scope_.fresh("d");
    domain_.exists.push_back(dim);
    enter(loop, dim);
    collect(loop.body);
  });
  forget(loop.body);
  scope_.bindings[loop.index] = std::nullopt;
}

void AccessCollector::along(const ir::Range& range) {
  const ir::For loop = ir::serialLoop(range.index, ir::intConst(0), range.extent, ir::intConst(1), {});
  const std::string dim = scope_.fresh("d");
  domain_.exists.push_back(dim);
  exact_ &= rangeConstraints(scope_, loop, dim, domain_);
  scope_.bindings[range.index] = Term{dim, {}, {}};
}

void AccessCollector::visitReduce(const ir::Reduce& r, Span span) {
  inside([&] {
    for (const ir::Range& range : r.over) {
      visitExpr(range.extent, span);
      along(range);
    }
    visitExpr(r.body, span);
  });
}

void AccessCollector::visitIndexStmt(const ir::IndexStmt& s, Span span) {
  inside([&] {
    for (const ir::Range& range : s.domain) {
      visitExpr(range.extent, span);
      along(range);
    }
    collect(ir::makeStmt(span, ir::Store{s.target, s.index, s.value, s.atomicOp}));
  });
}

/// Stands for anything in its arrays, as products are not moved, unless what they write is asked for.
void AccessCollector::visitMatMul(const ir::MatMul& product, Span span) {
  inside([&] {
    exact_ = false;
    auto any = [&](const ir::Matrix& m, bool write) {
      if (private_.count(m.buffer)) return;
      accesses.push_back({m.buffer,
                          write,
                          {},
                          false,
                          domain_,
                          std::vector<std::string>(m.at.size()),
                          span,
                          lanes_,
                          false,
                          {}});
    };
    any(product.a, false), any(product.b, false);
    if (!followsProducts || ir::readsTarget(product)) any(product.target, false);
    if (!followsProducts) any(product.target, true);
  });
  if (followsProducts) visitTarget(product, span);
}

void AccessCollector::visitTarget(const ir::MatMul& product, Span span) {
  const ir::Range rows{Symbol("r"), product.rows}, columns{Symbol("c"), product.columns};
  const ir::Expr row = ir::var(rows.index), column = ir::var(columns.index);
  ir::Expr stores = ir::boolConst(true);
  for (const ir::HalfSpace& limit : product.limits) {
    if (limit.inner != 0) continue; // says what is summed up, not what is stored
    const ir::Expr sum =
        ir::add(ir::mul(ir::intConst(limit.row), row), ir::mul(ir::intConst(limit.column), column));
    stores = ir::binary(ir::BinaryOp::LogicalAnd, stores, ir::binary(ir::BinaryOp::Le, sum, limit.bound));
  }
  inside([&] {
    along(rows), along(columns);
    guarded(stores, true, [&] {
      add(product.target.buffer, ir::elementOf(product.target, row, column), true, std::nullopt, span);
    });
  });
}

/// Stands for anything in its arrays.
void AccessCollector::visitRoutine(const ir::Routine& routine, Span span) {
  calls = true;
  for (const ir::Expr& e : routine.numbers) visitExpr(e, span);
  inside([&] {
    exact_ = false;
    ir::forEachOperand(routine, [&](const ir::Routine::Operand& o, ir::Effect effect) {
      if (private_.count(o.buffer)) return;
      for (const bool write : {false, true})
        if (write ? ir::writes(effect) : ir::reads(effect))
          accesses.push_back({o.buffer,
                              write,
                              {},
                              false,
                              domain_,
                              std::vector<std::string>(o.at.size()),
                              span,
                              lanes_,
                              false,
                              {}});
    });
  });
}

void AccessCollector::visitIf(const ir::If& branch, Span span) {
  visitExpr(branch.cond, span);
  auto side = [&](const ir::Stmt& body, bool taken) {
    if (!body) return;
    auto bindings = scope_.bindings;
    guarded(branch.cond, taken, [&] { collect(body); });
    scope_.bindings = std::move(bindings);
  };
  side(branch.then, true);
  side(branch.otherwise, false);
  forget(branch.then), forget(branch.otherwise);
}

/// By some lane or worker, and not by all: nothing says which.
void AccessCollector::visitOnly(const ir::Only& only) {
  for (const ir::Stmt& side : {only.body, only.others}) {
    if (!side) continue;
    auto bindings = scope_.bindings;
    inside([&] {
      exact_ = false;
      collect(side);
    });
    scope_.bindings = std::move(bindings);
  }
  forget(only.body), forget(only.others);
}

void AccessCollector::visitWhile(const ir::While& w, Span span) {
  forget(w.body);
  inside([&] {
    exact_ = false;
    visitExpr(w.cond, span);
    collect(w.body);
  });
  forget(w.body);
}

void AccessCollector::collect(const ir::Stmt& s) {
  Span span = s->span;
  match(
      s,
      [&](const ir::Block& b) {
        for (const ir::Stmt& child : b.body) collect(child);
      },
      [&](const ir::Assign& a) {
        visitExpr(a.value, span);
        scope_.bindings[a.var] =
            ir::isInteger(ir::typeOf(a.value)) ? scope_.translate(a.value) : std::nullopt;
      },
      [&](const ir::Store& st) {
        visitExpr(st.value, span);
        for (const ir::Expr& e : st.index) visitExpr(e, span);
        add(st.buffer, st.index, true, st.atomicOp, span);
      },
      [&](const ir::IndexStmt& st) { visitIndexStmt(st, span); },
      [&](const ir::MatMul& product) { visitMatMul(product, span); },
      [&](const ir::Routine& routine) { visitRoutine(routine, span); },
      [&](const ir::For& loop) { visitFor(loop, span); },
      [&](const ir::If& branch) { visitIf(branch, span); }, [&](const ir::Only& only) { visitOnly(only); },
      [&](const ir::While& w) { visitWhile(w, span); },
      [&](const ir::Alloc& a) { private_.insert(a.buffer.name); }, [&](const ir::Swap&) { swaps = true; },
      [&](const ir::Require& r) {
        mayRaise = true;
        visitExpr(r.cond, span);
        for (const ir::Expr& e : r.values) visitExpr(e, span);
      },
      [&](const ir::Print& p) {
        mayRaise = true;
        for (const ir::Expr& e : p.values) visitExpr(e, span);
      },
      [&](const ir::Collective& c) { scope_.bindings[c.var] = std::nullopt; },
      [&](const ir::Fetch& f) {
        add(f.buffer, {}, false, std::nullopt, span);
        scope_.bindings[f.var] = std::nullopt;
      },
      [&](const ir::Launch& l) {
        if (l.body) return collect(l.body);
        calls = swaps = true; // of an object nothing is known here: it stands for anything
      },
      [](const ir::Return&) {}, [](const ir::Barrier&) {}, [](const ir::Signal&) {}, [](const ir::Atomic&) {},
      [](const ir::Exchange&) {}, [](const ir::Fence&) {}); // of given kernels, in which nobody looks
}

} // namespace appyc::analysis
