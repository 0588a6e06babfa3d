//===- HoistAccumulators.cpp - an element that a loop only collects into becomes a scalar -----------===//
//   for k: X[c] = X[c] + e     =>     acc = X[c];  for k: acc = acc + e;  X[c] = acc        (c does not
//   change in the loop) parallel for k: atomic X[c] += e   =>   part = 0;  for k: part = part + e;  X[c] =
//   X[c] + part
// Outermost loops first: an element that is fixed over a whole nest is loaded and stored once. The element is
// stored even if no iteration has; where it may not exist, or may be another worker's, the loop gets a guard
// or stays as it is. Elements that a loop of few iterations inside tells apart have a scalar each.
// Source: APPy's accumulator hoisting; the atomic form makes the sum deterministic.
//   forces of 2000 bodies, `acc[i] += m[j] * d / r ** 3` for rows of three, f64, an H200: 1.9 ms a step, a thread a body; predicted
//   0.1, lanes share the other bodies and the power is products; measured 0.037
#include "Raises.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

/// An element that does not change in a loop, and the stores into it.
struct Element {
  Symbol buffer;
  std::vector<Expr> index;
  std::optional<ir::ReduceOp> atomicOp;
  ir::DType type = ir::DType::F64;
  Symbol accumulator;
  bool unconditional = false; ///< every iteration stores into it

  bool is(const Symbol& b, const std::vector<Expr>& at) const {
    return b == buffer && ir::equalIndices(at, index);
  }
};

bool isMarkedParallel(const ir::For& loop) {
  return loop.hints.mark == ir::LoopMark::Parallel || loop.hints.mark == ir::LoopMark::ParallelSimd;
}

/// Is every use of the element in the loop a step `X[c] = X[c] op e` of one fold (or an atomic update by one
/// operator)?
class Uses {
public:
  explicit Uses(const Element& e) : element_(e) {}

  bool collect(const Stmt& body) {
    visitStores(body);
    ir::each<ir::Load>(body, [&](const ir::Load& l) { loads_ += element_.is(l.buffer, l.index); });
    return !other_ && loads_ == expected_;
  }

private:
  void visitStores(const Stmt& body) {
    ir::each<ir::Store>(body, [&](const ir::Store& x) {
      if (!element_.is(x.buffer, x.index)) return;
      other_ |= x.atomicOp != element_.atomicOp;
      if (x.atomicOp) return;
      other_ |= !isStep(x.value);
      expected_ += x.value.is<ir::Select>() ? 2 : 1; // `e if e > X[c] else X[c]` names the element twice
    });
  }
  bool isElement(const Expr& e) const {
    const auto* l = e.as<ir::Load>();
    return l && element_.is(l->buffer, l->index);
  }
  /// `X[c] op a op b` with one op throughout; how often X[c] occurs is counted elsewhere.
  bool isStep(const Expr& value) {
    if (const auto* s = value.as<ir::Select>()) return isExtremum(*s);
    const auto* b = value.as<ir::Binary>();
    if (!b) return false;
    using enum ir::BinaryOp;
    ir::BinaryOp op = b->op == Sub ? Add : b->op;
    if (op != Add && op != Mul && op != Min && op != Max) return false;
    if (op_ && *op_ != op) return false;
    op_ = op;
    return isElement(b->lhs) || isStep(b->lhs) || (b->op != Sub && (isElement(b->rhs) || isStep(b->rhs)));
  }

  /// Python's max(X[c], e): what a comparison with NaN gives must be the element, or the order would matter.
  bool isExtremum(const ir::Select& s) {
    const auto* c = s.cond.as<ir::Binary>();
    using enum ir::BinaryOp;
    if (!c || !isElement(s.otherwise) || (c->op != Gt && c->op != Lt)) return false;
    bool straight = ir::equal(c->lhs, s.then) && isElement(c->rhs);
    if (!straight && !(ir::equal(c->rhs, s.then) && isElement(c->lhs))) return false;
    ir::BinaryOp op = (c->op == Gt) == straight ? Max : Min;
    if (op_ && *op_ != op) return false;
    op_ = op;
    return true;
  }

  const Element& element_;
  std::optional<ir::BinaryOp> op_;
  int loads_ = 0, expected_ = 0;
  bool other_ = false;
};

constexpr int64_t kFewColumns = 4; ///< of a loop that is written out

