//===- ShareFolds.cpp - a fold whose value is there is not computed again ------------------------------===//
//   m[i] = sum(x[i, k] for k) / n                        m[i] = sum(x[i, k] for k) / n
//   t[i] = sum(x[i, k] for k) / n               =>       v[i] = sum((x[i, k] - m[i]) ** 2 for k)
//   v[i] = sum((x[i, k] - t[i]) ** 2 for k)
//   a = sum(y[k] for k); b = sqrt(sum(y[k] for k))  =>   total = sum(y[k] for k); a = total; b = sqrt(total)
// As `(x - x.mean(axis=0)) / x.std(axis=0)` has the means twice, once within `std`. A value is there until what it is made of
// changes; what branches and loops compute is there to their end.
#include "Fillings.h"
#include "KnownValues.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

/// A scalar, or an array with these axes and others of one element, and what it is, by names for its indices.
struct Holder {
  Symbol name;
  Expr value;
  std::vector<size_t> axes;
  std::vector<Expr> extents; ///< of these axes
  size_t rank = 0;
  bool isArray = false;
};

class Sharing : public InOrder<Holder> {
public:
  Sharing(Function& f, PassContext& ctx)
      : function_(f), ctx_(ctx), interface_(interfaceOf(f)), writers_(writersIn(f.body)) {}

private:
  using Domain = std::vector<Range>;
  /// Is it made of folds, as `total / n`, and of nothing that is as large as what they fold?
  bool isOfFolds(const Expr& e) const {
    const std::set<Symbol> arrays = loadedBuffers(e);
    return has<Reduce>(e) ||
           (std::ranges::all_of(arrays, [&](const Symbol& a) { return folds_.contains(a); }) &&
            (!arrays.empty() || mentionsAny(e, folds_)));
  }

  /// What an expression is, by names for the indices that it depends on.
  Holder valueOf(const Expr& e, const Domain& domain) {
    Holder v;
    std::map<Symbol, Expr> renamed;
    for (size_t d = 0; d < domain.size(); ++d) {
      if (!mentions(e, domain[d].index)) continue;
      renamed[domain[d].index] = var(names_[v.axes.size()]);
      v.axes.push_back(d);
      v.extents.push_back(domain[d].extent);
    }
    v.value = names_.canonical(substitute(e, renamed), v.axes.size());
    return v;
  }

  /// What gives a scalar, or all elements of an array, a value that is made of folds.
  std::optional<Holder> holderOf(const Stmt& s) {
    if (const auto* a = s.as<Assign>(); a && isOfFolds(a->value)) {
      Holder h = valueOf(a->value, {});
      h.name = a->var;
      return h;
    }
    const auto* i = s.as<IndexStmt>();
    const Buffer* array = i ? function_.findBuffer(i->target) : nullptr;
    if (!array || array->onChip || i->atomicOp || !isOfFolds(i->value) || array->type != typeOf(i->value) ||
        !storesEach(*i, array->extents))
      return std::nullopt;
    Holder h = valueOf(i->value, i->domain);
    h.name = i->target;
    h.rank = array->extents.size();
    h.isArray = true;
    for (size_t d = 0; d < h.rank; ++d) {
      const bool isOne = isConst(array->extents[d], 1);
      if (!isOne && std::ranges::find(h.axes, d) == h.axes.end()) return std::nullopt;
    }
    return h;
  }

  const Holder* known(const Holder& v) const {
    const auto it = std::ranges::find_if(known_, [&](const Holder& h) {
      return equalIndices(h.extents, v.extents) && equal(h.value, v.value);
    });
    return it == known_.end() ? nullptr : &*it;
  }

  /// What is held, at the place with these indices of the axes.
  static Expr at(const Holder& h, const std::vector<Expr>& indices) {
    if (!h.isArray) return var(h.name, typeOf(h.value));
    std::vector<Expr> place(h.rank, intConst(0));
    for (size_t n = 0; n < indices.size(); ++n) place[h.axes[n]] = indices[n];
    return make(Load{typeOf(h.value), h.name, std::move(place)});
  }

  /// The expression with what is held somewhere read from there.
  Expr withHeld(const Expr& e, const Domain& domain, Span span) {
    if (!isOfFolds(e) || e.is<Var>() || e.is<Load>()) return e;
    if (const Expr held = heldAs(e, domain, span)) return held;
    const Expr inner = mapChildren(e, [&](const Expr& child) { return withHeld(child, domain, span); });
    const Expr held = inner == e ? Expr() : heldAs(inner, domain, span);
    return held ? held : inner;
  }

  Expr heldAs(const Expr& e, const Domain& domain, Span span) {
    const Holder v = valueOf(e, domain);
    const Holder* h = known(v);
    if (!h) return {};
    if (has<Reduce>(e))
      ctx_.diag.report(DiagId::Shared, span,
                       "what is folded here has been computed before, as `" + h->name.hint() + "`");
    std::vector<Expr> indices;
    for (const size_t d : v.axes) indices.push_back(var(domain[d].index));
    return at(*h, indices);
  }

  void branch(std::vector<Stmt>& list, size_t& at) override {
    const Stmt s = list[at];
    list[at] = mapExprs(s, [&](const Expr& e) { return withHeld(e, domainOf(s), s->span); });
    nameFolds(list, at);
  }

