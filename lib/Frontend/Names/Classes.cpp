//===- Classes.cpp - classes of a file whose instances are fields with names -------------------------===//
// What a class says is read whole or not at all: a base, a decorator, an option or a method with a meaning of its own
// that appyc does not model is a problem of the class, told where somebody uses it.
#include "Classes.h"
#include "Decorators.h"
#include "ModuleScope.h"
#include "ParseExpr.h"
#include "Piece.h"
#include "Rebindings.h"
#include "Types.h"
#include "appyc/IR/Abi.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace appyc::frontend {

namespace {

constexpr std::string_view kTranslated = "a class is translated if it is a `typing.NamedTuple`, a "
                                         "`TypedDict` or a `@dataclass`, or has an `__init__` that "
                                         "assigns its attributes; its base may be another such class of "
                                         "the file";

/// Methods by which Python's operators and builtins act on instances, as far as they are translated.
bool isTranslatedSpecial(const std::string& name) {
  static const std::set<std::string> kNames = {
      "__repr__",    "__str__",      "__post_init__", "__add__",      "__radd__",     "__sub__",
      "__rsub__",    "__mul__",      "__rmul__",      "__truediv__",  "__rtruediv__", "__pow__",
      "__mod__",     "__floordiv__", "__matmul__",    "__neg__",      "__call__",     "__len__",
      "__getitem__", "__eq__",       "__ne__",        "__lt__",       "__le__",       "__gt__",
      "__ge__",      "__hash__",     "__abs__",       "__pos__",      "__and__",      "__or__",
      "__xor__",     "__setitem__",  "__contains__",  "__rpow__",     "__rmatmul__",  "__iter__",
      "__iadd__",    "__isub__",     "__imul__",      "__itruediv__", "__imatmul__",  "__float__",
      "__int__",     "__bool__"};
  return kNames.count(name) > 0;
}

/// Of these, those that a tuple has no meaning of its own for, or one that classes may replace without changing what else is
/// done with it.
bool isArithmetic(const std::string& name) {
  static const std::set<std::string> kNames = {"__add__",      "__radd__", "__sub__",      "__rsub__",
                                               "__mul__",      "__rmul__", "__neg__",      "__truediv__",
                                               "__pos__",      "__abs__",  "__rtruediv__", "__pow__",
                                               "__floordiv__", "__mod__",  "__matmul__"};
  return kNames.count(name) > 0;
}

class ClassReader {
public:
  ClassReader(const Source& source, const std::vector<ast::Import>& imports, const MethodReader& method,
              const std::vector<ast::ClassRef>& before)
      : source_(source), imports_(imports), method_(method), before_(before) {}

  ast::ClassRef read(Node outer, Node definition) {
    class_.name = text(definition.field("name"));
    class_.where = definition.field("name").span();
    readKind(outer, definition);
    const bool hasInit = class_.base && std::ranges::any_of(class_.base->methods, [](const auto& m) {
                           return m.function->name == "__init__";
                         });
    if (hasInit && !isPlain_) refuse("its base has an `__init__`, which `@dataclass` replaces");
    const Node body = definition.field("body");
    for (const Node statement : body ? body.namedChildren() : std::vector<Node>())
      if (class_.problem.empty()) readStatement(statement);
    for (const ast::Class::Method& inherited :
         class_.base ? class_.base->methods : std::vector<ast::Class::Method>())
      if (std::ranges::none_of(class_.methods,
                               [&](const auto& m) { return m.function->name == inherited.function->name; }))
        class_.methods.push_back(inherited);
    if (isPlain_ && class_.fields.empty() && class_.constants.empty() && class_.methods.empty())
      refuse(std::string(kTranslated));
    for (const auto& [method, self] : others_) readAssigned(method, self, false);
    checkOrder();
    return std::make_shared<const ast::Class>(std::move(class_));
  }

private:
  std::string text(Node node) const { return std::string(source_.text(node.span())); }
  void refuse(std::string why) {
    if (class_.problem.empty()) class_.problem = std::move(why);
  }

  /// "dataclasses.dataclass" of what the file writes for it.
  std::string pathOf(Node name) const {
    const std::string written = text(name);
    const size_t dot = written.find('.');
    for (auto i = imports_.rbegin(); i != imports_.rend(); ++i)
      if (i->as == written.substr(0, dot))
        return i->what + (dot == std::string::npos ? "" : written.substr(dot));
    return written;
  }

