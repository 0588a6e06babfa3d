//===- ParseStmt.cpp - statements of the syntax tree to AST ---------------------------------------===//
#include "ParseStmt.h"
#include "Decorators.h"
#include "Imports.h"
#include "ModuleScope.h"
#include "Unsupported.h"
#include "appyc/Support/CrashReport.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

using ast::Body;
using ast::makeStmt;
using ast::Stmt;

namespace {
constexpr std::string_view insideStatement =
    "a pragma inside a statement is not read; move it above the statement";

/// Where the header of a compound statement ends.
uint32_t headerEnd(Node node) {
  for (const Node child : node.children())
    if (!child.isNamed() && child.is(":")) return child.end();
  return node.begin();
}

/// A string that stands alone, as a docstring does.
bool isText(Node statement) {
  const std::vector<Node> parts = statement.namedChildren();
  return statement.is("expression_statement") && parts.size() == 1 &&
         (parts[0].is("string") || parts[0].is("concatenated_string"));
}

/// Whether Python takes `type` as the annotation of what the assignment assigns to.
bool isAnnotation(Node assignment, Node type) {
  const Node left = assignment.field("left");
  const bool isOne = left.is("identifier") || left.is("subscript") || left.is("attribute") ||
                     (left.is("tuple_pattern") && left.namedChildren().size() == 1 && !left.hasToken(","));
  const std::vector<Node> parts = type.namedChildren();
  return isOne && parts.size() == 1 && !parts[0].is("constrained_type");
}

Span headerSpan(Node node) { return {node.begin(), headerEnd(node)}; }
} // namespace

//===- blocks ---------------------------------------------------------------------------------------===//

Body StmtParser::parseBody(Node function, std::string& docstring) {
  const Node block = function.field("body");
  pragmas_.dropBefore(headerEnd(function), insideStatement);
  std::vector<Node> nodes = block.namedChildren();
  checkIndentation(nodes, function);
  if (!nodes.empty() && isText(nodes[0])) {
    pragmas_.dropBefore(nodes[0].end(), "a pragma above a docstring is not read; move it below");
    docstring = cleanDocstring(exprs_.stringValue(nodes[0].namedChildren()[0]).value_or(""));
    nodes.erase(nodes.begin());
    if (nodes.empty()) return {makeStmt(block.span(), ast::Pass{})};
  }
  Body body;
  openCells(function, body);
  const std::string outer = openYields(function, body);
  for (ast::Stmt& s : statements(nodes, function)) body.push_back(std::move(s));
  closeYields(outer, function, body);
  pragmas_.dropBefore(UINT32_MAX, endOfBlock);
  return body;
}

Body StmtParser::block(Node block, Node header) {
  pragmas_.dropBefore(headerEnd(header), insideStatement);
  const std::vector<Node> nodes = block ? block.namedChildren() : std::vector<Node>();
  checkIndentation(nodes, header);
  return statements(nodes, header);
}

Body StmtParser::statements(const std::vector<Node>& nodes, Node header) {
  Body body;
  for (const Node node : nodes)
    if (pragmas_.notes().statements.count(node.begin()))
      body.push_back(makeStmt(node.span(), ast::Pass{}));
    else if (node.is("with_statement"))
      withStatement(node, body);
    else if (node.is("match_statement"))
      matchStatement(node, body);
    else if (node.is("try_statement"))
      tryStatement(node, body);
    else
      body.push_back(statement(node));
  if (body.empty())
    diag_.report(DiagId::Syntax, headerSpan(header), "expected an indented block after this line");
  raiseTexts(body);
  return body;
}

