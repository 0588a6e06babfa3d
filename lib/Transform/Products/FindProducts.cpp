//===- FindProducts.cpp - sums of products over two matrices become matrix products -----------------===//
//   C[i, j] = sum(alpha * A[i, k] * B[k, j] for k < K) + beta * C[i, j]
//     =>  matmul C = alpha * A @ B + beta * C
//   for i: for k: C[i, j] += A[i, k] * A[j, k]  for j < i + 1
//     =>  matmul C += A @ A.T, where j <= i
//   C[i, j] = f(sum(A[i, k] * B[k, j] for k < K))
//     =>  matmul T = A @ B;  C[i, j] = f(T[i, j])
//   for i: B[i, j] += sum(A[k, i] * B[k, j] for i < k)
//     =>  matmul T = A.T @ B, where i < k;  for i: B[i, j] += T[i, j]
// Judged by subscripts, bounds and dependences, whatever the text looks like. Sums are reordered, nothing
// else: a factor 0 still multiplies, and points outside triangular bounds are not touched. Loops that hold
// several statements are taken apart first where dependences allow (Kennedy, Allen: Loop distribution, 1990).
// Left alone: sums inside loops whose iterations are independent (those run in parallel as they are), and
// where a size is known to be small.
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;
using Stmts = std::vector<Stmt>;

bool isElement(const Expr& e, const ir::IndexStmt& leaf) {
  const auto* l = e.as<ir::Load>();
  return l && l->buffer == leaf.target && ir::equalIndices(l->index, leaf.index);
}

/// What a nest's value consists of: factors of the element itself, products, and what is neither.
struct Sum {
  std::optional<Term> self;
  std::vector<Term> products, rest;
};

/// A temporary that holds a product, for the next nest that wants it.
struct Made {
  ir::MatMul product;
  ir::Buffer buffer;
};

/// Is it the element, with something added that does not read the array?
bool addsTo(const Expr& e, const Symbol& buffer, const std::vector<Expr>& index) {
  const auto* l = e.as<ir::Load>();
  if (l) return l->buffer == buffer && ir::equalIndices(l->index, index);
  const auto* sum = e.as<ir::Binary>();
  if (!sum || (sum->op != ir::BinaryOp::Add && sum->op != ir::BinaryOp::Sub)) return false;
  const auto reads = [&](const Expr& part) { return ir::loadedBuffers(part).count(buffer) > 0; };
  return (addsTo(sum->lhs, buffer, index) && !reads(sum->rhs)) ||
         (sum->op == ir::BinaryOp::Add && addsTo(sum->rhs, buffer, index) && !reads(sum->lhs));
}

/// Loops that do nothing but add to elements, of arrays that nothing in them reads otherwise.
bool onlyAdds(const Stmt& s) {
  const std::set<Symbol> stored = ir::storedBuffers(s);
  return !ir::anyStmt(s, [&](const Stmt& part) {
    const auto adds = [&](const auto* leaf, const Symbol& buffer) {
      std::set<Symbol> others = ir::loadedBuffers(leaf->value);
      others.erase(buffer);
      for (const Expr& e : leaf->index) others.merge(ir::loadedBuffers(e));
      return addsTo(leaf->value, buffer, leaf->index) && !ir::intersect(others, stored);
    };
    if (const auto* store = part.as<ir::Store>()) return !adds(store, store->buffer);
    if (const auto* index = part.as<ir::IndexStmt>()) return !adds(index, index->target);
    return !part.is<ir::For>() && !part.is<ir::Block>();
  });
}

class Finder {
public:
  Finder(ir::Function& f, ir::PassContext& c, const analysis::Context& k)
      : function_(f), ctx_(c), known_(k), builder_(f, k) {}

