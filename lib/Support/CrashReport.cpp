//===- CrashReport.cpp - what is said when appyc itself fails, in whatever way --------------------------===//
#include "appyc/Support/CrashReport.h"
#include "appyc/Support/InternalError.h"
#include <array>
#include <csignal>
#include <exception>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace appyc {

namespace {
const Source* currentSource = nullptr;
Span currentPlace;

std::string& commandToRepeat() {
  static std::string command;
  return command;
}

[[noreturn]] void onTerminate() {
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& e) {
      internalError(fmt::format("exception: {}", e.what()));
    } catch (...) {
      internalError("an exception of an unknown kind");
    }
  }
  internalError("std::terminate");
}

/// The process may be in any state: if its memory is no longer sound, a second signal ends it at once.
void onSignal(int signal) {
  std::signal(signal, SIG_DFL);
  constexpr std::string_view head = "appyc: stopped by a signal\n";
  (void)!::write(STDERR_FILENO, head.data(), head.size());
  const std::string details = crashDetails();
  (void)!::write(STDERR_FILENO, details.data(), details.size());
  ::_exit(internalErrorExitCode);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isInstrumented = true; // the sanitizer's own handlers say more
#else
constexpr bool isInstrumented = false;
#endif

void handleSignals() {
  static std::array<char, 65536> stack; // an overflow of the usual one is the likeliest
  stack_t other{};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}
} // namespace

void setCurrentSource(const Source* source) { currentSource = source; }
void setCurrentPlace(Span place) { currentPlace = place; }

void reportCrashes(std::string command) {
  commandToRepeat() = std::move(command);
  std::set_terminate(onTerminate);
  if (!isInstrumented) handleSignals();
}

std::string crashDetails() {
  std::string text;
  if (currentSource && currentPlace.end > 0) {
    const auto [file, at] = currentSource->placeOf(currentPlace.begin);
    text += fmt::format("appyc: while translating {}:{}: {}\n", file->name, at.line,
                        currentSource->line(currentSource->position(currentPlace.begin).line));
  }
  text +=
      "appyc: this is a bug of appyc; please report it together with the input file and the command line\n";
  if (!commandToRepeat().empty()) text += fmt::format("  {}\n", commandToRepeat());
  return text;
}

} // namespace appyc
