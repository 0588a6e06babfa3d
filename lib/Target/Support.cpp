//===- Support.cpp - the support code of generated programs, section by section ------------------------===//
#include "Support.h"
#include "appyc/Support/Hash.h"
#include "appyc/Support/InternalError.h"
#include "appyc/Target/Target.h"
#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace appyc::target {

namespace {

struct RuntimeFile {
  std::string_view name, text;
};
constexpr RuntimeFile runtimeFiles[] = {
#include "RuntimeText.inc"
};

enum class Side { Both, Cuda, Cpu };

struct Section {
  Side side;
  Placing place;
  std::vector<std::string> defines, needs;
  std::string text;
  bool isOf(bool cuda) const { return side != (cuda ? Side::Cpu : Side::Cuda); }
  bool has(std::string_view name) const { return std::ranges::count(defines, name) > 0; }
};

/// What sections include, by what they write; `part` is the macro by which a file asks for it in a shared header, which
/// costs files that do without it time.
struct Header {
  std::string_view name, mark, part;
};
constexpr Header allHeaders[] = {
    {"algorithm", "std::stable_sort(", ""},
    {"algorithm", "std::nth_element(", ""},
    {"cooperative_groups.h", "cooperative_groups::", "APPYC_COOPERATIVE_GROUPS"},
    {"cub/device/device_merge_sort.cuh", "cub::DeviceMergeSort", "APPYC_CUB_MERGE_SORT"},
    {"cub/device/device_radix_sort.cuh", "cub::DeviceRadixSort", "APPYC_CUB_RADIX_SORT"},
    {"cub/device/device_select.cuh", "cub::DeviceSelect", "APPYC_CUB_SELECT"},
    {"cub/device/device_segmented_radix_sort.cuh", "cub::DeviceSegmentedRadixSort",
     "APPYC_CUB_SEGMENTED_RADIX_SORT"},
    {"cuda_pipeline_primitives.h", "__pipeline_", "APPYC_PIPELINE"},
    {"cstdio", "printf(", ""},
    {"cstdlib", "malloc(", ""},
    {"cstring", "memcpy(", ""},
    {"cstring", "memset(", ""},
    {"functional", "std::function<", ""},
    {"initializer_list", "std::initializer_list", ""},
    {"memory", "std::unique_ptr<", ""},
    {"new", "std::bad_alloc", ""},
    {"pthread.h", "pthread_mutex_t", ""},
    {"type_traits", "std::is_", ""},
    {"type_traits", "std::make_unsigned_t", ""},
    {"type_traits", "std::common_type_t", ""},
    {"type_traits", "std::conditional_t", ""},
    {"ucontext.h", "ucontext_t", ""},
    {"utility", "std::index_sequence", ""},
    {"vector", "std::vector<", ""}};

Side sideOf(std::string_view file) {
  const bool isCuda = file == "host_cuda.h" || file.ends_with(".cuh");
  if (isCuda) return Side::Cuda;
  return file == "threads.h" || file.ends_with("_cpu.h") ? Side::Cpu : Side::Both;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

/// What C libraries define and what entries name stands outside of the namespace.
bool isVisible(const Section& s) {
  const bool isType = std::find(s.defines.begin(), s.defines.end(), "Complex") != s.defines.end();
  const bool isForeign = s.text.find("extern \"C\"") != std::string::npos;
  return isType || isForeign;
}

std::vector<Section> readSections() {
  std::vector<Section> all;
  for (const RuntimeFile& file : runtimeFiles) {
    std::istringstream lines{std::string(file.text)};
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("//@", 0) == 0) {
        const size_t colon = std::min(line.find(':'), line.size());
        const std::string needs = colon < line.size() ? line.substr(colon + 1) : "";
        const std::vector<std::string> defines = words(line.substr(3, colon - 3));
        const Placing place = file.name == "exports.cuh" ? Placing::Entries : Placing::Hidden;
        all.push_back({sideOf(file.name), place, defines, words(needs), ""});
        inside = true;
      } else if (inside) {
        all.back().text += line + "\n";
      }
    }
  }
  for (Section& s : all) {
    if (s.place == Placing::Hidden && isVisible(s)) s.place = Placing::Types;
    // Sections end without the blank line between them.
    while (s.text.size() > 1 && s.text.substr(s.text.size() - 2) == "\n\n") s.text.pop_back();
  }
  return all;
}

const std::vector<Section>& sections() {
  static const std::vector<Section> all = readSections();
  return all;
}

void replaceAll(std::string& text, std::string_view mark, std::string_view by) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

