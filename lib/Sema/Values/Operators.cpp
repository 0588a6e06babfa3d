//===- Operators.cpp - NumPy's operators on scalars and arrays --------------------------------------===//
#include "Lowering.h"
#include "Message.h"
#include "appyc/IR/Simplify.h"

namespace appyc::sema {

std::optional<Strength> Lowering::strengthOf(const Value& v, Span where) {
  if (v.isError()) return std::nullopt;
  if (const auto* s = v.as<Scalar>()) {
    if (s->isExtended) {
      error(DiagId::TypeMismatch, where,
            "this number is a whole number or an infinity, as it has begun with one; convert it, as by "
            "`int(...)` or "
            "`float(...)`");
      return std::nullopt;
    }
    if (s->isOpaque || s->as || !s->others.empty()) {
      error(
          DiagId::TypeMismatch, where,
          "the type of this number depends on the path that was taken; convert it, as by `np.float64(...)`");
      return std::nullopt;
    }
    return Strength{s->type(), s->weak};
  }
  if (const auto* a = v.as<Array>()) return Strength{a->type, false};
  if (const auto* s = v.as<Selection>()) return Strength{s->values.type, false};
  if (const auto* r = v.as<ResidueValue>(); r && r->isPower) {
    error(DiagId::Unsupported, where,
          "integers past 64 bits are not supported; use a float, such as `2.0 ** 64`, or split the value");
    return std::nullopt;
  }
  error(DiagId::TypeMismatch, where, fmt::format("{} cannot be an operand here", describe(v)));
  return std::nullopt;
}

std::optional<Strength> Lowering::promoteAll(const std::vector<Value>& operands, Span where, bool inFloat) {
  std::optional<Strength> all;
  for (const Value& v : operands) {
    std::optional<Strength> s = strengthOf(v, where);
    if (!s) return std::nullopt;
    all = all ? promote(*all, *s) : *s;
  }
  const auto isWhole = [](const Value& v) { return v.as<Scalar>() && ir::isInteger(v.as<Scalar>()->type()); };
  if (all && all->weak && ir::isFloat(all->type) && !inFloat && std::ranges::all_of(operands, isWhole)) {
    error(DiagId::Unsupported, where,
          "Python's integers past 63 bits meet others in operators only here; write `np.uint64(...)`");
    return std::nullopt;
  }
  for (const Value& v : operands)
    if (!inFloat && !holds(all->type, v, where)) return std::nullopt;
  if (tensors_ && !isTypedAlike(operands, all->type, inFloat, where)) return std::nullopt;
  return all;
}

//===--- elementwise ---------------------------------------------------------------------------------===//

Value Lowering::elementwise(const std::vector<Value>& operands, DType result, bool weak,
                            const std::function<Expr(const std::vector<Expr>&)>& fn, Span where) {
  for (const Value& v : operands)
    if (!strengthOf(v, where)) return Value{};
  bool allScalar =
      std::all_of(operands.begin(), operands.end(), [](const Value& v) { return v.as<Scalar>() != nullptr; });
  if (allScalar) {
    std::vector<Expr> args;
    for (const Value& v : operands) args.push_back(v.as<Scalar>()->e);
    return Value{Scalar{fn(args), weak}};
  }
  if (std::any_of(operands.begin(), operands.end(),
                  [](const Value& v) { return v.as<Selection>() != nullptr; }))
    return elementwiseSelected(operands, result, weak, fn, where);
  std::vector<Array> arrays;
  for (const Value& v : operands) {
    Array a = toArray(v);
    if (const auto* s = v.as<Scalar>(); s && mentionsReduce(s->e)) { // once, not once an element
      Expr once = materialize(s->e, "s");
      a.at = [once](const Indices&) { return once; };
    }
    arrays.push_back(a);
  }
  std::optional<std::vector<Expr>> shape = broadcastShape(arrays, where);
  if (!shape) return Value{};
  Array out;
  out.type = result;
  out.shape = *shape;
  std::vector<std::function<Expr(const Indices&)>> parts;
  for (Array& a : arrays) {
    Array wide = broadcastTo(a, *shape);
    if (wide.uninitialised) wide = materialize(wide, "t");
    out.expensive |= wide.expensive;
    parts.push_back(wide.at);
  }
  out.at = [parts, fn](const Indices& i) {
    std::vector<Expr> args;
    for (const auto& at : parts) args.push_back(at(i));
    return fn(args);
  };
  return shape->empty() ? Value{Scalar{out.at({}), weak}}
                        : Value{out}; // NumPy computes numbers of no dimensions
}

//===--- operators ----------------------------------------------------------------------------------===//

static std::optional<ir::BinaryOp> irOp(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add: return ir::BinaryOp::Add;
  case ast::BinaryOp::Sub: return ir::BinaryOp::Sub;
  case ast::BinaryOp::Mul: return ir::BinaryOp::Mul;
  case ast::BinaryOp::Div: return ir::BinaryOp::Div;
  case ast::BinaryOp::FloorDiv: return ir::BinaryOp::FloorDiv;
  case ast::BinaryOp::Mod: return ir::BinaryOp::Mod;
  case ast::BinaryOp::And: return ir::BinaryOp::BitAnd;
  case ast::BinaryOp::Or: return ir::BinaryOp::BitOr;
  case ast::BinaryOp::Xor: return ir::BinaryOp::BitXor;
  case ast::BinaryOp::Shl: return ir::BinaryOp::Shl;
  case ast::BinaryOp::Shr: return ir::BinaryOp::Shr;
  default: return std::nullopt;
  }
}

