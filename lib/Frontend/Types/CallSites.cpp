//===- CallSites.cpp - types of functions from calls in the same file -------------------------------===//
//   def step(u, dt): ...                  =>   def step(u: f64[:, :], dt: float)
//   if __name__ == "__main__":
//       step(np.zeros((n, n)), 0.1)
#include "CallSites.h"
#include "Evident.h"
#include "Imports.h"
#include "ParseExpr.h"
#include "Signatures.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <deque>
#include <fmt/format.h>
#include <set>

namespace appyc::frontend {

namespace {

/// `f64[:, :]`, as one would write it.
std::string spelled(const Evident& type) {
  if (type.kind == Evident::Array)
    return fmt::format("{}[{}:]", type.dtype, fmt::join(std::vector<std::string>(type.rank - 1, ":, "), ""));
  if (!type.weak) return type.dtype;
  return type.dtype == "i64" ? "int" : type.dtype == "f64" ? "float" : "complex";
}

/// The same of lists, tuples and dicts.
std::string spelled(const ast::TypeSpec& type) {
  if (type.record) {
    std::vector<std::string> items;
    for (const ast::Class::Field& f : type.record->fields)
      items.push_back(fmt::format("\"{}\": {}", f.name, spelled(*f.type)));
    return fmt::format("{{{}}}", fmt::join(items, ", "));
  }
  if (type.isArray) return spelled(Evident::array(type.dtype, type.extents.size()));
  if (type.container == ast::TypeSpec::Single) return spelled(Evident::number(type.dtype, type.weak));
  if (type.dtype == "text") return "str";
  std::vector<std::string> items;
  for (const ast::TypeSpec& item : type.items) items.push_back(spelled(item));
  return fmt::format("{}[{}]", type.container == ast::TypeSpec::List ? "list" : "tuple",
                     fmt::join(items, ", "));
}

ast::TypeSpec specOf(const Evident& type, Span where) {
  ast::TypeSpec spec;
  spec.dtype = type.dtype;
  spec.weak = type.weak;
  spec.isArray = type.kind == Evident::Array;
  spec.extents.resize(type.rank);
  spec.where = where;
  return spec;
}

/// The type of both, if ints may stand for floats.
std::optional<ast::TypeSpec> joinedTypes(const ast::TypeSpec& a, const ast::TypeSpec& b) {
  ast::TypeSpec both = a;
  if (bool(a.record) != bool(b.record) || a.isArray != b.isArray) return {};
  if (a.record) {
    ast::Class joined = *a.record;
    if (joined.fields.size() != b.record->fields.size()) return {};
    for (size_t k = 0; k < joined.fields.size(); ++k) {
      ast::Class::Field& field = joined.fields[k];
      if (field.name != b.record->fields[k].name) return {};
      field.type = joinedTypes(*field.type, *b.record->fields[k].type);
      if (!field.type) return {};
    }
    both.record = std::make_shared<const ast::Class>(std::move(joined));
    return both;
  }
  if (a.isArray) return a.dtype == b.dtype && a.extents == b.extents ? std::optional(a) : std::nullopt;
  if (a.container != b.container || a.items.size() != b.items.size() ||
      (a.dtype == "text") != (b.dtype == "text"))
    return {};
  if (a.container == ast::TypeSpec::Single && a.dtype != b.dtype) {
    if (!a.weak || !b.weak) return {};
    both.dtype = a.dtype == "c128" || b.dtype == "c128" ? "c128" : "f64";
  }
  for (size_t k = 0; k < a.items.size(); ++k) {
    const std::optional<ast::TypeSpec> item = joinedTypes(a.items[k], b.items[k]);
    if (!item) return {};
    both.items[k] = *item;
  }
  return both;
}

/// Likewise of a dict, as a `TypedDict` says it: of numbers, arrays and such dicts.
std::optional<ast::TypeSpec> evidentDict(const Evident& type, Span where) {
  if (type.items.empty()) return {};
  ast::Class dict;
  dict.name = "dict", dict.kind = ast::Class::TypedDict, dict.where = where;
  for (size_t k = 0; k < type.items.size(); ++k) {
    const Evident& item = type.items[k];
    const std::optional<ast::TypeSpec> spec = item.isPlain()               ? specOf(item, where)
                                              : item.kind == Evident::Dict ? evidentDict(item, where)
                                                                           : std::nullopt;
    if (!spec) return {};
    dict.fields.push_back({type.keys[k], {}, where, spec, spelled(*spec)});
  }
  ast::TypeSpec spec;
  spec.where = where;
  spec.record = std::make_shared<const ast::Class>(std::move(dict));
  return spec;
}

/// The type of a list or tuple as the wrapper takes it; nothing where that is not evident.
std::optional<ast::TypeSpec> evidentContainer(const Evident& type, Span where, int lists = 0,
                                              bool inTuple = false) {
  ast::TypeSpec spec;
  spec.where = where;
  if (type.kind == Evident::Number && (type.weak || type.dtype == "bool")) {
    spec.dtype = type.dtype, spec.weak = type.weak;
    return spec;
  }
  const bool isList = type.kind == Evident::List;
  if ((!isList && type.kind != Evident::Tuple) || type.weak || type.items.empty()) return {};
  if (isList && (lists == 2 || (inTuple && lists > 0))) return {};
  spec.container = isList ? ast::TypeSpec::List : ast::TypeSpec::Tuple;
  const auto isEmptyList = [](const Evident& item) {
    return item.kind == Evident::List && item.items.empty();
  };
  const bool isTold = isList && !std::ranges::all_of(type.items, isEmptyList);
  for (const Evident& item : type.items) {
    if (isTold && isEmptyList(item)) continue; // of what, others tell
    std::optional<ast::TypeSpec> part = evidentContainer(item, where, lists + isList, inTuple || !isList);
    if (part && isList && !spec.items.empty()) part = joinedTypes(spec.items[0], *part);
    if (!part) return {};
    if (isList) spec.items.clear();
    spec.items.push_back(std::move(*part));
  }
  return spec;
}

/// What may be imported in a function that is translated.
bool isKnownModule(const Source& source, const std::string& path) {
  constexpr std::array known{"numpy",     "math",      "cmath",      "scipy",       "heapq", "collections",
                             "functools", "itertools", "numba",      "appy",        "torch", "dace",
                             "typing",    "types",     "__future__", "dataclasses", "enum",  "builtins",
                             "numbers",   "operator",  "random",     "bisect",      "parpy", "numbapro"};
  const std::string head = path.substr(0, path.find('.'));
  return std::ranges::find(known, head) != known.end() ||
         std::ranges::any_of(source.files(), [&](const SourceFile& f) {
           return !f.module.empty() && f.module.substr(0, f.module.find('.')) == head;
         });
}

/// One parameter of a function, as its calls have it.
struct Slot {
  Evident type;
  std::optional<ast::TypeSpec> container{}; ///< instead, of a list or tuple
  Span where{};                             ///< the argument that gave it
  std::string unclear{};                    ///< what an argument was whose type is not evident
  uint32_t unclearAt = 0;
  bool isMixed = false; ///< a list in one call, and something else that is known in another
  bool isKnown() const { return type || container; }
};

struct Callee {
  std::string name;
  Node function;
  std::vector<ParameterNode> parameters;
  std::vector<Slot> slots;
  Span firstCall;
  bool isUntyped = false, isDriver = false, isCalled = false, isLaunched = false;
  std::string problem{}; ///< what keeps all its calls from giving it types
};

class CallReader {
public:
  CallReader(const Source& source, Node root, const std::map<std::string, Node, std::less<>>& functions,
             const std::map<std::string, Node, std::less<>>& untyped, Diagnostics& diag)
      : source_(source), root_(root), diag_(diag), types_(source, functions),
        file_(types_.scopeOf(root, nullptr)) {
    for (const auto& [name, function] : functions) {
      Callee& callee = callees_[name];
      callee = {name, function, parameterNodes(source.text(), function), {}, {}, untyped.count(name) > 0};
      callee.slots.resize(callee.parameters.size());
      callee.isDriver = callee.isUntyped && isDriver(function);
    }
  }

