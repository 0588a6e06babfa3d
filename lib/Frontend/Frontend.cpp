//===- Frontend.cpp - text to AST -------------------------------------------------------------------===//
#include "appyc/Frontend/Frontend.h"
#include "CallSites.h"
#include "Classes.h"
#include "Decorators.h"
#include "Imports.h"
#include "ModuleReader.h"
#include "ModuleScope.h"
#include "Numba.h"
#include "ParseStmt.h"
#include "Rebindings.h"
#include "Syntax.h"
#include "Unsupported.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

ast::Module ModuleReader::read(const std::vector<std::string>& signatures, const LabelTexts& schedules,
                               Changes& changes) {
  findDefinitions();
  ast::Module module;
  module.imports = readImports(source_, root_);
  assignPragmas(module.imports);
  knowImpliedLabels(module.imports);
  schedule_.readCalls(source_, root_, module.imports, notes_.statements, notes_.keywords, diag_);
  for (const std::string& text : schedules.options) schedule_.readText(text, LabelEntry::Option, diag_);
  for (const std::string& text : schedules.file) schedule_.readText(text, LabelEntry::File, diag_);
  for (const ScheduledLine& line : schedules.lines) labelLine(line);
  assignComments();
  assignCommandLine(signatures);
  assignOtherTypes(module.imports);
  classes_ = module.classes = classes(module.imports);
  for (Definition& definition : definitions_) {
    definition.isUfunc = bool(ufuncDecorator(source_, definition.outer, module.imports));
    if (!definition.function.hasError() && !definition.isUfunc) readSignatures(definition);
  }
  readCalls();
  refuseRedefinitions();

  const std::set<std::string> wanted = reachable(false), mentioned = reachable(true);
  ModuleScope scope = readScope(source_, root_, [&](Node function) {
    const auto named = lastNamed_.find(source_.text(function.field("name").span()));
    return named != lastNamed_.end() && wanted.count(named->second->name) &&
           named->second->function.begin() == function.begin();
  });
  module.constants = std::move(scope.constants);
  changes = std::move(scope.changes);
  for (const Dialect& dialect : dialects()) {
    if (!dialect.namesOfTypes) continue;
    const std::set<std::string> names = dialect.namesOfTypes(source_, root_, module.imports);
    std::erase_if(module.constants, [&](const ast::Constant& c) { return names.count(c.name) > 0; });
    module.names.insert(names.begin(), names.end());
  }
  addDeclared(module);
  addConstants(module.classes, module.constants);
  for (Definition& definition : definitions_) {
    const bool isLast = definitionNamed(definition.name) == &definition;
    if (wanted.count(definition.name) && isLast) {
      const Definition asRead = definition;
      const bool isInPlace =
          definition.signatures.empty() && yieldIn(definition.function).end > 0 && isCalled(definition);
      module.functions.push_back(isInPlace ? parseUnheard(definition, module.imports)
                                           : parseFunction(definition, module.imports, diag_));
      for (const std::string& schedule : schedule_.schedulesOf(definition.name)) {
        Definition again = asRead;
        again.schedule = schedule;
        Diagnostics unheard; // all has been said before, but of the schedule
        module.functions.push_back(parseFunction(again, module.imports, diag_.hasErrors() ? unheard : diag_));
      }
    } else if (mentioned.count(definition.name) && isLast)
      module.functions.push_back(parseUnheard(definition, module.imports));
    if (wanted.count(definition.name) || definition.function.hasError()) continue;
    module.passedOver.push_back(passedOver(source_, definition.outer, definition.function,
                                           parameterNodes(source_.text(), definition.function), classes_));
    if (const auto reason = reasons_.find(definition.name); reason != reasons_.end())
      module.passedOver.back().reason += ", and " + reason->second;
  }
  schedule_.reportUnknown(diag_);
  return module;
}

