//===- Input.cpp - reading the Python file ------------------------------------------------------------===//
#include "Input.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Support/Utf8.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <sys/stat.h>

namespace appyc::driver {

namespace {
constexpr size_t largestInput = 64 << 20; // far above any program, far below what spans can count

/// Offset of the first byte that is no text: a NUL, or not UTF-8; npos when all is.
size_t firstInvalid(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = characterLength(text.substr(i));
    if (length == 0 || text[i] == '\0') return i;
    i += length;
  }
  return std::string_view::npos;
}

/// The bytes, or what the system says is wrong.
std::optional<std::string> readAll(std::FILE* file, std::string& problem) {
  std::string text;
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file)) {
    text.append(buffer, count);
    if (text.size() > largestInput) {
      problem = "the file is larger than 64 MiB";
      return {};
    }
  }
  if (std::ferror(file)) {
    problem = std::strerror(errno);
    return {};
  }
  return text;
}

std::optional<std::string> readFile(const std::string& path, std::string& problem) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  struct stat status {};
  if (!file || fstat(fileno(file.get()), &status) != 0) {
    problem = std::strerror(errno);
    return {};
  }
  if (S_ISDIR(status.st_mode)) {
    problem = std::strerror(EISDIR);
    return {};
  }
  return readAll(file.get(), problem);
}
} // namespace

Source readInput(const Options& options, Diagnostics& diag) {
  const bool standard = options.input == "-";
  const std::string name = standard ? options.stdinName : options.input;
  std::string problem;
  std::optional<std::string> text = standard ? readAll(stdin, problem) : readFile(options.input, problem);
  if (!text) {
    diag.report(DiagId::Unreadable, {}, fmt::format("cannot read `{}`: {}", name, problem));
    return Source(name, "");
  }
  return checkedSource(name, std::move(*text), diag);
}

Source checkedSource(std::string name, std::string text, Diagnostics& diag) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3); // a byte order mark, which Python ignores
  if (const size_t bad = firstInvalid(text); bad != std::string::npos) {
    const auto at = static_cast<uint32_t>(bad);
    const bool zero = text[bad] == '\0';
    diag.report(DiagId::Unreadable, {at, at + 1},
                zero ? "the file contains a NUL byte" : "the file is not valid UTF-8");
    // The line is shown with the message, up to the byte that no terminal can print.
    text.resize(bad);
    text += '?';
  }
  return Source(std::move(name), std::move(text));
}

} // namespace appyc::driver
