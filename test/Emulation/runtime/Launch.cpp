//===- Launch.cpp - executing launches, streams and graphs
//---------------------------------------------------===//
// Blocks run one after the other, in the order that executionOrder() gives; those of a cooperative launch
// each run on an OS thread of their own, as all of them have to be alive together.
#include "Check.h"
#include "Stream.h"
#include <condition_variable>
#include <mutex>
#include <thread>

namespace emulation {

namespace {
/// The barrier over a cooperative grid.
struct GridBarrier {
  std::mutex mutex;
  std::condition_variable released;
  unsigned blocks = 0, arrived = 0, generation = 0;

  void wait() {
    std::unique_lock lock(mutex);
    unsigned mine = generation;
    if (++arrived == blocks) {
      arrived = 0;
      ++generation;
      advancePhase();
      released.notify_all();
    } else {
      released.wait(lock, [&] { return generation != mine; });
    }
  }
};
GridBarrier* gridBarrier = nullptr;
constexpr unsigned kMaxCooperativeBlocks = 64;
} // namespace

void syncGrid(unsigned line) {
  if (!gridBarrier) fail("a grid barrier in a kernel that was not launched cooperatively");
  blockBarrier(line + 0x40000000); // lines that no __syncthreads has
  if (current->linear == 0) gridBarrier->wait();
  blockBarrier(line + 0x50000000);
}

static void runCooperatively(unsigned blocks, const Shape& shape, const Task& task) {
  GridBarrier barrier;
  barrier.blocks = blocks;
  gridBarrier = &barrier;
  std::vector<std::thread> others;
  for (unsigned i = 1; i < blocks; ++i) others.emplace_back([&, i] { runBlock(i, shape, task); });
  runBlock(0, shape, task);
  for (std::thread& other : others) other.join();
  gridBarrier = nullptr;
}

static void execute(const Shape& shape, const Task& task) {
  unsigned blocks = shape.grid.x * shape.grid.y * shape.grid.z;
  currentTask = &task;
  if (kCheck) beginLaunch(task, blocks, shape.cooperative);
  if (shape.cooperative) return runCooperatively(blocks, shape, task);
  for (unsigned block : executionOrder(blocks, 0)) runBlock(block, shape, task);
}

static bool isValid(const Shape& shape) {
  auto [grid, block] = std::pair(shape.grid, shape.block);
  unsigned long long threads = 1ull * block.x * block.y * block.z;
  return threads > 0 && threads <= 1024 && block.z <= 64 && grid.x > 0 && grid.y > 0 && grid.z > 0 &&
         grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535 && shape.sharedBytes <= kMaxSharedBytes;
}

void launch(const Shape& shape, const Task& task) {
  if (current) fail("a launch inside a kernel");
  if (!isValid(shape)) return void(remember(cudaErrorInvalidConfiguration));
  if (shape.cooperative && 1ull * shape.grid.x * shape.grid.y * shape.grid.z > kMaxCooperativeBlocks)
    return void(remember(cudaErrorCooperativeLaunchTooLarge));
  submit(shape.stream, [shape, task] { execute(shape, task); });
}

} // namespace emulation
