//===- InternalError.h - a broken invariant of appyc itself -------------------------------------===//
#pragma once
#include <string_view>

namespace appyc {

/// Name of the pass or stage now running, for the report of an internal error.
void setCurrentStage(std::string_view name);
/// Prints "internal error in <stage>: <what>", asks for a report, and exits with 70.
[[noreturn]] void internalError(std::string_view what);

} // namespace appyc