ast::Module ModuleReader::readModule(const std::string& name, Changes& changes) {
  findDefinitions();
  Diagnostics unheard; // pragmas that belong to nothing
  for (Pragma& pragma : collectPragmas(source_, root_, readImports(source_, root_), notes_, unheard))
    for (Definition& definition : definitions_)
      if (definition.outer.begin() <= pragma.span.begin && pragma.span.begin < definition.outer.end())
        definition.pragmas.push_back(pragma);
  ast::Module module;
  module.name = name;
  module.imports = readImports(source_, root_);
  ModuleScope scope = readScope(source_, root_, [](Node) { return false; });
  module.constants = std::move(scope.constants);
  changes = std::move(scope.changes);
  addDeclared(module);
  module.classes = classes(module.imports);
  addConstants(module.classes, module.constants);
  for (Definition& definition : definitions_)
    if (definitionNamed(definition.name) == &definition)
      module.functions.push_back(parseUnheard(definition, module.imports));
  module.names = boundNames(source_, root_);
  module.mayBindMore = mayBindMore(source_, root_);
  return module;
}

std::vector<ast::Function> ModuleReader::readFunctions() {
  findDefinitions();
  assignPragmas({});
  std::vector<ast::Function> functions;
  for (Definition& definition : definitions_) functions.push_back(parseFunction(definition, {}, diag_));
  return functions;
}

//===- what belongs to which function ---------------------------------------------------------------===//

