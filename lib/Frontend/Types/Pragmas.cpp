//===- Pragmas.cpp - which pragma stands above which statement --------------------------------------===//
#include "Pragmas.h"
#include "Imports.h"
#include "appyc/Support/Tree.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

namespace {

std::string_view textBefore(const Source& source, uint32_t offset) {
  return source.text({source.lineStart(source.position(offset).line), offset});
}

/// The statement without the wrapper the grammar puts around expressions.
Node unwrapped(Node statement) {
  if (!statement.is("expression_statement")) return statement;
  const std::vector<Node> parts = statement.namedChildren();
  return parts.size() == 1 ? parts[0] : statement;
}

bool isAssignment(Node statement) {
  const Node inner = unwrapped(statement);
  return inner.is("assignment") || inner.is("augmented_assignment");
}

/// What a reader calls the statement, with its article.
std::string describe(Node statement) {
  const Node inner = unwrapped(statement);
  const std::string_view kind = inner.kind();
  if (isAssignment(statement)) return "an assignment";
  if (kind == "for_statement") return "a `for` loop";
  if (kind == "while_statement") return "a `while` loop";
  if (kind == "if_statement") return "an `if`";
  if (kind == "call") return "a call";
  if (kind == "decorated_definition" || kind == "function_definition" || kind == "class_definition")
    return "a definition";
  const std::string_view suffix = "_statement";
  if (kind.ends_with(suffix)) return fmt::format("a `{}`", kind.substr(0, kind.size() - suffix.size()));
  return "an expression";
}

} // namespace

uint32_t indentation(const Source& source, uint32_t offset) {
  constexpr uint32_t tabWidth = 8;
  uint32_t column = 0;
  for (const char c : textBefore(source, offset))
    column = c == '\t' ? (column / tabWidth + 1) * tabWidth : c == '\f' ? 0 : column + 1;
  return column;
}

uint32_t indentationInCharacters(const Source& source, uint32_t offset) {
  const std::string_view before = textBefore(source, offset);
  return static_cast<uint32_t>(before.size() - (before.rfind('\f') + 1));
}

bool firstOnLine(const Source& source, uint32_t offset) {
  return textBefore(source, offset).find_first_not_of(" \t\f\xEF\xBB\xBF") == std::string_view::npos;
}

namespace {
/// Calls that stand alone, and what `with` names, of the modules that the file imports.
class NotedStatements {
public:
  NotedStatements(const Source& source, const std::vector<ast::Import>& imports, Notes& notes,
                  Diagnostics& diag)
      : source_(source), imports_(imports), notes_(notes), diag_(diag) {
    for (const Dialect& dialect : dialects())
      if (dialect.readStatement && importsModule(dialect.name)) imported_.push_back(&dialect);
  }

  std::optional<Pragma> read(Node node) {
    if (imported_.empty()) return {};
    if (node.is("with_item")) context(node.field("value"));
    const std::vector<Node> parts =
        node.is("expression_statement") ? node.namedChildren() : std::vector<Node>{};
    if (parts.size() != 1 || !parts[0].is("call")) return {};
    const NamedCall call{pathOf(parts[0].field("function")), parts[0], source_};
    for (const Dialect* dialect : imported_)
      if (std::optional<Directive> directive = dialect->readStatement(call, diag_)) {
        notes_.statements.insert(node.begin());
        return Pragma{node.span(), indentation(source_, node.begin()), true, std::move(*directive)};
      }
    return {};
  }

private:
  bool importsModule(std::string_view name) const {
    return std::ranges::any_of(imports_, [&](const ast::Import& i) {
      return i.what == name || (i.what.starts_with(name) && i.what[name.size()] == '.');
    });
  }
  std::string pathOf(Node callee) const {
    return nameInFull(std::string(source_.text(callee.span())), imports_);
  }
  /// `parpy.gpu`; what else of the module's stands there is none.
  void context(Node value) {
    const bool isNamed = value.is("as_pattern");
    const Node made = isNamed ? value.namedChildren()[0] : value;
    const std::string path = pathOf(made.is("call") ? made.field("function") : made);
    for (const Dialect* dialect : imported_) {
      if (dialect->context.empty() || !path.starts_with(fmt::format("{}.", dialect->name))) continue;
      notes_.contexts.insert(value.begin());
      if (path != dialect->context || made.is("call"))
        diag_.report(DiagId::BadDirective, made.span(),
                     fmt::format("the context is `with {}:`, without arguments", dialect->context));
      else if (isNamed)
        diag_.report(DiagId::BadDirective, value.span(),
                     fmt::format("`with {}:` makes nothing that a name could stand for; drop `as`", path));
    }
  }

