//===- Build.cpp - short spellings for making ir ---------------------------------------------------===//
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
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

/// The operation as it stands.
static Expr operation(BinaryOp op, Expr a, Expr b) {
  const DType type = typeOf(a);
  if (type != typeOf(b))
    internalError(
        fmt::format("operands of `{}` have types {} and {}", name(op), name(type), name(typeOf(b))));
  if ((op == BinaryOp::LogicalAnd || op == BinaryOp::LogicalOr) && !isBool(type))
    internalError(fmt::format("operands of `{}` have type {}", name(op), name(type)));
  return make(Binary{op >= BinaryOp::Eq ? DType::Bool : type, op, std::move(a), std::move(b)});
}

Expr binary(BinaryOp op, Expr a, Expr b) { return simplifiedNode(operation(op, std::move(a), std::move(b))); }

Expr unary(UnaryOp op, Expr a) {
  DType type = typeOf(a);
  if (op == UnaryOp::LogicalNot && !isBool(type))
    internalError(fmt::format("operand of `not` has type {}", name(type)));
  return simplifiedNode(make(Unary{type, op, std::move(a)}));
}

Expr cast(DType type, Expr e) { return simplifiedNode(make(Cast{type, std::move(e)})); }

Expr select(Expr cond, Expr then, Expr otherwise) {
  DType type = typeOf(then);
  if (type != typeOf(otherwise) || !isBool(typeOf(cond)))
    internalError(
        fmt::format("select of {} and {} by {}", name(type), name(typeOf(otherwise)), name(typeOf(cond))));
  return simplifiedNode(make(Select{type, std::move(cond), std::move(then), std::move(otherwise)}));
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
  return simplifiedNode(make(Call{type, fn, std::move(args)}));
}

//===--- index arithmetic -------------------------------------------------------------------------------===//

Expr add(const Expr& a, const Expr& b) { return simplifiedIndex(operation(BinaryOp::Add, a, b)); }
Expr sub(const Expr& a, const Expr& b) { return simplifiedIndex(operation(BinaryOp::Sub, a, b)); }
Expr mul(Expr a, Expr b) { return simplifiedIndex(operation(BinaryOp::Mul, std::move(a), std::move(b))); }
Expr minOf(const Expr& a, const Expr& b) { return simplifiedIndex(operation(BinaryOp::Min, a, b)); }
Expr maxOf(const Expr& a, const Expr& b) { return simplifiedIndex(operation(BinaryOp::Max, a, b)); }

Expr ceilDiv(Expr a, Expr b) {
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

std::optional<Extreme> extremeOf(const Select& s, const std::function<bool(const Expr&)>& isKept) {
  const auto* c = s.cond.as<Binary>();
  const bool isRight = isKept(s.otherwise);
  if (!c || isKept(s.then) == isRight || !(isInteger(s.type) || (isFloat(s.type) && isRight))) return {};
  const bool greater = c->op == BinaryOp::Gt || c->op == BinaryOp::Ge;
  if (!greater && c->op != BinaryOp::Lt && c->op != BinaryOp::Le) return {};
  const bool straight = equal(c->lhs, s.then) && equal(c->rhs, s.otherwise);
  if (!straight && !(equal(c->lhs, s.otherwise) && equal(c->rhs, s.then))) return {};
  return Extreme{greater == straight ? ReduceOp::Max : ReduceOp::Min, isRight ? s.then : s.otherwise};
}

Expr collectedBy(const Extreme& e) {
  const DType type = typeOf(e.by);
  return isFloat(type) ? select(call(Intrinsic::IsNan, DType::Bool, {e.by}), identity(e.op, type), e.by)
                       : e.by;
}

std::vector<Expr> conjunctsOf(const Expr& condition) {
  const auto* b = condition.as<Binary>();
  if (!b || b->op != BinaryOp::LogicalAnd) return {condition};
  std::vector<Expr> all = conjunctsOf(b->lhs);
  for (const Expr& e : conjunctsOf(b->rhs)) all.push_back(e);
  return all;
}

Expr beforeWrap(const Expr& subscript) {
  if (const auto* c = subscript.as<Call>(); c && c->fn == Intrinsic::WrapIndex) return c->args[0];
  const auto* choice = subscript.as<Select>();
  const auto* test = choice ? choice->cond.as<Binary>() : nullptr;
  const bool wraps =
      test && test->op == BinaryOp::Lt && isConst(test->rhs, 0) && equal(test->lhs, choice->otherwise);
  return wraps ? choice->otherwise : Expr();
}

std::string_view name(ReduceOp op) {
  static constexpr std::string_view names[] = {"sum", "prod", "min", "max", "all", "any", "xor"};
  return names[static_cast<size_t>(op)];
}

std::string nameOfFold(ReduceOp op) {
  return op == ReduceOp::Sum ? "total" : std::string(name(op)) + "_value";
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

For withBody(For loop, Stmt body) {
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
