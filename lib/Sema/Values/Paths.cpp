//===- Paths.cpp - a number whose NEP 50 state depends on the path that was taken -------------------===//
// Where paths meet, a variable may hold Python's own number on one and NumPy's on the other, or numbers of two
// types. What is computed from it then has to come out the same on every path, or it is refused:
//  * equal states: the same state;
//  * a constant (with which an accumulator begins) and a type that holds it: that type, the constant remembered;
//  * one type, Python's on one path and NumPy's on the other: NumPy's, both remembered;
//  * whole numbers and infinities (`best = float("inf")`, then `best = d`): an f64, which says by itself which of them it is;
//  * otherwise only the value may be used: an index, what is stored or returned, a condition, `int(x)`.
// onEachPath() computes with what was remembered too and compares.
#include "Paths.h"
#include "Lowering.h"
#include <cmath>

namespace appyc::sema {

static int kind(DType t) { return ir::isComplex(t) ? 3 : ir::isFloat(t) ? 2 : ir::isBool(t) ? 0 : 1; }

Scalar keptIn(const Scalar& s, Expr e) {
  Scalar kept = s;
  kept.constant = constantOf(s);
  kept.e = std::move(e);
  return kept;
}

Expr constantOf(const Scalar& s) { return s.e.is<ir::Const>() ? s.e : s.constant; }

static Expr placeholder(DType type) {
  static const Symbol kNone("joined");
  return ir::var(kNone, type);
}

/// The type in which the number computes.
static DType computedType(const Scalar& s) { return s.as.value_or(s.type()); }

/// The same real or complex number?
static bool isSameNumber(const Expr& a, const Expr& b) {
  DType ta = ir::typeOf(a), tb = ir::typeOf(b);
  DType wide = kind(ta) < kind(tb) ? tb : ta;
  if (kind(ta) == kind(tb)) wide = ir::promote(ta, tb);
  if (ir::isInteger(ta) && ir::isInteger(tb) && ir::isFloat(wide)) { // i64 and u64
    const Expr x = ir::cast(DType::I64, a), y = ir::cast(DType::I64, b);
    return ir::equal(x, y) && ir::constantInt(x).value_or(-1) >= 0;
  }
  auto exact = [&](const Expr& e) { return ir::equal(ir::cast(ir::typeOf(e), ir::cast(wide, e)), e); };
  return exact(a) && exact(b) && ir::equal(ir::cast(wide, a), ir::cast(wide, b));
}

bool isHeldBy(DType type, const Expr& constant) {
  return kind(ir::typeOf(constant)) <= kind(type) && isSameNumber(constant, ir::cast(type, constant));
}

bool isSameOther(const Scalar& a, const Scalar& b) {
  if (!a.e || !b.e) return !a.e && !b.e;
  return a.weak == b.weak && a.type() == b.type() && ir::equal(a.e, b.e);
}

void addOther(std::vector<Scalar>& others, const Scalar& other) {
  if (std::none_of(others.begin(), others.end(), [&](const Scalar& o) { return isSameOther(o, other); }))
    others.push_back(other);
}

bool isSameState(const Scalar& a, const Scalar& b) {
  if (a.type() != b.type() || a.isOpaque != b.isOpaque || a.isCell != b.isCell ||
      a.isExtended != b.isExtended || a.isEither != b.isEither)
    return false;
  if (a.isOpaque)
    return a.others.size() == b.others.size() && std::ranges::all_of(a.others, [&](const Scalar& o) {
             return std::ranges::any_of(b.others, [&](const Scalar& p) { return isSameOther(o, p); });
           });
  const Expr x = constantOf(a), y = constantOf(b);
  auto has = [](const std::vector<Scalar>& all, const Scalar& one) {
    return std::any_of(all.begin(), all.end(), [&](const Scalar& o) { return isSameOther(o, one); });
  };
  return a.weak == b.weak && a.as == b.as && !x == !y && (!x || ir::equal(x, y)) &&
         a.others.size() == b.others.size() &&
         std::all_of(a.others.begin(), a.others.end(), [&](const Scalar& o) { return has(b.others, o); });
}

static std::string describeState(const Scalar& s) {
  if (!s.e) return "Python's own";
  if (s.isOpaque) return fmt::format("{} or {}", describeState(s.others[0]), describeState(s.others[1]));
  if (s.isExtended) return "a whole number or an infinity";
  DType type = computedType(s);
  if (!s.weak) return std::string(ir::name(type));
  static constexpr const char* kNames[] = {"bool", "int", "float", "complex"};
  return fmt::format("Python's {}", kNames[kind(type)]);
}

std::string describeStates(const Scalar& a, const Scalar& b) {
  return fmt::format("{} on one path and {} on another", describeState(a), describeState(b));
}

std::string noCommonType(const Scalar& a, const Scalar& b) {
  return fmt::format(
      "is {}, which no one type holds exactly; convert one of them, as by `np.float64(...)` or "
      "`int(...)`",
      describeStates(a, b));
}

/// What it may be, each as a zero of that kind.
std::vector<Scalar> kindsOf(const Scalar& s) {
  const auto like = [](const Scalar& o, DType type) { return Scalar{ir::constOf(type, 0), o.weak}; };
  if (s.isOpaque) return s.others;
  std::vector<Scalar> kinds{like(s, computedType(s))};
  for (const Scalar& o : s.others)
    addOther(kinds, o.e ? like(o, computedType(o)) : Scalar{ir::constOf(computedType(s), 0), true});
  return kinds;
}

/// Only the value is known, in a type that holds both exactly: whole numbers beside floats lie within 2^53 of 0.
static std::optional<Scalar> joinValues(const Scalar& a, const Scalar& b, bool aIsSmall, bool bIsSmall) {
  DType wide = ir::promote(a.type(), b.type());
  auto fits = [&](const Scalar& s) {
    if (Expr c = constantOf(s)) return isHeldBy(wide, c);
    return !ir::isInteger(s.type()) || ir::isInteger(wide) || ir::byteSize(s.type()) <= 4 ||
           (wide == DType::F64 && s.type() == DType::I64 && (a.type() == wide || b.type() == wide));
  };
  if (!(aIsSmall || fits(a)) || !(bIsSmall || fits(b))) return std::nullopt;
  Scalar out{placeholder(wide)};
  out.others = kindsOf(a);
  for (const Scalar& kind : kindsOf(b)) addOther(out.others, kind);
  if (out.others.size() == 1) out.others.push_back(out.others[0]);
  if (isSameOther(out.others[0], out.others[1])) // what differs is what one of them may be besides
    out.others[1] = (a.others.empty() ? b : a).others.front();
  out.isOpaque = true;
  return out;
}

/// `main`, or the constant `c` on other paths.
static std::optional<Scalar> withConstant(const Scalar& main, const Scalar& c) {
  Scalar constant{constantOf(c), c.weak};
  DType type = computedType(main);
  if (!constant.e || kind(constant.type()) > kind(type)) return std::nullopt;
  Scalar out = main;
  out.constant = {};
  if (!isHeldBy(type, constant.e)) {
    if (type != DType::F32 || !constant.weak || !isHeldBy(DType::F64, constant.e)) return std::nullopt;
    out.as = type;
    out.e = placeholder(DType::F64);
  }
  for (const Scalar& other : c.others) {
    if (!other.e || !isHeldBy(type, other.e)) return std::nullopt;
    addOther(out.others, other);
  }
  addOther(out.others, constant);
  return out;
}

/// One type on both paths: NumPy's number is the main one.
static Scalar joinStrengths(const Scalar& a, const Scalar& b) {
  const Scalar &main = a.weak ? b : a, &other = a.weak ? a : b;
  Scalar out = main;
  if (b.as) out.e = b.e, out.as = b.as;
  for (const Scalar& o : other.others) addOther(out.others, o);
  const Expr x = constantOf(a), y = constantOf(b);
  out.constant = x && y && ir::equal(x, y) ? x : Expr();
  if (a.weak == b.weak) return out;
  addOther(out.others, constantOf(other) ? Scalar{constantOf(other), true} : Scalar{{}, true});
  return out;
}

constexpr size_t kMostOthers = 4;

static bool isInfinity(const Scalar& s) {
  const Expr c = constantOf(s);
  const auto* known = c ? c.as<ir::Const>() : nullptr;
  const auto* number = known ? std::get_if<double>(&known->value) : nullptr;
  return s.weak && number && std::isinf(*number) && s.type() == DType::F64 && !s.as && s.others.empty();
}

/// A whole number on one path and an infinity, or one of both, on the other. What is a float otherwise, and a whole number
/// that is known, has a type of its own: withConstant().
static std::optional<Scalar> joinExtended(const Scalar& a, const Scalar& b) {
  if (a.isOpaque || b.isOpaque) return std::nullopt;
  if (!a.isExtended && !b.isExtended && isInfinity(a) == isInfinity(b)) return std::nullopt;
  const bool isFirst = a.isExtended || (!b.isExtended && isInfinity(a));
  const Scalar &extended = isFirst ? a : b, &other = isFirst ? b : a;
  if (other.type() == DType::F64 && !other.isExtended && !isInfinity(other)) {
    if (!extended.isExtended || extended.others.empty()) return std::nullopt;
    std::optional<Scalar> joined = other;
    if (!other.weak) addOther(joined->others, {{}, true});
    for (const Scalar& whole : extended.others)
      if (joined) joined = joinStates(*joined, whole);
    return joined;
  }
  const auto isWhole = [](const Scalar& o) { return !o.e || o.type() == DType::I64; };
  const bool isOfWholes =
      other.type() == DType::I64 && !other.as && std::ranges::all_of(other.others, isWhole);
  if (!isOfWholes && !other.isExtended && !isInfinity(other)) return std::nullopt;
  Scalar out{placeholder(DType::F64), extended.weak};
  out.isExtended = true;
  out.isEither = extended.isEither || other.isEither;
  if (isInfinity(other)) {
    out.others = extended.others;
    return out;
  }
  const auto strength = [](const Scalar& s) { return isInfinity(s) ? std::optional<bool>() : s.weak; };
  out.isEither |= strength(extended).value_or(other.weak) != other.weak ||
                  std::ranges::any_of(other.others, [&](const Scalar& o) { return o.weak != other.weak; });
  out.weak = other.weak && !out.isEither;
  if (out.isEither) return out;
  const auto wholesOf = [](const Scalar& s) -> std::optional<std::vector<Scalar>> {
    if (isInfinity(s)) return std::vector<Scalar>();
    if (s.isExtended) return s.others.empty() ? std::nullopt : std::optional(s.others);
    const Expr c = constantOf(s);
    return c && s.others.empty() ? std::optional(std::vector<Scalar>{{c, s.weak}}) : std::nullopt;
  };
  const auto x = wholesOf(extended), y = wholesOf(other);
  if (!x || !y) return out;
  out.others = *x;
  for (const Scalar& whole : *y) addOther(out.others, whole);
  if (out.others.size() > kMostOthers) out.others.clear();
  return out;
}

/// Many constants of Python's of one type (a counter's: -1, -2, ..) are any of Python's numbers of it, as all are beside such.
static void forgetConstants(Scalar& s) {
  const DType type = computedType(s);
  const bool isAny = std::ranges::any_of(s.others, [](const Scalar& o) { return !o.e; });
  if (s.weak || (!isAny && s.others.size() <= kMostOthers)) return;
  const size_t before = s.others.size();
  std::erase_if(s.others, [&](const Scalar& o) { return o.e && o.weak && o.type() == type; });
  if (s.others.size() < before) addOther(s.others, {{}, true});
}

/// Python's numbers, past 63 bits on one path: intoState() sees to it that those on the other are not negative.
static bool arePast63(const Scalar& a, const Scalar& b) {
  const auto isPlain = [](const Scalar& s) {
    return s.weak && s.others.empty() && !s.isOpaque && !s.as &&
           ir::constantInt(constantOf(s) ? constantOf(s) : s.e).value_or(0) >= 0;
  };
  const DType one = a.type(), other = b.type();
  return isPlain(a) && isPlain(b) && one != other && (one == DType::U64 || other == DType::U64) &&
         (one == DType::I64 || other == DType::I64);
}

std::optional<Scalar> joinStates(const Scalar& a, const Scalar& b, bool aIsSmall, bool bIsSmall) {
  if (arePast63(a, b)) return Scalar{placeholder(DType::U64), true};
  std::optional<Scalar> joined = joinExtended(a, b);
  if (joined || a.isExtended || b.isExtended) {
    if (joined) joined->e = placeholder(joined->type());
    return joined;
  }
  if (!a.isOpaque && !b.isOpaque) {
    if (computedType(a) == computedType(b))
      joined = joinStrengths(a, b);
    else if (!(joined = withConstant(b, a)))
      joined = withConstant(a, b);
  }
  if (joined) forgetConstants(*joined);
  if (!joined || joined->others.size() > kMostOthers) joined = joinValues(a, b, aIsSmall, bIsSmall);
  if (joined) joined->e = placeholder(joined->type());
  if (joined) joined->isCell = a.isCell || b.isCell;
  if (joined && joined->constant) joined->constant = ir::cast(joined->type(), joined->constant);
  return joined;
}

/// Sums of sizes, loop indices and small constants: nobody counts to 2**53.
bool Lowering::isCounted(const Expr& e) const {
  if (ir::typeOf(e) != DType::I64) return false;
  if (std::optional<int64_t> c = ir::constantInt(e)) return *c > INT32_MIN && *c < INT32_MAX;
  if (const auto* b = e.as<ir::Binary>())
    return (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub) && isCounted(b->lhs) &&
           isCounted(b->rhs);
  const auto* v = e.as<ir::Var>();
  return v && (sizes_.count(v->name) || std::any_of(loops_.begin(), loops_.end(), [&](const ir::For& loop) {
                 return loop.index == v->name && isCounted(loop.lo);
               }));
}

std::optional<Scalar> Lowering::joinNumbers(const Scalar& a, const Scalar& b, Span where,
                                            const std::string& name) {
  std::optional<Scalar> joined = joinStates(a, b, isCounted(a.e), isCounted(b.e));
  if (!joined)
    error(DiagId::TypeMismatch, where,
          fmt::format("{} {}", name.empty() ? "this" : fmt::format("`{}`", name), noCommonType(a, b)));
  return joined;
}

Value Lowering::probe(const std::function<Value()>& fn) {
  const size_t buffers = out_.buffers.size(), kernels = out_.kernels.size();
  const Env fields = fieldsIn(env());
  Value result;
  collect([&] { result = fn(); });
  out_.buffers.erase(out_.buffers.begin() + static_cast<std::ptrdiff_t>(buffers), out_.buffers.end());
  out_.kernels.resize(kernels);
  moveFields(fields, env());
  return result;
}

namespace {
/// What one operand is on one of the paths.
struct PathOperand {
  Value value;                ///< as CPython has it there
  Value main;                 ///< the same number in the main type
  const Scalar* of = nullptr; ///< where it is one of the constants that this may be
  Expr constant{};
};
/// What is constant on a path.
struct PathConstants {
  bool any = false;
  bool areZero = true; ///< what a sum begins with that nothing was added to
  bool areHeld = true; ///< by the types in whose place they stand