  const Source& source_;
  const std::vector<ast::Import>& imports_;
  Notes& notes_;
  Diagnostics& diag_;
  std::vector<const Dialect*> imported_;
};
} // namespace

std::vector<Pragma> collectPragmas(const Source& source, Node root, const std::vector<ast::Import>& imports,
                                   Notes& notes, Diagnostics& diag) {
  std::vector<Pragma> found;
  NotedStatements noted(source, imports, notes, diag);
  walk(root, [&](Node node, size_t) {
    if (std::optional<Pragma> pragma = noted.read(node)) found.push_back(std::move(*pragma));
    if (!node.isComment()) return true;
    const Piece comment = Piece{source.text(node.span()), node.begin(), {}}.trimmed();
    for (const Dialect& dialect : dialects()) {
      std::optional<Directive> directive;
      if (dialect.readComment) directive = dialect.readComment(comment, diag);
      if (!directive) continue;
      found.push_back({comment.span(), indentation(source, node.begin()), firstOnLine(source, node.begin()),
                       std::move(*directive)});
      break;
    }
    return true;
  });
  for (const Dialect& dialect : dialects())
    if (dialect.impliedLabels)
      for (const auto& [node, label] : dialect.impliedLabels(source, root, imports))
        if (node.is("for_statement")) // stands above it, as one that is written
          found.push_back(
              {{node.begin() - 1, node.begin()}, indentation(source, node.begin()), true, Label{label}});
  std::ranges::stable_sort(found, {}, [](const Pragma& p) { return p.span.begin; });
  return found;
}

void PragmaQueue::stray(const Pragma& pragma, std::string message) {
  if (!std::holds_alternative<BadDirective>(pragma.directive))
    diag_.report(DiagId::StrayPragma, pragma.span, std::move(message));
}

bool PragmaQueue::reportTrailing(const Pragma& pragma) {
  if (pragma.aloneOnLine) return false;
  const std::string_view before = textBefore(source_, pragma.span.begin);
  const size_t first = before.find_first_not_of(" \t");
  if (before.substr(first).starts_with("for ")) {
    if (std::holds_alternative<BadDirective>(pragma.directive)) return true;
    const uint32_t line = pragma.span.begin - static_cast<uint32_t>(before.size() - first);
    const std::string_view statement = before.substr(first, before.find_last_not_of(" \t") + 1 - first);
    diag_
        .report(DiagId::StrayPragma, pragma.span,
                "a pragma at the end of a `for` line is not read; move it to the line above the `for`")
        .replaceWith({line, pragma.span.end},
                     fmt::format("{}\n{}{}", source_.text(pragma.span), before.substr(0, first), statement));
  } else
    stray(pragma, "a pragma behind a statement is not read; move it to the line above the statement");
  return true;
}

