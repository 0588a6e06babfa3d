//===- Shared.h - files that several translations share -----------------------------------------------===//
#pragma once
#include "Destinations.h"
#include "Outputs.h"
#include <string>
#include <vector>

namespace appyc::driver {

/// The runtime of a folder's wrappers where another version of it is there: that is kept under its version's name as long as
/// others use it, and one that was edited stays. Returns why it cannot be written, or "".
std::string shareRuntime(std::vector<OutputFile>&, const Destinations&, bool force);
/// The header of --support, of which another version is replaced, and one that was edited stays.
std::string shareSupport(std::vector<OutputFile>&, const Destinations&, bool force);

} // namespace appyc::driver
