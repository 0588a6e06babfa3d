//===- ShareRoutines.cpp - what a routine has made is not made again -----------------------------------===//
//   keys[i] = x[i]; call sort_row(in keys, out sorted, n)          keys[i] = x[i]; call sort_row(in keys, out sorted, n)
//   a = sorted[n / 2]                                        =>    a = sorted[n / 2]
//   copy[i] = x[i]; call sort_row(in copy, out again, n)           b = sorted[n / 4]
//   b = again[n / 4]
// As `np.median(x)` beside `np.percentile(x, 25)`. What goes in is equal if statements have made it of equal values.
#include "Fillings.h"
#include "KnownValues.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

namespace {

/// What an array holds: the value of each element, by names for its indices; or a routine, with what is told of what goes in.
struct Content {
  Symbol array;
  Expr value; ///< of an element
  std::optional<Routine> call;
};

class Calls : public InOrder<Content> {
public:
  Calls(Function& f, PassContext& ctx)
      : function_(f), ctx_(ctx), interface_(interfaceOf(f)), writers_(writersIn(f.body)) {}

private:
  bool isWrittenOnce(const Symbol& array) const {
    const auto found = writers_.find(array);
    return found != writers_.end() && found->second == 1;
  }
  bool isOwn(const Symbol& array) const { return !interface_.contains(array) && isWrittenOnce(array); }

  void leaf(std::vector<Stmt>& list, size_t& at) override {
    const Stmt s = list[at];
    forget(changedBy(s));
    if (const auto* call = s.as<Routine>()) {
      if (!makesAnew(*call)) return;
      const auto made =
          std::ranges::find_if(known_, [&](const Content& c) { return c.call && isAlike(*c.call, *call); });
      if (made != known_.end() && take(list, at, *call, Routine(*made->call))) return;
      for (const Symbol& array : storedBuffers(s)) known_.push_back({array, {}, *call});
    } else if (const auto* fill = s.as<IndexStmt>()) {
      const Buffer* array = function_.findBuffer(fill->target);
      if (!array || fill->atomicOp || !isOwn(fill->target) || !storesEach(*fill, array->extents)) return;
      std::map<Symbol, Expr> renamed;
      for (size_t d = 0; d < fill->domain.size(); ++d) renamed[fill->domain[d].index] = var(names_[d]);
      const Expr value = names_.canonical(substitute(fill->value, renamed), fill->domain.size());
      if (!dependsOn(value, {fill->target})) known_.push_back({fill->target, value, {}});
    }
  }

  bool endsBy(const Content& c, const std::set<Symbol>& changed) const override {
    if (changed.contains(c.array)) return true;
    if (!c.call) return dependsOn(c.value, changed);
    return std::ranges::any_of(c.call->operands, [&](const auto& o) { return changed.contains(o.buffer); }) ||
           std::ranges::any_of(c.call->numbers, [&](const Expr& n) { return dependsOn(n, changed); });
  }

  /// Does it write arrays that nothing else writes, each as a whole, and nothing that it reads?
  bool makesAnew(const Routine& call) const {
    bool all = true;
    forEachOperand(call, [&](const Routine::Operand& o, Effect effect) {
      all &= effect == Effect::In || (effect == Effect::Out && isWrittenOnce(o.buffer));
      all &= std::ranges::all_of(o.at, [](const Expr& e) { return isConst(e, 0); });
    });
    return all;
  }

  /// An element, by names for its indices: the array's own, or what has been stored there.
  Expr elementOf(const Symbol& array) {
    const auto it =
        std::ranges::find_if(known_, [&](const Content& c) { return c.array == array && c.value; });
    if (it != known_.end()) return it->value;
    std::vector<Expr> index;
    for (size_t d = 0; d < function_.buffer(array).extents.size(); ++d) index.push_back(var(names_[d]));
    return make(Load{function_.buffer(array).type, array, index});
  }

  bool holdTheSame(const Symbol& a, const Symbol& b) {
    const Buffer &first = function_.buffer(a), &second = function_.buffer(b);
    return first.type == second.type && equalIndices(first.extents, second.extents) &&
           equal(elementOf(a), elementOf(b));
  }

