//===- Depfile.cpp - make/ninja dependency files --------------------------------------------------------===//
#include "appyc/Wrapper/Wrapper.h"

namespace appyc::wrapper {

// As gcc: blanks and `#` take a backslash, backslashes before them double, `$` doubles.
std::string escapeForMake(std::string_view path) {
  std::string result;
  size_t backslashes = 0;
  for (const char c : path) {
    if (c == ' ' || c == '\t') result.append(backslashes, '\\');
    if (c == ' ' || c == '\t' || c == '#') result += '\\';
    if (c == '$') result += '$';
    backslashes = c == '\\' ? backslashes + 1 : 0;
    result += c;
  }
  return result;
}

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& inputs,
                    bool phony) {
  std::string result;
  for (const std::string& target : targets) result += (result.empty() ? "" : " ") + target;
  result += ":";
  for (const std::string& input : inputs) result += " " + escapeForMake(input);
  result += "\n";
  // An empty rule for each input keeps make going when one of them is gone.
  if (phony)
    for (const std::string& input : inputs) result += "\n" + escapeForMake(input) + ":\n";
  return result;
}

} // namespace appyc::wrapper
