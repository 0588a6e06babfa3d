//===- Build.cpp - running the command that makes the library -------------------------------------------===//
#include "Build.h"
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace appyc::driver {

namespace {
/// What the command prints, on both channels, and its exit status.
int run(const std::string& command, std::string& printed) {
  std::FILE* pipe = ::popen(("( " + command + " ) 2>&1").c_str(), "r");
  if (!pipe) {
    printed = std::strerror(errno);
    return 1;
  }
  char buffer[4096];
  while (const size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) printed.append(buffer, count);
  const int status = ::pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
} // namespace

bool buildLibrary(const std::string& command, const std::string& temporary, const std::string& library) {
  using Clock = std::chrono::steady_clock;
  fmt::print(stderr, "appyc: building {} with {} ...\n", library, command.substr(0, command.find(' ')));
  std::fflush(stderr);
  const Clock::time_point start = Clock::now();
  std::string printed;
  const int status = run(command, printed);
  // A process that has loaded the old library keeps it: the new one takes its name.
  const bool isMade = status == 0 && ::rename(temporary.c_str(), library.c_str()) == 0;
  if (!isMade) {
    if (status == 0) printed += fmt::format("cannot write `{}`: {}\n", library, std::strerror(errno));
    ::unlink(temporary.c_str());
    fmt::print(stderr, "{}appyc: error: `{}` has not been built; this command failed with status {}:\n  {}\n",
               printed, library, status, command);
    return false;
  }
  const std::chrono::duration<double> time = Clock::now() - start;
  fmt::print(stderr, "appyc: built {} in {:.1f} s\n", library, time.count());
  return true;
}

} // namespace appyc::driver