  std::map<std::string, CalledTypes> read() {
    scan(root_, file_);
    for (auto& [name, callee] : callees_) // whoever calls them
      if (callee.isUntyped &&
          std::ranges::all_of(callee.parameters, [](const ParameterNode& p) { return p.isConstant; }))
        enter(callee, false);
    while (!entered_.empty()) {
      const Callee* callee = entered_.front();
      entered_.pop_front();
      scopes_.push_back(types_.scopeOf(callee->function.field("body"), &file_));
      for (size_t k = 0; k < callee->slots.size(); ++k)
        scopes_.back().parameters[callee->parameters[k].name] = callee->slots[k].type;
      types_.bindDefaults(callee->function, scopes_.back());
      scan(callee->function.field("body"), scopes_.back());
    }
    std::map<std::string, CalledTypes> found;
    for (const auto& [name, callee] : callees_)
      if (callee.isUntyped && !seen_.count(&callee)) found[name] = result(callee);
    for (auto& [name, callee] : callees_)
      if (callee.isUntyped && callee.isCalled && !callee.isDriver && !callee.parameters.empty() &&
          seen_.count(&callee) && std::ranges::any_of(callee.parameters, [&](const ParameterNode& p) {
            return bool(numberOfDefault(p));
          })) {
        found[name] = result(callee);
        found[name].isOfDefaults = true;
      }
    addWithoutParameters(found);
    return found;
  }

private:
  /// What takes nothing and gives a value, `u, v = run()`, is of use by itself; what gives none and is called, where
  /// nothing else is.
  void addWithoutParameters(std::map<std::string, CalledTypes>& found) const {
    for (const bool givesValue : {true, false}) {
      if (!givesValue && std::ranges::any_of(found, [](const auto& f) { return bool(f.second.signature); }))
        return;
      for (const auto& [name, callee] : callees_) {
        if (!callee.isUntyped || callee.isDriver || !callee.parameters.empty()) continue;
        if (returnsValue(callee.function) != givesValue || (!givesValue && !callee.isCalled)) continue;
        ast::Signature signature;
        signature.where = callee.function.field("name").span();
        found[name] = {std::move(signature), {}, true};
      }
    }
  }

