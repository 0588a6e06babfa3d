//===- Pythran.cpp - the types in comments of Pythran's, and in those and decorators of Pyccel's ---------===//
//   export = "#pythran export" item { "," item }        item  = name [ "(" [ argument { "," argument } ] ")" ]
//   argument = type { "or" type } [ "?" ]               type  = name { "[]" } | name "[" dimensions "]" [ "order(C)" | "order(F)" ]
//   header = "#$ header function" name "(" [ argument { "," argument } ] ")"
// `int`, `float`, `complex`, `str` and lists of these, `int list list`, are Python's. What is given alternatives is one function for each.
#include "Dialects.h"
#include "Types.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

namespace {

using Alternatives = std::vector<std::optional<ast::TypeSpec>>;

/// What to write for what is neither a number nor an array; empty for others.
std::string_view insteadOf(const Piece& text) {
  const std::string_view name = text.leadingName();
  if (text.text.ends_with(" set")) return "pass an array, `float[]`";
  if (text.text.ends_with(" dict")) return "pass an array of the keys and one of the values";
  if (text.text.starts_with('(')) return "pass the items of a tuple one by one";
  if (text.text.ends_with('*')) return "an address is passed as the array that begins there, `float[]`";
  if (text.text.substr(name.size()).starts_with('(') && !text.text.starts_with("order"))
    return "functions are called by their names; pass a number that says which";
  if (name == "None") return "leave the parameter out that has the default `None`: `float?`";
  if (name == "slice") return "pass its bounds as numbers";
  if (name == "complex256") return "extended precision is not supported; use `complex128`";
  return {};
}

/// A type in our words, and whether `order(F)` says that it is stored by columns.
struct PlainType {
  std::string text;
  bool byColumns = false;
};

/// Without `order(C)`, Pyccel's `(order=C)` and `const`; `float[][]` as `float[:,:]`, `float[::]` as `float[:]`.
PlainType inOurWords(Piece text) {
  bool byColumns = false;
  if (text.leadingName() == "const") text = text.sub(5).trimmed();
  const size_t order = text.text.find_first_of(" \t(", text.text.rfind(']') + 1 ? text.text.rfind(']') : 0);
  if (order != std::string_view::npos && text.find("order") != std::string_view::npos) {
    byColumns = text.text.find('F', order) != std::string_view::npos;
    text = text.sub(0, order).trimmed();
  }
  std::string out(text.text);
  if (const size_t open = out.find("[]"); open != std::string::npos) {
    const size_t rank = (out.size() - open) / 2;
    std::string dims = ":";
    for (size_t k = 1; k < rank; ++k) dims += ",:";
    out = out.substr(0, open) + "[" + dims + "]";
  }
  if (out.ends_with("[::]")) out = out.substr(0, out.size() - 4) + "[:]";
  return {out, byColumns};
}

Alternatives readArgument(Piece text, Diagnostics& diag) {
  Alternatives all;
  const bool isOptional = text.text.ends_with('?');
  if (isOptional) text = text.sub(0, text.text.size() - 1).trimmed();
  std::vector<Piece> parts;
  size_t from = 0;
  for (const Piece& word : text.words())
    if (word.text == "or") {
      const size_t at = word.begin - text.begin;
      parts.push_back(text.sub(from, at - from).trimmed());
      from = at + 2;
    }
  parts.push_back(text.sub(from).trimmed());
  for (const Piece& part : parts) {
    if (const std::string_view instead = insteadOf(part); !instead.empty()) {
      diag.report(DiagId::BadSignature, part.span(),
                  fmt::format("`{}` is not translated: {}", part.text, instead));
      return {};
    }
    Piece item = part;
    size_t lists = 0;
    for (; item.text.ends_with(" list"); ++lists) item = item.sub(0, item.text.size() - 5).trimmed();
    const PlainType words = inOurWords(item);
    std::optional<ast::TypeSpec> type =
        words.text == "str" ? textType(part.span()) : readType(Piece{words.text, 0, part.span()}, diag);
    if (!type) return {};
    const bool isPythons = !type->isTakenApart() && !type->isArray && (type->weak || type->dtype == "bool");
    if (lists > 2 || (lists > 0 && !isPythons)) {
      diag.report(
          DiagId::BadSignature, part.span(),
          fmt::format("`{}` is not translated: pass an array, `float[]`, or a list of Python's numbers",
                      part.text));
      return {};
    }
    for (; lists > 0; --lists) {
      ast::TypeSpec list;
      list.where = part.span(), list.container = ast::TypeSpec::List, list.items = {*type};
      type = std::move(list);
    }
    type->byColumns = words.byColumns && type->extents.size() > 1;
    all.push_back(std::move(type));
  }
  if (isOptional) all.emplace_back();
  return all;
}

/// One for each choice of alternatives; none after an error.
std::vector<GivenTypes> readArguments(const std::vector<Piece>& texts, Span where, Diagnostics& diag) {
  constexpr size_t most = 64;
  std::vector<GivenTypes> all{{{}, {}, where}};
  for (const Piece& text : texts) {
    const Alternatives alternatives = readArgument(text, diag);
    std::vector<GivenTypes> next;
    for (const GivenTypes& before : all)
      for (const std::optional<ast::TypeSpec>& type : alternatives) {
        next.push_back(before);
        next.back().params.push_back(type);
      }
    if (next.size() > most)
      diag.report(DiagId::BadSignature, where,
                  fmt::format("these are more than {} signatures; name fewer", most));
    if (next.empty() || next.size() > most) return {};
    all = std::move(next);
  }
  return all;
}

std::vector<std::pair<std::string, GivenTypes>> readItem(const Piece& item, Diagnostics& diag) {
  std::vector<std::pair<std::string, GivenTypes>> found;
  const std::string_view name = item.leadingName();
  const Piece rest = item.sub(name.size()).trimmed();
  if ((name == "capsule" || name == "ufunc") && !rest.empty() && !rest.text.starts_with('(')) {
    diag.report(DiagId::BadSignature, item.span(),
                name == "ufunc"
                    ? "`ufunc` is not read: put Numba's `@vectorize(['f8(f8)'])` above the function"
                    : "`capsule` is not read: drop it, the library's C functions are in its header");
    return found;
  }
  if (!rest.text.starts_with('(')) return found; // a variable of the module
  if (!rest.text.ends_with(')') || !rest.balanced()) {
    diag.report(DiagId::BadSignature, item.span(), "the brackets of the signature do not match");
    return found;
  }
  for (GivenTypes& types : readArguments(rest.sub(1, rest.text.size() - 2).split(','), item.span(), diag))
    found.emplace_back(name, std::move(types));
  return found;
}

} // namespace

std::vector<std::pair<std::string, GivenTypes>> readPythranTypes(const Piece& text, Diagnostics& diag) {
  std::vector<std::pair<std::string, GivenTypes>> all;
  for (const Piece& item : text.trimmed().split(','))
    for (auto& one : readItem(item, diag)) all.push_back(std::move(one));
  return all;
}

std::vector<std::pair<std::string, GivenTypes>> readPyccelTypes(const Piece& text, Diagnostics& diag) {
  const size_t results = text.find("results");
  return readItem(text.sub(0, results).trimmed(), diag);
}

std::vector<GivenTypes> readPyccelDecorator(const NamedCall& decorator, Diagnostics& diag) {
  if (!decorator.call || decorator.path != "pyccel.decorators.types") return {};
  std::vector<Piece> texts;
  for (const Node argument : decorator.call.field("arguments").namedChildren()) {
    if (argument.is("keyword_argument")) continue; // `results=`, which the function's text says as well
    const std::optional<Piece> text = decorator.string(argument);
    texts.push_back(text ? text->trimmed() : decorator.piece(argument));
  }
  return readArguments(texts, decorator.call.span(), diag);
}

} // namespace appyc::frontend
