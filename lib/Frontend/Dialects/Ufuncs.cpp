//===- Ufuncs.cpp - Numba's decorators that make ufuncs --------------------------------------------===//
//   @vectorize(['f4(f4, f4)', float64(float64, float64)], target='parallel', identity=0)
//   @guvectorize([(float64[:, :], float64[:], float64[:])], '(m,n),(n)->(m)')
//   f = vectorize(['f8(f8, f8)'])(g)          with a function of the file, or a lambda
#include "Imports.h"
#include "Numba.h"
#include "Signatures.h"
#include "appyc/IR/Types.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace appyc::frontend {

namespace {

/// Arguments of Numba's compiler that change no result here.
constexpr std::string_view withoutMeaning[] = {"nopython", "cache",  "fastmath",
                                               "forceobj", "inline", "debug"};

Ufunc::Operand operand(const ast::TypeSpec& type) {
  return {std::string(ir::numpyName(*ir::dtypeNamed(type.dtype))), static_cast<int>(type.extents.size())};
}

class UfuncReader {
public:
  UfuncReader(const Source& source, Node outer, Node decorator, bool isGeneral, Diagnostics& diag)
      : source_(source), function_(functionOfDefinition(source, outer)), call_(decorator.namedChildren()[0]),
        diag_(diag) {
    const Node name =
        outer.is("decorated_definition") ? function_.field("name") : outer.namedChildren()[0].field("left");
    out_.isGeneral = isGeneral;
    out_.name = text(name);
    out_.docstring = docstring();
    out_.where = name.span();
    for (ParameterNode& p : parameterNodes(source.text(), function_)) {
      if (p.kind != ast::Parameter::Ordinary && p.kind != ast::Parameter::PositionalOnly)
        error(p.node,
              fmt::format("a parameter of a {} is an operand: `{}` cannot be one", kind(), text(p.node)));
      params_.push_back(p.name);
    }
  }

  std::optional<Ufunc> read() {
    const int before = diag_.errorCount();
    readArguments();
    if (diag_.errorCount() == before) checkRows();
    if (diag_.errorCount() == before && out_.isGeneral) checkGeneralBody();
    return diag_.errorCount() == before ? std::optional(std::move(out_)) : std::nullopt;
  }

private:
  std::string text(Node node) const { return std::string(source_.text(node.span())); }
  std::string docstring() const;
  Piece piece(Node node) const { return {source_.text(node.span()), node.begin(), {}}; }
  std::string_view kind() const {
    return out_.isGeneral ? "`guvectorize`d function" : "`vectorize`d function";
  }
  void error(Node at, std::string message) { error(at.span(), std::move(message)); }
  void error(Span at, std::string message) {
    isGood_ = false;
    diag_.report(DiagId::BadSignature, at, std::move(message));
  }

  void readArguments();
  void keyword(const std::string& name, Node value);
  void signatures(Node value);
  void signature(Node value);
  void layout(Node value);
  std::optional<std::vector<std::vector<std::string>>> axes(const Piece& text);
  void target(Node value);
  void identity(Node value);
  void checkRows();
  void checkGeneralBody();
  void row(const GivenTypes& signature, Span where);
  void generalRow(const GivenTypes& signature, Span where);
  std::optional<Piece> string(Node value) const;

