//===- ParseMatch.cpp - `match` as `if` and `elif` --------------------------------------------------===//
//   match n, k:                          if n == 0 or n == 1: ...
//     case 0 | 1, _: ...           =>    else:
//     case x, 2 if x > k: ...              if k == 2: x = n
//     case _: ...                          if k == 2 and x > k: ...
//                                          else: ...
// Patterns ask for numbers, texts, None and named constants, for classes and their fields (`isinstance(p, Point) and p.x == 0`), for
// keys of dicts, and take tuples, lists and ranges apart (`isinstance(p, (tuple, list, range)) and len(p) == 2 and p[0] == 1`): those that
// stand behind `match` are known here.
#include "ParseStmt.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

using ast::Body;
using ast::Expr;
using ast::make;
using ast::makeStmt;

namespace {
constexpr std::string_view kPatterns = "a pattern of `match` is a number, a text, None, a named constant, a "
                                       "name, a tuple or list of these, a class with "
                                       "fields, or a dict with constant keys; write `if` and `elif`";
Expr both(const Expr& a, const Expr& b) {
  return a && b ? make(a->span, ast::BoolExpr{ast::BoolOp::And, a, b}) : a ? a : b;
}
} // namespace

/// When the pattern fits, empty if always; what it binds is added. Nothing where it is refused.
std::optional<Expr> StmtParser::fits(Node pattern, const Expr& subject, Body& binds) {
  const Span where = pattern.span();
  const std::vector<Node> parts = pattern.namedChildren();
  const std::string_view text = exprs_.textOf(pattern);
  const auto isEqual = [&](const Expr& value, ast::CompareOp op = ast::CompareOp::Eq) {
    return make(where, ast::Compare{{subject, value}, {op}});
  };
  const auto bind = [&](std::string_view name) {
    binds.push_back(makeStmt(where, ast::Assign{{make(where, ast::Name{std::string(name)})}, subject, {}}));
  };
  if (text == "_") return Expr();
  if (pattern.is("dotted_name") ||
      (pattern.is("case_pattern") && parts.size() == 1 && parts[0].is("dotted_name"))) {
    const std::vector<Node> names = pattern.is("dotted_name") ? parts : parts[0].namedChildren();
    if (names.size() == 1) return bind(exprs_.textOf(names[0])), Expr();
    Expr value = exprs_.parse(names[0]);
    for (size_t k = 1; k < names.size(); ++k)
      value = make(where, ast::Attribute{value, std::string(exprs_.textOf(names[k]))});
    return isEqual(value);
  }
  const Node inner = pattern.is("case_pattern") && parts.size() == 1 ? parts[0] : pattern;
  if (inner.is("integer") || inner.is("float") || inner.is("string") || inner.is("concatenated_string")) {
    const Expr value = exprs_.parse(inner);
    return isEqual(text.starts_with('-') ? make(where, ast::Unary{ast::UnaryOp::Neg, value}) : value);
  }
  if (inner.is("true") || inner.is("false"))
    return isEqual(make(where, ast::BoolLit{inner.is("true")}), ast::CompareOp::Is);
  if (inner.is("none")) return isEqual(make(where, ast::NoneLit{}), ast::CompareOp::Is);
  const std::vector<Node> items = inner.namedChildren();
  if (inner.is("as_pattern") && items.size() == 2) {
    const std::optional<Expr> cond = fits(items[0], subject, binds);
    bind(exprs_.textOf(items[1]));
    return cond;
  }
  if (inner.is("union_pattern")) {
    Expr any;
    std::vector<std::pair<Expr, Body>> found;
    bool isNegative = false, binding = false;
    for (const Node item : inner.children()) {
      if (!item.isNamed()) {
        isNegative = item.is("-");
        continue;
      }
      Body own;
      std::optional<Expr> one = fits(item, subject, own);
      if (!one || !*one) break; // alternatives behind what always fits are Python's own error
      if (const auto* equal = one->as<ast::Compare>(); isNegative && equal) {
        ast::Compare asked = *equal;
        asked.operands[1] = make(where, ast::Unary{ast::UnaryOp::Neg, asked.operands[1]});
        one = make(where, std::move(asked));
      }
      any = any ? make(where, ast::BoolExpr{ast::BoolOp::Or, any, *one}) : *one;
      binding |= !own.empty();
      found.emplace_back(*one, own);
      isNegative = false;
      if (item.end() != inner.end()) continue;
      Body chosen = found.back().second; // the names are bound by the first that fits
      for (size_t k = found.size() - 1; k-- > 0;)
        chosen = {makeStmt(where, ast::If{found[k].first, found[k].second, std::move(chosen)})};
      if (binding) binds.insert(binds.end(), chosen.begin(), chosen.end());
      return any;
    }
  }
  if (inner.is("class_pattern") && !items.empty()) return fitsClass(items, inner, subject, binds);
  if (inner.is("tuple_pattern") && items.size() == 1 && !inner.hasToken(","))
    return fits(items[0], subject, binds);
  if (inner.is("tuple_pattern") || inner.is("list_pattern")) return fitsAll(items, inner, subject, binds);
  if (inner.is("dict_pattern")) return fitsKeys(inner, subject, binds);
  refuse(pattern, kPatterns);
  return std::nullopt;
}

