//===- Build.h - running the command that makes the library ---------------------------------------------===//
#pragma once
#include <string>

namespace appyc::driver {

/// Runs `command`, which writes `temporary`, and gives that the name `library`. Says on stderr what is done; what the
/// command prints is shown only if it fails. False then.
bool buildLibrary(const std::string& command, const std::string& temporary, const std::string& library);

} // namespace appyc::driver
