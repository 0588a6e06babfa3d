//===- Signatures.cpp - types of a function's parameters and results ------------------------------===//
#include "Signatures.h"
#include "ParseExpr.h"
#include "Types.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

namespace {

constexpr std::string_view commentForm = "write `#appyc: def name(a: f64[N], n: i64) -> f64[N]`";

/// Whether the comment is `#appyc:`; the length of that start.
std::optional<size_t> signatureStart(std::string_view comment) {
  const size_t word = comment.find_first_not_of(" \t", 1);
  if (word == std::string_view::npos || !comment.substr(word).starts_with("appyc")) return {};
  const size_t colon = comment.find_first_not_of(" \t", word + 5);
  if (colon == std::string_view::npos || comment[colon] != ':') return {};
  return colon + 1;
}

bool isUnfinished(std::string_view text) {
  return std::count(text.begin(), text.end(), '(') > std::count(text.begin(), text.end(), ')');
}

/// Reports parameters without a type that have no literal default either.
bool checkOmitted(const ast::Signature& signature, const std::vector<ParameterNode>& parameters, Span where,
                  Diagnostics& diag) {
  std::vector<std::string> missing;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!signature.params[i] && !parameters[i].isConstant) missing.push_back(parameters[i].name);
  if (missing.empty()) return true;
  diag.report(
      DiagId::BadSignature, where,
      fmt::format("no type for the parameter{} `{}`; only parameters with a constant default may be left out",
                  missing.size() > 1 ? "s" : "", fmt::join(missing, "`, `")));
  return false;
}

ast::ClassRef classNamed(std::string_view name, const Classes& classes) {
  for (const ast::ClassRef& c : classes)
    if (c->name == name) return c;
  return nullptr;
}

/// The field of the class that keeps parameters from being of it, as appyc does not know its type.
const ast::Class::Field* untypedField(const ast::Class& c) {
  const auto found = std::find_if(c.fields.begin(), c.fields.end(), [](const auto& f) { return !f.type; });
  return found == c.fields.end() ? nullptr : &*found;
}

std::optional<ast::TypeSpec> readParameterType(const Piece& untrimmed, const Classes& classes,
                                               Diagnostics& diag) {
  const Piece text = untrimmed.trimmed();
  const ast::ClassRef record = classNamed(text.text, classes);
  if (!record)
    if (std::optional<ast::TypeSpec> given = text.text == "str" ? readText(text) : readContainer(text))
      return given;
  if (!record) return readType(text, diag);
  const auto* field = untypedField(*record);
  std::string problem = record->problem;
  if (problem.empty() && record->fields.empty()) problem = "it has no fields";
  const bool hasInit = std::ranges::any_of(
      record->methods, [](const ast::Class::Method& m) { return m.function->name == "__init__"; });
  if (problem.empty() && hasInit) problem = "it has an `__init__` of its own; make it a `@dataclass`";
  if (problem.empty() && field)
    problem = fmt::format(
        "`{}: {}` does not say the type of its elements and its dimensions as `{}: f64[:, :]` does",
        field->name, field->annotation, field->name);
  if (!problem.empty()) {
    diag.report(DiagId::BadSignature, text.span(),
                fmt::format("a parameter cannot be a `{}` here: {}", text.text, problem))
        .note(record->where, "the class is defined here");
    return {};
  }
  ast::TypeSpec spec;
  spec.where = text.span();
  spec.record = record;
  return spec;
}

/// Is the result's type, which nothing is then held against, one of records: a class of the file, or a dict?
bool mentionsRecord(const Piece& untrimmed, const Classes& classes) {
  const Piece text = untrimmed.trimmed();
  return classNamed(text.text, classes) || text.leadingName() == "dict" || text.leadingName() == "Dict";
}

const Piece& pieceAt(const Piece& piece, const Piece& otherwise) { return piece.empty() ? otherwise : piece; }

} // namespace

//===- texts ------------------------------------------------------------------------------------------===//

