//===- Check.cpp - which memory an access belongs to, and what it conflicts with
//-----------------------------===//
// A cell remembers the last write and two of the last reads of four bytes. Two accesses of one launch
// conflict when one of them writes, they are not both atomic, and nothing orders them. What orders two
// accesses:
//   within a block   a block barrier between them; within a warp also a warp operation
//   between blocks   a grid barrier, or: fence and atomic after the first, atomic before the second ("last
//   block" code)
// Judged from the one schedule that is executed; code that is not reached is not judged.
#include "Check.h"
#include "Memory.h"
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <mutex>
#include <string>
#include <unistd.h>

extern "C" void* __tls_get_addr(void*);
alignas(128) static thread_local unsigned char dynamicMemory[emulation::kMaxSharedBytes];

namespace emulation {

struct Reader {
  unsigned thread = 0, warpEpoch = 0; ///< thread: number in the block plus one; 0 is none
  uint8_t bytes = 0;                  ///< which of the cell's four
};
struct Cell {
  unsigned writeLaunch = 0, writeBlock = 0, writeEpoch = 0, writeReleases = 0;
  unsigned readLaunch = 0, readBlock = 0, readEpoch = 0, readReleases = 0;
  Reader writer, first, second;
  const void *writePlace = nullptr, *readPlace = nullptr;
  uint8_t writeBytes = 0, readBytes = 0; ///< which of the four
  bool writeAtomic = false, readAtomic = false, severalBlocksRead = false;
};

namespace {
/// Order between blocks. A release is an atomic (or volatile) write after a fence, an acquire any atomic or
/// volatile read.
struct Clock {
  unsigned releases = 0, lastRelease = 0, lastAcquire = 0;
  bool fenced = false;
};
struct Range {
  char* begin = nullptr;
  size_t bytes = 0;
  bool contains(const void* place) const { return place >= begin && place < begin + bytes; }
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
std::recursive_mutex checking;         ///< for the OS threads of a cooperative launch
std::map<const char*, Global> globals; ///< writable memory of the kernels' modules: __device__ variables
thread_local Range sharedMemory,
    ownMemory; ///< thread_local variables of the kernel's module and of this library
thread_local size_t dynamicBytes;
thread_local std::vector<Cell> sharedCells, dynamicCells;
} // namespace

void* dynamicSharedMemory() { return dynamicMemory; }
Cell* newCells(size_t bytes) { return new Cell[bytes / 4 + 2]; }
void deleteCells(Cell* cells) { delete[] cells; }

// --- modules

static bool holds(const dl_phdr_info& module, const void* place) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const auto& segment = module.dlpi_phdr[i];
    auto begin = module.dlpi_addr + segment.p_vaddr, at = reinterpret_cast<ElfW(Addr)>(place);
    if (segment.p_type == PT_LOAD && at >= begin && at < begin + segment.p_memsz) return true;
  }
  return false;
}

template <class Visit> static void visitModule(const void* place, Visit visit) {
  struct Search {
    const void* place;
    Visit* visit;
  } search{place, &visit};
  dl_iterate_phdr(
      [](dl_phdr_info* module, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (!holds(*module, wanted.place)) return 0;
        (*wanted.visit)(*module);
        return 1;
      },
      &search);
}

/// The calling OS thread's copy of the thread_local variables of the module that holds `place`.
static Range threadLocalMemory(const void* place) {
  Range range;
  visitModule(place, [&](const dl_phdr_info& module) {
    for (int i = 0; i < module.dlpi_phnum; ++i) {
      if (module.dlpi_phdr[i].p_type != PT_TLS) continue;
      struct {
        unsigned long module, offset;
      } index{module.dlpi_tls_modid, 0};
      void* data =
          module.dlpi_tls_data ? module.dlpi_tls_data : __tls_get_addr(&index); // allocated on first use
      range = {static_cast<char*>(data), module.dlpi_phdr[i].p_memsz};
    }
  });
  return range;
}

static void registerGlobals(const void* kernel) {
  visitModule(kernel, [](const dl_phdr_info& module) {
    for (int i = 0; i < module.dlpi_phnum; ++i) {
      const auto& segment = module.dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
      char* begin = reinterpret_cast<char*>(module.dlpi_addr + segment.p_vaddr);
      if (!globals.count(begin)) globals[begin] = {{begin, segment.p_memsz}, newCells(segment.p_memsz)};
    }
  });
}

