//===- DropCarriedCopies.cpp - scalars that keep what the last step has read, read again --------------------------------===//
//   prev = x[0]                               for i in [1, n):
//   for i in [1, n):                            y[i] = x[i] - x[i - 1]
//     y[i] = x[i] - prev             =>       prev = x[n - 1] if n > 1 else prev        # where somebody reads it
//     prev = x[i]
// Who wrote it has saved a load by a scalar, which makes the loop serial. Only where nothing else is handed on but what a fold
// collects. The converse of scalar replacement (Callahan, Carr and Kennedy, 1990).
//   differences of 10^6 neighbours, an H200: one thread, 27 ms; predicted 0.03, as a call that stores as much takes; measured 0.044
#include "KnownValues.h"
#include "Raises.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;

class CarriedCopies {
public:
  explicit CarriedCopies(const Function& f) : live_(f) {}

  Stmt visit(const Stmt& s) {
    if (const auto* b = s.as<Block>()) return visitBlock(s, *b);
    const Stmt inside = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    const Stmt made = inside.is<For>() ? withoutCopies(s, *inside.as<For>(), {}) : Stmt();
    return made ? made : inside;
  }

private:
  /// A scalar that each iteration hands on, and what it is, in an iteration's terms.
  struct Copy {
    Symbol name;
    Expr value;
  };

  Stmt visitBlock(const Stmt& s, const Block& b) {
    std::vector<Stmt> out;
    for (const Stmt& child : b.body) {
      const bool isLoop = child.is<For>();
      const Stmt inside =
          isLoop ? mapChildren(child, [&](const Stmt& inner) { return visit(inner); }) : visit(child);
      const Stmt made = isLoop ? withoutCopies(child, *inside.as<For>(), out) : Stmt();
      if (made) dropUnread(out, child, made);
      const std::vector<Stmt> parts = made ? statementsOf(made) : std::vector<Stmt>{inside};
      out.insert(out.end(), parts.begin(), parts.end());
    }
    return out == b.body ? s : makeStmt(s->span, Block{std::move(out)});
  }

  /// What the scalars were before the loop, where nobody asks any more.
  void dropUnread(std::vector<Stmt>& before, const Stmt& loop, const Stmt& made) const {
    std::set<Symbol> read = live_.after(loop), asked = analysis::exposedScalars(loop);
    read.merge(analysis::exposedScalars(made));
    for (size_t k = before.size(); k-- > 0;) {
      const auto* a = before[k].as<Assign>();
      if (!a) return;
      if (asked.count(a->var) && !read.count(a->var))
        before.erase(before.begin() + static_cast<std::ptrdiff_t>(k));
      else
        read.merge(analysis::exposedScalars(before[k]));
    }
  }

  /// The value in terms of the iteration alone, as far as scalars that are assigned once, before, say; nothing where it is made
  /// of more.
  static Expr resolved(const Expr& value, const std::vector<Stmt>& body, size_t at,
                       const std::set<Symbol>& changing, const std::map<Symbol, int>& counts) {
    Expr e = value;
    for (size_t k = at; k-- > 0;)
      if (const auto* a = body[k].as<Assign>(); a && counts.at(a->var) == 1 && mentions(e, a->var))
        e = substitute(e, {{a->var, a->value}});
    return mentionsAny(e, changing) ? Expr() : e;
  }

  static bool isFold(const Stmt& body, const Symbol& name) {
    bool folds = true;
    each<Assign>(body, [&](const Assign& a) {
      const auto* b = a.value.as<Binary>();
      const bool takes = b && ((b->lhs.is<Var>() && b->lhs.as<Var>()->name == name) ||
                               (b->rhs.is<Var>() && b->rhs.as<Var>()->name == name));
      folds = folds && (a.var == name ? takes : !mentions(a.value, name));
    });
    return folds;
  }

  std::vector<Copy> copiesIn(const For& loop, const std::vector<Stmt>& body) const {
    std::set<Symbol> changing = assignedVars(loop.body);
    const std::set<Symbol> stored = storedBuffers(loop.body);
    const std::map<Symbol, int> counts = writersIn(loop.body);
    std::vector<Copy> copies;
    for (const Symbol& name : analysis::handedOn(loop.body)) {
      const auto isIts = [&](const Stmt& s) { return s.is<Assign>() && s.as<Assign>()->var == name; };
      const auto it = std::find_if(body.begin(), body.end(), isIts);
      const Expr value = it != body.end() && counts.at(name) == 1
                             ? resolved((*it).as<Assign>()->value, body,
                                        static_cast<size_t>(it - body.begin()), changing, counts)
                             : Expr();
      const bool isPlain = value && !has<Apply>(value) && !intersect(loadedBuffers(value), stored);
      if (isPlain)
        copies.push_back({name, value});
      else if (!isFold(loop.body, name))
        return {};
    }
    return copies;
  }

  /// What the scalar is assigned before the loop, in terms that are the same there.
  static Expr valueBefore(const Symbol& name, const std::vector<Stmt>& before) {
    std::set<Symbol> since;
    for (auto s = before.rbegin(); s != before.rend(); ++s) {
      const auto* a = s->as<Assign>();
      if (!a) return {};
      if (a->var == name) return mentionsAny(a->value, since) ? Expr() : a->value;
      since.insert(a->var);
    }
    return {};
  }

  /// `s`: the loop as it was. `before`: what stands in front of it.
  Stmt withoutCopies(const Stmt& s, const For& loop, const std::vector<Stmt>& before) const {
    const auto step = constantInt(loop.step);
    if (loop.order != Order::Serial || !isUnmarked(loop) || !loop.reductions.empty() || !step ||
        std::abs(*step) != 1 || mayRaise(loop.body))
      return {};
    const std::vector<Stmt> body = statementsOf(loop.body);
    const std::vector<Copy> copies = copiesIn(loop, body);
    if (copies.empty()) return {};
    std::map<Symbol, Expr> read; // by an iteration, before it is assigned
    std::vector<Stmt> out, after;
    For made = loop;
    const Expr index = var(loop.index);
    for (const Copy& c : copies) {
      const Expr last = substitute(c.value, {{loop.index, index - loop.step}});
      const Expr first = valueBefore(c.name, before),
                 atFirst = substitute(c.value, {{loop.index, loop.lo - loop.step}});
      const Expr own = var(c.name, typeOf(c.value));
      read[c.name] =
          first && equal(first, atFirst) ? last : select(binary(BinaryOp::Ne, index, loop.lo), last, own);
      if (!live_.after(s).count(c.name)) continue;
      const Expr ran = *step > 0 ? loop.lo < loop.hi : loop.lo > loop.hi;
      const Expr end = substitute(c.value, {{loop.index, loop.hi - loop.step}});
      after.push_back(makeStmt(s->span, Assign{c.name, select(ran, end, own)}));
    }
    std::vector<Stmt> rest;
    for (const Stmt& part : body) {
      const auto* a = part.as<Assign>();
      const auto c = std::find_if(copies.begin(), copies.end(),
                                  [&](const Copy& copy) { return a && copy.name == a->var; });
      if (c == copies.end())
        rest.push_back(substitute(part, read));
      else
        read[c->name] = c->value; // from here on in the same iteration
    }
    made.body = block(std::move(rest));
    out.push_back(makeStmt(s->span, std::move(made)));
    out.insert(out.end(), after.begin(), after.end());
    return block(std::move(out));
  }

  analysis::Liveness live_;
};

} // namespace

void dropCarriedCopies(Function& f, PassContext&) { f.body = CarriedCopies(f).visit(f.body); }

} // namespace appyc::transform
