//===- Effects.h - what a statement reads and writes, and whether two may change places --------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace appyc::analysis {

/// Scalars and arrays by name, as a whole: of which elements, touchSame() and its kind tell (Dependence.h).
struct Effects {
  std::set<Symbol> reads, writes; ///< an array that is made is written
  bool stores = false;            ///< into an array
  bool ends = false;              ///< it may raise, print or return: the caller sees what was stored by then
};
Effects effectsOf(const ir::Stmt& s);
/// Does one write what the other reads or writes, or may the caller see which came first? Two of which neither holds
/// may change places.
bool mayConflict(const Effects& a, const Effects& b);
bool mayConflict(const ir::Stmt& a, const ir::Stmt& b);

/// How an element is touched; updates by one operator do not compete.
struct Way {
  enum Kind { Read, Write, Update } kind = Read;
  std::optional<ir::ReduceOp> op{};
  bool operator<(const Way& o) const { return std::tie(kind, op) < std::tie(o.kind, o.op); }
  bool operator==(const Way& o) const { return kind == o.kind && op == o.op; }
  bool competes(const Way& o) const {
    return kind == Write || o.kind == Write || (kind == Update) != (o.kind == Update) ||
           (kind == Update && op != o.op);
  }
};
/// The arrays of whose elements two iterations of a loop might share one, and all ways in which it touches each. Not those
/// that an iteration makes, those that are only read, and those of which each iteration keeps to its own row.
std::map<Symbol, std::set<Way>> waysToShare(const ir::For& loop);

/// The effects of statements, found once for each.
class KnownEffects {
public:
  const Effects& operator()(const ir::Stmt& s);

private:
  struct Entry {
    ir::Stmt keep; ///< its address stays its own
    Effects effects;
  };
  std::unordered_map<const ir::StmtNode*, Entry> known_;
};

} // namespace appyc::analysis
