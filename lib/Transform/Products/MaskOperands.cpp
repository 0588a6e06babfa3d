//===- MaskOperands.cpp - products within limits that together fill an operand, for the library ----------===//
//   C[i, j] += sum(A[i, k] * B[k, j] for k < i)
//   C[i, j] += sum(A[k, i] * B[k, j] for k > i)
//   =>  masked[i, k] = (A[i, k] if k < i else 0) + (A[k, i] if k > i else 0)
//       matmul product = masked @ B
//       finite = all(isfinite(B))
//       for i: for j: if finite: C[i, j] += product[i, j]
//                     else: both sums, term by term
// What lies outside of the limits may be multiplied by 0 where it is finite: 0 * nan is nan.
//
//   H200, f64, NPBench's sizes | predicted, ms                                   | measured
//   symm 1000 x 1200           | 0.200 to 0.080: cuBLAS 55 us, all else 25       | 0.114 to 0.127: cuBLAS 51, mask and
//                              |                                                 | diagonal 12, test 5, last 8; the host
//   trmm, one triangle, alone  | 0.116 to 0.083                                  | 0.108 to 0.119: stays with tiles
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

Matrix transposed(Matrix m) {
  std::swap(m.row, m.column);
  return m;
}
/// The same product with its operands exchanged.
MatMul transposed(MatMul m) {
  m.target = transposed(m.target);
  std::swap(m.a, m.b);
  m.a = transposed(m.a), m.b = transposed(m.b);
  std::swap(m.rows, m.columns);
  for (HalfSpace& limit : m.limits) std::swap(limit.row, limit.column);
  return m;
}
bool isByColumns(const Matrix& m) { return m.row + 1 == static_cast<int>(m.at.size()); }

/// The product with limits that concern the sum and its first operand alone, which the library would take as zeros.
std::optional<MatMul> withMask(const Stmt& s) {
  const auto* product = s.as<MatMul>();
  if (!product || product->library || product->limits.empty() || !isFloat(product->type)) return {};
  const auto concernsFirst = [](const HalfSpace& limit) { return limit.inner != 0 && limit.column == 0; };
  for (MatMul m : {*product, transposed(*product)})
    if (std::all_of(m.limits.begin(), m.limits.end(), concernsFirst) && isContiguous(m.b)) return m;
  return {};
}

/// The larger of two sizes that differ by a constant.
Expr largerOf(const Expr& a, const Expr& b) {
  const std::optional<int64_t> difference = constantInt(a - b);
  return !difference ? Expr() : *difference >= 0 ? a : b;
}

class Masking {
public:
  Masking(Function& f, PassContext& c, const analysis::Context& known)
      : function_(f), ctx_(c), builder_(f, known) {}

  Stmt visit(const Stmt& s) {
    if (s.is<For>() || s.is<While>()) {
      const std::set<Symbol> outer = varying_;
      varying_.merge(assignedVars(s));
      if (const auto* loop = s.as<For>()) varying_.insert(loop->index);
      Stmt inner = mapChildren(s, [&](const Stmt& child) { return visit(child); });
      varying_ = outer;
      return inner;
    }
    const auto* list = s.as<Block>();
    if (!list) return mapChildren(s, [&](const Stmt& child) { return child ? visit(child) : child; });
    std::vector<Stmt> out = inList(list->body);
    return out == list->body ? s : makeStmt(s->span, Block{std::move(out)});
  }

private:
  std::vector<Stmt> inList(const std::vector<Stmt>& list) {
    std::vector<Stmt> out;
    for (size_t i = 0; i < list.size(); ++i) {
      const std::optional<MatMul> first = withMask(list[i]);
      // A step of a loop that takes another part of an operand each time is better one launch.
      if (!first || mentionsAny(list[i], varying_)) {
        out.push_back(visit(list[i]));
        continue;
      }
      const Span span = list[i]->span;
      MatMul whole = *first;
      std::vector<MatMul> parts{whole};
      while (i + 1 < list.size()) {
        const std::optional<MatMul> next = withMask(list[i + 1]);
        if (!next || mentionsAny(list[i + 1], varying_) || !join(whole, *next)) break;
        parts.push_back(*next);
        ++i;
      }
      // One triangle would be twice the work: tiles take as long.
      if (parts.size() > 1)
        write(span, whole, parts, out);
      else
        out.push_back(list[i]);
    }
    return out;
  }