  void readKind(Node outer, Node definition) {
    const Node bases = definition.field("superclasses");
    const std::vector<Node> given = bases ? bases.namedChildren() : std::vector<Node>();
    const std::string base = given.size() == 1 ? pathOf(given[0]) : "";
    bool isKnown = base == "typing.NamedTuple" || base == "typing.TypedDict";
    if (ir::isException(base)) class_.exception = base;
    for (const ast::ClassRef& other : before_)
      if (other->name == base && !other->exception.empty()) class_.exception = other->exception;
    if (!class_.exception.empty()) return readException(definition);
    for (const ast::ClassRef& other : before_)
      if (other->name == base && other->problem.empty() && other->kind == ast::Class::DataClass)
        inherit(other);
    class_.kind = base == "typing.TypedDict" ? ast::Class::TypedDict : ast::Class::NamedTuple;
    for (const Node part : outer.namedChildren()) {
      if (!part.is("decorator")) continue;
      const Node what = part.namedChildren()[0];
      const Node name = what.is("call") ? what.field("function") : what;
      if (!given.empty() && !isKnown && !class_.base) continue; // a base says more
      if (const std::string path = pathOf(name);
          !isKnown && (path == "numba.experimental.jitclass" || path == "numba.jitclass")) {
        isTyped_ = true; // by a list or annotations: the types follow from what `__init__` stores
        continue;
      }
      if (pathOf(name) != "dataclasses.dataclass" || isKnown)
        return refuse(fmt::format("`@{}` is not read", text(name)));
      isKnown = true;
      class_.kind = ast::Class::DataClass;
      if (what.is("call")) readOptions(what.field("arguments"));
    }
    class_.isEnum = base == "enum.Enum";
    isNumbers_ = base == "enum.IntEnum";
    isPlain_ = !isKnown && (given.empty() || base == "object" || isNumbers_ || class_.isEnum ||
                            (class_.base && !class_.base->isEnum));
    if (isPlain_) class_.kind = ast::Class::DataClass;
    if (!isKnown && !isPlain_) refuse(std::string(kTranslated));
  }

  /// `class NoConvergence(Exception): pass`.
  void readException(Node definition) {
    for (const Node statement : definition.field("body").namedChildren()) {
      const std::vector<Node> parts = statement.namedChildren();
      const bool isText = statement.is("expression_statement") && parts.size() == 1 &&
                          (parts[0].is("string") || parts[0].is("ellipsis"));
      if (isText || statement.isComment() || statement.is("pass_statement")) continue;
      class_.exception.clear();
      return refuse("an exception has nothing but its name and its text here; `pass` is all of its class");
    }
    refuse("it is an exception, which only `raise` makes");
  }

  void inherit(const ast::ClassRef& base) {
    class_.base = base;
    class_.fields = base->fields, class_.constants = base->constants;
    class_.isFrozen = base->isFrozen;
  }

  /// Of `@dataclass(...)`.
  void readOptions(Node arguments) {
    for (const Node argument : arguments.namedChildren()) {
      const std::string name = argument.is("keyword_argument") ? text(argument.field("name")) : "";
      const std::string value = argument.is("keyword_argument") ? text(argument.field("value")) : "";
      const bool isDefault = (name == "order" || name == "kw_only" || name == "unsafe_hash")
                                 ? value == "False"
                             : (name == "init" || name == "eq") ? value == "True"
                                                                : name == "repr" || name == "slots";
      if (name == "frozen" && (value == "True" || value == "False"))
        class_.isFrozen = value == "True";
      else if (!isDefault)
        refuse(fmt::format("`{}` of `@dataclass` is not translated", text(argument)));
    }
  }

