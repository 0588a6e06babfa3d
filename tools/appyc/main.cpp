//===- main.cpp - the command `appyc` -----------------------------------------------------------------===//
#include "CommandLine.h"
#include "appyc/Driver/Driver.h"

int main(int argc, char** argv) {
  const appyc::tool::Parsed parsed = appyc::tool::parseCommandLine({argv, argv + argc});
  return parsed.options ? appyc::driver::run(*parsed.options) : parsed.exitCode;
}
