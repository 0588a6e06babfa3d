//===- Block.h - the state of a thread block that is being executed -----------------------------------===//
#pragma once
#include "Fiber.h"
#include "Modules.h"
#include "Team.h"
#include "cuda_runtime.h"
#include <random>
#include <vector>

namespace emulation {

/// Whether this is the library of check mode: barriers, bounds and races are checked.
#ifdef EMULATION_CHECK
constexpr bool kCheck = true;
#else
constexpr bool kCheck = false;
#endif

struct Block;
struct Cell;

/// The warp operations of one group of lanes.
struct Meeting {
  unsigned arrived = 0;  ///< lanes that wait in the current operation
  unsigned needed = 0;   ///< lanes it waits for
  unsigned epoch = 0;    ///< operations completed
  bool ordering = false; ///< whether the current one orders memory
};

struct Warp {
  unsigned live = 0;  ///< lanes that have not exited
  unsigned syncs = 0; ///< operations completed that order memory, of any group: shuffles and votes do not
  static constexpr unsigned kSizes = 6; ///< groups of 1, 2 or 3, 4 to 7 ... lanes
  unsigned open[kSizes] = {};           ///< meetings where lanes wait, a bit each
  Meeting meetings[kSizes * 32];        ///< of the groups, by their size and first lane
  /// Published values, apart for groups of unlike size; two sets, as a fast lane may publish again before a slow one
  /// has read.
  alignas(16) unsigned char slots[2 * kSizes][32][48];
};

struct Thread {
  enum class State { New, Ready, AtBarrier, InWarpOperation, Done };
  State state = State::New;
  Fiber fiber;
  char* stack = nullptr;
  uint3 index{};
  unsigned linear = 0;
  Site site;              ///< of the last barrier
  unsigned waitEpoch = 0; ///< epoch of the block or meeting that it waits to see passed
  unsigned meeting = 0;   ///< of the warp, where it waits
  Block* block = nullptr;
  Warp* warp = nullptr;
  bool arrivedAtCluster = false; ///< and has not waited yet
  bool mayTouchMemory = true;    ///< what the kernel before wrote is there

  unsigned lane() const { return linear % 32; }
};

/// Blocks that are executed side by side and may reach each other's shared memory.
struct Cluster {
  Team team;
  std::vector<Block*> blocks; ///< by rank
  explicit Cluster(unsigned size) : team("cluster.sync", size), blocks(size) {}
};

/// A block's shared memory, and what check mode knows of it.
struct SharedMemory {
  Range fixed, dynamic;
  Cell *fixedCells = nullptr, *dynamicCells = nullptr;
};

struct Block {
  std::vector<Thread> threads; ///< at least `size`
  std::vector<Warp> warps;
  std::vector<unsigned> order; ///< in which threads are looked for
  unsigned size = 0, live = 0, linear = 0, position = 0;
  // The block barrier.
  unsigned arrived = 0, epoch = 0;
  Site site;
  Team* team = nullptr; ///< whose barrier the threads wait for; null for __syncthreads
  int votes[3] = {0, 1, 0}, result[3] = {0, 1, 0}; ///< by Vote: collected, and of the last barrier
  // Stacks are kept from block to block.
  std::vector<char*> stacks, freeStacks;
  Fiber scheduler;
  const Task* task = nullptr;
  SharedMemory shared;
  Cluster* cluster = nullptr;
  unsigned rank = 0;         ///< in the cluster
  unsigned clusterEpoch = 0; ///< cluster barriers passed
  unsigned visited = 0; ///< clusterEpoch, plus one, in which another block last reached our shared memory
  bool ended = false;
};

constexpr size_t kStackBytes = 128 * 1024;
constexpr size_t kMaxSharedBytes = 227 * 1024;

/// The running thread; null in host code.
extern constinit thread_local Thread* current;
/// The kernel of the launch in progress, and the barrier over its blocks when it is cooperative.
extern const Task* currentTask;
extern Team* currentGrid;

/// In which order threads and blocks are tried: ascending, or by APPYC_EMULATION_ORDER "reverse" or a seed.
std::vector<unsigned> executionOrder(unsigned count, unsigned salt);
/// Executes one block to its end on the calling OS thread.
void runBlock(unsigned linear, const Shape& shape, const Task& task, Cluster* cluster = nullptr,
              unsigned rank = 0);
/// Waits for the other threads of the block, and with a team for its other blocks.
void blockBarrier(Site site, Team* team = nullptr);
/// Suspends the running thread and goes on with another one, or with the scheduler when all are done.
void yieldThread();
/// The running thread leaves its warp; releases or reports lanes that wait for it.
void leaveWarp(Thread& thread);

} // namespace emulation
