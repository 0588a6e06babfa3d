//===- Numba.cpp - the types in Numba's decorators -----------------------------------------------------===//
//   signatures = signature | "[" signature { "," signature } "]"      a signature is a string or an expression
//   signature  = result "(" [ type { "," type } ] ")" | "(" type { "," type } ")"
//   result     = "void" | "none" | type | "Tuple((" types "))" | "UniTuple(" type "," n ")"
//   type       = name [ "[" dimension { "," dimension } [ "," ] "]" ] | "Array(" type "," n "," layout ")" | "(" type ")"
//   dimension  = ":" | "::" step      `::1` at the start of several: by columns, as Numba has it
// Source: Numba's documentation of types and signatures; which names it takes was tried with Numba 0.68.
#include "Numba.h"
#include "Imports.h"
#include "Signatures.h"
#include "Types.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace appyc::frontend {

namespace {

struct NumbaTypeName {
  std::string_view spelling, dtype;
};
constexpr NumbaTypeName numbaTypeNames[] = {
#define NUMBA_TYPE(spelling, dtype) {spelling, dtype},
#include "Numba.def"
};

/// What Numba has and appyc has not, and what to write instead.
struct OtherType {
  std::string_view spelling, instead;
};
constexpr OtherType otherTypes[] = {
#define NUMBA_OTHER_TYPE(spelling, instead) {spelling, instead},
#include "Numba.def"
};

/// Without `numba.types.` before it.
Piece bareName(const Piece& text) {
  const size_t end = text.text.find_first_of("[(");
  const size_t dot = text.text.substr(0, end).rfind('.');
  return dot == std::string_view::npos ? text : text.sub(dot + 1).trimmed();
}

/// What the file's top level has last given to the name above `at`; empty if nothing.
Node assignedAbove(const Source& source, Node at, std::string_view name) {
  Node file = at, found;
  while (file.parent()) file = file.parent();
  for (const Node statement : file.namedChildren()) {
    if (statement.begin() >= at.begin()) break;
    const bool isExpression = statement.is("expression_statement") && !statement.namedChildren().empty();
    const Node assignment = isExpression ? statement.namedChildren()[0] : Node();
    if (assignment && assignment.is("assignment") && assignment.field("right") &&
        source.text(assignment.field("left").span()) == name)
      found = assignment.field("right");
  }
  return found;
}

class NumbaReader {
public:
  NumbaReader(const Source& source, Node at, Diagnostics& diag, bool isText)
      : source_(source), at_(at), diag_(diag), isText_(isText) {}

  std::optional<GivenTypes> signature(const Piece& untrimmed) {
    const Piece text = untrimmed.trimmed();
    if (!text.balanced()) return error(text, "the brackets of the signature do not match"), std::nullopt;
    const size_t open = lastGroup(text);
    if (open == std::string_view::npos)
      return error(text,
                   fmt::format("`{}` is not a signature; write the result's type and in parentheses those of "
                               "the parameters, `f8(f8[:], i8)`",
                               text.text)),
             std::nullopt;
    GivenTypes types;
    types.where = text.span();
    types.converts = true;
    const Piece result = text.sub(0, open).trimmed();
    std::vector<Piece> parts = text.sub(open + 1, text.text.size() - open - 2).split(',');
    if (parts.size() == 1 && result.empty())
      error(text,
            fmt::format("`{}` is a type in parentheses, and no signature; write `({},)`, or the result's "
                        "type before it",
                        text.text, parts[0].text));
    if (parts.size() > 1 && parts.back().empty()) parts.pop_back(); // `(f8[:],)`
    for (const Piece& part : parts) {
      std::optional<ast::TypeSpec> taken = container(part);
      types.params.push_back(taken ? std::move(taken) : maybeType(part));
    }
    if (!result.empty()) types.results = results(result);
    return failed_ ? std::nullopt : std::optional(types);
  }

private:
  void error(const Piece& at, std::string message) {
    if (!failed_) diag_.report(DiagId::BadSignature, at.span(), std::move(message));
    failed_ = true;
  }

  /// Where the parentheses at the end open.
  static size_t lastGroup(const Piece& text) {
    if (!text.text.ends_with(')')) return std::string_view::npos;
    int depth = 0;
    for (size_t at = text.text.size(); at-- > 0;) {
      depth += text.text[at] == ')' ? 1 : text.text[at] == '(' ? -1 : 0;
      if (depth == 0) return at;
    }
    return std::string_view::npos;
  }

