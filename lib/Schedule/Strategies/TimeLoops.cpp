//===- TimeLoops.cpp - which loops over time can be tiled, and by what --------------------------------===//
#include "TimeLoops.h"
#include "appyc/Cost/Model.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

std::optional<int64_t> distance(const Expr& e, const Expr& base) {
  if (equalIndex(e, base)) return 0;
  if (auto value = constantInt(e - base)) return value;
  const auto* b = e.as<Binary>();
  if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) return {};
  const std::optional<int64_t> rest = distance(b->lhs, base), by = constantInt(b->rhs);
  if (!rest || !by) return {};
  return b->op == BinaryOp::Add ? *rest + *by : *rest - *by;
}

namespace {

constexpr int kOperationsOfCall = 16;
constexpr int64_t kMostDistance = 8, kFewSteps = 4;

class Recognition {
public:
  Recognition(const For& loop, const std::vector<Buffer>& buffers, const cost::Device& device,
              std::string& why)
      : mostOperations_(cost::doublesInRoundTrip(device)), why_(why) {
    time_.loop = &loop;
    stored_ = storedBuffers(loop.body);
    for (const Buffer& b : buffers)
      if (stored_.count(b.name)) time_.arrays.push_back({b, -1, {}});
  }

  std::optional<TimeLoop> run() {
    const For& loop = *time_.loop;
    if (isBound(loop) || loop.hints.mark == LoopMark::Sequential || !tripCount(loop))
      return fail("its order or step is fixed");
    if (constantTrip(loop).value_or(kFewSteps) < kFewSteps) return fail("there are few steps");
    for (const Stmt& s : statementsOf(loop.body)) {
      const auto* launch = s.as<Launch>();
      if (!launch || !launch->body) return fail("it does more than launch kernels");
      if (time_.kernel.empty()) time_.kernel = launch->name;
      if (!addSweep(launch->body)) return fail("a kernel is not a plain and cheap sweep over arrays");
    }
    if (time_.sweeps.empty()) return fail("it launches nothing");
    if (!haveOneShape()) return fail("its arrays are of different shapes, or of more than two dimensions");
    for (Sweep& sweep : time_.sweeps)
      if (!relate(sweep)) return fail("a subscript is not an index and a small constant");
    if (std::any_of(time_.sweeps.begin(), time_.sweeps.end(), readsWrittenElsewhere))
      return fail("a sweep reads what it writes away from its own place");
    for (StateArray& array : time_.arrays) findWriter(array);
    if (std::all_of(time_.arrays.begin(), time_.arrays.end(),
                    [](const StateArray& a) { return a.writer >= 0; }))
      return fail("no step needs the one before");
    return std::move(time_);
  }

private:
  std::nullopt_t fail(const char* why) {
    why_ = why;
    return std::nullopt;
  }

  /// Perfectly nested parallel loops, one thread an iteration, over stores and what they need.
  bool addSweep(const Stmt& body) {
    Sweep sweep;
    sweep.body = body;
    std::set<Symbol> indices{time_.loop->index};
    while (const auto* loop = sweep.body.as<For>()) {
      if (!loop->mapping.is<PerThread>() || loop->order != Order::Proven || !loop->reductions.empty() ||
          !isConst(loop->step, 1))
        return false;
      for (const Expr& bound : {loop->lo, loop->hi})
        if (readsMemory(bound) || mentionsAny(bound, indices)) return false;
      sweep.dims.push_back({loop->index, loop->lo, loop->hi});
      indices.insert(loop->index);
      const std::vector<Stmt> inside = statementsOf(loop->body);
      sweep.body = inside.size() == 1 ? inside.front() : loop->body;
    }
    int operations = 0;
    bool plain = !sweep.dims.empty();
    visit(
        sweep.body,
        [&](const Stmt& s) {
          const auto* store = s.as<Store>();
          plain &= s.is<Block>() || s.is<Assign>() || s.is<If>() || (store && !store->atomicOp);
          return plain;
        },
        [&](const Expr& e) {
          operations += e.is<Binary>() + kOperationsOfCall * e.is<Call>();
          return true;
        });
    time_.sweeps.push_back(std::move(sweep));
    return plain && operations <= mostOperations_;
  }

