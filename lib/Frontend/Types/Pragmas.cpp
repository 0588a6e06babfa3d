//===- Pragmas.cpp - which pragma stands above which statement --------------------------------------===//
#include "Pragmas.h"
#include "appyc/Support/Tree.h"
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

std::vector<Pragma> collectPragmas(const Source& source, Node root, Diagnostics& diag) {
  std::vector<Pragma> found;
  walk(root, [&](Node node, size_t) {
    if (!node.isComment()) return true;
    const Piece comment = Piece{source.text(node.span()), node.begin(), {}}.trimmed();
    for (const Dialect& dialect : dialects()) {
      std::optional<Directive> directive = dialect.readComment(comment, diag);
      if (!directive) continue;
      found.push_back({comment.span(), indentation(source, node.begin()), firstOnLine(source, node.begin()),
                       std::move(*directive)});
      break;
    }
    return true;
  });
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
  }
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
