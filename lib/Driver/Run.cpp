//===- Run.cpp - a complete run: read, translate, report, write ---------------------------------------===//
#include "Command.h"
#include "Input.h"
#include "Outputs.h"
#include "ScheduleFile.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Support/InternalError.h"
#include "appyc/Target/Target.h"
#include "appyc/Wrapper/Wrapper.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace appyc::driver {

namespace {
/// Where the texts go; empty paths are not written.
struct Destinations {
  std::string main, wrapper, header, depfile, annotated;
  OutputNames names;
};

Destinations destinationsOf(const Options& options) {
  const std::string named = defaultOutput(options), namedStem = withoutSuffix(named);
  Destinations to;
  to.annotated = options.annotate;
  if (!to.annotated.empty() && options.output.empty()) { // nothing but the copy
    to.names = {named, namedStem};
    return to;
  }
  if (options.emit != Emit::Code) {
    to.main = options.output.empty() ? "-" : options.output;
    to.names = {named, namedStem};
    return to;
  }
  to.main = !options.output.empty() ? options.output : options.input == "-" ? "-" : named;
  const bool standardOutput = to.main == "-";
  const std::string stem = standardOutput ? namedStem : withoutSuffix(to.main);
  to.names = {standardOutput ? named : baseName(to.main), baseName(stem)};
  if (options.wrapper)
    to.wrapper = *options.wrapper;
  else if (!options.noWrapper && !standardOutput)
    to.wrapper = stem + "_host.py";
  if (options.header) to.header = options.header->empty() ? stem + ".h" : *options.header;
  if (options.writeDepfile) to.depfile = options.depfile.empty() ? stem + ".d" : options.depfile;
  return to;
}

/// A file may be named once, and never be an input.
std::string findCollision(const Options& options, const Destinations& to) {
  const std::string* paths[] = {&to.main, &to.wrapper, &to.header, &to.depfile, &to.annotated};
  for (const std::string* path : paths) {
    if (path->empty() || *path == "-" || isDevice(*path)) continue;
    if (options.input != "-" && isSameFile(*path, options.input))
      return fmt::format("the output `{}` would overwrite the input", *path);
    if (!options.schedule.empty() && isSameFile(*path, options.schedule))
      return fmt::format("the output `{}` would overwrite the schedule file", *path);
    for (const std::string* other : paths)
      if (other != path && !other->empty() && *other != "-" && isSameFile(*path, *other))
        return fmt::format("two outputs have the name `{}`", *path);
  }
  return "";
}

bool wantsColour(const Options& options) {
  if (options.colour != Colour::Auto) return options.colour == Colour::Always;
  const char* noColour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = (noColour && *noColour) || !options.diagnosticsFile.empty();
  return !refused && isatty(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

void printError(const std::string& text) { fmt::print(stderr, "appyc: error: {}\n", text); }

/// A file that is read, and what there is to say about it.
struct Read {
  Diagnostics diag;
  Source source;
};

/// One JSON array of two.
std::string joinedArrays(std::string first, const std::string& second) {
  constexpr std::string_view empty = "[]\n", open = "[\n", close = "\n]\n";
  if (first == empty) return second;
  if (second == empty) return first;
  return first.erase(first.size() - close.size()) + ",\n" + second.substr(open.size());
}

/// False when the diagnostics could not be written.
bool report(const Read& input, const Read& schedule, const Options& options) {
  const auto json = [&](const Read& r) { return renderJson(r.diag, r.source, options.remarks); };
  const auto plain = [&](const Read& r) {
    return renderText(r.diag, r.source, wantsColour(options), options.remarks);
  };
  const std::string text = options.diagnosticsFormat == DiagnosticsFormat::Json
                               ? joinedArrays(json(input), json(schedule))
                               : plain(input) + plain(schedule);
  if (options.diagnosticsFile.empty()) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    return true;
  }
  const std::string problem = writeFiles({{options.diagnosticsFile, text}});
  if (!problem.empty()) printError(problem);
  return problem.empty();
}

std::vector<OutputFile> filesOf(const Translation& translation, const Destinations& to,
                                const Options& options) {
  std::vector<OutputFile> files;
  if (!to.annotated.empty()) files.push_back({to.annotated, translation.annotated});
  if (!to.main.empty()) files.push_back({to.main, translation.main});
  if (!to.wrapper.empty()) files.push_back({to.wrapper, translation.wrapper});
  if (!to.header.empty()) files.push_back({to.header, translation.header});
  if (!to.depfile.empty()) {
    std::vector<std::string> targets = options.depfileTargets;
    for (const std::string& target : options.quotedDepfileTargets)
      targets.push_back(wrapper::escapeForMake(target));
    if (targets.empty())
      targets.push_back(wrapper::escapeForMake(to.main == "-" ? to.names.output : to.main));
    std::vector<std::string> inputs;
    if (options.input != "-") inputs.push_back(options.input);
    if (!options.schedule.empty()) inputs.push_back(options.schedule);
    files.push_back({to.depfile, wrapper::depfile(targets, inputs, options.depfilePhony)});
  }
  return files;
}

int checkFiles(const std::vector<OutputFile>& files, const Options& options) {
  const std::string stale = differences(files);
  if (stale.empty()) return Success;
  fmt::print(stderr, "{}appyc: the files above are not what `{}` gives now; to update them run\n  {}\n",
             stale, baseName(options.input), updateCommand(options));
  return Failure;
}
} // namespace

std::string findConflict(const Options& options) {
  if (!target::targetNamed(options.target)) return fmt::format("unknown target `{}`", options.target);
  if (options.check && (options.emit != Emit::Code || options.output == "-"))
    return "--check compares output files: it goes with neither --emit nor -o -";
  if (!options.annotate.empty() && options.target != "cuda")
    return "--annotate writes what --target=cuda finds; the copy can be translated for every target";
  if (!options.annotate.empty() && (options.emit != Emit::Code || options.syntaxOnly))
    return "--annotate goes with neither --emit nor -fsyntax-only";
  if (options.wrapper && options.noWrapper) return "--wrapper and --no-wrapper exclude each other";
  const std::vector<ir::Pass> passes = passesOf(options.target);
  for (const ir::Pass& pass : passes)
    if (pass.required && std::count(options.disabledPasses.begin(), options.disabledPasses.end(), pass.name))
      return fmt::format("--disable-pass: `{}` is required ({})", pass.name, pass.why);
  return findCollision(options, destinationsOf(options));
}

int run(const Options& options) {
  setCurrentStage("read");
  if (const std::string conflict = findConflict(options); !conflict.empty()) {
    printError(conflict);
    return BadUsage;
  }
  Diagnostics diag(options.warnings), scheduleDiag(options.warnings);
  const Source source = readInput(options, diag);
  const Source scheduleSource = readScheduleText(options, scheduleDiag);
  Choices choices(readSchedule(scheduleSource, scheduleDiag));
  const Destinations to = destinationsOf(options);
  std::optional<Translation> translation;
  if (!diag.hasErrors()) translation = compile(source, options, to.names, diag, choices);
  if (translation && !scheduleDiag.hasErrors())
    checkSchedule(choices, target::targetNamed(options.target)->hasKernels(), scheduleDiag);
  setCurrentStage("report");
  const bool reported = report({diag, source}, {scheduleDiag, scheduleSource}, options);
  if (!translation || diag.hasErrors() || scheduleDiag.hasErrors() || !reported) return Failure;
  if (options.syntaxOnly) return Success;

  setCurrentStage("write");
  const std::vector<OutputFile> files = filesOf(*translation, to, options);
  if (options.check) return checkFiles(files, options);
  if (const std::string problem = writeFiles(files); !problem.empty()) {
    printError(problem);
    return Failure;
  }
  return Success;
}

} // namespace appyc::driver
