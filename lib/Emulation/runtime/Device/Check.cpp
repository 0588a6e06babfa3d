//===- Check.cpp - which memory an access belongs to, and what it conflicts with ----------------------===//
// A cell remembers the last write and two of the last reads of four bytes. Two accesses of one launch
// conflict when one of them writes, they are not both atomic, and nothing orders them. What orders two
// accesses:
//   within a block   a block barrier between them; within a warp also a warp operation
//   between blocks   a grid barrier, or: fence and atomic after the first, atomic before the second ("last
//   block" code)
// Judged from the one schedule that is executed; code that is not reached is not judged.
#include "Check.h"
#include "Memory.h"
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>

namespace emulation {

struct Reader {
  unsigned thread = 0, syncs = 0; ///< thread: number in the block plus one; 0 is none
  uint8_t bytes = 0;              ///< which of the cell's four
  unsigned warp() const { return (thread - 1) / 32; }
};
/// When an access was: in which launch, by which block, after how many of the barriers and releases.
struct Moment {
  unsigned phase = 0, block = 0, epoch = 0, clusterEpoch = 0, releases = 0;
};
struct Cell {
  Moment written, read;
  Reader writer;
  // Of the last epoch in which it was read: two lanes of one warp after that warp's last sync, one of another
  // warp.
  Reader first, second, otherWarp;
  const void *writePlace = nullptr, *readPlace = nullptr;
  uint8_t writeBytes = 0, readBytes = 0; ///< which of the four
  uint8_t known = 0;                     ///< which of the four hold what somebody wrote
  bool writeAtomic = false, readAtomic = false;
  bool clusterRead = false,
       severalBlocksRead = false; ///< unordered reads by blocks of one cluster; by any blocks
};

namespace {
/// Order between blocks. A release is an atomic (or volatile) write after a fence, an acquire any atomic or
/// volatile read.
struct Clock {
  std::vector<unsigned> releases; ///< when each was
  unsigned lastAcquire = 0;
  bool fenced = false;
};
struct Global {
  Range range;
  Cell* cells;
};

std::vector<Clock> clocks;
unsigned now = 0;   ///< counts releases and acquires
unsigned phase = 0; ///< counts launches and grid barriers: accesses of different phases are ordered
Range arguments;    ///< of the kernel
bool concurrent = false;
std::vector<unsigned> clusterOf;       ///< by block; empty where there are no clusters
std::recursive_mutex checking;         ///< for blocks that are executed side by side
std::map<const char*, Global> globals; ///< writable memory of the kernels' modules: __device__ variables
/// Of what several blocks have read in this phase: the blocks, and how often each had released before.
std::map<const Cell*, std::map<unsigned, unsigned>> readers;
thread_local Range ownMemory; ///< thread_local variables of this library
thread_local std::vector<Cell> fixedCells, dynamicCells;
} // namespace

// A cell without a past is zeros: pages of cells are there once they are used, as thirty times the memory is at stake.
static_assert(std::is_trivially_copyable_v<Cell>);
Cell* newCells(size_t bytes) { return static_cast<Cell*>(std::calloc(bytes / 4 + 2, sizeof(Cell))); }
void deleteCells(Cell* cells) { std::free(cells); }

// --- launches and blocks

static void registerGlobals(const void* kernel) {
  for (Range range : writableMemory(kernel)) {
    if (globals.count(range.begin)) continue;
    Cell* cells = newCells(range.bytes);
    globals[range.begin] = {range, cells};
    for (size_t cell = 0; cell < range.bytes / 4 + 2; ++cell) cells[cell].known = 15;
  }
}

void advancePhase() {
  ++phase;
  readers.clear();
}

void checkLaunch(const Task& task, unsigned blocks, const std::vector<std::vector<unsigned>>& clusters,
                 bool cooperative) {
  registerGlobals(task.kernel);
  advancePhase();
  clocks.assign(blocks, {});
  arguments = {static_cast<char*>(task.call.get()), task.callBytes};
  concurrent = cooperative || !clusters.empty();
  clusterOf.assign(clusters.empty() ? 0 : blocks, 0);
  for (unsigned cluster = 0; cluster < clusters.size(); ++cluster)
    for (unsigned block : clusters[cluster]) clusterOf[block] = cluster;
}

void checkBlock(Block& block) {
  ownMemory = threadLocalMemory(reinterpret_cast<const void*>(&checkBlock));
  SharedMemory& shared = block.shared;
  if (shared.fixed.bytes) std::memset(shared.fixed.begin, 0xff, shared.fixed.bytes);
  if (shared.dynamic.bytes) std::memset(shared.dynamic.begin, 0xff, shared.dynamic.bytes);
  fixedCells.assign(shared.fixed.bytes / 4 + 2, {});
  dynamicCells.assign(shared.dynamic.bytes / 4 + 2, {});
  shared.fixedCells = fixedCells.data();
  shared.dynamicCells = dynamicCells.data();
}

void checkEndOfBlock(Block& block) {
  std::lock_guard lock(checking);
  block.ended = true;
  if (block.visited == block.clusterEpoch + 1)
    fail("shared memory of a block that may have exited: another block reached it after the last "
         "cluster.sync");
}

// --- reports

void reportIndex(const SourcePlace& place, long index) {
  const char* slash = std::strrchr(place.file, '/');
  fail("out of bounds: index %ld of an array at %s:%u", index, slash ? slash + 1 : place.file, place.line);
}

struct Other {
  unsigned block, thread;
  const void* place;
};

[[noreturn]] static void reportRace(const char* what, const void* address, const char* space,
                                    const Other& other, const void* place) {
  fail("data race: %s; %s memory at %p, %s, against block %u thread %u at %s", what, space, address,
       describePlace(place).c_str(), other.block, other.thread - 1, describePlace(other.place).c_str());
}

// --- order

static bool sameCluster(unsigned block) {
  return !clusterOf.empty() && clusterOf[block] == clusterOf[current->block->linear];
}

/// Whether what a block did after so many releases was released by the next one, and that has been acquired.
static bool isReleased(unsigned block, unsigned releases) {
  const Clock &theirs = clocks[block], &mine = clocks[current->block->linear];
  return theirs.releases.size() > releases && mine.lastAcquire > theirs.releases[releases];
}

/// Whether an access of another block, in this phase, is ordered before now.
static bool orderedBetweenBlocks(const Moment& then) {
  if (sameCluster(then.block) && then.clusterEpoch != current->block->clusterEpoch) return true;
  return isReleased(then.block, then.releases);
}

/// Whether all reads of the cell by other blocks are, of which there are several.
static bool areReadsReleased(const Cell& cell) {
  const auto& blocks = readers[&cell];
  return std::all_of(blocks.begin(), blocks.end(), [](const auto& reader) {
    return reader.first == current->block->linear || isReleased(reader.first, reader.second);
  });
}

/// Whether an earlier access of this block by `other`, in the barrier epoch that still lasts, is ordered
/// before now.
static bool orderedInBlock(const Reader& other) {
  if (other.thread == 0 || other.thread == current->linear + 1) return true;
  return other.warp() == current->linear / 32 && other.syncs != current->warp->syncs;
}

static Moment momentNow() {
  const Block& block = *current->block;
  return {phase, block.linear, block.epoch, block.clusterEpoch,
          unsigned(clocks[block.linear].releases.size())};
}

static void checkAgainstWrite(const Cell& cell, const void* address, uint8_t bytes, bool write, bool atomic,
                              const void* place, const char* space) {
  if (cell.written.phase != phase || !(cell.writeBytes & bytes) || (cell.writeAtomic && atomic)) return;
  Other other{cell.written.block, cell.writer.thread, cell.writePlace};
  const Block& block = *current->block;
  if (cell.written.block != block.linear) {
    if (!orderedBetweenBlocks(cell.written))
      reportRace(write ? "write after another block's write" : "read after another block's write", address,
                 space, other, place);
  } else if (cell.written.epoch == block.epoch && !orderedInBlock(cell.writer)) {
    reportRace(write ? "write after write" : "read after write", address, space, other, place);
  }
}

static void checkAgainstReads(const Cell& cell, const void* address, uint8_t bytes, bool atomic,
                              const void* place, const char* space) {
  if (cell.read.phase != phase || !(cell.readBytes & bytes) || (cell.readAtomic && atomic)) return;
  Other other{cell.read.block, cell.first.thread, cell.readPlace};
  const Block& block = *current->block;
  bool laterInCluster = sameCluster(cell.read.block) && cell.read.clusterEpoch != block.clusterEpoch;
  if ((cell.severalBlocksRead && !areReadsReleased(cell)) || (cell.clusterRead && !laterInCluster) ||
      (cell.read.block != block.linear && !orderedBetweenBlocks(cell.read)))
    reportRace("write after another block's read", address, space, other, place);
  if (cell.read.block != block.linear || cell.read.epoch != block.epoch) return;
  for (const Reader& reader : {cell.first, cell.second, cell.otherWarp})
    if ((reader.bytes & bytes) && !orderedInBlock(reader))
      reportRace("write after read", address, space, {cell.read.block, reader.thread, cell.readPlace}, place);
}

/// Starts the record of this epoch's reads, and keeps what earlier ones mean for writers of other blocks.
static void renewReads(Cell& cell, uint8_t bytes) {
  Moment now = momentNow();
  if (cell.read.phase != phase)
    cell.severalBlocksRead = cell.clusterRead = false;
  else if (sameCluster(cell.read.block) && cell.read.clusterEpoch != now.clusterEpoch)
    cell.clusterRead = false;
  else if (cell.read.block != now.block && (cell.readBytes & bytes) && !orderedBetweenBlocks(cell.read))
    (sameCluster(cell.read.block) ? cell.clusterRead : cell.severalBlocksRead) = true;
  if (cell.severalBlocksRead) {
    readers[&cell].try_emplace(cell.read.block, cell.read.releases);
    readers[&cell][now.block] = now.releases;
  }
  bool same = cell.read.phase == phase && cell.read.block == now.block && cell.read.epoch == now.epoch;
  cell.read = now;
  if (same) return;
  cell.first = cell.second = cell.otherWarp = {};
  cell.readBytes = 0;
  cell.readAtomic = true;
}

static void recordRead(Cell& cell, uint8_t bytes, bool atomic, const void* place) {
  renewReads(cell, bytes);
  Reader me{current->linear + 1, current->warp->syncs, bytes};
  if (cell.first.thread && cell.first.warp() != me.warp()) {
    cell.otherWarp = me;
  } else {
    if (cell.first.syncs != me.syncs) cell.first = cell.second = {};
    Reader& mine = cell.first.thread == 0 || cell.first.thread == me.thread ? cell.first : cell.second;
    if (mine.thread == me.thread) me.bytes |= mine.bytes;
    mine = me;
  }
  cell.readBytes |= bytes;
  cell.readAtomic &= atomic;
  cell.readPlace = place;
}

static void recordWrite(Cell& cell, uint8_t bytes, bool atomic, const void* place) {
  cell.written = momentNow();
  cell.writer = {current->linear + 1, current->warp->syncs, bytes};
  cell.writeBytes = bytes;
  cell.writeAtomic = atomic;
  cell.writePlace = place;
  cell.known |= bytes;
}

/// Which bytes of the numbered cell the bytes [from, to) of its memory are.
static uint8_t bytesOfCell(size_t cell, size_t from, size_t to) {
  size_t low = from > cell * 4 ? from - cell * 4 : 0, high = std::min<size_t>(to - cell * 4, 4);
  return uint8_t((1u << high) - (1u << low));
}

/// Calls visit(cell, which of its bytes) for each cell of device memory.
template <class Visit> static void visitCells(const void* begin, size_t bytes, Visit visit) {
  const Allocation* found = findAllocation(begin);
  if (!found) return;
  size_t from = size_t(static_cast<const char*>(begin) - found->begin), to = from + bytes;
  for (size_t i = from / 4; i <= (to - 1) / 4; ++i) visit(found->cells[i], bytesOfCell(i, from, to));
}

void noteUnwritten(const void* begin, size_t bytes) {
  const Allocation* found = findAllocation(begin);
  if (!found || bytes == 0) return;
  const size_t from = size_t(static_cast<const char*>(begin) - found->begin), to = from + bytes;
  const auto forget = [&](size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) found->cells[i].known &= uint8_t(~bytesOfCell(i, from, to));
  };
  // Whole pages of cells are given back: arrays with room for all that may come cost what comes.
  constexpr uintptr_t kPage = 4096;
  const auto cells = reinterpret_cast<uintptr_t>(found->cells);
  const uintptr_t pages = (cells + (from + 3) / 4 * sizeof(Cell) + kPage - 1) / kPage * kPage;
  const uintptr_t end = (cells + to / 4 * sizeof(Cell)) / kPage * kPage;
  if (pages >= end || madvise(reinterpret_cast<void*>(pages), end - pages, MADV_DONTNEED) != 0)
    return forget(from / 4, (to + 3) / 4);
  forget(from / 4, (pages - cells) / sizeof(Cell) + 1);
  forget((end - cells) / sizeof(Cell), (to + 3) / 4);
}

