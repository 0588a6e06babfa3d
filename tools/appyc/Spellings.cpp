//===- Spellings.cpp - the rows of --help, taken apart --------------------------------------------------===//
#include "Spellings.h"
#include <algorithm>

namespace appyc::tool {

namespace {
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// Where the name ends that a value in capitals is glued to, as in `-WID` and `@FILE`. A name may be in capitals
/// itself (`-MD`): its value never is glued.
size_t endOfGluedName(std::string_view text) {
  size_t end = text.size();
  while (end > 0 && isUpper(text[end - 1])) --end;
  if (end == text.size() || text.starts_with("-M")) return text.size();
  // `-W` is a capital itself.
  return end == 1 && text[0] == '-' ? 2 : end;
}

Spelling spelling(std::string_view text) {
  Spelling s;
  const size_t end = std::min(text.find_first_of(" =["), text.size());
  if (end < text.size()) {
    s.name = text.substr(0, end);
    s.value = text.substr(end);
    s.optional = s.value.starts_with('[');
    if (s.optional) s.value = s.value.substr(1, s.value.size() - 2);
    s.joint = s.value.front();
    s.value.remove_prefix(1);
    return s;
  }
  const size_t glued = endOfGluedName(text);
  s.name = text.substr(0, glued);
  s.value = text.substr(glued);
  return s;
}
} // namespace

std::vector<Spelling> spellingsOf(const HelpLine& line) {
  std::vector<Spelling> all;
  // A comma may stand in a value too: `--signature='f(f64, f64[N])'`.
  for (std::string_view rest = line.written; !rest.empty();) {
    const size_t end = std::min(rest.find(", -"), rest.size());
    all.push_back(spelling(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return all;
}

} // namespace appyc::tool
