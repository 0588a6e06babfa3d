//===- Threads.h - thread indices, barriers, warp operations ------------------------------------------===//
// Everything that touches the runtime's state is out of line: in check mode this header is instrumented, the
// runtime is not. Barriers carry their source line, so that threads that wait at different ones are found.
#pragma once
#include "Types.h"

// Variables, not macros: cudaLaunchConfig_t has members gridDim and blockDim. constinit: no wrapper call at
// each use.
extern constinit thread_local uint3 threadIdx, blockIdx;
extern constinit thread_local dim3 blockDim, gridDim;
static constexpr int warpSize = 32;

namespace emulation {

unsigned threadOfBlock();
unsigned laneOfWarp();
void* dynamicSharedMemory(); ///< what `extern __shared__` names

enum class Vote { Or, And, Count };
void syncThreads(unsigned line);
int syncThreadsVote(unsigned line, int value, Vote vote);
void syncWarp(unsigned line, unsigned mask = ~0u);
void syncGrid(unsigned line);
void syncCluster(unsigned line);
void arriveAtCluster(unsigned line);
void waitForCluster(unsigned line);
unsigned rankInCluster();
unsigned blocksOfCluster();
/// Where the block of that rank has what this block has at `mine`, in shared memory.
void* sharedOfRank(void* mine, unsigned rank);
void fence();
void waitForPreviousKernel();
unsigned activeLanes();

/// Leaves a value of at most 16 bytes for the other lanes and waits for them; returns where to read theirs.
unsigned publish(unsigned line, unsigned mask, const void* value, unsigned bytes);
void readPublished(unsigned buffer, unsigned lane, void* value, unsigned bytes);
unsigned ballot(unsigned line, unsigned mask, bool predicate);
/// The lanes of the mask whose value is this lane's.
unsigned matchAny(unsigned line, unsigned mask, const void* value, unsigned bytes);

template <class T> unsigned match(unsigned line, unsigned mask, T value) {
  static_assert((sizeof(T) == 4 || sizeof(T) == 8) && std::is_arithmetic_v<T>);
  return matchAny(line, mask, &value, sizeof(T));
}
template <class T> T exchange(unsigned line, unsigned mask, T value, unsigned lane) {
  static_assert(sizeof(T) <= 16 && std::is_trivially_copyable_v<T>);
  unsigned buffer = publish(line, mask, &value, sizeof(T));
  T result;
  readPublished(buffer, lane, &result, sizeof(T));
  return result;
}
template <class T> T shuffle(unsigned line, unsigned mask, T value, int from, int width = 32) {
  unsigned lane = laneOfWarp();
  return exchange(line, mask, value, lane / width * width + from % width);
}
template <class T> T shuffleUp(unsigned line, unsigned mask, T value, unsigned by, int width = 32) {
  unsigned lane = laneOfWarp();
  return exchange(line, mask, value, lane % width >= by ? lane - by : lane);
}
template <class T> T shuffleDown(unsigned line, unsigned mask, T value, unsigned by, int width = 32) {
  unsigned lane = laneOfWarp();
  return exchange(line, mask, value, lane % width + by < unsigned(width) ? lane + by : lane);
}
template <class T> T shuffleXor(unsigned line, unsigned mask, T value, unsigned by, int = 32) {
  return exchange(line, mask, value, (laneOfWarp() ^ by) & 31u);
}

} // namespace emulation

#define __syncthreads() ::emulation::syncThreads(__LINE__)
#define __syncthreads_or(value) ::emulation::syncThreadsVote(__LINE__, value, ::emulation::Vote::Or)
#define __syncthreads_and(value) ::emulation::syncThreadsVote(__LINE__, value, ::emulation::Vote::And)
#define __syncthreads_count(value) ::emulation::syncThreadsVote(__LINE__, value, ::emulation::Vote::Count)
#define __cluster_barrier_arrive() ::emulation::arriveAtCluster(__LINE__)
#define __cluster_barrier_wait() ::emulation::waitForCluster(__LINE__)
#define __syncwarp(...) ::emulation::syncWarp(__LINE__ __VA_OPT__(, ) __VA_ARGS__)
#define __shfl_sync(...) ::emulation::shuffle(__LINE__, __VA_ARGS__)
#define __shfl_up_sync(...) ::emulation::shuffleUp(__LINE__, __VA_ARGS__)
#define __shfl_down_sync(...) ::emulation::shuffleDown(__LINE__, __VA_ARGS__)
#define __shfl_xor_sync(...) ::emulation::shuffleXor(__LINE__, __VA_ARGS__)
#define __ballot_sync(mask, predicate) ::emulation::ballot(__LINE__, mask, predicate)
#define __match_any_sync(...) ::emulation::match(__LINE__, __VA_ARGS__)
#define __any_sync(mask, predicate) (::emulation::ballot(__LINE__, mask, predicate) != 0)
#define __all_sync(mask, predicate) (::emulation::ballot(__LINE__, mask, !(predicate)) == 0)

inline unsigned __activemask() { return ::emulation::activeLanes(); }
inline void cudaGridDependencySynchronize() { ::emulation::waitForPreviousKernel(); }
inline void __threadfence() { ::emulation::fence(); }
inline void __threadfence_block() {}
inline void __threadfence_system() { ::emulation::fence(); }
inline void __nanosleep(unsigned) {}
