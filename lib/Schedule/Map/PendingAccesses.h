//===- PendingAccesses.h - what the lanes of a worker may still be at ---------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

namespace appyc::schedule {

/// A statement that reads or writes memory.
struct Access {
  explicit Access(const ir::Stmt& s);
  bool touches(const std::set<Symbol>& buffers) const;

  struct Uses {
    std::set<Symbol> loads, stores, names; ///< names: of all variables, read or written
  };
  ir::Stmt by;
  std::shared_ptr<const Uses> uses;
  bool ofScratch = false; ///< an earlier iteration over workers: only scratch can be the same memory
};

/// What has happened since the last barrier.
struct Pending {
  /// What tells the shared memory of a block's folds apart.
  using Fold = std::tuple<ir::ReduceOp, ir::DType, int>;
  void add(const Access&);
  void add(const Pending&);
  /// What is left where another iteration over workers begins: accesses to arrays of `scratch`.
  Pending ofArrays(const std::set<Symbol>& scratch) const;

  std::vector<Access> accesses;
  std::set<Fold> folds;
};

/// Names for values that variables had when a pending access used them.
class PastValues {
public:
  struct Renaming {
    Symbol from, to;
    ir::DType type;
  };
  void rename(Pending&, const std::vector<Renaming>&);
  /// Pending accesses speak of the old value of a variable that now changes. `loop`: of the one of this name instead.
  void renew(Pending&, Symbol name, Symbol loop = {});
  void renew(Pending&, const std::map<Symbol, ir::DType>& changed);

private:
  void rename(Access&, std::vector<Renaming>);
  Symbol oldOf(Symbol name);

  using Renamed = std::pair<const ir::StmtNode*, std::vector<std::pair<Symbol, Symbol>>>;
  std::map<Renamed, std::pair<ir::Stmt, Access>> renamed_; ///< what was made, and of what, which lives on
  std::map<Symbol, Symbol> old_;
};

} // namespace appyc::schedule