Value Lowering::binary(ast::BinaryOp op, const Value& x, const Value& y, Span where) {
  if (const std::optional<Value> set = setOperator(op, x, y, where)) return *set;
  if (!isNoSet(x, where) || !isNoSet(y, where)) return Value{};
  if (x.isError() || y.isError()) return Value{};
  if (const std::optional<Value> v = operatorOfClass(op, x, y, where)) return *v;
  // NumPy makes an array of a list or tuple that stands beside one, or beside a number of NumPy's.
  const auto besideArray = [&](const Value& v, const Value& other) {
    const auto* s = other.as<Scalar>();
    const bool repeats = op == ast::BinaryOp::Mul && s;
    if ((!other.as<Array>() && !other.as<Selection>() && !(s && !s->weak)) || repeats) return v;
    if (const auto* t = v.as<TupleValue>()) return arrayLiteral(*t, {}, where);
    const auto* l = v.as<ListValue>();
    const std::optional<Array> numbers = l ? numbersOf(*l, where) : std::nullopt;
    if (!numbers) return v;
    const std::optional<Strength> beside = strengthOf(other, where);
    if (!beside) return Value{};
    const auto gives = [&](DType type) {
      const DType both = promote(*beside, {type, false}).type;
      return op == ast::BinaryOp::Div && ir::isInteger(both) ? DType::F64 : both;
    };
    const Expr& length = numbers->shape[0];
    if (gives(numbers->type) != gives(DType::F64) && !isNonNegative(ir::sub(length, ir::intConst(1))))
      requireWhereRun(ir::binary(ir::BinaryOp::Gt, length, ir::intConst(0)), "NotImplementedError",
                      "NumPy makes an array of float64 of an empty list");
    return Value{*numbers};
  };
  const Value a = besideArray(x, y), b = besideArray(y, x);
  if (a.isError() || b.isError()) return Value{};
  const bool areCharacters = a.as<CharactersValue>() || b.as<CharactersValue>();
  if (areCharacters || isText(a) || (isText(b) && !a.as<TupleValue>())) return textOperator(op, a, b, where);
  const auto isResidue = [](const Value& v) { return v.as<ResidueValue>() != nullptr; };
  const auto isPower = [](const Value& v) { return v.as<ResidueValue>() && v.as<ResidueValue>()->isPower; };
  const auto isFloat = [](const Value& v) {
    const auto* s = v.as<Scalar>();
    const auto* ofArray = v.as<Array>();
    return (s && !ir::isInteger(s->type()) && !ir::isBool(s->type())) ||
           (ofArray && ir::isFloat(ofArray->type));
  };
  const Value power{Scalar{ir::floatConst(0x1p64), true}};
  if (isPower(b) && isFloat(a)) return binary(op, a, power, where);
  if (isPower(a) && isFloat(b)) return binary(op, power, b, where);
  if (const auto known = irOp(op); known && (isResidue(a) || isResidue(b)))
    if (const std::optional<Value> v = foldIntegers(*known, onlyValue(a), onlyValue(b), where)) return *v;
  if (const auto checked = irOp(op)) requireSamePaths(*checked, a, b);
  if (const std::optional<Value> v = ofFloatOrComplex(op, a, b, where)) return *v;
  const bool divides = op == ast::BinaryOp::FloorDiv || op == ast::BinaryOp::Mod;
  const bool isClosed = op == ast::BinaryOp::Add || op == ast::BinaryOp::Sub || op == ast::BinaryOp::Mul ||
                        (divides && !isExtended(b)) ||
                        (op == ast::BinaryOp::Pow && !isExtended(a) && constantArgument(b).value_or(0) > 0);
  return onEachPath(
      {a, b}, where, [&](const std::vector<Value>& v) { return binaryThere(op, v[0], v[1], where); },
      isClosed);
}