  /// Without parentheses around it.
  static Piece bare(const Piece& untrimmed) {
    Piece text = untrimmed.trimmed();
    while (text.text.starts_with('(') && text.text.ends_with(')') && lastGroup(text) == 0)
      text = text.sub(1, text.text.size() - 2).trimmed();
    return text;
  }

  std::optional<ast::TypeSpec> type(const Piece& untrimmed) {
    const Piece whole = bare(untrimmed), text = bareName(whole);
    const size_t end = text.text.find_first_of("[(");
    const Piece name = text.sub(0, end).trimmed();
    const bool isCall = end != std::string_view::npos && text.text[end] == '(';
    if (const std::string_view module = whole.text.substr(0, whole.text.size() - text.text.size());
        isText_ && !module.empty() && module != "types.")
      return error(whole, fmt::format("Numba reads a text with the names of `numba.types` alone; write `{}`",
                                      text.text)),
             std::nullopt;
    if (name.text == "Array" && isCall && text.text.ends_with(')'))
      return arrayOf(text.sub(end + 1, text.text.size() - end - 2).split(','), whole);
    const auto known =
        std::ranges::find_if(numbaTypeNames, [&](const NumbaTypeName& t) { return t.spelling == name.text; });
    ast::TypeSpec spec;
    if (known != std::end(numbaTypeNames) && !isCall) spec.dtype = std::string(known->dtype);
    if (const Node alias = spec.dtype.empty() && !isText_ ? assignedAbove(source_, at_, name.text) : Node();
        alias && !isCall && ++aliases_ < kMostAliases) {
      const std::optional<ast::TypeSpec> meant =
          type({source_.text(alias.span()), alias.begin(), whole.span()});
      if (!meant || end == std::string_view::npos) return meant;
      if (!meant->isArray) spec.dtype = meant->dtype;
    }
    if (spec.dtype.empty()) {
      unknown(whole, name);
      return {};
    }
    spec.where = whole.span();
    if (end == std::string_view::npos) return spec;
    if (const auto brackets = std::ranges::count(text.text, '['); brackets > 1 || !text.text.ends_with(']')) {
      const std::vector<std::string_view> axes(brackets, ":");
      error(whole,
            fmt::format("`{}` is not a type: the dimensions stand in one pair of brackets; write `{}[{}]`",
                        whole.text, name.text, fmt::join(axes, ", ")));
      return {};
    }
    std::vector<Piece> dims = text.sub(end + 1, text.text.size() - end - 2).split(',');
    if (dims.size() > 1 && dims.back().empty()) dims.pop_back(); // `f8[:,]`
    for (const Piece& dim : dims)
      if (!stepOf(dim))
        error(dim.empty() ? whole : dim, fmt::format("a dimension is `:` or `::1` here, not `{}`", dim.text));
    spec.isArray = true;
    spec.extents.resize(dims.size());
    if (dims.empty()) error(whole, "the dimensions are missing, as in `f8[:, :]`");
    spec.byColumns = !failed_ && dims.size() > 1 && stepOf(dims[0])->text == "1";
    return spec;
  }

  /// Also `optional(f8)`.
  std::optional<ast::TypeSpec> maybeType(const Piece& text) {
    const std::optional<CallText> call = readCall(bareName(bare(text)));
    const bool mayBeNone =
        call && call->argument && (call->name.text == "optional" || call->name.text == "Optional");
    std::optional<ast::TypeSpec> spec = type(mayBeNone ? *call->argument : text);
    if (spec) spec->mayBeNone = mayBeNone;
    return spec;
  }