  static bool returnsValue(Node function) {
    bool found = false, yields = false;
    walk(function.field("body"), [&](Node node, size_t) {
      found |= node.is("return_statement") && !node.namedChildren().empty();
      yields |= node.is("yield");
      return !node.is("function_definition") && !node.is("lambda") && !node.is("class_definition");
    });
    return found && !yields;
  }

  /// Does it use modules that no translated function uses?
  bool isDriver(Node function) const {
    bool found = false;
    walk(function.field("body"), [&](Node node, size_t) {
      std::string module;
      const auto import =
          node.is("identifier") ? file_.imports.find(source_.text(node.span())) : file_.imports.end();
      if (import != file_.imports.end()) {
        const Node parent = node.parent();
        const bool isAttribute = parent.is("attribute") && parent.field("attribute").begin() == node.begin();
        if (!isAttribute) module = import->second;
      }
      for (const ast::Import& i : importsOf(source_, node)) module = i.what;
      if (node.is("call") && node.parent().is("return_statement") && node.field("function").is("attribute") &&
          types_.pathOf(types_.parse(node.field("function")), file_) == "parpy.par")
        module = "parpy.par"; // it makes a schedule
      found |= !module.empty() && (module == "parpy.par" || !isKnownModule(source_, module));
      return !found;
    });
    return found;
  }

  void enter(Callee& callee, bool isCall) {
    const bool takesNothing =
        std::ranges::all_of(callee.slots, [](const Slot& s) { return !s.isKnown() && s.unclear.empty(); });
    if (!callee.isUntyped || (!callee.isDriver && !takesNothing) || (!isCall && callee.isCalled)) return;
    if (seen_.insert(&callee).second) entered_.push_back(&callee);
  }

  /// `f` of `f(x)`, and of the launches `f[blocks, threads](x)` and `f.forall(n)(x)`.
  static Node calledName(Node callee) {
    if (callee.is("subscript")) return calledName(callee.field("value"));
    const Node maker = callee.is("call") ? callee.field("function") : Node();
    if (maker && maker.is("attribute")) return calledName(maker.field("object"));
    return callee.is("identifier") ? callee : Node();
  }

