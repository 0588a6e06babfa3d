//===- RepeatFolds.cpp - a kernel of one block that folds a few numbers goes into the one that reads them ---===//
//   launch 1 block:  m = max(partial[c])               launch:  m = max(partial[c])          # each block
//                    only thread 0: m_device = m  =>            only the first thread of all: m_device = m
//   launch:          a[i] = x[i] / m_device                     a[i] = x[i] / m
// The fold takes less time than the launch that it saves.
#include "Units.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Numbers that a block loads at once.
constexpr int64_t kFew = 2 * cost::Device::threadsOfBlock;

const Only* ofFirstThread(const Stmt& s) {
  const auto* only = s.as<Only>();
  return only && only->first == Only::ThreadOfBlock && !only->others ? only : nullptr;
}

/// A kernel of one block that folds few numbers into scalars of the device.
struct Fold {
  Stmt launch;
  std::vector<Stmt> body;
  std::set<Symbol> loaded, stored;
  std::map<Symbol, Expr> values; ///< of what is stored
};

class FoldRepetition {
public:
  explicit FoldRepetition(const Function& f, PassContext& c) : function_(f), ctx_(c) {}

  Stmt visit(const Stmt& s) {
    if (s.is<Launch>()) return s;
    const Stmt out = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    const auto* list = out.as<Block>();
    if (!list) return out;
    std::vector<Stmt> body = list->body;
    bool changed = false;
    for (size_t i = 0; i < body.size(); ++i) {
      const std::optional<Fold> fold = foldOf(body[i]);
      if (!fold) continue;
      const std::vector<Stmt> behind(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end());
      const std::optional<std::vector<Stmt>> joint = joined(*fold, behind);
      if (!joint) continue;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(i), body.end());
      body.insert(body.end(), joint->begin(), joint->end());
      changed = true;
      --i;
    }
    return changed ? makeStmt(out->span, Block{std::move(body)}) : out;
  }

