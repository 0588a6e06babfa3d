//===- Input.cpp - reading the Python file ------------------------------------------------------------===//
#include "Input.h"
#include "appyc/Frontend/Frontend.h"
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

Source decoded(const std::string& name, std::optional<std::string> text, const std::string& problem,
               Diagnostics& diag) {
  if (!text) {
    diag.report(DiagId::Unreadable, {}, fmt::format("cannot read `{}`: {}", name, problem));
    return Source(name, "");
  }
  return frontend::decode(name, std::move(*text), diag);
}
} // namespace

Source readInput(const Options& options, Diagnostics& diag) {
  const bool standard = options.input == "-";
  const std::string name = standard ? options.stdinName : options.input;
  std::string problem;
  return decoded(name, standard ? readAll(stdin, problem) : readFile(options.input, problem), problem, diag);
}

Source readText(const std::string& path, Diagnostics& diag) {
  std::string problem;
  return decoded(path, readFile(path, problem), problem, diag);
}

Source readScheduleText(const Options& options, Diagnostics& diag) {
  return options.schedule.empty() ? Source("", "") : readText(options.schedule, diag);
}

} // namespace appyc::driver
