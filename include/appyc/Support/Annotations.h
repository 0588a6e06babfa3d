//===- Annotations.h - the pragmas that would say by hand what was found automatically ------------------===//
#pragma once
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Source.h"
#include <map>
#include <string>

namespace appyc {

/// Pragmas for statements that have none, by the statement's place. A pragma stands on a line of its own
/// above its statement; where the statement shares its line with others, there is no place for one.
class Annotations {
public:
  /// What is said of a statement last, counts.
  void add(Span statement, std::string pragma) { pragmas_[statement.begin] = {statement, std::move(pragma)}; }
  /// Each as a remark, with the line to insert as its fix.
  void report(const Source& source, Diagnostics& diag) const;
  /// The source with the pragmas in it.
  std::string applied(const Source& source) const;

private:
  struct Pragma {
    Span statement;
    std::string text; ///< "#pragma parallel for"
  };
  std::map<uint32_t, Pragma> pragmas_;
};

} // namespace appyc
