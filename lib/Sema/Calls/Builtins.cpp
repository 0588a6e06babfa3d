//===- Builtins.cpp - Python's builtins and `math`, of Python's and NumPy's values ----------------------===//
#include "Arguments.h"
#include "Lowering.h"
#include <cstdlib>

namespace appyc::sema {

//===--- conversions --------------------------------------------------------------------------------===//

/// float('inf'), float('1.5'): the text as Python reads it.
static std::optional<double> numberSpelled(std::string text) {
  const char* blank = " \t\n\r\f\v";
  const size_t first = text.find_first_not_of(blank);
  if (first == std::string::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(blank) - first + 1);
  std::string digits = text;
  std::transform(digits.begin(), digits.end(), digits.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const double sign = digits[0] == '-' ? -1 : 1;
  std::string name = digits[0] == '-' || digits[0] == '+' ? digits.substr(1) : digits;
  if (name == "inf" || name == "infinity") return sign * HUGE_VAL;
  if (name == "nan") return std::copysign(NAN, sign);
  if (digits.find_first_not_of("0123456789.e+-") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  return end == digits.c_str() + digits.size() ? std::optional<double>(value) : std::nullopt;
}

/// complex(re, im): re + im * i, of complex numbers, too.
Value Lowering::complexOf(const Value& re, const Value& im, Span where) {
  std::vector<Expr> parts; // the real and imaginary parts of both, if any
  for (const Value& v : {re, im}) {
    const std::optional<Scalar> s = scalarOf(v, "a part of a complex number", where);
    if (!s) return Value{};
    const bool isComplex = ir::isComplex(s->type());
    const Expr z = isComplex ? stable(ir::cast(DType::C128, s->e)) : Expr();
    parts.push_back(isComplex ? ir::call(ir::Intrinsic::Real, DType::F64, {z}) : ir::cast(DType::F64, s->e));
    parts.push_back(isComplex ? ir::call(ir::Intrinsic::Imag, DType::F64, {z}) : Expr());
  }
  const Expr real = parts[3] ? ir::binary(ir::BinaryOp::Sub, parts[0], parts[3]) : parts[0];
  const Expr imag = parts[1] ? ir::binary(ir::BinaryOp::Add, parts[1], parts[2]) : parts[2];
  return Value{Scalar{ir::call(ir::Intrinsic::MakeComplex, DType::C128, {real, imag}), true}};
}

/// `int("ff", 16)`, `int(bin(n)[2:], 2)`
Value Lowering::wholeInBase(const Value& v, const Value& base, Span where) {
  const std::optional<int64_t> known = constantArgument(base);
  if (known && (*known == 1 || *known < 0 || *known > 36))
    return error(DiagId::TypeMismatch, where, "int() base must be >= 2 and <= 36, or 0");
  if (const auto* text = v.as<StringValue>(); text && known) {
    constexpr std::string_view kBlanks = " \t\n\r";
    const size_t begin = std::min(text->text.find_first_not_of(kBlanks), text->text.size());
    std::string digits = text->text.substr(begin, text->text.find_last_not_of(kBlanks) + 1 - begin);
    std::erase(digits, '_');
    const bool isBinary =
        digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'b' && *known % 2 == 0 && *known <= 2;
    const bool isOctal =
        digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'o' && (*known == 0 || *known == 8);
    if (isBinary || isOctal) digits.erase(0, 2);
    size_t read = 0;
    try {
      const int64_t n = std::stoll(digits, &read, isBinary ? 2 : isOctal ? 8 : static_cast<int>(*known));
      if (read == digits.size()) return Value{Scalar{ir::intConst(n), true}};
    } catch (const std::logic_error&) { // no number of 64 bits
    }
    return error(DiagId::TypeMismatch, where,
                 fmt::format("'{}' is not a number in base {} that appyc reads", text->text, *known));
  }
  if (const auto* text = v.as<CharactersValue>())
    return callListFunction("whole_in_base", {Value{text->characters.fields[0]}, base}, where);
  return error(
      DiagId::Unsupported, where,
      fmt::format("int() with a base takes a text that is known, or by its characters, not {}", describe(v)));
}

/// int(x), float(x), bool(x), which take one number, and np.float32(x), which takes arrays too.
Value Lowering::callConversion(const Bound& b) {
  const TypeValue type = *b["type"].as<TypeValue>();
  const Value& given = b[b.name() == "complex" ? "real" : "x"];
  if (type.weak && given.as<RecordValue>())
    if (const auto own = callSpecial(fmt::format("__{}__", b.name()), {given}, b.where)) {
      const auto* s = own->as<Scalar>();
      if (own->isError() || (s && s->type() == type.type)) return *own;
      return error(DiagId::TypeMismatch, b.where,
                   fmt::format("`__{0}__` has to return a number of `{0}`", b.name()));
    }
  if (const RecordValue* table = tableIn(given); table && ir::isBool(type.type))
    return Value{Scalar{truth(sizeOfTable(*table).e), true}};
  const Value v = onlyValue(given);
  const std::optional<int64_t> base = b.find("base") ? constantArgument(b["base"]) : 10;
  if (base != 10) return wholeInBase(v, b["base"], b.where);
  if (const auto* text = v.as<StringValue>(); text && ir::isFloat(type.type)) {
    if (std::optional<double> x = numberSpelled(text->text))
      return Value{Scalar{ir::floatConst(*x, type.type), type.weak}};
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("'{}' is not a number that appyc reads", text->text));
  }
  if (type.weak && ir::isInteger(type.type)) { // `int(d) for d in str(n)`
    constexpr size_t kMostDigits = 18;
    if (const auto* text = v.as<StringValue>();
        text && !text->text.empty() && text->text.size() <= kMostDigits &&
        text->text.find_first_not_of("0123456789") == std::string::npos)
      return Value{Scalar{ir::intConst(std::stoll(text->text)), true}};
    if (v.as<StringValue>()) return wholeInBase(v, Value{Scalar{ir::intConst(10), true}}, b.where);
    if (const Expr n = wholeOf(v)) return Value{Scalar{n, true}};
    if (const auto c = isStoredText(v) ? characterIn(v, "int(), as translated,") : std::nullopt) {
      const Expr digit = stable(ir::sub(*c, ir::intConst('0')));
      require(ir::binary(ir::BinaryOp::LogicalAnd, ir::binary(ir::BinaryOp::Ge, digit, ir::intConst(0)),
                         ir::binary(ir::BinaryOp::Le, digit, ir::intConst(9))),
              "ValueError", std::string("invalid literal for int() with base 10"));
      return Value{Scalar{digit, true}};
    }
    if (const auto* text = v.as<DigitsValue>())
      return callListFunction("whole", {Value{text->digits}}, b.where);
    if (const auto* text = v.as<CharactersValue>())
      return callListFunction("spelled_whole", {Value{text->characters.fields[0]}}, b.where);
  }
  const auto* z = v.as<Scalar>();
  const bool isWhole = z && ir::isComplex(z->type()) && b.find("imag") && constantArgument(b["imag"]) == 0;
  if (b.find("imag") && !isWhole) return complexOf(v, onlyValue(b["imag"]), b.where);
  std::optional<Strength> s = strengthOf(v, b.where);
  if (!s) return Value{};
  const auto* a = v.as<Array>();
  if (type.weak && (v.as<Selection>() || (a && !a->shape.empty())))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("{}() takes one number, not {}; write np.any, np.all, .astype or .item()",
                             b.name(), describe(v)));
  if (ir::isComplex(s->type) && !ir::isComplex(type.type) && !ir::isBool(type.type))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("a complex number does not become {}; write `.real`", ir::name(type.type)));
  const Value number = a && a->shape.empty() ? Value{Scalar{a->at({})}}
                       : z && z->isCell      ? Value{Scalar{z->e}}
                                             : v;
  if (type.weak && ir::isInteger(type.type) && s->weak && s->type == DType::U64) return number;
  if (type.weak && ir::isInteger(type.type) && (ir::isFloat(s->type) || (s->type == DType::U64 && !s->weak)))
    return wholeNumber(number.as<Scalar>()->e);
  return castTo(number, type.type, b.where);
}

