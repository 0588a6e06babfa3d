//===- Sweeps.h - loops over time as sweeps over arrays of one shape --------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>
#include <string>
#include <vector>

namespace appyc::analysis {

/// One parallel nest of a step: for index[0] in [lo[0], hi[0]), ...: body. In a dimension that the statement
/// fixes the one index is lo.
struct Sweep {
  struct Dim {
    Symbol index;
    ir::Expr lo, hi;
    bool fixed = false;
    int64_t least = 0, most = 0;           ///< of the offsets below
    ir::Expr extent{};                     ///< the arrays'
    bool straight = false, around = false; ///< some offset is as it is; some goes on at the other end
  };
  /// An element of a state array, by its distance from the indices.
  struct Access {
    Symbol array;
    std::vector<int64_t> offset;
  };
  std::vector<Dim> dims; ///< one for each dimension of the arrays
  std::vector<Access> loads, stores;
  ir::Stmt body;

  /// The access with these subscripts.
  Access accessOf(const Symbol& array, const std::vector<ir::Expr>& subscripts) const;
  /// Does it stay at one place of some dimension?
  bool isAtPlace() const;
};

/// An array that the steps change.
struct StateArray {
  ir::Buffer buffer;
  /// The one store that writes it, where it stands before all that reads it: then only what lies outside of
  /// its sweep comes from the step before. Index of that sweep, or -1; then all of it does.
  int writer = -1;
  std::vector<int64_t> writerOffset;
  /// Nobody has written it before the loop: what its elements are then is no one's to read.
  bool isNew = false;
  /// Each step makes it anew, and writes what it reads of it: nobody else needs it. As large as the others then.
  bool isTemporary = false;
  /// The same, but written bit by bit: it is made once, and its elements go on from step to step as others' do.
  bool isMadeOnce = false;
};

struct TimeLoop {
  const ir::For* loop = nullptr;
  std::vector<Sweep> sweeps;
  std::vector<StateArray> arrays; ///< all of one shape
  std::string kernel;             ///< name of the first kernel
  /// By dimension: behind an end lie the cells at the other end (np.roll), and all sweeps go from end to end.
  std::vector<bool> wraps;
  /// Sizes less a few cells: it is such sweeps where none is negative.
  std::vector<ir::Expr> leasts;
};

/// The steps of a host loop as sweeps over arrays of one shape, of one or two dimensions, each with so many operations an
/// element at most; nullopt, and a reason in `why`, where they are something else. Level Scheduled.
std::optional<TimeLoop> timeLoopOf(const ir::For& loop, const std::vector<ir::Buffer>& buffers,
                                   int mostOperations, std::string& why);

/// The number that `e` is ahead of `base`, if that is a constant.
std::optional<int64_t> distance(const ir::Expr& e, const ir::Expr& base);

} // namespace appyc::analysis
