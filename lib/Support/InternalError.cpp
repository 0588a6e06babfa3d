//===- InternalError.cpp - a broken invariant of appyc itself -----------------------------------===//
#include "appyc/Support/InternalError.h"
#include "appyc/Support/CrashReport.h"
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace appyc {

namespace {
std::string& currentStage() {
  static std::string stage = "start-up";
  return stage;
}
} // namespace

void setCurrentStage(std::string_view name) { currentStage() = name; }

void internalError(std::string_view what) {
  fmt::print(stderr, "appyc: internal error in {}: {}\n", currentStage(), what);
  fmt::print(stderr, "{}", crashDetails());
  std::_Exit(internalErrorExitCode);
}

} // namespace appyc