std::optional<SignatureText> readSignatureText(const Piece& untrimmed, Diagnostics& diag) {
  Piece text = untrimmed.trimmed();
  const auto error = [&](const Piece& at, std::string message) {
    diag.report(DiagId::BadSignature, at.span(), std::move(message));
    return std::optional<SignatureText>();
  };
  SignatureText result;
  result.whole = text;
  if (text.leadingName() == "def") text = text.sub(3).trimmed();
  result.name = text.sub(0, text.leadingName().size());
  Piece rest = text.sub(result.name.text.size()).trimmed();
  if (result.name.empty() || !rest.text.starts_with('('))
    return error(result.whole, fmt::format("`{}` is not a signature; write `name(f64, f64[N]) -> f64[N]`",
                                           result.whole.text));
  if (!rest.balanced()) return error(result.whole, "the brackets of the signature do not match");
  const size_t close = rest.sub(1).find(")");
  result.parameters = rest.sub(1, close);
  rest = rest.sub(close + 2).trimmed();
  if (rest.text.ends_with(':')) rest = rest.sub(0, rest.text.size() - 1).trimmed();
  if (rest.empty()) return result;
  if (!rest.text.starts_with("->"))
    return error(rest, fmt::format("expected `->` and the result's type, not `{}`", rest.text));
  result.results = rest.sub(2).trimmed();
  return result;
}

std::vector<SignatureComment> collectSignatureComments(const Source& source, Node root, Diagnostics& diag) {
  std::vector<SignatureComment> found;
  bool open = false; // the last one goes on below
  walk(root, [&](Node node, size_t) {
    if (!node.isComment()) return true;
    const std::string_view comment = source.text(node.span());
    const std::optional<size_t> start = signatureStart(comment);
    if (open && !start) {
      SignatureComment& last = found.back();
      last.text.resize(node.begin() - last.span.begin + 1, ' ');
      last.text += comment.substr(1);
      last.span.end = node.end();
    } else if (start) {
      const Piece text = Piece{comment, node.begin(), {}}.sub(*start).trimmed();
      if (text.leadingName() != "def") {
        diag.report(DiagId::BadSignature, node.span(),
                    fmt::format("expected `def` after `#appyc:`; {}", commentForm));
        return true;
      }
      found.push_back({node.span(), std::string(*start, ' ') + std::string(comment.substr(*start))});
    }
    open = !found.empty() && (open || start) && isUnfinished(found.back().text);
    return true;
  });
  return found;
}

//===- given types ------------------------------------------------------------------------------------===//

std::optional<ast::Signature> matchSignature(const SignatureText& text,
                                             const std::vector<ParameterNode>& parameters,
                                             const Classes& classes, Diagnostics& diag) {
  const int errorsBefore = diag.errorCount();
  const auto error = [&](const Piece& at, std::string message) -> Diagnostic& {
    return diag.report(DiagId::BadSignature, pieceAt(at, text.name).span(), std::move(message));
  };
  std::vector<std::string_view> names;
  for (const ParameterNode& parameter : parameters) names.push_back(parameter.name);

  ast::Signature signature;
  signature.where = text.whole.span();
  signature.params.resize(parameters.size());
  const std::vector<Piece> entries = text.parameters.split(',');
  size_t position = 0;
  for (const Piece& entry : entries) {
    const size_t colon = entry.find(":");
    if (entry.find("=") != std::string_view::npos) {
      error(entry, "a signature has no default values; leave the parameter out to make it a constant");
      continue;
    }
    const bool named = colon != std::string_view::npos;
    const Piece name = named ? entry.sub(0, colon).trimmed() : Piece();
    if (named)
      position = static_cast<size_t>(std::find(names.begin(), names.end(), name.text) - names.begin());
    if (position >= names.size() && named) {
      const std::optional<std::string_view> nearest = nearestName(name.text, names);
      const std::string hint = nearest ? fmt::format("; did you mean `{}`?", *nearest) : "";
      Diagnostic& unknown =
          error(name, fmt::format("`{}` has no parameter `{}`{}", text.name.text, name.text, hint));
      if (nearest) unknown.replaceWith(name.span(), std::string(*nearest));
      continue;
    }
    if (position >= names.size()) {
      error(entry, fmt::format("too many types: `{}` has {} parameter{}, the signature {}", text.name.text,
                               names.size(), names.size() == 1 ? "" : "s", entries.size()));
      break;
    }
    if (signature.params[position])
      error(entry, fmt::format("the parameter `{}` has a type already", names[position]));
    signature.params[position++] = readParameterType(named ? entry.sub(colon + 1) : entry, classes, diag);
  }
  if (text.results && !mentionsRecord(*text.results, classes)) {
    std::optional<std::vector<ast::TypeSpec>> results = readResultTypes(*text.results, diag);
    signature.declaresResults = true;
    if (results) signature.results = std::move(*results);
  }
  if (diag.errorCount() != errorsBefore || !checkOmitted(signature, parameters, text.name.span(), diag))
    return {};
  return signature;
}

