//===- PythonModule.cpp - layout, support code on demand, clashes of names --------------------------===//
#include "PythonModule.h"
#include "appyc/Support/Hash.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace appyc::wrapper {

namespace {
constexpr size_t moduleWidth = 110;
constexpr char mark = '\x01'; // stands before a user's name that the support uses as well

bool isIdentifierStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}
bool isIdentifierPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}

/// A definition of the support code: its text and the name it defines.
struct Definition {
  std::string name;
  std::string text;
  bool import = false;
  bool isOwn = false; ///< each module has it
};

std::string definedName(std::string_view text) {
  for (std::string_view keyword : {"def ", "class "})
    if (text.starts_with(keyword)) text.remove_prefix(keyword.size());
  size_t end = 0;
  while (end < text.size() && isIdentifierPart(text[end])) ++end;
  return std::string(text.substr(0, end));
}

void addImports(std::string_view preamble, std::vector<Definition>& result) {
  while (!preamble.empty()) {
    const size_t end = std::min(preamble.find('\n'), preamble.size());
    const std::string_view line = preamble.substr(0, end);
    if (const size_t as = line.find(" as "); as != std::string_view::npos && !line.starts_with('#'))
      result.push_back({std::string(line.substr(as + 4)), std::string(line), true});
    preamble.remove_prefix(std::min(end + 1, preamble.size()));
  }
}

/// Definitions stand two blank lines apart; the first block is the file's comment and its imports.
void addDefinitions(std::string_view file, std::vector<Definition>& result) {
  bool first = true;
  while (!file.empty()) {
    const size_t end = std::min(file.find("\n\n\n"), file.size());
    std::string_view block = file.substr(0, end);
    while (block.ends_with('\n')) block.remove_suffix(1);
    if (first)
      addImports(block, result);
    else
      result.push_back({definedName(block), std::string(block)});
    first = false;
    file.remove_prefix(std::min(end + 3, file.size()));
  }
}

const std::vector<Definition>& support() {
  static const std::vector<Definition> all = [] {
    std::vector<Definition> result;
    for (std::string_view file : {commonRuntime, hostRuntime, deviceRuntime, ufuncsRuntime, plansRuntime,
                                  gufuncsRuntime, textsRuntime, widenedRuntime})
      addDefinitions(file, result);
    const size_t shared = result.size();
    addDefinitions(ownRuntime, result);
    for (size_t i = shared; i < result.size(); ++i) result[i].isOwn = true;
    return result;
  }();
  return all;
}

std::set<std::string> identifiers(std::string_view text) {
  std::set<std::string> result;
  for (size_t i = 0; i < text.size();) {
    if (!isIdentifierStart(text[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && isIdentifierPart(text[i])) ++i;
    result.emplace(text.substr(begin, i - begin));
  }
  return result;
}

/// Replaces identifiers of Python code, but not in strings and comments, after a dot, or where they are
/// marked.
class Renamer {
public:
  Renamer(std::string_view text, const std::map<std::string, std::string>& names)
      : text_(text), names_(names) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(result_);
  }

private:
  void copy(size_t count) {
    result_ += text_.substr(at_, count);
    at_ += count;
  }
  void step() {
    const char c = text_[at_];
    if (c == '#')
      copy(std::min(text_.find('\n', at_), text_.size()) - at_);
    else if (c == '"')
      string(false);
    else if (c == 'f' && text_.substr(at_).starts_with("f\""))
      copy(1), string(true);
    else if (c == mark)
      ++at_, copy(identifierLength());
    else if (isIdentifierStart(c))
      identifier();
    else
      copy(1);
  }
  size_t identifierLength() const {
    size_t end = at_;
    while (end < text_.size() && isIdentifierPart(text_[end])) ++end;
    return end - at_;
  }
  void identifier() {
    const std::string name(text_.substr(at_, identifierLength()));
    auto found = names_.find(name);
    const bool attribute = at_ > 0 && text_[at_ - 1] == '.';
    if (found == names_.end() || attribute) return copy(name.size());
    result_ += found->second;
    at_ += name.size();
  }
  /// `"..."` or `"""..."""`; the parts of an f-string in braces are code.
  void string(bool formatted) {
    const std::string_view quote = text_.substr(at_).starts_with("\"\"\"") ? "\"\"\"" : "\"";
    copy(quote.size());
    while (at_ < text_.size() && !text_.substr(at_).starts_with(quote)) {
      if (formatted && text_[at_] == '{')
        while (at_ < text_.size() && text_[at_] != '}') step();
      else
        copy(text_[at_] == '\\' ? 2 : 1);
    }
    copy(quote.size());
  }

  std::string_view text_;
  const std::map<std::string, std::string>& names_;
  size_t at_ = 0;
  std::string result_;
};

/// Definitions reachable from the names in `text`; where those of others are imported, without what these need.
std::set<std::string> needed(const std::vector<Definition>& all, const std::string& text, bool standsAlone) {
  std::map<std::string, const Definition*> byName;
  for (const Definition& d : all) byName[d.name] = &d;
  std::set<std::string> result;
  std::vector<std::string> open{text};
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    for (const std::string& name : identifiers(next))
      if (auto found = byName.find(name); found != byName.end() && result.insert(name).second)
        if (standsAlone || found->second->isOwn) open.push_back(found->second->text);
  }
  return result;
}

