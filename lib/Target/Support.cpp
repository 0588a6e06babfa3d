//===- Support.cpp - the support code of generated programs, section by section ------------------------===//
#include "Support.h"
#include "appyc/Support/InternalError.h"
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
};

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
    const bool other = s.side == (cuda_ ? Side::Cpu : Side::Cuda);
    if (other || std::find(s.defines.begin(), s.defines.end(), name) == s.defines.end()) continue;
    if (used_.insert(i).second)
      for (const std::string& needed : s.needs) use(needed);
    return;
  }
  internalError(fmt::format("no support code for `{}`", name));
}

bool Support::uses(std::string_view name) const {
  return std::any_of(used_.begin(), used_.end(), [&](size_t i) {
    const auto& names = sections()[i].defines;
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

std::vector<std::string> Support::text(Placing place) const {
  std::vector<std::string> all;
  for (size_t i : used_)
    if (sections()[i].place == place) all.push_back(expanded(sections()[i].text, cuda_, prefix_));
  return all;
}

std::vector<std::string> Support::headers() const {
  struct Row {
    std::string_view header, mark;
  };
  constexpr Row rows[] = {{"algorithm", "std::stable_sort("},
                          {"cooperative_groups.h", "cooperative_groups::"},
                          {"cub/device/device_merge_sort.cuh", "cub::DeviceMergeSort"},
                          {"cub/device/device_radix_sort.cuh", "cub::DeviceRadixSort"},
                          {"cub/device/device_select.cuh", "cub::DeviceSelect"},
                          {"cub/device/device_segmented_radix_sort.cuh", "cub::DeviceSegmentedRadixSort"},
                          {"cuda_pipeline_primitives.h", "__pipeline_"},
                          {"cstdio", "printf("},
                          {"cstdlib", "malloc("},
                          {"cstring", "memcpy("},
                          {"functional", "std::function<"},
                          {"initializer_list", "std::initializer_list"},
                          {"memory", "std::unique_ptr<"},
                          {"new", "std::bad_alloc"},
                          {"pthread.h", "pthread_mutex_t"},
                          {"type_traits", "std::is_"},
                          {"type_traits", "std::make_unsigned_t"},
                          {"type_traits", "std::common_type_t"},
                          {"type_traits", "std::conditional_t"},
                          {"ucontext.h", "ucontext_t"},
                          {"vector", "std::vector<"}};
  std::set<std::string> found{"cmath", "cstdint"};
  for (size_t i : used_)
    for (const Row& row : rows)
      if (sections()[i].text.find(row.mark) != std::string::npos) found.emplace(row.header);
  return {found.begin(), found.end()};
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
