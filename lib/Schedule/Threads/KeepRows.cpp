//===- KeepRows.cpp - lanes keep the row that they go through several times -------------------------------===//
//   for k (lanes) step width: m = max(m, x[i, k..])      row = registers
//   for k (lanes) step width: s = s + exp(x[i, k..] - m) => for r in [0, kept): k = (r * 32 + lane) * width
//   ..                                                        if k < n: row[r..] = x[i, k..]
//                                                           for r in [0, kept): if k < n: m = max(m, row[r..]) ..
// All loads are on their way at once, and none is made twice. A second kernel: the host takes it for rows that fit.
//
//   softmax f32, 2^28 elements, on an H200, by hand: us     | 128 | 300 | 512 | 1024 | 1536 | 2048 | 4096 a row
//   one element at a time                                   | 193 | 416 | 604 | 666  | 804  | 1202 | 1366
//   vectors                                                 | 180 | 373 | 550 | 803  | 914  | 989  | 1040
//   up to 4 vectors kept (predicted 525 for 512)            | 193 | 336 | 519
//   up to 8; 16; 32                                         | 270 | 408 | 525 | 524  | 569  | 534  | 758
//   kept one element at a time, up to 16                    | 324 | 438 | 843
//   blocks of 256 lanes, rows of 512, as a schedule asks: 1446 us; one vector kept: predicted 1400, measured 1292
// Rows of 128 and 300 were fewer elements. 16 kept are not done: nvcc takes 1.1 s for them, for 4 and 8 together 0.65.
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int kFewKept = 4, kMostKept = 8; ///< vectors of 16 bytes a lane: 16, 32 registers

/// A vector that a loop of lanes loads in each iteration: vector[v] = buffer[index].
struct Loaded {
  Symbol vector, buffer;
  DType type;
  std::vector<Expr> index; ///< of its first element, over the loop's index
};

/// A loop of lanes over vectors, without loops or branches but those over their elements.
struct RowLoop {
  size_t at; ///< in its list
  const For* loop;
  std::vector<Loaded> loads;
};

std::optional<RowLoop> rowLoop(const std::vector<Stmt>& list, size_t at) {
  const auto* loop = list[at].as<For>();
  const auto* step = loop ? loop->step.as<Hardware>() : nullptr;
  if (!step || step->which != HardwareIndex::Width || !lanesOf(*loop) || !isConst(loop->lo, 0)) return {};
  RowLoop row{at, loop, {}};
  std::set<Symbol> vectors;
  for (const Stmt& s : statementsOf(loop->body)) {
    const auto* inner = s.as<For>();
    if (const auto* a = s.as<Alloc>()) vectors.insert(a->buffer.name);
    if (!inner && !s.is<Alloc>() && !s.is<Assign>()) return {};
    const auto* copy = inner && inner->mapping.is<VectorCopy>() ? inner->body.as<Store>() : nullptr;
    if (inner && !copy && !isUnrolled(*inner)) return {};
    if (!copy || !vectors.count(copy->buffer)) continue;
    const auto& from = *copy->value.as<Load>();
    std::vector<Expr> first;
    for (const Expr& e : from.index) first.push_back(substitute(e, {{inner->index, intConst(0)}}));
    row.loads.push_back({copy->buffer, from.buffer, from.type, first});
  }
  return row;
}

/// Row loops of one list over one range, and what at least two of them load.
class KeptRows {
public:
  KeptRows(const Launch& kernel, std::vector<Buffer>& buffers)
      : kernel_(kernel), buffers_(buffers), assigned_(assignedVars(kernel.body)),
        stored_(storedBuffers(kernel.body)) {
    for (int axis : {1, 2}) onlyX_ &= kernel.shape.block[axis] == 1;
    assigned_.merge(loopIndices(kernel.body));
  }

