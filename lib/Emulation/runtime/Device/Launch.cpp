//===- Launch.cpp - executing launches ----------------------------------------------------------------===//
// Blocks are independent: OS threads take them in the order that executionOrder() gives. In check mode one
// thread executes all, so that a report does not depend on chance. Blocks of a cooperative launch, and those
// of one cluster, each have an OS thread of their own, as they have to be alive together.
#include "Check.h"
#include "Stream.h"
#include <atomic>
#include <execinfo.h>
#include <map>
#include <optional>
#include <thread>

namespace emulation {

constexpr unsigned kPortableClusterBlocks = 8, kMaxClusterBlocks = 16;
constexpr unsigned kFewThreads = 2048; ///< not worth waking another OS thread for
constexpr size_t kSharedBytesWithoutAsking = 48 * 1024;

namespace {
struct Limits {
  size_t sharedBytes = kSharedBytesWithoutAsking;
  unsigned clusterBlocks = kPortableClusterBlocks;
};
std::map<const void*, Limits> limits; ///< of kernels that asked for more
} // namespace

cudaError_t setAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || size_t(value) > kMaxSharedBytes) return remember(cudaErrorInvalidValue);
    limits[kernel].sharedBytes = size_t(value);
  }
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
    limits[kernel].clusterBlocks = value ? kMaxClusterBlocks : kPortableClusterBlocks;
  return cudaSuccess;
}

void syncGrid(unsigned line) {
  if (!currentGrid) fail("grid.sync in a kernel that was not launched cooperatively");
  blockBarrier({line, __builtin_return_address(0)}, currentGrid);
}

// --- clusters

void syncCluster(unsigned line) {
  if (!current) fail("cluster.sync outside a kernel");
  Cluster* cluster = current->block->cluster;
  blockBarrier({line, __builtin_return_address(0)}, cluster ? &cluster->team : nullptr);
}

// The two halves of the barrier. What stands between them counts as before the barrier, so generated code has nothing
// there.
void arriveAtCluster(unsigned line) {
  if (!current) fail("__cluster_barrier_arrive outside a kernel");
  if (current->arrivedAtCluster)
    fail("barrier divergence: arrives twice at the cluster's barrier, in line %u", line);
  current->arrivedAtCluster = true;
}
void waitForCluster(unsigned line) {
  if (!current || !current->arrivedAtCluster)
    fail("barrier divergence: waits for the cluster without having arrived, in line %u", line);
  current->arrivedAtCluster = false;
  Cluster* cluster = current->block->cluster;
  blockBarrier({line, __builtin_return_address(0)}, cluster ? &cluster->team : nullptr);
}

unsigned rankInCluster() { return current->block->rank; }
unsigned blocksOfCluster() {
  const Cluster* cluster = current->block->cluster;
  return cluster ? unsigned(cluster->blocks.size()) : 1;
}

void* sharedOfRank(void* mine, unsigned rank) {
  const Block& block = *current->block;
  if (rank >= blocksOfCluster())
    fail("map_shared_rank: there is no block %u in a cluster of %u", rank, blocksOfCluster());
  if (!block.cluster) return mine;
  const Block& other = *block.cluster->blocks[rank];
  for (auto part : {&SharedMemory::fixed, &SharedMemory::dynamic}) {
    const Range& own = block.shared.*part;
    if (own.contains(mine)) return (other.shared.*part).begin + (static_cast<char*>(mine) - own.begin);
  }
  fail("map_shared_rank of %p, which is not this block's shared memory", mine);
}

static bool isClustered(const Shape& shape) {
  return shape.cluster.x * shape.cluster.y * shape.cluster.z > 1;
}

/// The blocks of each cluster, by rank.
static std::vector<std::vector<unsigned>> clustersOf(const Shape& shape) {
  dim3 grid = shape.grid, size = shape.cluster;
  dim3 clusters(grid.x / size.x, grid.y / size.y, grid.z / size.z);
  std::vector<std::vector<unsigned>> all(clusters.x * clusters.y * clusters.z);
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x)
        all[(z / size.z * clusters.y + y / size.y) * clusters.x + x / size.x].push_back(
            (z * grid.y + y) * grid.x + x);
  return all;
}

// --- execution

static void runCooperatively(unsigned blocks, const Shape& shape, const Task& task,
                             const std::vector<std::vector<unsigned>>& clusterBlocks) {
  Team grid("grid.sync", blocks, [] {
    if (kCheck) advancePhase();
  });
  currentGrid = &grid;
  std::vector<std::pair<Cluster*, unsigned>> placeOf(blocks);
  std::vector<std::unique_ptr<Cluster>> clusters;
  for (const auto& members : clusterBlocks) {
    clusters.push_back(std::make_unique<Cluster>(unsigned(members.size())));
    for (unsigned rank = 0; rank < members.size(); ++rank)
      placeOf[members[rank]] = {clusters.back().get(), rank};
  }
  runSideBySide(blocks, [&](unsigned i) { runBlock(i, shape, task, placeOf[i].first, placeOf[i].second); });
  currentGrid = nullptr;
}

