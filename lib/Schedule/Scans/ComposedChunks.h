//===- ComposedChunks.h - what chunks of a loop start from, by steps put together ----------------------===//
#pragma once
#include "StepMaps.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Dsl.h"

namespace appyc::schedule {

/// The steps [lo, hi) of a serial loop in `count` chunks of `size` steps.
struct Chunks {
  Symbol index;
  ir::Expr lo, hi, size, count;
  ir::Builder build;

  ir::Stmt stepsOf(const ir::Expr& c, const std::vector<ir::Stmt>& step) const;
};

/// A number that steps hand on; what it is where each chunk begins, and where it ends.
struct CarriedNumber {
  Symbol scalar;
  ir::DType type;
  ir::Buffer from{}, to{};
};

/// Numbers that steps hand on, each by a map, in which those before it may stand.
class ComposedChunks {
public:
  /// False where one is handed on by no such map. `numbers` get the order.
  bool reads(const std::vector<ir::Stmt>& step, std::vector<CarriedNumber>& numbers, const Symbol& index,
             const ir::Expr& steps);
  /// Do they make what steps in order make, whatever the numbers are?
  bool isExact() const;
  /// Statements by which `from` and `to` hold what they hold in order, but for the grouping; where these are not exact, `unsafe`
  /// is not 0 behind them if that may be something else. New arrays go to `function`, what allocates them to `allocations`.
  std::vector<ir::Stmt> of(const Chunks& chunks, const std::vector<CarriedNumber>& numbers,
                           const Symbol& unsafe, ir::Function& function,
                           std::vector<ir::Stmt>& allocations) const;

private:
  ir::Stmt mapsOf(const Chunks& chunks, const std::vector<CarriedNumber>& numbers, size_t number,
                  const std::vector<ir::Buffer>& parts, const Symbol& unsafe) const;
  static ir::Stmt handsOn(const Chunks& chunks, const CarriedNumber& x, const StepMap& map,
                          const std::vector<ir::Buffer>& parts, const Symbol& unsafe);

  std::vector<StepMap> maps_;
  std::vector<ir::Expr> values_; ///< of the numbers, behind a step
};

} // namespace appyc::schedule
