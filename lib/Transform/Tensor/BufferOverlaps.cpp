//===- BufferOverlaps.cpp - the right side of an assignment is read before the left is written ------===//
//   A[1:] = A[:-1]     =>     t[:] = A[:-1];  A[1:] = t[:]
//   A[:, :] -= A[0]    =>     t[:] = A[0, :];  A[:, :] = A - t      what few points read is kept by itself
//   A[index] = v       =>     a loop in order: where an index occurs twice, the last one wins
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <functional>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

struct Overlapping {
  ir::Function& function;
  ir::PassContext& ctx;
  analysis::Context known;

  Stmt inOrder(const ir::IndexStmt& s, Span span) {
    const ir::Builder build{span};
    Stmt body = build.make(ir::Store{s.target, s.index, s.value, s.atomicOp});
    for (size_t d = s.domain.size(); d-- > 0;)
      body = build.inOrder(s.domain[d].index, ir::intConst(0), s.domain[d].extent, body);
    return body;
  }

  Stmt visitIndexStmt(const ir::IndexStmt& s, Span span) {
    if (!analysis::mayOverlapItself(s, known)) {
      ir::IndexStmt free = s;
      free.noOverlap = true;
      return ir::makeStmt(span, free);
    }
    ir::IndexStmt write = s;
    write.value = ir::constOf(ir::typeOf(s.value), 0);
    bool writesTwice = !s.atomicOp && analysis::mayOverlapItself(write, known);
    std::vector<Stmt> out;
    ir::IndexStmt update = s;
    const std::vector<ir::Buffer> buffers = function.buffers;
    if (writesTwice || !keepShared(update, span, out)) {
      update = s;
      out.clear();
      function.buffers = buffers;
      for (Expr& e : update.index) keep(e, s, span, out);
      keep(update.value, s, span, out);
    }
    if (!out.empty())
      ctx.diag.report(DiagId::Buffered, span,
                      "the assignment may read what it writes at another place, so its right side is kept in "
                      "a temporary");
    update.noOverlap = !writesTwice;
    if (out.empty() && !writesTwice) return {};
    out.push_back(writesTwice ? inOrder(update, span) : ir::makeStmt(span, update));
    return ir::block(std::move(out));
  }

  /// Calls `fn` with the loads of `buffer` that are evaluated at every point, whatever the values are.
  static void forEachSureLoad(const Expr& e, Symbol buffer, const std::function<void(const ir::Load&)>& fn) {
    if (const auto* l = e.as<ir::Load>(); l && l->buffer == buffer) return fn(*l);
    const auto* select = e.as<ir::Select>();
    const auto* b = e.as<ir::Binary>();
    bool first = b && (b->op == ir::BinaryOp::LogicalAnd || b->op == ir::BinaryOp::LogicalOr);
    if (select || first) return forEachSureLoad(select ? select->cond : b->lhs, buffer, fn);
    if (e.is<ir::Reduce>()) return;
    ir::mapChildren(e, [&](const Expr& child) {
      forEachSureLoad(child, buffer, fn);
      return child;
    });
  }

  /// Elements of the target that many points read, as a row that all rows need, get temporaries of their own,
  /// smaller than the right side. False when what is left may still overlap.
  bool keepShared(ir::IndexStmt& s, Span span, std::vector<Stmt>& out) {
    std::vector<std::pair<std::vector<Expr>, Expr>> kept; // index in the target, element of the temporary
    forEachSureLoad(s.value, s.target, [&](const ir::Load& l) {
      auto isKnown = [&](const auto& k) {
        return std::equal(k.first.begin(), k.first.end(), l.index.begin(), ir::equal);
      };
      if (std::any_of(kept.begin(), kept.end(), isKnown)) return;
      std::vector<ir::Range> own;
      Expr needed; // nothing is read where there are no points
      for (const ir::Range& range : s.domain) {
        bool mentioned = std::any_of(l.index.begin(), l.index.end(),
                                     [&](const Expr& e) { return ir::mentions(e, range.index); });
        if (mentioned) {
          own.push_back(range);
        } else if (!analysis::isNonNegative(range.extent - 1, known)) {
          needed = ir::both(needed, range.extent > 0);
        }
      }
      if (own.size() == s.domain.size()) return;
      kept.emplace_back(l.index, keepElements(ir::make(l), own, s, span, needed, out));
    });
    if (kept.empty()) return false;
    s.value = ir::rewrite(s.value, [&](const Expr& e) -> Expr {
      const auto* l = e.as<ir::Load>();
      if (!l || !(l->buffer == s.target)) return {};
      for (const auto& [index, element] : kept)
        if (std::equal(index.begin(), index.end(), l->index.begin(), ir::equal)) return element;
      return {};
    });
    return !analysis::mayOverlapItself(s, known);
  }

  /// A temporary over `domain` that holds `e`; returns its element at the statement's point.
  Expr keepElements(const Expr& e, const std::vector<ir::Range>& domain, const ir::IndexStmt& s, Span span,
                    const Expr& needed, std::vector<Stmt>& out) {
    ir::Buffer buffer{Symbol("right_side"), ir::typeOf(e), {}};
    ir::IndexStmt first{{}, buffer.name, {}, {}, std::nullopt, true, s.vectorLength};
    std::map<Symbol, Expr> rename;
    std::vector<Expr> point;
    for (const ir::Range& range : domain) {
      ir::Range own = range;
      own.index = Symbol(range.index.hint());
      first.domain.push_back(own);
      first.index.push_back(ir::var(own.index));
      rename[range.index] = ir::var(own.index);
      buffer.extents.push_back(range.extent);
      point.push_back(ir::var(range.index));
    }
    first.value = ir::substitute(e, rename);
    function.buffers.push_back(buffer);
    const ir::Builder build{span};
    out.push_back(build.alloc(buffer));
    out.push_back(build.when(needed, build.make(first)));
    return ir::load(buffer, point);
  }

  /// Makes `e`, which is evaluated at every point of `s`, an element of a temporary when it reads what `s`
  /// writes.
  void keep(Expr& e, const ir::IndexStmt& s, Span span, std::vector<Stmt>& out) {
    if (!ir::loadedBuffers(e).count(s.target)) return;
    e = keepElements(e, s.domain, s, span, {}, out);
  }

  Stmt visit(const Stmt& s) {
    if (const auto* index = s.as<ir::IndexStmt>()) {
      Stmt made = visitIndexStmt(*index, s->span);
      return made ? made : s;
    }
    return analysis::mapInside(known, s, [&](const Stmt& child) { return visit(child); });
  }
};

} // namespace

void bufferOverlaps(ir::Function& f, ir::PassContext& ctx) {
  f.body = Overlapping{f, ctx, analysis::contextOf(f)}.visit(f.body);
}

} // namespace appyc::transform