  /// Is `next` added to what `whole` makes, with the same other operand? Then `whole` becomes as large as both.
  static bool join(MatMul& whole, const MatMul& next) {
    const bool alike = whole.type == next.type && sameMatrix(whole.target, next.target) &&
                       sameMatrix(whole.b, next.b) && equalIndex(whole.columns, next.columns) &&
                       equal(whole.alpha, next.alpha) && isOne(next.beta);
    const Expr rows = largerOf(whole.rows, next.rows), inner = largerOf(whole.inner, next.inner);
    if (!alike || !rows || !inner) return false;
    // Rows that only `next` has would be scaled, too.
    if (!isOne(whole.beta) && !equalIndex(rows, whole.rows)) return false;
    whole.rows = rows, whole.inner = inner;
    return true;
  }

  const Buffer& bufferOf(const Symbol& name) const { return function_.buffer(name); }
  Expr at(const Matrix& m, const Expr& row, const Expr& column) const {
    return load(bufferOf(m.buffer), elementOf(m, row, column));
  }
  /// Laid out like `m`, so that neighbours are copied to neighbours.
  Matrix temporaryLike(const Matrix& m, const char* hint, DType type, const Expr& rows, const Expr& columns,
                       Span span, std::vector<Stmt>& out) {
    std::vector<Expr> extents{builder_.atLeastZero(rows), builder_.atLeastZero(columns)};
    if (isByColumns(m)) std::swap(extents[0], extents[1]);
    const Buffer b = builder_.temporary(hint, type, extents, span, out);
    const Matrix all{b.name, {intConst(0), intConst(0)}, 0, 1};
    return isByColumns(m) ? transposed(all) : all;
  }

  /// Does point k of row i count in `part`, which may be smaller than the whole?
  static Expr counts(const MatMul& part, const MatMul& whole, const Expr& i, const Expr& k) {
    Expr all;
    if (!equalIndex(part.rows, whole.rows)) all = both(all, i < part.rows);
    if (!equalIndex(part.inner, whole.inner)) all = both(all, k < part.inner);
    for (const HalfSpace& limit : part.limits) {
      Expr low = intConst(0), high = limit.bound;
      for (const auto& [index, factor] : {std::pair(i, limit.row), std::pair(k, limit.inner)})
        (factor < 0 ? high : low) = (factor < 0 ? high : low) + index * std::abs(factor);
      all = both(all, low <= high);
    }
    return all;
  }

