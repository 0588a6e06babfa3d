//===- cooperative_groups.h - the groups that generated code may use ----------------------------------===//
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {

struct thread_block {
  static void sync(unsigned line = __builtin_LINE()) { ::emulation::syncThreads(line); }
  static unsigned thread_rank() { return ::emulation::threadOfBlock(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static uint3 group_index() { return blockIdx; }
  static uint3 thread_index() { return threadIdx; }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
  void sync(unsigned line = __builtin_LINE()) const { ::emulation::syncGrid(line); }
  bool is_valid() const { return true; }
  unsigned long long num_blocks() const { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  unsigned long long block_rank() const {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  unsigned long long size() const { return num_blocks() * thread_block::size(); }
  unsigned long long thread_rank() const {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
};
inline grid_group this_grid() { return {}; }

/// The blocks of a cluster; one block where the launch asked for none.
struct cluster_group {
  static void sync(unsigned line = __builtin_LINE()) { ::emulation::syncCluster(line); }
  static unsigned block_rank() { return ::emulation::rankInCluster(); }
  static unsigned num_blocks() { return ::emulation::blocksOfCluster(); }
  static unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  template <class T> static T* map_shared_rank(T* mine, unsigned rank) {
    return static_cast<T*>(::emulation::sharedOfRank(const_cast<std::remove_cv_t<T>*>(mine), rank));
  }
};
inline cluster_group this_cluster() { return {}; }

template <unsigned N> struct thread_block_tile {
  unsigned thread_rank() const { return ::emulation::threadOfBlock() % N; }
  unsigned meta_group_rank() const { return ::emulation::threadOfBlock() / N; }
  static constexpr unsigned size() { return N; }
  unsigned mask() const { return N == 32 ? ~0u : ((1u << N) - 1) << (::emulation::laneOfWarp() / N * N); }
  void sync(unsigned line = __builtin_LINE()) const { ::emulation::syncWarp(line, mask()); }
  template <class T> T shfl(T value, int lane, unsigned line = __builtin_LINE()) const {
    return ::emulation::shuffle(line, mask(), value, lane, N);
  }
  template <class T> T shfl_down(T value, unsigned by, unsigned line = __builtin_LINE()) const {
    return ::emulation::shuffleDown(line, mask(), value, by, N);
  }
  template <class T> T shfl_xor(T value, unsigned by, unsigned line = __builtin_LINE()) const {
    return ::emulation::shuffleXor(line, mask(), value, by, N);
  }
};
template <unsigned N> thread_block_tile<N> tiled_partition(const thread_block&) { return {}; }

} // namespace cooperative_groups