  void readStatement(Node statement) {
    const std::vector<Node> parts = statement.namedChildren();
    if (statement.isComment() || statement.is("pass_statement")) return;
    const Node function = statement.is("decorated_definition") ? statement.field("definition") : statement;
    if (function.is("function_definition")) return readMethod(statement, function);
    const bool isOne = statement.is("expression_statement") && parts.size() == 1;
    if (isOne && (parts[0].is("string") || parts[0].is("concatenated_string") || parts[0].is("ellipsis")))
      return;
    const bool isNamed = isOne && parts[0].is("assignment") && parts[0].field("left").is("identifier");
    const std::string type = isNamed && parts[0].field("type") ? text(parts[0].field("type")) : "";
    const bool isOfClass = type.empty() || isPlain_ || type.find("ClassVar") != std::string::npos;
    const bool mayHave = class_.kind == ast::Class::DataClass ||
                         (class_.kind == ast::Class::NamedTuple && type.empty()); // which has no ClassVar
    if (isNamed && isOfClass && parts[0].field("right") && mayHave)
      return readConstant(parts[0].field("left"), parts[0].field("right"));
    if (isTyped_ && isNamed && !type.empty()) return;
    if (isOne && isPlain_ && parts[0].is("assignment") && readConstants(parts[0])) return;
    if (!isPlain_ && isNamed && !type.empty()) return readField(parts[0]);
    refuse(fmt::format("line {} of it is {}", source_.placeOf(statement.begin()).at.line,
                       isPlain_
                           ? "neither a method nor a constant; what instances have is assigned in `__init__`"
                           : "neither a field, `name: type`, nor a method"));
  }

  /// `__rmul__ = __mul__`; false where it is none of a method.
  bool readOtherName(const std::string& name, const std::string& of) {
    const auto known =
        std::ranges::find_if(class_.methods, [&](const auto& m) { return m.function->name == of; });
    if (known == class_.methods.end()) return false;
    ast::Class::Method method = *known;
    ast::Function renamed = *method.function;
    renamed.name = name;
    method.function = std::make_shared<const ast::Function>(std::move(renamed));
    std::erase_if(class_.methods, [&](const auto& m) { return m.function->name == name; });
    class_.methods.push_back(std::move(method));
    return true;
  }

  /// `a, b = 1, 2`; false where it is none of that kind.
  bool readConstants(Node assignment) {
    const Node left = assignment.field("left"), right = assignment.field("right");
    if (!left.is("pattern_list") || !right || !right.is("expression_list")) return false;
    const std::vector<Node> names = left.namedChildren(), values = right.namedChildren();
    if (names.size() != values.size() ||
        !std::ranges::all_of(names, [](const Node& name) { return name.is("identifier"); }))
      return false;
    for (size_t k = 0; k < names.size(); ++k) readConstant(names[k], values[k]);
    return true;
  }

  /// `Side.BUY` of an enumeration of the file.
  bool isMemberOf(const ast::Expr& e) const {
    const auto* a = e.as<ast::Attribute>();
    const auto* name = a ? a->base.as<ast::Name>() : nullptr;
    return name && std::ranges::any_of(before_, [&](const ast::ClassRef& c) {
             return c->name == name->id && c->isEnum && c->problem.empty() &&
                    std::ranges::any_of(c->constants, [&](const auto& m) { return m.name == a->name; });
           });
  }

  /// `name = value`, which the class has for all of its instances.
  void readConstant(Node name, Node value) {
    if (value.is("identifier") && readOtherName(text(name), text(value))) return;
    ast::Class::Field constant;
    constant.name = text(name);
    constant.where = name.span();
    Diagnostics problems;
    const bool isNext =
        (isNumbers_ || class_.isEnum) && value.is("call") && pathOf(value.field("function")) == "enum.auto";
    if (isNext)
      constant.defaultValue = nextOf(value.span());
    else if (!tooDeepNode(value))
      constant.defaultValue = ExprParser(source_.text(), problems).parse(value);
    if (class_.isEnum && !values_.insert(isNext ? std::to_string(greatest_) : text(value)).second)
      return refuse(fmt::format("`{}` of it has another member's value", constant.name));
    if (const auto* n = constant.defaultValue ? constant.defaultValue.as<ast::IntLit>() : nullptr)
      greatest_ = std::max(greatest_, n->value);
    const bool isPlain = constant.defaultValue && !problems.hasErrors() && isImmutable(constant.defaultValue);
    if (!isPlain && constant.defaultValue && mayChange(value, constant.name))
      return refuse(fmt::format("the file may change what `{0}` of it stands for, which all instances share; "
                                "make it a field, `self.{0} = ...` in `__init__`",
                                constant.name));
    if (!isPlain &&
        (!constant.defaultValue || problems.hasErrors() || class_.isEnum || isNumbers_ || namesOwn(value)))
      return refuse(
          fmt::format("`{}` of it is no constant of its own; make it one of the file's", constant.name));
    const auto* sign = constant.defaultValue.as<ast::Unary>();
    if (isNumbers_ && !(sign ? sign->arg : constant.defaultValue).is<ast::IntLit>())
      return refuse(fmt::format("`{}` of it is no whole number", constant.name));
    std::erase_if(class_.constants, [&](const auto& other) { return other.name == constant.name; });
    class_.constants.push_back(std::move(constant));
  }