  /// Statements that do what the nest does by matrix products; none when it has no such.
  Stmts lower(const Stmt& s) {
    std::optional<Nest> nest = nestOf(s);
    if (!nest || !marksHold(*nest)) return {};
    const size_t buffers = function_.buffers.size();
    Stmts out = byUpdates(*nest, s);
    if (out.empty()) {
      function_.buffers.resize(buffers);
      out = byTemporaries(*nest, s);
    }
    if (out.empty()) function_.buffers.resize(buffers);
    forget(out);
    return out;
  }
  ProductBuilder& builder() { return builder_; }

private:
  bool marksHold(const Nest& nest) const;
  Sum sumOf(const Nest& nest) const;
  Stmts byUpdates(const Nest& nest, const Stmt& text);
  Stmts byTemporaries(const Nest& nest, const Stmt& text);
  bool readsTarget(const Nest& nest, const Term& term) const;
  bool readsOnlyEarlier(const Nest& nest) const;
  std::vector<Product> productsOf(const Nest& nest, Sum& sum);
  bool isPartOfLibraryProduct(const Product& p, const ir::MatMul& m) const;
  Expr restOf(const Nest& nest, const Sum& sum) const;
  ir::MatMul productOf(const Product& p, const ir::Matrix& target, ir::DType type, const Expr& beta) const;
  bool fitsLibrary(const Product& p, const ir::Matrix& target, ir::DType type) const;
  Expr throughTemporary(const Nest& nest, const Expr& sum, Stmts& out);
  std::optional<ir::Buffer> findMade(const ir::MatMul& m) const;
  void forget(const Stmts& list);
  void report(const ir::MatMul& m, Span span) const;
  static Stmt withValue(const Stmt& nest, const Expr& value);
  static Stmt asPart(const Stmt& nest, analysis::Context around);

  ir::Function& function_;
  ir::PassContext& ctx_;
  const analysis::Context& known_;
  ProductBuilder builder_;
  std::vector<Made> made_;
};

/// What the user said of the loops has to be true: it is checked here where the loops vanish.
bool Finder::marksHold(const Nest& nest) const {
  analysis::Context around = known_;
  for (const ir::For* loop : nest.loops) {
    if (loop->hints.mark != ir::LoopMark::None &&
        analysis::judgeParallel(*loop, around, {}).answer != analysis::Answer::Proven)
      return false;
    around.loops.push_back(loop);
  }
  return true;
}

Stmt Finder::withValue(const Stmt& nest, const Expr& value) {
  if (nest.is<ir::For>())
    return ir::mapChildren(nest, [&](const Stmt& body) { return withValue(body, value); });
  if (const auto* store = nest.as<ir::Store>()) {
    ir::Store changed = *store;
    changed.value = value;
    return ir::makeStmt(nest->span, std::move(changed));
  }
  ir::IndexStmt changed = *nest.as<ir::IndexStmt>();
  changed.value = value;
  return ir::makeStmt(nest->span, std::move(changed));
}

/// The loops that are left when their product has gone are no longer the source's: what is found of them is not true
/// of those, and they are parallel where they can be, as an array's statement is.
Stmt Finder::asPart(const Stmt& nest, analysis::Context around) {
  const auto* loop = nest.as<ir::For>();
  if (!loop) return nest;
  ir::For part = *loop;
  part.hints.origins.clear();
  if (analysis::judgeParallel(*loop, around, {}).answer == analysis::Answer::Proven)
    part.order = ir::Order::Proven;
  around.loops.push_back(loop);
  part.body = asPart(loop->body, around);
  return ir::makeStmt(nest->span, std::move(part));
}

//===--- choosing -----------------------------------------------------------------------------------===//

/// One triangle with the diagonal of a square target, by operands laid out alike.
static bool isTriangle(const Product& p, const ir::Matrix& target) {
  if (p.limits.size() != 1 || !ir::equalIndex(p.rows, p.columns)) return false;
  const ir::HalfSpace& h = p.limits.front();
  auto last = [](const ir::Matrix& m) { return static_cast<int>(m.at.size()) - 1; };
  return h.inner == 0 && h.row * h.column == -1 && ir::isConst(h.bound, 0) && target.column == last(target) &&
         ((p.a.column == last(p.a) && p.b.row == last(p.b)) ||
          (p.a.row == last(p.a) && p.b.column == last(p.b)));
}