//===- annotations ------------------------------------------------------------------------------------===//

namespace {

/// What the file's top level says that the name stands for, as an annotation: `Point = Tuple[float, float]`.
Node aliasOf(const Source& source, Node within, std::string_view name) {
  Node file = within;
  while (file.parent()) file = file.parent();
  Node found;
  for (const Node statement : file.namedChildren()) {
    const bool isExpression = statement.is("expression_statement") && !statement.namedChildren().empty();
    const Node assignment = isExpression ? statement.namedChildren().front() : Node();
    if (assignment && assignment.is("assignment") && assignment.field("right") &&
        source.text(assignment.field("left").span()) == name)
      found = assignment.field("right");
  }
  return found;
}

/// The annotation's text, without the quotes of a string annotation.
Piece unquoted(const Source& source, Node type) {
  const Piece text = Piece{source.text(type.span()), type.begin(), {}}.trimmed();
  const bool quoted = text.text.size() >= 2 && (text.text[0] == '"' || text.text[0] == '\'') &&
                      text.text.back() == text.text[0];
  return quoted ? text.sub(1, text.text.size() - 2).trimmed() : text;
}

/// What the annotation means if it is a name to which the file gives a type's.
Piece meaningOf(const Source& source, Node within, const Piece& name) {
  constexpr int kMostNames = 8; // of names for names
  Piece text = name;
  for (int k = 0; k < kMostNames && isIdentifier(text.text) && classifyType(text) == TypeKind::Foreign; ++k) {
    const Node alias = aliasOf(source, within, text.text);
    if (!alias) break;
    text = unquoted(source, alias);
    text.fixed = name.span();
  }
  return text;
}

Piece annotationText(const Source& source, Node type) {
  const Piece text = unquoted(source, type), meant = meaningOf(source, type, text);
  return classifyType(meant) == TypeKind::Foreign && !readContainer(meant) ? text : meant;
}

/// Of a parameter; `T` of `Optional[T]` and `T | None` where the default is None.
Piece annotationText(const Source& source, const ParameterNode& parameter);

/// A text. Another default than one says that it may be None, which it is not here.
std::optional<ast::TypeSpec> textOf(const Source& source, const ParameterNode& parameter) {
  const bool isOther = parameter.defaultValue && !parameter.defaultValue.is("string");
  return parameter.type && !isOther ? readText(annotationText(source, parameter)) : std::nullopt;
}

/// The parameter's type, where that is one of Python's lists or tuples.
std::optional<ast::TypeSpec> containerOf(const Source& source, const ParameterNode& parameter) {
  if (!parameter.type || parameter.isConstant) return {};
  if (const auto dict = dictOf(source, parameter, annotationText(source, parameter))) return dict;
  return readContainer(annotationText(source, parameter),
                       [&](const Piece& name) { return meaningOf(source, parameter.type, name); });
}

/// Of a parameter; `T` of `Optional[T]` and `T | None` where the default is None.
Piece annotationText(const Source& source, const ParameterNode& parameter) {
  const Piece text = annotationText(source, parameter.type);
  if (!parameter.defaultValue.is("none")) return text;
  const size_t bracket = text.text.find("Optional[");
  if ((bracket == 0 || (bracket != std::string_view::npos && text.text[bracket - 1] == '.')) &&
      text.text.ends_with(']'))
    return text.sub(bracket + 9, text.text.size() - bracket - 10).trimmed();
  const std::vector<Piece> parts = text.split('|');
  if (parts.size() == 2 && parts[1].text == "None") return parts[0];
  if (parts.size() == 2 && parts[0].text == "None") return parts[1];
  return text;
}

/// `a: npt.NDArray[np.float64],  # (N, M)` or `# 2d`: the type of the elements, and from the comment the dimensions.
std::optional<ast::TypeSpec> commentedType(const Source& source, const ParameterNode& parameter) {
  const Piece text = parameter.type ? annotationText(source, parameter) : Piece();
  const size_t bracket = text.text.find("NDArray[");
  if (bracket == std::string_view::npos || !text.text.ends_with(']')) return {};
  const Piece element = text.sub(bracket + 8, text.text.size() - bracket - 9);
  Diagnostics unheard;
  std::optional<ast::TypeSpec> type = readType(element, unheard);
  if (!type || type->isArray) return {};
  const Position at = source.position(parameter.node.end());
  const std::string_view line = source.line(at.line);
  const size_t hash = line.find('#', parameter.node.end() - source.lineStart(at.line));
  Piece comment = Piece{hash == std::string_view::npos ? "" : line.substr(hash + 1), 0, {}}.trimmed();
  const bool isRank = comment.leadingName() == "rank";
  if (isRank || comment.leadingName() == "shape")
    comment = comment.sub(comment.leadingName().size()).trimmed();
  const size_t close = comment.text.find_first_of(")]");
  if ((comment.text.starts_with('(') || comment.text.starts_with('[')) && close != std::string_view::npos) {
    for (const Piece& extent : comment.sub(1, close - 1).split(','))
      if (!extent.empty())
        type->extents.emplace_back(isIdentifier(extent.text) || isInteger(extent.text) ? extent.text : "");
  } else if (!comment.empty() && comment.text[0] >= '1' && comment.text[0] <= '9') {
    const std::string_view behind = comment.text.substr(1, 2);
    if (isRank || behind.starts_with('d') || behind.starts_with('D') || behind == "-d" || behind == "-D")
      type->extents.resize(static_cast<size_t>(comment.text[0] - '0'));
  }
  type->isArray = true, type->weak = false;
  type->where = text.span();
  return type->extents.empty() ? std::nullopt : type;
}

/// `mode: str = "mean"`: its type is none of ours, so that it stays what its default is.
bool isFixedByDefault(const Source& source, const ParameterNode& parameter) {
  return parameter.type && parameter.isConstant &&
         classifyType(annotationText(source, parameter)) == TypeKind::Foreign &&
         annotationText(source, parameter).find("ndarray") == std::string_view::npos &&
         annotationText(source, parameter).find("NDArray") == std::string_view::npos;
}

struct Kinds {
  size_t definite = 0, builtin = 0, misspelt = 0, foreign = 0, untyped = 0;
};

Kinds countKinds(const Source& source, const std::vector<ParameterNode>& parameters, const Classes& classes) {
  Kinds kinds;
  for (const ParameterNode& parameter : parameters) {
    if (!parameter.type) {
      kinds.untyped += !parameter.isConstant;
      continue;
    }
    if (const ast::ClassRef record = classNamed(annotationText(source, parameter).text, classes)) {
      const bool isKnown = record->problem.empty() && !record->fields.empty() && !untypedField(*record);
      ++(isKnown ? kinds.builtin : kinds.foreign);
      continue;
    }
    if (isFixedByDefault(source, parameter)) continue;
    if (textOf(source, parameter)) {
      ++kinds.builtin;
      continue;
    }
    if (commentedType(source, parameter)) {
      ++kinds.definite;
      continue;
    }
    if (containerOf(source, parameter)) {
      ++kinds.builtin;
      continue;
    }
    switch (classifyType(annotationText(source, parameter))) {
    case TypeKind::Definite: ++kinds.definite; break;
    case TypeKind::Builtin: ++kinds.builtin; break;
    case TypeKind::Misspelt: ++kinds.misspelt; break;
    case TypeKind::Foreign: ++kinds.foreign; break;
    }
  }
  return kinds;
}

/// `-> np.ndarray`, `-> Optional[float]`: what readers are told.
bool isHeldAgainstNothing(const Piece& text, const Classes& classes) {
  return text.text == "str" || mentionsRecord(text, classes) || isForeignResult(text);
}

bool isResultOfOurs(const Source& source, Node type, const Classes& classes) {
  if (!type || mentionsRecord(annotationText(source, type), classes)) return true;
  if (annotationText(source, type).text == "str") return true;
  const auto meaning = [&](const Piece& name) { return meaningOf(source, type, name); };
  if (readContainer(annotationText(source, type), meaning)) return true;
  Diagnostics ignored;
  return readResultTypes(annotationText(source, type), ignored).has_value();
}

} // namespace

