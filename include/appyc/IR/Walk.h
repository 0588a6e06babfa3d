//===- Walk.h - what stands in a tree: each, any, replace, by kind of node --------------------------===//
//   each<Load>(body, [&](const Load& l) { .. });       any<For>(body, isParallel)
//   has<Barrier>(body)                                 replace<Load>(body, [&](const Load& l) -> Expr { .. })
// T is a kind of statement or of expression; nodes are met as visit() meets them (Rewrite.h).
#pragma once
#include "appyc/IR/Rewrite.h"
#include <type_traits>

namespace appyc::ir {

template <class T, class Variant> struct IsOneOf;
template <class T, class... Ts>
struct IsOneOf<T, std::variant<Ts...>> : std::bool_constant<(std::is_same_v<T, Ts> || ...)> {};
template <class T> constexpr bool isExprKind = IsOneOf<T, decltype(ExprNode::node)>::value;

/// Calls `fn(node)`, or `fn(node, handle)`, with each T in a statement, its expressions, or in an expression.
template <class T, class Tree, class Fn> void each(const Tree& tree, Fn&& fn) {
  const auto look = [&](const auto& part) -> bool {
    if (const auto* node = part.template as<T>()) {
      if constexpr (std::is_invocable_v<Fn, const T&>)
        fn(*node);
      else
        fn(*node, part);
    }
    return true;
  };
  if constexpr (isExprKind<T> && std::is_same_v<Tree, Stmt>)
    visit(tree, nullptr, [&](const Expr& e) { return look(e); });
  else
    visit(tree, [&](const auto& part) -> bool { return look(part); });
}

/// Does `pred` hold of some statement, of some expression in the tree?
bool anyStmt(const Stmt&, const std::function<bool(const Stmt&)>& pred);
bool anyExpr(const Expr&, const std::function<bool(const Expr&)>& pred);
bool anyExpr(const Stmt&, const std::function<bool(const Expr&)>& pred);

/// Is there a T of which `pred` holds?
template <class T, class Tree, class Pred> bool any(const Tree& tree, Pred&& pred) {
  const auto holds = [&](const auto& part) {
    const auto* node = part.template as<T>();
    return node && pred(*node);
  };
  if constexpr (isExprKind<T>)
    return anyExpr(tree, holds);
  else
    return anyStmt(tree, holds);
}
template <class T, class Tree> bool has(const Tree& tree) {
  return any<T>(tree, [](const T&) { return true; });
}
/// Does the tree consist of such statements alone?
template <class... Ts> bool consistsOf(const Stmt& s) {
  return !anyStmt(s, [](const Stmt& part) { return !(part.is<Ts>() || ...); });
}

/// The tree with each T for which `fn` gives another node (a handle) replaced by it; empty handles keep it.
template <class T, class Fn> Expr replace(const Expr& e, Fn&& fn) {
  return rewrite(e, [&](const Expr& part) -> Expr {
    const auto* node = part.as<T>();
    return node ? fn(*node) : Expr();
  });
}
template <class T, class Fn> Stmt replace(const Stmt& s, Fn&& fn) {
  if constexpr (isExprKind<T>) {
    return rewrite(s, nullptr, [&](const Expr& part) -> Expr {
      const auto* node = part.as<T>();
      return node ? fn(*node) : Expr();
    });
  } else {
    return rewrite(s, [&](const Stmt& part) -> Stmt {
      const auto* node = part.as<T>();
      if (!node) return {};
      if constexpr (std::is_invocable_v<Fn, const T&>)
        return fn(*node);
      else
        return fn(*node, part);
    });
  }
}

bool mentionsAny(const Expr&, const std::set<Symbol>& names);
bool mentionsAny(const Stmt&, const std::set<Symbol>& names); ///< read anywhere in the statement, or assigned
std::set<Symbol> readScalars(const Stmt&);                    ///< those that are read anywhere in it
bool isStraight(const Stmt&); ///< assignments and plain stores, one or a block of them
/// Scalars and loops' indices by other names, wherever they are read, assigned, reduced or counted.
Stmt renameScalars(const Stmt&, const std::map<Symbol, Symbol>& names);
Stmt renameScalar(const Stmt&, Symbol from, Symbol to);
/// Arrays by other names, wherever they are read, stored into, made or signalled by.
Stmt renameArrays(const Stmt&, const std::map<Symbol, Symbol>& names);
/// Elements that are loaded and stored as those of other arrays, with the index that `at` makes of theirs.
Stmt moveElements(const Stmt&, const std::map<Symbol, Symbol>& names,
                  const std::function<std::vector<Expr>(std::vector<Expr>)>& at);

/// The same with no loop that stands for one of the source's: no pragmas there would say what has been made of them.
Stmt withoutOrigins(const Stmt&);

/// Is it a loop or a branch with nothing in it?
bool doesNothing(const Stmt&);
/// The statement without the parts of which `goes` holds, and without what then does nothing.
Stmt without(const Stmt&, const std::function<bool(const Stmt&)>& goes);
/// Without assignments to scalars that nobody reads, neither behind it, as `live` is, nor in it, but those that are as idle; without
/// what then does nothing.
Stmt withoutIdleScalars(const Stmt&, std::set<Symbol> live);
Stmt withoutIdleScalars(const Function&);

/// The functions that expressions of the module call (Apply), each once, those that another one calls before it.
std::vector<FunctionRef> calledFunctions(const Module&);

/// Of parameters, results, buffers.
template <class Named> std::set<Symbol> namesOf(const std::vector<Named>& all) {
  std::set<Symbol> names;
  for (const Named& one : all) names.insert(one.name);
  return names;
}
std::set<Symbol> interfaceOf(const Function&); ///< arrays and scalars that the caller sees

} // namespace appyc::ir
