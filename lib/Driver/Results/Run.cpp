//===- Run.cpp - a complete run: read, translate, report, write ---------------------------------------===//
#include "Build.h"
#include "Command.h"
#include "Destinations.h"
#include "Edits.h"
#include "Input.h"
#include "Modules.h"
#include "Outputs.h"
#include "ScheduleFile.h"
#include "Shared.h"
#include "appyc/Cost/Device.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Support/CrashReport.h"
#include "appyc/Support/InternalError.h"
#include "appyc/Target/Target.h"
#include "appyc/Wrapper/Wrapper.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
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
  if (!to.support.empty()) files.push_back({to.support, target::supportHeader().text});
  if (!to.runtime.empty()) files.push_back({to.runtime, wrapper::runtimeModule()});
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

/// Code and wrapper: what users edit.
std::vector<std::string> sealedFiles(const Destinations& to, const Options& options) {
  std::vector<std::string> all;
  for (const std::string& path : {to.main, to.wrapper})
    if (options.emit == Emit::Code && isFile(path)) all.push_back(path);
  return all;
}

/// What keeps the text on disk from being what is made now.
std::string editOf(const OutputFile& made, const std::string& edited, const Options& options) {
  const std::string source = baseName(options.input);
  if (sealOf(edited).empty())
    return fmt::format("appyc: `{}` is not appyc's code, or its banner is gone\n", made.path);
  if (sealOf(made.text) == sealOf(edited))
    return fmt::format("appyc: `{}` was edited by hand, from what `{}` gives now\n", made.path, source);
  return fmt::format(
      "appyc: `{}` was edited by hand, and `{}` gives another text now; to bring both together "
      "run\n  {} --merge\n",
      made.path, source, updateCommand(options));
}

/// Tells files that are stale from those that were edited by hand.
int checkFiles(const std::vector<OutputFile>& files, const Destinations& to, const Options& options) {
  const std::vector<std::string> sealed = sealedFiles(to, options);
  std::vector<OutputFile> compared = files; // the hash differs where anything does, far above it
  for (OutputFile& file : compared)
    if (std::ranges::count(sealed, file.path))
      file.text = withSeal(file.text, sealOf(contents(file.path).value_or("")));
  std::string stale = differences(compared);
  if (stale.empty()) stale = differences(files);
  if (stale.empty()) return Success;
  for (const std::string& shared : {to.runtime, to.support})
    if (editedCode(shared)) {
      fmt::print(stderr, "{}appyc: `{}` was edited by hand; --force gives that up\n", stale, shared);
      return Failure;
    }
  std::string edits;
  for (const OutputFile& file : files)
    if (const auto edited = std::ranges::count(sealed, file.path) ? editedCode(file.path) : std::nullopt)
      edits += editOf(file, *edited, options);
  if (edits.empty())
    edits = fmt::format("appyc: the files above are not what `{}` gives now; to update them run\n  {}\n",
                        baseName(options.input), updateCommand(options));
  fmt::print(stderr, "{}{}", stale, edits);
  return Failure;
}

/// What is on disk, where it was edited by hand, stays or takes over what has changed. False where that cannot be, which is said.
bool keepEdits(OutputFile& made, const Options& options) {
  const std::optional<std::string> edited = options.force ? std::nullopt : editedCode(made.path);
  if (!edited) return true;
  const std::string source = baseName(options.input);
  if (sealOf(*edited).empty()) {
    printError(
        fmt::format("`{}` is not appyc's code, or its banner is gone: --force overwrites it", made.path));
    return false;
  }
  if (sealOf(made.text) == sealOf(*edited)) { // nothing has changed but by hand
    made.text = *edited;
    return true;
  }
  if (!options.merge) {
    printError(fmt::format(
        "`{}` was edited by hand: --merge brings the edits into what `{}` gives now, --force gives them up",
        made.path, source));
    return false;
  }
  Merged merged = mergeEdits(made.path, *edited, made.text);
  if (!merged.problem.empty()) {
    printError(fmt::format(
        "{}: run --merge with the `{}` that it was made from, which keeps that code, and again with the "
        "present one; --force gives the edits up",
        merged.problem, source));
    return false;
  }
  made.text = std::move(merged.text);
  return true;
}

/// What the next --merge needs is written beside the code. Returns what went wrong, or "".
std::string addBase(std::vector<OutputFile>& files, const std::string& code, const std::string& made) {
  const std::string path = basePath(code);
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  if (failed) return fmt::format("cannot make the folder of `{}`: {}", path, failed.message());
  files.push_back({path, made});
  return "";
}

/// Writes what was made. Returns false where the user has something left to do, which is said.
bool write(std::vector<OutputFile> files, const Destinations& to, const Options& options) {
  std::string conflicts;
  std::string problem = shareRuntime(files, to, options.force);
  if (problem.empty()) problem = shareSupport(files, to, options.force);
  for (const std::string& path : sealedFiles(to, options)) {
    if (!problem.empty()) break;
    OutputFile& file = *std::ranges::find(files, path, &OutputFile::path);
    const std::string made = file.text;
    if (!keepEdits(file, options)) return false;
    if (const int count = conflictsIn(file.text))
      conflicts = fmt::format(
          "`{}` has {} place(s) where the edits and the new translation differ, between `<<<<<<<` and "
          "`>>>>>>>`: choose in each",
          path, count);
    if (options.merge) problem = addBase(files, path, made);
  }
  if (problem.empty()) problem = writeFiles(files, options.alwaysWrite);
  if (problem.empty()) problem = conflicts;
  if (!problem.empty()) printError(problem);
  return problem.empty();
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
  if (options.merge && options.force) return "--merge keeps edits of the code and --force gives them up";
  if ((options.merge || options.force) && options.check)
    return "--check writes nothing: it goes with neither --merge nor --force";
  if (options.merge && (options.emit != Emit::Code || options.output == "-"))
    return "--merge is for output files: it goes with neither --emit nor -o -";
  if (options.build && (options.emit != Emit::Code || options.output == "-" || options.check ||
                        options.syntaxOnly || !options.annotate.empty()))
    return "--build makes a library of the code: it goes with none of --emit, -o -, --check, -fsyntax-only, "
           "--annotate";
  if (!cost::deviceNamed(options.gpu)) return fmt::format("unknown device `{}`", options.gpu);
  if (!options.support.empty() && !target::targetNamed(options.target)->cuda)
    return "--support is for --target=cuda";
  if (!options.support.empty() && !options.annotate.empty() && options.output.empty())
    return "--support goes with the code, which --annotate alone does not write";
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
    if (pass.isRequired() &&
        std::count(options.disabledPasses.begin(), options.disabledPasses.end(), pass.name))
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
  std::vector<OutputFile> files = filesOf(*translation, to, source, options);
  if (options.check) return checkFiles(files, to, options);
  if (!write(std::move(files), to, options)) return Failure;
  if (!options.build) return Success;
  setCurrentStage("build");
  return buildLibrary(translation->build, to.names.library, to.library) ? Success : Failure;
}

} // namespace appyc::driver