  const Source& source_;
  Node function_, call_;
  Diagnostics& diag_;
  std::vector<std::string> params_;
  std::vector<std::pair<GivenTypes, Span>> read_;
  Ufunc out_;
  bool hasLayout_ = false, isGood_ = true;
};

std::optional<Piece> UfuncReader::string(Node value) const {
  if (!value.is("string")) return {};
  const Piece literal = piece(value);
  const bool isPlain = literal.text.size() >= 2 && (literal.text[0] == '\'' || literal.text[0] == '"') &&
                       literal.text.find('\\') == std::string_view::npos &&
                       !literal.text.starts_with("\"\"\"") && !literal.text.starts_with("'''");
  return isPlain ? std::optional(literal.sub(1, literal.text.size() - 2)) : std::nullopt;
}

std::string UfuncReader::docstring() const {
  const std::vector<Node> body =
      function_.is("lambda") ? std::vector<Node>() : function_.field("body").namedChildren();
  const Node first = body.empty() ? Node() : body[0];
  const std::vector<Node> inside =
      first.is("expression_statement") ? first.namedChildren() : std::vector<Node>();
  if (inside.size() != 1 || !inside[0].is("string")) return {};
  for (const Node part : inside[0].namedChildren())
    if (part.is("string_content")) return text(part);
  return {};
}

void UfuncReader::readArguments() {
  size_t position = 0;
  for (const Node argument : call_.field("arguments").namedChildren()) {
    if (argument.is("keyword_argument"))
      keyword(text(argument.field("name")), argument.field("value"));
    else if (position++ == 0)
      signatures(argument);
    else if (position == 2 && out_.isGeneral)
      layout(argument);
    else
      error(argument,
            fmt::format("`{}` is one argument too many; options are given by name, `target='parallel'`",
                        text(argument)));
  }
  if (read_.empty() && isGood_) error(call_, "no signature is given; write `['f8(f8, f8)']`");
  if (out_.isGeneral && !hasLayout_ && isGood_)
    error(call_, "`guvectorize` needs the layout of the operands behind the signatures: `'(n),(n)->()'`");
}

void UfuncReader::keyword(const std::string& name, Node value) {
  if (name == "target") return target(value);
  if (name == "identity") return identity(value);
  if (name == "ftylist_or_function" || name == "ftylist") return signatures(value);
  if (name == "signature" && out_.isGeneral) return layout(value);
  if (std::find(std::begin(withoutMeaning), std::end(withoutMeaning), name) != std::end(withoutMeaning))
    return;
  error(value,
        fmt::format("the option `{}` is not read; those that matter here are `target` and `identity`", name));
}

void UfuncReader::target(Node value) {
  constexpr std::string_view targets[] = {"cpu", "parallel", "cuda", "gpu"};
  const std::optional<Piece> name = string(value);
  if (!name || std::find(std::begin(targets), std::end(targets), name->text) == std::end(targets))
    error(value,
          fmt::format("unknown target {}; Numba has 'cpu', 'parallel' and 'cuda' (once 'gpu'), and what runs "
                      "is chosen by appyc's own --target",
                      text(value)));
}

void UfuncReader::identity(Node value) {
  out_.identity = text(value);
  const std::optional<Piece> word = string(value);
  if (word && word->text == "reorderable")
    out_.identity = "\"reorderable\"";
  else if (!value.is("integer") && !value.is("none"))
    error(value, "`identity` is 0, 1, None or 'reorderable'");
}

void UfuncReader::signatures(Node asGiven) {
  const Node value = meantAbove(source_, asGiven);
  const std::vector<Node> items = value.namedChildren();
  const bool isList = value.is("list") ||
                      (value.is("tuple") && !items.empty() && (items[0].is("string") || items[0].is("call")));
  if (!isList) return signature(value);
  for (const Node item : items) signature(meantAbove(source_, item));
}

void UfuncReader::signature(Node value) {
  std::optional<Piece> given = string(value);
  const bool isText = given.has_value();
  if (given && out_.isGeneral && given->find("->") != std::string_view::npos)
    return error(
        value,
        "Numba takes the types of the first call where none are given, and here there is none before; write "
        "the signatures in front of the layout: `@guvectorize([(f8[:], f8[:])], '(n)->(n)')`");
  if (value.is("call") || value.is("tuple")) given = piece(value);
  if (!given)
    return error(value, fmt::format("`{}` is no signature that appyc can read; write it here, `'f8(f8, f8)'`",
                                    text(value)));
  if (const std::optional<GivenTypes> read = readNumbaSignature(*given, isText, source_, value, diag_))
    read_.emplace_back(*read, value.span());
  else
    isGood_ = false;
}

std::optional<std::vector<std::vector<std::string>>> UfuncReader::axes(const Piece& side) {
  std::vector<std::vector<std::string>> operands;
  for (const Piece& operand : side.split(',')) {
    if (!operand.text.starts_with('(') || !operand.text.ends_with(')')) {
      error(operand.empty() ? side.span() : operand.span(),
            fmt::format("`{}` is no operand of a layout; write its axes in parentheses, `(m,n)`, or `()`",
                        operand.text));
      return {};
    }
    std::vector<std::string>& names = operands.emplace_back();
    for (const Piece& axis : operand.sub(1, operand.text.size() - 2).split(',')) {
      if (!isIdentifier(axis.text)) {
        error(axis.empty() ? operand.span() : axis.span(),
              fmt::format("an axis of a layout is a name, not `{}`", axis.text));
        return {};
      }
      names.emplace_back(axis.text);
    }
  }
  return operands;
}

void UfuncReader::layout(Node asGiven) {
  const Node value = meantAbove(source_, asGiven);
  hasLayout_ = true;
  const std::optional<Piece> text = string(value);
  const size_t arrow = text ? text->find("->") : std::string_view::npos;
  if (arrow == std::string_view::npos) return error(value, "the layout is a text such as '(m,n),(n)->(m)'");
  const auto inputs = axes(text->sub(0, arrow).trimmed()), outputs = axes(text->sub(arrow + 2).trimmed());
  if (!inputs || !outputs) return;
  if (outputs->empty()) return error(value, "the layout has no output: write its axes behind `->`, `->()`");
  std::set<std::string> known;
  for (const auto& names : *inputs) known.insert(names.begin(), names.end());
  for (const auto& names : *outputs)
    for (const std::string& name : names)
      if (!known.count(name))
        error(value,
              fmt::format("no input has the axis `{}` of the output, so that its extent is unknown; pass an "
                          "input that has it",
                          name));
  out_.inputAxes = *inputs, out_.outputAxes = *outputs;
  for (const char c : text->text)
    if (c != ' ') out_.layout += c;
}

void UfuncReader::checkRows() {
  for (const auto& [signature, where] : read_)
    out_.isGeneral ? generalRow(signature, where) : row(signature, where);
}

/// What Numba leaves undefined or refuses: a result, and stores into what goes in.
void UfuncReader::checkGeneralBody() {
  walk(function_.field("body"), [&](Node node, size_t) {
    const bool isStore = node.is("assignment") || node.is("augmented_assignment");
    const Node target = isStore ? node.field("left") : Node();
    const std::string name = target.is("subscript") ? text(target.field("value")) : "";
    const std::vector<Node> given = node.is("return_statement") ? node.namedChildren() : std::vector<Node>{};
    if (!given.empty() && !given[0].is("none"))
      error(node, "a `guvectorize`d function returns nothing: what it computes is stored into its outputs, "
                  "the last parameters");
    for (size_t k = 0; k < out_.inputAxes.size(); ++k)
      if (!name.empty() && name == params_[k])
        error(target,
              fmt::format(
                  "`{}` is an input of the layout, which is not stored into; make it an output, or copy it",
                  name));
    return !node.is("function_definition") && !node.is("lambda");
  });
}

void UfuncReader::row(const GivenTypes& signature, Span where) {
  if (!signature.results || signature.results->size() != 1)
    return error(where, "the signature of a `vectorize`d function has a result: `f8(f8, f8)`");
  if (signature.params.size() != params_.size())
    return error(where, fmt::format("the signature has {} parameter{}, `{}` has {}", signature.params.size(),
                                    signature.params.size() == 1 ? "" : "s", out_.name, params_.size()));
  bool isScalar = !signature.results->front().isArray;
  for (const auto& p : signature.params) isScalar = isScalar && !p->isArray;
  if (!isScalar)
    return error(where,
                 "a `vectorize`d function takes and gives numbers, and is called with arrays of them: write "
                 "`f8(f8)`; `guvectorize` takes arrays");
  Ufunc::Row row{{}, {operand(signature.results->front())}, where, {}, {}};
  for (const auto& p : signature.params) row.inputs.push_back(operand(*p));
  out_.rows.push_back(row);
}

void UfuncReader::generalRow(const GivenTypes& signature, Span where) {
  const size_t inputs = out_.inputAxes.size(), count = inputs + out_.outputAxes.size();
  if (signature.results && !signature.results->empty())
    return error(where, "a `guvectorize`d function has no result, its outputs are its last parameters: write "
                        "`void(f8[:], f8[:])`");
  if (signature.params.size() != params_.size() || params_.size() != count)
    return error(where, fmt::format("the signature has {} parameters, the layout {}, `{}` {}",
                                    signature.params.size(), count, out_.name, params_.size()));
  Ufunc::Row row{{}, {}, where, {}, {}};
  for (size_t k = 0; k < count; ++k) {
    const bool isInput = k < inputs;
    const size_t rank = (isInput ? out_.inputAxes[k] : out_.outputAxes[k - inputs]).size();
    const Ufunc::Operand type = operand(*signature.params[k]);
    const auto given = static_cast<size_t>(type.rank);
    if (!isInput && given == 0)
      return error(where,
                   fmt::format("`{}` is an output, which is stored into: its type is an array's, `{}[:]`",
                               params_[k], type.dtype));
    if (given != rank && !(rank == 0 && given == 1))
      return error(where, fmt::format("`{}` has {} ax{}s in the layout and {} in the signature", params_[k],
                                      rank, rank == 1 ? "i" : "e", given));
    (isInput ? row.inputs : row.outputs).push_back(type);
  }
  out_.rows.push_back(row);
}

} // namespace

