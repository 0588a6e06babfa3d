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

std::string shareRuntime(std::vector<OutputFile>& files, const Destinations& to, bool force) {
  const auto made = std::ranges::find(files, to.runtime, &OutputFile::path);
  if (to.runtime.empty() || made == files.end()) return "";
  const std::optional<std::string> there = contents(to.runtime);
  if (!there || *there == made->text || force) return "";
  const std::string seal(sealOf(*there));
  if (seal.empty() || isEdited(*there)) {
    if (seal != sealOf(made->text))
      return fmt::format("`{}` {}: --force overwrites it, --wrapper=standalone does without it", to.runtime,
                         seal.empty() ? "is not appyc's" : "was edited by hand, and is of another version");
    made->text = *there; // nothing has changed but by hand
    return "";
  }
  const std::string module = "appyc_runtime_" + seal;
  const fs::path folder = fs::path(to.runtime).parent_path();
  if (isUsed(folder, module, to.wrapper)) files.push_back({(folder / (module + ".py")).string(), *there});
  return "";
}

} // namespace appyc::driver
