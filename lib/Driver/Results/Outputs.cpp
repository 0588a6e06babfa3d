//===- Outputs.cpp - writing files so that no failure leaves half of one ------------------------------===//
#include "Outputs.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace appyc::driver {

namespace fs = std::filesystem;

namespace {
std::string failure(const std::string& path, int error) {
  return fmt::format("cannot write `{}`: {}", path, std::strerror(error));
}

/// 0, or the error of the system.
int writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EIO;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

std::string writeStandardOutput(const std::string& text) {
  const bool good =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return good ? "" : failure("<stdout>", errno);
}

std::string writeInPlace(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return failure(path, errno);
  int error = writeAll(fileno(file), text);
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error ? failure(path, error) : "";
}

/// Temporary files that are not renamed disappear.
class Replacement {
public:
  Replacement(std::string path, std::string target) : path_(std::move(path)), target_(std::move(target)) {}
  ~Replacement() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  Replacement(Replacement&& other) noexcept
      : path_(std::move(other.path_)), target_(std::move(other.target_)),
        temporary_(std::exchange(other.temporary_, {})) {}
  Replacement& operator=(Replacement&&) = delete;

  std::string prepare(const std::string& text) {
    const fs::path folder = fs::path(target_).parent_path();
    std::string name = (folder / ("." + fs::path(target_).filename().string() + ".XXXXXX")).string();
    const int file = ::mkstemp(name.data());
    if (file < 0) return failure(path_, errno);
    temporary_ = name;
    int error = writeAll(file, text);
    if (error == 0 && ::fchmod(file, mode()) != 0) error = errno;
    if (::close(file) != 0 && error == 0) error = errno;
    return error ? failure(path_, error) : "";
  }

  std::string commit() {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failure(path_, errno);
    temporary_.clear();
    return "";
  }

private:
  /// As the file has it now; for a new file what open() would give.
  mode_t mode() const {
    struct stat status {};
    if (::stat(target_.c_str(), &status) == 0) return status.st_mode & 07777;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
  }

  std::string path_, target_, temporary_;
};

/// The file behind symbolic links, so that a link stays one.
std::string resolved(const std::string& path) {
  std::error_code ignored;
  const fs::path real = fs::canonical(path, ignored);
  return ignored ? path : real.string();
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// One hunk from the first line that differs to the last, cut where it gets long.
std::string hunk(std::string_view oldText, std::string_view newText) {
  constexpr size_t longest = 20, context = 2;
  const auto before = linesOf(oldText), after = linesOf(newText);
  const size_t shorter = std::min(before.size(), after.size());
  size_t same = 0, tail = 0;
  while (same < shorter && before[same] == after[same]) ++same;
  while (tail < shorter - same && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const size_t start = same - std::min(same, context);
  const size_t removed = before.size() - tail - same, added = after.size() - tail - same;
  std::string text = fmt::format("@@ -{},{} +{},{} @@\n", start + 1, same - start + removed, start + 1,
                                 same - start + added);
  for (size_t i = start; i < same; ++i) text += fmt::format(" {}\n", before[i]);
  auto side = [&](char sign, const std::vector<std::string_view>& lines, size_t count) {
    for (size_t i = same; i < same + std::min(count, longest); ++i)
      text += fmt::format("{}{}\n", sign, lines[i]);
    if (count > longest) text += fmt::format("{}... {} more lines\n", sign, count - longest);
  };
  side('-', before, removed);
  side('+', after, added);
  return text;
}
} // namespace

std::optional<std::string> contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string writeFiles(const std::vector<OutputFile>& files, bool always) {
  std::vector<Replacement> replacements;
  std::vector<const OutputFile*> direct;
  for (const OutputFile& file : files) {
    if (file.path == "-" || isDevice(file.path)) {
      direct.push_back(&file);
      continue;
    }
    std::error_code ignored;
    if (fs::is_directory(file.path, ignored)) return failure(file.path, EISDIR);
    if (!always && contents(file.path) == file.text) continue;
    replacements.emplace_back(file.path, resolved(file.path));
    if (std::string problem = replacements.back().prepare(file.text); !problem.empty()) return problem;
  }
  for (const OutputFile* file : direct)
    if (std::string problem =
            file->path == "-" ? writeStandardOutput(file->text) : writeInPlace(file->path, file->text);
        !problem.empty())
      return problem;
  for (Replacement& replacement : replacements)
    if (std::string problem = replacement.commit(); !problem.empty()) return problem;
  return "";
}

std::string differences(const std::vector<OutputFile>& files) {
  std::string text;
  for (const OutputFile& file : files) {
    const std::optional<std::string> old = contents(file.path);
    if (old == file.text) continue;
    text += fmt::format("--- {}{}\n+++ {}\n", file.path, old ? "" : " (missing)", file.path);
    text += hunk(old.value_or(""), file.text);
  }
  return text;
}

bool isDevice(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (fs::equivalent(a, b, ignored)) return true;
  const fs::path whole = fs::weakly_canonical(a, ignored);
  return ignored ? a == b : whole == fs::weakly_canonical(b, ignored);
}

} // namespace appyc::driver
