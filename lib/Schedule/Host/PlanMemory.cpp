//===- PlanMemory.cpp - where temporaries live ------------------------------------------------------===//
//   for i (workers) in range(N):       =>    Alloc t[N, K]
//     Alloc t[K]                             for i (workers) in range(N):
//     t[k] = ...                               t[i, k] = ...
// Dimensions for blocks and warps come first, those for threads last, the x axis innermost: neighbouring
// threads, neighbouring elements.
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMostOfThread = 2048; ///< bytes of an array that each thread has for itself

/// Accesses to `buffer` with `before` in front of their indices and `after` behind.
Stmt widenAccesses(const Stmt& s, Symbol buffer, const std::vector<Expr>& before,
                   const std::vector<Expr>& after) {
  auto widened = [&](const std::vector<Expr>& index) {
    std::vector<Expr> all = before;
    all.insert(all.end(), index.begin(), index.end());
    all.insert(all.end(), after.begin(), after.end());
    return all;
  };
  return loops::contracted(s, [&](const Symbol& array, const std::vector<Expr>& index) {
    return array == buffer ? std::optional(loops::Element{array, widened(index)}) : std::nullopt;
  });
}

/// At least as many as a loop from 0 on has iterations: the elements of an array of which each takes its own, whatever else
/// it does. Empty: there is none whose size `isKnown`.
template <class IsKnown>
Expr elementsOfIterations(const For& loop, const Function& f, const IsKnown& isKnown) {
  if (constantInt(loop.lo) != 0 || constantInt(loop.step) != 1) return {};
  const auto* body = loop.body.as<Block>();
  for (const Stmt& s : body ? body->body : std::vector<Stmt>{loop.body}) {
    const auto* set = s.as<Assign>();
    const auto* read = set ? set->value.as<Load>() : nullptr;
    const Buffer* array = read ? f.findBuffer(read->buffer) : nullptr;
    for (size_t d = 0; array && d < read->index.size(); ++d)
      if (const auto* at = read->index[d].as<Var>();
          at && at->name == loop.index && isKnown(array->extents[d]))
        return array->extents[d];
  }
  return {};
}

class MemoryPlan {
public:
  MemoryPlan(const Function& f, PassContext& c) : function_(f), ctx_(c) {
    for (const Size& size : f.sizes) sizes_.insert(size.name);
    known_ = analysis::knownAtEntry(f);
  }