  void write(Span span, const MatMul& whole, const std::vector<MatMul>& parts, std::vector<Stmt>& out) {
    ctx_.diag.report(
        DiagId::Product, span,
        "what lies outside of the limits becomes 0, so that cuBLAS computes the product; loops do where "
        "the other operand is not finite");
    const Builder build{span};
    const DType type = whole.type;
    const Expr zero = constOf(type, 0), one = constOf(type, 1);
    const Symbol row("i"), k("k"), i("i"), j("j"), finite("finite");
    const Matrix masked = temporaryLike(whole.a, "masked", type, whole.rows, whole.inner, span, out);
    const Matrix product = temporaryLike(whole.target, "product", type, whole.rows, whole.columns, span, out);
    std::vector<Range> points{{row, builder_.atLeastZero(whole.rows)},
                              {k, builder_.atLeastZero(whole.inner)}};
    if (isByColumns(whole.a)) std::swap(points[0], points[1]);
    IndexStmt mask{points, masked.buffer, elementOf(masked, var(row), var(k)), {}, std::nullopt, true, 0};
    for (const MatMul& part : parts) {
      const Expr element = select(counts(part, whole, var(row), var(k)), at(part.a, var(row), var(k)), zero);
      mask.value = mask.value ? binary(BinaryOp::Add, mask.value, element) : element;
    }
    out.push_back(build.make(mask));
    MatMul dense{type,        product, masked, whole.b, whole.rows, whole.columns,
                 whole.inner, one,     zero,   {},      true,       false};
    out.push_back(build.make(dense));

    const Symbol line("k"), across("j");
    const Expr isFinite = call(Intrinsic::IsFinite, DType::Bool, {at(whole.b, var(line), var(across))});
    const std::vector<Range> operand{{line, builder_.atLeastZero(whole.inner)},
                                     {across, builder_.atLeastZero(whole.columns)}};
    out.push_back(build.assign(finite, make(Reduce{DType::Bool, ReduceOp::And, operand, isFinite})));
    Expr bySum = var(finite, DType::Bool);
    const bool scalesTerms =
        std::any_of(parts.begin(), parts.end(), [](const MatMul& m) { return !m.scalesSum; });
    if (!whole.alpha.is<Const>() && scalesTerms)
      bySum = both(bySum, call(Intrinsic::IsFinite, DType::Bool, {whole.alpha}));
    const Stmt plain = put(build, whole, i, j, times(whole.alpha, at(product, var(i), var(j))));
    out.push_back(
        forElements(build, whole, build.when(bySum, plain, sumOfTerms(build, whole, parts, i, j)), i, j));
  }

  /// target(i, j) = sum + beta * target(i, j)
  Stmt put(const Builder& build, const MatMul& m, const Symbol& i, const Symbol& j, Expr sum) const {
    if (readsTarget(m)) sum = binary(BinaryOp::Add, sum, times(m.beta, at(m.target, var(i), var(j))));
    return build.make(Store{m.target.buffer, elementOf(m.target, var(i), var(j)), sum, {}});
  }
  /// What the text says, term by term.
  Stmt sumOfTerms(const Builder& build, const MatMul& whole, const std::vector<MatMul>& parts,
                  const Symbol& i, const Symbol& j) const {
    std::vector<Stmt> out;
    Expr all;
    for (const MatMul& part : parts) {
      const Symbol k("k"), total("total");
      Expr term = binary(BinaryOp::Mul, at(part.a, var(i), var(k)), at(part.b, var(k), var(j)));
      if (!part.scalesSum) term = times(part.alpha, term);
      const Stmt more = build.assign(total, binary(BinaryOp::Add, var(total, part.type), term));
      For sum = serialLoop(k, intConst(0), whole.inner, intConst(1),
                           build.when(counts(part, whole, var(i), var(k)), more));
      sum.hints.mark = LoopMark::Sequential; // rare: not worth lanes of its own
      out.push_back(build.assign(total, constOf(part.type, 0)));
      out.push_back(build.make(std::move(sum)));
      const Expr value = part.scalesSum ? times(part.alpha, var(total, part.type)) : var(total, part.type);
      all = all ? binary(BinaryOp::Add, all, value) : value;
    }
    out.push_back(put(build, whole, i, j, all));
    return block(out);
  }
  /// In parallel, as the target shares nothing with the operands.
  static Stmt forElements(const Builder& build, const MatMul& m, const Stmt& element, const Symbol& i,
                          const Symbol& j) {
    const Expr zero = intConst(0);
    return isByColumns(m.target)
               ? build.inAnyOrder(j, zero, m.columns, build.inAnyOrder(i, zero, m.rows, element))
               : build.inAnyOrder(i, zero, m.rows, build.inAnyOrder(j, zero, m.columns, element));
  }

  Function& function_;
  PassContext& ctx_;
  ProductBuilder builder_;
  std::set<Symbol> varying_; ///< what the loops around change
};

} // namespace

void maskOperands(Function& f, PassContext& ctx) {
  const analysis::Context known = analysis::contextOf(f);
  f.body = Masking(f, ctx, known).visit(f.body);
}

} // namespace appyc::transform
