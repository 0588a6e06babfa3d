//===- Choices.cpp - what a program leaves open, and what a schedule file says of it ----------------===//
#include "appyc/Support/Choices.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace appyc {

namespace {

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\f");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\f") + 1 - first));
}

bool isAbout(const ScheduleEntry& e, const Question& q) {
  return std::tie(e.function, e.line, e.nth, e.key) == std::tie(q.function, q.line, q.nth, q.key);
}

std::vector<std::string> texts(const std::vector<int64_t>& numbers) {
  std::vector<std::string> all;
  all.reserve(numbers.size());
  for (int64_t n : numbers) all.push_back(fmt::format("{}", n));
  return all;
}

} // namespace

void Choices::begin(const Source& source, const std::vector<std::pair<std::string, Span>>& functions) {
  source_ = &source;
  for (const auto& [name, span] : functions) {
    std::map<std::string, int> seen;
    const uint32_t last = source.position(span.end).line;
    for (uint32_t number = source.position(span.begin).line; number <= last; ++number) {
      std::string text = trimmed(source.line(number));
      const int nth = ++seen[text];
      lines_[number] = {name, std::move(text), nth};
    }
  }
}

const Choices::Line* Choices::lineAt(Span at) const {
  if (!source_ || at == Span{}) return nullptr;
  const auto found = lines_.find(source_->position(at.begin).line);
  return found == lines_.end() ? nullptr : &found->second;
}

const std::string* Choices::chosen(const Question& q) const {
  for (const ScheduleEntry& e : entries_)
    if (isAbout(e, q)) return &e.value;
  return nullptr;
}

/// Notes the question; what is asked again, as for copies of a statement, is one question, without an answer where those differ.
std::string Choices::note(Question q) {
  std::string answer = q.answer;
  const auto [place, isNew] = numbers_.try_emplace({q.lineNumber, q.function, q.key}, questions_.size());
  if (isNew) {
    questions_.push_back(std::move(q));
    return answer;
  }
  Question& known = questions_[place->second];
  if (const std::string* value = chosen(q); value && answer == *value) // what some cannot do others may
    known.answer = answer;
  else if (!value && known.answer != answer)
    known.answer.clear();
  std::vector<std::string>& open = known.open;
  for (std::string& value : q.open)
    if (std::find(open.begin(), open.end(), value) == open.end()) open.push_back(std::move(value));
  return answer;
}

Question Choices::questionAt(Span at, std::string_view key, std::string answer,
                             std::vector<std::string> open) const {
  const Line* line = lineAt(at);
  if (!line) return {};
  return {line->function,   line->text,        line->nth,      source_->position(at.begin).line,
          std::string(key), std::move(answer), std::move(open)};
}

int64_t Choices::number(Span at, std::string_view key, int64_t byDefault, const std::vector<int64_t>& open) {
  Question q = questionAt(at, key, fmt::format("{}", byDefault), texts(open));
  if (q.key.empty()) return byDefault;
  if (const std::string* value = chosen(q)) {
    const auto [least, most] = std::minmax_element(open.begin(), open.end());
    const int64_t number = std::stoll(*value);
    if (*least <= number && number <= *most) q.answer = *value;
  }
  return std::stoll(note(std::move(q)));
}

std::string Choices::word(Span at, std::string_view key, std::string_view byDefault,
                          const std::vector<std::string>& open) {
  Question q = questionAt(at, key, std::string(byDefault), open);
  if (q.key.empty()) return std::string(byDefault);
  const std::string* value = chosen(q);
  if (value && std::find(open.begin(), open.end(), *value) != open.end()) q.answer = *value;
  return note(std::move(q));
}

int64_t Choices::constant(std::string_view function, std::string_view name, int64_t byDefault,
                          const std::vector<int64_t>& open) {
  Question q{std::string(function), "", 1, 0, std::string(name), fmt::format("{}", byDefault), texts(open)};
  if (const std::string* value = chosen(q)) q.answer = *value;
  return std::stoll(note(std::move(q)));
}

std::vector<const Choices::Line*> Choices::linesOf(const std::string& function) const {
  std::vector<const Line*> all;
  for (const auto& [number, line] : lines_)
    if (line.function == function && !line.text.empty()) all.push_back(&line);
  return all;
}

std::string Choices::staleness(const ScheduleEntry& e) const {
  const std::string advice = "run scripts/tune again, or remove this part";
  const std::vector<const Line*> lines = linesOf(e.function);
  if (lines.empty()) return fmt::format("the program has no function `{}`; {}", e.function, advice);
  if (e.line.empty()) return "";
  std::vector<std::string_view> candidates;
  int count = 0;
  for (const Line* line : lines) {
    candidates.push_back(line->text);
    count += line->text == e.line;
  }
  if (count >= e.nth) return "";
  if (count > 0)
    return fmt::format("`{}` has the line `{}` {} time{}, not {}; {}", e.function, e.line, count,
                       count == 1 ? "" : "s", e.nth, advice);
  const std::optional<std::string_view> nearest = nearestName(e.line, candidates);
  return fmt::format("`{}` has no line `{}`{}; {}", e.function, e.line,
                     nearest ? fmt::format(" but `{}`", *nearest) : "", advice);
}

const Question* Choices::questionOf(const ScheduleEntry& e) const {
  for (const Question& q : questions_)
    if (isAbout(e, q)) return &q;
  return nullptr;
}

} // namespace appyc
