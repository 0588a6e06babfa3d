//===- Labels.cpp - how loops that have a name are run ------------------------------------------------===//
//   schedule = entry { "," entry }         entry = [ function [ "@" schedule ] "." ] label "=" chain
//   chain    = word "(" [ n ] ")" { "." word "(" [ n ] ")" }
//   word     = "threads" | "reduce" | "par_reduction" | "tpb" | "unroll"
#include "Labels.h"
#include "Dialects.h"
#include "Imports.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace appyc::frontend {

namespace {

bool readWord(const CallText& call, LabelEntry& entry, Diagnostics& diag) {
  const auto error = [&](const Piece& at, std::string message) {
    diag.report(DiagId::BadDirective, at.span(), std::move(message));
    return false;
  };
  const std::string_view word = call.name.text;
  const Piece argument = call.argument ? call.argument->trimmed() : Piece{};
  int number = 0;
  std::from_chars(argument.text.data(), argument.text.data() + argument.text.size(), number);
  if (word == "threads") {
    if (argument.empty() || (number < 1 && (isInteger(argument.text) || argument.text.starts_with('-'))))
      return error(call.name, "`threads` needs a positive count: `threads(128)`");
    if (!entry.threads.empty()) return error(call.name, "`threads` is given twice");
    entry.threads = std::string(argument.text);
  } else if (word == "tpb") {
    constexpr int warp = 32, most = 1024;
    if (!isInteger(argument.text) || number < warp || number > most || number % warp != 0)
      return error(call.name, "`tpb` needs a multiple of 32 up to 1024: `tpb(128)`");
    entry.warps = number / warp;
  } else if (word == "unroll") {
    if (!argument.empty()) return error(argument, "`unroll` takes no argument"); // nvcc does so by itself
  } else if (word == "reduce" || word == "par_reduction") {
    if (!argument.empty()) return error(argument, fmt::format("`{}` takes no argument", word));
    entry.reduces = true;
  } else {
    return error(call.name,
                 fmt::format("unknown word `{}` in a schedule; known are `threads(n)`, `reduce()`, "
                             "`tpb(n)`, `unroll()`",
                             word));
  }
  return true;
}

/// `threads(128).reduce()`, behind names of modules.
bool readChain(const Piece& chain, LabelEntry& entry, Diagnostics& diag) {
  bool any = false;
  for (const Piece& part : chain.split('.')) {
    const std::optional<CallText> call = readCall(part);
    if (!any && call && !call->argument && part.text.find('(') == std::string_view::npos) continue;
    if (!call || part.text.find('(') == std::string_view::npos) {
      diag.report(
          DiagId::BadDirective, part.empty() ? chain.span() : part.span(),
          fmt::format("`{}` is no schedule of a loop; write `threads(128)` or `threads(128).reduce()`",
                      chain.text));
      return false;
    }
    if (!readWord(*call, entry, diag)) return false;
    any = true;
  }
  if (!any)
    diag.report(DiagId::BadDirective, chain.span(), "a schedule begins with `threads(n)` or `reduce()`");
  return any;
}

/// What names of a file stand for where it makes schedules.
class ScheduleCallReader {
public:
  ScheduleCallReader(const Source& source, Node root, const std::vector<ast::Import>& imports,
                     Diagnostics& diag)
      : source_(source), root_(root), imports_(imports), diag_(diag) {}

  std::string path(Node callee) const {
    return nameInFull(std::string(source_.text(callee.span())), imports_);
  }
  bool isOfParpy(Node call) const {
    return call.is("call") && path(call.field("function")).starts_with("parpy.");
  }

  /// `opts.max_thread_blocks_per_cluster = 4`: what ParPy's compiler is told. It changes no result; what it refuses is refused.
  void option(Node target, Node value) {
    constexpr std::string_view known[] = {"parallelize",
                                          "backend",
                                          "use_cuda_thread_block_clusters",
                                          "max_thread_blocks_per_cluster",
                                          "use_cuda_graphs",
                                          "force_int_size",
                                          "force_float_size",
                                          "includes",
                                          "libs",
                                          "extra_flags",
                                          "debug_print",
                                          "write_output",
                                          "verbose_backend_resolution",
                                          "max_unroll_count",
                                          "implicit_shape_labels"};
    const std::string_view name = source_.text(target.field("attribute").span());
    const std::string_view given = source_.text(value.span());
    const auto error = [&](Node at, std::string text) {
      diag_.report(DiagId::BadDirective, at.span(), std::move(text));
    };
    int blocks = 0;
    std::from_chars(given.data(), given.data() + given.size(), blocks);
    if (std::ranges::find(known, name) == std::end(known)) {
      const auto nearest = nearestName(name, {std::begin(known), std::end(known)});
      error(target, fmt::format("ParPy has no option `{}`{}", name,
                                nearest ? fmt::format("; did you mean `{}`?", *nearest) : ""));
    } else if (name == "max_thread_blocks_per_cluster" && isInteger(given) &&
               (blocks < 1 || (blocks & (blocks - 1)) != 0)) {
      error(value, "the blocks of a cluster are a power of two: 1, 2, 4, 8");
    } else if (name == "parallelize") {
      error(target, "schedules are given where options are made: `parpy.par({'N': parpy.threads(128)})`");
    } else if (name == "backend" && given.ends_with("Metal")) {
      error(value, "there is no code for Metal here; `--target` says what is made");
    } else if (name.ends_with("_clusters") || name.ends_with("_per_cluster") || name == "use_cuda_graphs") {
      diag_.report(DiagId::Ignored, target.span(),
                   fmt::format("`{}` has no effect: the grid and the block of a schedule are kept, and how "
                               "launches are grouped is chosen here",
                               name));
    } else if (name.starts_with("force_")) {
      diag_.report(DiagId::Ignored, target.span(),
                   fmt::format("`{}` has no effect: numbers are those that Python and NumPy compute", name));
    }
  }