private:
  const Function& function_;
  PassContext& ctx_;

  const Buffer& buffer(const Symbol& name) const { return function_.buffer(name); }

  bool isFew(const Symbol& name) const {
    int64_t elements = 1;
    for (const Expr& extent : buffer(name).extents) {
      const std::optional<int64_t> n = constantInt(extent);
      if (!n || *n > kFew) return false;
      elements *= *n;
    }
    return elements <= kFew;
  }

  /// Assignments, folds by all threads, and stores of scalars by the first one.
  std::optional<Fold> foldOf(const Stmt& s) const {
    const auto* launch = s.as<Launch>();
    if (!launch || !launch->body || launch->shape.block[1] * launch->shape.block[2] != 1) return {};
    for (const Expr& size : launch->shape.grid)
      if (!isConst(size, 1)) return {};
    Fold fold{s, statementsOf(launch->body), loadedBuffers(s), {}, {}};
    bool folds = false;
    for (const Stmt& part : fold.body) {
      const auto* loop = part.as<For>();
      const auto* c = part.as<Collective>();
      const Only* store = ofFirstThread(part);
      folds |= c != nullptr;
      const bool fits =
          loop    ? lanesOf(*loop) == Scope::Block && storedBuffers(part).empty() && isStraight(loop->body)
          : c     ? c->scope == Scope::Block
          : store ? takeStores(store->body, fold)
                  : part.is<Assign>();
      if (!fits) return {};
    }
    const bool few =
        std::all_of(fold.loaded.begin(), fold.loaded.end(), [&](const Symbol& b) { return isFew(b); });
    return folds && few && !intersect(fold.loaded, fold.stored) ? std::optional(fold) : std::nullopt;
  }

  bool takeStores(const Stmt& stores, Fold& fold) const {
    for (const Stmt& s : statementsOf(stores)) {
      const auto* store = s.as<Store>();
      if (!store || store->atomicOp || !store->index.empty() || readsMemory(store->value) ||
          !buffer(store->buffer).extents.empty() || !fold.stored.insert(store->buffer).second)
        return false;
      fold.values[store->buffer] = cast(buffer(store->buffer).type, store->value);
    }
    return true;
  }

  /// The statements behind the fold, with it in the first one that reads what it stores.
  std::optional<std::vector<Stmt>> joined(const Fold& fold, std::vector<Stmt> list) const {
    const std::set<Symbol> scalars = readScalars(fold.launch);
    for (Stmt& s : list) {
      const std::set<Symbol> loads = loadedBuffers(s), stores = storedBuffers(s);
      if (!intersect(loads, fold.stored)) {
        const bool passes = !intersect(stores, fold.stored) && !intersect(stores, fold.loaded) &&
                            !intersect(assignedVars(s), scalars) && !s.is<Return>() && !s.is<For>() &&
                            !s.is<While>();
        if (!passes) return {};
        continue;
      }
      s = s.is<If>() ? joinedBranches(fold, s) : joinedKernel(fold, s);
      return s ? std::optional(std::move(list)) : std::nullopt;
    }
    return {};
  }

  Stmt joinedBranches(const Fold& fold, const Stmt& s) const {
    If branch = *s.as<If>();
    bool any = false;
    for (Stmt* side : {&branch.then, &branch.otherwise}) {
      std::vector<Stmt> body = statementsOf(*side);
      if (auto joint = joined(fold, body)) {
        body = std::move(*joint);
        any = true;
      } else {
        body.insert(body.begin(), fold.launch);
      }
      *side = block(std::move(body));
    }
    return any ? makeStmt(s->span, std::move(branch)) : Stmt();
  }

  /// Threads that take turns along x, any number of them, and have nothing in common.
  static bool isPlain(const Launch& launch) {
    const auto isHeld = [](const Stmt& part) {
      const auto* loop = part.as<For>();
      const bool takesTurns =
          !loop || !isBound(*loop) ||
          (loop->mapping.is<PerThread>() && axisOf(*loop) == Axis::X && firstBlockOf(*loop) == 0);
      return !takesTurns || part.is<Barrier>() || part.is<Collective>() || part.is<Alloc>();
    };
    return launch.shape.block[1] * launch.shape.block[2] == 1 && launch.shape.block[0] >= 64 &&
           isConst(launch.shape.grid[1], 1) && isConst(launch.shape.grid[2], 1) &&
           !anyStmt(launch.body, isHeld);
  }

  Stmt joinedKernel(const Fold& fold, const Stmt& s) const {
    const Launch* launch = openKernel(s);
    const std::set<Symbol> stores = storedBuffers(s);
    if (!launch || !isPlain(*launch) || intersect(stores, fold.stored) || intersect(stores, fold.loaded))
      return {};
    ctx_.diag.report(DiagId::Fused, s->span, "each block folds the partial results that it needs itself");
    std::vector<Stmt> body;
    for (const Stmt& part : fold.body) {
      const Only* store = ofFirstThread(part);
      if (!store) {
        body.push_back(part);
        continue;
      }
      body.push_back(makeStmt(part->span, Only{Only::ThreadOfGrid, store->body}));
    }
    body.push_back(replace<Load>(launch->body, [&](const Load& l) {
      const auto value = fold.values.find(l.buffer);
      return value == fold.values.end() ? Expr() : value->second;
    }));
    Launch joint = *launch;
    joint.shape.grid[0] = minOf(launch->shape.grid[0], ctx_.device.blocksAtOnce()); // each of them folds once
    if (!analysis::isNonNegative(joint.shape.grid[0] - 1,
                                 analysis::contextOf(function_))) // someone has to store
      joint.shape.grid[0] = maxOf(joint.shape.grid[0], 1);
    joint.body = block(std::move(body));
    return makeStmt(s->span, std::move(joint));
  }
};

} // namespace

void repeatFolds(Function& f, PassContext& ctx) { replaceBody(f, FoldRepetition(f, ctx).visit(f.body)); }

} // namespace appyc::schedule