//===--- of iterables -------------------------------------------------------------------------------===//

Value Lowering::callLen(const Bound& b) {
  const Value& v = b["obj"];
  if (const std::optional<Value> own = callSpecial("__len__", {v}, b.where)) return *own;
  const std::optional<Value> members = membersOf(v);
  if (const auto* t = members ? members->as<TupleValue>() : v.as<TupleValue>())
    return Value{Scalar{ir::intConst(static_cast<int64_t>(t->items.size()))}};
  if (const auto* text = v.as<StringValue>()) // of characters, not bytes
    return Value{Scalar{
        ir::intConst(std::ranges::count_if(text->text, [](unsigned char c) { return (c & 0xC0) != 0x80; })),
        true}};
  if (const std::optional<DigitsValue> text = digitsOf(v, b.where)) return Value{itemsIn(text->digits)};
  if (const std::optional<CharactersValue> text = charactersIn(v)) return Value{itemsIn(text->characters)};
  if (const auto* a = v.as<Array>(); a && !a->shape.empty()) return Value{Scalar{a->shape[0]}};
  if (const auto* s = v.as<Selection>()) return Value{countSelected(*s)};
  if (const auto* r = v.as<RangeValue>()) return Value{Scalar{lengthOf(keptRange(*r)), true}};
  if (const auto* l = v.as<ListValue>()) return Value{itemsIn(*l)};
  if (const auto* l = v.as<NestedValue>()) return Value{itemsIn(l->numbers)};
  if (const RecordValue* table = tableIn(v)) return Value{sizeOfTable(*table)};
  if (const auto* r = v.as<RecordValue>(); r && !r->type && !hasKnownKeys(*r, b.where)) return Value{};
  if (const auto* r = v.as<RecordValue>(); r && !r->type)
    return Value{Scalar{ir::intConst(static_cast<int64_t>(objects_.at(r->object).fields.size())), true}};
  return error(DiagId::TypeMismatch, b.where, fmt::format("{} has no len()", describe(v)));
}

