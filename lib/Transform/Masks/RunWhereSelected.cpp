//===- RunWhereSelected.cpp - loops over what a mask selects run over all, under the mask -------------------===//
//   for i in range(N):                       =>   for i in range(N):
//     if mask(i): found[n] = i; n += 1              if mask(i): n += 1
//   for k in range(n): t[k, j] = a[found[k], j]   for j: for i in range(N):
//   for j: for k in range(n): s += t[k, j]          if mask(i): s += a[i, j]
//   for k in range(n): u[k] = b[found[k]]         for i in range(N): if mask(i): u[i] = b[i]
// Done where no list of the selected is needed any more: whoever reads `found`, and what is copied by it, is a loop
// over all of it that needs its number for nothing else: what is kept of each point by its number is kept by the point. Two
// selections by one mask are one. The order stays. A list costs a serial loop of each worker, or
// three kernels and a wait of the host for its length; a test costs a load, of what neighbours test as well.
//   k-means (points[labels == c].mean(axis=0)), 20000 x 8, 16 groups, ten rounds, an H100: 43 ms, predicted 2, with what
//     distribute-folds and fit-threads make of it 0.43
#include "Selections.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {

namespace {

using namespace ir;
using List = std::vector<Stmt>;
using Indices = std::vector<Expr>;

constexpr int kMostRuns = 4; ///< loops that test the mask again

/// The statements behind the selection, as they run without its lists.
class Unlisted {
public:
  Unlisted(Selection selection, std::map<Symbol, Buffer> own)
      : selection_(std::move(selection)), own_(std::move(own)) {}

  /// None if some list is still needed.
  std::optional<List> run(const List& rest) {
    for (const Stmt& s : rest) {
      if (isNumber(s)) selection_.numbers.insert(s.as<Assign>()->var);
      if (has<Swap>(s) || has<Routine>(s)) return std::nullopt;
    }
    List out;
    for (const Stmt& s : rest) out.push_back(rewritten(s));
    if (runs_ == 0 || runs_ > kMostRuns) return std::nullopt;
    const std::set<Symbol> read = selection_.reads(), scalars = selection_.scalars();
    for (const Stmt& s : out) {
      const std::set<Symbol> stored = storedBuffers(s), loaded = loadedBuffers(s);
      const auto isListed = [&](const std::set<Symbol>& of) {
        return std::any_of(of.begin(), of.end(),
                           [&](const Symbol& b) { return selection_.items.count(b) > 0; });
      };
      if (isListed(stored) || isListed(loaded) || intersect(stored, read)) return std::nullopt;
      const auto isByNumber = [&](const auto& array) {
        return stored.count(array.first) > 0 || loaded.count(array.first) > 0;
      };
      if (std::any_of(byPoint_.begin(), byPoint_.end(), isByNumber)) return std::nullopt;
      if (intersect(assignedVars(s), scalars) ||
          (!isNumber(s) && intersect(assignedVars(s), selection_.numbers)))
        return std::nullopt;
    }
    return out;
  }
  const Selection& selection() const { return selection_; }
  /// Arrays that were indexed by number, and those by point that stand for them.
  const std::map<Symbol, Buffer>& byPoint() const { return byPoint_; }
  bool isNumber(const Stmt& s) const {
    const auto* a = s.as<Assign>();
    return a && a->var != selection_.count && equal(a->value, var(selection_.count));
  }

private:
  Stmt rewritten(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop || !isOverSelected(*loop))
      return mapChildren(s, [&](const Stmt& child) { return rewritten(child); });
    if (isCopy(*loop)) return block({});
    // The points get names of this loop's own.
    std::map<Symbol, Expr> point;
    std::vector<Symbol> index;
    for (const For* of : selection_.nest) {
      index.emplace_back(of->index.hint());
      point[of->index] = var(index.back());
    }
    Stmt body =
        byPoints(onPoints(unstretched(loop->body, loop->index), loop->index, point), loop->index, index);
    if (mentionsAny(body, {loop->index})) return s;
    ++runs_;
    body = makeStmt(s->span, If{substitute(selection_.mask, point), body, {}});
    for (size_t k = selection_.nest.size(); k-- > 0;) {
      For all = *loop;
      all.index = index[k];
      all.hi = substitute(selection_.nest[k]->hi, point);
      all.body = body;
      body = makeStmt(s->span, std::move(all));
    }
    return body;
  }

