//===- IndexFacts.h - which integers are indices, and how large they get -------------------------------===//
#pragma once
#include "appyc/IR/Rewrite.h"
#include <map>
#include <set>
#include <vector>

namespace appyc::target {

/// Kernels exist with 32-bit and with 64-bit indices. Each range is kept for both: in the first, sizes, index
/// scalars and arrays are below 2^30 (the entry has checked it); in the second, below what any machine holds.
enum class Width { Int32, Int64 };

struct Interval {
  double lo, hi;
};
bool fits(Interval, Width);

struct Variable {
  ir::DType type = ir::DType::I64;
  bool isIndex = false; ///< has the type of indices: its values fit 32 bits where indices have 32
  Interval narrow, wide;
  Interval range(Width w) const { return w == Width::Int32 ? narrow : wide; }
};

/// What one function's integers are.
class IndexFacts {
public:
  explicit IndexFacts(const ir::Function&);
  const Variable& variable(const Symbol&) const;
  Interval range(const ir::Expr&, Width) const;
  /// Numbers over sizes and scalar parameters that must be below 2^30 for 32-bit indices.
  const std::vector<ir::Expr>& checked() const { return checked_; }
  /// Some array's size is not known at entry: 64-bit indices always.
  bool needs64() const { return needs64_; }
  /// Whether `e` is a number over sizes and unassigned scalar parameters.
  bool isKnownAtEntry(const ir::Expr&) const;

  /// Whether `e` is computed of indices and constants alone (and of narrow integers).
  bool isIndexExpr(const ir::Expr&) const;

private:
  void addParameters(const ir::Function&);
  void addBuffers(const ir::Function&);
  void addLaunches(const ir::Function&);
  void visitStmt(const ir::Stmt&);
  void addLoop(const ir::For&);
  void addAssign(const ir::Assign&);
  void addData(const Symbol&, ir::DType);
  void addFolded(const ir::Collective& c);
  void checkBound(const ir::Expr&);
  Interval binaryRange(const ir::Binary&, Width) const;
  std::optional<Interval> shareOf(const ir::Expr& counter, const ir::Expr& length, Width) const;
  bool isChecked(const ir::Expr&) const;

  std::map<Symbol, Variable> variables_;
  std::map<Symbol, int> assignments_; ///< how many statements assign it, but for those that say the same
  std::map<Symbol, ir::Expr> values_; ///< of those that one assigns
  std::map<Symbol, ir::Expr> bounds_; ///< where loops of the index end; empty where several differ
  std::set<Symbol> entry_;            ///< sizes and unassigned scalar parameters
  std::vector<ir::Expr> checked_;
  std::vector<uint64_t> hashes_; ///< of them: most questions are of others
  void check(const ir::Expr& e) { checked_.push_back(e), hashes_.push_back(ir::indexHash(e)); }
  bool needs64_ = false;
};

/// Range of all values of an integer type, as far as a double tells.
Interval typeRange(ir::DType);

} // namespace appyc::target
