//===- Build.cpp - short spellings for making ir ---------------------------------------------------===//
#include "appyc/IR/Build.h"
#include "Fold.h"
#include "Linear.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Support/InternalError.h"
#include <fmt/format.h>

namespace appyc::ir {

Expr var(Symbol name, DType type) { return make(Var{type, std::move(name)}); }

Expr load(const Buffer& buffer, std::vector<Expr> index) {
  if (index.size() != buffer.extents.size())
    internalError(fmt::format("load of `{}` with {} indices, rank is {}", buffer.name.hint(), index.size(),
                              buffer.extents.size()));
  return make(Load{buffer.type, buffer.name, std::move(index)});
}

static bool givesBool(BinaryOp op) { return op >= BinaryOp::Eq; }

/// `true and x` is x; `false and x` is false; likewise for `or`.
static Expr simplifyLogical(BinaryOp op, const Expr& a, const Expr& b) {
  bool neutral = op == BinaryOp::LogicalAnd;
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
    if (const auto* c = one.as<Const>()) return std::get<bool>(c->value) == neutral ? other : one;
  return {};
}

Expr binary(BinaryOp op, Expr a, Expr b) {
  DType type = typeOf(a);
  if (type != typeOf(b))
    internalError(
        fmt::format("operands of `{}` have types {} and {}", name(op), name(type), name(typeOf(b))));
  if (op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr) {
    if (!isBool(type)) internalError(fmt::format("operands of `{}` have type {}", name(op), name(type)));
    if (Expr simpler = simplifyLogical(op, a, b)) return simpler;
  } else if (a.is<Const>() && b.is<Const>()) {
    if (Expr folded = foldBinary(op, *a.as<Const>(), *b.as<Const>())) return folded;
  } else if (isUnsigned(type)) { // is never below zero; compilers warn of the question
    if (isConst(b, 0) && (op == BinaryOp::Lt || op == BinaryOp::Ge)) return boolConst(op == BinaryOp::Ge);
    if (isConst(a, 0) && (op == BinaryOp::Gt || op == BinaryOp::Le)) return boolConst(op == BinaryOp::Le);
  }
  return make(Binary{givesBool(op) ? DType::Bool : type, op, std::move(a), std::move(b)});
}

Expr unary(UnaryOp op, Expr a) {
  DType type = typeOf(a);
  if (op == UnaryOp::LogicalNot && !isBool(type))
    internalError(fmt::format("operand of `not` has type {}", name(type)));
  if (const auto* c = a.as<Const>())
    if (Expr folded = foldUnary(op, *c)) return folded;
  if (const auto* inner = a.as<Unary>(); inner && inner->op == op && op == UnaryOp::LogicalNot)
    return inner->arg;
  return make(Unary{type, op, std::move(a)});
}

Expr cast(DType type, Expr e) {
  if (typeOf(e) == type) return e;
  if (const auto* c = e.as<Const>())
    if (Expr folded = foldCast(type, *c)) return folded;
  return make(Cast{type, std::move(e)});
}

Expr select(Expr cond, Expr then, Expr otherwise) {
  DType type = typeOf(then);
  if (type != typeOf(otherwise) || !isBool(typeOf(cond)))
    internalError(
        fmt::format("select of {} and {} by {}", name(type), name(typeOf(otherwise)), name(typeOf(cond))));
  if (const auto* c = cond.as<Const>()) return std::get<bool>(c->value) ? then : otherwise;
  if (equal(then, otherwise)) return then;
  return make(Select{type, std::move(cond), std::move(then), std::move(otherwise)});
}

Expr lookup(std::shared_ptr<const Table> table, Expr index) {
  const std::optional<int64_t> k = constantInt(index);
  if (k && *k >= 0 && *k < static_cast<int64_t>(table->values.size()))
    return make(Const(table->values[static_cast<size_t>(*k)]));
  const DType type = table->type;
  return make(Lookup{type, std::move(table), std::move(index)});
}

Expr call(Intrinsic fn, DType type, std::vector<Expr> args) {
  if (args.size() != static_cast<size_t>(info(fn).arity))
    internalError(fmt::format("`{}` called with {} arguments", info(fn).numpy, args.size()));
  return make(Call{type, fn, std::move(args)});
}

//===--- index arithmetic -------------------------------------------------------------------------------===//

static bool areIndices(const Expr& a, const Expr& b) {
  return typeOf(a) == DType::I64 && typeOf(b) == DType::I64;
}

/// a + scale * b; the handle of `a` or `b` itself where the other vanishes.
static Expr linearSum(const Expr& a, const Expr& b, int64_t scale) {
  if (isConst(b, 0)) return a;
  if (isConst(a, 0) && scale == 1) return b;
  LinearForm form = linearForm(a);
  form.addExpr(b, scale);
  return form.toExpr();
}

Expr add(const Expr& a, const Expr& b) {
  return areIndices(a, b) ? linearSum(a, b, 1) : binary(BinaryOp::Add, a, b);
}
Expr sub(const Expr& a, const Expr& b) {
  return areIndices(a, b) ? linearSum(a, b, -1) : binary(BinaryOp::Sub, a, b);
}

Expr mul(Expr a, Expr b) {
  if (!areIndices(a, b)) return binary(BinaryOp::Mul, a, b);
  if (constantInt(a)) std::swap(a, b);
  auto factor = constantInt(b);
  if (!factor) return make(Binary{DType::I64, BinaryOp::Mul, std::move(a), std::move(b)});
  if (*factor == 1) return a;
  LinearForm form;
  form.addExpr(a, *factor);
  return form.toExpr();
}

/// `a` when a op b is always a, judged by a constant difference.
static bool wins(BinaryOp op, const Expr& a, const Expr& b) {
  auto difference = constantDifference(a, b);
  return difference && (op == BinaryOp::Min ? *difference <= 0 : *difference >= 0);
}

/// min(min(x, y), b), where x or y is comparable with b.
static Expr absorb(BinaryOp op, const Expr& nested, const Expr& b) {
  const auto* inner = nested.as<Binary>();
  if (!inner || inner->op != op) return {};
  if (wins(op, inner->lhs, b) || wins(op, inner->rhs, b)) return nested;
  if (wins(op, b, inner->lhs)) return make(Binary{DType::I64, op, b, inner->rhs});
  if (wins(op, b, inner->rhs)) return make(Binary{DType::I64, op, inner->lhs, b});
  return {};
}

static Expr extremum(BinaryOp op, const Expr& a, const Expr& b) {
  if (!areIndices(a, b)) return binary(op, a, b);
  if (wins(op, a, b)) return a;
  if (wins(op, b, a)) return b;
  if (Expr folded = absorb(op, a, b)) return folded;
  if (Expr folded = absorb(op, b, a)) return folded;
  return make(Binary{DType::I64, op, a, b});
}

Expr minOf(const Expr& a, const Expr& b) { return extremum(BinaryOp::Min, a, b); }
Expr maxOf(const Expr& a, const Expr& b) { return extremum(BinaryOp::Max, a, b); }

Expr ceilDiv(Expr a, Expr b) {
  if (isConst(b, 1)) return a;
  Expr top = add(a, sub(b, intConst(1)));
  return binary(BinaryOp::FloorDiv, std::move(top), std::move(b));
}

Expr elementCount(const Buffer& b) {
  Expr count = intConst(1);
  for (const Expr& e : b.extents) count = mul(count, e);
  return count;
}

Expr bytesOnChip(const Stmt& body) {
  constexpr int64_t unit = 16;
  Expr bytes = intConst(0);
  visit(body, [&](const Stmt& s) {
    const auto* alloc = s.as<Alloc>();
    if (!alloc || !alloc->buffer.onChip) return true;
    const Expr size = mul(elementCount(alloc->buffer), intConst(byteSize(alloc->buffer.type)));
    bytes = add(bytes, mul(ceilDiv(size, intConst(unit)), intConst(unit)));
    return true;
  });
  return bytes;
}

Expr foldRoom(const Expr& count, const Expr& bins) {
  const Expr tiles = minOf(ceilDiv(count, intConst(4096)), intConst(512));
  return mul(select(binary(BinaryOp::Le, bins, intConst(1024)), tiles, intConst(1)), bins);
}

//===--- names and tables -------------------------------------------------------------------------------===//

Expr combine(ReduceOp op, Expr a, Expr b) {
  bool logical = isBool(typeOf(a));
  switch (op) {
  case ReduceOp::Sum: return binary(BinaryOp::Add, std::move(a), std::move(b));
  case ReduceOp::Prod: return binary(BinaryOp::Mul, std::move(a), std::move(b));
  case ReduceOp::Min: return binary(BinaryOp::Min, std::move(a), std::move(b));
  case ReduceOp::Max: return binary(BinaryOp::Max, std::move(a), std::move(b));
  case ReduceOp::And:
    return binary(logical ? BinaryOp::LogicalAnd : BinaryOp::BitAnd, std::move(a), std::move(b));
  case ReduceOp::Or:
    return binary(logical ? BinaryOp::LogicalOr : BinaryOp::BitOr, std::move(a), std::move(b));
  case ReduceOp::Xor: return binary(BinaryOp::BitXor, std::move(a), std::move(b));
  }
  internalError("unknown reduction operator");
}

std::string_view name(ReduceOp op) {
  static constexpr std::string_view names[] = {"sum", "prod", "min", "max", "all", "any", "xor"};
  return names[static_cast<size_t>(op)];
}

std::string_view name(BinaryOp op) {
  static constexpr std::string_view names[] = {
      "+", "-",  "*",  "/",  "//", "%", "**", "min", "max", "&",   "|",
      "^", "<<", ">>", "==", "!=", "<", "<=", ">",   ">=",  "and", "or"};
  return names[static_cast<size_t>(op)];
}

static constexpr IntrinsicInfo kIntrinsics[] = {
#define INTRINSIC(Name, numpy, arity, result, cuda) {#Name, numpy, arity, #result, cuda},
#include "appyc/IR/Intrinsics.def"
#undef INTRINSIC
};

const IntrinsicInfo& info(Intrinsic fn) { return kIntrinsics[static_cast<size_t>(fn)]; }

const RoutineInfo& info(RoutineName name) {
  static const RoutineInfo kRoutines[] = {
#define ROUTINE(Id, function, library, ofCpu, plans, launches, folds, count, ...)                            \
  {function, library, ofCpu, plans, launches, folds, count, {__VA_ARGS__}},
#include "appyc/IR/Routines.def"
#undef ROUTINE
  };
  return kRoutines[static_cast<size_t>(name)];
}

std::optional<Intrinsic> intrinsicNamed(std::string_view numpyName) {
  for (const auto& row : kIntrinsics)
    if (row.numpy == numpyName) return static_cast<Intrinsic>(&row - kIntrinsics);
  return std::nullopt;
}

static void flattenInto(std::vector<Stmt>& out, const Stmt& s) {
  if (!s) return;
  if (const auto* nested = s.as<Block>()) {
    for (const Stmt& child : nested->body) flattenInto(out, child);
    return;
  }
  out.push_back(s);
}

Stmt block(std::vector<Stmt> body) {
  if (!std::all_of(body.begin(), body.end(), [](const Stmt& s) { return s && !s.is<Block>(); })) {
    std::vector<Stmt> flat;
    for (const Stmt& s : body) flattenInto(flat, s);
    body = std::move(flat);
  }
  if (body.size() == 1) return body.front();
  return makeStmt({}, Block{std::move(body)});
}

std::vector<Stmt> statementsOf(const Stmt& s) {
  if (!s) return {};
  if (const auto* b = s.as<Block>()) return b->body;
  return {s};
}

For serialLoop(Symbol index, Expr lo, Expr hi, Expr step, Stmt body) {
  For loop;
  loop.index = std::move(index);
  loop.lo = std::move(lo);
  loop.hi = std::move(hi);
  loop.step = std::move(step);
  loop.body = std::move(body);
  return loop;
}

For provenLoop(Symbol index, Expr lo, Expr hi, Stmt body, int lanes) {
  For loop = serialLoop(std::move(index), std::move(lo), std::move(hi), intConst(1), std::move(body));
  loop.order = Order::Proven;
  loop.hints.vectorLength = lanes;
  return loop;
}

std::vector<Expr> elementOf(const Matrix& m, const Expr& row, const Expr& column) {
  std::vector<Expr> at = m.at;
  at[static_cast<size_t>(m.row)] = add(at[static_cast<size_t>(m.row)], row);
  at[static_cast<size_t>(m.column)] = add(at[static_cast<size_t>(m.column)], column);
  return at;
}

} // namespace appyc::ir
