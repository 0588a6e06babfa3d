//===- PythonNumbers.cpp - Python's own integers and floats, where they are more than 64 bits -------===//
// Constants are computed with as many bits as they need and refused where the result has more than 64. What
// depends on the call's values raises as CPython does where the statement runs on the host, once; inside loops
// it is unchecked but for --sanitize=arithmetic.
#include "Lowering.h"

namespace appyc::sema {

__extension__ using Wide = __int128;

static std::optional<Wide> wideConstant(const Value& v) {
  if (const auto* r = v.as<ResidueValue>()) return r->isPower ? std::optional(Wide(1) << 64) : std::nullopt;
  const auto* s = v.as<Scalar>();
  const auto* c = s && s->weak ? s->e.as<ir::Const>() : nullptr;
  if (!c) return std::nullopt;
  if (const auto* i = std::get_if<int64_t>(&c->value)) return *i;
  if (const auto* u = std::get_if<uint64_t>(&c->value)) return *u;
  if (const auto* b = std::get_if<bool>(&c->value)) return *b;
  return std::nullopt;
}

static Wide floorQuotient(Wide a, Wide b) {
  Wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// a ** b or a * 2 ** b; none where it takes more than 127 bits.
static std::optional<Wide> repeatedProduct(Wide start, Wide factor, Wide times) {
  Wide result = start;
  if (factor == 0 || factor == 1 || start == 0) return times > 0 ? start * factor : start;
  if (factor == -1) return times % 2 != 0 ? -start : start;
  for (; times > 0; --times)
    if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
  return result;
}

/// Calls `found` with the result, none if it is far past 64 bits; false where the operation does not fold.
static bool foldWide(ir::BinaryOp op, Wide a, Wide b, std::optional<Wide>& result) {
  switch (op) {
  case ir::BinaryOp::Add: result = a + b; return true;
  case ir::BinaryOp::Sub: result = a - b; return true;
  case ir::BinaryOp::Mul: result = repeatedProduct(a, b, 1); return true;
  case ir::BinaryOp::BitAnd: result = a & b; return true;
  case ir::BinaryOp::BitOr: result = a | b; return true;
  case ir::BinaryOp::BitXor: result = a ^ b; return true;
  case ir::BinaryOp::FloorDiv:
    if (b != 0) result = floorQuotient(a, b);
    return b != 0;
  case ir::BinaryOp::Mod:
    if (b != 0) result = a - floorQuotient(a, b) * b;
    return b != 0;
  case ir::BinaryOp::Shl: result = b < 0 ? std::nullopt : repeatedProduct(a, 2, b); return b >= 0;
  case ir::BinaryOp::Shr:
    if (b >= 0) result = a >> std::min<Wide>(b, 100);
    return b >= 0;
  case ir::BinaryOp::Pow: result = b < 0 ? std::nullopt : repeatedProduct(1, a, b); return b >= 0;
  default: return false;
  }
}

/// Arithmetic of Python's integers where it is of constants, an error past 64 bits, and where one of them is past 63.
std::optional<Value> Lowering::foldIntegers(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  const auto isOwn = [](const Value& v) {
    return v.as<ResidueValue>() || (v.as<Scalar>() && v.as<Scalar>()->weak);
  };
  const auto isOf = [](const Value& v, bool (*ask)(DType)) {
    return v.as<Scalar>() && ask(v.as<Scalar>()->type());
  };
  if (!isOwn(a) || !isOwn(b) || (isOf(a, ir::isBool) && isOf(b, ir::isBool))) return std::nullopt;
  std::optional<Wide> l = wideConstant(a), r = wideConstant(b), result;
  if (l && r && op != ir::BinaryOp::Div) {
    if (!foldWide(op, *l, *r, result)) return std::nullopt;
    if (result && *result >= INT64_MIN && *result <= INT64_MAX)
      return Value{Scalar{ir::intConst(static_cast<int64_t>(*result)), true}};
    if (result && *result > 0 && *result <= UINT64_MAX)
      return Value{Scalar{ir::make(ir::Const{DType::U64, static_cast<uint64_t>(*result)}), true}};
    if (result == Wide(1) << 64) return Value{ResidueValue{ir::constOf(DType::U64, 0), true}};
    return error(
        DiagId::Unsupported, where,
        "integers past 64 bits are not supported; use a float, such as `2.0 ** 64`, or split the value");
  }
  const auto isWide = [](const Value& v) {
    return v.as<ResidueValue>() || v.as<Scalar>()->type() == DType::U64;
  };
  if (isOf(a, ir::isFloat) || isOf(b, ir::isFloat) || isOf(a, ir::isComplex) || isOf(b, ir::isComplex) ||
      !(isWide(a) || isWide(b) || (op == ir::BinaryOp::Mod && b.as<ResidueValue>())))
    return std::nullopt;
  if (op == ir::BinaryOp::Div && a.as<Scalar>() && b.as<Scalar>()) return std::nullopt;
  return ofWide(op, a, b, where);
}

//===--- past 63 bits ---------------------------------------------------------------------------------------===//
//   h = (h ^ k) * 1099511628211 % 2 ** 64        of the product the last 64 bits, which are what is asked for
// A number of Python's that is U64 is not negative and known whole; of a residue the last 64 bits are, as sums, products and what
// is done to bits need no others: `&` and `%` make a number of it again.

std::optional<Value> Lowering::ofWide(ir::BinaryOp op, const Value& a, const Value& b, Span where) {
  struct Bits {
    Expr e;
    bool isWhole, isShort; ///< known whole and not negative; of 63 bits
  };
  const auto bitsOf = [&](const Value& v) {
    const auto* s = v.as<Scalar>();
    if (!s) return Bits{v.as<ResidueValue>()->bits, false, false};
    const bool isShort = s->type() != DType::U64 && isNonNegative(s->e);
    return Bits{ir::cast(DType::U64, s->e), isShort || s->type() == DType::U64, isShort};
  };
  const Bits x = bitsOf(a), y = bitsOf(b);
  const std::optional<Wide> l = wideConstant(a), r = wideConstant(b);
  const auto whole = [](const Expr& e, bool isShort) {
    return Value{Scalar{isShort ? ir::cast(DType::I64, e) : e, true}};
  };
  const auto word = [](Wide w) { return ir::make(ir::Const{DType::U64, static_cast<uint64_t>(w)}); };
  const Value residue{ResidueValue{ir::binary(op == ir::BinaryOp::Div ? ir::BinaryOp::Mul : op, x.e, y.e)}};
  const bool areWhole = x.isWhole && y.isWhole;
  const bool isOneOpen = x.isWhole != y.isWhole && a.as<Scalar>() && b.as<Scalar>(); // may it be negative?
  const auto onceWhole = [&] {
    const auto as = [&](const Value& v) {
      return Value{Scalar{intoState(DType::U64, *v.as<Scalar>()), true}};
    };
    return ofWide(op, as(a), as(b), where);
  };
  switch (op) {
  case ir::BinaryOp::Add:
  case ir::BinaryOp::Sub:
  case ir::BinaryOp::Mul: return residue;
  case ir::BinaryOp::BitOr:
  case ir::BinaryOp::BitXor:
    if (isOneOpen) return onceWhole();
    return areWhole ? whole(residue.as<ResidueValue>()->bits, x.isShort && y.isShort) : residue;
  case ir::BinaryOp::BitAnd: {
    const auto isShort = [](const Bits& bits, const std::optional<Wide>& known) {
      return bits.isShort || (known && *known >= 0 && *known <= INT64_MAX);
    };
    if (!x.isWhole && !y.isWhole) return residue;
    return whole(residue.as<ResidueValue>()->bits, isShort(x, l) || isShort(y, r));
  }
  case ir::BinaryOp::Shl: {
    if (b.as<ResidueValue>() || b.as<Scalar>()->type() == DType::U64) break;
    requireDefined(op, b.as<Scalar>()->e);
    return residue;
  }
  case ir::BinaryOp::Shr: {
    if (!x.isWhole || b.as<ResidueValue>() || b.as<Scalar>()->type() == DType::U64) break;
    requireDefined(op, b.as<Scalar>()->e);
    return whole(residue.as<ResidueValue>()->bits, x.isShort || r.value_or(0) > 0);
  }
  case ir::BinaryOp::Mod:
    if (r && *r > 0 && (*r & (*r - 1)) == 0)
      return whole(ir::binary(ir::BinaryOp::BitAnd, x.e, word(*r - 1)), *r - 1 <= INT64_MAX);
    [[fallthrough]];
  case ir::BinaryOp::FloorDiv:
    if (isOneOpen) return onceWhole();
    if (!areWhole) break;
    requireDefined(op, b.as<Scalar>()->e);
    return whole(residue.as<ResidueValue>()->bits,
                 x.isShort || (op == ir::BinaryOp::Mod ? y.isShort : r.value_or(0) > 1));
  case ir::BinaryOp::Div:
    if (!a.as<Scalar>() || !r) break;
    return Value{
        Scalar{ir::binary(op, ir::cast(DType::F64, a.as<Scalar>()->e), ir::floatConst(0x1p64)), true}};
  default: break;
  }
  return error(DiagId::Unsupported, where,
               "of Python's integers past 63 bits the last 64 are known here; cut it to these before, `x & "
               "0xFFFFFFFFFFFFFFFF`, or write `np.uint64(...)`");
}

/// A number of Python's for a variable of such a state: where that is past 63 bits it is not negative.
Expr Lowering::intoState(DType type, const Scalar& s) {
  if (type == DType::U64 && s.weak && s.type() == DType::I64 && !isNonNegative(s.e)) {
    Scalar once{checkedOnce(s.e), true};
    requireWhereRun(ir::binary(ir::BinaryOp::Ge, once.e, ir::intConst(0)), "NotImplementedError",
                    "this number of Python's is past 63 bits on other paths, and negative here");
    return ir::cast(type, once.e);
  }
  return ir::cast(type, s.e);
}

/// May a check that raises stand here?
bool Lowering::raisesHere() const { return loops_.empty() || sanitize_.arithmetic || tried_ > 0; }

/// Memory is read once, before what checks it.
Expr Lowering::checkedOnce(const Expr& e) { return ir::readsMemory(e) ? materialize(e, "n") : e; }

/// Python's integers have no size; one that the other operand's type cannot hold is an OverflowError in
/// NumPy.
bool Lowering::holds(DType type, const Value& v, Span where) {
  const auto* s = v.as<Scalar>();
  if (!s || !s->weak || !ir::isInteger(type) || !ir::isInteger(s->type()) || type == s->type()) return true;
  if (std::optional<Wide> c = wideConstant(v)) {
    if (isHeldBy(type, s->e)) return true;
    const std::string digits = *c > INT64_MAX ? fmt::format("{}", static_cast<uint64_t>(*c))
                                              : fmt::format("{}", static_cast<int64_t>(*c));
    error(DiagId::TypeMismatch, where,
          fmt::format("the integer {} does not fit into {}; NumPy raises OverflowError", digits,
                      ir::name(type)));
    return false;
  }
  const bool isPast = s->type() == DType::U64;
  if ((s->type() != DType::I64 && !isPast) || (type == DType::I64 && !isPast) || !raisesHere()) return true;
  if (const auto* c = s->e.as<ir::Cast>();
      c && !ir::isFloat(ir::typeOf(c->arg)) && ir::promote(ir::typeOf(c->arg), type) == type)
    return true;
  Expr e = s->e, fits;
  auto also = [&](Expr condition) {
    fits = fits ? ir::binary(ir::BinaryOp::LogicalAnd, fits, condition) : condition;
  };
  const int bits = 8 * ir::byteSize(type) - (ir::isSigned(type) ? 1 : 0);
  const bool isBounded = bits < 63 || isPast;
  if (isBounded || !isNonNegative(e)) e = checkedOnce(e);
  const int64_t highest = bits < 63 ? (int64_t{1} << bits) - 1 : INT64_MAX;
  if (!isPast && !isNonNegative(e))
    also(ir::binary(ir::BinaryOp::Ge, e, ir::intConst(ir::isSigned(type) ? -highest - 1 : 0)));
  if (isBounded) also(ir::binary(ir::BinaryOp::Le, e, ir::constOf(s->type(), highest)));
  if (!fits) return true;
  Message message("Python integer ");
  message.number(e).text(fmt::format(" out of bounds for {}", ir::numpyName(type)));
  require(fits, "OverflowError", message);
  return true;
}

/// Whose numbers raise depends on the path where both operands are Python's on one, and not on another.
static bool isMixed(const Value& a, const Value& b) {
  bool all = true;
  for (const Value* v : {&a, &b}) {
    const auto* s = v->as<Scalar>();
    if (!s || !(s->weak || s->isExtended || std::ranges::any_of(s->others, &Scalar::weak))) return false;
    all &= s->weak && std::ranges::all_of(s->others, &Scalar::weak);
  }
  return !all;
}

void Lowering::requireSamePaths(ir::BinaryOp op, const Value& a, const Value& b) {
  if (isMixed(a, b)) requireDefined(op, b.as<Scalar>()->e, true);
}

/// Python's own numbers raise where the divisor is zero or a shift is negative; `dependsOnPath`: whether they are its own does.
void Lowering::requireDefined(ir::BinaryOp op, const Expr& right, bool dependsOnPath) {
  const bool divides = op == ir::BinaryOp::Div || op == ir::BinaryOp::FloorDiv || op == ir::BinaryOp::Mod;
  const bool shifts = op == ir::BinaryOp::Shl || op == ir::BinaryOp::Shr;
  if (!raisesHere()) return;
  const auto raises = [&](const Expr& fits, const char* exception, const char* text) {
    if (dependsOnPath)
      exception = "NotImplementedError",
      text = "Python's number raises here and NumPy's does not, and the path decides which it is; convert it";
    require(fits, exception, text);
  };
  if (shifts && !isNonNegative(right)) {
    Expr count = ir::cast(DType::I64, checkedOnce(right));
    raises(ir::binary(ir::BinaryOp::Ge, count, ir::intConst(0)), "ValueError", "negative shift count");
  }
  if (!divides) return;
  if (const auto* c = right.as<ir::Const>();
      c && !ir::isConst(right, 0) && !ir::equal(right, ir::floatConst(0)))
    return;
  if (ir::isInteger(ir::typeOf(right)) &&
      isNonNegative(ir::sub(ir::cast(DType::I64, right), ir::intConst(1))))
    return;
  raises(truth(checkedOnce(right)), "ZeroDivisionError",
         ir::isFloat(ir::typeOf(right)) || op == ir::BinaryOp::Div ? "division by zero"
                                                                   : "integer division or modulo by zero");
}

/// Integers have no negative powers: NumPy raises, Python makes a float.
bool Lowering::requireExponent(const Value& base, const Value& exponent, bool isPython, Span where) {
  const DType type = toArray(exponent).type;
  if (!ir::isSigned(type)) return true;
  const auto* s = exponent.as<Scalar>();
  if (s && isNonNegative(s->e)) return true;
  if (isPython) {
    const auto isWhole = [](const Expr& e) {
      return ir::binary(ir::BinaryOp::Ge, e, ir::constOf(ir::typeOf(e), 0));
    };
    constexpr const char* kFloat =
        "Python's power of an integer to a negative one is a float; write `float(n) ** k`";
    if (s && raisesHere()) {
      require(isWhole(checkedOnce(s->e)), "NotImplementedError", kFloat);
      return true;
    }
    if (const analysis::Never never = s ? neverFails(isWhole(s->e)) : analysis::Never{};
        never.when && never.isExact) {
      requireBefore(never, "NotImplementedError", kFloat);
      return true;
    }
    if (s && !kernel_) { // the loop runs in order, as one that raises
      require(isWhole(checkedOnce(s->e)), "NotImplementedError", kFloat);
      return true;
    }
    error(
        DiagId::TypeMismatch, where,
        "Python's power is an integer or, where the exponent is negative, a float; write `float(n) ** k`, or "
        "`np.int64(n) ** k`");
    return false;
  }
  const auto* a = exponent.as<Array>();
  if (!raisesHere() || !(s || a)) {
    error(
        DiagId::TypeMismatch, where,
        "NumPy raises where an integer has a negative exponent, which cannot be checked in a loop; make the "
        "base a float, or the exponent unsigned");
    return false;
  }
  auto isValid = [](const Expr& e) { return ir::binary(ir::BinaryOp::Ge, e, ir::constOf(ir::typeOf(e), 0)); };
  Expr valid;
  if (s) {
    valid = isValid(checkedOnce(s->e));
  } else {
    Array signs = *a;
    signs.view = nullptr;
    signs.type = DType::Bool;
    signs.at = [at = a->at, isValid](const Indices& i) { return isValid(at(i)); };
    valid = materialize(toArray(reduceAll(ir::ReduceOp::And, signs, where)).at({}), "valid");
  }
  for (const Value* v : {&base, &exponent}) // of no elements none is computed
    if (const auto* array = v->as<Array>())
      for (const Expr& extent : array->shape)
        if (!isNonNegative(ir::sub(extent, ir::intConst(1))))
          valid = ir::binary(ir::BinaryOp::LogicalOr, valid,
                             ir::binary(ir::BinaryOp::Eq, extent, ir::intConst(0)));
  require(valid, base.as<Selection>() ? "NotImplementedError" : "ValueError",
          "Integers to negative integer powers are not allowed.");
  return true;
}

/// Python's power of a negative number to a fraction is complex.
bool Lowering::requireRealPower(const Value& base, const Value& exponent, Span where) {
  auto bestKnown = [](const Value& v) {
    const Expr constant = constantOf(*v.as<Scalar>());
    return constant ? constant : v.as<Scalar>()->e;
  };
  const Expr x = bestKnown(base), y = bestKnown(exponent);
  auto isWhole = [](const Expr& e) {
    const auto* c = e.as<ir::Const>();
    const auto* d = c ? std::get_if<double>(&c->value) : nullptr;
    return !ir::isFloat(ir::typeOf(e)) || (d && std::trunc(*d) == *d);
  };
  const auto* known = x.as<ir::Const>();
  const auto* number = known ? std::get_if<double>(&known->value) : nullptr;
  const bool isPositive = number ? *number >= 0 : ir::isInteger(ir::typeOf(x)) && isNonNegative(x);
  if (isWhole(y) || isPositive) return true;
  if (known && y.is<ir::Const>()) {
    error(DiagId::Unsupported, where, "Python's power of a negative number to a fraction is complex");
    return false;
  }
  if (!raisesHere()) return true;
  const Expr from = checkedOnce(x), to = ir::cast(DType::F64, checkedOnce(y));
  auto both = [](const Expr& l, const Expr& r) { return ir::binary(ir::BinaryOp::LogicalAnd, l, r); };
  auto isFinite = [](const Expr& e) {
    return ir::isFloat(ir::typeOf(e)) ? ir::call(ir::Intrinsic::IsFinite, DType::Bool, {e})
                                      : ir::boolConst(true);
  };
  const Expr isNegative = ir::binary(ir::BinaryOp::Lt, from, ir::constOf(ir::typeOf(from), 0));
  const Expr isFraction = ir::binary(ir::BinaryOp::Ne, ir::call(ir::Intrinsic::Rint, DType::F64, {to}), to);
  const Expr isComplex = both(both(isNegative, isFinite(from)), both(isFraction, isFinite(to)));
  require(ir::unary(ir::UnaryOp::LogicalNot, isComplex), "NotImplementedError",
          "Python's power of a negative number to a fraction is complex");
  return true;
}

/// Python's integer of a number: `int(x)`, math.floor(x), range(x).
Value Lowering::wholeNumber(const Expr& x) {
  Expr e = x;
  if (ir::typeOf(e) == DType::U64 && !e.is<ir::Const>()) {
    e = checkedOnce(e);
    const Expr largest = ir::make(ir::Const{DType::U64, static_cast<uint64_t>(INT64_MAX)});
    requireWhereRun(ir::binary(ir::BinaryOp::Le, e, largest), "NotImplementedError",
                    "integers past 63 bits are not translated");
  } else if (ir::isFloat(ir::typeOf(e)) && raisesHere() && !e.is<ir::Const>()) {
    e = checkedOnce(e);
    Expr nan = ir::call(ir::Intrinsic::IsNan, DType::Bool, {e});
    require(ir::unary(ir::UnaryOp::LogicalNot, nan), "ValueError", "cannot convert float NaN to integer");
    const DType type = ir::typeOf(e);
    const double end = 9223372036854775808.0;
    require(ir::binary(ir::BinaryOp::LogicalAnd, ir::binary(ir::BinaryOp::Ge, e, ir::floatConst(-end, type)),
                       ir::binary(ir::BinaryOp::Lt, e, ir::floatConst(end, type))),
            "OverflowError", "cannot convert a float that is infinite or past 64 bits to integer");
  }
  return Value{Scalar{ir::cast(DType::I64, e), true}};
}

/// NumPy's number of the same value.
Value Lowering::strong(const Value& v) const {
  const auto* s = v.as<Scalar>();
  return s ? Value{Scalar{s->e}} : v;
}

} // namespace appyc::sema