  /// Reads the calls in code that is not translated.
  void scan(Node body, const EvidentScope& scope) {
    walk(body, [&](Node node, size_t depth) {
      if (depth > 0 && (node.is("function_definition") || node.is("class_definition"))) return false;
      const Node called = node.is("call") ? calledName(node.field("function")) : Node();
      if (!called) return true;
      const std::string name(source_.text(called.span()));
      const auto callee = callees_.find(name);
      if (callee == callees_.end() || (&scope != &file_ && scope.bindings.count(name))) return true;
      callee->second.isLaunched |= !node.field("function").is("identifier");
      readCall(node, scope, callee->second);
      enter(callee->second, true);
      return true;
    });
  }

  void readCall(Node node, const EvidentScope& scope, Callee& callee) {
    const ast::Expr e = types_.parse(node);
    const auto* call = e.as<ast::Call>();
    if (!call) return;
    if (!callee.isCalled) callee.firstCall = node.span();
    callee.isCalled = true;
    size_t position = 0;
    const auto give = [&](size_t k, const ast::Expr& argument, const Evident& type) {
      if (k < callee.slots.size()) note(callee, k, argument, type);
    };
    for (const ast::Expr& argument : call->args) {
      if (const auto* starred = argument.as<ast::Starred>()) {
        const Evident values = types_.typeOf(starred->value, scope);
        if (values.kind != Evident::Tuple) {
          callee.problem =
              fmt::format("the call in line {} passes `{}`", lineOf(argument->span), textOf(argument->span));
          return;
        }
        for (const Evident& value : values.items) give(position++, argument, value);
      } else {
        give(position++, argument, types_.typeOf(argument, scope));
      }
    }
    for (const ast::Keyword& k : call->keywords) {
      const auto parameter = std::ranges::find(callee.parameters, k.name, &ParameterNode::name);
      give(static_cast<size_t>(parameter - callee.parameters.begin()), k.value,
           types_.typeOf(k.value, scope));
    }
  }

  void note(Callee& callee, size_t k, const ast::Expr& argument, const Evident& type) {
    Slot& slot = callee.slots[k];
    const ParameterNode& parameter = callee.parameters[k];
    const bool isDefault =
        parameter.defaultValue && textOf(parameter.defaultValue.span()) == textOf(argument->span);
    if (isDefault && !type.isPlain()) return; // `mode="same"`: stays the constant that it is
    if (type.kind == Evident::List && type.items.empty()) return; // of what, others tell
    if (!type.isPlain()) {
      const std::optional<ast::TypeSpec> container =
          type.kind == Evident::Dict   ? evidentDict(type, argument->span)
          : type.kind == Evident::Text ? textType(argument->span)
                                       : evidentContainer(type, argument->span);
      const auto both = container && slot.container ? joinedTypes(*container, *slot.container) : container;
      if (both && !slot.type) {
        if (!slot.container) slot.where = argument->span;
        slot.container = both;
      } else if (slot.isMixed |= bool(type); slot.unclear.empty()) {
        slot.unclear = std::string(textOf(argument->span)), slot.unclearAt = argument->span.begin;
      }
      return;
    }
    if (slot.container) {
      slot.isMixed = true;
      slot.unclear = std::string(textOf(argument->span)), slot.unclearAt = argument->span.begin;
    } else if (!slot.type) {
      slot.type = type, slot.where = argument->span;
    } else if (slot.type != type && callee.isLaunched) {
      callee.problem =
          fmt::format("its launches disagree: `{}` is {} in line {} and {} in line {}", parameter.name,
                      spelled(slot.type), lineOf(slot.where), spelled(type), lineOf(argument->span));
    } else if (slot.type != type && callee.isUntyped && !callee.isDriver &&
               disagreeing_.insert(callee.name).second) {
      diag_
          .report(
              DiagId::BadSignature, argument->span,
              fmt::format("`{}` has no types, and its calls disagree: `{}` is {} here, {} in line {}; make "
                          "the calls alike, or "
                          "write `#appyc: def {}(...)` with its types above it, one for each kind of call",
                          callee.name, parameter.name, spelled(type), spelled(slot.type), lineOf(slot.where),
                          callee.name))
          .note(slot.where, fmt::format("`{}` is {} here", parameter.name, spelled(slot.type)));
    }
  }