/// start + v[0] + v[1] + ..., in the type that the first addition has: NumPy's numbers keep theirs.
Value Lowering::callSum(const Bound& b) {
  const Value &v = b["iterable"], &start = b["start"];
  if (const auto* none = start.as<TupleValue>(); none && none->isList && none->items.empty() &&
                                                 !isDeque(start) &&
                                                 (v.as<NestedValue>() || v.as<ListValue>()))
    return listOfGenerator(itemsOfItems(iterated(v), b.where)); // `sum(rows, [])`
  if (const auto* g = v.as<GeneratorValue>()) return sumOf(*g, start, b.where);
  if (const auto* l = v.as<ListValue>()) {
    const std::optional<Scalar> kind = stateOf(*l);
    if (l->like || l->hasViews || start.as<RecordValue>())
      return sumOf(generatorOver(v, b.where), start, b.where);
    if (kind && (!kind->others.empty() || kind->isExtended || ir::isBool(kind->type())))
      return sumOf(generatorOver(v, b.where), start, b.where);
    const std::optional<Array> numbers = numbersOf(*l, b.where);
    if (!numbers) return Value{};
    Bound of = b;
    of.values["iterable"] = Value{*numbers};
    return asItem(*l, callSum(of));
  }
  if (const auto* t = v.as<TupleValue>()) {
    Value total = start;
    for (const Value& item : t->items) total = binary(ast::BinaryOp::Add, total, item, b.where);
    return total;
  }
  if (v.as<RangeValue>()) return sumOf(generatorOver(v, b.where), start, b.where);
  std::optional<Strength> first = strengthOf(v, b.where);
  if (!first) return v.isError() ? v : error(DiagId::Unsupported, b.where, "sum() takes an array or a tuple");
  const auto *a = v.as<Array>(), *from = start.as<Array>();
  const auto* selected = v.as<Selection>();
  if ((!selected && (!a || a->shape.empty())) || from || !start.as<Scalar>())
    return error(DiagId::TypeMismatch, b.where,
                 "sum() takes an array or a tuple, and starts from a number; for others write np.sum");
  const bool isPlain = constantArgument(start) == 0;
  const bool hasOwnType =
      a && ir::isInteger(a->type) && a->type != DType::I64; // Python's 0 would have another
  if (a && (a->shape.size() > 1 || !isPlain || hasOwnType) &&
      !isNonNegative(ir::sub(a->shape[0], ir::intConst(1))))
    requireWhereRun(ir::binary(ir::BinaryOp::Gt, a->shape[0], ir::intConst(0)), "NotImplementedError",
                    Message("Python's sum of nothing is the number that it starts from: ").array(*a));
  std::optional<Strength> type = promoteAll({start, v}, b.where);
  if (!type) return Value{};
  const ir::ReduceOp op = ir::isBool(type->type) ? ir::ReduceOp::Or : ir::ReduceOp::Sum;
  Value total = selected ? reduceAll(op, withIdentity(*selected, op, type->type), b.where)
                         : reduce(op, v, {0}, false, type->type, b.where);
  if (isPlain || total.isError()) return total;
  return arithmetic(ir::BinaryOp::Add, castTo(start, type->type, b.where), total, b.where);
}

