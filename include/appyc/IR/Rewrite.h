//===- Rewrite.h - generic traversal: the one place that knows every node's children ---------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <functional>
#include <map>
#include <set>

namespace appyc::ir {

/// Returns the replacement, or an empty handle to keep the node (its children have been rewritten already).
using ExprRule = std::function<Expr(const Expr&)>;
using StmtRule = std::function<Stmt(const Stmt&)>;

/// Bottom-up rewrite. Unchanged subtrees keep their handles. Statement rules may return a Block to insert
/// several.
Expr rewrite(const Expr&, const ExprRule&);
Stmt rewrite(const Stmt&, const StmtRule&, const ExprRule& = nullptr);

/// The statement with `fn` applied to each direct child statement / to each direct expression. Same handle if
/// nothing changed.
Stmt mapChildren(const Stmt&, const std::function<Stmt(const Stmt&)>& fn);
Stmt mapExprs(const Stmt&, const std::function<Expr(const Expr&)>& fn);
Expr mapChildren(const Expr&, const std::function<Expr(const Expr&)>& fn);

/// Pre-order visit; return false to skip the children.
void visit(const Expr&, const std::function<bool(const Expr&)>&);
void visit(const Stmt&, const std::function<bool(const Stmt&)>& onStmt,
           const std::function<bool(const Expr&)>& onExpr = nullptr);
/// Direct expressions / direct child statements of one statement.
void forEachExpr(const Stmt&, const std::function<void(const Expr&)>&);
void forEachChild(const Stmt&, const std::function<void(const Stmt&)>&);

Expr substitute(const Expr&, const std::map<Symbol, Expr>&); ///< replaces Var nodes
Stmt substitute(const Stmt&, const std::map<Symbol, Expr>&);
/// A copy of a statement (level Loop, for the device) beside which the original stays: the arrays that it makes are others,
/// which are added to the function's `buffers`.
Stmt withOwnArrays(const Stmt&, std::vector<Buffer>& buffers);
/// Structural equality up to nothing (symbols are identities).
bool equal(const Expr&, const Expr&);
bool sameTable(const Table&, const Table&); ///< one name, type and values
/// Are they of one text of the source, for parameters of the same types? Then they compute the same.
bool sameFunction(const FunctionRef&, const FunctionRef&);
/// Structural equality of linear index arithmetic: `N-1+1` equals `N`.
bool equalIndex(const Expr&, const Expr&);
uint64_t indexHash(const Expr&);                                       ///< the same of equal ones
bool equalIndices(const std::vector<Expr>&, const std::vector<Expr>&); ///< each with the other's, as many

std::set<Symbol> freeVars(const Expr&);         ///< Var symbols
bool mentions(const Expr&, const Symbol& var);  ///< as Var
std::set<Symbol> assignedVars(const Stmt&);     ///< by Assign, Collective, Fetch; loop indices not included
std::set<Symbol> assignedByHost(const Stmt&);   ///< by Assign, outside of kernels
std::set<Symbol> loopIndices(const Stmt&);      ///< of all loops in it
std::set<Symbol> varyingWith(const For&);       ///< its index, and what its body assigns
std::map<Symbol, Expr> onlyValues(const Stmt&); ///< of the variables that one Assign gives a value
std::set<Symbol> allocatedBuffers(const Stmt&); ///< by Alloc
std::map<Symbol, DType> assignedTypes(const Stmt&); ///< of the variables that Assign gives a value
std::set<Symbol> storedBuffers(const Stmt&);        ///< by Store, IndexStmt, MatMul and Routine
std::set<Symbol> loadedBuffers(const Stmt&);
std::set<Symbol> loadedBuffers(const Expr&);
bool touches(const Stmt&, const Symbol& buffer); ///< loads or stores
int countLoads(const Stmt&, const Symbol& buffer);
int countReads(const Stmt&, const Symbol& variable);
bool intersect(const std::set<Symbol>& a, const std::set<Symbol>& b); ///< have they one in common?
std::set<Symbol> intersection(const std::set<Symbol>& a, const std::set<Symbol>& b);
int64_t mostLaunches(const Stmt&);             ///< of kernels, in one run of a body without loops
int64_t leastLaunches(const Stmt& s);          ///< of the branch with fewer
bool readsTarget(const MatMul&);               ///< beta is not the constant 0
bool isContiguous(const Matrix&);              ///< its rows or its columns are
bool sameMatrix(const Matrix&, const Matrix&); ///< with one start and layout
bool readsMemory(const Expr&);                 ///< contains a Load or Reduce

} // namespace appyc::ir
