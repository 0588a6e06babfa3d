//===- CommandLine.h - words of the command line to options -------------------------------------------===//
#pragma once
#include "appyc/Driver/Options.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace appyc::tool {

/// Options to run with, or, without any, the exit code: what was asked (--help, --version) or wrong has been
/// printed.
struct Parsed {
  std::optional<driver::Options> options;
  int exitCode = 0;
};
Parsed parseCommandLine(std::vector<std::string> words);

/// A line of --help: its heading, how the option is written, what it does.
struct HelpLine {
  std::string_view group, written, meaning;
};
/// The text of --help, one screen.
std::string helpText(const std::vector<HelpLine>& lines);
std::string usageText();
/// The text of --version: the version, the tag of the sources where git knows one, the targets.
std::string versionText();

} // namespace appyc::tool