  bool isNumber(const Expr& e) const {
    const auto* v = e.as<Var>();
    return v && selection_.numbers.count(v->name) > 0;
  }
  bool isOverSelected(const For& loop) const {
    return isNumber(loop.hi) && isConst(loop.lo, 0) && isConst(loop.step, 1) &&
           loop.hints.mark == LoopMark::None;
  }
  /// Of n places, `0 if n == 1 else place` is the place.
  Stmt unstretched(const Stmt& body, const Symbol& place) const {
    return rewrite(body, nullptr, [&](const Expr& e) -> Expr {
      const auto* select = e.as<Select>();
      const auto* asked = select ? select->cond.as<Binary>() : nullptr;
      const bool isStretch = asked && asked->op == BinaryOp::Eq && isNumber(asked->lhs) &&
                             isConst(asked->rhs, 1) && isConst(select->then, 0) &&
                             equal(select->otherwise, var(place));
      return isStretch ? select->otherwise : Expr();
    });
  }

  /// `t[k, j] = ...` of all selected: then `t` is one more list.
  bool isCopy(const For& loop) {
    const auto [inner, body] = loops::perfectNest(loop.body);
    const auto* store = body.as<Store>();
    if (!store || store->atomicOp || !own_.count(store->buffer) || store->index.size() != inner.size() + 1 ||
        !equal(store->index[0], var(loop.index)))
      return false;
    Item item;
    for (size_t k = 0; k < inner.size(); ++k) {
      if (!equal(store->index[k + 1], var(inner[k]->index)) || !isConst(inner[k]->lo, 0) ||
          !isConst(inner[k]->step, 1))
        return false;
      item.inner.push_back(inner[k]->index);
    }
    item.value = onPoints(store->value, loop.index, {});
    bool isCheap = true;
    visitThrough(item.value, [&](const Expr& e) {
      const auto* c = e.as<Call>();
      return isCheap &= !e.is<Apply>() && (!c || c->fn == Intrinsic::WrapIndex);
    });
    return !mentions(item.value, loop.index) && isCheap &&
           selection_.items.try_emplace(store->buffer, std::move(item)).second;
  }

  /// Arrays made beside the selection that are indexed by `place` are indexed by the point instead, which there is room for.
  Stmt byPoints(const Stmt& body, const Symbol& place, const std::vector<Symbol>& index) {
    Expr point = intConst(0), room = intConst(1);
    for (size_t k = 0; k < index.size(); ++k) {
      point = point * selection_.nest[k]->hi + var(index[k]);
      room = room * selection_.nest[k]->hi;
    }
    return loops::contracted(
        body, [&](const Symbol& array, const Indices& at) -> std::optional<loops::Element> {
          const auto found = own_.find(array);
          const auto isPlace = [&](const Expr& e) { return equal(e, var(place)); };
          const auto by = std::find_if(at.begin(), at.end(), isPlace);
          if (found == own_.end() || by == at.end()) return std::nullopt;
          const auto axis = static_cast<size_t>(by - at.begin());
          Buffer own = found->second;
          if (!equalIndex(own.extents[axis], room) && !isNumber(own.extents[axis])) return std::nullopt;
          own.name = Symbol(array.hint());
          own.extents[axis] = room;
          Indices moved = at;
          moved[axis] = point;
          return loops::Element{byPoint_.try_emplace(array, own).first->second.name, moved};
        });
  }

  /// With what the lists hold at `place` in place of their elements there.
  template <class Tree>
  Tree onPoints(const Tree& tree, const Symbol& place, const std::map<Symbol, Expr>& point) {
    const auto rule = [&](const Expr& e) -> Expr {
      if (const auto* c = e.as<Call>(); c && c->fn == Intrinsic::WrapIndex) return wrapped(*c, point);
      const auto* load = e.as<Load>();
      const auto item = load ? selection_.items.find(load->buffer) : selection_.items.end();
      if (item == selection_.items.end() || !equal(load->index[0], var(place))) return {};
      std::map<Symbol, Expr> given = point;
      for (size_t k = 0; k < item->second.inner.size(); ++k)
        given[item->second.inner[k]] = load->index[k + 1];
      return substitute(item->second.value, given);
    };
    if constexpr (std::is_same_v<Tree, Stmt>)
      return rewrite(tree, nullptr, rule);
    else
      return rewrite(tree, rule);
  }