  /// A text, or a list or tuple, of Python's numbers; nothing for other types.
  std::optional<ast::TypeSpec> container(const Piece& untrimmed) {
    const Piece text = bareName(bare(untrimmed));
    if (text.text == "unicode_type" || text.text == "string") return textType(text.span());
    const std::optional<CallText> call = readCall(text);
    if (!call || !call->argument) return {};
    const std::string_view name = call->name.text;
    const bool isList = name == "ListType" || name == "List";
    std::vector<Piece> parts;
    if (name == "Tuple")
      parts = bare(*call->argument).split(',');
    else if (isList || name == "UniTuple")
      parts = call->argument->split(',');
    size_t count = 1;
    if (name == "UniTuple" && parts.size() == 2) {
      std::from_chars(parts[1].text.data(), parts[1].text.data() + parts[1].text.size(), count);
      parts.resize(1);
    }
    if (parts.empty() || (isList && parts.size() != 1)) return {};
    ast::TypeSpec spec;
    spec.where = untrimmed.span();
    spec.container = isList ? ast::TypeSpec::List : ast::TypeSpec::Tuple;
    for (const Piece& part : parts) {
      if (part.empty()) continue; // `(f8,)`
      std::optional<ast::TypeSpec> item = isList ? container(part) : std::nullopt;
      if (item && (item->container != ast::TypeSpec::Tuple || !item->dtype.empty())) return {};
      if (!item) item = pythons(part);
      if (!item) return {};
      spec.items.insert(spec.items.end(), std::min<size_t>(count, 64), *item);
    }
    return spec.items.empty() ? std::nullopt : std::optional(spec);
  }

  /// A number that Python has, too.
  static std::optional<ast::TypeSpec> pythons(const Piece& text) {
    ast::TypeSpec spec;
    spec.dtype = dtypeOfNumba(bareName(bare(text)).text);
    spec.where = text.span();
    spec.weak = spec.dtype != "bool";
    const bool isPythons = spec.dtype == "i64" || spec.dtype == "f64" || spec.dtype == "c128" || !spec.weak;
    return isPythons ? std::optional(spec) : std::nullopt;
  }

  /// `1` of `::1`; nothing if it is no dimension.
  static std::optional<Piece> stepOf(const Piece& dim) {
    size_t colons = 0, at = 0;
    while (at < dim.text.size() && (dim.text[at] == ':' || dim.text[at] == ' '))
      colons += dim.text[at++] == ':';
    const Piece step = dim.sub(at).trimmed();
    const std::string_view digits = step.text.starts_with('-') ? step.text.substr(1) : step.text;
    const bool isDimension = step.empty() ? colons == 1 || colons == 2 : colons == 2 && isInteger(digits);
    return isDimension ? std::optional(step) : std::nullopt;
  }

  void unknown(const Piece& whole, const Piece& name) {
    for (const OtherType& other : otherTypes)
      if (other.spelling == name.text)
        return error(whole, fmt::format("`{}` is not translated: {}", whole.text, other.instead));
    std::vector<std::string_view> names;
    for (const NumbaTypeName& t : numbaTypeNames) names.push_back(t.spelling);
    const std::optional<std::string_view> nearest = nearestName(name.text, names);
    error(whole, fmt::format("appyc has no type for Numba's `{}`; {}", whole.text,
                             nearest ? fmt::format("did you mean `{}`?", *nearest)
                                     : "numbers and arrays have one: `f8`, `i4[:]`, `float64[:, ::1]`"));
  }

  /// `Array(float64, 2, 'C')`, also by names: `Array(dtype=float64, ndim=2, layout='C')`.
  std::optional<ast::TypeSpec> arrayOf(const std::vector<Piece>& parts, const Piece& whole) {
    Piece given[3];
    for (size_t k = 0; k < parts.size(); ++k) {
      const size_t equals = parts[k].find("=");
      const bool isNamed = equals != std::string_view::npos;
      const std::string_view name = isNamed ? parts[k].sub(0, equals).trimmed().text : std::string_view();
      const size_t place = !isNamed ? k : name == "dtype" ? 0 : name == "ndim" ? 1 : name == "layout" ? 2 : 3;
      if (place < 3) given[place] = isNamed ? parts[k].sub(equals + 1).trimmed() : parts[k];
    }
    std::optional<ast::TypeSpec> spec = given[0].empty() ? std::nullopt : type(given[0]);
    size_t rank = 0;
    if (spec) std::from_chars(given[1].text.data(), given[1].text.data() + given[1].text.size(), rank);
    const std::string_view layout = given[2].text;
    const bool isLayout =
        layout.size() == 3 && std::string_view("CFA").find(layout[1]) != std::string_view::npos;
    if (rank < 1 || rank > 32 || !isLayout || spec->isArray) {
      error(whole,
            "the array's type, its dimensions, at least one, and a layout of 'C', 'F' and 'A' are needed: "
            "`Array(float64, 2, 'C')`");
      return {};
    }
    spec->isArray = true;
    spec->where = whole.span();
    spec->extents.resize(rank);
    spec->byColumns = rank > 1 && layout[1] == 'F';
    return spec;
  }