  /// `opts` of `opts.max_unroll_count = 1`, where it is `parpy.par({...})`.
  bool isOptions(Node name) const {
    const Node par = name.is("identifier") ? meaning(name) : Node();
    return isOfParpy(par) && path(par.field("function")) == "parpy.par";
  }

  /// Does the program ask something of the name, as `p.is_parallel()`? Then it is no schedule alone.
  bool isAsked(std::string_view name) const {
    bool found = false;
    walk(root_, [&](Node node, size_t) {
      const Node callee = node.is("call") ? node.field("function") : Node();
      const Node object = callee.is("attribute") ? callee.field("object") : Node();
      found |= object.is("identifier") && source_.text(object.span()) == name;
      return !found;
    });
    return found;
  }

  std::vector<LabelEntry> entries(const std::string& function, Node options) {
    std::vector<LabelEntry> all;
    const Node par = meaning(options);
    const std::vector<Node> given = isOfParpy(par) && path(par.field("function")) == "parpy.par"
                                        ? par.field("arguments").namedChildren()
                                        : std::vector<Node>{};
    const bool isNamed = given.size() == 1 && given[0].is("keyword_argument");
    const Node table = given.size() == 1 ? meaning(isNamed ? given[0].field("value") : given[0]) : Node();
    if (!table.is("dictionary")) {
      diag_.report(
          DiagId::BadDirective, options.span(),
          "`opts` is read before the program runs; write `opts=parpy.par({'N': parpy.threads(128)})`");
      return all;
    }
    for (const Node pair : table.namedChildren()) {
      const std::string_view key =
          pair.is("pair") ? source_.text(pair.field("key").span()) : std::string_view();
      const Node value = pair.is("pair") ? meaning(pair.field("value")) : Node();
      if (key.size() < 2 || !pair.field("key").is("string") || !value) {
        diag_.report(DiagId::BadDirective, pair.span(), "a label in a schedule is a text: `{'N': ...}`");
        continue;
      }
      if (!beginsWithParpy(value)) {
        diag_.report(DiagId::BadDirective, value.span(),
                     fmt::format("`{}` is no schedule that can be read; write all of it, "
                                 "`parpy.threads(128).reduce()`",
                                 source_.text(value.span())));
        continue;
      }
      LabelEntry entry;
      entry.function = function;
      entry.label = std::string(key.substr(1, key.size() - 2));
      entry.where = pair.span();
      if (readChain(Piece{source_.text(value.span()), value.begin(), {}}, entry, diag_)) all.push_back(entry);
    }
    return all;
  }

private:
  /// `parpy.threads(128).reduce()`, not `p.reduce()`.
  bool beginsWithParpy(Node value) const {
    while (value.is("call") || value.is("attribute")) {
      if (path(value).starts_with("parpy.")) return true;
      const Node callee = value.is("call") ? value.field("function") : value;
      if (!callee.is("attribute")) return path(callee).starts_with("parpy.");
      value = value.is("call") ? callee : value.field("object");
    }
    return false;
  }
  /// What a name was last given above, or a function of the file returns whose body is that alone.
  Node meaning(Node value) const {
    if (value.is("call") && value.field("function").is("identifier"))
      for (const Node outer : root_.namedChildren()) {
        const bool isIt = outer.is("function_definition") && source_.text(outer.field("name").span()) ==
                                                                 source_.text(value.field("function").span());
        const std::vector<Node> body = isIt ? outer.field("body").namedChildren() : std::vector<Node>();
        if (body.empty() || !body.back().is("return_statement") || body.back().namedChildren().empty())
          continue;
        return meaning(body.back().namedChildren()[0]);
      }
    if (!value.is("identifier")) return value;
    const std::string_view name = source_.text(value.span());
    Node last;
    walk(root_, [&](Node node, size_t) {
      if (node.is("assignment") && node.begin() < value.begin() && node.field("left").is("identifier") &&
          source_.text(node.field("left").span()) == name)
        last = node.field("right");
      return node.begin() < value.begin();
    });
    return last && last.begin() != value.begin() && !last.is("identifier") ? last : value;
  }

