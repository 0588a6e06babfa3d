//===- Model.cpp - how long work takes on a device --------------------------------------------------------===//
#include "appyc/Cost/Model.h"
#include <algorithm>

namespace appyc::cost {

namespace {

/// Elements of a cluster's blocks come from the L2 cache where another block has made them: about half the speed.
constexpr double kShareOfCluster = 15.0 / 32;

struct Pace {
  double launch;          ///< the least that a launch of a step takes
  double multiprocessors; ///< as many as are kept busy
};

Pace paceOf(const Device& d, Place place) {
  switch (place) {
  case Place::Block: return {d.barrierOfBlock + d.near, 1};
  case Place::Cluster: return {d.barrierOfCluster + d.far, d.blocksOfCluster * kShareOfCluster};
  case Place::Device: break;
  }
  return {d.graphLaunch, double(d.multiprocessors)};
}

} // namespace

double predict(const Device& d, const Work& w, Place place) {
  const Pace pace = paceOf(d, place);
  const double share = pace.multiprocessors / d.multiprocessors;
  const double moved = std::max(w.bytes / d.memory, w.elements / (pace.multiprocessors * d.elements));
  const double computed = (w.doubles / d.doubles + w.singles / d.singles) / share;
  const double started = w.launches * pace.launch + w.hostLaunches * d.launch + w.graphs * d.graphStart;
  return started + std::max(moved, computed) + w.onChip / (d.shared * share) + w.waits * d.barrierOfGrid;
}

int64_t mostElements(const Device& d, Place here, Place there) {
  const Pace a = paceOf(d, here), b = paceOf(d, there);
  const double more = 1 / (a.multiprocessors * d.elements) - 1 / (b.multiprocessors * d.elements);
  return powerOfTwoUpTo((b.launch - a.launch) / more);
}

int64_t elementsInGraphLaunches(const Device& d, double launches) {
  return powerOfTwoUpTo(launches * d.graphLaunch * d.multiprocessors * d.elements);
}

int64_t elementsInLaunches(const Device& d, double launches) {
  return powerOfTwoUpTo(launches * d.launch * d.multiprocessors * d.elements);
}

int64_t stepsInLaunches(const Device& d, double launches, double accesses) {
  return powerOfTwoUpTo(launches * d.launch / (accesses * d.serialStep));
}

constexpr double kRoundTrip = 16; ///< bytes: 8 there, and 8 back

int operationsInRoundTrip(const Device& d) {
  constexpr double operationsOfElement = 10; // in the time of an access to a cache
  return static_cast<int>(kRoundTrip / d.memory * d.multiprocessors * d.elements * operationsOfElement);
}

int doublesInRoundTrip(const Device& d) {
  return static_cast<int>(powerOfTwoUpTo(kRoundTrip / d.memory * d.doubles / 2));
}

} // namespace appyc::cost
