//===- CommandLine.cpp - words of the command line to options, with CLI11 -----------------------------===//
#include "CommandLine.h"
#include "Documents.h"
#include "appyc/Cost/Device.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Support/Spelling.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace appyc::tool {

using driver::Options;

namespace {
int fail(const std::string& text, int code = driver::BadUsage) {
  fmt::print(stderr, "appyc: error: {}\n", text);
  return code;
}

std::string didYouMean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::optional<std::string_view> nearest = nearestName(word, candidates);
  return nearest ? fmt::format("; did you mean `{}`?", *nearest) : "";
}

//===--- words ------------------------------------------------------------------------------------------===//

/// The words of a response file, quoted as gcc has it: blanks separate, quotes group, a backslash takes the
/// next character.
std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inWord = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inWord = true;
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      word += c;
      inWord = true;
    } else if (inWord) {
      words.push_back(std::move(word));
      word.clear();
      inWord = false;
    }
  }
  if (inWord) words.push_back(std::move(word));
  return words;
}

/// Replaces `@file` by the words of the file. False after an error, which has been printed.
bool expandResponseFiles(const std::vector<std::string>& words, std::vector<std::string>& result,
                         int depth = 0) {
  for (const std::string& word : words) {
    if (word.size() < 2 || word[0] != '@') {
      result.push_back(word);
      continue;
    }
    std::ifstream file(word.substr(1), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file || depth > 10) {
      fail(fmt::format("cannot read response file `{}`", word.substr(1)));
      return false;
    }
    if (!expandResponseFiles(splitWords(text), result, depth + 1)) return false;
  }
  return true;
}

/// CLI11 knows long options with two dashes only: gcc's are spelled so for it, and back in its messages.
std::vector<std::string> withTwoDashes(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  bool onlyFiles = false;
  for (const std::string& word : words) {
    const std::string option = onlyFiles ? "" : word.substr(0, 3);
    onlyFiles |= word == "--";
    if (option == "-MF" || option == "-MT" || option == "-MQ")
      result.push_back(word.size() > 3 ? "-" + option + "=" + word.substr(3) : "-" + option);
    else if (!onlyFiles && (word == "-MD" || word == "-MMD" || word == "-MP" || word == "-fsyntax-only" ||
                            word == "-dumpversion"))
      result.push_back("-" + word);
    else if (!onlyFiles && word.size() > 2 && word.starts_with("-W"))
      result.push_back("--W=" + word.substr(2));
    else if (!onlyFiles && word == "--remarks=summary")
      result.emplace_back("--summary");
    else if (!onlyFiles && (word == "--header" || word == "--build"))
      result.push_back("--default-" + word.substr(2));
    else
      result.push_back(word);
  }
  return result;
}

/// A word as the user wrote it.
std::string asWritten(const std::string& word) {
  for (std::string_view option :
       {"--MF", "--MT", "--MQ", "--MD", "--MMD", "--MP", "--fsyntax-only", "--dumpversion"})
    if (word == option) return word.substr(1);
  if (word.starts_with("--W=")) return "-W" + word.substr(4);
  if (word == "--summary") return "--remarks=summary";
  return word.starts_with("--default-") ? "--" + word.substr(10) : word;
}

/// CLI11's message in our words.
std::string messageOf(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  std::string written = option == "--output" ? "-o" : asWritten(option);
  if (text.find(" required ") != std::string::npos) return written + ": a value is missing";
  return written + text.substr(option.size());
}

//===--- the parser -------------------------------------------------------------------------------------===//

/// Texts of options that are more than a copy of a word.
struct RawOptions {
  std::vector<std::string> inputs, warnings, wrappers;
  std::string emit = "code", colour = "auto", format = "text", fmad = "on", explain, header, build, archs,
              cpuLibraries;
  std::optional<std::string> sanitize;
  bool noAuto = false, noLibrary = false, noVersions = false, defaultHeader = false, defaultBuild = false,
       silent = false;
  std::string completion;
  bool help = false, man = false, version = false, dumpVersion = false, listPasses = false,
       listFunctions = false;
};

