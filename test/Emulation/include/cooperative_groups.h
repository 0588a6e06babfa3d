//===- cooperative_groups.h - the groups that generated code may use
//-----------------------------------------===//
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {

struct thread_block {
  static void sync() { ::emulation::syncThreads(0); }
  static unsigned thread_rank() { return ::emulation::threadOfBlock(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static uint3 group_index() { return blockIdx; }
  static uint3 thread_index() { return threadIdx; }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
  void sync() const { ::emulation::syncGrid(0); }
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

template <unsigned N> struct thread_block_tile {
  unsigned thread_rank() const { return ::emulation::threadOfBlock() % N; }
  unsigned meta_group_rank() const { return ::emulation::threadOfBlock() / N; }
  static constexpr unsigned size() { return N; }
  unsigned mask() const { return N == 32 ? ~0u : ((1u << N) - 1) << (::emulation::laneOfWarp() / N * N); }
  void sync() const { ::emulation::syncWarp(0, mask()); }
  template <class T> T shfl(T value, int lane) const {
    return ::emulation::shuffle(0, mask(), value, lane, N);
  }
  template <class T> T shfl_down(T value, unsigned by) const {
    return ::emulation::shuffleDown(0, mask(), value, by, N);
  }
  template <class T> T shfl_xor(T value, unsigned by) const {
    return ::emulation::shuffleXor(0, mask(), value, by, N);
  }
};
template <unsigned N> thread_block_tile<N> tiled_partition(const thread_block&) { return {}; }

} // namespace cooperative_groups
