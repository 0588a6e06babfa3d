//===- FindProducts.cpp - sums of products over two matrices become matrix products -----------------===//
//   C[i, j] = sum(alpha * A[i, k] * B[k, j] for k < K) + beta * C[i, j]
//     =>  matmul C = alpha * A @ B + beta * C
//   for i: for k: C[i, j] += A[i, k] * A[j, k]  for j < i + 1
//     =>  matmul C += A @ A.T, where j <= i
//   C[i, j] = f(sum(A[i, k] * B[k, j] for k < K))
//     =>  matmul T = A @ B;  C[i, j] = f(T[i, j])
//   C[b, i, j] = sum(A[b, i, k] * B[b, k, j] for k < K)
//     =>  matmul C[b] = A[b] @ B[b]  for b
//   for i: B[i, j] += sum(A[k, i] * B[k, j] for i < k)
//     =>  matmul T = A.T @ B, where i < k;  for i: B[i, j] += T[i, j]
// Judged by subscripts, bounds and dependences, whatever the text looks like. Sums are reordered, nothing
// else: a factor 0 still multiplies, and points outside triangular bounds are not touched. Loops that hold
// several statements are taken apart first where dependences allow (Kennedy, Allen: Loop distribution, 1990).
// Left alone: sums inside loops whose iterations are independent (those run in parallel as they are), and
// where a size is known to be small.
#include "LibraryProducts.h"
#include "appyc/IR/Print.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {

using namespace ir;

namespace {

using Stmts = std::vector<Stmt>;

class Finder {
public:
  Finder(Function& f, PassContext& c, const analysis::Context& k)
      : function_(f), library_(c), known_(k), builder_(f, k, c.library && c.cuda) {}

  /// Statements that do what the nest does by matrix products; none when it has no such.
  Stmts lower(const Stmt& s) {
    std::optional<Nest> nest = nestOf(s);
    if (!nest || !marksHold(*nest, known_)) return {};
    const size_t buffers = function_.buffers.size();
    Stmts out = byUpdates(*nest, s);
    if (out.empty()) {
      function_.buffers.resize(buffers);
      out = byTemporaries(*nest, s);
    }
    if (out.empty()) function_.buffers.resize(buffers);
    made_.forget(out);
    return out;
  }
  ProductBuilder& builder() { return builder_; }

private:
  Stmts byUpdates(const Nest& nest, const Stmt& text);
  Stmts byTemporaries(const Nest& nest, const Stmt& text);
  std::vector<Product> productsOf(const Nest& nest, Sum& sum);
  Expr throughTemporary(const Nest& nest, const Expr& sum, Stmts& out);
  static Stmt asPart(const Stmt& nest, analysis::Context around);