class Parser {
public:
  Parser() {
    app_.set_help_flag("");
    app_.allow_extras();
    app_.add_option("inputs", raw_.inputs);
    addOutputs();
    addTranslation();
    addDiagnostics();
    addPasses();
  }

  Parsed parse(std::vector<std::string> words) {
    if (words.size() <= 1) {
      fmt::print(stderr, "{}", usageText());
      return {{}, driver::BadUsage};
    }
    options_.arguments = words;
    std::vector<std::string> expanded;
    if (!expandResponseFiles({words.begin() + 1, words.end()}, expanded)) return {{}, driver::Failure};
    expanded = withTwoDashes(expanded);
    std::reverse(expanded.begin(), expanded.end()); // CLI11 takes words from the end
    try {
      app_.parse(std::move(expanded));
    } catch (const CLI::ParseError& error) {
      return {{}, fail(messageOf(error))};
    }
    if (const std::optional<int> code = answer()) return {{}, *code};
    if (const std::string problem = interpret(); !problem.empty()) return {{}, fail(problem)};
    return {options_, 0};
  }

private:
  template <class T>
  CLI::Option* option(std::string_view group, const char* names, T& value, std::string_view written,
                      std::string_view meaning) {
    help_.push_back({group, written, meaning});
    CLI::Option* result = app_.add_option(names, value);
    if constexpr (std::is_same_v<T, std::vector<std::string>>)
      return result->allow_extra_args(false);
    else
      return result->take_last();
  }
  CLI::Option* flag(std::string_view group, const char* names, bool& value, std::string_view written,
                    std::string_view meaning) {
    help_.push_back({group, written, meaning});
    return app_.add_flag(names, value);
  }

  void addOutputs() {
    constexpr std::string_view g = "Output";
    option(g, "-o,--output", options_.output, "-o FILE",
           "the code; default: the input's stem and .cu or .cpp");
    option(g, "--wrapper", raw_.wrappers, "--wrapper=FILE|standalone, --no-wrapper",
           "the Python module; default: <stem>_host.py; standalone: without appyc_runtime.py beside it");
    flag(g, "--no-wrapper", options_.noWrapper, "--no-wrapper", "");
    option(g, "--header", raw_.header, "--header[=FILE]",
           "write the C declarations; default: <stem>.h beside the code");
    flag(g, "--default-header", raw_.defaultHeader, "", "");
    option(g, "--support", options_.support, "--support=FILE",
           "write the support code into a header, one for any number of files, which include it");
    option(g, "--build", raw_.build, "--build[=CMD]",
           "make the library as well, lib<stem>.so, with nvcc or g++ or CMD");
    flag(g, "--default-build", raw_.defaultBuild, "", "");
    flag(g, "--always-write", options_.alwaysWrite, "--always-write",
         "write unchanged files anew, for make, which goes by dates");
    option(g, "--emit", raw_.emit, "--emit=KIND",
           "print ast, ir, cxx, code, wrapper, header, schedule, stats, fired or line-map instead");
    option(g, "--annotate", options_.annotate, "--annotate FILE",
           "write a copy of the input with the pragmas that were found");
    flag(g, "--fsyntax-only", options_.syntaxOnly, "-fsyntax-only", "check the program, write nothing");
    flag(g, "--check", options_.check, "--check",
         "write nothing; exit with 1 and a diff if the files are stale, or edited by hand");
    flag(g, "--merge", options_.merge, "--merge", "bring edits of the code made by hand into the new code");
    flag(g, "--force", options_.force, "--force", "overwrite code that was edited by hand");
    flag(g, "--MD,--MMD", options_.writeDepfile, "-MD, -MMD",
         "write a dependency file for make and ninja, <stem>.d");
    option(g, "--MF", options_.depfile, "-MF FILE", "its name");
    option(g, "--MT", options_.depfileTargets, "-MT TARGET, -MQ TARGET",
           "its target; -MQ escapes what is special to make");
    option(g, "--MQ", options_.quotedDepfileTargets, "-MQ", "");
    flag(g, "--MP", options_.depfilePhony, "-MP", "with an empty rule for each input");
  }