  std::optional<Launch> made() {
    Stmt body = onlyX_ ? visited(kernel_.body) : kernel_.body;
    if (!length_) return {};
    body = loops::withOwnScalars(body);
    Launch result = kernel_;
    result.vectors.rows = {body, length_, step_, {kFewKept, kMostKept}};
    // Where counts are open, short rows share a block (FitThreads.cpp).
    if (scope_ == Scope::Block && hasAskedThreads(kernel_.body))
      result.vectors.rows.most.insert(result.vectors.rows.most.begin(), 1);
    return result;
  }

private:
  Stmt visited(const Stmt& s) {
    if (!s.is<Block>()) return mapChildren(s, [&](const Stmt& child) { return visited(child); });
    std::vector<Stmt> list;
    for (const Stmt& child : statementsOf(s)) list.push_back(visited(child));
    std::vector<RowLoop> loops;
    for (size_t i = 0; i < list.size(); ++i)
      if (auto row = rowLoop(list, i); row && isOfRange(*row->loop)) {
        choose(*row->loop);
        loops.push_back(*row);
      }
    const std::vector<Loaded> shared = sharedLoads(list, loops);
    if (shared.empty()) {
      if (!isFixed_) length_ = {};
      return block(std::move(list));
    }
    isFixed_ = true;
    return kept({s->span}, list, loops, shared);
  }

  /// Loops over one range that the host knows; the first loop's.
  bool isOfRange(const For& loop) const {
    if (readsMemory(loop.hi) || mentionsAny(loop.hi, assigned_)) return false;
    return !length_ || (equalIndex(loop.hi, length_) && lanesOf(loop) == scope_);
  }
  void choose(const For& loop) {
    length_ = loop.hi;
    scope_ = *lanesOf(loop);
    lanes_ = scope_ == Scope::Warp ? cost::Device::warp : kernel_.shape.block[0];
    step_ = lanes_ * kernel_.vectors.width;
  }

  static bool isSame(const Loaded& a, const Symbol& k, const Loaded& b, const Symbol& l) {
    if (a.buffer != b.buffer) return false;
    for (size_t d = 0; d < a.index.size(); ++d)
      if (!equalIndex(substitute(a.index[d], {{k, var(l)}}), b.index[d])) return false;
    return true;
  }

  /// What more than one loop loads and nobody stores, over the first such loop's index.
  std::vector<Loaded> sharedLoads(const std::vector<Stmt>& list, const std::vector<RowLoop>& loops) {
    std::vector<Loaded> shared;
    std::set<Symbol> changed;
    for (size_t i = loops.empty() ? list.size() : loops.front().at; i < list.size(); ++i)
      changed.merge(assignedVars(list[i]));
    for (const RowLoop& first : loops)
      for (const Loaded& load : first.loads) {
        const auto isLoaded = [&](const RowLoop& other) {
          return std::any_of(other.loads.begin(), other.loads.end(), [&](const Loaded& l) {
            return isSame(load, first.loop->index, l, other.loop->index);
          });
        };
        Loaded own = load;
        for (Expr& e : own.index) e = substitute(e, {{first.loop->index, var(index_)}});
        const bool known = std::any_of(shared.begin(), shared.end(),
                                       [&](const Loaded& l) { return isSame(own, index_, l, index_); });
        const bool moves = std::any_of(own.index.begin(), own.index.end(),
                                       [&](const Expr& e) { return mentionsAny(e, changed); });
        if (!known && !moves && !stored_.count(load.buffer) &&
            std::count_if(loops.begin(), loops.end(), isLoaded) > 1)
          shared.push_back(own);
      }
    // As many registers as one row takes.
    if (shared.size() > 2) shared.resize(2);
    return shared;
  }

  Expr lane() const {
    const Expr thread = make(Hardware{HardwareIndex::ThreadX});
    return scope_ == Scope::Warp ? mod(thread, cost::Device::warp) : thread;
  }
  static Expr width() { return make(Hardware{HardwareIndex::Width}); }

  /// for r in [0, kept): k = (r * lanes + lane) * width; if k < n: `body`
  Stmt byVectors(const Builder& build, const Symbol& r, const Symbol& k, const Stmt& body,
                 std::vector<Reduction> reductions) const {
    const Expr position = binary(BinaryOp::Mul, var(r) * lanes_ + lane(), width());
    const Stmt one = block({build.assign(k, position), build.when(var(k) < length_, body)});
    return loops::unrolledInAnyOrder(build, r, make(Hardware{HardwareIndex::Kept}), one, 0,
                                     std::move(reductions));
  }
  static Expr inRow(const Symbol& r, const Expr& v) { return binary(BinaryOp::Mul, var(r), width()) + v; }