/// A plain tuple, or one of which the run tells the length.
static bool isAnyTuple(const Value& v) {
  const auto* t = v.as<TupleValue>();
  return isTuple(v) || (t && !t->isList && !t->type);
}
static Value asListOf(Value tuple) {
  if (auto* l = std::get_if<ListValue>(&tuple.v)) l->isTuple = false;
  if (auto* t = std::get_if<TupleValue>(&tuple.v)) t->isList = true;
  return tuple;
}

Value Lowering::binaryThere(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  if (op == ast::BinaryOp::MatMul) return matmul(a, b, where);
  if (op == ast::BinaryOp::Pow) return powerOperator(a, b, where);
  if (const auto* x = a.as<TupleValue>(), *y = b.as<TupleValue>();
      x && y && x->isList == y->isList && op == ast::BinaryOp::Add) {
    TupleValue joined{x->items, x->isList};
    joined.items.insert(joined.items.end(), y->items.begin(), y->items.end());
    return Value{joined};
  }
  const TupleValue* repeated = a.as<TupleValue>() ? a.as<TupleValue>() : b.as<TupleValue>();
  if (std::optional<int64_t> times = constantArgument(a.as<TupleValue>() ? b : a);
      repeated && times && op == ast::BinaryOp::Mul &&
      *times * static_cast<int64_t>(repeated->items.size()) < 1000) {
    TupleValue joined{{}, repeated->isList};
    for (int64_t k = 0; k < *times; ++k)
      joined.items.insert(joined.items.end(), repeated->items.begin(), repeated->items.end());
    for (Value& item : joined.items) // a list among them stands there several times
      if (auto* t = std::get_if<TupleValue>(&item.v)) t->isKept = true;
    return Value{joined};
  }
  if (const std::optional<Value> rows = rowsOperator(op, a, b, where)) return *rows;
  if (op == ast::BinaryOp::Add && (isTuple(a) || isTuple(b)) && isAnyTuple(a) && isAnyTuple(b)) {
    Value joined = listOperator(op, asListOf(a), asListOf(b), where).value_or(Value{});
    if (auto* l = std::get_if<ListValue>(&joined.v)) l->isTuple = true;
    return joined;
  }
  if (const std::optional<Value> list = listOperator(op, a, b, where)) return *list;
  return arithmetic(*irOp(op), a, b, where);
}

