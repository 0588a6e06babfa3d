//===- Destinations.cpp - which files a run writes ------------------------------------------------------===//
#include "Destinations.h"
#include "Command.h"
#include "Edits.h"
#include "Outputs.h"
#include "appyc/Wrapper/Wrapper.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace appyc::driver {

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
  if (!options.standalone && isFile(to.wrapper)) {
    to.runtime = folderOf(to.wrapper) + std::string(wrapper::runtimeName);
    to.names.sharesRuntime = true;
  }
  to.support = options.support;
  to.names.support = supportName(options);
  if (options.header) to.header = options.header->empty() ? stem + ".h" : *options.header;
  if (options.writeDepfile) to.depfile = options.depfile.empty() ? stem + ".d" : options.depfile;
  if (options.build && !standardOutput) {
    const std::string file = "lib" + to.names.stem + ".so";
    to.library = folderOf(to.main) + file;
    to.names.source = to.main;
    to.names.library =
        fmt::format("{}.{}.{}", folderOf(to.main), file, ::getpid()); // renamed when it is whole
  }
  return to;
}

std::string findCollision(const Options& options, const Destinations& to) {
  std::vector<std::pair<std::string, std::string>> inputs; // path, what it is
  if (options.input != "-") inputs.emplace_back(options.input, "input");
  if (!options.schedule.empty()) inputs.emplace_back(options.schedule, "schedule file");
  for (const std::string& word : options.arguments)
    if (word.size() > 1 && word.front() == '@') inputs.emplace_back(word.substr(1), "response file");
  std::vector<std::string> outputs{to.main,    to.wrapper,   to.header,
                                   to.depfile, to.annotated, to.library,
                                   to.runtime, to.support,   options.diagnosticsFile};
  const auto isNoFile = [](const std::string& path) { return path.empty() || path == "-" || isDevice(path); };
  outputs.erase(std::remove_if(outputs.begin(), outputs.end(), isNoFile), outputs.end());
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const auto& [path, what] : inputs)
      if (isSameFile(outputs[i], path))
        return fmt::format("the output `{}` would overwrite the {}", outputs[i], what);
    for (size_t j = i + 1; j < outputs.size(); ++j)
      if (isSameFile(outputs[i], outputs[j]))
        return fmt::format("two outputs have the name `{}`", outputs[i]);
  }
  // nvcc hands the names on to a shell, between double quotes.
  const std::string& name = to.names.output;
  if (options.emit == Emit::Code && options.target == "cuda" && !to.main.empty() &&
      name.find_first_of("$`\"\\") != std::string::npos)
    return fmt::format("nvcc cannot compile a file called `{}`: give it a name without $, `, \" and \\ by -o",
                       name);
  return "";
}

static bool isIdentifier(std::string_view name) {
  const auto isPart = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 128 || std::isalnum(byte) || c == '_';
  };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), isPart);
}

std::string importProblem(const Options& options, const Destinations& to) {
  if (options.syntaxOnly || to.wrapper.empty() || to.wrapper == "-" || isDevice(to.wrapper)) return "";
  const std::string file = baseName(to.wrapper);
  const bool isModule = file.ends_with(".py");
  const std::string module = isModule ? file.substr(0, file.size() - 3) : file;
  if (isModule && isIdentifier(module)) return "";
  std::string better;
  for (const char c : module)
    better += isIdentifier(std::string(1, c)) || std::isdigit(static_cast<unsigned char>(c)) ? c : '_';
  if (better.empty() || !isIdentifier(better)) better = "m" + better;
  const std::string folder = folderOf(to.wrapper);
  return fmt::format("Python cannot import `{}` by its name: write {}", to.wrapper,
                     options.wrapper ? shellWord("--wrapper=" + folder + better + ".py")
                                     : fmt::format("--wrapper={}, or another name after -o",
                                                   shellWord(folder + better + ".py")));
}

} // namespace appyc::driver
