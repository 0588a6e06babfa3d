//===- Block.cpp - executing a thread block: one fiber a thread ---------------------------------------===//
// Fibers start when they are first needed, and one that has finished goes on as the next thread: a kernel
// without barriers is a loop over its threads on a single stack.
#include "Block.h"
#include "Check.h"
#include <cstdarg>
#include <map>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

constinit thread_local uint3 threadIdx{}, blockIdx{};
constinit thread_local dim3 blockDim{}, gridDim{};

namespace emulation {

using State = Thread::State;
constinit thread_local Thread* current = nullptr;
const Task* currentTask = nullptr;
Team* currentGrid = nullptr;
static thread_local Block theBlock;
alignas(128) static thread_local char dynamicMemory[kMaxSharedBytes];

void* dynamicSharedMemory() { return dynamicMemory; }

/// Its name; launches by pointer have only an address.
static std::string kernelName() {
  return currentTask->name[0] != '?' ? currentTask->name : functionAt(currentTask->kernel);
}

/// Where the host launched it, if that comes from the Python file.
static std::string launchPlace() {
  const std::string place = describeCall(currentTask->callers);
  return place == "?" ? "" : ", launched at " + place;
}

void fail(const char* format, ...) {
  fflush(stdout);
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "emulation: ");
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  if (current)
    fprintf(stderr, " [kernel %s, block (%u,%u,%u), thread (%u,%u,%u)%s]", kernelName().c_str(), blockIdx.x,
            blockIdx.y, blockIdx.z, current->index.x, current->index.y, current->index.z,
            launchPlace().c_str());
  fprintf(stderr, "\n");
  _exit(86);
}

unsigned threadOfBlock() { return current->linear; }
unsigned laneOfWarp() { return current->lane(); }

std::vector<unsigned> executionOrder(unsigned count, unsigned salt) {
  const char* variable = getenv("APPYC_EMULATION_ORDER"); // may change from launch to launch
  std::string_view wish = variable ? variable : "";
  std::vector<unsigned> order(count);
  for (unsigned i = 0; i < count; ++i) order[i] = wish == "reverse" ? count - 1 - i : i;
  if (!wish.empty() && wish != "reverse") {
    std::minstd_rand random(unsigned(std::atoi(variable)) + salt);
    std::shuffle(order.begin(), order.end(), random);
  }
  return order;
}

