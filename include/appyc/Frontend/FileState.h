//===- FileState.h - numbers of the file's that functions bind ------------------------------------===//
#pragma once

namespace appyc::frontend {

/// No name of Python's: the dict whose items are names that functions bind by `global`, and the problem of such a
/// constant, whose value is the first one.
inline constexpr const char* kNamesOfFile = "names of the file";

} // namespace appyc::frontend
