//===- Man.cpp - the manual page ------------------------------------------------------------------------===//
#include "Documents.h"
#include "Spellings.h"
#include <fmt/format.h>

namespace appyc::tool {

namespace {
/// The text as troff prints it.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : std::string(1, c);
  return result.starts_with('.') ? "\\&" + result : result;
}

/// `--target=VALUE` with the name bold.
std::string heading(const HelpLine& line) {
  std::string text;
  for (const Spelling& s : spellingsOf(line)) {
    if (!text.empty()) text += ", ";
    text += fmt::format("\\fB{}\\fR{}", escaped(s.name), s.optional ? "[" : "");
    if (s.joint) text += s.joint;
    text += escaped(s.value) + (s.optional ? "]" : "");
  }
  return text;
}

constexpr std::string_view after = R"(.SH EXIT STATUS
0: done, or the files are up to date; 1: the program has errors, a file cannot be read or written, or \fB\-\-check\fR
found stale or edited files, or \fB\-\-merge\fR left conflicts; 2: the command line is wrong; 70: a fault of appyc's own.
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
no colours with \fB\-\-color=auto\fR
.SH SEE ALSO
\fBappyc \-\-list\-functions\fR, \fBappyc \-\-explain\fR=ID, \fBappyc\-tune \-\-help\fR
)";
} // namespace

std::string manText(const std::vector<HelpLine>& lines, std::string_view version) {
  std::string text = fmt::format(".TH APPYC 1 \"\" \"{}\" \"User Commands\"\n", version);
  text +=
      ".SH NAME\nappyc \\- compile annotated NumPy Python ahead of time to CUDA or C++\n"
      ".SH SYNOPSIS\n\\fBappyc\\fR [\\fIoptions\\fR] \\fIFILE.py\\fR [\\fB\\-o\\fR \\fIFILE\\fR]\n"
      ".SH DESCRIPTION\nWrites a \\&.cu or \\&.cpp file that can be read, and a Python module with the same\n"
      "functions, which calls the library that is built from it. The result computes what CPython and\n"
      "NumPy compute, or the program is refused with an error at the line. \\- is the standard input or\n"
      "output.\n.SH OPTIONS\n";
  std::string_view group;
  for (const HelpLine& line : lines) {
    if (line.meaning.empty()) continue;
    if (line.group != group) text += fmt::format(".SS {}\n", line.group);
    group = line.group;
    text += fmt::format(".TP\n{}\n{}\n", heading(line), escaped(line.meaning));
  }
  return text.append(after);
}

} // namespace appyc::tool
