//===- Edits.cpp - generated code that users have edited ----------------------------------------------===//
// The banner of generated code says the hash of the text below it, so that edits are seen and not lost. With --merge, `.appyc/` beside the
// code keeps the text that was made, the base of the next merge.
#include "Edits.h"
#include "Command.h"
#include "Outputs.h"
#include "appyc/Support/Hash.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace appyc::driver {

namespace fs = std::filesystem;

/// The line with the seal, in the comment that the code begins with.
static size_t sealAt(std::string_view code) {
  for (size_t line = 0; code.substr(line).starts_with("//") || code.substr(line).starts_with('#');) {
    const size_t end = std::min(code.find('\n', line), code.size());
    if (const size_t at = code.find(sealLabel, line); at < end) return at + sealLabel.size();
    line = end + 1 <= code.size() ? end + 1 : code.size();
  }
  return std::string_view::npos;
}

std::string_view sealOf(std::string_view code) {
  const size_t at = sealAt(code);
  return at == std::string_view::npos ? "" : code.substr(at, code.find('\n', at) - at);
}

std::string withSeal(std::string code, std::string_view seal) {
  if (const size_t at = sealAt(code); at != std::string::npos && !seal.empty())
    code.replace(at, sealOf(code).size(), seal);
  return code;
}

bool isEdited(std::string_view code) {
  const size_t at = sealAt(code);
  if (at == std::string_view::npos) // of somebody else's, or of a version without the hash
    return !code.empty() &&
           std::ranges::none_of(std::array{": made by appyc ", ", as appyc "}, [&](auto* said) {
             return code.substr(0, code.find('\n')).find(said) != std::string_view::npos;
           });
  const size_t end = std::min(code.find('\n', at), code.size());
  return hashOf(code.substr(std::min(end + 1, code.size()))) != sealOf(code);
}

bool isFile(const std::string& path) { return !path.empty() && path != "-" && !isDevice(path); }

std::optional<std::string> editedCode(const std::string& path) {
  if (!isFile(path)) return {};
  std::optional<std::string> text = contents(path);
  return text && isEdited(*text) ? text : std::nullopt;
}

std::string basePath(const std::string& path) {
  return (fs::path(path).parent_path() / ".appyc" / fs::path(path).filename()).string();
}

int conflictsIn(std::string_view code) {
  constexpr std::string_view mark = "\n<<<<<<< ";
  int count = 0;
  for (size_t at = 0; (at = code.find(mark, at)) != std::string_view::npos; at += mark.size()) ++count;
  return count;
}

namespace {
/// A file that is there as long as this is.
class Scratch {
public:
  explicit Scratch(const std::string& text) {
    path_ = (fs::temp_directory_path() / "appyc.XXXXXX").string();
    const int file = ::mkstemp(path_.data());
    if (file < 0) {
      path_.clear();
      return;
    }
    std::FILE* stream = ::fdopen(file, "wb");
    isGood_ = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    isGood_ &= std::fclose(stream) == 0;
  }
  ~Scratch() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Scratch(const Scratch&) = delete;
  bool isGood() const { return isGood_; }
  const std::string& path() const { return path_; }

private:
  std::string path_;
  bool isGood_ = false;
};
} // namespace

Merged mergeEdits(const std::string& path, const std::string& edited, const std::string& made) {
  const std::string where = basePath(path), name = baseName(path);
  const std::optional<std::string> base = contents(where);
  if (!base || isEdited(*base) || sealOf(*base) != sealOf(edited))
    return {{},
            fmt::format("`{}` {} the code that `{}` was edited from", where, base ? "is not" : "is missing,",
                        path)};
  const Scratch current(edited), next(made);
  if (!current.isGood() || !next.isGood()) return {{}, "no room for temporary files"};
  const std::string command =
      fmt::format("git merge-file -p -q -L {} -L {} -L {} {} {} {}", shellWord(name + " as edited"),
                  shellWord("its base"), shellWord(name + " as translated now"), fileWord(current.path()),
                  fileWord(where), fileWord(next.path()));
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return {{}, fmt::format("cannot run git: {}", std::strerror(errno))};
  Merged merged;
  std::array<char, 4096> buffer{};
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    merged.text.append(buffer.data(), count);
  const int status = ::pclose(pipe);
  constexpr int mostConflicts = 127; // above are errors, and it is the shell's word for no such command
  if (!WIFEXITED(status) || (WEXITSTATUS(status) >= mostConflicts && conflictsIn(merged.text) == 0))
    return {{}, "`git merge-file` failed; is git installed?"};
  return merged;
}

} // namespace appyc::driver
