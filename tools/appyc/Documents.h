//===- Documents.h - the manual page and the shells' completions, made from the rows of --help ----------===//
#pragma once
#include "CommandLine.h"
#include <map>

namespace appyc::tool {

/// The page appyc(1), in troff's language.
std::string manText(const std::vector<HelpLine>& lines, std::string_view version);

/// What the values in capitals stand for: "PASS" for the passes' names.
using ValueNames = std::map<std::string_view, std::vector<std::string_view>>;
inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};
/// The script that `shell`, one of those, reads.
std::string completionText(std::string_view shell, const std::vector<HelpLine>& lines,
                           const ValueNames& values);

} // namespace appyc::tool
