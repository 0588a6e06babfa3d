//===- Command.cpp - texts about the run: names, the command, how to build ----------------------------===//
#include "Command.h"
#include "appyc/Cost/Device.h"
#include "appyc/Target/Target.h"
#include <filesystem>
#include <fmt/format.h>

#ifndef APPYC_VERSION
#error "define APPYC_VERSION"
#endif

namespace appyc::driver {

std::string versionText() { return "appyc " APPYC_VERSION; }

std::string baseName(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string folderOf(std::string_view path) {
  return std::string(path.substr(0, path.find_last_of('/') + 1)); // npos + 1 is 0
}

std::string withoutSuffix(std::string_view path) {
  const size_t name = path.find_last_of('/') + 1; // npos + 1 is 0
  const size_t dot = path.find_last_of('.');
  return std::string(dot == std::string_view::npos || dot <= name ? path : path.substr(0, dot));
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return result;
}

std::string shellWord(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string fileWord(const std::string& path) {
  return shellWord(path.starts_with('-') ? "./" + path : path);
}

std::string defaultOutput(const Options& options) {
  const std::string stem = options.input == "-" ? "stdin" : withoutSuffix(baseName(options.input));
  return stem + std::string(target::targetNamed(options.target)->suffix);
}

std::string supportName(const Options& options) {
  namespace fs = std::filesystem;
  const bool isBeside = options.output.empty() || options.output == "-" || options.support.empty();
  if (isBeside || fs::path(options.support).is_absolute()) return options.support;
  return fs::path(options.support).lexically_proximate(fs::path(options.output).parent_path()).string();
}

std::string commandText(const Options& options) {
  std::string text = "appyc " + shellWord(options.input == "-" ? options.stdinName : baseName(options.input));
  auto add = [&](const std::string& word) { text += " " + shellWord(word); };
  if (options.target != "cuda") add("--target=" + options.target);
  for (const std::string& signature : options.signatures) add("--signature=" + signature);
  for (const std::string& label : options.labels) add("--par=" + label);
  for (const std::string& folder : options.moduleFolders) add("-I" + folder);
  if (!options.autoParallel) add("--no-auto");
  if (!options.library) add("--no-library");
  if (options.checkRaces || options.sanitize.any()) {
    std::vector<std::string_view> checks;
    if (options.sanitize.bounds) checks.emplace_back("bounds");
    if (options.sanitize.arithmetic) checks.emplace_back("arithmetic");
    if (options.checkRaces) checks.emplace_back("races");
    if (options.sanitize.memory) checks.emplace_back("memory");
    add(options.sanitize.any() ? fmt::format("--sanitize={}", fmt::join(checks, ",")) : "--check-races");
  }
  if (!options.versions) add("--no-versions");
  if (!options.fmad) add("--fmad=off");
  if (options.vectorLength != Options{}.vectorLength) add(fmt::format("--mvl={}", options.vectorLength));
  if (!options.schedule.empty()) add("--schedule=" + baseName(options.schedule));
  if (options.gpu != Options{}.gpu) add("--gpu=" + options.gpu);
  if (!options.archs.empty()) add(fmt::format("--arch={}", fmt::join(options.archs, ",")));
  if (!options.march.empty()) add("--march=" + options.march);
  if (!options.cpuLibraries.empty())
    add(fmt::format("--cpu-libraries={}", fmt::join(options.cpuLibraries, ",")));
  for (const std::string& pass : options.disabledPasses) add("--disable-pass=" + pass);
  if (!options.stopAfter.empty()) add("--stop-after=" + options.stopAfter);
  if (!options.support.empty()) add("--support=" + supportName(options));
  if (options.standalone) add("--wrapper=standalone");
  const std::string output = baseName(options.output);
  if (!output.empty() && output != "-" && output != defaultOutput(options))
    text += " -o " + shellWord(output);
  return printable(text);
}

static std::string commandOf(const Options& options, const ir::Module& module, const std::string& compiler,
                             const std::string& source, const std::string& library,
                             const std::vector<std::string>& links) {
  const target::Target& to = *target::targetNamed(options.target);
  std::vector<std::string> linked;
  for (const std::string& file : links) linked.push_back(fileWord(file));
  const target::BuildOptions build{to.cuda,
                                   to.emulated,
                                   options.fmad,
                                   compiler,
                                   cost::deviceNamed(options.gpu)->capability,
                                   options.archs,
                                   options.march,
                                   options.cpuLibraries,
                                   linked};
  return target::buildLine(module, build, fileWord(source), fileWord(library));
}

std::string buildCommand(const Options& options, const OutputNames& names, const ir::Module& module,
                         const std::vector<std::string>& links) {
  return commandOf(options, module, options.build.value_or(""), names.source, names.library, links);
}

std::string buildLine(const Options& options, const OutputNames& names, const ir::Module& module,
                      const std::vector<std::string>& links) {
  return printable(commandOf(options, module, "", names.output, "lib" + names.stem + ".so", links));
}

std::string updateCommand(const Options& options) {
  std::string text;
  for (const std::string& word : options.arguments)
    if (word != "--check") text += (text.empty() ? "" : " ") + shellWord(word);
  return text;
}

} // namespace appyc::driver
