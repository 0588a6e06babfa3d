//===- PlanMemory.cpp - where temporaries live ------------------------------------------------------===//
//   for i (workers) in range(N):       =>    Alloc t[N, K]
//     Alloc t[K]                             for i (workers) in range(N):
//     t[k] = ...                               t[i, k] = ...
// Dimensions for blocks and warps come first, those for threads last, the x axis innermost: neighbouring
// threads, neighbouring elements.
#include "Bounds.h"
#include "Units.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Position of the iteration, from 0.
Expr positionIn(const For& loop) {
  Expr distance = sub(var(loop.index), loop.lo);
  return isConst(loop.step, 1) ? distance : binary(BinaryOp::FloorDiv, distance, loop.step);
}

/// Accesses to `buffer` with `before` in front of their indices and `after` behind.
Stmt widenAccesses(const Stmt& s, Symbol buffer, const std::vector<Expr>& before,
                   const std::vector<Expr>& after) {
  auto widened = [&](const std::vector<Expr>& index) {
    std::vector<Expr> all = before;
    all.insert(all.end(), index.begin(), index.end());
    all.insert(all.end(), after.begin(), after.end());
    return all;
  };
  return rewrite(
      s,
      [&](const Stmt& part) -> Stmt {
        const auto* store = part.as<Store>();
        if (!store || store->buffer != buffer) return {};
        return makeStmt(part->span, Store{buffer, widened(store->index), store->value, store->atomicOp});
      },
      [&](const Expr& e) -> Expr {
        const auto* l = e.as<Load>();
        return l && l->buffer == buffer ? make(Load{l->type, buffer, widened(l->index)}) : Expr();
      });
}

class MemoryPlan {
public:
  MemoryPlan(const Function& f, PassContext& c) : function_(f), ctx_(c) {
    for (const Size& size : f.sizes) sizes_.insert(size.name);
    known_ = sizes_;
    for (const Param& p : f.params)
      if (!p.isArray) known_.insert(p.name);
    for (const Symbol& name : assignedVars(f.body)) known_.erase(name);
  }

  Function run() {
    Stmt body = plan(function_.body);
    std::vector<Stmt> out = std::move(atTop_);
    out.push_back(body);
    function_.body = block(std::move(out));
    return std::move(function_);
  }

private:
  /// Does every name in it have its value when the function starts?
  bool isKnownAtEntry(const Expr& e) const {
    if (!e || readsMemory(e)) return false;
    std::set<Symbol> names = freeVars(e);
    return std::includes(known_.begin(), known_.end(), names.begin(), names.end());
  }
  /// Does the host know it when the kernel starts?
  bool isKnownAtLaunch(const Expr& e) const { return e && !readsMemory(e) && !mentionsAny(e, ofKernel_); }

  void update(const Buffer& buffer) {
    for (Buffer& b : function_.buffers)
      if (b.name == buffer.name) b = buffer;
  }

  Stmt plan(const Stmt& s) {
    if (const auto* list = s.as<Block>()) return planList(s, *list);
    if (const auto* alloc = s.as<Alloc>()) return alloc->shared ? s : planList(s, Block{{s}});
    if (const auto* kernel = s.as<Launch>()) return planKernel(s, *kernel);
    const auto* loop = s.as<For>();
    if (!loop) return mapChildren(s, [&](const Stmt& child) { return plan(child); });
    // CPU threads make their own temporaries where they need them.
    if (!inKernel_ && isParallel(*loop) && !ctx_.cuda) return s;
    loops_.push_back(loop);
    Stmt planned = mapChildren(s, [&](const Stmt& child) { return plan(child); });
    loops_.pop_back();
    return planned;
  }

  Stmt planKernel(const Stmt& s, const Launch& kernel) {
    firstOfKernel_ = loops_.size();
    isResident_ = kernel.resident;
    shared_ = 0;
    ofKernel_ = assignedVars(kernel.body);
    visit(kernel.body, [&](const Stmt& part) {
      if (const auto* loop = part.as<For>()) ofKernel_.insert(loop->index);
      return true;
    });
    inKernel_ = true;
    Stmt planned = mapChildren(s, [&](const Stmt& child) { return plan(child); });
    inKernel_ = false;
    if (beforeLaunch_.empty()) return planned;
    std::vector<Stmt> out = std::move(beforeLaunch_);
    beforeLaunch_.clear();
    out.push_back(planned);
    return makeStmt(s->span, Block{std::move(out)});
  }

  Stmt planList(const Stmt& s, const Block& list) {
    std::vector<Stmt> rest, out;
    rest.assign(list.body.rbegin(), list.body.rend()); // a stack: accesses behind an Alloc may have to change
    bool changed = false;
    while (!rest.empty()) {
      Stmt next = rest.back();
      rest.pop_back();
      const auto* alloc = next.as<Alloc>();
      if (!alloc || alloc->shared) {
        Stmt planned = plan(next);
        changed |= !(planned == next);
        out.push_back(planned);
        continue;
      }
      if (Stmt kept = inKernel_ ? onChip(next, alloc->buffer) : Stmt()) {
        changed |= !(kept == next);
        out.push_back(kept);
        continue;
      }
      bool moved = inKernel_ ? moveOutOfKernel(next, alloc->buffer, rest) : moveToTop(next, alloc->buffer);
      changed |= moved;
      if (!moved) out.push_back(next);
    }
    return changed ? block(std::move(out)) : s;
  }

