//===- Nodes.h - the Python subset as an immutable tree ------------------------------------------===//
#pragma once
#include "appyc/AST/Directive.h"
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Source.h"
#include "appyc/Support/Tree.h"
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace appyc::ast {

struct ExprNode;
struct StmtNode;
struct Function;
struct Class;
using FunctionRef = std::shared_ptr<const Function>;
using Expr = Ref<ExprNode>;
using Stmt = Ref<StmtNode>;

enum class UnaryOp { Neg, Pos, Invert, Not };
enum class BinaryOp { Add, Sub, Mul, Div, FloorDiv, Mod, Pow, MatMul, And, Or, Xor, Shl, Shr };
enum class CompareOp { Eq, Ne, Lt, Le, Gt, Ge, Is, IsNot, In, NotIn };
enum class BoolOp { And, Or };

struct Name {
  std::string id;
};
/// Integer literal. Values past int64 are kept as text and refused by Sema.
struct IntLit {
  uint64_t value;
  bool tooLarge = false;
};
struct FloatLit {
  double value;
};
struct ImagLit {
  double value;
}; ///< 2j
struct BoolLit {
  bool value;
};
struct StringLit {
  std::string value;
};
/// An f-string: texts and fields in turn, one text more than there are fields.
struct FormattedText {
  struct Field {
    Expr value;
    std::string conversion; ///< "r", "s", "a" or none
    std::string spec;       ///< behind the colon
  };
  std::vector<std::string> texts;
  std::vector<Field> fields;
};
struct NoneLit {};
struct EllipsisLit {};
struct Unary {
  UnaryOp op;
  Expr arg;
};
struct Binary {
  BinaryOp op;
  Expr lhs, rhs;
};
/// Chained comparison: operands[0] ops[0] operands[1] ops[1] ...
struct Compare {
  std::vector<Expr> operands;
  std::vector<CompareOp> ops;
};
struct BoolExpr {
  BoolOp op;
  Expr lhs, rhs;
};
struct Conditional {
  Expr cond, then, otherwise;
};
struct Keyword {
  std::string name; ///< empty: `**value`
  Expr value;
  Span where;
};
struct Call {
  Expr callee;
  std::vector<Expr> args;
  std::vector<Keyword> keywords;
};
struct Attribute {
  Expr base;
  std::string name;
};
/// `a[i, 1:n, None]`: one entry an index; a Slice node for slices.
struct Subscript {
  Expr base;
  std::vector<Expr> index;
};
struct Slice {
  Expr lower, upper, step;
}; ///< each may be empty
struct Tuple {
  std::vector<Expr> items;
};
struct List {
  std::vector<Expr> items;
};
/// `{key: value, **values}`: the last has no key.
struct Dict {
  std::vector<Expr> keys, values;
};
/// `*values` among the items of a tuple, a list or a call's arguments.
struct Starred {
  Expr value;
};
/// A function whose body is one `return`.
struct Lambda {
  FunctionRef function;
};
/// `for target in iter if condition ...` of a comprehension.
struct Clause {
  Expr target, iter;
  std::vector<Expr> conditions;
};
/// `[element for ...]`, or a generator.
struct Comprehension {
  Expr element;
  std::vector<Clause> clauses;
  bool isList;
};
/// `(name := value)`
struct Walrus {
  Expr target, value;
};
/// Of a branch that stands for `try`: are the statements run to their end? Otherwise one of them raises what a handler
/// takes, and `kRaised` names which, from 1.
struct Completes {
  std::vector<Stmt> tried;
  std::vector<std::vector<Expr>> handlers; ///< the classes that each takes; none: all
  std::vector<std::string> names;          ///< of what is raised, in the handlers
};
inline constexpr const char* kRaised = "raised()"; ///< no name of Python's
/// What the parser could not take; already reported.
struct ErrorExpr {};

struct ExprNode {
  Span span;
  std::variant<Name, IntLit, FloatLit, ImagLit, BoolLit, StringLit, FormattedText, NoneLit, EllipsisLit,
               Unary, Binary, Compare, BoolExpr, Conditional, Call, Attribute, Subscript, Slice, Tuple, List,
               Dict, Starred, Lambda, Comprehension, Walrus, Completes, ErrorExpr>
      node;
};
template <class T> Expr make(Span span, T node) {
  return Expr(std::make_shared<const ExprNode>(ExprNode{span, std::move(node)}));
}

/// Names under which modules are imported: `import numpy as np` gives {"np", "numpy"}; `from numpy import
/// exp` gives {"exp", "numpy.exp"}, `from numpy import *` {"*", "numpy"}. `what` of a relative import is absolute.
struct Import {
  std::string as, what;
  Span where{};
};

using Body = std::vector<Stmt>;

/// `targets[0] = targets[1] = ... = value`; a Tuple target unpacks.
struct Assign {
  std::vector<Expr> targets;
  Expr value;
  StatementDirective directive;
};
struct AugAssign {
  BinaryOp op;
  Expr target, value;
  StatementDirective directive;
};
struct For {
  Expr target, iter;
  Body body;
  LoopDirective directive;
  Body otherwise{}; ///< behind the loop, unless `break` leaves it
  Expr unless{};    ///< what Sema asks before each iteration but the first: the loop is left if it holds
  Span leaves{};    ///< the statement that leaves it
};
struct While {
  Expr cond;
  Body body;
  Body otherwise{};
  Expr unless{}; ///< as of For; then the condition is not asked
};
struct If {
  Expr cond;
  Body then, otherwise;
};
struct Return {
  Expr value;
}; ///< empty: plain return
struct ExprStmt {
  Expr value;
  bool isContext = false; ///< of a `with`, whose body follows
};
/// An import inside a function; none of `*`.
struct LocalImport {
  std::vector<Import> imports;
};
/// A `def` inside a function.
struct LocalFunction {
  FunctionRef function;
};
struct Delete {
  std::vector<Expr> targets;
};
struct Pass {};
struct Break {};
struct Continue {};
/// `raise exception`: a class, or a call of one.
struct Raise {
  Expr exception; ///< none: what the handler around it has taken
};
struct Assert {
  Expr cond, message; ///< the message may be empty
};
struct ErrorStmt {};

struct StmtNode {
  Span span;
  std::variant<Assign, AugAssign, For, While, If, Return, ExprStmt, Pass, Break, Continue, Raise, Assert,
               LocalImport, LocalFunction, Delete, ErrorStmt>
      node;
};
template <class T> Stmt makeStmt(Span span, T node) {
  return Stmt(std::make_shared<const StmtNode>(StmtNode{span, std::move(node)}));
}

/// A type as written: `f64`, `f64[M, N]`, `f64[:, :]`, `float`, `numpy.float64`, ...
/// `weak` marks Python's own `int`/`float`/`complex`/`bool` (NEP 50: they adapt to the array's dtype).
struct TypeSpec {
  std::string dtype; ///< canonical: bool i8..i64 u8..u64 f32 f64 c64 c128
  bool weak = false;
  bool isArray = false;
  std::vector<std::string> extents; ///< expression texts; empty text means unnamed (`:`)
  bool byColumns = false;           ///< the first axis is the one whose elements are neighbours
  Span where;
  std::shared_ptr<const Class>
      record{}; ///< of a class of the file, whose fields have types; the rest is empty then
  enum Container { Single, List, Tuple } container = Single; ///< of Python's, which the wrapper takes apart
  std::vector<TypeSpec> items{}; ///< of a list one, of a tuple each; the rest is empty then
  bool mayBeNone = false;
  bool isTakenApart() const { return record || container != Single; }
};

/// One signature: a type for each parameter that is passed at run time, in order; parameters left out take
/// their literal default and are compile-time constants.
struct Signature {
  std::vector<std::optional<TypeSpec>> params; ///< parallel to Function::params
  std::vector<TypeSpec> results;               ///< as declared; empty when nothing is declared
  bool declaresResults = false;
  bool converts = false; ///< numbers that are given or returned become what is declared, as Numba has it
  Span where;
  std::vector<size_t>
      ofDefaults{}; ///< params whose type only their default tells: constants where they have to be
};

struct Parameter {
  enum Kind { PositionalOnly, Ordinary, KeywordOnly, Rest, Others }; ///< Rest: `*args`, Others: `**others`
  std::string name;
  Expr defaultValue; ///< may be empty
  Span where;
  Kind kind = Ordinary;
};

struct Function {
  std::string name;
  std::vector<Parameter> params;
  std::vector<Signature> signatures;   ///< empty: not exported; called functions are inlined
  std::vector<Signature> converting{}; ///< those by which its calls in the file convert numbers
  Body body;
  FunctionDirective directive;
  std::string docstring;
  Span nameSpan;
  Span span;
  std::vector<std::string>
      added{};             ///< names that Sema has added, which are read only where they have a value
  FunctionRef asWritten{}; ///< of one that calls itself, before Sema changes what leaves its loops
  std::vector<Diagnostic> problems{}; ///< reported where it is called
  Span yields{}; ///< of a generator: its first `yield`. The body returns a list of all that it yields
  bool isHelper =
      false; ///< others of the file call it, or it takes a text: left out where it does not translate
  std::string schedule{}; ///< by which calls choose this one of several of one name; empty: the first
  std::map<std::string, std::string>
      labels{}; ///< of its loops, with how each is run: `threads(128).reduce()`
};

/// A class whose instances are fields with names: of the file, or made by `collections.namedtuple`.
struct Class {
  enum Kind { NamedTuple, DataClass, TypedDict };
  struct Field {
    std::string name;
    Expr defaultValue; ///< may be empty
    Span where{};
    std::optional<TypeSpec> type{}; ///< where its annotation is one of appyc's
    std::string annotation{};       ///< as written
    bool isArgument = true;         ///< of the class's call
  };
  struct Method {
    FunctionRef function;
    bool isProperty = false;
    bool isStatic = false, isOfClass = false; ///< takes no instance, takes the class
  };
  std::string name;
  Kind kind = NamedTuple;
  bool isFrozen = false; ///< of a dataclass
  bool isEnum = false;   ///< an `enum.Enum`: its constants are the members' values
  std::vector<Field> fields{};
  std::vector<Method> methods{};  ///< those of the base, too
  std::vector<Field> constants{}; ///< what the class itself has, with its value
  std::shared_ptr<const Class> base{};
  std::string
      exception{}; ///< of one of Python's exceptions: which; there are no instances but those that `raise` makes
  std::string problem{}; ///< why it is not translated; empty where it is
  Span where{};
};
using ClassRef = std::shared_ptr<const Class>;

/// Module-level `NAME = expression`. Names that are bound in a way that appyc does not read have a problem.
struct Constant {
  std::string name;
  Expr value; ///< empty where there is a problem
  Span where; ///< of the (first) binding
  std::string problem{};
};

/// A function that is neither exported nor called by one that is, and why it has no signature.
struct PassedOver {
  std::string name;
  Span where;
  std::string reason;
  bool isTyped = false; ///< by another system's annotations, so that somebody may miss it
};

struct Module {
  std::string name; ///< "package.helpers"; empty for the input
  std::vector<PassedOver> passedOver;
  std::vector<Import> imports;
  std::vector<Constant> constants;
  std::vector<Function> functions;
  std::vector<ClassRef> classes{};

  std::set<std::string> names;         ///< all that the module binds, as far as its text tells
  bool mayBindMore = false;            ///< by other means
  std::vector<Diagnostic> problems{};  ///< reported where one of its names is used
  std::vector<Module> modules{};       ///< of the input: those of the user's that it imports, directly or not
  std::vector<std::string> searched{}; ///< of the input: folders in which modules are looked for
};

/// S-expression-like text for --emit=ast and tests.
std::string print(const Module&);
std::string print(const Expr&);

} // namespace appyc::ast
