//===- ScheduledLoops.cpp - labels that loops have without a call ---------------------------------------===//
#include "Dialects.h"
#include "ModuleReader.h"
#include "Syntax.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

/// Those of slices are known as well: their elements are computed in parallel anyway.
void ModuleReader::knowImpliedLabels(const std::vector<ast::Import>& imports) {
  for (const Dialect& dialect : dialects())
    if (dialect.impliedLabels)
      for (const auto& [node, label] : dialect.impliedLabels(source_, root_, imports))
        for (const Definition& definition : definitions_)
          if (definition.function.begin() <= node.begin() && node.begin() < definition.function.end())
            schedule_.know(definition.name, label);
}

/// The `for` on the line gets a label of its own, with that schedule.
void ModuleReader::labelLine(const ScheduledLine& line) {
  Definition* definition = definitionNamed(line.function);
  Node loop;
  int count = 0;
  if (definition)
    walk(definition->function, [&](Node node, size_t) {
      if (!node.is("for_statement")) return true;
      const std::string_view text = source_.line(source_.position(node.begin()).line);
      const size_t first = text.find_first_not_of(" \t");
      const bool isIt = text.substr(first, text.find_last_not_of(" \t\r") + 1 - first) == line.line;
      if (isIt && ++count == line.nth) loop = node;
      return !loop;
    });
  if (!loop) {
    diag_.report(DiagId::StaleSchedule, {},
                 definition ? fmt::format("schedule file: `{}` has no loop `{}`{}", line.function, line.line,
                                          line.nth > 1 ? fmt::format(" {} times", line.nth) : "")
                            : fmt::format("schedule file: the program has no function `{}`", line.function));
    return;
  }
  const std::string label = fmt::format("{} {}", line.line, line.nth);
  const Pragma above{
      {loop.begin() - 1, loop.begin()}, indentation(source_, loop.begin()), true, Label{label}};
  const auto at = std::ranges::upper_bound(definition->pragmas, above.span.begin, {},
                                           [](const Pragma& p) { return p.span.begin; });
  definition->pragmas.insert(at, above);
  schedule_.know(line.function, label);
  schedule_.addFile(line.function, label, line.words, diag_);
}

} // namespace appyc::frontend
