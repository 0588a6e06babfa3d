//===- HoistAccumulators.cpp - an element that a loop only collects into becomes a scalar --------------------------===//
//   for k: X[c] = X[c] + e     =>     acc = X[c];  for k: acc = acc + e;  X[c] = acc        (c does not change in the loop)
//   parallel for k: atomic X[c] += e   =>   part = 0;  for k: part = part + e;  X[c] = X[c] + part
// Source: APPy's accumulator hoisting; the atomic form makes the sum deterministic.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

/// The one element of a buffer that a loop touches, always in the same way.
struct Target {
  const ir::Store* store = nullptr;
  bool valid = true;
};

bool sameElement(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!ir::equalIndex(a[i], b[i])) return false;
  return true;
}

struct State {
  const ir::Function& function;
  analysis::Context known;

  /// Stores of the loop by buffer; invalid when the buffer is also touched elsewhere or the element changes.
  std::map<Symbol, Target> targets(const ir::For& loop) {
    std::map<Symbol, Target> out;
    std::set<Symbol> changing = ir::assignedVars(loop.body), stored = ir::storedBuffers(loop.body);
    changing.insert(loop.index);
    ir::visit(loop.body, [&](const Stmt& s) {
      if (const auto* f = s.as<ir::For>()) changing.insert(f->index);
      if (const auto* a = s.as<ir::Alloc>()) out[a->buffer.name].valid = false;
      return true;
    });
    auto invariant = [&](const std::vector<Expr>& index) {
      for (const Expr& e : index) {
        for (Symbol v : ir::freeVars(e))
          if (changing.count(v)) return false;
        for (Symbol b : ir::loadedBuffers(e))
          if (stored.count(b)) return false;
      }
      return true;
    };
    ir::visit(
        loop.body,
        [&](const Stmt& s) {
          const auto* store = s.as<ir::Store>();
          if (!store) return true;
          Target& t = out[store->buffer];
          t.valid &= invariant(store->index) && !store->index.empty();
          if (t.store) t.valid &= sameElement(t.store->index, store->index) && t.store->atomicOp == store->atomicOp;
          t.store = store;
          return true;
        },
        nullptr);
    ir::visit(loop.body, [](const Stmt&) { return true; }, [&](const Expr& e) {
      const auto* l = e.as<ir::Load>();
      auto it = l ? out.find(l->buffer) : out.end();
      if (it != out.end() && it->second.store) it->second.valid &= !it->second.store->atomicOp && sameElement(l->index, it->second.store->index);
      return true;
    });
    return out;
  }

  /// May the element be read although the loop runs zero times?
  bool surelyExists(const ir::Store& store) const {
    auto it = std::find_if(function.buffers.begin(), function.buffers.end(), [&](const ir::Buffer& b) { return b.name == store.buffer; });
    if (it == function.buffers.end() || it->extents.size() != store.index.size()) return false;
    for (size_t d = 0; d < store.index.size(); ++d) {
      if (ir::readsMemory(store.index[d])) return false;
      if (!analysis::isNonNegative(store.index[d], known)) return false;
      if (!analysis::isNonNegative(ir::sub(ir::sub(it->extents[d], ir::intConst(1)), store.index[d]), known)) return false;
    }
    return true;
  }