/// The loop's body with each loop of few iterations that tells which elements are updated, `for c in range(3): X[i, c] += e(c)`,
/// written out.
Stmt withColumnsWrittenOut(const ir::For& loop) {
  if (ir::constantTrip(loop)) return loop.body;
  return ir::rewrite(loop.body, [](const Stmt& s) -> Stmt {
    const auto* columns = s.as<ir::For>();
    if (!columns || ir::constantTrip(*columns).value_or(kFewColumns + 1) > kFewColumns ||
        !ir::isUnmarked(*columns) || !columns->reductions.empty() ||
        !ir::consistsOf<ir::Block, ir::Assign, ir::Store, ir::If>(columns->body))
      return {};
    const bool tellsElements = ir::any<ir::Store>(columns->body, [&](const ir::Store& x) {
      return std::any_of(x.index.begin(), x.index.end(),
                         [&](const Expr& e) { return ir::mentions(e, columns->index); });
    });
    return tellsElements ? loops::writtenOut(*columns) : Stmt{};
  });
}

/// The same with each `if a and e > X[c]: X[c] = e` as the step that it is: if a: X[c] = e if e > X[c] else X[c]
Stmt withExtremesAsSteps(const Stmt& body) {
  return ir::rewrite(body, [](const Stmt& s) -> Stmt {
    const auto* branch = s.as<ir::If>();
    const std::vector<Stmt> then = branch ? ir::statementsOf(branch->then) : std::vector<Stmt>{};
    const auto* store = then.size() == 1 && !branch->otherwise ? then[0].as<ir::Store>() : nullptr;
    if (!store || store->atomicOp) return {};
    std::vector<Expr> conditions = ir::conjunctsOf(branch->cond);
    const Expr element = ir::make(ir::Load{ir::typeOf(store->value), store->buffer, store->index});
    const Expr step = ir::select(conditions.back(), store->value, element);
    conditions.pop_back();
    const auto* choice = step.as<ir::Select>();
    if (!choice || !ir::extremeOf(*choice, [&](const Expr& e) { return ir::equal(e, element); })) return {};
    ir::Store stepped = *store;
    stepped.value = step;
    return ir::Builder{s->span}.when(ir::allOf(conditions), ir::makeStmt(s->span, std::move(stepped)));
  });
}

struct Hoisting {
  const ir::Function& function;
  analysis::Context known;

  /// Elements that the loop stores into and that do not change in it.
  std::vector<Element> candidates(const ir::For& loop) const {
    if (mayRaise(loop.body)) return {}; // then the element is as the last iteration left it
    std::set<Symbol> changing = ir::varyingWith(loop), stored = ir::storedBuffers(loop.body),
                     local = ir::allocatedBuffers(loop.body);
    changing.merge(ir::loopIndices(loop.body));
    const auto fixed = [&](const Expr& e) {
      return !ir::mentionsAny(e, changing) && !ir::intersect(ir::loadedBuffers(e), stored);
    };
    std::vector<Element> out;
    ir::visit(loop.body, [&](const Stmt& s) {
      const auto* x = s.as<ir::Store>();
      if (!x || local.count(x->buffer) || !std::all_of(x->index.begin(), x->index.end(), fixed)) return true;
      if (std::any_of(out.begin(), out.end(), [&](const Element& e) { return e.is(x->buffer, x->index); }))
        return true;
      out.push_back({x->buffer, x->index, x->atomicOp, ir::typeOf(x->value),
                     Symbol(x->buffer.hint() + "_value"), false});
      return true;
    });
    for (Element& e : out) e.unconditional = storesAlways(loop.body, e);
    return out;
  }

  static bool storesAlways(const Stmt& s, const Element& element) {
    if (const auto* b = s.as<ir::Block>())
      return std::any_of(b->body.begin(), b->body.end(),
                         [&](const Stmt& child) { return storesAlways(child, element); });
    const auto* x = s.as<ir::Store>();
    return x && element.is(x->buffer, x->index);
  }

  /// May another worker hold the element while this one stores an unchanged value into it?
  bool mayBeShared() const {
    analysis::Context outer{{}, known.sizes};
    for (const ir::For* loop : known.loops) {
      if (isMarkedParallel(*loop) && !analysis::judgeParallel(*loop, outer, {}).isProven()) return true;
      outer.loops.push_back(loop);
    }
    return false;
  }

  bool surelyRuns(const ir::For& loop) const {
    bool up = ir::constantInt(loop.step).value_or(1) > 0;
    Expr count = up ? loop.hi - loop.lo : loop.lo - loop.hi;
    return analysis::isNonNegative(count - 1, known);
  }

