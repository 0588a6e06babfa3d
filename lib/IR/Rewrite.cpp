//===- Rewrite.cpp - generic traversal: the one place that knows every node's children -------------===//
#include "appyc/IR/Rewrite.h"
#include "Linear.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Simplify.h"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace appyc::ir {

namespace {

using ExprFn = std::function<Expr(const Expr&)>;

//===--- the table of children: one visitor for readers (const nodes) and writers (copies) --------------===//

/// T, const when `Node` is.
template <class Node, class T> using Like = std::conditional_t<std::is_const_v<Node>, const T, T>;

template <class List, class Fn> void eachOf(List& list, Fn& fn) {
  for (auto& item : list)
    if constexpr (std::is_same_v<std::remove_const_t<std::remove_reference_t<decltype(item)>>, Range>)
      fn(item.extent);
    else
      fn(item);
}

/// Calls `fn` with a reference to each child of an expression node.
template <class Node, class Fn> void eachChild(Node& e, Fn&& fn) {
  std::visit(Overloaded{[](Like<Node, Const>&) {}, [](Like<Node, Var>&) {}, [](Like<Node, Hardware>&) {},
                        [&](Like<Node, Load>& n) { eachOf(n.index, fn); },
                        [&](Like<Node, Unary>& n) { fn(n.arg); },
                        [&](Like<Node, Binary>& n) {
                          fn(n.lhs);
                          fn(n.rhs);
                        },
                        [&](Like<Node, Cast>& n) { fn(n.arg); },
                        [&](Like<Node, Select>& n) {
                          fn(n.cond);
                          fn(n.then);
                          fn(n.otherwise);
                        },
                        [&](Like<Node, Call>& n) { eachOf(n.args, fn); },
                        [&](Like<Node, Lookup>& n) { fn(n.index); },
                        [&](Like<Node, Apply>& n) { eachOf(n.args, fn); },
                        [&](Like<Node, Reduce>& n) {
                          eachOf(n.over, fn);
                          fn(n.body);
                        }},
             e.node);
}

template <class Product, class Fn> void eachOfMatMul(Product& n, Fn& fn) {
  for (auto* matrix : {&n.target, &n.a, &n.b}) eachOf(matrix->at, fn);
  for (auto* number : {&n.rows, &n.columns, &n.inner, &n.alpha, &n.beta}) fn(*number);
  for (auto& limit : n.limits) fn(limit.bound);
}

/// Calls `fn` with a reference to each direct expression of a statement, in the order of evaluation.
template <class Node, class Fn> void eachExprOf(Node& s, Fn&& fn) {
  std::visit(Overloaded{[&](Like<Node, IndexStmt>& n) {
                          eachOf(n.domain, fn);
                          eachOf(n.index, fn);
                          fn(n.value);
                        },
                        [&](Like<Node, Assign>& n) { fn(n.value); },
                        [&](Like<Node, Store>& n) {
                          eachOf(n.index, fn);
                          fn(n.value);
                        },
                        [&](Like<Node, MatMul>& n) { eachOfMatMul(n, fn); },
                        [&](Like<Node, Routine>& n) {
                          for (auto& operand : n.operands) eachOf(operand.at, fn);
                          eachOf(n.numbers, fn);
                        },
                        [&](Like<Node, For>& n) {
                          fn(n.lo);
                          fn(n.hi);
                          fn(n.step);
                        },
                        [&](Like<Node, While>& n) { fn(n.cond); },
                        [&](Like<Node, If>& n) { fn(n.cond); },
                        [&](Like<Node, Alloc>& n) { eachOf(n.buffer.extents, fn); },
                        [&](Like<Node, Require>& n) {
                          fn(n.cond);
                          eachOf(n.values, fn);
                        },
                        [&](Like<Node, Print>& n) { eachOf(n.values, fn); },
                        [&](Like<Node, Signal>& n) {
                          fn(n.step);
                          eachOf(n.index, fn);
                        },
                        [&](Like<Node, Launch>& n) {
                          for (auto* shape : {&n.shape.grid, &n.shape.threads})
                            for (auto& extent : *shape)
                              if (extent) fn(extent);
                          eachOf(n.vectors.multiples, fn);
                          if (n.vectors.rows.length) fn(n.vectors.rows.length);
                          for (auto* arguments : {&n.arguments, &n.vectors.rows.arguments})
                            for (auto& argument : *arguments)
                              if (argument.value) fn(argument.value);
                        },
                        [&](Like<Node, Atomic>& n) {
                          eachOf(n.index, fn);
                          if (n.compare) fn(n.compare);
                          fn(n.value);
                        },
                        [&](Like<Node, Exchange>& n) { eachOf(n.operands, fn); },
                        [](Like<Node, Fence>&) {},
                        [](Like<Node, Only>&) {},
                        [](Like<Node, Block>&) {},
                        [&](Like<Node, Return>& n) {
                          if (n.value) fn(n.value);
                        },
                        [&](Like<Node, Barrier>& n) {
                          if (n.lanes) fn(n.lanes);
                        },
                        [](Like<Node, Collective>&) {},
                        [](Like<Node, Fetch>&) {},
                        [](Like<Node, Swap>&) {}},
             s.node);
}

/// Calls `fn` with a reference to each direct child statement that is there.
template <class Node, class Fn> void eachStmtOf(Node& s, Fn&& fn) {
  auto call = [&](auto& child) {
    if (child) fn(child);
  };
  std::visit(Overloaded{[&](Like<Node, For>& n) { call(n.body); },
                        [&](Like<Node, While>& n) { call(n.body); },
                        [&](Like<Node, If>& n) {
                          call(n.then);
                          call(n.otherwise);
                        },
                        [&](Like<Node, Only>& n) {
                          call(n.body);
                          call(n.others);
                        },
                        [&](Like<Node, Block>& n) {
                          for (auto& child : n.body) call(child);
                        },
                        [&](Like<Node, Launch>& n) {
                          call(n.body);
                          call(n.vectors.rows.body);
                        },
                        [](auto&) {}},
             s.node);
}

/// A copy of `handle`'s node with `fn` applied to what `each` finds in it, or `handle` when nothing changed.
template <class Child, class Handle, class Each, class Fn>
Handle mapped(const Handle& handle, Each each, const Fn& fn) {
  size_t same = 0; // children before the first that changes: most nodes need no copy
  std::vector<Child> others;
  each(*handle, [&](const Child& child) {
    Child replacement = fn(child);
    if (others.empty() && replacement == child)
      ++same;
    else
      others.push_back(std::move(replacement));
  });
  if (others.empty()) return handle;
  auto copy = *handle;
  size_t at = 0;
  each(copy, [&](Child& child) {
    if (at++ >= same) child = std::move(others[at - 1 - same]);
  });
  return Handle(std::make_shared<const decltype(copy)>(std::move(copy)));
}

/// Removed statements vanish and inserted blocks dissolve; blocks that stood there already stay.
void spliceBlocks(const Block& before, Block& after) {
  std::vector<Stmt> body;
  for (size_t i = 0; i < after.body.size(); ++i) {
    const Stmt& child = after.body[i];
    const auto* inserted = child.as<Block>();
    if (inserted && !before.body[i].is<Block>())
      body.insert(body.end(), inserted->body.begin(), inserted->body.end());
    else if (inserted ? !inserted->body.empty() || child == before.body[i] : bool(child))
      body.push_back(child);
  }
  after.body = std::move(body);
}

} // namespace