Node functionOfDefinition(const Source& source, Node outer) {
  const Node inner = outer.is("decorated_definition") ? outer.field("definition") : outer;
  if (inner.is("function_definition")) return inner;
  const std::vector<Node> parts =
      inner.is("expression_statement") ? inner.namedChildren() : std::vector<Node>();
  const Node applied = parts.size() == 1 && parts[0].is("assignment") ? parts[0].field("right") : Node();
  if (!applied || !applied.is("call") || !applied.field("function").is("call") ||
      !parts[0].field("left").is("identifier"))
    return {};
  const std::vector<Node> given = applied.field("arguments").namedChildren();
  if (given.size() != 1 || given[0].is("lambda")) return given.size() == 1 ? given[0] : Node();
  Node found;
  for (const Node other : outer.parent().namedChildren())
    if (other.is("function_definition") && given[0].is("identifier") &&
        source.text(other.field("name").span()) == source.text(given[0].span()))
      found = other;
  return found;
}

Node ufuncDecorator(const Source& source, Node outer, const std::vector<ast::Import>& imports) {
  if (!functionOfDefinition(source, outer)) return {};
  const bool isApplied = outer.is("expression_statement");
  for (const Node part :
       isApplied ? std::vector<Node>{outer.namedChildren()[0].field("right")} : outer.namedChildren()) {
    if ((!isApplied && !part.is("decorator")) || part.namedChildren().empty() ||
        !part.namedChildren()[0].is("call"))
      continue;
    const Node call = part.namedChildren()[0];
    const std::string path = nameInFull(std::string(source.text(call.field("function").span())), imports);
    const bool isGeneral = path == "numba.guvectorize";
    if ((!isGeneral && path != "numba.vectorize") || call.hasError()) continue;
    for (const Node argument : call.field("arguments").namedChildren())
      if (isGeneral || !argument.is("keyword_argument")) return part;
  }
  return {};
}

