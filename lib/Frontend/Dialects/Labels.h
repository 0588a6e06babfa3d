//===- Labels.h - how loops that have a name are run --------------------------------------------------===//
// A schedule beside the program: `N=threads(128).reduce()` on the command line, `opts=parpy.par({'N': ...})` at a call.
#pragma once
#include "Piece.h"
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace appyc::frontend {

struct LabelEntry {
  std::string function; ///< empty: of any; `f@small` in one of several schedules of `f`
  std::string label;
  std::string threads; ///< as written; empty where none are asked for
  std::optional<int> warps;
  bool reduces = false;
  Span where;
  enum Origin { Call, Option, File } origin = Call; ///< who says it; the first counts
  bool isUsed = false;
};

class LabelSchedule {
public:
  /// `label=threads(n).tpb(n).reduce()` or `function.label=...`; several with commas between.
  void readText(std::string_view text, LabelEntry::Origin origin, Diagnostics& diag);
  /// What the schedule file says of a loop that has been given this label.
  void addFile(const std::string& function, const std::string& label, std::string_view words,
               Diagnostics& diag);
  /// `f(..., opts=parpy.par({...}))`: what of the tree says so is added to `statements` and `keywords`.
  void readCalls(const Source& source, Node root, const std::vector<ast::Import>& imports,
                 std::set<uint32_t>& statements, std::set<uint32_t>& keywords, Diagnostics& diag);
  /// The function has such a label.
  void know(const std::string& function, const std::string& label) { known_[function].insert(label); }
  /// Of `f@small` and the like: `small`, in the order in which they are named.
  std::vector<std::string> schedulesOf(const std::string& function) const;
  /// How the labels of the function, `f` or `f@small`, are run: `threads(128).reduce()`.
  std::map<std::string, std::string> textsOf(const std::string& function) const;
  /// The entry for a label that stands in the function, or in one that it is inlined from.
  LabelEntry* find(const std::string& function, const std::string& label);
  const LabelEntry* find(const std::string& function, const std::string& label) const;
  void reportUnknown(Diagnostics& diag) const;

private:
  void add(LabelEntry entry, Diagnostics& diag);
  /// Does the one function call the other, or one that does?
  bool reaches(const std::string& function, const std::string& other) const;
  bool knows(const std::string& function, const std::string& label) const;

  std::deque<LabelEntry> entries_;
  std::map<std::string, std::set<std::string>> known_, called_; ///< labels and calls of each function
};

} // namespace appyc::frontend
