//===- Expressions.cpp - ir expressions as C++ ----------------------------------------------------------===//
#include "Expressions.h"
#include "appyc/Cxx/Dsl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Position.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace appyc::target {

using namespace ir;

std::string typeName(Context& c, DType t) {
  if (isComplex(t)) c.support.use("Complex");
  return std::string(cName(t));
}

namespace {

bool isNarrow(DType t) { return byteSize(t) < 4; }

/// Shortest text that reads back as the same number.
template <class T> std::string floatText(T value, std::string_view suffix) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + std::string(suffix);
}

std::string wholeText(int64_t value, DType t) {
  if (t == DType::I64 && value == INT64_MIN) return "INT64_MIN";
  if (t == DType::I32 && value == INT32_MIN) return "INT32_MIN";
  return fmt::format("{}", value);
}

std::string_view cxxOperator(BinaryOp op) {
  switch (op) {
  case BinaryOp::LogicalAnd: return "&&";
  case BinaryOp::LogicalOr: return "||";
  case BinaryOp::FloorDiv: return "/";
  default: return name(op); // Python and C++ agree
  }
}

/// x + -1 reads x - 1.
cxx::Expr sumOrDifference(std::string_view op, cxx::Expr lhs, cxx::Expr rhs) {
  const auto* atom = rhs.as<cxx::Atom>();
  if (op == "+" && atom && atom->text.size() > 1 && atom->text.front() == '-')
    return cxx::binary("-", std::move(lhs), cxx::name(std::string_view(atom->text).substr(1)));
  return cxx::binary(op, std::move(lhs), std::move(rhs));
}

bool isComparison(BinaryOp op) { return op >= BinaryOp::Eq && op <= BinaryOp::Ge; }
bool isRingOperation(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul;
}

/// A signed integer of at most 32 bits made an i64: the narrower number does as well where it stands alone.
bool widens(const Cast& k) {
  const DType from = typeOf(k.arg);
  return k.type == DType::I64 &&
         ((isSigned(from) && byteSize(from) <= 4) || (isUnsigned(from) && isNarrow(from)));
}

/// Whether the C++ type of `small(e)` is the index type itself, not that of a literal or of a narrower
/// number.
bool hasIndexType(const Expr& e, bool wide) {
  if (const auto* b = e.as<Binary>()) {
    const bool isCall =
        b->op == BinaryOp::Min || b->op == BinaryOp::Max; // of the index type, given or deduced
    return isCall || hasIndexType(b->lhs, wide) || hasIndexType(b->rhs, wide);
  }
  if (const auto* u = e.as<Unary>()) return hasIndexType(u->arg, wide);
  if (const auto* s = e.as<Select>()) return hasIndexType(s->then, wide) || hasIndexType(s->otherwise, wide);
  return e.is<Var>() || e.is<Hardware>() || (e.is<Cast>() && wide);
}

std::string hardwareName(const Context& c, HardwareIndex h) {
  static constexpr std::string_view names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x",
                                               "blockIdx.y",  "blockIdx.z",  "blockDim.x",  "blockDim.y",
                                               "blockDim.z",  "gridDim.x",   "gridDim.y",   "gridDim.z"};
  if (h >= HardwareIndex::Width) return h == HardwareIndex::Width ? c.vectorWidth : c.vectorsKept;
  return (c.cuda ? "" : c.thread + ".") + std::string(names[static_cast<size_t>(h)]);
}
cxx::Expr hardware(const Context& c, HardwareIndex h) { return cxx::name(hardwareName(c, h)); }
/// CUDA's are unsigned.
cxx::Expr signedHardware(const Context& c, HardwareIndex h, const std::string& type) {
  const bool isPlain = h >= HardwareIndex::Width || !c.cuda;
  return isPlain ? hardware(c, h) : cxx::cast(type, hardware(c, h));
}