  void leaf(std::vector<Stmt>& list, size_t& at) override {
    const std::optional<Holder> before = holderOf(list[at]);
    branch(list, at);
    const std::optional<Holder> h = holderOf(list[at]);
    forget(changedBy(list[at]));
    if (h) remember(*h);
    if (before && isHeld(list[at])) dropCopy(list, at, *before);
  }

  bool endsBy(const Holder& h, const std::set<Symbol>& changed) const override {
    return changed.contains(h.name) || dependsOn(h.value, changed);
  }

  void remember(const Holder& h) {
    if (writers_[h.name] != 1 || dependsOn(h.value, {h.name})) return;
    folds_.insert(h.name);
    if (!h.value.is<Var>() && !h.value.is<Load>()) known_.push_back(h);
  }

  static bool isHeld(const Stmt& s) {
    const auto* a = s.as<Assign>();
    const Expr& value = a ? a->value : s.as<IndexStmt>()->value;
    return value.is<Var>() || value.is<Load>();
  }

  /// Has all that reads what list[at] copies read the original, if that is behind it.
  void dropCopy(std::vector<Stmt>& list, size_t& at, const Holder& copy) {
    if (interface_.contains(copy.name) || writers_[copy.name] != 1) return;
    const auto reads = [&](const Stmt& s) {
      return copy.isArray ? countUses(s, copy.name) : countReads(s, copy.name);
    };
    int behind = 0, loads = 0;
    std::set<Symbol> changed;
    for (size_t k = at + 1; k < list.size(); ++k) {
      behind += reads(list[k]);
      loads += copy.isArray ? countLoads(list[k], copy.name) : reads(list[k]);
      changed.merge(changedBy(list[k]));
    }
    const auto* a = list[at].as<Assign>();
    const Expr value = a ? a->value : list[at].as<IndexStmt>()->value;
    if (behind != reads(function_.body) || behind != loads || dependsOn(value, changed)) return;
    const Domain domain = domainOf(list[at]);
    for (size_t k = at + 1; k < list.size(); ++k)
      list[k] = !copy.isArray ? substitute(list[k], {{copy.name, value}})
                              : replace<Load>(list[k], [&](const Load& l) {
                                  if (l.buffer != copy.name) return Expr();
                                  std::map<Symbol, Expr> place;
                                  for (size_t d = 0; d < domain.size(); ++d)
                                    place[domain[d].index] = l.index[d];
                                  return substitute(value, place);
                                });
    if (!copy.isArray) // lengths of arrays, too
      for (Buffer& b : function_.buffers)
        for (Expr& extent : b.extents) extent = substitute(extent, {{copy.name, value}});
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at--));
    const auto made = std::ranges::find_if(
        list, [&](const Stmt& s) { return s.is<Alloc>() && s.as<Alloc>()->buffer.name == copy.name; });
    if (made == list.end()) return;
    list.erase(made); // in front of what it is made for
    --at;
    std::erase_if(function_.buffers, [&](const Buffer& b) { return b.name == copy.name; });
  }

  static int countUses(const Stmt& s, const Symbol& array) {
    int count = countLoads(s, array);
    ir::visit(s, [&](const Stmt& part) {
      count += (part.is<Routine>() || part.is<Launch>() || part.is<MatMul>() || part.is<Swap>()) &&
               touches(part, array);
      return true;
    });
    return count;
  }

  /// Folds of list[at] that are computed again before anything of them changes are scalars.
  void nameFolds(std::vector<Stmt>& list, size_t& at) {
    const auto* assign = list[at].as<Assign>();
    for (const Expr& fold : foldsOf(list[at])) {
      const Expr value = names_.canonical(fold);
      if ((assign && assign->value == fold) || !isComputedAgain(list, at, value)) continue;
      const Symbol total(nameOfFold(value.as<Reduce>()->op));
      const Stmt named = makeStmt(list[at]->span, Assign{total, fold});
      list[at] = mapExprs(list[at], [&](const Expr& e) {
        return rewrite(e, [&](const Expr& part) {
          return part.is<Reduce>() && equal(names_.canonical(part), value) ? var(total, typeOf(value))
                                                                           : Expr();
        });
      });
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(at++), named);
      writers_[total] = 1;
      remember(*holderOf(named));
    }
  }

  bool isComputedAgain(const std::vector<Stmt>& list, size_t at, const Expr& value) {
    int count = 0;
    const auto countIn = [&](const Stmt& s) {
      for (const Expr& fold : foldsOf(s)) count += equal(names_.canonical(fold), value);
    };
    countIn(list[at]);
    for (size_t k = at; k < list.size() && count < 2; ++k) {
      const std::set<Symbol> changed = changedBy(list[k]);
      const bool changes = dependsOn(value, changed);
      if (k > at && (isLeaf(list[k]) || !changes))
        ir::visit(list[k], [&](const Stmt& s) {
          if (!s.is<For>() && !s.is<While>()) countIn(s);
          return true;
        });
      if (changes) break;
    }
    return count >= 2;
  }

  Function& function_;
  PassContext& ctx_;
  IndexNames names_;
  std::set<Symbol> interface_;
  std::map<Symbol, int> writers_; ///< statements that change it
  std::set<Symbol> folds_;        ///< scalars and arrays that hold folds, or what is made of them
};

} // namespace

void shareFolds(Function& f, PassContext& ctx) {
  if (has<Reduce>(f.body)) f.body = Sharing(f, ctx).visit(f.body);
}

} // namespace appyc::transform
