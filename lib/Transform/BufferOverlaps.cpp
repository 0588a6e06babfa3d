//===- BufferOverlaps.cpp - the right side of an assignment is read before the left is written
//--------------------===//
//   A[1:] = A[:-1]     =>     t[:] = A[:-1];  A[1:] = t[:]
//   A[index] = v       =>     a loop in order: where an index occurs twice, the last one wins
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

struct State {
  ir::Function& function;
  ir::PassContext& ctx;
  analysis::Context known;

  Stmt inOrder(const ir::IndexStmt& s, Span span) {
    Stmt body = ir::makeStmt(span, ir::Store{s.target, s.index, s.value, s.atomicOp});
    for (size_t d = s.domain.size(); d-- > 0;) {
      ir::For loop;
      loop.index = s.domain[d].index;
      loop.lo = ir::intConst(0), loop.hi = s.domain[d].extent, loop.step = ir::intConst(1);
      loop.body = body;
      body = ir::makeStmt(span, loop);
    }
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
    for (Expr& e : update.index) keep(e, s, span, out);
    keep(update.value, s, span, out);
    if (!out.empty())
      ctx.diag.report(DiagId::Buffered, span,
                      "the assignment may read what it writes at another place, so its right side is kept in "
                      "a temporary");
    update.noOverlap = !writesTwice;
    if (out.empty() && !writesTwice) return {};
    out.push_back(writesTwice ? inOrder(update, span) : ir::makeStmt(span, update));
    return ir::block(std::move(out));
  }

  /// Makes `e`, which is evaluated at every point of `s`, an element of a temporary when it reads what `s`
  /// writes.
  void keep(Expr& e, const ir::IndexStmt& s, Span span, std::vector<Stmt>& out) {
    if (!ir::loadedBuffers(e).count(s.target)) return;
    ir::Buffer buffer{Symbol("right_side"), ir::typeOf(e), {}};
    ir::IndexStmt first{{}, buffer.name, {}, {}, std::nullopt, true, s.vectorLength};
    std::map<Symbol, Expr> rename;
    std::vector<Expr> point;
    for (const ir::Range& range : s.domain) {
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
    out.push_back(ir::makeStmt(span, ir::Alloc{buffer}));
    out.push_back(ir::makeStmt(span, first));
    e = ir::load(buffer, point);
  }

  Stmt visit(const Stmt& s) {
    if (const auto* index = s.as<ir::IndexStmt>()) {
      Stmt made = visitIndexStmt(*index, s->span);
      return made ? made : s;
    }
    const auto* loop = s.as<ir::For>();
    if (loop) known.loops.push_back(loop);
    Stmt out = ir::mapChildren(s, [&](const Stmt& child) { return visit(child); });
    if (loop) known.loops.pop_back();
    return out;
  }
};

} // namespace

ir::Module bufferOverlaps(const ir::Module& module, ir::PassContext& ctx) {
  ir::Module out = module;
  for (ir::Function& f : out.functions) {
    State state{f, ctx, {}};
    for (const ir::Size& s : f.sizes) state.known.sizes.insert(s.name);
    f.body = state.visit(f.body);
  }
  return out;
}

} // namespace appyc::transform