Value Lowering::arithmetic(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  if (std::optional<Value> folded = foldIntegers(op, a, b, where)) return *folded;
  std::optional<Strength> promoted = promoteAll({a, b}, where, op == ir::BinaryOp::Div);
  if (!promoted) return Value{};
  Strength s = *promoted;
  bool bothBool = ir::isBool(s.type);
  bool bitwise = op == ir::BinaryOp::BitAnd || op == ir::BinaryOp::BitOr || op == ir::BinaryOp::BitXor;
  if (bothBool && s.weak && !bitwise) s.type = DType::I64; // Python's True + True is 2
  if (bothBool && !s.weak && op == ir::BinaryOp::Sub)
    return error(DiagId::TypeMismatch, where, "NumPy has no `-` for booleans; use `^` or np.logical_xor");
  if (bothBool && !s.weak && (op == ir::BinaryOp::Add || op == ir::BinaryOp::Mul))
    op = op == ir::BinaryOp::Add ? ir::BinaryOp::BitOr : ir::BinaryOp::BitAnd;
  if (bothBool && (op == ir::BinaryOp::FloorDiv || op == ir::BinaryOp::Mod || op == ir::BinaryOp::Shl ||
                   op == ir::BinaryOp::Shr))
    s.type = s.weak ? DType::I64 : DType::I8;
  if (op == ir::BinaryOp::Div) s.type = ir::floatFor(s.type);
  if ((bitwise || op == ir::BinaryOp::Shl || op == ir::BinaryOp::Shr) &&
      (ir::isFloat(s.type) || ir::isComplex(s.type)))
    return error(DiagId::TypeMismatch, where,
                 fmt::format("`{}` takes integers or booleans, not {}", ir::name(op), ir::name(s.type)));
  if ((op == ir::BinaryOp::FloorDiv || op == ir::BinaryOp::Mod) && ir::isComplex(s.type))
    return error(DiagId::TypeMismatch, where,
                 fmt::format("`{}` is not defined for complex numbers", ir::name(op)));
  bool index = s.weak && s.type == DType::I64;
  if (s.weak) requireDefined(op, b.as<Scalar>()->e);
  Value left = a, right = b;
  checkArithmetic(op, left, right, s, where);
  return elementwise(
      {left, right}, s.type, s.weak,
      [op, s, index](const std::vector<Expr>& v) {
        Expr l = ir::cast(s.type, v[0]), r = ir::cast(s.type, v[1]);
        const Expr result = ir::binary(op, l, r);
        return index ? ir::simplifiedIndex(result) : result; // sizes and bounds stay comparable
      },
      where);
}

/// `a ** b`, for which NumPy squares arrays where b is Python's 2: of booleans to an i8, and to an i64 by any other integer.
Value Lowering::powerOperator(const Value& a, const Value& b, Span where) {
  const auto* exponent = b.as<Scalar>();
  const std::optional<Strength> base = strengthOf(a, where);
  if (!base) return Value{};
  if (!a.as<Scalar>() && ir::isBool(base->type) && exponent && exponent->weak &&
      ir::isInteger(exponent->type())) {
    const std::optional<int64_t> known = constantArgument(b);
    if (!known)
      return error(DiagId::TypeMismatch, where,
                   "NumPy's type of booleans to a power depends on the exponent's value; write "
                   "`np.power(a, n)`, or convert them, `a.astype(np.int64)`");
    if (known == 2) return power(a, Value{Scalar{ir::constOf(DType::I8, 2)}}, where);
  }
  return power(a, b, where);
}

