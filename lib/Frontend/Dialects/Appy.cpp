//===- Appy.cpp - APPy's pragma comments -----------------------------------------------------------===//
//   pragma      = "#pragma" ( loop | statement )
//   loop        = "parallel" ["for"] { clause } | ("simd" | "workshare") ["(" size ")"] { clause }
//               | "sequential for" | "parallel for single"   (the second: older spelling of the first)
//   clause      = "simd" ["(" size ")"] | "block" "(" size ")" | "num_warps" "(" integer ")"
//               | "reduction" [ "(" ("+" | "*" | "max" | "min") ":" names ")" ]
//               | ("shared" | "to" | "from" | "tofrom" | "global") "(" names ")"
//   statement   = "atomic" { dimension } | dimension { dimension }
//   dimension   = [bound] ":" bound [":" step] "=>" [ property { "," property } ]
//   property    = "parallel" | "block" "(" size ")" | "simd" ["(" size ")"] | "single_block" | "in_reg"
//               | "le" "(" size ")" | ("reduce" | "reduction") "(" ("sum" | "max" | "min") [":" name] ")"
//   size        = integer | name
// Source: APPy (Zhou, Shirako, Sarkar, CC 2024).
#include "AppyOld.h"
#include "Dialects.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace appyc::frontend {