/// any() and all() of one dimension: a bool of Python's.
Value Lowering::callAnyAll(const Bound& b) {
  const Value& v = b["iterable"];
  const bool any = b.name() == "any";
  if (const auto* g = v.as<GeneratorValue>()) return anyOf(*g, any, b.where);
  if (const auto* t = v.as<TupleValue>()) {
    Expr result = ir::boolConst(!any);
    for (const Value& item : t->items) {
      const auto* s = item.as<Scalar>();
      if (!s)
        return error(DiagId::TypeMismatch, b.where,
                     fmt::format("{}() takes numbers here, not {}", b.name(), describe(item)));
      result = ir::binary(any ? ir::BinaryOp::LogicalOr : ir::BinaryOp::LogicalAnd, result, truth(s->e));
    }
    return Value{Scalar{result}};
  }
  if (v.as<ListValue>()) return anyOf(generatorOver(v, b.where), any, b.where);
  const auto* a = v.as<Array>();
  if (!a || a->shape.size() != 1)
    return error(
        DiagId::TypeMismatch, b.where,
        fmt::format("{}() takes an array of one dimension; for others write np.{}", b.name(), b.name()));
  return reduce(any ? ir::ReduceOp::Or : ir::ReduceOp::And, castTo(v, DType::Bool, b.where), {0}, false,
                DType::Bool, b.where);
}

/// max(a) compares as Python: NaN at the front stays, others are passed over.
Value Lowering::extremeOf(bool isMax, const Value& v, bool mayBeEmpty, Span where) {
  const auto* given = v.as<Array>();
  if (!given || given->shape.size() != 1 || ir::isComplex(given->type))
    return error(
        DiagId::TypeMismatch, where,
        fmt::format("{}() takes real numbers, or an array of them with one dimension; for others write "
                    "np.{}",
                    isMax ? "max" : "min", isMax ? "max" : "min"));
  Array a = given->expensive || given->uninitialised ? materialize(*given, "t") : *given;
  const ir::ReduceOp op = isMax ? ir::ReduceOp::Max : ir::ReduceOp::Min;
  Expr more = ir::sub(a.shape[0], ir::intConst(1));
  if (!mayBeEmpty && !isNonNegative(more))
    requireWhereRun(ir::binary(ir::BinaryOp::Ge, more, ir::intConst(0)), "ValueError",
                    fmt::format("{}() iterable argument is empty", isMax ? "max" : "min"));
  if (!ir::isFloat(a.type)) return reduce(op, Value{a}, {0}, false, a.type, where);
  auto isNan = [](const Expr& x) { return ir::call(ir::Intrinsic::IsNan, DType::Bool, {x}); };
  Array numbers = a;
  numbers.view = nullptr;
  numbers.at = [a, op, isNan](const Indices& i) {
    Expr x = a.at(i);
    return ir::select(isNan(x), ir::identity(op, a.type), x);
  };
  Value best = reduce(op, Value{numbers}, {0}, false, a.type, where);
  Expr all = materialize(best.as<Scalar>()->e, "extreme");
  Expr first = materialize(
      ir::select(ir::binary(ir::BinaryOp::Gt, a.shape[0], ir::intConst(0)), a.at({ir::intConst(0)}), all),
      "first");
  return Value{Scalar{ir::select(isNan(first), first, all)}};
}