  Function& function_;
  LibraryProducts library_;
  const analysis::Context& known_;
  ProductBuilder builder_;
  MadeProducts made_;
};

/// The loops that are left when their product has gone are no longer the source's: what is found of them is not true
/// of those, and they are parallel where they can be, as an array's statement is.
Stmt Finder::asPart(const Stmt& nest, analysis::Context around) {
  const auto* loop = nest.as<For>();
  if (!loop) return nest;
  For part = *loop;
  part.hints.origins.clear();
  if (analysis::judgeParallel(*loop, around, {}).isProven()) part.order = Order::Proven;
  around.loops.push_back(loop);
  part.body = asPart(loop->body, around);
  return makeStmt(nest->span, std::move(part));
}

//===--- products into the target itself ------------------------------------------------------------===//

/// The products of `sum`; what is none joins its rest. Nothing when the nest has to stay as it is.
std::vector<Product> Finder::productsOf(const Nest& nest, Sum& sum) {
  const DType type = typeOf(nest.leaf.value);
  const bool loopsSum = hasSumLoop(nest);
  std::vector<Product> products;
  for (Term& term : sum.products) {
    if (!nest.loops.empty() && readsTarget(nest, term)) return {};
    std::optional<Product> p = builder_.build(nest, term, type);
    if (!p && loopsSum) return {};
    if (p)
      products.push_back(std::move(*p));
    else
      sum.rest.push_back(term);
  }
  return products;
}

Stmts Finder::byUpdates(const Nest& nest, const Stmt& text) {
  const DType type = typeOf(nest.leaf.value);
  const Expr one = constOf(type, 1);
  Sum sum = sumOf(nest, builder_);
  if (sum.products.empty()) return {};
  // A loop that sums adds to what is there, and nothing else.
  if (hasSumLoop(nest) && (!sum.self || !sum.rest.empty() || !equal(textOf(*sum.self, type), one))) return {};
  Stmts out, multiplications;
  std::vector<MatMul> made;
  const std::vector<Product> products = productsOf(nest, sum);
  if (products.empty()) return {};
  for (const Term& term : sum.rest)
    if (!nest.loops.empty() && readsTarget(nest, term) && !readsOnlyEarlier(nest, known_)) return {};
  std::vector<Expr> index;
  for (const Expr& e : nest.leaf.index) index.push_back(substitute(e, nest.toShifted));
  Expr beta = sum.self ? textOf(*sum.self, type) : constOf(type, 0);
  if (!sum.rest.empty()) beta = one; // the rest goes first
  for (const Product& p : products) {
    auto target =
        builder_.matrixOf(nest.leaf.target, index, p.axes, p.roles.rows, p.roles.columns, p.roles.batch);
    if (!target || (!p.limits.empty() && !builder_.inRange(*target, p.rows, p.columns))) return {};
    MatMul m = library_.product(p, *target, type, beta);
    if (library_.isPartOfOne(p, m)) return {};
    if (!p.roles.batch.empty() && !(m.library && m.beta.is<Const>())) return {};
    out.insert(out.end(), p.before.begin(), p.before.end());
    made.push_back(m);
    multiplications.push_back(p.forBatch(nest.span, std::move(m)));
    beta = one;
  }
  if (!sum.rest.empty()) out.push_back(withValue(text, restOf(nest, sum)));
  for (size_t i = 0; i < made.size(); ++i)
    library_.report(made[i], !products[i].roles.batch.empty(), nest.span);
  out.insert(out.end(), multiplications.begin(), multiplications.end());
  return out;
}

//===--- products into temporaries ------------------------------------------------------------------===//

/// The sum as an element of a product that `out` computes, or an empty handle.
Expr Finder::throughTemporary(const Nest& nest, const Expr& sum, Stmts& out) {
  const DType type = typeOf(sum);
  std::vector<Term> terms = termsOf(sum);
  if (terms.size() != 1 || terms.front().over.empty() || isBool(type)) return {};
  if (!nest.loops.empty() && readsTarget(nest, terms.front()) && !readsOnlyEarlier(nest, known_)) return {};
  std::optional<Product> p = builder_.build(nest, terms.front(), type);
  if (!p) return {};
  std::vector<size_t> axes = p->roles.batch;
  for (const auto* group : {&p->roles.rows, &p->roles.columns})
    axes.insert(axes.end(), group->begin(), group->end());
  std::vector<Expr> extents, index;
  for (size_t i : axes) {
    const Axis& axis = p->axes[i];
    extents.push_back(builder_.atLeastZero(axis.boxHi - axis.boxLo));
    auto text = nest.toText.find(axis.index);
    index.push_back((text == nest.toText.end() ? var(axis.index) : text->second) - axis.boxLo);
  }
  // Elements that the nest does not read may hold anything: limits of the target only save work.
  const Product part = *p;
  std::erase_if(p->limits, [](const HalfSpace& h) { return h.inner == 0; });
  Buffer buffer{Symbol("product"), type, extents};
  Matrix target = p->inBatch(p->roles.batch, p->roles.rows, p->roles.columns);
  target.buffer = buffer.name;
  // The library makes a triangle, or the whole.
  MatMul m = library_.product(library_.fits(part, target, type) ? part : *p, target, type, constOf(type, 0));
  if (!p->roles.batch.empty() && !m.library) return {};
  if (!m.library) m.limits = part.limits;
  std::optional<Buffer> made = made_.find(m);
  if (!made) {
    function_.buffers.push_back(buffer);
    out.push_back(makeStmt(nest.span, Alloc{buffer}));
    out.insert(out.end(), p->before.begin(), p->before.end());
    out.push_back(p->forBatch(nest.span, m));
    made_.add(m, buffer);
    library_.report(m, !p->roles.batch.empty(), nest.span);
  }
  return load(made ? *made : buffer, index);
}

Stmts Finder::byTemporaries(const Nest& nest, const Stmt& text) {
  Stmts out;
  bool found = false, readsItself = false;
  std::function<Expr(const Expr&)> replace = [&](const Expr& e) -> Expr {
    if (e.is<Reduce>()) {
      Expr element = throughTemporary(nest, e, out);
      found |= bool(element);
      readsItself |= element && loadedBuffers(e).count(nest.leaf.target);
      return element ? element : e;
    }
    return mapChildren(e, replace);
  };
  if (hasSumLoop(nest)) return {};
  const Stmt store = [&] {
    Stmt body = text;
    while (const auto* loop = body.as<For>()) body = loop->body;
    return body;
  }();
  const auto* index = store.as<IndexStmt>();
  Expr value = replace(index ? index->value : store.as<Store>()->value);
  if (!found) return {};
  const Stmt left = withValue(text, value);
  out.push_back(readsItself ? asPart(left, known_) : left);
  return out;
}

//===--- the pass -----------------------------------------------------------------------------------===//

struct Finding {
  Function& function;
  PassContext& ctx;
  analysis::Context known;

