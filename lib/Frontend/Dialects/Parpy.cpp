//===- Parpy.cpp - ParPy's labels and types ---------------------------------------------------------------===//
//   parpy.label('N')            names the `for`, the assignment or the definition below
//   with parpy.gpu: ...         what is in it runs as it stands
//   M, N = shape_var(), ...     names of sizes: `for i in range(N)` has the label N
//   T = type_var()              f64 or f32, one of both in a function
//   x: buffer(T, [M, N])        the type of a parameter
//   @parpy.external("add", backend, target, header="add.h")    a function of a header, which the `def` stands for
// What a label's loop is run by stands elsewhere: Labels.cpp. Sources: ParPy 0.1.3, and NPBench's programs of 2026.
#include "Dialects.h"
#include "Imports.h"
#include "Signatures.h"
#include "Types.h"
#include "appyc/IR/Types.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace appyc::frontend {

std::optional<Directive> readParpyStatement(const NamedCall& call, Diagnostics& diag) {
  if (call.path != "parpy.label") return {};
  const std::vector<Node> arguments = call.call.field("arguments").namedChildren();
  const std::optional<Piece> name = arguments.size() == 1 ? call.string(arguments[0]) : std::nullopt;
  if (name && !name->empty()) return Label{std::string(name->text)};
  diag.report(DiagId::BadDirective, call.call.span(),
              "a label is a text that stands there: `parpy.label('N')`");
  return BadDirective{};
}

std::optional<ast::FunctionDirective::Role> readParpyRole(const NamedCall& decorator, Diagnostics&) {
  return decorator.path == "parpy.external" ? std::optional(ast::FunctionDirective::External) : std::nullopt;
}

void readParpyLinks(const NamedCall& decorator, ast::FunctionDirective& function, Diagnostics& diag) {
  std::vector<Node> given;
  for (const Node argument :
       decorator.call ? decorator.call.field("arguments").namedChildren() : std::vector<Node>{})
    if (!argument.is("keyword_argument")) given.push_back(argument);
  const Node named = decorator.keyword("name"), last = decorator.keyword("header");
  const Node name = !given.empty() ? given[0] : named, header = given.size() > 3 ? given[3] : last;
  const Node target = given.size() > 2 ? given[2] : decorator.keyword("target");
  const std::optional<Piece> ofName = name ? decorator.string(name) : std::nullopt;
  const std::optional<Piece> ofHeader = header ? decorator.string(header) : std::nullopt;
  if (const Node shared = decorator.keyword("parallelize"))
    diag.report(DiagId::BadDirective, shared.span(),
                "a function of a header is called by one thread; its loop over threads is written here, with "
                "a label");
  if (target && decorator.piece(target).text.ends_with("Host"))
    diag.report(DiagId::BadDirective, target.span(),
                "functions of the host are not called here: call them in Python, before or behind the "
                "translated function");
  else if (ofName && (ofHeader || !header || decorator.piece(header).text == "None"))
    function.linkedName = std::string(ofName->text);
  else
    diag.report(
        DiagId::BadDirective, decorator.decorator.span(),
        "the function's name and its header are texts: "
        "`@parpy.external(\"add\", parpy.CompileBackend.Cuda, parpy.Target.Device, header=\"add.h\")`");
  if (ofHeader) function.links.push_back({std::string(ofHeader->text), header.span(), true});
}

bool importsParpy(const std::vector<ast::Import>& imports) {
  return std::ranges::any_of(imports, [](const ast::Import& i) { return i.what.starts_with("parpy"); });
}