bool isOneLine(const std::string& text) { return text.find('\n') == std::string::npos; }

/// Definitions with the blank lines between them.
class Layout {
public:
  void add(const std::string& definition) {
    const bool isShort = isOneLine(definition);
    text_ += (text_.empty() || (isShort && previousShort_) ? "" : "\n\n") + definition + "\n";
    previousShort_ = isShort;
  }
  const std::string& text() const { return text_; }

private:
  std::string text_;
  bool previousShort_ = false;
};

/// The lines of imports for what is `wanted`, NumPy after the others.
template <class Wanted> std::string importsOf(const Wanted& wanted) {
  std::string imports, package;
  for (const Definition& d : support())
    if (d.import && wanted(d)) (d.name == "_np" ? package : imports) += d.text + "\n";
  return imports + (package.empty() ? "" : "\n" + package);
}

/// The hash of what modules share, by which they know it.
std::string_view runtimeVersion() {
  const std::string& text = runtimeModule();
  const size_t at = text.find(sealLabel) + sealLabel.size();
  return std::string_view(text).substr(at, text.find('\n', at) - at);
}

/// Finds the shared module and takes the names from it, in the place of their definitions.
std::string importsOfShared(const std::vector<std::string>& names) {
  PythonText text;
  text.line(0, fmt::format("_find_runtime(\"{}\")", runtimeVersion()));
  std::string lines, last;
  for (const std::string& name : names) {
    if (last.size() + name.size() + 6 > moduleWidth) lines += "    " + std::exchange(last, "") + "\n";
    last += (last.empty() ? "" : " ") + name + ",";
  }
  text.line(0, fmt::format("from appyc_runtime_{} import (", runtimeVersion()));
  return text.text() + lines + "    " + last + "\n)\n";
}
} // namespace

const std::string& runtimeModule() {
  static const std::string text = [] {
    Layout definitions;
    for (const Definition& d : support())
      if (!d.import && !d.isOwn) definitions.add(d.text);
    const std::string below =
        importsOf([](const Definition& d) { return !d.isOwn; }) + "\n\n" + definitions.text();
    return fmt::format(
        "# What the Python modules that appyc writes into this folder share: they load it from beside "
        "themselves. Do not edit.\n# {}{}\n{}",
        sealLabel, hashOf(below), below);
  }();
  return text;
}

void PythonText::line(int depth, std::string_view text) {
  if (!text.empty()) text_.append(static_cast<size_t>(depth) * 4, ' ');
  text_ += text;
  text_ += '\n';
}