  const Source& source_;
  Node root_;
  const std::vector<ast::Import>& imports_;
  Diagnostics& diag_;
};

} // namespace

void LabelSchedule::add(LabelEntry entry, Diagnostics& diag) {
  for (const LabelEntry& other : entries_) {
    if (other.label != entry.label || other.function != entry.function) continue;
    if (other.origin != entry.origin) return;
    if (other.threads != entry.threads || other.warps != entry.warps || other.reduces != entry.reduces)
      diag.report(
              DiagId::DuplicatePragma, entry.where,
              fmt::format("the label `{}` has two schedules that differ; a function is translated with one",
                          entry.label))
          .note(other.where, "the other is here");
    return;
  }
  entries_.push_back(std::move(entry));
}

void LabelSchedule::readText(std::string_view text, LabelEntry::Origin origin, Diagnostics& diag) {
  for (const Piece& part : Piece{text, 0, Span{}}.split(',')) {
    const size_t equals = part.find("=");
    const Piece name = part.sub(0, equals).trimmed();
    if (equals == std::string_view::npos || name.empty()) {
      diag.report(DiagId::BadDirective, {},
                  fmt::format("--par: `{}` is no schedule; write `N=threads(128).reduce()`", part.text));
      continue;
    }
    LabelEntry entry;
    const size_t dot = name.text.rfind('.');
    if (dot != std::string_view::npos) entry.function = std::string(name.text.substr(0, dot));
    entry.label = std::string(name.text.substr(dot == std::string_view::npos ? 0 : dot + 1));
    entry.origin = origin;
    if (readChain(part.sub(equals + 1).trimmed(), entry, diag)) add(std::move(entry), diag);
  }
}

void LabelSchedule::addFile(const std::string& function, const std::string& label, std::string_view words,
                            Diagnostics& diag) {
  LabelEntry entry;
  entry.function = function;
  entry.label = label;
  entry.origin = LabelEntry::File;
  if (readChain(Piece{words, 0, Span{}}, entry, diag)) add(std::move(entry), diag);
}

void LabelSchedule::readCalls(const Source& source, Node root, const std::vector<ast::Import>& imports,
                              std::set<uint32_t>& statements, std::set<uint32_t>& keywords,
                              Diagnostics& diag) {
  if (!importsParpy(imports)) return;
  ScheduleCallReader reader(source, root, imports, diag);
  std::set<std::string, std::less<>> jitted;
  walk(root, [&](Node node, size_t) {
    if (node.is("decorated_definition") &&
        reader.path(node.namedChildren()[0].namedChildren()[0]) == "parpy.jit")
      jitted.emplace(source.text(node.field("definition").field("name").span()));
    return true;
  });
  walk(root, [&](Node node, size_t) {
    if (node.is("function_definition"))
      walk(node.field("body"), [&](Node part, size_t) {
        if (part.is("call"))
          called_[std::string(source.text(node.field("name").span()))].emplace(
              source.text(part.field("function").span()));
        return true;
      });
    if (node.is("expression_statement")) { // `p = {'N': parpy.threads(128)}`
      const std::vector<Node> parts = node.namedChildren();
      const Node value = parts.size() == 1 && parts[0].is("assignment") ? parts[0].field("right") : Node();
      const Node target = value ? parts[0].field("left") : Node();
      if (target.is("attribute") && reader.isOptions(target.field("object"))) {
        statements.insert(node.begin());
        reader.option(target, value);
      }
      const bool isSchedule = value.is("dictionary") || reader.isOfParpy(value);
      bool makesOne = false;
      if (isSchedule)
        walk(value, [&](Node part, size_t) {
          const std::string path = part.is("call") ? reader.path(part.field("function")) : "";
          makesOne |= path == "parpy.threads" || path == "parpy.par" || path == "parpy.reduce";
          return true;
        });
      if (makesOne && !reader.isAsked(source.text(target.span()))) statements.insert(node.begin());
    }
    if (!node.is("call") || !node.field("function").is("identifier")) return true;
    for (const Node argument : node.field("arguments").namedChildren())
      if (const std::string_view name =
              argument.is("keyword_argument") ? source.text(argument.field("name").span()) : "";
          (name == "seq" || name == "debug") && jitted.count(source.text(node.field("function").span())))
        keywords.insert(argument.begin()); // which the text computes anyway
    for (const Node argument : node.field("arguments").namedChildren())
      if (argument.is("keyword_argument") && source.text(argument.field("name").span()) == "opts") {
        keywords.insert(argument.begin());
        const std::string function(source.text(node.field("function").span()));
        for (LabelEntry& entry : reader.entries(function, argument.field("value")))
          add(std::move(entry), diag);
      }
    return true;
  });
}

