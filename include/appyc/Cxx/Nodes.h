//===- Nodes.h - syntax tree of the C++ and CUDA that appyc writes -----------------------------------===//
// Only what generated programs need. Meaning stands here; layout, `{`, `;` and parentheses are the printer's.
#pragma once
#include "appyc/Support/Tree.h"
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace appyc::cxx {

struct ExprNode;
struct StmtNode;
struct DeclNode;
using Expr = Ref<ExprNode>;
using Stmt = Ref<StmtNode>;
using Decl = Ref<DeclNode>;

/// `const T* __restrict__` and its parts; const applies to T.
struct Type {
  std::string name;
  bool isConst = false;
  bool isPointer = false;
  bool isRestrict = false;
};

//===--- expressions ------------------------------------------------------------------------------------===//

struct Atom {
  std::string text;
}; ///< a name or a literal
struct Unary {
  std::string op;
  Expr arg;
}; ///< prefix operator
struct Binary {
  std::string op;
  Expr lhs, rhs;
};
struct Ternary {
  Expr cond, then, otherwise;
};
struct Call {
  Expr callee;
  std::vector<Expr> args;
};
struct Index {
  Expr base, index;
};
struct Member {
  Expr base;
  std::string name;
};
struct Cast {
  std::string type;
  Expr arg;
}; ///< `(type)arg`
struct Braces {
  std::string type;
  std::vector<Expr> items;
}; ///< `type{items}`; the type may be empty
struct Launch {
  Expr kernel;
  std::vector<Expr> config, args;
}; ///< `kernel<<<config>>>(args)`

struct ExprNode {
  std::variant<Atom, Unary, Binary, Ternary, Call, Index, Member, Cast, Braces, Launch> node;
};

//===--- statements -------------------------------------------------------------------------------------===//

/// `type name;`, `type name = init;`, or `type name(construct...);`. With `isArray`: `type name[] = init;`.
struct Declare {
  Type type;
  std::string name;
  Expr init;
  std::vector<Expr> construct;
  bool isArray = false;
  int64_t count = 0; ///< of an array's elements; 0: as many as `init` has
};
struct Assign {
  Expr target;
  std::string op;
  Expr value;
}; ///< op: "=", "+=", ...
struct Evaluate {
  Expr value;
};
/// `if (init; cond)`; init (a Declare) and otherwise may be empty.
struct If {
  Stmt init;
  Expr cond;
  Stmt then, otherwise;
};
/// `for (init; cond; step)`: a Declare, and an Assign or Evaluate.
struct For {
  Stmt init;
  Expr cond;
  Stmt step;
  Stmt body;
};
struct While {
  Expr cond;
  Stmt body;
};
struct Return {
  Expr value;
}; ///< may be empty
struct Block {
  std::vector<Stmt> body;
};
struct Comment {
  std::string text;
}; ///< one or more lines
struct Pragma {
  std::string text;
}; ///< without `#pragma`; belongs to the statement after it
/// `const auto name = [&](parameter) { body };`, or `return call(.., [&](parameter) { body });`.
struct Lambda {
  std::string name, parameter;
  Stmt body;
  Expr call{}; ///< of which it is the last argument; no name then
};

/// `try { body } catch (exception) { handler }`
struct Try {
  Stmt body;
  std::string exception;
  Stmt handler;
};

struct StmtNode {
  std::variant<Declare, Assign, Evaluate, If, For, While, Return, Block, Comment, Pragma, Lambda, Try> node;
  uint32_t sourceLine = 0; ///< of the Python file; 0: that of the statement around it
};

//===--- files ------------------------------------------------------------------------------------------===//

struct Parameter {
  Type type;
  std::string name;
  bool unused = false; ///< the name is written as a comment
};
struct Function {
  std::string comment;                         ///< lines above it; may be empty
  std::vector<std::string> templateParameters; ///< "class index_t"
  std::string specifiers;                      ///< `extern "C"`, `__global__`
  Type result;
  std::string name;
  std::vector<Parameter> params;
  Stmt body;
};
struct Include {
  std::string header;
}; ///< `#include <header>`
struct Text {
  std::string lines;
}; ///< support code, as it stands in its file
struct FileComment {
  std::string text;
};
struct Namespace {
  std::vector<Decl> body;
}; ///< unnamed

struct DeclNode {
  std::variant<Function, Include, Text, FileComment, Namespace> node;
};

/// One file.
struct Unit {
  std::vector<Decl> body;
};

} // namespace appyc::cxx