Value Lowering::power(const Value& a, const Value& b, Span where) {
  if (std::optional<Value> folded = foldIntegers(ir::BinaryOp::Pow, a, b, where)) return *folded;
  std::optional<Strength> promoted = promoteAll({a, b}, where);
  if (!promoted) return Value{};
  Strength s = *promoted;
  if (ir::isBool(s.type)) s.type = s.weak ? DType::I64 : DType::I8;
  std::optional<double> exponent;
  if (const auto* e = b.as<Scalar>())
    if (const auto* c = e->e.as<ir::Const>()) {
      if (const auto* i = std::get_if<int64_t>(&c->value)) exponent = static_cast<double>(*i);
      if (const auto* d = std::get_if<double>(&c->value)) exponent = *d;
    }
  if (ir::isInteger(s.type) && exponent && *exponent < 0) {
    if (!s.weak)
      return error(DiagId::TypeMismatch, where,
                   "NumPy refuses integers to negative powers; make the base a float");
    s.type = DType::F64;
  }
  if (ir::isInteger(s.type) && !exponent && !requireExponent(a, b, s.weak, where)) return Value{};
  if (s.weak && ir::isFloat(s.type) && !requireRealPower(a, b, where)) return Value{};
  auto unaryCall = [&](ir::Intrinsic fn) {
    return elementwise(
        {a}, s.type, s.weak,
        [fn, s](const std::vector<Expr>& v) { return ir::call(fn, s.type, {ir::cast(s.type, v[0])}); },
        where);
  };
  if (exponent == 2.0 && !s.weak) return unaryCall(ir::Intrinsic::Square);
  if (exponent == 0.5 && a.as<Array>() && ir::isFloat(s.type))
    return unaryCall(ir::Intrinsic::Sqrt);               // as NumPy's fast path
  if (exponent == 0.5 && s.weak && s.type == DType::F64) // a device's pow misses roots of squares by a bit
    return elementwise(
        {a}, s.type, true,
        [](const std::vector<Expr>& v) { // -inf, the one that is below 0 here, gives inf, and -0.0 gives 0.0
          const Expr x = ir::cast(DType::F64, v[0]), zero = ir::floatConst(0.0);
          const Expr root = ir::call(ir::Intrinsic::Sqrt, DType::F64, {x});
          const Expr signedRoot = ir::select(ir::binary(ir::BinaryOp::Lt, x, zero), x, root);
          return ir::call(ir::Intrinsic::Abs, DType::F64, {signedRoot});
        },
        where);
  Value base = a, power = b;
  checkPower(base, power, s, where);
  const Value result = elementwise(
      {base, power}, s.type, s.weak,
      [s](const std::vector<Expr>& v) {
        return ir::binary(ir::BinaryOp::Pow, ir::cast(s.type, v[0]), ir::cast(s.type, v[1]));
      },
      where);
  if (!s.weak || s.type != DType::F64) return result;
  return powerInRange(ir::cast(s.type, base.as<Scalar>()->e), ir::cast(s.type, power.as<Scalar>()->e), result,
                      false);
}

Value Lowering::compare(ir::BinaryOp op, const Value& x, const Value& y, Span where) {
  const auto besideArray = [&](const Value& v, const Value& other) {
    return other.as<Array>() || other.as<Selection>() ? asOperand(v, where) : v;
  };
  const Value a = besideArray(x, y), b = besideArray(y, x);
  if (std::optional<Value> v = compareThings(op, a, b, where)) return *v;
  auto isExact = [](const Value& v) { // integers compare by value, whatever their types
    const auto* s = v.as<Scalar>();
    return s && (ir::isInteger(s->type()) || ir::isBool(s->type()));
  };
  auto isOpaque = [](const Value& v) { return v.as<Scalar>() && v.as<Scalar>()->isOpaque; };
  if ((isOpaque(a) || isOpaque(b)) && isExact(a) && isExact(b)) {
    Value result = compareThere(op, onlyValue(a), onlyValue(b), where);
    Scalar either = *result.as<Scalar>();
    either.others.push_back({{}, true});
    return Value{either};
  }
  return onEachPath({a, b}, where,
                    [&](const std::vector<Value>& v) { return compareThere(op, v[0], v[1], where); });
}

Value Lowering::compareThere(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  std::optional<Strength> x = strengthOf(a, where), y = strengthOf(b, where);
  if (!x || !y) return Value{};
  DType common = promote(*x, *y).type;
  if (tensors_ && !isTypedAlike({a, b}, common, false, where)) return Value{};
  if (x->weak != y->weak && ir::isInteger(x->type) && ir::isInteger(y->type))
    common = ir::promote(x->type, y->type); // exact
  return elementwise(
      {a, b}, DType::Bool, x->weak && y->weak,
      [op, common](const std::vector<Expr>& v) { return compareExact(op, v[0], v[1], common); }, where);
}