void PragmaQueue::attach(const Pragma& pragma, Node statement, Attached& out) {
  const auto duplicate = [&](Span first) {
    diag_
        .report(DiagId::DuplicatePragma, pragma.span,
                fmt::format("{} already has a pragma of this class; write one combined line",
                            describe(statement)))
        .note(first, "the first one is here");
  };
  if (const auto* loop = std::get_if<ast::LoopDirective>(&pragma.directive)) {
    if (!statement.is("for_statement"))
      stray(pragma, fmt::format("a loop pragma must stand directly above a `for`; this one stands above {}",
                                describe(statement)));
    else if (out.loop.mark != ast::LoopMark::None)
      duplicate(out.loop.where);
    else
      out.loop = *loop;
  } else if (const auto* directive = std::get_if<ast::StatementDirective>(&pragma.directive)) {
    if (!isAssignment(statement))
      stray(
          pragma,
          fmt::format("a statement pragma must stand directly above an assignment; this one stands above {}",
                      describe(statement)));
    else if (out.statement.atomic || !out.statement.dims.empty())
      duplicate(out.statement.where);
    else
      out.statement = *directive;
  } else if (std::holds_alternative<Label>(pragma.directive)) {
    attachLabel(pragma, statement, out);
  }
}

/// A label with an entry in the schedule makes the loop parallel; one without says nothing.
void PragmaQueue::attachLabel(const Pragma& pragma, Node statement, Attached& out) {
  const bool isLoop = statement.is("for_statement");
  if (!isLoop && !isAssignment(statement) && describe(statement) != "a definition")
    return stray(pragma, fmt::format("a label belongs to a `for`, an assignment or a definition; this one "
                                     "stands above {}",
                                     describe(statement)));
  out.labels.push_back(pragma.span);
  LabelEntry* entry =
      schedule_ ? schedule_->find(function_, std::get<Label>(pragma.directive).name) : nullptr;
  if (isAssignment(statement)) { // whose elements are computed in parallel anyway
    out.statement.counts.emplace_back();
    if (entry) out.statement.counts.back() = {entry->threads, entry->warps.value_or(0)};
    out.statement.where = pragma.span;
  }
  if (!entry) return;
  entry->isUsed = true;
  if (!isLoop) return;
  const bool isFirst = out.loop.mark == ast::LoopMark::None;
  if (!isFirst && out.labels.size() == 1) {
    diag_
        .report(DiagId::DuplicatePragma, pragma.span,
                "the loop has a pragma and a label with a schedule; drop one")
        .note(out.loop.where, "the pragma is here");
    return;
  }
  std::optional<std::string>& threads = out.loop.threads;
  if (threads && !entry->threads.empty() && *threads != entry->threads) {
    diag_.report(DiagId::DuplicatePragma, pragma.span,
                 fmt::format("two labels of one loop have different counts: `threads({})` and `threads({})`",
                             *threads, entry->threads));
    return;
  }
  if (!entry->threads.empty()) threads = entry->threads;
  out.loop.mark = ast::LoopMark::Parallel;
  out.loop.where = pragma.span;
  if (entry->warps) out.loop.warps = entry->warps;
  if (!entry->reduces) return;
  out.loop.reduction = true;
  out.reduces = entry->where.end > entry->where.begin ? entry->where : pragma.span;
}

Attached PragmaQueue::takeAbove(Node statement) {
  Attached out;
  const uint32_t indent = indentation(source_, statement.begin());
  for (; next_ < pragmas_.size() && pragmas_[next_].span.begin < statement.begin(); ++next_) {
    const Pragma& pragma = pragmas_[next_];
    if (reportTrailing(pragma)) continue;
    if (pragma.indent == indent)
      attach(pragma, statement, out);
    else if (pragma.indent > indent)
      stray(pragma, "this pragma stands above nothing: no statement follows in its block");
    else
      stray(pragma, fmt::format("this pragma is indented differently from {} below it", describe(statement)));
  }
  return out;
}

void PragmaQueue::dropBefore(uint32_t offset, std::string_view message) {
  for (; next_ < pragmas_.size() && pragmas_[next_].span.begin < offset; ++next_)
    if (!reportTrailing(pragmas_[next_])) stray(pragmas_[next_], std::string(message));
}

void PragmaQueue::skipBefore(uint32_t offset) {
  while (next_ < pragmas_.size() && pragmas_[next_].span.begin < offset) ++next_;
}

} // namespace appyc::frontend
