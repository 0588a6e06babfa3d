//===- Completion.cpp - what the shells complete ----------------------------------------------------------===//
#include "Documents.h"
#include "Spellings.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::tool {

namespace {
/// A way to write an option, with its meaning and the words that may be its value; none: a file, if `file`, or
/// anything.
struct Completed {
  Spelling spelling;
  std::string meaning, words;
  bool file;
};

/// `cuda|cpu` has its words in itself, other values stand for words; both may be: `PASS|all`.
std::string wordsOf(std::string_view value, const ValueNames& names) {
  std::string words;
  for (std::string_view rest = value; !rest.empty();) {
    const size_t end = std::min(rest.find('|'), rest.size());
    const std::string_view one = rest.substr(0, end);
    if (const auto known = names.find(one); known != names.end())
      words += fmt::format(" {}", fmt::join(known->second, " "));
    else if (value.find('|') != std::string_view::npos || (one[0] >= 'a' && one[0] <= 'z'))
      words += fmt::format(" {}", one);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words.empty() ? words : words.substr(1);
}

std::vector<Completed> completed(const std::vector<HelpLine>& lines, const ValueNames& names) {
  std::vector<Completed> all;
  for (const HelpLine& line : lines)
    if (!line.meaning.empty())
      for (const Spelling& s : spellingsOf(line))
        all.push_back({s, std::string(line.meaning), wordsOf(s.value, names), s.value == "FILE"});
  return all;
}

/// `text` with a backslash before each character of `special`.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text)
    result += special.find(c) == std::string_view::npos ? std::string(1, c) : std::string{'\\', c};
  return result;
}
/// In single quotes, for bash and zsh.
std::string shellQuoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}
/// Each word behind `prefix`.
std::string prefixed(std::string_view prefix, std::string_view words) {
  std::string result;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    result += fmt::format(" {}{}", prefix, words.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

//===--- bash -------------------------------------------------------------------------------------------===//

// bash takes `--target=cpu` for three words.
constexpr std::string_view bashHead = R"(# bash completion of appyc; made by `appyc --completion=bash`
_appyc() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} joint=' '
  if [[ $word == = ]]; then
    word= joint==
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]} joint==
  fi
  COMPREPLY=()
  case $joint$option in
)";
constexpr std::string_view bashTail = R"(  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$_appyc_options" -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    mapfile -t COMPREPLY < <(compgen -f -X '!*.py' -- "$word"; compgen -d -- "$word")
  fi
}
complete -o filenames -F _appyc appyc
)";

std::string bash(const std::vector<Completed>& options) {
  std::string text(bashHead), all;
  for (const Completed& o : options) {
    const auto& [name, value, joint, optional] = o.spelling;
    if (name == "@") continue; // no option
    all += fmt::format(" {}{}", name, joint == '=' && !optional ? "=" : "");
    if (!joint) {
      all += prefixed(name, o.words);
      continue;
    }
    const std::string generator = o.words.empty() ? o.file ? "-f" : "" : "-W " + shellQuoted(o.words);
    // A value behind a blank is a word of its own, unless it may be left out.
    text += optional ? fmt::format("    '={}')\n", name) : fmt::format("    '={}' | ' {}')\n", name, name);
    if (!generator.empty())
      text += fmt::format("      mapfile -t COMPREPLY < <(compgen {} -- \"$word\")\n", generator);
    text += "      return ;;\n";
  }
  return fmt::format("{}{}_appyc_options={}\n", text, bashTail, shellQuoted(all.substr(1)));
}

//===--- zsh --------------------------------------------------------------------------------------------===//

std::string zsh(const std::vector<Completed>& options) {
  std::string text = "#compdef appyc\n# Made by `appyc --completion=zsh`.\n_arguments";
  for (const auto& [spelling, meaning, words, file] : options) {
    if (spelling.name == "@") continue; // no option
    const auto& [name, value, joint, optional] = spelling;
    std::string entry = "*" + std::string(name);
    if (!value.empty()) entry += joint == '=' ? optional ? "=-" : "=" : joint ? "" : "-";
    entry += fmt::format("[{}]", escaped(meaning, "[]\\"));
    if (!value.empty())
      entry += fmt::format("{}{}:{}", optional ? "::" : ":", escaped(value, ":\\"),
                           !words.empty() ? "(" + words + ")"
                           : file         ? "_files"
                                          : " ");
    text += fmt::format(" \\\n  {}", shellQuoted(entry));
  }
  return text + " \\\n  '*:input:_files -g \"*.py\"'\n";
}

//===--- fish -------------------------------------------------------------------------------------------===//

std::string fish(const std::vector<Completed>& options) {
  // In its single quotes fish reads \' and \\.
  const auto fishQuoted = [](std::string_view text) { return "'" + escaped(text, "'\\") + "'"; };
  std::string text = "# fish completion of appyc; made by `appyc --completion=fish`\n"
                     "complete -c appyc -k -x -a '(__fish_complete_suffix .py)'\n";
  for (const auto& [spelling, meaning, words, file] : options) {
    const auto& [name, value, joint, optional] = spelling;
    if (name == "@") continue;
    const std::string described = " -d " + fishQuoted(meaning);
    if (!joint && !words.empty()) { // glued: the shell has no such options
      text += fmt::format("complete -c appyc -n 'string match -q -- \"{}*\" (commandline -ct)' -a {}{}\n",
                          name, fishQuoted(prefixed(name, words).substr(1)), described);
      continue;
    }
    const std::string_view kind = name.starts_with("--") ? "-l" : name.size() == 2 ? "-s" : "-o";
    text += fmt::format("complete -c appyc {} {}", kind, name.substr(name.starts_with("--") ? 2 : 1));
    if (!value.empty() && !optional) text += file ? " -r -F" : " -x";
    if (!words.empty()) text += " -a " + fishQuoted(words);
    text += described + "\n";
  }
  return text;
}
} // namespace

std::string completionText(std::string_view shell, const std::vector<HelpLine>& lines,
                           const ValueNames& values) {
  const std::vector<Completed> options = completed(lines, values);
  return shell == "bash" ? bash(options) : shell == "zsh" ? zsh(options) : fish(options);
}

} // namespace appyc::tool
