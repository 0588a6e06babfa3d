//===- Frontend.cpp - text to AST -------------------------------------------------------------------===//
#include "appyc/Frontend/Frontend.h"
#include "Decorators.h"
#include "ModuleScope.h"
#include "ParseStmt.h"
#include "Pragmas.h"
#include "Rebindings.h"
#include "Signatures.h"
#include "Syntax.h"
#include "Unsupported.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>

namespace appyc::frontend {

namespace {

/// One function at the top level of the file.
struct Definition {
  std::string name;
  Node outer;    ///< with its decorators
  Node function; ///< the `def`
  Span nameSpan;
  std::vector<SignatureText> comments;  ///< `#appyc: def` above it
  std::vector<std::string> commandLine; ///< `--signature`
  std::vector<ast::Signature> signatures;
  std::optional<Span> hiddenBy; ///< a later statement that binds its name
  bool exported = false;        ///< some signature is meant for it, even a faulty one
  std::vector<Pragma> pragmas;
};

/// Reads one file. The steps of read() go through the file's functions in turn.
class ModuleReader {
public:
  ModuleReader(const Source& source, Node root, Diagnostics& diag)
      : source_(source), root_(root), diag_(diag), topLevel_(root.namedChildren()) {}

  ast::Module read(const std::vector<std::string>& signatures);
  /// All functions, whether or not they have types.
  std::vector<ast::Function> readFunctions();

private:
  void findDefinitions();
  void assignPragmas();
  void assignComments();
  void assignCommandLine(const std::vector<std::string>& texts);
  void readSignatures(Definition& definition);
  void refuseRedefinitions();
  std::set<std::string> reachable() const;
  ast::Function parseFunction(Definition& definition, const std::vector<ast::Import>& imports);
  void refuseKinds(const Definition& definition);
  void parseParameters(const Definition& definition, ast::Function& out);
  Definition* definitionAt(uint32_t outerBegin);
  Definition* definitionNamed(std::string_view name);
  Diagnostic& badSignature(Span where, std::string message) {
    return diag_.report(DiagId::BadSignature, where, std::move(message));
  }
  std::string functionHint(std::string_view name) const;