std::optional<ast::Signature> annotatedSignature(const Source& source, Node function,
                                                 const std::vector<ParameterNode>& parameters,
                                                 const Classes& classes, bool& isSignature,
                                                 Diagnostics& diag) {
  const Kinds kinds = countKinds(source, parameters, classes);
  const Node resultType = function.field("return_type");
  const bool certain = kinds.definite + kinds.misspelt > 0;
  const bool wholly = kinds.builtin > 0 && kinds.foreign == 0 && kinds.untyped == 0;
  // `*values` is no parameter that has a type, and a helper's: the others say how many there are.
  const bool isWithout = parameters.empty() && parameterNodes(source.text(), function).empty();
  const bool resultOnly = isWithout && resultType && isResultOfOurs(source, resultType, classes) &&
                          annotationText(source, resultType).text != "None";
  isSignature = certain || (wholly && isResultOfOurs(source, resultType, classes)) || resultOnly;
  if (!isSignature) return {};

  const int errorsBefore = diag.errorCount();
  ast::Signature signature;
  const Span name = function.field("name").span();
  signature.where = {name.begin, resultType ? resultType.end() : function.field("parameters").end()};
  for (const ParameterNode& parameter : parameters)
    if (std::optional<ast::TypeSpec> commented = commentedType(source, parameter))
      signature.params.push_back(std::move(commented));
    else if (std::optional<ast::TypeSpec> container = containerOf(source, parameter))
      signature.params.push_back(std::move(container));
    else if (std::optional<ast::TypeSpec> text = textOf(source, parameter)) {
      if (parameter.defaultValue) signature.ofDefaults.push_back(signature.params.size());
      signature.params.push_back(std::move(text));
    } else
      signature.params.push_back(parameter.type && !isFixedByDefault(source, parameter)
                                     ? readParameterType(annotationText(source, parameter), classes, diag)
                                     : std::optional<ast::TypeSpec>());
  if (resultType && !isHeldAgainstNothing(annotationText(source, resultType), classes)) {
    std::optional<std::vector<ast::TypeSpec>> results =
        readResultTypes(annotationText(source, resultType), diag);
    signature.declaresResults = true;
    if (results) signature.results = std::move(*results);
  }
  if (diag.errorCount() != errorsBefore || !checkOmitted(signature, parameters, name, diag)) return {};
  return signature;
}