static void runClusters(const Shape& shape, const Task& task,
                        const std::vector<std::vector<unsigned>>& clusters) {
  for (unsigned index : executionOrder(unsigned(clusters.size()), 0)) {
    const std::vector<unsigned>& members = clusters[index];
    Cluster cluster(unsigned(members.size()));
    runSideBySide(unsigned(members.size()),
                  [&](unsigned rank) { runBlock(members[rank], shape, task, &cluster, rank); });
  }
}

static void runIndependently(unsigned blocks, const Shape& shape, const Task& task) {
  static const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<unsigned> order = executionOrder(blocks, 0);
  unsigned workers = std::min(blocks, processors);
  if (kCheck || workers == 1 ||
      1ull * blocks * shape.block.x * shape.block.y * shape.block.z <= kFewThreads) {
    for (unsigned block : order) runBlock(block, shape, task);
    return;
  }
  std::atomic<unsigned> next = 0;
  runSideBySide(workers, [&](unsigned) {
    for (unsigned i; (i = next++) < blocks;) runBlock(order[i], shape, task);
  });
}

/// Keeps the host's thread_local variables, among which the kernel's shared memory lies that check mode
/// fills.
class HostVariables {
public:
  explicit HostVariables(const void* kernel) : place_(threadLocalMemory(kernel)) {
    kept_.assign(place_.begin, place_.begin + place_.bytes);
  }
  ~HostVariables() { std::copy(kept_.begin(), kept_.end(), place_.begin); }

private:
  Range place_;
  std::vector<char> kept_;
};

static void execute(const Shape& shape, const Task& task) {
  std::optional<HostVariables> hostVariables;
  if (kCheck) hostVariables.emplace(task.kernel);
  unsigned blocks = shape.grid.x * shape.grid.y * shape.grid.z;
  const bool clustered = isClustered(shape);
  std::vector<std::vector<unsigned>> clusters;
  if (clustered) clusters = clustersOf(shape);
  currentTask = &task;
  if (kCheck) checkLaunch(task, blocks, clusters, shape.cooperative);
  if (shape.cooperative)
    runCooperatively(blocks, shape, task, clusters);
  else if (clustered)
    runClusters(shape, task, clusters);
  else
    runIndependently(blocks, shape, task);
}

static cudaError_t validity(const Shape& shape, const Task& task) {
  auto [grid, block, cluster] = std::tuple(shape.grid, shape.block, shape.cluster);
  unsigned long long threads = 1ull * block.x * block.y * block.z, blocks = 1ull * grid.x * grid.y * grid.z;
  bool valid = threads > 0 && threads <= 1024 && block.z <= 64 && grid.x > 0 && grid.y > 0 && grid.z > 0 &&
               grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535;
  if (!valid) return cudaErrorInvalidConfiguration;
  auto asked = limits.find(task.kernel);
  Limits limit = asked == limits.end() ? Limits() : asked->second;
  if (shape.sharedBytes > limit.sharedBytes) return cudaErrorInvalidValue;
  if (shape.cooperative && blocks > kMultiprocessors * kBlocksPerMultiprocessor)
    return cudaErrorCooperativeLaunchTooLarge;
  unsigned clusterBlocks = cluster.x * cluster.y * cluster.z;
  if (clusterBlocks == 0 || clusterBlocks > limit.clusterBlocks || grid.x % cluster.x || grid.y % cluster.y ||
      grid.z % cluster.z)
    return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

/// With at most APPYC_EMULATION_BLOCKS blocks an axis, where the kernel strides over the grid; a cluster stays whole.
static Shape withFewBlocks(Shape shape) {
  if (isClustered(shape)) return shape;
  const char* wish = getenv("APPYC_EMULATION_BLOCKS");
  unsigned most = wish ? unsigned(std::atoi(wish)) : 0;
  for (const char* axis = shape.strides; most && *axis; ++axis) {
    unsigned& blocks = *axis == 'y' ? shape.grid.y : *axis == 'z' ? shape.grid.z : shape.grid.x;
    blocks = std::min(blocks, *axis == 'X' ? most + 1 : most);
  }
  return shape;
}

static std::vector<void*> callersOfLaunch() {
  constexpr int kMost = 8;
  std::vector<void*> callers(kMost);
  callers.resize(size_t(backtrace(callers.data(), kMost)));
  return callers;
}

namespace {
struct Inside {
  const char *name = nullptr, *strides = "";
};
thread_local Inside inside; ///< of the function template that is launching its argument
} // namespace
LaunchInside::LaunchInside(const char* name, const char* strides) { inside = {name, strides}; }
LaunchInside::~LaunchInside() { inside = {}; }

cudaError_t launch(const Shape& asked, const Task& task) {
  if (current) fail("a launch inside a kernel");
  Shape shape = asked;
  Task known = task;
  if (inside.name) known.name = inside.name, shape.strides = inside.strides;
  const cudaError_t error = validity(shape, known);
  if (error != cudaSuccess) return remember(error);
  if (shape.overlapping && codeVersion() < 90)
    fail("%s may begin before the previous kernel has ended, and its code is too old to wait", known.name);
  if (kCheck) known.callers = callersOfLaunch();
  // What is recorded takes as many blocks as are asked for when it runs.
  return submit(shape.stream, [shape, known] { execute(withFewBlocks(shape), known); });
}

} // namespace emulation