  bool haveOneShape() const {
    if (time_.arrays.empty()) return false;
    const std::vector<Expr>& shape = time_.arrays.front().buffer.extents;
    if (shape.empty() || shape.size() > 2) return false;
    return std::all_of(time_.arrays.begin(), time_.arrays.end(),
                       [&](const StateArray& a) { return equalIndices(shape, a.buffer.extents); });
  }

  /// Brings the sweep's loops into the order of the arrays' dimensions, and collects its accesses.
  bool relate(Sweep& sweep) {
    const std::vector<Sweep::Dim> loops = std::move(sweep.dims);
    sweep.dims.clear();
    const std::set<Symbol> assigned = assignedVars(sweep.body);
    bool good = true;
    visit(
        sweep.body,
        [&](const Stmt& s) {
          if (const auto* store = s.as<Store>())
            good = good && relateAccess(sweep, loops, store->buffer, store->index, sweep.stores);
          return good;
        },
        [&](const Expr& e) {
          const auto* l = e.as<Load>();
          if (l && stored_.count(l->buffer))
            good = good && relateAccess(sweep, loops, l->buffer, l->index, sweep.loads);
          else if (l) // halo cells may hold anything, which is no index
            for (const Expr& i : l->index) good = good && !readsMemory(i) && !mentionsAny(i, assigned);
          return good;
        });
    std::set<Symbol> changing = assigned;
    changing.insert(time_.loop->index);
    for (const Sweep::Dim& d : sweep.dims) // one place for all steps
      good = good && !(d.fixed && (readsMemory(d.lo) || mentionsAny(d.lo, changing)));
    return good && std::all_of(loops.begin(), loops.end(), [&](const Sweep::Dim& loop) {
             return std::any_of(sweep.dims.begin(), sweep.dims.end(),
                                [&](const Sweep::Dim& d) { return d.index == loop.index; });
           });
  }

  bool relateAccess(Sweep& sweep, const std::vector<Sweep::Dim>& loops, const Symbol& array,
                    const std::vector<Expr>& index, std::vector<Sweep::Access>& into) {
    const bool first = sweep.dims.empty();
    Sweep::Access access{array, {}};
    for (size_t d = 0; d < index.size(); ++d) {
      if (first) sweep.dims.push_back(dimOf(loops, index[d]));
      Sweep::Dim& dim = sweep.dims[d];
      const auto by = distance(index[d], dim.fixed ? dim.lo : var(dim.index));
      if (!by || std::abs(*by) > kMostDistance) return false;
      dim.least = first ? *by : std::min(dim.least, *by);
      dim.most = first ? *by : std::max(dim.most, *by);
      access.offset.push_back(*by);
    }
    into.push_back(std::move(access));
    return true;
  }
  /// The loop that the subscript follows, or the one place where it stays.
  static Sweep::Dim dimOf(const std::vector<Sweep::Dim>& loops, const Expr& subscript) {
    for (const Sweep::Dim& loop : loops)
      if (mentions(subscript, loop.index)) return loop;
    return {Symbol("at"), subscript, subscript + 1, true};
  }

  /// Elements that it does not write where it writes the first one.
  static bool readsWrittenElsewhere(const Sweep& sweep) {
    return std::any_of(sweep.stores.begin(), sweep.stores.end(), [&](const Sweep::Access& s) {
      return s.offset != sweep.stores.front().offset &&
             std::any_of(sweep.loads.begin(), sweep.loads.end(),
                         [&](const Sweep::Access& l) { return l.array == s.array; });
    });
  }

