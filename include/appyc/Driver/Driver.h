//===- Driver.h - from options to files ---------------------------------------------------------------===//
#pragma once
#include "appyc/Driver/Options.h"
#include "appyc/IR/Pass.h"
#include "appyc/Support/Choices.h"
#include "appyc/Support/Source.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace appyc::driver {

/// The product's name and version, "appyc 0.1.0".
std::string versionText();

/// Exit codes.
enum ExitCode { Success = 0, Failure = 1, BadUsage = 2 };

/// A complete run: reads the input, translates it, reports, writes. Errors of any kind have been reported on
/// return.
int run(const Options&);

/// What is wrong with options that are each valid alone ("`--disable-pass=x`: ..."); empty when nothing is.
std::string findConflict(const Options&);

std::vector<std::string_view> targetNames();
/// The passes of a target in the order they run.
std::vector<ir::Pass> passesOf(std::string_view target);
/// Text of --list-passes.
std::string listPasses(std::string_view target);
/// Text of --list-functions: on each line a function, its group, the arguments it needs and its parameters.
std::string listFunctions();

/// The texts one translation makes; those not asked for are empty.
struct Translation {
  std::string main; ///< what `emit` asks for
  std::string wrapper, header;
  std::string build;     ///< the command of --build
  std::string annotated; ///< the source with the annotations that the mapping amounts to
};
/// The names that go into the texts.
struct OutputNames {
  std::string output;                    ///< base name of the file written
  std::string stem;                      ///< "kernel": of the library and the wrapper
  std::string source = {}, library = {}; ///< paths for --build: of the code, and of what is made of it
  std::string support = {};              ///< the header of --support, as the code includes it
  bool sharesRuntime = false;            ///< appyc_runtime.py is beside the wrapper
};
/// The stages. Nothing comes back when the source has errors, which are in `diagnostics`.
std::optional<Translation> compile(const Source&, const Options&, const OutputNames&, Diagnostics&);
/// The same with a schedule file's choices; afterwards they know what the program left open.
std::optional<Translation> compile(const Source&, const Options&, const OutputNames&, Diagnostics&, Choices&);

} // namespace appyc::driver
