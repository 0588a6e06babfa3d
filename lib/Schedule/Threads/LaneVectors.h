//===- LaneVectors.h - loops of lanes whose threads may take elements side by side ----------------------===//
#pragma once
#include "appyc/IR/Dsl.h"
#include <optional>
#include <set>
#include <vector>

namespace appyc::schedule {

/// What a kernel defines itself.
struct KernelNames {
  std::set<Symbol> locals, arrays;   ///< variables and loop indices; arrays
  std::vector<ir::Stmt> definitions; ///< assignments and loops
  explicit KernelNames(const ir::Stmt& body);
};

/// One element that an iteration of the loop reads or writes; its neighbour is the next iteration's.
struct LaneAccess {
  Symbol buffer;
  std::vector<ir::Expr> index;
  ir::DType type = ir::DType::F64;
  bool loaded = false, stored = false; ///< loaded: before it is stored
  bool always = false;                 ///< where the code around is reached
  bool isSame(const Symbol& otherBuffer, const std::vector<ir::Expr>& otherIndex) const;
};

/// Statements without a loop or branch between them, in which vectors are loaded, used and stored.
struct StraightRun {
  std::vector<ir::Stmt> uniform; ///< the same for all iterations of the loop that a thread takes at once
  std::vector<ir::Stmt> own;
  std::vector<LaneAccess> accesses;
};

/// A loop of lanes, taken apart; see vectorize-lanes for the conditions.
class LaneVectors {
public:
  LaneVectors(const ir::For& loop, const KernelNames& kernel, const std::vector<ir::Buffer>& buffers);

  bool isPossible() const { return possible_; }
  int widest() const { return widest_; } ///< bytes of the largest element
  int accesses() const { return accesses_; }
  int calls() const { return calls_; }      ///< of functions that are more than an instruction or two
  bool updates() const { return updates_; } ///< elements in place, one after the other
  const std::set<Symbol>& arrays() const { return arrays_; }
  /// Scalars whose values differ from iteration to iteration and live from one run to another.
  const std::set<Symbol>& crossing() const { return crossing_; }
  /// What must be a multiple of `width` so that vectors are whole and begin at multiples of their size.
  std::optional<std::vector<ir::Expr>> multiples(int width) const;
  StraightRun runOf(const std::vector<ir::Stmt>& list, size_t& next) const;

private:
  void findOwn();
  const ir::Buffer& bufferOf(const Symbol& name) const;
  void check(const ir::Stmt& s);
  void checkList(const std::vector<ir::Stmt>& list);
  bool isUniform(const ir::Expr& e) const;
  bool isCarried(const Symbol& name) const;
  void access(StraightRun& run, const Symbol& buffer, const std::vector<ir::Expr>& index, ir::DType type,
              bool store, bool always) const;
  void loads(StraightRun& run, const ir::Expr& e, bool always) const;
  bool isSound(const StraightRun& run) const;
  bool isVector(const LaneAccess& a) const;
  bool isInRange(const LaneAccess& a) const;
  bool isMultiple(const ir::Expr& e, int width, std::vector<ir::Expr>& conditions, int depth = 0) const;

  const ir::For& loop_;
  const KernelNames& kernel_;
  const std::vector<ir::Buffer>& buffers_;
  std::set<Symbol> own_, stored_, arrays_, crossing_, seen_;
  std::vector<std::vector<ir::Expr>> indices_; ///< of all accesses, with the arrays' last extents behind
  bool possible_ = true, updates_ = false;
  int widest_ = 1, accesses_ = 0, calls_ = 0, inLoops_ = 0;
};

/// for k (lanes): B[k] = f(A[k], s)  =>  for k (lanes) step width: a = A[k .. k + width]
///                                        for v in [0, width), unrolled: b[v] = f(a[v], s[v])
///                                        B[k .. k + width] = b
/// A reduction adds element after element. `width`: the most elements of a vector; new arrays go to `buffers`. May be done
/// where lanes.isPossible() and, at run time, lanes.multiples(width) are multiples of the width that is taken.
ir::Stmt vectorLoop(const ir::Builder& build, const ir::For& loop, const LaneVectors& lanes, int width,
                    std::vector<ir::Buffer>& buffers);

/// How many times threads take some of `count` elements: vectors, where all are whole.
ir::Expr takenAtOnce(const ir::Expr& count, int width);

} // namespace appyc::schedule