namespace {

using CalleeNames = std::vector<std::string_view>;
const CalleeNames loopWords{"parallel", "simd", "workshare", "sequential"};
const CalleeNames firstWords{"parallel", "simd", "workshare", "sequential", "atomic"};
const CalleeNames clauseWords{
#define CLAUSE(name, form, meaning) name,
#include "Appy.def"
};
const CalleeNames clauseSpellings{
#define CLAUSE(name, form, meaning) name,
#define OTHER_CLAUSE(name, form, meaning) name,
#include "Appy.def"
};
const CalleeNames propertyWords{
#define PROPERTY(name, form, meaning) name,
#include "Appy.def"
};
const CalleeNames propertySpellings{
#define PROPERTY(name, form, meaning) name,
#define OTHER_PROPERTY(name, form, meaning) name,
#include "Appy.def"
};
const CalleeNames reductionWords{"sum", "max", "min"};

/// Words of APPy's prototypes, with those of today.
struct OtherForm {
  std::string_view start, advice;
};
constexpr std::array otherProperties{OtherForm{"p", "parallel"}, OtherForm{"b", "block"},
                                     OtherForm{"auto_simd", "simd"}};
constexpr std::array loopOperators{OtherForm{"+", "sum"}, OtherForm{"*", "prod"}, OtherForm{"max", "max"},
                                   OtherForm{"min", "min"}};

template <class Table> const OtherForm* otherForm(const Table& table, std::string_view start) {
  for (const OtherForm& form : table)
    if (form.start == start) return &form;
  return nullptr;
}

bool contains(const CalleeNames& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
std::string quotedList(const CalleeNames& names) { return fmt::format("`{}`", fmt::join(names, "`, `")); }

/// Reads one pragma; `ok()` tells whether all of it was understood.
class AppyReader {
public:
  explicit AppyReader(Diagnostics& diag) : diag_(diag) {}

  Directive read(const Piece& body, Span where);

private:
  Diagnostic& error(const Piece& at, std::string message) {
    failed_ = true;
    return diag_.report(DiagId::UnknownPragma, at.span(), std::move(message));
  }
  void unknownWord(const Piece& word, std::string_view role, const CalleeNames& known,
                   const CalleeNames& spellings);
  bool notTwice(const Piece& word, std::string_view meaning);
  bool noArgument(const CallText& call);
  std::optional<std::string> size(const CallText& call);
  std::optional<int> warps(const CallText& call);

  ast::LoopDirective loop(const std::vector<Piece>& words);
  void clause(const Piece& word, ast::LoopDirective& out);
  void vectorClause(const CallText& call, const Piece& word, ast::LoopDirective& out);
  void reductionClause(const CallText& call, const Piece& word, ast::LoopDirective& out);
  void nameClause(const CallText& call, ast::LoopDirective& out);
  void sequential(const std::vector<Piece>& words);
  void unknownPragma(const Piece& first);
  void oldPragma(const PresentForm& form, const Piece& body, Span comment);
  void oldSingle(const Piece& body, const Piece& single);

  ast::StatementDirective statement(const std::vector<Piece>& words);
  ast::DimDirective dimension(const Piece& text);
  void bounds(const Piece& text, ast::DimDirective& out);
  void property(const Piece& text, ast::DimDirective& out);
  void reduction(const CallText& call, ast::DimDirective& out);

  Diagnostics& diag_;
  bool failed_ = false;
  std::set<std::string_view> seen_; // clauses or properties so far
};

//===- words --------------------------------------------------------------------------------------===//

/// Joins what blanks separated but belongs together: `block (4)`, `:M => parallel, block(4)`.
std::vector<Piece> joinedWords(const Piece& body) {
  std::vector<Piece> joined;
  for (const Piece& word : body.words()) {
    const std::string_view text = word.text;
    const std::string_view last = joined.empty() ? std::string_view() : joined.back().text;
    const bool continues = text.starts_with('(') || text.starts_with(',') || text.starts_with("=>");
    const bool expected =
        last.ends_with(',') || (last.ends_with("=>") && text.find("=>") == std::string_view::npos);
    if (!joined.empty() && (continues || expected))
      joined.back() =
          body.sub(joined.back().begin - body.begin, word.begin - joined.back().begin + text.size());
    else
      joined.push_back(word);
  }
  return joined;
}

void AppyReader::unknownWord(const Piece& word, std::string_view role, const CalleeNames& known,
                             const CalleeNames& spellings) {
  Piece name = word.sub(0, word.leadingName().size());
  if (name.empty()) name = word;
  const std::optional<std::string_view> nearest = nearestName(name.text, spellings);
  if (nearest)
    error(name, fmt::format("unknown {} `{}`; did you mean `{}`?", role, name.text, *nearest))
        .replaceWith(name.span(), std::string(*nearest));
  else
    error(word, fmt::format("unknown {} `{}`; known are {}", role, word.text, quotedList(known)));
}

bool AppyReader::notTwice(const Piece& word, std::string_view meaning) {
  if (seen_.insert(meaning).second) return true;
  error(word, fmt::format("`{}` is given twice", meaning));
  return false;
}

bool AppyReader::noArgument(const CallText& call) {
  if (!call.argument) return true;
  error(*call.argument, fmt::format("`{}` takes no argument", call.name.text));
  return false;
}

/// The size between the parentheses: a positive integer or the name of a constant.
std::optional<std::string> AppyReader::size(const CallText& call) {
  if (!call.argument) {
    error(call.name, fmt::format("`{}` needs a size: `{}(256)`", call.name.text, call.name.text));
    return {};
  }
  const std::string_view text = call.argument->text;
  const bool positive =
      isInteger(text) && text.find_first_not_of('0') != std::string_view::npos && text.size() < 10;
  if (!positive && !isIdentifier(text)) {
    error(
        text.empty() ? call.name : *call.argument,
        fmt::format("the size of `{}` must be a positive integer or the name of a constant", call.name.text));
    return {};
  }
  return std::string(text);
}

std::optional<int> AppyReader::warps(const CallText& call) {
  constexpr int mostWarps = 32; // 1024 threads, the most that a block has
  int count = 0;
  const std::string_view text = call.argument ? call.argument->text : std::string_view();
  std::from_chars(text.data(), text.data() + text.size(), count);
  if (isInteger(text) && count >= 1 && count <= mostWarps) return count;
  error(call.argument && !text.empty() ? *call.argument : call.name,
        fmt::format("`num_warps` needs an integer from 1 to {}: `num_warps(8)`", mostWarps));
  return {};
}

//===- pragmas on loops ---------------------------------------------------------------------------===//

/// `simd`, `simd(n)`, `block(n)`; `simd block(n)` says the length of the one vector that `simd` asks for.
void AppyReader::vectorClause(const CallText& call, const Piece& word, ast::LoopDirective& out) {
  const bool isBlock = call.name.text == "block";
  if (isBlock && (!call.argument || call.argument->text == "auto")) { // 2023's prototypes
    error(word, "`block` needs a size here; write `simd` for a length that appyc chooses")
        .replaceWith(word.span(), "simd");
    return;
  }
  if (out.vectorLength && call.argument)
    error(word, fmt::format("the vector length is given twice: `{}` and `{}`", *out.vectorLength,
                            call.argument->text));
  else if (notTwice(word, isBlock ? "block" : "simd") && call.argument)
    out.vectorLength = size(call);
  out.mark = ast::LoopMark::ParallelSimd;
}

/// `reduction`, `reduction(+:s, t)`.
void AppyReader::reductionClause(const CallText& call, const Piece& word, ast::LoopDirective& out) {
  if (!call.argument) {
    notTwice(word, "reduction");
    out.reduction = true;
    return;
  }
  const size_t colon = call.argument->find(":");
  if (colon == std::string_view::npos) {
    error(word, "the operation is missing, as in `reduction(+:total)`; appyc also finds it by itself")
        .replaceWith(word.span(), "reduction");
    return;
  }
  const Piece op = call.argument->sub(0, colon).trimmed();
  const OtherForm* known = otherForm(loopOperators, op.text);
  if (!known) {
    error(op, fmt::format("unknown reduction `{}`; known are `+`, `*`, `max`, `min`", op.text));
    return;
  }
  for (const Piece& name : call.argument->sub(colon + 1).split(',')) {
    if (!isIdentifier(name.text))
      error(name.empty() ? word : name, "`reduction` takes names: `reduction(+:total)`");
    else
      out.reductions.push_back({std::string(known->advice), std::string(name.text), name.span()});
  }
  out.reduction = true;
}

/// `shared(n)`, `to(a, b)`.
void AppyReader::nameClause(const CallText& call, ast::LoopDirective& out) {
  const std::vector<Piece> names = call.argument ? call.argument->split(',') : std::vector<Piece>();
  if (names.empty()) error(call.name, fmt::format("`{0}` needs names: `{0}(x)`", call.name.text));
  for (const Piece& name : names) {
    if (!isIdentifier(name.text))
      error(name.empty() ? call.name : name, fmt::format("`{0}` takes names: `{0}(x)`", call.name.text));
    else
      out.names.push_back({std::string(call.name.text), std::string(name.text), name.span()});
  }
}

void AppyReader::clause(const Piece& word, ast::LoopDirective& out) {
  const std::optional<CallText> call = readCall(word);
  const std::string_view name = call ? call->name.text : word.leadingName();
  if (word.find("=>") != std::string_view::npos)
    error(word, "a dimension belongs to an assignment; put it into a pragma above that assignment");
  else if (!call)
    unknownWord(word, "clause", clauseWords, clauseSpellings);
  else if (name == "simd" || name == "block")
    vectorClause(*call, word, out);
  else if (name == "reduction")
    reductionClause(*call, word, out);
  else if (name == "num_warps") {
    if (notTwice(word, name)) out.warps = warps(*call);
  } else if (name == "for")
    error(word, "`for` stands after `parallel` or `sequential` only");
  else if (contains(clauseSpellings, name))
    nameClause(*call, out);
  else if (name == "private")
    error(word, "leave `private` out: scalars assigned in the loop are each iteration's own")
        .replaceWith(word.span(), "");
  else if (name == "auto_simd")
    error(word, "unknown clause `auto_simd`; write `simd`").replaceWith(word.span(), "simd");
  else
    unknownWord(word, "clause", clauseWords, clauseSpellings);
}

void AppyReader::sequential(const std::vector<Piece>& words) {
  if (words.size() == 1)
    error(words[0], "expected `for` after `sequential`").replaceWith(words[0].span(), "sequential for");
  else if (words[1].text != "for")
    error(words[1], fmt::format("expected `for` after `sequential`, not `{}`", words[1].text));
  else if (words.size() > 2)
    error(words[2], "nothing can follow `sequential for`: one worker runs the whole loop");
}

ast::LoopDirective AppyReader::loop(const std::vector<Piece>& words) {
  ast::LoopDirective out;
  const std::string_view kind = words[0].leadingName();
  if (kind == "sequential") {
    out.mark = ast::LoopMark::Sequential;
    sequential(words);
    return out;
  }
  if (kind == "simd" || kind == "workshare") {
    const std::optional<CallText> call = readCall(words[0]);
    if (call)
      vectorClause(*call, words[0], out);
    else
      unknownWord(words[0], "pragma", firstWords, firstWords);
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i].text == "for")
        error(words[i], fmt::format("write `{}` without `for`", kind));
      else
        clause(words[i], out);
    }
    out.mark = ast::LoopMark::Simd;
    return out;
  }
  out.mark = ast::LoopMark::Parallel;
  if (words[0].text != kind) error(words[0], "`parallel` takes no argument");
  const size_t first = words.size() > 1 && words[1].text == "for" ? 2 : 1;
  if (words.size() > first && words[first].text == "single") {
    out.mark = ast::LoopMark::Sequential;
    if (words.size() > first + 1)
      error(words[first + 1], "nothing can follow `single`: one worker runs the whole loop");
    oldSingle(words[0], words[first]);
    return out;
  }
  for (size_t i = first; i < words.size(); ++i) clause(words[i], out);
  return out;
}

