//===- LineNests.cpp - nests that update a matrix by a row and a column of it ---------------------------===//
#include "LineNests.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

const Updated* LineNest::updatedBy(const Symbol& array) const {
  const auto found = std::ranges::find(updated, array, [](const Updated& u) { return u.array.name; });
  return found == updated.end() ? nullptr : &*found;
}

std::optional<Element> LineNest::elementOf(const Updated& u, const Load& l, Expr* line) const {
  for (size_t d = 0; d < l.index.size(); ++d)
    if (d != u.outer && d != u.inner && !equalIndex(l.index[d], u.own[d])) return {};
  const Expr &i = l.index[u.outer], &j = l.index[u.inner];
  const bool ownOuter = equalIndex(i, u.own[u.outer]), ownInner = equalIndex(j, u.own[u.inner]);
  if (ownOuter && ownInner) return Element::Own;
  if (line) *line = ownOuter ? j : i;
  if (ownOuter && isFixed(j)) return Element::Column;
  if (ownInner && isFixed(i)) return Element::Row;
  return {};
}

bool LineNest::isFixed(const Expr& e) const {
  return !readsMemory(e) && !mentionsAny(e, assignedVars(before)) &&
         !mentionsAny(e, assignedVars(inner.body)) && !mentions(e, outer.index) && !mentions(e, inner.index);
}

namespace {

constexpr int64_t kFewLines = 64; ///< of these one thread runs all

class NestReader : LineNest {
public:
  NestReader(const Function& f, const For& loop, const analysis::Context& known)
      : function_(f), known_(known) {
    outer = loop;
  }

  std::optional<LineNest> read() {
    if (!applies()) return {};
    return static_cast<const LineNest&>(*this);
  }

private:
  /// `if c: x = ..; for j: s` as `holds = c; if holds: x = ..; for j: if holds: s`.
  static std::vector<Stmt> withGuardInside(std::vector<Stmt> list) {
    const auto* guard = list.empty() ? nullptr : list.back().as<If>();
    std::vector<Stmt> then = guard && !guard->otherwise ? statementsOf(guard->then) : std::vector<Stmt>{};
    const auto* loop = then.empty() ? nullptr : then.back().as<For>();
    if (!loop) return list;
    const Builder build{list.back()->span};
    const Expr holds = var(Symbol("holds"), DType::Bool);
    const Stmt set = build.assign(holds.as<Var>()->name, guard->cond);
    const Stmt inside = build.make(withBody(*loop, build.when(holds, loop->body)));
    then.pop_back();
    list.back() = set;
    if (!then.empty()) list.push_back(build.when(holds, block(then)));
    list.push_back(inside);
    return list;
  }

  bool applies() {
    std::vector<Stmt> list = withGuardInside(statementsOf(outer.body));
    if (!isPlain(outer) || outer.order != Order::Serial || list.empty() || !list.back().is<For>())
      return false;
    inner = *list.back().as<For>();
    list.pop_back();
    before = inScalars(block(std::move(list)), inner.body);
    if (!isPlain(inner) || mentions(inner.lo, outer.index) || mentions(inner.hi, outer.index) ||
        !consistsOf<Block, Assign, If>(before) || !consistsOf<Block, Assign, Store, If>(inner.body))
      return false;
    assigned_ = assignedVars(before);
    assigned_.merge(assignedVars(inner.body));
    if (!isOpen(outer) || !isOpen(inner) || !hasOwnScalars() || !findUpdated()) return false;
    std::set<Symbol> stored;
    return readsLines(before, true, stored) && readsLines(inner.body, false, stored) && (ofColumn || ofRow) &&
           hasStep(outer, ofRow) && hasStep(inner, ofColumn) && elementsExist();
  }

  static bool isPlain(const For& loop) {
    return loop.hints.mark == LoopMark::None && isConst(loop.step, 1) && loop.reductions.empty();
  }
  bool isOpen(const For& loop) const {
    return isFixed(loop.lo) && isFixed(loop.hi) && constantTrip(loop).value_or(kFewLines) >= kFewLines;
  }