  const Source& source_;
  Node root_;
  Diagnostics& diag_;
  std::vector<Node> topLevel_;
  std::vector<Definition> definitions_; ///< in source order; complete before anything points to one
  std::unordered_map<std::string_view, Definition*>
      lastNamed_;                          ///< of several with one name, callers see the last
  std::vector<SignatureComment> comments_; // own the texts that definitions' comments view
};

ast::Module ModuleReader::read(const std::vector<std::string>& signatures) {
  findDefinitions();
  assignPragmas();
  assignComments();
  assignCommandLine(signatures);
  for (Definition& definition : definitions_)
    if (!definition.function.hasError()) readSignatures(definition);
  refuseRedefinitions();

  ast::Module module;
  module.imports = readImports(source_, root_);
  const std::set<std::string> wanted = reachable(), pythran = pythranExports(source_, root_);
  module.constants = readConstants(source_, root_, [&](Node function) {
    const auto named = lastNamed_.find(source_.text(function.field("name").span()));
    return named != lastNamed_.end() && wanted.count(named->second->name) &&
           named->second->function.begin() == function.begin();
  });
  for (Definition& definition : definitions_)
    if (wanted.count(definition.name) && definitionNamed(definition.name) == &definition)
      module.functions.push_back(parseFunction(definition, module.imports));
    else if (!wanted.count(definition.name) && !definition.function.hasError())
      module.passedOver.push_back(passedOver(source_, definition.outer, definition.function,
                                             parameterNodes(source_, definition.function), pythran));
  return module;
}

std::vector<ast::Function> ModuleReader::readFunctions() {
  findDefinitions();
  std::vector<ast::Function> functions;
  for (Definition& definition : definitions_) functions.push_back(parseFunction(definition, {}));
  return functions;
}

//===- what belongs to which function ---------------------------------------------------------------===//

void ModuleReader::findDefinitions() {
  for (const Node node : topLevel_) {
    const Node function = node.is("decorated_definition") ? node.field("definition") : node;
    if (!function.is("function_definition")) continue;
    const Node name = function.field("name");
    definitions_.push_back(
        {std::string(source_.text(name.span())), node, function, name.span(), {}, {}, {}, {}, false, {}});
  }
  const std::map<std::string, Node> bindings = lastBindings(source_, root_);
  for (Definition& definition : definitions_) {
    const Node last = bindings.at(definition.name);
    if (last.begin() == definition.outer.begin())
      lastNamed_[definition.name] = &definition;
    else
      definition.hiddenBy = last.span();
  }
}

Definition* ModuleReader::definitionAt(uint32_t outerBegin) {
  const auto found = std::partition_point(definitions_.begin(), definitions_.end(),
                                          [&](const Definition& d) { return d.outer.begin() < outerBegin; });
  return found == definitions_.end() || found->outer.begin() != outerBegin ? nullptr : &*found;
}

Definition* ModuleReader::definitionNamed(std::string_view name) {
  const auto found = lastNamed_.find(name);
  return found == lastNamed_.end() ? nullptr : found->second;
}

void ModuleReader::assignPragmas() {
  for (Pragma& pragma : collectPragmas(source_, root_, diag_)) {
    const auto after = std::partition_point(topLevel_.begin(), topLevel_.end(),
                                            [&](Node node) { return node.begin() <= pragma.span.begin; });
    const Node before = after == topLevel_.begin() ? Node() : *std::prev(after);
    const bool inside = before && pragma.span.begin < before.end();
    const bool belongs =
        inside || pragma.indent > 0; // a comment at the end of a body may lie behind its last node
    Definition* definition = before ? definitionAt(before.begin()) : nullptr;
    const bool inClass = inside && (before.is("class_definition") || before.is("decorated_definition"));
    if (definition && belongs)
      definition->pragmas.push_back(std::move(pragma));
    else if (!inClass && !root_.hasError() && !std::holds_alternative<BadDirective>(pragma.directive))
      diag_.report(DiagId::StrayPragma, pragma.span, "a pragma outside a function is not read");
  }
}

void ModuleReader::assignComments() {
  comments_ = collectSignatureComments(source_, root_, diag_);
  for (const SignatureComment& comment : comments_) {
    const auto next = std::partition_point(topLevel_.begin(), topLevel_.end(),
                                           [&](Node node) { return node.end() <= comment.span.begin; });
    Definition* definition = next == topLevel_.end() ? nullptr : definitionAt(next->begin());
    if (!definition || definition->function.begin() < comment.span.begin) {
      if (!root_.hasError())
        badSignature(comment.span,
                     "this signature stands above no function; put it directly above a `def` at the top "
                     "level of the file");
      continue;
    }
    const std::optional<SignatureText> text =
        readSignatureText(Piece{comment.text, comment.span.begin, {}}, diag_);
    if (!text) continue;
    if (text->name.text == definition->name)
      definition->comments.push_back(*text);
    else
      badSignature(text->name.span(), fmt::format("the signature is of `{}`, but the function below is `{}`",
                                                  text->name.text, definition->name))
          .replaceWith(text->name.span(), definition->name)
          .note(definition->nameSpan, "the function is here");
  }
}

std::string ModuleReader::functionHint(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Definition& definition : definitions_) names.push_back(definition.name);
  const std::optional<std::string_view> nearest = nearestName(name, names);
  return nearest ? fmt::format("; did you mean `{}`?", *nearest) : "";
}

void ModuleReader::assignCommandLine(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::optional<SignatureText> read = readSignatureText(Piece{text, 0, Span{}}, diag_);
    if (!read) continue;
    if (Definition* definition = definitionNamed(read->name.text))
      definition->commandLine.push_back(text);
    else
      badSignature({}, fmt::format("--signature names the function `{}`, which the file does not define{}",
                                   read->name.text, functionHint(read->name.text)));
  }
}

void ModuleReader::readSignatures(Definition& definition) {
  std::vector<ParameterNode> parameters = parameterNodes(source_, definition.function);
  std::erase_if(parameters, [](const ParameterNode& p) { return p.kind == ast::Parameter::Rest; }); // refused
  const auto keep = [&](std::optional<ast::Signature> signature) {
    if (signature) definition.signatures.push_back(std::move(*signature));
  };
  definition.exported = true;
  if (!definition.commandLine.empty()) {
    for (const std::string& text : definition.commandLine)
      if (const auto read = readSignatureText(Piece{text, 0, definition.nameSpan}, diag_))
        keep(matchSignature(*read, parameters, diag_));
    return;
  }
  if (!definition.comments.empty()) {
    for (const SignatureText& text : definition.comments) keep(matchSignature(text, parameters, diag_));
    return;
  }
  keep(annotatedSignature(source_, definition.function, parameters, definition.exported, diag_));
}

void ModuleReader::refuseRedefinitions() {
  for (const Definition& definition : definitions_) {
    const Definition* last = definitionNamed(definition.name);
    if (definition.hiddenBy && definition.exported)
      badSignature(definition.nameSpan, fmt::format("`{}` is {} again below, which hides this one",
                                                    definition.name, last ? "defined" : "bound"))
          .note(last ? last->nameSpan : *definition.hiddenBy,
                fmt::format("the other {} is here", last ? "definition" : "binding"));
  }
}

