//===- InternalError.cpp - a broken invariant of appyc itself -----------------------------------===//
#include "appyc/Support/InternalError.h"
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace appyc {

namespace {
constexpr int internalErrorExitCode = 70; // EX_SOFTWARE of sysexits.h

std::string& currentStage() {
  static std::string stage = "start-up";
  return stage;
}
} // namespace

void setCurrentStage(std::string_view name) { currentStage() = name; }

void internalError(std::string_view what) {
  fmt::print(stderr, "appyc: internal error in {}: {}\n", currentStage(), what);
  fmt::print(
      stderr,
      "appyc: this is a bug of appyc; please report it together with the input file and the command line\n");
  std::exit(internalErrorExitCode);
}

} // namespace appyc
