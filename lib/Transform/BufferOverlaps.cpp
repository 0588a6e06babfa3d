//===- BufferOverlaps.cpp - the right side of an assignment is read before the left is written --------------------===//
//   A[1:] = A[:-1]     =>     t[:] = A[:-1];  A[1:] = t[:]
//   A[index] = v       =>     a loop in order: where an index occurs twice, the last one wins
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"

namespace appyc::transform {

namespace {

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
    write.value = ir::boolConst(false);
    bool writesTwice = !s.atomicOp && analysis::mayOverlapItself(write, known);
    bool readsTarget = ir::loadedBuffers(s.value).count(s.target) > 0;
    if (!readsTarget) return writesTwice ? inOrder(s, span) : Stmt{};
    ctx.diag.report(DiagId::Buffered, span, "the assignment may read what it writes at another place, so its right side is kept in a temporary");
    ir::Buffer buffer{Symbol("right_side"), ir::typeOf(s.value), {}};
    std::vector<ir::Expr> point;
    std::map<Symbol, ir::Expr> rename;
    ir::IndexStmt first = s, second = s;
    for (size_t d = 0; d < s.domain.size(); ++d) {
      buffer.extents.push_back(s.domain[d].extent);
      point.push_back(ir::var(s.domain[d].index));
      second.domain[d].index = Symbol(s.domain[d].index.hint());
      rename[s.domain[d].index] = ir::var(second.domain[d].index);
    }
    first.target = buffer.name;
    first.index = point;
    first.atomicOp = std::nullopt;
    first.noOverlap = true;
    std::vector<ir::Expr> secondPoint;
    for (const ir::Expr& p : point) secondPoint.push_back(ir::substitute(p, rename));
    for (ir::Expr& e : second.index) e = ir::substitute(e, rename);
    second.value = ir::load(buffer, secondPoint);
    second.noOverlap = true;
    function.buffers.push_back(buffer);
    Stmt update = writesTwice ? inOrder(second, span) : ir::makeStmt(span, second);
    return ir::block({ir::makeStmt(span, ir::Alloc{buffer}), ir::makeStmt(span, first), update});
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