namespace {

/// What ParPy's names stand for in a file.
class ParpyNames {
public:
  ParpyNames(const Source& source, Node root, const std::vector<ast::Import>& imports)
      : source_(source), imports_(imports) {
    for (const Node statement : root.namedChildren()) {
      const std::vector<Node> parts =
          statement.is("expression_statement") ? statement.namedChildren() : std::vector<Node>{};
      if (parts.size() != 1 || !parts[0].is("assignment")) continue;
      std::vector<Node> targets = items(parts[0].field("left")), values = items(parts[0].field("right"));
      if (targets.size() != values.size()) continue;
      for (size_t k = 0; k < targets.size(); ++k) {
        if (!values[k].is("call")) continue;
        const std::string path = pathOf(values[k].field("function"));
        if (path == "parpy.types.shape_var") sizes.insert(std::string(text(targets[k])));
        if (path == "parpy.types.type_var") types.insert(std::string(text(targets[k])));
      }
    }
  }

  std::string_view text(Node node) const { return source_.text(node.span()); }
  std::string pathOf(Node node) const { return nameInFull(std::string(text(node)), imports_); }

  /// `parpy.types.F32`, or a type variable.
  bool isType(Node annotation) const {
    return types.count(std::string(text(annotation))) || pathOf(annotation).starts_with("parpy.types.");
  }

  std::set<std::string> sizes, types;

private:
  static std::vector<Node> items(Node node) {
    const bool isTuple = node.is("pattern_list") || node.is("expression_list") || node.is("tuple");
    return isTuple ? node.namedChildren() : std::vector<Node>{node};
  }
  const Source& source_;
  const std::vector<ast::Import>& imports_;
};

/// The types of one function's parameters, where `variable` stands for type variables.
class TypeReader {
public:
  TypeReader(const ParpyNames& names, const Source& source, std::string variable, Diagnostics& diag)
      : names_(names), source_(source), variable_(std::move(variable)), diag_(diag) {}

  std::optional<ast::TypeSpec> read(Node annotation) {
    const Node node = annotation.is("type") ? annotation.namedChildren()[0] : annotation;
    ast::TypeSpec spec;
    if (node.is("call") && names_.pathOf(node.field("function")) == "parpy.types.buffer") {
      isOfParpy = true;
      return array(node);
    }
    if (const std::optional<std::string> dtype = element(node)) {
      spec.dtype = *dtype;
      spec.where = node.span();
      return spec;
    }
    return readType(Piece{names_.text(node), node.begin(), {}}, diag_);
  }

  bool isOfParpy = false, hasVariable = false;

private:
  /// `parpy.types.F32`, or a type variable.
  std::optional<std::string> element(Node node) {
    if (names_.types.count(std::string(names_.text(node)))) {
      isOfParpy = hasVariable = true;
      return variable_;
    }
    const std::string path = names_.pathOf(node);
    constexpr std::string_view module = "parpy.types.";
    if (!path.starts_with(module)) return std::nullopt;
    isOfParpy = true;
    std::string name = path.substr(module.size());
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (ir::dtypeNamed(name)) return name;
    diag_.report(
        DiagId::BadSignature, node.span(),
        fmt::format("appyc has no type for ParPy's `{}`; there are Bool, I8 to I64, U8 to U64, F32 and "
                    "F64, and `buffer(F64, [N])` of them",
                    names_.text(node)));
    return variable_;
  }

  std::optional<ast::TypeSpec> array(Node node) {
    const std::vector<Node> given = node.field("arguments").namedChildren();
    if (given.size() != 2 || !given[1].is("list")) {
      diag_.report(DiagId::BadSignature, node.span(),
                   "a buffer has a type and the list of its extents: `buffer(F64, [M, N])`");
      return std::nullopt;
    }
    const std::optional<std::string> dtype = element(given[0]);
    if (!dtype) {
      diag_.report(
          DiagId::BadSignature, given[0].span(),
          "the elements of a buffer are of a type of `parpy.types`, or of a `type_var()` of the file");
      return std::nullopt;
    }
    ast::TypeSpec spec;
    spec.dtype = *dtype;
    spec.isArray = true;
    spec.where = node.span();
    for (const Node extent : given[1].namedChildren()) spec.extents.emplace_back(names_.text(extent));
    return spec;
  }