/// `default=` stands for what there is none of.
Value Lowering::extremeOr(bool isMax, const Value& v, const Value& otherwise, Span where) {
  const auto* l = v.as<ListValue>();
  if (l && l->like)
    return error(DiagId::Unsupported, where, "`default=` is translated of numbers; ask `if len(items) > 0`");
  if (const std::optional<Scalar> kind = l ? stateOf(*l) : std::nullopt;
      kind && (kind->isExtended || !kind->others.empty())) { // which kind of number it is only the run tells
    const Value length = callNamed("len", {{v}, {}, where});
    if (!length.as<Scalar>()) return length;
    return chosen(
        truth(length.as<Scalar>()->e), [&] { return extremeBy(isMax, v, nullptr, where); },
        [&] { return otherwise; }, where,
        [](const Scalar&, const Scalar&) { return std::optional<Value>(); });
  }
  const std::optional<Array> items = l ? numbersOf(*l, where) : std::nullopt;
  if (l && !items) return Value{};
  const Value numbers = l ? Value{*items} : v;
  const Value found = extremeOf(isMax, numbers, true, where), best = l ? asItem(*l, found) : found;
  const auto *s = best.as<Scalar>(), *other = otherwise.as<Scalar>();
  if (best.isError()) return best;
  if (!s || !other)
    return error(DiagId::TypeMismatch, where,
                 fmt::format("`default=` is a number here, not {}", describe(otherwise)));
  const std::optional<Scalar> joined = joinNumbers(*s, *other, where);
  if (!joined) return Value{};
  const Expr some = ir::binary(ir::BinaryOp::Gt, numbers.as<Array>()->shape[0], ir::intConst(0));
  const Expr e = mentionsReduce(s->e) ? materialize(s->e, "extreme") : s->e;
  return Value{
      keptIn(*joined, ir::select(some, ir::cast(joined->type(), e), ir::cast(joined->type(), other->e)))};
}

