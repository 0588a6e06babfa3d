//===- Edits.h - generated code that users have edited ------------------------------------------------===//
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace appyc::driver {

/// The hash by which the banner of generated code names the text that was made; empty where it has none.
std::string_view sealOf(std::string_view code);
/// The code with another hash in its banner.
std::string withSeal(std::string code, std::string_view seal);
/// Is the text below the banner not what the banner says? Code without a banner is nobody's but the user's.
bool isEdited(std::string_view code);

/// Is it a file, and no stream or device?
bool isFile(const std::string& path);

/// What is on disk, where it is generated code that somebody has edited.
std::optional<std::string> editedCode(const std::string& path);

/// Where --merge keeps the code as it was made: what `path` was edited from, the base of a merge.
std::string basePath(const std::string& path);

/// Places that a merge has left to the user.
int conflictsIn(std::string_view code);

struct Merged {
  std::string text;
  std::string problem; ///< why there is no text
};
/// The edits of the code at `path` in the code that is made now, by `git merge-file`.
Merged mergeEdits(const std::string& path, const std::string& edited, const std::string& made);

} // namespace appyc::driver
