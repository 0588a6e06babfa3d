//===- Build.h - short spellings for making ir, with constant folding of index arithmetic ----------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <functional>
#include <optional>
#include <string_view>

namespace appyc::ir {

template <class T> Expr make(T node) {
  return Expr(std::make_shared<const ExprNode>(ExprNode{std::move(node)}));
}
template <class T> Stmt makeStmt(Span span, T node) {
  return Stmt(std::make_shared<const StmtNode>(StmtNode{span, std::move(node)}));
}

Expr intConst(int64_t value, DType type = DType::I64);
Expr boolConst(bool value);
Expr floatConst(double value, DType type = DType::F64);
/// The number `value` as a constant of any type.
Expr constOf(DType type, double value);
Expr var(Symbol name, DType type = DType::I64);
Expr load(const Buffer& buffer, std::vector<Expr> index);
Expr cast(DType type, Expr e); ///< `e` itself when it has the type; constants fold
Expr binary(BinaryOp op, Expr a,
            Expr b); ///< operands of one type; type from the operator; folds integer constants
Expr unary(UnaryOp op, Expr a);
Expr select(Expr cond, Expr then, Expr otherwise);
Expr lookup(std::shared_ptr<const Table> table, Expr index); ///< a constant for a constant index
Expr call(Intrinsic fn, DType type, std::vector<Expr> args);

// Index arithmetic (I64), simplified: x+0, x*1, constants gathered to the right: (x+1)-1 is x.
Expr add(const Expr& a, const Expr& b);
Expr sub(const Expr& a, const Expr& b);
Expr mul(Expr a, Expr b);
Expr minOf(const Expr& a, const Expr& b);
Expr maxOf(const Expr& a, const Expr& b);
Expr ceilDiv(Expr a, Expr b); ///< b > 0

std::optional<int64_t> constantInt(const Expr&); ///< value of an integer constant
bool isConst(const Expr&, int64_t value);

/// How many elements, and how many different keys, the routines by keys take.
constexpr int64_t kMostKeys = int64_t{1} << 30;
/// Elements that FoldByKey folds to: of few bins those of each part, which it has folded apart.
Expr foldRoom(const Expr& count, const Expr& bins);

/// The number of elements; 1 for rank 0.
Expr elementCount(const Buffer&);
/// Bytes of shared memory that the arrays on chip in the body of a kernel take, each beginning at a multiple of 16.
Expr bytesOnChip(const Stmt& body);

/// Identity element of `op` in `type`.
Expr identity(ReduceOp op, DType type);
/// `a op b`.
Expr combine(ReduceOp op, Expr a, Expr b);
/// Python's `max(kept, by)` as a choice: one side of the comparison is taken. Of floats `kept` must be what a false comparison
/// gives, so that NaN changes nothing; in `max(by, kept)` the order would matter.
struct Extreme {
  ReduceOp op;
  Expr by;
};
std::optional<Extreme> extremeOf(const Select&, const std::function<bool(const Expr&)>& isKept);
/// What its operator collects to the same: of floats NaN counts as nothing, as no comparison with it holds.
Expr collectedBy(const Extreme&);
/// What has to hold for a condition, in the order in which it is asked: the operands of `and`.
std::vector<Expr> conjunctsOf(const Expr& condition);
/// x of a subscript that counts from the end where x is negative (`x + n if x < 0 else x`); an empty handle for all else.
Expr beforeWrap(const Expr& subscript);
std::string_view name(ReduceOp);
std::string nameOfFold(ReduceOp); ///< of a scalar that collects it: `total`, `max_value`
std::string_view name(BinaryOp);  ///< symbol as in Python, "min"/"max" for those
struct IntrinsicInfo {
  std::string_view id, numpy;
  int arity;
  std::string_view result, code;
};
const IntrinsicInfo& info(Intrinsic);
std::optional<Intrinsic> intrinsicNamed(std::string_view numpyName);

/// How a routine uses an operand (Routines.def).
enum class Effect { In, Out, InOut, Scratch };
constexpr bool reads(Effect e) { return e == Effect::In || e == Effect::InOut; }
constexpr bool writes(Effect e) { return e != Effect::In; }
struct RoutineOperand {
  std::string_view name;
  Effect effect;
  std::optional<DType> type; ///< none: any
};
struct RoutineInfo {
  std::string_view function; ///< of the support code
  std::string_view library;  ///< that it is linked with on the cuda target; or none
  std::string_view ofCpu;    ///< that it may be linked with on the cpu target; or none
  bool keepsPlans;           ///< of that library, until they are released
  int64_t launches;          ///< of kernels, if it does nothing else
  bool folds;                ///< by an operator
  size_t numbers;
  std::vector<RoutineOperand> operands;
};
const RoutineInfo& info(RoutineName);
/// Calls `visit` with each operand and how it is used.
template <class Visit> void forEachOperand(const Routine& r, Visit&& visit) {
  const std::vector<RoutineOperand>& rows = info(r.name).operands;
  for (size_t i = 0; i < r.operands.size(); ++i) visit(r.operands[i], rows[i].effect);
}

/// Blocks are flattened; one statement stays itself; none gives an empty Block.
Stmt block(std::vector<Stmt> body);
/// Statements of a Block, or the statement itself; none for an empty handle.
std::vector<Stmt> statementsOf(const Stmt& s);
/// for index in range(lo, hi, step), in order.
For serialLoop(Symbol index, Expr lo, Expr hi, Expr step, Stmt body);
/// The same in any order; `lanes`: of the worker that shares it, 0 leaves them open.
For provenLoop(Symbol index, Expr lo, Expr hi, Stmt body, int lanes = 0);
/// The same loop around something else.
For withBody(For loop, Stmt body);
/// The index of a matrix's element (row, column) in its buffer.
std::vector<Expr> elementOf(const Matrix& m, const Expr& row, const Expr& column);

} // namespace appyc::ir