//===- pragmas on assignments ---------------------------------------------------------------------===//

void AppyReader::bounds(const Piece& text, ast::DimDirective& out) {
  const size_t colon = text.find(":");
  if (colon == std::string_view::npos) {
    error(text, fmt::format("a dimension has the form `low:up`; write `:{}`", text.text))
        .replaceWith(text.span(), fmt::format(":{}", text.text));
    return;
  }
  const Piece low = text.sub(0, colon).trimmed();
  Piece up = text.sub(colon + 1).trimmed(), step = up.sub(up.text.size());
  if (const size_t second = up.find(":"); second != std::string_view::npos) {
    step = up.sub(second + 1).trimmed();
    up = up.sub(0, second).trimmed();
    if (!isInteger(step.text) || step.text.find_first_not_of('0') == std::string_view::npos)
      error(text, "the step of a dimension is a positive integer, as in `1:N:2=>parallel`");
  }
  if (up.empty()) error(text, "the upper bound of a dimension is missing, as in `:N=>parallel`");
  const int errorsBefore = diag_.errorCount();
  for (const Piece& bound : {low, up})
    if (!bound.empty() && !failed_) parseExpression(bound.text, bound.span(), diag_);
  failed_ = failed_ || diag_.errorCount() != errorsBefore;
  out.low = std::string(low.text);
  out.up = std::string(up.text);
  out.step = std::string(step.text);
}