bool Finder::fitsLibrary(const Product& p, const ir::Matrix& target, ir::DType type) const {
  return ctx_.library && ctx_.cuda && (ir::isFloat(type) || ir::isComplex(type)) && ir::isContiguous(p.a) &&
         ir::isContiguous(p.b) && ir::isContiguous(target) && (p.limits.empty() || isTriangle(p, target));
}

ir::MatMul Finder::productOf(const Product& p, const ir::Matrix& target, ir::DType type,
                             const Expr& beta) const {
  return {type,
          target,
          p.a,
          p.b,
          p.rows,
          p.columns,
          p.inner,
          p.scale,
          beta,
          p.limits,
          fitsLibrary(p, target, type),
          p.scalesSum};
}

void Finder::report(const ir::MatMul& m, Span span) const {
  ctx_.diag.report(DiagId::Product, span,
                   fmt::format("a matrix product of {} x {} x {}{}: {}", ir::print(m.rows),
                               ir::print(m.inner), ir::print(m.columns),
                               m.limits.empty() ? "" : " within limits",
                               m.library   ? "cuBLAS computes it"
                               : ctx_.cuda ? "tiles in shared memory compute it"
                                           : "tiles in the caches compute it"));
}

//===--- products into the target itself ------------------------------------------------------------===//

Sum Finder::sumOf(const Nest& nest) const {
  Sum sum;
  const ir::DType type = ir::typeOf(nest.leaf.value);
  for (Term& term : termsOf(nest.leaf.value)) {
    auto self = std::find_if(term.factors.begin(), term.factors.end(),
                             [&](const Expr& f) { return isElement(f, nest.leaf); });
    if (self != term.factors.end() && term.over.empty() && !sum.self) {
      Term factor = term;
      factor.factors.erase(factor.factors.begin() + (self - term.factors.begin()));
      if (factor.factors.empty()) factor.factors.push_back(ir::constOf(type, 1));
      bool known = std::all_of(factor.factors.begin(), factor.factors.end(),
                               [&](const Expr& f) { return builder_.isHostKnown(f); });
      if (known) {
        sum.self = std::move(factor);
        continue;
      }
    }
    int arrays = 0;
    for (const Expr& f : term.factors) arrays += ir::readsMemory(f);
    (arrays >= 2 ? sum.products : sum.rest).push_back(std::move(term));
  }
  return sum;
}

bool Finder::readsTarget(const Nest& nest, const Term& term) const {
  return std::any_of(term.factors.begin(), term.factors.end(),
                     [&](const Expr& f) { return ir::loadedBuffers(f).count(nest.leaf.target) > 0; });
}

/// Does every read of the target see what was there before the nest? Then a product of that may be made there.
bool Finder::readsOnlyEarlier(const Nest& nest) const {
  analysis::Context around = known_;
  for (const ir::For* loop : nest.loops) {
    if (analysis::readsEarlierWrites(*loop, around)) return false;
    around.loops.push_back(loop);
  }
  return true;
}

/// Is the element on the left the same in all iterations of some axis?
static bool hasSumLoop(const Nest& nest) {
  return std::any_of(nest.axes.begin(), nest.axes.end(), [&](const Axis& a) {
    return std::none_of(nest.leaf.index.begin(), nest.leaf.index.end(), [&](const Expr& e) {
      return ir::mentions(replaceInIndex(e, nest.toShifted), a.index);
    });
  });
}

