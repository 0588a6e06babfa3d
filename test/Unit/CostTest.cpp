//===- CostTest.cpp - the table of devices, and predictions beside what was measured -----------------------===//
#include "appyc/Cost/Device.h"
#include "appyc/Cost/Model.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace appyc::cost;

TEST_CASE("devices have names of their own, which find them", "[cost]") {
  std::set<std::string_view> names;
  for (const Device& device : allDevices()) {
    CHECK(names.insert(device.name).second);
    CHECK(std::regex_match(std::string(device.name), std::regex("[a-z0-9]+")));
    CHECK(deviceNamed(device.name) == &device);
  }
  CHECK(deviceNamed("h300") == nullptr);
  CHECK(standardDevice().name == "h200");
}

TEST_CASE("numbers of devices are in proportion", "[cost]") {
  for (const Device& d : allDevices()) {
    INFO(d.name);
    CHECK(d.capability >= 75);
    CHECK(d.multiprocessors > 0);
    CHECK(d.threadsOfMultiprocessor % d.warp == 0);
    CHECK(d.threadsOfMultiprocessor >= d.threadsOfBlock);
    CHECK(d.sharedOfBlock < d.sharedOnRequest);
    CHECK(d.sharedOnRequest < d.sharedOfMultiprocessor);
    CHECK(d.memory < d.shared);
    CHECK(d.doubles <= d.singles);
    // Clusters and launches that overlap came with 9.0.
    CHECK((d.blocksOfCluster > 0) == (d.capability >= 90));
    CHECK(d.overlapsLaunches == (d.capability >= 90));
    CHECK((d.barrierOfCluster > 0) == (d.blocksOfCluster > 0));
    // What takes more has to pay for it by doing more at once.
    CHECK(d.barrierOfBlock < d.barrierOfGrid);
    if (d.blocksOfCluster > 0) CHECK(d.barrierOfBlock < d.barrierOfCluster);
    if (d.blocksOfCluster > 0) CHECK(d.barrierOfCluster < d.barrierOfGrid);
    CHECK(d.near < d.far);
    CHECK(d.graphLaunch < d.launch);
    CHECK(d.launch < d.graphStart);
    CHECK(d.threadsToFill() <= d.threadsAtOnce());
    CHECK(d.threadsWith(255) < d.threadsWith(64));
    CHECK(d.threadsWith(32) <= d.threadsOfMultiprocessor);
  }
}

TEST_CASE("limits of the h200 are those that were measured", "[cost]") {
  const Device& d = standardDevice();
  CHECK(d.threadsToFill() == 16384);
  CHECK(d.threadsAtOnce() == 262144);
  CHECK(d.blocksAtOnce() == 1024);
  CHECK(d.threadsWith(64) == 1024);
  CHECK(d.threadsWith(80) == 768);
  CHECK(d.threadsWith(128) == 512);
  CHECK(Device::sharedForTiles == 45056);
  CHECK(mostElements(d, Place::Block, Place::Cluster) == 8192);
  CHECK(mostElements(d, Place::Cluster, Place::Device) == 65536);
  CHECK(elementsInGraphLaunches(d, 3) == 1 << 23);
  CHECK(elementsInLaunches(d, 4) / 4 == 1 << 22);
  CHECK(stepsInLaunches(d, 3, 1) == 1024);
  CHECK(stepsInLaunches(d, 3, 4) == 256);
  CHECK(operationsInRoundTrip(d) == 120);
  CHECK(doublesInRoundTrip(d) == 64);
}

TEST_CASE("more work takes no less time", "[cost]") {
  const Work work{.launches = 1, .bytes = 1e6, .elements = 1e6, .doubles = 1e6, .onChip = 1e6, .waits = 1};
  double Work::*const parts[] = {&Work::launches, &Work::hostLaunches, &Work::graphs,
                                 &Work::bytes,    &Work::elements,     &Work::doubles,
                                 &Work::singles,  &Work::onChip,       &Work::waits};
  for (const Device& d : allDevices())
    for (const Place place : {Place::Device, Place::Block})
      for (double Work::*part : parts) {
        Work more = work;
        more.*part = 100 * work.*part + 1e7;
        CHECK(predict(d, more, place) >= predict(d, work, place));
      }
}