//===--- mapping ----------------------------------------------------------------------------------------===//

Expr mapChildren(const Expr& e, const ExprFn& fn) {
  return mapped<Expr>(
      e, [](auto& n, auto&& f) { eachChild(n, f); }, fn);
}

Stmt mapExprs(const Stmt& s, const ExprFn& fn) {
  return mapped<Expr>(
      s, [](auto& n, auto&& f) { eachExprOf(n, f); }, fn);
}

Stmt mapChildren(const Stmt& s, const std::function<Stmt(const Stmt&)>& fn) {
  auto keepBody = [&](const Stmt& child) {
    Stmt replacement = fn(child);
    return replacement ? replacement : block({});
  };
  auto each = [](auto& n, auto&& f) { eachStmtOf(n, f); };
  const auto* before = s.as<Block>();
  if (!before) return mapped<Stmt>(s, each, keepBody);
  Stmt after = mapped<Stmt>(s, each, fn);
  if (after == s) return s;
  StmtNode copy = *after;
  spliceBlocks(*before, std::get<Block>(copy.node));
  return Stmt(std::make_shared<const StmtNode>(std::move(copy)));
}

Expr rewrite(const Expr& e, const ExprRule& rule) {
  if (!e || !rule) return e;
  Expr result = mapChildren(e, [&](const Expr& child) { return rewrite(child, rule); });
  if (result != e) result = simplifiedNode(result);
  Expr replacement = rule(result);
  return replacement ? replacement : result;
}

Stmt rewrite(const Stmt& s, const StmtRule& stmtRule, const ExprRule& exprRule) {
  if (!s) return s;
  Stmt result = mapChildren(s, [&](const Stmt& child) { return rewrite(child, stmtRule, exprRule); });
  if (exprRule) result = mapExprs(result, [&](const Expr& e) { return rewrite(e, exprRule); });
  Stmt replacement = stmtRule ? stmtRule(result) : Stmt();
  return replacement ? replacement : result;
}