  /// Does it name what the class has, which stands for it in the class's body alone?
  bool namesOwn(Node value) const {
    bool names = false;
    walk(value, [&](Node node, size_t) {
      names |= node.is("identifier") &&
               !(node.parent().is("attribute") && node.parent().begin() < node.begin()) &&
               std::ranges::any_of(class_.constants, [&](const auto& c) { return c.name == text(node); });
      return !names;
    });
    return names;
  }
  /// May the file store into what `.name` stands for, or give it to others outside of functions, where nobody looks?
  bool mayChange(Node at, const std::string& name) const {
    Node root = at;
    while (root.parent()) root = root.parent();
    bool may = false;
    walk(root, [&](Node node, size_t) {
      if (may || !node.is("attribute") || text(node.field("attribute")) != name) return !may;
      Node whole = node;
      while (whole.parent().is("subscript") || whole.parent().is("attribute")) whole = whole.parent();
      const Node around = whole.parent();
      const bool isCalled = around.is("call") && around.field("function").begin() == whole.begin();
      const bool isLeft = (around.is("assignment") || around.is("augmented_assignment")) &&
                          around.field("left").begin() == whole.begin();
      const bool isPart = around.is("pattern_list") || around.is("tuple_pattern") ||
                          around.is("delete_statement") || around.is("for_statement");
      bool isInFunction = false;
      for (Node n = around; n; n = n.parent()) isInFunction |= n.is("function_definition");
      const bool isLoop = around.is("for_statement") && around.field("left").begin() != whole.begin();
      may = isLeft || (isPart && !isLoop) ||
            (isCalled && changesItsObject(source_.text(whole.field("attribute").span()))) ||
            (!isInFunction && (around.is("argument_list") || around.is("assignment")));
      return !may;
    });
    return may;
  }

  /// `auto()`: one more than the greatest.
  ast::Expr nextOf(Span where) { return ast::make(where, ast::IntLit{++greatest_}); }

  /// `field(default=1.0)`, `field(default_factory=list)`: what it gives each instance, empty where it is none of these.
  ast::Expr defaultOf(Node call, ast::Class::Field& field) {
    ast::Expr given;
    const Node arguments = call.field("arguments");
    for (const Node argument : arguments ? arguments.namedChildren() : std::vector<Node>()) {
      const std::string name = argument.is("keyword_argument") ? text(argument.field("name")) : "";
      const Node value = argument.is("keyword_argument") ? argument.field("value") : argument;
      Diagnostics problems;
      if (name == "default") {
        given = ExprParser(source_.text(), problems).parse(value);
        if (!isImmutable(given)) return {};
      } else if (name == "default_factory" && (text(value) == "list" || text(value) == "dict")) {
        given = text(value) == "list" ? ast::make(value.span(), ast::List{})
                                      : ast::make(value.span(), ast::Dict{});
      } else if (name == "init" && text(value) == "False") {
        field.isArgument = false;
      } else if (name != "repr" && name != "compare" && name != "hash") {
        return {};
      }
    }
    return given;
  }

