//===- Modules.cpp - finds the modules of the user's that the input imports ---------------------------===//
// As Python does: the first folder that has a package or a file of the name, its submodules beside its __init__.py.
#include "Modules.h"
#include "Command.h"
#include "Input.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/Frontend/Ufuncs.h"
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace appyc::driver {

namespace {
bool isFile(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}
bool isFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

class Finder {
public:
  Finder(Source& source, const Options& options, Diagnostics& diag)
      : source_(source), diag_(diag), top_(moduleFolders(source, options)) {}

  void addAll() {
    for (size_t k = 0; k < source_.files().size(); ++k) {
      const SourceFile file = source_.files()[k];
      for (const std::string& name : frontend::importedModules(source_, file)) add(name);
    }
  }

private:
  /// The module, behind those packages that it is in.
  void add(const std::string& name) {
    constexpr std::array translated{"numpy", "math", "appy", "torch", "builtins", "__future__"};
    for (size_t dot = name.find('.');; dot = name.find('.', dot + 1)) {
      const std::string part = name.substr(0, dot);
      if (part.empty() || std::find(translated.begin(), translated.end(), part) != translated.end()) return;
      if (!find(part) || dot == std::string::npos) return;
    }
  }

  /// Whether it is there; reads it at first.
  bool find(const std::string& name) {
    if (const auto known = found_.find(name); known != found_.end()) return known->second;
    const size_t dot = name.rfind('.');
    const std::string last = name.substr(dot + 1); // npos + 1 is 0
    std::vector<std::string> folders = top_;
    if (dot != std::string::npos) folders = {within_[name.substr(0, dot)]};
    for (const std::string& folder : folders) {
      const std::string path = folder + last;
      if (folder.empty() && dot != std::string::npos) continue; // of a module that is no package
      if (isFile(path + "/__init__.py")) return read(name, path + "/__init__.py", path + "/");
      if (isFile(path + ".py")) return read(name, path + ".py", "");
    }
    for (const std::string& folder : folders)
      if ((dot == std::string::npos || !folder.empty()) && isFolder(folder + last)) {
        within_[name] = folder + last + "/"; // a package without a text of its own
        return found_[name] = true;
      }
    return found_[name] = false;
  }

  bool read(const std::string& name, const std::string& path, const std::string& within) {
    within_[name] = within;
    const Source text = readText(path, diag_);
    source_.add({path, name, !within.empty()}, text.text());
    return found_[name] = true;
  }

  Source& source_;
  Diagnostics& diag_;
  const std::vector<std::string> top_;
  std::map<std::string, bool> found_;
  std::map<std::string, std::string> within_; ///< of packages the folder, with a slash at its end
};
} // namespace

std::vector<std::string> moduleFolders(const Source& source, const Options& options) {
  std::vector<std::string> folders{folderOf(source.name())};
  for (const std::string& folder : options.moduleFolders)
    folders.push_back(folder.empty() || folder.ends_with('/') ? folder : folder + "/");
  return folders;
}

void addModules(Source& source, const Options& options, Diagnostics& diag) {
  Finder(source, options, diag).addAll();
  frontend::addUfuncEntries(source);
}

} // namespace appyc::driver