/// `Point(x=0, y=y)`: it is of the class, and so are its fields; `int(k)`: the number itself.
std::optional<Expr> StmtParser::fitsClass(const std::vector<Node>& items, Node whole, const Expr& subject,
                                          Body& binds) {
  const Span where = whole.span();
  const std::vector<Node> path = items[0].namedChildren();
  Expr type = exprs_.parse(path[0]);
  for (size_t k = 1; k < path.size(); ++k)
    type = make(where, ast::Attribute{type, std::string(exprs_.textOf(path[k]))});
  const Expr asks = make(where, ast::Name{"isinstance"});
  Expr all = make(where, ast::Call{asks, {subject, type}, {}});
  constexpr std::string_view kThemselves[] = {"int",  "float", "bool", "complex", "str",
                                              "list", "tuple", "dict", "set"};
  for (size_t k = 1; k < items.size(); ++k) {
    const std::vector<Node> inside = items[k].namedChildren();
    const Node item = inside.size() == 1 && inside[0].is("keyword_pattern") ? inside[0] : items[k];
    const std::vector<Node> parts = item.namedChildren();
    const bool isField = item.is("keyword_pattern") && !parts.empty() && !item.hasToken("-");
    const bool isWhole =
        items.size() == 2 && std::ranges::find(kThemselves, exprs_.textOf(items[0])) != std::end(kThemselves);
    if (isField && parts.size() == 1) continue; // `x=_`
    const std::string field =
        isField ? std::string(exprs_.textOf(parts[0])) : fmt::format("__match_args__[{}]", k - 1);
    const Expr part = !isField && isWhole ? subject : make(where, ast::Attribute{subject, field});
    const std::optional<Expr> one = fits(isField ? parts[1] : items[k], part, binds);
    if (!one) return std::nullopt;
    all = both(all, *one);
  }
  return all;
}

/// `{"x": x, "y": 0}`: it is a dict that has the keys, and others.
std::optional<Expr> StmtParser::fitsKeys(Node whole, const Expr& subject, Body& binds) {
  const Span where = whole.span();
  const auto named = [&](const char* name) { return make(where, ast::Name{name}); };
  Expr all = make(where, ast::Call{named("isinstance"), {subject, named("dict")}, {}});
  Expr key;
  for (const Node child : whole.namedChildren()) {
    const bool isLiteral = child.is("string") || child.is("integer");
    const std::vector<Node> parts = child.namedChildren();
    const Node inner = child.is("case_pattern") && parts.size() == 1 ? parts[0] : child;
    if (!key && (isLiteral || inner.is("string") || inner.is("integer")) && !inner.hasToken("-")) {
      key = exprs_.parse(isLiteral ? child : inner);
      all = both(all, make(where, ast::Compare{{key, subject}, {ast::CompareOp::In}}));
      continue;
    }
    const std::optional<Expr> one =
        key ? fits(child, make(where, ast::Subscript{subject, {key}}), binds) : std::nullopt;
    if (!key) refuse(child, kPatterns);
    if (!one) return std::nullopt;
    all = both(all, *one);
    key = Expr();
  }
  return all;
}

