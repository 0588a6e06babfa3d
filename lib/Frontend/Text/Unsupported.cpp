//===- Unsupported.cpp - Python that appyc does not translate -------------------------------------===//
#include "Unsupported.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace appyc::frontend {

namespace {
struct Construct {
  std::string_view kind, what, instead;
};

constexpr std::string_view writeOut = "write the arguments out one by one";
constexpr std::string_view parametersOut = "write the parameters out one by one";
constexpr std::string_view toModule = "move it to the top level of the file";
constexpr std::string_view importTop = "import at the top level of the file";
constexpr std::string_view asArgument = "pass the value as a parameter, or return it";
constexpr std::string_view synchronous = "write an ordinary function";

constexpr std::array constructs{
    // expressions
    Construct{"await", "`await`", synchronous},
    Construct{"yield", "`yield`", "store the values into an array and return it"},
    Construct{"list_splat", "`*` here", "write the values out one by one"},
    Construct{"dictionary_splat", "`**` before an argument", writeOut},
    Construct{"list_splat_pattern", "`*` before a name", parametersOut},
    Construct{"dictionary_splat_pattern", "`**` before a name of a function that others call", parametersOut},
    // statements
    Construct{"class_definition", "a class inside a function", toModule},
    Construct{"decorated_definition", "a definition inside a function", toModule},
    Construct{"future_import_statement", "an import inside a function", importTop},
    Construct{"global_statement", "`global`", asArgument},
    Construct{"nonlocal_statement", "`nonlocal` of a name that a comprehension or a lambda has, too,",
              asArgument},
    Construct{"type_alias_statement", "a type alias inside a function", "write the type out"},
};
} // namespace

std::optional<std::string> unsupportedMessage(std::string_view kind) {
  const auto* row =
      std::find_if(constructs.begin(), constructs.end(), [&](const Construct& c) { return c.kind == kind; });
  if (row == constructs.end()) return {};
  return fmt::format("{} is not translated; {}", row->what, row->instead);
}

} // namespace appyc::frontend
