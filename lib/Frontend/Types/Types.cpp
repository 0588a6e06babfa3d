//===- Types.cpp - types as users write them ------------------------------------------------------===//
#include "Types.h"
#include "appyc/Frontend/Frontend.h"
#include "appyc/Support/Spelling.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

std::string_view adviceOnDicts(std::string_view annotation) {
  static constexpr std::string_view kDicts[] = {
      "dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "typing.Dict", "typing.Mapping"};
  const std::string_view name = annotation.substr(0, annotation.find('['));
  if (std::ranges::find(kDicts, name) == std::end(kDicts)) return {};
  return "a dict is passed as `dict[str, float]` of which the function reads constant keys alone, "
         "`p[\"rate\"]`, as a "
         "`TypedDict` class of the file, which names its keys, or as a list of its keys and one of its "
         "values, of which "
         "`dict(zip(keys, values))` makes one";
}

namespace {

/// Who writes a type name. The short names must stand alone: Numba's `numba.i8` has 8 bytes, our `i8` has 8
/// bits.
enum class Origin { Own, Python, NumPy, NumPyC };

struct TypeName {
  std::string_view spelling, dtype;
  Origin origin;
};

constexpr TypeName typeNames[] = {
#define TYPE(spelling, dtype, origin) {spelling, dtype, Origin::origin},
#include "Types.def"
};

/// Names that are no type of ours, and what is meant by them.
struct OtherName {
  std::string_view spelling, advice;
};
constexpr OtherName otherNames[] = {
    {"f2", "half precision is not supported; use `f32`"},
    {"f16", "half precision is not supported; use `f32`"},
    {"half", "half precision is not supported; use `f32`"},
    {"float16", "half precision is not supported; use `f32`"},
    {"f128", "extended precision is not supported; use `f64`"},
    {"float128", "extended precision is not supported; use `f64`"},
    {"longdouble", "extended precision is not supported; use `f64`"},
    {"f4", "the number counts bits; write `f32`"},
    {"f8", "the number counts bits; write `f64`"},
    {"i4", "the number counts bits; write `i32`"},
    {"u4", "the number counts bits; write `u32`"},
    {"c8", "the number counts bits; write `c64`"},
    {"c16", "the number counts bits; write `c128`"},
    {"b1", "write `bool`"},
    {"long", "its size differs between systems; write `i64`"},
    {"uint", "its size differs between systems; write `u64`"},
};

/// The parts of `np.float64[M, N]`.
struct TypeText {
  Piece prefix; ///< "np"; may be empty
  Piece name;   ///< "float64"
  std::optional<Piece> extents;
};

std::optional<TypeText> takeApart(const Piece& text) {
  const size_t bracket = text.text.find('[');
  const Piece dotted = text.sub(0, bracket).trimmed();
  const size_t dot = dotted.text.rfind('.');
  TypeText parts;
  parts.prefix = dot == std::string_view::npos ? dotted.sub(0, 0) : dotted.sub(0, dot);
  parts.name = dot == std::string_view::npos ? dotted : dotted.sub(dot + 1).trimmed();
  if (!isIdentifier(parts.name.text)) return {};
  if (bracket == std::string_view::npos) return parts;
  const Piece extents = text.sub(bracket + 1, text.text.size() - bracket - 2);
  if (!text.text.ends_with(']') || !text.balanced() || !extents.balanced()) return {};
  parts.extents = extents;
  return parts;
}

const TypeName* findType(const TypeText& type) {
  const bool qualified = !type.prefix.empty() && type.prefix.text != "appy";
  for (const TypeName& name : typeNames)
    if (name.spelling == type.name.text)
      return qualified && (name.origin == Origin::Own || name.origin == Origin::Python) ? nullptr : &name;
  return nullptr;
}

std::optional<std::string_view> nearestType(std::string_view word) {
  std::vector<std::string_view> candidates;
  for (const TypeName& name : typeNames)
    if (name.origin != Origin::NumPyC) // rare words that lie near to others, as `byte` to `bytes`
      candidates.push_back(name.spelling);
  return nearestName(word, candidates);
}

std::string_view otherAdvice(std::string_view word) {
  for (const OtherName& other : otherNames)
    if (other.spelling == word) return other.advice;
  return {};
}

/// What to write instead of types of Python's that say too little, or are for constants.
std::string_view insteadOfPythons(std::string_view word) {
  static constexpr OtherName kNames[] = {
      {"list", "say what it holds, as in `list[float]`, or write an array's type"},
      {"tuple", "say what it holds, as in `tuple[int, float]`"},
      {"set", "pass a list, `list[int]`, and make a set of it"},
      {"str", "texts are constants here; pass a number that says which"}};
  for (const OtherName& name : kNames)
    if (name.spelling == word) return name.advice;
  return {};
}

void reportUnknown(const TypeText& type, Diagnostics& diag) {
  const std::string_view word = type.name.text;
  const std::string_view other = otherAdvice(word);
  if (const std::string_view advice = other.empty() ? adviceOnDicts(word) : other; !advice.empty()) {
    diag.report(DiagId::BadSignature, type.name.span(), fmt::format("unknown type `{}`: {}", word, advice));
  } else if (const std::optional<std::string_view> nearest = nearestType(word)) {
    if (*nearest == word) // known, but not behind this prefix
      diag.report(
          DiagId::BadSignature, type.name.span(),
          fmt::format("unknown type `{}.{}`; `{}` stands without a prefix", type.prefix.text, word, word));
    else
      diag.report(DiagId::BadSignature, type.name.span(),
                  fmt::format("unknown type `{}`; did you mean `{}`?", word, *nearest))
          .replaceWith(type.name.span(), std::string(*nearest));
  } else if (const std::string_view instead = insteadOfPythons(word); !instead.empty()) {
    diag.report(DiagId::BadSignature, type.name.span(), fmt::format("unknown type `{}`: {}", word, instead));
  } else {
    diag.report(
        DiagId::BadSignature, type.name.span(),
        fmt::format(
            "unknown type `{}`; known are f32, f64, i8 to i64, u8 to u64, bool, c64, c128, and arrays of "
            "them such as f64[M, N]",
            word));
  }
}

/// Text of one extent; empty for `:`. Nothing after an error.
std::optional<std::string> readExtent(const Piece& text, bool last, Diagnostics& diag) {
  if (text.text == ":" || (text.text == "::1" && last)) // `::1`: contiguous, as all arrays are here
    return std::string();
  if (text.empty()) {
    diag.report(DiagId::BadSignature, text.span(),
                "an extent is missing; write a name, an expression or `:`");
    return {};
  }
  if (text.find(":") != std::string_view::npos || text.text == "...") {
    diag.report(DiagId::BadSignature, text.span(),
                fmt::format("`{}` is not an extent; write a name, an expression or `:`", text.text));
    return {};
  }
  if (!parseExpression(text.text, text.span(), diag)) return {};
  return std::string(text.text);
}

/// `None` and a name for a tuple of results come with or without a module: `typing.Tuple`.
bool isTupleName(std::string_view name) { return name == "tuple" || name == "Tuple"; }
bool isListName(std::string_view name) {
  return name == "list" || name == "List" || name == "Sequence" || name == "MutableSequence";
}

/// How deep lists are in each other that are taken.
constexpr int kMostLists = 2;
/// Of a tuple in a list all are numbers, or such tuples: each of these is a list of its own.
std::optional<ast::TypeSpec> readContainerPart(const Piece& untrimmed, const Meaning& meaning, int lists,
                                               bool inTuple) {
  Piece text = untrimmed.trimmed();
  if (isIdentifier(text.text) && meaning) text = meaning(text);
  const std::optional<TypeText> type = takeApart(text);
  if (!type) return {};
  ast::TypeSpec spec;
  spec.where = text.span();
  if (!type->extents) {
    const TypeName* known = findType(*type);
    if (!known || known->origin != Origin::Python) return {};
    spec.dtype = std::string(known->dtype);
    spec.weak = known->dtype != "bool";
    return spec;
  }
  const bool isTuple = isTupleName(type->name.text), isList = isListName(type->name.text);
  const std::vector<Piece> items = type->extents->split(',');
  if ((!isTuple && !isList) || items.empty() || (isList && items.size() != 1)) return {};
  if (isList && (lists == kMostLists || (inTuple && lists > 0))) return {};
  spec.container = isTuple ? ast::TypeSpec::Tuple : ast::TypeSpec::List;
  for (const Piece& item : items) {
    std::optional<ast::TypeSpec> part = readContainerPart(item, meaning, lists + isList, inTuple || isTuple);
    if (!part) return {};
    spec.items.push_back(std::move(*part));
  }
  return spec;
}

} // namespace

std::optional<ast::TypeSpec> readContainer(const Piece& text, const Meaning& meaning) {
  std::optional<ast::TypeSpec> spec = readContainerPart(text, meaning, 0, false);
  return spec && spec->container != ast::TypeSpec::Single ? spec : std::nullopt;
}

std::optional<ast::TypeSpec> readText(const Piece& text) {
  const size_t literal = text.text.find("Literal[");
  const bool isLiteral =
      (literal == 0 || text.text.starts_with("typing.")) && text.text.find_first_of("\"'") == literal + 8;
  return text.text == "str" || isLiteral ? std::optional(textType(text.span())) : std::nullopt;
}

ast::TypeSpec textType(Span where) {
  ast::TypeSpec number, spec; // one number stands for it
  number.dtype = "i64";
  number.weak = true;
  number.where = spec.where = where;
  spec.dtype = "text";
  spec.container = ast::TypeSpec::Tuple;
  spec.items = {number};
  return spec;
}

TypeKind classifyType(const Piece& text) {
  const std::optional<TypeText> type = takeApart(text.trimmed());
  if (!type) return TypeKind::Foreign;
  if (const TypeName* known = findType(*type))
    return known->origin == Origin::Python && !type->extents ? TypeKind::Builtin : TypeKind::Definite;
  const bool near = nearestType(type->name.text).has_value() || !otherAdvice(type->name.text).empty();
  return near ? TypeKind::Misspelt : TypeKind::Foreign;
}

std::optional<ast::TypeSpec> readType(const Piece& untrimmed, Diagnostics& diag) {
  const Piece text = untrimmed.trimmed();
  const std::optional<TypeText> type = takeApart(text);
  if (!type) {
    const std::string what =
        text.empty() ? "a type is missing" : fmt::format("`{}` is not a type", text.text);
    diag.report(DiagId::BadSignature, text.span(), what + "; write for example f64 or f64[M, N]");
    return {};
  }
  const TypeName* known = findType(*type);
  if (!known) {
    reportUnknown(*type, diag);
    return {};
  }
  ast::TypeSpec spec;
  spec.dtype = std::string(known->dtype);
  spec.where = text.span();
  spec.isArray = type->extents.has_value();
  spec.weak = known->origin == Origin::Python && known->dtype != "bool" && !spec.isArray;
  if (!spec.isArray) return spec;
  const std::vector<Piece> extents = type->extents->split(',');
  if (extents.empty()) {
    diag.report(DiagId::BadSignature, text.span(),
                fmt::format("extents are missing; a scalar is written `{}`", known->spelling));
    return {};
  }
  constexpr size_t mostDimensions = 32; // as in NumPy 1
  if (extents.size() > mostDimensions) {
    diag.report(
        DiagId::BadSignature, text.span(),
        fmt::format("an array has at most {} dimensions, this type has {}", mostDimensions, extents.size()));
    return {};
  }
  for (size_t i = 0; i < extents.size(); ++i) {
    std::optional<std::string> extent = readExtent(extents[i], i + 1 == extents.size(), diag);
    if (!extent) return {};
    spec.extents.push_back(std::move(*extent));
  }
  return spec;
}

/// The types of a function's results, one by one.
static std::vector<Piece> resultParts(const Piece& text) {
  std::vector<Piece> parts{text};
  if (text.text.starts_with('(') && text.text.ends_with(')') && text.balanced())
    parts = text.sub(1, text.text.size() - 2).split(',');
  else if (const std::optional<TypeText> type = takeApart(text);
           type && type->extents && isTupleName(type->name.text))
    parts = type->extents->split(',');
  if (!parts.empty() && parts.size() > 1 && parts.back().empty()) // `(f64, f64,)`
    parts.pop_back();
  return parts;
}

bool isForeignResult(const Piece& untrimmed) {
  const Piece text = untrimmed.trimmed();
  const std::vector<Piece> parts = resultParts(text);
  return text.text != "None" && std::any_of(parts.begin(), parts.end(), [](const Piece& part) {
           return !part.trimmed().empty() && classifyType(part) == TypeKind::Foreign;
         });
}

std::optional<std::vector<ast::TypeSpec>> readResultTypes(const Piece& untrimmed, Diagnostics& diag) {
  const Piece text = untrimmed.trimmed();
  if (text.text == "None") return std::vector<ast::TypeSpec>{};
  std::vector<ast::TypeSpec> results;
  for (const Piece& part : resultParts(text)) {
    std::optional<ast::TypeSpec> type = readType(part, diag);
    if (!type) return {};
    results.push_back(std::move(*type));
  }
  return results;
}

} // namespace appyc::frontend
