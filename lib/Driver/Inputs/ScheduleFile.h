//===- ScheduleFile.h - schedule files: a choice a line, in TOML ------------------------------------===//
//   [spmv]                                 # the constants of a function's pragmas
//   BN = 128
//   [spmv."for r in range(R):"]            # a line of it, by its text; `."...".2` is the second of that text
//   workers = "warps"
//   lanes = 64
//   [f.label.N]                            # a loop that has a label; a line may say the same
//   threads = 128
#pragma once
#include "appyc/Support/Choices.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::driver {

/// The entries of a schedule file; what cannot be read is reported with what to write instead.
Choices readChoices(const Source& file, Diagnostics& diag);

/// Reports entries that belong to no line of the program any more, and those that chose nothing though
/// `target`
/// ("cuda", ...) asks for their key.
void checkSchedule(const Choices& choices, bool cuda, Diagnostics& diag);

/// All questions as a schedule file, each with its answer and what else is open.
std::string scheduleText(const Choices& choices);

} // namespace appyc::driver