  /// Arrays of one element that a step makes and reads are scalars.
  Stmt inScalars(const Stmt& first, Stmt& inside) {
    std::map<Symbol, Expr> scalars;
    each<Alloc>(first, [&](const Alloc& a) {
      if (a.buffer.extents.empty())
        scalars.emplace(a.buffer.name, var(Symbol(a.buffer.name.hint()), a.buffer.type));
    });
    const auto ofScalar = [&](const Expr& e) -> Expr {
      const auto* l = e.as<Load>();
      const auto found = l ? scalars.find(l->buffer) : scalars.end();
      return found == scalars.end() ? Expr() : found->second;
    };
    const auto set = [&](const Stmt& s) -> Stmt {
      if (const auto* a = s.as<Alloc>(); a && scalars.count(a->buffer.name)) return block({});
      const auto* store = s.as<Store>();
      const auto found = store && !store->atomicOp ? scalars.find(store->buffer) : scalars.end();
      if (found == scalars.end()) return {};
      return makeStmt(s->span, Assign{found->second.as<Var>()->name, store->value});
    };
    inside = rewrite(inside, set, ofScalar);
    for (const auto& [array, scalar] : scalars) gone.insert(array);
    return rewrite(first, set, ofScalar);
  }

  /// Each iteration assigns its scalars before it reads them, and nobody else reads them.
  bool hasOwnScalars() const {
    if (intersect(assigned_, analysis::exposedScalars(before)) || !analysis::handedOn(inner.body).empty() ||
        intersect(assignedVars(inner.body), assignedVars(before)))
      return false;
    const auto isResult = [&](const Result& r) { return assigned_.count(r.name) > 0; };
    if (std::ranges::any_of(function_.results, isResult)) return false;
    const std::set<Symbol> ofText = assignedVars(outer.body); // without what was an array
    int inside = 0, all = 0;
    each<Var>(outer.body, [&](const Var& v) { inside += ofText.count(v.name) > 0; });
    each<Var>(function_.body, [&](const Var& v) { all += ofText.count(v.name) > 0; });
    return inside == all;
  }

  /// Arrays that are stored into, each at its own element alone.
  bool findUpdated() {
    bool fits = true;
    each<Store>(inner.body, [&](const Store& s) {
      const auto known = std::ranges::find(updated, s.buffer, [](const Updated& u) { return u.array.name; });
      if (s.atomicOp) fits = false;
      if (known != updated.end()) {
        fits = fits && equalIndices(known->own, s.index);
        return;
      }
      Updated u{function_.buffer(s.buffer), s.index, 0, 0, false, false, {}, {}};
      int ofOuter = 0, ofInner = 0;
      for (size_t d = 0; d < s.index.size(); ++d) {
        if (equalIndex(s.index[d], var(outer.index)))
          ++ofOuter, u.outer = d;
        else if (equalIndex(s.index[d], var(inner.index)))
          ++ofInner, u.inner = d;
        else
          fits = fits && isFixed(s.index[d]);
      }
      fits = fits && ofOuter == 1 && ofInner == 1;
      updated.push_back(std::move(u));
    });
    return fits && !updated.empty();
  }

  /// Are all reads of updated arrays of these sorts, those of lines before the array is stored into?
  bool readsLines(const Stmt& s, bool early, std::set<Symbol>& stored) {
    bool fits = true;
    const auto read = [&](const Load& l) {
      const Updated* u = updatedBy(l.buffer);
      if (!u || !fits) return;
      Expr line;
      const std::optional<Element> element = elementOf(*u, l, &line);
      const bool own = element == Element::Own;
      fits = element && (own ? !early : !stored.count(l.buffer));
      if (!fits || own) return;
      Expr& known = *element == Element::Column ? ofColumn : ofRow;
      if (!known) known = line;
      fits = equalIndex(known, line);
      Updated& changed = updated[static_cast<size_t>(u - updated.data())];
      (*element == Element::Column ? changed.takesColumn : changed.takesRow) = true;
    };
    forEachExpr(s, [&](const Expr& e) { each<Load>(e, read); });
    forEachChild(s, [&](const Stmt& child) { fits = fits && (!child || readsLines(child, early, stored)); });
    if (const auto* store = s.as<Store>()) stored.insert(store->buffer);
    return fits;
  }
  /// Does the loop come by the line, if there is one?
  bool hasStep(const For& loop, const Expr& line) const {
    return !line || analysis::isInRange(line - loop.lo, intConst(1), loop.hi - loop.lo, known_);
  }

  /// They are read whether a branch asks for them or not.
  bool elementsExist() const {
    analysis::Context inside = known_;
    inside.loops.push_back(&outer);
    inside.loops.push_back(&inner);
    return std::ranges::all_of(updated, [&](const Updated& u) {
      return analysis::isInRange(function_, u.array.name, u.own, inside);
    });
  }

  const Function& function_;
  const analysis::Context& known_;
  std::set<Symbol> assigned_; ///< scalars, by the nest
};

} // namespace

std::optional<LineNest> lineNestOf(const Function& function, const For& loop,
                                   const analysis::Context& known) {
  return NestReader(function, loop, known).read();
}

} // namespace appyc::schedule