void noteCopy(const void* to, const void* from, size_t bytes) {
  size_t unwritten = 0;
  if (from)
    visitCells(from, bytes, [&](Cell& cell, uint8_t mask) { unwritten += (mask & ~cell.known) != 0; });
  if (unwritten) fail("a copy of %zu bytes reads memory that nobody has written", bytes);
  visitCells(to, bytes, [](Cell& cell, uint8_t mask) { cell.known |= mask; });
}

static void checkCells(Cell* cells, const char* begin, const void* address, size_t bytes, Access access,
                       const void* place, const char* space) {
  bool write = access == Access::Write || access == Access::Atomic || access == Access::VolatileWrite;
  bool atomic = access != Access::Read && access != Access::Write;
  size_t from = size_t(static_cast<const char*>(address) - begin), to = from + bytes;
  for (size_t i = from / 4; i <= (to - 1) / 4; ++i) {
    Cell& cell = cells[i];
    uint8_t mask = bytesOfCell(i, from, to);
    checkAgainstWrite(cell, address, mask, write, atomic, place, space);
    // An atomic update of one byte takes the word around it, of which the rest may be nobody's.
    bool reads = !write || access == Access::Atomic;
    if (reads && (access == Access::Atomic ? !(cell.known & mask) : (mask & ~cell.known)))
      fail("%s memory that nobody has written is read, at %p, %s", space, address,
           describePlace(place).c_str());
    if (!write) {
      recordRead(cell, mask, atomic, place);
      continue;
    }
    checkAgainstReads(cell, address, mask, atomic, place, space);
    recordWrite(cell, mask, atomic, place);
  }
}

