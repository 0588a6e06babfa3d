//===- Input.h - reading the Python file --------------------------------------------------------------===//
#pragma once
#include "appyc/Driver/Options.h"
#include "appyc/Support/Source.h"

namespace appyc::driver {

/// The input's text. What cannot be read, or is no text in UTF-8, is an error in `diag`.
Source readInput(const Options&, Diagnostics& diag);

/// The text of a file. What cannot be read is an error in `diag`.
Source readText(const std::string& path, Diagnostics& diag);

/// The schedule file's text; empty where there is none. What cannot be read is an error in `diag`.
Source readScheduleText(const Options&, Diagnostics& diag);

} // namespace appyc::driver