  Function run() {
    Stmt body = plan(function_.body);
    std::vector<Stmt> out = std::move(atTop_);
    out.push_back(body);
    function_.body = block(std::move(out));
    return std::move(function_);
  }

private:
  bool isKnownAtEntry(const Expr& e) const { return e && analysis::followsFrom(e, known_); }
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
    isResident_ = kernel.how == Launch::Resident;
    shared_ = 0;
    ofKernel_ = scalarsOfKernel_ = assignedVars(kernel.body);
    definitions_ = onlyValues(kernel.body);
    ofKernel_.merge(loopIndices(kernel.body));
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
      const Stmt before = next;
      bool moved = inKernel_ ? moveOutOfKernel(next, alloc->buffer, rest) : moveToTop(next, alloc->buffer);
      const bool stays = !moved || !(next == before);
      changed |= moved;
      if (stays) out.push_back(next);
    }
    return changed ? block(std::move(out)) : s;
  }

  /// Is the expression, or a part of it, made in the kernel at hand, loop indices apart?
  bool isMadeInKernel(const Expr& e) const { return readsMemory(e) || mentionsAny(e, scalarsOfKernel_); }

  /// An expression that is never below `e` and, where a minimum allows it, free of the kernel's scalars:
  /// min(128, end - i) is at most 128.
  Expr withoutScalars(const Expr& e, int depth = 0) const {
    constexpr int deepest = 8; // definitions may go in circles
    if (!isMadeInKernel(e) || depth == deepest) return e;
    if (const auto* v = e.as<Var>()) {
      const auto definition = definitions_.find(v->name);
      return definition == definitions_.end() ? e : withoutScalars(definition->second, depth + 1);
    }
    const auto* b = e.as<Binary>();
    if (!b || (b->op != BinaryOp::Min && b->op != BinaryOp::Max)) return e;
    Expr left = withoutScalars(b->lhs, depth + 1), right = withoutScalars(b->rhs, depth + 1);
    if (b->op == BinaryOp::Max) return maxOf(left, right);
    if (isMadeInKernel(left)) return right;
    return isMadeInKernel(right) ? left : minOf(left, right);
  }

  /// `extents` without the indices of the loops around; empty when that cannot be.
  std::vector<Expr> largest(const std::vector<Expr>& extents) const {
    std::vector<Expr> most;
    for (const Expr& e : extents) {
      Expr bound = analysis::upperBound(inKernel_ ? withoutScalars(e) : e, loops_);
      if (!bound) return {};
      most.push_back(bound == e ? e : analysis::atLeastZero(bound, sizes_));
    }
    return most;
  }

  /// Scratch stays in its kernel: shared by the lanes of a block, or a small array of one thread. Empty: it
  /// cannot.
  Stmt onChip(const Stmt& s, const Buffer& buffer) {
    constexpr int64_t mostOfBlock = cost::Device::sharedOfBlock;
    if (!buffer.onChip) return {};
    if (isResident_) return makeStmt(s->span, Alloc{buffer, true}); // the host has seen to it that it fits
    int64_t bytes = byteSize(buffer.type);
    for (const Expr& e : buffer.extents) bytes *= *constantInt(e);
    bool ofThread = false;
    for (size_t i = firstOfKernel_; i < loops_.size(); ++i) {
      if (loops_[i]->mapping.is<PerWarp>()) return {};
      ofThread |= loops_[i]->mapping.is<PerThread>() || lanesOf(*loops_[i]) == Scope::Block;
    }
    if (ofThread) return bytes <= kMostOfThread ? s : Stmt();
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

  static bool isOfConstants(const Buffer& b) {
    return std::all_of(b.extents.begin(), b.extents.end(), [](const Expr& e) { return constantInt(e); });
  }

  /// The array as one of the thread that runs the iteration around it, where it is small: `cols[min(64, end - j)]`.
  std::optional<Buffer> ofThread(Buffer buffer, const std::vector<const For*>& workers,
                                 const std::vector<Stmt>& users) const {
    const auto isOfThread = [](const For* l) { return l->mapping.is<PerLane, PerThread>(); };
    if (std::none_of(workers.begin(), workers.end(), isOfThread)) return std::nullopt;
    const auto shares = [](const Stmt& user) { return any<For>(user, isBound); };
    if (std::any_of(users.begin(), users.end(), shares)) return std::nullopt;
    int64_t bytes = byteSize(buffer.type);
    for (Expr& e : buffer.extents) {
      const Expr bound = analysis::upperBound(withoutScalars(e), loops_);
      const std::optional<int64_t> most = bound ? constantInt(bound) : std::nullopt;
      if (!most || *most > kMostOfThread) return std::nullopt;
      e = intConst(std::max<int64_t>(*most, 1));
      bytes *= *constantInt(e);
    }
    buffer.onChip = true;
    return bytes <= kMostOfThread ? std::optional(buffer) : std::nullopt;
  }

  bool moveOutOfKernel(Stmt& s, Buffer buffer, std::vector<Stmt>& users) {
    std::vector<Expr> extents = buffer.extents, before, after, beforeExtents, afterExtents;
    std::vector<const For*> workers(loops_.begin() + static_cast<std::ptrdiff_t>(firstOfKernel_),
                                    loops_.end());
    workers.erase(std::remove_if(workers.begin(), workers.end(), [](const For* l) { return !isBound(*l); }),
                  workers.end());
    if (std::optional<Buffer> small =
            isOfConstants(buffer) ? ofThread(buffer, workers, users) : std::nullopt) {
      update(*small);
      s = makeStmt(s->span, Alloc{*small});
      return true;
    }
    auto isFirst = [](const For* l) { return l->mapping.is<PerBlock, PerWarp>(); };
    std::stable_sort(workers.begin(), workers.end(), [&](const For* a, const For* b) {
      if (isFirst(a) != isFirst(b)) return isFirst(a);
      return axisOf(*a) > axisOf(*b);
    });
    bool derived = true;
    for (const For* loop : workers) {
      Expr count = tripCount(*loop);
      const auto isKnown = [&](const Expr& e) { return isKnownAtEntry(e) || isKnownAtLaunch(e); };
      if (count && isMadeInKernel(withoutScalars(count)))
        if (const Expr most = elementsOfIterations(*loop, function_, isKnown)) count = most;
      derived &= bool(count);
      (isFirst(loop) ? before : after).push_back(loops::positionIn(*loop));
      (isFirst(loop) ? beforeExtents : afterExtents)
          .push_back(count ? analysis::atLeastZero(count, sizes_) : count);
    }
    extents.insert(extents.begin(), beforeExtents.begin(), beforeExtents.end());
    extents.insert(extents.end(), afterExtents.begin(), afterExtents.end());
    std::vector<Expr> most = derived ? largest(extents) : std::vector<Expr>();
    derived &= most.size() == extents.size();
    bool atEntry =
        derived && std::all_of(most.begin(), most.end(), [&](const Expr& e) { return isKnownAtEntry(e); });
    if (!atEntry && !(derived && std::all_of(most.begin(), most.end(),
                                             [&](const Expr& e) { return isKnownAtLaunch(e); }))) {
      if (std::optional<Buffer> small = ofThread(buffer, workers, users)) {
        update(*small);
        s = makeStmt(s->span, Alloc{*small});
        return true;
      }
      ctx_.diag.report(
          DiagId::Unsupported, s->span,
          fmt::format(
              "temporary array of varying size inside a parallel loop; write into an array made before "
              "the loop, or one of at most {} elements here",
              kMostOfThread / byteSize(buffer.type)));
      return false;
    }
    buffer.extents = std::move(most);
    update(buffer);
    std::vector<Stmt>& made = atEntry ? atTop_ : beforeLaunch_;
    if (!allocatedBuffers(block(made)).count(buffer.name)) // as by the other kernel of which sizes choose one
      made.push_back(makeStmt(s->span, Alloc{buffer}));
    for (Stmt& user : users) user = widenAccesses(user, buffer.name, before, after);
    return true;
  }

  Function function_;
  PassContext& ctx_;
  std::set<Symbol> sizes_, known_, scalarsOfKernel_;
  std::map<Symbol, Expr> definitions_; ///< of the kernel's scalars that are assigned once
  std::vector<const For*> loops_;      ///< around the statement at hand
  std::vector<Stmt> atTop_, beforeLaunch_;
  bool inKernel_ = false;
  size_t firstOfKernel_ = 0;
  bool isResident_ = false;   ///< the kernel at hand
  int64_t shared_ = 0;        ///< bytes of scratch in it
  std::set<Symbol> ofKernel_; ///< what only the kernel knows
};

} // namespace

void planMemory(Function& function, PassContext& ctx) { function = MemoryPlan(function, ctx).run(); }

} // namespace appyc::schedule
