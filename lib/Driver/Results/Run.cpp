//===- Run.cpp - a complete run: read, translate, report, write ---------------------------------------===//
#include "Build.h"
#include "Command.h"
#include "Destinations.h"
#include "Input.h"
#include "Modules.h"
#include "Outputs.h"
#include "ScheduleFile.h"
#include "appyc/Cost/Device.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Support/CrashReport.h"
#include "appyc/Support/InternalError.h"
#include "appyc/Target/Target.h"
#include "appyc/Wrapper/Wrapper.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace appyc::driver {

namespace {
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

std::vector<OutputFile> filesOf(const Translation& translation, const Destinations& to, const Source& source,
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
    for (const SourceFile& file : source.files())
      if (!file.module.empty()) inputs.push_back(file.name);
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
  if (options.build && (options.emit != Emit::Code || options.output == "-" || options.check ||
                        options.syntaxOnly || !options.annotate.empty()))
    return "--build makes a library of the code: it goes with none of --emit, -o -, --check, -fsyntax-only, "
           "--annotate";
  if (!cost::deviceNamed(options.gpu)) return fmt::format("unknown device `{}`", options.gpu);
  if (!options.archs.empty() && options.target != "cuda") return "--arch is for --target=cuda";
  if (!options.march.empty() && options.target != "cpu") return "--march is for --target=cpu";
  for (const std::string& library : options.cpuLibraries)
    if (std::ranges::find(target::cpuLibraries, library) == std::end(target::cpuLibraries))
      return fmt::format("--cpu-libraries: unknown library `{}`; there are blas or openblas, lapack, fftw",
                         library);
  if (!options.cpuLibraries.empty() && options.target != "cpu") return "--cpu-libraries is for --target=cpu";
  if (!options.cpuLibraries.empty() && !options.library)
    return "--cpu-libraries and --no-library exclude each other";
  if (options.wrapper && options.noWrapper) return "--wrapper and --no-wrapper exclude each other";
  const std::vector<ir::Pass> passes = passesOf(options.target);
  for (const ir::Pass& pass : passes)
    if (pass.required && std::count(options.disabledPasses.begin(), options.disabledPasses.end(), pass.name))
      return fmt::format("--disable-pass: `{}` is required ({})", pass.name, pass.why);
  return findCollision(options, destinationsOf(options));
}

int run(const Options& options) {
  reportCrashes(updateCommand(options));
  setCurrentStage("read");
  if (const std::string conflict = findConflict(options); !conflict.empty()) {
    printError(conflict);
    return BadUsage;
  }
  Diagnostics diag(options.warnings), scheduleDiag(options.warnings);
  Source source = readInput(options, diag);
  if (!diag.hasErrors()) addModules(source, options, diag);
  setCurrentSource(&source);
  const std::unique_ptr<const Source, void (*)(const Source*)> whileItIsThere(
      &source, [](const Source*) { setCurrentSource(nullptr); });
  const Source scheduleSource = readScheduleText(options, scheduleDiag);
  Choices choices = readChoices(scheduleSource, scheduleDiag);
  const Destinations to = destinationsOf(options);
  if (const std::string problem = importProblem(options, to); !problem.empty())
    diag.report(DiagId::NoModuleName, {}, problem);
  std::optional<Translation> translation;
  if (!diag.hasErrors()) translation = compile(source, options, to.names, diag, choices);
  if (translation && !scheduleDiag.hasErrors())
    checkSchedule(choices, target::targetNamed(options.target)->hasKernels(), scheduleDiag);
  setCurrentStage("report");
  if (options.remarksSummary) diag.dropRemarksBut(DiagId::Summary);
  const bool reported = report({diag, source}, {scheduleDiag, scheduleSource}, options);
  if (!translation || diag.hasErrors() || scheduleDiag.hasErrors() || !reported) return Failure;
  if (options.syntaxOnly) return Success;

  setCurrentStage("write");
  const std::vector<OutputFile> files = filesOf(*translation, to, source, options);
  if (options.check) return checkFiles(files, options);
  if (const std::string problem = writeFiles(files, options.alwaysWrite); !problem.empty()) {
    printError(problem);
    return Failure;
  }
  if (!options.build) return Success;
  setCurrentStage("build");
  return buildLibrary(translation->build, to.names.library, to.library) ? Success : Failure;
}

} // namespace appyc::driver