  Stmt hoist(const ir::For& loop, Span span, const std::vector<const ir::Store*>& stores) {
    std::map<Symbol, std::pair<Symbol, ir::DType>> accumulators;
    std::vector<Stmt> before, after;
    bool guarded = false;
    for (const ir::Store* store : stores) {
      ir::DType type = ir::typeOf(store->value);
      Symbol acc(store->buffer.hint() + "_value");
      accumulators[store->buffer] = {acc, type};
      Expr element = ir::make(ir::Load{type, store->buffer, store->index}), value = ir::var(acc, type);
      before.push_back(ir::makeStmt(span, ir::Assign{acc, store->atomicOp ? ir::identity(*store->atomicOp, type) : element}));
      Expr finish = store->atomicOp ? ir::combine(*store->atomicOp, element, value) : value;
      after.push_back(ir::makeStmt(span, ir::Store{store->buffer, store->index, finish, std::nullopt}));
      guarded |= !surelyExists(*store);
    }
    ir::For inner = loop;
    inner.body = ir::rewrite(
        loop.body,
        [&](const Stmt& s) -> Stmt {
          const auto* x = s.as<ir::Store>();
          auto it = x ? accumulators.find(x->buffer) : accumulators.end();
          if (it == accumulators.end()) return {};
          auto [acc, type] = it->second;
          return ir::makeStmt(s->span, ir::Assign{acc, x->atomicOp ? ir::combine(*x->atomicOp, ir::var(acc, type), x->value) : x->value});
        },
        [&](const Expr& e) -> Expr {
          const auto* l = e.as<ir::Load>();
          auto it = l ? accumulators.find(l->buffer) : accumulators.end();
          return it == accumulators.end() ? Expr{} : ir::var(it->second.first, it->second.second);
        });
    std::vector<Stmt> all = std::move(before);
    all.push_back(ir::makeStmt(span, inner));
    all.insert(all.end(), after.begin(), after.end());
    if (!guarded) return ir::block(std::move(all));
    bool up = ir::constantInt(loop.step).value_or(1) > 0;
    return ir::makeStmt(span, ir::If{ir::binary(up ? ir::BinaryOp::Lt : ir::BinaryOp::Gt, loop.lo, loop.hi), ir::block(std::move(all)), {}});
  }

  /// Collecting: every use of the element in the loop is `X[c] = X[c] op e` with one op.
  static bool collects(const ir::For& loop, const ir::Store& store) {
    int loads = 0, updates = 0;
    std::optional<ir::BinaryOp> op;
    bool other = false;
    ir::visit(
        loop.body,
        [&](const Stmt& s) {
          const auto* x = s.as<ir::Store>();
          if (!x || !(x->buffer == store.buffer)) return true;
          ++updates;
          if (x->atomicOp) return true;
          const auto* b = x->value.as<ir::Binary>();
          auto isElement = [&](const Expr& e) {
            const auto* l = e.as<ir::Load>();
            return l && l->buffer == store.buffer;
          };
          bool collective = b && (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Mul || b->op == ir::BinaryOp::Min ||
                                  b->op == ir::BinaryOp::Max || (b->op == ir::BinaryOp::Sub && isElement(b->lhs)));
          other |= !collective || (!isElement(b->lhs) && !isElement(b->rhs)) || (op && *op != b->op);
          if (b) op = b->op;
          return true;
        },
        [&](const Expr& e) {
          const auto* l = e.as<ir::Load>();
          loads += l && l->buffer == store.buffer;
          return true;
        });
    return !other && (store.atomicOp ? loads == 0 : loads == updates);
  }

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<ir::For>();
    if (loop) known.loops.push_back(loop);
    Stmt inside = ir::mapChildren(s, [&](const Stmt& child) { return visit(child); });
    if (loop) known.loops.pop_back();
    loop = inside.as<ir::For>();
    if (!loop || loop->order != ir::Order::Serial || !ir::constantInt(loop->step)) return inside;
    std::vector<const ir::Store*> stores;
    for (const auto& [buffer, target] : targets(*loop))
      if (target.valid && target.store && collects(*loop, *target.store) && (marksSimdOrParallel(*loop) || !target.store->atomicOp))
        stores.push_back(target.store);
    return stores.empty() ? inside : hoist(*loop, s->span, stores);
  }
  static bool marksSimdOrParallel(const ir::For& loop) {
    return loop.mark == ir::LoopMark::Parallel || loop.mark == ir::LoopMark::ParallelSimd || loop.mark == ir::LoopMark::Simd;
  }
};

} // namespace

ir::Module hoistAccumulators(const ir::Module& module, ir::PassContext&) {
  ir::Module out = module;
  for (ir::Function& f : out.functions) {
    State state{f, {}};
    for (const ir::Size& size : f.sizes) state.known.sizes.insert(size.name);
    f.body = state.visit(f.body);
  }
  return out;
}

} // namespace appyc::transform