  Stmts lowerPieces(const Stmts& pieces) {
    Finder finder(function, ctx, known);
    Stmts out;
    bool found = false;
    for (const Stmt& piece : pieces) {
      Stmts lowered = finder.lower(piece);
      found |= !lowered.empty();
      if (lowered.empty()) lowered.push_back(piece);
      out.insert(out.end(), lowered.begin(), lowered.end());
    }
    return found ? foldScales(std::move(out), finder.builder()) : Stmts{};
  }

  Stmt visitFor(const Stmt& s, const For& loop) {
    if (depthOfProducts(s) < 3 || loop.hints.mark == LoopMark::Sequential) return visitBody(s, loop);
    const Stmts pieces = distribute(countingUpWhereFree(s, known), function, known);
    Stmts lowered = lowerPieces(pieces);
    if (!lowered.empty() && pieces.size() > 1)
      ctx.diag.report(
          DiagId::Product, s->span,
          fmt::format("loop `{}` is taken apart, so that products stand alone", loop.index.hint()));
    if (!lowered.empty()) return makeStmt({}, Block{std::move(lowered)});
    return visitBody(s, loop);
  }

  Stmt visitBody(const Stmt& s, const For& loop) {
    if (loop.hints.mark != LoopMark::None || depthOfProducts(loop.body) < 3) return s;
    analysis::Answer answer = analysis::judgeParallel(loop, known, {}).answer;
    if (answer == analysis::Answer::Proven || answer == analysis::Answer::Conditional) return s;
    return analysis::mapInside(known, s, [&](const Stmt& child) { return visit(child); });
  }

  Stmt visit(const Stmt& s) {
    if (const auto* loop = s.as<For>()) return visitFor(s, *loop);
    if (s.is<IndexStmt>() && depthOfProducts(s) >= 3) {
      Stmts lowered = lowerPieces({s});
      return lowered.empty() ? s : makeStmt({}, Block{std::move(lowered)});
    }
    Stmt out = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    const auto* list = out.as<Block>();
    if (!list || out == s) return out;
    Finder finder(function, ctx, known);
    return makeStmt(s->span, Block{foldScales(list->body, finder.builder())});
  }
};

/// Temporaries that nothing touches any more go.
void dropUnused(Function& f) {
  std::set<Symbol> used = loadedBuffers(f.body), dropped;
  used.merge(storedBuffers(f.body));
  f.body = replace<Alloc>(f.body, [&](const Alloc& a) {
    if (used.count(a.buffer.name)) return Stmt();
    dropped.insert(a.buffer.name);
    return block({});
  });
  std::erase_if(f.buffers, [&](const Buffer& b) { return dropped.count(b.name) > 0; });
}

} // namespace

void findProducts(Function& f, PassContext& ctx) {
  const Stmt body = Finding{f, ctx, analysis::contextOf(f)}.visit(f.body);
  if (body == f.body) return;
  f.body = body;
  dropUnused(f);
}

} // namespace appyc::transform