  void findWriter(StateArray& array) {
    int stores = 0;
    for (size_t i = 0; i < time_.sweeps.size(); ++i) {
      const Sweep& sweep = time_.sweeps[i];
      if (stores == 0 && loadedBuffers(sweep.body).count(array.buffer.name)) return;
      for (const Sweep::Access& s : sweep.stores)
        if (s.array == array.buffer.name && ++stores == 1) array.writerOffset = s.offset;
      // Where it stands under a condition, the element before may stay.
      for (const Stmt& s : statementsOf(sweep.body))
        if (const auto* store = s.as<Store>(); store && store->buffer == array.buffer.name)
          array.writer = static_cast<int>(i);
    }
    if (stores != 1) array.writer = -1;
  }

  TimeLoop time_;
  std::set<Symbol> stored_;
  int mostOperations_; ///< sweeps that compute more an element are not held up by memory
  std::string& why_;
};

//===--- tiles ------------------------------------------------------------------------------------------===//

/// Bytes that a strip takes of a thread's registers; cells in it.
constexpr int64_t kBytesOfThread = 192, kMostCells = 8, kCellsOfLine = 4;

struct Margin {
  int64_t before = 0, after = 0;
};
using Margins = std::map<Symbol, std::vector<Margin>>;

/// Where, after one more step, a tile's array is not what it should be: so many cells from its ends.
void step(const TimeLoop& time, Margins& margins) {
  for (const Sweep& sweep : time.sweeps) {
    Margins after = margins;
    for (const Sweep::Access& store : sweep.stores)
      for (size_t d = 0; d < sweep.dims.size(); ++d) {
        const int64_t to = store.offset[d];
        Margin& margin = after[store.array][d];
        margin.before = std::max(margin.before, to - sweep.dims[d].least);
        margin.after = std::max(margin.after, sweep.dims[d].most - to);
        for (const Sweep::Access& load : sweep.loads) {
          margin.before = std::max(margin.before, margins[load.array][d].before + to - load.offset[d]);
          margin.after = std::max(margin.after, margins[load.array][d].after + load.offset[d] - to);
        }
      }
    margins = std::move(after);
  }
}

bool isPlace(const Sweep& sweep) {
  return std::any_of(sweep.dims.begin(), sweep.dims.end(), [](const auto& d) { return d.fixed; });
}

/// Nanoseconds a cell and step of one sweep at a time, and in tiles.
struct Cost {
  const cost::Device& device;
  double plain = 0, shared = 0, carried = 0;

