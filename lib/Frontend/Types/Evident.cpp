//===- Evident.cpp - types of expressions that are evident from a file's text -----------------------===//
#include "Evident.h"
#include "Imports.h"
#include "ParseExpr.h"
#include "Signatures.h"
#include "Syntax.h"
#include "Types.h"
#include <algorithm>

namespace appyc::frontend {

namespace {

constexpr int mostFollowed = 40; ///< names and calls, so that no text takes long

/// The type that a name stands for, "f64" of "numpy.float64" or "float".
std::string dtypeNamed(std::string_view path) {
  Diagnostics unheard;
  const std::string_view name = path.starts_with("numpy.") ? path.substr(6) : path;
  const bool isPlain = !name.empty() && name.find_first_of(".[") == std::string_view::npos;
  const std::optional<ast::TypeSpec> type =
      isPlain ? readType(Piece{name, 0, Span{}}, unheard) : std::nullopt;
  return type && !type->isArray ? type->dtype : "";
}

/// Adds what assignments to `target` bind.
void bindTarget(const Source& source, Node target, const NameBinding& whole, EvidentScope& scope) {
  if (target.is("identifier")) {
    scope.bindings[textOf(source, target)].push_back(whole);
  } else if (target.is("pattern_list") || target.is("tuple_pattern") || target.is("list_pattern")) {
    const std::vector<Node> parts = target.namedChildren();
    for (size_t k = 0; k < parts.size(); ++k) {
      NameBinding part = whole;
      part.path.push_back(k);
      bindTarget(source, parts[k], part, scope);
    }
  } else if (!target.is("subscript") && !target.is("attribute")) {
    walk(target, [&](Node node, size_t) { // `*rest`, `with f() as x`
      if (node.is("identifier"))
        scope.bindings[textOf(source, node)].push_back({{}, {}, whole.statement, {}, whole.from});
      return true;
    });
  }
}

/// The block of statements, or file, that the statement stands in.
Node blockOf(Node statement) {
  Node block = statement.parent();
  while (block && !block.is("block") && !block.is("module")) block = block.parent();
  return block;
}

} // namespace

//===- names ------------------------------------------------------------------------------------------===//

EvidentScope EvidentTypes::scopeOf(Node body, const EvidentScope* outer) const {
  EvidentScope scope;
  scope.outer = outer;
  walk(body, [&](Node node, size_t depth) {
    const auto bind = [&](NameBinding::Kind kind, Node target, Node value, uint32_t from) {
      bindTarget(source_, target, {kind, value, node, {}, from}, scope);
    };
    if (node.is("function_definition") || node.is("class_definition")) {
      bind(NameBinding::Other, node.field("name"), {}, node.begin());
      return depth == 0;
    }
    if (node.is("assignment")) {
      Node value = node.field("right");
      while (value.is("assignment")) value = value.field("right");
      if (value) bind(NameBinding::Value, node.field("left"), value, value.end());
    } else if (node.is("augmented_assignment")) {
      bind(NameBinding::Augmented, node.field("left"), node, node.end());
    } else if (node.is("named_expression")) {
      bind(NameBinding::Value, node.field("name"), node.field("value"), node.end());
    } else if (node.is("for_statement")) {
      bind(NameBinding::Item, node.field("left"), node.field("right"), node.field("right").end());
    } else if (node.is("for_in_clause")) { // it holds in what stands before it, too
      bind(NameBinding::Item, node.field("left"), node.field("right"), node.parent().begin());
    } else if (node.is("as_pattern_target")) {
      bind(NameBinding::Other, node, {}, node.begin());
    } else if (node.is("lambda_parameters")) {
      bind(NameBinding::Other, node, {}, node.parent().begin());
    }
    for (const ast::Import& i : importsOf(source_, node)) scope.imports[i.as] = i.what;
    return true;
  });
  return scope;
}

void EvidentTypes::bindDefaults(Node function, EvidentScope& scope) {
  for (const ParameterNode& p : parameterNodes(source_.text(), function)) {
    Evident& type = scope.parameters[p.name];
    if (!type && p.defaultValue && p.kind < ast::Parameter::Rest)
      type = typeOf(parse(p.defaultValue), *scope.outer);
  }
}

ast::Expr EvidentTypes::parse(Node node) const {
  Diagnostics unheard;
  if (!node || tooDeepNode(node)) return {};
  return ExprParser(source_.text(), unheard).parse(node);
}

std::string EvidentTypes::pathOf(const ast::Expr& e, const EvidentScope& scope) const {
  if (const auto* a = e.as<ast::Attribute>()) {
    const std::string base = pathOf(a->base, scope);
    return base.empty() ? "" : base + "." + a->name;
  }
  const auto* name = e.as<ast::Name>();
  if (!name) return "";
  for (const EvidentScope* s = &scope; s; s = s->outer) {
    if (const auto import = s->imports.find(name->id); import != s->imports.end()) return import->second;
    if (s->bindings.count(name->id) || s->parameters.count(name->id)) return "";
  }
  return name->id;
}

/// Of what one binding gives.
Evident EvidentTypes::bound(const NameBinding& binding, const EvidentScope& scope) {
  if (binding.kind == NameBinding::Other) return {};
  if (binding.kind == NameBinding::Augmented) {
    const std::string op = textOf(source_, binding.value.field("operator"));
    const std::optional<ast::BinaryOp> known = binaryOperator(op.substr(0, op.size() - 1));
    const Evident before = typeOf(parse(binding.value.field("left")), scope);
    if (before.kind == Evident::Array || !known) return before;
    return evidentBinary(*known, before, typeOf(parse(binding.value.field("right")), scope));
  }
  Node value = binding.value;
  Evident type;
  if (value.is("expression_list") && binding.kind == NameBinding::Value) {
    Diagnostics unheard;
    type =
        tooDeepNode(value) ? Evident() : typeOf(ExprParser(source_.text(), unheard).parseItems(value), scope);
  } else {
    type = typeOf(parse(value), scope);
  }
  if (binding.kind == NameBinding::Item && type.kind == Evident::Array) {
    type = type.rank > 1 ? Evident::array(type.dtype, type.rank - 1) : Evident::number(type.dtype);
  } else if (binding.kind == NameBinding::Item) {
    const bool isSame = !type.items.empty() && std::ranges::all_of(type.items, [&](const Evident& item) {
      return item == type.items[0];
    });
    type = isSame ? type.items[0] : Evident();
  }
  const ast::Expr parsed = binding.path.empty() || value.is("expression_list") ? ast::Expr() : parse(value);
  const auto* each = parsed ? parsed.as<ast::Comprehension>() : nullptr; // all of its items are of one kind
  if (each && binding.kind == NameBinding::Value)
    type = {Evident::Tuple,
            {},
            false,
            0,
            std::vector<Evident>(binding.path[0] + 1, typeOf(each->element, scope))};
  for (const size_t k : binding.path) {
    if (type.kind == Evident::Array && type.rank > 1)
      type = Evident::array(type.dtype, type.rank - 1);
    else
      type = k < type.items.size() ? type.items[k] : Evident();
  }
  return type;
}

/// The last binding before that certainly runs counts, and those behind it, which may.
Evident EvidentTypes::nameType(const ast::Expr& e, const ast::Name& name, const EvidentScope& scope) {
  uint32_t at = e->span.begin;
  for (const EvidentScope* s = &scope; s; s = s->outer, at = UINT32_MAX) {
    std::optional<Evident> found;
    bool isCertain = false;
    if (const auto known = s->bindings.find(name.id); known != s->bindings.end())
      for (auto b = known->second.rbegin(); b != known->second.rend() && !isCertain; ++b) {
        if (b->from > at) continue;
        const Evident type = bound(*b, *s);
        if (!type || (found && *found != type)) return {};
        found = type;
        const Node block = blockOf(b->statement);
        isCertain =
            b->kind == NameBinding::Item || block.is("module") || (block.begin() <= at && at < block.end());
      }
    if (const auto parameter = s->parameters.find(name.id); parameter != s->parameters.end() && !isCertain)
      return !found || *found == parameter->second ? parameter->second : Evident();
    if (found) return *found;
  }
  const std::string dtype = dtypeNamed(pathOf(e, scope)); // `float`
  return dtype.empty() ? Evident() : Evident{Evident::Dtype, dtype};
}

//===- expressions --------------------------------------------------------------------------------------===//

Evident EvidentTypes::typeOf(const ast::Expr& e, const EvidentScope& scope) {
  if (!e || depth_ > mostFollowed) return {};
  ++depth_;
  const auto type = [&]() -> Evident {
    if (e.is<ast::IntLit>()) return Evident::number("i64", true);
    if (e.is<ast::FloatLit>()) return Evident::number("f64", true);
    if (e.is<ast::ImagLit>()) return Evident::number("c128", true);
    if (e.is<ast::BoolLit>()) return Evident::number("bool");
    if (e.is<ast::StringLit>()) return {Evident::Text};
    if (e.is<ast::NoneLit>()) return {Evident::None};
    if (const auto* name = e.as<ast::Name>()) return nameType(e, *name, scope);
    if (const auto* a = e.as<ast::Attribute>()) return attribute(*a, e, scope);
    if (const auto* s = e.as<ast::Subscript>()) return subscript(*s, scope);
    if (const auto* c = e.as<ast::Call>()) return call(*c, scope);
    if (const auto* u = e.as<ast::Unary>())
      return u->op == ast::UnaryOp::Not ? Evident::number("bool") : typeOf(u->arg, scope);
    if (const auto* b = e.as<ast::Binary>()) {
      const Evident lhs = typeOf(b->lhs, scope), rhs = typeOf(b->rhs, scope);
      if (lhs.kind == Evident::List && !lhs.weak && b->op == ast::BinaryOp::Mul) return lhs; // `[0] * n`
      return evidentBinary(b->op, lhs, rhs);
    }
    if (const auto* c = e.as<ast::Compare>()) {
      Evident result =
          evidentBinary(ast::BinaryOp::Add, typeOf(c->operands[0], scope), typeOf(c->operands[1], scope));
      if (result) result.dtype = "bool", result.weak = false;
      return result;
    }
    if (const auto* c = e.as<ast::Conditional>()) {
      const Evident then = typeOf(c->then, scope);
      return then == typeOf(c->otherwise, scope) ? then : Evident();
    }
    if (const auto* w = e.as<ast::Walrus>()) return typeOf(w->value, scope);
    if (const auto* t = e.as<ast::Tuple>()) {
      Evident result = listItems(t->items, scope);
      result.kind = Evident::Tuple;
      return result;
    }
    if (const auto* d = e.as<ast::Dict>()) return dictItems(*d, scope);
    if (const auto* l = e.as<ast::List>()) return listItems(l->items, scope);
    if (const auto* c = e.as<ast::Comprehension>(); c && c->isList) return listItems({c->element}, scope);
    return {};
  }();
  --depth_;
  return type;
}

/// Of a dict whose keys are names written as texts, each once.
Evident EvidentTypes::dictItems(const ast::Dict& d, const EvidentScope& scope) {
  Evident result{Evident::Dict};
  for (size_t k = 0; k < d.keys.size(); ++k) {
    const auto* key = d.keys[k] ? d.keys[k].as<ast::StringLit>() : nullptr;
    if (!key || !isIdentifier(key->value) || std::ranges::find(result.keys, key->value) != result.keys.end())
      return {};
    result.keys.push_back(key->value);
    result.items.push_back(typeOf(d.values[k], scope));
  }
  return result;
}

Evident EvidentTypes::listItems(const std::vector<ast::Expr>& items, const EvidentScope& scope) {
  constexpr size_t mostItems = 1000;
  Evident result{Evident::List};
  for (size_t k = 0; k < std::min(items.size(), mostItems); ++k)
    result.items.push_back(typeOf(items[k], scope));
  return result;
}

Evident EvidentTypes::attribute(const ast::Attribute& a, const ast::Expr& e, const EvidentScope& scope) {
  const std::string path = pathOf(e, scope);
  if (const std::string dtype = dtypeNamed(path); !dtype.empty()) return {Evident::Dtype, dtype};
  if (path == "numpy.pi" || path == "numpy.e" || path == "numpy.inf" || path == "numpy.nan" ||
      path == "math.pi" || path == "math.e" || path == "math.tau" || path == "math.inf")
    return Evident::number("f64", true);
  const Evident base = typeOf(a.base, scope);
  if (base.kind != Evident::Array) return {};
  if (a.name == "T") return base;
  if (a.name == "size" || a.name == "ndim") return Evident::number("i64", true);
  if (a.name == "dtype") return {Evident::Dtype, base.dtype};
  if (a.name == "real" || a.name == "imag")
    return Evident::array(base.dtype == "c64" ? "f32" : base.dtype == "c128" ? "f64" : base.dtype, base.rank);
  if (a.name != "shape") return {};
  return {Evident::Tuple, {}, false, 0, std::vector<Evident>(base.rank, Evident::number("i64", true))};
}

Evident EvidentTypes::subscript(const ast::Subscript& s, const EvidentScope& scope) {
  const Evident base = typeOf(s.base, scope);
  if (base.kind == Evident::Dict) {
    const auto* key = s.index.size() == 1 ? s.index[0].as<ast::StringLit>() : nullptr;
    const auto found = key ? std::ranges::find(base.keys, key->value) : base.keys.end();
    return found == base.keys.end() ? Evident() : base.items[static_cast<size_t>(found - base.keys.begin())];
  }
  if (base.kind == Evident::Tuple || base.kind == Evident::List) {
    const auto* k = s.index.size() == 1 ? s.index[0].as<ast::IntLit>() : nullptr;
    return k && k->value < base.items.size() ? base.items[k->value] : Evident();
  }
  if (base.kind != Evident::Array) return {};
  size_t used = 0, added = 0;
  bool isGathered = false;
  for (const ast::Expr& index : s.index) {
    if (index.is<ast::NoneLit>()) {
      ++added;
    } else if (index.is<ast::Slice>()) {
      ++used, ++added;
    } else if (!index.is<ast::EllipsisLit>()) {
      const Evident type = typeOf(index, scope);
      if (!type.isPlain() || isGathered) return {};
      isGathered = type.rank > 0;
      used += type.dtype == "bool" ? type.rank : 1;
      added += type.dtype == "bool" ? 1 : type.rank;
    }
  }
  if (used > base.rank) return {};
  const size_t rank = base.rank - used + added;
  return rank > 0 ? Evident::array(base.dtype, rank) : Evident::number(base.dtype);
}

} // namespace appyc::frontend