void noteAcquire() {
  if (!current) return;
  std::lock_guard lock(checking);
  clocks[current->block->linear].lastAcquire = ++now;
}

void noteFence() {
  if (!current) return;
  noteAcquire(); // orders what a volatile read has seen, also if that was a moment after its hook
  clocks[current->block->linear].fenced = true;
}

/// Atomic and volatile accesses order blocks, after they themselves have been checked.
static void noteOrder(Access access) {
  Clock& clock = clocks[current->block->linear];
  if (access == Access::Atomic || access == Access::VolatileRead) clock.lastAcquire = ++now;
  if ((access == Access::Atomic || access == Access::VolatileWrite) && clock.fenced)
    clock.releases.push_back(++now);
}

[[noreturn]] static void reportInvalid(const void* address, size_t bytes, bool write, const void* place) {
  const char* verb = write ? "write" : "read";
  const Allocation* before = allocationBefore(address);
  constexpr ptrdiff_t kNear = 1 << 20;
  if (before) {
    auto past = static_cast<const char*>(address) - (before->begin + before->bytes);
    if (past < kNear)
      fail("out of bounds: %s of %zu bytes, %ld bytes past the end of an allocation of %zu, at %s", verb,
           bytes, long(past), before->bytes, describePlace(place).c_str());
  }
  fail("out of bounds: %s of %zu bytes at %p, which is not device memory, at %s", verb, bytes, address,
       describePlace(place).c_str());
}