/// Python's own min and max: the first of equals, and `b if b > a else a`, which is not np.maximum for NaN.
Value Lowering::callExtreme(const Bound& b) {
  const bool isMax = b.name() == "max";
  std::vector<Value> items = b["args"].as<TupleValue>()->items;
  const bool isOfTuples = items.size() > 1 && std::ranges::all_of(items, isTupleOfNumbers);
  const bool hasKey = !b["key"].as<NoneValue>();
  const Value* otherwise = b.find("default"); // which may be None
  if (otherwise && items.size() != 1)
    return error(DiagId::TypeMismatch, b.where, "`default=` is for one iterable");
  const bool isSome = otherwise && !items[0].as<TupleValue>();
  if (isSome && (hasKey || !otherwise->as<Scalar>())) { // what is no number, or chosen by a key, is asked for
    if (const auto* g = items[0].as<GeneratorValue>()) items[0] = listOfGenerator(*g);
    const Value length = callNamed("len", {{items[0]}, {}, b.where});
    if (!length.as<Scalar>()) return length;
    return chosen(
        truth(length.as<Scalar>()->e),
        [&] {
          Arguments some{{items[0]}, {}, b.where};
          if (hasKey) some.keywords.emplace_back("key", b["key"]);
          return callNamed(isMax ? "max" : "min", some);
        },
        [&] { return *otherwise; }, b.where,
        [](const Scalar&, const Scalar&) { return std::optional<Value>(); });
  }
  if ((hasKey || isOfTuples) && !items.empty())
    return extremeBy(isMax, items.size() == 1 ? items[0] : Value{TupleValue{items, true}}, &b["key"],
                     b.where);
  if (items.size() == 1) {
    if (const auto* g = items[0].as<GeneratorValue>()) items[0] = listOfGenerator(*g);
    if (items[0].isError()) return items[0];
    if (otherwise && !items[0].as<TupleValue>()) return extremeOr(isMax, items[0], *otherwise, b.where);
    if (const auto* l = items[0].as<ListValue>())
      if (const std::optional<Scalar> kind = stateOf(*l);
          l->like || (kind && (!kind->others.empty() || kind->isExtended)))
        return extremeBy(isMax, items[0], nullptr, b.where);
    if (const auto* l = items[0].as<ListValue>()) {
      const std::optional<Array> numbers = numbersOf(*l, b.where);
      return numbers ? asItem(*l, extremeOf(isMax, Value{*numbers}, false, b.where)) : Value{};
    }
    const auto* t = items[0].as<TupleValue>();
    if (!t) return extremeOf(isMax, items[0], false, b.where);
    items = std::vector<Value>(t->items);
    if (items.empty() && otherwise) return *otherwise;
  }
  if (items.empty()) return error(DiagId::TypeMismatch, b.where, "min/max take at least one value");
  Value best = items[0];
  for (size_t i = 0; i < items.size(); ++i) {
    const auto *a = best.as<Scalar>(), *x = items[i].as<Scalar>();
    if (!a || !x)
      return error(DiagId::TypeMismatch, b.where,
                   "min/max of several values take scalars; use np.maximum/np.minimum for arrays");
    best = i == 0 ? best : betterOf(isMax, *a, *x, b.where);
    if (best.isError()) return best;
  }
  return best;
}

Value Lowering::betterOf(bool isMax, const Scalar& a, const Scalar& b, Span where) {
  std::optional<Scalar> s = joinNumbers(a, b, where);
  if (!s) return Value{};
  const DType type = s->type();
  if (ir::isComplex(type)) return error(DiagId::TypeMismatch, where, "complex numbers have no order");
  Expr x = mentionsReduce(a.e) ? materialize(a.e, "a") : a.e,
       y = mentionsReduce(b.e) ? materialize(b.e, "b") : b.e;
  auto castBoth = [&] { x = ir::cast(type, x), y = ir::cast(type, y); };
  if (ir::isFloat(type)) { // the types' own comparison: f32 with Python's float is one of f32
    Value isBetter =
        compare(isMax ? ir::BinaryOp::Gt : ir::BinaryOp::Lt, Value{keptIn(b, y)}, Value{keptIn(a, x)}, where);
    if (isBetter.isError()) return isBetter;
    castBoth();
    return Value{keptIn(*s, ir::select(isBetter.as<Scalar>()->e, y, x))};
  }
  castBoth();
  if (type == DType::I64) return Value{keptIn(*s, isMax ? ir::maxOf(x, y) : ir::minOf(x, y))};
  return Value{keptIn(*s, ir::binary(isMax ? ir::BinaryOp::Max : ir::BinaryOp::Min, x, y))};
}

//===--- of numbers ---------------------------------------------------------------------------------===//

Value Lowering::callAbs(const Bound& b) {
  if (const std::optional<Value> own = callSpecial("__abs__", {b["x"]}, b.where)) return *own;
  return callIntrinsic(ir::Intrinsic::Abs, {b["x"]}, b.where);
}

