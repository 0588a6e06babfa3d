//===- Device.h - what costs and limits depend on: a GPU as numbers --------------------------------------===//
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace appyc::cost {

/// One row of Device.def. Times are nanoseconds, speeds are per nanosecond, sizes are bytes. Limits that passes keep to
/// are its members or follow from them, below and in Model.h; generated files run on other devices as well.
struct Device {
  std::string_view name;  ///< as --gpu has it
  std::string_view title; ///< as people have it

  // What there is.
  int capability; ///< compute capability, 90 for 9.0
  int multiprocessors;
  int warp = 32;
  int schedulers = 4;          ///< of a multiprocessor
  int threadsOfBlock = 1024;   ///< at most
  int threadsOfMultiprocessor; ///< at once
  int registers = 65536;       ///< of a multiprocessor, 32 bits each
  int registersOfThread = 255; ///< at most
  int64_t sharedOfMultiprocessor;
  int64_t sharedOfBlock = 48 << 10; ///< at most, of arrays that a kernel declares
  int64_t sharedOnRequest;          ///< at most, of what a launch asks for
  int64_t l2;
  int64_t blocksOfGrid =
      65535; ///< at most, along y and z; along x, too, where a multiple of what runs at once will do
  int blocksOfCluster;    ///< at most; 0: there are no clusters
  bool overlapsLaunches;  ///< programmatic dependent launch
  bool cooperates = true; ///< cooperative launches: all blocks of a grid at once
  bool copiesAsync;       ///< from memory to shared memory, past the registers
  int bytesOfLoad = 16;   ///< that a thread takes with one instruction

  // Speeds.
  double memory;           ///< bytes that kernels reach
  double shared;           ///< bytes, of the shared memories of all multiprocessors
  double elements;         ///< that neighbouring lanes of one multiprocessor access side by side, in caches
  double doubles, singles; ///< operations of f64, of f32 and whole numbers

  // Times.
  double launch;                                          ///< one launch of the host's after another one
  double graphStart;                                      ///< of a recorded graph, whatever is in it
  double graphLaunch;                                     ///< one launch of a graph after another one
  double barrierOfBlock, barrierOfCluster, barrierOfGrid; ///< with 512 threads a block
  double near, far; ///< from a store to another thread's load, in the same multiprocessor and by the L2 cache

  // In elements that neighbouring lanes access side by side: measured on the h200 alone, and taken to be the same elsewhere.
  int64_t scatteredAccess = 8, function = 8, quotient = 2, foldOfWarp = 64;

  // What follows.
  /// Threads that a multiprocessor has so many registers for: whole warps for each of its schedulers.
  int threadsWith(int registersEach) const {
    const int quantum = warp * schedulers, most = registers / registersEach / quantum * quantum;
    return most < threadsOfMultiprocessor ? most : threadsOfMultiprocessor;
  }
  /// A warp for each scheduler, the least that keeps all of the device busy; and all threads that run at once. Powers of
  /// two, not above.
  int64_t threadsToFill() const;
  int64_t threadsAtOnce() const;
  int64_t blocksAtOnce() const { return threadsAtOnce() / 256; } ///< of 256 threads
  /// Bytes for a block's arrays where the kernel may have others besides, of its folds.
  int64_t sharedForTiles() const { return sharedOfBlock - 4096; }
};

std::span<const Device> allDevices();
const Device* deviceNamed(std::string_view name); ///< null if there is none
const Device& standardDevice();                   ///< the first row
/// The largest power of two that is not above `x`; 1 below that.
int64_t powerOfTwoUpTo(double x);

} // namespace appyc::cost