/// Does the function ask whether the parameter is None, or hand it on?
static bool asksFor(const Source& source, Node function, const std::string& name) {
  const auto isName = [&](Node node) { return node.is("identifier") && source.text(node.span()) == name; };
  bool found = false;
  walk(function.field("body"), [&](Node node, size_t) {
    const bool isCondition = node.is("if_statement") || node.is("while_statement") || node.is("elif_clause");
    if (isCondition) found |= isName(node.field("condition"));
    if (node.is("keyword_argument")) found |= isName(node.field("value"));
    if (node.is("comparison_operator") || node.is("boolean_operator") || node.is("not_operator") ||
        node.is("conditional_expression") || node.is("argument_list"))
      found |= std::ranges::any_of(node.namedChildren(), isName);
    return !found;
  });
  return found;
}

std::vector<ast::Signature> withoutOptional(const Source& source, Node function,
                                            const std::vector<ParameterNode>& parameters,
                                            const ast::Signature& given) {
  constexpr size_t mostApart = 3; // more of them are given all, or none is
  std::vector<size_t> optional;
  ast::Signature signature = given;
  for (size_t k = 0; k < std::min(parameters.size(), signature.params.size()); ++k) {
    const bool isConstant =
        std::ranges::count(signature.ofDefaults, k) > 0; // a text, if anything else is left out
    if (isConstant && signature.params[k]->dtype == "text") signature.params[k].reset();
    if (signature.params[k] && signature.params[k]->isTakenApart()) return {given};
    if (signature.params[k] && parameters[k].defaultValue.is("none") &&
        asksFor(source, function, parameters[k].name))
      optional.push_back(k);
  }
  if (optional.empty()) return {given};
  const size_t all = (size_t{1} << std::min<size_t>(optional.size(), 63)) - 1;
  std::vector<ast::Signature> found;
  for (size_t left = 0; left <= all; left = optional.size() > mostApart && left < all ? all : left + 1) {
    found.push_back(signature);
    for (size_t i = 0; i < optional.size(); ++i)
      if (left >> i & 1) found.back().params[optional[i]].reset();
  }
  return found;
}