  void addTranslation() {
    constexpr std::string_view g = "Translation";
    option(g, "--target", options_.target, "--target=cuda|cpu|emulate|sequential",
           "CUDA C++ (default), C++17 with OpenMP, CUDA for appyc-emulate, or plain C++ at any level");
    option(g, "--signature", options_.signatures, "--signature='f(f64, f64[N])'",
           "types of a function's parameters; may be repeated");
    option(g, "--par", options_.labels, "--par='N=threads(128).reduce()'",
           "how loops with the label N (`parpy.label('N')`) are run; may be repeated");
    option(g, "-I", options_.moduleFolders, "-I DIR",
           "a folder in which modules that the file imports are looked for, behind its own; may be repeated");
    flag(g, "--no-auto", raw_.noAuto, "--no-auto", "run only annotated loops in parallel");
    option(g, "--sanitize", raw_.sanitize, "--sanitize=bounds,arithmetic,races,memory",
           "check at run time, and raise as CPython would; --check-races is short for races");
    flag(g, "--check-races", options_.checkRaces, "--check-races", "");
    flag(g, "--no-library", raw_.noLibrary, "--no-library",
         "call no library for what code of this file does, too (cuBLAS)");
    flag(g, "--no-versions", raw_.noVersions, "--no-versions",
         "one version for all sizes, where the types leave them open");
    option(g, "--fmad", raw_.fmad, "--fmad=on|off", "let a*b+c round once (default on)");
    option(g, "--gpu", options_.gpu, writtenGpus(),
           "the device that costs are computed and machine code is made for (default h200)");
    option(g, "--arch", raw_.archs, "--arch=sm_80,sm_90|native",
           "devices to build for; default: the one of --gpu, and all since 7.5, with what 9.0 adds");
    option(g, "--march", options_.march, "--march=native|x86-64-v3",
           "processor to build for with --target=cpu; default: any");
    option(g, "--cpu-libraries", raw_.cpuLibraries, "--cpu-libraries=blas|openblas,lapack,fftw",
           "what --target=cpu calls and is linked with for products, np.linalg and np.fft; default: none");
    option(g, "--mvl", options_.vectorLength, "--mvl=N",
           "vector length where the source gives none (default 128)")
        ->check(CLI::Range(1, 1024));
    option(g, "--schedule", options_.schedule, "--schedule=FILE",
           "what to choose where the program leaves it open; scripts/tune writes one");
    option(g, "--stdin-name", options_.stdinName, "--stdin-name=NAME", "what to call the standard input");
  }

  /// `--gpu=h200|h100|...`
  static std::string_view writtenGpus() {
    static const std::string written = [] {
      std::string text;
      for (const cost::Device& device : cost::allDevices())
        text += (text.empty() ? "--gpu=" : "|") + std::string(device.name);
      return text;
    }();
    return written;
  }

  void addDiagnostics() {
    constexpr std::string_view g = "Diagnostics";
    flag(g, "--remarks", options_.remarks, "--remarks[=summary]",
         "say what was made parallel, fused, kept serial, and why; or in short, by function");
    flag(g, "--summary", options_.remarksSummary, "--remarks=summary", "");
    option(g, "--W", raw_.warnings, "-WID, -Wno-ID, -Werror[=ID]",
           "turn a warning or remark on, off, into an error");
    flag(g, "-w", raw_.silent, "-w", "no warnings");
    option(g, "--explain", raw_.explain, "--explain=ID", "explain the diagnostic [ID]");
    option(g, "--diagnostics-format", raw_.format, "--diagnostics-format=text|json", "their form");
    option(g, "--diagnostics-file", options_.diagnosticsFile, "--diagnostics-file=FILE",
           "write them there instead of to stderr");
    option(g, "--color", raw_.colour, "--color=auto|always|never", "colours; NO_COLOR turns auto off");
  }