  Stmt kept(const Builder& build, std::vector<Stmt> list, const std::vector<RowLoop>& loops,
            const std::vector<Loaded>& shared) {
    std::vector<Buffer> rows;
    std::vector<Stmt> before;
    for (const Loaded& load : shared) {
      rows.push_back(
          {Symbol(load.buffer.hint() + "_row"), load.type, {intConst(kMostKept * kernel_.vectors.width)}});
      buffers_.push_back(rows.back());
      before.push_back(build.make(Alloc{rows.back(), false, false, true}));
      before.push_back(filled(build, load, rows.back()));
    }
    for (const RowLoop& loop : loops) list[loop.at] = fromRows({list[loop.at]->span}, loop, shared, rows);
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(loops.front().at), before.begin(), before.end());
    return block(std::move(list));
  }

  Stmt filled(const Builder& build, const Loaded& load, const Buffer& row) {
    const Symbol r("r"), k(index_.hint()), v("v"), w("v");
    const Buffer vector{Symbol(load.buffer.hint() + "_vector"), load.type, {intConst(kernel_.vectors.width)}};
    buffers_.push_back(vector);
    std::vector<Expr> index;
    for (const Expr& e : load.index) index.push_back(substitute(e, {{index_, var(k)}}));
    index.back() = index.back() + var(v);
    For copy = provenLoop(v, intConst(0), width(),
                          build.store(vector, {var(v)}, make(Load{load.type, load.buffer, index})));
    copy.mapping = VectorCopy{};
    const Stmt each = loops::unrolledInAnyOrder(
        build, w, width(), build.store(row, {inRow(r, var(w))}, ir::load(vector, {var(w)})));
    return byVectors(build, r, k,
                     block({build.make(Alloc{vector, false, true}), build.make(std::move(copy)), each}), {});
  }

  Stmt fromRows(const Builder& build, const RowLoop& loop, const std::vector<Loaded>& shared,
                const std::vector<Buffer>& rows) const {
    const Symbol r("r"), k(loop.loop->index.hint());
    std::map<Symbol, const Buffer*> rowOf; ///< by vector
    for (const Loaded& load : loop.loads)
      for (size_t i = 0; i < shared.size(); ++i)
        if (isSame(load, loop.loop->index, shared[i], index_)) rowOf[load.vector] = &rows[i];
    std::vector<Stmt> body;
    for (const Stmt& s : statementsOf(loop.loop->body)) {
      const auto* alloc = s.as<Alloc>();
      const auto* copy = s.as<For>();
      const auto* store = copy && copy->mapping.is<VectorCopy>() ? copy->body.as<Store>() : nullptr;
      if ((alloc && rowOf.count(alloc->buffer.name)) || (store && rowOf.count(store->buffer))) continue;
      body.push_back(replace<Load>(s, [&](const Load& from) {
        const auto row = rowOf.find(from.buffer);
        return row == rowOf.end() ? Expr() : ir::load(*row->second, {inRow(r, from.index[0])});
      }));
    }
    return byVectors(build, r, k, substitute(block(std::move(body)), {{loop.loop->index, var(k)}}),
                     loop.loop->reductions);
  }

  const Launch& kernel_;
  std::vector<Buffer>& buffers_; ///< of the function
  std::set<Symbol> assigned_, stored_;
  Symbol index_{"k"};
  Expr length_;
  Scope scope_ = Scope::Block; ///< whose lanes take turns
  int64_t lanes_ = 0, step_ = 0;
  bool onlyX_ = true, isFixed_ = false;
};

} // namespace

void keepRows(Function& f, PassContext& ctx) {
  f.body = replace<Launch>(f.body, [&](const Launch& kernel, const Stmt& s) -> Stmt {
    const auto kept = kernel.vectors.width > 1 ? KeptRows(kernel, f.buffers).made() : std::nullopt;
    if (!kept) return {};
    ctx.diag.report(DiagId::Parallelised, s->span,
                    fmt::format("rows of more than {} and up to {} elements are kept in registers",
                                kept->vectors.rows.most[0] > 1 ? kept->vectors.rows.step : 0,
                                kept->vectors.rows.step * kMostKept));
    return makeStmt(s->span, *kept);
  });
}

} // namespace appyc::schedule