/// `f` of `f@small`.
static std::string nameOf(const std::string& function) { return function.substr(0, function.find('@')); }
/// `small` of `f@small`.
static std::string scheduleOf(const std::string& function) {
  const size_t at = function.find('@');
  return at == std::string::npos ? "" : function.substr(at + 1);
}

bool LabelSchedule::reaches(const std::string& function, const std::string& other) const {
  std::vector<std::string> open{function};
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    if (next == other) return true;
    const auto calls = called_.find(next);
    if (seen.insert(next).second && calls != called_.end())
      open.insert(open.end(), calls->second.begin(), calls->second.end());
  }
  return false;
}

bool LabelSchedule::knows(const std::string& function, const std::string& label) const {
  const auto labels = known_.find(nameOf(function));
  return labels != known_.end() && labels->second.count(label) > 0;
}

std::vector<std::string> LabelSchedule::schedulesOf(const std::string& function) const {
  std::vector<std::string> all;
  for (const LabelEntry& entry : entries_) {
    const std::string schedule = scheduleOf(entry.function);
    if (!schedule.empty() && nameOf(entry.function) == function &&
        std::ranges::find(all, schedule) == all.end())
      all.push_back(schedule);
  }
  return all;
}

std::map<std::string, std::string> LabelSchedule::textsOf(const std::string& function) const {
  constexpr int warp = 32;
  std::map<std::string, std::string> all;
  const auto labels = known_.find(nameOf(function));
  for (const std::string& label : labels == known_.end() ? std::set<std::string>() : labels->second) {
    const LabelEntry* entry = find(function, label);
    if (!entry) continue;
    std::vector<std::string> words;
    if (!entry->threads.empty()) words.push_back(fmt::format("threads({})", entry->threads));
    if (entry->warps) words.push_back(fmt::format("tpb({})", *entry->warps * warp));
    if (entry->reduces) words.push_back("reduce()");
    all[label] = fmt::format("{}", fmt::join(words, "."));
  }
  return all;
}

LabelEntry* LabelSchedule::find(const std::string& function, const std::string& label) {
  return const_cast<LabelEntry*>(std::as_const(*this).find(function, label));
}

const LabelEntry* LabelSchedule::find(const std::string& function, const std::string& label) const {
  const LabelEntry* best = nullptr;
  const auto rank = [&](const LabelEntry& e) { return std::pair(e.origin, e.function != function); };
  for (const LabelEntry& entry : entries_) {
    const bool isOfSchedule = scheduleOf(entry.function) == scheduleOf(function);
    const bool isOurs = isOfSchedule && (entry.function == function || entry.function.empty() ||
                                         (entry.origin == LabelEntry::Call && !knows(entry.function, label) &&
                                          reaches(entry.function, nameOf(function))));
    if (entry.label == label && isOurs && (!best || rank(entry) < rank(*best))) best = &entry;
  }
  return best;
}

void LabelSchedule::reportUnknown(Diagnostics& diag) const {
  const auto isKnown = [&](const LabelEntry& entry) {
    return entry.isUsed || knows(entry.function, entry.label);
  };
  for (const LabelEntry& entry : entries_) {
    const auto isSame = [&](const LabelEntry& o) { // for another function that is given the same `opts`
      return o.origin == LabelEntry::Call && entry.origin == LabelEntry::Call &&
             o.where.begin == entry.where.begin && isKnown(o);
    };
    if (isKnown(entry) || std::ranges::any_of(entries_, isSame)) continue;
    std::set<std::string> all; // in what the entry is for
    for (const auto& [function, labels] : known_)
      if (entry.function.empty() || reaches(nameOf(entry.function), function))
        all.insert(labels.begin(), labels.end());
    if (all.count(entry.label)) continue;
    const std::vector<std::string_view> names(all.begin(), all.end());
    const auto nearest = nearestName(entry.label, names);
    diag.report(DiagId::BadDirective, entry.where,
                fmt::format("{}no statement{} has the label `{}`{}",
                            entry.origin == LabelEntry::Option ? "--par: "
                            : entry.origin == LabelEntry::File ? "schedule file: "
                                                               : "",
                            entry.function.empty() ? "" : fmt::format(" of `{}`", nameOf(entry.function)),
                            entry.label,
                            nearest         ? fmt::format("; did you mean `{}`?", *nearest)
                            : names.empty() ? std::string("; write `parpy.label(...)` above a loop")
                                            : fmt::format("; labels are `{}`", fmt::join(names, "`, `"))));
  }
}

} // namespace appyc::frontend
