//===- Dsl.h - ir written as it reads: operators on expressions, a builder of statements ------------===//
// For passes that make loops. `i * width + 1 < n` is the ir of it; arithmetic of I64 is simplified as add() and its kind
// do (Build.h). `&&`, `||`, `!` and `==` keep C++'s meaning, which asks about the handle: both(), either(), isNot(), eq().
#pragma once
#include "appyc/IR/Build.h"

namespace appyc::ir {

inline Expr operator+(const Expr& a, const Expr& b) { return add(a, b); }
inline Expr operator-(const Expr& a, const Expr& b) { return sub(a, b); }
inline Expr operator*(const Expr& a, const Expr& b) { return mul(a, b); }
inline Expr floorDiv(Expr a, Expr b) { return binary(BinaryOp::FloorDiv, std::move(a), std::move(b)); }
inline Expr mod(Expr a, Expr b) { return binary(BinaryOp::Mod, std::move(a), std::move(b)); }
inline Expr operator<(Expr a, Expr b) { return binary(BinaryOp::Lt, std::move(a), std::move(b)); }
inline Expr operator<=(Expr a, Expr b) { return binary(BinaryOp::Le, std::move(a), std::move(b)); }
inline Expr operator>(Expr a, Expr b) { return binary(BinaryOp::Gt, std::move(a), std::move(b)); }
inline Expr operator>=(Expr a, Expr b) { return binary(BinaryOp::Ge, std::move(a), std::move(b)); }
inline Expr eq(Expr a, Expr b) { return binary(BinaryOp::Eq, std::move(a), std::move(b)); }
inline Expr ne(Expr a, Expr b) { return binary(BinaryOp::Ne, std::move(a), std::move(b)); }
inline Expr isNot(Expr a) { return unary(UnaryOp::LogicalNot, std::move(a)); }

// With whole numbers: of indices, I64.
inline Expr operator+(const Expr& a, int64_t b) { return a + intConst(b); }
inline Expr operator-(const Expr& a, int64_t b) { return a - intConst(b); }
inline Expr operator*(const Expr& a, int64_t b) { return a * intConst(b); }
inline Expr floorDiv(Expr a, int64_t b) { return floorDiv(std::move(a), intConst(b)); }
inline Expr mod(Expr a, int64_t b) { return mod(std::move(a), intConst(b)); }
inline Expr operator<(Expr a, int64_t b) { return std::move(a) < intConst(b); }
inline Expr operator<=(Expr a, int64_t b) { return std::move(a) <= intConst(b); }
inline Expr operator>(Expr a, int64_t b) { return std::move(a) > intConst(b); }
inline Expr operator>=(Expr a, int64_t b) { return std::move(a) >= intConst(b); }
inline Expr eq(Expr a, int64_t b) { return eq(std::move(a), intConst(b)); }
inline Expr ne(Expr a, int64_t b) { return ne(std::move(a), intConst(b)); }
inline Expr minOf(const Expr& a, int64_t b) { return minOf(a, intConst(b)); }
inline Expr maxOf(const Expr& a, int64_t b) { return maxOf(a, intConst(b)); }

/// Conditions; an empty handle is one that always holds.
inline Expr both(Expr a, Expr b) {
  return !a ? b : !b ? a : binary(BinaryOp::LogicalAnd, std::move(a), std::move(b));
}
inline Expr allOf(const std::vector<Expr>& conditions) {
  Expr all;
  for (const Expr& e : conditions) all = both(all, e);
  return all;
}
inline Expr either(Expr a, Expr b) {
  return !a || !b ? Expr() : binary(BinaryOp::LogicalOr, std::move(a), std::move(b));
}

/// Makes statements that come from one place of the source.
struct Builder {
  Span span;

  template <class T> Stmt make(T node) const { return makeStmt(span, std::move(node)); }
  Stmt assign(Symbol var, Expr value) const { return make(Assign{std::move(var), std::move(value)}); }
  Stmt store(const Buffer& to, std::vector<Expr> at, Expr value) const {
    return make(Store{to.name, std::move(at), std::move(value), {}});
  }
  Stmt alloc(const Buffer& b) const { return make(Alloc{b}); }
  /// Where `cond` is empty, what stands under it.
  Stmt when(Expr cond, Stmt then, Stmt otherwise = {}) const {
    return cond ? make(If{std::move(cond), std::move(then), std::move(otherwise)}) : then;
  }
  Stmt when(Expr cond, std::vector<Stmt> then) const { return when(std::move(cond), block(std::move(then))); }
  /// for index in range(lo, hi), in order.
  Stmt inOrder(Symbol index, Expr lo, Expr hi, Stmt body) const {
    return make(serialLoop(std::move(index), std::move(lo), std::move(hi), intConst(1), std::move(body)));
  }
  /// The same in any order; `lanes`: of the worker that shares it, 0 leaves them open.
  Stmt inAnyOrder(Symbol index, Expr lo, Expr hi, Stmt body, int lanes = 0) const {
    return make(provenLoop(std::move(index), std::move(lo), std::move(hi), std::move(body), lanes));
  }
  /// A new scalar that holds `value`, assigned behind what stands in `out`.
  Expr let(const std::string& hint, const Expr& value, std::vector<Stmt>& out) const {
    const Symbol name(hint);
    out.push_back(assign(name, value));
    return var(name, typeOf(value));
  }
};

} // namespace appyc::ir
