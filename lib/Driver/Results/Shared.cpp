//===- Shared.cpp - files that several translations share ---------------------------------------------===//
#include "Shared.h"
#include "Command.h"
#include "Edits.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace appyc::driver {

namespace fs = std::filesystem;

/// Does a Python file of the folder, but for `beside`, speak of the module?
static bool isUsed(const fs::path& folder, const std::string& module, const std::string& beside) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored))
    if (entry.path().extension() == ".py" && !isSameFile(entry.path().string(), beside))
      if (const auto text = contents(entry.path().string()); text && text->find(module) != std::string::npos)
        return true;
  return false;
}

/// What is there of another version, and nobody has edited; otherwise it stays, or `problem` says why it cannot.
static std::optional<std::string> otherVersion(OutputFile& made, std::string& problem) {
  const std::optional<std::string> there = contents(made.path);
  if (!there || *there == made.text) return {};
  const std::string_view seal = sealOf(*there);
  if (!seal.empty() && !isEdited(*there)) return there;
  if (seal != sealOf(made.text))
    problem = fmt::format("`{}` {}: --force overwrites it", made.path,
                          seal.empty() ? "is not appyc's" : "was edited by hand, and is of another version");
  else
    made.text = *there; // nothing has changed but by hand
  return {};
}

std::string shareRuntime(std::vector<OutputFile>& files, const Destinations& to, bool force) {
  const auto made = std::ranges::find(files, to.runtime, &OutputFile::path);
  if (force || to.runtime.empty() || made == files.end()) return "";
  std::string problem;
  const std::optional<std::string> there = otherVersion(*made, problem);
  if (!problem.empty()) return problem + ", --wrapper=standalone does without it";
  if (!there) return "";
  const std::string module = fmt::format("appyc_runtime_{}", sealOf(*there));
  const fs::path folder = fs::path(to.runtime).parent_path();
  if (isUsed(folder, module, to.wrapper)) files.push_back({(folder / (module + ".py")).string(), *there});
  return "";
}

std::string shareSupport(std::vector<OutputFile>& files, const Destinations& to, bool force) {
  const auto made = std::ranges::find(files, to.support, &OutputFile::path);
  if (force || to.support.empty() || made == files.end()) return "";
  std::string problem;
  otherVersion(*made, problem);
  return problem;
}

} // namespace appyc::driver