  void addPasses() {
    constexpr std::string_view g = "Inside";
    flag(g, "--list-passes", raw_.listPasses, "--list-passes",
         "the passes in order, and why they stand there");
    flag(g, "--list-functions", raw_.listFunctions, "--list-functions",
         "the functions that are translated: name, group, arguments, parameters");
    option(g, "--print-after", options_.printAfter, "--print-after=PASS|all",
           "the ir after a pass, on stderr");
    option(g, "--stop-after", options_.stopAfter, "--stop-after=PASS",
           "run only required passes after it; with --emit=ir none");
    option(g, "--disable-pass", options_.disabledPasses, "--disable-pass=PASS", "leave an optional pass out");
    flag(g, "--time-passes", options_.timePasses, "--time-passes", "how long each stage takes, on stderr");
    option(g, "--completion", raw_.completion, "--completion=bash|zsh|fish",
           "the script with which a shell completes these options");
    flag(g, "--help-man", raw_.man, "--help-man", ""); // for who installs it
    help_.push_back({g, "@FILE", "read more of the command line from a file"});
    flag(g, "-h,--help", raw_.help, "-h, --help", "this text");
    flag(g, "--version", raw_.version, "--version, -dumpversion", "the version");
    flag(g, "--dumpversion", raw_.dumpVersion, "-dumpversion", "");
  }

  /// The exit code where the command line is a question.
  std::optional<int> answer() {
    if (raw_.help) return print(helpText(help_));
    if (raw_.man) return print(manText(help_, driver::versionText()));
    if (raw_.version) return print(versionText());
    if (raw_.dumpVersion)
      return print(driver::versionText().substr(driver::versionText().find(' ') + 1) + "\n");
    if (const std::vector<std::string> unknown = unknownOptions(); !unknown.empty())
      return fail(
          fmt::format("unknown option `{}`{}", unknown.front(), didYouMean(unknown.front(), optionNames())));
    const std::vector<std::string_view> names = driver::targetNames();
    if (std::find(names.begin(), names.end(), options_.target) == names.end())
      return fail(fmt::format("--target: unknown target `{}`{}", options_.target,
                              didYouMean(options_.target, names)));
    if (raw_.listPasses) return print(driver::listPasses(options_.target));
    if (raw_.listFunctions) return print(driver::listFunctions());
    if (!raw_.explain.empty()) return explain();
    if (!raw_.completion.empty()) return complete();
    return {};
  }
  static int print(const std::string& text) {
    const bool good =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return good ? driver::Success : fail("cannot write to the standard output", driver::Failure);
  }

