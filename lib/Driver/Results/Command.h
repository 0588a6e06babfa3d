//===- Command.h - texts about the run: names, the command, how to build ------------------------------===//
#pragma once
#include "appyc/Driver/Driver.h"
#include "appyc/IR/Nodes.h"
#include <string>
#include <string_view>

namespace appyc::driver {

/// `kernel.py` of `src/kernel.py`.
std::string baseName(std::string_view path);
/// `src/` of `src/kernel.py`; empty where the path names no folder.
std::string folderOf(std::string_view path);
/// `src/kernel` of `src/kernel.py`.
std::string withoutSuffix(std::string_view path);
/// `text` on one line, for comments: control characters are shown as `?`.
std::string printable(std::string_view text);
/// A word as a POSIX shell reads it back.
std::string shellWord(const std::string& word);
/// The same of a file's name, which no command takes for an option.
std::string fileWord(const std::string& path);

/// The name of the code's file where -o gives none; the target is a known one.
std::string defaultOutput(const Options&);
/// The header of --support as the code includes it: from the folder of the code.
std::string supportName(const Options&);
/// The command that makes the same bytes, whatever folder the files lie in: base names, and only options that
/// shape them.
std::string commandText(const Options&);
/// The command that makes the library of --build.
std::string buildCommand(const Options&, const OutputNames&, const ir::Module&,
                         const std::vector<std::string>& links);
/// The command that makes the library of which the wrapper speaks, in the folder of both.
std::string buildLine(const Options&, const OutputNames&, const ir::Module&,
                      const std::vector<std::string>& links);
/// The command as it was given, without --check.
std::string updateCommand(const Options&);

} // namespace appyc::driver