void PythonText::call(int depth, const std::string& head, const std::vector<std::string>& args,
                      const std::string& tail) {
  const std::string joined = fmt::format("{}", fmt::join(args, ", "));
  const size_t indent = static_cast<size_t>(depth) * 4;
  if (indent + head.size() + joined.size() + tail.size() + 2 <= moduleWidth)
    return line(depth, fmt::format("{}({}){}", head, joined, tail));
  line(depth, head + "(");
  if (indent + 4 + joined.size() <= moduleWidth)
    line(depth + 1, joined);
  else
    for (const std::string& arg : args) line(depth + 1, arg + ",");
  line(depth, ")" + tail);
}

const std::set<std::string>& supportNames() {
  static const std::set<std::string> names = [] {
    std::set<std::string> result{"_STEM", "_BUILD", "_ABI", "_PREFIX", "_EXPORTS", "_PRINTS", "_AGAIN"};
    for (const Definition& d : support()) result.insert(d.name);
    return result;
  }();
  return names;
}

const std::set<std::string>& usedBuiltins() {
  static const std::set<std::string> names{"abs",
                                           "any",
                                           "bool",
                                           "complex",
                                           "dict",
                                           "float",
                                           "getattr",
                                           "hasattr",
                                           "int",
                                           "isinstance",
                                           "issubclass",
                                           "len",
                                           "max",
                                           "min",
                                           "range",
                                           "setattr",
                                           "slice",
                                           "sorted",
                                           "staticmethod",
                                           "str",
                                           "sum",
                                           "super",
                                           "tuple",
                                           "type",
                                           "zip",
                                           "AttributeError",
                                           "ImportError",
                                           "IndexError",
                                           "MemoryError",
                                           "NotImplementedError",
                                           "OSError",
                                           "OverflowError",
                                           "RuntimeError",
                                           "TypeError",
                                           "ValueError",
                                           "ZeroDivisionError",
                                           "UnboundLocalError",
                                           "AssertionError",
                                           "ArithmeticError",
                                           "FloatingPointError",
                                           "LookupError",
                                           "KeyError",
                                           "NameError",
                                           "OSError",
                                           "EOFError",
                                           "BufferError",
                                           "StopIteration",
                                           "RecursionError",
                                           "Exception"};
  return names;
}

std::string userName(const std::string& name, const std::set<std::string>& reserved) {
  return reserved.count(name) ? mark + name : name;
}

std::string composeModule(const std::string& banner, const std::string& tables, const std::string& body,
                          bool standsAlone, const std::set<std::string>& userNames) {
  const std::vector<Definition>& all = support();
  const std::string loads = standsAlone ? "" : "_find_runtime";
  const std::set<std::string> used = needed(all, tables + body + "\n" + loads, standsAlone);
  std::map<std::string, std::string> renamed;
  std::string builtins;
  for (const std::string& name : userNames) {
    const bool builtin = usedBuiltins().count(name) > 0;
    if (!builtin && !supportNames().count(name)) continue;
    renamed[name] = "_appyc_" + name.substr(std::min(name.find_first_not_of('_'), name.size()));
    if (builtin) builtins += fmt::format("from builtins import {} as {}\n", name, renamed[name]);
  }
  Layout finds, definitions;
  std::vector<std::string> shared;
  for (const Definition& d : all) {
    if (!used.count(d.name) || d.import) continue;
    if (!standsAlone && !d.isOwn)
      shared.push_back(renamed.count(d.name) ? fmt::format("{}{} as {}", mark, d.name, d.name) : d.name);
    else
      (d.name == loads ? finds : definitions).add(d.text);
  }
  std::string code = importsOf([&](const Definition& d) { return used.count(d.name) > 0; }) + "\n" + tables;
  if (!standsAlone) code += "\n\n" + finds.text() + "\n\n" + importsOfShared(shared);
  if (!definitions.text().empty()) code += (standsAlone ? "\n" : "\n\n") + definitions.text();
  code += "\n\n" + body;
  std::string result = renamed.empty() ? code : builtins + Renamer(code, renamed).run();
  const std::string text = banner + "\n" + result;
  return fmt::format("# {}{}\n{}", sealLabel, hashOf(text), text);
}

} // namespace appyc::wrapper
