//===- Pragmas.h - which pragma stands above which statement ----------------------------------------===//
#pragma once
#include "Dialects.h"
#include "TreeSitter.h"
#include <vector>

namespace appyc::frontend {

/// What the pragmas above one statement say.
struct Attached {
  ast::LoopDirective loop;
  ast::StatementDirective statement;
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
  PragmaQueue(const Source& source, std::vector<Pragma> pragmas, Diagnostics& diag)
      : source_(source), pragmas_(std::move(pragmas)), diag_(diag) {}

  /// Takes all pragmas before `statement`; those that cannot belong to it are reported.
  Attached takeAbove(Node statement);
  /// Takes all pragmas before `offset`, where none can belong to a statement any more.
  void dropBefore(uint32_t offset, std::string_view message);
  /// Takes all pragmas before `offset` silently: they are in code that has been refused.
  void skipBefore(uint32_t offset);

private:
  void attach(const Pragma& pragma, Node statement, Attached& out);
  void stray(const Pragma& pragma, std::string message);
  bool reportTrailing(const Pragma& pragma);

  const Source& source_;
  std::vector<Pragma> pragmas_;
  size_t next_ = 0;
  Diagnostics& diag_;
};

/// All pragma comments below `root`, read by their dialects.
std::vector<Pragma> collectPragmas(const Source& source, Node root, Diagnostics& diag);

/// Columns before `offset` in its line, a tab going to the next multiple of 8 as in Python.
uint32_t indentation(const Source& source, uint32_t offset);
/// The same with tabs of width 1: Python refuses what compares otherwise under the two.
uint32_t indentationInCharacters(const Source& source, uint32_t offset);
/// Whether only blanks stand before `offset` in its line.
bool firstOnLine(const Source& source, uint32_t offset);

} // namespace appyc::frontend