/// Whether it is shared memory of the block, which is then checked.
static bool checkShared(const Block& block, const char* at, size_t bytes, Access access, const void* place) {
  const SharedMemory& shared = block.shared;
  Range dynamic{shared.dynamic.begin, kMaxSharedBytes};
  if (dynamic.contains(at)) {
    auto offset = size_t(at - dynamic.begin);
    if (offset + bytes > shared.dynamic.bytes)
      fail("out of bounds: byte %zu of %zu of dynamic shared memory at %s", offset, shared.dynamic.bytes,
           describePlace(place).c_str());
    checkCells(shared.dynamicCells, dynamic.begin, at, bytes, access, place, "shared");
    return true;
  }
  if (!shared.fixed.contains(at)) return false;
  checkCells(shared.fixedCells, shared.fixed.begin, at, bytes, access, place, "shared");
  return true;
}

/// Whether it is shared memory of another block of the cluster, which has to have started and not to have
/// ended.
static bool checkShareOfOthers(const char* at, size_t bytes, Access access, const void* place) {
  Cluster* cluster = current->block->cluster;
  if (!cluster) return false;
  for (Block* other : cluster->blocks) {
    if (other == current->block) continue;
    if (!Range{other->shared.dynamic.begin, kMaxSharedBytes}.contains(at) &&
        !other->shared.fixed.contains(at))
      continue;
    if (current->block->clusterEpoch == 0)
      fail("shared memory of a block that may not have started: no cluster.sync before %s",
           describePlace(place).c_str());
    if (other->ended)
      fail("shared memory of a block that may have exited: no cluster.sync after %s",
           describePlace(place).c_str());
    other->visited = current->block->clusterEpoch + 1;
    return checkShared(*other, at, bytes, access, place);
  }
  return false;
}

