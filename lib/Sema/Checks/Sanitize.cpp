//===- Sanitize.cpp - checks where CPython would raise (--sanitize=bounds,arithmetic) --------------------===//
//   y = x[k[i]] // d      =>     require -len(k) <= i < len(k), IndexError, "index .. is out of bounds .."
//                                n = k[i]
//                                require -len(x) <= n < len(x), IndexError, ..
//                                require d != 0, ZeroDivisionError, ..         (of Python's numbers: NumPy's warn)
//                                y = x[n] // d
// A check stands in the statement list where the value is computed, so the first that fails is the first of the
// program's order. What the loops' bounds prove needs none.
#include "Lowering.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Simplify.h"
#include <limits>

namespace appyc::sema {

namespace {
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();

Expr compared(ir::BinaryOp op, const Expr& a, const Expr& b) { return ir::binary(op, a, b); }

int bitsOfNumber(int64_t value) {
  uint64_t size = value < 0 ? ~static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  int bits = 0;
  for (; size != 0; size >>= 1) ++bits;
  return bits;
}
} // namespace

void Lowering::checkAt(Span where, Expr holds, const char* exception, const Message& message) {
  if (ir::constantBool(holds) == true) return;
  emit(ir::makeStmt(where, message.check(std::move(holds), exception, [](const Expr&) { return true; })));
}

//===--- bounds -----------------------------------------------------------------------------------------===//

static Message outOfBounds(const Expr& at, const Expr& n, const Array& base, size_t axis) {
  const std::string name = base.view ? fmt::format("`{}`", base.view->buffer.name.hint()) : "the array";
  return Message("index ")
      .number(at)
      .text(fmt::format(" is out of bounds for axis {} of {} with size ", axis, name))
      .number(n);
}

static Expr isInRange(const Expr& at, const Expr& n) {
  return ir::both(compared(ir::BinaryOp::Ge, at, ir::sub(ir::intConst(0), n)),
                  compared(ir::BinaryOp::Lt, at, n));
}

Expr Lowering::checkedIndex(Expr at, const Array& base, size_t axis, Span where) {
  if (!sanitize_.bounds) return at;
  const Expr& n = base.shape[axis];
  at = checkedOnce(at);
  const bool proven = !ir::readsMemory(n) && isNonNegative(ir::sub(ir::sub(n, at), ir::intConst(1))) &&
                      (isNonNegative(at) || isNonNegative(ir::add(at, n)));
  if (!proven) checkAt(where, isInRange(at, n), "IndexError", outOfBounds(at, n, base, axis));
  return at;
}

/// All of an index array's elements, before any is used: the first that lies outside is named.
void Lowering::checkIndexArray(const Array& indices, const Array& base, size_t axis, Span where) {
  if (!sanitize_.bounds) return;
  const Expr& n = base.shape[axis];
  Array outside;
  outside.type = DType::I64;
  outside.shape = indices.shape;
  outside.at = [&](const Indices& i) {
    Expr position = ir::intConst(0);
    for (size_t d = 0; d < i.size(); ++d) position = ir::add(ir::mul(position, indices.shape[d]), i[d]);
    return ir::select(isInRange(ir::cast(DType::I64, indices.at(i)), n), ir::intConst(kMost), position);
  };
  const Value found = reduceAll(ir::ReduceOp::Min, outside, where);
  const auto* first = found.as<Scalar>();
  if (!first) return;
  const Expr position = materialize(first->e, "outside"), none = ir::intConst(kMost);
  Indices element(indices.shape.size());
  Expr rest = position;
  for (size_t d = element.size(); d-- > 0;) {
    const Expr extent = ir::maxOf(indices.shape[d], ir::intConst(1));
    element[d] = d == 0 ? rest : ir::binary(ir::BinaryOp::Mod, rest, extent);
    rest = ir::binary(ir::BinaryOp::FloorDiv, rest, extent);
  }
  const Expr isInside = compared(ir::BinaryOp::Eq, position, none);
  const Expr index =
      materialize(ir::select(isInside, ir::intConst(0), ir::cast(DType::I64, indices.at(element))), "index");
  checkAt(where, isInside, "IndexError", outOfBounds(index, n, base, axis));
}

//===--- arithmetic -------------------------------------------------------------------------------------===//

/// The value of an integer has no more bits than this; 63 for any.
int Lowering::bitsOf(const Expr& e) const {
  constexpr int any = 63, ofSize = 48;
  if (const std::optional<int64_t> c = ir::constantInt(e)) return bitsOfNumber(*c);
  if (const auto* v = e.as<ir::Var>()) {
    if (sizes_.count(v->name)) return ofSize;
    for (const ir::For& loop : loops_)
      if (loop.index == v->name) return std::max(bitsOf(loop.lo), bitsOf(loop.hi));
    return any;
  }
  if (const auto* c = e.as<ir::Cast>(); c && !ir::isFloat(ir::typeOf(c->arg)))
    return ir::byteSize(ir::typeOf(c->arg)) < 8 ? 8 * ir::byteSize(ir::typeOf(c->arg)) : bitsOf(c->arg);
  if (const auto* s = e.as<ir::Select>()) return std::max(bitsOf(s->then), bitsOf(s->otherwise));
  const auto* b = e.as<ir::Binary>();
  if (!b) return any;
  const int l = bitsOf(b->lhs), r = bitsOf(b->rhs);
  switch (b->op) {
  case ir::BinaryOp::Add:
  case ir::BinaryOp::Sub: return std::min(any, std::max(l, r) + 1);
  case ir::BinaryOp::Mul: return std::min(any, l + r);
  case ir::BinaryOp::Min:
  case ir::BinaryOp::Max: return std::max(l, r);
  case ir::BinaryOp::FloorDiv: return l;
  case ir::BinaryOp::Mod: return r;
  default: return any;
  }
}

/// Python's integers have no end; those of 64 bits have.
void Lowering::checkOverflow(ir::BinaryOp op, const Expr& l, const Expr& r, Span where) {
  using Op = ir::BinaryOp;
  const Expr zero = ir::intConst(0), least = ir::intConst(kLeast), most = ir::intConst(kMost),
             one = ir::intConst(1);
  const auto made = [](Op o, const Expr& a, const Expr& b) { return ir::binary(o, a, b); };
  const bool isSum = op == Op::Add || op == Op::Sub;
  const int bits = isSum ? std::max(bitsOf(l), bitsOf(r)) + 1 : bitsOf(l) + bitsOf(r);
  Expr fits;
  if (isSum && bits > 63) {
    const Op back = op == Op::Add ? Op::Sub : Op::Add;
    const Expr below = made(Op::Le, l, made(back, most, r)), above = made(Op::Ge, l, made(back, least, r));
    const bool isAdd = op == Op::Add;
    fits = ir::select(made(Op::Ge, r, zero), isAdd ? below : above, isAdd ? above : below);
  } else if (op == Op::Mul && bits > 63) {
    const Expr ofPositive =
        ir::both(made(Op::Le, l, made(Op::FloorDiv, most, r)),
                 made(Op::Ge, l, made(Op::FloorDiv, made(Op::Add, least, made(Op::Sub, r, one)), r)));
    const Expr ofNegative =
        ir::both(made(Op::Le, l, made(Op::FloorDiv, least, r)),
                 made(Op::Ge, l, made(Op::Sub, zero, made(Op::FloorDiv, most, made(Op::Sub, zero, r)))));
    const Expr ofMinusOne = made(Op::Ne, l, least);
    fits = ir::select(made(Op::Gt, r, zero), ofPositive,
                      ir::select(made(Op::Eq, r, zero), ir::boolConst(true),
                                 ir::select(made(Op::Eq, r, ir::intConst(-1)), ofMinusOne, ofNegative)));
  } else if (op == Op::Shl) {
    const Expr short_ = made(Op::Le, r, ir::intConst(63));
    const Expr inside = ir::select(made(Op::Ge, l, zero), made(Op::Le, l, made(Op::Shr, most, r)),
                                   made(Op::Ge, l, made(Op::Shr, least, r)));
    fits = made(Op::LogicalOr, made(Op::Eq, l, zero), ir::both(short_, inside));
  }
  if (fits)
    checkAt(where, fits, "OverflowError",
            Message("an integer past 64 bits: ").number(l).text(fmt::format(" {} ", ir::name(op))).number(r));
}

/// Of two of Python's own numbers; `a` and `b` become what is read once.
void Lowering::checkArithmetic(ir::BinaryOp op, Value& a, Value& b, const Strength& s, Span where) {
  const auto *x = a.as<Scalar>(), *y = b.as<Scalar>();
  if (!sanitize_.arithmetic || !x || !y || !s.weak || ir::isComplex(s.type)) return;
  a = Value{Scalar{checkedOnce(x->e), x->weak}};
  b = Value{Scalar{checkedOnce(y->e), y->weak}};
  const DType type = s.type;
  const Expr l = ir::cast(type, a.as<Scalar>()->e), r = ir::cast(type, b.as<Scalar>()->e);
  if (ir::isInteger(type)) checkOverflow(op, l, r, where);
}

/// Of Python's floats, zero to a negative power raises; of its integers, what is past 64 bits. `a` and `b` become what
/// is computed once.
void Lowering::checkPower(Value& a, Value& b, const Strength& s, Span where) {
  const auto *x = a.as<Scalar>(), *y = b.as<Scalar>();
  if (!raisesHere() || !x || !y || !s.weak || ir::isComplex(s.type)) return;
  if (!ir::isFloat(s.type) && !sanitize_.arithmetic) return;
  a = Value{Scalar{namedOnce(x->e, "x"), x->weak}};
  b = Value{Scalar{namedOnce(y->e, "y"), y->weak}};
  const auto as = [](DType type, const Value& v) { return ir::cast(type, v.as<Scalar>()->e); };
  if (!ir::isFloat(s.type)) {
    // Doubles near the end of 64 bits are powers of two, which are exact, or far enough from it.
    const Expr power =
        materialize(ir::binary(ir::BinaryOp::Pow, as(DType::F64, a), as(DType::F64, b)), "power");
    const Expr end = ir::floatConst(9223372036854775808.0);
    checkAt(where,
            ir::both(compared(ir::BinaryOp::Ge, power, ir::unary(ir::UnaryOp::Neg, end)),
                     compared(ir::BinaryOp::Lt, power, end)),
            "OverflowError",
            Message("an integer past 64 bits: ")
                .number(as(DType::I64, a))
                .text(" ** ")
                .number(as(DType::I64, b)));
    return;
  }
  const Expr zero = ir::constOf(s.type, 0), exponent = as(s.type, b);
  if (const auto* known = exponent.as<ir::Const>()) {
    const auto* value = std::get_if<double>(&known->value);
    if (value && *value >= 0) return;
  }
  const Expr isZero = compared(ir::BinaryOp::Eq, as(s.type, a), zero);
  const Expr divides = ir::both(compared(ir::BinaryOp::Lt, exponent, zero),
                                ir::call(ir::Intrinsic::IsFinite, DType::Bool, {exponent}));
  checkAt(where, ir::unary(ir::UnaryOp::LogicalNot, ir::both(isZero, divides)), "ZeroDivisionError",
          "0.0 cannot be raised to a negative power");
}

} // namespace appyc::sema