/// Names of the exported functions and of all that they call.
std::set<std::string> ModuleReader::reachable() const {
  std::set<std::string> found;
  std::vector<const Definition*> work;
  const auto add = [&](const Definition* definition) {
    if (found.insert(definition->name).second) work.push_back(definition);
  };
  for (const auto& [name, definition] : lastNamed_)
    if (definition->exported) add(definition);
  while (!work.empty()) {
    const Definition* definition = work.back();
    work.pop_back();
    walk(definition->function.field("body"), [&](Node node, size_t) {
      const Node callee = node.is("call") ? node.field("function") : Node();
      if (callee.is("identifier"))
        if (const auto called = lastNamed_.find(source_.text(callee.span())); called != lastNamed_.end())
          add(called->second);
      return true;
    });
  }
  return found;
}

//===- functions ------------------------------------------------------------------------------------===//

/// Arguments that have no name, or need one, are for callers in the file: the wrapper passes them in order.
void ModuleReader::refuseKinds(const Definition& definition) {
  for (const Node node : definition.function.field("parameters").namedChildren()) {
    const Node starred =
        node.is("typed_parameter") && !node.namedChildren().empty() ? node.namedChildren()[0] : node;
    const std::optional<std::string> message = unsupportedMessage(starred.kind());
    if (message && (definition.exported || starred.is("dictionary_splat_pattern")))
      diag_.report(DiagId::Unsupported, node.span(), *message);
  }
}

void ModuleReader::parseParameters(const Definition& definition, ast::Function& out) {
  refuseKinds(definition);
  ExprParser exprs(source_.text(), diag_);
  std::set<std::string> names;
  for (const ParameterNode& parameter : parameterNodes(source_, definition.function)) {
    if (!names.insert(parameter.name).second)
      diag_.report(DiagId::Syntax, parameter.node.span(),
                   fmt::format("two parameters are named `{}`", parameter.name));
    ast::Expr value;
    if (parameter.defaultValue && tooDeepNode(parameter.defaultValue))
      reportTooDeep(parameter.node.span(), diag_);
    else if (parameter.defaultValue)
      value = exprs.parse(parameter.defaultValue);
    out.params.push_back({parameter.name, std::move(value), parameter.node.span(), parameter.kind});
  }
}

ast::Function ModuleReader::parseFunction(Definition& definition, const std::vector<ast::Import>& imports) {
  const Node function = definition.function;
  ast::Function out;
  out.name = definition.name;
  out.signatures = std::move(definition.signatures);
  out.nameSpan = definition.nameSpan;
  out.span = function.span();
  if (function.hasError()) { // reported as a syntax error
    out.body = {ast::makeStmt(function.span(), ast::ErrorStmt{})};
    return out;
  }
  if (function.hasToken("async"))
    diag_.report(DiagId::Unsupported, out.nameSpan, "`async` is not translated; write an ordinary function");
  if (function.field("type_parameters"))
    diag_.report(DiagId::Unsupported, function.field("type_parameters").span(),
                 "type parameters are not translated; give the function several signatures");
  parseParameters(definition, out);
  out.directive = readDecorators(source_, definition.outer, imports, diag_);
  if (const Node deep = tooDeepNode(function.field("body"))) {
    const Position at = source_.position(deep.begin());
    const auto lineEnd = source_.lineStart(at.line) + static_cast<uint32_t>(source_.line(at.line).size());
    reportTooDeep({deep.begin(), std::clamp(deep.end(), deep.begin(), std::max(lineEnd, deep.begin()))},
                  diag_);
    out.body = {ast::makeStmt(function.span(), ast::ErrorStmt{})};
    return out;
  }
  PragmaQueue pragmas(source_, std::move(definition.pragmas), diag_);
  out.body = StmtParser(source_, pragmas, diag_).parseBody(function, out.docstring);
  return out;
}

} // namespace

ast::Module parse(const Source& source, const std::vector<std::string>& signatures, Diagnostics& diag) {
  if (!checkReadable(source, diag)) return {};
  std::optional<SyntaxTree> tree(std::in_place, source.text());
  if (tree->root().hasError()) tree.emplace(withoutSlicesInTypes(source.text()));
  reportSyntaxErrors(source, tree->root(), diag);
  checkNames(source, tree->root(), diag);
  return ModuleReader(source, tree->root(), diag).read(signatures);
}

std::vector<ast::Function> parseFunctions(const Source& source, Diagnostics& diag) {
  if (!checkReadable(source, diag)) return {};
  const SyntaxTree tree(source.text());
  reportSyntaxErrors(source, tree.root(), diag);
  return ModuleReader(source, tree.root(), diag).readFunctions();
}

} // namespace appyc::frontend