  /// The type of a parameter that no call passes, if its default is a number.
  Evident numberOfDefault(const ParameterNode& parameter) {
    const Node value = parameter.defaultValue;
    const Evident type = value ? types_.typeOf(types_.parse(value), file_) : Evident();
    return type.kind == Evident::Number && type.dtype != "bool" && type.weak ? type : Evident();
  }

  CalledTypes result(const Callee& callee) {
    if (!callee.isCalled) return {{}, "nothing in the file calls it"};
    if (disagreeing_.count(callee.name)) return {};
    if (!callee.problem.empty()) return {{}, callee.problem};
    ast::Signature signature;
    signature.where = callee.firstCall;
    std::vector<std::string> texts;
    for (size_t k = 0; k < callee.parameters.size(); ++k) {
      const ParameterNode& parameter = callee.parameters[k];
      const Slot& slot = callee.slots[k];
      if (parameter.kind >= ast::Parameter::Rest)
        return {{}, fmt::format("it takes `{}`", textOf(parameter.node.span()))};
      signature.params.emplace_back();
      if ((!slot.isKnown() || slot.isMixed) && !slot.unclear.empty())
        return {
            {},
            fmt::format("the call in line {} does not tell the type of `{}`: `{}` is none that is evident",
                        lineOf({slot.unclearAt, slot.unclearAt}), parameter.name, firstLine(slot.unclear))};
      if (const Evident number = slot.isKnown() ? Evident() : numberOfDefault(parameter)) {
        signature.ofDefaults.push_back(k);
        signature.params.back() = specOf(number, parameter.defaultValue.span());
        texts.push_back(fmt::format("{}: {}", parameter.name, spelled(number)));
        continue;
      }
      if (!slot.isKnown() && !parameter.isConstant)
        return {
            {},
            fmt::format("the call in line {} does not pass `{}`", lineOf(callee.firstCall), parameter.name)};
      if (slot.container) {
        if (slot.container->dtype == "text" && parameter.isConstant) signature.ofDefaults.push_back(k);
        signature.params.back() = slot.container;
        texts.push_back(fmt::format("{}: {}", parameter.name, spelled(*slot.container)));
        continue;
      }
      if (!slot.type) continue;
      signature.params.back() = specOf(slot.type, slot.where);
      texts.push_back(fmt::format("{}: {}", parameter.name, spelled(slot.type)));
    }
    diag_.report(DiagId::TypesOfCall, callee.function.field("name").span(),
                 fmt::format("the types of `{}` come from its call in line {}: `#appyc: def {}({})`",
                             callee.name, lineOf(callee.firstCall), callee.name, fmt::join(texts, ", ")));
    return {std::move(signature), {}, callee.isLaunched};
  }

  unsigned lineOf(Span where) const { return source_.placeOf(where.begin).at.line; }
  std::string_view textOf(Span where) const { return source_.text(where); }
  static std::string firstLine(const std::string& text) {
    const size_t end = text.find('\n');
    return end == std::string::npos ? text : text.substr(0, end) + " ...";
  }

  const Source& source_;
  Node root_;
  Diagnostics& diag_;
  EvidentTypes types_;
  EvidentScope file_;
  std::map<std::string, Callee> callees_;
  std::set<std::string> disagreeing_;
  std::set<const Callee*> seen_; ///< code that calls others, no function to translate
  std::deque<const Callee*> entered_;
  std::deque<EvidentScope> scopes_; ///< which keep their places
};

} // namespace

std::map<std::string, CalledTypes> typesOfCalls(const Source& source, Node root,
                                                const std::map<std::string, Node, std::less<>>& functions,
                                                const std::map<std::string, Node, std::less<>>& untyped,
                                                Diagnostics& diag) {
  return CallReader(source, root, functions, untyped, diag).read();
}

} // namespace appyc::frontend