/// What the macros of the files stand for.
std::string expanded(std::string text, bool cuda, const std::string& prefix) {
  replaceAll(text, "APPY_DEVICE", cuda ? "__host__ __device__ inline" : "inline");
  constexpr std::string_view exported = "APPY_EXPORT(";
  for (size_t at = text.find(exported); at != std::string::npos; at = text.find(exported, at)) {
    text.erase(text.find(')', at), 1);
    text.replace(at, exported.size(), prefix);
  }
  return text;
}

} // namespace

void Support::use(std::string_view name) {
  for (size_t i = 0; i < sections().size(); ++i) {
    const Section& s = sections()[i];
    if (!s.isOf(cuda_) || !s.has(name)) continue;
    if (used_.insert(i).second)
      for (const std::string& needed : s.needs) use(needed);
    return;
  }
  internalError(fmt::format("no support code for `{}`", name));
}

bool Support::uses(std::string_view name) const {
  return std::ranges::any_of(used_, [&](size_t i) { return sections()[i].has(name); });
}

std::vector<std::string> Support::text(Placing place) const {
  std::vector<std::string> all;
  for (size_t i : used_)
    if (sections()[i].place == place) all.push_back(expanded(sections()[i].text, cuda_, prefix_));
  return all;
}

std::vector<std::string> Support::headers() const {
  std::set<std::string> found{"cmath", "cstdint"};
  for (size_t i : used_)
    for (const Header& header : allHeaders)
      if (sections()[i].text.find(header.mark) != std::string::npos) found.emplace(header.name);
  return {found.begin(), found.end()};
}

/// The macros with which a file asks for these sections of a shared header.
static std::set<std::string> partsOf(const std::set<size_t>& used) {
  std::set<std::string> parts;
  for (size_t i : used) {
    const Section& s = sections()[i];
    for (const Header& header : allHeaders)
      if (!header.part.empty() && s.text.find(header.mark) != std::string::npos) parts.emplace(header.part);
    if (s.has("release_plans")) parts.emplace("APPYC_PLANS"); // which calls the libraries that it frees
  }
  return parts;
}

std::vector<std::string> Support::parts() const {
  const std::set<std::string> parts = partsOf(used_);
  return {parts.begin(), parts.end()};
}

/// `#ifdef A` or `#if defined A && defined B`, around the lines.
static std::string guarded(const std::set<std::string>& parts, const std::string& lines) {
  if (parts.empty()) return lines;
  std::string condition;
  for (const std::string& part : parts) condition += (condition.empty() ? "defined " : " && defined ") + part;
  return fmt::format("#if {}\n{}#endif\n", condition, lines);
}

/// Sections with the same guards stand between the same two.
static std::string sectionsAt(Placing place) {
  std::string all, lines;
  std::set<std::string> open;
  for (const Section& s : sections()) {
    if (s.place != place || !s.isOf(true)) continue;
    Support alone(true, "");
    alone.use(s.defines.front());
    const std::vector<std::string> parts = alone.parts();
    const std::set<std::string> guards(parts.begin(), parts.end());
    if (guards != open) all += (all.empty() ? "" : "\n") + guarded(open, std::exchange(lines, ""));
    open = guards;
    lines += (lines.empty() ? "" : "\n") + s.text;
  }
  return all + "\n" + guarded(open, lines);
}

SupportHeader supportHeader() {
  std::map<std::string_view, std::string_view> includes; // and the part that needs them
  for (const Section& s : sections())
    for (const Header& header : allHeaders)
      if (s.isOf(true) && s.text.find(header.mark) != std::string::npos) includes[header.name] = header.part;
  includes["cmath"] = includes["cstdint"] = includes["cuda_runtime.h"] = "";
  std::string text;
  for (const auto& [name, part] : includes)
    text += guarded(part.empty() ? std::set<std::string>{} : std::set<std::string>{std::string(part)},
                    fmt::format("#include <{}>\n", name));
  text += "#define APPY_DEVICE __host__ __device__ inline\n";
  text += fmt::format("\n{}\nnamespace {{\n\n{}\n}} // namespace\n\n{}", sectionsAt(Placing::Types),
                      sectionsAt(Placing::Hidden), sectionsAt(Placing::Entries));
  const std::string version = hashOf(text);
  text = fmt::format("#pragma once\n#define APPYC_SUPPORT_{}\n{}", version, text);
  return {
      fmt::format(
          "// Support code of the CUDA that appyc writes, one header for any number of files (--support). Do "
          "not edit.\n// {}{}\n{}",
          sealLabel, hashOf(text), text),
      version};
}

const std::set<std::string>& Support::definedNames() {
  static const std::set<std::string> all = [] {
    std::set<std::string> names;
    for (const Section& s : sections()) names.insert(s.defines.begin(), s.defines.end());
    return names;
  }();
  return all;
}

} // namespace appyc::target