void AppyReader::reduction(const CallText& call, ast::DimDirective& out) {
  const std::vector<Piece> parts = call.argument ? call.argument->split(':') : std::vector<Piece>{};
  if (parts.empty()) {
    error(call.name, fmt::format("`{0}` needs an operation: `{0}(sum)`", call.name.text));
    return;
  }
  const std::string_view op = parts[0].text == "+" ? "sum" : parts[0].text;
  if (op != parts[0].text)
    error(parts[0], "write `sum` for `+`").replaceWith(parts[0].span(), "sum");
  else if (op != "sum" && op != "max" && op != "min")
    unknownWord(parts[0], "reduction", reductionWords, reductionWords);
  if (parts.size() > 2 || (parts.size() == 2 && !isIdentifier(parts[1].text)))
    error(*call.argument, "one target name can follow the operation: `reduce(sum:total)`");
  ast::ReduceClause clause{std::string(op), {}, call.name.span()};
  clause.where.end = call.argument->span().end + 1;
  if (parts.size() == 2) clause.target = std::string(parts[1].text);
  for (const ast::ReduceClause& earlier : out.reduces)
    if (earlier.op == clause.op) error(call.name, fmt::format("`{}({})` is given twice", call.name.text, op));
  out.reduces.push_back(std::move(clause));
}

void AppyReader::property(const Piece& text, ast::DimDirective& out) {
  const std::optional<CallText> call = readCall(text);
  const std::string_view name = call ? call->name.text : text.leadingName();
  const bool blocks = name == "block" || name == "simd" || name == "le";
  if (text.empty()) {
    error(text, fmt::format("expected a property beside the comma; known are {}", quotedList(propertyWords)));
  } else if (!call && blocks && text.text.ends_with(']')) {
    const size_t open = text.text.find('[');
    const std::string round =
        fmt::format("{}({})", name, text.text.substr(open + 1, text.text.size() - open - 2));
    error(text, fmt::format("write `{}` with parentheses: `{}`", name, round))
        .replaceWith(text.span(), round);
  } else if (!call) {
    unknownWord(text, "property", propertyWords, propertySpellings);
  } else if (name == "parallel") {
    out.parallel = noArgument(*call) && notTwice(text, "parallel");
  } else if (blocks) {
    if (!notTwice(text, "block")) return;
    out.blockIsMvl = name == "simd" && !call->argument;
    if (!out.blockIsMvl) out.block = size(*call);
    out.promised = out.promised || name == "le";
    out.singleBlock = out.singleBlock || out.promised;
  } else if (name == "single_block" || name == "in_reg") {
    out.singleBlock = noArgument(*call) && notTwice(text, "single_block");
  } else if (name == "reduce" || name == "reduction") {
    reduction(*call, out);
  } else if (name == "r" && call->argument) {
    const std::string present = presentReductions(*call->argument);
    error(text, fmt::format("unknown property `r`; write `{}`", present)).replaceWith(text.span(), present);
  } else if (const OtherForm* form = otherForm(otherProperties, name)) {
    error(call->name, fmt::format("unknown property `{}`; write `{}`", name, form->advice))
        .replaceWith(call->name.span(), std::string(form->advice));
  } else {
    unknownWord(text, "property", propertyWords, propertySpellings);
  }
}