/// The products of `sum`; what is none joins its rest. Nothing when the nest has to stay as it is.
std::vector<Product> Finder::productsOf(const Nest& nest, Sum& sum) {
  const ir::DType type = ir::typeOf(nest.leaf.value);
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

/// A triangle of a product that nothing is added to: better the library's whole product, of which the loops
/// take their part.
bool Finder::isPartOfLibraryProduct(const Product& p, const ir::MatMul& m) const {
  Product whole = p;
  whole.limits.clear();
  return !m.limits.empty() && !ir::readsTarget(m) && fitsLibrary(whole, m.target, m.type) &&
         std::all_of(m.limits.begin(), m.limits.end(), [](const ir::HalfSpace& h) { return h.inner == 0; });
}

/// The element itself with its factor, and what is no product.
Expr Finder::restOf(const Nest& nest, const Sum& sum) const {
  const ir::DType type = ir::typeOf(nest.leaf.value);
  Expr value;
  if (sum.self) {
    const Expr factor = textOf(*sum.self, type);
    value = ir::make(ir::Load{type, nest.leaf.target, nest.leaf.index});
    if (!ir::equal(factor, ir::constOf(type, 1))) value = ir::binary(ir::BinaryOp::Mul, value, factor);
  }
  for (const Term& term : sum.rest)
    value = value ? ir::binary(ir::BinaryOp::Add, value, textOf(term, type)) : textOf(term, type);
  return value;
}

Stmts Finder::byUpdates(const Nest& nest, const Stmt& text) {
  const ir::DType type = ir::typeOf(nest.leaf.value);
  const Expr one = ir::constOf(type, 1);
  Sum sum = sumOf(nest);
  if (sum.products.empty()) return {};
  // A loop that sums adds to what is there, and nothing else.
  if (hasSumLoop(nest) && (!sum.self || !sum.rest.empty() || !ir::equal(textOf(*sum.self, type), one)))
    return {};
  Stmts out, multiplications;
  const std::vector<Product> products = productsOf(nest, sum);
  if (products.empty()) return {};
  for (const Term& term : sum.rest)
    if (!nest.loops.empty() && readsTarget(nest, term) && !readsOnlyEarlier(nest)) return {};
  std::vector<Expr> index;
  for (const Expr& e : nest.leaf.index) index.push_back(replaceInIndex(e, nest.toShifted));
  Expr beta = sum.self ? textOf(*sum.self, type) : ir::constOf(type, 0);
  if (!sum.rest.empty()) beta = one; // the rest goes first
  for (const Product& p : products) {
    auto target = builder_.matrixOf(nest.leaf.target, index, p.axes, p.roles.rows, p.roles.columns);
    if (!target || (!p.limits.empty() && !builder_.inRange(*target, p.rows, p.columns))) return {};
    ir::MatMul m = productOf(p, *target, type, beta);
    if (isPartOfLibraryProduct(p, m)) return {};
    out.insert(out.end(), p.before.begin(), p.before.end());
    multiplications.push_back(ir::makeStmt(nest.span, std::move(m)));
    beta = one;
  }
  if (!sum.rest.empty()) out.push_back(withValue(text, restOf(nest, sum)));
  for (const Stmt& s : multiplications) report(*s.as<ir::MatMul>(), nest.span);
  out.insert(out.end(), multiplications.begin(), multiplications.end());
  return out;
}

//===--- products into temporaries ------------------------------------------------------------------===//

std::optional<ir::Buffer> Finder::findMade(const ir::MatMul& m) const {
  for (const Made& made : made_) {
    const ir::MatMul& o = made.product;
    if (o.type == m.type && ir::sameMatrix(o.a, m.a) && ir::sameMatrix(o.b, m.b) &&
        ir::equalIndex(o.rows, m.rows) && ir::equalIndex(o.columns, m.columns) &&
        ir::equalIndex(o.inner, m.inner) && ir::equal(o.alpha, m.alpha) && o.scalesSum == m.scalesSum &&
        o.limits.empty() && m.limits.empty())
      return made.buffer;
  }
  return std::nullopt;
}

/// What `list` writes makes products out of date.
void Finder::forget(const Stmts& list) {
  std::set<Symbol> stored;
  for (const Stmt& s : list) stored.merge(ir::storedBuffers(s));
  std::erase_if(made_, [&](const Made& m) {
    return stored.count(m.product.a.buffer) || stored.count(m.product.b.buffer);
  });
}

/// The sum as an element of a product that `out` computes, or an empty handle.
Expr Finder::throughTemporary(const Nest& nest, const Expr& sum, Stmts& out) {
  const ir::DType type = ir::typeOf(sum);
  std::vector<Term> terms = termsOf(sum);
  if (terms.size() != 1 || terms.front().over.empty() || ir::isBool(type)) return {};
  if (!nest.loops.empty() && readsTarget(nest, terms.front()) && !readsOnlyEarlier(nest)) return {};
  std::optional<Product> p = builder_.build(nest, terms.front(), type);
  if (!p) return {};
  std::vector<size_t> axes = p->roles.rows;
  axes.insert(axes.end(), p->roles.columns.begin(), p->roles.columns.end());
  std::vector<Expr> extents, index;
  for (size_t i : axes) {
    const Axis& axis = p->axes[i];
    extents.push_back(builder_.atLeastZero(axis.boxHi - axis.boxLo));
    auto text = nest.toText.find(axis.index);
    index.push_back((text == nest.toText.end() ? ir::var(axis.index) : text->second) - axis.boxLo);
  }
  // Elements that the nest does not read may hold anything: limits of the target only save work.
  const Product part = *p;
  std::erase_if(p->limits, [](const ir::HalfSpace& h) { return h.inner == 0; });
  ir::Buffer buffer{Symbol("product"), type, extents};
  ir::Matrix target{buffer.name, std::vector<Expr>(axes.size(), ir::intConst(0)),
                    static_cast<int>(p->roles.rows.size()) - 1, static_cast<int>(axes.size()) - 1};
  // The library makes a triangle, or the whole.
  ir::MatMul m = productOf(fitsLibrary(part, target, type) ? part : *p, target, type, ir::constOf(type, 0));
  if (!m.library) m.limits = part.limits;
  std::optional<ir::Buffer> made = findMade(m);
  if (!made) {
    function_.buffers.push_back(buffer);
    out.push_back(ir::makeStmt(nest.span, ir::Alloc{buffer}));
    out.insert(out.end(), p->before.begin(), p->before.end());
    out.push_back(ir::makeStmt(nest.span, m));
    made_.push_back({m, buffer});
    report(m, nest.span);
  }
  return ir::load(made ? *made : buffer, index);
}

Stmts Finder::byTemporaries(const Nest& nest, const Stmt& text) {
  Stmts out;
  bool found = false, readsItself = false;
  std::function<Expr(const Expr&)> replace = [&](const Expr& e) -> Expr {
    if (e.is<ir::Reduce>()) {
      Expr element = throughTemporary(nest, e, out);
      found |= bool(element);
      readsItself |= element && ir::loadedBuffers(e).count(nest.leaf.target);
      return element ? element : e;
    }
    return ir::mapChildren(e, replace);
  };
  if (hasSumLoop(nest)) return {};
  const Stmt store = [&] {
    Stmt body = text;
    while (const auto* loop = body.as<ir::For>()) body = loop->body;
    return body;
  }();
  const auto* index = store.as<ir::IndexStmt>();
  Expr value = replace(index ? index->value : store.as<ir::Store>()->value);
  if (!found) return {};
  const Stmt left = withValue(text, value);
  out.push_back(readsItself ? asPart(left, known_) : left);
  return out;
}

//===--- the pass -----------------------------------------------------------------------------------===//

/// The most axes around a place in `e` that multiplies elements, `axes` of them around `e` itself; -1 without
/// one.
int depthOfProducts(const Expr& e, int axes) {
  int depth = -1;
  ir::visit(e, [&](const Expr& part) {
    const auto* r = part.as<ir::Reduce>();
    if (r) depth = std::max(depth, depthOfProducts(r->body, axes + static_cast<int>(r->over.size())));
    const auto* b = part.as<ir::Binary>();
    if (b && b->op == ir::BinaryOp::Mul && ir::readsMemory(b->lhs) && ir::readsMemory(b->rhs))
      depth = std::max(depth, axes);
    return !r;
  });
  return depth;
}

/// Likewise of a statement: a matrix product has three.
int depthOfProducts(const Stmt& s) {
  if (const auto* loop = s.as<ir::For>()) {
    int inside = depthOfProducts(loop->body);
    return inside < 0 ? inside : inside + 1;
  }
  int depth = -1;
  ir::forEachChild(s, [&](const Stmt& child) { depth = std::max(depth, depthOfProducts(child)); });
  const auto* index = s.as<ir::IndexStmt>();
  int own = index ? static_cast<int>(index->domain.size()) : 0;
  ir::forEachExpr(s, [&](const Expr& value) { depth = std::max(depth, depthOfProducts(value, own)); });
  return depth;
}

struct State {
  ir::Function& function;
  ir::PassContext& ctx;
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

  /// Loops that run down, counting up where their order is free but for that of sums, of which none is asked.
  Stmt freeLoopsUp(const Stmt& s) {
    const auto runsDown = [](const ir::For& loop) { return ir::isConst(loop.step, -1); };
    const auto* loop = s.as<ir::For>();
    if (!loop)
      return ir::any<ir::For>(s, runsDown)
                 ? ir::mapChildren(s, [&](const Stmt& child) { return child ? freeLoopsUp(child) : child; })
                 : s;
    ir::For up = *loop;
    {
      const analysis::Inside inside(known, *loop);
      up.body = freeLoopsUp(loop->body);
    }
    if (runsDown(*loop) && loop->hints.mark == ir::LoopMark::None &&
        (onlyAdds(s) || analysis::judgeParallel(*loop, known, {}).answer == analysis::Answer::Proven)) {
      up.step = ir::intConst(1);
      up.lo = loop->hi + 1, up.hi = loop->lo + 1;
    } else if (up.body == loop->body) {
      return s;
    }
    return ir::makeStmt(s->span, std::move(up));
  }

  Stmt visitFor(const Stmt& s, const ir::For& loop) {
    if (depthOfProducts(s) < 3 || loop.hints.mark == ir::LoopMark::Sequential) return visitBody(s, loop);
    const Stmts pieces = distribute(freeLoopsUp(s), function, known);
    Stmts lowered = lowerPieces(pieces);
    if (!lowered.empty() && pieces.size() > 1)
      ctx.diag.report(
          DiagId::Product, s->span,
          fmt::format("loop `{}` is taken apart, so that products stand alone", loop.index.hint()));
    if (!lowered.empty()) return ir::makeStmt({}, ir::Block{std::move(lowered)});
    return visitBody(s, loop);
  }

  Stmt visitBody(const Stmt& s, const ir::For& loop) {
    if (loop.hints.mark != ir::LoopMark::None || depthOfProducts(loop.body) < 3) return s;
    analysis::Answer answer = analysis::judgeParallel(loop, known, {}).answer;
    if (answer == analysis::Answer::Proven || answer == analysis::Answer::Conditional) return s;
    known.loops.push_back(&loop);
    Stmt out = ir::mapChildren(s, [&](const Stmt& child) { return visit(child); });
    known.loops.pop_back();
    return out;
  }

  Stmt visit(const Stmt& s) {
    if (const auto* loop = s.as<ir::For>()) return visitFor(s, *loop);
    if (s.is<ir::IndexStmt>() && depthOfProducts(s) >= 3) {
      Stmts lowered = lowerPieces({s});
      return lowered.empty() ? s : ir::makeStmt({}, ir::Block{std::move(lowered)});
    }
    Stmt out = ir::mapChildren(s, [&](const Stmt& child) { return visit(child); });
    const auto* list = out.as<ir::Block>();
    if (!list || out == s) return out;
    Finder finder(function, ctx, known);
    return ir::makeStmt(s->span, ir::Block{foldScales(list->body, finder.builder())});
  }
};

/// Temporaries that nothing touches any more go.
void dropUnused(ir::Function& f) {
  std::set<Symbol> used = ir::loadedBuffers(f.body);
  used.merge(ir::storedBuffers(f.body));
  std::set<Symbol> dropped;
  f.body = ir::rewrite(f.body, [&](const Stmt& s) -> Stmt {
    const auto* a = s.as<ir::Alloc>();
    if (!a || used.count(a->buffer.name)) return {};
    dropped.insert(a->buffer.name);
    return ir::block({});
  });
  std::erase_if(f.buffers, [&](const ir::Buffer& b) { return dropped.count(b.name) > 0; });
}

} // namespace

ir::Module findProducts(const ir::Module& module, ir::PassContext& ctx) {
  return ir::eachFunction(module, [&](ir::Function& f) {
    State state{f, ctx, {}};
    state.known = analysis::contextOf(f);
    Stmt body = state.visit(f.body);
    if (body == f.body) return;
    f.body = body;
    dropUnused(f);
  });
}

} // namespace appyc::transform
