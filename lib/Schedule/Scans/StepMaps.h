//===- StepMaps.h - steps as maps of the number that they hand on --------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace appyc::schedule {

/// What scalars are behind straight statements and branches, in terms of what all were before them; nothing for other
/// statements, or where that gets long.
std::optional<std::map<Symbol, ir::Expr>> valuesBehind(const std::vector<ir::Stmt>& step);

/// What a step makes of the number x that it gets, by a few numbers: two such maps, one after the other, are one.
struct StepMap {
  enum class Kind {
    Affine,  ///< a * x + b, of floats
    Clamped, ///< min(max(x + shift, low), high), either bound or both
    Modular, ///< (a * x + b) % m, of integers
    Chosen   ///< x, or what the step gives
  };
  struct Part {
    std::string name;
    ir::Expr step, none; ///< of this step; of no step
    ir::DType type;
  };
  Kind kind;
  ir::DType type;
  std::vector<Part> parts;
  bool hasLow = false, hasHigh = false; ///< parts behind the first
  ir::Expr modulus;
  ir::Expr isSafe; ///< may this step be put together with others? Null: surely

  /// Do many steps put together give what they give in order, whatever the numbers are?
  bool isExact() const { return !isSafe && (kind == Kind::Modular || kind == Kind::Chosen); }
  using Numbers = std::vector<ir::Expr>;
  Numbers then(const Numbers& first, const Numbers& next) const;
  ir::Expr of(const Numbers& map, const ir::Expr& x) const;
  /// May the map of many steps be applied to x? Null: surely.
  ir::Expr isSafeFor(const ir::Expr& x) const;
};

/// Floats no larger than this add up to what is finite, however many there are.
constexpr double mostToAdd(ir::DType type) { return type == ir::DType::F64 ? 1e280 : 1e18; }
/// |e| of a number.
ir::Expr magnitudeOf(const ir::Expr& e);

/// The map min(max(x + shift, low), high) that makes `value` of x, of I64 or floats, if it is one.
std::optional<StepMap> clampedMap(const ir::Expr& value, const Symbol& x, const ir::Expr& steps);
/// Any map that makes `value` of x, if it is one. `varying`: what differs from step to step, of which there are at most `steps`.
std::optional<StepMap> stepMap(const ir::Expr& value, const Symbol& x, const std::set<Symbol>& varying,
                               const ir::Expr& steps);

} // namespace appyc::schedule