Value Lowering::unary(ast::UnaryOp op, const Value& a, Span where) {
  if (a.as<ResidueValue>() && (op == ast::UnaryOp::Neg || op == ast::UnaryOp::Invert))
    return binary(ast::BinaryOp::Sub, Value{Scalar{ir::intConst(op == ast::UnaryOp::Neg ? 0 : -1), true}}, a,
                  where);
  if (const std::optional<Value> v = op == ast::UnaryOp::Neg   ? callSpecial("__neg__", {a}, where)
                                     : op == ast::UnaryOp::Pos ? callSpecial("__pos__", {a}, where)
                                                               : std::nullopt)
    return *v;
  if (const RecordValue* table = tableIn(a); table && op == ast::UnaryOp::Not)
    return unary(op, Value{sizeOfTable(*table)}, where);
  if (const auto* l = a.as<ListValue>(); l && op == ast::UnaryOp::Not)
    return unary(op, Value{itemsIn(*l)}, where);
  if (const auto* l = a.as<NestedValue>(); l && op == ast::UnaryOp::Not)
    return unary(op, Value{itemsIn(l->numbers)}, where);
  if (const auto* s = a.as<Scalar>(); s && op == ast::UnaryOp::Not)
    return Value{Scalar{ir::unary(ir::UnaryOp::LogicalNot, truth(s->e)), true}};
  return onEachPath(
      {a}, where, [&](const std::vector<Value>& v) { return unaryThere(op, v[0], where); }, true);
}

Value Lowering::unaryThere(ast::UnaryOp op, const Value& a, Span where) {
  std::optional<Strength> s = strengthOf(a, where);
  if (!s) return Value{};
  switch (op) {
  case ast::UnaryOp::Not:
    return error(DiagId::Unsupported, where,
                 "`not` takes a scalar; for arrays write `np.logical_not(a)` or `~a`");
  case ast::UnaryOp::Pos:
  case ast::UnaryOp::Neg: {
    if (ir::isBool(s->type) && !s->weak)
      return error(DiagId::TypeMismatch, where, "NumPy has no `-` for booleans; use `~` or np.logical_not");
    DType t = ir::isBool(s->type) ? DType::I64 : s->type;
    if (op == ast::UnaryOp::Pos) {
      if (const auto* x = a.as<Scalar>()) return Value{Scalar{ir::cast(t, x->e), x->weak}};
      Value same = castTo(a, t, where);
      if (!same.as<Array>()) return same;
      Array copy = *same.as<Array>(); // not the array itself
      copy.view = nullptr;
      copy.shares = Symbol();
      return Value{copy};
    }
    if (s->weak && ir::isInteger(t))
      return arithmetic(ir::BinaryOp::Sub, Value{Scalar{ir::intConst(0), true}}, a, where);
    return elementwise(
        {a}, t, s->weak,
        [t](const std::vector<Expr>& v) { return ir::unary(ir::UnaryOp::Neg, ir::cast(t, v[0])); }, where);
  }
  case ast::UnaryOp::Invert:
    if (ir::isFloat(s->type) || ir::isComplex(s->type))
      return error(DiagId::TypeMismatch, where,
                   fmt::format("`~` takes integers or booleans, not {}", ir::name(s->type)));
    if (s->weak && s->type != DType::I64) // Python's ~True is -2
      return arithmetic(ir::BinaryOp::Sub, Value{Scalar{ir::intConst(-1), true}}, a, where);
    if (ir::isBool(s->type)) return logicalNot(a, where);
    return elementwise(
        {a}, s->type, s->weak,
        [](const std::vector<Expr>& v) { return ir::unary(ir::UnaryOp::BitNot, v[0]); }, where);
  }
  return Value{};
}

Value Lowering::logicalNot(const Value& a, Span where) {
  return elementwise(
      {a}, DType::Bool, false,
      [](const std::vector<Expr>& v) { return ir::unary(ir::UnaryOp::LogicalNot, truth(v[0])); }, where);
}

Value Lowering::castTo(const Value& v, DType type, Span where) {
  std::optional<Strength> s = strengthOf(v, where);
  if (!s || !holds(type, v, where)) return Value{};
  if (s->type == type && !s->weak) return v;
  return elementwise(
      {v}, type, s->weak && v.as<Scalar>() && s->type == type,
      [type](const std::vector<Expr>& x) { return type == DType::Bool ? truth(x[0]) : ir::cast(type, x[0]); },
      where);
}