//===--- measured pairs -----------------------------------------------------------------------------------===//

namespace {

struct Alternative {
  const char* how;
  Work work;
  double measured; ///< of all alternatives of a case in one unit, whatever that is
  Place place = Place::Device;
};
struct Case {
  std::string what;
  std::vector<Alternative> alternatives;
};

/// A step of a loop of the host: lib/Schedule/Launches/README.md, us a step.
Case step(std::string what, double launches, double elements, double graph, double block, double cluster) {
  const Work work{.launches = launches, .elements = elements};
  return {std::move(what),
          {{"graph", work, graph},
           {"one block", work, block, Place::Block},
           {"cluster", work, cluster, Place::Cluster}}};
}

/// A step, by launches or by blocks that stay and wait for one another: lib/Schedule/Strategies/README.md, us a step.
Case stays(std::string what, double launches, double elements, double graph, double resident) {
  return {std::move(what),
          {{"graph", {.launches = launches, .elements = elements}, graph},
           {"resident", {.onChip = 8 * elements, .waits = 1}, resident}}};
}

/// What launches for producers save, less what blocks repeat (RedundantWork.cpp): us a step.
Case repeats(std::string what, double launches, double elements, double saved) {
  return {std::move(what),
          {{"apart", {.launches = launches}, saved}, {"repeated", {.elements = elements}, 0}}};
}

/// Passes over memory of half-steps, in ms; `sweep` is one step of a time loop.
Work times(double n, Work sweep) {
  for (double Work::*part :
       {&Work::launches, &Work::hostLaunches, &Work::bytes, &Work::elements, &Work::onChip, &Work::waits})
    sweep.*part *= n;
  return sweep;
}

std::vector<Case> measuredSteps() {
  std::vector<Case> all;
  const auto each = [&](const char* what, std::vector<double> sizes, auto elements, double launches,
                        std::vector<double> graph, std::vector<double> block, std::vector<double> cluster) {
    for (size_t i = 0; i < sizes.size(); ++i)
      all.push_back(step(what + (" " + std::to_string(int(sizes[i]))), launches, elements(sizes[i]), graph[i],
                         block[i], cluster[i]));
  };
  // Loads and stores of an element; a sum's fold is 64 more.
  each("jacobi_1d", {256, 1000, 4000, 16000}, [](double n) { return 4 * n; }, 1, {1.12, 1.15, 1.24, 1.28},
       {0.14, 0.30, 0.93, 3.5}, {0.53, 0.80, 0.82, 1.04});
  each("jacobi_2d", {32, 64, 100, 150}, [](double n) { return 6 * n * n; }, 1, {1.24, 1.35, 1.38, 1.44},
       {0.53, 1.47, 3.1, 6.9}, {0.91, 0.95, 1.20, 1.59});
  each("heat_3d", {16, 32, 64}, [](double n) { return 8 * n * n * n; }, 1, {1.31, 1.39, 2.15}, {3.5, 15, 86},
       {0.92, 2.4, 10.8});
  each("power iteration", {64, 128, 256, 400, 1000}, [](double n) { return 2 * n * n + 64 * n; }, 2,
       {3.0, 3.1, 3.4, 4.0, 6.0}, {2.1, 3.6, 8.1, 17, 126}, {2.1, 2.3, 2.6, 4.1, 18});
  each("LU", {60, 120, 200, 500}, [](double n) { return 4 * n * n / 3; }, 2, {2.4, 2.5, 2.6, 2.9},
       {0.9, 1.7, 4.2, 31}, {1.6, 2.0, 2.3, 4.5});
  each("Durbin", {200, 1000, 2000, 4000}, [](double n) { return 2.5 * n; }, 3, {3.9, 4.5, 5.1, 6.7},
       {0.8, 0.9, 1.1, 1.4}, {1.8, 2.0, 2.3, 2.8});
  // A warp a column: lanes are a row apart.
  each("gramschmidt", {50, 100, 200}, [](double n) { return 8 * 5 * 1.2 * n * n / 2; }, 2, {2.5, 2.9, 3.3},
       {4.2, 14, 54}, {3.2, 6.3, 10.6});
  return all;
}

std::vector<Case> measuredResidents() {
  std::vector<Case> all;
  const double sizes[] = {64, 200, 500, 1000}, rows[] = {60, 240, 600, 1000}, columns[] = {50, 200, 500, 800};
  const double gramschmidt[][2] = {{2.5, 2.1}, {3.1, 1.95}, {9.5, 2.5}, {20, 3.0}};
  const double lu[][2] = {{2.5, 1.4}, {1.9, 1.3}, {2.2, 1.6}, {3.1, 2.2}};
  const double cholesky[][2] = {{2.8, 1.4}, {2.9, 1.4}, {3.6, 1.6}, {6.3, 2.0}};
  const double elimination[][2] = {{1.2, 1.5}, {1.3, 1.4}, {1.7, 1.6}, {2.5, 2.1}};
  for (size_t i = 0; i < 4; ++i) {
    const double square = sizes[i] * sizes[i];
    all.push_back(stays("gramschmidt, resident", 2, 5 * rows[i] * columns[i] / 2, gramschmidt[i][0],
                        gramschmidt[i][1]));
    all.push_back(stays("LU by columns, resident", 2, square, lu[i][0], lu[i][1]));
    all.push_back(stays("Cholesky by columns, resident", 2, square / 2, cholesky[i][0], cholesky[i][1]));
    all.push_back(stays("elimination, resident", 1, square, elimination[i][0], elimination[i][1]));
  }
  return all;
}

std::vector<Case> measuredRepeats() {
  return {// Columns, and a quotient: 8 and 2, twice.
          repeats("gramschmidt, 24 000", 3, 20 * 24e3, 3.4),
          repeats("gramschmidt, 0.4 million", 3, 20 * 0.4e6, 2.7),
          repeats("gramschmidt, 2.4 million", 3, 20 * 2.4e6, -14),
          repeats("power iteration, 0.07 million", 3, 2 * 0.07e6, 2.6),
          repeats("power iteration, 4 million", 3, 2 * 4e6, 1.6),
          repeats("power iteration, 16 million", 3, 2 * 16e6, -4),
          repeats("power iteration, 64 million", 3, 2 * 64e6, -15),
          // Two exponentials.
          repeats("softmax and product, 0.07 million", 5, 18 * 0.07e6, 6.4),
          repeats("softmax and product, 1 million", 5, 18 * 1e6, 3.3),
          repeats("softmax and product, 4 million", 5, 18 * 4e6, -8)};
}

/// Whole kernels and programs: docs/measurements/passes.md, lib/Schedule/Strategies/README.md.
std::vector<Case> measuredPrograms() {
  const double line = 32000, plane = 2800.0 * 2800, space = 120.0 * 120 * 120, fields = 1000.0 * 1200;
  const auto byHost = [](Work sweep) { return sweep.launches = 0, sweep.hostLaunches = 1, sweep; };
  const auto byBarrier = [](Work sweep) { return sweep.launches = 0, sweep.waits = 1, sweep; };
  const Work one{.launches = 1, .elements = 4 * line},
      two{.launches = 1, .bytes = 16 * plane, .elements = 6 * plane},
      three{.launches = 1, .elements = 8 * space}, fdtd{.launches = 1, .elements = 4 * fields};
  // Tiles of 48 x 64 cells that take some steps at a time, of two halves each; 6 accesses of shared memory in each.
  const auto tiles = [&](double steps) {
    const double cells = 48 / (48 - 4 * steps) * 64 / (64 - 4 * steps);
    return Work{
        .launches = 1 / steps, .bytes = 8 * (1 + cells) * plane / steps, .onChip = 2 * 48 * cells * plane};
  };
  return {
      {"jacobi_1d",
       {{"host", times(8000, byHost(one)), 24.0},
        {"graph", times(8000, one), 9.15},
        {"tiles of 64 steps",
         {.launches = 63, .bytes = 63 * 24 * line, .onChip = 8000 * 2 * 16 * line},
         1.23}}},
      {"jacobi_2d",
       {{"host", times(2000, byHost(two)), 81.3},
        {"graph", times(2000, two), 77.6},
        {"tiles", times(1000, tiles(2)), 44.2}}},
      {"heat_3d", {{"host", times(1000, byHost(three)), 9.7}, {"graph", times(1000, three), 8.7}}},
      {"fdtd_2d", {{"host", times(1500, byHost(fdtd)), 10.5}, {"graph", times(1500, fdtd), 8.4}}},
      {"jacobi_2d, 200 steps",
       {{"1 a pass", times(200, tiles(1)), 21.8},
        {"2 a pass", times(200, tiles(2)), 9.0},
        {"4 a pass", times(200, tiles(4)), 10.9},
        {"a sweep a launch", times(400, two), 15.4}}},
      {"jacobi_1d by hand",
       {{"graph", times(8000, one), 8.7},
        {"barriers of the grid", times(8000, byBarrier(one)), 9.5},
        {"host", times(8000, byHost(one)), 25}}},
      {"jacobi_2d by hand",
       {{"graph", times(2000, two), 72.9}, {"barriers of the grid", times(2000, byBarrier(two)), 83.1}}},
      {"heat_3d by hand",
       {{"graph", times(1000, three), 5.89}, {"barriers of the grid", times(1000, byBarrier(three)), 7.19}}},
      {"fdtd_2d by hand",
       {{"graph", times(1000, fdtd), 5.73}, {"barriers of the grid", times(1000, byBarrier(fdtd)), 7.00}}},
      {"softmax of four dimensions",
       {{"exponentials stored", {.launches = 4, .bytes = 16 * 268435456.0}, 1.27},
        {"computed twice", {.launches = 1, .bytes = 8 * 268435456.0}, 0.659}}},
      {"gemver",
       {{"columns apart", {.launches = 4, .bytes = 4 * 512e6}, 0.652},
        {"summed on the way", {.launches = 3, .bytes = 3 * 512e6}, 0.565}}},
      {"floyd_warshall",
       {{"a pass a step", {.launches = 2800, .bytes = 2800 * 8 * plane}, 65},
        {"32 steps a pass",
         {.launches = 88 * 3, .bytes = 88 * 8 * plane, .singles = 2800 * 3 * plane},
         12.9}}},
      {"x / x.max(), 1000",
       {{"three kernels", {.hostLaunches = 3, .bytes = 24e3}, 18.8},
        {"two", {.hostLaunches = 2, .bytes = 24e3}, 13.4}}},
      {"x / x.max(), 10^6",
       {{"three kernels", {.hostLaunches = 3, .bytes = 24e6}, 22.1},
        {"two", {.hostLaunches = 2, .bytes = 24e6}, 17.2}}},
      {"azimint_naive",
       {{"four launches", {.hostLaunches = 4}, 45.4}, {"a graph", {.launches = 4, .graphs = 1}, 39.5}}},
      {"trisolv, a row",
       {{"by launches", {.hostLaunches = 2, .elements = 2 * 8000}, 6.8},
        {"64 rows a block", {.launches = 2.0 / 64, .elements = 2 * 8000}, 0.42}}},
  };
}

} // namespace

// Alternatives that are within 5 % of each other when measured are no pair: runs differ by as much.
TEST_CASE("the order of alternatives is right in nine of ten measured pairs", "[cost]") {
  std::vector<Case> cases = measuredSteps();
  for (const auto& more : {measuredResidents(), measuredRepeats(), measuredPrograms()})
    cases.insert(cases.end(), more.begin(), more.end());
  size_t pairs = 0, right = 0;
  std::string wrong;
  for (const Case& c : cases)
    for (size_t i = 0; i < c.alternatives.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const Alternative &a = c.alternatives[i], &b = c.alternatives[j];
        const double difference = a.measured - b.measured;
        if (std::abs(difference) < 0.05 * std::max(std::abs(a.measured), std::abs(b.measured))) continue;
        const double predicted =
            predict(standardDevice(), a.work, a.place) - predict(standardDevice(), b.work, b.place);
        ++pairs;
        right += (difference < 0) == (predicted < 0);
        if ((difference < 0) != (predicted < 0)) wrong += "\n  " + c.what + ": " + a.how + ", " + b.how;
      }
  INFO(right << " of " << pairs << "; wrong:" << wrong);
  CHECK(pairs >= 100);
  CHECK(10 * right >= 9 * pairs);
}