  Cost(const cost::Device& d, const TimeLoop& time, const TileShape& tile) : device(d) {
    std::map<Symbol, double> bytes;
    for (const StateArray& a : time.arrays) {
      bytes[a.buffer.name] = byteSize(a.buffer.type);
      if (a.writer < 0) carried += byteSize(a.buffer.type);
    }
    std::set<Symbol> acrossColumns;
    for (const Sweep& sweep : time.sweeps) {
      if (isPlace(sweep)) continue;
      for (const auto& [array, size] : bytes)
        plain += size * static_cast<double>(loadedBuffers(sweep.body).count(array) +
                                            storedBuffers(sweep.body).count(array));
      const std::vector<int64_t>& cell = sweep.stores.front().offset;
      for (const Sweep::Access& l : sweep.loads) {
        const bool across = l.offset.back() != cell.back() && l.offset.size() > 1;
        if (across) acrossColumns.insert(l.array);
        // Read here, and, at a strip's end, written for this.
        shared += bytes[l.array] * (across ? 1 : 2 * ofStrip(l.offset.front() - cell.front(), tile));
      }
    }
    for (const Sweep& sweep : time.sweeps)
      for (const Sweep::Access& s : sweep.stores)
        if (!isPlace(sweep) && acrossColumns.count(s.array)) shared += bytes[s.array];
    plain /= device.memory;
    shared /= device.shared;
  }
  /// The part of a strip's cells whose neighbour at this distance is in another.
  static double ofStrip(int64_t distance, const TileShape& tile) {
    return std::min(1.0, static_cast<double>(std::abs(distance)) / static_cast<double>(tile.strip));
  }
  /// `cells` are in a tile for each one that it is for.
  double tiled(double cells, int64_t steps) const {
    return cells * shared + carried * (cells + 1) / device.memory / static_cast<double>(steps);
  }
};

/// How far a cell that is read is from the one that is written, at most.
int64_t farthest(const TimeLoop& time) {
  int64_t most = 0;
  for (const Sweep& sweep : time.sweeps)
    for (const Sweep::Access& l : sweep.loads)
      most = std::max(most, std::abs(l.offset.front() - sweep.stores.front().offset.front()));
  return most;
}

/// A line's steps wait for each other more than for anything else: few cells a thread, and the next thread's are
/// as far as any neighbour. A plane's tile has rows of two warps, as many as there is shared memory for.
TileShape emptyTile(const TimeLoop& time) {
  int64_t bytes = 0;
  for (const StateArray& a : time.arrays) bytes += byteSize(a.buffer.type);
  TileShape tile;
  if (time.arrays.front().buffer.extents.size() == 1) {
    const int64_t most = farthest(time);
    for (tile.strip = kCellsOfLine; tile.strip < most;) tile.strip *= 2;
    const int64_t warp = cost::Device::warp * tile.strip;
    tile.size = {std::min<int64_t>(512, cost::Device::sharedOfBlock / bytes / warp * warp)};
  } else {
    for (tile.strip = kMostCells; tile.strip > 2 && tile.strip * bytes > kBytesOfThread;) tile.strip /= 2;
    tile.size = {std::min<int64_t>(64, cost::Device::sharedOfBlock / (64 * bytes) / tile.strip * tile.strip),
                 64};
  }
  // Registers for the strip and as many as the steps need besides.
  tile.threadsAtOnce = cost::Device::registers / (24 + tile.strip * bytes / 4);
  return tile;
}

} // namespace

Sweep::Access Sweep::accessOf(const Symbol& array, const std::vector<Expr>& subscripts) const {
  Access access{array, {}};
  for (size_t d = 0; d < subscripts.size(); ++d)
    access.offset.push_back(*distance(subscripts[d], dims[d].fixed ? dims[d].lo : var(dims[d].index)));
  return access;
}

std::optional<TimeLoop> recogniseTimeLoop(const For& loop, const std::vector<Buffer>& buffers,
                                          const cost::Device& device, std::string& why) {
  return Recognition(loop, buffers, device, why).run();
}

TileShape chooseTile(const TimeLoop& time, const cost::Device& device, int64_t wanted) {
  const TileShape empty = emptyTile(time);
  const bool isLine = empty.size.size() == 1;
  const int64_t mostSteps = isLine ? 64 : 32, mostOfOwn = isLine ? 2 : 3;
  const Cost cost(device, time, empty);
  Margins margins;
  for (const StateArray& a : time.arrays) margins[a.buffer.name].resize(empty.size.size());
  TileShape best;
  for (int64_t steps = 1; steps <= mostSteps; ++steps) {
    step(time, margins);
    TileShape tile = empty;
    tile.steps = steps;
    double cells = 1;
    for (size_t d = 0; d < tile.size.size(); ++d) {
      int64_t before = 0, after = 0;
      for (const auto& [array, margin] : margins) {
        before = std::max(before, margin[d].before);
        after = std::max(after, margin[d].after);
      }
      tile.before.push_back(before);
      tile.after.push_back(after);
      if (tile.own(d) < 1 || tile.own(d) * mostOfOwn < tile.size[d]) return best;
      cells *= static_cast<double>(tile.size[d]) / static_cast<double>(tile.own(d));
    }
    // Each pass of a line costs a launch besides; of a plane there are few.
    tile.gain = cost.plain / cost.tiled(cells, steps);
    if (wanted == 0 ? tile.gain > 1.05 * best.gain || isLine : steps == wanted) best = tile;
  }
  return best;
}

} // namespace appyc::schedule