/// Of a tuple that stands behind `match`, or of one that has as many items, one of which may be `*rest`.
std::optional<Expr> StmtParser::fitsAll(const std::vector<Node>& patterns, Node whole, const Expr& subject,
                                        Body& binds) {
  const Span where = whole.span();
  const auto* written = subject.as<ast::Tuple>();
  const auto isStar = [&](Node p) { return exprs_.textOf(p).starts_with('*'); };
  const auto star = std::ranges::find_if(patterns, isStar);
  const bool isPlain = star == patterns.end();
  const auto before = static_cast<size_t>(star - patterns.begin());
  const size_t behind = isPlain ? 0 : patterns.size() - before - 1, count = before + behind;
  const auto named = [&](const char* name) { return make(where, ast::Name{name}); };
  const auto number = [&](size_t k) { return make(where, ast::IntLit{k}); };
  const auto fromEnd = [&](size_t k) { return make(where, ast::Unary{ast::UnaryOp::Neg, number(k)}); };
  Expr all;
  if (written) {
    if (written->items.size() < count || (isPlain && written->items.size() > count))
      return make(where, ast::BoolLit{false});
  } else {
    const Expr kinds = make(where, ast::Tuple{{named("tuple"), named("list"), named("range")}});
    const Expr size = make(where, ast::Call{named("len"), {subject}, {}});
    all = make(where, ast::Call{named("isinstance"), {subject, kinds}, {}});
    all = both(all, make(where, ast::Compare{{size, number(count)},
                                             {isPlain ? ast::CompareOp::Eq : ast::CompareOp::Ge}}));
  }
  for (size_t k = 0; k < patterns.size(); ++k) {
    const bool isBehind = !isPlain && k > before;
    if (!isPlain && k == before) {
      const std::string name(exprs_.textOf(patterns[k]).substr(1));
      if (name == "_") continue;
      Expr rest;
      if (written) {
        const auto first = written->items.begin();
        rest = make(where, ast::List{{first + static_cast<long>(before),
                                      written->items.end() - static_cast<long>(behind)}});
      } else {
        const Expr slice = make(where, ast::Slice{number(before), behind > 0 ? fromEnd(behind) : Expr(), {}});
        rest = make(where, ast::Call{named("list"), {make(where, ast::Subscript{subject, {slice}})}, {}});
      }
      binds.push_back(makeStmt(where, ast::Assign{{make(where, ast::Name{name})}, rest, {}}));
      continue;
    }
    const Expr item =
        written ? written->items[isBehind ? written->items.size() + k - patterns.size() : k]
                : make(where, ast::Subscript{subject, {isBehind ? fromEnd(patterns.size() - k) : number(k)}});
    const std::optional<Expr> one = fits(patterns[k], item, binds);
    if (!one) return std::nullopt;
    all = both(all, *one);
  }
  return all;
}

/// What is asked again for each case is named, where asking does more than looking.
Expr StmtParser::subjectOf(Node node, Body& into) {
  std::vector<Expr> parts;
  const std::vector<Node> subjects = node.fields("subject");
  for (const Node part : subjects) parts.push_back(exprs_.parse(part));
  const bool isOne = parts.size() == 1 && !parts[0].is<ast::Tuple>();
  if (parts.size() == 1 && !isOne) parts = std::vector<Expr>(parts[0].as<ast::Tuple>()->items);
  for (Expr& part : parts) {
    if (part.is<ast::Name>() || part.is<ast::IntLit>()) continue;
    std::string name = "subject";
    for (int k = 2; source_.text().find(name) != std::string_view::npos || !subjects_.insert(name).second;
         ++k)
      name = fmt::format("subject_{}", k);
    const Expr named = make(part->span, ast::Name{name});
    into.push_back(makeStmt(part->span, ast::Assign{{named}, part, {}}));
    part = named;
  }
  return isOne ? parts[0] : make(node.span(), ast::Tuple{parts});
}

void StmtParser::matchStatement(Node node, Body& into) {
  struct Case {
    Expr cond, guard;
    Body binds, body;
    Span span;
  };
  const Expr subject = subjectOf(node, into);
  std::vector<Case> cases;
  bool isRead = true;
  for (const Node clause : node.field("body").fields("alternative")) {
    Case one;
    std::vector<Node> patterns;
    for (const Node child : clause.namedChildren())
      if (child.is("case_pattern")) patterns.push_back(child);
    const bool isTuple = patterns.size() > 1 || exprs_.textOf(clause).find(",") <
                                                    clause.field("consequence").begin() - clause.begin();
    const std::optional<Expr> cond = patterns.size() > 1 && isTuple
                                         ? fitsAll(patterns, clause, subject, one.binds)
                                     : patterns.size() == 1 ? fits(patterns[0], subject, one.binds)
                                                            : std::nullopt;
    isRead &= cond.has_value();
    one.cond = cond.value_or(Expr());
    if (const Node guard = clause.field("guard")) one.guard = exprs_.parse(guard.namedChildren()[0]);
    one.span = {clause.begin(), node.end()};
    one.body = block(clause.field("consequence"), clause);
    cases.push_back(std::move(one));
  }
  if (!isRead) {
    into.push_back(makeStmt(node.span(), ast::ErrorStmt{}));
    return;
  }
  Body rest;
  for (auto one = cases.rbegin(); one != cases.rend(); ++one) {
    Body made = one->cond ? Body() : one->binds, body = one->body;
    if (one->cond && one->guard && !one->binds.empty())
      made.push_back(makeStmt(one->span, ast::If{one->cond, one->binds, {}}));
    else if (one->cond)
      body.insert(body.begin(), one->binds.begin(), one->binds.end());
    if (const Expr asked = both(one->cond, one->guard))
      made.push_back(makeStmt(one->span, ast::If{asked, std::move(body), std::move(rest)}));
    else
      made.insert(made.end(), body.begin(), body.end());
    rest = std::move(made);
  }
  into.insert(into.end(), rest.begin(), rest.end());
}

} // namespace appyc::frontend