/// `blockIdx.x * blockDim.x + threadIdx.x`: the axis.
std::optional<int> axisOfPosition(const Expr& e) {
  const auto* sum = e.as<Binary>();
  const auto* product = sum && sum->op == BinaryOp::Add ? sum->lhs.as<Binary>() : nullptr;
  const auto* thread = product ? sum->rhs.as<Hardware>() : nullptr;
  if (!thread || thread->which > HardwareIndex::ThreadZ || product->op != BinaryOp::Mul) return {};
  const auto *a = product->lhs.as<Hardware>(), *b = product->rhs.as<Hardware>();
  const int axis = static_cast<int>(thread->which);
  if (!a || !b) return {};
  const auto along = [&](const Hardware& h, HardwareIndex first) {
    return static_cast<int>(h.which) == static_cast<int>(first) + axis;
  };
  const bool isOne = along(*a, HardwareIndex::BlockX) && along(*b, HardwareIndex::BlockDimX);
  const bool isOther = along(*b, HardwareIndex::BlockX) && along(*a, HardwareIndex::BlockDimX);
  return isOne || isOther ? std::optional(axis) : std::nullopt;
}

} // namespace

//===--- indices ----------------------------------------------------------------------------------------===//

bool Expressions::dividesPlainly(const Binary& b, Width w) const {
  return c_.facts.range(b.lhs, w).lo >= 0 && c_.facts.range(b.rhs, w).lo > 0;
}

std::optional<cxx::Expr> Expressions::smallBinary(const Binary& b) {
  const bool known = isRingOperation(b.op) || b.op == BinaryOp::FloorDiv || b.op == BinaryOp::Mod ||
                     b.op == BinaryOp::Min || b.op == BinaryOp::Max || b.op == BinaryOp::BitAnd;
  if (!known) return {};
  const auto lhs = small(b.lhs), rhs = small(b.rhs);
  if (!lhs || !rhs) return {};
  const bool divides = b.op == BinaryOp::FloorDiv || b.op == BinaryOp::Mod;
  std::string_view helperName;
  if (divides && !dividesPlainly(b, c_.width))
    helperName = b.op == BinaryOp::Mod ? "floor_mod" : "floor_div";
  else if (b.op == BinaryOp::Min || b.op == BinaryOp::Max)
    helperName = b.op == BinaryOp::Min ? "minimum" : "maximum";
  if (helperName.empty()) return sumOrDifference(cxxOperator(b.op), *lhs, *rhs);
  c_.support.use(helperName);
  if (hasIndexType(b.lhs, c_.isWide())) return cxx::call(helperName, {*lhs, *rhs});
  return cxx::callTemplate(helperName, c_.indexType, {*lhs, *rhs});
}

std::optional<cxx::Expr> Expressions::threadPosition(const Expr& e) {
  const std::optional<int> axis = c_.cuda ? axisOfPosition(e) : std::nullopt;
  if (!axis || !fits(c_.facts.range(e, c_.width), c_.width)) return {};
  const auto part = [&](HardwareIndex first) {
    return hardware(c_, static_cast<HardwareIndex>(static_cast<int>(first) + *axis));
  };
  return cxx::binary(
      "+",
      cxx::binary("*", cxx::cast(c_.indexType, part(HardwareIndex::BlockX)), part(HardwareIndex::BlockDimX)),
      part(HardwareIndex::ThreadX));
}

