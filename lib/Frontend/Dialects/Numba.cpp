//===- Numba.cpp - the types in Numba's decorators -----------------------------------------------------===//
//   signatures = signature | "[" signature { "," signature } "]"      a signature is a string or an expression
//   signature  = result "(" [ type { "," type } ] ")" | "(" type { "," type } ")"
//   result     = "void" | "none" | type | "Tuple((" types "))" | "UniTuple(" type "," n ")"
//   type       = name [ "[" dimension { "," dimension } "]" ] | "Array(" type "," n "," layout ")"
//   dimension  = ":" | "::" step      `::1` at the end: rows one after the other; at the start: columns
// Source: Numba's documentation of types and signatures; which names it takes was tried with Numba 0.68.
#include "Numba.h"
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

/// Without `numba.types.` before it.
Piece bareName(const Piece& text) {
  const size_t end = text.text.find_first_of("[(");
  const size_t dot = text.text.substr(0, end).rfind('.');
  return dot == std::string_view::npos ? text : text.sub(dot + 1).trimmed();
}

class NumbaReader {
public:
  explicit NumbaReader(Diagnostics& diag) : diag_(diag) {}

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
    const Piece result = text.sub(0, open).trimmed();
    std::vector<Piece> parts = text.sub(open + 1, text.text.size() - open - 2).split(',');
    if (parts.size() > 1 && parts.back().empty()) parts.pop_back(); // `(f8[:],)`
    for (const Piece& part : parts) types.params.push_back(type(part));
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

  std::optional<ast::TypeSpec> type(const Piece& untrimmed) {
    const Piece whole = untrimmed.trimmed(), text = bareName(whole);
    const size_t end = text.text.find_first_of("[(");
    const Piece name = text.sub(0, end).trimmed();
    if (name.text == "Array" && end != std::string_view::npos)
      return arrayOf(text.sub(end + 1, text.text.size() - end - 2).split(','), whole);
    const auto known =
        std::ranges::find_if(numbaTypeNames, [&](const NumbaTypeName& t) { return t.spelling == name.text; });
    if (known == std::end(numbaTypeNames) || (end != std::string_view::npos && text.text[end] == '(')) {
      unknown(whole, name);
      return {};
    }
    ast::TypeSpec spec;
    spec.dtype = std::string(known->dtype);
    spec.where = whole.span();
    if (end == std::string_view::npos) return spec;
    if (const auto brackets = std::ranges::count(text.text, '['); brackets > 1 || !text.text.ends_with(']')) {
      const std::vector<std::string_view> axes(brackets, ":");
      error(whole,
            fmt::format("`{}` is not a type: the dimensions stand in one pair of brackets; write `{}[{}]`",
                        whole.text, name.text, fmt::join(axes, ", ")));
      return {};
    }
    const std::vector<Piece> dims = text.sub(end + 1, text.text.size() - end - 2).split(',');
    for (const Piece& dim : dims)
      if (dim.text != ":" && !(dim.text.starts_with("::") && isInteger(dim.sub(2).trimmed().text)))
        error(dim.empty() ? whole : dim, fmt::format("a dimension is `:` or `::1` here, not `{}`", dim.text));
    spec.isArray = true;
    spec.extents.resize(dims.size());
    if (dims.empty()) error(whole, "the dimensions are missing, as in `f8[:, :]`");
    if (dims.size() > 1 && dims[0].text == "::1" && dims[1].text == ":") spec.byColumns = true;
    return spec;
  }

  void unknown(const Piece& whole, const Piece& name) {
    if (name.text == "float16" || name.text == "f2")
      return error(whole,
                   "numbers of 16 bits are not translated, as NumPy's float16 is not; write `float32`");
    std::vector<std::string_view> names;
    for (const NumbaTypeName& t : numbaTypeNames) names.push_back(t.spelling);
    const std::optional<std::string_view> nearest = nearestName(name.text, names);
    error(whole, fmt::format("appyc has no type for Numba's `{}`; {}", whole.text,
                             nearest ? fmt::format("did you mean `{}`?", *nearest)
                                     : "numbers and arrays have one: `f8`, `i4[:]`, `float64[:, ::1]`"));
  }

  /// `Array(float64, 2, 'C')`
  std::optional<ast::TypeSpec> arrayOf(const std::vector<Piece>& parts, const Piece& whole) {
    std::optional<ast::TypeSpec> spec = parts.size() >= 3 ? type(parts[0]) : std::nullopt;
    size_t rank = 0;
    if (spec) std::from_chars(parts[1].text.data(), parts[1].text.data() + parts[1].text.size(), rank);
    if (rank < 1 || rank > 32) {
      error(whole, "the array's type, dimensions and layout are needed: `Array(float64, 2, 'C')`");
      return {};
    }
    spec->isArray = true;
    spec->where = whole.span();
    spec->extents.resize(rank);
    spec->byColumns = rank > 1 && parts[2].find("F") != std::string_view::npos;
    return spec;
  }

  std::vector<ast::TypeSpec> results(const Piece& untrimmed) {
    const Piece text = bareName(untrimmed);
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
      add(all, text, 1);
    }
    return all;
  }
  void add(std::vector<ast::TypeSpec>& all, const Piece& text, size_t count) {
    if (const std::optional<ast::TypeSpec> one = type(text)) all.insert(all.end(), count, *one);
  }

  Diagnostics& diag_;
  bool failed_ = false;
};

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

std::optional<GivenTypes> readNumbaSignature(const Piece& text, Diagnostics& diag) {
  return NumbaReader(diag).signature(text);
}

std::string_view dtypeOfNumba(std::string_view name) {
  if (name.starts_with("types.")) name.remove_prefix(6);
  const auto* known =
      std::ranges::find_if(numbaTypeNames, [&](const NumbaTypeName& t) { return t.spelling == name; });
  return known == std::end(numbaTypeNames) ? std::string_view() : known->dtype;
}

std::vector<GivenTypes> readNumbaDecorator(const NamedCall& decorator, Diagnostics& diag) {
  if (!decorator.call || (decorator.path != "numba.jit" && decorator.path != "numba.njit")) return {};
  return readNumbaSignatures(decorator, diag);
}

std::vector<GivenTypes> readNumbaSignatures(const NamedCall& decorator, Diagnostics& diag) {
  const Node given = givenSignatures(decorator);
  if (!given) return {};
  const bool isList = given.is("list");
  std::vector<GivenTypes> all;
  for (const Node one : isList ? given.namedChildren() : std::vector<Node>{given}) {
    const std::optional<Piece> text = decorator.string(one);
    if (!text && !one.is("call") && !one.is("tuple") && !one.is("parenthesized_expression")) return {};
    if (std::optional<GivenTypes> types = readNumbaSignature(text ? *text : decorator.piece(one), diag))
      all.push_back(std::move(*types));
  }
  return all;
}

} // namespace appyc::frontend
