//===- CrashReport.h - what is said when appyc itself fails, in whatever way ----------------------------===//
#pragma once
#include "appyc/Support/Source.h"
#include <string>

namespace appyc {

inline constexpr int internalErrorExitCode = 70; // EX_SOFTWARE of sysexits.h

/// The file that is being translated, and the statement in it: reports name its line. Both may be null or empty.
void setCurrentSource(const Source*);
void setCurrentPlace(Span);

/// From now on exceptions that nobody catches, std::terminate and signals such as SIGSEGV end as internalError() does,
/// with exit status 70. `command` is what to run to see it again.
void reportCrashes(std::string command);

/// What to add to the report of an internal error: where, how to see it again, where to tell.
std::string crashDetails();

} // namespace appyc
