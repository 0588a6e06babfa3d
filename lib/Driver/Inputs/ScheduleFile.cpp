//===- ScheduleFile.cpp - schedule files: a choice a line, in TOML ----------------------------------===//
#include "ScheduleFile.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <set>
#include <tuple>

namespace appyc::driver {

namespace {

enum Targets { Cuda, Cpu, Both };
struct Key {
  std::string_view name;
  Targets target;
  std::string_view values;
};
constexpr Key keys[] = {
#define CHOICE(key, target, values, meaning) {key, target, values},
#include "appyc/Support/Choices.def"
};

const Key* keyNamed(std::string_view name) {
  const auto found =
      std::find_if(std::begin(keys), std::end(keys), [&](const Key& k) { return k.name == name; });
  return found == std::end(keys) ? nullptr : found;
}

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }
bool isNameChar(char c) { return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)); }

/// One line of the file, read from the left. `failed` after an error, which is reported.
class LineReader {
public:
  LineReader(std::string_view text, uint32_t offset, Diagnostics& diag)
      : text_(text), offset_(offset), diag_(diag) {}

  bool failed() const { return failed_; }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  }
  /// Nothing but blanks and a comment is left.
  bool atEnd() {
    blanks();
    return at_ == text_.size() || text_[at_] == '#';
  }
  bool take(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view name() {
    blanks();
    const size_t from = at_;
    if (at_ < text_.size() && isNameStart(text_[at_]))
      while (at_ < text_.size() && isNameChar(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  std::string_view digits() {
    blanks();
    const size_t from = at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(from, at_ - from);
  }
  /// "..." with \" and \\ in it, or '...' as it stands; nothing where neither begins.
  std::optional<std::string> quoted() {
    blanks();
    if (at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return {};
    const char quote = text_[at_];
    const size_t from = at_++;
    std::string out;
    for (; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\' && quote == '"' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_];
    }
    if (at_ == text_.size())
      error(from, "the quotes are not closed");
    else
      ++at_;
    return out;
  }
  size_t position() const { return at_; }
  Span span(size_t from) const {
    return {offset_ + static_cast<uint32_t>(from), offset_ + static_cast<uint32_t>(std::max(at_, from))};
  }
  void error(size_t from, std::string message) {
    if (!failed_) diag_.report(DiagId::BadSchedule, span(from), std::move(message));
    failed_ = true;
  }

private:
  std::string_view text_;
  uint32_t offset_;
  Diagnostics& diag_;
  size_t at_ = 0;
  bool failed_ = false;
};

class ScheduleReader {
public:
  ScheduleReader(const Source& file, Diagnostics& diag) : file_(file), diag_(diag) {}

  Choices read() {
    for (uint32_t number = 1; number <= file_.lineCount(); ++number) {
      LineReader line(file_.line(number), file_.lineStart(number), diag_);
      if (line.atEnd()) continue;
      const size_t from = line.position();
      if (line.take('['))
        heading(line, from);
      else
        entry(line, from);
    }
    Choices choices(std::move(entries_));
    choices.labels = std::move(labels_);
    choices.lines = std::move(lines_);
    return choices;
  }

private:
  void heading(LineReader& line, size_t from) {
    constexpr const char* form =
        "a part begins with `[function]`, `[function.\"text of a line\"]` or `[function.label.NAME]`";
    place_ = {};
    isLabel_ = false;
    place_.function = line.name();
    if (place_.function.empty()) return line.error(from, form);
    if (line.take('@')) { // one of several schedules of the function's
      const std::string_view schedule = line.name();
      if (schedule.empty() || !line.take('.') || line.name() != "label")
        return line.error(
            from, "one of several schedules says how labels are run: `[function@schedule.label.NAME]`");
      place_.function += fmt::format("@{}", schedule);
      return labelHeading(line, from);
    }
    if (line.take('.')) {
      if (line.name() == "label") return labelHeading(line, from);
      const std::optional<std::string> text = line.quoted();
      if (!text || text->empty()) return line.error(from, form);
      place_.line = *text;
      if (line.take('.')) {
        const std::string_view nth = line.digits();
        if (nth.empty() || nth.size() > 6 || nth[0] == '0')
          return line.error(from, "the second line of a text is `[function.\"text\".2]`");
        place_.nth = std::stoi(std::string(nth));
      }
    }
    if (!line.take(']') || !line.atEnd()) return line.error(from, form);
    place_.place = line.span(from);
    const auto [known, isNew] =
        places_.emplace(std::tuple(place_.function, place_.line, place_.nth), place_.place);
    if (!isNew)
      diag_.report(DiagId::BadSchedule, place_.place, "this part stands twice in the file")
          .note(known->second, "the first one is here");
  }

  void labelHeading(LineReader& line, size_t from) {
    const std::string_view label = line.take('.') ? line.name() : std::string_view();
    if (label.empty() || !line.take(']') || !line.atEnd())
      return line.error(from, "a part about a label is `[function.label.NAME]`");
    isLabel_ = true;
    labels_.push_back(fmt::format("{}.{}=", place_.function, label));
  }

  static bool isTruth(std::string_view key) { return key == "reduce" || key == "unroll"; }
  static bool isWord(std::string_view key) { return key == "threads" || key == "tpb" || isTruth(key); }

  /// `threads = 128` or `threads = N`, `tpb = 64`, `reduce = true`: a word of what --par takes.
  static void addWord(LineReader& line, size_t from, const std::string& key, std::string& words) {
    std::string value(line.digits());
    if (value.empty()) value = line.name();
    const bool hasTruth = value == "true" || value == "false";
    if (!isWord(key) || value.empty() || !line.atEnd() || hasTruth != isTruth(key))
      return line.error(
          from, "of a label there are `threads = 128`, `tpb = 64`, `reduce = true` and `unroll = true`");
    if (value == "false") return;
    words +=
        fmt::format("{}{}({})", words.empty() || words.ends_with('=') ? "" : ".", key, hasTruth ? "" : value);
  }

  void labelEntry(LineReader& line, size_t from) {
    const std::string key(line.name());
    if (!line.take('=')) return line.error(from, "an entry has the form `threads = 128`");
    addWord(line, from, key, labels_.back());
  }

  void entry(LineReader& line, size_t from) {
    if (isLabel_) return labelEntry(line, from);
    ScheduleEntry e = place_;
    e.key = line.name();
    if (e.key.empty() || !line.take('=')) return line.error(from, "an entry has the form `lanes = 128`");
    if (e.function.empty()) return line.error(from, "this entry stands below no `[function]`");
    if (!e.line.empty() && isWord(e.key)) {
      const bool isMore = !lines_.empty() && lines_.back().function == e.function &&
                          lines_.back().line == e.line && lines_.back().nth == e.nth;
      if (!isMore) lines_.push_back({e.function, e.line, e.nth, ""});
      return addWord(line, from, e.key, lines_.back().words);
    }
    if (!e.line.empty() && !keyNamed(e.key)) return unknownKey(line, from, e.key);
    line.blanks();
    const size_t valueFrom = line.position();
    if (std::optional<std::string> text = line.quoted())
      e.value = '"' + *text + '"';
    else if (const std::string_view digits = line.digits(); !digits.empty())
      e.value = digits;
    else
      e.value = line.name();
    if (line.failed()) return;
    if (!line.atEnd() || !isValue(e)) {
      const Key* key = e.line.empty() ? nullptr : keyNamed(e.key);
      return line.error(valueFrom, fmt::format("`{}` is {}", e.key,
                                               key                    ? fmt::format("one of {}", key->values)
                                               : e.key == "num_warps" ? "an integer from 1 to 32"
                                                                      : "a positive integer"));
    }
    e.value.erase(std::remove(e.value.begin(), e.value.end(), '"'), e.value.end());
    e.where = line.span(from);
    for (const ScheduleEntry& other : entries_)
      if (other.place == e.place && other.key == e.key)
        return line.error(from, fmt::format("`{}` is given twice", e.key));
    entries_.push_back(std::move(e));
  }

  static void unknownKey(LineReader& line, size_t from, const std::string& key) {
    std::vector<std::string_view> names;
    for (const Key& k : keys) names.push_back(k.name);
    const auto nearest = nearestName(key, names);
    line.error(from, nearest
                         ? fmt::format("unknown choice `{}`; did you mean `{}`?", key, *nearest)
                         : fmt::format("unknown choice `{}`; known are `{}`", key, fmt::join(names, "`, `")));
  }

  static bool isValue(const ScheduleEntry& e) {
    const bool isNumber = !e.value.empty() && e.value.size() < 10 && e.value[0] >= '1' && e.value[0] <= '9';
    const int number = isNumber ? std::stoi(e.value) : 0;
    if (e.line.empty()) return isNumber && (e.key != "num_warps" || number <= 32);
    if (e.key == "lanes") return number >= 32 && number <= 1024 && number % 32 == 0;
    if (e.key == "steps") return number >= 1 && number <= 64;
    if (e.key == "masks" || e.key == "keys" || e.key == "repeat" || e.key == "rows" || e.key == "tiles" ||
        e.key == "settle")
      return number >= 1 && number <= 1 << 28;
    if (e.key == "graph" || e.key == "host" || e.key == "overlap" || e.key == "vectors" || e.key == "fit")
      return e.value == "true" || e.value == "false";
    return e.value.starts_with('"') && keyNamed(e.key)->values.find(e.value) != std::string_view::npos;
  }

  const Source& file_;
  Diagnostics& diag_;
  ScheduleEntry place_; ///< of the part that is being read
  std::map<std::tuple<std::string, std::string, int>, Span> places_;
  std::vector<ScheduleEntry> entries_;
  bool isLabel_ = false; ///< the part is about a label
  std::vector<std::string> labels_;
  std::vector<ScheduledLine> lines_;
};

/// As in the file: words in quotes.
std::string valueText(const std::string& value) {
  const bool plain =
      value == "true" || value == "false" || std::isdigit(static_cast<unsigned char>(value[0]));
  return plain ? value : '"' + value + '"';
}

std::string headingText(const Question& q) {
  if (q.line.empty()) return fmt::format("[{}]", q.function);
  std::string text;
  for (const char c : q.line) text += c == '"' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
  return fmt::format("[{}.\"{}\"{}]", q.function, text, q.nth > 1 ? fmt::format(".{}", q.nth) : "");
}

std::vector<std::string> valueTexts(const Question& q) {
  std::vector<std::string> all;
  for (const std::string& value : q.open) all.push_back(valueText(value));
  return all;
}

void checkEntry(const Choices& choices, const ScheduleEntry& e, bool cuda, Diagnostics& diag) {
  if (const Question* q = choices.questionOf(e)) {
    if (q->answer != e.value)
      diag.report(DiagId::UnusedSchedule, e.where,
                  fmt::format("`{}` cannot be {} here; open are {}", e.key, valueText(e.value),
                              fmt::join(valueTexts(*q), ", ")));
    return;
  }
  if (e.line.empty()) {
    diag.report(DiagId::UnusedSchedule, e.where,
                fmt::format("`{}` is no constant that `tune` or `configs` of `{}` names", e.key, e.function));
    return;
  }
  if (keyNamed(e.key)->target == (cuda ? Cpu : Cuda)) return;
  std::vector<std::string> open;
  for (const Question& q : choices.questions())
    if (q.function == e.function && q.line == e.line && q.nth == e.nth) open.push_back(q.key);
  diag.report(DiagId::UnusedSchedule, e.where,
              open.empty() ? fmt::format("nothing is open at this line, so that `{}` changes nothing", e.key)
                           : fmt::format("`{}` is not open at this line; open are `{}`", e.key,
                                         fmt::join(open, "`, `")));
}

} // namespace

Choices readChoices(const Source& file, Diagnostics& diag) { return ScheduleReader(file, diag).read(); }

void checkSchedule(const Choices& choices, bool cuda, Diagnostics& diag) {
  std::set<uint32_t> stale;
  for (const ScheduleEntry& e : choices.entries()) {
    const std::string problem = choices.staleness(e);
    if (problem.empty())
      checkEntry(choices, e, cuda, diag);
    else if (stale.insert(e.place.begin).second)
      diag.report(DiagId::StaleSchedule, e.place, problem);
  }
}

std::string scheduleText(const Choices& choices) {
  std::vector<const Question*> order;
  for (const Question& q : choices.questions()) order.push_back(&q);
  std::stable_sort(order.begin(), order.end(), [](const Question* a, const Question* b) {
    return std::tie(a->function, a->lineNumber) < std::tie(b->function, b->lineNumber);
  });
  std::string text, last;
  for (const Question* q : order) {
    const std::string heading = headingText(*q);
    if (heading != last)
      text += fmt::format("{}{}{}\n", text.empty() ? "" : "\n", heading,
                          q->lineNumber ? fmt::format("  # line {}", q->lineNumber) : "");
    last = heading;
    const std::string open = fmt::format("{}", fmt::join(valueTexts(*q), ", "));
    text += q->answer.empty()
                ? fmt::format("# {}: {}; not the same for all that becomes of the line\n", q->key, open)
                : fmt::format("{} = {}  # {}\n", q->key, valueText(q->answer), open);
  }
  return text;
}

} // namespace appyc::driver