  void readField(Node assignment) {
    ast::Class::Field field;
    const Node type = assignment.field("type");
    field.name = text(assignment.field("left"));
    field.where = assignment.field("left").span();
    Piece annotation = Piece{source_.text(type.span()), type.begin(), {}}.trimmed();
    const bool isQuoted =
        annotation.text.size() > 1 && (annotation.text[0] == '"' || annotation.text[0] == '\'');
    if (isQuoted) annotation = annotation.sub(1, annotation.text.size() - 2).trimmed();
    field.annotation = std::string(annotation.text);
    if (field.annotation.find("ClassVar") != std::string::npos ||
        field.annotation.find("InitVar") != std::string::npos)
      return refuse(fmt::format("the field `{}` is a `{}`", field.name, field.annotation));
    Diagnostics unheard; // a type of another system's, which only parameters need
    field.type = readType(annotation, unheard);
    for (const ast::ClassRef& other : before_)
      if (other->name == field.annotation && other->problem.empty() && !other->fields.empty() &&
          std::all_of(other->fields.begin(), other->fields.end(),
                      [](const auto& f) { return f.type.has_value(); })) {
        field.type = ast::TypeSpec();
        field.type->record = other;
      }
    if (const Node value = assignment.field("right")) {
      Diagnostics problems;
      const bool isField = value.is("call") && pathOf(value.field("function")) == "dataclasses.field";
      if (isField)
        field.defaultValue = defaultOf(value, field);
      else if (!tooDeepNode(value))
        field.defaultValue = ExprParser(source_.text(), problems).parse(value);
      const bool isConstant = field.defaultValue &&
                              (isField || isImmutable(field.defaultValue) || isMemberOf(field.defaultValue));
      if ((!isConstant && (!isField || field.isArgument)) || problems.hasErrors())
        return refuse(fmt::format("the default of the field `{}` is no constant number", field.name));
    }
    for (ast::Class::Field& other : class_.fields)
      if (other.name == field.name) {
        const bool isInherited = class_.base && std::ranges::any_of(class_.base->fields, [&](const auto& f) {
                                   return f.name == field.name;
                                 });
        if (!isInherited) return refuse(fmt::format("it has two fields `{}`", field.name));
        other = std::move(field); // keeps its place
        return;
      }
    class_.fields.push_back(std::move(field));
  }

  /// `@cuda.jit` or `@njit` with options alone: the types are those of calls.
  bool isOfNumba(Node decorator) const {
    const bool isCall = decorator.is("call");
    const std::string path = pathOf(isCall ? decorator.field("function") : decorator);
    const auto isOption = [](Node argument) { return argument.is("keyword_argument"); };
    return (path == "numba.cuda.jit" || path == "numba.njit" || path == "numba.jit") &&
           (!isCall || std::ranges::all_of(decorator.field("arguments").namedChildren(), isOption));
  }

  void readMethod(Node outer, Node function) {
    const std::string name = text(function.field("name"));
    if (isNumbers_ || class_.isEnum)
      return refuse("methods of an enumeration are functions of its members; write them so");
    ast::Class::Method method;
    bool isNumbas = false;
    for (const Node part : outer.is("decorated_definition") ? outer.namedChildren() : std::vector<Node>()) {
      if (!part.is("decorator")) continue;
      const std::string decorator = text(part.namedChildren()[0]);
      if (isOfNumba(part.namedChildren()[0]) && std::exchange(isNumbas, true) == false) continue;
      if (decorator != "property" && decorator != "staticmethod" && decorator != "classmethod")
        return refuse(fmt::format("`{}` of its method `{}` is not translated", text(part), name));
      method.isProperty = decorator == "property";
      method.isStatic = decorator == "staticmethod", method.isOfClass = decorator == "classmethod";
    }
    const bool isInit = isPlain_ && name == "__init__", isPost = name == "__post_init__";
    const bool isMeant = isTranslatedSpecial(name) &&
                         (class_.kind == ast::Class::DataClass || name == "__repr__" || name == "__str__" ||
                          (class_.kind == ast::Class::NamedTuple && isArithmetic(name)));
    if (name.starts_with("__") && !isMeant && !isInit)
      return refuse(fmt::format("its method `{}` has a meaning of its own", name));
    ast::Function parsed = method_(function);
    Diagnostics unheard; // of `staticmethod`, which is read here
    if (isNumbas) parsed.directive = readDecorators(source_, outer, imports_, unheard);
    if (!method.isStatic && (parsed.params.empty() || parsed.params[0].kind == ast::Parameter::Rest))
      return refuse(fmt::format("its method `{}` has no parameter for the instance", name));
    if (isInit || isPost)
      readAssigned(function, parsed.params[0].name, isInit);
    else if (isPlain_ && !method.isStatic && !method.isOfClass)
      others_.emplace_back(function, parsed.params[0].name);
    if (name == "__iter__") iterateItself(parsed.body);
    method.function = std::make_shared<const ast::Function>(std::move(parsed));
    class_.methods.push_back(std::move(method));
  }

