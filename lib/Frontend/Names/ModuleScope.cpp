//===- ModuleScope.cpp - names that a file binds outside its functions ----------------------------===//
#include "ModuleScope.h"
#include "Imports.h"
#include "ParseExpr.h"
#include "Rebindings.h"
#include "Syntax.h"
#include "appyc/Frontend/FileState.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace appyc::frontend {

/// Is the value a number, or a tuple of such, which nobody can change?
bool isImmutable(const ast::Expr& e) {
  if (const auto* t = e.as<ast::Tuple>()) return std::all_of(t->items.begin(), t->items.end(), isImmutable);
  if (const auto* u = e.as<ast::Unary>()) return isImmutable(u->arg);
  return e.is<ast::IntLit>() || e.is<ast::FloatLit>() || e.is<ast::ImagLit>() || e.is<ast::BoolLit>() ||
         e.is<ast::StringLit>() || e.is<ast::NoneLit>();
}

bool changesItsObject(std::string_view method) {
  constexpr std::array methods{"append",  "byteswap",  "clear",      "extend",   "fill",   "insert",
                               "itemset", "partition", "pop",        "put",      "remove", "resize",
                               "reverse", "setfield",  "setdefault", "setflags", "sort",   "update"};
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

namespace {

//===- constants ------------------------------------------------------------------------------------===//

struct Binding {
  int count = 0;
  Span first;
};
using Bindings = std::map<std::string, Binding>;

/// Names bound by an assignment's left side.
void collectTargets(const Source& source, Node target, Bindings& bindings) {
  walk(target, [&](Node node, size_t) {
    if (node.is("identifier")) {
      Binding& binding = bindings[textOf(source, node)];
      if (binding.count++ == 0) binding.first = node.span();
    }
    return !node.is("subscript") && !node.is("attribute");
  });
}

/// Where each name is bound outside functions, or declared `global` inside one where those count.
Bindings findBindings(const Source& source, Node root, bool countsGlobals = true) {
  Bindings bindings;
  bool insideFunction = false;
  uint32_t functionEnd = 0;
  walk(root, [&](Node node, size_t) {
    insideFunction = insideFunction && node.begin() < functionEnd;
    if (node.is("global_statement")) {
      for (const Node name : countsGlobals ? namesBoundBy(source, node) : std::vector<Node>())
        for (int twice = 0; twice < 2; ++twice) collectTargets(source, name, bindings);
    } else if (!insideFunction && (node.is("function_definition") || node.is("class_definition"))) {
      collectTargets(source, node.field("name"), bindings);
      insideFunction = true;
      functionEnd = node.end();
    } else if (!insideFunction) {
      if (node.is("assignment") || node.is("augmented_assignment") || node.is("for_statement"))
        collectTargets(source, node.field("left"), bindings);
      else if (node.is("named_expression"))
        collectTargets(source, node.field("name"), bindings);
      else if (node.is("as_pattern_target"))
        collectTargets(source, node, bindings);
    }
    return true;
  });
  return bindings;
}

/// The name whose elements or attribute `node` is.
Node rootOf(Node node) {
  while (node.is("subscript") || node.is("attribute"))
    node = node.field(node.is("subscript") ? "value" : "object");
  return node.is("identifier") ? node : Node();
}

/// Finds where code of the file may change the object that a name stands for: a store, a method that changes it,
/// an argument of a function of the file, another name for it.
class ChangeFinder {
public:
  ChangeFinder(const Source& source, const Bindings& bindings, const std::vector<ast::Import>& imports)
      : source_(source), bindings_(bindings), imports_(imports) {}

  std::map<std::string, Change> find(Node root, const std::function<bool(Node)>& isTranslated) {
    walk(root, [&](Node node, size_t) {
      if (node.is("function_definition") && isTranslated(node)) return false;
      if (node.is("assignment") || node.is("augmented_assignment")) {
        stores(node.field("left"));
        if (const Node right = node.field("right"); right && !isOtherName(node)) change(right, node);
      } else if (node.is("for_statement")) {
        stores(node.field("left"));
      } else if (node.is("delete_statement")) {
        for (const Node target : node.namedChildren()) stores(target);
      } else if (node.is("call")) {
        call(node);
      }
      return true;
    });
    for (bool isNew = true; std::exchange(isNew, false);)
      for (const auto& [name, of] : others_)
        if (const auto changed = changes_.find(name); changed != changes_.end())
          isNew |= changes_.emplace(of, changed->second).second;
    return std::move(changes_);
  }

private:
  /// `b = a.T` of the file: what changes one changes the other.
  bool isOtherName(Node assignment) {
    const Node left = assignment.field("left"), root = rootOf(assignment.field("right"));
    const Node statement = assignment.parent();
    if (!assignment.is("assignment") || !left.is("identifier") || !root || !statement.parent().is("module"))
      return false;
    others_.emplace_back(textOf(source_, left), textOf(source_, root));
    return true;
  }

  void change(Node object, Node where, bool isStore = false, bool isPart = false) {
    const Node root = rootOf(object);
    if (!root) return;
    const std::string name = textOf(source_, root);
    Change& first = changes_.emplace(name, Change{where.span(), false, isPart}).first->second;
    if (first.isPart && !isPart) first = Change{where.span()};
    // `h.TABLE` of a module
    while (object.is("subscript") || (object.is("attribute") && !object.field("object").is("identifier")))
      object = object.field(object.is("subscript") ? "value" : "object");
    if (!object.is("attribute")) return;
    Change& known =
        changes_.emplace(name + "." + textOf(source_, object.field("attribute")), Change{where.span()})
            .first->second;
    known.binds |= isStore && object.begin() == where.begin() && object.end() == where.end();
  }

  /// A function of this file, or of a module of the user's.
  bool isUsers(Node function) const {
    const Node root = rootOf(function);
    if (!root) return false;
    const std::string name = textOf(source_, root);
    if (function.is("identifier") && bindings_.count(name) > 0) return true;
    return std::any_of(imports_.begin(), imports_.end(), [&](const ast::Import& i) {
      const std::string head = i.what.substr(0, i.what.find('.'));
      return i.as == name &&
             std::any_of(source_.files().begin(), source_.files().end(), [&](const SourceFile& f) {
               return !f.module.empty() && f.module.substr(0, f.module.find('.')) == head;
             });
    });
  }

  void stores(Node target) {
    walk(target, [&](Node node, size_t) {
      const bool isPart = node.is("subscript") || node.is("attribute");
      if (isPart) change(node, node, true);
      return !isPart;
    });
  }

  void call(Node node) {
    const Node function = node.field("function"), arguments = node.field("arguments");
    const bool isOfFile = isUsers(function);
    if (function.is("attribute") && changesItsObject(source_.text(function.field("attribute").span())))
      change(function.field("object"), node);
    for (const Node argument : arguments.namedChildren()) {
      const bool isNamed = argument.is("keyword_argument");
      const bool isOutput = isNamed && source_.text(argument.field("name").span()) == "out";
      const Node passed = isNamed ? argument.field("value") : argument;
      const bool isElement = passed.is("subscript") && passed.field("value").is("identifier");
      if (isOfFile || isOutput) change(passed, node, false, isElement && !isOutput);
    }
  }

  const Source& source_;
  const Bindings& bindings_;
  const std::vector<ast::Import>& imports_;
  std::map<std::string, Change> changes_;
  std::vector<std::pair<std::string, std::string>> others_; ///< names, and those whose objects they have
};

class ConstantReader {
public:
  ConstantReader(const Source& source, Node root, const std::vector<ast::Import>& imports,
                 const std::function<bool(Node)>& isTranslated)
      : source_(source), imports_(imports), bindings_(findBindings(source, root)),
        changes_(ChangeFinder(source, bindings_, imports).find(root, isTranslated)),
        last_(lastBindings(source, root)), changing_(changingNames(source, root)) {}

  ModuleScope read(Node root) {
    for (Node statement : root.namedChildren()) {
      if (statement.is("decorated_definition")) statement = statement.field("definition");
      if (statement.is("function_definition")) functions_.insert(textOf(source_, statement.field("name")));
    }
    for (const Node statement : root.namedChildren()) {
      const std::vector<Node> parts = statement.namedChildren();
      if (!statement.is("expression_statement") || parts.size() != 1 || statement.hasError()) continue;
      for (Node part = parts[0]; part.is("assignment"); part = part.field("right"))
        bind(part.field("left"), valueOf(part), statement.end());
    }
    findEarlyReads(root);
    for (const std::string& name : order_) bindName(name, values_.at(name));
    for (const auto& [name, binding] : bindings_)
      if (!done_.count(name) && !isImported(name))
        add(name, binding, {}, "appyc reads plain assignments at the top level of the file");
    return {std::move(constants_), std::move(changes_)};
  }

private:
  static Node valueOf(Node assignment) {
    while (assignment.is("assignment")) assignment = assignment.field("right");
    return assignment;
  }

  struct Assigned {
    Node value;
    uint32_t at; ///< the end of its statement
  };

  void bind(Node target, Node value, uint32_t at) {
    if (!value) return;
    const std::vector<Node> names = target.namedChildren(), values = value.namedChildren();
    const bool isTuple = target.is("pattern_list") || target.is("tuple_pattern");
    if (target.is("identifier")) {
      const std::string name = textOf(source_, target);
      std::vector<Assigned>& known = values_[name];
      if (known.empty()) order_.push_back(name);
      known.push_back({value, at});
    } else if (isTuple && names.size() == values.size() && (value.is("expression_list") || value.is("tuple")))
      for (size_t i = 0; i < names.size(); ++i) bind(names[i], values[i], at);
  }

  /// A lambda, `cuda.jit(f)`, `njit(parallel=True)(f)`.
  bool isFunction(Node value) const {
    if (value.is("lambda")) return true;
    if (value.is("call") && value.field("function").is("call")) {
      value = value.field("function");
      for (const Node option : value.field("arguments").namedChildren())
        if (!option.is("keyword_argument")) return false; // `njit(f)(3)`
    }
    const Node maker = value.is("call") ? value.field("function") : Node();
    const std::string path = maker ? nameInFull(textOf(source_, maker), imports_) : "";
    return path == "numba.cuda.jit" || path == "numba.jit" || path == "numba.njit";
  }

  /// `{"add": add, "mul": mul}`, `{"small": 100}`: an element that is passed on is the same wherever.
  bool hasImmutableParts(const ast::Expr& e) const {
    const auto* d = e.as<ast::Dict>();
    const auto* l = e.as<ast::List>();
    const auto* t = e.as<ast::Tuple>();
    const auto isFixed = [&](const ast::Expr& part) {
      const auto* name = part ? part.as<ast::Name>() : nullptr;
      return part && (name ? functions_.count(name->id) > 0 : isImmutable(part));
    };
    return (d || l || t) && std::ranges::all_of(d ? d->values : l ? l->items : t->items, isFixed);
  }

  /// Functions run when the whole file has: the last binding counts, where all are assignments of the top level.
  void bindName(const std::string& name, const std::vector<Assigned>& values) {
    const Binding& binding = bindings_[name];
    const Node value = values.back().value;
    if (changing_.count(name)) {
      Diagnostics unheard;
      return add(name, binding, ExprParser(source_.text(), unheard).parse(value), kNamesOfFile);
    }
    if (isImported(name)) return;
    if (static_cast<size_t>(binding.count) != values.size())
      return add(name, binding, {},
                 "it is bound more than once, not only by assignments at the top level of the file; give "
                 "each value a "
                 "name of its own, or pass it");
    if (const std::set<std::string> later = boundLater(value); !later.empty())
      return add(
          name, binding, {},
          fmt::format(
              "it is computed from `{}`, which is bound again later; give each value a name of its own",
              *later.begin()));
    if (const auto read = early_.find(name); read != early_.end())
      return add(
          name, binding, {},
          fmt::format("the default in line {} has an earlier value of it; give each value a name of its own",
                      source_.placeOf(read->second.begin).at.line));
    if (tooDeepNode(value)) return add(name, binding, {}, "its value is nested too deep");
    Diagnostics unheard; // of a constant that perhaps no function reads
    ast::Expr parsed = ExprParser(source_.text(), unheard).parse(value);
    if (unheard.hasErrors()) return add(name, binding, {}, unheard.all().front().text);
    const auto change = changes_.find(name);
    const bool isKept = isImmutable(parsed) || isFunction(value);
    if (change != changes_.end() && !isKept && !(change->second.isPart && hasImmutableParts(parsed)))
      return add(name, binding, {},
                 fmt::format("line {} may change what it stands for; pass it as an argument",
                             source_.placeOf(change->second.where.begin).at.line));
    add(name, binding, std::move(parsed), {});
  }

  /// Names that the value reads, itself or in a function that it calls, and that a later statement binds again.
  std::set<std::string> boundLater(Node value) const {
    std::set<std::string> read, found;
    bool calls = false;
    walk(value, [&](Node node, size_t) {
      if (node.is("identifier")) read.insert(textOf(source_, node));
      calls |= node.is("call") && node.field("function").is("identifier") &&
               bindings_.count(textOf(source_, node.field("function"))) > 0;
      return true;
    });
    for (const auto& [name, values] : values_)
      if (values.size() > 1 && values.back().at >= value.end() && (calls || read.count(name) > 0))
        found.insert(name);
    return found;
  }

  /// Defaults of parameters are computed where the function is defined.
  void findEarlyReads(Node root) {
    walk(root, [&](Node node, size_t) {
      if (node.is("default_parameter") || node.is("typed_default_parameter"))
        for (const std::string& name : boundLater(node.field("value"))) early_.emplace(name, node.span());
      return true;
    });
  }

  /// Is an import the last to bind the name?
  bool isImported(const std::string& name) const {
    const auto last = last_.find(name);
    return last != last_.end() &&
           (last->second.is("import_statement") || last->second.is("import_from_statement"));
  }

  void add(const std::string& name, const Binding& binding, ast::Expr value, std::string problem) {
    done_.insert(name);
    constants_.push_back({name, std::move(value), binding.first, std::move(problem)});
  }

  const Source& source_;
  const std::vector<ast::Import>& imports_;
  Bindings bindings_;
  std::map<std::string, Change> changes_;
  std::map<std::string, Node> last_;
  std::map<std::string, std::vector<Assigned>>
      values_;                        ///< what the top level's assignments give each name, in their order
  std::set<std::string> functions_;   ///< of the file
  std::set<std::string> changing_;    ///< changingNames
  std::vector<std::string> order_;    ///< these names, in the order of their first bindings
  std::map<std::string, Span> early_; ///< those that a default reads before they are bound again
  std::set<std::string> done_;
  std::vector<ast::Constant> constants_;
};

} // namespace

/// Names of a `global` that its function binds; the others it reads as it would without.
std::vector<Node> namesBoundBy(const Source& source, Node global) {
  Node function = global.parent();
  while (function && !function.is("function_definition")) function = function.parent();
  if (!function) return {};
  Bindings own;
  collectTargets(source, function.field("parameters"), own);
  walk(function.field("body"), [&](Node node, size_t) {
    for (const char* field : {"left", "name", "alias"})
      if (const Node target = node.field(field); target && !node.is("keyword_argument"))
        collectTargets(source, target, own);
    if (node.is("as_pattern_target") || node.is("import_statement") || node.is("import_from_statement") ||
        node.is("delete_statement"))
      collectTargets(source, node, own);
    return true;
  });
  std::vector<Node> bound;
  for (const Node name : global.namedChildren())
    if (own.count(textOf(source, name))) bound.push_back(name);
  return bound;
}

std::set<std::string> changingNames(const Source& source, Node root) {
  std::set<std::string> numbers, found;
  if (source.text().find("global") == std::string_view::npos) return found;
  const Bindings bindings = findBindings(source, root, false);
  for (const Node statement : root.namedChildren()) {
    const std::vector<Node> parts = statement.namedChildren();
    const Node assigned = statement.is("expression_statement") && parts.size() == 1 ? parts[0] : Node();
    if (!assigned || !assigned.is("assignment") || !assigned.field("left").is("identifier")) continue;
    const Node value = assigned.field("right");
    const Node number = value && value.is("unary_operator") ? value.field("argument") : value;
    if (number && (number.is("integer") || number.is("float") || number.is("true") || number.is("false")))
      numbers.insert(textOf(source, assigned.field("left")));
  }
  walk(root, [&](Node node, size_t) {
    if (!node.is("global_statement")) return true;
    for (const Node bound : namesBoundBy(source, node)) {
      const std::string name = textOf(source, bound);
      if (numbers.count(name) && bindings.at(name).count == 1) found.insert(name);
    }
    return true;
  });
  return found;
}

ModuleScope readScope(const Source& source, Node root, const std::function<bool(Node)>& isTranslated) {
  const std::vector<ast::Import> imports = readImports(source, root);
  return ConstantReader(source, root, imports, isTranslated).read(root);
}

} // namespace appyc::frontend
