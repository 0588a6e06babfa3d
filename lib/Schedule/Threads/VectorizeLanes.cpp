//===- VectorizeLanes.cpp - threads take elements side by side, with one load or store --------------------===//
//   for k (lanes): total = total + A[i, k] * x[k]
//   => for k (lanes) step width: a = A[i, k .. k + width]; b = x[k .. k + width]
//        for v in [0, width), unrolled: total = total + a[v] * b[v]
// The width is the kernel's template parameter: 16 bytes of the largest element where the host finds rows and
// arrays to begin at multiples of that, else 1.
//
//   kernels measured on an H200, by hand: us                | predicted | one element, one vector
//   softmax f32, 524288 rows of 512, a warp a row           | 555       | 604, 550
//   rows summed by blocks, f32: 512, 16384 a row            | -         | 479, 255; 423, 248
//   rows summed by warps, f32: 512, 16384 a row             | -         | 245, 245; 252, 245
//   rows of 16384 summed by blocks, by warps, u8            | a third   | 1467, 260; 429, 245
//   gesummv N=11200, f64: a block a row, 128 threads        | 499       | 509, 477
//   gemver N=8000, f64: rows; columns updated on the way    | 136; -    | 139, 124; 301, 266
//   a + t over two dimensions: f64, f32, u8                 | 0, -5%, / 3 | 471, 471; 581, 480; 965, 278
//   a * t + y over one dimension: f64, f32                  | 0, -5%    | 758, 752; 866, 750
//   u8 to f32: vectors of 4, of 16                          | -         | 569, 337; 711 (four stores each)
//   hdiff: two columns by eight rows                        | +-5%      | 75.7, 75.2; 72.1 with 16 x 8 threads: not done
#include "LaneVectors.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <list>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int kCallsPerAccess = 2;     ///< more of them, and memory is not what the kernel waits for
constexpr int64_t kFewElements = 4096; ///< of arrays, partial results as a rule, that nobody waits for long

//===--- the kernel -------------------------------------------------------------------------------------===//

/// Where a kernel touches an array that it writes.
struct Touch {
  Symbol buffer;
  const StmtNode* loop; ///< of the lanes; null outside
  std::vector<Expr> index;
};

class VectorKernel {
public:
  VectorKernel(const Launch& kernel, std::vector<Buffer>& buffers)
      : kernel_(kernel), names_(kernel.body), buffers_(buffers) {
    if (!mayChange()) return;
    collect(kernel.body, nullptr);
    for (bool changed = true; changed;) changed = leaveOutShared();
    chooseWidth();
  }

  int width() const { return width_; }
  bool pays() const { return pays_; }
  const For& firstLoop() const { return *loops_.front().loop; }

  Launch made() {
    Launch wide = kernel_;
    wide.vectors.width = width_;
    wide.body = visited(kernel_.body);
    for (const Lanes& l : loops_) {
      const std::vector<Expr> multiples = l.vectors.multiples(width_).value();
      wide.vectors.alongGrid |= l.loop->mapping.is<PerThread>();
      for (const Symbol& array : l.vectors.arrays()) arrays_.insert(array);
      for (const Expr& e : multiples)
        if (std::none_of(wide.vectors.multiples.begin(), wide.vectors.multiples.end(),
                         [&](const Expr& known) { return equalIndex(known, e); }))
          wide.vectors.multiples.push_back(e);
    }
    wide.vectors.arrays.assign(arrays_.begin(), arrays_.end());
    return wide;
  }

private:
  struct Lanes {
    const StmtNode* statement;
    const For* loop;
    LaneVectors vectors;
  };

  /// Registers, blocks and positions of kernels that count on them stay.
  bool mayChange() const {
    const auto countsBlocks = [](const For& loop) { return firstBlockOf(loop) > 0; };
    const auto asksPosition = [](const Assign& a) { return has<Hardware>(a.value); };
    return kernel_.how != Launch::Cluster && kernel_.shape.threadsAtOnce == 0 &&
           !any<For>(kernel_.body, countsBlocks) && !any<Assign>(kernel_.body, asksPosition);
  }

  void collect(const Stmt& s, const StmtNode* lanes) {
    if (const auto* loop = s.as<For>(); loop && isAlongLanes(*loop)) {
      lanes = s.get();
      const LaneVectors vectors(*loop, names_, buffers_);
      if (vectors.isPossible()) loops_.push_back({lanes, loop, vectors});
      allLoops_.emplace(lanes, loop);
    }
    forEachExpr(s, [&](const Expr& e) {
      each<Load>(e, [&](const Load& l) { touches_.push_back({l.buffer, lanes, l.index}); });
    });
    if (const auto* store = s.as<Store>()) {
      touches_.push_back({store->buffer, lanes, store->index});
      written_.insert(store->buffer);
    }
    forEachChild(s, [&](const Stmt& child) { collect(child, lanes); });
  }