//===--- visiting ---------------------------------------------------------------------------------------===//

void visit(const Expr& e, const std::function<bool(const Expr&)>& fn) {
  if (e && fn(e)) eachChild(*e, [&](const Expr& child) { visit(child, fn); });
}

void forEachExpr(const Stmt& s, const std::function<void(const Expr&)>& fn) {
  if (s) eachExprOf(*s, fn);
}

void forEachChild(const Stmt& s, const std::function<void(const Stmt&)>& fn) {
  if (s) eachStmtOf(*s, fn);
}

void visit(const Stmt& s, const std::function<bool(const Stmt&)>& onStmt,
           const std::function<bool(const Expr&)>& onExpr) {
  if (!s || (onStmt && !onStmt(s))) return;
  if (onExpr) forEachExpr(s, [&](const Expr& e) { visit(e, onExpr); });
  forEachChild(s, [&](const Stmt& child) { visit(child, onStmt, onExpr); });
}

//===--- equality ---------------------------------------------------------------------------------------===//

static bool sameBits(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

/// NaN equals NaN, 0.0 differs from -0.0: the constants print alike and mean the same.
static bool sameValue(const Const& a, const Const& b) {
  if (const auto* x = std::get_if<double>(&a.value))
    if (const auto* y = std::get_if<double>(&b.value)) return sameBits(*x, *y);
  if (const auto* x = std::get_if<std::complex<double>>(&a.value))
    if (const auto* y = std::get_if<std::complex<double>>(&b.value))
      return sameBits(x->real(), y->real()) && sameBits(x->imag(), y->imag());
  return a.value == b.value;
}

static bool sameLoops(const std::vector<Range>& a, const std::vector<Range>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Range& x, const Range& y) {
    return x.index == y.index && x.parallel == y.parallel && x.block == y.block &&
           x.singleBlock == y.singleBlock;
  });
}

bool sameTable(const Table& a, const Table& b) {
  return &a == &b ||
         (a.name == b.name && a.type == b.type &&
          std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), sameValue));
}

bool sameFunction(const FunctionRef& a, const FunctionRef& b) {
  if (a == b || !a || !b) return a == b;
  if (a->name != b->name || a->span.begin != b->span.begin || print(a->body) != print(b->body)) return false;
  std::vector<FunctionRef> calledByA, calledByB;
  const auto find = [](const Function& f, std::vector<FunctionRef>& found) {
    visit(f.body, nullptr, [&](const Expr& e) {
      if (const auto* call = e.as<Apply>()) found.push_back(call->function);
      return true;
    });
  };
  find(*a, calledByA);
  find(*b, calledByB);
  return std::ranges::equal(a->params, b->params, {}, &Param::type, &Param::type) &&
         std::ranges::equal(calledByA, calledByB, sameFunction);
}

/// What a node says besides its type and children.
static bool sameLabel(const Expr& a, const Expr& b) {
  return match(
      a, [&](const Const& n) { return sameValue(n, *b.as<Const>()); },
      [&](const Var& n) { return n.name == b.as<Var>()->name; },
      [&](const Load& n) { return n.buffer == b.as<Load>()->buffer; },
      [&](const Unary& n) { return n.op == b.as<Unary>()->op; },
      [&](const Binary& n) { return n.op == b.as<Binary>()->op; }, [](const Cast&) { return true; },
      [](const Select&) { return true; }, [&](const Call& n) { return n.fn == b.as<Call>()->fn; },
      [&](const Lookup& n) { return sameTable(*n.table, *b.as<Lookup>()->table); },
      [&](const Reduce& n) { return n.op == b.as<Reduce>()->op && sameLoops(n.over, b.as<Reduce>()->over); },
      [&](const Apply& n) { return sameFunction(n.function, b.as<Apply>()->function); },
      [&](const Hardware& n) { return n.which == b.as<Hardware>()->which; });
}

bool equalNodes(const Expr& a, const Expr& b, bool (*same)(const Expr&, const Expr&)) {
  if (a->node.index() != b->node.index() || typeOf(a) != typeOf(b) || !sameLabel(a, b)) return false;
  std::vector<Expr> left, right;
  eachChild(*a, [&](const Expr& child) { left.push_back(child); });
  eachChild(*b, [&](const Expr& child) { right.push_back(child); });
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

bool equal(const Expr& a, const Expr& b) { return a == b || (a && b && equalNodes(a, b, equal)); }

DType typeOf(const Expr& e) {
  return std::visit(
      Overloaded{[](const Hardware&) { return DType::I64; }, [](const auto& n) { return n.type; }}, e->node);
}

} // namespace appyc::ir