/// Of Python's own integers only, as pow(a, b, m) is.
Value Lowering::callPow(const Bound& b) {
  if (b["mod"].as<NoneValue>()) return powerOperator(b["base"], b["exp"], b.where);
  Arguments all{{b["base"], b["exp"], b["mod"]}, {}, b.where};
  for (const Value& v : all.positional) {
    const auto* s = v.as<Scalar>();
    if (!s || !s->weak || !s->others.empty() || s->isExtended || ir::isFloat(s->type()) ||
        ir::isComplex(s->type()))
      return error(DiagId::TypeMismatch, b.where,
                   "pow() with a modulus takes Python's own integers, as by `int(...)`");
  }
  return callLibrary(*libraryFunctionAt("_power_modulo"), all);
}

Value Lowering::callDivmod(const Bound& b) {
  Value quotient = arithmetic(ir::BinaryOp::FloorDiv, b["x"], b["y"], b.where);
  Value rest = quotient.isError() ? quotient : arithmetic(ir::BinaryOp::Mod, b["x"], b["y"], b.where);
  if (rest.isError()) return rest;
  return Value{TupleValue{{quotient, rest}}};
}

/// To the nearest integer, of two the even one.
Value Lowering::callRound(const Bound& b) {
  const auto* s = b["number"].as<Scalar>();
  if (!s || ir::isComplex(s->type()) || (ir::isBool(s->type()) && !s->weak))
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("round() takes a real number, not {}", describe(b["number"])));
  if (!b["ndigits"].as<NoneValue>()) {
    const auto* digits = b["ndigits"].as<Scalar>();
    if (!s->others.empty() || !digits || !ir::isInteger(digits->type()))
      return error(
          DiagId::TypeMismatch, b.where,
          "round(x, n) takes a number that is Python's or NumPy's whatever the path, and an integer; convert "
          "them, as by `float(...)`");
    const Arguments both{{b["number"], b["ndigits"]}, {}, b.where};
    if (!s->weak) return callNamed("numpy.round", both);
    return callLibrary(*libraryFunctionAt(ir::isFloat(s->type()) ? "_rounded_float" : "_rounded_integer"),
                       both);
  }
  if (!ir::isFloat(s->type())) return Value{Scalar{ir::cast(DType::I64, s->e)}};
  return wholeNumber(ir::call(ir::Intrinsic::Rint, s->type(), {s->e}));
}

Value Lowering::callRange(const Bound& b) {
  for (const char* flag : {"parallel", "simd"})
    if (b.find(flag) && !flagArgument(flag, b)) return Value{};
  const auto rangeOf = [&](const std::vector<Value>& given) {
    std::vector<Expr> bounds;
    for (const Value& v : given) {
      const auto* s = v.as<Scalar>();
      if (!s || !(ir::isInteger(s->type()) || ir::isBool(s->type())))
        return error(DiagId::TypeMismatch, b.where,
                     fmt::format("range() takes integers, not {}", describe(v)));
      if (!holds(DType::I64, v, b.where)) return Value{};
      const Expr e = wholeNumber(s->e).as<Scalar>()->e;
      bounds.push_back(mentionsReduce(e) ? materialize(e, "n") : e);
    }
    if (bounds.empty() || bounds.size() > 3)
      return error(DiagId::TypeMismatch, b.where, "range() takes 1 to 3 integers");
    return Value{RangeValue{bounds.size() > 1 ? bounds[0] : ir::intConst(0), bounds[bounds.size() > 1],
                            bounds.size() > 2 ? bounds[2] : ir::intConst(1)}};
  };
  const Value* each = b.find("ranges"); // ParPy's: of numbers, or of bounds
  if (!each) return rangeOf((b.find("args") ? b.find("args") : b.find("bounds"))->as<TupleValue>()->items);
  TupleValue axes;
  for (const Value& v : each->as<TupleValue>()->items) {
    const auto* bounds = v.as<TupleValue>();
    axes.items.push_back(rangeOf(bounds ? bounds->items : std::vector<Value>{v}));
    if (axes.items.back().isError()) return Value{};
  }
  if (axes.items.empty()) return error(DiagId::TypeMismatch, b.where, "ranges() takes a range at least");
  return axes.items.size() == 1 ? axes.items[0] : Value{IteratorValue{IteratorValue::Indices, {Value{axes}}}};
}

//===--- math ---------------------------------------------------------------------------------------===//