  /// `extents` without the indices of the loops around; empty when that cannot be.
  std::vector<Expr> largest(const std::vector<Expr>& extents) const {
    std::vector<Expr> most;
    for (const Expr& e : extents) {
      Expr bound = upperBound(e, loops_);
      if (!bound) return {};
      most.push_back(bound == e ? e : atLeastZero(bound, sizes_));
    }
    return most;
  }

  /// Scratch stays in its kernel: shared by the lanes of a block, or a small array of one thread. Empty: it
  /// cannot.
  Stmt onChip(const Stmt& s, const Buffer& buffer) {
    constexpr int64_t mostOfThread = 2048, mostOfBlock = 49152; // bytes
    if (!buffer.onChip) return {};
    if (isResident_) return makeStmt(s->span, Alloc{buffer, true}); // the host has seen to it that it fits
    int64_t bytes = byteSize(buffer.type);
    for (const Expr& e : buffer.extents) bytes *= *constantInt(e);
    bool ofThread = false;
    for (size_t i = firstOfKernel_; i < loops_.size(); ++i) {
      if (loops_[i]->bind == Bind::Warp) return {};
      ofThread |= loops_[i]->bind == Bind::Global || loops_[i]->bind == Bind::Thread;
    }
    if (ofThread) return bytes <= mostOfThread ? s : Stmt();
    if (buffer.threads == 0) shared_ += bytes; // else it lies in registers
    if (shared_ > mostOfBlock)
      ctx_.diag.report(
          DiagId::BadDirective, s->span,
          fmt::format("the buffers of this kernel take {} bytes; {} fit on chip", shared_, mostOfBlock));
    return makeStmt(s->span, Alloc{buffer, true});
  }

  bool moveToTop(const Stmt& s, Buffer buffer) {
    std::vector<Expr> most = largest(buffer.extents);
    bool known = std::all_of(most.begin(), most.end(), [&](const Expr& e) { return isKnownAtEntry(e); });
    if (!known || most.size() != buffer.extents.size()) return false;
    buffer.extents = std::move(most);
    update(buffer);
    atTop_.push_back(makeStmt(s->span, Alloc{buffer}));
    return true;
  }

  bool moveOutOfKernel(const Stmt& s, Buffer buffer, std::vector<Stmt>& users) {
    std::vector<Expr> extents = buffer.extents, before, after, beforeExtents, afterExtents;
    std::vector<const For*> workers(loops_.begin() + static_cast<std::ptrdiff_t>(firstOfKernel_),
                                    loops_.end());
    workers.erase(
        std::remove_if(workers.begin(), workers.end(), [](const For* l) { return l->bind == Bind::None; }),
        workers.end());
    auto isFirst = [](const For* l) { return l->bind == Bind::Grid || l->bind == Bind::Warp; };
    std::stable_sort(workers.begin(), workers.end(), [&](const For* a, const For* b) {
      if (isFirst(a) != isFirst(b)) return isFirst(a);
      return a->axis > b->axis;
    });
    bool derived = true;
    for (const For* loop : workers) {
      Expr count = tripCount(*loop);
      derived &= bool(count);
      (isFirst(loop) ? before : after).push_back(positionIn(*loop));
      (isFirst(loop) ? beforeExtents : afterExtents).push_back(count ? atLeastZero(count, sizes_) : count);
    }
    extents.insert(extents.begin(), beforeExtents.begin(), beforeExtents.end());
    extents.insert(extents.end(), afterExtents.begin(), afterExtents.end());
    std::vector<Expr> most = derived ? largest(extents) : std::vector<Expr>();
    derived &= most.size() == extents.size();
    bool atEntry =
        derived && std::all_of(most.begin(), most.end(), [&](const Expr& e) { return isKnownAtEntry(e); });
    if (!atEntry && !(derived && std::all_of(most.begin(), most.end(),
                                             [&](const Expr& e) { return isKnownAtLaunch(e); }))) {
      ctx_.diag.report(
          DiagId::Unsupported, s->span,
          "temporary array of varying size inside a parallel loop; write into an array made before the loop");
      return false;
    }
    buffer.extents = std::move(most);
    update(buffer);
    (atEntry ? atTop_ : beforeLaunch_).push_back(makeStmt(s->span, Alloc{buffer}));
    for (Stmt& user : users) user = widenAccesses(user, buffer.name, before, after);
    return true;
  }

  Function function_;
  PassContext& ctx_;
  std::set<Symbol> sizes_, known_;
  std::vector<const For*> loops_; ///< around the statement at hand
  std::vector<Stmt> atTop_, beforeLaunch_;
  bool inKernel_ = false;
  size_t firstOfKernel_ = 0;
  bool isResident_ = false;   ///< the kernel at hand
  int64_t shared_ = 0;        ///< bytes of scratch in it
  std::set<Symbol> ofKernel_; ///< what only the kernel knows
};

} // namespace

Module planMemory(const Module& module, PassContext& ctx) {
  Module result = module;
  result.level = Level::Scheduled;
  for (Function& function : result.functions) function = MemoryPlan(function, ctx).run();
  return result;
}

} // namespace appyc::schedule