static char* takeStack(Block& block) {
  if (!block.freeStacks.empty()) {
    char* stack = block.freeStacks.back();
    block.freeStacks.pop_back();
    return stack;
  }
  constexpr size_t page = 4096;
  void* memory = mmap(nullptr, page + kStackBytes + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for the threads' stacks");
  mprotect(memory, page, PROT_NONE); // an overflow is a fault
  // Stacks start at different cache sets; their tops are what is used most.
  char* stack = static_cast<char*>(memory) + page + block.stacks.size() % 61 * 64;
  block.stacks.push_back(stack);
  return stack;
}

static const char* barrierName(const Team* team) { return team ? team->name : "__syncthreads"; }

static void releaseBarrier(Block& block) {
  if (Team* team = block.team) {
    team->wait(block.site);
    block.clusterEpoch += block.cluster && team == &block.cluster->team;
  }
  block.arrived = 0;
  ++block.epoch;
  for (int vote = 0; vote < 3; ++vote) {
    block.result[vote] = block.votes[vote];
    block.votes[vote] = vote == int(Vote::And);
  }
}

/// What each fiber executes: its thread, and then whatever thread it is made to go on as.
static void fiberEntry() {
  for (;;) {
    const Task& task = *current->block->task;
    task.run(task.call.get());
    Thread& thread = *current;
    Block& block = *thread.block;
    if (!thread.mayTouchMemory)
      fail("a thread ends without having waited for the previous kernel, which may still run");
    thread.state = State::Done;
    --block.live;
    leaveWarp(thread);
    if (block.arrived) {
      if (kCheck)
        fail("barrier divergence: a thread exits while others wait for %s at %s", barrierName(block.team),
             block.site.text().c_str());
      if (block.arrived == block.live) releaseBarrier(block);
    }
    yieldThread();
  }
}

static void startFiber(Thread& thread) {
  thread.stack = takeStack(*thread.block);
  prepareFiber(thread.fiber, thread.stack, kStackBytes, fiberEntry);
}

static bool canRun(const Thread& thread) {
  switch (thread.state) {
  case State::New:
  case State::Ready: return true;
  case State::AtBarrier: return thread.waitEpoch != thread.block->epoch;
  case State::InWarpOperation: return thread.waitEpoch != thread.warp->meetings[thread.meeting].epoch;
  case State::Done: return false;
  }
  return false;
}

static void reportDeadlock(const Block& block) {
  std::map<std::pair<State, unsigned>, std::pair<unsigned, Site>> groups;
  for (unsigned i = 0; i < block.size; ++i) {
    auto& [count, site] = groups[{block.threads[i].state, block.threads[i].site.line}];
    ++count;
    site = block.threads[i].site;
  }
  std::string text;
  for (auto& [key, group] : groups) {
    const char* where = key.first == State::AtBarrier         ? "wait at a barrier at "
                        : key.first == State::InWarpOperation ? "are in a warp operation at "
                                                              : "have exited, last seen at ";
    text +=
        (text.empty() ? "" : ", ") + std::to_string(group.first) + " threads " + where + group.second.text();
  }
  fail("deadlock: %s", text.c_str());
}

void yieldThread() {
  Thread& from = *current;
  Block& block = *from.block;
  for (unsigned tried = 0; tried < block.size; ++tried) {
    block.position = block.position + 1 < block.size ? block.position + 1 : 0;
    Thread& to = block.threads[block.order[block.position]];
    if (!canRun(to)) continue;
    bool fresh = to.state == State::New;
    to.state = State::Ready;
    current = &to;
    threadIdx = to.index;
    if (&to == &from) return;
    if (fresh && from.state == State::Done) { // goes on as that thread, on this stack
      to.stack = from.stack;
      return;
    }
    if (fresh) startFiber(to);
    if (from.state == State::Done) block.freeStacks.push_back(from.stack);
    switchFiber(from.fiber, to.fiber);
    return;
  }
  if (block.live) reportDeadlock(block);
  switchFiber(from.fiber, block.scheduler);
}

void blockBarrier(Site site, Team* team) {
  if (!current) fail("%s outside a kernel", barrierName(team));
  Thread& thread = *current;
  Block& block = *thread.block;
  if (block.arrived == 0) block.site = site, block.team = team;
  if (block.site.line != site.line || block.team != team)
    fail("barrier divergence: %s at %s while others wait for %s at %s", barrierName(team),
         site.text().c_str(), barrierName(block.team), block.site.text().c_str());
  if (kCheck && block.live != block.size)
    fail("barrier divergence: %u threads exited before %s at %s", block.size - block.live, barrierName(team),
         site.text().c_str());
  thread.site = site;
  if (++block.arrived == block.live) return releaseBarrier(block);
  thread.state = State::AtBarrier;
  thread.waitEpoch = block.epoch;
  yieldThread();
}

void waitForPreviousKernel() {
  if (!current) fail("cudaGridDependencySynchronize outside a kernel");
  current->mayTouchMemory = true;
}

void syncThreads(unsigned line) { blockBarrier({line, __builtin_return_address(0)}); }

int syncThreadsVote(unsigned line, int value, Vote vote) {
  Block& block = *current->block;
  block.votes[int(Vote::Or)] |= value != 0;
  block.votes[int(Vote::And)] &= value != 0;
  block.votes[int(Vote::Count)] += value != 0;
  blockBarrier({line, __builtin_return_address(0)});
  return block.result[int(vote)];
}

static void resetThreads(Block& block, const Shape& shape) {
  unsigned linear = 0;
  for (unsigned z = 0; z < shape.block.z; ++z)
    for (unsigned y = 0; y < shape.block.y; ++y)
      for (unsigned x = 0; x < shape.block.x; ++x, ++linear) {
        Thread& thread = block.threads[linear];
        thread.state = State::New;
        thread.index = {x, y, z};
        thread.linear = linear;
        thread.site = {};
        thread.mayTouchMemory = !shape.overlapping;
        thread.block = &block;
        thread.warp = &block.warps[linear / 32];
        thread.warp->live |= 1u << thread.lane();
      }
}

static void beginBlock(Block& block, const Shape& shape, const Task& task) {
  if (kCheck || block.cluster)
    block.shared = {threadLocalMemory(task.kernel), {dynamicMemory, shape.sharedBytes}, nullptr, nullptr};
  block.visited = block.clusterEpoch = 0;
  block.ended = false;
  if (kCheck) checkBlock(block);
  if (!block.cluster) return;
  block.cluster->blocks[block.rank] = &block;
  block.cluster->team.wait({}); // until all of them can be reached
}

static void endBlock(Block& block) {
  if (kCheck) checkEndOfBlock(block);
  if (currentGrid) currentGrid->leave();
  if (block.cluster) block.cluster->team.leave();
}

void runBlock(unsigned linear, const Shape& shape, const Task& task, Cluster* cluster, unsigned rank) {
  Block& block = theBlock;
  dim3 grid = shape.grid;
  blockIdx = {linear % grid.x, linear / grid.x % grid.y, linear / grid.x / grid.y};
  blockDim = shape.block;
  gridDim = grid;
  block.size = block.live = shape.block.x * shape.block.y * shape.block.z;
  block.linear = linear;
  block.arrived = block.epoch = 0;
  block.task = &task;
  block.cluster = cluster;
  block.rank = rank;
  block.freeStacks = block.stacks;
  if (block.threads.size() < block.size) block.threads.resize(block.size);
  block.warps.assign((block.size + 31) / 32, Warp{});
  resetThreads(block, shape);
  block.order = executionOrder(block.size, linear);
  beginBlock(block, shape, task);

  block.position = 0;
  current = &block.threads[block.order[0]];
  current->state = State::Ready;
  threadIdx = current->index;
  startFiber(*current);
  switchFiber(block.scheduler, current->fiber);
  endBlock(block);
  current = nullptr;
}

} // namespace emulation