  /// `return iter(self.items)` of `__iter__`: loops run over what it is of.
  static void iterateItself(ast::Body& body) {
    const auto* last = body.empty() ? nullptr : body.back().as<ast::Return>();
    const auto* call = last && last->value ? last->value.as<ast::Call>() : nullptr;
    const auto* callee = call ? call->callee.as<ast::Name>() : nullptr;
    if (callee && callee->id == "iter" && call->args.size() == 1 && call->keywords.empty())
      body.back() = ast::makeStmt(body.back()->span, ast::Return{call->args[0]});
  }

  /// `self.x = ...` of `__init__` or `__post_init__`: the fields, in their order.
  void readAssigned(Node init, const std::string& self, bool isInit) {
    walk(init.field("body"), [&](Node node, size_t) {
      if (!node.is("assignment") && !node.is("augmented_assignment")) return !node.is("function_definition");
      walk(node.field("left"), [&](Node part, size_t) {
        if (part.is("subscript")) return false; // which stores into what is there
        if (!part.is("attribute") || text(part.field("object")) != self) return true;
        const std::string name = text(part.field("attribute"));
        const bool isNew = std::ranges::none_of(class_.fields, [&](const auto& f) { return f.name == name; });
        if (isNew) class_.fields.push_back({name, {}, part.field("attribute").span(), {}, {}, isInit});
        return false;
      });
      return true;
    });
  }

  /// As Python does.
  void checkOrder() {
    bool hasDefault = false;
    for (const ast::Class::Field& f : class_.fields) {
      if (hasDefault && !f.defaultValue && f.isArgument && !isPlain_)
        refuse(fmt::format("the field `{}` without a default follows one with a default", f.name));
      hasDefault |= static_cast<bool>(f.defaultValue);
      if (f.name.starts_with("_") && class_.kind == ast::Class::NamedTuple)
        refuse(fmt::format("a field of a named tuple begins with no underscore: `{}`", f.name));
      for (const ast::Class::Method& m : class_.methods)
        if (m.function->name == f.name) refuse(fmt::format("`{}` is a field and a method", f.name));
    }
  }

  const Source& source_;
  const std::vector<ast::Import>& imports_;
  const MethodReader& method_;
  const std::vector<ast::ClassRef>& before_; ///< the classes above
  ast::Class class_;
  std::vector<std::pair<Node, std::string>>
      others_;                   ///< methods that may give instances fields, and their `self`
  bool isPlain_ = false;         ///< without a base and a decorator: its `__init__` says what instances have
  bool isTyped_ = false;         ///< a class of Numba's, which says of what types its instances' parts are
  bool isNumbers_ = false;       ///< an `IntEnum`, whose constants are ints
  uint64_t greatest_ = 0;        ///< of the numbers of an enumeration
  std::set<std::string> values_; ///< of the members of an enumeration, as written
};

} // namespace

std::vector<ast::ClassRef> readClasses(const Source& source, Node root,
                                       const std::vector<ast::Import>& imports, const MethodReader& method) {
  std::vector<ast::ClassRef> classes;
  const std::map<std::string, Node> last = lastBindings(source, root);
  for (const Node node : root.namedChildren()) {
    const Node definition = node.is("decorated_definition") ? node.field("definition") : node;
    if (!definition.is("class_definition") || definition.hasError()) continue;
    if (last.at(std::string(source.text(definition.field("name").span()))).begin() == node.begin())
      classes.push_back(ClassReader(source, imports, method, classes).read(node, definition));
  }
  return classes;
}

void addConstants(const std::vector<ast::ClassRef>& classes, std::vector<ast::Constant>& constants) {
  for (const ast::ClassRef& type : classes)
    for (const ast::Class::Field& c : type->constants)
      if (!isImmutable(c.defaultValue))
        constants.push_back({type->name + "." + c.name, c.defaultValue, c.where, {}});
}

} // namespace appyc::frontend