void ModuleReader::findDefinitions() {
  for (const Node node : topLevel_) {
    const Node function = node.is("decorated_definition") ? node.field("definition") : node;
    if (!function.is("function_definition")) continue;
    definitions_.push_back(definitionOf(node, function));
  }
  const std::vector<ast::Import> imports = readImports(source_, root_);
  for (const Node node : topLevel_) { // `f = vectorize(...)(g)`
    if (!node.is("expression_statement") ||
        (!ufuncDecorator(source_, node, imports) && decoratorsOf(source_, node, imports).empty()))
      continue;
    const Span name = node.namedChildren()[0].field("left").span();
    definitions_.push_back({.name = std::string(source_.text(name)),
                            .outer = node,
                            .function = functionOfDefinition(source_, node),
                            .nameSpan = name});
  }
  std::ranges::stable_sort(definitions_, {}, [](const Definition& d) { return d.outer.begin(); });
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

void ModuleReader::assignPragmas(const std::vector<ast::Import>& imports) {
  for (Pragma& pragma : collectPragmas(source_, root_, imports, notes_, diag_)) {
    const auto after = std::partition_point(topLevel_.begin(), topLevel_.end(),
                                            [&](Node node) { return node.begin() <= pragma.span.begin; });
    const Node before = after == topLevel_.begin() ? Node() : *std::prev(after);
    const bool inside = before && pragma.span.begin < before.end();
    const bool belongs =
        inside || pragma.indent > 0; // a comment at the end of a body may lie behind its last node
    Definition* definition = before ? definitionAt(before.begin()) : nullptr;
    const bool inClass = inside && (before.is("class_definition") || before.is("decorated_definition"));
    if (const auto* label = definition && belongs ? std::get_if<Label>(&pragma.directive) : nullptr)
      schedule_.know(definition->name, label->name);
    if (definition && belongs)
      definition->pragmas.push_back(std::move(pragma));
    else if (!inClass && !root_.hasError() && !std::holds_alternative<BadDirective>(pragma.directive))
      diag_.report(DiagId::StrayPragma, pragma.span,
                   std::holds_alternative<Label>(pragma.directive)
                       ? "a label outside a function is not read"
                       : "a pragma outside a function is not read");
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

/// Decorators and comments of other systems that give types.
void ModuleReader::assignOtherTypes(const std::vector<ast::Import>& imports) {
  for (Definition& definition : definitions_)
    for (const Node part : decoratorsOf(source_, definition.outer, imports)) {
      const Node whole = part.namedChildren()[0];
      if (definition.function.hasError()) continue;
      const bool isCall = whole.is("call");
      const Node callee = isCall ? whole.field("function") : whole;
      const NamedCall decorator{nameInFull(std::string(source_.text(callee.span())), imports),
                                isCall ? whole : Node(), source_};
      for (const Dialect& dialect : dialects())
        if (dialect.readDecorator)
          for (GivenTypes& types : dialect.readDecorator(decorator, diag_))
            definition.others.push_back(std::move(types));
    }
  for (Definition& definition : definitions_)
    for (const Dialect& dialect : dialects())
      if (dialect.readAnnotations && definition.others.empty() && !definition.function.hasError())
        definition.others = dialect.readAnnotations(source_, root_, definition.function, imports, diag_);
  for (const TypesComment& comment : collectTypesComments(source_, root_, diag_))
    for (auto& [name, types] : comment.read(Piece{comment.text, comment.begin, {}}, diag_)) {
      if (Definition* definition = definitionNamed(name))
        definition->others.push_back(std::move(types));
      else
        badSignature(types.where,
                     fmt::format("the comment gives types to `{}`, which the file does not define{}", name,
                                 functionHint(name)));
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
  std::vector<ParameterNode> parameters = parameterNodes(source_.text(), definition.function);
  std::erase_if(parameters, [](const ParameterNode& p) { // refused
    return p.kind == ast::Parameter::Rest || p.kind == ast::Parameter::Others;
  });
  const auto keep = [&](const std::optional<ast::Signature>& signature) {
    if (!signature) return;
    for (ast::Signature& s : withoutOptional(source_, definition.function, parameters, *signature))
      definition.signatures.push_back(std::move(s));
  };
  definition.exported = true;
  if (!definition.commandLine.empty()) {
    for (const std::string& text : definition.commandLine)
      if (const auto read = readSignatureText(Piece{text, 0, definition.nameSpan}, diag_))
        keep(matchSignature(*read, parameters, classes_, diag_));
    return;
  }
  if (!definition.comments.empty()) {
    for (const SignatureText& text : definition.comments)
      keep(matchSignature(text, parameters, classes_, diag_));
    return;
  }
  if (!definition.others.empty()) {
    for (const GivenTypes& types : definition.others)
      keep(matchTypes(types, definition.name, parameters, diag_));
    return;
  }
  if (yieldIn(definition.function).end > 0 && isCalled(definition)) { // a part of those that call it
    definition.exported = false;
    return;
  }
  std::optional<ast::Signature> signature =
      annotatedSignature(source_, definition.function, parameters, classes_, definition.exported, diag_);
  const auto has = [&](const auto& asked) {
    if (!signature) return false;
    for (size_t k = 0; k < signature->params.size(); ++k)
      if (signature->params[k] && asked(*signature->params[k], parameters[k])) return true;
    return false;
  };
  const auto isTaken = [](const ast::TypeSpec& type, const ParameterNode&) { return type.isTakenApart(); };
  const auto isText = [](const ast::TypeSpec& type, const ParameterNode& p) {
    return type.dtype == "text" && !p.defaultValue; // `path: str`: most such functions are none of numbers
  };
  const Node result = definition.function.field("return_type");
  const bool givesText = result && source_.text(result.span()) == "str"; // a part of what prints, mostly
  definition.isHelper =
      has(isText) || givesText || (has(isTaken) && isCalled(definition)); // which reads all of the file
  keep(signature);
}

/// Is the function's type one that only appyc's or NumPy's notation gives?
static bool isCertainType(const std::optional<ast::TypeSpec>& type) {
  if (type && type->record)
    return std::ranges::any_of(type->record->fields,
                               [](const ast::Class::Field& f) { return isCertainType(f.type); });
  return type && !type->isTakenApart() && (type->isArray || (!type->weak && type->dtype != "bool"));
}
static bool isCertain(const ast::Signature& signature) {
  return std::ranges::any_of(signature.params, isCertainType);
}

/// Does it stand for code elsewhere, as under `@parpy.external`? Its types say nothing of the file's own functions.
static bool isElsewhere(const Source& source, Node outer, const std::vector<ast::Import>& imports) {
  Diagnostics unheard;
  return std::ranges::any_of(outer.namedChildren(), [&](Node part) {
    const Node whole = part.is("decorator") ? part.namedChildren()[0] : Node();
    if (!whole) return false;
    const Node callee = whole.is("call") ? whole.field("function") : whole;
    const NamedCall named{nameInFull(std::string(source.text(callee.span())), imports),
                          whole.is("call") ? whole : Node(), source, part};
    return std::ranges::any_of(dialects(), [&](const Dialect& dialect) {
      return dialect.readRole && dialect.readRole(named, unheard) == ast::FunctionDirective::External;
    });
  });
}

/// In a file where nobody has written types for appyc, calls give them.
void ModuleReader::readCalls() {
  std::map<std::string, Node, std::less<>> functions, untyped;
  const std::vector<ast::Import> imports = readImports(source_, root_);
  for (const Definition& definition : definitions_) {
    if (isElsewhere(source_, definition.outer, imports) || definition.outer.is("expression_statement"))
      continue;
    if (!definition.comments.empty() || !definition.commandLine.empty() ||
        std::ranges::any_of(definition.signatures, isCertain))
      return;
    if (definitionNamed(definition.name) != &definition || definition.function.hasError()) continue;
    functions.emplace(definition.name, definition.function);
    if (!definition.exported) untyped.emplace(definition.name, definition.function);
  }
  for (auto& [name, types] : typesOfCalls(source_, root_, functions, untyped, diag_)) {
    Definition& definition = *definitionNamed(name);
    if (!types.reason.empty()) reasons_[name] = types.reason;
    if (!types.signature) continue;
    definition.exported = true;
    definition.isHelper = types.isOfDefaults;
    definition.signatures = withoutOptional(
        source_, definition.function, parameterNodes(source_.text(), definition.function), *types.signature);
  }
}

/// By other functions of the file, or methods.
bool ModuleReader::isCalled(const Definition& definition) const {
  bool found = false;
  for (const Node outer : topLevel_) {
    const bool isCode =
        outer.is("decorated_definition") || outer.is("function_definition") || outer.is("class_definition");
    if (!isCode || outer.begin() == definition.outer.begin()) continue;
    walk(outer, [&](Node node, size_t) {
      found |= node.is("call") && source_.text(node.field("function").span()) == definition.name;
      return !found;
    });
  }
  return found;
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

//===- functions ------------------------------------------------------------------------------------===//

/// Arguments that have no name, or need one, are for callers in the file: the wrapper passes them in order.
void ModuleReader::refuseKinds(const Definition& definition, Diagnostics& diag) {
  for (const Node node : definition.function.field("parameters").namedChildren()) {
    const Node starred =
        node.is("typed_parameter") && !node.namedChildren().empty() ? node.namedChildren()[0] : node;
    const std::optional<std::string> message = unsupportedMessage(starred.kind());
    if (message && definition.exported) diag.report(DiagId::Unsupported, node.span(), *message);
  }
}

ast::Function ModuleReader::parseFunction(Definition& definition, const std::vector<ast::Import>& imports,
                                          Diagnostics& diag) {
  const Node function = definition.function;
  ast::Function out;
  out.name = definition.name;
  out.signatures = std::move(definition.signatures);
  out.isHelper = definition.isHelper;
  out.nameSpan = definition.nameSpan;
  out.span = function.span();
  if (function.hasError()) { // reported as a syntax error
    out.body = {ast::makeStmt(function.span(), ast::ErrorStmt{})};
    return out;
  }
  if (function.hasToken("async"))
    diag.report(DiagId::Unsupported, out.nameSpan, "`async` is not translated; write an ordinary function");
  if (function.field("type_parameters"))
    diag.report(DiagId::Unsupported, function.field("type_parameters").span(),
                "type parameters are not translated; give the function several signatures");
  refuseKinds(definition, diag);
  out.params = ExprParser(source_.text(), diag).parameters(function);
  out.directive = readDecorators(source_, definition.outer, imports, diag);
  out.converting = readConversions(source_, definition.outer, function, imports);
  if (function.is("lambda")) {
    const ast::Expr read = ExprParser(source_.text(), diag).parse(function);
    if (const auto* l = read.as<ast::Lambda>()) out.body = l->function->body;
    return out;
  }
  if (const Node deep = tooDeepNode(function.field("body"))) {
    const Position at = source_.position(deep.begin());
    const auto lineEnd = source_.lineStart(at.line) + static_cast<uint32_t>(source_.line(at.line).size());
    reportTooDeep({deep.begin(), std::clamp(deep.end(), deep.begin(), std::max(lineEnd, deep.begin()))},
                  diag);
    out.body = {ast::makeStmt(function.span(), ast::ErrorStmt{})};
    return out;
  }
  const std::string scheduled =
      definition.name + (definition.schedule.empty() ? "" : "@" + definition.schedule);
  out.schedule = definition.schedule;
  out.labels = schedule_.textsOf(scheduled);
  PragmaQueue pragmas(source_, std::move(definition.pragmas), notes_, &schedule_, scheduled, diag);
  out.yields = yieldIn(function);
  out.body = StmtParser(source_, pragmas, imports, changing_, diag).parseBody(function, out.docstring);
  for (const Dialect& dialect : dialects())
    if (dialect.typesOfParameters)
      for (const auto& [name, param] : dialect.typesOfParameters(source_, root_, function, imports)) {
        const auto named = [&](const std::string& id) { return ast::make(out.nameSpan, ast::Name{id}); };
        const ast::Expr type = ast::make(out.nameSpan, ast::Attribute{named(param), "dtype"});
        out.body.insert(out.body.begin(), ast::makeStmt(out.nameSpan, ast::Assign{{named(name)}, type, {}}));
      }
  return out;
}

/// Functions of other languages, which assignments at the top level name.
void ModuleReader::addDeclared(ast::Module& module) {
  std::erase_if(module.constants, [&](const ast::Constant& c) {
    const Definition* made = definitionNamed(c.name);
    return made && made->outer.is("expression_statement");
  });
  for (const Node node : topLevel_) {
    const std::vector<Node> parts =
        node.is("expression_statement") ? node.namedChildren() : std::vector<Node>();
    if (parts.size() != 1 || !parts[0].is("assignment")) continue;
    const Node left = parts[0].field("left"), call = parts[0].field("right");
    if (!left.is("identifier") || !call || !call.is("call")) continue;
    const std::string callee(source_.text(call.field("function").span())), name(source_.text(left.span()));
    const NamedCall named{nameInFull(callee, module.imports), call, source_};
    for (const Dialect& dialect : dialects())
      if (std::optional<ast::Function> declared =
              dialect.readDeclared ? dialect.readDeclared(named, diag_) : std::nullopt) {
        declared->name = name;
        declared->nameSpan = left.span();
        declared->span = node.span();
        std::erase_if(module.constants, [&](const ast::Constant& c) { return c.name == name; });
        module.functions.push_back(std::move(*declared));
      }
  }
}

/// What is wrong with it is told where it is called.
ast::Function ModuleReader::parseUnheard(Definition& definition, const std::vector<ast::Import>& imports) {
  Diagnostics unheard;
  ast::Function out = parseFunction(definition, imports, unheard);
  if (unheard.hasErrors()) out.problems = unheard.all();
  if (definition.function.hasError())
    out.problems = {
        {DiagId::Syntax, Severity::Error, definition.nameSpan, "this function is not Python", {}, {}}};
  return out;
}

std::vector<ast::ClassRef> ModuleReader::classes(const std::vector<ast::Import>& imports) {
  return readClasses(source_, root_, imports, [&](Node function) {
    Definition method = definitionOf(function, function);
    return parseUnheard(method, imports);
  });
}

namespace {

/// The module whose name is the longest beginning of `path`.
ast::Module* moduleOf(std::vector<ast::Module>& modules, const std::string& path) {
  ast::Module* found = nullptr;
  for (ast::Module& m : modules)
    if ((path == m.name || path.starts_with(m.name + ".")) && (!found || m.name.size() > found->name.size()))
      found = &m;
  return found;
}

/// A file of the program may change the object `path` of a module.
void markChange(std::vector<ast::Module>& modules, const Source& source, const std::string& path,
                const Change& change) {
  ast::Module* module = moduleOf(modules, path);
  if (!module || module->name == path) return;
  const std::string name = path.substr(module->name.size() + 1);
  const auto [file, at] = source.placeOf(change.where.begin);
  const std::string text =
      fmt::format("line {} of {} may change what it stands for; pass it as an argument", at.line, file->name);
  for (ast::Constant& c : module->constants)
    if (c.name == name && c.problem.empty() && (change.binds || !isImmutable(c.value)))
      c.problem = text, c.value = {};
  for (ast::Function& f : module->functions)
    if (f.name == name && change.binds)
      f.problems.push_back(
          {DiagId::Unsupported, Severity::Error, f.nameSpan, fmt::format("`{}`: {}", name, text), {}, {}});
}

/// Does the module import itself, by way of others, when it is imported?
bool importsItself(std::vector<ast::Module>& modules, const ast::Module& module) {
  std::set<const ast::Module*> seen;
  std::vector<const ast::Module*> work{&module};
  while (!work.empty()) {
    const ast::Module* m = work.back();
    work.pop_back();
    for (const ast::Import& i : m->imports) {
      const ast::Module* imported = moduleOf(modules, i.what);
      if (imported == &module) return true;
      if (imported && seen.insert(imported).second) work.push_back(imported);
    }
  }
  return false;
}

/// They are functions of the input, as they call its.
void readUfuncEntries(const Source& source, const SourceFile& file, ast::Module& program, Diagnostics& diag) {
  const SyntaxTree tree(source.text(), file.where);
  Changes none;
  std::vector<ast::Function> entries = ModuleReader(source, tree.root(), diag).read({}, {}, none).functions;
  for (ast::Function& entry : entries) entry.directive.isEntry = true;
  std::ranges::move(entries, std::back_inserter(program.functions));
}

void readModules(const Source& source, ast::Module& program, Changes ofInput) {
  std::vector<ast::Module>& modules = program.modules;
  std::vector<Changes> changes{std::move(ofInput)};
  for (size_t k = 1; k < source.files().size(); ++k) {
    const SourceFile& file = source.files()[k];
    if (file.module == kUfuncEntries) continue;
    Diagnostics unheard;
    const SyntaxTree tree(source.text(), file.where);
    reportSyntaxErrors(source, tree.root(), unheard, file.where);
    checkNames(source, tree.root(), unheard);
    changes.emplace_back();
    modules.push_back(ModuleReader(source, tree.root(), unheard).readModule(file.module, changes.back()));
    if (unheard.hasErrors()) modules.back().problems = unheard.all();
  }
  for (size_t k = 0; k < changes.size(); ++k) {
    const std::vector<ast::Import> imports = k == 0 ? program.imports : modules[k - 1].imports;
    for (const auto& [name, change] : changes[k])
      for (const ast::Import& i : imports)
        if (name == i.as || name.starts_with(i.as + "."))
          markChange(modules, source, i.what + name.substr(i.as.size()), change);
  }
  for (ast::Module& m : modules)
    if (m.problems.empty() && importsItself(modules, m))
      m.problems.push_back({DiagId::BadImport,
                            Severity::Error,
                            m.imports.front().where,
                            fmt::format("the module `{}` imports itself, by way of what it imports", m.name),
                            {},
                            {}});
}

} // namespace

ast::Module parse(const Source& source, const std::vector<std::string>& signatures, Diagnostics& diag,
                  const LabelTexts& schedules) {
  if (!checkReadable(source, diag)) return {};
  const Span input = source.files().front().where;
  std::optional<SyntaxTree> tree(std::in_place, source.text(), input);
  if (tree->root().hasError()) tree.emplace(withoutSlicesInTypes(source.text()), input);
  reportSyntaxErrors(source, tree->root(), diag, input);
  checkNames(source, tree->root(), diag);
  Changes changes;
  ast::Module program = ModuleReader(source, tree->root(), diag).read(signatures, schedules, changes);
  readModules(source, program, std::move(changes));
  readUfuncs(source, diag); // for what is wrong with their decorators
  if (source.files().back().module == kUfuncEntries)
    readUfuncEntries(source, source.files().back(), program, diag);
  return program;
}

std::vector<ast::Function> parseFunctions(const Source& source, Diagnostics& diag) {
  if (!checkReadable(source, diag)) return {};
  const SyntaxTree tree(source.text());
  reportSyntaxErrors(source, tree.root(), diag, source.files().front().where);
  return ModuleReader(source, tree.root(), diag).readFunctions();
}

} // namespace appyc::frontend