/// `msg = f"{a}"; raise ValueError(msg)` as `raise ValueError(f"{a}")`: what arrays hold is told where it is raised.
void StmtParser::raiseTexts(Body& body) {
  for (size_t k = 0; k + 1 < body.size(); ++k) {
    const auto* assign = body[k].as<ast::Assign>();
    const auto* raise = body[k + 1].as<ast::Raise>();
    const auto* call = raise && raise->exception ? raise->exception.as<ast::Call>() : nullptr;
    const auto* text =
        call && call->args.size() == 1 && call->keywords.empty() ? call->args[0].as<ast::Name>() : nullptr;
    const auto* name = assign && assign->targets.size() == 1 ? assign->targets[0].as<ast::Name>() : nullptr;
    if (!text || !name || text->id != name->id || !assign->value.is<ast::FormattedText>()) continue;
    ast::Call raised = *call;
    raised.args = {assign->value};
    const Span where = body[k + 1]->span;
    body[k + 1] = makeStmt(where, ast::Raise{ast::make(raise->exception->span, std::move(raised))});
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

/// tree-sitter takes any indentation that is deeper than the enclosing block's; Python does not.
void StmtParser::checkIndentation(const std::vector<Node>& nodes, Node header) {
  std::optional<uint32_t> indent, characters;
  for (const Node node : nodes) {
    if (!firstOnLine(source_, node.begin())) continue;
    const uint32_t here = indentation(source_, node.begin());
    const uint32_t hereInCharacters = indentationInCharacters(source_, node.begin());
    const bool isFirst = !indent;
    if (isFirst) indent = here, characters = hereInCharacters;
    if (here != *indent) {
      diag_.report(DiagId::Syntax, node.span(),
                   "this line is indented differently from the other lines of its block");
      return;
    }
    if (hereInCharacters != *characters ||
        (isFirst && hereInCharacters <= indentationInCharacters(source_, header.begin()))) {
      diag_.report(DiagId::Syntax, node.span(),
                   "tabs and spaces are mixed so that the indentation depends on the width of a tab");
      return;
    }
  }
}

//===- statements -----------------------------------------------------------------------------------===//

Stmt StmtParser::statement(Node node) {
  setCurrentPlace(node.span());
  Attached directives = pragmas_.takeAbove(node);
  const std::string_view kind = node.kind();
  if (kind == "for_statement") return forLoop(node, std::move(directives));
  if (kind == "while_statement") return whileLoop(node);
  if (kind == "if_statement") return ifStatement(node);
  Stmt result = kind == "expression_statement" ? expressionStatement(node, std::move(directives))
                : kind == "return_statement"   ? returnStatement(node)
                : kind == "pass_statement" || kind == "nonlocal_statement" ||
                        (kind == "global_statement" && isOfItems(node))
                    ? makeStmt(node.span(), ast::Pass{}) // which openCells has seen

                : kind == "raise_statement"                                     ? raiseStatement(node)
                : kind == "assert_statement"                                    ? assertStatement(node)
                : kind == "function_definition"                                 ? localFunction(node)
                : kind == "decorated_definition"                                ? decoratedFunction(node)
                : kind == "delete_statement"                                    ? deleteStatement(node)
                : kind == "import_statement" || kind == "import_from_statement" ? importStatement(node)
                : kind == "break_statement" || kind == "continue_statement"     ? jump(node)
                                                                                : unsupported(node);
  if (result.is<ast::ErrorStmt>())
    pragmas_.skipBefore(node.end());
  else
    pragmas_.dropBefore(node.end(), insideStatement);
  return result;
}

/// Are all names that its function binds items of a dict?
bool StmtParser::isOfItems(Node global) const {
  return std::ranges::all_of(namesBoundBy(source_, global), [&](Node name) {
    return changing_.count(std::string(source_.text(name.span()))) > 0;
  });
}

Stmt StmtParser::unsupported(Node node) {
  const std::string_view kind = node.kind();
  const Position from = source_.position(node.begin());
  const uint32_t lineEnd =
      source_.lineStart(from.line) + static_cast<uint32_t>(source_.line(from.line).size());
  const Span shown{node.begin(), std::min(node.end(), lineEnd)};
  if (kind == "print_statement" || kind == "exec_statement")
    diag_.report(DiagId::Syntax, shown,
                 fmt::format("expected `(` after `{}`", kind.substr(0, kind.find('_'))));
  else if (const std::optional<std::string> message = unsupportedMessage(kind))
    diag_.report(DiagId::Unsupported, shown, *message);
  else
    diag_.report(DiagId::Unsupported, shown, "this statement is not translated");
  return makeStmt(node.span(), ast::ErrorStmt{});
}

Stmt StmtParser::expressionStatement(Node node, Attached directives) {
  const std::vector<Node> parts = node.namedChildren();
  if (parts.size() == 1 && parts[0].is("assignment")) return assignment(parts[0], std::move(directives));
  if (parts.size() == 1 && parts[0].is("augmented_assignment"))
    return augmentedAssignment(parts[0], std::move(directives));
  if (parts.size() == 1 && parts[0].is("yield")) return yieldStatement(parts[0]);
  if (isText(node)) // in place of a comment
    return makeStmt(node.span(), ast::Pass{});
  return makeStmt(node.span(), ast::ExprStmt{exprs_.parseItems(node)});
}

/// As many labels as slices are assigned to, or none; a reduction of all takes one. Or one for each slice of what is reduced
/// along an axis, of which that of the axis stands last, behind those that are stored.
void StmtParser::checkLabels(Node assignment, Attached& directives) {
  if (directives.labels.empty()) return;
  size_t slices = 0;
  walk(assignment.field("left"), [&](Node part, size_t) { return slices += part.is("slice"), true; });
  if (directives.labels.size() == std::max<size_t>(slices, 1)) return;
  const Node value = assignment.field("right");
  const bool isCall = value.is("call");
  for (const Node argument : isCall ? value.field("arguments").namedChildren() : std::vector<Node>{}) {
    if (!argument.is("keyword_argument") || exprs_.textOf(argument.field("name")) != "axis") continue;
    const std::string_view digits = exprs_.textOf(argument.field("value"));
    const size_t axis = digits.size() == 1 ? static_cast<size_t>(digits[0] - '0') : slices + 1;
    if (axis > slices || directives.labels.size() != slices + 1) continue;
    const auto ofAxis = directives.statement.counts.begin() + static_cast<std::ptrdiff_t>(axis);
    std::rotate(ofAxis, ofAxis + 1, directives.statement.counts.end());
    return;
  }
  diag_.report(
      DiagId::StrayPragma, directives.labels.back(),
      fmt::format("{} label{} for an assignment to {} slice{}; write one for each, from left to right",
                  directives.labels.size(), directives.labels.size() == 1 ? "" : "s", slices,
                  slices == 1 ? "" : "s"));
}

Stmt StmtParser::assignment(Node node, Attached directives) {
  checkLabels(node, directives);
  ast::Assign result;
  result.directive = std::move(directives.statement);
  Node part = node;
  for (; part.is("assignment"); part = part.field("right")) {
    if (const Node type = part.field("type"); type && !isAnnotation(part, type)) {
      diag_.report(DiagId::Syntax, type.span(),
                   "only one name, attribute or element can be annotated, by one type");
      return makeStmt(node.span(), ast::ErrorStmt{});
    }
    result.targets.push_back(exprs_.parseTarget(part.field("left")));
    if (!part.field("right")) // `x: f64` declares only
      return makeStmt(node.span(), ast::Pass{});
  }
  if (part.is("augmented_assignment")) {
    diag_.report(DiagId::Syntax, part.span(),
                 "an augmented assignment cannot stand inside another assignment");
    return makeStmt(node.span(), ast::ErrorStmt{});
  }
  result.value = exprs_.parse(part);
  return makeStmt(node.span(), std::move(result));
}

Stmt StmtParser::augmentedAssignment(Node node, Attached directives) {
  checkLabels(node, directives);
  const Node left = node.field("left"), op = node.field("operator"), right = node.field("right");
  const std::string_view spelling = exprs_.textOf(op);
  const std::optional<ast::BinaryOp> kind = binaryOperator(spelling.substr(0, spelling.size() - 1));
  if (!kind || !(left.is("identifier") || left.is("subscript") || left.is("attribute"))) {
    diag_.report(DiagId::Syntax, left.span(),
                 fmt::format("`{}` needs a name or array elements on its left", spelling));
    return makeStmt(node.span(), ast::ErrorStmt{});
  }
  ast::AugAssign result{*kind, exprs_.parseTarget(left), exprs_.parse(right),
                        std::move(directives.statement)};
  return makeStmt(node.span(), std::move(result));
}

Body StmtParser::loopBody(Node loop) {
  constexpr int deepest = 20; // CPython's own limit
  if (loopDepth_ == deepest) {
    diag_.report(DiagId::TooDeep, headerSpan(loop),
                 fmt::format("Python nests at most {} loops; write the inner ones in a function", deepest));
    pragmas_.skipBefore(loop.end());
    return {};
  }
  ++loopDepth_;
  Body body = block(loop.field("body"), loop);
  --loopDepth_;
  return body;
}

/// What stands behind `else` belongs to the code around the loop.
Body StmtParser::loopElse(Node loop) {
  const Node otherwise = loop.field("alternative");
  if (!otherwise) return {};
  pragmas_.dropBefore(otherwise.begin(), endOfBlock);
  return block(otherwise.field("body"), otherwise);
}

/// Is it one statement that folds into what it assigns to: `x += e`, `x = max(x, e)`?
static bool isFold(const Body& body) {
  std::vector<Stmt> steps;
  for (const Stmt& s : body)
    if (!s.is<ast::Pass>()) steps.push_back(s);
  if (steps.size() != 1) return false;
  const auto folds = [](ast::BinaryOp op) { return op == ast::BinaryOp::Add || op == ast::BinaryOp::Mul; };
  const auto takesAway = [](ast::BinaryOp op) { return op == ast::BinaryOp::Sub; };
  if (const auto* step = steps[0].as<ast::AugAssign>()) return folds(step->op) || takesAway(step->op);
  const auto* step = steps[0].as<ast::Assign>();
  if (!step || step->targets.size() != 1) return false;
  const std::string target = ast::print(step->targets[0]);
  if (const auto* b = step->value.as<ast::Binary>())
    return (folds(b->op) || takesAway(b->op)) &&
           (ast::print(b->lhs) == target || (folds(b->op) && ast::print(b->rhs) == target));
  const auto* call = step->value.as<ast::Call>();
  return call && call->args.size() == 2 &&
         (ast::print(call->args[0]) == target || ast::print(call->args[1]) == target);
}

Stmt StmtParser::forLoop(Node node, Attached directives) {
  if (node.hasToken("async"))
    diag_.report(DiagId::Unsupported, headerSpan(node),
                 "`async for` is not translated; write an ordinary `for`");
  ast::For result;
  result.directive = std::move(directives.loop);
  result.target = exprs_.parseTarget(node.field("left"));
  result.iter = exprs_.parse(node.field("right"));
  result.body = loopBody(node);
  result.otherwise = loopElse(node);
  if (directives.reduces && !isFold(result.body))
    diag_
        .report(DiagId::BadDirective, *directives.reduces,
                "`.reduce()` is for a loop whose body is one step of a reduction, `x = x + e`, with `*`, "
                "`max` or "
                "`min` for others")
        .note(headerSpan(node), "this loop has another body");
  return makeStmt(node.span(), std::move(result));
}

/// Does the condition assign?
static bool hasWalrus(Node condition) {
  bool found = false;
  walk(condition, [&](Node node, size_t) { return !(found |= node.is("named_expression")); });
  return found;
}

Stmt StmtParser::whileLoop(Node node) {
  ast::While result;
  result.cond = exprs_.parse(node.field("condition"));
  result.body = loopBody(node);
  result.otherwise = loopElse(node);
  if (hasWalrus(node.field("condition"))) { // it is asked in the body, where it assigns
    if (!result.otherwise.empty())
      return refuse(node.field("condition"),
                    "an assignment in the condition of a loop with `else` is not translated; "
                    "assign before the loop and at its end");
    const Span where = result.cond->span;
    const ast::Expr fails = ast::make(where, ast::Unary{ast::UnaryOp::Not, result.cond});
    result.body.insert(result.body.begin(),
                       makeStmt(where, ast::If{fails, {makeStmt(where, ast::Break{})}, {}}));
    result.cond = ast::make(where, ast::BoolLit{true});
  }
  return makeStmt(node.span(), std::move(result));
}

Stmt StmtParser::ifStatement(Node node) {
  struct Branch {
    Span span;
    ast::Expr cond;
    Body body;
  };
  // In source order, so that pragmas are met in their order.
  std::vector<Branch> branches;
  Body otherwise;
  ast::Expr cond = exprs_.parse(node.field("condition"));
  branches.push_back({node.span(), cond, block(node.field("consequence"), node)});
  for (const Node clause : node.fields("alternative")) {
    pragmas_.dropBefore(clause.begin(), endOfBlock);
    if (clause.is("else_clause")) {
      otherwise = block(clause.field("body"), clause);
      continue;
    }
    cond = exprs_.parse(clause.field("condition"));
    const Span span{clause.begin(), node.end()};
    branches.push_back({span, cond, block(clause.field("consequence"), clause)});
  }
  Stmt result;
  for (auto branch = branches.rbegin(); branch != branches.rend(); ++branch) {
    result = makeStmt(branch->span, ast::If{branch->cond, std::move(branch->body), std::move(otherwise)});
    otherwise = {result};
  }
  return result;
}

Stmt StmtParser::returnStatement(Node node) {
  const std::vector<Node> values = node.namedChildren();
  if (!yielded_.empty() && values.empty())
    return makeStmt(node.span(), ast::Return{ast::make(node.span(), ast::Name{yielded_})});
  if (!yielded_.empty())
    return refuse(node, "what a generator returns is not translated; write `return` alone");
  return makeStmt(node.span(), ast::Return{values.empty() ? ast::Expr() : exprs_.parse(values[0])});
}

Stmt StmtParser::jump(Node node) {
  const bool isBreak = node.is("break_statement");
  if (loopDepth_ == 0)
    diag_.report(DiagId::Syntax, node.span(),
                 fmt::format("`{}` outside a loop", isBreak ? "break" : "continue"));
  return isBreak ? makeStmt(node.span(), ast::Break{}) : makeStmt(node.span(), ast::Continue{});
}

Stmt StmtParser::raiseStatement(Node node) {
  const std::vector<Node> values = node.namedChildren();
  // Of what is raised a caller sees no cause: `from None`, `from error`.
  const bool namesCause = values.size() == 2 && (values[1].is("none") || values[1].is("identifier"));
  if (values.empty()) return makeStmt(node.span(), ast::Raise{}); // what the handler around it has taken
  if (values.size() != 1 && !namesCause)
    return refuse(node, "`raise ... from ...` is not translated; leave out `from`");
  return makeStmt(node.span(), ast::Raise{exprs_.parse(values[0])});
}

Stmt StmtParser::assertStatement(Node node) {
  const std::vector<Node> values = node.namedChildren();
  return makeStmt(node.span(), ast::Assert{exprs_.parse(values[0]),
                                           values.size() > 1 ? exprs_.parse(values[1]) : ast::Expr()});
}

Stmt StmtParser::localFunction(Node node, ast::FunctionDirective directive) {
  if (node.hasToken("async")) return refuse(node, "`async` is not translated; write an ordinary function");
  if (node.field("type_parameters"))
    return refuse(node, "type parameters are not translated; leave them out");
  ast::Function function;
  function.name = std::string(source_.text(node.field("name").span()));
  function.nameSpan = node.field("name").span();
  function.span = node.span();
  function.directive = std::move(directive);
  function.params = exprs_.parameters(node);
  const int outer = std::exchange(loopDepth_, 0);
  const auto cells = exprs_.cells();
  openCells(node, function.body);
  function.yields = yieldIn(node);
  const std::string yields = openYields(node, function.body);
  for (Stmt& s : block(node.field("body"), node)) function.body.push_back(std::move(s));
  closeYields(yields, node, function.body);
  exprs_.cells() = cells;
  loopDepth_ = outer;
  return makeStmt(node.span(),
                  ast::LocalFunction{std::make_shared<const ast::Function>(std::move(function))});
}

/// A function inside a function may have decorators under which it computes what its text says, as `@lru_cache`, or be a
/// kernel, whose types its launches tell.
Stmt StmtParser::decoratedFunction(Node node) {
  const Node definition = node.field("definition");
  Diagnostics unheard;
  const ast::FunctionDirective said = readDecorators(source_, node, imports_, unheard);
  const bool isTyped =
      said.role == ast::FunctionDirective::Kernel && std::ranges::any_of(node.namedChildren(), [](Node part) {
        const Node whole = part.is("decorator") ? part.namedChildren()[0] : Node();
        const Node given = whole && whole.is("call") ? whole.field("arguments") : Node();
        return given && std::ranges::any_of(given.namedChildren(),
                                            [](Node argument) { return !argument.is("keyword_argument"); });
      });
  if (isTyped)
    return refuse(node, "a kernel inside a function has its types from its launches; leave the signature "
                        "out, or move it to the top level of the file");
  const bool saysNothing = unheard.all().empty() && !said.isElsewhere() && said.links.empty() &&
                           said.maker.empty() && said.where.end == 0 && !said.tensors;
  return saysNothing && definition.is("function_definition") ? localFunction(definition, said)
                                                             : unsupported(node);
}

/// The contexts, and behind them the body's statements: what a context may be has nothing to do at its end.
void StmtParser::withStatement(Node node, Body& into) {
  setCurrentPlace(node.span());
  pragmas_.takeAbove(node);
  std::vector<Node> contexts;
  bool isNamed = node.hasToken("async");
  for (const Node child : node.namedChildren())
    walk(child, [&](Node part, size_t) {
      if (child.is("with_clause") && part.is("with_item")) contexts.push_back(part.field("value"));
      return child.is("with_clause");
    });
  std::pair<std::string, ast::Expr> iterator;
  for (const Node context : contexts) {
    if (context.is("as_pattern") && context.namedChildren().size() == 2 && !node.hasToken("async")) {
      const Node made = context.namedChildren()[0], name = context.namedChildren()[1].namedChildren()[0];
      if (made.is("call") && exprs_.textOf(made.field("function")).ends_with("nditer") &&
          name.is("identifier")) {
        iterator = {std::string(exprs_.textOf(name)), exprs_.parse(made)}; // its loop runs over it
        continue;
      }
    }
    if (pragmas_.notes().contexts.count(context.begin())) continue;
    isNamed |= !context.is("call");
    if (!isNamed) into.push_back(makeStmt(context.span(), ast::ExprStmt{exprs_.parse(context), true}));
  }
  if (isNamed || contexts.empty()) {
    into.push_back(refuse(node, "`with` is translated for `np.errstate(...)`; move it to the caller"));
    return;
  }
  for (Stmt& s : block(node.field("body"), node)) {
    const auto* loop = s.as<ast::For>();
    const auto* over = loop ? loop->iter.as<ast::Name>() : nullptr;
    if (over && iterator.second && over->id == iterator.first) {
      ast::For direct = *loop;
      direct.iter = iterator.second;
      s = makeStmt(s->span, std::move(direct));
    }
    into.push_back(std::move(s));
  }
}

Stmt StmtParser::deleteStatement(Node node) {
  ast::Delete result;
  for (const Node target : node.namedChildren()) {
    const ast::Expr e = exprs_.parseTarget(target);
    if (const auto* all = e.as<ast::Tuple>())
      result.targets.insert(result.targets.end(), all->items.begin(), all->items.end());
    else
      result.targets.push_back(e);
  }
  return makeStmt(node.span(), std::move(result));
}

Stmt StmtParser::importStatement(Node node) {
  std::vector<ast::Import> imports = importsOf(source_, node);
  for (const ast::Import& i : imports)
    if (i.as == "*") return refuse(node, "Python allows `import *` at the top level of a file only");
  return makeStmt(node.span(), ast::LocalImport{std::move(imports)});
}

Stmt StmtParser::refuse(Node node, std::string_view message) {
  diag_.report(DiagId::Unsupported, node.span(), std::string(message));
  return makeStmt(node.span(), ast::ErrorStmt{});
}

//===- docstrings -----------------------------------------------------------------------------------===//

std::string cleanDocstring(std::string_view text) {
  std::vector<std::string> lines;
  size_t common = std::string::npos;
  while (true) {
    const size_t newline = text.find('\n');
    std::string line(text.substr(0, newline));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!lines.empty() && !line.empty()) common = std::min(common, line.find_first_not_of(" \t"));
    lines.push_back(std::move(line));
    if (newline == std::string_view::npos) break;
    text.remove_prefix(newline + 1);
  }
  for (size_t i = 0; i < lines.size(); ++i)
    lines[i].erase(0, i == 0 ? std::min(lines[0].find_first_not_of(" \t"), lines[0].size())
                             : std::min(common, lines[i].size()));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace appyc::frontend
