//===- Help.cpp - the text of --help ------------------------------------------------------------------===//
#include "CommandLine.h"
#include <fmt/format.h>

namespace appyc::tool {

std::string usageText() {
  return "usage: appyc [options] FILE.py [-o FILE]     (appyc --help lists the options)\n";
}

std::string helpText(const std::vector<HelpLine>& lines) {
  std::string text = "usage: appyc [options] FILE.py [-o FILE]\n"
                     "Translates annotated NumPy Python to CUDA or C++ and a Python module that calls it. "
                     "`-` is stdin or stdout.\n";
  std::string_view group;
  for (const HelpLine& line : lines) {
    if (line.meaning.empty()) continue;
    if (line.group != group) text += fmt::format("\n{}:\n", line.group);
    group = line.group;
    text += fmt::format("  {:<31}  {}\n", line.written, line.meaning);
  }
  return text;
}

} // namespace appyc::tool