/// The text of types that a decorator is called with: `@njit("f8(f8[:])")`, `@guvectorize(["void(f8[:])"], "(n)")`.
static Node typesOfDecorator(Node outer) {
  Node found;
  for (const Node part : outer.namedChildren())
    if (part.is("decorator"))
      walk(part, [&](Node node, size_t depth) {
        if (!found && depth > 1 && node.is("string")) found = part;
        return !found;
      });
  return found;
}

/// Where what follows `words` begins in the comment; blanks may stand between and before them.
static std::optional<size_t> behindWords(std::string_view comment, std::string_view words) {
  Piece rest = Piece{comment, 0, {}}.sub(1).trimmed();
  for (const Piece& word : Piece{words, 0, {}}.words()) {
    if (!rest.text.starts_with(word.text)) return {};
    rest = rest.sub(word.text.size());
    if (!rest.empty() && !rest.text.starts_with(' ') && !rest.text.starts_with('\t')) return {};
    rest = rest.trimmed();
  }
  return rest.begin;
}

std::vector<TypesComment> collectTypesComments(const Source& source, Node root, Diagnostics& diag) {
  std::vector<TypesComment> found;
  bool open = false; // the last one goes on below
  walk(root, [&](Node node, size_t) {
    if (!node.isComment()) return true;
    const std::string_view comment = source.text(node.span());
    bool isStart = false;
    for (const Dialect& dialect : dialects()) {
      const auto from = dialect.readTypes ? behindWords(comment, dialect.typesComment) : std::nullopt;
      if (!from) continue;
      found.push_back(
          {node.begin(), std::string(*from, ' ') + std::string(comment.substr(*from)), dialect.readTypes});
      isStart = true;
    }
    const std::optional<size_t> word = isStart ? std::nullopt : behindWords(comment, "pythran");
    const std::string_view misspelt =
        word ? Piece{comment, 0, {}}.sub(*word).leadingName() : std::string_view();
    if (!misspelt.empty() && misspelt != "export" && nearestName(misspelt, {"export"}))
      diag.report(DiagId::BadSignature, node.span(),
                  fmt::format("Pythran's types stand behind `#pythran export`, not `#pythran {}`", misspelt));
    if (open && !isStart) {
      std::string& last = found.back().text;
      last.resize(node.begin() - found.back().begin + 1, ' ');
      last += comment.substr(1);
    }
    const std::string_view text = found.empty() ? std::string_view() : found.back().text;
    const size_t end = text.find_last_not_of(" \t\r");
    open = (open || isStart) &&
           (isUnfinished(std::string(text)) || (end != std::string_view::npos && text[end] == ','));
    return true;
  });
  return found;
}

