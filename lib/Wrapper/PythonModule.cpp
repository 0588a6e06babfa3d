//===- PythonModule.cpp - layout, support code on demand, clashes of names --------------------------===//
#include "PythonModule.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace appyc::wrapper {

namespace {
constexpr size_t lineWidth = 110;
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

std::vector<Definition> readSupport(std::string_view targetRuntime) {
  std::vector<Definition> result;
  addDefinitions(commonRuntime, result);
  addDefinitions(targetRuntime, result);
  addDefinitions(ufuncsRuntime, result);
  return result;
}

const std::vector<Definition>& support(bool cuda) {
  static const std::vector<Definition> device = readSupport(deviceRuntime), host = readSupport(hostRuntime);
  return cuda ? device : host;
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

/// Definitions reachable from the names in `text`.
std::set<std::string> needed(const std::vector<Definition>& all, const std::string& text) {
  std::map<std::string, const Definition*> byName;
  for (const Definition& d : all) byName[d.name] = &d;
  std::set<std::string> result;
  std::vector<std::string> open{text};
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    for (const std::string& name : identifiers(next))
      if (auto found = byName.find(name); found != byName.end() && result.insert(name).second)
        open.push_back(found->second->text);
  }
  return result;
}

bool isOneLine(const std::string& text) { return text.find('\n') == std::string::npos; }
} // namespace

void PythonText::line(int depth, std::string_view text) {
  if (!text.empty()) text_.append(static_cast<size_t>(depth) * 4, ' ');
  text_ += text;
  text_ += '\n';
}

void PythonText::call(int depth, const std::string& head, const std::vector<std::string>& args,
                      const std::string& tail) {
  const std::string joined = fmt::format("{}", fmt::join(args, ", "));
  const size_t indent = static_cast<size_t>(depth) * 4;
  if (indent + head.size() + joined.size() + tail.size() + 2 <= lineWidth)
    return line(depth, fmt::format("{}({}){}", head, joined, tail));
  line(depth, head + "(");
  if (indent + 4 + joined.size() <= lineWidth)
    line(depth + 1, joined);
  else
    for (const std::string& arg : args) line(depth + 1, arg + ",");
  line(depth, ")" + tail);
}

std::set<std::string> supportNames(bool cuda) {
  std::set<std::string> result{"_STEM", "_BUILD", "_ABI", "_PREFIX", "_EXPORTS"};
  for (const Definition& d : support(cuda)) result.insert(d.name);
  return result;
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
                          bool cuda, const std::set<std::string>& userNames) {
  const std::vector<Definition>& all = support(cuda);
  const std::set<std::string> used = needed(all, tables + body);
  std::string imports, package, definitions;
  bool previousShort = false;
  for (const Definition& d : all) {
    if (!used.count(d.name)) continue;
    if (d.import) {
      (d.name == "_np" ? package : imports) += d.text + "\n";
      continue;
    }
    const bool isShort = isOneLine(d.text);
    definitions += (definitions.empty() || (isShort && previousShort) ? "" : "\n\n") + d.text + "\n";
    previousShort = isShort;
  }
  const std::set<std::string> supportOwn = supportNames(cuda);
  std::map<std::string, std::string> renamed;
  std::string builtins;
  for (const std::string& name : userNames) {
    const bool builtin = usedBuiltins().count(name) > 0;
    if (!builtin && !supportOwn.count(name)) continue;
    renamed[name] = "_appyc_" + name.substr(std::min(name.find_first_not_of('_'), name.size()));
    if (builtin) builtins += fmt::format("from builtins import {} as {}\n", name, renamed[name]);
  }
  std::string code = imports + (package.empty() ? "" : "\n" + package) + "\n" + tables;
  if (!definitions.empty()) code += "\n" + definitions;
  code += "\n\n" + body;
  std::string result = renamed.empty() ? code : builtins + Renamer(code, renamed).run();
  return banner + "\n" + result;
}

} // namespace appyc::wrapper