  const ParpyNames& names_;
  const Source& source_;
  std::string variable_;
  Diagnostics& diag_;
};

} // namespace

std::vector<GivenTypes> readParpyAnnotations(const Source& source, Node root, Node function,
                                             const std::vector<ast::Import>& imports, Diagnostics& diag) {
  if (!importsParpy(imports)) return {};
  const ParpyNames names(source, root, imports);
  const std::vector<ParameterNode> parameters = parameterNodes(source.text(), function);
  std::vector<GivenTypes> all;
  for (const char* variable : {"f64", "f32"}) {
    Diagnostics unheard;
    const bool isFirst = all.empty();
    GivenTypes types;
    types.where = function.field("name").span();
    TypeReader probe(names, source, variable, unheard); // whether they are ParPy's at all
    for (const ParameterNode& p : parameters)
      if (p.type) probe.read(p.type);
    if (!probe.isOfParpy || (!isFirst && !probe.hasVariable)) break;
    TypeReader reader(names, source, variable, isFirst ? diag : unheard);
    for (const ParameterNode& p : parameters)
      types.params.push_back(p.type ? reader.read(p.type) : std::nullopt);
    if (const Node result = function.field("return_type"); result && names.isType(result))
      if (const std::optional<ast::TypeSpec> type = reader.read(result)) types.results = {*type};
    all.push_back(std::move(types));
  }
  return all;
}

std::set<std::string> namesOfParpyTypes(const Source& source, Node root,
                                        const std::vector<ast::Import>& imports) {
  ParpyNames names(source, root, imports);
  names.sizes.merge(names.types);
  return names.sizes;
}

std::vector<std::pair<std::string, std::string>>
typesOfParpyParameters(const Source& source, Node root, Node function,
                       const std::vector<ast::Import>& imports) {
  if (!importsParpy(imports)) return {};
  const ParpyNames names(source, root, imports);
  std::vector<std::pair<std::string, std::string>> all;
  if (names.types.empty()) return all;
  std::set<std::string> open;
  walk(function.field("body"), [&](Node node, size_t) {
    const std::string name(node.is("identifier") ? names.text(node) : "");
    if (names.types.count(name)) open.insert(name);
    return true;
  });
  for (const ParameterNode& p : parameterNodes(source.text(), function))
    if (p.type)
      walk(p.type, [&](Node node, size_t) {
        if (open.erase(std::string(node.is("identifier") ? names.text(node) : "")))
          all.emplace_back(names.text(node), p.name);
        return true;
      });
  return all;
}

std::vector<std::pair<Node, std::string>> impliedParpyLabels(const Source& source, Node root,
                                                             const std::vector<ast::Import>& imports) {
  std::vector<std::pair<Node, std::string>> all;
  const ParpyNames names(source, root, imports);
  if (names.sizes.empty()) return all;
  walk(root, [&](Node node, size_t) {
    const Node over = node.is("for_statement") ? node.field("right") : node.is("slice") ? node : Node();
    if (!over) return true;
    const bool isNest = over.is("call") && names.pathOf(over.field("function")) == "parpy.builtin.ranges";
    const bool isRange = isNest || (over.is("call") && names.text(over.field("function")) == "range");
    std::vector<Node> bounds = isRange ? over.field("arguments").namedChildren() : over.namedChildren();
    if (over.is("call") && !isRange) return true;
    if (isNest && !bounds.empty()) // of nested loops it is the outermost's
      bounds = bounds[0].is("tuple") ? bounds[0].namedChildren() : std::vector<Node>{bounds[0]};
    for (const Node bound : bounds) // `range(N)`, `range(1, N)`, `:N`
      if (bound.is("identifier") && names.sizes.count(std::string(names.text(bound))))
        all.emplace_back(node, std::string(names.text(bound)));
    return true;
  });
  return all;
}

} // namespace appyc::frontend