  bool isAlike(const Routine& a, const Routine& b) {
    if (a.name != b.name || a.op != b.op || !equalIndices(a.numbers, b.numbers)) return false;
    bool all = true;
    for (size_t i = 0; i < a.operands.size(); ++i) {
      const Symbol &one = a.operands[i].buffer, &other = b.operands[i].buffer;
      const Buffer &first = function_.buffer(one), &second = function_.buffer(other);
      const bool isMade = info(a.name).operands[i].effect == Effect::Out;
      all &= isMade ? first.type == second.type && equalIndices(first.extents, second.extents)
                    : holdTheSame(one, other);
    }
    return all;
  }

  /// Has what is behind list[at] read what `made` has made, if nothing else reads it and nothing changes that.
  bool take(std::vector<Stmt>& list, size_t& at, const Routine& call, const Routine& made) {
    std::map<Symbol, Symbol> instead;
    for (size_t i = 0; i < call.operands.size(); ++i)
      if (info(call.name).operands[i].effect == Effect::Out)
        instead[call.operands[i].buffer] = made.operands[i].buffer;
    const std::vector<Stmt> behind(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.end());
    const std::set<Symbol> changed = changedBy(block(behind));
    const Stmt self = list[at];
    for (const auto& [again, first] : instead) {
      if (changed.contains(first) || !isOwn(again) || !isMadeIn(list, again)) return false;
      bool elsewhere = false;
      ir::visit(function_.body, [&](const Stmt& s) {
        if (isLeaf(s) && s != self && !s.is<Alloc>() && touches(s, again))
          elsewhere |= std::ranges::none_of(behind, [&](const Stmt& b) { return holds(b, s); });
        return true;
      });
      if (elsewhere) return false;
    }
    ctx_.diag.report(
        DiagId::Shared, self->span,
        fmt::format("what is made here has been made before, as `{}`", instead.begin()->second.hint()));
    for (size_t k = at + 1; k < list.size(); ++k) list[k] = renameArrays(list[k], instead);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at--));
    for (const auto& [again, first] : instead) drop(list, at, again);
    for (const Routine::Operand& o : call.operands)
      if (isOwn(o.buffer) && !readsOf(list, o.buffer)) drop(list, at, o.buffer);
    return true;
  }

  static bool isMadeIn(const std::vector<Stmt>& list, const Symbol& array) {
    return std::ranges::any_of(
        list, [&](const Stmt& s) { return s.is<Alloc>() && s.as<Alloc>()->buffer.name == array; });
  }
  static bool holds(const Stmt& tree, const Stmt& part) {
    return anyStmt(tree, [&](const Stmt& s) { return s == part; });
  }
  /// Does anything but its own filling read it?
  static bool readsOf(const std::vector<Stmt>& list, const Symbol& array) {
    return std::ranges::any_of(list, [&](const Stmt& s) {
      const auto* fill = s.as<IndexStmt>();
      return !s.is<Alloc>() && !(fill && fill->target == array) && touches(s, array);
    });
  }

  /// Without what makes and fills the array, which stands in the list.
  void drop(std::vector<Stmt>& list, size_t& at, const Symbol& array) {
    if (!isMadeIn(list, array)) return;
    for (size_t k = list.size(); k-- > 0;) {
      const auto* alloc = list[k].as<Alloc>();
      const auto* fill = list[k].as<IndexStmt>();
      if (!(alloc && alloc->buffer.name == array) && !(fill && fill->target == array)) continue;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
      at -= static_cast<size_t>(k <= at);
    }
    std::erase_if(function_.buffers, [&](const Buffer& b) { return b.name == array; });
    std::erase_if(known_, [&](const Content& c) { return c.array == array; });
  }

  Function& function_;
  PassContext& ctx_;
  IndexNames names_;
  std::set<Symbol> interface_;
  std::map<Symbol, int> writers_;
};

} // namespace

void shareRoutines(Function& f, PassContext& ctx) {
  if (has<Routine>(f.body)) f.body = Calls(f, ctx).visit(f.body);
}

} // namespace appyc::transform
