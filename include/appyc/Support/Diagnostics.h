//===- Diagnostics.h - the one sink for errors, warnings and remarks ---------------------------===//
#pragma once
#include "appyc/Support/Source.h"
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace appyc {

enum class Severity { Error, Warning, Remark, Note };

/// Kinds of diagnostics; each row of Diagnostics.def is one, with its id and its explanation.
enum class DiagId {
#define DIAG(Name, severity, id, explain) Name,
#include "appyc/Support/Diagnostics.def"
#undef DIAG
};

struct DiagInfo {
  std::string_view name; ///< id as printed in brackets: "loop-carried"
  Severity severity;
  std::string_view explain; ///< text of --explain
};
const DiagInfo& info(DiagId id);
/// The kind whose printed id is `name`, if any.
std::optional<DiagId> diagnosticNamed(std::string_view name);
/// All kinds, in the order of the table.
std::vector<DiagId> allDiagnostics();

struct FixIt {
  Span where;
  std::string replacement;
};
struct DiagNote {
  Span where;
  std::string text;
};
struct Diagnostic {
  DiagId id;
  Severity severity;
  Span where;
  std::string text;
  std::vector<DiagNote> notes;
  std::optional<FixIt> fix;

  Diagnostic& note(Span at, std::string message) {
    notes.push_back({at, std::move(message)});
    return *this;
  }
  Diagnostic& replaceWith(Span at, std::string replacement) {
    fix = FixIt{at, std::move(replacement)};
    return *this;
  }
};

/// Collects what all stages have to say about one file. A report made twice at one place is kept once.
class Diagnostics {
public:
  /// `-W<id>`, `-Wno-<id>`, `-Werror`, `-Werror=<id>`, `-w`.
  struct Policy {
    std::set<DiagId> disabled;
    std::set<DiagId> asError;
    bool allWarningsAsErrors = false;
    bool noWarnings = false;
  };
  Diagnostics() = default;
  explicit Diagnostics(Policy policy) : policy_(std::move(policy)) {}

  /// Message style: lower case, no full stop, code in backticks.
  Diagnostic& report(DiagId id, Span where, std::string text);
  void add(const std::vector<Diagnostic>& found); ///< what another sink has
  bool hasErrors() const { return errors_ > 0; }
  int errorCount() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

  /// State to return to: used where a stage tries something and may give it up.
  size_t mark() const { return all_.size(); }
  void rollback(size_t mark);
  void dropIn(Span, const std::set<DiagId>&); ///< reports of these kinds that begin there
  void dropRemarksBut(DiagId kept);           ///< remarks of other kinds are not for this reader

private:
  Policy policy_;
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

/// clang's form: `file:line:col: error: text [id]`, source line, caret, notes, fix-it.
/// Remarks are left out unless `remarks`.
std::string renderText(const Diagnostics&, const Source&, bool colour, bool remarks);
/// A JSON array, one object a diagnostic: file, line, column, endLine, endColumn, severity, id, message,
/// notes, fix.
std::string renderJson(const Diagnostics&, const Source&, bool remarks);

} // namespace appyc
