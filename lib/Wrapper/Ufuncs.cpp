//===- Ufuncs.cpp - the Python objects of ufuncs ---------------------------------------------------------===//
#include "PythonModule.h"
#include "appyc/Support/Quoted.h"
#include <fmt/format.h>

namespace appyc::wrapper {

namespace {
/// `("a", "b",)`
std::string tupleOf(const std::vector<std::string>& texts) {
  std::string items;
  for (const std::string& text : texts) items += fmt::format("{}{}", items.empty() ? "" : ", ", quoted(text));
  return fmt::format("({}{})", items, texts.size() == 1 ? "," : "");
}
std::string tupleOf(const std::vector<std::vector<std::string>>& all) {
  std::string items;
  for (const auto& texts : all) items += tupleOf(texts) + ", ";
  return fmt::format("({})", items.substr(0, items.size() - (all.size() == 1 ? 1 : 2)));
}

std::string rowText(const Ufunc& ufunc, const Ufunc::Row& row) {
  std::string rest = row.fold.empty() ? "None" : row.fold;
  if (!ufunc.layout.empty()) {
    rest.clear();
    for (const bool is : row.isVector) rest += is ? "True, " : "False, ";
    rest = fmt::format("({})", rest.substr(0, rest.size() - (row.isVector.size() == 1 ? 1 : 2)));
  }
  return fmt::format("({}, {}, {}, {})", tupleOf(row.inputs), tupleOf(row.outputs), row.entry, rest);
}
} // namespace

void writeUfunc(PythonText& out, const Ufunc& ufunc, const std::string& name, const Options& options) {
  out.line(0, fmt::format("{} = {}(", name, ufunc.layout.empty() ? "_Ufunc" : "_Gufunc"));
  out.line(1, quoted(ufunc.name) + ",");
  out.line(1, "[");
  for (const Ufunc::Row& row : ufunc.rows) out.line(2, rowText(ufunc, row) + ",");
  out.line(1, "],");
  out.line(1, options.cuda ? "_DeviceArrays," : "_HostArrays,");
  out.line(1, "__name__,");
  out.line(1, (ufunc.docstring.empty() ? "None" : quoted(ufunc.docstring)) + ",");
  if (ufunc.layout.empty())
    out.line(1, ufunc.identity + ",");
  else
    out.line(1, fmt::format("{}, {}, {},", quoted(ufunc.layout), tupleOf(ufunc.inputAxes),
                            tupleOf(ufunc.outputAxes)));
  out.line(0, ")");
}

} // namespace appyc::wrapper
