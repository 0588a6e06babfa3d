//===- Names.cpp - identifiers of generated code, and which of them are free -------------------------------===//
#include "appyc/IR/Names.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

namespace appyc::ir {

namespace {

struct Words {
  std::set<std::string, std::less<>> whole;
  std::vector<std::string> beginnings;

  void add(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      const std::string_view word = text.substr(at, end - at);
      if (word.ends_with('*'))
        beginnings.emplace_back(word.substr(0, word.size() - 1));
      else
        whole.emplace(word);
      at = end + 1;
    }
  }
  bool have(std::string_view name) const {
    for (const std::string& beginning : beginnings)
      if (name.starts_with(beginning)) return true;
    return whole.find(name) != whole.end();
  }
};

const Words& reservedBy(Reserved group) {
  static const std::pair<Words, Words> all = [] {
    std::pair<Words, Words> words;
#define RESERVED(Group, text) (Reserved::Group == Reserved::Language ? words.first : words.second).add(text);
#include "appyc/IR/ReservedNames.def"
#undef RESERVED
    // Generated code calls these unqualified, and those for float: a variable of the name would hide them.
#define INTRINSIC(Name, numpy, arity, result, code)                                                          \
  words.first.add(code);                                                                                     \
  words.second.add(code "f");
#include "appyc/IR/Intrinsics.def"
#undef INTRINSIC
    return words;
  }();
  return group == Reserved::Language ? all.first : all.second;
}

bool isLegal(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 128 && std::isalnum(byte);
}

/// The characters that all languages take, the others as `_`.
std::string legal(std::string_view text) {
  std::string result;
  for (const char c : text) result += isLegal(c) ? c : '_';
  return result;
}

/// A name that programs may declare.
std::string identifier(std::string_view hint) {
  const std::string name = legal(hint);
  const auto second = static_cast<unsigned char>(name.size() > 1 ? name[1] : 'a');
  const bool isTheirs = name[0] == '_' && (second == '_' || std::isupper(second)); // the compiler's
  const bool isName =
      name.find_first_not_of('_') != std::string::npos && !std::isdigit(static_cast<unsigned char>(name[0]));
  return isName && !isTheirs ? name : "v" + name;
}

} // namespace

bool isReserved(std::string_view name, Reserved group) { return reservedBy(group).have(name); }

std::string uniqueIdentifier(const std::string& hint, std::set<std::string>& taken) {
  const std::string base = identifier(hint);
  std::string candidate = base;
  // What begins as a family of reserved names does so whatever follows.
  const std::string start = isReserved(base + "_", Reserved::Language) ? "v_" + base : base;
  for (int n = 1; isReserved(candidate, Reserved::Language) || !taken.insert(candidate).second; ++n)
    candidate = fmt::format("{}_{}", start, n);
  return candidate;
}

std::string uniqueEntry(const std::string& hint, std::set<std::string>& taken) {
  const std::string base = identifier(hint);
  std::string candidate = base;
  for (int n = 1; taken.count(candidate) || taken.count(candidate + "_workspace"); ++n)
    candidate = fmt::format("{}_{}", base, n);
  taken.insert({candidate, candidate + "_workspace"});
  return candidate;
}

std::set<std::string> exportedBySupport() {
  return {"error",        "abi",         "device_alloc", "device_free", "copy_to_device",
          "copy_to_host", "synchronize", "device",       "is_capturing"};
}

std::string symbolPrefix(std::string_view stem) { return "appyc_" + legal(stem) + "_"; }

void nameKernels(Function& f) {
  if (f.kernels.empty()) return;
  std::map<std::string, std::string> names;
  for (Kernel& kernel : f.kernels) {
    const size_t blank = std::min(kernel.name.find(' '), kernel.name.size());
    const std::string number = blank < kernel.name.size() ? "_" + kernel.name.substr(blank + 1) : "";
    const std::string ofModule =
        f.ofLaunch > 0 ? f.entry + "_kernel"
                       : fmt::format("{}_of_{}{}", kernel.name.substr(0, blank), f.entry, number);
    names.emplace(std::exchange(kernel.name, ofModule), ofModule);
  }
  f.body = replace<Launch>(f.body, [&](const Launch& l, const Stmt& s) {
    Launch named = l;
    named.name = names.at(l.name);
    return makeStmt(s->span, std::move(named));
  });
}

} // namespace appyc::ir
