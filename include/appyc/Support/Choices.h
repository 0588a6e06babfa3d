//===- Choices.h - what a program leaves open, and what a schedule file says of it ------------------===//
// Passes ask where they could as well do something else; the answer is their own, or what the schedule file
// says for the line of the program on which the statement begins. A line is known by its text and its
// function, so that edits elsewhere change nothing. Same program, same file: same answers.
#pragma once
#include "appyc/Support/Source.h"
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace appyc {

/// One line of a schedule file: what is chosen for a place, or, without a line, for a constant of the
/// function.
struct ScheduleEntry {
  std::string function;
  std::string line; ///< its text without blanks around; empty: the function as a whole
  int nth = 1;      ///< which of the function's lines of that text
  std::string key, value;
  Span place, where; ///< in the schedule file: the heading, the entry
};

/// How a loop is run, as `--par` says it of labels, by the loop's line.
struct ScheduledLine {
  std::string function, line;
  int nth = 1;
  std::string words; ///< `threads(128).reduce()`
};

/// What a pass left open.
struct Question {
  std::string function, line;
  int nth = 1;
  uint32_t lineNumber = 0; ///< 0: of the function as a whole
  std::string key, answer;
  std::vector<std::string> open; ///< the values that are worth trying
};

class Choices {
public:
  explicit Choices(std::vector<ScheduleEntry> entries = {}) : entries_(std::move(entries)) {}
  /// Before the first question.
  void begin(const Source& source, const std::vector<std::pair<std::string, Span>>& functions);

  /// The value for `key` at the statement that begins at `at`: one of `open`, for numbers one within their
  /// range.
  int64_t number(Span at, std::string_view key, int64_t byDefault, const std::vector<int64_t>& open);
  std::string word(Span at, std::string_view key, std::string_view byDefault,
                   const std::vector<std::string>& open);
  /// A constant of a function's pragmas; any number will do.
  int64_t constant(std::string_view function, std::string_view name, int64_t byDefault,
                   const std::vector<int64_t>& open);

  const std::vector<ScheduleEntry>& entries() const { return entries_; }
  /// What the schedule file says of loops with labels, as `--par` takes it: `f.N=threads(128).reduce()`.
  std::vector<std::string> labels;
  std::vector<ScheduledLine> lines;
  const std::vector<Question>& questions() const { return questions_; }
  /// Why the entry belongs to no line of the program, and what to do about it; "" where it does.
  std::string staleness(const ScheduleEntry&) const;
  /// What is open where the entry stands; null where its key is not.
  const Question* questionOf(const ScheduleEntry&) const;

private:
  struct Line {
    std::string function, text;
    int nth = 1;
  };
  const Line* lineAt(Span) const;
  Question questionAt(Span, std::string_view key, std::string answer, std::vector<std::string> open) const;
  const std::string* chosen(const Question&) const;
  std::string note(Question);
  std::vector<const Line*> linesOf(const std::string& function) const;

  std::vector<ScheduleEntry> entries_;
  const Source* source_ = nullptr;
  std::map<uint32_t, Line> lines_; ///< of functions, by number
  std::vector<Question> questions_;
  std::map<std::tuple<uint32_t, std::string, std::string>, size_t>
      numbers_; ///< of questions, by line and key
};

} // namespace appyc
