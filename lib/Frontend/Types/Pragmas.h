//===- Pragmas.h - which pragma stands above which statement ----------------------------------------===//
#pragma once
#include "Dialects.h"
#include "Dialects/Labels.h"
#include "TreeSitter.h"
#include <set>
#include <vector>

namespace appyc::frontend {

/// What the pragmas above one statement say.
struct Attached {
  ast::LoopDirective loop;
  ast::StatementDirective statement;
  std::vector<Span> labels;
  std::optional<Span> reduces; ///< where a schedule says that the loop reduces
};

/// What of a file speaks to compilers only, by where it begins: Python runs it, and appyc has read it.
struct Notes {
  std::set<uint32_t> statements, contexts, keywords;
};

/// One pragma comment of the file.
struct Pragma {
  Span span;
  uint32_t indent;  ///< columns before it, tabs expanded
  bool aloneOnLine; ///< nothing but blanks stands before it
  Directive directive;
};

/// The pragmas of one function in source order. The parser goes through the statements in that order, too,
/// and takes the pragmas as it meets them: the tree's parent of a comment is no guide to what it belongs to.
class PragmaQueue {
public:
  PragmaQueue(const Source& source, std::vector<Pragma> pragmas, const Notes& notes, LabelSchedule* schedule,
              std::string function, Diagnostics& diag)
      : source_(source), pragmas_(std::move(pragmas)), notes_(notes), schedule_(schedule),
        function_(std::move(function)), diag_(diag) {}

  const Notes& notes() const { return notes_; }

  /// Takes all pragmas before `statement`; those that cannot belong to it are reported.
  Attached takeAbove(Node statement);
  /// Takes all pragmas before `offset`, where none can belong to a statement any more.
  void dropBefore(uint32_t offset, std::string_view message);
  /// Takes all pragmas before `offset` silently: they are in code that has been refused.
  void skipBefore(uint32_t offset);

private:
  void attach(const Pragma& pragma, Node statement, Attached& out);
  void attachLabel(const Pragma& pragma, Node statement, Attached& out);
  void stray(const Pragma& pragma, std::string message);
  bool reportTrailing(const Pragma& pragma);

  const Source& source_;
  std::vector<Pragma> pragmas_;
  const Notes& notes_;
  LabelSchedule* schedule_;
  std::string function_;
  size_t next_ = 0;
  Diagnostics& diag_;
};

/// All pragmas below `root`, comments and calls, read by their dialects, in source order.
std::vector<Pragma> collectPragmas(const Source& source, Node root, const std::vector<ast::Import>& imports,
                                   Notes& notes, Diagnostics& diag);

/// Columns before `offset` in its line, a tab going to the next multiple of 8 as in Python.
uint32_t indentation(const Source& source, uint32_t offset);
/// The same with tabs of width 1: Python refuses what compares otherwise under the two.
uint32_t indentationInCharacters(const Source& source, uint32_t offset);
/// Whether only blanks stand before `offset` in its line.
bool firstOnLine(const Source& source, uint32_t offset);

} // namespace appyc::frontend