  std::vector<ast::TypeSpec> results(const Piece& untrimmed) {
    const Piece text = bareName(bare(untrimmed));
    std::vector<ast::TypeSpec> all;
    if (text.text == "void" || text.text == "none") return all;
    const std::optional<CallText> call = readCall(text);
    if (call && call->argument && call->name.text == "Tuple") {
      const Piece inner = call->argument->trimmed();
      for (const Piece& part : inner.sub(1, inner.text.size() - 2).split(','))
        if (!part.empty()) add(all, part, 1);
    } else if (call && call->argument && call->name.text == "UniTuple") {
      const std::vector<Piece> parts = call->argument->split(',');
      size_t count = 0;
      if (parts.size() == 2)
        std::from_chars(parts[1].text.data(), parts[1].text.data() + parts[1].text.size(), count);
      if (count < 1 || count > 64) error(text, "a tuple of equal types is `UniTuple(f8, 2)`");
      if (!failed_) add(all, parts[0], count);
    } else {
      add(all, untrimmed, 1);
    }
    return all;
  }
  void add(std::vector<ast::TypeSpec>& all, const Piece& text, size_t count) {
    static constexpr std::string_view ofPythons[] = {"List", "ListType", "Set", "DictType", "unicode_type"};
    const Piece name = bareName(bare(text));
    if (std::ranges::count(ofPythons, name.sub(0, name.text.find('(')).trimmed().text) > 0)
      all.push_back({.where = text.span(), .container = ast::TypeSpec::List}); // what it is the function says
    else if (const std::optional<ast::TypeSpec> one = maybeType(text))
      all.insert(all.end(), count, *one);
  }

  static constexpr int kMostAliases = 100; // `a = a[:]`
  const Source& source_;
  Node at_; ///< what stands above it, it may name
  Diagnostics& diag_;
  bool isText_, failed_ = false;
  int aliases_ = 0;
};

/// `cache=True` and the like.
struct DecoratorOption {
  std::string_view name, of;
};
constexpr DecoratorOption decoratorOptions[] = {
#define NUMBA_OPTION(name, of) {name, of},
#include "Numba.def"
};

constexpr std::string_view typedDecorators[] = {"numba.jit", "numba.njit", "numba.cuda.jit"};

/// What is given as the signatures: the first argument, or the one of that name.
Node givenSignatures(const NamedCall& decorator) {
  const std::vector<Node> arguments = decorator.call.field("arguments").namedChildren();
  for (const Node argument : arguments) {
    if (!argument.is("keyword_argument")) return argument;
    if (decorator.piece(argument.field("name")).text == "signature_or_function")
      return argument.field("value");
  }
  return {};
}

} // namespace

std::optional<GivenTypes> readNumbaSignature(const Piece& text, bool isText, const Source& source, Node at,
                                             Diagnostics& diag) {
  return NumbaReader(source, at, diag, isText).signature(text);
}

Node meantAbove(const Source& source, Node value) {
  constexpr int kMostNames = 8; // of names for names
  for (int k = 0; k < kMostNames && value.is("identifier"); ++k) {
    const Node given = assignedAbove(source, value, source.text(value.span()));
    if (!given) break;
    value = given;
  }
  return value;
}

std::string_view dtypeOfNumba(std::string_view name) {
  if (name.starts_with("types.")) name.remove_prefix(6);
  const auto* known =
      std::ranges::find_if(numbaTypeNames, [&](const NumbaTypeName& t) { return t.spelling == name; });
  return known == std::end(numbaTypeNames) ? std::string_view() : known->dtype;
}

