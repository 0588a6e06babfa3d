//===- Model.h - how long work takes on a device ----------------------------------------------------------===//
#pragma once
#include "appyc/Cost/Device.h"

namespace appyc::cost {

/// Who does it: all multiprocessors, one cluster of blocks, one block.
enum class Place { Device, Cluster, Block };

/// What a kernel, a step of a loop or a whole program does. Elements are those that neighbouring lanes access side by side;
/// others count for more (Counting.h).
struct Work {
  double launches = 0;     ///< from a graph, or, in one launch of all steps, what used to be one
  double hostLaunches = 0; ///< by the host, one after the other
  double graphs = 0;       ///< that the host starts
  double bytes = 0;        ///< of memory, each once
  double elements = 0;     ///< accesses, wherever they go
  double doubles = 0;      ///< operations of f64
  double singles = 0;      ///< other operations
  double onChip = 0;       ///< bytes to and from shared memory, before and after those of memory
  double waits = 0;        ///< for another block, one behind the other: posted steps, barriers of a grid
};

/// Nanoseconds. What runs side by side takes as long as the longest of it; what waits for something else is added.
double predict(const Device& device, const Work& work, Place place = Place::Device);

/// The most elements, a power of two, with which a step's launch is sooner done at `here` than at `there`, where more run at
/// once but a launch takes longer.
int64_t mostElements(const Device& device, Place here, Place there);
/// Elements that the device accesses, a power of two, in the time of so many launches of a graph, or of the host.
int64_t elementsInGraphLaunches(const Device& device, double launches);
int64_t elementsInLaunches(const Device& device, double launches);
/// Steps of a loop in one thread, a power of two, in the time of so many launches of the host; each makes so many accesses
/// that wait for each other.
int64_t stepsInLaunches(const Device& device, double launches, double accesses);
/// Operations, and loads from caches, that the device does in the time in which 8 bytes go to memory and back.
int operationsInRoundTrip(const Device& device);
/// Operations of f64, a power of two, that it does in that time, without a product and a sum in one.
int doublesInRoundTrip(const Device& device);

} // namespace appyc::cost