  std::vector<std::string> unknownOptions() const {
    std::vector<std::string> unknown = app_.remaining();
    unknown.erase(std::remove(unknown.begin(), unknown.end(), "--"), unknown.end()); // CLI11 keeps the mark
    for (std::string& word : unknown) {
      word = asWritten(word);
      word = word.substr(0, word.find('='));
    }
    return unknown;
  }
  std::vector<std::string_view> optionNames() const {
    std::vector<std::string_view> names;
    for (const HelpLine& line : help_)
      for (std::string_view rest = line.written; !rest.empty();) {
        const size_t end = std::min(rest.find_first_of(" ,=["), rest.size());
        if (rest.starts_with('-')) names.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(
            rest.find(" -") == std::string_view::npos ? rest.size() : rest.find(" -") + 1, rest.size()));
      }
    return names;
  }

  static std::vector<std::string_view> diagnosticNames() {
    std::vector<std::string_view> names;
    for (const DiagId id : allDiagnostics()) names.push_back(info(id).name);
    return names;
  }
  int complete() const {
    if (std::find(std::begin(shells), std::end(shells), raw_.completion) == std::end(shells))
      return fail(fmt::format("--completion: unknown shell `{}` (one of {})", raw_.completion,
                              fmt::join(shells, ", ")));
    const std::vector<ir::Pass> passes = driver::passesOf(options_.target);
    ValueNames values{{"ID", diagnosticNames()}, {"PASS", {}}, {"KIND", {}}};
    for (const ir::Pass& pass : passes) values["PASS"].emplace_back(pass.name);
    for (const auto& [name, kind] : emitKinds()) values["KIND"].push_back(name);
    return print(completionText(raw_.completion, help_, values));
  }
  int explain() const {
    const std::optional<DiagId> id = diagnosticNamed(raw_.explain);
    if (!id)
      return fail(
          fmt::format("no diagnostic `{}`{}", raw_.explain, didYouMean(raw_.explain, diagnosticNames())));
    constexpr std::string_view severities[] = {"error", "warning", "remark", "note"};
    return print(fmt::format("{} [{}]\n{}\n", severities[static_cast<int>(info(*id).severity)], raw_.explain,
                             info(*id).explain));
  }

  //===--- meaning --------------------------------------------------------------------------------------===//

  /// The value that `word` names, or what is wrong in `problem`.
  template <class T>
  static T choice(std::string_view option, const std::string& word,
                  const std::vector<std::pair<std::string_view, T>>& values, std::string& problem) {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : values) {
      if (name == word) return value;
      names.push_back(name);
    }
    problem = fmt::format("{}: unknown value `{}`{} (one of {})", option, word, didYouMean(word, names),
                          fmt::join(names, ", "));
    return values.front().second;
  }

  static std::vector<std::pair<std::string_view, driver::Emit>> emitKinds() {
    using driver::Emit;
    return {{"code", Emit::Code},   {"ast", Emit::Ast},          {"ir", Emit::Ir},
            {"cxx", Emit::Cxx},     {"wrapper", Emit::Wrapper},  {"header", Emit::Header},
            {"stats", Emit::Stats}, {"line-map", Emit::LineMap}, {"schedule", Emit::Schedule},
            {"fired", Emit::Fired}};
  }

  std::string interpret() {
    std::string problem = interpretInputs();
    using driver::Colour, driver::DiagnosticsFormat, driver::Emit;
    options_.emit = choice<Emit>("--emit", raw_.emit, emitKinds(), problem);
    options_.colour = choice<Colour>(
        "--color", raw_.colour,
        {{"auto", Colour::Auto}, {"always", Colour::Always}, {"never", Colour::Never}}, problem);
    options_.diagnosticsFormat = choice<DiagnosticsFormat>(
        "--diagnostics-format", raw_.format,
        {{"text", DiagnosticsFormat::Text}, {"json", DiagnosticsFormat::Json}}, problem);
    options_.fmad = choice<bool>("--fmad", raw_.fmad, {{"on", true}, {"off", false}}, problem);
    std::vector<std::pair<std::string_view, bool>> gpus;
    for (const cost::Device& device : cost::allDevices()) gpus.emplace_back(device.name, true);
    choice<bool>("--gpu", options_.gpu, gpus, problem);
    if (raw_.sanitize) interpretSanitize(problem);
    options_.remarks |= options_.remarksSummary;
    options_.autoParallel = !raw_.noAuto;
    options_.library = !raw_.noLibrary;
    options_.versions = !raw_.noVersions;
    for (const std::string& wrapper : raw_.wrappers)
      if (wrapper == "standalone")
        options_.standalone = true;
      else if (!wrapper.empty())
        options_.wrapper = wrapper;
    if (raw_.defaultHeader || !raw_.header.empty()) options_.header = raw_.header;
    if (raw_.defaultBuild || !raw_.build.empty()) options_.build = raw_.build;
    options_.writeDepfile |= !options_.depfile.empty();
    if (problem.empty()) problem = interpretDevices();
    options_.warnings.noWarnings = raw_.silent;
    for (const std::string& warning : raw_.warnings)
      if (problem.empty()) problem = interpretWarning(warning);
    return problem.empty() ? interpretPasses() : problem;
  }

  /// --arch and --march, which become part of a command.
  std::string interpretDevices() {
    std::istringstream words(raw_.archs);
    for (std::string word; std::getline(words, word, ',');) options_.archs.push_back(word);
    std::istringstream libraries(raw_.cpuLibraries);
    for (std::string word; std::getline(libraries, word, ',');) options_.cpuLibraries.push_back(word);
    static const std::regex device("(sm|compute)_[0-9]{2,3}[af]?"), processor("[A-Za-z0-9][A-Za-z0-9_.+-]*");
    const bool isWord = raw_.archs == "native" || raw_.archs == "all" || raw_.archs == "all-major";
    for (const std::string& arch : options_.archs)
      if (!isWord && !std::regex_match(arch, device))
        return fmt::format(
            "--arch: unknown device `{}` (sm_90, compute_90, or one of native, all, all-major)", arch);
    if (!options_.march.empty() && !std::regex_match(options_.march, processor))
      return fmt::format("--march: unknown processor `{}`", options_.march);
    return "";
  }

  void interpretSanitize(std::string& problem) {
    Sanitize& checks = options_.sanitize;
    std::string rest = *raw_.sanitize + ","; // an empty list has one word, which is no check
    for (size_t end; (end = rest.find(',')) != std::string::npos; rest.erase(0, end + 1)) {
      const std::string word = rest.substr(0, end);
      *choice<bool*>("--sanitize", word,
                     {{"bounds", &checks.bounds},
                      {"arithmetic", &checks.arithmetic},
                      {"races", &options_.checkRaces},
                      {"memory", &checks.memory}},
                     problem) = true;
    }
  }

  std::string interpretInputs() {
    if (raw_.inputs.empty()) return "no input file";
    if (raw_.inputs.size() > 1)
      return fmt::format("one input file at a time, not {}: `{}`", raw_.inputs.size(),
                         fmt::join(raw_.inputs, "`, `"));
    options_.input = raw_.inputs.front();
    return options_.input.empty() ? "the input's name is empty" : "";
  }

  /// What follows -W.
  std::string interpretWarning(std::string word) {
    Diagnostics::Policy& policy = options_.warnings;
    const std::string written = "-W" + word;
    if (word == "error" || word == "no-error") {
      policy.allWarningsAsErrors = word == "error";
      return "";
    }
    const bool off = word.starts_with("no-");
    if (off) word.erase(0, 3);
    const bool error = word.starts_with("error=");
    if (error) word.erase(0, 6);
    const std::optional<DiagId> id = diagnosticNamed(word);
    if (!id)
      return fmt::format("{}: no diagnostic `{}`{}", written, word, didYouMean(word, diagnosticNames()));
    if (info(*id).severity == Severity::Error && off)
      return fmt::format("{}: `{}` is an error, which cannot be turned off", written, word);
    if (error && off)
      policy.asError.erase(*id);
    else if (error)
      policy.asError.insert(*id);
    else if (off)
      policy.disabled.insert(*id);
    else
      policy.disabled.erase(*id);
    return "";
  }

  std::string interpretPasses() const {
    const std::vector<ir::Pass> passes = driver::passesOf(options_.target);
    std::vector<std::string_view> names;
    for (const ir::Pass& pass : passes) names.emplace_back(pass.name);
    auto check = [&](std::string_view option, const std::string& name) -> std::string {
      if (std::find(names.begin(), names.end(), name) != names.end()) return "";
      return fmt::format("{}: target {} has no pass `{}`{}", option, options_.target, name,
                         didYouMean(name, names));
    };
    std::string problem;
    for (const std::string& name : options_.printAfter)
      if (name != "all" && problem.empty()) problem = check("--print-after", name);
    for (const std::string& name : options_.disabledPasses)
      if (problem.empty()) problem = check("--disable-pass", name);
    if (!options_.stopAfter.empty() && problem.empty()) problem = check("--stop-after", options_.stopAfter);
    return problem;
  }

  CLI::App app_;
  Options options_;
  RawOptions raw_;
  std::vector<HelpLine> help_;
};
} // namespace

Parsed parseCommandLine(std::vector<std::string> words) { return Parser().parse(std::move(words)); }

} // namespace appyc::tool