/// Memory that is given out in parts is accessed within one of them.
static void checkPart(const Allocation& whole, const char* at, size_t bytes, bool write, const void* place) {
  if (whole.parts.empty()) return;
  auto after = whole.parts.upper_bound(at);
  if (after != whole.parts.begin()) {
    auto [begin, size] = *std::prev(after);
    if (at + bytes <= begin + size) return;
    fail("out of bounds: %s of %zu bytes, %ld bytes past the end of an array of %zu, at %s",
         write ? "write" : "read", bytes, long(at - (begin + size)), size, describePlace(place).c_str());
  }
  fail("out of bounds: %s of %zu bytes before the first array of the workspace, at %s",
       write ? "write" : "read", bytes, describePlace(place).c_str());
}

static void checkDeviceAccess(const void* address, size_t bytes, Access access, const void* place) {
  const char* at = static_cast<const char*>(address);
  bool write = access != Access::Read && access != Access::VolatileRead;
  if (at >= current->stack && at < current->stack + kStackBytes) return;
  if (!write && arguments.contains(at)) return;
  if (checkShared(*current->block, at, bytes, access, place)) return;
  if (!write && ownMemory.contains(at)) return; // threadIdx, blockIdx, …
  if (checkShareOfOthers(at, bytes, access, place)) return;
  const auto mustHaveWaited = [&] {
    if (!current->mayTouchMemory)
      fail("%s of device memory before the wait for the previous kernel, which may still run, at %s",
           write ? "write" : "read", describePlace(place).c_str());
  };
  if (const Allocation* found = findAllocation(at)) {
    mustHaveWaited();
    if (at + bytes > found->begin + found->bytes) reportInvalid(address, bytes, write, place);
    checkPart(*found, at, bytes, write, place);
    return checkCells(found->cells, found->begin, at, bytes, access, place, "global");
  }
  for (auto& [begin, global] : globals) {
    if (!global.range.contains(at)) continue;
    mustHaveWaited();
    return checkCells(global.cells, begin, at, bytes, access, place, "global");
  }
  Dl_info info;
  if (write || !dladdr(address, &info))
    reportInvalid(address, bytes, write, place); // else: a constant of the module
}

void checkAccess(const void* address, size_t bytes, Access access, const void* place) {
  if (bytes == 0) return;
  if (!current) {
    if (!findAllocation(address)) return;
    bool write = access == Access::Write;
    fail("the host %s device memory at %s", write ? "writes" : "reads", describePlace(place).c_str());
  }
  std::unique_lock lock(checking, std::defer_lock);
  if (concurrent) lock.lock();
  checkDeviceAccess(address, bytes, access, place);
  if (access != Access::Read && access != Access::Write) noteOrder(access);
}

} // namespace emulation