  /// Lanes that meet an element in two loops must be the same lane in both: barriers were placed so.
  bool leaveOutShared() {
    for (const Touch& a : touches_)
      for (const Touch& b : touches_) {
        if (a.loop == b.loop || a.buffer != b.buffer || !written_.count(a.buffer)) continue;
        const Lanes *inA = lanesOf(a.loop), *inB = lanesOf(b.loop);
        if ((!inA && !inB) || (inA && inB && isSameLane(a, b))) continue;
        std::erase_if(loops_, [&](const Lanes& l) { return l.statement == a.loop || l.statement == b.loop; });
        return true;
      }
    return false;
  }
  const Lanes* lanesOf(const StmtNode* statement) const {
    for (const Lanes& l : loops_)
      if (l.statement == statement) return &l;
    return nullptr;
  }
  bool isSameLane(const Touch& a, const Touch& b) const {
    const For &x = *allLoops_.at(a.loop), &y = *allLoops_.at(b.loop);
    if (!equalIndex(x.lo, y.lo)) return false;
    for (size_t d = 0; d < a.index.size(); ++d)
      if (!equalIndex(substitute(a.index[d], {{x.index, var(y.index)}}), b.index[d])) return false;
    return true;
  }

  /// 16 bytes of the largest element, and what then is possible.
  void chooseWidth() {
    for (bool changed = true; changed && !loops_.empty();) {
      int widest = 1;
      for (const Lanes& l : loops_) widest = std::max(widest, l.vectors.widest());
      width_ = cost::Device::bytesOfLoad / widest;
      changed = std::erase_if(loops_, [&](const Lanes& l) { return !l.vectors.multiples(width_); }) > 0;
      if (changed)
        while (leaveOutShared()) {
        }
    }
    if (loops_.empty()) width_ = 1;
    // One block waits for itself; where most loops stay as they are, so does what the kernel waits for.
    const bool isOneBlock = std::all_of(std::begin(kernel_.shape.grid), std::end(kernel_.shape.grid),
                                        [](const Expr& e) { return !e || isConst(e, 1); });
    if (isOneBlock || 2 * loops_.size() <= allLoops_.size()) return;
    for (const Lanes& l : loops_) pays_ |= paysIn(l);
  }

  bool paysIn(const Lanes& l) const {
    const auto trip = constantTrip(*l.loop);
    if (trip && *trip < cost::Device::warp * width_) return false;
    if (l.vectors.calls() > kCallsPerAccess * l.vectors.accesses()) return false;
    // Eight bytes a thread are enough, but for sums of rows and updates in place, which wait for their loads.
    const bool sums = !l.loop->mapping.is<PerThread>() && !l.loop->reductions.empty() &&
                      isConst(l.loop->lo, 0) && !areSmall(l.vectors.arrays());
    return width_ > 2 || sums || l.vectors.updates();
  }

  static bool hasFewElements(const Buffer& b) {
    int64_t count = 1;
    for (const Expr& extent : b.extents) {
      const auto n = constantInt(extent);
      if (!n || *n > kFewElements) return false;
      count *= *n;
    }
    return count <= kFewElements;
  }
  bool areSmall(const std::set<Symbol>& arrays) const {
    return std::all_of(buffers_.begin(), buffers_.end(),
                       [&](const Buffer& b) { return !arrays.count(b.name) || hasFewElements(b); });
  }

  Stmt visited(const Stmt& s) {
    const Lanes* found = lanesOf(s.get());
    if (!found) return mapChildren(s, [&](const Stmt& child) { return visited(child); });
    return vectorLoop({s->span}, *found->loop, found->vectors, width_, buffers_);
  }

  const Launch& kernel_;
  KernelNames names_;
  std::vector<Buffer>& buffers_;
  std::list<Lanes> loops_; ///< that get vectors
  std::map<const StmtNode*, const For*> allLoops_;
  std::vector<Touch> touches_;
  std::set<Symbol> written_, arrays_;
  int width_ = 1;
  bool pays_ = false;
};

class LaneVectorization {
public:
  LaneVectorization(Function& f, PassContext& ctx) : function_(f), ctx_(ctx) {
    each<Launch>(f.body, [&](const Launch& kernel) { ++launches_[kernel.name]; });
  }

  Stmt visited(const Stmt& s, bool inTime) {
    const auto* kernel = s.as<Launch>();
    if (!kernel)
      return mapChildren(
          s, [&](const Stmt& child) { return visited(child, inTime || s.is<For>() || s.is<While>()); });
    if (!kernel->body || launches_.at(kernel->name) > 1) return s;
    VectorKernel vectors(*kernel, function_.buffers);
    if (vectors.width() == 1) return s;
    // Time loops go over the same arrays again and again, which come from the cache.
    const bool byDefault = vectors.pays() && !inTime;
    if (ctx_.choose(s->span, "vectors", byDefault ? "true" : "false", {"true", "false"}) != "true") return s;
    ctx_.diag.report(
        DiagId::Parallelised, s->span,
        fmt::format("a thread takes {} elements along `{}` at once where rows begin at multiples of 16 bytes",
                    vectors.width(), vectors.firstLoop().index.hint()));
    return makeStmt(s->span, vectors.made());
  }

private:
  Function& function_;
  PassContext& ctx_;
  std::map<std::string, int> launches_; ///< of each kernel
};

} // namespace

void vectorizeLanes(Function& f, PassContext& ctx) {
  f.body = LaneVectorization(f, ctx).visited(f.body, false);
}

} // namespace appyc::schedule