void checkNumbaOptions(const NamedCall& decorator, Diagnostics& diag) {
  const bool isCuda = decorator.path == "numba.cuda.jit";
  if (!decorator.call || (!isCuda && decorator.path != "numba.jit" && decorator.path != "numba.njit")) return;
  std::vector<std::string_view> names;
  for (const DecoratorOption& option : decoratorOptions)
    if (option.of != (isCuda ? "jit" : "cuda")) names.push_back(option.name);
  for (const Node argument : decorator.call.field("arguments").namedChildren()) {
    if (!argument.is("keyword_argument")) continue;
    const std::string_view name = decorator.piece(argument.field("name")).text;
    if (std::ranges::find(names, name) == names.end()) {
      const std::optional<std::string_view> nearest = nearestName(name, names);
      diag.report(DiagId::BadDirective, argument.span(),
                  fmt::format("`{}` has no option `{}`{}", decorator.path, name,
                              nearest ? fmt::format("; did you mean `{}`?", *nearest) : ""));
    } else if (name == "device" && !argument.field("value").is("true") &&
               !argument.field("value").is("false")) {
      diag.report(DiagId::BadDirective, argument.span(), "`device` is True or False");
    } else if (name == "locals") {
      diag.report(DiagId::Ignored, argument.span(),
                  "`locals` has no effect: numbers are those that CPython and NumPy compute; write "
                  "`np.float32(x)`");
    }
  }
}

std::vector<GivenTypes> readNumbaDecorator(const NamedCall& decorator, Diagnostics& diag) {
  if (!decorator.call || (decorator.path != "numba.jit" && decorator.path != "numba.njit")) return {};
  return readNumbaSignatures(decorator, diag);
}

std::vector<GivenTypes> readNumbaSignatures(const NamedCall& decorator, Diagnostics& diag) {
  const Node asGiven = givenSignatures(decorator);
  if (!asGiven) return {};
  const Node given = meantAbove(decorator.source, asGiven);
  const bool isList = given.is("list");
  std::vector<GivenTypes> all;
  for (const Node item : isList ? given.namedChildren() : std::vector<Node>{given}) {
    const Node one = meantAbove(decorator.source, item);
    const std::optional<Piece> text = decorator.string(one);
    if (!text && !one.is("call") && !one.is("tuple") && !one.is("parenthesized_expression")) return {};
    if (std::optional<GivenTypes> types = readNumbaSignature(text ? *text : decorator.piece(one),
                                                             text.has_value(), decorator.source, one, diag))
      all.push_back(std::move(*types));
  }
  return all;
}

std::vector<Node> decoratorsOf(const Source& source, Node outer, const std::vector<ast::Import>& imports) {
  std::vector<Node> found;
  for (const Node part : outer.namedChildren())
    if (part.is("decorator") && !part.namedChildren().empty()) found.push_back(part);
  if (!outer.is("expression_statement") || !functionOfDefinition(source, outer)) return found;
  const Node applied = outer.namedChildren()[0].field("right"), call = applied.field("function");
  const NamedCall named{nameInFull(std::string(source.text(call.field("function").span())), imports), call,
                        source, applied};
  Diagnostics unheard;
  const bool isJit = std::ranges::count(typedDecorators, named.path) > 0;
  if (isJit && !readNumbaSignatures(named, unheard).empty()) found.push_back(applied);
  return found;
}

std::vector<ast::Signature> readConversions(const Source& source, Node outer, Node function,
                                            const std::vector<ast::Import>& imports) {
  Diagnostics unheard; // those who read entries report
  std::vector<GivenTypes> all;
  for (const Node part : decoratorsOf(source, outer, imports)) {
    const Node call = part.namedChildren()[0];
    if (!call.is("call")) continue;
    const NamedCall named{nameInFull(std::string(source.text(call.field("function").span())), imports), call,
                          source, part};
    if (std::ranges::count(typedDecorators, named.path) > 0)
      std::ranges::move(readNumbaSignatures(named, unheard), std::back_inserter(all));
  }
  if (const std::optional<Ufunc> ufunc = readUfunc(source, outer, imports, unheard);
      ufunc && !ufunc->isGeneral)
    for (const Ufunc::Row& row : ufunc->rows) {
      const auto type = [&](const Ufunc::Operand& operand) {
        return ast::TypeSpec{.dtype = std::string(dtypeOfNumba(operand.dtype)), .where = row.where};
      };
      GivenTypes types{{}, std::vector{type(row.outputs[0])}, row.where, true};
      for (const Ufunc::Operand& input : row.inputs) types.params.push_back(type(input));
      all.push_back(std::move(types));
    }
  std::vector<ast::Signature> found;
  const std::vector<ParameterNode> parameters = parameterNodes(source.text(), function);
  for (const GivenTypes& types : all)
    if (std::optional<ast::Signature> s = matchTypes(types, "", parameters, unheard)) found.push_back(*s);
  return found;
}

} // namespace appyc::frontend
