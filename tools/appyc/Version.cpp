//===- Version.cpp - the text of --version --------------------------------------------------------------===//
#include "CommandLine.h"
#include "GitTag.h"
#include "appyc/Driver/Driver.h"
#include <fmt/format.h>

namespace appyc::tool {

std::string versionText() {
  constexpr std::string_view tag = APPYC_GIT_TAG;
  return fmt::format("{}\n{}targets: {}\n", driver::versionText(),
                     tag.empty() ? "" : fmt::format("git: {}\n", tag),
                     fmt::join(driver::targetNames(), ", "));
}

} // namespace appyc::tool
