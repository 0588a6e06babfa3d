//===- Device.h - what costs and limits depend on: a GPU as numbers --------------------------------------===//
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace appyc::cost {

/// One row of Device.def. Times are nanoseconds, speeds are per nanosecond, sizes are bytes. Limits that passes keep to
/// are its members or follow from them, below and in Model.h; generated files run on other devices as well.
struct Device {
  // Of all devices that there are rows for, as of the support code in Target/Runtime.
  static constexpr int warp = 32;
  static constexpr int schedulers = 4;               ///< of a multiprocessor
  static constexpr int threadsOfBlock = 1024;        ///< at most
  static constexpr int registers = 65536;            ///< of a multiprocessor, 32 bits each
  static constexpr int registersOfThread = 255;      ///< at most
  static constexpr int bytesOfLoad = 16;             ///< that a thread takes with one instruction, at most
  static constexpr int64_t sharedOfBlock = 48 << 10; ///< at most, of arrays that a kernel declares
  static constexpr int64_t sharedForTiles =
      sharedOfBlock - 4096; ///< where a kernel has others besides, of its folds
  /// At most, along y and z; along x, too, where a multiple of what runs at once will do.
  static constexpr int64_t blocksOfGrid = 65535;
  // What some operations take, in elements that neighbouring lanes access side by side: measured on the h200 alone.
  static constexpr int64_t scatteredAccess = 8, function = 8, quotient = 2, foldOfWarp = 64;

  std::string_view name;  ///< as --gpu has it
  std::string_view title; ///< as people have it

  // What there is.
  int capability; ///< compute capability, 90 for 9.0
  int multiprocessors;
  int threadsOfMultiprocessor; ///< at once
  int64_t sharedOfMultiprocessor;
  int64_t sharedOnRequest; ///< at most, of what a launch of a block asks for
  int64_t l2;
  int blocksOfCluster;   ///< at most; 0: there are no clusters
  bool overlapsLaunches; ///< programmatic dependent launch
  bool cooperates;       ///< cooperative launches: all blocks of a grid at once
  bool copiesAsync;      ///< from memory to shared memory, past the registers

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
  double serialStep; ///< a step of a loop in one thread, whose loads do not wait for each other
  double near, far; ///< from a store to another thread's load, in the same multiprocessor and by the L2 cache

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
};

std::span<const Device> allDevices();
const Device* deviceNamed(std::string_view name); ///< null if there is none
const Device& standardDevice();                   ///< the first row
/// The largest power of two that is not above `x`; 1 below that.
int64_t powerOfTwoUpTo(double x);

} // namespace appyc::cost