std::optional<cxx::Expr> Expressions::small(const Expr& e) {
  if (typeOf(e) != DType::I64 || !fits(c_.facts.range(e, c_.width), c_.width)) {
    const auto* v = e.as<Var>(); // a 64-bit variable needs no room to be read
    const bool readable = v && v->type == DType::I64 && c_.isWide();
    return readable ? std::optional(cxx::name(c_.name(v->name))) : std::nullopt;
  }
  if (const auto position = threadPosition(e)) return cxx::cast(c_.indexType, *position);
  return match(
      e, [&](const Const& k) { return std::optional(constant(k).e); },
      [&](const Var& v) {
        return c_.isIndexTyped(v.name) ? std::optional(cxx::name(c_.name(v.name))) : std::nullopt;
      },
      [&](const Unary& u) -> std::optional<cxx::Expr> {
        const auto arg = u.op == UnaryOp::Neg ? small(u.arg) : std::nullopt;
        return arg ? std::optional(cxx::unary("-", *arg)) : std::nullopt;
      },
      [&](const Binary& b) { return smallBinary(b); },
      [&](const Cast& k) {
        if (!widens(k)) return std::optional<cxx::Expr>();
        // With 32-bit indices what fits them may be computed in int; else the operation needs 64 bits.
        return std::optional(c_.isWide() ? cxx::cast(c_.indexType, value(k.arg)) : value(k.arg));
      },
      [&](const Select& s) -> std::optional<cxx::Expr> {
        const auto then = small(s.then), otherwise = small(s.otherwise);
        if (!then || !otherwise) return {};
        return cxx::ternary(value(s.cond), *then, *otherwise);
      },
      [&](const Hardware& h) { return std::optional(signedHardware(c_, h.which, c_.indexType)); },
      [](const auto&) { return std::optional<cxx::Expr>(); });
}

cxx::Expr Expressions::index(const Expr& e) {
  if (const auto* k = e.as<Cast>(); k && widens(*k)) return value(k->arg);
  if (auto plainly = small(e)) return *plainly;
  // A subscript is in range, so its sums and products are right even where a part of them would not fit.
  if (const auto* b = e.as<Binary>(); b && isRingOperation(b->op))
    return sumOrDifference(cxxOperator(b->op), index(b->lhs), index(b->rhs));
  if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Neg) return cxx::unary("-", index(u->arg));
  if (const auto* s = e.as<Select>())
    return cxx::ternary(value(s->cond), index(s->then), index(s->otherwise));
  if (const auto* f = e.as<Call>(); f && f->fn == Intrinsic::WrapIndex) {
    c_.support.use("wrap_index");
    return cxx::callTemplate("wrap_index", c_.indexType, {index(f->args[0]), index(f->args[1])});
  }
  if (c_.isWide()) return value(e);
  const auto* k = e.as<Cast>(); // one conversion will do
  return cxx::cast(c_.indexType, k && isUnsigned(typeOf(k->arg)) ? value(k->arg) : value(e));
}

cxx::Expr Expressions::bound(const Expr& e, bool asIndex) {
  if (asIndex) return index(e);
  const bool outer = std::exchange(inBound_, true);
  cxx::Expr result = value(e);
  inBound_ = outer;
  return result;
}

cxx::Expr Expressions::address(const Symbol& buffer, const Expr& position) {
  cxx::Expr data = cxx::name(c_.name(buffer));
  return isConst(position, 0) ? data : cxx::binary("+", std::move(data), index(position));
}

