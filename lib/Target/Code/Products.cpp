//===- Products.cpp - matrix products as calls of the support code or a library -------------------------===//
#include "Expressions.h"
#include "Functions.h"
#include "Statements.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Support/InternalError.h"
#include <fmt/format.h>

namespace appyc::target {

using namespace ir;

namespace {

/// Elements between neighbours along dimension `d`.
Expr distanceAlong(const Buffer& buffer, int d) {
  Expr distance = intConst(1);
  for (size_t i = static_cast<size_t>(d) + 1; i < buffer.extents.size(); ++i)
    distance = mul(distance, buffer.extents[i]);
  return distance;
}

/// `{A, K, 1}`, of a type that the call states
cxx::Expr matrix(Context& c, const Matrix& m) {
  Expressions expressions(c);
  const Buffer& buffer = c.buffer(m.buffer);
  Expr start = intConst(0);
  for (size_t d = 0; d < m.at.size(); ++d)
    start = add(start, mul(m.at[d], distanceAlong(buffer, static_cast<int>(d))));
  return cxx::braces("",
                     {expressions.address(m.buffer, start), expressions.index(distanceAlong(buffer, m.row)),
                      expressions.index(distanceAlong(buffer, m.column))});
}

/// `Limits<1>{{{-1, 1, 0, 0}}}`
cxx::Expr limits(Context& c, const std::vector<HalfSpace>& all) {
  const std::string type = fmt::format("Limits<{}>", all.size());
  std::vector<cxx::Expr> items;
  for (const HalfSpace& h : all)
    items.push_back(cxx::braces("", {cxx::number(h.row), cxx::number(h.column), cxx::number(h.inner),
                                     Expressions(c).index(h.bound)}));
  if (items.empty()) return cxx::braces(type, {});
  return cxx::braces(type, {cxx::braces("", std::move(items))});
}

/// The sections with what cuBLAS needs for `type`.
void useCublas(Support& support, DType type, bool triangle) {
  const bool known = isFloat(type) || isComplex(type);
  if (!known) internalError("cuBLAS has no product of this type");
  support.use(fmt::format("cublas_{}{}", triangle ? "triangle_" : "", ir::name(type)));
  support.use(triangle ? "multiply_triangle_by_cublas" : "multiply_by_cublas");
}

} // namespace

bool fitsBlas(const MatMul& m) {
  const auto isFactor = [&](const Expr& e) { return e.is<Const>() && !equal(e, constOf(m.type, 0)); };
  return (isFloat(m.type) || isComplex(m.type)) && m.limits.empty() && isContiguous(m.a) &&
         isContiguous(m.b) && isContiguous(m.target) && isFactor(m.alpha) &&
         (!readsTarget(m) || isFactor(m.beta));
}

cxx::Stmt multiply(Context& c, const MatMul& m) {
  Expressions expressions(c);
  const bool updates = readsTarget(m);
  const std::string chosen = fmt::format("{}, {}{}", updates ? "Update" : "Overwrite", typeName(c, m.type),
                                         m.scalesSum ? ", OfSum" : "");
  std::vector<cxx::Expr> args;
  for (const Expr& e : {m.rows, m.columns, m.inner}) args.push_back(expressions.index(e));
  args.push_back(expressions.exact(m.alpha));
  args.push_back(matrix(c, m.a));
  args.push_back(matrix(c, m.b));
  args.push_back(expressions.exact(m.beta));
  args.push_back(matrix(c, m.target));
  const bool knownFactors = m.alpha.is<Const>() && m.beta.is<Const>();
  if (!m.library || !knownFactors) {
    useOperator(c.support, ReduceOp::Sum, m.type);
    useOperator(c.support, ReduceOp::Prod, m.type);
  }
  args.push_back(limits(c, m.limits));
  if (c.cuda) args.push_back(cxx::name("stream"));
  const bool byBlas = !c.cuda && calls(c.options.libraries, "blas") && fitsBlas(m);
  if (byBlas) c.support.use("blas_" + std::string(ir::name(m.type)));
  if (!m.library) {
    const char* function = byBlas ? "multiply_by_blas" : "multiply";
    c.support.use(function);
    return cxx::evaluate(cxx::callTemplate(function, chosen, std::move(args)));
  }
  useCublas(c.support, m.type, !m.limits.empty());
  if (!knownFactors) c.support.use("scale_and_multiply");
  if (!knownFactors && isComplex(m.type)) // which compares its factors
    for (const char* needed : {"complex_equal", "complex_sub"}) c.support.use(needed);
  const char* function = knownFactors ? "multiply_by_cublas" : "scale_and_multiply";
  return cxx::returnOnFailure(cxx::callTemplate(function, chosen, std::move(args)));
}

//===--- batches --------------------------------------------------------------------------------------===//

namespace {

/// The product that nested loops repeat.
const MatMul* repeatedBy(const For& loop) {
  const auto* inner = loop.body.as<For>();
  return inner ? repeatedBy(*inner) : loop.body.as<MatMul>();
}

/// Elements from the matrix of one iteration to that of the next; empty where that differs.
Expr stepOf(const Context& c, const Matrix& m, const Symbol& index) {
  Expr step = intConst(0);
  for (size_t d = 0; d < m.at.size(); ++d) {
    const Expr next = substitute(m.at[d], {{index, add(var(index), intConst(1))}});
    step = add(step, mul(sub(next, m.at[d]), distanceAlong(c.buffer(m.buffer), static_cast<int>(d))));
  }
  return mentions(step, index) || readsMemory(step) ? Expr() : step;
}

/// So many products, with matrices that lie steps apart.
struct Batch {
  MatMul first;
  Expr count;
  std::vector<Expr> steps; ///< of a, b and the target
};

std::optional<Batch> batchOf(const Context& c, const For& loop) {
  const auto* inner = loop.body.as<For>();
  std::optional<Batch> batch;
  if (inner) {
    batch = batchOf(c, *inner);
  } else {
    batch = Batch{*loop.body.as<MatMul>(), {}, {}};
  }
  if (!batch || !isConst(loop.step, 1) || !loop.reductions.empty()) return {};
  MatMul& m = batch->first;
  const Expr count = sub(loop.hi, loop.lo);
  for (const Expr& e : {m.rows, m.columns, m.inner, inner ? batch->count : count})
    if (mentions(e, loop.index) || readsMemory(e)) return {};
  std::vector<Expr> steps;
  for (Matrix* matrix : {&m.a, &m.b, &m.target}) {
    steps.push_back(stepOf(c, *matrix, loop.index));
    if (!steps.back()) return {};
    for (Expr& e : matrix->at) e = substitute(e, {{loop.index, loop.lo}});
  }
  // Of two loops the outer one goes on where the inner one ends.
  for (size_t i = 0; inner && i < steps.size(); ++i)
    if (!equalIndex(steps[i], mul(batch->steps[i], batch->count))) return {};
  batch->count = inner ? mul(count, batch->count) : count;
  if (!inner) batch->steps = steps;
  return batch;
}

} // namespace

std::optional<cxx::Stmt> multiplyBatch(Context& c, const For& loop) {
  const MatMul* product = repeatedBy(loop);
  if (!product || !product->library || !product->limits.empty() || !product->alpha.is<Const>() ||
      !product->beta.is<Const>())
    return {};
  const std::optional<Batch> batch = batchOf(c, loop);
  if (!batch) return {};
  const MatMul& m = batch->first;
  Expressions expressions(c);
  std::vector<cxx::Expr> args, numbers{expressions.index(batch->count)};
  for (const Expr& e : {m.rows, m.columns, m.inner}) args.push_back(expressions.index(e));
  for (const Expr& e : batch->steps) numbers.push_back(expressions.index(e));
  args.push_back(expressions.exact(m.alpha));
  args.push_back(matrix(c, m.a));
  args.push_back(matrix(c, m.b));
  args.push_back(expressions.exact(m.beta));
  args.push_back(matrix(c, m.target));
  args.push_back(cxx::braces("Batch", std::move(numbers)));
  args.push_back(cxx::name("stream"));
  for (const ReduceOp op : {ReduceOp::Sum, ReduceOp::Prod}) useOperator(c.support, op, m.type);
  c.support.use(fmt::format("cublas_batch_{}", ir::name(m.type)));
  c.support.use("multiply_batch_by_cublas");
  const std::string chosen =
      fmt::format("{}, {}", readsTarget(m) ? "Update" : "Overwrite", typeName(c, m.type));
  return cxx::returnOnFailure(cxx::callTemplate("multiply_batch_by_cublas", chosen, std::move(args)));
}

} // namespace appyc::target