/// `math` computes with Python's floats, whatever it is given.
std::optional<Value> Lowering::mathOperand(const Value& v, const Bound& b) {
  const auto* a = v.as<Array>();
  Value number = a && a->shape.empty() ? Value{Scalar{a->at({})}} : v;
  const auto* s = number.as<Scalar>();
  if (s && !ir::isComplex(s->type())) return Value{Scalar{ir::cast(DType::F64, s->e)}};
  if (!v.isError())
    error(DiagId::TypeMismatch, b.where,
          fmt::format("`{}` takes a real number, not {}; NumPy has such a function for arrays", b.display(),
                      describe(v)));
  return std::nullopt;
}

Value Lowering::callMath(const Bound& b) {
  std::vector<Value> operands;
  std::vector<Value> given;
  if (const Value* all = b.find("coordinates")) given = all->as<TupleValue>()->items;
  for (const Parameter& p : b.row->parameters)
    if (const Value* v = p.kind == Parameter::Rest ? nullptr : b.find(p.name)) given.push_back(*v);
  for (const Value& v : given) {
    std::optional<Value> x = mathOperand(v, b);
    if (!x) return Value{};
    operands.push_back(*x);
  }
  const std::string name = functionAt("numpy." + b.name())->name();
  if (b.name() == "hypot") { // of any number
    if (operands.empty()) return Value{Scalar{ir::floatConst(0.0), true}};
    if (operands.size() == 1) return callIntrinsic(ir::Intrinsic::Abs, operands, b.where);
    Value all = operands[0];
    for (size_t k = 1; k < operands.size(); ++k) {
      Values two{all, operands[k]};
      all = elementwiseFunction(name, two, b.where);
    }
    return all;
  }
  if (b.name() == "pow") {
    const Expr x = namedOnce(operands[0].as<Scalar>()->e, "x"),
               y = namedOnce(operands[1].as<Scalar>()->e, "y");
    operands = {Value{Scalar{x}}, Value{Scalar{y}}};
    return powerInRange(x, y, elementwiseFunction(name, operands, b.where), true);
  }
  std::vector<Expr> arguments;
  for (Value& operand : operands) {
    std::optional<Expr> x = inDomain(b.name(), operand.as<Scalar>()->e, b.where);
    if (!x) return Value{};
    operand = Value{Scalar{*x}};
    arguments.push_back(*x);
  }
  if (b.name() != "log" || operands.size() == 1)
    return inRange(b.name(), arguments[0], elementwiseFunction(name, operands, b.where));
  Value top = callIntrinsic(ir::Intrinsic::Log, {operands[0]}, b.where);
  if (raisesHere() && (!arguments[1].is<ir::Const>() || ir::equal(arguments[1], ir::floatConst(1))))
    require(ir::binary(ir::BinaryOp::Ne, arguments[1], ir::floatConst(1)), "ZeroDivisionError",
            "division by zero");
  return arithmetic(ir::BinaryOp::Div, top, callIntrinsic(ir::Intrinsic::Log, {operands[1]}, b.where),
                    b.where);
}

/// math.floor, math.ceil, math.trunc: Python's ints.
Value Lowering::callMathRound(const Bound& b) {
  const auto* s = b["x"].as<Scalar>();
  const bool isWhole = s && (ir::isInteger(s->type()) || ir::isBool(s->type()));
  if (s && !s->weak && s->type() != DType::F64 && b.name() == "trunc")
    return error(DiagId::TypeMismatch, b.where,
                 fmt::format("`math.trunc` does not take NumPy's {}; write int(x)", ir::name(s->type())));
  if (isWhole) return Value{Scalar{ir::cast(DType::I64, s->e)}};
  std::optional<Value> x = mathOperand(b["x"], b);
  if (!x) return Value{};
  Value whole = callIntrinsic(*ir::intrinsicNamed(b.name()), {*x}, b.where);
  return whole.isError() ? whole : wholeNumber(whole.as<Scalar>()->e);
}

} // namespace appyc::sema