cxx::Expr Expressions::element(const Symbol& symbol, const std::vector<Expr>& at) {
  if (c_.inHostProgram)
    internalError(
        fmt::format("the host program uses an element of `{}`, which is in device memory", symbol.hint()));
  const Buffer& b = c_.buffer(symbol);
  const size_t first = c_.cuda ? static_cast<size_t>(b.threads) : 0; // a thread has its own part
  const auto own = [&](const std::vector<Expr>& all) {
    return std::vector<Expr>(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  };
  cxx::Expr base = cxx::name(c_.name(symbol));
  const auto isRest = [](const Expr& e) { // what positionOf may put together
    const auto* part = e.as<Binary>();
    return part && part->op == BinaryOp::Mod;
  };
  if (const auto found = c_.subscripts.find(symbol);
      found != c_.subscripts.end() && std::ranges::none_of(at, isRest)) {
    c_.subscriptsUsed.insert(found->second);
    std::vector<cxx::Expr> args;
    for (const Expr& e : at) args.push_back(index(e));
    return cxx::index(std::move(base), cxx::call(found->second, std::move(args)));
  }
  const Expr position = first < at.size() ? positionOf(own(b.extents), own(at)) : intConst(0);
  // One 64-bit variable alone needs no conversion.
  if (const auto* v = position.as<Var>()) return cxx::index(std::move(base), cxx::name(c_.name(v->name)));
  return cxx::index(std::move(base), index(position));
}

//===--- values -----------------------------------------------------------------------------------------===//

cxx::Expr Expressions::value(const Expr& e) { return lower(e).e; }

cxx::Expr Expressions::converted(DType t, const Value& v) {
  return v.exact ? v.e : cxx::cast(typeName(c_, t), v.e);
}

cxx::Expr Expressions::exact(const Expr& e) { return converted(typeOf(e), lower(e)); }

Expressions::Value Expressions::lower(const Expr& e) {
  if (!e.is<Const>() && !e.is<Cast>())
    if (auto plainly = small(e)) return {*plainly, c_.isWide() && !e.is<Select>()};
  return match(
      e, [&](const Const& k) { return constant(k); }, [&](const Var& v) { return variable(v); },
      [&](const Load& l) { return Value{element(l.buffer, l.index)}; },
      [&](const Unary& u) { return unary(u); }, [&](const Binary& b) { return binary(b); },
      [&](const Cast& k) { return cast(k); },
      [&](const Select& s) {
        const Value then = lower(s.then), otherwise = lower(s.otherwise);
        return Value{cxx::ternary(value(s.cond), then.e, otherwise.e), then.exact && otherwise.exact};
      },
      [&](const Call& f) { return call(f); }, [&](const Lookup& l) { return lookup(l); },
      [&](const Apply& a) { return apply(a); },
      [&](const Reduce&) -> Value { internalError("Reduce below level Tensor"); },
      [&](const Hardware& h) { return Value{signedHardware(c_, h.which, "int64_t")}; });
}

Expressions::Value Expressions::lookup(const Lookup& l) {
  const std::string function = c_.support.tables.function(*l.table, typeName(c_, l.type),
                                                          [&](const Const& k) { return constant(k).e; });
  return {cxx::call(function, {index(l.index)})};
}

Expressions::Value Expressions::apply(const Apply& a) {
  std::vector<cxx::Expr> args;
  for (const Expr& e : a.args) {
    const bool isPlace = a.function && a.function->params[args.size()].isArray;
    args.push_back(isPlace ? cxx::addressOf(value(e)) : value(e));
  }
  return {cxx::call(a.function ? c_.support.functions.called(a.function, c_.sides) : c_.ownName,
                    std::move(args))};
}

Expressions::Value Expressions::constant(const Const& k) {
  if (const auto* b = std::get_if<bool>(&k.value)) return {cxx::name(*b ? "true" : "false")};
  if (const auto* i = std::get_if<int64_t>(&k.value)) {
    if (isFloat(k.type)) return constant(Const{k.type, static_cast<double>(*i)});
    const bool unsignedLiteral = isUnsigned(k.type) && !isNarrow(k.type);
    return {cxx::name(wholeText(*i, k.type) + (unsignedLiteral ? "u" : "")),
            k.type == DType::I32 || k.type == DType::U32};
  }
  if (const auto* u = std::get_if<uint64_t>(&k.value))
    return {cxx::name(fmt::format("{}{}", *u, isNarrow(k.type) ? "" : "u")), k.type == DType::U32};
  if (const auto* z = std::get_if<std::complex<double>>(&k.value)) {
    const DType part = realOf(k.type);
    const auto number = [&](double x) { return constant(Const{part, x}).e; };
    return {cxx::braces(typeName(c_, k.type), {number(z->real()), number(z->imag())})};
  }
  const double x = std::get<double>(k.value);
  if (!isFloat(k.type)) internalError("a floating-point constant of another type");
  const std::string text = k.type == DType::F32 ? floatText(static_cast<float>(x), "f") : floatText(x, "");
  return {cxx::name(text), k.type == DType::F32 || std::isfinite(x)};
}

Expressions::Value Expressions::variable(const Var& v) {
  return {cxx::name(c_.name(v.name)), !c_.isIndexTyped(v.name) || c_.isWide()};
}

Expressions::Value Expressions::helper(std::string_view helperName, DType type,
                                       const std::vector<Expr>& args) {
  c_.support.use(helperName);
  // A literal stands last, where it takes the other's type.
  if (args.front().is<Const>() && (helperName == "wrap_add" || helperName == "wrap_mul") &&
      !args[1].is<Const>())
    return helper(helperName, type, {args[1], args[0]});
  std::vector<cxx::Expr> lowered;
  const Value first = lower(args.front());
  lowered.push_back(first.e);
  for (size_t i = 1; i < args.size(); ++i) lowered.push_back(value(args[i]));
  if (first.exact) return {cxx::call(helperName, std::move(lowered))};
  return {cxx::callTemplate(helperName, typeName(c_, type), std::move(lowered))};
}

Expressions::Value Expressions::unary(const Unary& u) {
  if (u.op == UnaryOp::LogicalNot || (u.op == UnaryOp::BitNot && isBool(u.type)))
    return {cxx::unary("!", value(u.arg))};
  if (u.op == UnaryOp::BitNot) {
    cxx::Expr e = cxx::unary("~", exact(u.arg));
    if (isNarrow(u.type) && isUnsigned(u.type)) return {cxx::cast(cName(u.type), std::move(e))};
    return {std::move(e), !isNarrow(u.type)};
  }
  if (isComplex(u.type)) c_.support.use("complex_neg");
  if (isInteger(u.type) && (isSigned(u.type) || isNarrow(u.type))) return helper("wrap_neg", u.type, {u.arg});
  return {cxx::unary("-", exact(u.arg))};
}

Expressions::Value Expressions::plain(std::string_view op, const Binary& b) {
  Value lhs = lower(b.lhs);
  const Value rhs = lower(b.rhs);
  const bool isWide = byteSize(b.type) >= 4;
  if (isWide && !lhs.exact && !rhs.exact) // one of them gives the operation its type
    lhs = {converted(b.type, lhs)};
  return {sumOrDifference(op, lhs.e, rhs.e), isWide};
}

Expressions::Value Expressions::binary(const Binary& b) {
  if (b.op == BinaryOp::LogicalAnd || b.op == BinaryOp::LogicalOr) return logical(b);
  if (isComparison(b.op)) return comparison(b);
  if (isBool(b.type)) return boolArithmetic(b);
  if (isComplex(b.type)) return complexArithmetic(b);
  return isFloat(b.type) ? realArithmetic(b) : wholeArithmetic(b);
}

Expressions::Value Expressions::logical(const Binary& b) {
  return {cxx::binary(cxxOperator(b.op), value(b.lhs), value(b.rhs))};
}

/// A hardware position, unsigned as CUDA has it, where it is compared with a number that is not negative.
static std::optional<cxx::Expr> position(const Context& c, const Expr& e) {
  if (const auto* h = e.as<Hardware>()) return hardware(c, h->which);
  const auto* b = e.as<Binary>();
  const auto divisor = b ? constantInt(b->rhs) : std::nullopt;
  if (!divisor || *divisor <= 0 || (b->op != BinaryOp::Mod && b->op != BinaryOp::FloorDiv)) return {};
  const auto inner = position(c, b->lhs);
  return inner ? std::optional(cxx::binary(cxxOperator(b->op), *inner, cxx::number(*divisor))) : inner;
}

Expressions::Value Expressions::comparison(const Binary& b) {
  if (isComplex(typeOf(b.lhs)))
    c_.support.use(b.op == BinaryOp::Eq || b.op == BinaryOp::Ne ? "complex_equal" : "complex_compare");
  const auto number = constantInt(b.rhs);
  const auto lhs = number && *number >= 0 ? position(c_, b.lhs) : std::nullopt;
  return {cxx::binary(cxxOperator(b.op), lhs ? *lhs : value(b.lhs), value(b.rhs))};
}

/// On bools, sums and maxima are `or`, products and minima are `and`.
Expressions::Value Expressions::boolArithmetic(const Binary& b) {
  std::string_view op;
  switch (b.op) {
  case BinaryOp::Add:
  case BinaryOp::BitOr:
  case BinaryOp::Max: op = "||"; break;
  case BinaryOp::Mul:
  case BinaryOp::BitAnd:
  case BinaryOp::Min: op = "&&"; break;
  case BinaryOp::Sub:
  case BinaryOp::BitXor: op = "!="; break;
  default: internalError(fmt::format("`{}` on bools", name(b.op)));
  }
  return {cxx::binary(op, value(b.lhs), value(b.rhs))};
}

Expressions::Value Expressions::complexArithmetic(const Binary& b) {
  switch (b.op) {
  case BinaryOp::Add: c_.support.use("complex_add"); break;
  case BinaryOp::Sub: c_.support.use("complex_sub"); break;
  case BinaryOp::Mul: c_.support.use("complex_mul"); break;
  case BinaryOp::Div: c_.support.use("complex_div"); break;
  case BinaryOp::Pow: return helper("complex_power", b.type, {b.lhs, b.rhs});
  case BinaryOp::Min:
  case BinaryOp::Max:
    c_.support.use("complex_compare");
    c_.support.use("complex_equal");
    return helper(b.op == BinaryOp::Min ? "minimum" : "maximum", b.type, {b.lhs, b.rhs});
  default: internalError(fmt::format("`{}` on complex numbers", name(b.op)));
  }
  return {cxx::binary(cxxOperator(b.op), value(b.lhs), value(b.rhs))};
}

/// The support code's function for a power by a constant. The C library's pow is slower and nearer to the number.
static std::optional<std::string_view> constantPower(const Expr& exponent, bool onDevice) {
  // clang-format off
  static constexpr std::pair<double, std::string_view> kPowers[] = {
      {2, "square"}, {3, "cube_of"}, {4, "fourth_power"}, {-1, "reciprocal_of"}, {-2, "inverse_square"}, {-3, "inverse_cube"},
      {0.5, "root_power"}, {-0.5, "inverse_root"}, {1.5, "three_halves_power"}, {-1.5, "inverse_three_halves_power"}};
  // clang-format on
  const auto* value = exponent.is<Const>() ? std::get_if<double>(&exponent.as<Const>()->value) : nullptr;
  for (const auto& [power, name] : kPowers)
    if (value && *value == power && (onDevice || power == 2)) return name;
  return std::nullopt;
}

Expressions::Value Expressions::realArithmetic(const Binary& b) {
  const auto* from = b.lhs.as<Const>();
  const auto* zero = from && b.op == BinaryOp::Sub ? std::get_if<double>(&from->value) : nullptr;
  if (zero && *zero == 0 && !std::signbit(*zero)) return helper("from_zero", b.type, {b.rhs});
  switch (b.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div: return {sumOrDifference(cxxOperator(b.op), value(b.lhs), value(b.rhs))};
  case BinaryOp::FloorDiv: return helper("float_floor_div", b.type, {b.lhs, b.rhs});
  case BinaryOp::Mod: return helper("float_floor_mod", b.type, {b.lhs, b.rhs});
  case BinaryOp::Min: return helper("minimum", b.type, {b.lhs, b.rhs});
  case BinaryOp::Max: return helper("maximum", b.type, {b.lhs, b.rhs});
  case BinaryOp::Pow:
    if (const auto name = constantPower(b.rhs, c_.cuda)) return helper(*name, b.type, {b.lhs});
    return {cxx::call(b.type == DType::F32 ? "powf" : "pow", {exact(b.lhs), exact(b.rhs)})};
  default: internalError(fmt::format("`{}` on floating-point numbers", name(b.op)));
  }
}

Expressions::Value Expressions::division(const Binary& b) {
  const auto* divisor = b.rhs.as<Const>();
  const bool byPositive = divisor && constantInt(b.rhs) && *constantInt(b.rhs) > 0;
  const bool plainly =
      isUnsigned(b.type) ? byPositive : b.type == DType::I64 && dividesPlainly(b, Width::Int64);
  if (plainly) return plain(b.op == BinaryOp::Mod ? "%" : "/", b);
  return helper(b.op == BinaryOp::Mod ? "floor_mod" : "floor_div", b.type, {b.lhs, b.rhs});
}

/// By a constant that C++ and NumPy agree on.
static bool shiftsWithin(const Binary& b) {
  const auto by = constantInt(b.rhs);
  return by && *by >= 0 && *by < int64_t{8} * byteSize(b.type);
}

Expressions::Value Expressions::wholeArithmetic(const Binary& b) {
  const Expr self = make(Binary(b));
  const bool stays = b.type == DType::I64 && (fits(c_.facts.range(self, Width::Int64), Width::Int64) ||
                                              (inBound_ && c_.facts.isIndexExpr(self)));
  const bool wraps = isNarrow(b.type) || (isSigned(b.type) && !stays);
  switch (b.op) {
  case BinaryOp::Add: return wraps ? helper("wrap_add", b.type, {b.lhs, b.rhs}) : plain("+", b);
  case BinaryOp::Sub: return wraps ? helper("wrap_sub", b.type, {b.lhs, b.rhs}) : plain("-", b);
  case BinaryOp::Mul: return wraps ? helper("wrap_mul", b.type, {b.lhs, b.rhs}) : plain("*", b);
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod: return division(b);
  case BinaryOp::Min: return helper("minimum", b.type, {b.lhs, b.rhs});
  case BinaryOp::Max: return helper("maximum", b.type, {b.lhs, b.rhs});
  case BinaryOp::Pow: return helper("int_power", b.type, {b.lhs, b.rhs});
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor: return plain(cxxOperator(b.op), b);
  case BinaryOp::Shl:
    if (isUnsigned(b.type) && !isNarrow(b.type) && shiftsWithin(b)) return plain("<<", b);
    return helper("shift_left", b.type, {b.lhs, b.rhs});
  case BinaryOp::Shr:
    if (shiftsWithin(b)) return plain(">>", b);
    return helper("shift_right", b.type, {b.lhs, b.rhs});
  default: internalError(fmt::format("`{}` on integers", name(b.op)));
  }
}

/// A float as an integer. Those out of range of a narrow or unsigned type wrap as NumPy's do, which goes through a wider one.
static cxx::Expr truncated(Context& c, DType to, cxx::Expr number) {
  if (to == DType::U64) {
    c.support.use("to_uint64");
    return cxx::call("to_uint64", {std::move(number)});
  }
  if (isNarrow(to)) number = cxx::cast("int32_t", std::move(number));
  if (to == DType::U32) number = cxx::cast("int64_t", std::move(number));
  return cxx::cast(cName(to), std::move(number));
}

Expressions::Value Expressions::cast(const Cast& k) {
  const DType from = typeOf(k.arg), to = k.type;
  const Value arg = lower(k.arg);
  if (isBool(to)) {
    if (isComplex(from)) return helper("complex_to_bool", from, {k.arg});
    return {cxx::binary("!=", arg.e, cxx::number(0))};
  }
  if (isComplex(to) && isComplex(from)) {
    c_.support.use("complex_cast");
    return {cxx::callTemplate("complex_cast", cName(realOf(to)), {arg.e})};
  }
  if (isComplex(to)) {
    const DType part = realOf(to);
    cxx::Expr re = from == part ? converted(part, arg) : cxx::cast(cName(part), arg.e);
    return {cxx::braces(typeName(c_, to), {std::move(re), cxx::number(0)})};
  }
  if (isComplex(from)) {
    cxx::Expr re = cxx::member(arg.e, "re");
    return {realOf(from) == to ? re : isInteger(to) ? truncated(c_, to, re) : cxx::cast(cName(to), re)};
  }
  if (isFloat(from) && isInteger(to)) return {truncated(c_, to, arg.e)};
  if (isSigned(to) && (isBool(from) || (isSigned(from) && byteSize(from) < byteSize(to))))
    return {arg.e, false}; // the narrower type holds the same number
  return {cxx::cast(cName(to), arg.e)};
}

Expressions::Value Expressions::complexCall(const Call& f) {
  const DType type = typeOf(f.args.front());
  switch (f.fn) {
  case Intrinsic::Real: return {cxx::member(value(f.args[0]), "re")};
  case Intrinsic::Imag: return {cxx::member(value(f.args[0]), "im")};
  case Intrinsic::Conj: return helper("conjugate", type, f.args);
  case Intrinsic::Abs: return helper("complex_abs", type, f.args);
  case Intrinsic::Sign: return helper("complex_sign", type, f.args);
  case Intrinsic::Square: c_.support.use("complex_mul"); return helper("square", type, f.args);
  case Intrinsic::Fmin:
  case Intrinsic::Fmax:
    c_.support.use("complex_compare");
    c_.support.use("complex_equal");
    return helper(info(f.fn).code, type, f.args);
  default: return helper("complex_" + std::string(info(f.fn).code), type, f.args);
  }
}

Expressions::Value Expressions::call(const Call& f) {
  const Expr& first = f.args.front();
  const DType type = typeOf(first);
  if (isComplex(type)) return complexCall(f);
  const bool whole = !isFloat(type);
  std::vector<cxx::Expr> args;
  switch (f.fn) {
  case Intrinsic::Real:
  case Intrinsic::Conj: return lower(first);
  case Intrinsic::Imag: return lower(constOf(type, 0));
  case Intrinsic::IsNan:
  case Intrinsic::IsInf:
  case Intrinsic::IsFinite:
    if (whole) return {cxx::name(f.fn == Intrinsic::IsFinite ? "true" : "false")};
    return helper(info(f.fn).code, type, f.args);
  case Intrinsic::Abs:
    if (isFloat(type)) return {cxx::call(type == DType::F32 ? "fabsf" : "fabs", {exact(first)})};
    return isSigned(type) ? helper("abs_value", type, f.args) : lower(first);
  case Intrinsic::Floor:
  case Intrinsic::Ceil:
  case Intrinsic::Trunc:
  case Intrinsic::Rint:
    if (whole && f.type == type) return lower(first);
    break;
  case Intrinsic::Sign: return isBool(type) ? lower(first) : helper("sign_of", type, f.args);
  case Intrinsic::Square: return isBool(type) ? lower(first) : helper("square", type, f.args);
  case Intrinsic::Fmin:
  case Intrinsic::Fmax:
    if (isBool(type))
      return lower(ir::binary(f.fn == Intrinsic::Fmin ? BinaryOp::Min : BinaryOp::Max, f.args[0], f.args[1]));
    return helper(info(f.fn).code, type, f.args);
  case Intrinsic::WrapIndex:
  case Intrinsic::Scaled:
  case Intrinsic::Exponent:
  case Intrinsic::PowerOfTwo:
  case Intrinsic::Reciprocal:
  case Intrinsic::DividesBy:
  case Intrinsic::DivideBy:
  case Intrinsic::CountOnes:
  case Intrinsic::LeadingZeros:
  case Intrinsic::ReverseBits: return helper(info(f.fn).code, type, f.args);
  case Intrinsic::MakeComplex:
    return {cxx::braces(typeName(c_, f.type), {value(f.args[0]), value(f.args[1])})};
  case Intrinsic::BitsOf:
    c_.support.use(info(f.fn).code);
    return {cxx::callTemplate(info(f.fn).code, typeName(c_, f.type), {exact(first)})};
  case Intrinsic::LanesOfRow:
  case Intrinsic::ColumnsOfBlock:
  case Intrinsic::ResidentBlocks:
    c_.support.use(info(f.fn).code);
    for (const Expr& a : f.args) args.push_back(value(a));
    return {cxx::call(info(f.fn).code, std::move(args))};
  default: break;
  }
  for (const Expr& a : f.args) // a function of <cmath>; integers are computed as floats of the result's type
    args.push_back(typeOf(a) == f.type ? exact(a) : cxx::cast(cName(f.type), value(a)));
  return {cxx::call(std::string(info(f.fn).code) + (f.type == DType::F32 ? "f" : ""), std::move(args))};
}

} // namespace appyc::target