  /// A point's index counts from 0.
  Expr wrapped(const Call& c, const std::map<Symbol, Expr>& point) const {
    for (const For* loop : selection_.nest) {
      const auto named = point.find(loop->index);
      const Expr index = named == point.end() ? var(loop->index) : named->second;
      if (equal(c.args[0], index) && equalIndex(c.args[1], loop->hi)) return c.args[0];
    }
    return {};
  }

  Selection selection_;
  std::map<Symbol, Buffer> own_; ///< arrays that are made beside the selection
  std::map<Symbol, Buffer> byPoint_;
  int runs_ = 0;
};

class Lists : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    const Stmt inside = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    const auto* list = inside.as<Block>();
    if (!list) return inside;
    List body = list->body;
    bool changed = joinSelections(body, function_);
    for (size_t at = 0; at < body.size(); ++at) changed |= withoutList(body, at, s);
    return changed ? block(std::move(body)) : inside;
  }

private:
  bool withoutList(List& body, size_t at, const Stmt& original) {
    std::optional<Selection> selection = selectionOf(body[at]);
    if (!selection) return false;
    std::map<Symbol, Buffer> own;
    for (const Stmt& s : body)
      if (const auto* alloc = s.as<Alloc>()) own.emplace(alloc->buffer.name, alloc->buffer);
    for (size_t k = 0; k < at; ++k) // what has elements before keeps them
      std::erase_if(own, [&, stored = storedBuffers(body[k])](const auto& array) {
        return stored.count(array.first) > 0;
      });
    const bool isOwn = std::all_of(selection->items.begin(), selection->items.end(),
                                   [&](const auto& item) { return own.count(item.first) > 0; });
    if (!isOwn) return false;
    Unlisted unlisted(std::move(*selection), std::move(own));
    std::optional<List> rest =
        unlisted.run(List(body.begin() + static_cast<std::ptrdiff_t>(at) + 1, body.end()));
    if (!rest) return false;
    const Selection& done = unlisted.selection();
    for (const auto& [buffer, item] : done.items)
      ctx_.diag.report(
          DiagId::Fused, body[at]->span,
          fmt::format("`{}` is not stored: loops over what is selected run where it is", buffer.hint()));
    const bool isCounted =
        mentions(done, *rest) || occurrences(done, function_.body) > occurrences(done, original);
    const auto isDead = [&](const Stmt& s) {
      const auto* alloc = s.as<Alloc>();
      const auto* a = s.as<Assign>();
      return (alloc && (done.items.count(alloc->buffer.name) > 0 ||
                        unlisted.byPoint().count(alloc->buffer.name) > 0)) ||
             (a && !isCounted && done.numbers.count(a->var) > 0);
    };
    for (const auto& [buffer, made] : unlisted.byPoint()) function_.buffers.push_back(made);
    List out;
    for (size_t k = 0; k < at; ++k)
      if (!isDead(body[k])) out.push_back(body[k]);
    for (const auto& [buffer, made] : unlisted.byPoint())
      out.push_back(makeStmt(body[at]->span, Alloc{made}));
    if (isCounted) out.push_back(counting(done, body[at]));
    for (const Stmt& s : *rest)
      if (!isDead(s)) out.push_back(s);
    std::erase_if(function_.buffers, [&](const Buffer& b) {
      return done.items.count(b.name) > 0 || unlisted.byPoint().count(b.name) > 0;
    });
    body = std::move(out);
    return true;
  }

  /// Does something behind the selection ask how many there are?
  static bool mentions(const Selection& done, const List& rest) {
    return std::any_of(rest.begin(), rest.end(), [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      return !(a && done.numbers.count(a->var) > 0) && occurrences(done, s) > 0;
    });
  }
  static int occurrences(const Selection& done, const Stmt& s) {
    int found = 0;
    each<Var>(s, [&](const Var& v) { found += done.numbers.count(v.name) > 0; });
    return found;
  }

  /// The selection's loop, which counts only.
  static Stmt counting(const Selection& done, const Stmt& loop) {
    return rewrite(loop, [&](const Stmt& s) -> Stmt {
      const auto* store = s.as<Store>();
      return store && done.items.count(store->buffer) > 0 ? block({}) : Stmt();
    });
  }
};

} // namespace

void runWhereSelected(Function& f, PassContext& ctx) { f.body = Lists(f, ctx).visit(f.body); }

} // namespace appyc::transform
