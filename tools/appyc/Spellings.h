//===- Spellings.h - the rows of --help, taken apart ----------------------------------------------------===//
#pragma once
#include "CommandLine.h"

namespace appyc::tool {

/// One way to write an option: `--target=cuda|cpu`, `-o FILE`, `-WID`, `--header[=FILE]`.
struct Spelling {
  std::string_view name;  ///< "--target", "-o", "-W", "--header", "@"
  std::string_view value; ///< "cuda|cpu", "FILE", "ID"; empty: takes none
  char joint = 0;         ///< '=' or ' ' between them; 0: nothing
  bool optional = false;  ///< the value may be left out
};
/// Those of a row, `-MT TARGET, -MQ TARGET`.
std::vector<Spelling> spellingsOf(const HelpLine& line);

} // namespace appyc::tool