Value Lowering::where3(const Value& c, const Value& a, const Value& b, Span where) {
  std::optional<Strength> promoted =
      promoteAll({a, b}, where, !tensors_); // NumPy's integers that do not fit wrap, too
  if (!promoted || !strengthOf(c, where)) return Value{};
  Strength s = *promoted;
  // np.where turns Python scalars into arrays of their default types: int64, float64, complex128.
  return elementwise(
      {c, a, b}, s.type, false,
      [s](const std::vector<Expr>& v) {
        return ir::select(truth(v[0]), ir::cast(s.type, v[1]), ir::cast(s.type, v[2]));
      },
      where);
}

//===--- matrix product -----------------------------------------------------------------------------===//

Value Lowering::matmul(const Value& a, const Value& b, Span where) {
  if (a.isError() || b.isError()) return Value{};
  if (a.as<Selection>() && b.as<Selection>()) {
    Value products = arithmetic(ir::BinaryOp::Mul, a, b, where);
    const auto* s = products.as<Selection>();
    if (!s) return products;
    ir::ReduceOp op = ir::isBool(s->values.type) ? ir::ReduceOp::Or : ir::ReduceOp::Sum;
    return reduceAll(op, withIdentity(*s, op, s->values.type), where);
  }
  if (const auto* s = a.as<Selection>()) return matmul(Value{asArray(*s)}, b, where);
  if (const auto* s = b.as<Selection>()) return matmul(a, Value{asArray(*s)}, where);
  const auto *x = a.as<Array>(), *y = b.as<Array>();
  if (!x || !y || x->shape.empty() || y->shape.empty())
    return error(
        DiagId::TypeMismatch, where,
        fmt::format("`@` takes arrays of one dimension or more, not {} and {}", describe(a), describe(b)));
  Array l = x->expensive || x->uninitialised ? materialize(*x, "t") : *x;
  Array r = y->expensive || y->uninitialised ? materialize(*y, "t") : *y;
  requireEqual(
      l.shape.back(), r.shape[r.shape.size() > 1 ? r.shape.size() - 2 : 0],
      Message("the inner sizes of a matrix product must be equal: ").array(*x).text(" and ").array(*y),
      where);
  if (tensors_ && l.type != r.type)
    return error(DiagId::TypeMismatch, where,
                 fmt::format("PyTorch refuses the product of {} and {}; convert one with `.to`",
                             ir::name(l.type), ir::name(r.type)));
  DType type = ir::promote(l.type, r.type);
  if (l.shape.size() > 2 || r.shape.size() > 2) return batchedProduct(l, r, type, where);
  Expr inner = ir::constantInt(r.shape.front()) ? r.shape.front() : l.shape.back();
  auto element = [l, r, type, inner](const Indices& row, const Indices& column) {
    Symbol k("k");
    Indices li = row, ri = column;
    li.push_back(ir::var(k));
    ri.insert(ri.begin(), ir::var(k));
    Expr product = ir::binary(ir::isBool(type) ? ir::BinaryOp::LogicalAnd : ir::BinaryOp::Mul,
                              ir::cast(type, l.at(li)), ir::cast(type, r.at(ri)));
    ir::ReduceOp op = ir::isBool(type) ? ir::ReduceOp::Or : ir::ReduceOp::Sum;
    return ir::make(ir::Reduce{type, op, {{k, inner, false, 0, false}}, product});
  };
  size_t rows = l.shape.size() - 1;
  Array out;
  out.type = type;
  out.expensive = true;
  out.shape.assign(l.shape.begin(), l.shape.end() - 1);
  out.shape.insert(out.shape.end(), r.shape.begin() + 1, r.shape.end());
  if (out.shape.empty()) return Value{Scalar{element({}, {})}};
  out.at = [element, rows](const Indices& i) {
    return element(Indices(i.begin(), i.begin() + static_cast<long>(rows)),
                   Indices(i.begin() + static_cast<long>(rows), i.end()));
  };
  return Value{out};
}

} // namespace appyc::sema