// --- launches and blocks

void beginLaunch(const Task& task, unsigned blocks, bool cooperative) {
  registerGlobals(task.kernel);
  ++phase;
  clocks.assign(blocks, {});
  arguments = {static_cast<char*>(task.call.get()), task.callBytes};
  concurrent = cooperative;
}

void advancePhase() { ++phase; }

void beginBlock(size_t sharedBytes, const void* kernel) {
  sharedMemory = threadLocalMemory(kernel);
  ownMemory = threadLocalMemory(reinterpret_cast<const void*>(&beginBlock));
  dynamicBytes = sharedBytes;
  std::memset(sharedMemory.begin, 0xff, sharedMemory.bytes);
  std::memset(dynamicMemory, 0xff, sharedBytes);
  sharedCells.assign(sharedMemory.bytes / 4 + 2, {});
  dynamicCells.assign(sharedBytes / 4 + 2, {});
}

// --- reports

static std::string describePlace(const void* programCounter) {
  Dl_info info;
  if (!programCounter || !dladdr(programCounter, &info)) return "?";
  auto offset = static_cast<const char*>(programCounter) - static_cast<const char*>(info.dli_fbase) - 1;
  char text[600];
  snprintf(text, sizeof text, "addr2line -s -e '%s' 0x%lx 2>/dev/null", info.dli_fname, long(offset));
  char line[256] = "";
  if (FILE* output = popen(text, "r")) {
    if (fgets(line, sizeof line, output)) line[strcspn(line, " \n")] = 0; // without "(discriminator 1)"
    pclose(output);
  }
  if (line[0] && line[0] != '?') return line;
  snprintf(text, sizeof text, "%s+0x%lx", info.dli_fname, long(offset));
  return text;
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

static bool orderedBetweenBlocks(unsigned block, unsigned releases) {
  const Clock &theirs = clocks[block], &mine = clocks[current->block->linear];
  return theirs.releases > releases && mine.lastAcquire > theirs.lastRelease;
}

/// Whether an earlier access of this block by `other`, in the barrier epoch that still lasts, is ordered
/// before now.
static bool orderedInBlock(const Reader& other) {
  if (other.thread == 0 || other.thread == current->linear + 1) return true;
  return (other.thread - 1) / 32 == current->linear / 32 && other.warpEpoch != current->warp->epoch;
}

static void checkAgainstWrite(const Cell& cell, const void* address, uint8_t bytes, bool write, bool atomic,
                              const void* place, const char* space) {
  if (cell.writeLaunch != phase || !(cell.writeBytes & bytes) || (cell.writeAtomic && atomic)) return;
  Other other{cell.writeBlock, cell.writer.thread, cell.writePlace};
  const Block& block = *current->block;
  if (cell.writeBlock != block.linear) {
    if (!orderedBetweenBlocks(cell.writeBlock, cell.writeReleases))
      reportRace(write ? "write after another block's write" : "read after another block's write", address,
                 space, other, place);
  } else if (cell.writeEpoch == block.epoch && !orderedInBlock(cell.writer)) {
    reportRace(write ? "write after write" : "read after write", address, space, other, place);
  }
}

static void checkAgainstReads(const Cell& cell, const void* address, uint8_t bytes, bool atomic,
                              const void* place, const char* space) {
  if (cell.readLaunch != phase || !(cell.readBytes & bytes) || (cell.readAtomic && atomic)) return;
  Other other{cell.readBlock, cell.first.thread, cell.readPlace};
  const Block& block = *current->block;
  if (cell.readBlock != block.linear) {
    if (!orderedBetweenBlocks(cell.readBlock, cell.readReleases))
      reportRace("write after another block's read", address, space, other, place);
    return;
  }
  if (cell.severalBlocksRead) reportRace("write after another block's read", address, space, other, place);
  if (cell.readEpoch != block.epoch) return;
  for (const Reader& reader : {cell.first, cell.second})
    if ((reader.bytes & bytes) && !orderedInBlock(reader))
      reportRace("write after read", address, space, {cell.readBlock, reader.thread, cell.readPlace}, place);
}

static void recordRead(Cell& cell, uint8_t bytes, bool atomic, const void* place) {
  const Block& block = *current->block;
  Reader me{current->linear + 1, current->warp->epoch, bytes};
  if (cell.readLaunch != phase) {
    cell.readLaunch = phase;
    cell.severalBlocksRead = false;
    cell.readBlock = block.linear;
    cell.readEpoch = ~0u;
    cell.readBytes = 0;
  }
  if (cell.readBlock != block.linear) {
    cell.severalBlocksRead |=
        (cell.readBytes & bytes) && !orderedBetweenBlocks(cell.readBlock, cell.readReleases);
    cell.readBlock = block.linear;
    cell.readEpoch = ~0u;
  }
  if (cell.readEpoch != block.epoch) {
    cell.readEpoch = block.epoch;
    cell.first = me;
    cell.second = {};
    cell.readBytes = 0;
    cell.readAtomic = true;
  }
  if (cell.first.thread == me.thread) me.bytes |= cell.first.bytes;
  (cell.first.thread == me.thread ? cell.first : cell.second) = me;
  cell.readBytes |= bytes;
  cell.readAtomic &= atomic;
  cell.readReleases = clocks[block.linear].releases;
  cell.readPlace = place;
}

static void recordWrite(Cell& cell, uint8_t bytes, bool atomic, const void* place) {
  const Block& block = *current->block;
  cell.writeLaunch = phase;
  cell.writeBlock = block.linear;
  cell.writeEpoch = block.epoch;
  cell.writeReleases = clocks[block.linear].releases;
  cell.writer = {current->linear + 1, current->warp->epoch, bytes};
  cell.writeBytes = bytes;
  cell.writeAtomic = atomic;
  cell.writePlace = place;
}

static void checkCells(Cell* cells, const char* begin, const void* address, size_t bytes, Access access,
                       const void* place, const char* space) {
  bool write = access == Access::Write || access == Access::Atomic || access == Access::VolatileWrite;
  bool atomic = access != Access::Read && access != Access::Write;
  size_t from = size_t(static_cast<const char*>(address) - begin), to = from + bytes;
  for (size_t cell = from / 4; cell <= (to - 1) / 4; ++cell) {
    unsigned low = from > cell * 4 ? unsigned(from - cell * 4) : 0,
             high = unsigned(std::min<size_t>(to - cell * 4, 4));
    uint8_t mask = uint8_t((1u << high) - (1u << low));
    checkAgainstWrite(cells[cell], address, mask, write, atomic, place, space);
    if (!write) {
      recordRead(cells[cell], mask, atomic, place);
      continue;
    }
    checkAgainstReads(cells[cell], address, mask, atomic, place, space);
    recordWrite(cells[cell], mask, atomic, place);
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
  if ((access == Access::Atomic || access == Access::VolatileWrite) && clock.fenced) {
    ++clock.releases;
    clock.lastRelease = ++now;
  }
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

static void checkDeviceAccess(const void* address, size_t bytes, Access access, const void* place) {
  const char* at = static_cast<const char*>(address);
  bool write = access != Access::Read && access != Access::VolatileRead;
  if (at >= current->stack && at < current->stack + kStackBytes) return;
  if (!write && arguments.contains(at)) return;
  Range dynamic{reinterpret_cast<char*>(dynamicMemory), sizeof dynamicMemory};
  if (dynamic.contains(at)) {
    size_t offset = size_t(at - dynamic.begin);
    if (offset + bytes > dynamicBytes)
      fail("out of bounds: byte %zu of %zu of dynamic shared memory at %s", offset, dynamicBytes,
           describePlace(place).c_str());
    return checkCells(dynamicCells.data(), dynamic.begin, at, bytes, access, place, "shared");
  }
  if (!write && ownMemory.contains(at)) return; // threadIdx, blockIdx, …
  if (sharedMemory.contains(at))
    return checkCells(sharedCells.data(), sharedMemory.begin, at, bytes, access, place, "shared");
  if (const Allocation* found = findAllocation(at)) {
    if (at + bytes > found->begin + found->bytes) reportInvalid(address, bytes, write, place);
    return checkCells(found->cells, found->begin, at, bytes, access, place, "global");
  }
  for (auto& [begin, global] : globals)
    if (global.range.contains(at)) return checkCells(global.cells, begin, at, bytes, access, place, "global");
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
