//===- Linked.cpp - files of other languages that kernels are linked with --------------------------------===//
#include "Linked.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace appyc::driver {

namespace fs = std::filesystem;

LinkedFiles linkedFiles(const ast::Module& tree, const Source& source, const Options& options,
                        Diagnostics& diag) {
  LinkedFiles found;
  const auto read = [&](const ast::FunctionDirective::Link& link) {
    const bool isBracketed = link.isHeader && link.path.starts_with('<') && link.path.ends_with('>');
    const std::string name = isBracketed ? link.path.substr(1, link.path.size() - 2) : link.path;
    fs::path path = fs::path(source.fileAt(link.where.begin).name).parent_path() / name;
    const std::string beside = path.string();
    std::error_code ignored;
    for (const std::string& folder : options.moduleFolders)
      if (!fs::is_regular_file(path, ignored)) path = fs::path(folder) / name;
    if (!fs::is_regular_file(path, ignored)) {
      diag.report(
          DiagId::BadDirective, link.where,
          fmt::format("there is no file `{}`; it is looked for beside this one, and in the folders of -I",
                      beside));
      return;
    }
    const bool isCuda = options.target == "cuda";
    if (!isCuda && !link.isHeader && path.extension() != ".cu") {
      diag.report(
          DiagId::BadDirective, link.where,
          fmt::format(
              "--target={} compiles what kernels call, and `{}` is compiled already: name the CUDA source, "
              "`{}`",
              options.target, link.path, fs::path(link.path).replace_extension(".cu").string()));
      return;
    }
    const fs::path folder = fs::path(options.output == "-" ? "" : options.output).parent_path();
    const std::string fromOutput = path.is_absolute() && !folder.is_absolute()
                                       ? path.string()
                                       : path.lexically_proximate(folder).string();
    const auto add = [](std::vector<std::string>& to, const std::string& text) {
      if (std::ranges::count(to, text) == 0) to.push_back(text);
    };
    if (link.isHeader || !isCuda) return add(found.included, fromOutput);
    add(found.here, path.string());
    add(found.fromOutput, fromOutput);
  };
  const auto readAll = [&](const ast::Module& m) {
    for (const ast::Function& f : m.functions) std::ranges::for_each(f.directive.links, read);
  };
  readAll(tree);
  std::ranges::for_each(tree.modules, readAll);
  return found;
}

} // namespace appyc::driver
