//===- WholesOrFloats.cpp - numbers that are whole on one path and floats on another ---------------------------===//
//   s = sorted(xs)                                     an int of Python's, or a float: an f64 holds either,
//   m = s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2      and what is computed of it as a float is the same
// What comes out is computed for each kind that the number may be; where that is a whole number for one and a float for
// another, it is such a number again.
#include "Lowering.h"
#include "Paths.h"

namespace appyc::sema {

/// A whole number of 64 bits on one path and a float on another?
bool isWholeOrFloat(const Value& v) {
  const auto* s = v.as<Scalar>();
  if (!s || !s->isOpaque || s->type() != DType::F64) return false;
  const auto areOf = [&](DType type) {
    return std::ranges::count_if(s->others, [&](const Scalar& o) { return o.e && o.type() == type; });
  };
  const auto wholes = areOf(DType::I64), floats = areOf(DType::F64);
  return wholes > 0 && floats > 0 && wholes + floats == std::ssize(s->others);
}

/// What is computed of such, which is a float, or the same, on all paths. `isClosed`: of whole numbers it is one, and the same
/// that it is of floats.
Value Lowering::ofWholesOrFloats(const Values& operands, Span where,
                                 const std::function<Value(const Values&)>& fn, bool isClosed) {
  std::vector<Values> paths{{}};
  for (const Value& v : operands) {
    const auto* s = v.as<Scalar>();
    Values choices{v};
    if (isWholeOrFloat(v)) {
      choices.clear();
      for (const DType type : {DType::F64, DType::I64})
        for (const Scalar& o : s->others)
          if (o.type() == type) choices.push_back(Value{Scalar{ir::cast(type, s->e), o.weak}});
    }
    std::vector<Values> longer;
    for (const Value& choice : choices) // the floats first
      for (const Values& path : paths) {
        longer.push_back(path);
        longer.back().push_back(choice);
      }
    paths = std::move(longer);
  }
  const Value result = onEachPath(paths[0], where, fn);
  Value found = result;
  for (size_t k = 1; k < paths.size() && !found.isError(); ++k) {
    const Value other = probe([&] { return onEachPath(paths[k], where, fn); });
    if (other.isError()) return other;
    const auto *r = found.as<Scalar>(), *q = other.as<Scalar>();
    const auto *a = found.as<Array>(), *b = other.as<Array>();
    if (a && b && a->type == b->type && isComparedAlike(*a, *b)) continue;
    const bool isWhole = q && q->type() == DType::I64 && isClosed;
    if (!r || !q || (q->type() != DType::F64 && q->type() != DType::Bool && !isWhole) ||
        !isComparedAlike(r->e, q->e))
      return error(
          DiagId::TypeMismatch, where,
          fmt::format("this computes as {} on one path and as {} on another, which differ; convert the "
                      "number, as by `int(...)` or `float(...)`",
                      describeResult(found), describeResult(other)));
    Scalar either = *r;
    for (const Scalar& kind : kindsOf(*q))
      if (std::ranges::none_of(kindsOf(either), [&](const Scalar& o) { return isSameOther(o, kind); })) {
        const std::optional<Scalar> joined = joinNumbers(either, *q, where, "");
        if (!joined) return Value{};
        either = keptIn(*joined, r->e);
        either.constant = {};
      }
    found = Value{either};
  }
  return found;
}

/// Beside a complex number one that is a float on some paths and complex on others is complex: so both compute.
std::optional<Value> Lowering::besideComplex(const Value& v, const std::vector<Value>& operands) const {
  const auto* s = v.as<Scalar>();
  const auto isComplex = [](const Value& other) {
    const auto* n = other.as<Scalar>();
    const auto* a = other.as<Array>();
    return (n && !n->isOpaque && n->others.empty() && n->type() == DType::C128) ||
           (a && a->type == DType::C128);
  };
  if (!s || !s->isOpaque || s->type() != DType::C128 || operands.size() != 2 ||
      std::ranges::none_of(operands, isComplex) ||
      std::ranges::any_of(s->others, [&](const Scalar& o) { return o.weak != s->others[0].weak; }))
    return std::nullopt;
  return Value{Scalar{s->e, s->others[0].weak}};
}

/// Sums, differences, products and quotients of numbers that are floats on some paths and complex on others: of the complex
/// ones, whose real parts are those of the floats.
std::optional<Value> Lowering::ofFloatOrComplex(ast::BinaryOp op, const Value& a, const Value& b,
                                                Span where) {
  const auto *x = a.as<Scalar>(), *y = b.as<Scalar>();
  const auto isOpen = [](const Scalar& s) { return s.isOpaque && s.type() == DType::C128; };
  using enum ast::BinaryOp;
  if (!x || !y || (!isOpen(*x) && !isOpen(*y)) || (op != Add && op != Sub && op != Mul && op != Div))
    return std::nullopt;
  const auto one = [](const Scalar& s) { return Value{Scalar{ir::constOf(s.type(), 1), s.weak}}; };
  std::vector<Scalar> kinds;
  for (const Scalar& left : kindsOf(*x))
    for (const Scalar& right : kindsOf(*y)) {
      const Value r = probe([&] { return binaryThere(op, one(left), one(right), where); });
      const auto* s = r.as<Scalar>();
      if (!s) return std::nullopt;
      addOther(kinds, Scalar{ir::constOf(s->type(), 0), s->weak});
    }
  const bool isWeak = kinds[0].weak;
  const auto main = [&](const Scalar& s) { return Value{Scalar{s.e, isWeak}}; };
  const Value result = binaryThere(op, main(*x), main(*y), where);
  const auto* made = result.as<Scalar>();
  if (!made || made->type() != DType::C128 || kinds.size() > 2 || kinds.back().weak != isWeak)
    return std::nullopt;
  Scalar out{made->e, made->weak};
  if (kinds.size() == 2) out.isOpaque = true, out.others = kinds;
  return Value{out};
}

} // namespace appyc::sema