ast::DimDirective AppyReader::dimension(const Piece& text) {
  ast::DimDirective out;
  out.where = text.span();
  const size_t arrow = text.find("=>");
  bounds(text.sub(0, arrow).trimmed(), out);
  seen_.clear();
  for (const Piece& part : text.sub(arrow + 2).split(',')) property(part, out);
  // A block that covers the dimension promises its size, as le(n) does.
  out.promised = out.singleBlock && out.block.has_value();
  return out;
}

ast::StatementDirective AppyReader::statement(const std::vector<Piece>& words) {
  ast::StatementDirective out;
  for (size_t i = 0; i < words.size(); ++i) {
    const Piece& word = words[i];
    if (word.find("=>") != std::string_view::npos) {
      out.dims.push_back(dimension(word));
    } else if (word.text == "atomic" && i == 0) {
      out.atomic = true;
    } else if (word.text == "atomic") {
      error(word, "`atomic` stands first in the pragma");
    } else if (nearestName(word.leadingName(), propertySpellings) && i > 0) {
      error(word, "properties of a dimension are separated by commas: `:N=>parallel,block(4)`");
    } else {
      error(word, fmt::format("expected a dimension such as `:N=>parallel`, not `{}`", word.text));
    }
  }
  return out;
}

//===- the pragma ---------------------------------------------------------------------------------===//

void AppyReader::unknownPragma(const Piece& first) {
  if (first.find(":") != std::string_view::npos)
    error(first, "expected `=>` after the dimension, as in `:N=>parallel`");
  else
    unknownWord(first, "pragma",
                {"parallel for", "simd", "workshare", "sequential for", "atomic", ":N=>parallel"},
                firstWords);
}

/// The pragma is of a prototype: the fix writes it as today, or removes the comment.
void AppyReader::oldPragma(const PresentForm& form, const Piece& body, Span comment) {
  Diagnostic& d = error(body, fmt::format("this form of pragma is of a prototype of APPy; {}", form.advice));
  if (!form.text) return;
  if (form.text->empty())
    d.replaceWith(comment, "");
  else
    d.replaceWith(body.span(), *form.text);
}

void AppyReader::oldSingle(const Piece& first, const Piece& single) {
  const Span where{first.span().begin, single.span().end};
  diag_.report(DiagId::Deprecated, where, "`parallel for single` is an older spelling of `sequential for`")
      .replaceWith(where, "sequential for");
}

Directive AppyReader::read(const Piece& body, Span where) {
  Directive result;
  const std::vector<Piece> words = joinedWords(body);
  const std::string_view first = words[0].leadingName();
  if (!body.balanced()) {
    error(body, "the brackets of the pragma do not match");
  } else if (contains(loopWords, first) && words[0].find("=>") == std::string_view::npos) {
    ast::LoopDirective directive = loop(words);
    directive.where = where;
    result = std::move(directive);
  } else if (words[0].text == "atomic" || words[0].find("=>") != std::string_view::npos) {
    ast::StatementDirective directive = statement(words);
    directive.where = where;
    result = std::move(directive);
  } else if (const std::optional<PresentForm> form = presentForm(body)) {
    oldPragma(*form, body, where);
  } else {
    unknownPragma(words[0]);
  }
  return failed_ ? Directive(BadDirective{}) : result;
}

/// Whether `word` is a misspelt `pragma` and what follows makes clear that one was meant.
bool looksLikePragma(const Piece& word, const Piece& body) {
  const std::vector<Piece> words = body.words();
  if (words.empty() || word.text.size() < 5) return false;
  std::string lower(word.text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  const bool near = nearestName(lower, {"pragma"}).has_value() || lower == "pragma";
  const bool follows =
      words[0].find("=>") != std::string_view::npos || contains(firstWords, words[0].leadingName());
  return near && follows;
}

} // namespace

std::optional<Directive> readAppyPragma(const Piece& comment, Diagnostics& diag) {
  const Piece inner = comment.sub(1).trimmed();
  const size_t length = inner.text.find_first_of(" \t");
  const Piece word = inner.sub(0, length);
  const Piece body = inner.sub(word.text.size()).trimmed();
  if (body.empty()) return {};
  if (word.text == "pragma") return AppyReader(diag).read(body, comment.trimmed().span());
  if (!looksLikePragma(word, body)) return {};
  diag.report(DiagId::UnknownPragma, word.span(),
              fmt::format("`{}` is not read as a pragma; did you mean `pragma`?", word.text))
      .replaceWith(word.span(), "pragma");
  return BadDirective{};
}

} // namespace appyc::frontend