  static Stmt replaceUses(const Stmt& body, const std::vector<Element>& elements) {
    auto find = [&](const Symbol& buffer, const std::vector<Expr>& index) {
      return std::find_if(elements.begin(), elements.end(),
                          [&](const Element& e) { return e.is(buffer, index); });
    };
    return ir::rewrite(
        body,
        [&](const Stmt& s) -> Stmt {
          const auto* x = s.as<ir::Store>();
          auto it = x ? find(x->buffer, x->index) : elements.end();
          if (it == elements.end()) return {};
          Expr value = x->atomicOp ? ir::combine(*x->atomicOp, ir::var(it->accumulator, it->type), x->value)
                                   : x->value;
          return ir::makeStmt(s->span, ir::Assign{it->accumulator, value});
        },
        [&](const Expr& e) -> Expr {
          const auto* l = e.as<ir::Load>();
          auto it = l ? find(l->buffer, l->index) : elements.end();
          return it == elements.end() ? Expr{} : ir::var(it->accumulator, it->type);
        });
  }

  Stmt hoist(const ir::For& loop, const ir::Builder& build, const std::vector<Element>& elements,
             bool guarded) const {
    std::vector<Stmt> all, after;
    for (const Element& e : elements) {
      Expr element = ir::make(ir::Load{e.type, e.buffer, e.index}), value = ir::var(e.accumulator, e.type);
      all.push_back(build.assign(e.accumulator, e.atomicOp ? ir::identity(*e.atomicOp, e.type) : element));
      // Inside another loop the other iterations may be updating the element as well.
      bool stayAtomic = e.atomicOp && !known.loops.empty();
      if (e.atomicOp && !stayAtomic) value = ir::combine(*e.atomicOp, element, value);
      after.push_back(
          build.make(ir::Store{e.buffer, e.index, value, stayAtomic ? e.atomicOp : std::nullopt}));
    }
    ir::For inner = ir::withBody(loop, replaceUses(loop.body, elements));
    all.push_back(build.make(inner));
    all.insert(all.end(), after.begin(), after.end());
    bool up = ir::constantInt(loop.step).value_or(1) > 0;
    return build.when(!guarded ? Expr() : up ? loop.lo < loop.hi : loop.lo > loop.hi, std::move(all));
  }

  struct Choice {
    std::vector<Element> elements;
    bool guarded = false;
  };
  /// What can be hoisted out of the loop.
  Choice choose(const ir::For& loop) const {
    const bool marked = isMarkedParallel(loop) || loop.hints.mark == ir::LoopMark::Simd;
    Choice chosen;
    for (const Element& e : candidates(loop)) {
      if (e.atomicOp && !marked) continue;
      if (!Uses(e).collect(loop.body)) continue;
      analysis::Context inside = known;
      inside.loops.push_back(&loop);
      if (analysis::touchesOtherwise(loop.body, e.buffer, e.index, inside)) continue;
      // An atomic update stores what is right whoever else updates the element.
      // A loop that runs zero times would not have read the element.
      bool needsRun =
          !analysis::isInRange(function, e.buffer, e.index, known) || (!e.atomicOp && mayBeShared());
      if (needsRun && !e.unconditional) continue;
      chosen.guarded |= needsRun && !surelyRuns(loop);
      chosen.elements.push_back(e);
    }
    return chosen;
  }

  /// The loop with what can be hoisted out of it, or an empty handle.
  Stmt hoistFrom(const ir::For& loop, Span span) const {
    if (loop.order != ir::Order::Serial || !ir::constantInt(loop.step)) return {};
    Choice choice = choose(loop);
    ir::For from = loop;
    if (const Stmt body = withExtremesAsSteps(withColumnsWrittenOut(loop)); body != loop.body) {
      ir::For plain = ir::withBody(loop, body);
      if (Choice more = choose(plain); more.elements.size() > choice.elements.size())
        choice = std::move(more), from = std::move(plain);
    }
    return choice.elements.empty() ? Stmt{} : hoist(from, {span}, choice.elements, choice.guarded);
  }

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<ir::For>();
    const Stmt hoisted = loop ? hoistFrom(*loop, s->span) : Stmt{};
    return analysis::mapInside(known, hoisted ? hoisted : s, [&](const Stmt& child) { return visit(child); });
  }
};

} // namespace

void hoistAccumulators(ir::Function& f, ir::PassContext&) {
  const ir::Stmt hoisted = Hoisting{f, analysis::contextOf(f)}.visit(f.body);
  if (hoisted == f.body) return;
  f.body = hoisted;
  f.body = ir::withoutIdleScalars(f);
}

} // namespace appyc::transform
