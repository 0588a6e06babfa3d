//===- Parpy.cpp - ParPy's labels -------------------------------------------------------------------------===//
//   parpy.label('N')            names the `for`, the assignment or the definition below
//   with parpy.gpu: ...         what is in it runs as it stands
// What a label's loop is run by stands elsewhere: Labels.cpp. Source: ParPy 0.1.3.
#include "Dialects.h"

namespace appyc::frontend {

std::optional<Directive> readParpyStatement(const NamedCall& call, Diagnostics& diag) {
  if (call.path != "parpy.label") return {};
  const std::vector<Node> arguments = call.call.field("arguments").namedChildren();
  const std::optional<Piece> name = arguments.size() == 1 ? call.string(arguments[0]) : std::nullopt;
  if (name && !name->empty()) return Label{std::string(name->text)};
  diag.report(DiagId::BadDirective, call.call.span(),
              "a label is a text that stands there: `parpy.label('N')`");
  return BadDirective{};
}

} // namespace appyc::frontend