bool isGeneralUfunc(const Source& source, Node decorator, const std::vector<ast::Import>& imports) {
  const Node callee = decorator ? decorator.namedChildren()[0].field("function") : Node();
  return callee && nameInFull(std::string(source.text(callee.span())), imports) == "numba.guvectorize";
}

std::optional<Ufunc> readUfunc(const Source& source, Node outer, const std::vector<ast::Import>& imports,
                               Diagnostics& diag) {
  const Node decorator = ufuncDecorator(source, outer, imports);
  if (!decorator) return {};
  return UfuncReader(source, outer, decorator, isGeneralUfunc(source, decorator, imports), diag).read();
}

/// `(0, 1,)` of each operand: axes by their numbers, in the order in which inputs name them.
static std::string axesByNumber(const std::vector<std::vector<std::string>>& operands,
                                std::vector<std::string>& names) {
  std::string text = "(";
  for (const std::vector<std::string>& axes : operands) {
    text += "(";
    for (const std::string& axis : axes) {
      const auto at = std::ranges::find(names, axis);
      text += fmt::format("{}, ", at - names.begin());
      if (at == names.end()) names.push_back(axis);
    }
    text += "), ";
  }
  return text + ")";
}

std::string givenToMaker(const Ufunc& ufunc) {
  std::string rows = "(", vectors = "(";
  for (const Ufunc::Row& row : ufunc.rows) {
    rows += "(", vectors += "(";
    for (const auto* operands : {&row.inputs, &row.outputs})
      for (size_t k = 0; k < operands->size(); ++k) {
        rows += "np." + (*operands)[k].dtype + ", ";
        const bool isOne = operands == &row.inputs && ufunc.isGeneral && ufunc.inputAxes[k].empty();
        vectors += isOne && (*operands)[k].rank == 1 ? "True, " : "False, ";
      }
    rows += "), ", vectors += "), ";
  }
  if (!ufunc.isGeneral) return fmt::format("({}), {})", rows, ufunc.identity);
  std::vector<std::string> names;
  const std::string inputs = axesByNumber(ufunc.inputAxes, names);
  return fmt::format("({}), {}), ({}, {}, '{}'))", rows, vectors, inputs,
                     axesByNumber(ufunc.outputAxes, names), ufunc.layout);
}

} // namespace appyc::frontend