  void add(const PathOperand& p) {
    if (!p.of) return;
    any = true;
    areZero &= isSameNumber(p.constant, ir::constOf(ir::typeOf(p.constant), 0));
    areHeld &= isHeldBy(computedType(*p.of), p.constant);
  }
};
} // namespace

bool isExtended(const Value& v) {
  const auto* s = v.as<Scalar>();
  return s && s->isExtended;
}

/// The number in its main type.
static Value mainOf(const Value& v) {
  const auto* s = v.as<Scalar>();
  return s ? Value{Scalar{ir::cast(computedType(*s), s->e), s->weak}} : v;
}

/// The operand on each path, the main one first.
static std::vector<PathOperand> pathsOf(const Value& v) {
  const auto* s = v.as<Scalar>();
  if (!s) return {{v, v}};
  if (s->constant) { // one number on all paths, which may be Python's on some
    const Value known{Scalar{s->constant, s->weak}};
    std::vector<PathOperand> paths{{known, known}};
    if (std::ranges::any_of(s->others, [&](const Scalar& o) { return o.weak && !s->weak; }))
      paths.push_back({Value{Scalar{s->constant, true}}, known, s, s->constant});
    return paths;
  }
  DType type = computedType(*s);
  Value main{Scalar{ir::cast(type, s->e), s->weak}};
  std::vector<PathOperand> paths{{main, main}};
  for (const Scalar& o : s->others) {
    if (o.e)
      paths.push_back({Value{o}, Value{Scalar{ir::cast(type, o.e), s->weak}}, s, o.e});
    else
      paths.push_back({Value{Scalar{ir::cast(type, s->e), true}}, main});
  }
  return paths;
}

/// Floats that are compared are so in one type on both paths, or with a constant that both types hold: q == t of an f32 and 0.1 is
/// true in f32, and false in f64.
bool isComparedAlike(const Expr& base, const Expr& other) {
  const auto *x = base.as<ir::Binary>(), *y = other.as<ir::Binary>();
  if (!x || !y || !ir::isBool(x->type) || x->op != y->op) return true;
  const DType there = ir::typeOf(y->lhs), here = ir::typeOf(x->lhs);
  if (there == here || kind(there) < 2 || kind(here) < 2) return true;
  const auto isSameConstant = [](const Expr& a, const Expr& b) {
    return a.is<ir::Const>() && b.is<ir::Const>() && isSameNumber(a, b);
  };
  return isSameConstant(x->lhs, y->lhs) || isSameConstant(x->rhs, y->rhs);
}
bool isComparedAlike(const Array& base, const Array& other) {
  if (!ir::isBool(base.type) || base.view || other.view || !base.at || !other.at) return true;
  Indices index;
  for (size_t d = 0; d < base.shape.size(); ++d) index.push_back(ir::var(Symbol("i")));
  return base.shape.size() != other.shape.size() || isComparedAlike(base.at(index), other.at(index));
}

/// A float computed of constants is one.
static Expr folded(const Expr& e) {
  const auto* b = e.as<ir::Binary>();
  const auto number = [](const Expr& of) -> std::optional<double> {
    const auto* c = of.as<ir::Const>();
    const auto* x = c && c->type == DType::F64 ? std::get_if<double>(&c->value) : nullptr;
    return x ? std::optional(*x) : std::nullopt;
  };
  const auto x = b ? number(b->lhs) : std::nullopt, y = b ? number(b->rhs) : std::nullopt;
  if (!x || !y) return e;
  switch (b->op) {
  case ir::BinaryOp::Add: return ir::floatConst(*x + *y);
  case ir::BinaryOp::Sub: return ir::floatConst(*x - *y);
  case ir::BinaryOp::Mul: return ir::floatConst(*x * *y);
  default: return e;
  }
}

/// Takes into `result` what comes out on another path; false where that is another number than `result` says.
/// `base` is the same computed in the main types. A sum that begins with 0 and has been added nothing to may
/// change the precision of a float computed from it: that is let pass.
static bool takeOther(Value& result, const Value& base, const Value& other, const PathConstants& constants) {
  const bool mayWiden = constants.any && constants.areZero;
  if (const auto* a = result.as<Array>()) {
    const auto* b = other.as<Array>();
    if (!b || (!constants.areHeld && ir::realOf(a->type) != DType::F32)) return false;
    if (base.as<Array>() && !isComparedAlike(*base.as<Array>(), *b)) return false;
    return a->type == b->type || (mayWiden && kind(a->type) == kind(b->type) && kind(a->type) > 1);
  }
  if (const auto* t = result.as<TupleValue>()) {
    const auto *b = base.as<TupleValue>(), *o = other.as<TupleValue>();
    TupleValue all = *t;
    for (size_t i = 0; i < all.items.size(); ++i)
      if (!takeOther(all.items[i], b->items[i], o->items[i], constants)) return false;
    result = Value{all};
    return true;
  }
  const auto *r = result.as<Scalar>(), *b = base.as<Scalar>(), *q = other.as<Scalar>();
  if (!r || !b || !q) return !r && isSame(result, other);
  if (!isComparedAlike(b->e, q->e)) return false;
  const Expr known = folded(b->e);
  if (q->e.is<ir::Const>() && known.is<ir::Const>() && isSameNumber(known, q->e)) {
    Scalar all = *r;
    if (q->type() != r->type() || q->weak != r->weak) addOther(all.others, Scalar{q->e, q->weak});
    result = Value{all};
    return kind(q->type()) <= kind(r->type());
  }
  if (q->type() == r->type() && (!constants.any || constants.areHeld)) { // computed alike
    Scalar all = *r;
    if (q->weak && !r->weak) addOther(all.others, Scalar{{}, true});
    result = Value{all};
    return q->weak || !r->weak;
  }
  if (ir::equal(b->e, q->e)) {
    Scalar all = *r;
    if (q->weak && !r->weak && !constants.areZero) addOther(all.others, Scalar{{}, true});
    result = Value{all};
    return true;
  }
  const bool wraps = !q->weak && kind(q->type()) < 2; // as a float does not
  return mayWiden && kind(r->type()) > 1 && kind(q->type()) <= kind(r->type()) && !wraps;
}

std::string describeResult(const Value& v) {
  const auto* s = v.as<Scalar>();
  return s ? describeState(*s) : describe(v);
}

/// All whole numbers that it gives of those that the operands may be; none where these are not known, or many.
std::vector<Scalar> Lowering::wholesOf(const Values& operands,
                                       const std::function<Value(const Values&)>& fn) {
  std::vector<Values> paths{{}};
  for (const Value& v : operands) {
    const auto* s = v.as<Scalar>();
    std::vector<Scalar> known = s && s->isExtended ? s->others : std::vector<Scalar>();
    if (s && !s->isExtended && constantOf(*s) && s->others.empty()) known = {{constantOf(*s), s->weak}};
    if (known.empty()) return {};
    std::vector<Values> longer;
    for (const Values& path : paths)
      for (const Scalar& one : known) {
        longer.push_back(path);
        longer.back().push_back(Value{one});
      }
    paths = std::move(longer);
  }
  std::vector<Scalar> found;
  for (const Values& path : paths) {
    const Value v = probe([&] { return fn(path); });
    const auto* s = v.as<Scalar>();
    if (!s || !s->e.is<ir::Const>() || s->type() != DType::I64) return {};
    addOther(found, {s->e, s->weak});
  }
  return found.size() > kMostOthers ? std::vector<Scalar>() : found;
}

/// What is computed of whole numbers and infinities, as floats: it has to be of one type for both. `isClosed`: of finite ones
/// it is finite, of others not.
Value Lowering::ofExtended(const Values& operands, Span where, const std::function<Value(const Values&)>& fn,
                           bool isClosed) {
  Values floats, wholes;
  for (const Value& v : operands) {
    const auto* s = v.as<Scalar>();
    const bool isOne = s && s->isExtended;
    floats.push_back(isOne ? Value{Scalar{s->e, true}} : v);
    Scalar whole{isOne ? ir::cast(DType::I64, s->e) : Expr(), isOne && s->weak};
    if (isOne && s->isEither) whole.others = {{{}, true}};
    wholes.push_back(isOne ? Value{whole} : v);
  }
  const Value result = onEachPath(floats, where, fn);
  if (result.isError()) return result;
  const Value whole = probe([&] { return onEachPath(wholes, where, fn); });
  if (whole.isError()) return whole;
  const auto *r = result.as<Scalar>(), *w = whole.as<Scalar>();
  const auto *a = result.as<Array>(), *b = whole.as<Array>();
  if (a && b && a->type == b->type) return result;
  if (r && w && r->type() == w->type() && !w->isOpaque) {
    Scalar either = *w;
    either.e = r->e, either.constant = {};
    if (!w->weak && r->weak) addOther(either.others, {{}, true});
    if (w->weak == r->weak || !w->weak) return Value{either};
  }
  if (r && w && isClosed && r->type() == DType::F64 && w->type() == DType::I64) {
    Scalar either{r->e, w->weak};
    either.isExtended = true;
    either.isEither = std::ranges::any_of(w->others, [&](const Scalar& o) { return o.weak != w->weak; });
    if (!either.isEither) either.others = wholesOf(operands, fn);
    return Value{either};
  }
  return error(
      DiagId::TypeMismatch, where,
      fmt::format("this computes as {} of a whole number and as {} of an infinity, which differ; convert "
                  "the number, as by `int(...)` or `float(...)`",
                  describeResult(whole), describeResult(result)));
}

/// A function of numbers: computed for the main state of each, and for the others to see that they agree.
Value Lowering::onEachPath(const std::vector<Value>& operands, Span where,
                           const std::function<Value(const std::vector<Value>&)>& fn, bool isClosed) {
  if (std::ranges::any_of(operands, isExtended)) return ofExtended(operands, where, fn, isClosed);
  if (std::ranges::any_of(operands, isWholeOrFloat)) return ofWholesOrFloats(operands, where, fn, isClosed);
  std::vector<std::vector<PathOperand>> paths;
  std::vector<Value> main, known;
  size_t count = 1;
  bool isKnown = false;
  std::vector<Value> fitted; // paths refer to these
  for (const Value& v : operands) fitted.push_back(besideComplex(v, operands).value_or(v));
  for (const Value& v : fitted) {
    const auto* s = v.as<Scalar>();
    if (s && s->isOpaque)
      return error(
          DiagId::TypeMismatch, where,
          fmt::format("a number is {}, so that this depends on the path; convert it where it is used, "
                      "as by `int(...)` or `np.float64(...)`, or where it begins, as by `np.int64(0)`",
                      describeStates(s->others[0], s->others[1])));
    isKnown |= s && s->constant;
    if (s && constantOf(*s)) known.push_back(Value{Scalar{constantOf(*s), s->weak}});
    paths.push_back(pathsOf(v));
    main.push_back(mainOf(v));
    count *= paths.back().size();
  }
  Value result = fn(main);
  if (result.isError()) return result;
  if (const auto* r = result.as<Scalar>(); r && isKnown && known.size() == operands.size()) {
    const size_t mark = diag_.mark();
    Value folded = probe([&] { return fn(known); });
    diag_.rollback(mark);
    if (const auto* c = folded.as<Scalar>(); c && c->e.is<ir::Const>()) {
      Scalar all = *r;
      all.constant = c->e;
      result = Value{all};
    }
  }
  for (size_t path = 1; path < count; ++path) {
    std::vector<Value> there, inMain;
    PathConstants constants;
    for (size_t k = 0, rest = path; k < paths.size(); rest /= paths[k].size(), ++k) {
      const PathOperand& p = paths[k][rest % paths[k].size()];
      there.push_back(p.value);
      inMain.push_back(p.main);
      constants.add(p);
    }
    Value other = probe([&] { return fn(there); });
    if (other.isError()) return other;
    const size_t mark = diag_.mark();
    Value base = probe([&] { return fn(inMain); });
    diag_.rollback(mark);
    const bool isTaken = !base.isError() && takeOther(result, base, other, constants);
    if (!isTaken && describeResult(result) == describeResult(other))
      return error(
          DiagId::TypeMismatch, where,
          "floats are compared in one type on one path and in another on another; convert them, as by "
          "`np.float64(...)`");
    if (!isTaken)
      return error(
          DiagId::TypeMismatch, where,
          fmt::format("this computes as {} on one path and as {} on another, which differ; begin with "
                      "a number of that type, such as `np.{}(0)`, or convert it",
                      describeResult(result), describeResult(other), ir::numpyName(toArray(result).type)));
  }
  return result;
}

/// The number without what it may be on other paths.
Value Lowering::onlyValue(const Value& v) const {
  const auto* s = v.as<Scalar>();
  if (s && s->isExtended) return Value{Scalar{s->e, true}};
  return s && (s->isOpaque || !s->others.empty()) ? Value{Scalar{s->e, s->weak}} : v;
}

} // namespace appyc::sema
