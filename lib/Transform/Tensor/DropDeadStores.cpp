//===- DropDeadStores.cpp - what nobody reads before it is stored again is not stored ------------------===//
//   C[i, j] = 0.0   for i < n, j < n
//   matmul C[r, c] = A @ A.T   for c <= r        =>      without the first statement
//   for i: C[i, i + j] = C[i + j, i]   for j < n - i
// Which elements those are is asked of isl: triangles, halves and borders together make a whole.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

class Dropping : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    const Stmt inner = inside(s, [&](const Stmt& child) { return child ? visit(child) : child; });
    const auto* list = inner.as<Block>();
    return list ? inList(inner, list->body) : inner;
  }

private:
  /// What `s` stores into if it does nothing else.
  static std::optional<Symbol> onlyStoresInto(const Stmt& s) {
    const auto* store = s.as<IndexStmt>();
    const auto* product = s.as<MatMul>();
    if (product) return product->target.buffer;
    return store && !store->atomicOp ? std::optional(store->target) : std::nullopt;
  }

  Stmt inList(const Stmt& s, std::vector<Stmt> list) {
    const size_t before = list.size();
    for (size_t i = list.size(); i-- > 0;) {
      const std::optional<Symbol> buffer = onlyStoresInto(list[i]);
      if (!buffer) continue;
      const bool endsHere = isMadeIn(list, *buffer);
      const std::vector<Stmt> after = behind(list, i, *buffer, endsHere);
      if (after.empty() || !analysis::overwrite(after, list[i], *buffer, !endsHere, known_)) continue;
      ctx_.diag.report(DiagId::DeadStore, list[i]->span,
                       "left out, as nothing reads it before it is stored again");
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return list.size() == before ? s : makeStmt(s->span, Block{std::move(list)});
  }

  static bool isMadeIn(const std::vector<Stmt>& list, const Symbol& buffer) {
    return std::any_of(list.begin(), list.end(), [&](const Stmt& s) {
      const auto* alloc = s.as<Alloc>();
      return alloc && alloc->buffer.name == buffer;
    });
  }

  /// The statements that surely run after the i-th one, up to the last that touches the buffer. What the caller sees
  /// is as it was stored when a check fails; what ends with the list, nobody sees.
  std::vector<Stmt> behind(const std::vector<Stmt>& list, size_t i, const Symbol& buffer,
                           bool endsHere) const {
    size_t end = i + 1;
    bool stored = false;
    for (size_t j = i + 1; j < list.size() && (endsHere || !mayEnd(list[j], callers_.count(buffer) > 0));
         ++j) {
      const bool stores = storedBuffers(list[j]).count(buffer);
      stored = stored || stores;
      if (stores || (endsHere && loadedBuffers(list[j]).count(buffer))) end = j + 1;
    }
    if (!stored) end = i + 1;
    return {list.begin() + static_cast<std::ptrdiff_t>(i + 1),
            list.begin() + static_cast<std::ptrdiff_t>(end)};
  }
  static bool mayEnd(const Stmt& s, bool byRaising) {
    return has<Return>(s) || (byRaising && has<Require>(s));
  }

  const std::set<Symbol> callers_ = namesOf(function_.params); ///< arrays that the caller has
};

} // namespace

void dropDeadStores(Function& f, PassContext& ctx) { f.body = Dropping(f, ctx).visit(f.body); }

} // namespace appyc::transform