std::optional<ast::Signature> matchTypes(const GivenTypes& types, const std::string& name,
                                         const std::vector<ParameterNode>& parameters, Diagnostics& diag) {
  if (types.params.size() > parameters.size()) {
    diag.report(DiagId::BadSignature, types.where,
                fmt::format("too many types: `{}` has {} parameter{}, the signature {}", name,
                            parameters.size(), parameters.size() == 1 ? "" : "s", types.params.size()));
    return {};
  }
  ast::Signature signature;
  signature.where = types.where;
  signature.params = types.params;
  signature.params.resize(parameters.size());
  signature.declaresResults = types.results.has_value();
  if (types.results) signature.results = *types.results;
  signature.converts = types.converts;
  for (size_t k = 0; k < types.params.size(); ++k)
    if (types.params[k] && types.params[k]->mayBeNone && !parameters[k].defaultValue.is("none")) {
      diag.report(DiagId::BadSignature, types.params[k]->where,
                  fmt::format("`{0}` may be None only where that is its default: write `{0}=None`, or pass a "
                              "value, and a number that says whether it is there",
                              parameters[k].name));
      return {};
    }
  if (!checkOmitted(signature, parameters, types.where, diag)) return {};
  return signature;
}

ast::PassedOver passedOver(const Source& source, Node outer, Node function,
                           const std::vector<ParameterNode>& parameters, const Classes& classes) {
  const Node name = function.field("name");
  ast::PassedOver result{std::string(source.text(name.span())), name.span(), {}, false};
  std::vector<std::string> untyped;
  for (const ParameterNode& parameter : parameters) {
    if (!parameter.type) {
      if (!parameter.isConstant) untyped.push_back(parameter.name);
    } else if (const Piece text = annotationText(source, parameter);
               classifyType(text) == TypeKind::Foreign && !containerOf(source, parameter)) {
      if (classNamed(text.text, classes)) {
        result.reason = fmt::format("nothing but its fields says the type of `{}`", parameter.name);
        return result;
      }
      result.isTyped = true;
      if (const std::string_view advice = adviceOnDicts(text.text); !advice.empty()) {
        result.reason = fmt::format("`{}: {}`: {}", parameter.name, text.text, advice);
        return result;
      }
      result.reason = fmt::format("`{}: {}` does not say the type of its elements and its dimensions as "
                                  "`{}: f64[:, :]` does",
                                  parameter.name, text.text, parameter.name);
      return result;
    }
  }
  if (const Node decorator = outer.is("decorated_definition") ? typesOfDecorator(outer) : Node()) {
    result.isTyped = true;
    result.reason =
        fmt::format("the types in `{}` are not read; annotate the parameters",
                    source.text(decorator.span()).substr(0, source.text(decorator.span()).find('\n')));
  } else if (parameters.empty()) {
    result.reason = "it has no parameters; a result type, `-> f64`, would export it";
  } else {
    result.reason = fmt::format("no type for `{}`", fmt::join(untyped, "`, `"));
    if (untyped.empty()) result.reason = "its result type is none that appyc knows";
  }
  return result;
}

} // namespace appyc::frontend
