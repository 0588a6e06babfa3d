//===- Modules.h - finds the modules of the user's that the input imports -----------------------------===//
#pragma once
#include "appyc/Driver/Options.h"
#include "appyc/Support/Source.h"

namespace appyc::driver {

/// Folders in which modules are looked for: that of the input, then those of -I.
std::vector<std::string> moduleFolders(const Source&, const Options&);

/// Adds to the program the modules that its files import and that are found. What is there and cannot be read is an
/// error in `diag`.
void addModules(Source&, const Options&, Diagnostics& diag);

} // namespace appyc::driver
