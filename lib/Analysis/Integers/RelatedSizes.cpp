//===- RelatedSizes.cpp - open sizes that are likely to be equal ----------------------------------------===//
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::analysis {

using namespace ir;

namespace {

class SizeRelations {
public:
  explicit SizeRelations(const Function& f) : function_(f) {
    const std::set<Symbol> changed = assignedVars(f.body);
    for (const Param& p : f.params)
      if (!p.isArray && p.type == DType::I64 && !changed.count(p.name)) scalars_.insert(p.name);
    for (const Size& s : f.sizes)
      if (s.open) open_.insert(s.name);
    for (const Buffer& b : f.buffers) {
      buffers_.emplace(b.name, &b);
      for (const Expr& e : b.extents) counting_.merge(freeVars(e));
    }
    each<For>(f.body, [&](const For& loop) {
      counting_.merge(freeVars(loop.hi));
      const Symbol size = onlySize(loop.hi);
      const auto left = size ? constantInt(sub(var(size), loop.hi)) : std::nullopt;
      if (left && *left > 0 && isConst(loop.lo, 0) && isConst(loop.step, 1))
        ends_[loop.index] = {size, *left};
    });
  }

  std::vector<std::vector<Symbol>> run() {
    visit(
        function_.body,
        [&](const Stmt& s) {
          if (const auto* i = s.as<IndexStmt>()) access(i->target, i->index);
          if (const auto* store = s.as<Store>()) access(store->buffer, store->index);
          if (const auto* r = s.as<Require>()) compared(r->cond);
          return true;
        },
        [&](const Expr& e) {
          if (const auto* l = e.as<Load>()) access(l->buffer, l->index);
          if (const auto* b = e.as<Binary>();
              b && typeOf(b->lhs) == DType::I64 && (b->op == BinaryOp::Min || b->op == BinaryOp::Max))
            lesser(endOf(b->lhs), endOf(b->rhs));
          return true;
        });
    each<For>(function_.body, [&](const For& loop) { bounded(loop); });
    return classes();
  }

private:
  /// The lesser or greater of them is asked for: of two axes of one array, as they are not the same.
  void lesser(const Symbol& a, const Symbol& b) {
    const auto has = [](const Buffer& buffer, const Symbol& size) {
      return std::ranges::any_of(buffer.extents, [&](const Expr& e) { return equal(e, var(size)); });
    };
    if (std::ranges::none_of(function_.buffers,
                             [&](const Buffer& array) { return has(array, a) && has(array, b); }))
      join(a, b);
  }

  bool isSize(const Symbol& s) const { return open_.count(s) != 0 || scalars_.count(s) != 0; }

  /// The one size that the expression depends on, besides other variables.
  Symbol onlySize(const Expr& e) const {
    Symbol found;
    for (const Symbol& s : freeVars(e)) {
      if (!isSize(s)) continue;
      if (found) return {};
      found = s;
    }
    return found;
  }

  /// The same, but not where a loop's index is added to it, as in windows `x[i:i + n]`, and no scalar that counts neither elements nor iterations, as of `order[:k]`, or where something is added to it: the
  /// windows of `x[i:i + w]` are no sizes, and `x[1:k + 1]` would end behind k elements.
  Symbol endOf(const Expr& e) const {
    const Symbol size = onlySize(e);
    for (const Symbol& other : freeVars(e))
      if (size && other != size && coefficientOf(e, other).value_or(0) > 0) return {};
    if (!size || !scalars_.count(size)) return size;
    if (!counting_.count(size)) return {};
    return constantInt(sub(e, var(size))).value_or(1) <= 0 ? size : Symbol();
  }

  void access(const Symbol& name, const std::vector<Expr>& index) {
    const auto known = buffers_.find(name);
    if (known == buffers_.end()) return;
    const std::vector<Expr>& extents = known->second->extents;
    for (size_t d = 0; d < index.size() && d < extents.size(); ++d)
      if (const auto* size = extents[d].as<Var>(); size && isSize(size->name))
        along(index[d], name, d, size->name);
  }

  /// `k` of `min(k, n)`, as slices begin within n elements; also where something is added, as in windows `x[i:i + 8]`.
  Expr unclamped(const Expr& e) const {
    const auto isOfSizes = [&](const Expr& part) {
      return std::ranges::all_of(freeVars(part), [&](const Symbol& s) { return isSize(s); });
    };
    return replace<Binary>(e, [&](const Binary& b) -> Expr {
      if (b.op == BinaryOp::Add) return add(b.lhs, b.rhs); // of what has been rewritten
      if (b.op != BinaryOp::Min) return {};
      return isOfSizes(b.rhs) ? b.lhs : isOfSizes(b.lhs) ? b.rhs : Expr();
    });
  }

  /// One subscript, whatever is added to it, runs along axes of one size.
  void along(const Expr& given, const Symbol& buffer, size_t axis, const Symbol& size) {
    const Expr subscript = unclamped(given);
    if (freeVars(subscript).empty()) return;
    const bool isShort = endsEarlier(subscript, size);
    for (Subscript& s : subscripts_)
      if (s.isShort == isShort && constantInt(sub(subscript, s.text))) {
        s.axes.insert({buffer, axis});
        return join(s.size, size);
      }
    if (subscripts_.size() < kMostSubscripts)
      subscripts_.push_back({subscript, size, {{buffer, axis}}, isShort});
  }

  /// `y[i]` in `for i in range(len(ptr) - 1)`: as many as there are iterations, not one more, as `ptr[i + 1]`.
  bool endsEarlier(const Expr& subscript, const Symbol& size) const {
    for (const auto& [index, end] : ends_) {
      const auto ahead = constantInt(sub(subscript, var(index)));
      if (ahead && size != end.size) return *ahead < end.left;
    }
    return false;
  }

  void compared(const Expr& condition) {
    const auto* b = condition.as<Binary>();
    if (b && b->op == BinaryOp::Eq) join(onlySize(b->lhs), onlySize(b->rhs));
  }

  /// A loop up to a scalar, over several axes: one axis alone may well be longer.
  void bounded(const For& loop) {
    const Symbol bound = onlySize(loop.hi);
    if (!bound || !scalars_.count(bound)) return;
    for (const Subscript& s : subscripts_)
      if (s.axes.size() > 1 && constantInt(sub(s.text, var(loop.index)))) join(bound, s.size);
  }

  Symbol root(const Symbol& s) {
    const auto up = parent_.find(s);
    return up == parent_.end() ? s : root(up->second);
  }
  /// Scalars stay the roots of their classes, which have one each.
  void join(Symbol a, Symbol b) {
    if (!a || !b) return;
    a = root(a), b = root(b);
    if (a == b || (scalars_.count(a) && scalars_.count(b))) return;
    if (scalars_.count(b)) std::swap(a, b);
    parent_[b] = a;
  }

  std::vector<std::vector<Symbol>> classes() {
    std::vector<std::pair<Symbol, std::vector<Symbol>>> all;
    for (const Size& size : function_.sizes) {
      if (!size.open) continue;
      const Symbol top = root(size.name);
      auto it = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.first == top; });
      if (it == all.end()) {
        all.push_back({top, {}});
        it = all.end() - 1;
        if (scalars_.count(top)) it->second.push_back(top);
      }
      it->second.push_back(size.name);
    }
    std::vector<std::vector<Symbol>> result;
    for (auto& [top, members] : all)
      if (members.size() > 1) result.push_back(std::move(members));
    return result;
  }

  struct Subscript {
    Expr text;
    Symbol size;
    std::set<std::pair<Symbol, size_t>> axes;
    bool isShort = false;
  };
  struct End { ///< `size - left`
    Symbol size;
    int64_t left = 0;
  };
  static constexpr size_t kMostSubscripts = 200; ///< they are compared in pairs

  const Function& function_;
  std::set<Symbol> open_, scalars_, counting_; ///< counting: elements of arrays, iterations
  std::map<Symbol, const Buffer*> buffers_;
  std::vector<Subscript> subscripts_;
  std::map<Symbol, End> ends_; ///< of loops from 0 that leave out what is last of a size
  std::map<Symbol, Symbol> parent_;
};

} // namespace

std::vector<std::vector<Symbol>> relatedSizes(const Function& function) {
  const bool anyOpen =
      std::any_of(function.sizes.begin(), function.sizes.end(), [](const Size& s) { return s.open; });
  return anyOpen ? SizeRelations(function).run() : std::vector<std::vector<Symbol>>();
}

} // namespace appyc::analysis
