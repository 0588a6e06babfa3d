//===- Linked.h - files of other languages that kernels are linked with ----------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/Driver/Options.h"
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Source.h"
#include <string>
#include <vector>

namespace appyc::driver {

/// The same files, each once: seen from where appyc runs, and from the folder of the output.
struct LinkedFiles {
  std::vector<std::string> here, fromOutput;
  std::vector<std::string> included; ///< from the output: headers, and code where nvcc does not link it
};
/// What `link=` and `header=` name. It is looked for beside the file that names it. What is not there, and what the target
/// cannot run, is an error in `diag`.
LinkedFiles linkedFiles(const ast::Module&, const Source&, const Options&, Diagnostics& diag);

} // namespace appyc::driver
